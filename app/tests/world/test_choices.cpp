// Volumes and fits, chosen for all bodies or for some, and what a change of algorithm is said to have done.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <glm/geometric.hpp>
#include <string>

#include "bv/query/contains.hpp"
#include "commands/catalog.hpp"
#include "io/sessions/report.hpp"
#include "session/report.hpp"
#include "session/sandbox.hpp"
#include "temp_dir.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

void frames(Sandbox& sandbox, int count) {
    for (int i = 0; i < count; ++i) {
        sandbox.drain();
        sandbox.step(Sandbox::kFixedStep_s);
    }
}

void run(Sandbox& sandbox, std::string_view script, int count) {
    sandbox.commands().push_script(script, "test");
    frames(sandbox, count);
    for (const Message& message : sandbox.messages().messages())
        if (message.severity == Severity::Error) ADD_FAILURE() << message.text;
}

std::string first_error(Sandbox& sandbox, std::string_view script) {
    sandbox.commands().push_script(script, "test");
    frames(sandbox, 1);
    for (const Message& message : sandbox.messages().messages())
        if (message.severity == Severity::Error) return message.text;
    return {};
}

const BodyState& body(const Sandbox& sandbox, std::uint32_t id) {
    return sandbox.world().find({id})->state;
}

double volume_of_spheres(const Sandbox& sandbox) {
    double sum = 0;
    for (const Body& b : sandbox.world().bodies())
        sum += static_cast<double>(b.state.sphere.volume());
    return sum;
}
double volume_of_obbs(const Sandbox& sandbox) {
    double sum = 0;
    for (const Body& b : sandbox.world().bodies())
        sum += static_cast<double>(b.state.obb.volume());
    return sum;
}

/// Vertices of all bodies that stand out of one of their volumes.
std::size_t outside(const Sandbox& sandbox) {
    std::size_t count = 0;
    for (const Body& b : sandbox.world().bodies())
        for (const glm::vec3& p : sandbox.meshes()[b.state.mesh].positions) {
            const glm::vec3 at = b.state.transform * glm::vec4(p, 1.0f);
            count += !bv::contains(b.state.sphere, at) || !bv::contains(b.state.aabb_fixed, at) ||
                     !bv::contains(b.state.aabb_tight, at) || !bv::contains(b.state.obb, at);
        }
    return count;
}

TEST(Choices, EveryFitHoldsEveryVertexOfEveryBody) {
    Sandbox sandbox{command_table()};
    run(sandbox, "scene welcome; spawn 12", 3);
    for (const Choice& fit : find_setting("fit.sphere")->choices) {
        run(sandbox, "set fit.sphere=" + std::string(fit.id), 2);
        EXPECT_EQ(outside(sandbox), 0u) << fit.id;
    }
    for (const Choice& fit : find_setting("fit.obb")->choices) {
        run(sandbox, "set fit.obb=" + std::string(fit.id), 2);
        EXPECT_EQ(outside(sandbox), 0u) << fit.id;
    }
}

TEST(Choices, ExactFitsAreTheSmallestAndPassTheFewestPairs) {
    Sandbox sandbox{command_table()};
    run(sandbox, "scene welcome; spawn 60; set sim.paused=true", 2);
    const double ritter = volume_of_spheres(sandbox), pca = volume_of_obbs(sandbox);
    run(sandbox, "set fit.sphere=exact; set fit.obb=exact", 1);
    EXPECT_LT(volume_of_spheres(sandbox), 0.97 * ritter);
    EXPECT_LT(volume_of_obbs(sandbox), 0.97 * pca);
    for (const Body& b : sandbox.world().bodies()) {
        EXPECT_EQ(b.state.volumes.sphere, SphereFit::Exact);
        EXPECT_EQ(b.state.volumes.obb, ObbFit::Exact);
    }
    run(sandbox, "set volume.pair_kind=sphere", 1);
    const std::size_t exact = sandbox.results().pairs.volume.size();
    run(sandbox, "set fit.sphere=ritter", 1);
    EXPECT_LT(exact, sandbox.results().pairs.volume.size());
    EXPECT_TRUE(std::includes(sandbox.results().pairs.volume.begin(), sandbox.results().pairs.volume.end(),
                              sandbox.results().pairs.exact.begin(), sandbox.results().pairs.exact.end()));
}

TEST(Choices, ABodyGoesItsOwnWayAndBack) {
    Sandbox sandbox{command_table()};
    run(sandbox, "scene welcome; set sim.paused=true; set verify=true", 2);
    const BodyState before = body(sandbox, 3), other = body(sandbox, 4);
    run(sandbox, "body.set fit.obb=exact 3; body.set volume.pair_kind=sphere 3 5", 2);
    EXPECT_EQ(body(sandbox, 3).volumes.obb, ObbFit::Exact);
    EXPECT_EQ(body(sandbox, 3).volumes.kind, VolumeKind::Sphere);
    EXPECT_EQ(body(sandbox, 5).volumes.kind, VolumeKind::Sphere);
    EXPECT_LT(body(sandbox, 3).obb.volume(), before.obb.volume());
    EXPECT_EQ(body(sandbox, 3).transform, before.transform);
    EXPECT_EQ(body(sandbox, 4).volumes, other.volumes);
    EXPECT_EQ(make_report(sandbox, "").bodies[2].pairs_by, "sphere");

    // The setting for all passes by those that have a choice of their own.
    run(sandbox, "set volume.pair_kind=aabb_fixed", 1);
    EXPECT_EQ(body(sandbox, 3).volumes.kind, VolumeKind::Sphere);
    EXPECT_EQ(body(sandbox, 4).volumes.kind, VolumeKind::AabbFixed);
    run(sandbox, "step 60", 2);
    run(sandbox, "body.set volume.pair_kind=all 3 5; body.set fit.obb=all 3; set volume.pair_kind=obb", 1);
    EXPECT_FALSE(body(sandbox, 3).own.any());
    EXPECT_EQ(body(sandbox, 3).volumes, VolumeChoice{});
    EXPECT_GT(sandbox.results().checks.pairs_compared, 0u);
    EXPECT_TRUE(sandbox.results().checks.differences.empty());
}

TEST(Choices, PairsOfDifferentKindsAgreeWithBruteForce) {
    Sandbox sandbox{command_table()};
    run(sandbox,
        "scene welcome; spawn 40; set verify=true; body.set volume.pair_kind=sphere 1 2 3 4 5 6 7 8 9;"
        "body.set volume.pair_kind=aabb_tight 10 11 12 13 14 15 16; body.set volume.pair_kind=aabb_fixed 17 "
        "18"
        " 19 20 21 22; body.set fit.sphere=exact 1 4 9 16 17",
        40);
    EXPECT_GT(sandbox.results().checks.pairs_compared, 100u);
    EXPECT_TRUE(sandbox.results().checks.differences.empty());
}

TEST(Choices, UndoPasteAndSavedScenesKeepThem) {
    Sandbox sandbox{command_table()};
    run(sandbox, "scene welcome; step 5; select 3; body.set fit.sphere=exact; body.set fit.obb=dito14", 3);
    run(sandbox, "undo", 1);
    EXPECT_FALSE(body(sandbox, 3).own.obb);
    EXPECT_EQ(body(sandbox, 3).own.sphere, SphereFit::Exact);
    run(sandbox, "redo; duplicate", 2);
    EXPECT_EQ(body(sandbox, 41).own, body(sandbox, 3).own);

    const test::TempDir folder;
    const std::string path = (folder / "choices.json").string();
    ASSERT_FALSE(io::write_scene_file(path, sandbox.saved_scene()));
    for (const bool with_history : {true, false}) {
        if (!with_history) {  // only what the file says about bodies
            io::SceneFile file = *io::read_scene_file(path);
            file.history.clear();
            ASSERT_FALSE(io::write_scene_file(path, file));
        }
        Sandbox again{command_table()};
        run(again, "open " + path, 1);
        ASSERT_TRUE(again.world().find({41}));
        EXPECT_EQ(body(again, 41).own, body(sandbox, 3).own);
        EXPECT_EQ(body(again, 3).obb.half_extents, body(sandbox, 3).obb.half_extents);
    }
}

TEST(Undo, RaysFindBodiesThatCameBackAtOnce) {
    for (const char* engine : {"wide-tree", "dynamic-tree", "bsp", "incremental-sweep"}) {
        Sandbox sandbox{command_table()};
        run(sandbox, "scene welcome; set sim.paused=true; set verify=true; ray.pin -8 3 0 1 0 0.1", 2);
        run(sandbox, std::string("set broadphase.kind=") + engine, 2);
        const bv::BodyId hit = sandbox.results().rays.back().body;
        ASSERT_TRUE(hit.valid());
        const std::size_t pairs = sandbox.results().pairs.broad.size();
        run(sandbox, "clear", 1);
        EXPECT_FALSE(sandbox.results().rays.back().hit) << engine;
        run(sandbox, "undo", 1);
        EXPECT_EQ(sandbox.results().rays.back().body, hit) << engine;
        EXPECT_EQ(sandbox.results().pairs.broad.size(), pairs) << engine;
        EXPECT_TRUE(sandbox.results().checks.differences.empty()) << engine;
    }
}

TEST(Choices, WrongOnesAreRefused) {
    for (const auto& [line, part] : {std::pair{"body.set fit.obb=ritter 1", "dito14"},
                                     {"body.set tree.margin=1 1", "no choice of a single body"},
                                     {"body.set fit.obb=exact 999", "no body 999"},
                                     {"body.set fit.obb", "NAME=VALUE"},
                                     {"body.set fit.obb=", "value is missing"},
                                     {"body.set fit.obb=exact", "no body is selected"}}) {
        Sandbox sandbox{command_table()};
        run(sandbox, "scene welcome", 1);
        EXPECT_NE(first_error(sandbox, line).find(part), std::string::npos)
            << line << ": " << first_error(sandbox, line);
    }
}

// ---- before and after

const BeforeAfter& effect(const Sandbox& sandbox) {
    EXPECT_TRUE(sandbox.results().before_after);
    return *sandbox.results().before_after;
}

TEST(BeforeAfter, TellsWhatAChangeDidToCountsAndTimes) {
    Sandbox sandbox{command_table()};
    run(sandbox, "scene welcome; spawn 200; set ray.sweep=false", 30);
    EXPECT_FALSE(sandbox.results().before_after);
    const std::size_t pairs = sandbox.results().pairs.broad.size();
    const std::uint64_t tests = sandbox.results().broadphase.tests;
    run(sandbox, "set broadphase.kind=brute-force", 30);
    const BeforeAfter& found = effect(sandbox);
    EXPECT_EQ(found.change, "Broadphase: from Dynamic tree to Brute force");
    EXPECT_EQ(found.frames_before, 30u);
    EXPECT_EQ(found.frames_after, 30u);
    EXPECT_EQ(found.before[FrameCost::BroadPairs], static_cast<double>(pairs));
    EXPECT_EQ(found.after[FrameCost::BroadTests], 240.0 * 239.0 / 2.0);
    EXPECT_NEAR(found.before[FrameCost::BroadTests], static_cast<double>(tests),
                0.5 * static_cast<double>(tests));
    EXPECT_LT(found.before[FrameCost::BroadTests], found.after[FrameCost::BroadTests]);
    EXPECT_GT(found.after[FrameCost::BroadMs], 0.0);
    const io::Report report = make_report(sandbox, "");
    ASSERT_TRUE(report.before_after);
    EXPECT_EQ(report.before_after->rows.size(), cost_rows().size());
}

TEST(BeforeAfter, OfAPausedWorldComparesOneMoment) {
    Sandbox sandbox{command_table()};
    run(sandbox, "scene welcome; spawn 60", 5);
    run(sandbox, "set sim.paused=true", 5);
    const std::size_t obbs = sandbox.results().pairs.volume.size();
    run(sandbox, "set volume.pair_kind=sphere", 5);
    const std::size_t spheres = sandbox.results().pairs.volume.size();
    EXPECT_LT(obbs, spheres);
    EXPECT_EQ(effect(sandbox).before[FrameCost::VolumePairs], static_cast<double>(obbs));
    EXPECT_EQ(effect(sandbox).after[FrameCost::VolumePairs], static_cast<double>(spheres));
    EXPECT_EQ(effect(sandbox).frames_after, 1u) << "frames without new work say nothing";
}

TEST(BeforeAfter, ADraggedSliderIsOneChange) {
    Sandbox sandbox{command_table()};
    run(sandbox, "scene welcome; set broadphase.kind=dynamic-tree", 20);
    run(sandbox, "set tree.margin_kind=fixed", 20);
    for (const char* margin : {"0.2", "0.3", "0.4"})
        run(sandbox, std::string("set tree.margin=") + margin, 2);
    run(sandbox, "", 20);
    EXPECT_EQ(effect(sandbox).change, "Margin: from 0.1 m to 0.4 m");
    EXPECT_EQ(effect(sandbox).frames_before, 20u);
}

TEST(BeforeAfter, EndsWithTheSceneAndNamesTheBody) {
    Sandbox sandbox{command_table()};
    run(sandbox, "scene welcome", 10);
    run(sandbox, "body.set fit.obb=exact 3", 10);
    EXPECT_EQ(effect(sandbox).change, body(sandbox, 3).name + ", OBB fit: Exact");
    run(sandbox, "restart", 5);
    EXPECT_FALSE(sandbox.results().before_after);
    run(sandbox, "scene narrow-phase", 5);
    EXPECT_FALSE(sandbox.results().before_after) << "what a scene sets for itself is no change";
}

TEST(BeforeAfter, TheRayTestIsAChangeToo) {
    Sandbox sandbox{command_table()};
    run(sandbox, "scene welcome; ray.pin -8 3 0 1 0 0.1", 10);
    run(sandbox, "set ray.mode=fast", 10);
    EXPECT_EQ(effect(sandbox).change, "Ray test: from Watertight to Fast");
    EXPECT_GT(effect(sandbox).after[FrameCost::RayNodes], 0.0);
    EXPECT_EQ(sandbox.world().options().ray_mode, bv::RayMode::Fast);
}

}  // namespace
}  // namespace lab
