// Commands that change settings.
#include <fmt/format.h>

#include <array>

#include "sandbox/commands/tables.hpp"
#include "sandbox/sandbox.hpp"

namespace lab::commands {
namespace {

struct Assignment {
    std::string name;
    std::optional<std::string> value;
};

/// `a.b=c`, `a.b c` and `a.b = c` all mean the same.
Assignment assignment(CommandArgs args) {
    std::string joined;
    for (const std::string& word : args)
        joined += (joined.empty() ? "" : " ") + word;
    const std::size_t split = joined.find_first_of("= ");
    if (split == std::string::npos) return {joined, std::nullopt};
    std::size_t value = joined.find_first_not_of(' ', split);
    if (value != std::string::npos && joined[value] == '=') value = joined.find_first_not_of(' ', value + 1);
    return {joined.substr(0, split), value == std::string::npos ? "" : joined.substr(value)};
}

}  // namespace

CommandResult set_in(Settings& settings, CommandArgs args) {
    const Assignment a = assignment(args);
    if (a.value) return settings.set(a.name, *a.value);
    return fmt::format("a value is missing: `set {}=VALUE`", a.name);
}

namespace {

CommandResult set(Sandbox& sandbox, CommandArgs args) {
    return set_in(sandbox.settings(), args);
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
