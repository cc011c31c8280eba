// The commands, topic by topic. To add one, add a row to the table of its topic: a handler reads its words
// and calls one function of the session. catalog.cpp puts the tables together.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bv/ids.hpp"
#include "session/commands/command_args.hpp"
#include "session/commands/command_table.hpp"

namespace lab::commands {

inline constexpr long long kMaxId = 0xfffffffe;

std::span<const CommandSpec> scene_commands();
std::span<const CommandSpec> time_commands();
std::span<const CommandSpec> body_commands();
std::span<const CommandSpec> editing_commands();
std::span<const CommandSpec> selection_commands();
std::span<const CommandSpec> query_commands();
std::span<const CommandSpec> step_commands();
std::span<const CommandSpec> tree_commands();
std::span<const CommandSpec> camera_commands();
std::span<const CommandSpec> setting_commands();
std::span<const CommandSpec> file_commands();
std::span<const CommandSpec> program_commands();

/// The bodies that all further words name, or those selected when there are no more. `problem` says what is
/// wrong with them.
std::vector<bv::BodyId> bodies_or_selected(const Session& session, ArgReader& read, std::string& problem);

}  // namespace lab::commands
