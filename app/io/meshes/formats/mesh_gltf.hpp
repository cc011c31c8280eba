// glTF 2.0: .gltf, a JSON text, and .glb, the same with its data in one file.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "io/meshes/formats/mesh_formats.hpp"

namespace lab::io {

/// Files beside a .gltf file that hold its data, by the names it uses, percent-decoded.
using Siblings = std::map<std::string, std::string, std::less<>>;

struct NeededFile {
    std::string name;
    std::string where;  ///< `buffers[0].uri`.
};

/// Adds the triangles, strips and fans of the default scene, each node's mesh under its transform. Reads
/// positions of every component type, sparse and interleaved ones, too; buffers in the file, in data URIs and
/// in `siblings`. Where a file is needed that is not in `siblings`, adds nothing and says in `needs` which.
/// Morph targets add what their default weights say, skinned meshes stand where their joints do, animations
/// are ignored. Refused: what needs an extension that changes geometry, as compression does; names of files
/// outside of the folder. `where` is a line or empty, and `what` begins with the JSON path:
/// `accessors[3].count should be ...`.
ReadOutcome read_gltf(std::string_view bytes, bool binary, const Siblings& siblings,
                      std::vector<NeededFile>& needs, MeshBuilder& builder, const ReadProgress& progress);

/// What is wrong with the name of a file beside another one, for a message, or empty: absolute, with `..` or
/// a backslash, with a scheme or a drive, with control characters, empty, too long.
std::string fault_of_sibling_name(std::string_view name);

}  // namespace lab::io
