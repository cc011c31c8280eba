#include "render/font.hpp"

#include <string_view>

#include "render/embedded.hpp"

namespace lab::render {

namespace {

std::span<const std::uint8_t> font_file(std::string_view name) {
    for (const EmbeddedFile& file : embedded_fonts())
        if (file.name == name) return file.bytes;
    return {};
}

}  // namespace

std::span<const std::uint8_t> roboto_regular() {
    return font_file("Roboto-Regular.ttf");
}
std::span<const std::uint8_t> roboto_medium() {
    return font_file("Roboto-Medium.ttf");
}

}  // namespace lab::render
