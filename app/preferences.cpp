#include "preferences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include "commands/catalog.hpp"
#include "io/text/counted.hpp"
#include "platform/paths.hpp"
#include "scenes/scenes.hpp"
#include "session/commands/commands.hpp"
#include "settings/program.hpp"

namespace lab {
namespace {

/// Empty if there is no configuration folder.
std::filesystem::path file() {
    const std::filesystem::path folder = platform::config_dir();
    return folder.empty() ? folder : folder / "preferences.json";
}

struct Remembered {
    io::SettingsMap values;  ///< Valid values other than the defaults, as `get_as_text` writes them.
    std::vector<std::string> left_out;  ///< "NAME is left out: why" for values that cannot be used.
    std::vector<std::string> unknown;   ///< Names that this version of the program does not know.
};

Remembered remembered(const io::SettingsMap& stored) {
    Remembered sorted;
    Settings scratch(setting_catalog());
    for (const auto& [id, value] : stored) {
        const SettingSpec* spec = setting_catalog().find(id);
        if (!spec)
            sorted.unknown.push_back(id);
        else if (!spec->remembered)
            sorted.left_out.push_back(fmt::format("{} is left out: it applies to one session only", id));
        else if (const auto problem = scratch.set(*spec, value))
            sorted.left_out.push_back(fmt::format(
                "{} is left out: {}. It stays in the file until the setting changes", id, *problem));
        else if (!scratch.is_default(*spec))
            sorted.values.emplace(id, scratch.get_as_text(*spec));
    }
    return sorted;
}

/// A text that holds a list, to which several sessions add.
struct ListSpec {
    const SettingSpec* row;
    char separator;
    std::size_t max_items;
};
constexpr ListSpec kLists[] = {{&kLessonsDone, ',', std::string::npos},
                               {&kRecentFiles, '|', kMaxRecentFiles}};
static_assert(std::size(kLists) == std::size(kProgressSettings));

const ListSpec* find_list(std::string_view id) {
    const auto* at = std::find_if(std::begin(kLists), std::end(kLists),
                                  [id](const ListSpec& list) { return list.row->id == id; });
    return at == std::end(kLists) ? nullptr : at;
}

std::vector<std::string_view> items_of(std::string_view text, char separator) {
    std::vector<std::string_view> items;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(separator), text.size());
        if (end > 0) items.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return items;
}

/// The list of this session, then what others have added to the file. An item that is both in the file and in
/// `before` is not an addition: this session has removed it.
std::string united(const ListSpec& list, const std::string& own, const std::string& before,
                   const std::string& in_file) {
    std::vector<std::string_view> items = items_of(own, list.separator);
    const std::vector<std::string_view> known = items_of(before, list.separator);
    const auto has = [](const std::vector<std::string_view>& in, std::string_view item) {
        return std::find(in.begin(), in.end(), item) != in.end();
    };
    std::string all = own;
    Settings scratch(setting_catalog());
    for (const std::string_view item : items_of(in_file, list.separator)) {
        if (items.size() >= list.max_items) break;
        if (has(items, item) || has(known, item)) continue;
        std::string longer = all;
        if (!longer.empty()) longer += list.separator;
        longer += item;
        if (scratch.set(*list.row, longer)) break;  // too long to be stored
        all = std::move(longer);
        items.push_back(item);
    }
    return all;
}

/// The values to write to a file that holds `in_file`. Settings that this session has changed since `before`
/// are taken from `now`. All others stay as they are in the file: another session or another version of the
/// program may have written them, and an invalid value may be a mistake of the user's.
io::SettingsMap merged(const io::SettingsMap& now, const io::SettingsMap& before, io::SettingsMap in_file) {
    const auto value_in = [](const io::SettingsMap& values, std::string_view id) {
        const auto at = values.find(std::string(id));
        return at == values.end() ? std::optional<std::string>() : at->second;
    };
    for (const SettingSpec* row : setting_catalog().rows()) {
        std::optional<std::string> own = value_in(now, row->id);
        const std::optional<std::string> known = value_in(before, row->id);
        if (own == known) continue;
        if (const ListSpec* list = find_list(row->id)) {
            own =
                united(*list, own.value_or(""), known.value_or(""), value_in(in_file, row->id).value_or(""));
            if (own->empty()) own.reset();
        }
        in_file.erase(std::string(row->id));
        if (own) in_file.emplace(row->id, *own);
    }
    return in_file;
}

}  // namespace

void Preferences::load(MessageLog& log) {
    if (file().empty()) return;
    const io::SettingsRead read = io::read_settings_file(file());
    if (read.problem) log.warning(read.problem->text());
    Remembered sorted = remembered(read.values);
    constexpr std::size_t kMaxWarnings = 10;
    for (std::size_t i = 0; i < std::min(sorted.left_out.size(), kMaxWarnings); ++i)
        log.warning(fmt::format("{}: {}", file().string(), sorted.left_out[i]));
    if (sorted.left_out.size() > kMaxWarnings)
        log.warning(fmt::format(
            "{}: {} left out", file().string(),
            io::counted(sorted.left_out.size() - kMaxWarnings, "more value is", "more values are")));
    if (!sorted.unknown.empty())
        log.info(fmt::format("{}: {} to this version and kept as {}, {} the first", file().string(),
                             io::counted(sorted.unknown.size(), "name is unknown", "names are unknown"),
                             io::plural(sorted.unknown.size(), "it is", "they are"), sorted.unknown.front()));
    read_ = saved_ = std::move(sorted.values);
}

std::vector<std::string> Preferences::commands() const {
    std::vector<std::string> lines;
    for (const auto& [id, value] : read_)
        lines.push_back(fmt::format("set {}", quote_word(fmt::format("{}={}", id, value))));
    return lines;
}

std::vector<std::string> Preferences::assignments_of(const std::vector<std::string>& lines) const {
    Settings now(setting_catalog());
    for (const auto& [id, value] : read_)
        (void)now.set(id, value);
    std::set<const SettingSpec*> assigned;
    for (const std::string& line : lines) {
        const ParsedLine parsed = command_table().parse(line);
        if (!parsed.command || !parsed.command->change || parsed.command->per_body) continue;
        const Settings before = now;
        if (parsed.command->change(now, parsed.args())) continue;
        for (const SettingSpec* row : now.catalog().rows())
            if (row == parsed.setting || before.get_as_text(*row) != now.get_as_text(*row))
                assigned.insert(row);
    }
    std::vector<std::string> assignments;
    assignments.reserve(assigned.size());
    for (const SettingSpec* row : assigned)
        assignments.push_back(fmt::format("{}={}", row->id, now.get_as_text(*row)));
    return assignments;
}

void Preferences::save(const Settings& settings, const std::vector<std::string>& overridden,
                       MessageLog& log) {
    if (file().empty()) return;
    io::SettingsMap now;
    for (const SettingSpec* row : settings.catalog().rows())
        if (row->remembered && !settings.is_default(*row)) now.emplace(row->id, settings.get_as_text(*row));
    for (const std::string& assignment : overridden) {
        const std::size_t equals = assignment.find('=');
        const std::string id = assignment.substr(0, equals);
        const SettingSpec* spec = setting_catalog().find(id);
        Settings scratch(setting_catalog());
        if (!spec || !spec->remembered || scratch.set(id, assignment.substr(equals + 1))) continue;
        if (scratch.get_as_text(*spec) != settings.get_as_text(*spec)) continue;
        now.erase(id);
        if (const auto before = read_.find(id); before != read_.end()) now.insert(*before);
    }
    if (now == saved_) return;
    const io::SettingsRead read = io::read_settings_file(file());
    if (read.problem) log.warning(read.problem->text());
    if (read.problem && read.kept_as.empty()) return;
    // A file that was damaged meanwhile is replaced by everything that this session knows of it.
    if (const auto error =
            io::write_settings_file(file(), merged(now, saved_, read.problem ? saved_ : read.values)))
        return log.error(error->text());
    saved_ = std::move(now);
}

}  // namespace lab
