#include "platform/input/input.hpp"

namespace lab::platform {

namespace {

// In the order of the enum.
constexpr std::string_view kKeyNames[] = {
    "unknown", "A",     "B",   "C",         "D",      "E",      "F",    "G",   "H",      "I",
    "J",       "K",     "L",   "M",         "N",      "O",      "P",    "Q",   "R",      "S",
    "T",       "U",     "V",   "W",         "X",      "Y",      "Z",    "0",   "1",      "2",
    "3",       "4",     "5",   "6",         "7",      "8",      "9",    "F1",  "F2",     "F3",
    "F4",      "F5",    "F6",  "F7",        "F8",     "F9",     "F10",  "F11", "F12",    "Space",
    "Enter",   "Esc",   "Tab", "Backspace", "Delete", "Insert", "Home", "End", "PageUp", "PageDown",
    "Left",    "Right", "Up",  "Down",      ",",      ".",      "/",    "\\",  ";",      "'",
    "`",       "-",     "=",   "[",         "]",      "Shift",  "Ctrl", "Alt", "Super",
};
static_assert(std::size(kKeyNames) == static_cast<std::size_t>(Key::Count));

}  // namespace

std::string_view key_name(Key key) {
    const auto index = static_cast<std::size_t>(key);
    return index < std::size(kKeyNames) ? kKeyNames[index] : kKeyNames[0];
}

InputFrame InputFrame::masked(const UiCapture& ui) const {
    InputFrame out = *this;
    if (ui.mouse) {
        for (ButtonState& button : out.buttons) {
            const bool ends_our_drag = button.released && button.dragging;
            ButtonState kept;
            kept.press_px = button.press_px;
            kept.press_mods = button.press_mods;
            if (ends_our_drag) {
                kept.released = true;
                kept.dragging = true;
            }
            button = kept;
        }
        out.wheel = {0.0f, 0.0f};
        out.mouse_delta_px = {0.0f, 0.0f};
        out.mouse_inside = false;
    }
    if (ui.keyboard) {
        // A menu takes keys, but not chords; a text field takes those, too, for copy and paste.
        std::erase_if(out.keys, [&](const KeyEvent& e) {
            const bool function_key = e.key >= Key::F1 && e.key <= Key::F12;
            return !function_key && (ui.text || !e.mods.ctrl);
        });
        out.keys_down.fill(false);
    }
    if (ui.text) out.text.clear();
    return out;
}

}  // namespace lab::platform
