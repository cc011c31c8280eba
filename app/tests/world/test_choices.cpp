// Volumes and fits, chosen for all bodies or for some, and the measured effect of a change of algorithm.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <glm/geometric.hpp>
#include <string>

#include "bv/query/contains.hpp"
#include "commands/catalog.hpp"
#include "io/sessions/report.hpp"
#include "results/volume_settings.hpp"
#include "session/files/saver.hpp"
#include "session/report.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "temp_dir.hpp"
#include "volumes_of.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

using test::run;

std::string first_error(Session& session, std::string_view script) {
    test::frame(session, script);
    for (const Message& message : session.messages().messages())
        if (message.severity == Severity::Error) return message.text;
    return {};
}

const BodyState& body(const Session& session, std::uint32_t id) {
    return session.state().world.find({id})->state;
}

double volume_of_spheres(const Session& session) {
    double sum = 0;
    for (const Body& b : session.state().world.bodies())
        sum += static_cast<double>(session.state().world.bodies().sphere(b).volume());
    return sum;
}
double volume_of_obbs(const Session& session) {
    double sum = 0;
    for (const Body& b : session.state().world.bodies())
        sum += static_cast<double>(session.state().world.bodies().obb(b).volume());
    return sum;
}

/// Counts the vertices of all bodies that are outside of one of their volumes.
std::size_t outside(const Session& session) {
    std::size_t count = 0;
    const World& world = session.state().world;
    for (const Body& b : world.bodies()) {
        const bv::Sphere sphere = world.bodies().sphere(b);
        const bv::Aabb fixed = world.bodies().fixed_box(b), tight = world.bodies().tight_box(b);
        const bv::Obb obb = world.bodies().obb(b);
        for (const glm::vec3& p : session.meshes()[b.state.mesh].positions) {
            const glm::vec3 at = b.state.transform * glm::vec4(p, 1.0f);
            count += !bv::contains(sphere, at) || !bv::contains(fixed, at) || !bv::contains(tight, at) ||
                     !bv::contains(obb, at);
        }
    }
    return count;
}

TEST(Choices, EveryFitContainsEveryVertexOfEveryBody) {
    Session session{command_table()};
    run(session, "scene welcome; spawn 12", 3);
    for (const Choice& fit : kFitSphere.choices) {
        run(session, "set fit.sphere=" + std::string(fit.id), 2);
        EXPECT_EQ(outside(session), 0u) << fit.id;
    }
    for (const Choice& fit : kFitObb.choices) {
        run(session, "set fit.obb=" + std::string(fit.id), 2);
        EXPECT_EQ(outside(session), 0u) << fit.id;
    }
}

TEST(Choices, ExactFitsAreTheSmallestAndPassTheFewestPairs) {
    Session session{command_table()};
    run(session, "scene welcome; spawn 60; set sim.paused=true", 2);
    const double ritter = volume_of_spheres(session), pca = volume_of_obbs(session);
    run(session, "set fit.sphere=exact; set fit.obb=exact", 1);
    EXPECT_LT(volume_of_spheres(session), 0.97 * ritter);
    EXPECT_LT(volume_of_obbs(session), 0.97 * pca);
    for (const Body& b : session.state().world.bodies()) {
        EXPECT_EQ(b.state.volumes.sphere, SphereFit::Exact);
        EXPECT_EQ(b.state.volumes.obb, ObbFit::Exact);
    }
    run(session, "set volume.pair_kind=sphere", 1);
    const std::size_t exact = session.results().pairs.volume.size();
    run(session, "set fit.sphere=ritter", 1);
    EXPECT_LT(exact, session.results().pairs.volume.size());
    EXPECT_TRUE(std::includes(session.results().pairs.volume.begin(), session.results().pairs.volume.end(),
                              session.results().pairs.exact.begin(), session.results().pairs.exact.end()));
}

TEST(Choices, ABodyCanHaveItsOwnChoiceAndGiveItUp) {
    Session session{command_table()};
    run(session, "scene welcome; set sim.paused=true; set verify=true", 2);
    const BodyState before = body(session, 3), other = body(session, 4);
    const float box_before = test::obb_of(session, before).volume();
    run(session, "body.set fit.obb=exact 3; body.set volume.pair_kind=sphere 3 5", 2);
    EXPECT_EQ(body(session, 3).volumes.obb, ObbFit::Exact);
    EXPECT_EQ(body(session, 3).volumes.kind, VolumeKind::Sphere);
    EXPECT_EQ(body(session, 5).volumes.kind, VolumeKind::Sphere);
    EXPECT_LT(test::obb_of(session, body(session, 3)).volume(), box_before);
    EXPECT_EQ(body(session, 3).transform, before.transform);
    EXPECT_EQ(body(session, 4).volumes, other.volumes);
    EXPECT_EQ(make_report(session, "").bodies[2].pairs_by, "sphere");

    // The setting does not affect bodies with their own choice.
    run(session, "set volume.pair_kind=aabb_fixed", 1);
    EXPECT_EQ(body(session, 3).volumes.kind, VolumeKind::Sphere);
    EXPECT_EQ(body(session, 4).volumes.kind, VolumeKind::AabbFixed);
    run(session, "step 60", 2);
    run(session, "body.set volume.pair_kind=all 3 5; body.set fit.obb=all 3; set volume.pair_kind=obb", 1);
    EXPECT_FALSE(body(session, 3).own.any());
    EXPECT_EQ(body(session, 3).volumes, VolumeChoice{});
    EXPECT_GT(session.results().checks.pairs_compared, 0u);
    EXPECT_TRUE(session.results().checks.differences.empty());
}

TEST(Choices, PairsOfDifferentKindsAgreeWithBruteForce) {
    Session session{command_table()};
    run(session,
        "scene welcome; spawn 40; set verify=true; body.set volume.pair_kind=sphere 1 2 3 4 5 6 7 8 9;"
        "body.set volume.pair_kind=aabb_tight 10 11 12 13 14 15 16; body.set volume.pair_kind=aabb_fixed 17 "
        "18"
        " 19 20 21 22; body.set fit.sphere=exact 1 4 9 16 17",
        40);
    EXPECT_GT(session.results().checks.pairs_compared, 100u);
    EXPECT_TRUE(session.results().checks.differences.empty());
}

TEST(Choices, UndoPasteAndSavedScenesKeepThem) {
    Session session{command_table()};
    run(session, "scene welcome; step 5; select 3; body.set fit.sphere=exact; body.set fit.obb=dito14", 3);
    run(session, "undo", 1);
    EXPECT_FALSE(body(session, 3).own.obb);
    EXPECT_EQ(body(session, 3).own.sphere, SphereFit::Exact);
    run(session, "redo; duplicate", 2);
    EXPECT_EQ(body(session, 41).own, body(session, 3).own);

    const test::TempDir folder;
    const std::string path = (folder / "choices.json").string();
    ASSERT_FALSE(io::write_scene_file(path, session.saver().saved_scene()));
    for (const bool with_history : {true, false}) {
        if (!with_history) {  // only what the file says about bodies
            io::SceneFile file = *io::read_scene_file(path);
            file.history.clear();
            ASSERT_FALSE(io::write_scene_file(path, file));
        }
        Session again{command_table()};
        run(again, "open " + path, 1);
        ASSERT_TRUE(again.state().world.find({41}));
        EXPECT_EQ(body(again, 41).own, body(session, 3).own);
        EXPECT_EQ(test::obb_of(again, body(again, 3)).half_extents,
                  test::obb_of(session, body(session, 3)).half_extents);
    }
}

TEST(Undo, RaysFindRestoredBodiesAtOnce) {
    for (const char* engine : {"wide-tree", "dynamic-tree", "bsp", "incremental-sweep"}) {
        Session session{command_table()};
        run(session, "scene welcome; set sim.paused=true; set verify=true; ray.pin -8 3 0 1 0 0.1", 2);
        run(session, std::string("set broadphase.kind=") + engine, 2);
        const bv::BodyId hit = session.results().rays.back().body;
        ASSERT_TRUE(hit.valid());
        const std::size_t pairs = session.results().pairs.broad.size();
        run(session, "clear", 1);
        EXPECT_FALSE(session.results().rays.back().hit) << engine;
        run(session, "undo", 1);
        EXPECT_EQ(session.results().rays.back().body, hit) << engine;
        EXPECT_EQ(session.results().pairs.broad.size(), pairs) << engine;
        EXPECT_TRUE(session.results().checks.differences.empty()) << engine;
    }
}

TEST(Choices, WrongOnesAreRefused) {
    for (const auto& [line, part] : {std::pair{"body.set fit.obb=ritter 1", "dito14"},
                                     {"body.set tree.margin=1 1", "cannot be set for a single body"},
                                     {"body.set fit.obb=exact 999", "no body 999"},
                                     {"body.set fit.obb", "NAME=VALUE"},
                                     {"body.set fit.obb=", "value is missing"},
                                     {"body.set fit.obb=exact", "no body is selected"}}) {
        Session session{command_table()};
        run(session, "scene welcome", 1);
        EXPECT_NE(first_error(session, line).find(part), std::string::npos)
            << line << ": " << first_error(session, line);
    }
}

// ---- before and after

const BeforeAfter& effect(const Session& session) {
    EXPECT_TRUE(session.results().before_after);
    return *session.results().before_after;
}

TEST(BeforeAfter, ReportsTheEffectOfAChangeOnCountsAndTimes) {
    Session session{command_table()};
    run(session, "scene welcome; spawn 200; set ray.sweep=false", 30);
    EXPECT_FALSE(session.results().before_after);
    const std::size_t pairs = session.results().pairs.broad.size();
    const std::uint64_t tests = session.results().broadphase.tests;
    run(session, "set broadphase.kind=brute-force", 30);
    const BeforeAfter& found = effect(session);
    EXPECT_EQ(found.change, "Broadphase: from Dynamic tree to Brute force");
    EXPECT_EQ(found.frames_before, 30u);
    EXPECT_EQ(found.frames_after, 30u);
    EXPECT_EQ(found.before[FrameCost::BroadPairs], static_cast<double>(pairs));
    EXPECT_EQ(found.after[FrameCost::BroadTests], 240.0 * 239.0 / 2.0);
    EXPECT_NEAR(found.before[FrameCost::BroadTests], static_cast<double>(tests),
                0.5 * static_cast<double>(tests));
    EXPECT_LT(found.before[FrameCost::BroadTests], found.after[FrameCost::BroadTests]);
    EXPECT_GT(found.after[FrameCost::BroadMs], 0.0);
    const io::Report report = make_report(session, "");
    ASSERT_TRUE(report.before_after);
    EXPECT_EQ(report.before_after->rows.size(), cost_rows().size());
}

TEST(BeforeAfter, OfAPausedWorldComparesOneMoment) {
    Session session{command_table()};
    run(session, "scene welcome; spawn 60", 5);
    run(session, "set sim.paused=true", 5);
    const std::size_t obbs = session.results().pairs.volume.size();
    run(session, "set volume.pair_kind=sphere", 5);
    const std::size_t spheres = session.results().pairs.volume.size();
    EXPECT_LT(obbs, spheres);
    EXPECT_EQ(effect(session).before[FrameCost::VolumePairs], static_cast<double>(obbs));
    EXPECT_EQ(effect(session).after[FrameCost::VolumePairs], static_cast<double>(spheres));
    EXPECT_EQ(effect(session).frames_after, 1u) << "frames without new work say nothing";
}

TEST(BeforeAfter, ADraggedSliderIsOneChange) {
    Session session{command_table()};
    run(session, "scene welcome; set broadphase.kind=dynamic-tree", 20);
    run(session, "set tree.margin_kind=fixed", 20);
    for (const char* margin : {"0.2", "0.3", "0.4"})
        run(session, std::string("set tree.margin=") + margin, 2);
    run(session, "", 20);
    EXPECT_EQ(effect(session).change, "Margin: from 0.1 m to 0.4 m");
    EXPECT_EQ(effect(session).frames_before, 20u);
}

TEST(BeforeAfter, EndsWithTheSceneAndNamesTheBody) {
    Session session{command_table()};
    run(session, "scene welcome", 10);
    run(session, "body.set fit.obb=exact 3", 10);
    EXPECT_EQ(effect(session).change, body(session, 3).name.str() + ", OBB fit: Exact");
    run(session, "restart", 5);
    EXPECT_FALSE(session.results().before_after);
    run(session, "scene narrow-phase", 5);
    EXPECT_FALSE(session.results().before_after) << "what a scene sets for itself is no change";
}

TEST(BeforeAfter, TheRayTestIsAChangeToo) {
    Session session{command_table()};
    run(session, "scene welcome; ray.pin -8 3 0 1 0 0.1", 10);
    run(session, "set ray.mode=fast", 10);
    EXPECT_EQ(effect(session).change, "Ray test: from Watertight to Fast");
    EXPECT_GT(effect(session).after[FrameCost::RayNodes], 0.0);
    EXPECT_EQ(session.state().world.options().ray_mode, bv::RayMode::Fast);
}

}  // namespace
}  // namespace lab
