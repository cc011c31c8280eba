// The background, the infinite grid and the axes.
#pragma once

#include <glm/vec3.hpp>
#include <vector>

#include "render/draw_list.hpp"
#include "render/gl/frame.hpp"
#include "render/gl/objects.hpp"
#include "render/gl/shaders.hpp"

namespace lab::render {

class GroundPass {
  public:
    explicit GroundPass(gl::ShaderLibrary& shaders);
    /// Call with depth test and blending off.
    void draw_background(const DrawList& list, gl::FrameContext& frame);
    /// Blends over the scene without writing depth. `eye`: the viewpoint, also of an orthographic view.
    void draw_grid(const Ground& ground, const glm::vec3& eye, gl::FrameContext& frame);
    /// The short arms at the origin: x, y, z.
    static void append_axes(const Ground& ground, std::vector<Line>& lines, std::vector<Label>& labels);

  private:
    gl::Program& background_;
    gl::Program& grid_;
    gl::VertexArray empty_;  // the core profile needs one even without attributes
};

}  // namespace lab::render
