// The type of row that holds everything known about a command, the table of all rows, and the only parser of
// command lines. The rows themselves are in commands/; the session gets the table at construction.
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

/// The words of a line after the command.
using CommandArgs = std::span<const std::string>;
/// Empty on success, else what is wrong and what would be right.
using CommandResult = std::optional<std::string>;

/// The kind of name expected as the first argument of a command, for completion.
enum class Names : unsigned char { Other, Scene, Lesson, Setting };

/// One row of the table. Ids are stable: scripts and lessons keep them.
struct CommandSpec {
    std::string_view id;  ///< Like `camera.orbit`.
    std::string_view usage =
        {};                 ///< The arguments: CAPITALS to be replaced, [brackets] optional, a|b a choice.
    std::string_view help;  ///< One line: what it does.
    /// What undo calls an edit by this command, such as `Move bodies`. An edit of a setting or a handle is
    /// called by the name of that instead.
    std::string_view edit = {};
    /// For menus and help: Scene, Bodies, Time, View, Query, Tree, Settings, Files, Program.
    std::string_view category;
    int min_args = 0;
    int max_args = 0;  ///< -1: any number.
    CommandResult (*run)(Session&, CommandArgs) = nullptr;
    /// Instead of `run`, for a command that only changes settings; with `per_body` in addition to it.
    CommandResult (*change)(Settings&, CommandArgs) = nullptr;
    /// Instead of `run`, for a command of a single scene: the action.
    std::string_view scene_action = {};
    Effect effect = Effect::World;  ///< With `change` and a setting in the line: the effect of that setting.
    bool moves_step = false;        ///< Its effect is that of the setting that counts the scene's steps.
    bool clicks = false;            ///< Its effect is on the world where a click changes the scene.
    /// A setting that the command only switches off while it is on. The line that switches it off then runs
    /// instead of the command, so that a record does not depend on what is open in front of the scene.
    const Setting<bool>* closes_first = nullptr;
    KeyBinding keys[6] = {};
    /// Replaces `keys` in a browser, which keeps some keys for itself; a binding without a key means none.
    std::optional<KeyBinding> key_in_browser = {};
    bool of_film = false;  ///< Its keys act while a film is shown, instead of others with the same keys.
    /// Checks the arguments before the line runs. `change` is tried in any case.
    CommandResult (*check)(CommandArgs) = nullptr;
    /// Checks a line of a script before any of them runs, for commands that the program outside of the
    /// session checks when they run.
    CommandResult (*check_ahead)(CommandArgs) = nullptr;
    std::string_view (*setting)(CommandArgs) = nullptr;  ///< The id of the setting in the line.
    Names names = Names::Other;
    std::string (*details)(const Session&) = nullptr;  ///< Appended by `help`.
    bool per_body = false;  ///< Sets the value for single bodies; the setting itself stays.
    bool repeats = false;   ///< While its key is held.
    bool merges = false;    ///< In undo: several in a row about one thing are one edit.
    bool is_edit = true;    ///< Off for undo and redo themselves.
    /// Starts the default scene first if there is none. Off for commands that choose or prepare a scene.
    bool needs_scene = true;
    bool reads_results = false;  ///< Depends on the results of the previous frame.
    /// For commands that depend on those results with some arguments only: true for such arguments.
    bool (*reads_results_for)(CommandArgs args) = nullptr;
    bool from_window = false;    ///< The program itself sends it, as window and mouse change.
    bool during_replay = false;  ///< Also runs while a record is replayed.
    bool opens_field = false;    ///< What is typed after its keys is text for the field that it opens.
    bool touches_files = false;  ///< Reads or writes files: not for links, which may come from strangers.
    /// Acts on the window or tab around the session, the clipboard of the computer or running jobs. Not for
    /// links: the user who opens a link decides.
    bool acts_on_window = false;
    bool has_keys_of_settings = false;  ///< The keys of settings run this command, with their id.
};

/// A parsed line: split and looked up once.
struct ParsedLine {
    const CommandSpec* command = nullptr;  ///< Null for an empty line, and for an unknown command.
    const SettingSpec* setting = nullptr;  ///< The setting in the line.
    std::vector<std::string> words;        ///< The command's id is the first.
    std::string text;
    std::string origin;                     ///< Like `setup.txt:12` or `--run`; empty for keys and buttons.
    std::optional<Effect> effect_in_scene;  ///< Set where the running scene decides the effect.
    CommandResult problem;  ///< An unclosed quote, an unknown command, a wrong number of words.

    [[nodiscard]] CommandArgs args() const { return CommandArgs(words).subspan(words.empty() ? 0 : 1); }
    /// True if the line changes `setting` globally.
    [[nodiscard]] bool changes_setting() const {
        return command && setting && command->change && !command->per_body;
    }
    /// `Outside` for a line that will be refused.
    [[nodiscard]] Effect effect() const;
    [[nodiscard]] bool reads_results() const;
    [[nodiscard]] bool runs_during_replay() const;
    /// Edits with the same key in quick succession are merged for undo. Empty: never.
    [[nodiscard]] std::string merge_key() const;
};

/// A key and the line that it runs.
struct Shortcut {
    std::string_view keys;
    std::string line;
    std::string_view help;
    const CommandSpec* command = nullptr;
};

class CommandTable {
  public:
    /// `rows` in the order of lists. The catalog must outlive the table. `in_browser` chooses the keys.
    CommandTable(std::vector<CommandSpec> rows, const SettingCatalog& settings, bool in_browser);
    CommandTable(const CommandTable&) = delete;  // lines and shortcuts point to its rows
    CommandTable& operator=(const CommandTable&) = delete;

    [[nodiscard]] std::span<const CommandSpec> rows() const { return rows_; }
    [[nodiscard]] const SettingCatalog& settings() const { return settings_; }
    [[nodiscard]] const CommandSpec* find(std::string_view id) const;
    /// The refusal of an unknown command, with a suggestion.
    [[nodiscard]] std::string no_command(std::string_view id) const;

    [[nodiscard]] ParsedLine parse(std::string text, std::string origin = {}) const;
    /// Checks a line before it runs: its `problem`, its length, and its arguments.
    [[nodiscard]] CommandResult check(const ParsedLine& line) const;
    [[nodiscard]] CommandResult check(std::string_view line) const { return check(parse(std::string(line))); }
    /// Also calls `check_ahead`; for lines of a script.
    [[nodiscard]] CommandResult check_ahead(std::string_view line) const;

    /// In the order of the rows.
    [[nodiscard]] std::span<const Shortcut> shortcuts() const { return shortcuts_; }
    /// The keys of a command, joined by " or "; empty if there are none.
    [[nodiscard]] std::string shortcut_text(const CommandSpec& command) const;

  private:
    const SettingCatalog& settings_;
    std::vector<CommandSpec> rows_;
    std::vector<Shortcut> shortcuts_;
};

}  // namespace lab
