// The surface of a convex solid, for drawing and measuring.
#pragma once

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <vector>

namespace bv {

/// Vertices, triangles (counter-clockwise seen from outside), and the edges between faces that are not
/// coplanar. A flat polytope has triangles on both sides; a segment has two vertices and an edge, a point one
/// vertex.
struct Polytope {
    std::vector<glm::vec3> vertices;
    std::vector<glm::uvec3> triangles;
    std::vector<glm::uvec2> edges;

    [[nodiscard]] bool is_empty() const noexcept { return vertices.empty(); }
    [[nodiscard]] double volume() const noexcept;  ///< Enclosed by the triangles; 0 without any.
    [[nodiscard]] double surface_area()
        const noexcept;  ///< Of all triangles; a flat one counts on both sides.
    friend bool operator==(const Polytope&, const Polytope&) = default;
};

}  // namespace bv
