// The fonts inside the program: Roboto (Apache 2.0), as TrueType bytes. Panels and the renderer use the same
// ones.
#pragma once

#include <cstdint>
#include <span>

namespace lab::render {

/// Valid as long as the program runs. For ImGui: AddFontFromMemoryTTF with FontDataOwnedByAtlas = false.
std::span<const std::uint8_t> roboto_regular();
/// Somewhat heavier: labels over a picture, headings.
std::span<const std::uint8_t> roboto_medium();

}  // namespace lab::render
