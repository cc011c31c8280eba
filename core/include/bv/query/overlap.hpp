// Overlap of two solids: every pair of point, sphere, AABB and OBB.
//
// Solids are closed: touching is overlap. Every function is symmetric in its arguments, allocates nothing,
// never throws, and is safe from any thread. An empty shape overlaps nothing; NaN and infinity:
// bv/shapes/not_finite.hpp. World frame, lengths in meters, of any magnitude that fits in a float: no test
// multiplies two lengths in single precision.
//
// Numeric promise: pairs without two boxes of different orientation are decided in double precision on the
// given floats, which is exact except for ties below one part in 10^15. Pairs of an OBB and another box are
// decided in single precision with a slack: see `obb_sat.hpp`. For these, swapping the two can change the
// answer if the gap equals the slack to within rounding, but never for boxes that share a point.
#pragma once

#include <glm/vec3.hpp>
#include <optional>

#include "bv/query/obb_sat.hpp"
#include "bv/shapes/aabb.hpp"
#include "bv/shapes/contains_point.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/sphere.hpp"
#include "bv/trace/trace.hpp"

namespace bv {

/// True iff both points are finite and equal, bit for bit except for the sign of zero.
[[nodiscard]] constexpr bool overlap(const glm::vec3& a, const glm::vec3& b) noexcept {
    return a.x - b.x == 0.0f && a.y - b.y == 0.0f && a.z - b.z == 0.0f;
}

/// True iff the box contains the point. Exact.
[[nodiscard]] constexpr bool overlap(const Aabb& box, const glm::vec3& p) noexcept {
    return contains_point(box, p);
}

/// True iff the boxes share a point, given that neither is empty and no bound is NaN. Exact, six comparisons,
/// no branches: for the inner loops of trees, which hold no other boxes.
[[nodiscard]] constexpr bool overlap_nonempty(const Aabb& a, const Aabb& b) noexcept {
    return (a.min.x <= b.max.x) & (b.min.x <= a.max.x) & (a.min.y <= b.max.y) & (b.min.y <= a.max.y) &
           (a.min.z <= b.max.z) & (b.min.z <= a.max.z);
}

/// True iff the boxes share a point. Exact. Inside-out boxes are empty. Source: Ericson 2005, 4.2.1.
[[nodiscard]] constexpr bool overlap(const Aabb& a, const Aabb& b) noexcept {
    return overlap_nonempty(a, b) && !a.is_empty() && !b.is_empty();
}

/// The same result, with one `AxisTested` of kind FaceA for each of the three coordinate axes, even after one
/// separates. Empty boxes give none.
[[nodiscard]] bool overlap(const Aabb& a, const Aabb& b, Recording& trace);

/// The intersection of two boxes: flat where they only touch; std::nullopt if they are disjoint.
[[nodiscard]] inline std::optional<Aabb> overlap_box(const Aabb& a, const Aabb& b) noexcept {
    if (!overlap(a, b)) return std::nullopt;
    return intersection(a, b);
}

/// True iff the ball contains the point.
[[nodiscard]] bool overlap(const Sphere& ball, const glm::vec3& p) noexcept;
/// True iff the centers are no farther apart than the sum of the radii.
[[nodiscard]] bool overlap(const Sphere& a, const Sphere& b) noexcept;
/// True iff the box's point nearest to the center is in the ball. Source: Arvo 1990b.
[[nodiscard]] bool overlap(const Aabb& box, const Sphere& ball) noexcept;

/// True iff the point is within the half extent of the center along each of the box's axes.
[[nodiscard]] bool overlap(const Obb& box, const glm::vec3& p) noexcept;
/// True iff the box's point nearest to the center, found in the box's frame, is in the ball.
[[nodiscard]] bool overlap(const Obb& box, const Sphere& ball) noexcept;

/// True if the boxes share a point; also true if the gap is less than the slack of `obb_sat.hpp`. At most 15
/// separating axes, 3 + 3 face normals and then 9 edge crosses, stopping at the first that separates. Source:
/// Gottschalk 1996. Oracles: FCL, and a brute-force linear program over corners and edges.
[[nodiscard]] bool overlap(const Obb& a, const Obb& b) noexcept;
[[nodiscard]] bool overlap(const Aabb& a, const Obb& b) noexcept;

/// The same results, with one `AxisTested` for each of the 15 axes. Recording continues after the first
/// separating axis, so that all can be shown: the plain test ends at the first with a positive gap.
[[nodiscard]] bool overlap(const Obb& a, const Obb& b, Recording& trace);
[[nodiscard]] bool overlap(const Aabb& a, const Obb& b, Recording& trace);

[[nodiscard]] constexpr bool overlap(const glm::vec3& p, const Aabb& box) noexcept {
    return overlap(box, p);
}
[[nodiscard]] inline bool overlap(const glm::vec3& p, const Sphere& ball) noexcept {
    return overlap(ball, p);
}
[[nodiscard]] inline bool overlap(const glm::vec3& p, const Obb& box) noexcept {
    return overlap(box, p);
}
[[nodiscard]] inline bool overlap(const Sphere& ball, const Aabb& box) noexcept {
    return overlap(box, ball);
}
[[nodiscard]] inline bool overlap(const Sphere& ball, const Obb& box) noexcept {
    return overlap(box, ball);
}
[[nodiscard]] inline bool overlap(const Obb& a, const Aabb& b) noexcept {
    return overlap(b, a);
}
[[nodiscard]] inline bool overlap(const Obb& a, const Aabb& b, Recording& trace) {
    return overlap(b, a, trace);
}

}  // namespace bv
