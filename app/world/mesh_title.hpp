// The names of meshes as people read them.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "world/mesh_library.hpp"

namespace lab {

/// MeshEntry::source of the large meshes of the gallery.
inline constexpr std::string_view kGallerySource = "gallery";

/// `torus knot` for the generated mesh `torus_knot`; the name of an opened mesh as it is; for a piece that a
/// scene cut off, its name without its key. `spawn` and settings take MeshEntry::name instead.
[[nodiscard]] inline std::string title_of(const MeshEntry& mesh) {
    const bool is_cut = mesh.source == MeshLibrary::kCut;
    std::string title = is_cut ? "piece of " + mesh.name.substr(0, mesh.name.rfind(' ')) : mesh.name;
    if (is_cut || mesh.source == MeshLibrary::kGenerated || mesh.source == kGallerySource)
        std::replace(title.begin(), title.end(), '_', ' ');
    return title;
}

}  // namespace lab
