// Reads and writes whole files. Writing is atomic: the bytes go to a temporary file beside the target, are
// flushed to disk, and the file is then renamed. A killed program leaves its temporary file behind; the next
// write into that folder removes it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "io/file_error.hpp"

namespace lab::io {

/// The error with this `errno`, and what to do about it; `doing` is a clause like "cannot be opened".
FileError system_error(const std::filesystem::path& path, const std::string& doing, int code);
inline constexpr const char* kNotRegular = "is not a regular file";
inline constexpr const char* kGiveFileOnDisk = "Give the name of a file on a disk";

/// The bytes of a regular file of at most `limit_bytes`. Refuses folders, pipes and devices without waiting.
Result<std::string> read_whole_file(const std::filesystem::path& path,
                                    std::size_t limit_bytes = std::size_t{1} << 30);

/// Returns nothing on success; on failure the old file is unchanged. Creates no folders. Follows links, also
/// to a file that does not exist yet. Writes directly to anything but a regular file (a pipe, /dev/stdout),
/// and gives up on a pipe that stays full for five seconds.
std::optional<FileError> write_file_atomically(const std::filesystem::path& path, std::string_view bytes);
/// The next part of a file, which lasts until the next call; empty at the end, nothing if it is lost.
using NextPart = std::function<std::optional<std::string_view>()>;
/// The same for bytes that do not fit into memory.
std::optional<FileError> write_file_atomically(const std::filesystem::path& path, const NextPart& next);

/// The error of writing into a folder that does not exist; nothing if it does.
std::optional<FileError> missing_folder(const std::filesystem::path& path);

/// Renames an unreadable file to `path`.bad, or .bad2, .bad3, ..., so that it is neither lost nor read again.
/// Returns the new name, or empty on failure, also if the 999 names are all taken.
std::filesystem::path set_aside(const std::filesystem::path& path);

/// Whether both paths name the same file, existing or not: resolves links and `..`.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace lab::io
