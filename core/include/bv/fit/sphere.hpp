// Bounding spheres of points.
//
// Rules for all fits of bv/fit: points may be in any frame; the volume is in the same one. A point with a
// non-finite coordinate is skipped; if none is left, the volume is empty. Coincident, collinear and coplanar
// points are valid. The result contains every finite point as bv::contains_point
// (bv/shapes/contains_point.hpp) tests it on the stored fields, where a radius beyond the largest float is
// +inf. Work is done in double and rounded outward, so results scale with the input from 1e-30 to 1e+30
// meters. Safe from several threads at once. Test: test_fit_sphere.
//
// Far from the origin: the set is fitted relative to itself, so the volume does not depend on its position;
// only at the end is the center rounded to the floats there. With u the spacing of floats at the largest
// coordinate, that moves the center by up to u / 2 along each axis; radius and half extents grow by no more
// than sqrt(3) / 2 u, or u / 2 along coordinate axes, beyond a few 1e-7 of the set's size. Promises about
// size hold up to that. AABBs and hulls are exact; sides of k-DOPs are off by up to one spacing of floats at
// the sum of the coordinates. Test: test_fit_far.
#pragma once

#include <glm/vec3.hpp>
#include <span>

#include "bv/shapes/sphere.hpp"
#include "bv/trace/trace.hpp"

namespace bv::fit {

/// Ritter's sphere: starts from the most distant of three extreme pairs, then grows to include each point
/// outside, by the least that still covers the old ball. Two passes and a final one; no allocation. Up to
/// 1.36 of the smallest radius on common shapes. The trace gets the extremes, one SphereGrown per growth,
/// the first from the empty ball, and a BallMeasured with the result. Source: Ritter 1990.
[[nodiscard]] Sphere sphere_ritter(std::span<const glm::vec3> points);
[[nodiscard]] Sphere sphere_ritter(std::span<const glm::vec3> points, Recording& trace);

/// The smallest ball around the mean of the points: follows the density of the points, not their extent. Two
/// passes, no allocation. Source: Ericson 2005, section 4.3.
[[nodiscard]] Sphere sphere_centroid(std::span<const glm::vec3> points);
[[nodiscard]] Sphere sphere_centroid(std::span<const glm::vec3> points, Recording& trace);

/// The smallest ball around the center of the points' AABB: at most sqrt(3) of the smallest radius. Two
/// passes, no allocation. Source: Ericson 2005, section 4.3.
[[nodiscard]] Sphere sphere_aabb_center(std::span<const glm::vec3> points);
[[nodiscard]] Sphere sphere_aabb_center(std::span<const glm::vec3> points, Recording& trace);

/// Extremal points optimal sphere: the extreme points along K/2 fixed directions, the smallest ball of these,
/// then grown over missed points as in Ritter's. K is 6, 14, 26 or 98; more directions cost more and miss
/// less. Worst seen over the smallest radius on the generated meshes: 1.19, 1.02, 1.004, 1.002. Three passes;
/// allocates for the extreme points. The trace gets the extremes, then one SphereGrown for the ball around
/// them, from the empty ball, and one per growth. Source: Larsson 2008.
template <int K>
[[nodiscard]] Sphere sphere_epos(std::span<const glm::vec3> points);
template <int K>
[[nodiscard]] Sphere sphere_epos(std::span<const glm::vec3> points, Recording& trace);

/// The smallest ball, to rounding: radius within 1e-12 of the smallest (and 1e-16 of the largest coordinate),
/// then rounded outward with its center to float. The point farthest outside repeatedly joins the candidates,
/// whose smallest ball is recomputed, each larger than the one before: usually fewer than ten passes; no
/// recursion. Allocates for the candidates. The trace gets one SupportBall per pass and a BallMeasured.
/// Source: Welzl 1991; Gaertner 1999; Larsson 2008. Test: test_fit_sphere, against CGAL.
[[nodiscard]] Sphere sphere_exact(std::span<const glm::vec3> points);
[[nodiscard]] Sphere sphere_exact(std::span<const glm::vec3> points, Recording& trace);

/// The smallest ball that contains two balls, to rounding outward; one of them if it contains the other.
/// Empty balls are ignored; a non-finite one gives a center of zero and an infinite radius.
[[nodiscard]] Sphere merge(const Sphere& a, const Sphere& b) noexcept;

/// The smallest ball that contains all given balls, to rounding outward; found as `sphere_exact` is. Empty
/// balls and ones that are not finite are skipped. Source: Fischer 2003.
[[nodiscard]] Sphere sphere_of_spheres(std::span<const Sphere> spheres);

}  // namespace bv::fit
