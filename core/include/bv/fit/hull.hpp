// Convex hulls of points. Common rules for non-finite points: bv/fit/sphere.hpp.
#pragma once

#include <glm/vec3.hpp>
#include <span>

#include "bv/shapes/hull.hpp"
#include "bv/trace/trace.hpp"

namespace bv::fit {

/// The convex hull by quickhull: starts with a tetrahedron of extreme points, then repeatedly adds the point
/// farthest outside a face and replaces all faces that it sees. The side of a face on which a point lies is
/// decided exactly, so the result is closed, convex and contains every point without a tolerance, however
/// flat, collinear, duplicate or tiny the input is, and its vertices are exactly the extreme points. Expected
/// n log n; allocates about 4 bytes a point and 150 a face. The trace gets one HullPointAdded per
/// step, with a HullFaceSeen for each face that goes before it and a HullFaceAdded for each new one behind
/// it. Source: Barber 1996; Shewchuk 1997. Test: test_fit_hull, against qhull.
[[nodiscard]] Hull hull(std::span<const glm::vec3> points);
[[nodiscard]] Hull hull(std::span<const glm::vec3> points, Recording& trace);

}  // namespace bv::fit
