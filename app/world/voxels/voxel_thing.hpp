// A voxel sprite in motion: a grid that moves rigidly and can lose voxels. Lost voxels have a position and a
// color; parts that become disconnected fall off as separate things.
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <vector>

#include "bv/query/voxels.hpp"
#include "bv/shapes/aabb.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/voxel_grid.hpp"
#include "results/exhibit.hpp"
#include "world/voxels/sprites.hpp"

namespace lab {

/// A single detached voxel, in the world.
struct LooseVoxel {
    glm::vec3 center{0.0f};
    std::uint32_t color = 0;
};

/// Whether the lowest layer of a sprite is visible from below.
enum class Underside : unsigned char { Seen, Hidden };

class VoxelThing {
  public:
    VoxelThing() = default;
    /// The sprite's center is the thing's origin. `edge`: the edge of a voxel, in meters.
    VoxelThing(SpritePtr sprite, float edge, Underside underside = Underside::Seen);

    glm::vec3 position{0.0f};
    glm::quat orientation{1.0f, 0.0f, 0.0f, 0.0f};
    glm::vec3 velocity{0.0f};
    glm::vec3 spin{0.0f};  ///< rad/s about the world's axes.

    /// Moves and turns for `dt_s`.
    void advance(float dt_s);

    [[nodiscard]] const bv::VoxelGrid& grid() const { return grid_; }
    [[nodiscard]] std::size_t filled() const { return filled_; }
    /// Share of the initial voxels that are left.
    [[nodiscard]] float share_left() const;
    [[nodiscard]] bv::RigidTransform pose() const;
    /// Current bounds of its filled voxels; empty without any.
    [[nodiscard]] bv::Aabb box() const;
    [[nodiscard]] VoxelBlock block() const;
    [[nodiscard]] glm::vec3 center_of(const glm::ivec3& voxel) const;
    [[nodiscard]] bv::Obb cube_of(const glm::ivec3& voxel) const;
    /// A brick of 4 x 4 x 4 voxels.
    [[nodiscard]] bv::Obb brick_box(const glm::ivec3& brick) const;

    /// Removes the voxels within about `radius` voxels of one, with a ragged but repeatable rim.
    std::vector<LooseVoxel> break_off(const glm::ivec3& voxel, float radius);
    /// Removes these voxels.
    std::vector<LooseVoxel> take_out(const std::vector<glm::ivec3>& voxels);
    /// Removes all voxels.
    std::vector<LooseVoxel> crumble();
    /// Splits off the parts that no face connects with the largest one, as things with its motion. Parts of
    /// fewer than `smallest` voxels go to `loose`.
    std::vector<VoxelThing> fall_apart(std::size_t smallest, std::vector<LooseVoxel>& loose);
    /// Splits into up to four pieces, cut vertically and horizontally through the center; nothing is left.
    std::vector<VoxelThing> shatter();
    /// Removes the voxels that `other`, whose sprite has the same size, has lost.
    void lose_as(const VoxelThing& other);

  private:
    [[nodiscard]] VoxelThing piece(const std::vector<glm::ivec3>& voxels) const;
    void clear(const glm::ivec3& voxel, std::vector<LooseVoxel>& loose);
    void refresh();

    SpritePtr sprite_;
    bv::VoxelGrid grid_;
    std::shared_ptr<const VoxelCells> cells_;
    bv::Aabb bounds_;
    std::size_t filled_ = 0;
    std::size_t initial_ = 0;
    Underside underside_ = Underside::Seen;
};

}  // namespace lab
