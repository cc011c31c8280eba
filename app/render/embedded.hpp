// Files embedded in the program by the build: shaders and fonts.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace lab::render {

struct EmbeddedFile {
    std::string_view name;  ///< Path below the folder of shaders or fonts.
    std::span<const std::uint8_t> bytes;
};

std::span<const EmbeddedFile> embedded_shaders();
std::span<const EmbeddedFile> embedded_fonts();

}  // namespace lab::render
