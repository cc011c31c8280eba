#include "panels/layout.hpp"

#include <algorithm>
#include <cmath>

namespace lab::panels {

Layout compute_layout(glm::vec2 window, float em, const PanelSizes& sizes, bool panels) {
    Layout layout;
    layout.view = {glm::vec2(0.0f), window};
    if (!panels || !(window.x > 0.0f) || !(window.y > 0.0f)) return layout;

    const float menu = std::min(std::floor(1.9f * em), window.y);
    layout.menu = {glm::vec2(0.0f), {window.x, menu}};

    float left = std::clamp(sizes.left_em, 10.0f, 40.0f) * em;
    float right = std::clamp(sizes.right_em, 12.0f, 45.0f) * em;
    float bottom = std::clamp(sizes.bottom_em, 5.0f, 40.0f) * em;
    const float most = 0.66f * window.x;
    if (left + right > most) {
        // Both shrink alike down to three quarters; then the left one is hidden, then the right one.
        const float shrink = std::max(most / (left + right), 0.75f);
        left *= shrink;
        right *= shrink;
        if (left + right > most + 0.5f) left = 0.0f;
        if (right > most) right = 0.0f;
    }
    const float room = window.y - menu;
    if (bottom > 0.5f * room) bottom = 0.5f * room;
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

}  // namespace lab::panels
