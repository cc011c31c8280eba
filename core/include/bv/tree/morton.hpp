// The Morton curve through a grid of 1,024 cells per axis: cells with near codes are near in space. Splitting
// a sorted list of codes where their highest differing bit changes halves the grid at a plane. Source:
// Lauterbach 2009.
#pragma once

#include <algorithm>
#include <cstdint>
#include <glm/vec3.hpp>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/not_finite.hpp"

namespace bv {

/// Interleaves three cell numbers of ten bits each, below 1,024, into 30 bits. Bit 29 is the highest of x;
/// bit b belongs to axis 2 - b % 3.
[[nodiscard]] constexpr std::uint32_t morton_code(std::uint32_t x, std::uint32_t y,
                                                  std::uint32_t z) noexcept {
    const auto spread = [](std::uint32_t v) {
        v = (v | (v << 16)) & 0x030000ffu;
        v = (v | (v << 8)) & 0x0300f00fu;
        v = (v | (v << 4)) & 0x030c30c3u;
        return (v | (v << 2)) & 0x09249249u;
    };
    return (spread(x) << 2) | (spread(y) << 1) | spread(z);
}

/// The grid over the bounds of all points, in which `Builder::Morton` sorts the centers of its boxes. Points
/// outside and not-finite ones get a cell at the border; an axis without extent has one cell.
class MortonGrid {
  public:
    explicit MortonGrid(const Aabb& bounds) noexcept : low_(bounds.min) {
        for (int k = 0; k < 3; ++k) {
            // Halve first: the difference of two bounds near the end of the float range must not overflow.
            const float extent = 0.5f * bounds.max[k] - 0.5f * bounds.min[k];
            scale_[k] = extent > 0.0f ? std::min(511.999f / extent, 1e30f) : 0.0f;
        }
    }
    [[nodiscard]] std::uint32_t code(const glm::vec3& point) const noexcept {
        std::uint32_t cell[3];
        for (int k = 0; k < 3; ++k)
            cell[k] =
                static_cast<std::uint32_t>(detail::clamped_int((point[k] - low_[k]) * scale_[k], 0, 1023));
        return morton_code(cell[0], cell[1], cell[2]);
    }

  private:
    glm::vec3 low_;
    glm::vec3 scale_{0.0f};
};

}  // namespace bv
