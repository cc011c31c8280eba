// The rule for non-finite input that every function of this library follows. Other headers refer to it.
//
// A shape is a set of points with finite coordinates: those for which its definition holds, with +inf and
// -inf taken as limits. It follows:
//
// - NaN in any field makes the set empty. Nothing overlaps it, nothing hits it, it contains nothing and
//   nothing contains it.
// - So does an infinite position: a point, center, corner, end of a segment, vertex, or an infinite axis.
// - An infinite extent is unbounded: a ball of infinite radius is all of space, a box with an infinite half
//   extent or bound is unbounded in that direction only. `0 * inf` is 0: directions perpendicular to the
//   unbounded one are unaffected. Rotated axes are rounded: of an OBB or rectangle, a direction with a cosine
//   of at most 1e-6 to the unbounded one counts as perpendicular, and two that are as parallel as that never
//   meet by being unbounded. (Bounds of one are not narrowed by this.) An AABB or k-DOP whose min is +inf or
//   whose max is -inf has no points.
// - A ray or sweep with an origin, direction, velocity, or end that is NaN, or with an infinite origin,
//   direction, velocity or t_min, hits nothing; an infinite t_max or duration never ends.
// - For an empty set (see above) `is_empty` is true; only that of a hull does not look at the vertices. The
//   distance is +inf, the closest point is the query point, `classify` gives Intersecting (nothing is known),
//   a `separation` has no axis and no contacts, a swept solid hits nothing, and volume and area are 0.
// - Two solids of unbounded penetration have the separation -inf, without axis or contacts.
// - Volume and area of unbounded solids are +inf, or 0 for flat ones; a center that does not exist is 0.
// - Fits skip points that are not finite; a map that is not finite gives the empty volume or, where the
//   header says so, all of space. Trees and broadphases reject a box that is not finite with a status, and
//   their own margins never make one. Options are clamped to their range; NaN gives the default.
// - The largest float, subnormal numbers, -0.0 and the largest index are ordinary input. Results beyond the
//   largest float are +inf or -inf, and never NaN. Arithmetic must not flush subnormal numbers to zero.
// - Plain formulas (corners, projections, points on a ray, distances from a plane, compositions of maps)
//   propagate NaN.
//
// Test: core/tests/not_finite, a table of every public function.
#pragma once

#include <glm/mat2x2.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

namespace bv {

/// True if no coordinate is infinite or NaN.
[[nodiscard]] constexpr bool is_finite(const glm::vec3& p) noexcept {
    // 0 * x is 0 for every finite x, and otherwise NaN, which equals nothing.
    return 0.0f * p.x + 0.0f * p.y + 0.0f * p.z == 0.0f;
}

}  // namespace bv

namespace bv::detail {

/// As is_finite, for axes.
[[nodiscard]] constexpr bool are_finite(const glm::mat2& m) noexcept {
    return 0.0f * m[0].x + 0.0f * m[0].y + 0.0f * m[1].x + 0.0f * m[1].y == 0.0f;
}
[[nodiscard]] constexpr bool are_finite(const glm::mat3& m) noexcept {
    return is_finite(m[0]) && is_finite(m[1]) && is_finite(m[2]);
}

/// `extent * part`, with 0 times infinity being 0: an infinite extent has no effect perpendicular to it.
[[nodiscard]] constexpr double product_or_zero(double extent, double part) noexcept {
    const double product = extent * part;
    if (product == product || extent != extent || part != part) return product;
    return 0.0;
}

/// An option clamped to its range; NaN gives `otherwise`.
template <class T>
[[nodiscard]] constexpr T in_range(T value, T low, T high, T otherwise) noexcept {
    return value < low ? low : value > high ? high : value == value ? value : otherwise;
}

/// The integer part of `x`, clamped to [low, high] before conversion; NaN gives `low`.
[[nodiscard]] constexpr int clamped_int(double x, int low, int high) noexcept {
    return x > static_cast<double>(low) ? (x < static_cast<double>(high) ? static_cast<int>(x) : high) : low;
}

}  // namespace bv::detail
