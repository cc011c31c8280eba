#include "render/passes/overlay_pass.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>

#include "render/finite.hpp"
#include "render/font.hpp"

namespace lab::render {

namespace {

using gl::Attribute;
constexpr auto kFloat = Attribute::Type::Float;
constexpr auto kByte = Attribute::Type::ByteNormalized;

// Opacity factor of labels that found no free place.
constexpr float kFaded = 0.22f;
constexpr std::size_t kMaxLabels = 4000;

TextAlign align_of(Label::Anchor anchor) {
    return anchor == Label::Anchor::Left    ? TextAlign::Left
           : anchor == Label::Anchor::Right ? TextAlign::Right
                                            : TextAlign::Center;
}

// The corner of a block of `size` that is anchored at the origin.
glm::vec2 anchored(Label::Anchor anchor, glm::vec2 size, float gap) {
    switch (anchor) {
        case Label::Anchor::Left:
            return {gap, -0.5f * size.y};
        case Label::Anchor::Right:
            return {-size.x - gap, -0.5f * size.y};
        case Label::Anchor::Above:
            return {-0.5f * size.x, -size.y - gap};
        case Label::Anchor::Below:
            return {-0.5f * size.x, gap};
        case Label::Anchor::Center:
            break;
    }
    return -0.5f * size;
}

glm::vec2 resolve_px(glm::vec2 px, const ScreenArea& area) {
    const glm::vec2 scaled = px * area.scale;
    return area.min_px + glm::vec2(px.x < 0.0f ? area.size_px.x + scaled.x : scaled.x,
                                   px.y < 0.0f ? area.size_px.y + scaled.y : scaled.y);
}

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

struct OverlayPass::PendingLabel {
    const Label* label;
    TextBlock block;
    glm::vec2 point_px;  // of the world point
    LabelBox box;
};

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

void OverlayPass::add_texts(const DrawList& list, const ScreenArea& area) {
    for (const ScreenRect& rect : list.screen_rects) {
        if (!std::isfinite(rect.min_px.x + rect.min_px.y + rect.max_px.x + rect.max_px.y)) continue;
        const glm::vec2 a = resolve_px(rect.min_px, area), b = resolve_px(rect.max_px, area);
        add_rect(a, b, rect.color, rect.radius_px * area.scale);
        if (rect.color.a > 100) obstacles_.push_back({a, b});
    }
    for (const ScreenRect& rect : list.keep_clear)
        obstacles_.push_back({resolve_px(rect.min_px, area), resolve_px(rect.max_px, area)});
    for (const ScreenText& text : list.screen_texts) {
        if (text.text.empty() || !std::isfinite(text.position_px.x + text.position_px.y + text.size_px))
            continue;
        const TextBlock block = layout(atlas_, text.text, text.size_px * area.scale, align_of(text.anchor));
        glm::vec2 corner = anchored(text.anchor, block.size_px, 0.0f);
        if (text.anchor == Label::Anchor::Left || text.anchor == Label::Anchor::Right) corner.y = 0.0f;
        const glm::vec2 min = glm::round(resolve_px(text.position_px, area) + corner);
        const glm::vec2 pad = glm::vec2(0.55f, 0.4f) * static_cast<float>(block.font_px);
        if (text.panel.a > 0) {
            add_rect(min - pad, min + block.size_px + pad, text.panel,
                     0.35f * static_cast<float>(block.font_px));
            obstacles_.push_back({min - pad, min + block.size_px + pad});
        } else {
            obstacles_.push_back({min, min + block.size_px});
        }
        const bool on_panel = text.panel.a > 128;  // needs no halo
        add_text(block, min, text.color, on_panel ? Color{0, 0, 0, 0} : text.halo, 1.0f, glyphs_);
    }
}

void OverlayPass::collect(std::span<const Label> labels, const glm::mat4& view_projection,
                          const ScreenArea& area, std::vector<PendingLabel>& out) {
    for (const Label& label : labels) {
        if (label.text.empty() || label.color.a == 0 || !drawable(label) || out.size() >= kMaxLabels)
            continue;
        const glm::vec4 clip = view_projection * glm::vec4(label.position, 1.0f);
        if (!(clip.w > 0.0f) || clip.z < -clip.w) continue;
        const glm::vec2 ndc = glm::vec2(clip) / clip.w;
        if (!(std::abs(ndc.x) <= 1.0f && std::abs(ndc.y) <= 1.0f)) continue;
        PendingLabel pending;
        pending.label = &label;
        pending.point_px = area.min_px + glm::vec2(ndc.x * 0.5f + 0.5f, 0.5f - ndc.y * 0.5f) * area.size_px;
        pending.block = layout(atlas_, label.text, label.size_px * area.scale, align_of(label.anchor));
        const float gap =
            label.anchor == Label::Anchor::Center ? 0.0f : 0.35f * static_cast<float>(pending.block.font_px);
        const glm::vec2 corner = pending.point_px + label.offset_px * area.scale +
                                 anchored(label.anchor, pending.block.size_px, gap);
        pending.box = {
            {corner - 2.0f, corner + pending.block.size_px + 2.0f},
            clip.w,
            {pending.point_px - label.clear_px * area.scale, pending.point_px + label.clear_px * area.scale}};
        out.push_back(std::move(pending));
    }
}

void OverlayPass::add_labels(std::span<const PendingLabel> labels, const ScreenArea& area) {
    std::vector<LabelBox> boxes;
    boxes.reserve(labels.size());
    for (const PendingLabel& pending : labels)
        boxes.push_back(pending.box);
    const Rect inside{area.min_px + 2.0f, area.min_px + area.size_px - 2.0f};
    const std::vector<LabelPlace> places = declutter(boxes, obstacles_, inside, 52.0f * area.scale);
    // Faded ones first, so that they are drawn under the others.
    for (const bool faint : {true, false})
        for (std::size_t i = 0; i < labels.size(); ++i) {
            if (places[i].crowded_out != faint) continue;
            const PendingLabel& pending = labels[i];
            const Label& label = *pending.label;
            const Rect rect{pending.box.rect.min + places[i].offset, pending.box.rect.max + places[i].offset};
            const float away = glm::length(places[i].offset);
            if (away > 0.5f) ++labels_moved;
            if (faint) ++labels_faded;
            // A thin leader connects a moved label with its point.
            const glm::vec2 end = nearest_on(rect, pending.point_px);
            if (away > 0.9f * static_cast<float>(pending.block.font_px) && !faint) {
                add_line(pending.point_px, end, label.halo, 3.0f * area.scale);
                add_line(pending.point_px, end, label.color.with_alpha(0.8f), 1.2f * area.scale);
            }
            add_text(pending.block, rect.min + 2.0f, legible(label.color, label.halo), label.halo,
                     faint ? kFaded : 1.0f, label_glyphs_);
        }
}

void OverlayPass::add(const DrawList& list, std::span<const Label> extra, const glm::mat4& view_projection,
                      const ScreenArea& area) {
    obstacles_.clear();
    add_texts(list, area);
    std::vector<PendingLabel> pending;
    collect(list.labels, view_projection, area, pending);
    collect(extra, view_projection, area, pending);
    add_labels(pending, area);
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
void OverlayPass::draw_glyphs(gl::InstanceBuffer& buffer, std::span<const GlyphQuad> glyphs,
                              gl::FrameContext& frame) {
    buffer.update(glyphs, *frame.uploads);
    if (glyphs.empty()) return;
    text_program_.use();
    text_program_.set("u_size", glm::vec2(framebuffer_px_));
    text_program_.set("u_atlas_size", glm::vec2(GlyphAtlas::kWidth, static_cast<float>(atlas_.height())));
    text_program_.set("u_atlas", 0);
    buffer.bind(0);
    for (const int halo_pass : {1, 0}) {
        text_program_.set("u_halo_pass", halo_pass);
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(glyphs.size()));
        frame.count(glyphs.size());
    }
}

void OverlayPass::draw(gl::FrameContext& frame) {
    upload_atlas(frame);
    draw_shapes(label_shape_buffer_, label_shapes_, frame);
    draw_glyphs(label_glyph_buffer_, label_glyphs_, frame);
    draw_shapes(shape_buffer_, shapes_, frame);
    draw_glyphs(glyph_buffer_, glyphs_, frame);
}

}  // namespace lab::render
