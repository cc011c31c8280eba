// What a file is, by the end of its name.
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

/// A path as it is written into a file beside others: relative to the file's folder if it lies in there, so
/// that the folder can be moved as a whole; else absolute.
[[nodiscard]] std::string path_in_file(const std::filesystem::path& file, const std::string& path);
/// The way back: a relative path counts from the file's folder.
[[nodiscard]] std::string path_from_file(const std::filesystem::path& file, const std::string& written);
/// True if both are the same place, however they are spelled; links are not followed.
[[nodiscard]] bool is_same_place(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace lab::io
