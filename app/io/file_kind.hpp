// The kind of a file, by its extension.
#pragma once

#include <filesystem>
#include <string>

namespace lab::io {

enum class FileKind : unsigned char { Unknown, Mesh, Voxels, Boxes, Tree, Scene, Recording };

[[nodiscard]] FileKind kind_of_file(const std::filesystem::path& path);

/// Whether a scene or a recording may name it among the files that it needs: what is shown in it, but never
/// another scene or recording, which could name it in turn.
[[nodiscard]] bool may_be_needed(const std::filesystem::path& path);
/// Why it may not, as a clause, and what to do.
inline constexpr const char* kNotNeededWhy =
    "a scene or a recording may need meshes, voxel models, lists of boxes and trees, and nothing else";

/// A path as it is stored in a file: relative to the file's folder if it lies inside, so that the folder can
/// be moved as a whole; otherwise absolute.
[[nodiscard]] std::string path_in_file(const std::filesystem::path& file, const std::string& path);
/// The inverse: resolves a relative path against the file's folder.
[[nodiscard]] std::string path_from_file(const std::filesystem::path& file, const std::string& written);
/// True if both paths are lexically the same place; does not follow links.
[[nodiscard]] bool is_same_place(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace lab::io
