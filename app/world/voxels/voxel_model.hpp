// Voxel models: a grid for contact, cubes to draw, and a triangle surface, so that a model is also a mesh.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "bv/shapes/voxel_grid.hpp"
#include "io/voxels/voxel_file.hpp"
#include "results/exhibit.hpp"
#include "workloads/meshes.hpp"
#include "world/mesh_making.hpp"

namespace lab {

/// Edge of a voxel of an opened model, in meters.
inline constexpr float kModelVoxel_m = 0.1f;
/// Models with more surface squares are not shown.
inline constexpr std::size_t kMaxVoxelFaces = 1'000'000;

/// The model's voxels, with the center of its bottom at the origin. Empty if it has none or is too large.
std::optional<bv::VoxelGrid> grid_of(const io::VoxelModel& model, float voxel_size);
/// The visible cubes of a model, with the colors of its palette.
VoxelCells visible_cells(const io::VoxelModel& model, const bv::VoxelGrid& grid);
/// True if all six neighbors are filled.
[[nodiscard]] bool is_hidden(const bv::VoxelGrid& grid, const glm::ivec3& voxel);
/// Squares between a filled voxel and an empty one.
[[nodiscard]] std::size_t face_count(const bv::VoxelGrid& grid);
/// Two triangles for each of those squares, counter-clockwise seen from outside, in the grid's frame, with
/// shared vertices. Closed; where voxels meet only in an edge, four squares share that edge.
bv::workloads::MeshData surface_of(const bv::VoxelGrid& grid);

/// The model's surface as a mesh that is drawn as voxels, still to be made. Empty, with the reason in `why`,
/// if it is too large.
std::optional<MeshMaking> begin_voxel_mesh(const io::VoxelModel& model, const std::string& source,
                                           std::string& why, const MeshNeeds& needs);

/// A small floating island with a house and a tree: shown while no file is open, and an asset to try `open`
/// with.
io::VoxelModel sample_island();

}  // namespace lab
