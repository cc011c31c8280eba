#include "bv/shapes/plane.hpp"

#include <cmath>

#include "shapes/frame.hpp"
#include "shapes/rounding.hpp"

namespace bv {

std::optional<Plane> plane_from(const glm::vec3& point, const glm::vec3& normal) noexcept {
    if (!bv::is_finite(point) || !bv::is_finite(normal) || normal == glm::vec3(0.0f)) return std::nullopt;
    Plane plane;
    plane.normal = glm::vec3(detail::normalized_or_zero(glm::dvec3(normal)));
    // With the normal as stored, so that the point lies on the stored plane to one rounding step.
    plane.offset = static_cast<float>(glm::dot(glm::dvec3(plane.normal), glm::dvec3(point)));
    if (!std::isfinite(plane.offset)) return std::nullopt;
    return plane;
}

std::optional<Plane> plane_from(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c) noexcept {
    const glm::dvec3 cross = glm::cross(glm::dvec3(b) - glm::dvec3(a), glm::dvec3(c) - glm::dvec3(a));
    const glm::dvec3 normal = detail::normalized_or_zero(cross);
    const glm::dvec3 middle = (glm::dvec3(a) + glm::dvec3(b) + glm::dvec3(c)) / 3.0;
    Plane plane;
    plane.normal = glm::vec3(normal);
    plane.offset = static_cast<float>(glm::dot(glm::dvec3(plane.normal), middle));
    if (normal == glm::dvec3(0.0) || !bv::is_finite(plane.normal) || !std::isfinite(plane.offset))
        return std::nullopt;
    return plane;
}

}  // namespace bv
