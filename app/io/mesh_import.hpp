// The part that runs inside the mesh reader: a file becomes a sound mesh, or an error.
#pragma once

#include <functional>
#include <string>

#include "io/mesh_file.hpp"

namespace lab::io {

/// Reads with the readers of our own where they know the format and with assimp otherwise, merges all parts
/// with their transforms applied, joins equal positions, leaves out triangles without area, refuses what
/// `MeshFile` does not allow. May crash, hang or exhaust memory on hostile files, as assimp does.
Result<MeshFile> import_mesh(const std::string& path, const std::function<void(float)>& progress);

}  // namespace lab::io
