// Writes PNG pictures.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/file_error.hpp"

namespace lab::io {

/// Writes an 8-bit RGBA picture, rows from the top down without gaps, as PNG, atomically. An error, and no
/// file, if width or height is not positive or `rgba` has not exactly four bytes for each pixel.
std::optional<FileError> write_png(const std::filesystem::path& path, int width, int height,
                                   std::span<const std::uint8_t> rgba);

/// The bytes in the format of zlib, as they are inside a PNG. Throws std::bad_alloc.
[[nodiscard]] std::string deflated(std::string_view bytes);

}  // namespace lab::io
