// Words of command lines, and the queue that carries the lines. Keys, buttons, the palette, scripts, lessons,
// the command line and dropped files all push lines of text; Session::drain is the only place that runs them,
// so a session is the list of its lines.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

/// Splits a line into words at blanks. "Double quotes" keep blanks together; inside them a backslash makes
/// the next quote or backslash ordinary. Returns nothing and fills `error` for an unfinished quote.
std::optional<std::vector<std::string>> split_words(std::string_view line, std::string& error);
/// Splits `set a=1; pause` at semicolons and line ends that stand outside quotes, drops `#` comments (at the
/// start of a line or after a blank) and empty lines.
std::vector<std::string> split_lines(std::string_view text);
/// Puts a word into quotes if split_words would otherwise not give it back.
std::string quote_word(std::string_view word);

/// Command lines that wait for the next frame, with where each came from for its error message.
class CommandQueue {
  public:
    struct Entry {
        std::string line;
        std::string origin;  ///< Like `setup.txt:12` or `--run`; empty for keys and buttons.
    };

    void push(std::string line, std::string origin = {});
    /// Every line of `text`. With an `origin` of a file name, messages say `origin:line`.
    void push_script(std::string_view text, std::string_view origin);

    [[nodiscard]] bool empty() const { return next_ == entries_.size(); }
    [[nodiscard]] std::size_t size() const { return entries_.size() - next_; }
    /// Takes over everything that waits in `other`.
    void append(CommandQueue& other);
    /// Takes the oldest. The queue must not be empty.
    Entry pop();
    void clear();

  private:
    std::vector<Entry> entries_;
    std::size_t next_ = 0;
};

}  // namespace lab
