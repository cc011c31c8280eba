// The voxels that a mesh's surface intersects. For each triangle, the voxels around it are halved again and
// again, and a block that the triangle cannot touch is dropped: the cost follows the surface, not the volume
// of the triangle's box. The voxels that are left are tested one by one.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "bv/query/overlap_triangle.hpp"
#include "bv/query/voxels.hpp"
#include "query/precise.hpp"

namespace bv {
namespace {

using detail::DVec3;
using detail::wide;

/// A block of voxels, both ends included.
struct VoxelBlock {
    glm::ivec3 first;
    glm::ivec3 last;

    [[nodiscard]] std::int64_t count() const noexcept {
        const glm::i64vec3 size = glm::i64vec3(last - first) + std::int64_t{1};
        return size.x * size.y * size.z;
    }
};

/// Up to this many voxels around a triangle, the test of each is faster than a search.
constexpr std::int64_t kSmall = 128;

/// Fills the voxels of a block that the triangle overlaps.
void fill_each(VoxelGrid& grid, const Triangle& t, const VoxelBlock& block) noexcept {
    for (int z = block.first.z; z <= block.last.z; ++z)
        for (int y = block.first.y; y <= block.last.y; ++y)
            for (int x = block.first.x; x <= block.last.x; ++x)
                if (overlap(grid.voxel_box({x, y, z}), t)) grid.set({x, y, z}, true);
}

/// One triangle against blocks of voxels: true for every block with a voxel that `overlap(Aabb, Triangle)`
/// accepts. The axes are those of that test without the box's own. The slack is several times that of the
/// test plus all roundings, relative to the size of the blocks.
class BlockSieve {
  public:
    /// `around` contains all blocks.
    BlockSieve(const Triangle& t, const Aabb& around) noexcept : base_(wide(t.a)) {
        const Aabb all = merge(merge(merge(around, t.a), t.b), t.c);
        size_ = detail::largest(wide(all.max) - wide(all.min));
        const DVec3 corners[3] = {DVec3(0.0), wide(t.b) - base_, wide(t.c) - base_};
        const DVec3 edges[3] = {corners[1], corners[2] - corners[1], -corners[2]};
        const double lengths[3] = {sum_of(edges[0]), sum_of(edges[1]), sum_of(edges[2])};
        // Any two edges give the normal. For a sliver it is mostly rounding, and the slack says so.
        const double rounding = size_ * lengths[0] * lengths[1] + size_ * size_ * (lengths[0] + lengths[1]);
        add(glm::cross(edges[0], edges[1]), 1e-13 * rounding, corners);
        for (const DVec3& edge : edges)
            for (int i = 0; i < 3; ++i) {
                DVec3 unit(0.0);
                unit[i] = 1.0;
                add(glm::cross(unit, edge), 1e-14 * size_ * size_, corners);
            }
    }

    [[nodiscard]] bool may_touch(const Aabb& block) const noexcept {
        const DVec3 center = detail::center_of(block) - base_;
        const DVec3 half = detail::half_of(block);
        for (const Axis& axis : axes_) {
            const double at = glm::dot(axis.normal, center);
            const double reach = glm::dot(axis.abs_normal, half);
            if (at - reach > axis.high || at + reach < axis.low) return false;
        }
        return true;
    }

  private:
    struct Axis {
        DVec3 normal, abs_normal;
        double low, high;  ///< Contains the triangle.
    };

    static double sum_of(const DVec3& v) noexcept { return std::abs(v.x) + std::abs(v.y) + std::abs(v.z); }
    void add(const DVec3& normal, double slack, const DVec3 (&corners)[3]) noexcept {
        const double b = glm::dot(normal, corners[1]), c = glm::dot(normal, corners[2]);
        const double margin = 1e-13 * size_ * sum_of(normal) + slack;
        axes_[count_++] = {normal, glm::abs(normal), std::min({0.0, b, c}) - margin,
                           std::max({0.0, b, c}) + margin};
    }

    DVec3 base_;
    double size_ = 0.0;
    std::array<Axis, 10> axes_{};
    std::size_t count_ = 0;
};

/// The same result as `fill_each`, for large blocks.
class TriangleFill {
  public:
    TriangleFill(VoxelGrid& grid, const Triangle& t, const VoxelBlock& around) noexcept
        : grid_(grid), triangle_(t), sieve_(t, box_of(around)) {}

    void fill(const VoxelBlock& block) noexcept {
        if (block.count() <= kFew) {
            fill_each(grid_, triangle_, block);
            return;
        }
        if (!sieve_.may_touch(box_of(block))) return;
        const glm::ivec3 size = block.last - block.first;
        const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
        VoxelBlock low = block, high = block;
        low.last[axis] = block.first[axis] + size[axis] / 2;
        high.first[axis] = low.last[axis] + 1;
        fill(low);
        fill(high);
    }

  private:
    static constexpr std::int64_t kFew = 8;  ///< So few voxels are not worth a test of the block.

    /// Contains the boxes of its voxels, bit for bit: both corners grow with the voxel's place.
    [[nodiscard]] Aabb box_of(const VoxelBlock& block) const noexcept {
        return {grid_.voxel_box(block.first).min, grid_.voxel_box(block.last).max};
    }

    VoxelGrid& grid_;
    const Triangle& triangle_;
    BlockSieve sieve_;
};

}  // namespace

std::optional<VoxelGrid> voxelize_surface(MeshView mesh, float voxel_size) {
    const auto usable = [](const Triangle& t) { return detail::has_points(t); };
    Aabb bounds;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const Triangle t = mesh.triangle(i);
        if (usable(t)) bounds = merge(merge(merge(bounds, t.a), t.b), t.c);
    }
    if (bounds.is_empty() || !(voxel_size > 0.0f)) return std::nullopt;
    const double edge = voxel_size;
    const DVec3 cells = glm::floor((wide(bounds.max) - wide(bounds.min)) / edge) + 1.0;
    if (!(cells.x * cells.y * cells.z < 1e12) || glm::max(cells.x, glm::max(cells.y, cells.z)) > 1e6)
        return std::nullopt;
    auto grid = VoxelGrid::make(glm::ivec3(cells), bounds.min, voxel_size);
    if (!grid) return std::nullopt;
    // Boxes of voxels are rounded to floats: by less than this many voxels, mostly 1.
    const DVec3 reach = glm::max(glm::abs(wide(bounds.min)), glm::abs(wide(bounds.max)));
    const DVec3 margin =
        1.0 + glm::floor(static_cast<double>(std::numeric_limits<float>::epsilon()) / edge * reach);
    const DVec3 last(grid->size() - 1);
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const Triangle t = mesh.triangle(i);
        if (!usable(t)) continue;
        const DVec3 lo = (wide(glm::min(t.a, glm::min(t.b, t.c))) - wide(bounds.min)) / edge;
        const DVec3 hi = (wide(glm::max(t.a, glm::max(t.b, t.c))) - wide(bounds.min)) / edge;
        const VoxelBlock around{glm::ivec3(glm::max(glm::floor(lo) - margin, DVec3(0.0))),
                                glm::ivec3(glm::min(glm::floor(hi) + margin, last))};
        if (around.count() <= kSmall)
            fill_each(*grid, t, around);
        else
            TriangleFill(*grid, t, around).fill(around);
    }
    return grid;
}

}  // namespace bv
