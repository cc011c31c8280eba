// Turns raw events into InputFrames: separates clicks from drags, detects double clicks, sums movement.
// Independent of GLFW, so that scripts and tests can feed it.
#pragma once

#include <array>
#include <glm/vec2.hpp>
#include <string>

#include "platform/input/input.hpp"

namespace lab::platform {

class InputCollector {
  public:
    /// Movement from the press that makes a drag, in px at content scale 1.
    static constexpr float kDragThresholdPx = 4.0f;
    static constexpr double kDoubleClickSeconds = 0.4;
    /// Two clicks farther apart than this are not a double click; px at content scale 1.
    static constexpr float kDoubleClickPx = 6.0f;
    /// The same for fingers, which neither hold still nor hit the same place twice.
    static constexpr float kFingerDragThresholdPx = 10.0f, kDoubleTapPx = 28.0f;

    /// The first call only sets the position. A mouse that has not moved since is not inside: a window that
    /// opens under it was not pointed at.
    void mouse_moved(glm::vec2 position_px);
    void mouse_entered(bool inside);
    /// Sets whether moves and presses from now on come from a finger instead of a mouse.
    void use_fingers(bool fingers) { fingers_ = fingers; }
    void mouse_button(MouseButton button, bool down, Mods mods, double time_s);
    void wheel(glm::vec2 notches);
    void key(Key key, KeyAction action, Mods mods, char32_t typed = 0);
    void character(char32_t code_point);
    void files_dropped(std::vector<std::string> paths);
    /// Losing the focus releases all held keys and buttons: their release events would go to another window.
    void focus_changed(bool focused);
    void close_requested();
    void set_surface(glm::ivec2 framebuffer_px, float content_scale, bool minimized);

    /// Everything since the last call.
    [[nodiscard]] InputFrame take(double time_s, double dt_s);

  private:
    struct Click {
        glm::vec2 at_px{0.0f};
        double time_s = -1e9;
    };
    void release(ButtonState& button, Click& last, double time_s);

    InputFrame frame_;
    bool mouse_known_ = false, mouse_entered_ = false;
    bool mouse_used_ = false;  // it has moved, or a button was pressed, since its position is known
    bool fingers_ = false;
    std::array<Click, kMouseButtonCount> last_click_;
};

}  // namespace lab::platform
