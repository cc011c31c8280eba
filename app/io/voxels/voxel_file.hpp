// Voxel models from MagicaVoxel's `.vox` files, and back.
//
// A file is a tree of chunks, each with the sizes of its content and of its children. SIZE and XYZI make a
// model, RGBA the palette, nTRN, nGRP and nSHP the scene that places models, LAYR its layers, which may be
// hidden; everything else is skipped.
// Every size and index is checked against the bytes that are there before it is used. Files have z up; here y
// is up, as everywhere in this program.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/file_error.hpp"

namespace lab::io {

using Rgba = std::array<std::uint8_t, 4>;

/// Equal cubes on a lattice. Each position is within `size` and unique, ordered by z, y, x.
struct VoxelModel {
    struct Voxel {
        glm::ivec3 at{0};
        std::uint8_t color = 1;  ///< Index into the palette, 1..255.
        friend bool operator==(const Voxel&, const Voxel&) = default;
    };
    std::string name;  ///< After the file, without folder and extension.
    glm::ivec3 size{0};
    std::vector<Voxel> voxels;
    std::array<Rgba, 256> palette{};  ///< Entry 0 is not used.
    std::uint32_t parts = 0;          ///< Placed models that were merged.
};

/// The default palette, for files without one.
[[nodiscard]] const std::array<Rgba, 256>& default_vox_palette();

inline constexpr std::size_t kMaxVoxels = std::size_t{1} << 22;
inline constexpr int kMaxVoxelExtent = 1024;  ///< Along each axis, of all placed models together.
inline constexpr int kMaxVoxModelExtent = 256;

/// The model of a whole file: all visible models as the scene places them, merged; where two share a place
/// the later one wins. Without a scene, several models stand side by side. Refused, with the byte: what is
/// cut off, sizes that do not fit into each other, a voxel outside of its model, a scene that refers to what
/// is not there or to itself, more bytes or voxels than its counts state, more than the limits above, no
/// visible voxels at all. `path` only names the file in errors.
Result<VoxelModel> parse_vox(std::string_view bytes, const std::string& path);
/// The same from a file of up to 256 MiB.
Result<VoxelModel> read_vox_file(const std::filesystem::path& path);

/// The bytes of a file with this model, which must keep its own rules and be at most 256 voxels along each
/// axis.
std::string encode_vox(const VoxelModel& model);
/// Atomic. A model that is too large for the format, has no voxels or a voxel outside of its size is refused.
std::optional<FileError> write_vox_file(const std::filesystem::path& path, const VoxelModel& model);

/// Sorts the voxels and keeps the last one of each place.
void make_unique(VoxelModel& model);

}  // namespace lab::io
