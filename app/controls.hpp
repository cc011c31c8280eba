// Mouse and keys -> command lines. Nothing else of the input reaches the sandbox.
#pragma once

#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "platform/input.hpp"
#include "sandbox/sandbox.hpp"

namespace lab {

class Controls {
  public:
    /// Pushes what the input means. `input` must be free of what the panels have taken for themselves;
    /// positions in it count from the corner of the window, as the commands' do.
    void push_commands(const platform::InputFrame& input, const ViewRect& view, const Sandbox& sandbox,
                       CommandQueue& commands);

  private:
    void push_view(const ViewRect& view, const platform::InputFrame& input, const Sandbox& sandbox,
                   CommandQueue& commands);
    void push_mouse(const platform::InputFrame& input, const Sandbox& sandbox, CommandQueue& commands);
    void push_flight(const platform::InputFrame& input, const Sandbox& sandbox, CommandQueue& commands);
    void push_body_drag(const platform::ButtonState& left, const Sandbox& sandbox, CommandQueue& commands);

    static std::optional<std::string> handle_at(glm::vec2 mouse_px, const Sandbox& sandbox,
                                                float content_scale);
    void push_handle_drag(const platform::ButtonState& left, const Sandbox& sandbox, CommandQueue& commands);

    /// The body that a Ctrl+drag moves, with where on the screen the drag is.
    struct BodyDrag {
        bv::BodyId body;
        glm::vec2 at_px;
    };
    std::optional<BodyDrag> drag_;
    std::optional<std::string> handle_;  ///< The scene's handle that a drag moves.
    bool hovering_ = false;
};

/// A shortcut's keys, taken apart.
struct KeyChord {
    platform::Key key = platform::Key::Unknown;
    platform::Mods mods;
    char32_t typed = 0;  ///< For a chord that is one printed character, found by what is typed.
};
/// Nothing for a text that names no key: "Shift+.", "F1", "?", "Ctrl+Q".
std::optional<KeyChord> parse_chord(std::string_view keys);
bool matches(const KeyChord& chord, const platform::KeyEvent& event);

}  // namespace lab
