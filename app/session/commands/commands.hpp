// Words of command lines, and the queue of lines. Keys, buttons, the palette, scripts, lessons, the command
// line and dropped files all push lines of text, and only Session::drain runs them: a session is the list of
// its lines.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

/// Splits a line into words at blanks. "Double quotes" keep blanks together; inside them a backslash escapes
/// a quote or backslash. Returns nothing and fills `error` for an unfinished quote.
std::optional<std::vector<std::string>> split_words(std::string_view line, std::string& error);
/// Splits `set a=1; pause` at semicolons and line ends that stand outside quotes, drops `#` comments (at the
/// start of a line or after a blank) and empty lines.
std::vector<std::string> split_lines(std::string_view text);
/// Quotes a word if split_words would otherwise not return it unchanged.
std::string quote_word(std::string_view word);

/// The origin of the commands of a link.
inline constexpr std::string_view kLinkOrigin = "link";

/// Command lines that wait for the next frame, each with its origin for error messages.
class CommandQueue {
  public:
    struct Entry {
        std::string line;
        std::string origin;  ///< Like `setup.txt:12` or `--run`; empty for keys and buttons.
    };

    void push(std::string line, std::string origin = {});
    /// Puts a line before all that wait.
    void push_next(std::string line);
    /// Pushes every line of `text`. Messages refer to `origin:line`.
    void push_script(std::string_view text, std::string_view origin);

    [[nodiscard]] bool empty() const { return next_ == entries_.size(); }
    [[nodiscard]] std::size_t size() const { return entries_.size() - next_; }
    /// Moves all entries of `other` to the end.
    void append(CommandQueue& other);
    /// Removes and returns the oldest entry. Precondition: not empty.
    Entry pop();
    void clear();

  private:
    std::vector<Entry> entries_;
    std::size_t next_ = 0;
};

}  // namespace lab
