// Commands for the program itself.
#include <fmt/format.h>

#include <array>

#include "commands/tables.hpp"
#include "session/sandbox.hpp"

namespace lab::commands {
namespace {

CommandResult back(Sandbox& sandbox, CommandArgs) {
    if (sandbox.settings().flag("ui.help")) return sandbox.settings().set("ui.help", "false");
    if (sandbox.selection().isolated.holds()) return sandbox.isolate_node(false);
    if (!sandbox.selection().empty()) {
        sandbox.select_none();
        return std::nullopt;
    }
    if (!sandbox.show_all()) sandbox.clear_pinned_rays();
    return std::nullopt;
}

CommandResult help(Sandbox& sandbox, CommandArgs args) {
    if (args.empty()) return sandbox.settings().set("ui.help", "true");
    const CommandSpec* spec = find_command(args[0]);
    if (!spec) return no_command(args[0]);
    std::string text = fmt::format("{} {}: {}", spec->id, spec->usage, spec->help);
    if (spec->id == "spawn") {
        text += "\nmeshes:";
        for (std::string_view name : sandbox.meshes().names())
            text += fmt::format(" {}", quote_word(name));
    }
    sandbox.log().info(std::move(text));
    return std::nullopt;
}

CommandResult palette(Sandbox& sandbox, CommandArgs args) {
    sandbox.requests().palette = args.empty() ? std::string() : args[0];
    return std::nullopt;
}

CommandResult quit(Sandbox& sandbox, CommandArgs) {
    sandbox.requests().quit = true;
    return std::nullopt;
}

constexpr std::array kRows = {
    CommandSpec{"help", "[COMMAND]", "Show all keys, or how a command is used", "Program", 0, 1, help,
                kBeforeScene},
    CommandSpec{"palette", "[TEXT]", "Search commands, settings and scenes", "Program", 0, 1, palette},
    CommandSpec{
        "back", "",
        "Close the help, else show the whole tree, else deselect, else show all, else remove pinned rays",
        "Program", 0, 0, back},
    CommandSpec{"quit", "", "End the program", "Program", 0, 0, quit, kBeforeScene},
};

}  // namespace

std::span<const CommandSpec> program_commands() {
    return kRows;
}

}  // namespace lab::commands
