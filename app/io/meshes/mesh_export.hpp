// Writes meshes to files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "bv/shapes/triangle.hpp"
#include "io/file_error.hpp"

namespace lab::io {

enum class MeshFormat : unsigned char { Obj, StlText, StlBinary, PlyText, PlyBinary, Off, Gltf, Glb };

/// The bytes of a file with this mesh. Text formats use enough digits to read each number back bit for bit.
/// Precondition: indices in range, positions finite. STL does not keep shared vertices; glTF embeds its data.
std::string encode_mesh(const bv::MeshView& mesh, const std::string& name, MeshFormat format);

/// Chooses the format by the extension; STL and PLY are binary. Atomic. Refuses other extensions, an index
/// out of range, a position that is not finite, and a mesh without triangles.
std::optional<FileError> write_mesh_file(const std::filesystem::path& path, const bv::MeshView& mesh);

}  // namespace lab::io
