// A mesh made ready for the graphics card: lit, with coarser copies. Everything about uploading a mesh that
// takes time and needs no OpenGL, so that it can be done beside the frames.
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

/// Safe from any thread. A million triangles take about a second.
PreparedMesh prepare_mesh(std::span<const glm::vec3> positions, std::span<const glm::uvec3> triangles);

}  // namespace lab::render
