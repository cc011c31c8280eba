// The part that runs inside the mesh reader: turns the bytes of a file into a valid mesh or an error.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "io/meshes/formats/mesh_gltf.hpp"

namespace lab::io {

/// Reads the bytes of a file with the reader for `extension` (`.obj`, in upper or lower case); the contents
/// never choose the reader. Merges all parts with their transforms applied, welds equal positions, drops
/// triangles without area, and refuses meshes that `MeshFile` does not allow. If further files are needed,
/// lists them in `needs`, and the result is meaningless. Errors have no path.
Result<MeshFile> import_mesh(std::string_view extension, std::string_view bytes, const Siblings& siblings,
                             std::vector<NeededFile>& needs, const ReadProgress& progress);

}  // namespace lab::io
