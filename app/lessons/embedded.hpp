// The lesson texts embedded by the build.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace lab::lessons {

struct EmbeddedFile {
    std::string_view name;  ///< File name without folder.
    std::span<const std::uint8_t> bytes;
};

std::span<const EmbeddedFile> embedded_lessons();

}  // namespace lab::lessons
