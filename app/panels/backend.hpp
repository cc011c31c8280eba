// The backends of Dear ImGui: windows, shaders and glyphs differ between the desktop and the page. The build
// chooses the source: desktop_backend.cpp or web_backend.cpp.
#pragma once

#include <imgui.h>

struct GLFWwindow;

namespace lab::panels {

/// The first line of ImGui's shaders.
[[nodiscard]] const char* shader_version();
/// Chooses the rasterizer of glyphs.
void use_rasterizer(ImFontAtlas& atlas);

/// Installs ImGui's callbacks in a window and chains the existing ones.
void attach(GLFWwindow* window);
void begin_window_frame();
void detach();

/// Services for a Ui without a window: the clipboard of the browser.
void connect_clipboard(ImGuiIO& io);

}  // namespace lab::panels
