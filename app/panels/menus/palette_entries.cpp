#include "panels/menus/palette_entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "commands/catalog.hpp"
#include "lessons/catalog.hpp"
#include "panels/menus/fuzzy.hpp"
#include "panels/menus/menus.hpp"
#include "scenes/scenes.hpp"

namespace lab::panels {
namespace {

constexpr std::string_view kScene = "Scene: ", kLesson = "Lesson: ";

void add_scenes(std::vector<PaletteEntry>& entries) {
    for (const SceneSpec& scene : scene_specs()) {
        entries.push_back({fmt::format("{}{}", kScene, scene.title), std::string(scene.id), "",
                           fmt::format("scene {}", scene.id)});
    }
}

void add_lessons(std::vector<PaletteEntry>& entries) {
    for (const lessons::LessonSpec& lesson : lessons::lesson_specs())
        entries.push_back({fmt::format("{}{}", kLesson, lesson.title), std::string(lesson.id), "",
                           fmt::format("lesson {}", lesson.id)});
}

void add_commands(std::vector<PaletteEntry>& entries) {
    for (const CommandSpec& spec : command_table().rows()) {
        const std::string id(spec.id);
        entries.push_back({std::string(spec.help), fmt::format("{} {}", spec.id, spec.usage),
                           shortcut_for_line(spec.id), spec.min_args == 0 ? id : id + " "});
    }
}

void add_settings(std::vector<PaletteEntry>& entries, const Settings& settings) {
    for (const SettingSpec* row : settings.catalog().rows()) {
        const SettingSpec& spec = *row;
        const std::string toggle = fmt::format("toggle {}", spec.id);
        if (spec.kind == SettingKind::Flag) {
            const char* verb = settings.flag(spec) ? "Turn off" : "Turn on";
            entries.push_back({fmt::format("{}: {}", verb, spec.label), std::string(spec.id),
                               shortcut_for_line(toggle), toggle});
        } else if (spec.kind == SettingKind::Choice) {
            for (const Choice& choice : spec.choices) {
                if (settings.choice(spec).id == choice.id) continue;
                entries.push_back({fmt::format("{}: {}", spec.label, choice.label), std::string(spec.id), "",
                                   fmt::format("set {} {}", spec.id, choice.id)});
            }
        } else {
            entries.push_back({fmt::format("Set: {}", spec.label),
                               fmt::format("{} = {}", spec.id, settings.get_as_text(spec)), "",
                               fmt::format("set {} ", spec.id)});
        }
    }
}

std::string_view without_blanks_around(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

/// The command whose arguments have begun; null if there is none.
const CommandSpec* command_of(std::string_view line) {
    const std::size_t blank = line.find(' ');
    return blank == std::string_view::npos ? nullptr : command_table().find(line.substr(0, blank));
}

void add_line(std::vector<PaletteEntry>& entries, const CommandSpec& spec, const std::string& line) {
    entries.push_back({fmt::format("Run: {}", line), fmt::format("{} {}", spec.id, spec.usage), "", line});
}

/// The text as a whole command line, if its first word is a command.
void add_typed_line(std::vector<PaletteEntry>& entries, std::string_view text) {
    const std::string line(without_blanks_around(text));
    const CommandSpec* spec = command_of(line);
    if (!spec || command_table().parse(line).problem) return;        // words that merely begin like a command
    if (text.ends_with(' ') && command_table().check(line)) return;  // waits for the rest
    add_line(entries, *spec, line);
}

/// The same where the only argument is the name of a file: one with blanks needs quotes.
void add_typed_file(std::vector<PaletteEntry>& entries, std::string_view text) {
    const std::string_view line = without_blanks_around(text);
    const CommandSpec* spec = command_of(line);
    if (!spec || !spec->touches_files || spec->max_args != 1 || line.find('"') != std::string_view::npos)
        return;
    const std::string_view name = without_blanks_around(line.substr(spec->id.size()));
    add_line(entries, *spec, fmt::format("{} {}", spec->id, quote_word(name)));
}

/// Whether the query is the title of this scene or lesson, whatever the case of its letters.
bool is_title(std::string_view query, std::string_view label) {
    if (label.starts_with(kScene))
        label.remove_prefix(kScene.size());
    else if (label.starts_with(kLesson))
        label.remove_prefix(kLesson.size());
    else
        return false;
    return std::equal(query.begin(), query.end(), label.begin(), label.end(), [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    });
}

}  // namespace

std::vector<PaletteEntry> palette_entries(std::string_view text, const Settings& settings,
                                          std::size_t limit) {
    // After a command that takes a name, only the names it accepts.
    const std::size_t blank = text.find(' ');
    const CommandSpec* begun =
        blank == std::string_view::npos ? nullptr : command_table().find(text.substr(0, blank));
    const Names names = begun ? begun->names : Names::Other;
    const bool scenes_only = names == Names::Scene;
    const bool lessons_only = names == Names::Lesson;
    const bool settings_only = names == Names::Setting;
    std::string_view query = text;
    if (names != Names::Other) query.remove_prefix(blank + 1);

    std::vector<PaletteEntry> all;
    if (!settings_only && !lessons_only) add_scenes(all);
    if (!settings_only && !scenes_only) add_lessons(all);
    if (!settings_only && !scenes_only && !lessons_only) add_commands(all);
    if (!scenes_only && !lessons_only) add_settings(all, settings);
    std::vector<std::string> searched;
    searched.reserve(all.size());
    for (const PaletteEntry& entry : all)
        searched.push_back(fmt::format("{} {}", entry.label, entry.detail));
    const std::vector<std::string_view> views(searched.begin(), searched.end());

    std::vector<PaletteEntry> found;
    if (!scenes_only && !lessons_only) add_typed_line(found, text);
    std::vector<std::size_t> ranked = fuzzy_rank(query, views);
    // A complete name means the entry that has it, even where other names begin like it.
    std::stable_partition(ranked.begin(), ranked.end(), [&](std::size_t i) {
        return all[i].line == text || all[i].line == std::string(text) + ' ' || is_title(query, all[i].label);
    });
    for (const std::size_t i : ranked) {
        if (found.size() >= limit) break;
        found.push_back(all[i]);
    }
    if (found.empty()) add_typed_file(found, text);
    return found;
}

std::string why_no_entries(std::string_view text) {
    const std::string line(without_blanks_around(text));
    const std::optional<std::string> problem =
        command_of(line) ? command_table().parse(line).problem : std::nullopt;
    return problem.value_or("Nothing matches. Try fewer letters.");
}

}  // namespace lab::panels
