// Whole files in and out. Writing never leaves half a file: the bytes go to a temporary name beside the
// target, to the disk, and only then take the target's name.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "io/file_error.hpp"

namespace lab::io {

/// The bytes of a regular file of at most `limit_bytes`.
Result<std::string> read_whole_file(const std::filesystem::path& path,
                                    std::size_t limit_bytes = std::size_t{1} << 30);

/// Nothing if all went well; else the old file stands as it was. Missing folders are made. A link is
/// followed; what is no regular file (a pipe, /dev/stdout) is written to directly.
std::optional<FileError> write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

/// Gives a file that could not be understood the name `path`.bad, or .bad2 and so on up to .bad9, so that it
/// is neither lost nor read again. The new name, or empty if that failed.
std::filesystem::path set_aside(const std::filesystem::path& path);

}  // namespace lab::io
