// Lit meshes: all instances of one mesh in one draw call. Where each instance costs a draw, the small ones
// are merged: their triangles, already in the world, are one draw together.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "render/draw_list.hpp"
#include "render/gl/frame.hpp"
#include "render/gl/instances.hpp"
#include "render/gl/objects.hpp"
#include "render/gl/shaders.hpp"
#include "render/mesh/merged.hpp"
#include "render/mesh/prepared.hpp"

namespace lab::render {

class MeshPass {
  public:
    explicit MeshPass(gl::ShaderLibrary& shaders);

    MeshHandle upload(const PreparedMesh& prepared);
    void remove(MeshHandle mesh);

    /// Sorts and uploads the instances; both draws below use them.
    void prepare(std::span<const MeshInstance> instances, gl::FrameContext& frame);
    void draw_opaque(gl::FrameContext& frame);
    /// Draws far to near, and of each instance the back faces before the front faces.
    void draw_translucent(gl::FrameContext& frame);

  private:
    /// The full mesh first, then coarser ones; a missing level repeats the one before.
    static constexpr std::size_t kDetails = PreparedMesh::kMaxDetails;
    struct Detail {
        gl::Buffer vertices, indices;
        std::uint32_t index_count = 0;
        float error = 0;                 ///< In the mesh's units.
        std::optional<SmallMesh> small;  ///< Where it may be merged.
    };
    struct Mesh {
        std::array<Detail, kDetails> details;
        std::size_t detail_count = 0;
    };
    static Detail make_detail(const PreparedMesh::Detail& prepared);
    [[nodiscard]] const Detail& detail_of(std::uint32_t key) const {
        return meshes_[key / kDetails].details[key % kDetails];
    }
    /// Moves the opaque instances of small meshes from `keys_` to `merged_`.
    void merge_small(std::span<const MeshInstance> instances, gl::FrameContext& frame);
    void draw_merged(gl::FrameContext& frame);
    [[nodiscard]] bool exists(MeshHandle mesh) const {
        return mesh.id < meshes_.size() && meshes_[mesh.id].detail_count > 0;
    }
    /// The coarsest detail whose error stays under `error_px` on screen.
    [[nodiscard]] std::size_t detail_for(const MeshInstance& instance, float error_px,
                                         const gl::FrameContext& frame) const;
    /// Writes `order_`.
    void order_front_to_back(std::span<const MeshInstance> instances, const gl::FrameContext& frame);
    void draw_run(std::size_t first, std::size_t count, gl::FrameContext& frame);

    gl::Program& program_;
    gl::InstanceBuffer instances_;
    gl::InstanceBuffer merged_vertices_;
    std::vector<MergedVertex> merged_;
    std::size_t merged_instances_ = 0;
    std::vector<Mesh> meshes_;  // by MeshHandle::id; numbers are not used again
    std::vector<MeshInstance> sorted_;
    std::vector<std::uint32_t> keys_;  // of each instance of the list: mesh and detail; kNothing: not drawn
    std::vector<std::uint32_t> sorted_keys_;  // of sorted_
    std::vector<std::uint32_t> order_;        // of the list
    std::size_t opaque_ = 0;
    std::vector<std::uint32_t> counts_;
};

}  // namespace lab::render
