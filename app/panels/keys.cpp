#include "panels/keys.hpp"

namespace lab::panels {
namespace {

ImGuiKey imgui_key(NavKey key) {
    switch (key) {
        case NavKey::Enter:
            return ImGuiKey_Enter;
        case NavKey::Escape:
            return ImGuiKey_Escape;
        case NavKey::Down:
            return ImGuiKey_DownArrow;
        case NavKey::Up:
            return ImGuiKey_UpArrow;
        case NavKey::Backspace:
            return ImGuiKey_Backspace;
    }
    return ImGuiKey_Escape;
}

}  // namespace

#if IMGUI_VERSION_NUM < 18700

// Up to 1.86 keys have the numbers of the backend, which the key map translates.
bool pressed(NavKey key) {
    return ImGui::IsKeyPressed(ImGui::GetIO().KeyMap[imgui_key(key)]);
}

void prepare_keys(ImGuiIO& io) {
    for (int key = 0; key < ImGuiKey_COUNT; ++key)
        io.KeyMap[key] = key + 1;
}

void feed_key(ImGuiIO& io, NavKey key, bool down) {
    io.KeysDown[io.KeyMap[imgui_key(key)]] = down;
}

#else

bool pressed(NavKey key) {
    return ImGui::IsKeyPressed(imgui_key(key));
}
void prepare_keys(ImGuiIO&) {}
void feed_key(ImGuiIO& io, NavKey key, bool down) {
    io.AddKeyEvent(imgui_key(key), down);
}

#endif

}  // namespace lab::panels
