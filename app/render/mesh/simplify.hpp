// Coarser copies of a mesh for bodies that are small on screen: a thousand distant teapots do not need a
// million triangles.
#pragma once

#include <glm/vec3.hpp>
#include <span>
#include <vector>

namespace lab::render {

struct SimpleMesh {
    std::vector<glm::vec3> positions;
    std::vector<glm::uvec3> triangles;
    float error = 0;  ///< About how far the surface moved, in the mesh's units.
};

/// Vertex clustering: cuts the bounding box into cubes, `cells` along its longest side, replaces the vertices
/// in each cube by their mean, and drops triangles that collapse or repeat. Holes narrower than a cube may
/// close. Triangles with an index out of range or a corner that is not finite are left out. Linear time and
/// memory.
SimpleMesh simplify(std::span<const glm::vec3> positions, std::span<const glm::uvec3> triangles, int cells);

}  // namespace lab::render
