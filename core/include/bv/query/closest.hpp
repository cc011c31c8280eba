// The point of a solid nearest to a given point, and the distance to it. Pairs of solids:
// bv/query/convex.hpp.
//
// A point inside a solid is its own nearest point, at distance 0. Computed in double precision, rounded to
// float. An empty shape has no nearest point: returns the given point, at distance +inf; likewise for a point
// that is not finite (bv/shapes/not_finite.hpp). No allocation, safe from any thread. Source: Ericson 2005,
// 5.1.
#pragma once

#include <glm/vec3.hpp>

#include "bv/query/convex_ref.hpp"
#include "bv/shapes/plane.hpp"

namespace bv {

[[nodiscard]] glm::vec3 closest_point(const Plane& plane, const glm::vec3& p) noexcept;
[[nodiscard]] glm::vec3 closest_point(const Segment& segment, const glm::vec3& p) noexcept;
[[nodiscard]] glm::vec3 closest_point(const Sphere& ball, const glm::vec3& p) noexcept;
[[nodiscard]] glm::vec3 closest_point(const Aabb& box, const glm::vec3& p) noexcept;
[[nodiscard]] glm::vec3 closest_point(const Obb& box, const glm::vec3& p) noexcept;
[[nodiscard]] glm::vec3 closest_point(const Triangle& triangle, const glm::vec3& p) noexcept;
/// For any other convex solid, including hulls and capsules, by GJK.
[[nodiscard]] glm::vec3 closest_point(const ConvexRef& solid, const glm::vec3& p) noexcept;

[[nodiscard]] float distance(const Segment& segment, const glm::vec3& p) noexcept;
[[nodiscard]] float distance(const Sphere& ball, const glm::vec3& p) noexcept;
[[nodiscard]] float distance(const Aabb& box, const glm::vec3& p) noexcept;
[[nodiscard]] float distance(const Obb& box, const glm::vec3& p) noexcept;
[[nodiscard]] float distance(const Triangle& triangle, const glm::vec3& p) noexcept;
[[nodiscard]] float distance(const Sphere& a, const Sphere& b) noexcept;
[[nodiscard]] float distance(const Aabb& a, const Aabb& b) noexcept;
[[nodiscard]] float distance(const Aabb& box, const Sphere& ball) noexcept;

namespace detail {
/// The point of the triangle nearest to the origin. Degenerate triangles are treated as segments or points.
[[nodiscard]] glm::dvec3 closest_on_triangle(const glm::dvec3& a, const glm::dvec3& b,
                                             const glm::dvec3& c) noexcept;
}  // namespace detail

}  // namespace bv
