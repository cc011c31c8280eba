#include "bv/shapes/voxel_grid.hpp"

#include <cmath>

#include "bv/shapes/not_finite.hpp"

namespace bv {
namespace {

std::uint64_t bit_of(const glm::ivec3& voxel) noexcept {
    return std::uint64_t{1} << ((voxel.x & 3) + 4 * (voxel.y & 3) + 16 * (voxel.z & 3));
}

}  // namespace

std::optional<VoxelGrid> VoxelGrid::make(const glm::ivec3& size, const glm::vec3& origin, float voxel_size) {
    if (size.x <= 0 || size.y <= 0 || size.z <= 0) return std::nullopt;
    if (!(voxel_size > 0.0f) || !std::isfinite(voxel_size)) return std::nullopt;
    if (!is_finite(origin)) return std::nullopt;
    // With a corner beyond the largest float, voxels there would have no finite box.
    if (!is_finite(glm::vec3(glm::dvec3(origin) + static_cast<double>(voxel_size) * glm::dvec3(size))))
        return std::nullopt;
    VoxelGrid grid;
    grid.size_ = size;
    grid.bricks_ = (size - 1) / kBrick + 1;
    grid.origin_ = origin;
    grid.voxel_size_ = voxel_size;
    // One factor at a time, so that the product of three sizes cannot overflow.
    std::int64_t count = grid.bricks_.x;
    for (const int more : {grid.bricks_.y, grid.bricks_.z}) {
        count *= more;
        if (count > kMaxBricks) return std::nullopt;
    }
    grid.words_.assign(static_cast<std::size_t>(count), 0);
    return grid;
}

bool VoxelGrid::filled(const glm::ivec3& voxel) const noexcept {
    return inside(voxel) && (words_[index_of(voxel / kBrick)] & bit_of(voxel)) != 0;
}

void VoxelGrid::set(const glm::ivec3& voxel, bool is_filled) noexcept {
    if (!inside(voxel)) return;
    std::uint64_t& word = words_[index_of(voxel / kBrick)];
    word = is_filled ? word | bit_of(voxel) : word & ~bit_of(voxel);
}

std::size_t VoxelGrid::filled_count() const noexcept {
    std::size_t count = 0;
    for (std::uint64_t word : words_)
        for (; word != 0; word &= word - 1)
            ++count;
    return count;
}

Aabb VoxelGrid::voxel_box(const glm::ivec3& voxel) const noexcept {
    return {origin_ + glm::vec3(voxel) * voxel_size_,
            origin_ + glm::vec3(glm::dvec3(voxel) + 1.0) * voxel_size_};
}

Aabb VoxelGrid::bounds() const noexcept {
    Aabb result;
    for (int z = 0; z < bricks_.z; ++z)
        for (int y = 0; y < bricks_.y; ++y)
            for (int x = 0; x < bricks_.x; ++x) {
                const glm::ivec3 at(x, y, z);
                const std::uint64_t word = brick(at);
                if (word == 0) continue;
                for (int bit = 0; bit < 64; ++bit)
                    if ((word >> bit) & 1u)
                        result = merge(
                            result, voxel_box(at * kBrick + glm::ivec3(bit & 3, (bit >> 2) & 3, bit >> 4)));
            }
    return result;
}

}  // namespace bv
