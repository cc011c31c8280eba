// Input -> command lines -> the session, fed through the collector that a window feeds.
#include <gtest/gtest.h>

#include "commands/catalog.hpp"
#include "controls.hpp"
#include "platform/input/input_collector.hpp"
#include "settings/program.hpp"
#include "volumes_of.hpp"

namespace lab {
namespace {

using platform::InputCollector;
using platform::Key;
using platform::KeyAction;
using platform::Mods;
using platform::MouseButton;

class ControlsTest : public testing::Test {
  protected:
    ControlsTest() {
        collector.set_surface({1000, 800}, 1.0f, false);
        collector.focus_changed(true);
        collector.mouse_entered(true);
        collector.mouse_moved({4, 5});
        collector.mouse_moved({5, 5});
        session.commands().push("scene welcome");
        session.commands().push("pause on");
        frame();
        frame();
    }

    /// One turn of the main loop; returns the lines that the input made.
    std::vector<std::string> frame() {
        time_s += 1.0 / 60.0;
        const platform::InputFrame input = collector.take(time_s, 1.0 / 60.0);
        CommandQueue queue;
        controls.push_commands(input, view, session, queue);
        std::vector<std::string> lines;
        while (!queue.empty()) {
            lines.push_back(queue.pop().line);
            session.commands().push(lines.back());
        }
        session.drain();
        session.step(1.0 / 60.0);
        EXPECT_EQ(session.refused_commands(), 0u);
        return lines;
    }

    void press(MouseButton button, bool down, Mods mods = {}) {
        collector.mouse_button(button, down, mods, time_s);
    }
    void tap(Key key, Mods mods = {}, char32_t typed = 0) {
        collector.key(key, KeyAction::Press, mods, typed);
        collector.key(key, KeyAction::Release, mods);
    }
    /// The button stays down.
    void begin_drag(MouseButton button, glm::vec2 from, glm::vec2 to, Mods mods = {}) {
        collector.mouse_moved(from);
        frame();
        press(button, true, mods);
        frame();
        for (int i = 1; i <= 4; ++i) {
            collector.mouse_moved(from + (to - from) * (0.25f * static_cast<float>(i)));
            frame();
        }
    }
    void drag(MouseButton button, glm::vec2 from, glm::vec2 to, Mods mods = {}) {
        begin_drag(button, from, to, mods);
        press(button, false, mods);
        frame();
    }
    /// Where a body is seen that nothing hides.
    std::pair<bv::BodyId, glm::vec2> visible_body() {
        for (const BodyState& body : session.results().bodies) {
            const auto at = session.state().view.pixel_of(test::sphere_of(session, body).center);
            if (!at) continue;
            collector.mouse_moved(*at);
            frame();
            if (session.results().hovered == body.id) return {body.id, *at};
        }
        ADD_FAILURE() << "no body is seen";
        return {};
    }

    InputCollector collector;
    Controls controls;
    Session session{command_table()};
    ViewRect view{{0, 0}, {1000, 800}};
    double time_s = 0;
};

bool has_line(const std::vector<std::string>& lines, std::string_view start) {
    for (const std::string& line : lines)
        if (line.rfind(start, 0) == 0) return true;
    return false;
}

TEST(Chords, EveryShortcutNamesAKey) {
    for (const Shortcut& shortcut : command_table().shortcuts())
        EXPECT_TRUE(parse_chord(shortcut.keys)) << shortcut.keys;
    EXPECT_FALSE(parse_chord("Hyper+X"));
    EXPECT_FALSE(parse_chord("Nothing"));
    EXPECT_FALSE(parse_chord(""));
}

TEST(Chords, ModifiersMustBeTheSameButTypedCharactersAreFoundAnywhere) {
    const auto step = parse_chord("."), steps = parse_chord("Shift+."), help = parse_chord("?");
    ASSERT_TRUE(step && steps && help);
    platform::KeyEvent event{Key::Period, KeyAction::Press, {}, U'.'};
    EXPECT_TRUE(matches(*step, event));
    EXPECT_FALSE(matches(*steps, event));
    event.mods.shift = true;
    EXPECT_FALSE(matches(*step, event));
    EXPECT_TRUE(matches(*steps, event));
    // `?` is Shift+/ on one keyboard and Shift+ß on another.
    EXPECT_TRUE(matches(*help, {Key::Slash, KeyAction::Press, {true, false, false, false}, U'?'}));
    EXPECT_TRUE(matches(*help, {Key::Minus, KeyAction::Press, {true, false, false, false}, U'?'}));
    EXPECT_FALSE(matches(*help, {Key::Slash, KeyAction::Press, {}, U'/'}));
}

TEST_F(ControlsTest, ViewSizeIsTold) {
    EXPECT_EQ(session.state().view.rect, view);
    view = {{200, 20}, {600, 700}};
    frame();
    EXPECT_EQ(session.state().view.rect, view);
    EXPECT_TRUE(frame().empty()) << "and only once";
}

TEST_F(ControlsTest, LeftDragOrbitsRightDragPansWheelZooms) {
    const Camera start = session.state().view.camera;
    drag(MouseButton::Left, {500, 400}, {600, 430});
    EXPECT_LT(session.state().view.camera.yaw_rad, start.yaw_rad)
        << "what is seen follows the hand to the right";
    EXPECT_GT(session.state().view.camera.pitch_rad, start.pitch_rad);
    EXPECT_EQ(session.state().view.camera.target, start.target);
    const Camera turned = session.state().view.camera;
    drag(MouseButton::Right, {500, 400}, {560, 400});
    EXPECT_NE(session.state().view.camera.target, turned.target);
    EXPECT_EQ(session.state().view.camera.yaw_rad, turned.yaw_rad);
    collector.wheel({0, 2});
    frame();
    EXPECT_LT(session.state().view.camera.distance, turned.distance);
    EXPECT_FALSE(session.state().selected().valid()) << "a drag selects nothing";
}

TEST_F(ControlsTest, AClickSelectsWhatIsSeenAndAClickOnNothingDeselects) {
    const bv::BodyId body = visible_body().first;
    press(MouseButton::Left, true);
    press(MouseButton::Left, false);  // within one frame, as on a slow machine
    frame();
    EXPECT_EQ(session.state().selected(), body);
    time_s += 2.0;
    collector.mouse_moved({1, 1});
    press(MouseButton::Left, true);
    frame();
    press(MouseButton::Left, false);
    frame();
    EXPECT_FALSE(session.state().selected().valid());
}

TEST_F(ControlsTest, ADoubleClickSetsTheOrbitCenter) {
    visible_body();
    for (int i = 0; i < 2; ++i) {
        press(MouseButton::Left, true);
        press(MouseButton::Left, false);
        frame();
    }
    const BodyState* state = find_body(session.results(), session.state().selected());
    ASSERT_NE(state, nullptr);
    const bv::Sphere ball = test::sphere_of(session, *state);
    EXPECT_LE(glm::length(session.state().view.camera.target - ball.center), ball.radius);
}

TEST_F(ControlsTest, CtrlDragMovesABodyWithTheHandAndNotTheCamera) {
    const auto [body, at] = visible_body();
    const Camera camera = session.state().view.camera;
    const glm::vec2 before =
        *session.state().view.pixel_of(session.results().bodies[body.value - 1].transform[3]);
    drag(MouseButton::Left, at, at + glm::vec2(80, -40), {false, true, false, false});
    EXPECT_EQ(session.state().selected(), body);
    const glm::vec2 after = *session.state().view.pixel_of(
        find_body(session.results(), session.state().selected())->transform[3]);
    EXPECT_NEAR(after.x - before.x, 80.0f, 2.0f);
    EXPECT_NEAR(after.y - before.y, -40.0f, 2.0f);
    EXPECT_EQ(session.state().view.camera.yaw_rad, camera.yaw_rad);
}

TEST_F(ControlsTest, AHandleIsDraggedRatherThanTheCamera) {
    session.commands().push("scene ray-aabb");
    frame();
    ASSERT_FALSE(session.results().handles.empty());
    const Handle handle = session.results().handles.front();
    const glm::vec2 at = *session.state().view.pixel_of(handle.position);
    const float yaw = session.state().view.camera.yaw_rad;
    drag(MouseButton::Left, at + glm::vec2(3, 2), at + glm::vec2(43, 2));
    EXPECT_NEAR(session.state().view.pixel_of(session.results().handles.front().position)->x, at.x + 40.0f,
                2.0f);
    EXPECT_EQ(session.state().view.camera.yaw_rad, yaw);
}

TEST_F(ControlsTest, ADragOfAHandleIsOneEditHoweverSlow) {
    session.commands().push("scene ray-aabb");
    frame();
    const Handle handle = session.results().handles.front();
    const glm::vec2 at = *session.state().view.pixel_of(handle.position);
    collector.mouse_moved(at);
    frame();
    press(MouseButton::Left, true);
    for (int i = 1; i <= 4; ++i) {
        collector.mouse_moved(at + glm::vec2(10.0f * static_cast<float>(i), 2.0f));
        for (std::uint64_t k = 0; k < 2 * EditHistory::kMergeFrames; ++k)
            frame();
    }
    press(MouseButton::Left, false);
    frame();
    EXPECT_EQ(session.state().edits.undo_count(), 1u);
    EXPECT_EQ(session.state().edits.next_undo()->label, handle.name());
    EXPECT_FALSE(session.state().edits.is_grouping());
    session.commands().push("undo");
    frame();
    EXPECT_EQ(session.results().handles.front().position, handle.position);
}

TEST_F(ControlsTest, EscapeCancelsADrag) {
    const auto drag_and_escape = [&](glm::vec2 at, Mods mods) {
        begin_drag(MouseButton::Left, at, at + glm::vec2(80, -40), mods);
        tap(Key::Escape, mods);
        EXPECT_FALSE(has_line(frame(), "back")) << "the key has done what it was for";
        collector.mouse_moved(at + glm::vec2(100, -90));
        EXPECT_FALSE(has_line(frame(), "camera.orbit")) << "the button is still down";
        press(MouseButton::Left, false, mods);
        frame();
    };
    const auto [body, at] = visible_body();
    const glm::vec3 before = session.state().world.find(body)->position;
    drag_and_escape(at, {false, true, false, false});
    EXPECT_EQ(session.state().world.find(body)->position, before);
    EXPECT_EQ(session.state().selected(), body);
    EXPECT_EQ(session.state().edits.undo_count(), 0u);

    session.commands().push("select none");
    drag_and_escape({10, 790}, {true, false, false, false});
    EXPECT_FALSE(session.state().selected().valid()) << "the rectangle selects nothing";

    session.commands().push("scene ray-aabb");
    frame();
    const Handle handle = session.results().handles.front();
    drag_and_escape(*session.state().view.pixel_of(handle.position), {});
    EXPECT_EQ(session.results().handles.front().position, handle.position);

    // Nothing older is undone: not when nothing has moved yet, nor once an undo has ended the drag.
    session.commands().push_script("scene welcome; pause on; spawn 1", "test");
    frame();
    frame();
    const std::size_t bodies = session.results().bodies.size();
    const auto [other, there] = visible_body();
    collector.mouse_moved(there);
    frame();
    press(MouseButton::Left, true, {false, true, false, false});
    frame();
    for (int i = 1; i <= 4; ++i) {
        collector.mouse_moved(there + glm::vec2(20.0f * static_cast<float>(i), 0.0f));
        frame();
    }
    session.commands().push("undo");
    frame();
    tap(Key::Escape, {false, true, false, false});
    frame();
    press(MouseButton::Left, false, {});
    frame();
    EXPECT_EQ(session.results().bodies.size(), bodies) << "body " << other.value;
    EXPECT_EQ(session.state().edits.undo_count(), 1u);
}

TEST_F(ControlsTest, AnotherSceneEndsADrag) {
    // In both scenes the body of that number, or a handle, is under the pointer.
    for (const char* scene : {"welcome", "ray-aabb"}) {
        session.commands().push_script(std::string("scene ") + scene + "; pause on; select none", "test");
        frame();
        frame();
        const bool by_handle = session.results().handles.size() > 0;
        const Mods mods{false, !by_handle, false, false};
        const auto [body, body_px] = by_handle ? std::pair<bv::BodyId, glm::vec2>() : visible_body();
        const glm::vec2 at =
            by_handle ? *session.state().view.pixel_of(session.results().handles.front().position) : body_px;
        const auto place = [&, id = body] {
            return by_handle ? session.results().handles.front().position
                             : session.state().world.find(id)->position;
        };
        const glm::vec3 before = place();
        begin_drag(MouseButton::Left, at, at + glm::vec2(80, -40), mods);
        frame();
        EXPECT_NE(place(), before);
        session.commands().push("restart");
        frame();
        const glm::vec3 fresh = place();
        collector.mouse_moved(at + glm::vec2(120, -40));
        frame();
        collector.mouse_moved(at + glm::vec2(150, -80));
        frame();
        frame();
        EXPECT_EQ(place(), fresh) << scene;
        press(MouseButton::Left, false, mods);
        frame();
        EXPECT_EQ(session.state().edits.undo_count(), 0u) << scene;
    }
}

TEST_F(ControlsTest, KeysPushTheirCommands) {
    tap(Key::Period, {}, U'.');
    EXPECT_EQ(frame(), std::vector<std::string>{"step"});
    const auto steps = session.results().steps;
    tap(Key::Period, {true, false, false, false}, U'>');
    frame();
    EXPECT_EQ(session.results().steps, steps + 10);
    tap(Key::P, {}, U'p');
    frame();
    EXPECT_FALSE(session.state().settings[kSimPaused]);
    tap(Key::Tab);
    frame();
    EXPECT_FALSE(session.state().settings[kUiPanels]);
    tap(Key::F1);
    frame();
    EXPECT_TRUE(session.state().settings[kUiHelp]);
    tap(Key::Escape);
    frame();
    EXPECT_FALSE(session.state().settings[kUiHelp]);
    for (int i = 0; i < 5; ++i) {
        tap(Key::Escape);
        frame();
    }
    EXPECT_FALSE(session.take_requests().quit) << "Escape never quits";
    tap(Key::RightBracket, {}, U']');
    frame();
    EXPECT_NE(session.results().scene_id, "welcome");
    tap(Key::LeftBracket, {}, U'[');
    frame();
    EXPECT_EQ(session.results().scene_id, "welcome");
}

TEST_F(ControlsTest, KeysOfTimeActOnTheFilmThatIsShown) {
    const auto film = [&]() -> const Film& { return *session.results().film; };
    const auto plays = [&] { return session.state().settings.flag(*film().playing); };
    const auto press_key = [&](Key key, char32_t typed, Mods mods = {}) {
        tap(key, mods, typed);
        const auto lines = frame();
        frame();  // The lines that the key's command pushed.
        frame();
        return lines;
    };
    session.commands().push("scene capture");
    session.commands().push("pause off");
    for (int i = 0; i < 60; ++i)
        frame();
    ASSERT_TRUE(session.results().film);
    ASSERT_TRUE(plays());
    EXPECT_EQ(press_key(Key::Space, U' '), std::vector<std::string>{"film.play"});
    EXPECT_FALSE(plays());
    EXPECT_FALSE(session.state().settings[kSimPaused]);
    const std::size_t stopped = film().place;
    ASSERT_GT(stopped, 20u);
    press_key(Key::Period, U'.');
    EXPECT_EQ(film().place, stopped + 1);
    press_key(Key::Comma, U',');
    press_key(Key::Left, 0);
    EXPECT_EQ(film().place, stopped - 1);
    press_key(Key::Right, 0);
    EXPECT_EQ(film().place, stopped);
    press_key(Key::Comma, U'<', {true, false, false, false});
    EXPECT_EQ(film().place, stopped - 10);
    for (int twice = 0; twice < 2; ++twice) {
        collector.key(Key::Right, KeyAction::Press, {}, 0);
        collector.key(Key::Right, KeyAction::Release, {}, 0);
    }
    for (int i = 0; i < 4; ++i)
        frame();
    EXPECT_EQ(film().place, stopped - 8) << "two presses between two frames";
    EXPECT_FALSE(session.results().in_past);
    press_key(Key::Space, U' ');
    EXPECT_TRUE(plays());
    press_key(Key::Period, U'.');
    EXPECT_FALSE(plays()) << "a step would be lost in the flow of frames";
    session.commands().push("pause on");
    press_key(Key::P, U'p');
    EXPECT_TRUE(plays());
    EXPECT_FALSE(session.state().settings[kSimPaused]);
    session.commands().push("film.step -10000");
    frame();
    frame();
    frame();
    EXPECT_EQ(film().place, 0u);

    session.commands().push("scene welcome");
    frame();
    EXPECT_EQ(press_key(Key::Space, U' '), std::vector<std::string>{"pause"});
}

TEST_F(ControlsTest, HoldingAKeyRepeatsStepsOnly) {
    collector.key(Key::Period, KeyAction::Repeat, {}, U'.');
    collector.key(Key::R, KeyAction::Repeat, {}, U'r');
    EXPECT_EQ(frame(), std::vector<std::string>{"step"});
}

TEST_F(ControlsTest, RightButtonAndLettersFly) {
    const Camera start = session.state().view.camera;
    press(MouseButton::Right, true);
    collector.key(Key::W, KeyAction::Press, {}, U'w');
    collector.key(Key::R, KeyAction::Press, {}, U'r');
    const auto lines = frame();
    EXPECT_TRUE(has_line(lines, "camera.fly"));
    EXPECT_FALSE(has_line(lines, "restart")) << "letters fly while the right button is down";
    EXPECT_GT(glm::dot(session.state().view.camera.target - start.target, start.forward()), 0.0f);
}

TEST_F(ControlsTest, HoverFollowsTheMouseAndEndsWhenItLeaves) {
    collector.mouse_moved({300, 300});
    EXPECT_TRUE(has_line(frame(), "hover 300 300"));
    EXPECT_TRUE(frame().empty()) << "a still mouse says nothing";
    collector.mouse_entered(false);
    EXPECT_TRUE(has_line(frame(), "hover none"));
}

TEST_F(ControlsTest, AMouseThatRestsWhereTheWindowOpensIsNoInput) {
    InputCollector fresh;
    fresh.set_surface({1000, 800}, 1.0f, false);
    fresh.mouse_moved({300, 300});
    fresh.mouse_entered(true);
    EXPECT_FALSE(fresh.take(1.0, 0.016).mouse_inside);
    fresh.mouse_moved({300, 300});
    EXPECT_FALSE(fresh.take(1.1, 0.016).mouse_inside);
    fresh.mouse_moved({301, 300});
    EXPECT_TRUE(fresh.take(1.2, 0.016).mouse_inside);
    fresh.mouse_entered(false);
    EXPECT_FALSE(fresh.take(1.3, 0.016).mouse_inside);
    fresh.mouse_entered(true);
    EXPECT_TRUE(fresh.take(1.4, 0.016).mouse_inside);
}

TEST_F(ControlsTest, MinimizedOrClosedWindowsAreNoTrouble) {
    collector.set_surface({0, 0}, 1.0f, true);
    view = {};
    view.size_px = {0, 0};
    press(MouseButton::Left, true);
    collector.close_requested();
    EXPECT_EQ(frame(), std::vector<std::string>{"quit"});
    EXPECT_TRUE(session.take_requests().quit);
}

TEST_F(ControlsTest, ADroppedFileIsOpenedWhateverItsName) {
    collector.files_dropped({"/no such/folder/a;b \"c\".obj"});
    time_s += 1;
    const platform::InputFrame input = collector.take(time_s, 0.016);
    CommandQueue queue;
    controls.push_commands(input, view, session, queue);
    const std::string line = queue.pop().line;
    std::string error;
    const auto words = split_words(line, error);
    ASSERT_TRUE(words) << error;
    EXPECT_EQ(*words, (std::vector<std::string>{"open", "/no such/folder/a;b \"c\".obj"}));
}

}  // namespace
}  // namespace lab
