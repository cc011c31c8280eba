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
    void start_grab(const platform::ButtonState& left, float content_scale, const Sandbox& sandbox,
                    CommandQueue& commands);
    void push_grab(glm::vec2 by_px, const Sandbox& sandbox, CommandQueue& commands);

    /// What a drag holds: a handle of the scene or, with Ctrl, a body. Neither: the drag does nothing.
    struct Grab {
        std::string handle;
        bv::BodyId body;
    };
    std::optional<Grab> grab_;
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
