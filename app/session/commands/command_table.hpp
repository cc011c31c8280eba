// The type of row in which everything known about a command stands, the table of all rows, and the one parser
// of command lines. The rows themselves are in commands/; the session gets the table when it is made.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "session/commands/commands.hpp"
#include "settings/effect.hpp"
#include "settings/key_binding.hpp"
#include "settings/settings.hpp"

namespace lab {

class Session;

/// The words of one line without the command itself.
using CommandArgs = std::span<const std::string>;
/// Nothing when done, else what was wrong and what would be right.
using CommandResult = std::optional<std::string>;

/// What the first argument of a command names, for lists that complete a line.
enum class Names : unsigned char { Other, Scene, Lesson, Setting };

/// One row of the table. Ids are stable: scripts and lessons keep them.
struct CommandSpec {
    std::string_view id;  ///< Like `camera.orbit`.
    std::string_view usage =
        {};                 ///< The arguments: CAPITALS to be replaced, [brackets] optional, a|b a choice.
    std::string_view help;  ///< One line that says what it does.
    /// For menus and help: Scene, Bodies, Time, View, Query, Tree, Settings, Files, Program.
    std::string_view category;
    int min_args = 0;
    int max_args = 0;  ///< -1: any number.
    CommandResult (*run)(Session&, CommandArgs) = nullptr;
    /// In place of `run`, for a command that only changes settings; with `per_body`: beside it.
    CommandResult (*change)(Settings&, CommandArgs) = nullptr;
    /// In place of `run`, for a command that only one scene understands: what it does there.
    std::string_view scene_action = {};
    Effect effect = Effect::World;  ///< With `change` and a setting in the line: the effect of that setting.
    KeyBinding keys[3] = {};
    /// What is wrong with the arguments, as far as that is known before the line runs. `change` is tried
    /// anyway.
    CommandResult (*check)(CommandArgs) = nullptr;
    /// The same for lines of a script before any of them runs; when the line runs, the answer comes from
    /// outside of the session.
    CommandResult (*check_ahead)(CommandArgs) = nullptr;
    std::string_view (*setting)(CommandArgs) = nullptr;  ///< The id of the setting that the line is about.
    Names names = Names::Other;
    std::string (*details)(const Session&) = nullptr;  ///< What `help` adds to the row.
    bool per_body = false;  ///< Bodies get the value of the setting for themselves; the setting stays.
    bool repeats = false;   ///< While its key is held.
    bool merges = false;    ///< In undo: several in a row about one thing are one edit.
    bool is_edit = true;    ///< Off for undo and redo themselves.
    /// The default scene is started first if none has been. Off for commands that choose a scene or prepare
    /// for one.
    bool needs_scene = true;
    bool reads_results = false;  ///< It depends on the results of the frame before, not on the world alone.
    bool moves_camera = false;   ///< From then on a replayed recording no longer moves it.
    bool during_replay = false;  ///< Runs while a record is replayed, and does not wait for its end.
    bool has_keys_of_settings = false;  ///< Keys in the rows of settings give this command, with the id.
};

/// A line, split and looked up once: what everything that deals with lines gets.
struct ParsedLine {
    const CommandSpec* command = nullptr;  ///< Null for an empty line, and for an unknown command.
    const SettingSpec* setting = nullptr;  ///< That the line is about.
    std::vector<std::string> words;        ///< The command's id is the first.
    std::string text;
    std::string origin;     ///< Like `setup.txt:12` or `--run`; empty for keys and buttons.
    CommandResult problem;  ///< An open quote, an unknown command, a wrong number of words.

    [[nodiscard]] CommandArgs args() const { return CommandArgs(words).subspan(words.empty() ? 0 : 1); }
    /// True if the line changes `setting` for everything.
    [[nodiscard]] bool changes_setting() const {
        return command && setting && command->change && !command->per_body;
    }
    /// Outside for a line that is refused before it changes anything.
    [[nodiscard]] Effect effect() const;
    [[nodiscard]] bool reads_results() const;
    [[nodiscard]] bool runs_during_replay() const;
    /// Edits with the same key, in quick succession, are one for undo. Empty: never.
    [[nodiscard]] std::string merge_key() const;
};

/// A key and the line that it gives.
struct Shortcut {
    std::string_view keys;
    std::string line;
    std::string_view help;
    const CommandSpec* command = nullptr;
};

class CommandTable {
  public:
    /// `rows` in the order in which lists show them. The catalog must outlive the table.
    CommandTable(std::vector<CommandSpec> rows, const SettingCatalog& settings);
    CommandTable(const CommandTable&) = delete;  // lines and shortcuts point to its rows
    CommandTable& operator=(const CommandTable&) = delete;

    [[nodiscard]] std::span<const CommandSpec> rows() const { return rows_; }
    [[nodiscard]] const SettingCatalog& settings() const { return settings_; }
    [[nodiscard]] const CommandSpec* find(std::string_view id) const;
    /// That there is no such command, and which was probably meant.
    [[nodiscard]] std::string no_command(std::string_view id) const;

    [[nodiscard]] ParsedLine parse(std::string text, std::string origin = {}) const;
    /// What is wrong with a line before it runs: its `problem`, or what its command finds in the arguments.
    [[nodiscard]] CommandResult check(const ParsedLine& line) const;
    [[nodiscard]] CommandResult check(std::string_view line) const { return check(parse(std::string(line))); }
    /// With `check_ahead`, for lines of a script.
    [[nodiscard]] CommandResult check_ahead(std::string_view line) const;

    /// In the order of the rows.
    [[nodiscard]] std::span<const Shortcut> shortcuts() const { return shortcuts_; }
    /// The keys of a command, joined by " or "; empty when there are none.
    [[nodiscard]] std::string shortcut_text(const CommandSpec& command) const;

  private:
    const SettingCatalog& settings_;
    std::vector<CommandSpec> rows_;
    std::vector<Shortcut> shortcuts_;
};

}  // namespace lab
