// The kind of a file, by its extension: one table for reading and for writing.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/file_error.hpp"

namespace lab::io {

enum class FileKind : unsigned char {
    Unknown,
    // Can be opened.
    Mesh,
    Voxels,
    Boxes,
    Tree,
    Capture,
    Recording,
    Scene,
    // Written only; some share their endings with the former.
    Picture,
    Report,
    TreeExport,
    Metrics,
};

struct FileKindRow {
    FileKind kind;
    std::string_view plural;                    ///< Like "lists of boxes".
    std::span<const std::string_view> endings;  ///< In lower case, with the dot.
    bool opens = true;
};

/// One row for each kind but Unknown.
[[nodiscard]] std::span<const FileKindRow> file_kinds();
/// The kind by the name alone, whatever the case of its ending.
[[nodiscard]] FileKind kind_of_file(const std::filesystem::path& path);
/// The kind that `open` takes the file for: that of its name, but a .json file whose content begins as
/// `export.tree` writes it is a tree.
[[nodiscard]] FileKind kind_to_open(const std::filesystem::path& path);
/// Whether the name ends as names of that kind do.
[[nodiscard]] bool has_ending_of(FileKind kind, const std::filesystem::path& path);
/// Like ".txt or .csv".
[[nodiscard]] std::string endings_of(FileKind kind);
/// Why nothing of that kind is written under this name; nothing if all is well. Pipes and devices may have
/// any name.
[[nodiscard]] std::optional<FileError> wrong_ending(FileKind kind, const std::filesystem::path& path);

/// Whether a scene or a recording may name this file among those that it needs, judged by its name: files
/// that it shows, but never another recording. A .json file may be an exported tree; if it is another scene,
/// which could name the first in turn, it is refused when it is to be opened.
[[nodiscard]] bool may_be_needed(const std::filesystem::path& path);
/// Why it may not, as a clause, and what to do.
inline constexpr const char* kNotNeededWhy =
    "a scene or a recording may need meshes, voxel models, lists of boxes, trees and captures, and nothing "
    "else";

/// The same place as a path without `.`, and with `..` only at its beginning. Behind a symbolic link, `..` is
/// the folder around the link's target.
[[nodiscard]] std::filesystem::path normal_path(const std::filesystem::path& path);
/// A path as it is stored in a file: relative to the file's folder if it lies inside, so that the folder can
/// be moved as a whole; otherwise absolute.
[[nodiscard]] std::string path_in_file(const std::filesystem::path& file, const std::string& path);
/// The inverse: resolves a relative path against the file's folder.
[[nodiscard]] std::string path_from_file(const std::filesystem::path& file, const std::string& written);
/// True if both have the same `normal_path` from the root; other links are not followed.
[[nodiscard]] bool is_same_place(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace lab::io
