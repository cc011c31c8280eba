#include "panels/layout.hpp"

#include <algorithm>
#include <cmath>

namespace lab::panels {
namespace {

/// In smaller windows, in font heights, panels around the view would leave too little of it.
constexpr glm::vec2 kMinAround_em{60.0f, 37.0f};
/// A taller window gives the lower panel a share of its additional height.
constexpr float kUsualHeight_em = 48.0f;

Layout around(glm::vec2 window, float em, const PanelSizes& sizes) {
    Layout layout;
    const float menu = std::min(std::floor(1.9f * em), window.y);
    layout.menu = {glm::vec2(0.0f), {window.x, menu}};

    float left = std::clamp(sizes.left_em, 10.0f, 40.0f) * em;
    float right = std::clamp(sizes.right_em, 12.0f, 45.0f) * em;
    float bottom = std::clamp(sizes.bottom_em, 5.0f, 40.0f) * em * bottom_growth(window.y, em);
    const float max_width = 0.66f * window.x;
    if (left + right > max_width) {
        // Both shrink alike down to three quarters; then the left one is hidden, then the right one.
        const float shrink = std::max(max_width / (left + right), 0.75f);
        left *= shrink;
        right *= shrink;
        if (left + right > max_width + 0.5f) left = 0.0f;
        if (right > max_width) right = 0.0f;
    }
    const float height = window.y - menu;
    if (bottom > 0.5f * height) bottom = 0.5f * height;
    if (bottom < 4.0f * em) bottom = 0.0f;
    left = std::floor(left);
    right = std::floor(right);
    bottom = std::floor(bottom);

    if (left > 0.0f) layout.left = {{0.0f, menu}, {left, window.y}};
    if (right > 0.0f) layout.right = {{window.x - right, menu}, window};
    if (bottom > 0.0f) layout.bottom = {{left, window.y - bottom}, {window.x - right, window.y}};
    layout.view = {{left, menu}, {window.x - right, window.y - bottom}};
    return layout;
}

/// The panel beside the view of a wide window, or below it in a tall one. Takes its share of the view.
Rect take_sheet(Rect& view, float em, float size_em, float share) {
    const glm::vec2 available = view.size();
    const bool beside = available.x > 1.2f * available.y;
    const float max_size = share * (beside ? available.x : available.y);
    const float size = std::floor(std::min(size_em * em, max_size));
    Rect sheet = view;
    if (beside)
        sheet.min.x = view.max.x = view.max.x - size;
    else
        sheet.min.y = view.max.y = view.max.y - size;
    return sheet;
}

/// The bars above and below; in a wide window one bar has the tabs, too.
Layout sheet(glm::vec2 window, float em, const PanelSizes& sizes, const LayoutWish& wish) {
    Layout layout;
    const float bar = std::min(std::floor((wish.fingers ? 2.9f : 2.2f) * em), 0.25f * window.y);
    const bool wide = window.x > window.y && window.x > 30.0f * em;
    layout.menu = {glm::vec2(0.0f), {window.x, bar}};
    layout.view = {{0.0f, bar}, window};
    if (!wide) {
        layout.tabs = {{0.0f, window.y - bar}, window};
        layout.view.max.y -= bar;
    }
    layout.sheet = wish.sheet == Sheet::Lesson && !wish.lesson ? Sheet::None : wish.sheet;
    if (layout.sheet == Sheet::None) return layout;
    const Rect taken = take_sheet(layout.view, em, sizes.sheet_em, 0.62f);
    (layout.sheet == Sheet::Settings  ? layout.right
     : layout.sheet == Sheet::Results ? layout.bottom
                                      : layout.left) = taken;
    return layout;
}

}  // namespace

float bottom_growth(float window_height, float em) {
    return std::max(window_height / (kUsualHeight_em * em), 1.0f);
}

Layout compute_layout(glm::vec2 window, float em, const PanelSizes& sizes, const LayoutWish& wish) {
    Layout layout;
    layout.view = {glm::vec2(0.0f), window};
    if (!wish.panels || !(window.x > 0.0f) || !(window.y > 0.0f)) return layout;
    Arrangement arrangement = wish.arrangement;
    if (arrangement == Arrangement::BySize) {
        const bool small = window.x < kMinAround_em.x * em || window.y < kMinAround_em.y * em;
        arrangement = small ? Arrangement::Sheet : Arrangement::Around;
    }
    if (arrangement == Arrangement::Knobs && wish.lesson) arrangement = Arrangement::Sheet;
    if (arrangement == Arrangement::Around)
        layout = around(window, em, sizes);
    else if (arrangement == Arrangement::Sheet)
        layout = sheet(window, em, sizes, wish);
    else
        layout.right = take_sheet(layout.view, em, 17.0f, 0.45f);
    layout.arrangement = arrangement;
    return layout;
}

}  // namespace lab::panels
