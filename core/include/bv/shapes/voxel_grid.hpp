// Voxel grids: solids made of equal cubes, stored as bits in bricks of 4 x 4 x 4.
//
// A brick is one 64-bit word, so the grid's coarse level costs nothing: a brick is empty iff its word is
// zero.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/vec3.hpp>
#include <optional>
#include <vector>

#include "bv/shapes/aabb.hpp"

namespace bv {

class VoxelGrid {
  public:
    static constexpr int kBrick = 4;                                   ///< Voxels along a brick's edge.
    static constexpr std::int64_t kMaxBricks = std::int64_t{1} << 24;  ///< 128 MiB.

    /// No voxels at all.
    VoxelGrid() = default;
    /// `size` voxels along each axis, all empty, the corner of the first at `origin`, edges `voxel_size`
    /// meters long. Empty if a size is not positive or not finite, or there would be more than kMaxBricks.
    /// Allocates.
    [[nodiscard]] static std::optional<VoxelGrid> make(const glm::ivec3& size, const glm::vec3& origin,
                                                       float voxel_size);

    [[nodiscard]] const glm::ivec3& size() const noexcept { return size_; }
    [[nodiscard]] const glm::ivec3& bricks() const noexcept { return bricks_; }
    [[nodiscard]] const glm::vec3& origin() const noexcept { return origin_; }
    [[nodiscard]] float voxel_size() const noexcept { return voxel_size_; }

    /// False outside the grid.
    [[nodiscard]] bool filled(const glm::ivec3& voxel) const noexcept;
    /// Ignores voxels outside the grid. A cleared grid keeps its memory.
    void set(const glm::ivec3& voxel, bool is_filled) noexcept;
    [[nodiscard]] std::size_t filled_count() const noexcept;
    /// The 64 voxels of a brick; bit x + 4 y + 16 z. `brick` lies within `bricks()`.
    [[nodiscard]] std::uint64_t brick(const glm::ivec3& brick) const noexcept {
        return words_[index_of(brick)];
    }
    /// The cube of a voxel in the grid's own frame.
    [[nodiscard]] Aabb voxel_box(const glm::ivec3& voxel) const noexcept;
    /// The bounds of all filled voxels, in the grid's own frame; empty if there are none. Cost: reads each
    /// brick once.
    [[nodiscard]] Aabb bounds() const noexcept;
    /// True if the frames and the filled voxels are the same.
    friend bool operator==(const VoxelGrid&, const VoxelGrid&) = default;

  private:
    [[nodiscard]] std::size_t index_of(const glm::ivec3& brick) const noexcept {
        return (static_cast<std::size_t>(brick.z) * static_cast<std::size_t>(bricks_.y) +
                static_cast<std::size_t>(brick.y)) *
                   static_cast<std::size_t>(bricks_.x) +
               static_cast<std::size_t>(brick.x);
    }
    [[nodiscard]] bool inside(const glm::ivec3& v) const noexcept {
        return v.x >= 0 && v.y >= 0 && v.z >= 0 && v.x < size_.x && v.y < size_.y && v.z < size_.z;
    }

    glm::ivec3 size_{0};
    glm::ivec3 bricks_{0};
    glm::vec3 origin_{0.0f};
    float voxel_size_ = 1.0f;
    std::vector<std::uint64_t> words_;
};

}  // namespace bv
