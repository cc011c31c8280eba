// Meshes to files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "bv/shapes/triangle.hpp"
#include "io/file_error.hpp"

namespace lab::io {

enum class MeshFormat : unsigned char { Obj, StlText, StlBinary, PlyText, PlyBinary, Off, Gltf, Glb };

/// The bytes of a file with this mesh. Text formats have as many digits as bring each number back bit for
/// bit. Indices must be in range and positions finite. STL keeps no shared vertices; glTF holds its data
/// within the file.
std::string encode_mesh(const bv::MeshView& mesh, const std::string& name, MeshFormat format);

/// By the extension of the name; STL and PLY binary. Atomic. Refused: another extension, an index out of
/// range, a position that is not finite, no triangles.
std::optional<FileError> write_mesh_file(const std::filesystem::path& path, const bv::MeshView& mesh);

}  // namespace lab::io
