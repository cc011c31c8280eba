// A finger on the panels: a tap is a click, a drag along a slider moves it, and a drag up or down scrolls
// what is under it, as everywhere on a touch screen. ImGui knows the mouse alone: this turns one into the
// other.
#pragma once

#include <glm/vec2.hpp>

namespace lab::panels {

class TouchScroll {
  public:
    /// A finger that stays this near to where it came down does not move; px at content scale 1.
    static constexpr float kStillPx = 8.0f;

    struct Finger {
        glm::vec2 at_px{0.0f};
        bool down = false;
        bool taken = false;  ///< By another gesture, like a long press: what was begun is given up.
    };
    /// What ImGui is told in place of the finger.
    struct Mouse {
        glm::vec2 at_px{0.0f};
        bool left_down = false;
        glm::vec2 scroll_px{0.0f};  ///< The contents move by that.
    };

    /// What is under the finger now.
    enum class Under : unsigned char { View, Panel, WidePanel /* scrolls sideways, too */ };

    /// Once per frame.
    [[nodiscard]] Mouse feed(const Finger& finger, Under under, float scale, float dt_s);

  private:
    enum class State : unsigned char {
        Free,       ///< No finger on the panels: all goes through as it is.
        Tapping,    ///< It has gone, and the click that it was is let go.
        Undecided,  ///< It has come down and not yet moved.
        Pressing,   ///< It is the left button.
        Scrolling,
        Gliding,  ///< It has gone while it scrolled.
    };
    State state_ = State::Free;
    glm::vec2 start_px_{0.0f}, last_px_{0.0f};
    glm::vec2 speed_px_s_{0.0f};
};

}  // namespace lab::panels
