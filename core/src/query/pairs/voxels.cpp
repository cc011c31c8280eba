// Grid against grid: bricks of b in the frame of a, then voxels, with one set of separating axes for each
// size of cube.
#include "bv/query/voxels.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "query/precise.hpp"

namespace bv {
namespace {

using detail::DVec3;
using detail::wide;

/// Cubes of two fixed sizes and orientations: only the offset of their centers changes from pair to pair.
class CubePair {
  public:
    /// `r`: columns are b's axes in a's frame.
    CubePair(const glm::dmat3& r, double half_a, double half_b, double slack) {
        const auto add = [&](const DVec3& axis) {
            const double length = glm::length(axis);
            // Parallel edges add nothing to the face axes.
            if (!(length > 1e-9)) return;
            const DVec3 n = axis / length;
            const DVec3 in_b = glm::abs(n * r);
            axes_[count_] = n;
            reach_[count_++] = half_a * (std::abs(n.x) + std::abs(n.y) + std::abs(n.z)) +
                               half_b * (in_b.x + in_b.y + in_b.z) + slack;
        };
        const DVec3 unit[3] = {DVec3(1, 0, 0), DVec3(0, 1, 0), DVec3(0, 0, 1)};
        for (const DVec3& e : unit)
            add(e);
        for (int j = 0; j < 3; ++j)
            add(r[j]);
        for (const DVec3& e : unit)
            for (int j = 0; j < 3; ++j)
                add(glm::cross(e, r[j]));
    }
    /// `offset`: b's center minus a's, in a's frame.
    [[nodiscard]] bool overlap(const DVec3& offset) const noexcept {
        for (std::size_t i = 0; i < count_; ++i)
            if (!(std::abs(glm::dot(axes_[i], offset)) <= reach_[i])) return false;
        return true;
    }

  private:
    std::array<DVec3, 15> axes_{};
    std::array<double, 15> reach_{};
    std::size_t count_ = 0;
};

/// First and last cell touched by [lo, hi], of `count` cells with edges `size`, starting at 0.
struct Range {
    int first;
    int last;
    Range(double lo, double hi, double size, int low, int high) noexcept
        : first(detail::clamped_int(std::ceil(lo / size) - 1.0, low, 1000000000)),
          last(detail::clamped_int(std::floor(hi / size), -1000000000, high)) {}
};

/// Calls `visit(voxel_a, voxel_b)` for each overlapping pair until it returns false.
template <class Visit, class Sink>
class GridPair {
  public:
    GridPair(const VoxelGrid& a, const RigidTransform& ta, const VoxelGrid& b, const RigidTransform& tb,
             Visit& visit, VoxelOverlapStats& stats, Sink& sink)
        : a_(a),
          b_(b),
          r_(glm::transpose(glm::dmat3(ta.rotation)) * glm::dmat3(tb.rotation)),
          // b's frame in that of a, with the origin at a's first corner.
          shift_((wide(tb.translation) - wide(ta.translation)) * glm::dmat3(ta.rotation) +
                 r_ * wide(b.origin()) - wide(a.origin())),
          size_a_(a.voxel_size()),
          size_b_(b.voxel_size()),
          slack_(1e-6 * std::max(size_a_, size_b_)),
          spread_(glm::abs(r_[0]) + glm::abs(r_[1]) + glm::abs(r_[2])),
          bricks_(r_, 0.5 * VoxelGrid::kBrick * size_a_, 0.5 * VoxelGrid::kBrick * size_b_, slack_),
          voxels_(r_, 0.5 * size_a_, 0.5 * size_b_, slack_),
          visit_(visit),
          stats_(stats),
          // NOLINTNEXTLINE(clang-analyzer-optin.cplusplus.UninitializedObject): a CubePair counts from 0
          sink_(sink) {}

    void run() {
        const double sum = shift_.x + shift_.y + shift_.z + spread_.x + spread_.y + spread_.z;
        if (!std::isfinite(sum)) return;
        for_cells(glm::ivec3(0), b_.bricks() - 1, [&](const glm::ivec3& brick_b) {
            return b_.brick(brick_b) == 0 || against_bricks(brick_b);
        });
    }

  private:
    template <class Cell>
    static bool for_cells(const glm::ivec3& first, const glm::ivec3& last, Cell&& cell) {
        for (int z = first.z; z <= last.z; ++z)
            for (int y = first.y; y <= last.y; ++y)
                for (int x = first.x; x <= last.x; ++x)
                    if (!cell(glm::ivec3(x, y, z))) return false;
        return true;
    }

    /// Calls `cell` for a's cells with edges `size_a`, from `low` to `high`, that the box around a cube of b
    /// touches.
    template <class Cell>
    bool for_cells_near(const DVec3& center, double half_b, double size_a, const glm::ivec3& low,
                        const glm::ivec3& high, Cell&& cell) const {
        glm::ivec3 first;
        glm::ivec3 last;
        for (int i = 0; i < 3; ++i) {
            const double reach = half_b * spread_[i] + slack_;
            const Range range(center[i] - reach, center[i] + reach, size_a, low[i], high[i]);
            first[i] = range.first;
            last[i] = range.last;
        }
        return for_cells(first, last, cell);
    }

    bool against_bricks(const glm::ivec3& brick_b) {
        const double edge_b = VoxelGrid::kBrick * size_b_;
        const double edge_a = VoxelGrid::kBrick * size_a_;
        const DVec3 center = shift_ + r_ * ((DVec3(brick_b) + 0.5) * edge_b);
        return for_cells_near(
            center, 0.5 * edge_b, edge_a, glm::ivec3(0), a_.bricks() - 1, [&](const glm::ivec3& brick_a) {
                const std::uint64_t word = a_.brick(brick_a);
                if (word == 0) return true;
                ++stats_.brick_tests;
                const bool overlap = bricks_.overlap(center - (DVec3(brick_a) + 0.5) * edge_a);
                sink_(CubesTested{true, brick_a, brick_b, overlap});
                return !overlap || inside_bricks(brick_a, word, brick_b);
            });
    }

    bool inside_bricks(const glm::ivec3& brick_a, std::uint64_t word_a, const glm::ivec3& brick_b) {
        const glm::ivec3 low = brick_a * VoxelGrid::kBrick;
        std::uint64_t word_b = b_.brick(brick_b);
        for (int bit = 0; word_b != 0; ++bit, word_b >>= 1) {
            if ((word_b & 1u) == 0) continue;
            const glm::ivec3 voxel_b =
                brick_b * VoxelGrid::kBrick + glm::ivec3(bit & 3, (bit >> 2) & 3, bit >> 4);
            const DVec3 center = shift_ + r_ * ((DVec3(voxel_b) + 0.5) * size_b_);
            const bool go_on =
                for_cells_near(center, 0.5 * size_b_, size_a_, low, low + 3, [&](const glm::ivec3& voxel_a) {
                    const glm::ivec3 in_brick = voxel_a - low;
                    if (((word_a >> (in_brick.x + 4 * in_brick.y + 16 * in_brick.z)) & 1u) == 0) return true;
                    ++stats_.voxel_tests;
                    const bool overlap = voxels_.overlap(center - (DVec3(voxel_a) + 0.5) * size_a_);
                    sink_(CubesTested{false, voxel_a, voxel_b, overlap});
                    return !overlap || visit_(voxel_a, voxel_b);
                });
            if (!go_on) return false;
        }
        return true;
    }

    const VoxelGrid& a_;
    const VoxelGrid& b_;
    glm::dmat3 r_;
    DVec3 shift_;
    double size_a_;
    double size_b_;
    double slack_;
    DVec3 spread_{0.0};
    CubePair bricks_;
    CubePair voxels_;
    Visit& visit_;
    VoxelOverlapStats& stats_;
    Sink& sink_;
};

template <class Visit, class Sink>
void for_each_pair(const VoxelGrid& a, const RigidTransform& ta, const VoxelGrid& b, const RigidTransform& tb,
                   Visit visit, VoxelOverlapStats* stats, Sink& sink) {
    VoxelOverlapStats own;
    GridPair<Visit, Sink>(a, ta, b, tb, visit, stats != nullptr ? *stats : own, sink).run();
}

template <class Sink>
std::vector<VoxelPair> find_pairs(const VoxelGrid& a, const RigidTransform& ta, const VoxelGrid& b,
                                  const RigidTransform& tb, std::size_t limit, VoxelOverlapStats* stats,
                                  Sink& sink) {
    std::vector<VoxelPair> pairs;
    if (limit == 0) return pairs;
    for_each_pair(
        a, ta, b, tb,
        [&](const glm::ivec3& in_a, const glm::ivec3& in_b) {
            pairs.push_back({in_a, in_b});
            return pairs.size() < limit;
        },
        stats, sink);
    return pairs;
}

}  // namespace

bool overlap(const VoxelGrid& a, const RigidTransform& a_to_world, const VoxelGrid& b,
             const RigidTransform& b_to_world, VoxelOverlapStats* stats) {
    bool found = false;
    NoTrace sink;
    for_each_pair(
        a, a_to_world, b, b_to_world,
        [&found](const glm::ivec3&, const glm::ivec3&) {
            found = true;
            return false;
        },
        stats, sink);
    return found;
}

std::vector<VoxelPair> overlapping_voxels(const VoxelGrid& a, const RigidTransform& a_to_world,
                                          const VoxelGrid& b, const RigidTransform& b_to_world,
                                          std::size_t limit, VoxelOverlapStats* stats) {
    NoTrace sink;
    return find_pairs(a, a_to_world, b, b_to_world, limit, stats, sink);
}

std::vector<VoxelPair> overlapping_voxels(const VoxelGrid& a, const RigidTransform& a_to_world,
                                          const VoxelGrid& b, const RigidTransform& b_to_world,
                                          std::size_t limit, Recording& trace) {
    return find_pairs(a, a_to_world, b, b_to_world, limit, nullptr, trace);
}

}  // namespace bv
