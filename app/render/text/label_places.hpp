// Where the texts of one view lie, in framebuffer pixels: screen texts where they were put, and labels beside
// their points where there is room. Needs no OpenGL, so that tests can measure it.
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <span>
#include <vector>

#include "render/draw_list.hpp"
#include "render/text/declutter.hpp"
#include "render/text/layout.hpp"

namespace lab::render {

/// The part of the framebuffer that one pane has, y down.
struct ScreenArea {
    glm::vec2 min_px{0.0f}, size_px{0.0f};
    float scale = 1.0f;  ///< Display scale.
};

/// A position given as in ScreenText, in framebuffer pixels.
[[nodiscard]] glm::vec2 resolve_px(glm::vec2 px, const ScreenArea& area);

struct PlacedText {
    const ScreenText* text = nullptr;
    TextBlock block;
    Rect rect;   ///< Of the letters.
    Rect plate;  ///< The background; empty if the text has none.
};
/// In the order of the list; texts that are empty or not finite are left out.
std::vector<PlacedText> place_texts(GlyphAtlas& atlas, std::span<const ScreenText> texts,
                                    const ScreenArea& area);

/// What labels must not cover: plates, screen texts and the rectangles that the list keeps clear.
std::vector<Rect> obstacles_of(const DrawList& list, std::span<const PlacedText> texts,
                               const ScreenArea& area);

struct PlacedLabel {
    const Label* label = nullptr;
    TextBlock block;
    glm::vec2 point_px{0.0f};  ///< Of the world point.
    Rect rect;                 ///< Of the letters, with two pixels around them.
    glm::vec2 moved_px{0.0f};  ///< From the preferred place.
    bool faded = false;        ///< No free place was found: it stays at its preferred one.
};
/// The labels whose points are in sight, with their places; at most 4000.
std::vector<PlacedLabel> place_labels(GlyphAtlas& atlas, std::span<const Label> labels,
                                      std::span<const Label> more, const glm::mat4& view_projection,
                                      const ScreenArea& area, std::span<const Rect> obstacles);

}  // namespace lab::render
