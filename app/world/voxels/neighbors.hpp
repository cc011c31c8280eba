#pragma once

#include <array>
#include <glm/vec3.hpp>

namespace lab {

/// From a voxel to its six neighbors across a face.
inline constexpr std::array<glm::ivec3, 6> kNeighbors = {glm::ivec3(-1, 0, 0), glm::ivec3(1, 0, 0),
                                                         glm::ivec3(0, -1, 0), glm::ivec3(0, 1, 0),
                                                         glm::ivec3(0, 0, -1), glm::ivec3(0, 0, 1)};

}  // namespace lab
