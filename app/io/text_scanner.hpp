// Words, numbers and lines of a text that may hold anything.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lab::io {

/// Walks through a text once and knows the line it is in. Words are separated by spaces, tabs and line ends.
class TextScanner {
  public:
    explicit TextScanner(std::string_view text) : text_(text) {}

    /// The next word of this line; empty at its end.
    std::string_view word_in_line();
    /// The next word of this line or a later one; empty at the end of the text.
    std::string_view word();
    /// What is left of this line, without its end.
    std::string_view rest_of_line();
    /// Goes behind the end of this line. False if that is the end of the text.
    bool next_line();
    [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
    [[nodiscard]] std::size_t line() const { return line_; }
    [[nodiscard]] std::size_t byte() const { return at_; }
    [[nodiscard]] std::string where() const { return "line " + std::to_string(line_); }

  private:
    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
};

/// A finite number in single precision: the nearest one, zero where it is too small. What is wrong with the
/// word, for a message, or empty.
std::string parse_finite(std::string_view word, float& value);
/// A whole number that fits into 64 bits.
std::optional<long long> parse_whole(std::string_view word);
/// The word in quotes for a message, cut off if it is long, with `?` for what is no printable letter.
std::string shown(std::string_view word);
/// True if the two are equal but for the case of their letters; `lower` is in lower case.
bool same_word(std::string_view word, std::string_view lower);

}  // namespace lab::io
