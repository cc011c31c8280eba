// The panels of time and of lessons, clicked without a window.
#include <gtest/gtest.h>

#include <string>

#include "commands/catalog.hpp"
#include "lessons/player.hpp"
#include "panels/ui.hpp"
#include "session/session.hpp"
#include "session/time/timeline.hpp"
#include "settings/program.hpp"

namespace {

using lab::Session;
using lab::panels::Rect;
using lab::panels::Ui;

/// A session with its lesson and panels, driven as the program does it.
struct Screen {
    Session session{lab::command_table()};
    lab::lessons::Player player;
    Ui ui{Ui::Graphics::None};
    glm::ivec2 size{1280, 720};
    float scale = 1.0f;
    lab::panels::UiInput input;

    Screen() { ui.set_lesson(&player); }

    void frame() {
        ui.begin_frame({size, scale, 1.0 / 60.0, input}, session.state().settings);
        session.drain();
        player.obey(session);
        session.step(Session::kFixedStep_s, {ui.needs_bodies_tree(session.shown())});
        player.look(session);
        ui.watch(session.results(), 16.0);
        ui.build(session.shown(), session.commands());
        ui.render();
    }
    void frames(int count) {
        for (int i = 0; i < count; ++i)
            frame();
    }
    void run(std::string_view script) {
        session.commands().push_script(script, "test");
        frames(3);
    }
    void press_at(glm::vec2 at) {
        input.mouse_px = at;
        frame();
        input.left_down = true;
        frame();
    }
    void release() {
        input.left_down = false;
        frames(2);
    }
    void click(const std::string& name) {
        const auto rect = ui.widget_rect(name);
        ASSERT_TRUE(rect) << "not on screen: " << name;
        press_at(rect->center());
        release();
    }
};

TEST(TimeDrawer, ButtonsAndTheLineGoThroughTime) {
    Screen s;
    s.frames(60);
    s.click("drawer.pause");
    EXPECT_TRUE(s.session.state().settings[lab::kSimPaused]);
    const auto now = s.session.results().steps;
    s.click("drawer.back");
    EXPECT_EQ(s.session.results().steps, now - 1);
    EXPECT_TRUE(s.session.timeline().in_past());
    s.click("drawer.step");
    EXPECT_EQ(s.session.results().steps, now);

    const Rect line = s.ui.widget_rect("drawer.line").value();
    s.press_at({line.min.x + 0.5f * line.size().x, line.center().y});
    s.frames(2);
    EXPECT_NEAR(static_cast<double>(s.session.results().steps), 0.5 * static_cast<double>(now), 2.0);
    s.input.mouse_px = {line.min.x - 50.0f, line.center().y};
    s.frames(3);
    EXPECT_EQ(s.session.results().steps, 0u) << "dragged beyond its beginning";
    s.release();
    s.click("drawer.now");
    EXPECT_EQ(s.session.results().steps, now);
    EXPECT_FALSE(s.session.timeline().in_past());
    EXPECT_EQ(s.session.refused_commands(), 0u);
}

TEST(TimeDrawer, SaysThatTimeStandsStillAtSpeedZero) {
    Screen s;
    s.run("scene welcome");
    const float width = s.ui.widget_rect("drawer.line").value().size().x;
    s.run("speed 0");
    EXPECT_LT(s.ui.widget_rect("drawer.line").value().size().x, width - 50.0f) << "the text takes more room";
    s.run("pause on");
    EXPECT_NEAR(s.ui.widget_rect("drawer.line").value().size().x, width, 30.0f)
        << "a pause is seen elsewhere";
}

/// While a lesson is open, the panel that has these sections is not on screen.
TEST(LessonPanel, LeavesSectionsWithoutUseFolded) {
    Screen s;
    s.run("scene welcome");
    ASSERT_TRUE(s.ui.widget_rect("spawn.button"));
    s.run("lesson aabb-overlap");
    s.run("lesson.close");
    ASSERT_TRUE(s.session.results().bodies.empty());
    EXPECT_TRUE(s.ui.widget_rect("section.Spawn"));
    EXPECT_FALSE(s.ui.widget_rect("spawn.button"));
}

TEST(CaptureScene, AnotherSampleIsLoadedWhenItIsChosen) {
    Screen s;
    s.run("scene capture; pause on");
    s.frames(3);
    const auto boxes = [&] { return s.session.results().trees.front().second.boxes.front(); };
    ASSERT_FALSE(s.session.results().trees.empty());
    const bv::Aabb before = boxes();
    s.click("capture.sample");
    s.click("capture.sample.giant");
    s.frames(3);
    EXPECT_EQ(s.session.state().settings.get_as_text(*lab::setting_catalog().find("capture.sample")),
              "giant");
    EXPECT_FALSE(boxes() == before) << "its tree is on show";
    EXPECT_EQ(s.session.refused_commands(), 0u);
}

TEST(TimeDrawer, PlaysAndScrubsTheFramesOfACapture) {
    Screen s;
    s.run("scene capture; set capture.sample=stretched");
    s.frames(40);
    const auto shown = [&] {
        return std::stoi(s.session.state().settings.get_as_text(*s.session.results().film->frame));
    };
    ASSERT_TRUE(s.session.results().film);
    const auto numbers = s.session.results().film->numbers;
    ASSERT_EQ(numbers->size(), 120u);
    s.click("drawer.pause");
    const int stopped = shown();
    EXPECT_GT(stopped, 10);
    s.frames(20);
    EXPECT_EQ(shown(), stopped);
    s.click("drawer.back");
    s.frames(1);  // The command pushes the lines that set the frame.
    EXPECT_EQ(shown(), stopped - 1);
    s.click("drawer.step");
    s.frames(1);
    EXPECT_EQ(shown(), stopped);

    const Rect line = s.ui.widget_rect("drawer.line").value();
    s.press_at({line.min.x + 0.5f * line.size().x, line.center().y});
    s.frames(2);
    EXPECT_NEAR(shown(), 60, 1);
    EXPECT_FALSE(s.session.timeline().in_past()) << "the session goes on";
    s.input.mouse_px = {line.max.x + 50.0f, line.center().y};
    s.frames(3);
    EXPECT_EQ(shown(), 119) << "dragged beyond its end";
    s.release();

    s.run("pause on");
    s.click("drawer.pause");
    s.frames(1);
    EXPECT_FALSE(s.session.state().settings[lab::kSimPaused]) << "plays even if the session was paused";
    s.frames(10);
    EXPECT_NE(shown(), 119);
    EXPECT_EQ(s.session.refused_commands(), 0u);

    // The capture's causes are on the line and in a table that leads to their frames.
    const auto marks = s.session.results().film->marks;
    ASSERT_TRUE(marks);
    ASSERT_FALSE(marks->empty());
    s.click("tab.table.capture_marks");
    s.click("row.capture_marks.0");
    EXPECT_EQ(shown(), marks->front().frame);
    s.run("scene welcome");
    EXPECT_FALSE(s.session.results().film);
}

TEST(BottomPanel, ATableThatWasAskedForComesToTheFront) {
    Screen s;
    s.run("scene capture");
    s.frames(2);
    EXPECT_FALSE(s.ui.widget_rect("column.what_if.0"));
    s.click("capture.what_if");  // a button among the scene's settings
    s.frames(2);
    EXPECT_TRUE(s.ui.widget_rect("column.what_if.0"));
    s.click("tab.table.diagnosis");
    s.frames(2);
    EXPECT_FALSE(s.ui.widget_rect("column.what_if.0")) << "but only once";
    s.run("capture.what_if");
    s.frames(2);
    EXPECT_TRUE(s.ui.widget_rect("column.what_if.0"));
}

TEST(LessonPanel, TheFirstLessonIsOfferedUntilALessonIsFinished) {
    Screen s;
    s.frames(2);
    const auto begin = s.ui.widget_rect("lesson.begin");
    ASSERT_TRUE(begin) << "at 1280 x 720, without scrolling";
    EXPECT_GT(begin->min.x, 0.0f);
    EXPECT_LT(begin->max.x, s.ui.view_px().min.x);
    EXPECT_LT(begin->max.y, 200.0f) << "at the top of the panel";
    s.click("lesson.begin");
    s.frames(10);
    ASSERT_NE(s.player.spec(), nullptr);
    EXPECT_EQ(s.player.spec(), &lab::lessons::lesson_specs().front());
    while (s.player.page() + 1 < s.player.lesson().pages.size()) {
        const std::size_t page = s.player.page();
        s.run("lesson.show");
        for (int i = 0; i < 240 && !s.player.current().task.when.empty() && !s.player.done(page); ++i)
            s.frames(1);
        s.click("lesson.next");
        ASSERT_EQ(s.player.page(), page + 1);
    }
    EXPECT_EQ(s.session.state().settings[lab::kLessonsDone], "bounding-volumes");
    EXPECT_TRUE(s.ui.widget_rect("lesson.finished")) << "the last page has no task";
    s.click("lesson.end");
    s.frames(2);
    EXPECT_FALSE(s.ui.widget_rect("lesson.begin"));
    s.click("section.Lessons");
    EXPECT_TRUE(s.ui.widget_rect("lesson.tick." + std::string(lab::lessons::lesson_specs().front().id)));
    s.click("lesson.continue");
    EXPECT_EQ(s.player.spec(), &lab::lessons::lesson_specs()[1]);
    EXPECT_EQ(s.session.refused_commands(), 0u);
}

TEST(LessonPanel, TakesTheLeftSideAndGivesItBack) {
    Screen s;
    s.frames(2);
    const float free = s.ui.view_px().size().x;
    EXPECT_TRUE(s.ui.widget_rect("body.1"));
    s.run("lesson aabb-overlap");
    EXPECT_TRUE(s.ui.widget_rect("lesson.title"));
    EXPECT_FALSE(s.ui.widget_rect("body.1"));
    EXPECT_LT(s.ui.view_px().size().x, free);
    s.click("lesson.next");
    EXPECT_EQ(s.player.page(), 1u);
    EXPECT_FALSE(s.ui.widget_rect("lesson.done"));
    s.click("lesson.show");
    s.frames(3);
    EXPECT_TRUE(s.ui.widget_rect("lesson.done"));
    EXPECT_TRUE(s.player.done(1));
    s.click("lesson.back");
    EXPECT_EQ(s.player.page(), 0u);
    s.click("lesson.page.4");
    EXPECT_EQ(s.player.page(), 3u);
    s.click("lesson.end");
    EXPECT_EQ(s.player.spec(), nullptr);
    s.frames(2);
    EXPECT_EQ(s.ui.view_px().size().x, free);
    EXPECT_EQ(s.session.refused_commands(), 0u);
}

TEST(LessonPanel, EveryPageBuildsInBothThemesAtEverySize) {
    for (const lab::lessons::LessonSpec& lesson : lab::lessons::lesson_specs()) {
        Screen s;
        s.run("lesson " + std::string(lesson.id));
        for (std::size_t page = 1; page <= s.player.lesson().pages.size(); ++page) {
            s.session.commands().push("set ui.theme " + std::string(page % 2 == 0 ? "dark" : "light"));
            for (const glm::ivec2 size : {glm::ivec2(1280, 720), glm::ivec2(320, 200), glm::ivec2(1, 1)}) {
                s.size = size;
                s.frame();
            }
            s.session.commands().push("lesson.next");
            s.frame();
        }
        EXPECT_EQ(s.session.refused_commands(), 0u) << lesson.id;
    }
}

TEST(Alarm, ATreeThatDegeneratesShowsItsNode) {
    Screen s;
    s.size = {1600, 900};
    s.run("scene tree-balance; set balance.input=row; set tree.insertion=manhattan; set tree.balance=none");
    s.click("tab.statistics");
    ASSERT_TRUE(s.ui.widget_rect("tree.alarm"));
    s.click("tree.alarm.show");
    EXPECT_EQ(s.ui.chosen_tab(), "tree");
    EXPECT_EQ(s.ui.pointed_node().tree, "chosen");
    s.run("scene welcome");
    EXPECT_NE(s.ui.pointed_node().tree, "chosen") << "the mouse may be over a node of the new scene's tree";
}

}  // namespace
