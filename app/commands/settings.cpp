// Commands that change settings.
#include <array>

#include "commands/tables.hpp"

namespace lab::commands {
namespace {

CommandResult toggle(Settings& settings, CommandArgs args) {
    return settings.toggle(args[0]);
}

CommandResult reset(Settings& settings, CommandArgs args) {
    if (args[0] != "all") return settings.reset(args[0]);
    settings.reset_all();
    return std::nullopt;
}

constexpr std::array kSettingRows = {
    CommandSpec{
        .id = "set",
        .usage = "NAME=VALUE",
        .help = "Change a setting",
        .category = "Settings",
        .min_args = 1,
        .max_args = -1,
        .change = assign,
        .setting = named_setting,
        .names = Names::Setting,
        .merges = true,
        .needs_scene = false,
    },
    CommandSpec{
        .id = "toggle",
        .usage = "NAME",
        .help = "Turn a setting on or off, or switch to its next choice",
        .category = "Settings",
        .min_args = 1,
        .max_args = 1,
        .change = toggle,
        .setting = named_setting,
        .names = Names::Setting,
        .needs_scene = false,
        .has_keys_of_settings = true,
    },
    CommandSpec{
        .id = "reset",
        .usage = "NAME|all",
        .help = "Reset a setting to its default",
        .edit = "Reset settings",
        .category = "Settings",
        .min_args = 1,
        .max_args = 1,
        .change = reset,
        .setting = named_setting,
        .names = Names::Setting,
        .needs_scene = false,
    },
};

}  // namespace

std::span<const CommandSpec> setting_commands() {
    return kSettingRows;
}

}  // namespace lab::commands
