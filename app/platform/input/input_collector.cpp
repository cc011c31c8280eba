#include "platform/input/input_collector.hpp"

#include <glm/geometric.hpp>
#include <utility>

namespace lab::platform {

namespace {

void append_utf8(std::string& out, char32_t c) {
    const auto byte = [&out](char32_t value) { out.push_back(static_cast<char>(value)); };
    if (c < 0x80) {
        byte(c);
    } else if (c < 0x800) {
        byte(0xC0 | (c >> 6));
        byte(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        byte(0xE0 | (c >> 12));
        byte(0x80 | ((c >> 6) & 0x3F));
        byte(0x80 | (c & 0x3F));
    } else {
        byte(0xF0 | (c >> 18));
        byte(0x80 | ((c >> 12) & 0x3F));
        byte(0x80 | ((c >> 6) & 0x3F));
        byte(0x80 | (c & 0x3F));
    }
}

constexpr bool is_code_point(char32_t c) {
    return c < 0x110000 && (c < 0xD800 || c > 0xDFFF);
}

}  // namespace

void InputCollector::mouse_moved(glm::vec2 position_px) {
    const glm::vec2 step = mouse_known_ ? position_px - frame_.mouse_px : glm::vec2(0.0f);
    mouse_known_ = true;
    mouse_used_ = mouse_used_ || step != glm::vec2(0.0f);
    frame_.mouse_inside = mouse_entered_ && mouse_used_;
    frame_.mouse_px = position_px;
    frame_.mouse_delta_px += step;
    const float still_px = (fingers_ ? kFingerDragThresholdPx : kDragThresholdPx) * frame_.content_scale;
    for (ButtonState& button : frame_.buttons) {
        if (!button.held) continue;
        if (button.dragging) {
            button.drag_px += step;
        } else if (glm::distance(position_px, button.press_px) > still_px) {
            button.dragging = true;
            button.drag_started = true;
            button.drag_px = position_px - button.press_px;
        }
    }
}

void InputCollector::mouse_entered(bool inside) {
    mouse_entered_ = inside;
    frame_.mouse_inside = mouse_entered_ && mouse_used_;
}

void InputCollector::mouse_button(MouseButton which, bool down, Mods mods, double time_s) {
    const auto index = static_cast<std::size_t>(which);
    ButtonState& button = frame_.buttons[index];
    frame_.mods = mods;
    if (!down) {
        if (button.held) release(button, last_click_[index], time_s);
        return;
    }
    mouse_used_ = true;
    frame_.mouse_inside = mouse_entered_;
    button.held = true;
    button.pressed = true;
    button.dragging = false;
    button.drag_started = false;
    button.drag_px = {0.0f, 0.0f};
    button.press_px = frame_.mouse_px;
    button.press_mods = mods;
}

void InputCollector::release(ButtonState& button, Click& last, double time_s) {
    button.held = false;
    button.released = true;
    if (button.dragging) return;
    button.clicked = true;
    const float reach_px = (fingers_ ? kDoubleTapPx : kDoubleClickPx) * frame_.content_scale;
    const bool same_place = glm::distance(last.at_px, button.press_px) <= reach_px;
    if (same_place && time_s - last.time_s <= kDoubleClickSeconds) {
        button.double_clicked = true;
        last.time_s = -1e9;  // a third click starts afresh
    } else {
        last = {button.press_px, time_s};
    }
}

void InputCollector::wheel(glm::vec2 notches) {
    frame_.wheel += notches;
}

void InputCollector::key(Key key, KeyAction action, Mods mods, char32_t typed) {
    frame_.keys.push_back({key, action, mods, typed});
    if (key != Key::Unknown) frame_.keys_down[static_cast<std::size_t>(key)] = action != KeyAction::Release;
    frame_.mods = mods;
}

void InputCollector::character(char32_t code_point) {
    if (!is_code_point(code_point) || code_point < 0x20 || code_point == 0x7F) return;
    append_utf8(frame_.text, code_point);
    // The character follows its key press at once: note what the key typed, so that `?` is found on every
    // layout.
    if (!frame_.keys.empty() && frame_.keys.back().action != KeyAction::Release &&
        frame_.keys.back().typed == 0)
        frame_.keys.back().typed = code_point;
}

void InputCollector::files_dropped(std::vector<std::string> paths) {
    for (std::string& path : paths)
        frame_.dropped_files.push_back(std::move(path));
}

void InputCollector::focus_changed(bool focused) {
    frame_.focused = focused;
    if (focused) return;
    for (ButtonState& button : frame_.buttons) {
        if (!button.held) continue;
        button.held = false;
        button.released = true;  // but no click: the button was not released over anything
    }
    for (std::size_t i = 0; i < frame_.keys_down.size(); ++i) {
        if (!frame_.keys_down[i]) continue;
        frame_.keys_down[i] = false;
        frame_.keys.push_back({static_cast<Key>(i), KeyAction::Release, {}, 0});
    }
    frame_.mods = {};
}

void InputCollector::close_requested() {
    frame_.close_requested = true;
}

void InputCollector::set_surface(glm::ivec2 framebuffer_px, float content_scale, bool minimized) {
    frame_.framebuffer_px = minimized ? glm::ivec2(0) : glm::max(framebuffer_px, glm::ivec2(0));
    frame_.content_scale = content_scale > 0.0f ? content_scale : 1.0f;
    frame_.minimized = minimized;
}

InputFrame InputCollector::take(double time_s, double dt_s) {
    frame_.time_s = time_s;
    frame_.dt_s = dt_s > 0.0 ? dt_s : 1e-6;
    InputFrame out = frame_;

    frame_.mouse_delta_px = {0.0f, 0.0f};
    frame_.wheel = {0.0f, 0.0f};
    frame_.keys.clear();
    frame_.text.clear();
    frame_.dropped_files.clear();
    for (ButtonState& button : frame_.buttons) {
        button.pressed = button.released = button.clicked = button.double_clicked = button.drag_started =
            false;
        button.drag_px = {0.0f, 0.0f};
        if (!button.held) button.dragging = false;
    }
    return out;
}

}  // namespace lab::platform
