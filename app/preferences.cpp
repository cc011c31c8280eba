#include "preferences.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "commands/catalog.hpp"
#include "platform/paths.hpp"
#include "scenes/scenes.hpp"
#include "session/commands/commands.hpp"

namespace lab {
namespace {

/// Empty if there is no configuration folder.
std::filesystem::path file() {
    const std::filesystem::path folder = platform::config_dir();
    return folder.empty() ? folder : folder / "preferences.json";
}

}  // namespace

void Preferences::load(MessageLog& log) {
    if (file().empty()) return;
    io::SettingsRead read = io::read_settings_file(file());
    if (read.problem) log.warning(read.problem->text());
    constexpr int kMaxWarnings = 10;
    int left_out = 0;
    Settings scratch(setting_catalog());
    for (auto& [id, value] : read.values) {
        const SettingSpec* spec = setting_catalog().find(id);
        const bool is_kept = spec && spec->remembered && !scratch.set(id, value);
        if (is_kept)
            values_.emplace(id, value);
        else if (++left_out <= kMaxWarnings)
            log.warning(fmt::format(
                "{}: {} is left out: {}", file().string(), id,
                spec && !spec->remembered ? "it applies to one session only" : *scratch.set(id, value)));
    }
    if (left_out > kMaxWarnings)
        log.warning(fmt::format("{}: {} more values are left out", file().string(), left_out - kMaxWarnings));
}

std::vector<std::string> Preferences::commands() const {
    std::vector<std::string> lines;
    for (const auto& [id, value] : values_)
        lines.push_back(fmt::format("set {}", quote_word(fmt::format("{}={}", id, value))));
    return lines;
}

std::vector<std::string> Preferences::assignments_of(const std::vector<std::string>& lines) const {
    Settings now(setting_catalog());
    for (const auto& [id, value] : values_)
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
                       MessageLog& log) const {
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
        if (const auto before = values_.find(id); before != values_.end()) now.insert(*before);
    }
    if (now == values_) return;
    if (const auto error = io::write_settings_file(file(), now)) log.error(error->text());
}

}  // namespace lab
