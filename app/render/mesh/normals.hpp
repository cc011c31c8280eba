// Normals for lighting: smooth where a surface is round, sharp where it has an edge.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

namespace lab::render {

struct LitVertex {
    glm::vec3 position;
    glm::vec3 normal;  ///< Unit length.
};

/// Vertices split where needed, three indices a triangle, counterclockwise as they came.
struct LitMesh {
    std::vector<LitVertex> vertices;
    std::vector<std::uint32_t> indices;
};

/// Each corner of a triangle gets the mean, weighted by the angle at the corner, of the normals of those
/// faces around the vertex that lie within `crease_rad` of the corner's own face. Vertices at the same
/// position are welded, so meshes stored as loose triangles are smoothed, too. Triangles with an index out of
/// range or a vertex that is not finite are left out; triangles of zero area take the normal of their
/// neighbors, or point up. O(n log n) for n vertices.
LitMesh light(std::span<const glm::vec3> positions, std::span<const glm::uvec3> triangles, float crease_rad);

}  // namespace lab::render
