// The layout of the panels: rectangles computed from the window's size alone.
#pragma once

#include <glm/vec2.hpp>

#include "settings/program.hpp"

namespace lab::panels {

struct Rect {
    glm::vec2 min{0.0f}, max{0.0f};
    [[nodiscard]] glm::vec2 size() const { return max - min; }
    [[nodiscard]] glm::vec2 center() const { return 0.5f * (min + max); }
    [[nodiscard]] bool is_empty() const { return !(max.x > min.x && max.y > min.y); }
    [[nodiscard]] bool contains(glm::vec2 p) const {
        return p.x >= min.x && p.x < max.x && p.y >= min.y && p.y < max.y;
    }
    friend bool operator==(const Rect&, const Rect&) = default;
};

/// Panel sizes set by dragging the edges, in font heights, so that they survive a change of scale.
struct PanelSizes {
    float left_em = 0.0f, right_em = 0.0f;
    float bottom_em = 0.0f;  ///< In a window of usual height; see `bottom_growth`.
    float sheet_em = 26.0f;  ///< Height of the only panel of a small window, or its width beside the view.
};

/// What the layout depends on besides sizes.
struct LayoutWish {
    bool panels = true;
    Arrangement arrangement = Arrangement::BySize;
    Sheet sheet = Sheet::Lesson;
    bool lesson = false;   ///< A lesson is open.
    bool fingers = false;  ///< Bars are tall enough for a finger.
};

/// A hidden or folded part is an empty rectangle.
struct Layout {
    Arrangement arrangement = Arrangement::Around;  ///< Never BySize.
    Sheet sheet = Sheet::None;                      ///< The panel that is open, in a small window.
    Rect menu, left, right, bottom;
    Rect
        tabs;  ///< They choose the panel of a small window; empty in a wide one, where the menu bar has them.
    Rect view;  ///< The part left for the 3D view. Never overlaps a panel.

    /// Of a small window; empty when none is open.
    [[nodiscard]] const Rect& open_sheet() const {
        return !left.is_empty() ? left : !right.is_empty() ? right : bottom;
    }
};

/// The factor by which the lower panel is higher in this window than in one of usual height.
[[nodiscard]] float bottom_growth(float window_height, float em);

/// In a window large enough: menu above, outline left, inspector right, timeline below the view, which
/// gets the rest. Panels shrink, and the lower one gives way, so that the view keeps at least about a third
/// of the width and half of the height. In a small window (a phone, a slide): one panel at a time, chosen by
/// tabs, below the view of a tall window and beside that of a wide one; it takes the place of `left`, `right`
/// or `bottom`. With Arrangement::Knobs the scene's knobs are there as `right`, without menu and tabs; an
/// open lesson needs those and gets the sheet. Without `panels` the whole window is view.
[[nodiscard]] Layout compute_layout(glm::vec2 window, float em, const PanelSizes& sizes,
                                    const LayoutWish& wish = {});

}  // namespace lab::panels
