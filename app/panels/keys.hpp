// The few keys that panels act on themselves, across the versions of ImGui. Only files of this folder include
// this.
#pragma once

#include <imgui.h>

namespace lab::panels {

enum class NavKey : unsigned char { Enter, Escape, Down, Up, Backspace };

/// Went down in this frame; held keys repeat.
[[nodiscard]] bool pressed(NavKey key);
/// For a Ui without a window: gives the keys numbers of their own where this version of ImGui wants that.
void prepare_keys(ImGuiIO& io);
void feed_key(ImGuiIO& io, NavKey key, bool down);

}  // namespace lab::panels
