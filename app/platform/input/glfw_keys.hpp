// GLFW's names of keys -> ours.
#pragma once

#include "platform/input/input.hpp"

namespace lab::platform {

/// The key that has this printed on it in the user's layout; its place on a US keyboard where the layout has
/// letters of another script.
Key key_from_glfw(int glfw_key, int scancode);
Mods mods_from_glfw(int glfw_mods);

}  // namespace lab::platform
