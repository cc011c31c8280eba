// Makes text from files, paths and command lines safe to print.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lab::io {

enum class LineEnds : unsigned char {
    Escape,  ///< A line end is shown as `\n`: the text stays on one line.
    Keep
};

/// Replaces control characters, invalid UTF-8 and bidirectional controls by escapes such as `\x1b` and
/// `\u202e`, so that no file can control a terminal or forge a line of output. Truncates, with `...`, after
/// `max_bytes`. Leaves printable text unchanged.
[[nodiscard]] std::string printable(std::string_view text, LineEnds line_ends = LineEnds::Escape,
                                    std::size_t max_bytes = 4000);
/// True if the text is valid UTF-8 without control characters.
[[nodiscard]] bool is_plain_text(std::string_view text);
[[nodiscard]] bool is_valid_utf8(std::string_view text);

}  // namespace lab::io
