#include <backends/imgui_impl_glfw.h>
#include <imgui_freetype.h>

#include "panels/backend.hpp"

namespace lab::panels {

const char* shader_version() {
    return "#version 330 core";
}

void use_rasterizer(ImFontAtlas& atlas) {
#if IMGUI_VERSION_NUM >= 19200
    atlas.SetFontLoader(ImGuiFreeType::GetFontLoader());
#else
    atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
#endif
}

void attach(GLFWwindow* window) {
    ImGui_ImplGlfw_InitForOpenGL(window, true);
}
void begin_window_frame() {
    ImGui_ImplGlfw_NewFrame();
}
void detach() {
    ImGui_ImplGlfw_Shutdown();
}

// A run without a window keeps what it copies to itself.
void connect_clipboard(ImGuiIO&) {}

}  // namespace lab::panels
