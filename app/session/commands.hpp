// The one registry of commands and the queue that carries them. Keys, buttons, the palette, scripts, lessons,
// the command line and dropped files all push lines of text; Sandbox::drain is the only place that carries
// them out, so a session is the list of its lines. To add a command, add a row to the table of its
// topic in commands/.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

class Sandbox;

/// The words of one line without the command itself.
using CommandArgs = std::span<const std::string>;
/// Nothing when done, else what was wrong and what would be right.
using CommandResult = std::optional<std::string>;

/// One row of the table. Ids are stable: scripts and lessons keep them.
struct CommandSpec {
    std::string_view id;     ///< Like `camera.orbit`.
    std::string_view usage;  ///< The arguments: CAPITALS to be replaced, [brackets] optional, a|b a choice.
    std::string_view help;   ///< One line that says what it does.
    std::string_view
        category;  ///< For menus and help: Scene, Bodies, Time, View, Query, Tree, Settings, Files, Program.
    int min_args = 0;
    int max_args = 0;  ///< -1: any number.
    CommandResult (*handler)(Sandbox&, CommandArgs);
    /// The default scene is started first if none has been. Off for commands that choose a scene or prepare
    /// for one.
    bool needs_scene = true;
};

/// The table, in the order in which lists show it.
std::span<const CommandSpec> command_specs();
const CommandSpec* find_command(std::string_view id);

/// What is wrong with a line before it is carried out: an unknown command, a wrong number of words, an open
/// quote; for `set`, `toggle`, `reset` and `scene` also an unknown name or a value out of range.
CommandResult check_command(std::string_view line);

/// A key that pushes a command line. `keys` is written as a person would: "Shift+.", "F", "Ctrl+Z".
struct Shortcut {
    std::string_view keys;
    std::string_view command;  ///< A whole command line.
    std::string_view help;
};
/// Key bindings in the order in which help shows them. controls.cpp acts on this table and help prints it.
std::span<const Shortcut> shortcuts();
/// The keys that push a line starting with this command, joined by " or "; empty when there are none.
std::string shortcut_text(std::string_view command_id);

/// What the mouse does; for help only.
struct MouseGesture {
    std::string_view gesture;
    std::string_view help;
};
std::span<const MouseGesture> mouse_gestures();

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
