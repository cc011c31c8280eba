// Double-precision helpers shared by the queries. Differences and products of two floats, and sums of a few
// of them, are almost exact in double, and no float squared overflows or underflows there.
#pragma once

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <limits>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/capsule.hpp"
#include "bv/shapes/hull.hpp"
#include "bv/shapes/not_finite.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/rect_swept_sphere.hpp"
#include "bv/shapes/sphere.hpp"
#include "bv/shapes/triangle.hpp"

namespace bv::detail {

using DVec3 = glm::dvec3;

[[nodiscard]] inline DVec3 wide(const glm::vec3& v) noexcept {
    return DVec3(v);
}
[[nodiscard]] inline glm::vec3 narrow(const DVec3& v) noexcept {
    return glm::vec3(v);
}
[[nodiscard]] inline double largest(const DVec3& v) noexcept {
    return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}
[[nodiscard]] inline double square(double x) noexcept {
    return x * x;
}
[[nodiscard]] inline DVec3 center_of(const Aabb& box) noexcept {
    return 0.5 * (wide(box.min) + wide(box.max));
}
[[nodiscard]] inline DVec3 half_of(const Aabb& box) noexcept {
    return 0.5 * (wide(box.max) - wide(box.min));
}

/// Maps the vector `v` from world space to the box's frame.
[[nodiscard]] inline DVec3 into_frame(const Obb& box, const DVec3& v) noexcept {
    return {glm::dot(wide(box.axes[0]), v), glm::dot(wide(box.axes[1]), v), glm::dot(wide(box.axes[2]), v)};
}
/// Maps the vector `v` from the box's frame to world space.
[[nodiscard]] inline DVec3 out_of_frame(const Obb& box, const DVec3& v) noexcept {
    return v.x * wide(box.axes[0]) + v.y * wide(box.axes[1]) + v.z * wide(box.axes[2]);
}
[[nodiscard]] inline DVec3 local_point(const Obb& box, const glm::vec3& p) noexcept {
    return into_frame(box, wide(p) - wide(box.center));
}

/// Squared distance of `p` from the box |x| <= half in p's own frame.
[[nodiscard]] inline double distance_sq_to_box(const DVec3& p, const DVec3& half) noexcept {
    const DVec3 out = glm::max(glm::abs(p) - half, DVec3(0.0));
    return glm::dot(out, out);
}

/// True if no coordinate is infinite or NaN.
[[nodiscard]] inline bool all_finite(const DVec3& p) noexcept {
    return 0.0 * p.x + 0.0 * p.y + 0.0 * p.z == 0.0;
}

/// An axis of floats with a smaller cosine to another counts as perpendicular to it: rounding leaves about
/// 1e-7.
inline constexpr double kPerpendicular = 1e-6;

/// `extent * cosine` for axes of floats, at most one of which is not a unit vector but `length` long: 0 for
/// an infinite extent that is perpendicular but for rounding.
[[nodiscard]] inline double part_along(double extent, double cosine, double length = 1.0) noexcept {
    if (std::isinf(extent) && std::abs(cosine) <= kPerpendicular * length) return 0.0;
    return product_or_zero(extent, cosine);
}

/// `reach_of` a box that may be unbounded.
[[nodiscard]] double unbounded_reach(const Obb& box, const DVec3& axis) noexcept;
/// Half the length of a box along `axis`: +inf if it is unbounded there, NaN if the box or the axis has one.
[[nodiscard]] inline double reach_of(const Obb& box, const DVec3& axis) noexcept {
    const DVec3 part = glm::abs(into_frame(box, axis));
    const glm::vec3& half = box.half_extents;
    const double reach =
        product_or_zero(half.x, part.x) + product_or_zero(half.y, part.y) + product_or_zero(half.z, part.z);
    if (reach < std::numeric_limits<double>::infinity()) return reach;
    return unbounded_reach(box, axis);
}

/// Makes the unit vector `axis` perpendicular to a unit vector that it is perpendicular to but for rounding.
inline void make_perpendicular(DVec3& axis, const DVec3& to) noexcept {
    const double cosine = glm::dot(axis, to);
    if (std::abs(cosine) <= kPerpendicular) axis -= cosine * to;
}

/// The part of `is_empty` about extents, for inner loops whose results are false anyway for a position or an
/// axis that is not finite.
[[nodiscard]] inline bool has_extents(const Sphere& ball) noexcept {
    return ball.radius >= 0.0f;
}
[[nodiscard]] inline bool has_extents(const Obb& box) noexcept {
    return box.half_extents.x >= 0.0f && box.half_extents.y >= 0.0f && box.half_extents.z >= 0.0f;
}
[[nodiscard]] inline bool has_extents(const RectSweptSphere& rect) noexcept {
    return rect.radius >= 0.0f && rect.half_extents.x >= 0.0f && rect.half_extents.y >= 0.0f;
}

/// True unless the shape is empty, has a NaN, or is at infinity: then it is a set of points, and only its
/// extents can be infinite.
[[nodiscard]] inline bool has_points(const Sphere& ball) noexcept {
    return !ball.is_empty();
}
[[nodiscard]] inline bool has_points(const Obb& box) noexcept {
    return !box.is_empty();
}
[[nodiscard]] inline bool has_points(const Capsule& capsule) noexcept {
    return !capsule.is_empty();
}
[[nodiscard]] inline bool has_points(const Triangle& t) noexcept {
    return is_finite(t.a) && is_finite(t.b) && is_finite(t.c);
}
/// Tests each vertex once, several at a time; hulls made by a fit are finite.
[[nodiscard]] bool has_points(const Hull& hull) noexcept;
/// Also gives a point about the middle of the vertices.
[[nodiscard]] bool has_points(const Hull& hull, glm::vec3& middle) noexcept;
[[nodiscard]] inline bool is_bounded(const Aabb& box) noexcept {
    return is_finite(box.min) && is_finite(box.max);
}
[[nodiscard]] inline bool is_bounded(const Obb& box) noexcept {
    return is_finite(box.half_extents);
}

}  // namespace bv::detail
