// A session with its panels, without a window or any OpenGL, for tests that click and type.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <glm/vec2.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "commands/catalog.hpp"
#include "panels/ui.hpp"
#include "session/session.hpp"

namespace lab::testing_tools {

/// A session and its panels, driven as the program does it.
struct Screen {
    Session session{command_table()};
    panels::Ui ui{panels::Ui::Graphics::None};
    glm::ivec2 size{1280, 720};
    float scale = 1.0f;
    bool fingers = false;
    panels::UiInput input;
    std::vector<std::string> pushed;  ///< By the panels, in all frames so far.

    void frame() {
        ui.begin_frame({size, scale, 1.0 / 60.0, input, fingers}, session.state().settings);
        session.drain();
        session.step(Session::kFixedStep_s, {ui.needs_bodies_tree(session.shown())});
        if (const auto requests = session.take_requests(); requests.palette)
            ui.open_palette(*requests.palette);
        CommandQueue queue;
        ui.build(session.shown(), queue);
        ui.render();
        while (!queue.empty()) {
            pushed.push_back(queue.pop().line);
            session.commands().push(pushed.back());
        }
    }
    void frames(int count) {
        for (int i = 0; i < count; ++i)
            frame();
    }
    void run(std::string_view script) {
        const auto before = session.refused_commands();
        session.commands().push_script(script, "test");
        frames(2);
        EXPECT_EQ(session.refused_commands(), before) << script;
    }
    /// Moves the mouse to a widget and clicks it.
    void click(const std::string& name) {
        const auto rect = ui.widget_rect(name);
        ASSERT_TRUE(rect) << "not on screen: " << name;
        click(rect->center());
    }
    void click(glm::vec2 at) {
        input.mouse_px = at;
        frame();
        input.left_down = true;
        frame();
        input.left_down = false;
        frames(2);
    }
    void type(const std::string& text) {
        input.text = text;
        frame();
        input.text.clear();
        frame();
    }
    void press(panels::UiKey key) {
        input.keys = {key};
        frame();
        input.keys.clear();
        frames(2);
    }
    [[nodiscard]] bool was_pushed(std::string_view line) const {
        return std::find(pushed.begin(), pushed.end(), line) != pushed.end();
    }
};

}  // namespace lab::testing_tools
