#include "workloads/boxes.hpp"

#include <algorithm>
#include <cmath>

#include "bv/portable_math.hpp"
#include "workloads/random.hpp"

namespace bv::workloads {
namespace {

constexpr float kMinHalf = 0.25f;
constexpr float kMaxHalf = 1.0f;

/// On one axis two boxes overlap if their centers are within the sum of two half extents, 1.25 m on average:
/// a range of 2.5 m out of the edge L. So N boxes in L^3 have N (2.5 / L)^3 neighbors each, which is one for
/// this edge.
float edge_for_one_overlap(std::size_t count) {
    return 2.5f * bv::cbrt(static_cast<float>(std::max<std::size_t>(count, 1)));
}

Aabb unit_box_at(const glm::vec3& low) {
    return {low, low + 1.0f};
}

int side_for(std::size_t count, int dimensions) {
    const double root = std::pow(static_cast<double>(count), 1.0 / dimensions);
    return std::max(1, static_cast<int>(std::lround(root)));
}

}  // namespace

MovingBoxes::MovingBoxes(std::size_t count, std::uint64_t seed) {
    Random random(seed, 0xb0);
    // No smaller than the largest box, so that each fits between the walls.
    const float half_edge = std::max(0.5f * edge_for_one_overlap(count), 2.0f * kMaxHalf);
    region_ = {glm::vec3(-half_edge), glm::vec3(half_edge)};
    for (std::size_t i = 0; i < count; ++i) {
        const glm::vec3 half = random.in_box(glm::vec3(kMinHalf), glm::vec3(kMaxHalf));
        half_extents_.push_back(half);
        centers_.push_back(random.in_box(region_.min + half, region_.max - half));
        velocities_.push_back(kSpeed * random.direction());
    }
}

std::vector<Aabb> MovingBoxes::boxes() const {
    std::vector<Aabb> all(size());
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = box(i);
    return all;
}

void MovingBoxes::step() noexcept {
    for (std::size_t i = 0; i < centers_.size(); ++i) {
        centers_[i] += displacement(i);
        for (int axis = 0; axis < 3; ++axis) {
            const float low = region_.min[axis] + half_extents_[i][axis];
            const float high = region_.max[axis] - half_extents_[i][axis];
            float& at = centers_[i][axis];
            float& speed = velocities_[i][axis];
            if (at < low) {
                at = low + (low - at);
                speed = std::abs(speed);
            } else if (at > high) {
                at = high - (at - high);
                speed = -std::abs(speed);
            }
        }
    }
}

std::vector<Aabb> row_of_boxes(std::size_t count) {
    std::vector<Aabb> row;
    for (std::size_t i = 0; i < count; ++i)
        row.push_back(unit_box_at({static_cast<float>(i), 0.0f, 0.0f}));
    return row;
}

std::vector<Aabb> grid_of_boxes(int n, float spacing) {
    std::vector<Aabb> grid;
    for (int z = 0; z < n; ++z)
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x)
                grid.push_back(unit_box_at(spacing * glm::vec3(x, y, z)));
    return grid;
}

std::vector<Aabb> floor_of_tiles(int n) {
    std::vector<Aabb> tiles;
    for (int z = 0; z < n; ++z) {
        for (int x = 0; x < n; ++x) {
            const glm::vec3 low(x, -0.1f, z);
            tiles.push_back({low, {low.x + 1.0f, 0.0f, low.z + 1.0f}});
        }
    }
    return tiles;
}

std::vector<Aabb> clusters_of_boxes(std::size_t count, int clusters, std::uint64_t seed) {
    Random random(seed, 0xc1);
    std::vector<glm::vec3> places(static_cast<std::size_t>(std::max(clusters, 1)));
    for (glm::vec3& place : places)
        place = random.in_box(glm::vec3(-100.0f), glm::vec3(100.0f));
    std::vector<Aabb> all;
    for (std::size_t i = 0; i < count; ++i) {
        const glm::vec3 place = random.one_of(places);
        // The product of two draws concentrates the boxes toward the middle of the cluster.
        const float spread = 10.0f * random.uniform();
        const glm::vec3 center = place + spread * random.in_ball();
        const glm::vec3 half = random.in_box(glm::vec3(0.05f), glm::vec3(0.4f));
        all.push_back({center - half, center + half});
    }
    return all;
}

std::vector<Aabb> giant_among_small(std::size_t count, std::uint64_t seed) {
    const MovingBoxes small(count, seed);
    std::vector<Aabb> all = small.boxes();
    if (!all.empty()) all.front() = small.region();
    return all;
}

std::vector<Aabb> identical_boxes(std::size_t count) {
    return std::vector<Aabb>(count, unit_box_at(glm::vec3(0.0f)));
}

std::vector<Aabb> flat_boxes(std::size_t count, std::uint64_t seed) {
    Random random(seed, 0xf1);
    std::vector<Aabb> all = MovingBoxes(count, seed).boxes();
    for (Aabb& box : all) {
        const std::uint32_t flattened = random.below(16);  // bits 0..2 name axes; bit 3 spares the box
        for (int axis = 0; axis < 3 && flattened < 8; ++axis)
            if (flattened & (1u << axis)) box.max[axis] = box.min[axis];
    }
    return all;
}

const std::vector<BoxArrangement>& box_arrangements() {
    static const std::vector<BoxArrangement> table{
        {"moving", [](std::size_t n, std::uint64_t seed) { return MovingBoxes(n, seed).boxes(); }},
        {"row", [](std::size_t n, std::uint64_t) { return row_of_boxes(n); }},
        {"grid", [](std::size_t n, std::uint64_t) { return grid_of_boxes(side_for(n, 3)); }},
        {"grid_touching", [](std::size_t n, std::uint64_t) { return grid_of_boxes(side_for(n, 3), 1.0f); }},
        {"tiles", [](std::size_t n, std::uint64_t) { return floor_of_tiles(side_for(n, 2)); }},
        {"clusters", [](std::size_t n, std::uint64_t seed) { return clusters_of_boxes(n, 8, seed); }},
        {"giant", giant_among_small},
        {"identical", [](std::size_t n, std::uint64_t) { return identical_boxes(n); }},
        {"flat", flat_boxes},
    };
    return table;
}

}  // namespace bv::workloads
