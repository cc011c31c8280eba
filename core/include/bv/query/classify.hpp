// On which side of a plane, or of the six planes of a view, does a solid lie?
//
// By the projected radius: how far the solid reaches from its center along the plane's normal, against the
// distance of the center. Solids are closed, so one that only touches the plane intersects it. An empty
// shape, and all that has to do with NaN (bv/shapes/not_finite.hpp), is reported as Intersecting: nothing is
// known about it. Double precision inside. No allocation, safe from any thread. Sources: Ericson 2005, 5.2;
// Gribb 2001; Assarsson 2000.
#pragma once

#include <array>
#include <cstdint>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

#include "bv/query/convex.hpp"
#include "bv/shapes/plane.hpp"

namespace bv {

enum class Side : std::uint8_t { Back, Intersecting, Front };

/// The solid's interval along the normal: [distance - radius, distance + radius].
struct PlaneProjection {
    float distance = 0;  ///< Signed distance of the middle of the solid's projection; infinite if one end is,
                         ///< 0 if both are.
    float radius = 0;    ///< Projected radius.
    Side side = Side::Intersecting;
};

[[nodiscard]] PlaneProjection project(const Sphere& ball, const Plane& plane) noexcept;
[[nodiscard]] PlaneProjection project(const Aabb& box, const Plane& plane) noexcept;
[[nodiscard]] PlaneProjection project(const Obb& box, const Plane& plane) noexcept;
/// Hulls, capsules, triangles and all other solids, by their support points on both sides.
[[nodiscard]] PlaneProjection project(const ConvexRef& solid, const Plane& plane) noexcept;

/// Front: all of the solid is strictly in front. Back: strictly behind.
template <class Solid>
[[nodiscard]] Side classify(const Solid& solid, const Plane& plane) noexcept {
    return project(solid, plane).side;
}

/// Six planes whose front sides have the view in common.
struct Frustum {
    std::array<Plane, 6> planes;  ///< Left, right, bottom, top, near, far.
};
/// The frustum that a projection (times view) matrix shows, for clip coordinates with -w <= x, y, z <= w as
/// OpenGL has them. A plane that the matrix does not have (a far plane at infinity) becomes one that
/// everything is in front of.
[[nodiscard]] Frustum frustum_of(const glm::mat4& projection_view) noexcept;

/// A hint that one test passes to the next, for the same solid in the next frame or for its children in a
/// tree.
struct FrustumHint {
    std::uint8_t first = 0;  ///< Plane that rejected the solid last time: tried first. Above 5 counts as 0.
    std::uint8_t undecided =
        0x3f;  ///< Bit p: plane p is still to be tested; cleared where a parent was all in front.
};

/// Front: in the view whole. Back: outside for sure. Intersecting: partly inside, or outside near an edge of
/// the view in a way that no single plane shows: conservative for culling.
[[nodiscard]] Side classify(const Sphere& ball, const Frustum& frustum) noexcept;
[[nodiscard]] Side classify(const Aabb& box, const Frustum& frustum) noexcept;
[[nodiscard]] Side classify(const Obb& box, const Frustum& frustum) noexcept;

/// The same, skipping planes that `hint.undecided` lacks; leaves the hint for the solid's children and for
/// the next frame. `tested`, if given, grows by the number of planes that were looked at.
[[nodiscard]] Side classify(const Sphere& ball, const Frustum& frustum, FrustumHint& hint,
                            std::uint32_t* tested = nullptr) noexcept;
[[nodiscard]] Side classify(const Aabb& box, const Frustum& frustum, FrustumHint& hint,
                            std::uint32_t* tested = nullptr) noexcept;
[[nodiscard]] Side classify(const Obb& box, const Frustum& frustum, FrustumHint& hint,
                            std::uint32_t* tested = nullptr) noexcept;

}  // namespace bv
