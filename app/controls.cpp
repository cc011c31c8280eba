#include "controls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "settings/program.hpp"
#include "settings/view.hpp"
#include "view/picking.hpp"
#include "world/world.hpp"

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
/// Largest distance at which a press grabs a handle.
constexpr float kHandleReachPx = 16.0f;
/// Longest name of an edit, in bytes.
constexpr std::size_t kMaxNameBytes = 60;

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
    // A character that is not a key of its own, like `?`: its key, and whether it needs Shift, depend on the
    // layout.
    if (keys.size() != 1) return std::nullopt;
    chord.typed = static_cast<unsigned char>(keys.front());
    return chord;
}

bool matches(const KeyChord& chord, const platform::KeyEvent& event) {
    if (chord.typed != 0) return event.typed == chord.typed && !event.mods.ctrl && !event.mods.alt;
    return event.key == chord.key && event.mods.shift == chord.mods.shift &&
           event.mods.ctrl == chord.mods.ctrl && event.mods.alt == chord.mods.alt;
}

/// The shortcut of a key; null if it has none now.
static const Shortcut* shortcut_for(const platform::KeyEvent& event, const Session& session) {
    const Shortcut* found = nullptr;
    for (const Shortcut& shortcut : session.command_table().shortcuts()) {
        const bool of_film = shortcut.command->of_film;
        if (of_film ? !session.results().film : found != nullptr) continue;
        const auto chord = parse_chord(shortcut.keys);
        if (!chord || !matches(*chord, event)) continue;
        found = &shortcut;
        if (of_film) break;
    }
    return found;
}

void Controls::push_commands(const InputFrame& input, const ViewRect& view, const Session& session,
                             CommandQueue& commands) {
    if (input.close_requested) commands.push("quit");
    for (const std::string& file : input.dropped_files)
        commands.push("open " + quote_word(file));
    if (view.size_px.x < 1.0f || view.size_px.y < 1.0f) return;  // minimized: no view to point into
    push_view(view, input, session, commands);
    // With any modifiers, since some are held for the drag.
    const auto is_cancel = [&](const platform::KeyEvent& event) {
        return grab_ && event.key == Key::Escape && event.action != platform::KeyAction::Release;
    };
    const bool cancels = std::any_of(input.keys.begin(), input.keys.end(), is_cancel);
    if (cancels) cancel_grab(session, commands);
    push_mouse(input, session, commands);
    if (input.button(MouseButton::Right).held) {
        push_flight(input, session, commands);
        return;  // letters fly while the right button is down
    }
    for (const platform::KeyEvent& event : input.keys) {
        if (event.action == platform::KeyAction::Release) continue;
        if (cancels && event.key == Key::Escape) continue;
        const Shortcut* const shortcut = shortcut_for(event, session);
        if (shortcut && (event.action == platform::KeyAction::Press || shortcut->command->repeats))
            commands.push(shortcut->line);
        if (shortcut && shortcut->command->opens_field) break;
    }
}

void Controls::push_view(const ViewRect& view, const InputFrame& input, const Session& session,
                         CommandQueue& commands) {
    if (view != session.state().view.rect)
        commands.push(fmt::format("view.size {} {} {} {}", view.size_px.x, view.size_px.y, view.min_px.x,
                                  view.min_px.y));
    const bool dragging = std::any_of(input.buttons.begin(), input.buttons.end(),
                                      [](const ButtonState& button) { return button.dragging; });
    const bool hover = input.mouse_inside && !dragging;
    if (hover && (!hovering_ || session.state().view.hover_px != input.mouse_px))
        commands.push(fmt::format("hover {} {}", input.mouse_px.x, input.mouse_px.y));
    if (!hover && hovering_) commands.push("hover none");
    hovering_ = hover;
}

/// The id of the nearest handle in reach; empty if there is none.
static std::string_view handle_at(const Session& session, glm::vec2 pixel, float scale) {
    float nearest = kHandleReachPx * scale;
    std::string_view found;
    for (const Handle& handle : session.results().handles) {
        if (!handle.given.in_view) continue;
        const auto seen = session.state().view.pixel_of(handle.position);
        const float distance = seen ? glm::length(*seen - pixel) : nearest;
        if (distance >= nearest) continue;
        nearest = distance;
        found = handle.id;
    }
    return found;
}

void Controls::push_mouse(const InputFrame& input, const Session& session, CommandQueue& commands) {
    const ButtonState& left = input.button(MouseButton::Left);
    const float scale = input.content_scale * session.state().settings[kUiScale];
    if (left.clicked) push_click(left, commands);
    if (left.double_clicked)
        commands.push(fmt::format("camera.center {} {}", left.press_px.x, left.press_px.y));
    if (left.drag_started) start_grab(left, scale, session, commands);
    if (left.dragging && moved(left.drag_px)) {
        if (grab_) {
            push_grab(input, session, commands);
        } else {
            const glm::vec2 turn = kOrbitDegreesPerPx / input.content_scale * left.drag_px;
            commands.push(fmt::format("camera.orbit {} {}", -turn.x, turn.y));
        }
    }
    if (!left.held && grab_) end_grab(left, commands);
    if (!grab_) {
        const bool points = input.mouse_inside && !left.dragging;
        const auto gizmo = points ? gizmo_of(session, input.content_scale) : std::nullopt;
        const ViewRect& view = session.state().view.rect;
        look_ = {};
        if (points) {
            look_.at = input.mouse_px;
            look_.handle = handle_at(session, input.mouse_px, scale);
        }
        if (gizmo)
            look_.gizmo = gizmo_part_at(*gizmo, session.state().view.shown_camera(), view.size_px, scale,
                                        input.mouse_px - view.min_px);
    }

    push_right_click(input.button(MouseButton::Right), session, commands);
    for (const MouseButton button : {MouseButton::Right, MouseButton::Middle}) {
        const ButtonState& state = input.button(button);
        if (state.dragging && moved(state.drag_px))
            commands.push(fmt::format("camera.pan {} {}", state.drag_px.x, state.drag_px.y));
    }
    if (input.wheel.y != 0.0f)
        commands.push(
            fmt::format("camera.zoom {}", std::pow(kZoomPerNotch, std::clamp(input.wheel.y, -20.0f, 20.0f))));
}

void Controls::push_click(const ButtonState& left, CommandQueue& commands) {
    const glm::vec2 at = left.press_px;
    const platform::Mods mods = left.press_mods;
    if (mods.alt)
        commands.push(fmt::format("pick.node {} {}", at.x, at.y));
    else
        commands.push(fmt::format("pick {} {}{}", at.x, at.y,
                                  mods.ctrl    ? " toggle"
                                  : mods.shift ? " add"
                                               : ""));
}

/// Opens the context menu. An unselected body under the mouse becomes the selection first.
void Controls::push_right_click(const ButtonState& right, const Session& session, CommandQueue& commands) {
    if (!right.clicked) return;
    const RayQuery seen = cast_ray(session.state().world, RayQuery::Kind::Pick,
                                   session.state().view.ray_through(right.press_px));
    if (seen.body.valid() && !session.state().view.selection.contains(seen.body))
        commands.push(fmt::format("pick {} {}", right.press_px.x, right.press_px.y));
    commands.push(fmt::format("menu {} {}", right.press_px.x, right.press_px.y));
}

void Controls::push_flight(const InputFrame& input, const Session& session, CommandQueue& commands) {
    const auto axis = [&](Key forward, Key backward) {
        return static_cast<float>(input.key_down(forward)) - static_cast<float>(input.key_down(backward));
    };
    const glm::vec3 direction(axis(Key::D, Key::A), axis(Key::E, Key::Q), axis(Key::W, Key::S));
    if (direction == glm::vec3(0.0f)) return;
    const float speed =
        session.state().view.camera.distance / kFlySeconds * (input.mods.shift ? kFastFactor : 1.0f);
    const glm::vec3 delta = speed * static_cast<float>(input.dt_s) * glm::normalize(direction);
    commands.push(fmt::format("camera.fly {} {} {}", delta.x, delta.y, delta.z));
}

std::optional<Gizmo> gizmo_of(const Session& session, float content_scale) {
    const auto pivot = session.state().selection_pivot();
    if (!pivot) return std::nullopt;
    const Settings& settings = session.state().settings;
    return gizmo_at(*pivot, settings[kEditGizmo], session.state().view.shown_camera(),
                    session.state().view.rect.size_px, content_scale * settings[kUiScale]);
}

void Controls::start_grab(const ButtonState& left, float scale, const Session& session,
                          CommandQueue& commands) {
    // The results still show the frame that the user pressed on.
    if (const std::string_view handle = handle_at(session, left.press_px, scale); !handle.empty()) {
        grab_ = Grab{.handle = std::string(handle)};
        look_ = {};
        look_.handle = handle;
        const std::string& name = find_handle(session.results().handles, handle)->name();
        const bool is_short = name.size() <= kMaxNameBytes;
        commands.push("edit.begin " + quote_word(is_short ? name : "Move a handle"));
        return;
    }
    const ViewRect& view = session.state().view.rect;
    const auto gizmo = gizmo_of(session, scale / session.state().settings[kUiScale]);
    const GizmoPart part = gizmo ? gizmo_part_at(*gizmo, session.state().view.shown_camera(), view.size_px,
                                                 scale, left.press_px - view.min_px)
                                 : GizmoPart::None;
    if (part != GizmoPart::None && !left.press_mods.any()) {
        grab_ = Grab{.gizmo = part};
        look_.gizmo = part;
        commands.push(is_turn(part) ? "edit.begin \"Turn the selection\""
                                    : "edit.begin \"Move the selection\"");
        return;
    }
    if (left.press_mods.shift) grab_ = Grab{.band = true};
    if (!left.press_mods.ctrl) return;
    const RayQuery seen = cast_ray(session.state().world, RayQuery::Kind::Pick,
                                   session.state().view.ray_through(left.press_px));
    grab_ = Grab{.body = seen.body};  // over empty space the drag grabs nothing, and the camera stays
    if (!seen.body.valid()) return;
    if (!session.state().view.selection.contains(seen.body))
        commands.push(fmt::format("select {}", seen.body.value));
    commands.push("edit.begin \"Move the selection\"");
}

void Controls::end_grab(const ButtonState& left, CommandQueue& commands) {
    if (grab_->band)
        commands.push(fmt::format("select.box {} {} {} {}{}", look_.band_from.x, look_.band_from.y,
                                  look_.band_to.x, look_.band_to.y, left.press_mods.ctrl ? " add" : ""));
    if (grab_->is_edit()) commands.push("edit.end");
    grab_.reset();
    look_ = {};
}

void Controls::cancel_grab(const Session& session, CommandQueue& commands) {
    const EditHistory& edits = session.state().edits;
    // An undo or a change of scene during the drag ends the group; what came after it is kept.
    const bool has_changed = edits.is_grouping() && !edits.fresh_group();
    if (grab_->is_edit()) commands.push("edit.end");
    if (grab_->is_edit() && has_changed) commands.push("undo");
    grab_ = Grab{};
    look_ = {};
}

void Controls::push_gizmo(glm::vec2 from, glm::vec2 to, float scale, const Session& session,
                          CommandQueue& commands) {
    const auto gizmo = gizmo_of(session, scale);
    if (!gizmo) return;
    const Camera camera = session.state().view.shown_camera();
    const glm::vec2 size = session.state().view.rect.size_px;
    const glm::vec3 axis = unit_axis(axis_of(grab_->gizmo));
    if (is_turn(grab_->gizmo)) {
        const float angle = gizmo_angle(*gizmo, grab_->gizmo, camera, size, from, to);
        if (angle != 0.0f)
            commands.push(fmt::format("turn {} {} {} {}", axis.x, axis.y, axis.z, glm::degrees(angle)));
        return;
    }
    const glm::vec3 delta = gizmo_delta(*gizmo, grab_->gizmo, camera, size, from, to);
    if (delta != glm::vec3(0.0f)) commands.push(fmt::format("move.by {} {} {}", delta.x, delta.y, delta.z));
}

void Controls::push_grab(const InputFrame& input, const Session& session, CommandQueue& commands) {
    const ButtonState& left = input.button(MouseButton::Left);
    // An undo or a change of scene has ended what the drag began: the rest of the drag does nothing.
    if (grab_->has_begun && !session.state().edits.is_grouping()) {
        grab_ = Grab{};
        look_ = {};
    }
    grab_->has_begun = grab_->is_edit();
    if (grab_->band) {
        look_.band = true;
        look_.band_from = left.press_px;
        look_.band_to = input.mouse_px;
        return;
    }
    if (grab_->gizmo != GizmoPart::None) {
        const glm::vec2 to = input.mouse_px - session.state().view.rect.min_px;
        push_gizmo(to - left.drag_px, to, input.content_scale, session, commands);
        return;
    }
    const auto delta_of = [&](const glm::vec3& from) {
        return session.state().view.shown_camera().drag(from, left.drag_px,
                                                        session.state().view.rect.size_px);
    };
    for (const Handle& handle : session.results().handles)
        if (!grab_->handle.empty() && handle.id == grab_->handle) {
            const glm::vec3 to = handle.position + delta_of(handle.position);
            commands.push(fmt::format("scene.drag {} {} {} {}", quote_word(handle.id), to.x, to.y, to.z));
        }
    const Body* body = session.state().world.find(grab_->body);
    if (!body) return;
    const glm::vec3 delta = delta_of(body->position);
    if (session.state().view.selection.bodies.size() > 1 &&
        session.state().view.selection.contains(grab_->body)) {
        commands.push(fmt::format("move.by {} {} {}", delta.x, delta.y, delta.z));
        return;
    }
    const glm::vec3 to = body->position + delta;
    commands.push(fmt::format("move {} {} {} {}", grab_->body.value, to.x, to.y, to.z));
}

}  // namespace lab
