#include "cgal_oracle.hpp"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Min_sphere_of_points_d_traits_3.h>
#include <CGAL/Min_sphere_of_spheres_d.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/convex_hull_3.h>
#include <CGAL/optimal_bounding_box.h>

#include <array>
#include <cmath>

namespace bv::test {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;

std::vector<Point> converted(const std::vector<glm::vec3>& points) {
    std::vector<Point> result;
    result.reserve(points.size());
    for (const glm::vec3& p : points)
        result.emplace_back(static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z));
    return result;
}

}  // namespace

double cgal_ball_radius(const std::vector<glm::vec3>& points) {
    using Traits = CGAL::Min_sphere_of_points_d_traits_3<Kernel, double>;
    const std::vector<Point> input = converted(points);
    CGAL::Min_sphere_of_spheres_d<Traits> ball(input.begin(), input.end());
    return ball.radius();
}

double cgal_box_volume(const std::vector<glm::vec3>& points) {
    const std::vector<Point> input = converted(points);
    std::array<Point, 8> corners;
    CGAL::oriented_bounding_box(input, corners, CGAL::parameters::use_convex_hull(true));
    const auto length = [&](std::size_t i) {
        return std::sqrt(CGAL::to_double(CGAL::squared_distance(corners[0], corners[i])));
    };
    return length(1) * length(3) * length(5);
}

std::size_t cgal_hull_size(const std::vector<glm::vec3>& points) {
    const std::vector<Point> input = converted(points);
    CGAL::Surface_mesh<Point> hull;
    CGAL::convex_hull_3(input.begin(), input.end(), hull);
    return hull.number_of_vertices();
}

}  // namespace bv::test
