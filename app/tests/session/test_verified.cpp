// Compares every scene with the reference in every frame: as it runs, after saving and opening, and after
// moving through time. By default one seed and 60 frames; BV_TEST_SCALE=5 takes three seeds and 300.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "bv/broadphase/broadphase.hpp"
#include "commands/catalog.hpp"
#include "io/sessions/scene_file.hpp"
#include "program.hpp"
#include "session/files/saver.hpp"
#include "session/time/timeline.hpp"
#include "session_test_tools.hpp"
#include "settings/program.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

using test::frame;
using test::frames;

double test_scale() {
    const char* const scale = std::getenv("BV_TEST_SCALE");
    return scale ? std::atof(scale) : 1.0;
}

int frame_count() {
    return static_cast<int>(std::clamp(60.0 * test_scale(), 6.0, 300.0));
}

std::vector<int> seeds() {
    return test_scale() >= 3.0 ? std::vector<int>{1, 7, 2147483647} : std::vector<int>{7};
}

class Verified : public testing::Test {
  protected:
    void expect_no_difference(const Session& session, const std::string& where) {
        const Checks& checks = session.results().checks;
        ASSERT_TRUE(session.state().settings[kVerify]) << where;
        for (const std::string& difference : checks.differences)
            ADD_FAILURE() << where << ": " << difference;
        frames_verified_ += checks.frames;
        pairs_compared_ += checks.pairs_compared;
        rays_compared_ += checks.rays_compared;
    }

    /// Back, forth, on from there, and into another future.
    void go_through_time(Session& session, const std::string& where) {
        const auto go = [&](const std::string& script, int more = 2) {
            const auto refused = session.refused_commands();
            frame(session, script);
            frames(session, more);
            EXPECT_EQ(session.refused_commands(), refused)
                << where << ", " << script << ": " << test::errors_of(session);
            expect_no_difference(session, where + ", " + script);
        };
        const auto step = [&](std::uint64_t part) {
            return "time.goto " + std::to_string(session.timeline().last_step() / part);
        };
        go("time.back");  // the key of the comma
        go(step(2));
        go("step 3");
        go("time.goto start");
        go("pause off", 5);
        go(step(3));
        go("time.goto end; pause off", 5);
        go(step(2) + "; undo; redo; pause off", 3);
        if (session.results().bodies.empty()) return;
        go(step(2) + "; spawn 3; pause off", 8);
        go("undo; redo; select all; remove; undo; time.back 4");
    }

    test::TempDir folder_;
    std::uint64_t frames_verified_ = 0, pairs_compared_ = 0, rays_compared_ = 0;
};

TEST_F(Verified, EveryScene) {
    for (const SceneSpec& spec : scene_specs())
        for (const int seed : seeds()) {
            const std::string where = std::string(spec.id) + ", seed " + std::to_string(seed);
            const std::string file = quote_word((folder_ / "scene.json").string());
            Session session{command_table()};
            // A file whose record takes too long to compare is opened without its past.
            frame(session, std::string("set verify=true; set stress.bodies=") +
                               (test_scale() < 3.0 ? "1000; " : "500; ") +
                               std::string(test_scale() < 3.0 ? "set pick.largest=20k; " : "") +
                               "set world.seed=" + std::to_string(seed) + "; scene " + std::string(spec.id));
            frames(session, frame_count() - 1);
            EXPECT_EQ(session.results().checks.frames, static_cast<std::uint64_t>(frame_count()));
            expect_no_difference(session, where);
            if (!session.results().bodies.empty())
                frame(session, "spawn 4; move 1 0.1 1 0.1; ray.pin -6 2 0 1 0 0.1; hide 2");
            frames(session, 3);

            const auto error = io::write_scene_file(folder_ / "scene.json", session.saver().saved_scene());
            ASSERT_FALSE(error) << error->text();
            Session opened{command_table()};
            for (Session* run : {&opened, &session}) {
                frame(*run, "open " + file);
                frames(*run, 10);
                expect_no_difference(*run, where + ", opened");
                frame(*run, "open " + file + "; scene welcome; pause on; set verify=true");
                frames(*run, 2);
                expect_no_difference(*run, where + ", opened and left");
                frame(*run, "open " + file);
                go_through_time(*run, where);
            }
        }
    RecordProperty("frames", std::to_string(frames_verified_));
    EXPECT_GT(pairs_compared_, 1000u);
    EXPECT_GT(rays_compared_, 100u);
}

TEST_F(Verified, EveryEngineAndVolumeAndStage) {
    for (const bv::BroadphaseInfo& engine : bv::broadphase_kinds())
        for (const char* const kind : {"sphere", "aabb_fixed", "aabb_tight", "obb"}) {
            const std::string where = std::string(engine.id) + ", " + kind;
            Session session{command_table()};
            frame(session, "set verify=true; set broadphase.kind=" + std::string(engine.id) +
                               "; scene welcome; spawn 30; set volume.pair_kind=" + kind);
            frames(session, frame_count() / 4);
            frame(session, "set volume.exact=true; set sim.contact=bounce; remove 3 5 7; spawn 6");
            frames(session, frame_count() / 4);
            frame(session,
                  "body.set volume.pair_kind=obb 1 8 9 10; body.set volume.pair_kind=sphere 11 12 13");
            frames(session, 5);
            frame(session, "set volume.exact_by=voxels");
            frames(session, 3);
            expect_no_difference(session, where);
            frame(session, "set volume.exact_by=meshes");
            go_through_time(session, where);
        }
}

}  // namespace
}  // namespace lab
