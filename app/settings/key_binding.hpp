// Keys in the rows of commands and settings.
#pragma once

#include <string_view>

namespace lab {

/// A key that runs a command. `keys` is spelled as for people: "Shift+.", "F", "Ctrl+Z".
struct KeyBinding {
    std::string_view keys = {};
    std::string_view arguments = {};  ///< Arguments of the command.
    std::string_view help = {};       ///< For the list of keys.
};

}  // namespace lab
