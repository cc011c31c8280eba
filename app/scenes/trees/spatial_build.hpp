// Building a tree of long triangles with planes that may cut them, as steps.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "bv/shapes/aabb.hpp"
#include "bv/tree/snapshot.hpp"
#include "results/frame_results.hpp"
#include "steps/walk.hpp"
#include "workloads/meshes.hpp"

namespace lab::scenes {

/// A long thin triangle through the middle of each box, all leaning much the same way: their boxes overlap
/// nearly everywhere.
[[nodiscard]] bv::workloads::MeshData make_needles(std::span<const bv::Aabb> places, std::uint64_t seed);
struct SpatialBuild {
    std::shared_ptr<const steps::Walk> walk;
    bv::TreeSnapshot tree;
};
/// Builds with and without cuts; walk and tree are those of the first.
[[nodiscard]] SpatialBuild build_spatially(const bv::MeshView& mesh);
void put_needles(FrameResults& results, const bv::workloads::MeshData& needles);

}  // namespace lab::scenes
