// The plates over the picture (legend, charts, the stepper's sentence, notices): each reserves its rectangle
// on the screen, and none may overlap another or the panels' text.
#pragma once

#include <glm/common.hpp>
#include <glm/vec2.hpp>
#include <vector>

#include "viz/build.hpp"
#include "viz/outline.hpp"

namespace lab::viz {

/// Between a plate and an edge of the free view, in pixels.
inline constexpr float kPlateMargin = 12.0f;

class Plates {
  public:
    /// The handles are points of the picture that plates leave in sight where they can; likewise the inside
    /// of the outline.
    Plates(const ViewInfo& view, std::vector<glm::vec2> handles_px, Outline outline);

    struct Rect {
        glm::vec2 min{0.0f}, max{0.0f};
        [[nodiscard]] bool overlaps(const Rect& other) const {
            return min.x < other.max.x && other.min.x < max.x && min.y < other.max.y && other.min.y < max.y;
        }
    };
    /// Inside the free part of the view, and clear of all reserved rectangles.
    [[nodiscard]] bool is_free(const Rect& rect) const;
    /// The upper edge of this rectangle moved down until it covers no reserved one.
    [[nodiscard]] float clear_below(const Rect& rect) const;
    /// Reserves a rectangle if it is free.
    bool take(const Rect& rect);
    [[nodiscard]] const std::vector<glm::vec2>& handles_px() const { return handles_px_; }

    /// How much of the scene a rectangle hides, in square pixels.
    [[nodiscard]] float hidden_by(const Rect& rect) const { return outline_.area_in(rect.min, rect.max); }

  private:
    Rect inside_;
    std::vector<Rect> taken_;
    std::vector<glm::vec2> handles_px_;
    Outline outline_;
};

}  // namespace lab::viz
