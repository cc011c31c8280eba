// Voxel grids against one another, voxel by voxel.
//
// Both grids have rigid transforms; two filled voxels overlap iff their cubes share a point, by the 15 axes
// of two boxes. All pairs of voxels have the same axes, so these and the projected radii are computed once,
// and a pair costs up to 15 projections of one vector. Bricks of 4 x 4 x 4 voxels are tested first in the
// same way; empty ones are skipped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <vector>

#include "bv/shapes/triangle.hpp"
#include "bv/shapes/voxel_grid.hpp"
#include "bv/trace/trace.hpp"

namespace bv {

/// Rotation, then translation: from a grid's own frame to the world. Columns of the rotation are orthonormal
/// to 1e-4.
struct RigidTransform {
    glm::mat3 rotation{1.0f};
    glm::vec3 translation{0.0f};
};

struct VoxelPair {
    glm::ivec3 a{0};
    glm::ivec3 b{0};
    friend bool operator==(const VoxelPair&, const VoxelPair&) = default;
};

struct VoxelOverlapStats {
    std::uint64_t brick_tests = 0;
    std::uint64_t voxel_tests = 0;
};

/// True iff a filled voxel of one overlaps a filled voxel of the other. Touching counts; double precision
/// with a slack of 1e-6 of a voxel, so that touching survives the rounding of the transforms. A transform
/// that is not finite gives false. Stops at the first pair; no allocation. Oracle: every pair of voxels by
/// the OBB test.
[[nodiscard]] bool overlap(const VoxelGrid& a, const RigidTransform& a_to_world, const VoxelGrid& b,
                           const RigidTransform& b_to_world, VoxelOverlapStats* stats = nullptr);

/// All pairs of overlapping voxels, up to `limit`, in unspecified order. Allocates.
[[nodiscard]] std::vector<VoxelPair> overlapping_voxels(const VoxelGrid& a, const RigidTransform& a_to_world,
                                                        const VoxelGrid& b, const RigidTransform& b_to_world,
                                                        std::size_t limit = ~std::size_t{0},
                                                        VoxelOverlapStats* stats = nullptr);

/// The same with one `CubesTested` per test.
[[nodiscard]] std::vector<VoxelPair> overlapping_voxels(const VoxelGrid& a, const RigidTransform& a_to_world,
                                                        const VoxelGrid& b, const RigidTransform& b_to_world,
                                                        std::size_t limit, Recording& trace);

/// The voxels that a mesh's surface intersects, touching included: those whose boxes overlap a triangle. The
/// grid covers the mesh's box in the mesh's frame. Empty if the mesh has no finite triangle, or there would
/// be too many voxels. Cost: the number of voxels around each triangle's surface, not in its box. Allocates
/// the grid only.
[[nodiscard]] std::optional<VoxelGrid> voxelize_surface(MeshView mesh, float voxel_size);

}  // namespace bv
