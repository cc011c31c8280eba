#include "panels/menus/keys.hpp"

namespace lab::panels {
namespace {

ImGuiKey imgui_key(UiKey key) {
    switch (key) {
        case UiKey::Enter:
            return ImGuiKey_Enter;
        case UiKey::Escape:
            return ImGuiKey_Escape;
        case UiKey::Tab:
            return ImGuiKey_Tab;
        case UiKey::Up:
            return ImGuiKey_UpArrow;
        case UiKey::Down:
            return ImGuiKey_DownArrow;
        case UiKey::Left:
            return ImGuiKey_LeftArrow;
        case UiKey::Right:
            return ImGuiKey_RightArrow;
        case UiKey::Backspace:
            return ImGuiKey_Backspace;
        case UiKey::Delete:
            return ImGuiKey_Delete;
        case UiKey::Home:
            return ImGuiKey_Home;
        case UiKey::End:
            return ImGuiKey_End;
    }
    return ImGuiKey_Escape;
}

}  // namespace

#if IMGUI_VERSION_NUM < 18700

// Up to 1.86 keys have the numbers of the backend, translated by the key map, and ImGui compares their
// states once a frame.
bool pressed(UiKey key) {
    const int number = ImGui::GetIO().KeyMap[imgui_key(key)];
    return number >= 0 && ImGui::IsKeyPressed(number);
}

void number_keys(ImGuiIO& io) {
    for (int key = 0; key < ImGuiKey_COUNT; ++key)
        io.KeyMap[key] = key + 1;
}

void KeyTaps::tap(ImGuiIO& io, const std::vector<UiKey>& keys, bool) {
    for (const UiKey key : keys) {
        const int number = io.KeyMap[imgui_key(key)];
        if (number < 0 || io.KeysDown[number]) continue;
        io.KeysDown[number] = true;
        held_.push_back(number);
    }
}

void KeyTaps::untap(ImGuiIO& io) {
    for (const int number : held_)
        io.KeysDown[number] = false;
    held_.clear();
}

#else

// From 1.87 on key events are queued: the backend loses none.
bool pressed(UiKey key) {
    return ImGui::IsKeyPressed(imgui_key(key));
}
void number_keys(ImGuiIO&) {}
void KeyTaps::tap(ImGuiIO& io, const std::vector<UiKey>& keys, bool has_window) {
    if (has_window) return;
    for (const UiKey key : keys) {
        io.AddKeyEvent(imgui_key(key), true);
        io.AddKeyEvent(imgui_key(key), false);
    }
}
void KeyTaps::untap(ImGuiIO&) {
    held_.clear();
}

#endif

}  // namespace lab::panels
