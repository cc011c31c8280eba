// Commands for the program itself.
#include <fmt/format.h>

#include <array>

#include "commands/tables.hpp"
#include "platform/host.hpp"
#include "session/parts.hpp"
#include "session/session.hpp"
#include "settings/program.hpp"

namespace lab::commands {
namespace {

CommandResult back(Session& session, CommandArgs) {
    if (session.state().view.selection.isolated.holds()) return session.parts().selector.isolate_node(false);
    if (!session.state().view.selection.empty()) {
        session.parts().selector.select_none();
        return std::nullopt;
    }
    if (!session.parts().editor.show_all()) session.parts().editor.clear_rays();
    return std::nullopt;
}

CommandResult help(Session& session, CommandArgs args) {
    if (args.empty()) return session.state().settings.set(kUiHelp, "true");
    const CommandTable& table = session.command_table();
    const CommandSpec* spec = table.find(args[0]);
    if (!spec) return table.no_command(args[0]);
    std::string text = fmt::format("{} {}: {}", spec->id, spec->usage, spec->help);
    if (spec->details) text += spec->details(session);
    session.log().info(std::move(text));
    return std::nullopt;
}

CommandResult palette(Session& session, CommandArgs args) {
    session.requests().palette = args.empty() ? std::string() : args[0];
    return std::nullopt;
}

CommandResult full_screen(Session& session, CommandArgs) {
    session.requests().full_screen = true;
    return std::nullopt;
}

CommandResult site(Session& session, CommandArgs) {
    session.requests().site = true;
    return std::nullopt;
}

CommandResult quit(Session& session, CommandArgs) {
    if (platform::in_browser()) return "a page cannot be quit: close its tab";
    session.requests().quit = true;
    return std::nullopt;
}

constexpr std::array kProgramRows = {
    CommandSpec{
        .id = "help",
        .usage = "[COMMAND]",
        .help = "Show all keys, or the usage of a command",
        .category = "Program",
        .max_args = 1,
        .run = help,
        .effect = Effect::Outside,
        .needs_scene = false,
        .during_replay = true,
    },
    CommandSpec{
        .id = "palette",
        .usage = "[TEXT]",
        .help = "Search commands, settings and scenes",
        .category = "Program",
        .max_args = 1,
        .run = palette,
        .effect = Effect::Outside,
        .keys = {{"Ctrl+P", "", "Search commands, settings and scenes"},
                 {"Ctrl+O", "\"open \"", "Open a file"},
                 {"Ctrl+S", "\"save \"", "Save the scene"}},
        .during_replay = true,
        .opens_field = true,
    },
    CommandSpec{
        .id = "back",
        .help = "Go back one step: close the help, or show the whole tree, or deselect, or show hidden "
                "bodies, or remove pinned rays",
        .edit = "Go back one step",
        .category = "Program",
        .run = back,
        .effect = Effect::View,
        .closes_first = &kUiHelp,
        .keys = {{"Esc", "", "Back: close help, deselect, show hidden bodies"}},
    },
    CommandSpec{
        .id = "fullscreen",
        .help = "Fill the screen, or return to the window",
        .category = "Program",
        .run = full_screen,
        .effect = Effect::Outside,
        .keys = {{"F11", "", "Full screen, or back"}},
        .needs_scene = false,
        .during_replay = true,
        .acts_on_window = true,
    },
    CommandSpec{
        .id = "site",
        .help = "In a browser: open the pages around the lab, with the lessons and the library's reference",
        .category = "Program",
        .run = site,
        .effect = Effect::Outside,
        .needs_scene = false,
        .during_replay = true,
        .acts_on_window = true,
    },
    CommandSpec{
        .id = "quit",
        .help = "Quit the program",
        .category = "Program",
        .run = quit,
        .effect = Effect::Outside,
        .keys = {{"Ctrl+Q", "", "Quit the program"}},
        .key_in_browser = KeyBinding{},
        .needs_scene = false,
        .during_replay = true,
        .acts_on_window = true,
    },
};

}  // namespace

std::span<const CommandSpec> program_commands() {
    return kProgramRows;
}

}  // namespace lab::commands
