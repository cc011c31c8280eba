#include "view/view.hpp"

#include <glm/common.hpp>

namespace lab {

Camera View::shown_camera() const {
    // If panels leave the view only a part of the window, the text of the scene covers its top: usually as
    // much as three menu bars, whose height is known. A share of its own for each text would let the picture
    // jump.
    constexpr float kLeastShare = 0.16f, kLargestShare = 0.3f, kBars = 2.85f;
    const float bar_px = rect.min_px.y;
    const float covered =
        bar_px > 0.0f ? glm::clamp(kBars * bar_px / rect.size_px.y, kLeastShare, kLargestShare) : 0.0f;
    // A chart takes about a quarter of the width, at the right.
    constexpr float kChartShare = 0.26f;
    const float beside = bar_px > 0.0f && beside_charts ? kChartShare : 0.0f;
    return camera.in_view(rect.size_px.x / rect.size_px.y, covered, beside);
}

bv::Ray View::ray_through(glm::vec2 pixel) const {
    return shown_camera().ray_through(pixel - rect.min_px, rect.size_px);
}

std::optional<glm::vec2> View::pixel_of(const glm::vec3& point) const {
    const auto in_view = shown_camera().project(point, rect.size_px);
    return in_view ? std::optional(*in_view + rect.min_px) : std::nullopt;
}

}  // namespace lab
