// The layout of the panels: rectangles computed from the window's size alone.
#pragma once

#include <glm/vec2.hpp>

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
    float left_em = 0.0f, right_em = 0.0f, bottom_em = 0.0f;
};

/// A hidden or folded part is an empty rectangle.
struct Layout {
    Rect menu, left, right, bottom;
    Rect view;  ///< What is left for the 3D picture. Never overlaps a panel.
};

/// Menu above, outline left, inspector right, timeline below the view, which gets the rest. In a small window
/// the panels shrink, and then left and bottom give way, so that the view keeps at least about a third of the
/// width and half of the height. Without `panels` all of the window is view.
[[nodiscard]] Layout compute_layout(glm::vec2 window, float em, const PanelSizes& sizes, bool panels);

}  // namespace lab::panels
