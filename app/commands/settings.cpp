// Commands that change settings.
#include <array>

#include "commands/tables.hpp"
#include "session/sandbox.hpp"

namespace lab::commands {
namespace {

CommandResult set(Sandbox& sandbox, CommandArgs args) {
    return assign(sandbox.settings(), args);
}

CommandResult toggle(Sandbox& sandbox, CommandArgs args) {
    return sandbox.settings().toggle(args[0]);
}

CommandResult reset(Sandbox& sandbox, CommandArgs args) {
    if (args[0] != "all") return sandbox.settings().reset(args[0]);
    sandbox.settings().reset_all();
    return std::nullopt;
}

constexpr std::array kRows = {
    CommandSpec{"set", "NAME=VALUE", "Change a setting", "Settings", 1, -1, set, kBeforeScene},
    CommandSpec{"toggle", "NAME", "Turn a setting on or off, or on to its next choice", "Settings", 1, 1,
                toggle, kBeforeScene},
    CommandSpec{"reset", "NAME|all", "Set a setting back to its default", "Settings", 1, 1, reset,
                kBeforeScene},
};

}  // namespace

std::span<const CommandSpec> setting_commands() {
    return kRows;
}

}  // namespace lab::commands
