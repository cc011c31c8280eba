#include "bv/shapes/triangle.hpp"

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
    return static_cast<float>(0.5 * glm::length(cross_of_edges(*this)));
}

glm::vec3 Triangle::normal() const noexcept {
    return glm::vec3(detail::normalized_or_zero(cross_of_edges(*this)));
}

}  // namespace bv
