#include "platform/input/glfw_keys.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace lab::platform {

namespace {

constexpr Key offset(Key first, int steps) {
    return static_cast<Key>(static_cast<int>(first) + steps);
}

Key key_from_character(char c) {
    if (c >= 'a' && c <= 'z') return offset(Key::A, c - 'a');
    if (c >= 'A' && c <= 'Z') return offset(Key::A, c - 'A');
    if (c >= '0' && c <= '9') return offset(Key::Num0, c - '0');
    switch (c) {
        case ',':
            return Key::Comma;
        case '.':
            return Key::Period;
        case '/':
            return Key::Slash;
        case '\\':
            return Key::Backslash;
        case ';':
            return Key::Semicolon;
        case '\'':
            return Key::Apostrophe;
        case '`':
            return Key::Grave;
        case '-':
            return Key::Minus;
        case '=':
            return Key::Equal;
        case '[':
            return Key::LeftBracket;
        case ']':
            return Key::RightBracket;
        default:
            return Key::Unknown;
    }
}

Key key_from_place(int key) {
    if (key >= GLFW_KEY_A && key <= GLFW_KEY_Z) return offset(Key::A, key - GLFW_KEY_A);
    if (key >= GLFW_KEY_0 && key <= GLFW_KEY_9) return offset(Key::Num0, key - GLFW_KEY_0);
    if (key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_9) return offset(Key::Num0, key - GLFW_KEY_KP_0);
    if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F12) return offset(Key::F1, key - GLFW_KEY_F1);
    switch (key) {
        case GLFW_KEY_SPACE:
            return Key::Space;
        case GLFW_KEY_ENTER:
        case GLFW_KEY_KP_ENTER:
            return Key::Enter;
        case GLFW_KEY_ESCAPE:
            return Key::Escape;
        case GLFW_KEY_TAB:
            return Key::Tab;
        case GLFW_KEY_BACKSPACE:
            return Key::Backspace;
        case GLFW_KEY_DELETE:
            return Key::Delete;
        case GLFW_KEY_INSERT:
            return Key::Insert;
        case GLFW_KEY_HOME:
            return Key::Home;
        case GLFW_KEY_END:
            return Key::End;
        case GLFW_KEY_PAGE_UP:
            return Key::PageUp;
        case GLFW_KEY_PAGE_DOWN:
            return Key::PageDown;
        case GLFW_KEY_LEFT:
            return Key::Left;
        case GLFW_KEY_RIGHT:
            return Key::Right;
        case GLFW_KEY_UP:
            return Key::Up;
        case GLFW_KEY_DOWN:
            return Key::Down;
        case GLFW_KEY_COMMA:
            return Key::Comma;
        case GLFW_KEY_PERIOD:
        case GLFW_KEY_KP_DECIMAL:
            return Key::Period;
        case GLFW_KEY_SLASH:
        case GLFW_KEY_KP_DIVIDE:
            return Key::Slash;
        case GLFW_KEY_BACKSLASH:
            return Key::Backslash;
        case GLFW_KEY_SEMICOLON:
            return Key::Semicolon;
        case GLFW_KEY_APOSTROPHE:
            return Key::Apostrophe;
        case GLFW_KEY_GRAVE_ACCENT:
            return Key::Grave;
        case GLFW_KEY_MINUS:
        case GLFW_KEY_KP_SUBTRACT:
            return Key::Minus;
        case GLFW_KEY_EQUAL:
        case GLFW_KEY_KP_ADD:
            return Key::Equal;
        case GLFW_KEY_LEFT_BRACKET:
            return Key::LeftBracket;
        case GLFW_KEY_RIGHT_BRACKET:
            return Key::RightBracket;
        case GLFW_KEY_LEFT_SHIFT:
        case GLFW_KEY_RIGHT_SHIFT:
            return Key::Shift;
        case GLFW_KEY_LEFT_CONTROL:
        case GLFW_KEY_RIGHT_CONTROL:
            return Key::Control;
        case GLFW_KEY_LEFT_ALT:
        case GLFW_KEY_RIGHT_ALT:
            return Key::Alt;
        case GLFW_KEY_LEFT_SUPER:
        case GLFW_KEY_RIGHT_SUPER:
            return Key::Super;
        default:
            return Key::Unknown;
    }
}

}  // namespace

Key key_from_glfw(int glfw_key, int scancode) {
    const bool keypad = glfw_key >= GLFW_KEY_KP_0 && glfw_key <= GLFW_KEY_KP_EQUAL;
    if (!keypad && glfw_key != GLFW_KEY_SPACE) {
        const char* printed = glfwGetKeyName(glfw_key, scancode);
        if (printed && printed[0] != '\0' && printed[1] == '\0')
            if (const Key key = key_from_character(printed[0]); key != Key::Unknown) return key;
    }
    return key_from_place(glfw_key);
}

Mods mods_from_glfw(int mods) {
    return {(mods & GLFW_MOD_SHIFT) != 0, (mods & GLFW_MOD_CONTROL) != 0, (mods & GLFW_MOD_ALT) != 0,
            (mods & GLFW_MOD_SUPER) != 0};
}

}  // namespace lab::platform
