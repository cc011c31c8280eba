#include "view/view.hpp"

namespace lab {

Camera View::shown_camera() const {
    // If panels leave the view only a part of the window, the text of the scene covers its top.
    constexpr float kTextShare = 0.16f;
    const float covered = rect.min_px.y > 0.0f ? kTextShare : 0.0f;
    return camera.in_view(rect.size_px.x / rect.size_px.y, covered);
}

bv::Ray View::ray_through(glm::vec2 pixel) const {
    return shown_camera().ray_through(pixel - rect.min_px, rect.size_px);
}

std::optional<glm::vec2> View::pixel_of(const glm::vec3& point) const {
    const auto in_view = shown_camera().project(point, rect.size_px);
    return in_view ? std::optional(*in_view + rect.min_px) : std::nullopt;
}

}  // namespace lab
