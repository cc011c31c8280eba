// Steps of a BSP tree: built plane by plane, and its pieces in the order of visibility.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <glm/geometric.hpp>
#include <string>
#include <utility>

#include "results/put.hpp"
#include "steps/event_spec.hpp"

namespace lab::steps {
namespace {

using PieceVerdict = bv::PieceSorted::Verdict;

/// At most this many listed pieces are numbered in the picture, the newest ones: more would cover them.
constexpr std::size_t kMaxNumbers = 12;
constexpr std::size_t kMaxEdges = 1'000;
/// Colors from the first piece listed to the last.
constexpr std::size_t kShades = 24;

/// Adds the piece of that number to a surface; nothing if it is unknown.
void add_piece(Polytope& to, const Subject& subject, std::uint32_t number) {
    const std::vector<glm::vec3>* corners = subject.piece(number);
    if (!corners) return;
    const auto first = static_cast<std::uint32_t>(to.vertices.size());
    const auto count = static_cast<std::uint32_t>(corners->size());
    to.vertices.insert(to.vertices.end(), corners->begin(), corners->end());
    for (std::uint32_t i = 0; i < count; ++i) {
        to.edges.emplace_back(first + i, first + (i + 1) % count);
        if (i >= 2) to.triangles.emplace_back(first, first + i - 1, first + i);
    }
}

Exhibit* put_pieces(FrameResults& results, Polytope&& pieces, Role role, float fill, const char* legend) {
    if (pieces.vertices.empty()) return nullptr;
    // With more edges than this, they would cover the faces.
    if (pieces.edges.size() > kMaxEdges) pieces.edges.clear();
    Exhibit& shown = put(results, std::move(pieces), role, {}, fill);
    shown.width_px = role == Role::Muted ? 0.8f : 1.2f;
    shown.legend = legend;
    return &shown;
}

glm::vec3 mean_of(const std::vector<glm::vec3>& corners) {
    glm::vec3 sum(0.0f);
    for (const glm::vec3& p : corners)
        sum += p;
    return sum / static_cast<float>(std::max<std::size_t>(corners.size(), 1));
}

/// The places of the newest pieces as numbers, without those that would cover the number of a later piece.
void put_numbers(const Board& board, const Subject& subject, FrameResults& results) {
    bv::Aabb all;
    for (const auto& [number, corners] : *subject.pieces)
        for (const glm::vec3& p : corners)
            all = bv::merge(all, p);
    const float apart = 0.08f * glm::length(all.size());
    std::vector<glm::vec3> taken;
    for (auto e = board.listed.rbegin(); e != board.listed.rend() && taken.size() < kMaxNumbers; ++e) {
        const auto* corners = subject.piece(e->fragment);
        if (!corners) continue;
        const glm::vec3 at = mean_of(*corners);
        if (std::any_of(taken.begin(), taken.end(),
                        [&](const glm::vec3& other) { return glm::distance(at, other) < apart; }))
            continue;
        put_note(results, at, Role::Selected, fmt::format("{}", e->place + 1));
        taken.push_back(at);
    }
}

/// The pieces listed so far, numbered and colored by their order, and the outlines of those to come.
void draw_listed(const Board& board, const Subject& subject, FrameResults& results) {
    Polytope to_come;
    std::vector<bool> listed(subject.pieces->size(), false);
    for (const bv::PieceListed& e : board.listed)
        if (e.fragment < listed.size()) listed[e.fragment] = true;
    for (const auto& [number, corners] : *subject.pieces)
        if (number >= listed.size() || !listed[number]) add_piece(to_come, subject, number);
    put_pieces(results, std::move(to_come), Role::Muted, 0.12f, "pieces still to come");
    std::array<Polytope, kShades> shades;
    for (const bv::PieceListed& e : board.listed)
        add_piece(shades[std::min(e.place * kShades / std::max<std::size_t>(subject.pieces->size(), 1),
                                  kShades - 1)],
                  subject, e.fragment);
    for (std::size_t k = 0; k < kShades; ++k)
        if (Exhibit* shade =
                put_pieces(results, std::move(shades[k]), Role::Mesh, 0.75f, "place of a listed piece")) {
            shade->scalar = static_cast<float>(k) / static_cast<float>(kShades - 1);
            shade->scalar_end = static_cast<float>(subject.pieces->size());
        }
    put_numbers(board, subject, results);
}

/// The pieces that wait, those in earlier planes, and both sides of the current plane.
void draw_sorted(const Board& board, const Subject& subject, FrameResults& results) {
    Polytope waiting, taken, in_plane, front, back;
    std::vector<std::uint32_t> here;  // drawn by side
    for (const bv::PieceSorted& e : board.sorted) {
        here.push_back(e.piece);
        if (e.verdict == PieceVerdict::Cut) here.insert(here.end(), {e.front, e.back});
        if (e.verdict == PieceVerdict::InPlane) add_piece(in_plane, subject, e.piece);
        if (e.verdict == PieceVerdict::Front) add_piece(front, subject, e.piece);
        if (e.verdict == PieceVerdict::Back) add_piece(back, subject, e.piece);
        if (e.verdict != PieceVerdict::Cut) continue;
        add_piece(front, subject, e.front);
        add_piece(back, subject, e.back);
    }
    std::sort(here.begin(), here.end());
    const auto elsewhere = [&](std::uint32_t piece) {
        return !std::binary_search(here.begin(), here.end(), piece);
    };
    for (const std::uint32_t piece : board.pieces_waiting)
        if (elsewhere(piece)) add_piece(waiting, subject, piece);
    for (const std::uint32_t piece : board.pieces_in_planes)
        if (elsewhere(piece)) add_piece(taken, subject, piece);
    put_pieces(results, std::move(waiting), Role::Muted, 0.2f, "pieces still to sort");
    put_pieces(results, std::move(taken), Role::Visited, 0.4f, "pieces in planes chosen before");
    put_pieces(results, std::move(front), Role::ProjectionA, 0.5f, "in front of the plane");
    put_pieces(results, std::move(back), Role::ProjectionB, 0.5f, "behind the plane");
    put_pieces(results, std::move(in_plane), Role::Kdop, 0.6f, "in the plane: stays at its node");
    for (const bv::PieceSorted& e : board.sorted) {
        if (e.verdict != PieceVerdict::Cut) continue;
        Exhibit& line = put(results, bv::Segment{e.from, e.to}, Role::Selected);
        line.width_px = 3.0f;
        line.on_top = true;
        line.legend = "cut edge";
    }
    const auto chosen = std::find_if(board.splits.begin(), board.splits.end(),
                                     [](const bv::SplitEvaluated& split) { return split.chosen; });
    if (chosen == board.splits.end()) return;
    if (const Polytope* outline = subject.plane(chosen->node.value)) {
        Exhibit& plane = put(results, *outline, Role::Plane, {}, 0.12f);
        plane.width_px = 2.0f;
        plane.legend = "plane of the node";
    }
}

}  // namespace

template <>
const EventSpec<bv::PieceSorted>& event_spec<bv::PieceSorted>() {
    static constexpr EventSpec<bv::PieceSorted> kRow{
        .id = "piece_sorted",
        .variant = [](const bv::PieceSorted& e) -> int { return static_cast<int>(e.verdict); },
        .sentence = [](const bv::PieceSorted& e) -> std::string {
            const std::string piece = fmt::format("A piece of triangle {}", e.triangle);
            switch (e.verdict) {
                case PieceVerdict::InPlane:
                    return fmt::format("{} lies in the plane: it stays at node {}.", piece, e.node.value);
                case PieceVerdict::Front:
                    return fmt::format("{} lies in front of the plane of node {}.", piece, e.node.value);
                case PieceVerdict::Back:
                    return fmt::format("{} lies behind the plane of node {}.", piece, e.node.value);
                case PieceVerdict::Cut:
                    break;
            }
            return fmt::format("{} is cut along {} by the plane of node {}, one piece for each side.", piece,
                               in_meters(static_cast<double>(glm::distance(e.from, e.to))), e.node.value);
        },
        .values = [](const bv::PieceSorted& e) -> StepValues {
            static constexpr const char* kSides[] = {"in the plane", "front", "back", "cut"};
            StepValues values = {{"node", cells::whole(e.node.value)},
                                 {"triangle", cells::whole(e.triangle)},
                                 {"side", kSides[static_cast<std::size_t>(e.verdict)]}};
            if (e.verdict != PieceVerdict::Cut) return values;
            values.emplace_back("from", cells::vector(e.from));
            values.emplace_back("to", cells::vector(e.to));
            return values;
        },
        .draw =
            [](const bv::PieceSorted& e, const StepContext& c, FrameResults& results) {
                Polytope piece;
                add_piece(piece, c.subject, e.piece);
                if (Exhibit* shown =
                        put_pieces(results, std::move(piece), kNow, 0.35f, "piece being sorted")) {
                    shown->width_px = 3.5f;
                    shown->on_top = true;
                }
            },
    };
    return kRow;
}

template <>
const EventSpec<bv::PieceListed>& event_spec<bv::PieceListed>() {
    static constexpr EventSpec<bv::PieceListed> kRow{
        .id = "piece_listed",
        .sentence = [](const bv::PieceListed& e) -> std::string {
            const std::string where = e.node.valid() ? fmt::format("in the plane of node {}", e.node.value)
                                                     : std::string("in an undivided cell");
            return fmt::format("Number {}: a piece of triangle {}, {}.", e.place + 1, e.triangle, where);
        },
        .values = [](const bv::PieceListed& e) -> StepValues {
            return {{"place", cells::whole(e.place + 1)},
                    {"triangle", cells::whole(e.triangle)},
                    {"piece", cells::whole(e.fragment)},
                    {"node", e.node.valid() ? Cell(cells::whole(e.node.value)) : Cell("none")}};
        },
        .draw =
            [](const bv::PieceListed& e, const StepContext& c, FrameResults& results) {
                Polytope piece;
                add_piece(piece, c.subject, e.fragment);
                if (Exhibit* shown =
                        put_pieces(results, std::move(piece), kNow, 0.3f, "piece being listed")) {
                    shown->width_px = 3.5f;
                    shown->on_top = true;
                }
                if (!e.node.valid()) return;
                if (const Polytope* outline = c.subject.plane(e.node.value)) {
                    Exhibit& plane = put(results, *outline, Role::Normal, {}, 0.08f);
                    plane.width_px = 1.5f;
                    plane.legend = "plane of its node";
                }
            },
    };
    return kRow;
}

void draw_partition(const Board& board, const Subject& subject, FrameResults& results) {
    if (!subject.pieces) return;
    if (subject.in_order)
        draw_listed(board, subject, results);
    else
        draw_sorted(board, subject, results);
}

}  // namespace lab::steps
