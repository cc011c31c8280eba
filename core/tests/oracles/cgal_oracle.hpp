// CGAL as the oracle of smallest balls and boxes, for tests and benchmarks.
#pragma once

#include <glm/vec3.hpp>
#include <vector>

namespace bv::test {

/// Radius of the smallest ball around the points, by Min_sphere_of_spheres_d in double.
double cgal_ball_radius(const std::vector<glm::vec3>& points);

/// Volume of the box found by optimal_bounding_box, run on the hull as its manual advises.
double cgal_box_volume(const std::vector<glm::vec3>& points);

/// Number of vertices of convex_hull_3, for timing it.
std::size_t cgal_hull_size(const std::vector<glm::vec3>& points);

}  // namespace bv::test
