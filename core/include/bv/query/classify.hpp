// Classifies a solid against a plane, or against the six planes of a view frustum.
//
// Compares the projected radius (the solid's extent from its center along the plane's normal) with the
// distance of the center. Solids are closed, so one that only touches the plane intersects it. An empty
// shape, and anything with NaN (bv/shapes/not_finite.hpp), is reported as Intersecting: nothing is known
// about it. Computed in double precision. No allocation, safe from any thread. Sources: Ericson 2005, 5.2;
// Gribb 2001; Assarsson 2000.
#pragma once

#include <array>
#include <cstdint>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

#include "bv/query/convex.hpp"
#include "bv/shapes/plane.hpp"
#include "bv/trace/trace.hpp"

namespace bv {

enum class Side : std::uint8_t { Back, Intersecting, Front };

/// The solid's interval along the normal: [distance - radius, distance + radius].
struct PlaneProjection {
    float distance = 0;  ///< Signed distance of the projection's midpoint; infinite if one end is,
                         ///< 0 if both are.
    float radius = 0;    ///< Projected radius.
    Side side = Side::Intersecting;
};

[[nodiscard]] PlaneProjection project(const Sphere& ball, const Plane& plane) noexcept;
[[nodiscard]] PlaneProjection project(const Aabb& box, const Plane& plane) noexcept;
[[nodiscard]] PlaneProjection project(const Obb& box, const Plane& plane) noexcept;
/// For all other solids, by their support points on both sides.
[[nodiscard]] PlaneProjection project(const ConvexRef& solid, const Plane& plane) noexcept;

/// Front: the whole solid is strictly in front. Back: the whole solid is strictly behind.
template <class Solid>
[[nodiscard]] Side classify(const Solid& solid, const Plane& plane) noexcept {
    return project(solid, plane).side;
}

/// Six planes; the view is the intersection of their front sides.
struct Frustum {
    std::array<Plane, 6> planes;  ///< Left, right, bottom, top, near, far.
};
/// The frustum of a projection (times view) matrix, for OpenGL clip coordinates: -w <= x, y, z <= w. A
/// missing plane (a far plane at infinity) becomes one that has everything in front of it.
[[nodiscard]] Frustum frustum_of(const glm::mat4& projection_view) noexcept;

/// The state that a test passes on: unchanged to the test of the same solid in the next frame, and through
/// `for_children` to the tests of its children in a tree. It affects only the cost: the planes may have moved
/// by the next frame.
struct FrustumHint {
    /// The plane that rejected the solid last time, tested first. Above 5 counts as 0.
    std::uint8_t first = 0;
    /// Bit p: plane p must be tested; not set if the solid's parent is known to be in front of it. A test
    /// does not change this.
    std::uint8_t undecided = 0x3f;
    /// Set by a test: the planes of `undecided` that do not have the whole solid in front of them.
    std::uint8_t undecided_below = 0x3f;

    /// The hint to start a child with, for the same planes.
    [[nodiscard]] constexpr FrustumHint for_children() const noexcept {
        return {first, undecided_below, undecided_below};
    }
};

/// Front: fully inside the view. Back: certainly outside. Intersecting: partly inside, or outside near an
/// edge of the view where no single plane separates: conservative for culling.
[[nodiscard]] Side classify(const Sphere& ball, const Frustum& frustum) noexcept;
[[nodiscard]] Side classify(const Aabb& box, const Frustum& frustum) noexcept;
[[nodiscard]] Side classify(const Obb& box, const Frustum& frustum) noexcept;

/// The same, skipping planes not set in `hint.undecided`; updates `first` and `undecided_below`. Adds the
/// number of planes tested to `tested`, if given.
[[nodiscard]] Side classify(const Sphere& ball, const Frustum& frustum, FrustumHint& hint,
                            std::uint32_t* tested = nullptr) noexcept;
[[nodiscard]] Side classify(const Aabb& box, const Frustum& frustum, FrustumHint& hint,
                            std::uint32_t* tested = nullptr) noexcept;
[[nodiscard]] Side classify(const Obb& box, const Frustum& frustum, FrustumHint& hint,
                            std::uint32_t* tested = nullptr) noexcept;

/// The same, with one `PlaneTested` per plane, numbered as in the frustum.
[[nodiscard]] Side classify(const Sphere& ball, const Frustum& frustum, FrustumHint& hint, Recording& trace);
[[nodiscard]] Side classify(const Aabb& box, const Frustum& frustum, FrustumHint& hint, Recording& trace);
[[nodiscard]] Side classify(const Obb& box, const Frustum& frustum, FrustumHint& hint, Recording& trace);

}  // namespace bv
