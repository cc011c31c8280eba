// Lit meshes: all instances of one mesh in one draw call.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "render/draw_list.hpp"
#include "render/gl/frame.hpp"
#include "render/gl/instances.hpp"
#include "render/gl/objects.hpp"
#include "render/gl/shaders.hpp"

namespace lab::render {

class MeshPass {
  public:
    explicit MeshPass(gl::ShaderLibrary& shaders);

    MeshHandle upload(std::span<const glm::vec3> positions, std::span<const glm::uvec3> triangles);
    void remove(MeshHandle mesh);

    /// Sorts and uploads the instances; both draws below use them.
    void prepare(std::span<const MeshInstance> instances, gl::FrameContext& frame);
    void draw_opaque(gl::FrameContext& frame);
    /// Far ones first, of each the inside before the outside.
    void draw_translucent(gl::FrameContext& frame);

  private:
    struct Mesh {
        gl::Buffer vertices, indices;
        std::uint32_t index_count = 0;
    };
    [[nodiscard]] bool exists(MeshHandle mesh) const {
        return mesh.id < meshes_.size() && meshes_[mesh.id].index_count > 0;
    }
    void draw_run(std::size_t first, std::size_t count, gl::FrameContext& frame);

    gl::Program& program_;
    gl::InstanceBuffer instances_;
    std::vector<Mesh> meshes_;  // by MeshHandle::id; numbers are not used again
    std::vector<MeshInstance> sorted_;
    std::size_t opaque_ = 0;
    std::vector<std::uint32_t> counts_;
};

}  // namespace lab::render
