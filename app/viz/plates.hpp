// The plates over the picture (legend, charts, the stepper's sentence, notices): each takes its place on the
// screen, and none may lie over another or over the panels' text.
#pragma once

#include <glm/common.hpp>
#include <glm/vec2.hpp>
#include <vector>

#include "viz/build.hpp"

namespace lab::viz {

class Plates {
  public:
    explicit Plates(const ViewInfo& view);

    struct Rect {
        glm::vec2 min{0.0f}, max{0.0f};
        [[nodiscard]] bool overlaps(const Rect& other) const {
            return min.x < other.max.x && other.min.x < max.x && min.y < other.max.y && other.min.y < max.y;
        }
    };
    /// Inside the free part of the view, and off all places that are taken.
    [[nodiscard]] bool is_free(const Rect& rect) const;
    /// Takes a place if it is free.
    bool take(const Rect& rect);

  private:
    Rect inside_;
    std::vector<Rect> taken_;
};

}  // namespace lab::viz
