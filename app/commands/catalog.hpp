// All commands of the program, and what the mouse does.
#pragma once

#include <span>
#include <string_view>

#include "session/commands/command_table.hpp"

namespace lab {

const CommandTable& command_table();
/// The same commands with the keys of a page or of a desktop, whichever this program runs in.
[[nodiscard]] CommandTable command_table_for(bool in_browser);

/// Mouse actions; for help only.
struct MouseGesture {
    std::string_view gesture;
    std::string_view help;
};
std::span<const MouseGesture> mouse_gestures();
/// What fingers do in a page.
std::span<const MouseGesture> touch_gestures();

}  // namespace lab
