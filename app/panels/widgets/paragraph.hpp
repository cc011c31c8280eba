// Plain text on as many lines as it needs, broken by `io::broken_at_blanks`: ImGui's own wrapping breaks
// behind a decimal point.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lab::panels {

/// The text with line breaks, so that no line is wider than `width` in the current font if its words are not.
[[nodiscard]] std::string on_lines(std::string_view text, float width);

/// The first `count` lines of `on_lines`; the last one ends in "…" if there are more.
[[nodiscard]] std::string first_lines(std::string_view text, float width, std::size_t count);

/// The text, or as much of it as fits into `width` with "…" behind it; empty where not even that does.
[[nodiscard]] std::string fitted(const std::string& text, float width);

/// The text, or as much of its end as fits into `width` with "…" before it: of a path, the end names the
/// folder.
[[nodiscard]] std::string fitted_end(const std::string& text, float width);

/// Writes the text from the cursor on, in the current font and color, as one item. `right` is where lines
/// end, in the window; 0: at the end of the content.
void paragraph(std::string_view text, float right = 0.0f);

}  // namespace lab::panels
