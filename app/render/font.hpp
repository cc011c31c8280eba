// The fonts inside the program: Roboto (Apache 2.0), as TrueType bytes. Panels and the renderer use the same
// ones.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace lab::render {

/// Valid as long as the program runs. For ImGui: AddFontFromMemoryTTF with FontDataOwnedByAtlas = false.
std::span<const std::uint8_t> roboto_regular();
/// Somewhat heavier: labels over a picture, headings.
std::span<const std::uint8_t> roboto_medium();

/// The width of one line of labels, in Roboto Medium; without kerning, so up to some percent more than
/// `layout` makes of it.
[[nodiscard]] float text_width_px(std::string_view text, float size_px);

}  // namespace lab::render
