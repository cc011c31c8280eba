// The user's input since the last frame, as one immutable value. A window fills it from GLFW; headless runs
// and scripted tests fill it through the same InputCollector (input_collector.hpp), so the code above cannot
// tell them apart.
//
// Positions are framebuffer pixels, (0, 0) the top left corner, y down. Times are seconds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace lab::platform {

/// A key by its label in the user's layout; keypad keys report as their main-block twins.
enum class Key : std::uint8_t {
    Unknown,
    // clang-format off
    A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W, X, Y, Z,
    Num0, Num1, Num2, Num3, Num4, Num5, Num6, Num7, Num8, Num9,
    F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, F11, F12,
    // clang-format on
    Space,
    Enter,
    Escape,
    Tab,
    Backspace,
    Delete,
    Insert,
    Home,
    End,
    PageUp,
    PageDown,
    Left,
    Right,
    Up,
    Down,
    Comma,
    Period,
    Slash,
    Backslash,
    Semicolon,
    Apostrophe,
    Grave,
    Minus,
    Equal,
    LeftBracket,
    RightBracket,
    Shift,
    Control,
    Alt,
    Super,
    Count,
};

/// Like "A", "F1", "PageUp", "[": for help pages and messages.
std::string_view key_name(Key key);

struct Mods {
    bool shift = false, ctrl = false, alt = false, super = false;
    [[nodiscard]] constexpr bool any() const { return shift || ctrl || alt || super; }
    friend bool operator==(const Mods&, const Mods&) = default;
};

enum class KeyAction : std::uint8_t { Press, Repeat, Release };

struct KeyEvent {
    Key key = Key::Unknown;
    KeyAction action = KeyAction::Press;
    Mods mods;
    /// The character that the key types with the current layout and mods, 0 when none: `?` is found by this,
    /// not by place.
    char32_t typed = 0;
    friend bool operator==(const KeyEvent&, const KeyEvent&) = default;
};

enum class MouseButton : std::uint8_t { Left, Right, Middle };
inline constexpr std::size_t kMouseButtonCount = 3;

/// One button. A press and its release may fall into one frame: then `pressed`, `released` and `clicked` are
/// all set.
struct ButtonState {
    bool held = false;      ///< Down at the end of the frame.
    bool pressed = false;   ///< Went down in this frame.
    bool released = false;  ///< Went up in this frame.
    bool dragging =
        false;  ///< Held (or released in this frame) and moved beyond the click threshold since the press.
    bool drag_started = false;  ///< `dragging` became true in this frame.
    bool clicked = false;       ///< Released without a drag.
    bool double_clicked =
        false;  ///< The second click at the same place within the double-click time; `clicked` too.
    glm::vec2 press_px{0.0f};  ///< Where the last press was.
    glm::vec2 drag_px{0.0f};   ///< Movement in this frame that belongs to the drag; the frame in which the
                               ///< threshold is crossed contains all movement since the press.
    Mods press_mods;           ///< Modifiers when it was pressed: a drag keeps its meaning.
};

/// The input captured by the user interface: `keyboard` while a menu or a text field has the keys, `text`
/// with a text field.
struct UiCapture {
    bool mouse = false, keyboard = false, text = false;
};

struct InputFrame {
    glm::ivec2 framebuffer_px{0};  ///< (0, 0) while minimized: skip drawing.
    float content_scale = 1.0f;    ///< 2 on a HiDPI monitor: multiply sizes in px by it.
    double time_s = 0;             ///< Since the surface was opened.
    double dt_s = 0;               ///< Since the last poll; > 0.
    bool close_requested = false;
    bool focused = true;
    bool minimized = false;

    glm::vec2 mouse_px{0.0f};
    glm::vec2 mouse_delta_px{0.0f};
    bool mouse_inside = false;  ///< Over the window and not over something that captured it.
    std::array<ButtonState, kMouseButtonCount> buttons;
    glm::vec2 wheel{0.0f};  ///< Notches; y > 0 is away from the user.

    std::vector<KeyEvent> keys;  ///< In order.
    std::array<bool, static_cast<std::size_t>(Key::Count)> keys_down{};
    Mods mods;             ///< At the end of the frame.
    std::string text;      ///< Typed, UTF-8.
    bool fingers = false;  ///< The pointer is a finger, not a mouse.
    std::vector<std::string> dropped_files;

    [[nodiscard]] const ButtonState& button(MouseButton b) const {
        return buttons[static_cast<std::size_t>(b)];
    }
    [[nodiscard]] bool key_down(Key key) const { return keys_down[static_cast<std::size_t>(key)]; }
    /// A copy without the captured input: mouse buttons, wheel and position, keys, text. Size, times, close,
    /// modifiers and dropped files stay, and so does the release that ends a drag which began outside the
    /// interface.
    [[nodiscard]] InputFrame masked(const UiCapture& ui) const;
};

}  // namespace lab::platform
