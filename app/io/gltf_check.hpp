// What assimp does not say about glTF files.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lab::io {

/// How many triangles the primitives of a .gltf or .glb file state, each mesh counted once. Nothing if the
/// file has primitives that are no plain triangles, or cannot be understood. assimp leaves out triangles
/// whose indices are out of range without a word; a smaller number from it gives that away.
std::optional<std::uint64_t> stated_gltf_triangles(std::string_view bytes);

}  // namespace lab::io
