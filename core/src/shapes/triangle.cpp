#include "bv/shapes/triangle.hpp"

#include <cmath>
#include <glm/geometric.hpp>

#include "shapes/frame.hpp"

namespace bv {
namespace {

// In double the differences and products of floats of similar size are exact, so collinear corners give
// exactly zero.
glm::dvec3 cross_of_edges(const Triangle& t) noexcept {
    return glm::cross(glm::dvec3(t.b) - glm::dvec3(t.a), glm::dvec3(t.c) - glm::dvec3(t.a));
}

}  // namespace

float Triangle::area() const noexcept {
    const double doubled = glm::length(cross_of_edges(*this));
    return std::isfinite(doubled) ? static_cast<float>(0.5 * doubled) : 0.0f;
}

glm::vec3 Triangle::normal() const noexcept {
    return glm::vec3(detail::normalized_or_zero(cross_of_edges(*this)));
}

}  // namespace bv
