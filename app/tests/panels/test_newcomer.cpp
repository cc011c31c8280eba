// A newcomer at the program, by mouse and keys alone, in a window of 1280x720: every task of every lesson,
// and the questions that people come with. Events go the way of a window's events; positions are those of the
// widgets on screen, and what is out of sight must be scrolled to. Each question has a budget of actions: a
// click, a key, a typed number, a turn of the wheel. An answer counts only while it is on screen.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
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
#include "settings/view.hpp"
#include "temp_dir.hpp"

namespace lab {
namespace {

using panels::Rect;
using panels::UiKey;
using platform::Key;
using platform::MouseButton;

/// Of a text on screen, whose minus is a real one.
double number_of(std::string text) {
    if (const std::size_t minus = text.find("\u2212"); minus != std::string::npos)
        text.replace(minus, 3, "-");
    return std::atof(text.c_str());
}

struct Newcomer {
    Session session{command_table()};
    lessons::Player player;
    panels::Ui ui{panels::Ui::Graphics::None};
    Controls controls;
    platform::InputCollector collector;
    glm::ivec2 size{1280, 720};
    int actions = 0;
    double time_s = 0;
    std::vector<UiKey> keys;
    std::string text;
    bool left = false, right = false;
    float wheel = 0.0f;
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
        ui_input.wheel = std::exchange(wheel, 0.0f);
        ui_input.keys = std::exchange(keys, {});
        ui_input.text = std::exchange(text, {});
        const platform::UiCapture taken{ui.wants_mouse(), ui.wants_keyboard(), ui.wants_chords()};
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
        ++actions;
        point(at);
        press(button, true);
        press(button, false);
        frames(2);
    }
    [[nodiscard]] bool sees(const std::string& name) const { return ui.widget_rect(name).has_value(); }
    /// Turns the wheel over a point, down and then up, until the widget is in sight.
    bool scroll_at(glm::vec2 at, const std::string& name) {
        point(at);
        for (const float notch : {-0.6f, 0.6f})
            for (int i = 0; i < 60; ++i) {
                wheel = notch;
                frames(2);
                if (!sees(name)) continue;
                wheel = notch;  // wholly, not just its edge
                frames(2);
                if (!sees(name)) wheel = -notch;
                frames(2);
                return sees(name);
            }
        return false;
    }
    /// Brings a widget into sight, in whichever panel it is.
    bool reveal(const std::string& name) {
        if (sees(name)) return true;
        const Rect view = ui.view_px();
        const auto window = glm::vec2(size);
        ++actions;
        for (const glm::vec2 at :
             {glm::vec2(0.5f * (view.max.x + window.x), 0.6f * window.y),
              glm::vec2(view.center().x, 0.2f * view.max.y + 0.8f * window.y),
              glm::vec2(0.5f * view.min.x, 0.5f * window.y), glm::vec2(0.5f * view.min.x, 0.95f * window.y)})
            if (scroll_at(at, name)) return true;
        return false;
    }
    void click(const std::string& name) {
        ASSERT_TRUE(reveal(name)) << "not on screen: " << name;
        click_at(ui.widget_rect(name)->center());
    }
    /// Opens a combo and takes one of its choices.
    void choose(const std::string& id, const std::string& choice) {
        click(id);
        const std::string row = id + "." + choice;
        for (const float away : {2.0f, -2.0f, 5.0f, -5.0f}) {
            if (sees(row)) break;
            const Rect combo = ui.widget_rect(id).value_or(Rect{});
            scroll_at(combo.center() + glm::vec2(0.0f, away * combo.size().y), row);
        }
        ASSERT_TRUE(sees(row)) << row;
        click_at(ui.widget_rect(row)->center());
    }
    void key(Key which, bool shift = false) {
        ++actions;
        platform::Mods mods;
        mods.shift = shift;
        collector.key(which, platform::KeyAction::Press, mods, 0);
        collector.key(which, platform::KeyAction::Release, mods);
        frames(2);
    }
    void type(const std::string& words) {
        ++actions;
        text = words;
        frames(2);
        keys = {UiKey::Enter};
        frames(3);
    }
    /// Types a number into one field of the panel Values, as a person would.
    void give(const std::string& handle, int axis, float value) {
        const std::string name = "value." + handle + "." + "xyz"[axis];
        if (!reveal(name)) click("section.Values");
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
        const int before = actions;
        float low = rect.min.x, high = rect.max.x;
        for (int i = 0; i < 14; ++i) {
            const float x = 0.5f * (low + high);
            click_at({x, rect.center().y});
            const double now = number_of(value(row));
            if (now == wanted || (row.kind == SettingKind::Real && now >= wanted && now < 1.3 * wanted))
                break;
            (now < wanted ? low : high) = x;
        }
        actions = before + 1;  // a person drags it
    }
    void open_section_of(const std::string& widget) {
        if (reveal(widget)) return;
        for (const char* section :
             {"Pair test", "Fits", "Broadphase", "Dynamic tree", "Checks", "Simulation"}) {
            if (reveal(std::string("section.") + section)) click(std::string("section.") + section);
            if (reveal(widget)) return;
        }
    }
    void set(const SettingSpec& row, const std::string& wanted) {
        const std::string id(row.id);
        open_section_of(id);
        ASSERT_TRUE(reveal(id)) << "no widget for " << id;
        if (row.kind == SettingKind::Flag) {
            const bool on = wanted == "true" || wanted == "on" || wanted == "yes";
            if (session.state().settings.flag(row) != on) click(id);
        } else if (row.kind == SettingKind::Choice) {
            choose(id, wanted);
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
            slide(row, number_of(wanted));
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
    /// A cell of the table in front, named by its row's first cell and its column's head, which must both be
    /// in sight.
    std::string reads(const std::string& id, const std::string& row, const std::string& column) {
        EXPECT_EQ(ui.chosen_tab(), "table." + id);
        const Table* found = table(id);
        const auto at = found ? found->column(column) : std::nullopt;
        if (!at) return "no column " + column;
        for (std::size_t i = 0; i < found->rows.size(); ++i) {
            if (to_text(found->rows[i].cells[0]) != row) continue;
            const std::string words = to_text(found->rows[i].cells[*at]);
            EXPECT_TRUE(reveal(fmt::format("row.{}.{}", id, i))) << row;
            EXPECT_TRUE(sees(fmt::format("column.{}.{}", id, *at))) << column;
            return words;
        }
        return "no row " + row;
    }
    /// The step's sentence, which stands in the scene's card.
    [[nodiscard]] std::string sentence() const {
        return sees("scene.sentence") ? session.results().walk->sentence : std::string();
    }
    /// The question is answered: what by, and after how many actions.
    void answered(const char* where, const std::string& answer, int budget) const {
        EXPECT_LE(actions, budget) << where;
        EXPECT_EQ(session.refused_commands(), 0u) << where;
        EXPECT_FALSE(ui.palette_is_open());
        std::cout << "  after " << actions << " actions, " << where << ": " << answer << std::endl;
    }
    /// A scene, by a click in the list.
    void go_to(const std::string& scene) {
        if (!sees("scene." + scene)) {
            click("scene.search");
            ++actions;
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
    const std::string times = person.reads("aabb_transform", "fixed (around the sphere)", "× tight");
    EXPECT_GT(number_of(times), 1.5);
    EXPECT_TRUE(person.sees("scene.card"));
    const std::string why(find_scene("aabb-transform")->summary);
    EXPECT_NE(why.find("the fixed box holds the whole sphere"), std::string::npos) << why;
    person.answered("the table and the scene's text", times + " times the tight box; " + why, 3);
}

TEST(Newcomer, FindsTheVolumeWithTheFewestFalseAlarms) {
    Newcomer person;
    person.go_to("narrow-phase");
    person.click("column.narrow_phase.4");  // sorts by false alarms
    EXPECT_EQ(person.table("narrow_phase")->columns[4].label(), "false alarms");
    const std::string alarms = person.reads("narrow_phase", "convex hull", "false alarms");
    const std::string cost = person.reads("narrow_phase", "convex hull", "test, ns");
    const std::string sphere = person.reads("narrow_phase", "sphere", "false alarms");
    EXPECT_LT(number_of(alarms), number_of(sphere));
    EXPECT_GT(number_of(cost), 0.0);
    person.answered("the sorted table",
                    "convex hull, " + alarms + " (sphere: " + sphere + "), " + cost + " ns a test", 6);
}

TEST(Newcomer, FindsOutWhenBoxesMeetByTypingThem) {
    Newcomer person;
    person.go_to("aabb-sweep");
    person.give_position("a", {-2, 1, 0});
    person.give("velocity", 0, 1.0f);
    EXPECT_NE(person.sentence().find("touch after 1.75 s"), std::string::npos) << person.sentence();
    person.answered("the sentence in the card", person.sentence(), 12);
}

TEST(Newcomer, FindsTheAxisThatSeparates) {
    Newcomer person;
    person.go_to("obb-sat");
    EXPECT_NE(person.sentence().find("separates them"), std::string::npos) << person.sentence();
    person.answered("the sentence in the card", person.sentence(), 3);
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
    person.answered("the sentence in the card", person.sentence(), 10);
}

TEST(Newcomer, FindsOutHowManyNodesTheRaySkippedAndWhy) {
    Newcomer person;
    person.go_to("ray-picking");
    person.frames(30);
    const Table& summary = *person.table("ray_picking");
    const std::string skipped = person.reads("ray_picking", "nodes skipped", summary.columns[1].label());
    EXPECT_GT(number_of(skipped), 0.0);
    person.click("tab.table.traversal");
    const Table* steps = person.table("traversal");
    ASSERT_TRUE(steps);
    EXPECT_TRUE(person.sees("row.traversal.0")) << "node by node, with the reason";
    bool has_reason = false;
    for (const Row& row : steps->rows)
        for (const Cell& cell : row.cells)
            has_reason = has_reason || to_text(cell).find("skipped") != std::string::npos;
    EXPECT_TRUE(has_reason);
    person.answered("the tables Ray picking and Traversal", skipped + " nodes skipped", 4);
}

TEST(Newcomer, FindsTheWorstNodeByAMeasureAndSinceWhen) {
    Newcomer person;
    person.go_to("aabb-tree");
    person.frames(200);
    person.click("tab.tree");
    person.frames(2);
    person.choose("ui.worst_by", "dead-space");
    EXPECT_EQ(person.session.state().settings[kUiWorstBy], NodeMeasure::DeadSpace);
    ASSERT_TRUE(person.reveal("worst.node.0"));
    ASSERT_TRUE(person.reveal("worst.since.0"));
    person.answered("the list Worst nodes in the tab Tree", "its first row", 8);
    person.click("worst.since.0");
    EXPECT_GT(person.session.results().walk->number, 0u) << "a click goes to the step that made it so";
    person.click("worst.node.0");
    EXPECT_TRUE(person.session.results().selected_node);
}

TEST(Newcomer, FindsTheStrategyThatSuitsAnInput) {
    Newcomer person;
    person.go_to("tree-balance");
    for (const char* input : {"clusters", "giant", "grid", "crowd", "row"}) {
        const int before = person.actions;
        person.choose("balance.input", input);
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
        ASSERT_TRUE(table);
        // The best is marked, unless it is the chosen one, which has its own mark.
        const auto marked = [&](RowMark mark) {
            return std::find_if(table->rows.begin(), table->rows.end(),
                                [&](const Row& row) { return row.mark == mark; });
        };
        auto best = marked(RowMark::Best);
        if (best == table->rows.end()) best = marked(RowMark::Chosen);
        ASSERT_NE(best, table->rows.end()) << input;
        EXPECT_EQ(person.reads("tree_balance", to_text(best->cells[0]), table->columns[0].label()),
                  to_text(best->cells[0]));
        EXPECT_LE(person.actions - before, 5) << input;
    }
    person.answered("the sentence in the card and the marked row", person.sentence(), 27);
}

TEST(Newcomer, FindsOutWhatAFatterMarginCosts) {
    Newcomer person;
    person.go_to("fat-boxes");
    person.frames(120);
    const Table& table = *person.table("fat_boxes");
    ASSERT_GE(table.rows.size(), 2u);
    const std::string thin = to_text(table.rows.front().cells[0]), fat = to_text(table.rows.back().cells[0]);
    const std::string answer = "re-inserted " + person.reads("fat_boxes", thin, "re-inserted") + " (" + thin +
                               ") and " + person.reads("fat_boxes", fat, "re-inserted") + " (" + fat +
                               "), false pairs " + person.reads("fat_boxes", thin, "false pairs") + " and " +
                               person.reads("fat_boxes", fat, "false pairs");
    person.answered("the table", answer, 4);
}

TEST(Newcomer, FindsOutWhatARotationChanged) {
    Newcomer person;
    person.go_to("aabb-tree");
    person.frames(300);
    person.point(person.ui.view_px().center());
    const int before = person.actions;
    for (int i = 0; i < 200 && person.sentence().find("Rotation") == std::string::npos; ++i)
        person.key(Key::Left);
    EXPECT_LT(person.actions - before, 60);
    person.actions = before + 1;  // a held key
    EXPECT_NE(person.sentence().find("Rotation"), std::string::npos) << "one operation after the other";
    EXPECT_NE(person.sentence().find("the SAH cost goes from"), std::string::npos) << person.sentence();
    EXPECT_TRUE(person.reveal("step.at")) << "a slider over all operations";
    person.answered("the sentence in the card", person.sentence(), 4);
}

TEST(Newcomer, FindsTheTriangleThatWasClicked) {
    Newcomer person;
    person.click("time.pause");
    const Body& body = person.session.state().world.bodies().front();
    const auto at = person.session.state().view.pixel_of(body.position);
    ASSERT_TRUE(at);
    person.click_at(*at);
    ASSERT_TRUE(person.session.results().selected_triangle) << "in the section Selection";
    EXPECT_TRUE(person.reveal("selection.triangle"));
    person.answered("Triangle, in the section Selection",
                    std::to_string(person.session.results().selected_triangle->triangle), 3);
}

TEST(Newcomer, FindsOutWhetherAPlaneCutsAMeshAndWhy) {
    Newcomer person;
    person.go_to("aabb-plane");
    person.give_position("plane", {5, 0, 0});
    const Table* table = person.table("aabb_plane");
    ASSERT_TRUE(table);
    const std::string& second = table->columns[1].label();
    const std::string verdict = person.reads("aabb_plane", "verdict", second);
    EXPECT_NE(verdict.find("behind"), std::string::npos) << verdict;
    EXPECT_EQ(person.reads("aabb_plane", "mesh", second), "behind, like its box");
    const std::string distance = person.reads("aabb_plane", "distance of the center", second);
    const std::string radius = person.reads("aabb_plane", "radius: h · |n|", second);
    EXPECT_LT(number_of(distance), -number_of(radius));
    person.answered("the table", verdict + ": " + distance + " and " + radius, 11);
}

/// In every scene that steps, the buttons of its panel and the arrow keys move the step, and nothing is
/// refused.
TEST(Newcomer, StepsEverySceneThatStepsByButtonsAndArrowKeys) {
    std::size_t with_buttons = 0, with_keys = 0;
    for (const SceneSpec& scene : scene_specs()) {
        if (!scene.steps) continue;
        SCOPED_TRACE(scene.id);
        Newcomer person;
        person.go_to(std::string(scene.id));
        if (scene.id == "ray-picking") person.click_at(person.ui.view_px().center());  // pins the ray
        const auto number = [&] { return person.session.results().walk->number; };
        if (person.session.results().walk) {
            ++with_buttons;
            const std::size_t of = person.session.results().walk->of;
            ASSERT_GE(of, 2u);
            person.click("steps.first");
            EXPECT_EQ(number(), 1u);
            person.click("steps.next");
            EXPECT_EQ(number(), 2u);
            EXPECT_TRUE(person.sees("scene.sentence"));
            person.click("steps.back");
            EXPECT_EQ(number(), 1u);
            person.click("steps.last");
            EXPECT_EQ(number(), person.session.results().walk->of);
            person.click("steps.first");
            person.click("steps.change");
            EXPECT_GE(number(), 1u);
            person.click("steps.first");
        }
        // A panel that took the last click must not keep the keys.
        const Rect view = person.ui.view_px();
        person.point({view.max.x - 8.0f, 0.5f * view.max.y});
        const auto at = [&] { return person.value(*scene.steps); };
        const std::string before = at();
        person.key(Key::Right);
        const std::string after = at();
        EXPECT_NE(after, before);
        person.key(Key::Right);
        EXPECT_NE(at(), after);
        person.key(Key::Left);
        EXPECT_EQ(at(), after);
        person.key(Key::Left);
        EXPECT_EQ(at(), before);
        ++with_keys;
        EXPECT_EQ(person.session.refused_commands(), 0u);
        for (const Message& message : person.session.messages().messages())
            EXPECT_NE(message.severity, Severity::Error) << message.text;
    }
    EXPECT_GE(with_buttons, 20u);
    EXPECT_GT(with_keys, with_buttons) << "levels, too";
}

TEST(Newcomer, LeavesTheSettingsOfASceneBehind) {
    Newcomer person;
    person.go_to("tree-balance");
    person.choose("tree.balance", "none");
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

TEST(Newcomer, CompletesAPathWithTabAndFindsTheFileAmongTheRecentOnes) {
    const test::TempDir folder;
    for (const char* name : {"tetrahedron one.obj", "tetrahedron two.obj"})
        folder.write(name, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    Newcomer person;
    const auto is_open = [&] {
        for (int i = 0; i < 600; ++i) {
            const auto& bodies = person.session.results().bodies;
            if (!bodies.empty() && bodies.front().name.str().find("tetrahedron two") != std::string::npos)
                return true;
            person.frame();
        }
        return false;
    };
    person.click("menu.File");
    person.click("menu.open ");
    person.frames(3);
    const auto tab = [&](const std::string& words) {
        person.text = words;
        person.frames(2);
        person.keys = {UiKey::Tab};
        person.frames(3);
    };
    tab((folder / "tetra").string());  // as far as both names are alike
    tab("tw");
    person.keys = {UiKey::Enter};
    person.frames(3);
    EXPECT_FALSE(person.sees("files.title"));
    EXPECT_TRUE(is_open());
    person.go_to("welcome");
    person.click("menu.File");
    person.click("menu.open ");
    person.click("files.recent.0");
    EXPECT_TRUE(is_open());
    EXPECT_EQ(person.session.refused_commands(), 0u);
}

/// What the palette suggests does what it says, whatever words it is made of.
TEST(Newcomer, TurnsTheHeatmapOnByThePalettesSuggestion) {
    Newcomer person;
    person.session.commands().push("palette");
    person.frames(3);
    ASSERT_TRUE(person.sees("palette.line"));
    person.text = "turn on: heatmap";
    person.frames(3);
    person.keys = {UiKey::Enter};
    person.frames(3);
    EXPECT_TRUE(person.session.state().settings[kHeatShow]);
    EXPECT_EQ(person.session.refused_commands(), 0u);
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

TEST(Newcomer, TypesNumbersAsTheyAreWrittenAnywhere) {
    Newcomer person;
    person.go_to("aabb-overlap");
    const auto give = [&](const std::string& typed) {
        if (!person.reveal("value.a.x")) person.click("section.Values");
        person.click("value.a.x");
        person.type(typed);
        const std::vector<Handle>& handles = person.session.results().handles;
        return numbers_of(handles, *find_handle(handles, "a")).x;
    };
    EXPECT_EQ(give("\u22122"), -2.0f);
    EXPECT_EQ(give("1.5 "), 1.5f);
    EXPECT_EQ(give("+3"), 3.0f);
    EXPECT_EQ(give("1e-5"), 1e-5f);
    EXPECT_EQ(person.session.refused_commands(), 0u);
    EXPECT_EQ(give("nonsense"), 1e-5f);
    EXPECT_EQ(give("+-1"), 1e-5f);
    EXPECT_EQ(give("1, 2"), 1e-5f);
    EXPECT_EQ(person.session.refused_commands(), 0u) << "the field says so, in its own words";
    EXPECT_TRUE(person.sees("toast.0"));
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
