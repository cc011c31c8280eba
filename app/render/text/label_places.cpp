#include "render/text/label_places.hpp"

#include <cmath>
#include <cstddef>
#include <glm/common.hpp>
#include <utility>

#include "render/finite.hpp"

namespace lab::render {

namespace {

constexpr std::size_t kMaxLabels = 4000;
/// The farthest that a label moves from its preferred place, at display scale 1.
constexpr float kReach_px = 52.0f;

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

/// The labels in sight at their preferred places, and the boxes by which they are moved apart.
void collect(GlyphAtlas& atlas, std::span<const Label> labels, const glm::mat4& view_projection,
             const ScreenArea& area, std::vector<PlacedLabel>& placed, std::vector<LabelBox>& boxes) {
    for (const Label& label : labels) {
        if (label.text.empty() || label.color.a == 0 || !drawable(label) || placed.size() >= kMaxLabels)
            continue;
        const glm::vec4 clip = view_projection * glm::vec4(label.position, 1.0f);
        if (!(clip.w > 0.0f) || clip.z < -clip.w) continue;
        const glm::vec2 ndc = glm::vec2(clip) / clip.w;
        if (!(std::abs(ndc.x) <= 1.0f && std::abs(ndc.y) <= 1.0f)) continue;
        PlacedLabel place;
        place.label = &label;
        place.point_px = area.min_px + glm::vec2(ndc.x * 0.5f + 0.5f, 0.5f - ndc.y * 0.5f) * area.size_px;
        place.block = layout(atlas, label.text, label.size_px * area.scale, align_of(label.anchor));
        const float gap =
            label.anchor == Label::Anchor::Center ? 0.0f : 0.35f * static_cast<float>(place.block.font_px);
        const glm::vec2 corner =
            place.point_px + label.offset_px * area.scale + anchored(label.anchor, place.block.size_px, gap);
        place.rect = {corner - 2.0f, corner + place.block.size_px + 2.0f};
        const float clear = label.clear_px * area.scale;
        boxes.push_back({place.rect, clip.w, {place.point_px - clear, place.point_px + clear}});
        placed.push_back(std::move(place));
    }
}

}  // namespace

glm::vec2 resolve_px(glm::vec2 px, const ScreenArea& area) {
    const glm::vec2 scaled = px * area.scale;
    return area.min_px + glm::vec2(px.x < 0.0f ? area.size_px.x + scaled.x : scaled.x,
                                   px.y < 0.0f ? area.size_px.y + scaled.y : scaled.y);
}

std::vector<PlacedText> place_texts(GlyphAtlas& atlas, std::span<const ScreenText> texts,
                                    const ScreenArea& area) {
    std::vector<PlacedText> placed;
    placed.reserve(texts.size());
    for (const ScreenText& text : texts) {
        if (text.text.empty() || !std::isfinite(text.position_px.x + text.position_px.y + text.size_px))
            continue;
        PlacedText place;
        place.text = &text;
        place.block = layout(atlas, text.text, text.size_px * area.scale, align_of(text.anchor));
        glm::vec2 corner = anchored(text.anchor, place.block.size_px, 0.0f);
        if (text.anchor == Label::Anchor::Left || text.anchor == Label::Anchor::Right) corner.y = 0.0f;
        const glm::vec2 min = glm::round(resolve_px(text.position_px, area) + corner);
        place.rect = {min, min + place.block.size_px};
        const glm::vec2 pad = glm::vec2(0.55f, 0.4f) * static_cast<float>(place.block.font_px);
        if (text.panel.a > 0) place.plate = {place.rect.min - pad, place.rect.max + pad};
        placed.push_back(std::move(place));
    }
    return placed;
}

std::vector<Rect> obstacles_of(const DrawList& list, std::span<const PlacedText> texts,
                               const ScreenArea& area) {
    std::vector<Rect> obstacles;
    for (const ScreenRect& rect : list.screen_rects)
        if (rect.color.a > 100 &&
            std::isfinite(rect.min_px.x + rect.min_px.y + rect.max_px.x + rect.max_px.y))
            obstacles.push_back({resolve_px(rect.min_px, area), resolve_px(rect.max_px, area)});
    for (const ScreenRect& rect : list.keep_clear)
        obstacles.push_back({resolve_px(rect.min_px, area), resolve_px(rect.max_px, area)});
    for (const PlacedText& text : texts)
        obstacles.push_back(text.text->panel.a > 0 ? text.plate : text.rect);
    return obstacles;
}

std::vector<PlacedLabel> place_labels(GlyphAtlas& atlas, std::span<const Label> labels,
                                      std::span<const Label> more, const glm::mat4& view_projection,
                                      const ScreenArea& area, std::span<const Rect> obstacles) {
    std::vector<PlacedLabel> placed;
    std::vector<LabelBox> boxes;
    collect(atlas, labels, view_projection, area, placed, boxes);
    collect(atlas, more, view_projection, area, placed, boxes);
    const Rect inside{area.min_px + 2.0f, area.min_px + area.size_px - 2.0f};
    const std::vector<LabelPlace> places = declutter(boxes, obstacles, inside, kReach_px * area.scale);
    for (std::size_t i = 0; i < placed.size(); ++i) {
        placed[i].moved_px = places[i].offset;
        placed[i].faded = places[i].crowded_out;
        placed[i].rect.min += places[i].offset;
        placed[i].rect.max += places[i].offset;
    }
    return placed;
}

}  // namespace lab::render
