// Bounding spheres of points.
//
// All fits of bv/fit: points in any frame, the volume comes out in the same frame. A point with a coordinate
// that is not finite is skipped; if none is left the volume is empty. Coincident, collinear and coplanar
// points are valid. The result contains every finite point as bv::contains_point
// (bv/shapes/contains_point.hpp) tests it on the stored fields, where a radius beyond the largest float is
// +inf. Work is done in double and rounded outward, so results scale with the input from 1e-30 to 1e+30
// metres. Safe from several threads at once. Test: test_fit_sphere.
#pragma once

#include <glm/vec3.hpp>
#include <span>

#include "bv/shapes/sphere.hpp"
#include "bv/trace/trace.hpp"

namespace bv::fit {

/// Ritter's sphere: starts on the most distant of three extreme pairs, then grows over each point left
/// outside, by as little as still covers the old ball. Two passes and a final one; no allocation. Up to 1.36
/// of the smallest radius on common shapes. The trace gets one SphereGrown per growth, the first from the
/// empty ball. Source: Ritter 1990.
[[nodiscard]] Sphere sphere_ritter(std::span<const glm::vec3> points);
[[nodiscard]] Sphere sphere_ritter(std::span<const glm::vec3> points, Recording& trace);

/// The smallest ball around the mean of the points: follows where points are dense, not where they reach. Two
/// passes, no allocation. Source: Ericson 2005, section 4.3.
[[nodiscard]] Sphere sphere_centroid(std::span<const glm::vec3> points);

/// The smallest ball around the center of the points' AABB: at most sqrt(3) of the smallest radius. Two
/// passes, no allocation. Source: Ericson 2005, section 4.3.
[[nodiscard]] Sphere sphere_aabb_center(std::span<const glm::vec3> points);

}  // namespace bv::fit
