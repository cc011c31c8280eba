// Translucent boxes, spheres and triangles. Every box and sphere is drawn twice, back faces and front faces,
// all sorted together from far to near: so a small box inside a big sphere blends correctly, and so do
// neighbors.
#pragma once

#include <cstdint>
#include <vector>

#include "render/draw_list.hpp"
#include "render/gl/frame.hpp"
#include "render/gl/instances.hpp"
#include "render/gl/objects.hpp"
#include "render/gl/shaders.hpp"

namespace lab::render {

class SolidPass {
  public:
    explicit SolidPass(gl::ShaderLibrary& shaders);
    /// Does not write depth.
    void draw(const DrawList& list, gl::FrameContext& frame);

  private:
    enum class Kind : std::uint8_t { Box, Sphere, Triangle };
    enum class Face : std::uint8_t { Back, Front, Both };
    struct Item {
        float depth;
        Kind kind;
        Face face;
        std::uint32_t index;  ///< In the draw list's array.
    };
    struct Run {
        Kind kind;
        Face face;
        std::size_t first, count;  ///< In the uploaded array of the kind.
    };
    /// Of a triangle. Instances of one triangle each would take a software renderer several times as long.
    struct Corner {
        glm::vec3 at, normal;
        Color color;
    };
    void collect(const DrawList& list, const gl::FrameContext& frame);
    void arrange(const DrawList& list);
    void draw_run(const Run& run, gl::FrameContext& frame);
    void build_sphere();

    gl::Program& box_program_;
    gl::Program& sphere_program_;
    gl::Program& triangle_program_;
    gl::InstanceBuffer boxes_, spheres_, triangles_;
    gl::Buffer sphere_vertices_, sphere_indices_;
    GLsizei sphere_index_count_ = 0;

    std::vector<Item> items_;
    std::vector<Run> runs_;
    std::vector<SolidBox> sorted_boxes_;
    std::vector<SolidSphere> sorted_spheres_;
    std::vector<Corner> sorted_corners_;  ///< Three of each triangle.
};

}  // namespace lab::render
