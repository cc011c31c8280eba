// The voxel sprites of the scene voxel-invaders, written as letters: one letter is one column of voxels from
// front to back.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <memory>
#include <vector>

namespace lab {

/// Voxels with colors, x fastest, then y, then z; z grows towards the viewer.
struct VoxelSprite {
    glm::ivec3 size{0};
    std::vector<std::uint32_t> colors;  ///< 0xRRGGBB; kEmpty: no voxel.

    static constexpr std::uint32_t kEmpty = 0xffffffffu;
    VoxelSprite() = default;
    explicit VoxelSprite(const glm::ivec3& extent);
    [[nodiscard]] std::uint32_t at(const glm::ivec3& v) const { return colors[index(v)]; }
    void set(const glm::ivec3& v, std::uint32_t color) { colors[index(v)] = color; }

  private:
    [[nodiscard]] std::size_t index(const glm::ivec3& v) const {
        const glm::vec<3, std::size_t> at(v), extent(size);
        return at.x + extent.x * (at.y + extent.y * at.z);
    }
};
using SpritePtr = std::shared_ptr<const VoxelSprite>;

inline constexpr int kAlienKinds = 3;
inline constexpr int kAlienFrames = 2;

/// One of the two animation frames of an alien.
SpritePtr alien_sprite(int kind, int frame);
SpritePtr ship_sprite();
SpritePtr bunker_sprite();
SpritePtr shot_sprite();
SpritePtr bomb_sprite();
/// Rolling land of grass, earth and stone.
SpritePtr ground_sprite();

}  // namespace lab
