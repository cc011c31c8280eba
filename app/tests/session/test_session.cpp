// Whole sessions without a window: scenes, commands, determinism, and comparison with brute force.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "commands/catalog.hpp"
#include "io/sessions/report.hpp"
#include "scenes/scenes.hpp"
#include "session/report.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "settings/draw.hpp"
#include "view/checks/reference.hpp"
#include "view/picking.hpp"
#include "volumes_of.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

using test::run;

std::string last_error(const Session& session) {
    for (auto it = session.messages().messages().rbegin(); it != session.messages().messages().rend(); ++it)
        if (it->severity == Severity::Error) return it->text;
    return "";
}

/// The last error after one line.
std::string refusal(Session& session, const std::string& line) {
    const auto before = session.refused_commands();
    session.commands().push(line);
    session.drain();
    EXPECT_EQ(session.refused_commands(), before + 1) << line;
    return last_error(session);
}

template <class T>
bool same_bits(const T& a, const T& b) {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
}

constexpr std::string_view kBusyScript =
    "set world.seed=7; scene welcome\nset verify=true; spawn 30; set sim.contact=bounce\nhover 500 300; pick "
    "640 360\n"
    "ray.pin -8 3 0 1 0 0.1; remove 3; camera.orbit 20 5; set volume.pair_kind=sphere";

TEST(Session, EverySceneOpensAndRunsWithoutADifference) {
    const char* const scale = std::getenv("BV_TEST_SCALE");  // the sanitizers run a part of it
    const auto frames = static_cast<unsigned>(std::clamp(scale ? 60.0 * std::atof(scale) : 60.0, 6.0, 60.0));
    for (const SceneSpec& spec : scene_specs()) {
        Session session{command_table()};
        run(session, "set verify=true; scene " + std::string(spec.id), static_cast<int>(frames) - 1);
        const FrameResults& results = session.step(Session::kFixedStep_s, StepInput{true});
        EXPECT_EQ(results.scene_id, spec.id);
        EXPECT_EQ(results.frame, frames);
        EXPECT_EQ(results.steps, frames);
        EXPECT_FALSE(results.trees.empty()) << spec.id;
        EXPECT_FALSE(results.bounds.is_empty()) << spec.id;
        EXPECT_EQ(results.checks.frames, frames);
        EXPECT_TRUE(results.checks.differences.empty())
            << spec.id << ": " << results.checks.differences.front();
        for (const BodyState& body : results.bodies) {
            EXPECT_TRUE(test::tight_of(session, body).is_finite()) << body.name;
            EXPECT_FALSE(test::obb_of(session, body).is_empty()) << body.name;
        }
    }
}

/// Neither the camera nor a setting of a scene stays behind for the next one.
TEST(Session, ASceneStartsTheSameAfterAnyOther) {
    const auto scenes = scene_specs();
    for (std::size_t i = 0; i < scenes.size(); ++i) {
        Session fresh(command_table()), session(command_table());
        run(fresh, fmt::format("scene {}", scenes[i].id), 1);
        const SceneSpec& other = scenes[(7 * i + 3) % scenes.size()];
        run(session, fmt::format("scene {}; camera.orbit 40 20", other.id), 2);
        run(session, fmt::format("scene {}", scenes[i].id), 1);
        SCOPED_TRACE(fmt::format("{} after {}", scenes[i].id, other.id));
        EXPECT_EQ(session.state().view.camera, fresh.state().view.camera);
        for (const SettingSpec* row : fresh.state().settings.catalog().rows())
            EXPECT_TRUE(row->id == "capture.frame" ||  // where the film stopped
                        session.state().settings.get_as_text(*row) ==
                            fresh.state().settings.get_as_text(*row))
                << row->id;
    }
}

TEST(Session, WelcomeShowsItsVolumes) {
    Session session{command_table()};
    run(session, "scene welcome", 120);
    const FrameResults& results = session.results();
    EXPECT_NEAR(static_cast<double>(results.bodies.size()), 40.0, 3.0);
    VolumeSet shown;
    unsigned bare = 0;
    for (const BodyState& body : results.bodies) {
        shown |= body.shown;
        bare += body.shown == kShowNone;
    }
    EXPECT_EQ(shown, kShowAll) << "all four kinds of volumes are on show";
    EXPECT_GT(bare, 0u) << "not every body carries one";
    EXPECT_GT(results.pairs.volume.size(), 0u);
    ASSERT_FALSE(results.rays.empty()) << "without a mouse the ray sweeps";
    EXPECT_EQ(results.trees.front().second.payloads.size(), results.bodies.size());
}

TEST(Session, TwoRunsAreEqualBitForBit) {
    Session a{command_table()}, b{command_table()};
    run(a, kBusyScript, 90);
    run(b, kBusyScript, 90);
    const FrameResults &ra = a.results(), &rb = b.results();
    ASSERT_EQ(ra.bodies.size(), rb.bodies.size());
    for (std::size_t i = 0; i < ra.bodies.size(); ++i) {
        EXPECT_TRUE(same_bits(ra.bodies[i].transform, rb.bodies[i].transform)) << i;
        EXPECT_TRUE(same_bits(test::tight_of(a, ra.bodies[i]), test::tight_of(b, rb.bodies[i]))) << i;
        EXPECT_TRUE(same_bits(ra.bodies[i].velocity, rb.bodies[i].velocity)) << i;
    }
    EXPECT_EQ(ra.pairs.volume, rb.pairs.volume);
    ASSERT_EQ(ra.rays.size(), rb.rays.size());
    for (std::size_t i = 0; i < ra.rays.size(); ++i) {
        EXPECT_EQ(ra.rays[i].visited_nodes, rb.rays[i].visited_nodes);
        EXPECT_TRUE(same_bits(ra.rays[i].t, rb.rays[i].t));
    }
    EXPECT_EQ(ra.trees.front().second.source_nodes, rb.trees.front().second.source_nodes);
}

TEST(Session, ReportsAreEqualExceptForTimings) {
    const auto text = [] {
        Session session{command_table()};
        run(session, kBusyScript, 30);
        io::Report report = make_report(session, "test");
        io::erase_timings(report);
        return io::report_text(report);
    };
    const std::string first = text();
    EXPECT_EQ(first, text());
    EXPECT_NE(first.find("\"pick\""), std::string::npos);
}

TEST(Session, AnotherSeedGivesAnotherSession) {
    Session a{command_table()}, b{command_table()};
    run(a, "set world.seed=1; scene welcome", 2);
    run(b, "set world.seed=2; scene welcome", 2);
    EXPECT_FALSE(same_bits(a.results().bodies[1].transform, b.results().bodies[1].transform));
}

TEST(Session, StepsAreWholeAndIndependentOfTheFrameRate) {
    Session slow{command_table()}, fast{command_table()};
    run(slow, "scene welcome", 1);
    run(fast, "scene welcome", 1);
    for (int i = 0; i < 30; ++i)
        slow.step(2 * Session::kFixedStep_s);
    for (int i = 0; i < 120; ++i)
        fast.step(0.5 * Session::kFixedStep_s);
    EXPECT_EQ(slow.results().steps, 61u);
    EXPECT_EQ(fast.results().steps, 61u);
    EXPECT_TRUE(same_bits(slow.results().bodies[5].transform, fast.results().bodies[5].transform));
}

TEST(Session, PauseStepAndSpeed) {
    Session session{command_table()};
    run(session, "pause on", 5);
    EXPECT_EQ(session.results().steps, 0u);
    EXPECT_EQ(session.results().frame, 5u);
    EXPECT_TRUE(session.results().paused);
    run(session, "step 10", 3);
    EXPECT_EQ(session.results().steps, 10u);
    run(session, "pause off; speed 3", 2);
    EXPECT_EQ(session.results().steps, 16u);
    run(session, "speed 0", 4);
    EXPECT_EQ(session.results().steps, 16u);
    run(session, "restart", 1);
    EXPECT_EQ(session.results().frame, 1u);
}

TEST(Session, ALongFrameDoesNotPileUpTime) {
    Session session{command_table()};
    run(session, "scene welcome", 1);
    session.step(3600.0);
    EXPECT_LE(session.results().steps, 20u);
    const auto before = session.results().steps;
    session.step(Session::kFixedStep_s);
    EXPECT_LE(session.results().steps, before + 2);
}

TEST(Session, StepsThatTakeTooLongAreNotCaughtUpWith) {
    Session session{command_table()};
    run(session, "scene welcome", 1);
    const auto before = session.results().steps;
    session.step(6.0 * Session::kFixedStep_s, {.catch_up_ms = 0.0});
    EXPECT_EQ(session.results().steps, before + 1);
    session.step(Session::kFixedStep_s, {.catch_up_ms = 0.0});
    EXPECT_EQ(session.results().steps, before + 2);  // nothing is owed any more
    session.commands().push_script("step 5; pause off", "test");
    session.drain();
    session.step(6.0 * Session::kFixedStep_s, {.catch_up_ms = 0.0});
    EXPECT_EQ(session.results().steps, before + 8);  // what a command asks for is done, and one more
    session.step(6.0 * Session::kFixedStep_s);
    EXPECT_EQ(session.results().steps, before + 14);
}

TEST(Session, SpawnSelectHideRemove) {
    Session session{command_table()};
    run(session, "scene welcome; clear; spawn 5 torus; spawn 2", 1);
    ASSERT_EQ(session.results().bodies.size(), 7u);
    const bv::BodyId first = session.results().bodies.front().id;
    EXPECT_EQ(session.meshes()[session.results().bodies[4].mesh].name, "torus");
    const std::string id = std::to_string(first.value);
    run(session, "select " + id, 1);
    ASSERT_NE(find_body(session.results(), session.state().selected()), nullptr);
    EXPECT_TRUE(find_body(session.results(), session.state().selected())->selected);
    run(session, "isolate", 1);
    EXPECT_FALSE(session.results().bodies[0].hidden);
    EXPECT_TRUE(session.results().bodies[1].hidden);
    run(session, "show all; hide", 1);
    EXPECT_TRUE(session.results().bodies[0].hidden);
    EXPECT_FALSE(session.results().bodies[1].hidden);
    run(session, "remove", 1);
    EXPECT_EQ(session.results().bodies.size(), 6u);
    EXPECT_FALSE(session.state().selected().valid());
    run(session, "spawn 1", 1);
    EXPECT_GT(session.results().bodies.back().id, first) << "ids are not used again";
}

TEST(Session, RefusedCommandsChangeNothingAndSayWhy) {
    Session session{command_table()};
    run(session, "scene welcome", 1);
    const std::size_t bodies = session.results().bodies.size();
    EXPECT_NE(refusal(session, "spawn 10 trous").find("did you mean 'torus'"), std::string::npos);
    EXPECT_NE(refusal(session, "spawn ten").find("whole number from 1 to 10000"), std::string::npos);
    EXPECT_NE(refusal(session, "spawn 0").find("whole number"), std::string::npos);
    EXPECT_NE(refusal(session, "select 12345").find("no body 12345"), std::string::npos);
    EXPECT_NE(refusal(session, "hide").find("no body is selected"), std::string::npos);
    EXPECT_NE(refusal(session, "pick nan 3").find("is a number"), std::string::npos);
    EXPECT_NE(refusal(session, "move 1 1 2 inf").find("is a number"), std::string::npos);
    EXPECT_NE(refusal(session, "open nothing.xyz").find("no such file"), std::string::npos);
    EXPECT_NE(refusal(session, "open no-such-file.obj").find("no-such-file.obj"), std::string::npos);
    EXPECT_NE(refusal(session, "scene.drag a 1 2 3").find("no handle 'a'"), std::string::npos);
    EXPECT_NE(refusal(session, "ray.pin 0 0 0 0 0 0").find("direction"), std::string::npos);
    EXPECT_NE(refusal(session, "view.size 0 100").find("whole number"), std::string::npos);
    session.step(Session::kFixedStep_s);
    EXPECT_EQ(session.results().bodies.size(), bodies);
    EXPECT_EQ(session.results().scene_id, "welcome");
    EXPECT_EQ(session.file_problems(), 2u);
}

TEST(Session, ErrorsNameTheirOrigin) {
    Session session{command_table()};
    session.commands().push_script("pause\n\nselect 999", "setup.txt");
    session.drain();
    EXPECT_EQ(last_error(session).rfind("setup.txt:3: ", 0), 0u) << last_error(session);
}

TEST(Session, PickFindsTheBodyUnderThePixelAndTheRayAgrees) {
    Session session{command_table()};
    run(session, "view.size 1000 800; scene welcome; pause on", 1);
    int found = 0;
    for (const BodyState& body : session.results().bodies) {
        const Camera camera = session.state().view.shown_camera();
        const glm::vec4 clip = camera.projection({1000, 800}) * camera.view() *
                               glm::vec4(test::sphere_of(session, body).center, 1.0f);
        const glm::vec2 pixel = (glm::vec2(clip.x, -clip.y) / clip.w * 0.5f + 0.5f) * glm::vec2(1000, 800);
        run(session, "pick " + std::to_string(pixel.x) + " " + std::to_string(pixel.y), 1);
        const RayQuery& pick = session.state().view.picks.back();
        EXPECT_EQ(reference::check_ray(session.state().world, pick), std::nullopt);
        EXPECT_EQ(session.state().selected(), pick.body);
        EXPECT_LE(pick.counters.tested, pick.counters.brute_force_tested);
        found += pick.body == body.id;
    }
    EXPECT_GT(found, 15) << "most bodies are seen, not hidden behind another";
    run(session, "pick -10000 -10000", 1);
    EXPECT_FALSE(session.state().selected().valid()) << "a click on nothing deselects";
}

TEST(Session, HiddenBodiesAreNotHit) {
    Session session{command_table()};
    run(session, "scene welcome; clear; spawn 1 icosphere; pause on; camera.frame all", 0);
    session.drain();
    session.step(Session::kFixedStep_s);
    const BodyState body = session.results().bodies.front();
    bv::Ray ray;
    ray.origin = test::sphere_of(session, body).center + glm::vec3(0, 0, 10);
    ray.direction = {0, 0, -1};
    EXPECT_TRUE(cast_ray(session.state().world, RayQuery::Kind::Pick, ray).hit);
    run(session, "hide " + std::to_string(body.id.value), 1);
    EXPECT_FALSE(cast_ray(session.state().world, RayQuery::Kind::Pick, ray).hit);
    EXPECT_EQ(reference::check_ray(session.state().world,
                                   cast_ray(session.state().world, RayQuery::Kind::Pick, ray)),
              std::nullopt);
}

TEST(Session, BodiesStayInTheArena) {
    Session session{command_table()};
    run(session, "scene welcome; spawn 40; set sim.contact=bounce", 1);
    for (int i = 0; i < 900; ++i)
        session.step(4 * Session::kFixedStep_s);
    const bv::Aabb arena = bv::grown(session.results().arena, 1.0f);
    for (const BodyState& body : session.results().bodies)
        for (int k = 0; k < 3; ++k) {
            EXPECT_GT(test::sphere_of(session, body).center[k], arena.min[k]) << body.name;
            EXPECT_LT(test::sphere_of(session, body).center[k], arena.max[k]) << body.name;
        }
}

TEST(Session, PresetsAreRevertedUnlessTheUserChangedThem) {
    Session session{command_table()};
    const std::string before = Settings(setting_catalog()).get_as_text(kDrawTreeMaxDepth);
    run(session, "scene boxes", 1);
    ASSERT_NE(session.state().settings.get_as_text(kDrawTreeMaxDepth), before) << "boxes presets it";
    EXPECT_EQ(session.state().settings_without_presets().get_as_text(kDrawTreeMaxDepth), before);
    run(session, "scene mesh", 1);
    EXPECT_EQ(session.state().settings.get_as_text(kDrawTreeMaxDepth), before);
    run(session, "scene boxes; set draw.tree_max_depth=2; scene mesh", 1);
    EXPECT_EQ(session.state().settings.get_as_text(kDrawTreeMaxDepth), "2");
    run(session, "scene welcome; scene boxes; restart", 1);
    EXPECT_EQ(session.state().settings_without_presets().get_as_text(kDrawTreeMaxDepth), "2");
}

/// Settings of the same line count.
TEST(Session, ARebuildIsOfTheBroadphaseThatIsSet) {
    Session session{command_table()};
    run(session, "scene welcome; set broadphase.kind=brute-force", 2);
    run(session, "set broadphase.kind=dynamic-tree; tree.rebuild");
    run(session, "step 2", 2);
    session.commands().push("set broadphase.kind=brute-force");
    EXPECT_NE(refusal(session, "tree.rebuild").find("has no tree"), std::string::npos);
}

/// In a game the stepper's keys move the player.
TEST(Session, StepsOfAGameMoveAsFarAsAsked) {
    Session session{command_table()};
    run(session, "scene voxel-invaders", 2);
    const auto ship = [&] { return find_handle(session.results().handles, "ship")->position.x; };
    run(session, "scene.step 1", 40);  // left alone, it plays by itself
    const float start = ship();
    run(session, "scene.step 0", 40);
    EXPECT_EQ(ship(), start);
    run(session, "scene.step", 40);
    const float one = ship() - start;
    EXPECT_GT(one, 0.0f);
    run(session, "scene.step 2", 80);
    EXPECT_NEAR(ship() - start, 3.0f * one, 1e-3f);
    run(session, "scene.step -3", 120);
    EXPECT_NEAR(ship(), start, 1e-3f);
    session.commands().push("steps.next 1000000");
    session.drain();
    EXPECT_LE(session.commands().size(), 1000u) << "each move is a line";
}

/// A scene follows its settings also while time stands still.
TEST(Session, ACountTakesEffectWhilePaused) {
    Session session{command_table()};
    run(session, "scene fat-boxes; pause on", 2);
    run(session, "set fat.count=50");
    const bv::TreeSnapshot& tree = session.results().trees.front().second;
    std::size_t leaves = 0;
    for (std::uint32_t node = 0; node < tree.size(); ++node)
        leaves += tree.is_leaf(node) ? 1 : 0;
    EXPECT_EQ(leaves, 50u);
}

/// As the help of the seed says; until then nothing that the user has placed is made anew.
TEST(Session, ASeedTakesEffectWhenTheSceneRestarts) {
    for (const SceneSpec& scene : scene_specs()) {
        SCOPED_TRACE(scene.id);
        const auto inputs = [](const Session& session) {
            std::string text;
            for (const Handle& handle : session.results().handles)
                text += fmt::format("{} {} {} {}\n", handle.id, handle.position.x, handle.position.y,
                                    handle.position.z);
            return text;
        };
        const auto shown = [&](const Session& session) {
            io::Report report = make_report(session, "test");
            io::erase_timings(report);
            report.seed = 0;
            report.frame = 0;
            report.selection.undo = report.selection.redo = 0;
            report.before_after.reset();
            std::string text = io::report_text(report) + inputs(session);
            for (const Exhibit& exhibit : session.results().exhibits) {
                const bv::Aabb box = bounds_of(exhibit);
                text += fmt::format("{} {} {}\n", box.min.x, box.min.y, box.max.z);
            }
            return text;
        };
        Session session{command_table()};
        run(session, fmt::format("set pick.largest=20k; scene {}; pause on", scene.id), 2);
        const std::string before = shown(session);
        run(session, "set world.seed=9", 2);
        EXPECT_EQ(shown(session), before);
        Session other{command_table()};
        run(other, fmt::format("set pick.largest=20k; set world.seed=9; scene {}; pause on", scene.id), 2);
        run(session, "restart", 2);
        EXPECT_EQ(inputs(session), inputs(other));
    }
}

TEST(Undo, DoesNotBringBackBodiesThatTheSceneHasReplaced) {
    struct Case {
        const char *scene, *edit, *replaces;
        int undos;
    };
    for (const Case& c : {Case{"scene mesh-cut", "hide 1", "step 100", 1},
                          Case{"scene stress; set stress.bodies=1000", "clear", "set stress.bodies=10000", 3},
                          Case{"scene obb-tree", "remove 1", "set obbtree.mesh_a=teapot", 2}}) {
        SCOPED_TRACE(c.scene);
        Session session{command_table()};
        run(session, std::string("pause on; ") + c.scene, 2);
        const bv::BodyId first = session.results().bodies.front().id;
        run(session, c.edit, 1);
        run(session, c.replaces, 2);
        ASSERT_FALSE(session.state().world.find(first));
        for (int i = 0; i < c.undos; ++i)
            run(session, "undo", 2);
        EXPECT_FALSE(session.state().world.find(first));
        EXPECT_EQ(session.messages().messages().back().text, "There is nothing to undo");
    }
}

TEST(Undo, KeepsEditsOfBodiesBesideThoseThatTheSceneReplaces) {
    Session session{command_table()};
    run(session, "pause on; scene mesh-cut", 2);
    run(session, "spawn 2 box", 1);
    const bv::BodyId box = session.results().bodies.back().id;
    run(session, "hide " + std::to_string(box.value), 1);
    run(session, "cut", 2);
    EXPECT_TRUE(session.state().world.find(box)->state.hidden);
    run(session, "undo; undo", 1);
    EXPECT_FALSE(session.state().world.find(box)->state.hidden);
    run(session, "undo", 1);
    EXPECT_FALSE(session.state().world.find(box));
    run(session, "redo", 1);
    EXPECT_TRUE(session.state().world.find(box));
}

/// All that the report says, but for the frame and for what can be undone.
std::string shown(const Session& session) {
    io::Report report = make_report(session, "test");
    io::erase_timings(report);
    report.frame = 0;
    report.selection.undo = report.selection.redo = 0;
    return io::report_text(report);
}

TEST(Undo, ACutIsAnEdit) {
    Session session{command_table()};
    run(session, "pause on; scene mesh-cut", 2);
    run(session, "hide 1; show all; spawn 2 box", 1);
    const std::string whole = shown(session);
    run(session, "cut", 1);
    const std::string cut = shown(session);
    ASSERT_NE(cut, whole);
    run(session, "undo", 1);
    EXPECT_EQ(shown(session), whole);
    run(session, "redo", 1);
    EXPECT_EQ(shown(session), cut);
    run(session, "undo; undo; undo; undo", 1);
    EXPECT_TRUE(session.messages().messages().back().text.starts_with("Undone"));
    EXPECT_EQ(session.results().bodies.size(), 1u);
    run(session, "step 200", 2);
    EXPECT_EQ(session.results().bodies.size(), 1u) << "it waits for the user";
    run(session, "cut; step 5", 2);
    EXPECT_GT(session.results().bodies.size(), 1u);
}

TEST(Undo, OfADragRestoresEveryScene) {
    constexpr std::size_t kMaxDragged = 9;
    for (const SceneSpec& spec : scene_specs()) {
        // There a drag of the ship fires, and the engines count the work of the last move.
        if (spec.id == "voxel-invaders" || spec.id == "less-work") continue;
        Session session{command_table()};
        run(session, "pause on; scene " + std::string(spec.id), 2);
        const std::vector<Handle> handles = session.results().handles;
        const std::size_t stride = handles.size() / kMaxDragged + 1;
        for (std::size_t i = 0; i < handles.size(); i += stride) {
            const Handle& handle = handles[i];
            const std::string before = shown(session);
            const std::size_t done = session.state().edits.undo_count();
            const glm::vec3 to = handle.position + glm::vec3(0.579f, 1.44f, -0.553f);
            run(session, fmt::format("scene.drag {} {} {} {}", handle.id, to.x, to.y, to.z), 1);
            if (session.state().edits.undo_count() == done) continue;
            const std::string dragged = shown(session);
            run(session, "undo", 1);
            EXPECT_EQ(shown(session), before) << spec.id << ", " << handle.id;
            run(session, "redo", 1);
            EXPECT_EQ(shown(session), dragged) << spec.id << ", " << handle.id;
            run(session, "undo", 1);
        }
    }
}

}  // namespace
}  // namespace lab
