// Large meshes with fewer vertices, for algorithms shown step by step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/vec3.hpp>
#include <string>
#include <vector>

#include "bv/shapes/triangle.hpp"

namespace lab {

/// For each vertex its representative: itself for at most `count` of them, one in each cell of a grid
/// as fine as that allows.
[[nodiscard]] std::vector<std::uint32_t> thin_vertices(const std::vector<glm::vec3>& positions,
                                                       std::size_t count);

/// The same for `count` of them, chosen greedily among the first vertices of the cells of a finer grid: each
/// is the one farthest from those chosen before. Fewer if that grid has fewer cells with vertices.
[[nodiscard]] std::vector<std::uint32_t> spread_vertices(const std::vector<glm::vec3>& positions,
                                                         std::size_t count);

struct ThinMesh {
    std::vector<glm::vec3> positions;
    std::vector<glm::uvec3> triangles;
    /// The omitted part: "400 of 69,451 triangles". Empty if none.
    std::string thinned;

    [[nodiscard]] bv::MeshView view() const { return {positions, triangles}; }
};
/// At most `max_triangles` of them; vertices in one cell merge, and so do triangles.
[[nodiscard]] ThinMesh thin_mesh(const bv::MeshView& mesh, std::size_t max_triangles);

}  // namespace lab
