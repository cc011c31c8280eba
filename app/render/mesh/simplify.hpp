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

/// Collapses edges as long as the surface moves by about `error` at most, where 1 is the longest side of the
/// mesh's box. Loose triangles have no edges to collapse, and where hundreds meet in a vertex it would take
/// too long: there, vertices near each other become one. Positions are a subset of those given, each once.
/// Triangles with an index out of range or a corner that is not finite are left out; no triangles where the
/// others' box is a point or too large to measure. O(n log n) for n triangles.
SimpleMesh simplify(std::span<const glm::vec3> positions, std::span<const glm::uvec3> triangles, float error);

}  // namespace lab::render
