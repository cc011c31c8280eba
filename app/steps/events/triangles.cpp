// Steps of one triangle against another: the sides of their corners, the intervals on the line of both
// planes, and their edges.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <string>

#include "results/put.hpp"
#include "steps/event_spec.hpp"

namespace lab::steps {
namespace {

constexpr std::array<const char*, 3> kEdges = {"ab", "bc", "ca"};

const char* name_of(bool of_a) {
    return of_a ? "A" : "B";
}
Role role_of(bool of_a) {
    return of_a ? Role::ProjectionA : Role::ProjectionB;
}

/// A or B; null where there are not two.
const bv::Triangle* triangle_of(const Subject& subject, bool of_a) {
    return subject.triangles.size() == 2 ? &subject.triangles[of_a ? 0 : 1] : nullptr;
}

glm::vec3 centroid_of(const bv::Triangle& t) {
    return (t.a + t.b + t.c) / 3.0f;
}
/// From the middle to the farthest corner.
float reach_of(const bv::Triangle& t) {
    const glm::vec3 middle = centroid_of(t);
    return std::max({glm::distance(middle, t.a), glm::distance(middle, t.b), glm::distance(middle, t.c)});
}

/// True if the triangle of the plane has no area, and so no plane.
bool has_no_plane(const bv::CornersSided& e) {
    return e.normal == glm::vec3(0.0f);
}

std::string distances(const bv::CornersSided& e) {
    std::array<std::string, 3> parts;
    for (int k = 0; k < 3; ++k) {
        const auto at = static_cast<std::size_t>(k);
        parts[at] = e.side[at] == 0 ? "0" : in_short(static_cast<double>(e.distance[k]));
    }
    return fmt::format("{}, {} and {} m", parts[0], parts[1], parts[2]);
}

/// The common part of both intervals; negative: the gap between them.
double common_part(const bv::IntervalsCompared& e) {
    return static_cast<double>(std::min(e.max_a, e.max_b)) - static_cast<double>(std::max(e.min_a, e.min_b));
}

void put_plane_of(const bv::CornersSided& e, const bv::Triangle& triangle, Role role, float fill,
                  FrameResults& results) {
    if (has_no_plane(e)) return;
    PlanePatch patch;
    patch.plane = {e.normal, glm::dot(e.normal, e.on_plane)};
    patch.center = centroid_of(triangle);
    patch.half_size = 1.3f * reach_of(triangle);
    Exhibit& plane = put(results, patch, role, {}, fill);
    plane.width_px = 1.5f;
    plane.legend = fmt::format("plane of {}", name_of(!e.of_a));
}

void put_line(const bv::IntervalsCompared& e, const Subject& subject, FrameResults& results) {
    if (e.direction == glm::vec3(0.0f)) return;
    const float low = std::min(e.min_a, e.min_b) - 0.3f, high = std::max(e.max_a, e.max_b) + 0.3f;
    const auto at = [&](float t) { return e.origin + t * e.direction; };
    Exhibit& line = put(results, bv::Segment{at(low), at(high)}, Role::Plane);
    line.width_px = 1.5f;
    line.on_top = true;
    line.legend = "line of both planes";
    // Side by side, since they lie on one line; off the line in A's plane, so that neither hides the other.
    const bv::Triangle* a = triangle_of(subject, true);
    const glm::vec3 normal = a ? glm::cross(a->b - a->a, a->c - a->a) : glm::vec3(0, 1, 0);
    const glm::vec3 across = glm::cross(normal, e.direction);
    const float length = glm::length(across);
    const glm::vec3 aside = length > 0.0f ? 0.03f / length * across : glm::vec3(0.0f);
    for (const bool of_a : {true, false}) {
        const glm::vec3 beside = of_a ? aside : -aside;
        Exhibit& part =
            put(results,
                bv::Segment{at(of_a ? e.min_a : e.min_b) + beside, at(of_a ? e.max_a : e.max_b) + beside},
                role_of(of_a));
        part.width_px = 7.0f;
        part.on_top = true;
        part.legend = fmt::format("interval of {} on the line", name_of(of_a));
    }
    IntervalChart chart;
    chart.title = "Along the line of both planes";
    chart.unit = "m";
    chart.min = low;
    chart.max = high;
    const auto ends = [](float min, float max) {
        return fmt::format("{} to {}", in_short(static_cast<double>(min)),
                           in_short(static_cast<double>(max)));
    };
    chart.rows.push_back({"A", e.min_a, e.max_a, Role::ProjectionA, ends(e.min_a, e.max_a)});
    chart.rows.push_back({"B", e.min_b, e.max_b, Role::ProjectionB, ends(e.min_b, e.max_b)});
    const float from = std::max(e.min_a, e.min_b), to = std::min(e.max_a, e.max_b);
    chart.rows.push_back({e.overlap ? "both" : "gap", std::min(from, to), std::max(from, to),
                          e.overlap ? Role::Overlap : Role::Separating, in_meters(std::abs(common_part(e)))});
    results.charts.push_back(std::move(chart));
}

bv::Segment edge_of(const bv::Triangle& t, std::uint8_t edge) {
    return edge == 0 ? bv::Segment{t.a, t.b} : edge == 1 ? bv::Segment{t.b, t.c} : bv::Segment{t.c, t.a};
}

void put_edge(const bv::EdgeTested& e, const Subject& subject, Role role, float width, const char* legend,
              FrameResults& results) {
    const bv::Triangle* triangle = triangle_of(subject, e.of_a);
    if (!triangle) return;
    Exhibit& edge = put(results, edge_of(*triangle, e.edge), role);
    edge.width_px = width;
    edge.on_top = true;
    edge.legend = legend;
}

}  // namespace

template <>
const EventSpec<bv::CornersSided>& event_spec<bv::CornersSided>() {
    static constexpr EventSpec<bv::CornersSided> kRow{
        .id = "corners_sided",
        .variant = [](const bv::CornersSided& e) -> int { return (e.of_a ? 2 : 0) + (e.apart ? 1 : 0); },
        .sentence = [](const bv::CornersSided& e) -> std::string {
            if (has_no_plane(e))
                return fmt::format("{} has no area, and so no plane: the edges decide.", name_of(!e.of_a));
            const auto in_plane = std::count(e.side.begin(), e.side.end(), std::int8_t{0});
            return fmt::format("The corners of {} are {} in front of {}'s plane: {}.", name_of(e.of_a),
                               distances(e), name_of(!e.of_a),
                               e.apart         ? "all on one side, so the triangles are apart"
                               : in_plane == 0 ? "on both sides, so the test goes on"
                               : in_plane == 1 ? "one lies in it, so the edges decide"
                               : in_plane == 2 ? "two lie in it, so the edges decide"
                                               : "all three lie in it, so the edges decide");
        },
        .values = [](const bv::CornersSided& e) -> StepValues {
            if (has_no_plane(e)) return {{"corners of", name_of(e.of_a)}, {"plane", "none"}};
            return {{"corners of", name_of(e.of_a)},
                    {"distances", cells::vector(e.distance)},
                    {"normal", cells::vector(e.normal)},
                    {"all on one side", cells::yes_or_no(e.apart)}};
        },
        .draw =
            [](const bv::CornersSided& e, const StepContext& c, FrameResults& results) {
                const bv::Triangle* triangle = triangle_of(c.subject, e.of_a);
                const bv::Triangle* other = triangle_of(c.subject, !e.of_a);
                if (!triangle || !other || has_no_plane(e)) return;
                put_plane_of(e, *other, role_of(!e.of_a), 0.15f, results);
                const glm::vec3 corners[] = {triangle->a, triangle->b, triangle->c};
                for (int k = 0; k < 3; ++k) {
                    const auto at = static_cast<std::size_t>(k);
                    const Role role = e.side[at] > 0   ? Role::Touching
                                      : e.side[at] < 0 ? Role::Separating
                                                       : Role::Selected;
                    put_measure(results, corners[k], corners[k] - e.distance[k] * e.normal, role,
                                in_meters(static_cast<double>(e.distance[k])));
                    results.exhibits.back().legend = e.side[at] > 0   ? "in front of the plane"
                                                     : e.side[at] < 0 ? "behind the plane"
                                                                      : "in the plane";
                }
            },
    };
    return kRow;
}

template <>
const EventSpec<bv::IntervalsCompared>& event_spec<bv::IntervalsCompared>() {
    static constexpr EventSpec<bv::IntervalsCompared> kRow{
        .id = "intervals_compared",
        .variant = [](const bv::IntervalsCompared& e) -> int { return e.overlap ? 1 : 0; },
        .sentence = [](const bv::IntervalsCompared& e) -> std::string {
            return fmt::format("On the common line, A covers {} to {}, B {} to {}: {} {}.",
                               in_short(static_cast<double>(e.min_a)),
                               in_meters(static_cast<double>(e.max_a)),
                               in_short(static_cast<double>(e.min_b)),
                               in_meters(static_cast<double>(e.max_b)), in_meters(std::abs(common_part(e))),
                               e.overlap ? "in common, so they overlap" : "between them, so they are apart");
        },
        .values = [](const bv::IntervalsCompared& e) -> StepValues {
            return {{"A", cells::interval(static_cast<double>(e.min_a), static_cast<double>(e.max_a))},
                    {"B", cells::interval(static_cast<double>(e.min_b), static_cast<double>(e.max_b))},
                    {"direction", cells::vector(e.direction)},
                    {"overlap", cells::yes_or_no(e.overlap)}};
        },
        // Drawn by the board: it is the last event.
        .draw = [](const bv::IntervalsCompared&, const StepContext&, FrameResults&) {},
    };
    return kRow;
}

template <>
const EventSpec<bv::EdgeTested>& event_spec<bv::EdgeTested>() {
    static constexpr EventSpec<bv::EdgeTested> kRow{
        .id = "edge_tested",
        .variant = [](const bv::EdgeTested& e) -> int { return e.hit ? 1 : 0; },
        .sentence = [](const bv::EdgeTested& e) -> std::string {
            return fmt::format("Edge {} of {} {} {}{}.", kEdges[std::min<std::size_t>(e.edge, 2)],
                               name_of(e.of_a), e.hit ? "crosses" : "misses", name_of(!e.of_a),
                               e.hit ? ": the triangles overlap" : "");
        },
        .values = [](const bv::EdgeTested& e) -> StepValues {
            return {
                {"edge", fmt::format("{} of {}", kEdges[std::min<std::size_t>(e.edge, 2)], name_of(e.of_a))},
                {"crosses the other", cells::yes_or_no(e.hit)}};
        },
        .draw =
            [](const bv::EdgeTested& e, const StepContext& c, FrameResults& results) {
                put_edge(e, c.subject, e.hit ? Role::Touching : kNow, 7.0f,
                         e.hit ? "edge that crosses the other" : "edge being tested", results);
            },
    };
    return kRow;
}

void draw_triangle_pair(const Board& board, const Subject& subject, FrameResults& results) {
    for (const bv::CornersSided& e : board.sided)
        if (const bv::Triangle* other = triangle_of(subject, !e.of_a))
            put_plane_of(e, *other, role_of(!e.of_a), 0.04f, results);
    if (board.intervals) put_line(*board.intervals, subject, results);
    for (const bv::EdgeTested& e : board.edges)
        put_edge(e, subject, e.hit ? Role::Touching : kRejected, 4.0f,
                 e.hit ? "edge that crosses the other" : "edge that misses the other", results);
}

}  // namespace lab::steps
