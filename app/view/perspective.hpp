// The projection of cameras and frusta.
#pragma once

#include <glm/mat4x4.hpp>

namespace lab {

/// As glm::perspective, with the same bits on every machine.
[[nodiscard]] glm::mat4 perspective(float fov_y_rad, float aspect, float near, float far);

}  // namespace lab
