#include "controls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "sandbox/picking.hpp"
#include "sandbox/world.hpp"

namespace lab {
namespace {

using platform::ButtonState;
using platform::InputFrame;
using platform::Key;
using platform::MouseButton;

constexpr float kOrbitDegreesPerPx = 0.3f;
constexpr float kZoomPerNotch = 0.88f;
/// Flying crosses the distance to the orbit center in this time.
constexpr float kFlySeconds = 1.5f;
constexpr float kFastFactor = 4.0f;
/// How near to a handle a press must be to take it.
constexpr float kHandleReachPx = 16.0f;

bool moved(glm::vec2 by) {
    return by.x != 0.0f || by.y != 0.0f;
}

}  // namespace

std::optional<KeyChord> parse_chord(std::string_view keys) {
    KeyChord chord;
    while (true) {
        const std::size_t plus = keys.find('+');
        if (plus == std::string_view::npos || plus + 1 == keys.size()) break;
        const std::string_view mod = keys.substr(0, plus);
        if (mod == "Shift")
            chord.mods.shift = true;
        else if (mod == "Ctrl")
            chord.mods.ctrl = true;
        else if (mod == "Alt")
            chord.mods.alt = true;
        else
            return std::nullopt;
        keys.remove_prefix(plus + 1);
    }
    for (int i = 1; i < static_cast<int>(Key::Count); ++i)
        if (platform::key_name(static_cast<Key>(i)) == keys) {
            chord.key = static_cast<Key>(i);
            return chord;
        }
    // A character that is no key of its own, like `?`: layouts disagree about where it is and whether Shift
    // makes it.
    if (keys.size() != 1) return std::nullopt;
    chord.typed = static_cast<unsigned char>(keys.front());
    return chord;
}

bool matches(const KeyChord& chord, const platform::KeyEvent& event) {
    if (chord.typed != 0) return event.typed == chord.typed && !event.mods.ctrl && !event.mods.alt;
    return event.key == chord.key && event.mods.shift == chord.mods.shift &&
           event.mods.ctrl == chord.mods.ctrl && event.mods.alt == chord.mods.alt;
}

void Controls::push_commands(const InputFrame& input, const ViewRect& view, const Sandbox& sandbox,
                             CommandQueue& commands) {
    if (input.close_requested) commands.push("quit");
    for (const std::string& file : input.dropped_files)
        commands.push("open " + quote_word(file));
    if (view.size_px.x < 1.0f || view.size_px.y < 1.0f) return;  // minimized: no view to point into
    push_view(view, input, sandbox, commands);
    push_mouse(input, sandbox, commands);
    if (input.button(MouseButton::Right).held) {
        push_flight(input, sandbox, commands);
        return;  // letters fly while the right button is down
    }
    for (const platform::KeyEvent& event : input.keys) {
        if (event.action == platform::KeyAction::Release) continue;
        for (const Shortcut& shortcut : shortcuts()) {
            const auto chord = parse_chord(shortcut.keys);
            if (!chord || !matches(*chord, event)) continue;
            // Holding a key repeats only what is meant to go on: steps in time and through a tree, and play.
            const std::string_view command = shortcut.command;
            const bool repeats = command.starts_with("step") || command.starts_with("time.back") ||
                                 command.starts_with("scene.step") || command.starts_with("invaders.");
            if (event.action == platform::KeyAction::Press || repeats)
                commands.push(std::string(shortcut.command));
            break;
        }
    }
}

void Controls::push_view(const ViewRect& view, const InputFrame& input, const Sandbox& sandbox,
                         CommandQueue& commands) {
    if (view != sandbox.view())
        commands.push(fmt::format("view.size {} {} {} {}", view.size_px.x, view.size_px.y, view.min_px.x,
                                  view.min_px.y));
    const bool dragging = std::any_of(input.buttons.begin(), input.buttons.end(),
                                      [](const ButtonState& button) { return button.dragging; });
    const bool hover = input.mouse_inside && !dragging;
    if (hover && (!hovering_ || sandbox.hover_px() != input.mouse_px))
        commands.push(fmt::format("hover {} {}", input.mouse_px.x, input.mouse_px.y));
    if (!hover && hovering_) commands.push("hover none");
    hovering_ = hover;
}

void Controls::push_mouse(const InputFrame& input, const Sandbox& sandbox, CommandQueue& commands) {
    const ButtonState& left = input.button(MouseButton::Left);
    if (left.clicked) commands.push(fmt::format("pick {} {}", left.press_px.x, left.press_px.y));
    if (left.double_clicked)
        commands.push(fmt::format("camera.center {} {}", left.press_px.x, left.press_px.y));
    if (left.drag_started) start_grab(left, input.content_scale, sandbox, commands);
    if (left.dragging && moved(left.drag_px)) {
        if (grab_) {
            push_grab(left.drag_px, sandbox, commands);
        } else {
            const glm::vec2 turn = kOrbitDegreesPerPx / input.content_scale * left.drag_px;
            commands.push(fmt::format("camera.orbit {} {}", -turn.x, turn.y));
        }
    }
    if (!left.held) grab_.reset();

    for (const MouseButton button : {MouseButton::Right, MouseButton::Middle}) {
        const ButtonState& state = input.button(button);
        if (state.dragging && moved(state.drag_px))
            commands.push(fmt::format("camera.pan {} {}", state.drag_px.x, state.drag_px.y));
    }
    if (input.wheel.y != 0.0f)
        commands.push(
            fmt::format("camera.zoom {}", std::pow(kZoomPerNotch, std::clamp(input.wheel.y, -20.0f, 20.0f))));
}

void Controls::push_flight(const InputFrame& input, const Sandbox& sandbox, CommandQueue& commands) {
    const auto axis = [&](Key forward, Key backward) {
        return static_cast<float>(input.key_down(forward)) - static_cast<float>(input.key_down(backward));
    };
    const glm::vec3 direction(axis(Key::D, Key::A), axis(Key::E, Key::Q), axis(Key::W, Key::S));
    if (direction == glm::vec3(0.0f)) return;
    const float speed = sandbox.camera().distance / kFlySeconds * (input.mods.shift ? kFastFactor : 1.0f);
    const glm::vec3 way = speed * static_cast<float>(input.dt_s) * glm::normalize(direction);
    commands.push(fmt::format("camera.fly {} {} {}", way.x, way.y, way.z));
}

void Controls::start_grab(const ButtonState& left, float content_scale, const Sandbox& sandbox,
                          CommandQueue& commands) {
    // The results still show the frame that the user pressed on.
    float nearest = kHandleReachPx * content_scale;
    for (const Handle& handle : sandbox.results().handles) {
        const auto seen = sandbox.pixel_of(handle.position);
        const float distance = seen ? glm::length(*seen - left.press_px) : nearest;
        if (distance >= nearest) continue;
        nearest = distance;
        grab_ = Grab{handle.id, {}};
    }
    if (grab_ || !left.press_mods.ctrl) return;
    const RayQuery seen = cast_ray(sandbox.world(), RayQuery::Kind::Pick, sandbox.ray_through(left.press_px));
    grab_ = Grab{{}, seen.body};  // on nothing it holds nothing, and the camera stays where it is
    if (seen.body.valid()) commands.push(fmt::format("select {}", seen.body.value));
}

void Controls::push_grab(glm::vec2 by_px, const Sandbox& sandbox, CommandQueue& commands) {
    const auto moved_from = [&](const glm::vec3& from) {
        return from + sandbox.camera().drag(from, by_px, sandbox.view().size_px);
    };
    for (const Handle& handle : sandbox.results().handles)
        if (!grab_->handle.empty() && handle.id == grab_->handle) {
            const glm::vec3 to = moved_from(handle.position);
            commands.push(fmt::format("scene.drag {} {} {} {}", quote_word(handle.id), to.x, to.y, to.z));
        }
    if (const Body* body = sandbox.world().find(grab_->body)) {
        const glm::vec3 to = moved_from(body->position);
        commands.push(fmt::format("move {} {} {} {}", grab_->body.value, to.x, to.y, to.z));
    }
}

}  // namespace lab
