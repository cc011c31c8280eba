// Mouse and keys -> command lines. No other input reaches the session.
#pragma once

#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "platform/input/input.hpp"
#include "session/session.hpp"
#include "view/gizmo.hpp"

namespace lab {

/// State of the mouse that only the view shows.
struct PointerLook {
    GizmoPart gizmo = GizmoPart::None;         ///< Under the mouse, or held by it.
    std::string handle;                        ///< Likewise; empty: none.
    bool band = false;                         ///< A rectangle is being drawn.
    glm::vec2 band_from{0.0f}, band_to{0.0f};  ///< Its corners, in pixels of the window.
    std::optional<glm::vec2> at;               ///< Likewise, while it is over the view and drags nothing.
};

class Controls {
  public:
    /// Pushes the commands for the input. `input` must exclude what the panels captured; positions are in
    /// window pixels, like those of the commands.
    void push_commands(const platform::InputFrame& input, const ViewRect& view, const Session& session,
                       CommandQueue& commands);

    [[nodiscard]] const PointerLook& look() const { return look_; }

  private:
    void push_view(const ViewRect& view, const platform::InputFrame& input, const Session& session,
                   CommandQueue& commands);
    void push_mouse(const platform::InputFrame& input, const Session& session, CommandQueue& commands);
    void push_flight(const platform::InputFrame& input, const Session& session, CommandQueue& commands);
    void push_click(const platform::ButtonState& left, CommandQueue& commands);
    void push_right_click(const platform::ButtonState& right, const Session& session, CommandQueue& commands);
    void start_grab(const platform::ButtonState& left, float scale, const Session& session,
                    CommandQueue& commands);
    void push_grab(const platform::InputFrame& input, const Session& session, CommandQueue& commands);
    void end_grab(const platform::ButtonState& left, CommandQueue& commands);
    /// Takes back what the drag has done. Until the button is released it does nothing more.
    void cancel_grab(const Session& session, CommandQueue& commands);
    void push_gizmo(glm::vec2 from, glm::vec2 to, float scale, const Session& session,
                    CommandQueue& commands);

    /// The object of a drag: a handle of the scene, a part of the gizmo, with Ctrl a body, with Shift the
    /// corner of a rubber band. With none of them the drag does nothing.
    struct Grab {
        std::string handle = {};
        bv::BodyId body = {};
        GizmoPart gizmo = GizmoPart::None;
        bool band = false;
        bool has_begun = false;  ///< Its edits are merged.
        [[nodiscard]] bool is_edit() const {
            return !handle.empty() || body.valid() || gizmo != GizmoPart::None;
        }
    };
    std::optional<Grab> grab_;
    PointerLook look_;
    bool hovering_ = false;
};

/// The gizmo of the selection as drawn in the window, if there is one.
[[nodiscard]] std::optional<Gizmo> gizmo_of(const Session& session, float content_scale);

/// A shortcut's keys, taken apart.
struct KeyChord {
    platform::Key key = platform::Key::Unknown;
    platform::Mods mods;
    char32_t typed = 0;  ///< For a chord that is one printed character, found by what is typed.
};
/// Empty for a text that names no key: "Shift+.", "F1", "?", "Ctrl+Q".
std::optional<KeyChord> parse_chord(std::string_view keys);
bool matches(const KeyChord& chord, const platform::KeyEvent& event);

}  // namespace lab
