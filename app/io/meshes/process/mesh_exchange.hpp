// Both ends of the wire: how a reader answers with a mesh, and what the program has received of it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/meshes/formats/mesh_gltf.hpp"
#include "io/meshes/mesh_file.hpp"
#include "io/meshes/process/mesh_wire.hpp"

namespace lab::io::wire {

constexpr const char* kNoMemory = "reading it needs more memory than is allowed for a file";
constexpr const char* kDamaged = "The file is probably damaged";

/// Passes on a frame; false if that failed.
using Send = std::function<bool(const std::string&)>;

/// Reads a mesh as `import_mesh` does and sends frames: progress, then the mesh, its error, or the names of
/// files that it needs. False if the last frame could not be sent.
bool answer(std::string_view extension, std::string_view bytes, const Siblings& siblings, const Send& send);

/// Everything received so far.
struct Received {
    float fraction = 0.0f;
    std::optional<FileError> failure;
    std::optional<MeshFile> mesh;
    std::vector<NeededFile> needs;
    std::uint32_t refused_fences = 0;

    /// Takes every frame that has arrived. False if one is malformed.
    bool take_frames(Parser& parser);
};

}  // namespace lab::io::wire
