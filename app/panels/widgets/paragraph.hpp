// Plain text on as many lines as it needs.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace lab::panels {

/// The text with line breaks in place of blanks, so that `measure` of each line is at most `width`; a word
/// that is wider is cut. Numbers stay whole: ImGui's own wrapping breaks behind a decimal point.
[[nodiscard]] std::string broken_at_blanks(std::string_view text, float width,
                                           const std::function<float(std::string_view)>& measure);

/// Writes the text from the cursor on, in the current font and color, as one item. `right` is where lines
/// end, in the window; 0: at the end of the content.
void paragraph(std::string_view text, float right = 0.0f);

}  // namespace lab::panels
