// A finger on the panels: a tap is a click, a drag along a slider moves it, and a drag up or down scrolls
// what is under it, as on any touch screen. ImGui only knows a mouse: this turns a finger into one.
#pragma once

#include <glm/vec2.hpp>

namespace lab::panels {

class TouchScroll {
  public:
    /// A finger that stays this near to its first position has not moved; px at content scale 1.
    static constexpr float kStillPx = 8.0f;

    struct Finger {
        glm::vec2 at_px{0.0f};
        bool down = false;
        bool taken =
            false;  ///< Another gesture, like a long press, took it over: whatever it began is cancelled.
    };
    /// The mouse state passed to ImGui in place of the finger.
    struct Mouse {
        glm::vec2 at_px{0.0f};
        bool left_down = false;
        glm::vec2 scroll_px{0.0f};  ///< How far the contents scroll.
    };

    /// The widget under the finger.
    enum class Under : unsigned char { View, Panel, WidePanel /* scrolls sideways, too */ };

    /// Once per frame.
    [[nodiscard]] Mouse feed(const Finger& finger, Under under, float scale, float dt_s);

  private:
    enum class State : unsigned char {
        Free,       ///< No finger on the panels: input passes unchanged.
        Tapping,    ///< It has lifted; the click that it made is being released.
        Undecided,  ///< It is down and has not moved yet.
        Pressing,   ///< It acts as the left button.
        Scrolling,
        Gliding,  ///< It lifted while scrolling.
    };
    State state_ = State::Free;
    glm::vec2 start_px_{0.0f}, last_px_{0.0f};
    glm::vec2 speed_px_s_{0.0f};
};

}  // namespace lab::panels
