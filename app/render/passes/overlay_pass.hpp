// The 2D overlay: labels of world points, screen texts and rectangles. Blended in sRGB bytes, where the edges
// of small text look even.
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <span>
#include <string>
#include <vector>

#include "render/draw_list.hpp"
#include "render/gl/frame.hpp"
#include "render/gl/instances.hpp"
#include "render/gl/objects.hpp"
#include "render/gl/shaders.hpp"
#include "render/text/glyph_atlas.hpp"
#include "render/text/label_places.hpp"

namespace lab::render {

class OverlayPass {
  public:
    explicit OverlayPass(gl::ShaderLibrary& shaders);

    void begin(glm::ivec2 framebuffer_px);
    /// `extra` are labels of the renderer's own.
    void add(const DrawList& list, std::span<const Label> extra, const glm::mat4& view_projection,
             const ScreenArea& area);
    /// Shows a message in front of everything, over the whole width.
    void add_notice(const std::string& text, float scale);
    /// Draws what was added, into the bound framebuffer.
    void draw(gl::FrameContext& frame);

    std::uint32_t labels_moved = 0, labels_faded = 0;  ///< Since begin().

  private:
    /// Twin of the attributes of screen/screen.vert.
    struct Shape {
        glm::vec2 center, half, axis;
        float radius;
        Color color;
    };
    /// Twin of the attributes of screen/text.vert.
    struct GlyphQuad {
        glm::vec2 min, size, texel;
        float px_per_value, halo_px;
        Color color, halo;
    };
    void add_rects(const DrawList& list, const ScreenArea& area);
    void add_texts(std::span<const PlacedText> texts);
    void add_labels(std::span<const PlacedLabel> labels, const ScreenArea& area);
    void add_rect(glm::vec2 min_px, glm::vec2 max_px, Color color, float radius_px);
    void add_line(glm::vec2 a_px, glm::vec2 b_px, Color color, float width_px);
    void add_text(const TextBlock& block, glm::vec2 min_px, Color color, Color halo, float fade,
                  std::vector<GlyphQuad>& glyphs);
    void upload_atlas(gl::FrameContext& frame);
    void draw_shapes(gl::InstanceBuffer& buffer, std::span<const Shape> shapes, gl::FrameContext& frame);
    void draw_glyphs(gl::InstanceBuffer& buffer, std::span<GlyphQuad> glyphs, gl::FrameContext& frame);

    gl::Program& shape_program_;
    gl::Program& text_program_;
    gl::InstanceBuffer label_shape_buffer_, shape_buffer_, label_glyph_buffer_, glyph_buffer_;
    gl::Texture atlas_texture_;
    int atlas_texture_height_ = 0;
    GlyphAtlas atlas_;

    glm::ivec2 framebuffer_px_{0};
    std::vector<Shape> label_shapes_, shapes_;
    std::vector<GlyphQuad> label_glyphs_, glyphs_;
};

}  // namespace lab::render
