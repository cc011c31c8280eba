// A newcomer at the program, by mouse and keys alone: every task of every lesson, and the questions that
// people come with. Events go the way of a window's events; positions are those of the widgets on screen.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "commands/catalog.hpp"
#include "commands/given_values.hpp"
#include "controls.hpp"
#include "lessons/player.hpp"
#include "panels/ui.hpp"
#include "platform/input/input_collector.hpp"
#include "session/session.hpp"
#include "settings/program.hpp"
#include "settings/tree.hpp"

namespace lab {
namespace {

using panels::Rect;
using panels::UiKey;
using platform::Key;
using platform::MouseButton;

struct Newcomer {
    Session session{command_table()};
    lessons::Player player;
    panels::Ui ui{panels::Ui::Graphics::None};
    Controls controls;
    platform::InputCollector collector;
    glm::ivec2 size{1600, 2400};  // tall, so that nothing has to be scrolled to
    double time_s = 0;
    std::vector<UiKey> keys;
    std::string text;
    bool left = false, right = false;
    glm::vec2 mouse{-1.0f};

    Newcomer() {
        ui.set_lesson(&player);
        collector.set_surface(size, 1.0f, false);
        collector.focus_changed(true);
        collector.mouse_entered(true);
        frames(3);
    }

    void frame() {
        time_s += Session::kFixedStep_s;
        const platform::InputFrame input = collector.take(time_s, Session::kFixedStep_s);
        panels::UiInput ui_input;
        ui_input.mouse_px = mouse;
        ui_input.left_down = left;
        ui_input.right_down = right;
        ui_input.keys = std::exchange(keys, {});
        ui_input.text = std::exchange(text, {});
        const platform::UiCapture taken{ui.wants_mouse(), ui.wants_keyboard(), ui.wants_text()};
        ui.begin_frame({size, 1.0f, Session::kFixedStep_s, ui_input}, session.state().settings);
        const Rect view = ui.view_px();
        controls.push_commands(input.masked(taken), {glm::floor(view.min), glm::floor(view.size())}, session,
                               session.commands());
        session.drain();
        player.obey(session);
        session.step(Session::kFixedStep_s, {true});
        player.look(session);
        const OutsideRequests requests = session.take_requests();
        if (requests.palette) ui.open_palette(*requests.palette);
        if (requests.menu) ui.open_menu(*requests.menu);
        ui.watch(session.results(), 16.0);
        ui.build(session.shown(), session.commands());
        ui.render();
    }
    void frames(int count) {
        for (int i = 0; i < count; ++i)
            frame();
    }
    void point(glm::vec2 at) {
        mouse = at;
        collector.mouse_moved(at);
        frame();
    }
    void press(MouseButton button, bool down) {
        (button == MouseButton::Left ? left : right) = down;
        collector.mouse_button(button, down, {}, time_s);
        frame();
    }
    void click_at(glm::vec2 at, MouseButton button = MouseButton::Left) {
        point(at);
        press(button, true);
        press(button, false);
        frames(2);
    }
    [[nodiscard]] bool sees(const std::string& name) const { return ui.widget_rect(name).has_value(); }
    void click(const std::string& name) {
        const auto rect = ui.widget_rect(name);
        ASSERT_TRUE(rect) << "not on screen: " << name;
        click_at(rect->center());
    }
    void key(Key which, bool shift = false) {
        platform::Mods mods;
        mods.shift = shift;
        collector.key(which, platform::KeyAction::Press, mods, 0);
        collector.key(which, platform::KeyAction::Release, mods);
        frames(2);
    }
    void type(const std::string& words) {
        text = words;
        frames(2);
        keys = {UiKey::Enter};
        frames(3);
    }
    /// Types a number into one field of the panel Values, as a person would.
    void give(const std::string& handle, int axis, float value) {
        const std::string name = "value." + handle + "." + "xyz"[axis];
        if (!sees(name)) click("section.Values");
        click(name);
        type(plain_number(value));
    }
    /// Gives a handle its position, relative to its base where it has one.
    void give_position(const std::string& id, const glm::vec3& position) {
        const std::vector<Handle>& handles = session.results().handles;
        const Handle* handle = find_handle(handles, id);
        ASSERT_NE(handle, nullptr) << id;
        const glm::vec3 base = handle->position - numbers_of(handles, *handle);
        const int parts = handle->given.parts;
        for (int axis = 0; axis < parts; ++axis)
            give(id, axis, position[axis] - base[axis]);
    }
    [[nodiscard]] std::string value(const SettingSpec& row) const {
        return session.state().settings.get_as_text(row);
    }
    /// Along a slider, by halves: its scale may be logarithmic.
    void slide(const SettingSpec& row, double wanted) {
        const Rect rect = ui.widget_rect(row.id).value_or(Rect{});
        float low = rect.min.x, high = rect.max.x;
        for (int i = 0; i < 14; ++i) {
            const float x = 0.5f * (low + high);
            click_at({x, rect.center().y});
            const double now = std::stod(value(row));
            if (now == wanted || (row.kind == SettingKind::Real && now >= wanted && now < 1.3 * wanted))
                return;
            (now < wanted ? low : high) = x;
        }
    }
    void open_section_of(const std::string& widget) {
        if (sees(widget)) return;
        for (const char* section :
             {"Pair test", "Fits", "Broadphase", "Dynamic tree", "Checks", "Simulation"})
            if (!sees(widget) && sees(std::string("section.") + section))
                click(std::string("section.") + section);
    }
    void set(const SettingSpec& row, const std::string& wanted) {
        const std::string id(row.id);
        open_section_of(id);
        ASSERT_TRUE(sees(id)) << "no widget for " << id;
        if (row.kind == SettingKind::Flag) {
            const bool on = wanted == "true" || wanted == "on" || wanted == "yes";
            if (session.state().settings.flag(row) != on) click(id);
        } else if (row.kind == SettingKind::Choice) {
            click(id);
            click(id + "." + wanted);
        } else if (row.kind == SettingKind::Text) {
            click(id);
            type(wanted);
        } else if (row.max - row.min > 100'000.0) {  // a field: a double click, then the number
            const glm::vec2 at = ui.widget_rect(id)->center();
            point(at);
            for (int i = 0; i < 4; ++i)
                press(MouseButton::Left, i % 2 == 0);
            type(wanted);
        } else {
            slide(row, std::stod(wanted));
        }
    }
    /// What a person would do instead of this line, which a lesson has for "Show me".
    void do_by_hand(const std::string& line) {
        const ParsedLine parsed = session.command_table().parse(line);
        ASSERT_FALSE(parsed.problem) << line;
        const std::string command(parsed.command->id);
        const auto args = parsed.args();
        const Rect view = ui.view_px();
        if (command == "set") {
            const std::size_t equals = args[0].find('=');
            const std::string wanted = equals == std::string::npos ? args[1] : args[0].substr(equals + 1);
            set(*parsed.setting, wanted);
        } else if (command == "scene.drag") {
            give_position(args[0], {std::stof(args[1]), std::stof(args[2]), std::stof(args[3])});
        } else if (command == "spawn") {
            point(view.center());
            for (int i = 0; i < 12; ++i)
                key(Key::N);
        } else if (command == "lesson.close") {
            click("lesson.close");
        } else if (command == "pick" || command == "select") {
            if (session.state().selected().valid()) return;
            const Body& body = session.state().world.bodies().front();
            const auto at = session.state().view.pixel_of(body.position);
            ASSERT_TRUE(at);
            click_at(*at);
        } else if (command == "ray.pin") {
            click_at(view.center(), MouseButton::Right);
            frames(2);
            click("context.ray.pin");
        } else if (command == "step.change") {
            point(view.center());
            key(args.empty() ? Key::Right : Key::Left, true);
        } else {
            FAIL() << "nobody knows how to do this by hand: " << line;
        }
    }
    [[nodiscard]] const Table* table(std::string_view id) const {
        for (const Table& found : session.results().tables)
            if (found.id == id) return &found;
        return nullptr;
    }
    [[nodiscard]] std::string sentence() const {
        return session.results().walk ? session.results().walk->sentence : std::string();
    }
    /// A scene, by a click in the list.
    void go_to(const std::string& scene) {
        if (!sees("scene." + scene)) {
            click("scene.search");
            text = scene;
            frames(3);
        }
        click("scene." + scene);
        frames(20);
        ASSERT_EQ(session.results().scene_id, scene);
    }
};

}  // namespace

TEST(Newcomer, DoesEveryTaskOfEveryLessonByHand) {
    std::size_t done = 0;
    for (const lessons::LessonSpec& spec : lessons::lesson_specs()) {
        Newcomer person;
        person.click("section.Lessons");
        person.click("lesson." + std::string(spec.id));
        ASSERT_EQ(person.player.spec(), &spec);
        while (true) {
            const std::string where =
                std::string(spec.id) + ", page " + std::to_string(person.player.page() + 1);
            const std::size_t page = person.player.page();
            if (!person.player.current().task.text.empty()) {
                person.frames(10);
                for (const std::string& line : person.player.current().task.show)
                    person.do_by_hand(line);
                for (int i = 0; i < 300 && !person.player.done(page); ++i)
                    person.frame();
                EXPECT_TRUE(person.player.done(page)) << where;
                EXPECT_TRUE(person.sees("lesson.done")) << where << ": and the page says so";
                ++done;
            }
            if (page + 1 == person.player.lesson().pages.size()) break;
            person.click("lesson.next");
        }
        person.click(person.sees("lesson.onward") ? "lesson.onward" : "lesson.end");
        EXPECT_NE(person.session.state().settings[kLessonsDone].find(spec.id), std::string::npos);
        EXPECT_EQ(person.session.refused_commands(), 0u) << spec.id;
    }
    EXPECT_GE(done, 30u);
}

TEST(Newcomer, FindsOutWhyTheFixedBoxIsBigger) {
    Newcomer person;
    person.go_to("aabb-transform");
    EXPECT_EQ(person.ui.chosen_tab(), "table.aabb_transform");
    EXPECT_TRUE(person.sees("column.aabb_transform.2")) << "times tight";
    const Table* table = person.table("aabb_transform");
    ASSERT_TRUE(table);
    EXPECT_EQ(to_text(table->rows.back().cells[0]), "fixed (of the sphere)");
}

TEST(Newcomer, FindsTheVolumeWithTheFewestFalseAlarms) {
    Newcomer person;
    person.go_to("narrow-phase");
    EXPECT_EQ(person.ui.chosen_tab(), "table.narrow_phase");
    person.click("column.narrow_phase.4");
    EXPECT_EQ(person.table("narrow_phase")->columns[4].label(), "false alarms");
    EXPECT_EQ(person.table("narrow_phase")->columns[6].label(), "test, ns") << "at what cost";
}

TEST(Newcomer, FindsOutWhenBoxesMeetByTypingThem) {
    Newcomer person;
    person.go_to("aabb-sweep");
    person.give_position("a", {-2, 1, 0});
    person.give("velocity", 0, 1.0f);
    EXPECT_NE(person.sentence().find("touch after 1.75 s"), std::string::npos) << person.sentence();
}

TEST(Newcomer, FindsTheAxisThatSeparates) {
    Newcomer person;
    person.go_to("obb-sat");
    EXPECT_NE(person.sentence().find("separates them"), std::string::npos) << person.sentence();
    person.point(person.ui.view_px().center());
    person.key(Key::Right);
    EXPECT_EQ(person.session.results().walk->number, 1u) << "the arrow keys step";
    person.click("steps.next");
    EXPECT_EQ(person.session.results().walk->number, 2u);
    EXPECT_EQ(person.session.refused_commands(), 0u);
}

TEST(Newcomer, WatchesTheQueueFromStepToStep) {
    Newcomer person;
    person.go_to("insertion");
    person.click("steps.next");
    person.click("tab.table.queue");
    EXPECT_EQ(person.ui.chosen_tab(), "table.queue");
    // Its table stays in front, also at the steps after the search.
    for (std::size_t n = 0; n < 25; ++n) {
        person.click("steps.next");
        EXPECT_EQ(person.ui.chosen_tab(), "table.queue") << person.session.results().walk->sentence;
    }
}

TEST(Newcomer, FindsTheSlabThatRejects) {
    Newcomer person;
    person.go_to("ray-aabb");
    person.give_position("aim", {0.2f, 4.5f, 0.1f});
    EXPECT_NE(person.sentence().find("Slabs x and y share no t"), std::string::npos) << person.sentence();
}

TEST(Newcomer, FindsOutHowManyNodesTheRaySkippedAndWhy) {
    Newcomer person;
    person.go_to("ray-picking");
    person.frames(30);
    const Table* table = person.table("ray_picking");
    ASSERT_TRUE(table);
    EXPECT_TRUE(std::any_of(table->rows.begin(), table->rows.end(),
                            [](const Row& row) { return to_text(row.cells[0]) == "nodes skipped"; }));
    EXPECT_TRUE(person.sees("tab.table.traversal")) << "node by node, with the reason";
}

TEST(Newcomer, FindsTheWorstNodeByAMeasureAndSinceWhen) {
    Newcomer person;
    person.go_to("aabb-tree");
    person.frames(200);
    person.click("tab.tree");
    person.frames(2);
    ASSERT_TRUE(person.sees("worst.node.0"));
    ASSERT_TRUE(person.sees("worst.since.0"));
    person.click("ui.worst_by");
    person.click("ui.worst_by.dead-space");
    EXPECT_EQ(person.session.state().settings[kUiWorstBy], NodeMeasure::DeadSpace);
    person.click("worst.since.0");
    EXPECT_GT(person.session.results().walk->number, 0u) << "a click goes to the step that made it so";
    person.click("worst.node.0");
    EXPECT_TRUE(person.session.results().selected_node);
}

TEST(Newcomer, FindsTheStrategyThatSuitsAnInput) {
    Newcomer person;
    person.go_to("tree-balance");
    for (const char* input : {"clusters", "giant", "grid", "crowd", "row"}) {
        person.click("balance.input");
        person.click(std::string("balance.input.") + input);
        person.frames(3);
        EXPECT_NE(person.sentence().find("tree"), std::string::npos) << person.sentence();
        // Both trees are in the picture.
        const View& view = person.session.state().view;
        for (const char* tree : {"chosen", "rival"}) {
            const auto& trees = person.session.results().trees;
            const auto at =
                std::find_if(trees.begin(), trees.end(), [&](const auto& t) { return t.first == tree; });
            ASSERT_NE(at, trees.end()) << tree;
            const auto pixel = view.pixel_of(at->second.boxes[0].center());
            ASSERT_TRUE(pixel) << input << ", " << tree;
            EXPECT_TRUE(person.ui.view_px().contains(*pixel)) << input << ", " << tree;
        }
        const Table* table = person.table("tree_balance");
        EXPECT_TRUE(std::any_of(table->rows.begin(), table->rows.end(),
                                [](const Row& row) { return row.mark != RowMark::None; }));
    }
}

TEST(Newcomer, FindsOutWhatAFatterMarginCosts) {
    Newcomer person;
    person.go_to("fat-boxes");
    person.frames(120);
    EXPECT_EQ(person.ui.chosen_tab(), "table.fat_boxes");
    EXPECT_EQ(person.table("fat_boxes")->columns[1].label(), "re-inserted");
}

TEST(Newcomer, FindsOutWhatARotationChanged) {
    Newcomer person;
    person.go_to("aabb-tree");
    person.frames(300);
    person.point(person.ui.view_px().center());
    for (int i = 0; i < 200 && person.sentence().find("Rotation") == std::string::npos; ++i)
        person.key(Key::Left);
    EXPECT_NE(person.sentence().find("Rotation"), std::string::npos) << "one operation after the other";
    EXPECT_NE(person.sentence().find("SAH cost from"), std::string::npos) << person.sentence();
    EXPECT_TRUE(person.sees("step.at")) << "a slider over all operations";
}

TEST(Newcomer, FindsTheTriangleThatWasClicked) {
    Newcomer person;
    person.click("time.pause");
    const Body& body = person.session.state().world.bodies().front();
    const auto at = person.session.state().view.pixel_of(body.position);
    ASSERT_TRUE(at);
    person.click_at(*at);
    EXPECT_TRUE(person.session.results().selected_triangle) << "in the section Selection";
    EXPECT_TRUE(person.sees("selection.triangle"));
}

TEST(Newcomer, FindsOutWhetherAPlaneCutsAMeshAndWhy) {
    Newcomer person;
    person.go_to("aabb-plane");
    person.give_position("plane", {5, 0, 0});
    const Table* table = person.table("aabb_plane");
    ASSERT_TRUE(table);
    EXPECT_EQ(table->rows.back().mark, RowMark::Verdict);
    EXPECT_NE(to_text(table->rows.back().cells[1]).find("behind"), std::string::npos);
}

TEST(Newcomer, LeavesTheSettingsOfASceneBehind) {
    Newcomer person;
    person.go_to("tree-balance");
    person.click("tree.balance");
    person.click("tree.balance.none");
    EXPECT_EQ(person.session.state().settings.get_as_text(kTreeBalance), "none");
    person.session.commands().push("scene insertion");
    person.frames(3);
    EXPECT_EQ(person.session.state().settings.get_as_text(kTreeBalance), kTreeBalance.default_value);
}

TEST(Newcomer, OpensAFileInTheBrowser) {
    Newcomer person;
    person.click("menu.File");
    person.click("menu.open ");
    ASSERT_TRUE(person.sees("files.title"));
    person.click("files.path");
    person.text = "/usr/sha";
    person.frames(3);
    person.click("files.up");
    EXPECT_TRUE(person.sees("files.title")) << "going up keeps it open";
    person.click("files.cancel");
    EXPECT_FALSE(person.sees("files.title"));
}

TEST(Newcomer, CopiesValuesAsTextThatPastesBack) {
    Newcomer person;
    person.go_to("aabb-overlap");
    const std::string text = values_text(person.session.results().handles);
    EXPECT_NE(text.find("A, center = (-0.8, 1.2, 0) m"), std::string::npos) << text;
    person.give_position("a", {3, 3, 3});
    const ParsedValues parsed = parse_values(text, person.session.results().handles);
    EXPECT_EQ(parsed.problem, "");
    EXPECT_EQ(parsed.changes.size(), 4u);
    std::string line = text;
    std::replace(line.begin(), line.end(), '\n', ';');
    person.session.commands().push("scene.values " + quote_word(line));
    person.frames(3);
    EXPECT_EQ(person.session.refused_commands(), 0u);
    EXPECT_EQ(values_text(person.session.results().handles).substr(0, 60), text.substr(0, 60));
}

TEST(GivenValues, SayWhatIsWrongAndWhere) {
    const std::vector<Handle> handles = {
        {"a", {1, 2, 3}, "A", false, {.name = "A, center"}},
        {"a.angle", {4, 0, 0}, "", true, {.name = "A, angle", .unit = "°", .parts = 1}}};
    EXPECT_NE(parse_values("A, center = (1, 2)", handles).problem.find("line 1"), std::string::npos);
    EXPECT_NE(parse_values("A, center = 1 2 3\nB = 3", handles).problem.find("line 2"), std::string::npos);
    EXPECT_NE(parse_values("", handles).problem.find("'A, center'"), std::string::npos);
    EXPECT_NE(parse_values("A, angle = nan", handles).problem, "");
    EXPECT_NE(parse_values("A, center = 1e99 0 0", handles).problem, "");
    const ParsedValues good = parse_values("A, angle = \u221230 °; a = [1 2 3] m", handles);
    EXPECT_EQ(good.problem, "");
    ASSERT_EQ(good.changes.size(), 2u);
    EXPECT_EQ(good.changes[0].numbers.x, -30.0f);
    EXPECT_EQ(good.changes[1].numbers, glm::vec3(1, 2, 3));
}

}  // namespace lab
