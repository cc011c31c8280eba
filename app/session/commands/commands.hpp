// Words of command lines, and the queue of lines. Keys, buttons, the palette, scripts, lessons, the command
// line and dropped files all push lines of text, and only Session::drain runs them: a session is the list of
// its lines.
#pragma once

#include <cstddef>
#include <deque>
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
    /// The same as pushing it so many times, in the memory of one line.
    void push_repeated(std::string line, std::string origin, std::size_t times);
    /// Puts a line before all that wait.
    void push_next(std::string line, std::string origin = {});
    /// Pushes every line of `text`. Messages refer to `origin:line`.
    void push_script(std::string_view text, std::string_view origin);

    [[nodiscard]] bool empty() const { return size_ == 0; }
    /// Number of lines; repeated ones count each time.
    [[nodiscard]] std::size_t size() const { return size_; }
    /// Moves all entries of `other` to the end.
    void append(CommandQueue& other);
    /// Removes and returns the oldest entry. Precondition: not empty.
    Entry pop();
    void clear();

  private:
    struct Repeated {
        Entry entry;
        std::size_t times = 1;
    };
    std::deque<Repeated> entries_;
    std::size_t size_ = 0;
};

}  // namespace lab
