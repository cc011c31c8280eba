// The browser's words for keys and modifiers -> ours.
#pragma once

#include <string_view>

#include "platform/input/input.hpp"

namespace lab::platform {

/// From a KeyboardEvent: `key` is what is printed on it in the user's layout, `code` its place on a US
/// keyboard, for layouts with letters of another script.
[[nodiscard]] Key key_from_browser(std::string_view key, std::string_view code);

/// From bits: 1 Shift, 2 Control, 4 Alt, 8 Super.
[[nodiscard]] Mods mods_from_bits(int bits);

}  // namespace lab::platform
