// Triangles and non-owning views of triangle meshes.
#pragma once

#include <cstddef>
#include <glm/vec3.hpp>
#include <span>

namespace bv {

/// A closed triangle; its front is the side from which a, b, c run counter-clockwise. Corners may coincide:
/// it is then a segment or a point.
struct Triangle {
    glm::vec3 a{0.0f};
    glm::vec3 b{0.0f};
    glm::vec3 c{0.0f};

    [[nodiscard]] float area() const noexcept;
    /// Unit normal, or zero for a triangle without area.
    [[nodiscard]] glm::vec3 normal() const noexcept;
    friend bool operator==(const Triangle&, const Triangle&) = default;
};

/// A non-owning view of an indexed triangle mesh; the caller keeps the data alive. Every index is below
/// `positions.size()`: validate external data before making a view of it.
struct MeshView {
    std::span<const glm::vec3> positions;
    std::span<const glm::uvec3> triangles;

    [[nodiscard]] Triangle triangle(std::size_t i) const noexcept {
        const glm::uvec3 t = triangles[i];
        return {positions[t.x], positions[t.y], positions[t.z]};
    }
};

}  // namespace bv
