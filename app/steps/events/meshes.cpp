// Steps of meshes cut by a plane, and of two voxel grids.
#include <fmt/format.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <set>
#include <tuple>
#include <utility>

#include "bv/query/overlap.hpp"
#include "io/text/counted.hpp"
#include "results/put.hpp"
#include "steps/event_spec.hpp"

namespace lab::steps {
namespace {

using CutVerdict = bv::TriangleCut::Verdict;

/// At most this many voxels of each grid that overlap are drawn, the newest ones.
constexpr std::size_t kMaxVoxels = 300;
/// With more voxels than this, the edges would cover the faces.
constexpr std::size_t kMaxVoxelEdges = 100;

constexpr Role kOutline = Role::AabbFixed;

const char* grid_name(bool bricks) {
    return bricks ? "brick" : "voxel";
}

std::string coordinates(const glm::ivec3& at) {
    return fmt::format("({}, {}, {})", at.x, at.y, at.z);
}

/// All triangles of one verdict, as one surface.
void put_side(const Board& board, const Subject& subject, CutVerdict verdict, const char* legend,
              FrameResults& results) {
    Polytope side;
    for (const bv::TriangleCut& cut : board.cuts) {
        if (cut.verdict != verdict || cut.triangle >= subject.triangles.size()) continue;
        const auto first = static_cast<std::uint32_t>(side.vertices.size());
        const bv::Triangle& t = subject.triangles[cut.triangle];
        side.vertices.insert(side.vertices.end(), {t.a, t.b, t.c});
        side.triangles.emplace_back(first, first + 1, first + 2);
        if (verdict != CutVerdict::Cut) continue;
        side.edges.insert(side.edges.end(), {{first, first + 1}, {first + 1, first + 2}, {first + 2, first}});
    }
    if (side.triangles.empty()) return;
    const Role role = verdict == CutVerdict::Front  ? Role::ProjectionA
                      : verdict == CutVerdict::Back ? Role::ProjectionB
                      : verdict == CutVerdict::Cut  ? Role::Visited
                                                    : Role::Kdop;
    Exhibit& shown = put(results, std::move(side), role, {}, verdict == CutVerdict::Cut ? 0.1f : 0.5f);
    shown.width_px = 1.0f;
    shown.legend = legend;
}

/// The face of a box on this side of it, counterclockwise from outside.
void add_face(Polytope& to, const bv::Obb& box, int axis, int side) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const auto reach = [&](int k, int sign) {
        return box.axes[k] * (box.half_extents[k] * static_cast<float>(sign));
    };
    const auto first = static_cast<std::uint32_t>(to.vertices.size());
    const glm::vec3 middle = box.center + reach(axis, side);
    for (const auto& [along, across] : {std::pair{-1, -1}, {side, -side}, {1, 1}, {-side, side}})
        to.vertices.push_back(middle + reach(u, along) + reach(v, across));
    to.triangles.insert(to.triangles.end(), {{first, first + 1, first + 2}, {first, first + 2, first + 3}});
}

/// The voxels of a grid that were found in pairs, each once.
void put_voxels(const Board& board, const Subject& subject, std::size_t grid, FrameResults& results) {
    constexpr const char* kLegend = "voxels that overlap";
    const auto in_order = [](const glm::ivec3& a, const glm::ivec3& b) {
        return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z);
    };
    std::set<glm::ivec3, decltype(in_order)> known(in_order);
    for (auto pair = board.voxels.rbegin(); pair != board.voxels.rend() && known.size() < kMaxVoxels; ++pair)
        known.insert(grid == 0 ? pair->a : pair->b);
    if (known.empty()) return;
    Polytope surface;  // faces between two of them would add up to an opaque block
    for (const glm::ivec3& at : known) {
        const bv::Obb cube = subject.cubes[grid].cube(at, 1);
        if (known.size() <= kMaxVoxelEdges) {
            Exhibit& edges = put(results, cube, Role::AabbFixed);
            edges.width_px = 1.0f;
            edges.legend = kLegend;
        }
        for (int axis = 0; axis < 3; ++axis)
            for (const int side : {-1, 1}) {
                glm::ivec3 beside = at;
                beside[axis] += side;
                if (!known.contains(beside)) add_face(surface, cube, axis, side);
            }
    }
    put(results, std::move(surface), Role::AabbFixed, {}, 0.25f).legend = kLegend;
}

}  // namespace

template <>
const EventSpec<bv::TriangleCut>& event_spec<bv::TriangleCut>() {
    static constexpr EventSpec<bv::TriangleCut> kRow{
        .id = "triangle_cut",
        .variant = [](const bv::TriangleCut& e) -> int { return static_cast<int>(e.verdict); },
        .sentence = [](const bv::TriangleCut& e) -> std::string {
            switch (e.verdict) {
                case CutVerdict::Front:
                    return fmt::format("Triangle {} lies in front of the plane.", e.triangle);
                case CutVerdict::Back:
                    return fmt::format("Triangle {} lies behind the plane.", e.triangle);
                case CutVerdict::InPlane:
                    return fmt::format("Triangle {} lies in the plane: it stays with the solid behind it.",
                                       e.triangle);
                case CutVerdict::Cut:
                    break;
            }
            return fmt::format("Triangle {} is cut: {} new {}, {} of the outline.", e.triangle, e.new_corners,
                               io::plural(e.new_corners, "corner", "corners"),
                               in_meters(static_cast<double>(glm::distance(e.from, e.to))));
        },
        .values = [](const bv::TriangleCut& e) -> StepValues {
            static constexpr const char* kSides[] = {"front", "back", "in the plane", "cut"};
            StepValues values = {{"triangle", cells::whole(e.triangle)},
                                 {"side", kSides[static_cast<std::size_t>(e.verdict)]}};
            if (e.verdict != CutVerdict::Cut) return values;
            values.emplace_back("from", cells::vector(e.from));
            values.emplace_back("to", cells::vector(e.to));
            values.emplace_back("new corners", cells::whole(e.new_corners));
            return values;
        },
        .quantity = [](const bv::TriangleCut&, const Subject&, const Board& after) -> std::optional<double> {
            return static_cast<double>(
                std::count_if(after.cuts.begin(), after.cuts.end(),
                              [](const auto& cut) { return cut.verdict == CutVerdict::Cut; }));
        },
        .draw =
            [](const bv::TriangleCut& e, const StepContext& c, FrameResults& results) {
                if (e.triangle >= c.subject.triangles.size()) return;
                Exhibit& triangle = put(results, c.subject.triangles[e.triangle], kNow, {}, 0.6f);
                triangle.width_px = 3.0f;
                triangle.on_top = true;
                triangle.legend = "current triangle";
                if (e.verdict != CutVerdict::Cut) return;
                for (const glm::vec3& end : {e.from, e.to}) {
                    Exhibit& corner = put(results, Marker{end}, kOutline);
                    corner.on_top = true;
                    corner.legend = "outline so far";
                }
            },
    };
    return kRow;
}

template <>
const EventSpec<bv::LoopClosed>& event_spec<bv::LoopClosed>() {
    static constexpr EventSpec<bv::LoopClosed> kRow{
        .id = "loop_closed",
        .sentence = [](const bv::LoopClosed& e) -> std::string {
            const double area = static_cast<double>(e.area);
            return fmt::format("{} corners close a loop, {} of {} m².", e.corners,
                               area < 0 ? "a hole" : "an outline", in_short(area < 0 ? -area : area));
        },
        .values = [](const bv::LoopClosed& e) -> StepValues {
            return {{"corners", cells::whole(e.corners)},
                    {"area", cells::brief(static_cast<double>(e.area)).in("m²")}};
        },
        .draw =
            [](const bv::LoopClosed&, const StepContext& c, FrameResults& results) {
                const Polytope* piece = c.subject.plane(c.after.loops.size() - 1);
                if (!piece) return;
                Exhibit& loop = put(results, *piece, kNow, {}, 0.35f);
                loop.width_px = 4.0f;
                loop.on_top = true;
                loop.legend = "closed loop";
            },
    };
    return kRow;
}

namespace {

/// True iff these voxels share no more than a face, an edge or a corner, as far as rounding tells.
bool only_touch(const bv::CubesTested& e, const Subject& subject) {
    if (!e.overlap || e.bricks) return false;
    bv::Recording trace;
    (void)bv::overlap(subject.cubes[0].cube(e.a, 1), subject.cubes[1].cube(e.b, 1), trace);
    return std::any_of(trace.events().begin(), trace.events().end(), [](const bv::TraceEvent& event) {
        const auto* axis = std::get_if<bv::AxisTested>(&event);
        return axis && !axis->skipped && (axis->gap > 0 || just_touches(*axis));
    });
}

std::string cubes_sentence(const bv::CubesTested& e, const char* overlapping) {
    std::string verdict = e.overlap ? overlapping : "apart";
    if (e.overlap && e.bricks) verdict += ", so filled voxels near each other, if any, are tested";
    return fmt::format("{} {} of A and {} {} of B: {}.", e.bricks ? "Brick" : "Voxel", coordinates(e.a),
                       grid_name(e.bricks), coordinates(e.b), verdict);
}

}  // namespace

template <>
const EventSpec<bv::CubesTested>& event_spec<bv::CubesTested>() {
    static constexpr EventSpec<bv::CubesTested> kRow{
        .id = "cubes_tested",
        .variant = [](const bv::CubesTested& e) -> int { return (e.bricks ? 0 : 2) + (e.overlap ? 1 : 0); },
        .sentence = [](const bv::CubesTested& e) -> std::string { return cubes_sentence(e, "they overlap"); },
        .values = [](const bv::CubesTested& e) -> StepValues {
            return {{"cubes", e.bricks ? "bricks" : "voxels"},
                    {"of A", coordinates(e.a)},
                    {"of B", coordinates(e.b)},
                    {"overlap", cells::yes_or_no(e.overlap)}};
        },
        .sentence_in_context = [](const bv::CubesTested& e, const Subject& subject,
                                  const Board&) -> std::string {
            return cubes_sentence(e, only_touch(e, subject) ? "they touch" : "they overlap");
        },
        .values_in_context = [](const bv::CubesTested& e, const Subject& subject,
                                const Board&) -> StepValues {
            StepValues values = event_spec<bv::CubesTested>().values(e);
            if (only_touch(e, subject)) values.back().second = "they touch";
            return values;
        },
        .quantity = [](const bv::CubesTested&, const Subject&, const Board& after) -> std::optional<double> {
            return static_cast<double>(after.voxels.size());
        },
        .draw =
            [](const bv::CubesTested& e, const StepContext& c, FrameResults& results) {
                const int edge = e.bricks ? 4 : 1;
                Exhibit& a = put(results, c.subject.cubes[0].cube(e.a, edge), kNow, {}, 0.25f);
                a.width_px = 3.0f;
                a.on_top = true;
                a.legend = "being tested";
                Exhibit& b = put(results, c.subject.cubes[1].cube(e.b, edge), kNow, {}, 0.25f);
                b.width_px = 3.0f;
                b.on_top = true;
                b.legend = "being tested";
            },
    };
    return kRow;
}

void draw_meshes(const Board& board, const Subject& subject, FrameResults& results) {
    put_side(board, subject, CutVerdict::Front, "in front", results);
    put_side(board, subject, CutVerdict::Back, "behind", results);
    put_side(board, subject, CutVerdict::InPlane, "in the plane", results);
    put_side(board, subject, CutVerdict::Cut, "cut", results);
    for (const bv::TriangleCut& cut : board.cuts) {
        if (cut.verdict != CutVerdict::Cut) continue;
        Exhibit& line = put(results, bv::Segment{cut.from, cut.to}, kOutline);
        line.width_px = 4.0f;
        line.on_top = true;
        line.legend = "outline so far";
    }
    for (std::size_t i = 0; i < board.loops.size(); ++i) {
        const Polytope* piece = subject.plane(i);
        if (!piece) continue;
        Exhibit& loop = put(results, *piece, kOutline, {}, 0.4f);
        loop.width_px = 3.0f;
        loop.legend = "capped loop";
    }
    if (board.bricks) {
        for (const auto& [cube, role] : {std::pair(subject.cubes[0].cube(board.bricks->a, 4), Role::Normal),
                                         std::pair(subject.cubes[1].cube(board.bricks->b, 4), Role::Kdop)}) {
            Exhibit& brick = put(results, cube, role);
            brick.width_px = 2.5f;
            brick.legend = role == Role::Normal ? "brick of A" : "brick of B";
        }
    }
    put_voxels(board, subject, 0, results);
    put_voxels(board, subject, 1, results);
}

}  // namespace lab::steps
