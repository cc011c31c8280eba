// The outline of the scene on screen: where plates hide something.
#pragma once

#include <glm/vec2.hpp>
#include <vector>

#include "results/frame_results.hpp"
#include "view/camera.hpp"

namespace lab::viz {

/// The convex hull of what a scene shows, in pixels of the view. Bodies count with their arena, so that it
/// stands still while they move.
class Outline {
  public:
    /// The outline of these points; the caller leaves out those behind the eye.
    explicit Outline(const std::vector<glm::vec2>& points_px);
    /// The outline of bodies and exhibits, without rays and notes. O(n log n), with at most some 300 exhibits
    /// or bodies.
    Outline(const FrameResults& results, const Camera& camera, glm::vec2 size_px);

    /// The area of a rectangle that lies inside, in square pixels.
    [[nodiscard]] float area_in(glm::vec2 min_px, glm::vec2 max_px) const;

  private:
    std::vector<glm::vec2> corners_;  ///< In order around it; fewer than three: nothing.
};

}  // namespace lab::viz
