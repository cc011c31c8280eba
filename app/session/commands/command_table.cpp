#include "session/commands/command_table.hpp"

#include <fmt/format.h>

#include <utility>

#include "io/limits.hpp"
#include "io/text/printable.hpp"
#include "settings/suggest.hpp"

namespace lab {

/// Bytes of a long line that messages show.
constexpr std::size_t kShownBytes = 60;

/// The number of bytes of a command that a record can read back; an escaped byte takes four.
static std::size_t max_bytes(std::string_view text) {
    return io::is_plain_text(text) ? io::limits::kTextBytes : io::limits::kLineBytes / 4 - 1;
}

Effect ParsedLine::effect() const {
    if (!command) return Effect::Outside;
    if (effect_in_scene) return *effect_in_scene;
    return changes_setting() ? setting->effect : command->effect;
}

bool ParsedLine::reads_results() const {
    if (!command || problem) return false;
    return command->reads_results || (command->reads_results_for && command->reads_results_for(args())) ||
           (changes_setting() && setting->reads_results);
}

bool ParsedLine::runs_during_replay() const {
    return command && (command->during_replay || (changes_setting() && setting->is_of_window));
}

std::string ParsedLine::merge_key() const {
    if (!command || !command->merges || words.size() < 2) return {};
    return fmt::format("{} {}", command->id, setting ? setting->id : std::string_view(words[1]));
}

CommandTable::CommandTable(std::vector<CommandSpec> rows, const SettingCatalog& settings, bool in_browser)
    : settings_(settings), rows_(std::move(rows)) {
    const auto add = [this](const CommandSpec& row, const KeyBinding& key, std::string_view arguments) {
        if (key.keys.empty()) return;
        const std::string line =
            arguments.empty() ? std::string(row.id) : fmt::format("{} {}", row.id, arguments);
        shortcuts_.push_back({key.keys, line, key.help, &row});
    };
    for (const CommandSpec& row : rows_) {
        if (in_browser && row.key_in_browser)
            add(row, *row.key_in_browser, row.key_in_browser->arguments);
        else
            for (const KeyBinding& key : row.keys)
                add(row, key, key.arguments);
        if (!row.has_keys_of_settings) continue;
        for (const SettingSpec* setting : settings_.rows())
            for (const KeyBinding& key : setting->keys)
                add(row, key, setting->id);
    }
}

const CommandSpec* CommandTable::find(std::string_view id) const {
    for (const CommandSpec& spec : rows_)
        if (spec.id == id) return &spec;
    return nullptr;
}

std::string CommandTable::no_command(std::string_view id) const {
    std::vector<std::string_view> ids;
    for (const CommandSpec& known : rows_)
        ids.push_back(known.id);
    return no_such("command", id, ids);
}

ParsedLine CommandTable::parse(std::string text, std::string origin) const {
    ParsedLine line;
    line.text = std::move(text);
    line.origin = std::move(origin);
    std::string error;
    auto words = split_words(line.text, error);
    if (!words) {
        line.problem = fmt::format("`{}`: {}", line.text, error);
        return line;
    }
    line.words = std::move(*words);
    if (line.words.empty()) return line;
    line.command = find(line.words.front());
    if (!line.command) {
        line.problem = no_command(line.words.front());
        return line;
    }
    const CommandSpec& spec = *line.command;
    if (spec.setting) line.setting = settings_.find(spec.setting(line.args()));
    const int count = static_cast<int>(line.args().size());
    if (count < spec.min_args || (spec.max_args >= 0 && count > spec.max_args))
        line.problem = fmt::format(
            "`{}`: usage: `{}{}{}`{}", line.text, spec.id, spec.usage.empty() ? "" : " ", spec.usage,
            line.text.find('\'') == std::string::npos ? "" : "; quotes are \"double\" ones");
    return line;
}

CommandResult CommandTable::check(const ParsedLine& line) const {
    if (line.problem || !line.command) return line.problem;
    // A record could not be read back with a longer line.
    const std::size_t max = max_bytes(line.text);
    if (line.text.size() > max && line.effect() != Effect::Outside)
        return fmt::format("`{}`: this command has {} bytes; at most {} are read. Split it into several",
                           io::printable(line.text, io::LineEnds::Escape, kShownBytes), line.text.size(),
                           max);
    const CommandSpec& spec = *line.command;
    CommandResult problem;
    if (spec.check) problem = spec.check(line.args());
    if (!problem && spec.change && !spec.per_body) {
        Settings scratch(settings_);  // enough to check names and ranges
        problem = spec.change(scratch, line.args());
    }
    return problem ? fmt::format("`{}`: {}", line.text, *problem) : problem;
}

CommandResult CommandTable::check_ahead(std::string_view text) const {
    const ParsedLine line = parse(std::string(text));
    CommandResult problem = check(line);
    if (problem || !line.command || !line.command->check_ahead) return problem;
    problem = line.command->check_ahead(line.args());
    return problem ? fmt::format("`{}`: {}", line.text, *problem) : problem;
}

std::string CommandTable::shortcut_text(const CommandSpec& command) const {
    std::string text;
    for (const Shortcut& shortcut : shortcuts_) {
        if (shortcut.command != &command) continue;
        if (!text.empty()) text += " or ";
        text += shortcut.keys;
    }
    return text;
}

}  // namespace lab
