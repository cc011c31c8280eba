// Convex polygons in the plane. Sources: Ericson 2005, 5.2.1; Shewchuk 1997 for the signs.
#include "bv/query/overlap_polygon.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "shapes/predicates.hpp"

namespace bv {
namespace {

using PolygonCorners = std::span<const glm::vec2>;

const glm::vec2& after(PolygonCorners corners, std::size_t k) noexcept {
    return corners[k + 1 == corners.size() ? 0 : k + 1];
}

/// True iff the line from `p` to `q` has all of `own` on one closed side and all of `other` beyond it.
bool separates(const glm::vec2& p, const glm::vec2& q, PolygonCorners own, PolygonCorners other) noexcept {
    const int side = detail::orient2d(p, q, other.front());
    if (side == 0) return false;
    return std::all_of(other.begin() + 1, other.end(),
                       [&](const glm::vec2& c) { return detail::orient2d(p, q, c) == side; }) &&
           std::none_of(own.begin(), own.end(),
                        [&](const glm::vec2& c) { return detail::orient2d(p, q, c) == side; });
}

bool before(const glm::vec2& a, const glm::vec2& b) noexcept {
    return a.x != b.x ? a.x < b.x : a.y < b.y;
}

/// Ends of the one line that holds all corners of both.
struct PolygonLine {
    bool exists = false;
    glm::vec2 from{0.0f}, to{0.0f};
};

PolygonLine common_line(PolygonCorners a, PolygonCorners b) noexcept {
    PolygonLine line{true, a.front(), a.front()};
    for (const PolygonCorners corners : {a, b})
        for (const glm::vec2& c : corners)
            if (line.from == line.to) line.to = c;
    for (const PolygonCorners corners : {a, b})
        for (const glm::vec2& c : corners)
            line.exists = line.exists && detail::orient2d(line.from, line.to, c) == 0;
    return line;
}

/// For polygons in one line: true iff one ends before the other begins. The order by x, then by y, is the
/// order along any line.
bool apart_in_line(PolygonCorners a, PolygonCorners b) noexcept {
    const auto [low_a, high_a] = std::minmax_element(a.begin(), a.end(), before);
    const auto [low_b, high_b] = std::minmax_element(b.begin(), b.end(), before);
    return before(*high_a, *low_b) || before(*high_b, *low_a);
}

struct ProjectedRange {
    double min = std::numeric_limits<double>::infinity();
    double max = -std::numeric_limits<double>::infinity();
};

ProjectedRange projected(PolygonCorners corners, const glm::dvec2& axis) noexcept {
    ProjectedRange range;
    for (const glm::vec2& c : corners) {
        const double t = static_cast<double>(c.x) * axis.x + static_cast<double>(c.y) * axis.y;
        range = {std::min(range.min, t), std::max(range.max, t)};
    }
    return range;
}

double largest_coordinate(PolygonCorners corners) noexcept {
    float largest = 0.0f;
    for (const glm::vec2& c : corners)
        largest = std::max({largest, std::abs(c.x), std::abs(c.y)});
    return largest;
}

/// True if the two edges are parallel up to the rounding of their corners.
bool parallel(const glm::dvec2& e, const glm::dvec2& f, double largest) noexcept {
    constexpr double kRoundings = 8.0 * 6e-8;
    const double lengths = std::hypot(e.x, e.y) + std::hypot(f.x, f.y);
    return std::abs(e.x * f.y - e.y * f.x) <= kRoundings * largest * lengths;
}

glm::dvec2 edge_at(PolygonCorners corners, std::size_t k) noexcept {
    return glm::dvec2(after(corners, k)) - glm::dvec2(corners[k]);
}

/// The exactly known sign of the gap along an axis.
enum class Gap : unsigned char { None, Open, Unknown };

AxisTested axis_event(PolygonCorners a, PolygonCorners b, const glm::dvec2& direction, Gap known) noexcept {
    const glm::dvec2 axis = direction / std::hypot(direction.x, direction.y);
    const ProjectedRange in_a = projected(a, axis), in_b = projected(b, axis);
    AxisTested event;
    event.kind = AxisTested::Kind::EdgeCross;
    event.axis = {static_cast<float>(axis.x), static_cast<float>(axis.y), 0.0f};
    event.min_a = static_cast<float>(in_a.min);
    event.max_a = static_cast<float>(in_a.max);
    event.min_b = static_cast<float>(in_b.min);
    event.max_b = static_cast<float>(in_b.max);
    const auto gap = static_cast<float>(std::max(in_a.min - in_b.max, in_b.min - in_a.max));
    // Rounding must not contradict the exact sign.
    constexpr float kSmallest = std::numeric_limits<float>::denorm_min();
    event.gap = known == Gap::Open   ? std::max(gap, kSmallest)
                : known == Gap::None ? std::min(gap, 0.0f)
                                     : gap;
    return event;
}

/// Tests the lines along the edges of one polygon. True if one of them separates. `otherwise` is what is
/// known of the gaps along all other axes.
template <class Sink>
bool test_edges(PolygonCorners own, PolygonCorners other, bool own_is_a, [[maybe_unused]] Gap otherwise,
                Sink& sink) {
    bool apart = false;
    [[maybe_unused]] std::vector<std::size_t> recorded;  // edges with an axis of their own
    for (std::size_t k = 0; k < own.size(); ++k) {
        if (own[k] == after(own, k)) continue;
        bool here = separates(own[k], after(own, k), own, other);
        apart = apart || here;
        if constexpr (!Sink::kEnabled) {
            if (here) return true;
        } else {
            const double largest = largest_coordinate(own);
            const glm::dvec2 edge = edge_at(own, k);
            const auto shares_axis = [&](std::size_t i) { return parallel(edge_at(own, i), edge, largest); };
            if (std::any_of(recorded.begin(), recorded.end(), shares_axis)) continue;
            recorded.push_back(k);
            for (std::size_t i = k + 1; i < own.size(); ++i)
                here = here || (shares_axis(i) && separates(own[i], after(own, i), own, other));
            // To the right of the edge: outward from corners that run counter-clockwise.
            AxisTested event = axis_event(own_is_a ? own : other, own_is_a ? other : own,
                                          glm::dvec2(edge.y, -edge.x), here ? Gap::Open : otherwise);
            (own_is_a ? event.i : event.j) = static_cast<std::int8_t>(std::min<std::size_t>(k, 127));
            sink(event);
        }
    }
    return apart;
}

template <class Sink>
bool overlap_impl(const ConvexPolygon& a, const ConvexPolygon& b, Sink& sink) {
    if (a.is_empty() || b.is_empty()) return false;
    Gap otherwise = Gap::Unknown;
    if constexpr (Sink::kEnabled) otherwise = overlap(a, b) ? Gap::None : Gap::Unknown;
    const bool apart_by_a = test_edges(a.corners, b.corners, true, otherwise, sink);
    if (!Sink::kEnabled && apart_by_a) return false;
    const bool apart_by_b = test_edges(b.corners, a.corners, false, otherwise, sink);
    if (apart_by_a || apart_by_b) return false;
    const PolygonLine line = common_line(a.corners, b.corners);
    if (!line.exists) return true;
    const bool apart = apart_in_line(a.corners, b.corners);
    if constexpr (Sink::kEnabled) {
        if (line.from != line.to)
            sink(axis_event(a.corners, b.corners, glm::dvec2(line.to) - glm::dvec2(line.from),
                            apart ? Gap::Open : Gap::None));
    }
    return !apart;
}

}  // namespace

bool ConvexPolygon::is_empty() const noexcept {
    return corners.empty() || !std::all_of(corners.begin(), corners.end(), [](const glm::vec2& c) {
               return std::isfinite(c.x) && std::isfinite(c.y);
           });
}

bool overlap(const ConvexPolygon& a, const ConvexPolygon& b) noexcept {
    NoTrace none;
    return overlap_impl(a, b, none);
}

bool overlap(const ConvexPolygon& a, const ConvexPolygon& b, Recording& trace) {
    return overlap_impl(a, b, trace);
}

}  // namespace bv
