// Ray casts against solids and triangles.
//
// A ray is the set of points `origin + t * direction`, t_min <= t <= t_max; `t` is in multiples of the
// direction, which need not be a unit vector. Solids are closed: a ray that only touches a corner or slides
// along a face hits. Scale-free: no fixed thresholds; a millimeter and a light year are treated alike.
//
// Decided in double precision on the given floats, then rounded to float: t beyond the largest float is inf,
// while the point is still valid. A ray that starts inside a solid (`contains_point`) hits at 0, whatever its
// direction; with t_min > 0 it starts at the point there, which is inside or not to a few parts in 10^15.
// Flat hulls are hit like triangles. A ray that touches from outside is recognized exactly where
// products of the given numbers are exact in double, and otherwise to a few parts in 10^15. A ray whose
// origin or direction is not finite hits nothing; neither does any ray hit an empty shape. No allocation,
// safe from any thread.
#pragma once

#include <glm/vec3.hpp>
#include <optional>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/capsule.hpp"
#include "bv/shapes/hull.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/ray.hpp"
#include "bv/shapes/sphere.hpp"
#include "bv/shapes/triangle.hpp"
#include "bv/trace/trace.hpp"

namespace bv {

/// The first point of the ray that lies in the shape.
struct RayHit {
    float t = 0;             ///< In [t_min, t_max]. t_min, at least 0, if the ray starts inside the solid.
    glm::vec3 point{0.0f};   ///< On the ray, at `t`.
    glm::vec3 normal{0.0f};  ///< Unit, pointing out of the solid; zero if the ray starts inside. Triangles:
                             ///< see their raycast.
    int feature = -1;        ///< The part of the surface, defined per shape; -1 if the ray starts inside.
    /// Where the whole line enters and leaves the solid, not clipped to [t_min, t_max]: `t_enter < t` if the
    /// ray starts inside. A zero direction gives -inf and +inf. Both are `t` for a triangle.
    float t_enter = 0, t_exit = 0;
    float u = 0, v = 0;  ///< Triangles only: the point is (1 - u - v) a + u b + v c.
};

/// `feature` is 0. A ray that starts on the surface and points in hits at t = 0 with the normal there. Roots
/// by the stable quadratic formula. Source: Ericson 2005, 5.3.2; Press 2007, 5.6.
[[nodiscard]] std::optional<RayHit> raycast(const Ray& ray, const Sphere& ball) noexcept;

/// By three slabs. `feature` is the face, 2 * axis + (1 for the max side). Correct for origins in a face
/// plane, directions that are zero on some axes or all, and flat boxes. Where the ray enters through an edge
/// or a corner, the face of the highest axis is reported. Source: Kay 1986. Oracle: dense sampling along the
/// ray.
[[nodiscard]] std::optional<RayHit> raycast(const Ray& ray, const Aabb& box) noexcept;
/// The same in the box's own frame; `feature` counts faces of its axes.
[[nodiscard]] std::optional<RayHit> raycast(const Ray& ray, const Obb& box) noexcept;

/// The same results, with one `SlabClipped` for each of the three axes, even after one misses, and then a
/// `RangeClipped` if the line crosses the box.
[[nodiscard]] std::optional<RayHit> raycast(const Ray& ray, const Aabb& box, Recording& trace);
[[nodiscard]] std::optional<RayHit> raycast(const Ray& ray, const Obb& box, Recording& trace);

/// Both sides are hit. The normal is the triangle's, oriented against the ray; `feature` is 0 for the front
/// (corners seen counter-clockwise) and 1 for the back. Edges and corners belong to the triangle. A ray
/// within the triangle's plane misses, as do all rays against a triangle without area. Source: Moeller 1997,
/// without its fixed threshold on the determinant; where rounding could change a sign, it is computed exactly
/// (Shewchuk 1997) from the differences of the corners and the origin in double. Not watertight: each of two
/// triangles with a common edge is decided independently.
[[nodiscard]] std::optional<RayHit> raycast(const Ray& ray, const Triangle& triangle) noexcept;
/// The same, with a `TriangleTested` for each of its stages; the last one shows where the test ended.
[[nodiscard]] std::optional<RayHit> raycast(const Ray& ray, const Triangle& triangle, Recording& trace);

/// `feature`: 0 for the side, 1 and 2 for the round ends at a and b.
[[nodiscard]] std::optional<RayHit> raycast(const Ray& ray, const Capsule& capsule) noexcept;

/// `feature` is the triangle through which the ray enters. A flat hull is hit like its triangles, with
/// t_enter = t_exit; segments and points are not hit. Cost: one plane per triangle.
[[nodiscard]] std::optional<RayHit> raycast(const Ray& ray, const Hull& hull) noexcept;

/// A ray prepared for the watertight triangle test.
struct WatertightRay {
    Ray ray;
    int kx = 0, ky = 1, kz = 2;  ///< kz is the ray's dominant axis.
    glm::dvec3 shear{0.0};       ///< The shear that maps the ray to the z axis.
    bool usable = false;         ///< Finite, and not of zero direction.
    explicit WatertightRay(const Ray& r) noexcept;
};

/// As for a plain ray, and with any coordinates, but watertight: a ray never slips between two triangles that
/// share corners bit for bit. Through an edge or a corner it may hit both neighbors. Sides are decided
/// exactly for corners sheared and rounded in double, so a ray within a few parts in 10^15 of the outer edge
/// of a lone triangle may hit or miss. A ray exactly in the triangle's plane, and any ray against a triangle
/// without area, misses, decided exactly from the given floats; a mesh that has such a triangle is not
/// watertight there, to the same rounding. Source: Woop 2013.
[[nodiscard]] std::optional<RayHit> raycast(const WatertightRay& ray, const Triangle& triangle) noexcept;

}  // namespace bv
