// All commands of the program, and what the mouse does.
#pragma once

#include <span>
#include <string_view>

#include "session/commands/command_table.hpp"

namespace lab {

const CommandTable& command_table();

/// Mouse actions; for help only.
struct MouseGesture {
    std::string_view gesture;
    std::string_view help;
};
std::span<const MouseGesture> mouse_gestures();

}  // namespace lab
