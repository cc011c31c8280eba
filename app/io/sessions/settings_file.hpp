// Preferences: names and values in a flat JSON file.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "io/file_error.hpp"

namespace lab::io {

using SettingsMap = std::map<std::string, std::string>;

struct SettingsRead {
    SettingsMap values;                ///< Empty if the file is missing or could not be understood.
    std::optional<FileError> problem;  ///< A missing file is none.
    std::filesystem::path kept_as;     ///< Where a file that could not be understood went; else empty.
};

/// A JSON object whose values are strings, numbers or true and false; numbers are kept as they are spelled by
/// JSON. Held to the limits of io/limits.hpp; names that stand twice are refused. Pure: for tests and for
/// text from elsewhere. `path` only names it in errors.
Result<SettingsMap> parse_settings(std::string_view text, const std::string& path);
/// Renames (see `set_aside`) and reports anything that cannot be read as such an object (a folder, a pipe, a
/// file without read permission), so that the next start is clean.
SettingsRead read_settings_file(const std::filesystem::path& path);
/// Sorted by name, one a line, written atomically. Refuses what `read_settings_file` would not read.
std::optional<FileError> write_settings_file(const std::filesystem::path& path, const SettingsMap& values);

}  // namespace lab::io
