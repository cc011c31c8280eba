#include "viz/plates.hpp"

#include <algorithm>
#include <utility>

namespace lab::viz {

Plates::Plates(const ViewInfo& view, std::vector<glm::vec2> handles_px, Outline outline)
    : inside_{view.free_min_px, view.free_max_px},
      handles_px_(std::move(handles_px)),
      outline_(std::move(outline)) {
    if (view.card_max_px.y > view.card_min_px.y) taken_.push_back({view.card_min_px, view.card_max_px});
}

bool Plates::is_free(const Rect& rect) const {
    constexpr float kSlack = 0.5f;
    if (rect.min.x < inside_.min.x - kSlack || rect.min.y < inside_.min.y - kSlack ||
        rect.max.x > inside_.max.x + kSlack || rect.max.y > inside_.max.y + kSlack)
        return false;
    return std::none_of(taken_.begin(), taken_.end(),
                        [&](const Rect& other) { return other.overlaps(rect); });
}

float Plates::clear_below(const Rect& rect) const {
    constexpr float kGap = 8.0f;
    float top = rect.min.y;
    for (std::size_t turn = 0; turn <= taken_.size(); ++turn)
        for (const Rect& other : taken_)
            if (other.overlaps({{rect.min.x, top}, {rect.max.x, top + rect.max.y - rect.min.y}}))
                top = other.max.y + kGap;
    return top;
}

bool Plates::take(const Rect& rect) {
    if (!is_free(rect)) return false;
    taken_.push_back(rect);
    return true;
}

}  // namespace lab::viz
