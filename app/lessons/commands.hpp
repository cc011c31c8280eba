// The rows of the commands of lessons.
#pragma once

#include <span>

#include "session/commands/command_table.hpp"

namespace lab::lessons {

std::span<const CommandSpec> lesson_commands();

}  // namespace lab::lessons
