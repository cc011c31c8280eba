#include "panels/touch_scroll.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

namespace lab::panels {
namespace {

constexpr float kGlideSeconds = 0.32f;   // time in which the speed falls to a third
constexpr float kMinGlide_px_s = 30.0f;  // at content scale 1

}  // namespace

TouchScroll::Mouse TouchScroll::feed(const Finger& finger, Under under, float scale, float dt_s) {
    const bool comes_down =
        finger.down && (state_ == State::Free || state_ == State::Gliding || state_ == State::Tapping);
    if (comes_down) {
        start_px_ = last_px_ = finger.at_px;
        speed_px_s_ = {0.0f, 0.0f};
        state_ = under == Under::View ? State::Pressing : State::Undecided;
    }
    switch (state_) {
        case State::Free:
            break;
        case State::Tapping:
            state_ = State::Free;
            return {start_px_, false, {}};
        case State::Pressing:
            if (!finger.down) state_ = State::Free;
            break;
        case State::Undecided: {
            if (!finger.down) {
                state_ = finger.taken ? State::Free : State::Tapping;
                // The tap: down in this frame, up in the next one.
                return {start_px_, !finger.taken, {}};
            }
            const glm::vec2 moved = finger.at_px - start_px_;
            if (std::hypot(moved.x, moved.y) <= kStillPx * scale) return {start_px_, false, {}};
            const bool scrolls = under == Under::WidePanel || std::abs(moved.y) > std::abs(moved.x);
            state_ = scrolls ? State::Scrolling : State::Pressing;
            if (!scrolls) return {start_px_, true, {}};
            last_px_ = start_px_;
            [[fallthrough]];
        }
        case State::Scrolling: {
            if (!finger.down) {
                state_ = State::Gliding;
                break;
            }
            const glm::vec2 moved = finger.at_px - last_px_;
            last_px_ = finger.at_px;
            // Smoothed: the last event before a finger lifts often carries no movement.
            speed_px_s_ += 0.5f * (moved / std::max(dt_s, 1e-3f) - speed_px_s_);
            return {start_px_, false, moved};
        }
        case State::Gliding:
            break;
    }
    if (state_ == State::Gliding) {
        speed_px_s_ *= std::exp(-dt_s / kGlideSeconds);
        if (glm::length(speed_px_s_) < kMinGlide_px_s * scale) state_ = State::Free;
        return {start_px_, false, speed_px_s_ * dt_s};
    }
    return {finger.at_px, finger.down, {}};
}

}  // namespace lab::panels
