// Boxes for trees and broadphases: the moving workload for comparing speeds, and static arrangements, each
// with its own difficulty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/vec3.hpp>
#include <vector>

#include "bv/shapes/aabb.hpp"

namespace bv::workloads {

/// The workload of the published figures: half extents 0.25 to 1 m on each axis, a density at which each box
/// overlaps about one other, a speed of 2 m/s in random directions, a step of 1/60 s, reflecting walls. Boxes
/// stay entirely within the walls. The same count and seed give the same boxes after the same number of
/// steps.
class MovingBoxes {
  public:
    static constexpr float kStepSeconds = 1.0f / 60.0f;
    static constexpr float kSpeed = 2.0f;

    MovingBoxes(std::size_t count, std::uint64_t seed);

    [[nodiscard]] std::size_t size() const noexcept { return centers_.size(); }
    [[nodiscard]] Aabb box(std::size_t i) const noexcept {
        return {centers_[i] - half_extents_[i], centers_[i] + half_extents_[i]};
    }
    [[nodiscard]] std::vector<Aabb> boxes() const;
    /// The motion of box `i` in the next step, ignoring walls, for trees that predict motion.
    [[nodiscard]] glm::vec3 displacement(std::size_t i) const noexcept {
        return velocities_[i] * kStepSeconds;
    }
    [[nodiscard]] const Aabb& region() const noexcept { return region_; }
    void step() noexcept;

  private:
    std::vector<glm::vec3> centers_;
    std::vector<glm::vec3> half_extents_;
    std::vector<glm::vec3> velocities_;
    Aabb region_;
};

/// `count` unit boxes along x, each touching the next: sorted input, on which a tree without rotations
/// becomes a list.
std::vector<Aabb> row_of_boxes(std::size_t count);
/// Unit boxes at the points of an n * n * n lattice, `spacing` meters apart; they touch at 1.
std::vector<Aabb> grid_of_boxes(int n, float spacing = 2.0f);
/// Flat square tiles, 1 m wide and 0.1 m thick, that share their edges: n * n of them in the plane y = 0.
std::vector<Aabb> floor_of_tiles(int n);
/// Small boxes crowded into a few places of a large region.
std::vector<Aabb> clusters_of_boxes(std::size_t count, int clusters, std::uint64_t seed);
/// The initial positions of `MovingBoxes`, but the first box is as large as the whole region.
std::vector<Aabb> giant_among_small(std::size_t count, std::uint64_t seed);
/// Identical unit boxes: no split separates anything.
std::vector<Aabb> identical_boxes(std::size_t count);
/// Boxes of which about half have no thickness on one, two or all axes.
std::vector<Aabb> flat_boxes(std::size_t count, std::uint64_t seed);

/// One row of the table of arrangements, for tests that try all of them.
struct BoxArrangement {
    const char* id;
    std::vector<Aabb> (*make)(std::size_t count, std::uint64_t seed);  ///< About `count` boxes.
};
const std::vector<BoxArrangement>& box_arrangements();

}  // namespace bv::workloads
