#include "fit/obb/principal.hpp"

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "shapes/eigen3.hpp"
#include "shapes/rounding.hpp"

namespace bv::detail {
namespace {

// Axes of a covariance matrix, not yet divided by `weight`, with only its lower half filled in. A correlation
// as small as the rounding of its sum counts as zero: otherwise it would rotate axes of equal variance by 45
// degrees.
PrincipalAxes axes_of(glm::dmat3 covariance, double weight, const glm::dvec3& center) noexcept {
    constexpr double kRounding = 1e-12;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < i; ++j) {
            if (std::abs(covariance[j][i]) <= kRounding * std::sqrt(covariance[i][i] * covariance[j][j]))
                covariance[j][i] = 0.0;
        }
    }
    const Eigen3 eigen = symmetric_eigen(covariance);
    return {eigen.vectors, center, weight > 0.0 ? eigen.values / weight : glm::dvec3(0.0)};
}

}  // namespace

PrincipalAxes principal_axes(Points points) noexcept {
    const Mean mean = mean_of(points);
    glm::dmat3 covariance(0.0);
    for (const glm::vec3& p : points) {
        if (!is_finite(p)) continue;
        const glm::dvec3 d = (glm::dvec3(p) - mean.origin) - mean.offset;
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j <= i; ++j)
                covariance[j][i] += d[i] * d[j];
        }
    }
    return axes_of(covariance, static_cast<double>(mean.count), mean.origin + mean.offset);
}

PrincipalAxes principal_axes_of_surface(Points positions, std::span<const glm::uvec3> triangles,
                                        bool& has_area) noexcept {
    // Relative to a point of the surface, to keep precision far from the origin.
    glm::dvec3 origin(0.0);
    for (const glm::vec3& p : positions) {
        if (!is_finite(p)) continue;
        origin = glm::dvec3(p);
        break;
    }
    double total = 0.0;
    glm::dvec3 first(0.0);
    glm::dmat3 second(0.0);
    for (const glm::uvec3& t : triangles) {
        if (!is_finite(positions[t.x]) || !is_finite(positions[t.y]) || !is_finite(positions[t.z])) continue;
        const glm::dvec3 a = glm::dvec3(positions[t.x]) - origin;
        const glm::dvec3 b = glm::dvec3(positions[t.y]) - origin;
        const glm::dvec3 c = glm::dvec3(positions[t.z]) - origin;
        const double area = glm::length(glm::cross(b - a, c - a));
        const glm::dvec3 sum = a + b + c;
        total += area;
        first += area / 3.0 * sum;
        // The integral of x x^T over a triangle is area / 12 (s s^T + a a^T + b b^T + c c^T).
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j <= i; ++j)
                second[j][i] += area / 12.0 * (sum[i] * sum[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]);
        }
    }
    has_area = total > 0.0;
    if (!has_area) return {};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j <= i; ++j)
            second[j][i] -= first[i] * first[j] / total;
    }
    return axes_of(second, total, origin + first / total);
}

PrincipalAxes principal_axes_of_hull(const Hull& hull) noexcept {
    bool has_area = false;
    const PrincipalAxes axes = principal_axes_of_surface(hull.vertices, hull.triangles, has_area);
    return has_area ? axes : principal_axes(hull.vertices);
}

}  // namespace bv::detail
