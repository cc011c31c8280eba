// A mesh prepared for the GPU: with normals and coarser copies. This is the slow part of uploading a mesh
// that needs no OpenGL, so it can run on another thread.
#pragma once

#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "render/mesh/normals.hpp"

namespace lab::render {

struct PreparedMesh {
    struct Detail {
        LitMesh lit;
        float error = 0;  ///< About how far the surface moved, in the mesh's units.
    };
    static constexpr std::size_t kMostDetails = 6;
    std::vector<Detail>
        details;  ///< The full mesh first, then coarser ones; empty for a mesh without triangles.
};

/// Thread-safe. A million triangles take about a second.
PreparedMesh prepare_mesh(std::span<const glm::vec3> positions, std::span<const glm::uvec3> triangles);

}  // namespace lab::render
