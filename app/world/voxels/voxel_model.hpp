// Voxel models as the sandbox uses them: a grid for contact, cubes to draw, and a surface of triangles, so
// that a model is also a mesh like any other.
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
#include "world/mesh_library.hpp"

namespace lab {

/// Metres along the edge of a voxel of an opened model.
inline constexpr float kModelVoxel_m = 0.1f;
/// A model whose surface has more squares than this is not shown.
inline constexpr std::size_t kMostVoxelFaces = 1'000'000;

/// The model's voxels, the middle of its bottom at the origin. Nothing if it has none or is too large.
std::optional<bv::VoxelGrid> grid_of(const io::VoxelModel& model, float voxel_size);
/// The cubes of a model that can be seen, with the colors of its palette.
VoxelCells visible_cells(const io::VoxelModel& model, const bv::VoxelGrid& grid);
/// True if all six neighbors are filled.
[[nodiscard]] bool is_hidden(const bv::VoxelGrid& grid, const glm::ivec3& voxel);
/// Squares between a filled voxel and an empty one.
[[nodiscard]] std::size_t face_count(const bv::VoxelGrid& grid);
/// Two triangles for each of those squares, counter-clockwise seen from outside, in the grid's frame; corners
/// at one place are one. Closed; where voxels meet in an edge only, four squares share that edge.
bv::workloads::MeshData surface_of(const bv::VoxelGrid& grid);

/// The model's surface as a mesh that is drawn as voxels, for MeshLibrary::insert. Nothing, and why, if it is
/// too large. Touches no library; of a cancelled job the entry is unfinished, as MeshLibrary::make says.
std::optional<MeshEntry> make_voxel_mesh(const io::VoxelModel& model, const std::string& source,
                                         std::string& why, const MeshNeeds& needs, const JobControl& control);

/// A small floating island with a house and a tree: shown while nothing is opened, and an asset to try `open`
/// with.
io::VoxelModel sample_island();

}  // namespace lab
