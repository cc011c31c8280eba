// Scans words, numbers and lines of untrusted text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lab::io {

/// A single pass over a text that counts lines. Spaces, tabs and line ends (LF, CR LF or CR) separate words.
/// Skips a byte order mark at the start.
class TextScanner {
  public:
    /// The scanner stops at longer lines: the file is damaged or hostile.
    static constexpr std::size_t kLongestLine = std::size_t{64} << 20;

    enum class Lines : unsigned char {
        AsTheyAre,
        JoinedByBackslash,  ///< A backslash right before its end joins the next line to this one.
    };

    explicit TextScanner(std::string_view text, Lines lines = Lines::AsTheyAre,
                         std::size_t longest_line = kLongestLine);

    /// The next word of this line; empty at its end.
    std::string_view word_in_line();
    /// The next word of this line or a later one; empty at the end of the text.
    std::string_view word();
    /// The rest of this line without its end; a backslash does not continue it.
    std::string_view rest_of_line();
    /// Skips to the next line. False at the end of the text.
    bool next_line();
    [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
    [[nodiscard]] std::size_t line() const { return line_; }
    [[nodiscard]] std::size_t byte() const { return at_; }
    [[nodiscard]] std::string where() const { return "line " + std::to_string(line_); }
    /// `what`, or that this line is longer than allowed: then the scanner has stopped, and whatever seems to
    /// be missing follows from that. Empty if `what` is and all is well.
    [[nodiscard]] std::string fault(std::string what) const;

  private:
    /// The bytes of the line end that begins at `at`: 0 if none does.
    [[nodiscard]] std::size_t line_end(std::size_t at) const;
    /// The bytes of a backslash and the line end behind it; 0 elsewhere.
    [[nodiscard]] std::size_t joint(std::size_t at) const;
    void check_length();

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
    std::size_t line_start_ = 0;
    std::size_t longest_line_;
    bool joined_;
    bool too_long_ = false;
};

/// Takes the first line away from a text and returns it without its end: LF, CR LF or CR, as TextScanner has
/// them.
std::string_view take_line(std::string_view& text);
/// Parses a finite number in single precision: the nearest one, zero where it is too small. `+1`, `.5`, `5.`
/// and `1e3` are numbers. Returns what is wrong with the word, for a message, or empty.
std::string parse_finite(std::string_view word, float& value);
/// True for everything that `parse_finite` takes, for numbers too large for it, and for the infinities and
/// NaN.
bool is_number(std::string_view word);
/// A whole number that fits into 64 bits.
std::optional<long long> parse_whole(std::string_view word);
/// The word in quotes for a message, truncated, with `?` for unprintable characters.
std::string shown(std::string_view word);
/// True if the two are equal ignoring case; `lower` is in lower case.
bool same_word(std::string_view word, std::string_view lower);

}  // namespace lab::io
