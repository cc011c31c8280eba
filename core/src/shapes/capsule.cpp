#include "bv/shapes/capsule.hpp"

#include <algorithm>
#include <glm/geometric.hpp>

#include "bv/shapes/sphere.hpp"
#include "shapes/measures.hpp"

namespace bv {

float Capsule::volume() const noexcept {
    return static_cast<float>(detail::volume_in_double(*this));
}

float Capsule::surface_area() const noexcept {
    return static_cast<float>(detail::area_in_double(*this));
}

double segment_distance_sq_in_double(const glm::vec3& a, const glm::vec3& b, const glm::vec3& p) noexcept {
    const glm::dvec3 ab = glm::dvec3(b) - glm::dvec3(a);
    const glm::dvec3 ap = glm::dvec3(p) - glm::dvec3(a);
    const double length_sq = glm::dot(ab, ab);
    // Propagates NaN.
    const double t = length_sq == 0.0 ? 0.0 : std::clamp(glm::dot(ap, ab) / length_sq, 0.0, 1.0);
    const glm::dvec3 d = ap - t * ab;
    return glm::dot(d, d);
}

bool contains_point(const Capsule& capsule, const glm::vec3& p) noexcept {
    const auto r = static_cast<double>(capsule.radius);
    return capsule.radius >= 0.0f && segment_distance_sq_in_double(capsule.a, capsule.b, p) - r * r <= 0.0;
}

Capsule transformed(const Capsule& capsule, const glm::mat4x3& affine) noexcept {
    if (capsule.is_empty()) return {};
    // Each end's ball contains the image of the ball there; the larger radius covers both, and by convexity
    // everything in between.
    const Sphere a = transformed(Sphere{capsule.a, capsule.radius}, affine);
    const Sphere b = transformed(Sphere{capsule.b, capsule.radius}, affine);
    return {a.center, b.center, std::max(a.radius, b.radius)};
}

}  // namespace bv
