#include "bv/shapes/sphere.hpp"

#include <algorithm>
#include <cmath>

#include "shapes/eigen3.hpp"
#include "shapes/measures.hpp"
#include "shapes/rounding.hpp"

namespace bv {

float Sphere::volume() const noexcept {
    return static_cast<float>(detail::volume_in_double(*this));
}

float Sphere::surface_area() const noexcept {
    return static_cast<float>(detail::area_in_double(*this));
}

Sphere transformed(const Sphere& sphere, const glm::mat4x3& affine) noexcept {
    if (sphere.is_empty()) return {};
    // The largest stretch of M is the root of the largest eigenvalue of M^T M.
    const glm::dmat3 m{glm::dvec3(affine[0]), glm::dvec3(affine[1]), glm::dvec3(affine[2])};
    const glm::dvec3 c = m * glm::dvec3(sphere.center) + glm::dvec3(affine[3]);
    glm::dmat3 gram(0.0);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j <= i; ++j)
            gram[j][i] = gram[i][j] = glm::dot(m[i], m[j]);
    }
    const auto r = static_cast<double>(sphere.radius);
    const glm::vec3 center(c);
    const double trace = gram[0][0] + gram[1][1] + gram[2][2];
    if (!bv::is_finite(center) || !std::isfinite(trace)) return {glm::vec3(0.0f), detail::kFloatInf};
    const double stretch = std::sqrt(std::max(detail::symmetric_eigen(gram).values[0], 0.0));
    const double moved = glm::length(c - glm::dvec3(center));
    if (moved == 0.0 && stretch * r == static_cast<double>(sphere.radius) && stretch == 1.0)
        return {center, sphere.radius};
    // 8 epsilons cover the rounding of the stretch, and of the center relative to the terms of its sum.
    constexpr double kSlack = 2e-15;
    double terms = std::abs(c.x) + std::abs(c.y) + std::abs(c.z);
    for (int k = 0; k < 3; ++k)
        terms += glm::length(m[k]) * std::abs(static_cast<double>(sphere.center[k]));
    return {center, detail::round_up(stretch * r * (1.0 + kSlack) + moved + terms * kSlack)};
}

}  // namespace bv
