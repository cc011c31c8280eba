// Text from files, paths and command lines made fit to be shown.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lab::io {

enum class LineEnds : unsigned char {
    Escape,  ///< A line end is shown as `\n`: the text stays on one line.
    Keep
};

/// The text with control characters, invalid UTF-8 and characters that turn the direction of writing around
/// replaced by escapes like `\x1b` and `\u202e`, so that no file can steer a terminal or forge a line of
/// output. Cut off, with `...`, behind `most_bytes`. Printable text comes back as it was.
[[nodiscard]] std::string printable(std::string_view text, LineEnds line_ends = LineEnds::Escape,
                                    std::size_t most_bytes = 4000);
/// True if the text is valid UTF-8 without control characters.
[[nodiscard]] bool is_plain_text(std::string_view text);
[[nodiscard]] bool is_valid_utf8(std::string_view text);

}  // namespace lab::io
