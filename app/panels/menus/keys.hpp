// The few keys that panels act on, across the versions of ImGui. Only files of this folder include this.
#pragma once

#include <imgui.h>

#include <vector>

#include "panels/ui.hpp"

namespace lab::panels {

/// Went down in this frame; a held key repeats.
[[nodiscard]] bool pressed(UiKey key);

/// For a Ui without a window: maps keys to numbers, which older versions of ImGui require.
void number_keys(ImGuiIO& io);

/// Makes keys that went down since the last frame visible to the next ImGui::NewFrame, even if they are up
/// again. Call `untap` right after it.
class KeyTaps {
  public:
    void tap(ImGuiIO& io, const std::vector<UiKey>& keys, bool has_window);
    void untap(ImGuiIO& io);

  private:
    std::vector<int> held_;  // keys that are down only because of tap()
};

}  // namespace lab::panels
