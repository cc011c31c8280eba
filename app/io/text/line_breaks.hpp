// Breaks texts into lines, for the panels and for the picture.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace lab::io {

/// The text with line breaks in place of blanks, so that `measure` of each line is at most `width`; a word
/// that is wider is cut. Numbers stay whole, and a unit stays with its number.
[[nodiscard]] std::string broken_at_blanks(std::string_view text, float width,
                                           const std::function<float(std::string_view)>& measure);

}  // namespace lab::io
