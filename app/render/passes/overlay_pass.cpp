#include "render/passes/overlay_pass.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>

#include "render/font.hpp"

namespace lab::render {

namespace {

using gl::kByte;
using gl::kFloat;

// Opacity factor of labels that found no free place.
constexpr float kFaded = 0.22f;

// Dark red on a dark halo cannot be read from the back of a lecture hall: a color with too little contrast to
// its halo is mixed with white or black. The hue remains visible.
Color legible(Color color, Color halo) {
    if (halo.a < 64) return color;
    constexpr float kEnough = 0.52f;
    const float ground = gl::brightness(halo), own = gl::brightness(color);
    const bool to_white = ground < 0.5f;
    const float wanted = to_white ? ground + kEnough : ground - kEnough;
    if (to_white ? own >= wanted : own <= wanted) return color;
    const float end = to_white ? 1.0f : 0.0f;
    const float share = (wanted - own) / (end - own);
    const auto mixed = [&](std::uint8_t c) {
        return static_cast<std::uint8_t>(
            std::lround(static_cast<float>(c) + share * (255.0f * end - static_cast<float>(c))));
    };
    return {mixed(color.r), mixed(color.g), mixed(color.b), color.a};
}

glm::vec2 nearest_on(const Rect& r, glm::vec2 p) {
    return glm::clamp(p, r.min, r.max);
}

}  // namespace

OverlayPass::OverlayPass(gl::ShaderLibrary& shaders)
    : shape_program_(shaders.add("screen/screen.vert", "screen/screen.frag")),
      text_program_(shaders.add("screen/text.vert", "screen/text.frag")),
      label_shape_buffer_({{0, 2, kFloat, offsetof(Shape, center)},
                           {1, 2, kFloat, offsetof(Shape, half)},
                           {2, 2, kFloat, offsetof(Shape, axis)},
                           {3, 1, kFloat, offsetof(Shape, radius)},
                           {4, 4, kByte, offsetof(Shape, color)}},
                          sizeof(Shape)),
      shape_buffer_({{0, 2, kFloat, offsetof(Shape, center)},
                     {1, 2, kFloat, offsetof(Shape, half)},
                     {2, 2, kFloat, offsetof(Shape, axis)},
                     {3, 1, kFloat, offsetof(Shape, radius)},
                     {4, 4, kByte, offsetof(Shape, color)}},
                    sizeof(Shape)),
      label_glyph_buffer_({{0, 2, kFloat, offsetof(GlyphQuad, min)},
                           {1, 2, kFloat, offsetof(GlyphQuad, size)},
                           {2, 2, kFloat, offsetof(GlyphQuad, texel)},
                           {3, 1, kFloat, offsetof(GlyphQuad, px_per_value)},
                           {4, 1, kFloat, offsetof(GlyphQuad, halo_px)},
                           {5, 4, kByte, offsetof(GlyphQuad, color)},
                           {6, 4, kByte, offsetof(GlyphQuad, halo)}},
                          sizeof(GlyphQuad)),
      glyph_buffer_({{0, 2, kFloat, offsetof(GlyphQuad, min)},
                     {1, 2, kFloat, offsetof(GlyphQuad, size)},
                     {2, 2, kFloat, offsetof(GlyphQuad, texel)},
                     {3, 1, kFloat, offsetof(GlyphQuad, px_per_value)},
                     {4, 1, kFloat, offsetof(GlyphQuad, halo_px)},
                     {5, 4, kByte, offsetof(GlyphQuad, color)},
                     {6, 4, kByte, offsetof(GlyphQuad, halo)}},
                    sizeof(GlyphQuad)),
      atlas_(roboto_medium()) {}

void OverlayPass::begin(glm::ivec2 framebuffer_px) {
    framebuffer_px_ = framebuffer_px;
    label_shapes_.clear();
    shapes_.clear();
    label_glyphs_.clear();
    glyphs_.clear();
    labels_moved = labels_faded = 0;
    atlas_.make_room();
}

void OverlayPass::add_rect(glm::vec2 min_px, glm::vec2 max_px, Color color, float radius_px) {
    if (color.a == 0 || max_px.x <= min_px.x || max_px.y <= min_px.y) return;
    shapes_.push_back({(min_px + max_px) * 0.5f, (max_px - min_px) * 0.5f, {1.0f, 0.0f}, radius_px, color});
}

void OverlayPass::add_line(glm::vec2 a_px, glm::vec2 b_px, Color color, float width_px) {
    const glm::vec2 along = b_px - a_px;
    const float length = glm::length(along);
    if (length < 1.0f) return;
    label_shapes_.push_back({(a_px + b_px) * 0.5f,
                             {0.5f * length + 0.5f * width_px, 0.5f * width_px},
                             along / length,
                             0.5f * width_px,
                             color});
}

void OverlayPass::add_text(const TextBlock& block, glm::vec2 min_px, Color color, Color halo, float fade,
                           std::vector<GlyphQuad>& glyphs) {
    const float px_per_value = GlyphAtlas::px_per_value(block.font_px);
    const float halo_px =
        std::min(GlyphAtlas::halo_px(block.font_px), 1.2f + 0.09f * static_cast<float>(block.font_px));
    const Color shown = color.with_alpha(fade * static_cast<float>(color.a) / 255.0f);
    const Color around = halo.with_alpha(fade * static_cast<float>(halo.a) / 255.0f);
    min_px.y = std::round(min_px.y);  // level baselines on pixel rows are sharpest
    for (const PlacedGlyph& placed : block.glyphs)
        glyphs.push_back({min_px + placed.min_px, glm::vec2(placed.glyph.size), glm::vec2(placed.glyph.texel),
                          px_per_value, halo_px, shown, around});
}

void OverlayPass::add_rects(const DrawList& list, const ScreenArea& area) {
    for (const ScreenRect& rect : list.screen_rects) {
        if (!std::isfinite(rect.min_px.x + rect.min_px.y + rect.max_px.x + rect.max_px.y)) continue;
        add_rect(resolve_px(rect.min_px, area), resolve_px(rect.max_px, area), rect.color,
                 rect.radius_px * area.scale);
    }
}

void OverlayPass::add_texts(std::span<const PlacedText> texts) {
    for (const PlacedText& placed : texts) {
        const ScreenText& text = *placed.text;
        if (text.panel.a > 0)
            add_rect(placed.plate.min, placed.plate.max, text.panel,
                     0.35f * static_cast<float>(placed.block.font_px));
        const bool on_panel = text.panel.a > 128;  // needs no halo
        add_text(placed.block, placed.rect.min, text.color, on_panel ? Color{0, 0, 0, 0} : text.halo, 1.0f,
                 glyphs_);
    }
}

void OverlayPass::add_labels(std::span<const PlacedLabel> labels, const ScreenArea& area) {
    // Faded ones first, so that they are drawn under the others.
    for (const bool faint : {true, false})
        for (const PlacedLabel& placed : labels) {
            if (placed.faded != faint) continue;
            const Label& label = *placed.label;
            const float away = glm::length(placed.moved_px);
            if (away > 0.5f) ++labels_moved;
            if (faint) ++labels_faded;
            // A thin leader connects a moved label with its point.
            const glm::vec2 end = nearest_on(placed.rect, placed.point_px);
            if (away > 0.9f * static_cast<float>(placed.block.font_px) && !faint) {
                add_line(placed.point_px, end, label.halo, 3.0f * area.scale);
                add_line(placed.point_px, end, label.color.with_alpha(0.8f), 1.2f * area.scale);
            }
            add_text(placed.block, placed.rect.min + 2.0f, legible(label.color, label.halo), label.halo,
                     faint ? kFaded : 1.0f, label_glyphs_);
        }
}

void OverlayPass::add(const DrawList& list, std::span<const Label> extra, const glm::mat4& view_projection,
                      const ScreenArea& area) {
    add_rects(list, area);
    const std::vector<PlacedText> texts = place_texts(atlas_, list.screen_texts, area);
    add_texts(texts);
    add_labels(
        place_labels(atlas_, list.labels, extra, view_projection, area, obstacles_of(list, texts, area)),
        area);
}

void OverlayPass::add_notice(const std::string& text, float scale) {
    const TextBlock block = layout(atlas_, text, 15.0f * scale, TextAlign::Left);
    const glm::vec2 min = glm::vec2(24.0f) * scale;
    add_rect(min - 12.0f * scale, min + block.size_px + 12.0f * scale, {120, 20, 16, 235}, 6.0f * scale);
    add_text(block, min, {255, 240, 230, 255}, {0, 0, 0, 0}, 1.0f, glyphs_);
}

void OverlayPass::upload_atlas(gl::FrameContext& frame) {
    const glm::ivec2 rows = atlas_.take_dirty_rows();
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, atlas_texture_.get());
    if (rows.x == rows.y) return;
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    if (atlas_.height() != atlas_texture_height_) {
        atlas_texture_height_ = atlas_.height();
        glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, GlyphAtlas::kWidth, atlas_texture_height_, 0, GL_RED,
                     GL_UNSIGNED_BYTE, atlas_.pixels());
        for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
            glTexParameteri(GL_TEXTURE_2D, filter, GL_LINEAR);
        for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
            glTexParameteri(GL_TEXTURE_2D, axis, GL_CLAMP_TO_EDGE);
    } else {
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, rows.x, GlyphAtlas::kWidth, rows.y - rows.x, GL_RED,
                        GL_UNSIGNED_BYTE,
                        atlas_.pixels() + static_cast<std::ptrdiff_t>(rows.x) * GlyphAtlas::kWidth);
    }
    frame.uploads->bytes += static_cast<std::uint64_t>(rows.y - rows.x) * GlyphAtlas::kWidth;
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

void OverlayPass::draw_shapes(gl::InstanceBuffer& buffer, std::span<const Shape> shapes,
                              gl::FrameContext& frame) {
    buffer.update(shapes, *frame.uploads);
    if (shapes.empty()) return;
    shape_program_.use();
    shape_program_.set("u_size", glm::vec2(framebuffer_px_));
    buffer.bind(0);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(shapes.size()));
    frame.count(shapes.size());
}

// All halos first: the halo of one letter must not cover the letter before it.
void OverlayPass::draw_glyphs(gl::InstanceBuffer& buffer, std::span<GlyphQuad> glyphs,
                              gl::FrameContext& frame) {
    const auto with_halo = static_cast<std::size_t>(
        std::stable_partition(glyphs.begin(), glyphs.end(), [](const GlyphQuad& g) { return g.halo.a > 0; }) -
        glyphs.begin());
    buffer.update(std::span<const GlyphQuad>(glyphs), *frame.uploads);
    text_program_.use();
    text_program_.set("u_size", glm::vec2(framebuffer_px_));
    text_program_.set("u_atlas_size", glm::vec2(GlyphAtlas::kWidth, static_cast<float>(atlas_.height())));
    text_program_.set("u_atlas", 0);
    buffer.bind(0);
    const auto draw = [&](int halo_pass, std::size_t count) {
        if (count == 0) return;
        text_program_.set("u_halo_pass", halo_pass);
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(count));
        frame.count(count);
    };
    draw(1, with_halo);
    draw(0, glyphs.size());
}

void OverlayPass::draw(gl::FrameContext& frame) {
    upload_atlas(frame);
    draw_shapes(label_shape_buffer_, label_shapes_, frame);
    draw_glyphs(label_glyph_buffer_, label_glyphs_, frame);
    draw_shapes(shape_buffer_, shapes_, frame);
    draw_glyphs(glyph_buffer_, glyphs_, frame);
}

}  // namespace lab::render
