// Whole files in and out. Writing never leaves half a file: the bytes go to a temporary name beside the
// target, to the disk, and only then take the target's name. A program that was ended while it wrote leaves
// its temporary file behind; the next one that writes into that folder removes it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "io/file_error.hpp"

namespace lab::io {

/// The bytes of a regular file of at most `limit_bytes`. Folders, pipes and devices are refused, not waited
/// for.
Result<std::string> read_whole_file(const std::filesystem::path& path,
                                    std::size_t limit_bytes = std::size_t{1} << 30);

/// Nothing if all went well; else the old file stands as it was. Missing folders are made. A link is
/// followed; what is no regular file (a pipe, /dev/stdout) is written to directly.
std::optional<FileError> write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

/// Gives a file that could not be understood the name `path`.bad, or .bad2 and so on up to .bad9, so that it
/// is neither lost nor read again. The new name, or empty if that failed.
std::filesystem::path set_aside(const std::filesystem::path& path);

/// Whether both names lead to the same file, now or once it is written: links and `..` are resolved.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace lab::io
