// Triangles against balls and boxes. Sources: Akenine-Moeller 2001; Ericson 2005, 5.2.9 and 5.1.5.
#include <algorithm>
#include <array>

#include "bv/query/closest.hpp"
#include "bv/query/overlap_triangle.hpp"
#include "query/precise.hpp"

namespace bv {
namespace {

using detail::DVec3;
using detail::wide;
using TriangleCorners = std::array<DVec3, 3>;

double sum(const DVec3& v) noexcept {
    return v.x + v.y + v.z;
}

/// `corners` are in the frame of a box |x| <= half around the origin. `report(kind, i, j, axis, lo, hi, r)`:
/// the triangle projects to [lo, hi] on the axis (of any length), the box to [-r, r].
template <bool kAll, class Report>
bool triangle_sat(const DVec3& half, const TriangleCorners& corners, Report&& report) {
    using Kind = AxisTested::Kind;
    const DVec3 edges[3] = {corners[1] - corners[0], corners[2] - corners[1], corners[0] - corners[2]};
    // A bound on the rounding of the largest product in the sums below.
    double size = half.x + half.y + half.z;
    for (const DVec3& c : corners)
        size = std::max({size, std::abs(c.x), std::abs(c.y), std::abs(c.z)});
    bool overlapping = true;
    const auto axis = [&](Kind kind, int i, int j, const DVec3& n, double p0, double p1, double p2,
                          double more_slack = 0.0) {
        const double lo = std::min({p0, p1, p2});
        const double hi = std::max({p0, p1, p2});
        const DVec3 m = glm::abs(n);
        const double r = glm::dot(m, half);
        const double slack = 1e-14 * size * sum(m) + more_slack;
        report(kind, i, j, n, lo, hi, r);
        overlapping = overlapping && lo <= r + slack && hi >= -r - slack;
        return !kAll && !overlapping;
    };
    for (int i = 0; i < 3; ++i) {
        DVec3 n(0.0);
        n[i] = 1.0;
        if (axis(Kind::FaceA, i, -1, n, corners[0][i], corners[1][i], corners[2][i])) return false;
    }
    // For a sliver, the normal from long edges is mostly rounding, and a far corner magnifies it. So the
    // normal is the cross of the two shortest edges, and the plane goes through the corner nearest to the
    // box. The rounding that is left is that of the products in the cross.
    const double lengths[3] = {sum(glm::abs(edges[0])), sum(glm::abs(edges[1])), sum(glm::abs(edges[2]))};
    const std::size_t longest =
        lengths[0] > lengths[1] ? (lengths[0] > lengths[2] ? 0 : 2) : (lengths[1] > lengths[2] ? 1 : 2);
    const std::size_t first = (longest + 1) % 3, second = (longest + 2) % 3;
    const DVec3 normal = glm::cross(edges[first], edges[second]);
    double nearest = sum(glm::abs(corners[0]));
    double plane = glm::dot(normal, corners[0]);
    for (std::size_t k = 1; k < 3; ++k) {
        const double reach = sum(glm::abs(corners[k]));
        if (reach >= nearest) continue;
        nearest = reach;
        plane = glm::dot(normal, corners[k]);
    }
    const double of_cross = 2e-15 * lengths[first] * lengths[second] * (nearest + sum(half));
    if (axis(Kind::FaceB, -1, 0, normal, plane, plane, plane, of_cross)) return false;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            DVec3 e(0.0);
            e[i] = 1.0;
            const DVec3 n = glm::cross(e, edges[j]);
            // Both ends of edge j have the same projection: use the first.
            const double on_edge = glm::dot(n, corners[static_cast<std::size_t>(j)]);
            const double third = glm::dot(n, corners[static_cast<std::size_t>((j + 2) % 3)]);
            if (axis(Kind::EdgeCross, i, j, n, on_edge, on_edge, third)) return false;
        }
    return overlapping;
}

bool sat_fast(const DVec3& half, const TriangleCorners& corners) noexcept {
    return triangle_sat<false>(half, corners,
                               [](AxisTested::Kind, int, int, const DVec3&, double, double, double) {});
}

/// Converts axes and intervals from the box's frame to unit axes and world coordinates.
bool sat_traced(const DVec3& half, const TriangleCorners& corners, const DVec3& center, const Obb& frame,
                Recording& trace) {
    return triangle_sat<true>(
        half, corners,
        [&](AxisTested::Kind kind, int i, int j, const DVec3& n, double lo, double hi, double r) {
            AxisTested event;
            event.kind = kind;
            event.i = static_cast<std::int8_t>(i);
            event.j = static_cast<std::int8_t>(j);
            const double length = glm::length(n);
            event.skipped = !(length > 0.0);
            if (!event.skipped) {
                const DVec3 axis = detail::out_of_frame(frame, n / length);
                const double at = glm::dot(axis, center);
                event.axis = detail::narrow(axis);
                event.min_a = static_cast<float>(at - r / length);
                event.max_a = static_cast<float>(at + r / length);
                event.min_b = static_cast<float>(at + lo / length);
                event.max_b = static_cast<float>(at + hi / length);
                event.gap = static_cast<float>(std::max(lo - r, -r - hi) / length);
            }
            trace(event);
        });
}

TriangleCorners around(const DVec3& center, const Triangle& t) noexcept {
    return {wide(t.a) - center, wide(t.b) - center, wide(t.c) - center};
}

TriangleCorners in_frame(const Obb& box, const Triangle& t) noexcept {
    return {detail::local_point(box, t.a), detail::local_point(box, t.b), detail::local_point(box, t.c)};
}

Aabb bounds_of(const Triangle& t) noexcept {
    return {glm::min(t.a, glm::min(t.b, t.c)), glm::max(t.a, glm::max(t.b, t.c))};
}

/// The box's face axes without slack: comparisons of floats are exact. A tree of boxes, which compares no
/// more than bounds, thus finds every triangle that overlaps.
bool bounds_meet(const Aabb& box, const Triangle& t) noexcept {
    return overlap_nonempty(box, bounds_of(t));
}

/// An unbounded box overlaps the triangle iff its part around the triangle does. Returns a bounded box
/// unchanged.
Aabb part_around(const Aabb& box, const Triangle& t) noexcept {
    if (detail::is_bounded(box)) return box;
    const Aabb around = bounds_of(t);
    return {glm::max(box.min, around.min), glm::min(box.max, around.max)};
}
DVec3 half_around(const Obb& box, const TriangleCorners& corners) noexcept {
    DVec3 half = wide(box.half_extents);
    for (int k = 0; k < 3; ++k)
        if (std::isinf(half[k]))
            half[k] = std::max({std::abs(corners[0][k]), std::abs(corners[1][k]), std::abs(corners[2][k])});
    return half;
}

}  // namespace

bool overlap(const Sphere& ball, const Triangle& triangle) noexcept {
    if (!detail::has_extents(ball) || !detail::has_points(triangle)) return false;
    const DVec3 d = detail::closest_on_triangle(wide(triangle.a) - wide(ball.center),
                                                wide(triangle.b) - wide(ball.center),
                                                wide(triangle.c) - wide(ball.center));
    const double r = ball.radius;
    return glm::dot(d, d) - r * r * (1.0 + 1e-15) <= 0.0;
}

bool overlap(const Aabb& box, const Triangle& triangle) noexcept {
    if (box.is_empty() || !detail::has_points(triangle) || !bounds_meet(box, triangle)) return false;
    const Aabb part = part_around(box, triangle);
    if (part.is_empty()) return false;
    return sat_fast(detail::half_of(part), around(detail::center_of(part), triangle));
}

bool overlap(const Aabb& box, const Triangle& triangle, Recording& trace) {
    if (box.is_empty() || !detail::has_points(triangle)) return false;
    const Aabb part = part_around(box, triangle);
    if (part.is_empty()) return false;
    const DVec3 center = detail::center_of(part);
    return sat_traced(detail::half_of(part), around(center, triangle), center, Obb{}, trace) &&
           bounds_meet(box, triangle);
}

bool overlap(const Obb& box, const Triangle& triangle) noexcept {
    if (!detail::has_points(box) || !detail::has_points(triangle)) return false;
    const TriangleCorners corners = in_frame(box, triangle);
    return sat_fast(half_around(box, corners), corners);
}

bool overlap(const Obb& box, const Triangle& triangle, Recording& trace) {
    if (!detail::has_points(box) || !detail::has_points(triangle)) return false;
    const TriangleCorners corners = in_frame(box, triangle);
    return sat_traced(half_around(box, corners), corners, wide(box.center), box, trace);
}

}  // namespace bv
