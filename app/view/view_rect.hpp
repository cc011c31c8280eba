// The rectangle of the window that shows the scene.
#pragma once

#include <glm/vec2.hpp>

namespace lab {

/// In a picture lower than this, the title of the scene stands on one plate with the sentence of the step,
/// and the camera leaves that plate its place.
inline constexpr float kLowHeight_px = 500.0f;

/// The part of the window that shows the scene. Pixels count from the top left corner of the window.
struct ViewRect {
    glm::vec2 min_px{0.0f};
    glm::vec2 size_px{1280.0f, 720.0f};
    friend bool operator==(const ViewRect&, const ViewRect&) = default;
};

}  // namespace lab
