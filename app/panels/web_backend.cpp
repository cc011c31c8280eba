// The page has no window of GLFW: all input comes by UiInput. Glyphs are ImGui's own (stb_truetype).
#include "panels/backend.hpp"
#include "platform/web/page.hpp"

namespace lab::panels {

const char* shader_version() {
    return "#version 300 es";
}

void use_rasterizer(ImFontAtlas&) {}
void attach(GLFWwindow*) {}
void begin_window_frame() {}
void detach() {}

// Browsers let a page write to the clipboard, and read from it only when the user pastes, which arrives as
// typed text.
void connect_clipboard(ImGuiIO& io) {
    io.SetClipboardTextFn = [](void*, const char* text) { platform::page::copy(text); };
    io.GetClipboardTextFn = [](void*) { return ""; };
}

}  // namespace lab::panels
