// Planes in Hesse normal form.
#pragma once

#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <optional>

namespace bv {

/// The plane `dot(normal, x) == offset`, `normal` of unit length. Its front side is where the signed distance
/// is positive.
struct Plane {
    glm::vec3 normal{0.0f, 1.0f, 0.0f};
    float offset = 0.0f;

    [[nodiscard]] float signed_distance(const glm::vec3& p) const noexcept {
        return glm::dot(normal, p) - offset;
    }
    friend bool operator==(const Plane&, const Plane&) = default;
};

/// The plane through `point` with normal direction `normal` (any length). Empty if the normal is zero or not
/// finite.
[[nodiscard]] std::optional<Plane> plane_from(const glm::vec3& point, const glm::vec3& normal) noexcept;
/// The plane through three points, front side where they are seen counter-clockwise. Empty if they are
/// collinear.
[[nodiscard]] std::optional<Plane> plane_from(const glm::vec3& a, const glm::vec3& b,
                                              const glm::vec3& c) noexcept;

}  // namespace bv
