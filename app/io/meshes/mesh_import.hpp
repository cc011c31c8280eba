// The part that runs inside the mesh reader: the bytes of a file become a sound mesh, or an error.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "io/meshes/mesh_gltf.hpp"

namespace lab::io {

/// Reads the bytes of a file whose name ends with `extension` (`.obj`), in any case, with the one reader for
/// it: contents do not choose. Merges all parts with their transforms applied, joins equal positions, leaves
/// out triangles without area, refuses what `MeshFile` does not allow. If files beside it are needed, `needs`
/// has them and the result means nothing. Errors have no path.
Result<MeshFile> import_mesh(std::string_view extension, std::string_view bytes, const Siblings& siblings,
                             std::vector<NeededFile>& needs, const ReadProgress& progress);

}  // namespace lab::io
