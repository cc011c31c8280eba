// Containment of one solid in another.
//
// Solids are closed: an inner solid may touch the outer one's surface from inside. An empty shape contains
// nothing and nothing contains it, so `contains(a, b)` always implies `overlap(a, b)`. NaN and infinity:
// bv/shapes/not_finite.hpp. Decided in double precision on the given floats, without slack, so these
// functions can check what a fit promises to contain. An OBB is the set of points whose offset from the
// center, projected on each axis, is at most the half extent. No allocation, safe from any thread.
#pragma once

#include <concepts>
#include <glm/vec3.hpp>

#include "bv/query/convex.hpp"
#include "bv/query/overlap.hpp"
#include "bv/shapes/triangle.hpp"

namespace bv {

[[nodiscard]] constexpr bool contains(const Aabb& outer, const glm::vec3& p) noexcept {
    return overlap(outer, p);
}
[[nodiscard]] inline bool contains(const Sphere& outer, const glm::vec3& p) noexcept {
    return overlap(outer, p);
}
[[nodiscard]] inline bool contains(const Obb& outer, const glm::vec3& p) noexcept {
    return overlap(outer, p);
}

/// Exact. Inside-out boxes are empty.
[[nodiscard]] constexpr bool contains(const Aabb& outer, const Aabb& inner) noexcept {
    return outer.min.x <= inner.min.x && inner.max.x <= outer.max.x && outer.min.y <= inner.min.y &&
           inner.max.y <= outer.max.y && outer.min.z <= inner.min.z && inner.max.z <= outer.max.z &&
           !inner.is_empty();
}
[[nodiscard]] bool contains(const Aabb& outer, const Sphere& inner) noexcept;
[[nodiscard]] bool contains(const Aabb& outer, const Obb& inner) noexcept;

[[nodiscard]] bool contains(const Sphere& outer, const Sphere& inner) noexcept;
/// By the corner farthest from the ball's center.
[[nodiscard]] bool contains(const Sphere& outer, const Aabb& inner) noexcept;
[[nodiscard]] bool contains(const Sphere& outer, const Obb& inner) noexcept;

[[nodiscard]] bool contains(const Obb& outer, const Sphere& inner) noexcept;
/// By the inner box's projected radius on each outer axis.
[[nodiscard]] bool contains(const Obb& outer, const Aabb& inner) noexcept;
[[nodiscard]] bool contains(const Obb& outer, const Obb& inner) noexcept;

/// True iff the solid extends beyond no face of the box.
[[nodiscard]] bool contains(const Aabb& outer, const ConvexRef& inner) noexcept;
[[nodiscard]] bool contains(const Obb& outer, const ConvexRef& inner) noexcept;
/// A ball or capsule contains a solid made of corners and a radius iff it contains the ball of that radius
/// around each corner.
[[nodiscard]] bool contains(const Sphere& outer, const Capsule& inner) noexcept;
[[nodiscard]] bool contains(const Sphere& outer, const Hull& inner) noexcept;
[[nodiscard]] bool contains(const Capsule& outer, const glm::vec3& p) noexcept;
[[nodiscard]] bool contains(const Capsule& outer, const Sphere& inner) noexcept;
[[nodiscard]] bool contains(const Capsule& outer, const Capsule& inner) noexcept;
[[nodiscard]] bool contains(const Capsule& outer, const Aabb& inner) noexcept;
[[nodiscard]] bool contains(const Capsule& outer, const Hull& inner) noexcept;
/// Exact, by `contains_point`, for solids whose corners are floats.
[[nodiscard]] bool contains(const Hull& outer, const glm::vec3& p) noexcept;
[[nodiscard]] bool contains(const Hull& outer, const Aabb& inner) noexcept;
[[nodiscard]] bool contains(const Hull& outer, const Hull& inner) noexcept;
/// By the inner solid's extent beyond each face; a hull without volume contains no such solid. To within
/// double rounding.
[[nodiscard]] bool contains(const Hull& outer, const Sphere& inner) noexcept;
[[nodiscard]] bool contains(const Hull& outer, const Capsule& inner) noexcept;
[[nodiscard]] bool contains(const Hull& outer, const Obb& inner) noexcept;

/// A convex solid contains a triangle iff it contains the corners.
template <class Convex, std::same_as<Triangle> Inner>
requires requires(const Convex& solid, const glm::vec3& p) {
    contains(solid, p);
}
[[nodiscard]] bool contains(const Convex& outer, const Inner& inner) noexcept {
    return contains(outer, inner.a) && contains(outer, inner.b) && contains(outer, inner.c);
}

}  // namespace bv
