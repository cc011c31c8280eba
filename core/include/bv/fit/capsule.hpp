// Capsules and rectangle swept spheres of points. Common rules for degenerate and non-finite points:
// bv/fit/sphere.hpp.
#pragma once

#include <glm/vec3.hpp>
#include <span>

#include "bv/shapes/capsule.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/rect_swept_sphere.hpp"

namespace bv::fit {

/// A capsule along the longest principal axis of the points: its radius is that of the smallest circle around
/// their projections, and its segment is the shortest whose round ends still cover them. A few passes;
/// allocates for the projections. Source: Ericson 2005, section 4.5. Test: test_fit_volumes.
[[nodiscard]] Capsule capsule_pca(std::span<const glm::vec3> points);

/// The capsule of least volume over six axes: the principal axes of the hull and the axes of the smallest
/// box. Cost and allocation: as obb_exact.
[[nodiscard]] Capsule capsule_tight(std::span<const glm::vec3> points);
/// The same where the smallest box, `obb_exact(points)`, is known: costs as much as the hull. The axes of any
/// other box are candidates likewise; an empty one has none.
[[nodiscard]] Capsule capsule_tight(std::span<const glm::vec3> points, const Obb& box);

/// A rectangle swept sphere whose normal is the shortest principal axis of the points: half their thickness
/// is the radius, then the rectangle shrinks as long as its round border still covers them. A few passes, no
/// allocation. Source: Larsen 1999.
[[nodiscard]] RectSweptSphere rect_swept_sphere_pca(std::span<const glm::vec3> points);

/// The rectangle swept sphere of least volume over the axes of the smallest box and the principal axes of the
/// hull, each axis tried as the normal. Cost and allocation: as obb_exact.
[[nodiscard]] RectSweptSphere rect_swept_sphere_tight(std::span<const glm::vec3> points);
/// The same where the smallest box is known, as for `capsule_tight`.
[[nodiscard]] RectSweptSphere rect_swept_sphere_tight(std::span<const glm::vec3> points, const Obb& box);

}  // namespace bv::fit
