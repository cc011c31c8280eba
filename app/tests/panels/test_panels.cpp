// Panels without a window or any OpenGL: every scene in both themes, and what a click on a widget pushes.
#include <gtest/gtest.h>

#include <atomic>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <set>
#include <string>
#include <thread>

#include "commands/catalog.hpp"
#include "io_test_tools.hpp"
#include "panels/menus/menus.hpp"
#include "panels/menus/palette_entries.hpp"
#include "panels/ui.hpp"
#include "platform/jobs.hpp"
#include "session/session.hpp"
#include "settings/draw.hpp"
#include "settings/program.hpp"
#include "world/mesh_library.hpp"
#include "world/mesh_title.hpp"
#include "world/world_settings.hpp"

namespace {

using lab::Session;
using lab::panels::Rect;
using lab::panels::Ui;
using lab::panels::UiInput;
using lab::panels::UiKey;

/// A session and its panels, driven as the program does it.
struct Screen {
    Session session{lab::command_table()};
    Ui ui{Ui::Graphics::None};
    glm::ivec2 size{1280, 720};
    float scale = 1.0f;
    bool fingers = false;
    UiInput input;
    std::vector<std::string> pushed;  ///< By the panels, in all frames so far.

    void frame() {
        ui.begin_frame({size, scale, 1.0 / 60.0, input, fingers}, session.state().settings);
        session.drain();
        session.step(Session::kFixedStep_s, {ui.needs_bodies_tree(session.shown())});
        if (const auto requests = session.take_requests(); requests.palette)
            ui.open_palette(*requests.palette);
        lab::CommandQueue queue;
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
    void press(lab::panels::UiKey key) {
        input.keys = {key};
        frame();
        input.keys.clear();
        frames(2);
    }
    [[nodiscard]] bool was_pushed(std::string_view line) const {
        return std::find(pushed.begin(), pushed.end(), line) != pushed.end();
    }
};

/// An id like `torus_knot` within a text: an underscore between two letters or digits. The header's name is
/// meant as it is.
bool has_an_id(std::string_view text) {
    if (text.find("bv_capture.h") != std::string_view::npos) return false;
    for (std::size_t i = 1; i + 1 < text.size(); ++i)
        if (text[i] == '_' && std::isalnum(static_cast<unsigned char>(text[i - 1])) != 0 &&
            std::isalnum(static_cast<unsigned char>(text[i + 1])) != 0)
            return true;
    return false;
}

}  // namespace

TEST(Panels, NamesOnTheScreenAreNoIds) {
    for (const lab::SceneSpec& scene : lab::scene_specs()) {
        Session session{lab::command_table()};
        session.commands().push_script("scene " + std::string(scene.id), "test");
        if (scene.id == "mesh-cut") session.commands().push_script("cut", "test");
        for (int i = 0; i < 30; ++i) {
            session.drain();
            session.step(Session::kFixedStep_s);
        }
        const lab::FrameResults& results = session.results();
        for (const lab::BodyState& body : results.bodies)
            EXPECT_FALSE(has_an_id(body.name.str())) << scene.id << ": " << body.name.str();
        for (const lab::Exhibit& exhibit : results.exhibits) {
            EXPECT_FALSE(has_an_id(exhibit.label)) << scene.id << ": " << exhibit.label;
            EXPECT_FALSE(has_an_id(exhibit.legend)) << scene.id << ": " << exhibit.legend;
        }
        for (const lab::Table& table : results.tables) {
            EXPECT_FALSE(has_an_id(table.title)) << scene.id << ": " << table.title;
            for (const lab::Row& row : table.rows)
                for (const lab::Cell& cell : row.cells)
                    EXPECT_FALSE(has_an_id(lab::to_text(cell))) << scene.id << ": " << lab::to_text(cell);
        }
        for (const lab::MeshEntry& mesh : session.meshes().entries())
            EXPECT_FALSE(has_an_id(title_of(mesh))) << mesh.name;
    }
}

TEST(Panels, WhatHasNoEffectInASceneIsLeftOut) {
    Screen s;
    s.size = {1280, 2400};  // all of the panel
    struct Of {
        const char* scene;
        bool bodies, trees, room, tight_boxes, spheres;
    };
    // Where a scene draws the volumes itself, or those of one kind alone, flags of others would do nothing.
    for (const Of& of :
         {Of{"welcome", true, true, true, true, true}, Of{"broadphases", true, true, true, true, false},
          Of{"volumes", true, true, false, false, false},
          Of{"aabb-transform", true, true, false, false, false},
          Of{"aabb-tree", false, true, false, false, false},
          Of{"aabb-forms", false, false, false, false, false}}) {
        s.run("scene " + std::string(of.scene));
        s.frames(20);
        const auto shows = [&](const lab::SettingSpec& row) { return s.ui.widget_rect(row.id).has_value(); };
        EXPECT_EQ(shows(lab::kDrawVolumesOn), of.bodies) << of.scene;
        EXPECT_EQ(shows(lab::kDrawAabbTight), of.tight_boxes) << of.scene;
        EXPECT_EQ(shows(lab::kDrawSphere), of.spheres) << of.scene;
        EXPECT_EQ(shows(lab::kDrawTreeColor), of.trees) << of.scene;
        EXPECT_EQ(shows(lab::kDrawRays), of.trees) << of.scene;
        EXPECT_EQ(shows(lab::kDrawRoom), of.room) << of.scene;
        EXPECT_TRUE(shows(lab::kDrawLineWidth)) << of.scene;
        EXPECT_EQ(s.ui.widget_rect("ray.hover").has_value(), of.trees) << of.scene;
        EXPECT_EQ(s.ui.widget_rect("fit.sphere").has_value(), of.bodies) << of.scene;
    }
    // The flags are back where some body shows its volumes: a selected one, or all of them.
    for (const char* line : {"select all", "select none; set draw.volumes_on all",
                             "set draw.volumes_on colliding", "set draw.volumes_on selected"}) {
        s.run("scene volumes; " + std::string(line));
        s.frames(3);
        for (const auto& flag : lab::kDrawVolume)
            EXPECT_TRUE(s.ui.widget_rect(flag.id)) << line << ": " << flag.id;
    }
}

TEST(Panels, EverySceneBuildsInBothThemesAtEverySize) {
    for (const lab::SceneSpec& scene : lab::scene_specs()) {
        for (const char* theme : {"dark", "light"}) {
            Screen s;
            s.run("scene " + std::string(scene.id) + "; set ui.theme " + theme);
            for (const glm::ivec2 size : {glm::ivec2(1280, 720), glm::ivec2(2560, 1440), glm::ivec2(390, 844),
                                          glm::ivec2(320, 200), glm::ivec2(1, 1)}) {
                s.size = size;
                s.scale = size.x > 2000 ? 2.0f : 1.0f;
                s.frames(2);
            }
            EXPECT_TRUE(s.pushed.empty())
                << scene.id << ": building alone must change nothing, but pushed " << s.pushed.front();
        }
    }
}

TEST(Panels, ALongJobHasABarThatCancelsIt) {
    Screen s;
    s.frames(2);
    s.session.jobs().set_mode(lab::JobMode::Background);
    lab::JobSpec job;
    job.title = "dragon.ply";
    job.slice = [](const lab::JobControl&) { return false; };
    const lab::JobId id = s.session.jobs().start(std::move(job));
    const std::string bar = "job.bar.1";
    const std::string cancel = "job.cancel.1";
    s.frame();
    EXPECT_FALSE(s.ui.widget_rect(bar)) << "what may be over in a moment does not flash";
    s.frames(13);
    EXPECT_FALSE(s.ui.widget_rect(bar)) << "14 frames of a sixtieth of a second, however long they took";
    s.frames(5);
    ASSERT_TRUE(s.ui.widget_rect(bar));
    s.click(cancel);
    EXPECT_TRUE(s.was_pushed("jobs.cancel " + std::to_string(id.value)));
    s.frame();  // what was cancelled goes when the next frame begins
    EXPECT_TRUE(s.session.jobs().empty());
    s.frames(2);
    EXPECT_FALSE(s.ui.widget_rect(bar));
}

TEST(Panels, AMinimizedWindowIsSkipped) {
    Screen s;
    s.size = {0, 0};
    s.frames(3);
    EXPECT_TRUE(s.ui.widget_rects().empty());
    s.size = {800, 600};
    s.frames(2);
    EXPECT_FALSE(s.ui.widget_rects().empty());
}

TEST(Panels, TheSpawnButtonAddsBodies) {
    Screen s;
    s.frames(3);
    const std::size_t before = s.session.results().bodies.size();
    s.click("spawn.button");
    EXPECT_EQ(s.pushed, std::vector<std::string>{"spawn"});
    const auto count = static_cast<std::size_t>(s.session.state().settings[lab::kSpawnCount]);
    EXPECT_EQ(s.session.results().bodies.size(), before + count);
}

TEST(Panels, AClickOnARowOfTheListSelectsAndTheInspectorNamesIt) {
    Screen s;
    s.frames(3);
    EXPECT_FALSE(s.ui.widget_rect("selection.name.3"));
    s.click("body.3");
    EXPECT_EQ(s.session.state().selected().value, 3u);
    EXPECT_TRUE(s.ui.widget_rect("selection.name.3"));
    s.click("selection.hide");
    EXPECT_TRUE(lab::find_body(s.session.results(), s.session.state().selected()) == nullptr ||
                lab::find_body(s.session.results(), s.session.state().selected())->hidden);
}

TEST(Panels, ABodyChoosesItsOwnFitAndTheEffectIsShown) {
    Screen s;
    s.size = {1280, 1400};  // room for the whole inspector
    s.run("scene welcome; select 3");
    s.click("tab.statistics");
    s.frames(3);
    s.click("selection.fit.obb");
    s.click("selection.fit.obb.exact");
    EXPECT_TRUE(s.was_pushed("body.set fit.obb=exact"));
    EXPECT_EQ(s.session.state().world.find({3})->state.volumes.obb, lab::ObbFit::Exact);
    EXPECT_TRUE(s.ui.widget_rect("before_after.counts"))
        << "whoever looked at the statistics sees the effect";
    s.click("selection.fit.obb");
    s.click("selection.fit.obb.all");
    EXPECT_FALSE(s.session.state().world.find({3})->state.own.any());
}

TEST(Panels, TheMenuOfTheSelectionActsOnIt) {
    Screen s;
    s.run("scene welcome; pause on; select 2 3");
    s.frames(2);
    s.ui.open_menu({500, 150});
    s.frames(3);
    ASSERT_TRUE(s.ui.widget_rect("context.hide"));
    s.click("context.hide");
    s.frames(2);
    EXPECT_TRUE(s.session.results().bodies[1].hidden);
    EXPECT_TRUE(s.session.results().bodies[2].hidden);
    EXPECT_FALSE(s.session.results().bodies[3].hidden);
    EXPECT_FALSE(s.ui.widget_rect("context.hide")) << "a choice closes it";
    s.ui.open_menu({500, 150});
    s.frames(3);
    s.click("context.undo");
    s.frames(2);
    EXPECT_FALSE(s.session.results().bodies[1].hidden);
}

TEST(Panels, TheInspectorFollowsTheNodeThatIsSelected) {
    Screen s;
    s.run("scene welcome; pause on");
    s.frames(2);
    s.run("select.node bodies 1");
    s.frames(2);
    EXPECT_TRUE(s.ui.widget_rect("selection.node.1"));
    s.click("node.link.0");
    s.frames(2);
    EXPECT_TRUE(s.ui.widget_rect("selection.node.0"));
    s.click("node.isolate");
    s.frames(2);
    EXPECT_TRUE(s.session.results().isolated_node);
}

TEST(Panels, TogglesOfTheViewChangeTheirSetting) {
    Screen s;
    s.frames(3);
    for (const lab::Setting<bool>* flag :
         {&lab::kDrawSphere, &lab::kDrawAabbFixed, &lab::kDrawObb, &lab::kDrawTree}) {
        const bool before = s.session.state().settings[*flag];
        s.click(std::string(flag->id));
        EXPECT_NE(s.session.state().settings[*flag], before) << flag->id;
    }
}

TEST(Panels, EverySettingHasAWidgetInTheScenesThatReadIt) {
    std::set<std::string_view> seen;
    const auto of_program = lab::program_settings();
    const auto of_any_scene = [&](const lab::SettingSpec& setting) {
        const auto scenes = lab::scene_specs();
        return std::find(of_program.begin(), of_program.end(), &setting) == of_program.end() &&
               std::any_of(scenes.begin(), scenes.end(),
                           [&](const lab::SceneSpec& scene) { return scene.offers(setting); });
    };
    for (const lab::SceneSpec& scene : lab::scene_specs()) {
        Screen s;
        s.size = {1600, 3000};  // tall enough that nothing is scrolled away
        s.run("scene " + std::string(scene.id));
        s.frames(2);
        if (!s.ui.widget_rect("spawn.more")) s.click("section.Spawn");  // where there are no bodies
        s.click("spawn.more");                                          // folded at first
        for (const auto& [group, setting] :
             {std::pair{"Pair test", "volume.pair_kind"}, std::pair{"Fits", "fit.sphere"},
              std::pair{"Broadphase", "broadphase.kind"}, std::pair{"Dynamic tree", "tree.insertion"},
              std::pair{"Rays", "ray.hover"}, std::pair{"Probe", "probe.kind"},
              std::pair{"Heatmap", "heat.show"}, std::pair{"Editing", "edit.gizmo"}})
            if (!s.ui.widget_rect(setting)) s.click(std::string("section.") + group);
        for (const lab::SettingSpec* setting : lab::setting_catalog().rows()) {
            if (!s.ui.widget_rect(setting->id)) continue;
            seen.insert(setting->id);
            const bool of_scene = of_any_scene(*setting), offered = scene.offers(*setting);
            EXPECT_TRUE(offered || !of_scene) << setting->id << " belongs to another scene than " << scene.id;
        }
    }
    for (const lab::SettingSpec* setting : lab::setting_catalog().rows())
        EXPECT_TRUE(setting->is_of_window || seen.contains(setting->id)) << setting->id;  // folded at first
}

TEST(Panels, ASceneOpensOnItsOwnTable) {
    Screen s;
    s.run("scene welcome");
    EXPECT_EQ(s.ui.chosen_tab(), "statistics");
    s.run("scene obb-sat");
    s.frames(2);
    ASSERT_FALSE(s.session.results().tables.empty());
    EXPECT_EQ(s.ui.chosen_tab(), "table." + s.session.results().tables.front().id);
    s.click("tab.messages");
    s.run("scene aabb-overlap");
    EXPECT_EQ(s.ui.chosen_tab(), "messages") << "who reads the messages goes on reading them";
}

TEST(Panels, ASliderIsDraggedAndAChoiceChosen) {
    Screen s;
    s.frames(3);
    const auto rect = s.ui.widget_rect("spawn.count");
    ASSERT_TRUE(rect);
    s.click(glm::vec2(rect->max.x - 8.0f, rect->center().y));
    EXPECT_GT(s.session.state().settings[lab::kSpawnCount], 1000);
    s.click("draw.volumes_on");
    s.click("draw.volumes_on.all");
    EXPECT_EQ(s.session.state().settings.get_as_text(lab::kDrawVolumesOn), "all");
    s.click("spawn.mesh");
    s.click("spawn.mesh.torus");
    EXPECT_EQ(s.session.state().settings[lab::kSpawnMesh], "torus");
}

TEST(Panels, ATypedNumberBeyondTheRangeIsItsEnd) {
    Screen s;
    s.size = {1600, 3000};
    s.frames(3);
    s.click("world.seed");  // twice: the field becomes one to type into
    s.click("world.seed");
    s.type("99999999999");
    s.press(UiKey::Enter);
    EXPECT_EQ(s.session.state().settings[lab::kWorldSeed], 2147483647);
}

TEST(Panels, ArrowKeysMoveThroughAnOpenListOfChoices) {
    Screen s;
    s.run("scene gjk");
    const auto& settings = s.session.state().settings;
    const lab::SettingSpec& setting = *lab::setting_catalog().find("gjk.a");
    ASSERT_EQ(setting.kind, lab::SettingKind::Choice);
    const std::string before(settings.choice(setting).id);
    const std::string id(setting.id);
    const auto at = [&](std::size_t i) { return std::string(setting.choices[i].id); };
    ASSERT_EQ(before, at(0));
    s.click(id);
    EXPECT_TRUE(s.ui.wants_keyboard()) << "the stepper's keys rest";
    s.press(UiKey::Down);
    s.press(UiKey::Down);
    s.press(UiKey::Up);
    EXPECT_EQ(settings.choice(setting).id, before) << "not taken yet";
    s.press(UiKey::Enter);
    EXPECT_EQ(settings.choice(setting).id, at(1));
    EXPECT_FALSE(s.ui.wants_keyboard()) << "closed";
    s.click(id);
    s.press(UiKey::Up);
    s.press(UiKey::Escape);
    EXPECT_EQ(settings.choice(setting).id, at(1));
    EXPECT_FALSE(s.ui.wants_keyboard());
}

TEST(Panels, AnotherSceneStartsAtTheTopOfTheRightPanel) {
    Screen s;
    s.run("scene gjk");
    s.frames(3);
    const auto top = s.ui.widget_rect("section.This scene");
    ASSERT_TRUE(top);
    s.input.mouse_px = {1150.0f, 500.0f};
    s.frame();
    s.input.wheel = -20.0f;
    s.frame();
    s.input.wheel = 0.0f;
    s.frames(3);
    ASSERT_FALSE(s.ui.widget_rect("section.This scene")) << "scrolled";
    s.run("scene obb-sat");
    s.frames(3);
    const auto now = s.ui.widget_rect("section.This scene");
    ASSERT_TRUE(now);
    EXPECT_EQ(now->min.y, top->min.y);
}

TEST(Panels, PauseStepAndRestartInTheMenuBar) {
    Screen s;
    s.frames(3);
    s.click("time.pause");
    EXPECT_TRUE(s.session.results().paused);
    const auto steps = s.session.results().steps;
    s.click("time.step");
    EXPECT_EQ(s.session.results().steps, steps + 1);
    s.click("time.restart");
    EXPECT_TRUE(s.was_pushed("restart"));
}

TEST(Panels, MenusPushTheirLines) {
    Screen s;
    s.frames(3);
    s.click("menu.View");
    s.click("menu.toggle ui.legend");
    EXPECT_FALSE(s.session.state().settings[lab::kUiLegend]);
    s.click("menu.File");
    s.click("menu.open ");
    EXPECT_TRUE(s.ui.widget_rect("files.title"));
    s.press(UiKey::Escape);
    EXPECT_FALSE(s.ui.widget_rect("files.title"));
}

TEST(Panels, RecentFilesAreThoseThatOpened) {
    const lab::io::testing_tools::TestFolder folder;
    const std::string good = folder.write("good.txt", "0 0 0 1 1 1\n").string();
    const std::string bad = folder.write("bad.txt", "0 0 what\n").string();
    Screen s;
    s.frames(3);
    const auto open = [&](const std::string& path) {
        s.click("menu.File");
        s.click("menu.open ");
        s.click("files.path");
        s.type(path);
        s.click("files.open");
        s.frames(5);
    };
    const auto recent = [&]() -> const std::string& { return s.session.state().settings[lab::kRecentFiles]; };
    open(good);
    EXPECT_EQ(recent(), good);
    open(bad);
    EXPECT_EQ(recent(), good) << "it could not be opened";
    open((folder / "missing.obj").string());
    open((folder / "unknown.xyz").string());
    EXPECT_EQ(recent(), good);
    (void)folder.write("good.txt", "0 0 what\n");
    open(good);
    EXPECT_EQ(recent(), "") << "it no longer opens";
}

TEST(Panels, TheBrowserCompletesWholeLettersOnly) {
    const lab::io::testing_tools::TestFolder folder;
    (void)folder.write("x\u00e4.txt", "0 0 0 1 1 1\n");  // both letters begin with the byte c3
    (void)folder.write("x\u00f6.txt", "0 0 0 1 1 1\n");
    Screen s;
    s.frames(3);
    s.click("menu.File");
    s.click("menu.open ");
    s.click("files.path");
    s.type((folder / "x").string());
    s.press(UiKey::Tab);
    s.type("\u00f6.txt");  // behind half a letter, this would be no name
    s.press(UiKey::Enter);
    s.frames(5);
    EXPECT_EQ(s.session.state().settings[lab::kRecentFiles], (folder / "x\u00f6.txt").string());
}

TEST(Panels, TheBrowserGoesUpFromAPathThatWentUp) {
    const lab::io::testing_tools::TestFolder folder;
    std::filesystem::create_directories(folder / "a/b");
    (void)folder.write("a/marked.obj", "");
    (void)folder.write("top.obj", "");
    Screen s;
    s.frames(3);
    s.click("menu.File");
    s.click("menu.open ");
    s.click("files.path");
    s.type((folder / "a/b/..").string());
    s.press(UiKey::Enter);
    ASSERT_TRUE(s.ui.widget_rect("files.row.marked.obj"));
    s.click("files.up");
    EXPECT_TRUE(s.ui.widget_rect("files.row.top.obj"));
    EXPECT_FALSE(s.ui.widget_rect("files.row.marked.obj"));
}

TEST(Panels, HelpHasNoHeadingWithoutRows) {
    Screen s;
    s.run("set ui.help on");
    EXPECT_TRUE(s.ui.widget_rect("help.Mouse"));
    EXPECT_TRUE(s.ui.widget_rect("help.Keys"));
    s.click("help.search");
    s.type("zzqqzzqq");
    EXPECT_FALSE(s.ui.widget_rect("help.Mouse"));
    EXPECT_FALSE(s.ui.widget_rect("help.Keys"));
    EXPECT_TRUE(s.ui.widget_rect("help.nothing"));
}

TEST(Panels, EveryMenuLineIsACommandOrSettingThatExists) {
    const auto names = lab::panels::menu_names();
    for (const auto& item : lab::panels::menu_items()) {
        EXPECT_NE(std::find(names.begin(), names.end(), item.menu), names.end()) << item.menu;
        if (item.line().empty()) continue;
        std::string error;
        const auto words = lab::split_words(item.line(), error);
        ASSERT_TRUE(words && !words->empty()) << item.line();
        EXPECT_TRUE(lab::command_table().find((*words)[0])) << item.line();
        if ((*words)[0] == "toggle") {
            EXPECT_TRUE(lab::setting_catalog().find((*words)[1])) << item.line();
        }
    }
    EXPECT_EQ(lab::panels::shortcut_for_line("camera.frame"), "F");
    EXPECT_EQ(lab::panels::shortcut_for_line("no such line"), "");
}

TEST(Panels, ScenesAreSearchedAndChosenInTheList) {
    Screen s;
    s.frames(3);
    s.click("scene.search");
    EXPECT_TRUE(s.ui.wants_keyboard()) << "keys belong to the search field now";
    s.type("boxes");
    EXPECT_FALSE(s.ui.widget_rect("scene.welcome"));
    s.click("scene.boxes");
    EXPECT_EQ(s.session.results().scene_id, "boxes");
}

TEST(Panels, TheTreeDiagramPointsAtNodesAndSelectsBodies) {
    Screen s;
    s.run("scene welcome; pause on");
    s.frames(2);
    s.click("tab.tree");
    const auto canvas = s.ui.widget_rect("tree.canvas");
    ASSERT_TRUE(canvas);
    s.input.mouse_px = {canvas->center().x, canvas->min.y + 3.0f};
    s.frames(2);
    EXPECT_EQ(s.ui.pointed_node().tree, "bodies");
    EXPECT_EQ(s.ui.pointed_node().node, 0u) << "the root lies over the whole width";

    // Downward from the root at some place there is a leaf, and a click on it selects its body.
    for (float y = canvas->min.y + 3.0f; y < canvas->max.y && !s.session.state().selected().valid();
         y += 6.0f) {
        s.click(glm::vec2(canvas->min.x + 0.3f * canvas->size().x, y));
    }
    ASSERT_TRUE(s.session.state().selected().valid());
    s.click("tree.links");
    s.frames(2);
    s.input.mouse_px = {640, 300};
    s.frames(2);
    EXPECT_TRUE(s.ui.pointed_node().tree.empty()) << "outside of the diagram no node is meant";
}

TEST(Panels, TheDiagramOfEveryTreeOfEverySceneZoomsAndPans) {
    for (const lab::SceneSpec& scene : lab::scene_specs()) {
        Screen s;
        s.run("scene " + std::string(scene.id));
        s.frames(2);
        if (!s.ui.widget_rect("tab.tree")) continue;
        s.click("tab.tree");
        const auto canvas = s.ui.widget_rect("tree.canvas");
        if (!canvas) continue;  // the tree is empty so far
        s.input.mouse_px = canvas->center();
        for (int i = 0; i < 12; ++i) {
            s.input.wheel = 1.0f;
            s.frame();
        }
        s.input.wheel = 0.0f;
        s.input.left_down = true;
        s.frame();
        s.input.mouse_px += glm::vec2(80, -40);
        s.frames(2);
        s.input.left_down = false;
        s.frames(2);
    }
}

TEST(Palette, TypingAndEnterRunACommand) {
    Screen s;
    s.frames(3);
    s.run("palette");
    EXPECT_TRUE(s.ui.palette_is_open());
    s.frames(2);
    s.type("spawn 3 torus");
    s.press(UiKey::Enter);
    EXPECT_FALSE(s.ui.palette_is_open());
    EXPECT_TRUE(s.was_pushed("spawn 3 torus"));
}

TEST(Palette, ArrowsChooseAndACommandThatNeedsWordsWaitsForThem) {
    Screen s;
    s.frames(3);
    s.run("palette \"spawn \"");
    s.frames(3);
    s.type("3 torus");
    s.press(UiKey::Enter);
    EXPECT_TRUE(s.was_pushed("spawn 3 torus"));

    s.run("palette \"scene \"");
    s.frames(3);
    s.press(UiKey::Down);
    s.press(UiKey::Enter);
    ASSERT_FALSE(s.pushed.empty());
    EXPECT_EQ(s.pushed.back(), "scene " + std::string(lab::scene_specs()[1].id));
}

TEST(Palette, AClickBesideClosesIt) {
    Screen s;
    s.frames(3);
    s.run("palette");
    s.frames(3);
    s.click(glm::vec2(640.0f, 710.0f));
    EXPECT_FALSE(s.ui.palette_is_open());
}

TEST(Palette, FindsCommandsSettingsAndScenes) {
    const lab::Settings settings{lab::setting_catalog()};
    const auto lines = [&](std::string_view text) {
        std::set<std::string> found;
        for (const auto& entry : lab::panels::palette_entries(text, settings, 100))
            found.insert(entry.line);
        return found;
    };
    EXPECT_TRUE(lines("welcome").contains("scene welcome"));
    EXPECT_TRUE(lines("spheres").contains("toggle draw.sphere"));
    EXPECT_TRUE(lines("brute force").contains("toggle verify") || lines("verify").contains("toggle verify"));
    EXPECT_TRUE(lines("theme light").contains("set ui.theme light"));
    EXPECT_FALSE(lines("theme").contains("set ui.theme dark")) << "what is chosen already is not offered";
    EXPECT_TRUE(lines("fill").contains("set draw.fill "));
    EXPECT_EQ(lab::panels::palette_entries("spawn 5 box", settings, 5).front().line, "spawn 5 box");
    // The whole name of a command is that command, not a setting whose name begins like it.
    for (const char* name : {"tree.rebuild", "step", "clear"})
        EXPECT_EQ(lab::panels::palette_entries(name, settings, 5).front().line, name);
    for (const std::string& line : lines("scene "))
        EXPECT_TRUE(line.starts_with("scene ")) << line;
    EXPECT_TRUE(lines("zzqq").empty());
    EXPECT_LE(lab::panels::palette_entries("", settings, 7).size(), 7u);
}

TEST(Panels, HelpShowsAndCloses) {
    Screen s;
    s.run("set ui.help on");
    EXPECT_TRUE(s.ui.widget_rect("help.title"));
    s.click("help.close");
    EXPECT_FALSE(s.session.state().settings[lab::kUiHelp]);
    EXPECT_FALSE(s.ui.widget_rect("help.title"));
}

TEST(Panels, HiddenPanelsLeaveTheWholePictureFree) {
    Screen s;
    s.frames(2);
    EXPECT_GT(s.ui.view_px().min.x, 100.0f);
    s.run("set ui.panels off");
    EXPECT_EQ(s.ui.view_px(), (Rect{{0, 0}, {1280, 720}}));
    EXPECT_FALSE(s.ui.widget_rect("spawn.button"));
}

TEST(Panels, TheMouseOverTheViewIsFreeAndOverPanelsTaken) {
    Screen s;
    s.frames(2);
    s.input.mouse_px = s.ui.view_px().center();
    s.frames(2);
    EXPECT_FALSE(s.ui.wants_mouse());
    s.input.mouse_px = {40, 400};
    s.frames(2);
    EXPECT_TRUE(s.ui.wants_mouse());
}

TEST(Panels, AnEdgeCanBeDragged) {
    Screen s;
    s.frames(2);
    const float before = s.ui.view_px().min.x;
    s.input.mouse_px = {before, 400};
    s.frames(2);
    s.input.left_down = true;
    s.frame();
    s.input.mouse_px.x += 60;
    s.frames(2);
    s.input.left_down = false;
    s.frames(2);
    EXPECT_NEAR(s.ui.view_px().min.x, before + 60, 3.0f);
}

namespace {

/// A phone: the finger comes down where it touches, and leaves the screen.
struct Phone : Screen {
    Phone() {
        size = {390, 844};
        fingers = true;
        frames(2);
    }
    void put(glm::vec2 at) {
        input.mouse_px = at;
        input.left_down = true;
        frame();
    }
    void lift() {
        input.left_down = false;
        frame();
        input.mouse_px = {-1.0f, -1.0f};
        frames(3);
    }
    void tap(const std::string& name) {
        const auto rect = ui.widget_rect(name);
        ASSERT_TRUE(rect) << "not on screen: " << name;
        put(rect->center());
        frame();
        lift();
    }
    [[nodiscard]] bool shows(const std::string& name) const { return ui.widget_rect(name).has_value(); }
};

}  // namespace

TEST(Phone, TabsOpenOnePanelAtATimeAndCloseIt) {
    Phone p;
    EXPECT_TRUE(p.shows("sheet.scenes"));
    EXPECT_FALSE(p.shows("section.Scenes"));
    const float whole = p.ui.view_px().size().y;
    p.tap("sheet.scenes");
    EXPECT_TRUE(p.shows("section.Scenes"));
    EXPECT_LT(p.ui.view_px().size().y, 0.6f * whole);
    p.tap("sheet.results");
    EXPECT_TRUE(p.shows("tab.statistics"));
    EXPECT_FALSE(p.shows("section.Scenes"));
    p.tap("sheet.results");
    EXPECT_FALSE(p.shows("tab.statistics"));
    EXPECT_EQ(p.ui.view_px().size().y, whole);
}

TEST(Phone, AListIsScrolledByTheFingerAndATapChooses) {
    Phone p;
    p.tap("sheet.scenes");
    const auto row = p.ui.widget_rect("scene.welcome");
    ASSERT_TRUE(row);
    p.pushed.clear();
    p.put(row->center());
    for (int i = 1; i <= 10; ++i)
        p.put(row->center() - glm::vec2(0.0f, 15.0f * static_cast<float>(i)));
    const auto moved = p.ui.widget_rect("scene.welcome");
    if (moved) {
        EXPECT_LT(moved->center().y, row->center().y - 100.0f);
    }
    p.lift();
    EXPECT_TRUE(p.pushed.empty()) << "a drag chooses nothing: " << p.pushed.front();
    p.frames(120);
    std::string seen;
    for (const lab::SceneSpec& scene : lab::scene_specs())
        if (const auto at = p.ui.widget_rect("scene." + std::string(scene.id));
            at && at->center().y > 600.0f && at->center().y < 760.0f)
            seen = scene.id;
    ASSERT_FALSE(seen.empty());
    p.tap("scene." + seen);
    EXPECT_TRUE(p.was_pushed("scene " + seen));
}

TEST(Phone, ASliderIsDraggedSideways) {
    Phone p;
    p.run("scene obb-sat; set ui.sheet settings");
    const auto slider = p.ui.widget_rect("sat.axis");
    ASSERT_TRUE(slider);
    p.pushed.clear();
    const glm::vec2 from(slider->min.x + 12.0f, slider->center().y);
    p.put(from);
    for (int i = 1; i <= 8; ++i)
        p.put(from + glm::vec2(10.0f * static_cast<float>(i), 0.0f));
    p.lift();
    ASSERT_FALSE(p.pushed.empty());
    EXPECT_TRUE(p.pushed.back().starts_with("set sat.axis ")) << p.pushed.back();
}

TEST(Phone, WhatIsTouchedIsLargeEnough) {
    Phone p;
    p.run("scene obb-sat");
    for (const char* sheet : {"none", "scenes", "settings", "results"}) {
        p.run(std::string("set ui.sheet ") + sheet);
        p.frames(3);
        for (const auto& widget : p.ui.widget_rects()) {
            if (widget.name.starts_with("scene.card") || widget.name.starts_with("row.")) continue;
            EXPECT_GE(widget.rect.size().y, 28.0f) << widget.name << " with " << sheet;
        }
    }
}

TEST(Phone, RowsOfTheContextMenuAndTheTimeLineAreAsLargeAsAFinger) {
    Phone p;
    p.run("scene welcome; pause on; select 2");
    p.ui.open_menu({40.0f, 100.0f});
    p.frames(3);
    int rows = 0;
    for (const auto& widget : p.ui.widget_rects()) {
        if (!widget.name.starts_with("context.")) continue;
        ++rows;
        EXPECT_GE(widget.rect.size().y, 38.0f) << widget.name;
    }
    EXPECT_GT(rows, 8);
    p.press(UiKey::Escape);
    p.run("set ui.sheet results");
    p.frames(2);
    const auto line = p.ui.widget_rect("drawer.line");
    ASSERT_TRUE(line);
    EXPECT_GE(line->size().y, 38.0f);
    EXPECT_GT(line->size().x, 300.0f) << "a line of its own";
}

TEST(Phone, ANewcomerSeesWhereToBegin) {
    Phone p;
    p.run("scene welcome");
    p.frames(2);
    EXPECT_TRUE(p.shows("lesson.begin")) << "on the picture";
    p.run("set ui.sheet scenes");
    p.frames(2);
    EXPECT_TRUE(p.shows("lesson.begin")) << "above the lists";
    p.run("set ui.sheet none; set lessons.done bounding-volumes");
    p.frames(2);
    EXPECT_FALSE(p.shows("lesson.begin"));
}

TEST(Phone, AFingerOnAPanelIsKnownBeforeItIsAMouse) {
    Phone p;
    p.run("set ui.sheet scenes");
    EXPECT_FALSE(p.ui.wants_mouse());
    EXPECT_TRUE(p.ui.covers({200.0f, 600.0f}));
    EXPECT_FALSE(p.ui.covers({200.0f, 300.0f})) << "the view";
    p.run("palette");
    EXPECT_TRUE(p.ui.covers(p.ui.widget_rect("palette.0")->center()));
}

TEST(Phone, ATextFieldIsKnownWhileTheFingerIsOnIt) {
    Phone p;
    p.run("set ui.sheet scenes");
    const auto field = p.ui.widget_rect("scene.search");
    ASSERT_TRUE(field);
    p.put(field->center());
    p.frame();
    EXPECT_TRUE(p.ui.points_at_text());
    EXPECT_FALSE(p.ui.wants_text());
    p.lift();
    EXPECT_TRUE(p.ui.wants_text());
    p.type("grid");
    EXPECT_TRUE(p.shows("scene.grid"));
    EXPECT_FALSE(p.shows("scene.welcome"));
}

TEST(Panels, KnobsAloneAreThoseOfTheScene) {
    Screen s;
    s.size = {640, 360};
    s.run("scene obb-sat; set ui.layout knobs");
    EXPECT_TRUE(s.ui.widget_rect("sat.axis"));
    EXPECT_TRUE(s.ui.widget_rect("time.pause"));
    EXPECT_FALSE(s.ui.widget_rect("section.Show"));
    EXPECT_FALSE(s.ui.widget_rect("menu.File"));
    EXPECT_GT(s.ui.view_px().size().x, 350.0f);
}

TEST(Panels, DoubleScaleDoublesEveryWidget) {
    Screen a;
    a.frames(3);
    Screen b;
    b.size = {2560, 1440};
    b.scale = 2.0f;
    b.frames(3);
    const auto small = a.ui.widget_rect("spawn.button");
    const auto large = b.ui.widget_rect("spawn.button");
    ASSERT_TRUE(small && large);
    EXPECT_NEAR(large->center().x, 2.0f * small->center().x, 8.0f);
    EXPECT_NEAR(large->size().y, 2.0f * small->size().y, 3.0f);
}

TEST(Panels, ErrorsAppearAsMessagesAndManyBodiesAreNoBurden) {
    Screen s;
    s.session.commands().push("no.such.command");
    s.frames(5);
    EXPECT_GT(s.session.refused_commands(), 0u);
    s.click("tab.messages");
    s.click("tab.plots");
    s.session.commands().push("spawn 5000 box");
    s.frames(3);
    EXPECT_GT(s.session.results().bodies.size(), 5000u);
}
