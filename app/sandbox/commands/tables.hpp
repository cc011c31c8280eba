// The commands, topic by topic. To add one, add a row to the table of its topic: a handler reads its words
// and calls one function of the sandbox. command_table.cpp puts the tables together.
#pragma once

#include <span>
#include <string_view>

#include "bv/ids.hpp"
#include "sandbox/command_args.hpp"
#include "sandbox/commands.hpp"

namespace lab {
class Settings;
}

namespace lab::commands {

inline constexpr long long kMaxId = 0xfffffffe;
/// For CommandSpec::needs_scene: no scene is started for it.
inline constexpr bool kBeforeScene = false;

std::span<const CommandSpec> scene_commands();
std::span<const CommandSpec> time_commands();
std::span<const CommandSpec> body_commands();
std::span<const CommandSpec> query_commands();
std::span<const CommandSpec> tree_commands();
std::span<const CommandSpec> camera_commands();
std::span<const CommandSpec> setting_commands();
std::span<const CommandSpec> file_commands();
std::span<const CommandSpec> lesson_commands();
std::span<const CommandSpec> program_commands();

/// The body that the next word names, or the selected one when there is no more word.
bv::BodyId body_or_selected(const Sandbox& sandbox, ArgReader& read);
/// `a.b=c`, `a.b c` and `a.b = c`.
CommandResult set_in(Settings& settings, CommandArgs args);
/// That there is no such command, and which was probably meant.
std::string no_command(std::string_view id);

}  // namespace lab::commands
