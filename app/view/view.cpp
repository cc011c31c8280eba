#include "view/view.hpp"

#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>

namespace lab {

namespace {

/// The share of the height that texts cover beyond what is free there. A separate share for each text would
/// make the picture jump.
float covered_by_text(const ViewRect& rect, const std::optional<float>& free_above) {
    // If panels leave the view only a part of the window, the text of the scene covers its top: usually as
    // much as three menu bars, whose height is known; with a sentence, four.
    constexpr float kLeastShare = 0.16f, kLargestShare = 0.3f, kBars = 2.85f, kBarsWithSentence = 4.1f;
    const float bar_px = rect.min_px.y, height_px = std::max(rect.size_px.y, 1.0f);
    if (bar_px > 0.0f)
        return glm::clamp((free_above ? kBarsWithSentence : kBars) * bar_px / height_px, kLeastShare,
                          kLargestShare);
    if (!free_above) return 0.0f;
    // Without panels, the sentence stands there, and in a high picture the title above it.
    const float sentence_px = height_px < kLowHeight_px ? 88.0f : 128.0f;
    return glm::clamp(sentence_px / height_px - *free_above, 0.0f, kLargestShare);
}

}  // namespace

void View::frame_everything(const FrameResults& results) {
    bv::Aabb box;
    float radius = 0.0f;
    for (const Exhibit& exhibit : results.exhibits) {
        box = bv::merge(box, bounds_of(exhibit));
        radius = std::max(radius, radius_of(exhibit, results.bounds.center()));
    }
    // Charts stand beside what is framed, and lower.
    constexpr float kChartMargin = 0.4f;
    bv::Aabb framed = results.bounds;
    if (!results.charts.empty()) framed.min.y -= kChartMargin * glm::length(framed.size());
    // Bodies and rooms may be there, too.
    if (framed != box) radius = std::numeric_limits<float>::infinity();
    camera.frame(framed, radius);
}

void View::measure_free_above(const FrameResults& scene) {
    const glm::vec2 size_px(Camera::kAspect, 1.0f);
    float top = 1.0f;
    const auto add = [&](const bv::Aabb& box) {
        if (box.is_empty() || !box.is_finite()) return;
        for (int i = 0; i < 8; ++i)
            if (const std::optional<glm::vec2> at = camera.project(box.corner(i), size_px))
                top = std::min(top, at->y);
    };
    for (const BodyState& body : scene.bodies)
        add({body.transform[3] - 0.5f * body.scale, body.transform[3] + 0.5f * body.scale});
    for (const Exhibit& exhibit : scene.exhibits)
        if (!std::holds_alternative<bv::Ray>(exhibit.shape)) add(bounds_of(exhibit));
    free_above = glm::clamp(top, 0.0f, 1.0f);
}

Camera View::shown_camera() const {
    // A chart takes about a quarter of the width, at the right; in a picture higher than wide it stands
    // below.
    constexpr float kChartShare = 0.26f;
    const float aspect = rect.size_px.x / rect.size_px.y;
    const float beside = beside_charts && aspect >= 1.0f ? kChartShare : 0.0f;
    return camera.in_view(aspect, covered_by_text(rect, free_above), beside);
}

bv::Ray View::ray_through(glm::vec2 pixel) const {
    return shown_camera().ray_through(pixel - rect.min_px, rect.size_px);
}

std::optional<glm::vec2> View::pixel_of(const glm::vec3& point) const {
    const auto in_view = shown_camera().project(point, rect.size_px);
    return in_view ? std::optional(*in_view + rect.min_px) : std::nullopt;
}

}  // namespace lab
