// Pictures over the finished scene and under the labels: heatmaps of the view. Drawn in sRGB bytes.
#pragma once

#include <glm/vec2.hpp>
#include <memory>
#include <vector>

#include "render/draw_list.hpp"
#include "render/gl/frame.hpp"
#include "render/gl/objects.hpp"
#include "render/gl/shaders.hpp"

namespace lab::render {

class PicturePass {
  public:
    explicit PicturePass(gl::ShaderLibrary& shaders);

    void begin(glm::ivec2 framebuffer_px);
    /// Each picture covers its share of the pane at `min_px`, y down. One without pixels is left out.
    void add(const DrawList& list, glm::vec2 min_px, glm::vec2 size_px);
    /// Draws the added pictures into the bound framebuffer. A picture that is the same object as in the
    /// previous frame is not uploaded again.
    void draw(gl::FrameContext& frame);

  private:
    struct Placed {
        std::shared_ptr<const Image> image;
        glm::vec2 min_px, max_px;
        float opacity;
    };
    /// A texture and what it holds.
    struct Slot {
        gl::Texture texture;
        std::shared_ptr<const Image> holds;
    };
    void upload(Slot& slot, const std::shared_ptr<const Image>& image, gl::FrameContext& frame);

    gl::Program& program_;
    gl::VertexArray empty_;
    glm::ivec2 framebuffer_px_{0};
    std::vector<Placed> placed_;
    std::vector<Slot> slots_;
};

}  // namespace lab::render
