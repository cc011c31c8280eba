// Panels without a window or any OpenGL: every scene in both themes, and what a click on a widget pushes.
#include <gtest/gtest.h>

#include <atomic>
#include <cctype>
#include <chrono>
#include <set>
#include <string>
#include <thread>

#include "commands/catalog.hpp"
#include "panel_screen.hpp"
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
using lab::panels::UiKey;
using lab::testing_tools::Screen;

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
        EXPECT_EQ(shows(lab::kDrawFill), of.tight_boxes) << of.scene;
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

TEST(Panels, CtrlAndShiftAddToTheSelectionInTheList) {
    Screen s;
    s.frames(3);
    s.click("body.2");
    s.input.shift = true;
    s.click("body.4");
    s.input.shift = false;
    EXPECT_EQ(s.session.state().view.selection.bodies, (std::vector<bv::BodyId>{{2}, {3}, {4}}));
    s.input.ctrl = true;
    s.click("body.3");
    s.input.ctrl = false;
    EXPECT_EQ(s.session.state().view.selection.bodies, (std::vector<bv::BodyId>{{2}, {4}}));
}

/// Its number has more digits than the field shows.
TEST(Panels, EscapeInAFieldOfAValueChangesNothing) {
    Screen s;
    s.run("scene ray-aabb; scene.drag aim 0.123456 1.2 0.3");
    s.frames(3);
    if (!s.ui.widget_rect("value.aim.x")) s.click("section.Values");
    const auto before = s.session.state().edits.undo_count();
    s.pushed.clear();
    s.click("value.aim.x");
    s.type("7");
    s.press(UiKey::Escape);
    s.frames(3);
    EXPECT_TRUE(s.pushed.empty()) << s.pushed.front();
    EXPECT_EQ(s.session.state().edits.undo_count(), before);
    s.click("value.aim.x");
    s.type("7");
    s.press(UiKey::Enter);
    s.frames(3);
    EXPECT_EQ(s.pushed.size(), 1u);
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

/// In a table with too many rows for each to get several lines.
TEST(Panels, TheRowOfTheStepOnShowIsWholeInALowPanel) {
    for (const glm::ivec2 size : {glm::ivec2(1024, 700), glm::ivec2(1280, 800), glm::ivec2(1920, 1080)}) {
        Screen s;
        s.size = size;
        s.run("scene less-work; step.goto 100");
        s.frames(4);
        const auto above = s.ui.widget_rect("row.steps.98"), row = s.ui.widget_rect("row.steps.99");
        ASSERT_TRUE(row) << size.x;
        EXPECT_LE(row->max.y, static_cast<float>(size.y) - 4.0f) << size.x;
        ASSERT_TRUE(above) << size.x << ": it is in sight, too";
        EXPECT_NEAR(row->size().y, above->size().y, 0.5f) << size.x;
    }
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

TEST(Panels, EnterInASearchChoosesTheBestMatch) {
    Screen s;
    s.run("scene welcome");
    s.frames(3);
    s.click("body.search");
    s.type("teapot");
    s.press(UiKey::Enter);
    const auto* body = lab::find_body(s.session.results(), s.session.state().selected());
    ASSERT_TRUE(body);
    EXPECT_EQ(body->name.str(), "teapot 1");
    s.click("scene.search");
    s.press(UiKey::Enter);
    EXPECT_EQ(s.session.results().scene_id, "welcome") << "nothing is searched";
    s.click("scene.search");
    s.type("gjk");
    s.press(UiKey::Enter);
    EXPECT_EQ(s.session.results().scene_id, "gjk");
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
