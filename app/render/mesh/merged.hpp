// Small meshes as plain triangles in the world, many bodies in one array: for renderers where each instance
// costs as much as a draw.
#pragma once

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <optional>
#include <vector>

#include "render/draw_list.hpp"
#include "render/mesh/normals.hpp"

namespace lab::render {

/// A mesh of few triangles, unpacked.
struct SmallMesh {
    std::vector<LitVertex> corners;  ///< Three a triangle.
    bool convex = false;             ///< Closed, convex and seen from outside: its far side is always hidden.
};

/// Nothing if the mesh is too large: the cost of merging grows with the triangles, the saving does not.
std::optional<SmallMesh> small_mesh(const LitMesh& mesh);

/// In the world; the shader's transform is the identity.
struct MergedVertex {
    glm::vec3 position;
    glm::vec3 normal;
    Color color;
};

/// Appends the body's triangles as mesh.vert would compute them. Of an opaque convex mesh only those that
/// face the eye, unless the eye is inside. `eye` as in FrameBlock.
void append_merged(const SmallMesh& mesh, const MeshInstance& instance, const glm::vec4& eye,
                   std::vector<MergedVertex>& out);

}  // namespace lab::render
