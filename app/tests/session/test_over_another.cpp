// What is opened, replayed or looked back at over a session in use is as in a fresh one, and what the user
// had set before is there again afterwards.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "commands/catalog.hpp"
#include "io/sessions/report.hpp"
#include "io/sessions/scene_file.hpp"
#include "job_test_tools.hpp"
#include "results/volume_settings.hpp"
#include "session/files/saver.hpp"
#include "session/parts.hpp"
#include "session/report.hpp"
#include "session/session.hpp"
#include "session/time/timeline.hpp"
#include "session_test_tools.hpp"
#include "settings/program.hpp"
#include "temp_dir.hpp"

namespace lab {
namespace {

using test::frame;
using test::frames;
using test::run;
using test::value_of;
using test::wait_for;

std::string outcome(const Session& session) {
    io::Report report = make_report(session, "test");
    io::erase_timings(report);
    report.frame = 0;
    report.before_after = {};
    report.errors.clear();
    return io::report_text(report);
}

/// A saved scene, a recording, and a link of the same session, each as the line that opens it.
struct Kept {
    test::TempDir folder;
    std::vector<std::string> lines;

    explicit Kept(std::string_view script, int count = 3) {
        Session session{command_table()};
        const std::string scene = (folder / "kept.json").string(), record = (folder / "kept.bvrec").string();
        run(session, script, count);
        EXPECT_FALSE(io::write_scene_file(scene, session.saver().saved_scene()));
        run(session, "record.save " + quote_word(record));
        lines = {"open " + quote_word(scene), "open " + quote_word(record) + "; time.goto end"};
    }
};

TEST(OverAnother, TheUsersSettingsAreBackAfterLeavingWhatWasOpened) {
    const Kept kept("scene broadphases");
    for (const std::string& line : kept.lines) {
        Session session{command_table()};
        run(session, "set broadphase.kind=bsp; scene narrow-phase", 2);
        run(session, line, 2);
        EXPECT_EQ(value_of(session, "broadphase.kind"), "wide-tree") << line;
        run(session, "scene volumes", 2);
        EXPECT_EQ(value_of(session, "broadphase.kind"), "bsp") << line;
    }
}

TEST(OverAnother, ARecordStartsWithItsOwnSettings) {
    const Kept kept(
        "set tree.insertion=manhattan; set tree.balance=none; set broadphase.kind=dynamic-tree; "
        "scene broadphases; set sim.paused=true");
    for (const std::string& line : kept.lines) {
        Session fresh{command_table()}, used{command_table()};
        run(used, "scene aabb-tree", 2);
        run(used, "set step.at=3", 2);
        run(used, "scene aabb-tree; pause on", 2);
        for (Session* session : {&fresh, &used}) {
            run(*session, "pause on; " + line, 3);
            EXPECT_EQ(value_of(*session, "tree.insertion"), "manhattan");
        }
        EXPECT_EQ(outcome(fresh), outcome(used)) << line;
    }
}

TEST(OverAnother, AnAlgorithmStartsAtTheStepOfItsRecord) {
    const Kept kept("pause on; scene voxel-pairs; step.first; restart");
    for (const std::string& line : kept.lines) {
        Session fresh{command_table()}, used{command_table()};
        run(used, "pause on", 3);
        for (Session* session : {&fresh, &used})
            run(*session, line + "; pause on", 3);
        EXPECT_EQ(outcome(fresh), outcome(used)) << line;
    }
}

TEST(OverAnother, ARestartUnderAnotherCameraOpensWithTheSamePicture) {
    Session first{command_table()};
    const test::TempDir folder;
    const std::string path = (folder / "turned.json").string();
    run(first, "scene slice; pause on", 2);
    run(first, "camera.orbit 40 30; restart", 2);
    EXPECT_FALSE(io::write_scene_file(path, first.saver().saved_scene()));
    Session second{command_table()};
    run(second, "pause on; open " + quote_word(path), 3);
    EXPECT_EQ(first.state().view.free_above, second.state().view.free_above);
}

TEST(OverAnother, WhatALessonHasLeftStaysAfterALookBack) {
    Session session{command_table()};
    run(session, "scene aabb-tree", 3);
    run(session, "set tree.insertion=greedy");
    session.parts().scenes.keep_shared_settings();  // as a lesson does when it is closed
    run(session, "time.goto start", 2);
    run(session, "scene volumes", 2);
    EXPECT_EQ(value_of(session, "tree.insertion"), "greedy");
}

TEST(OverAnother, BackClosesTheHelpAndNothingElseEver) {
    Session session{command_table()};
    run(session, "scene welcome; pause on", 2);
    run(session, "select 1; help", 2);
    EXPECT_TRUE(session.state().settings[kUiHelp]);
    run(session, "back");
    EXPECT_FALSE(session.state().settings[kUiHelp]);
    EXPECT_EQ(session.state().selected().value, 1u) << "one thing at a time";
    const std::size_t bodies = session.results().bodies.size();
    run(session, "remove; step 5", 8);
    ASSERT_EQ(session.results().bodies.size(), bodies - 1);
    run(session, "time.goto start", 2);
    run(session, "help; time.goto end", 2);
    EXPECT_EQ(session.results().bodies.size(), bodies - 1) << "help is open now, and was not then";
    EXPECT_EQ(session.state().edits.undo_count(), 1u);
    run(session, "back; select 2; time.goto start", 2);
    run(session, "help; back", 2);
    EXPECT_EQ(session.state().selected().value, 2u);
}

TEST(OverAnother, WhatWasRefusedIsNotDoneInAReplay) {
    test::TempDir folder;
    const std::string record = (folder / "refused.bvrec").string();
    Session session{command_table()};
    frames(session, "scene broadphases; set sim.paused=true", 2);
    const std::size_t bodies = session.results().bodies.size();
    frames(session, "paste; spawn 2 nosuchmesh; select 99999; step 3", 6);
    EXPECT_EQ(session.refused_commands(), 3u);
    frame(session, "record.save " + quote_word(record));
    for (const io::RecordingEntry& entry : session.timeline().tape())
        EXPECT_EQ(entry.line.find("paste"), std::string::npos);
    Session other{command_table()};
    run(other, "scene welcome; select 1 2; copy", 2);
    run(other, "open " + quote_word(record) + "; time.goto end", 3);
    EXPECT_EQ(other.results().bodies.size(), bodies);
}

// ---- choices that wait for fits

class WaitingFits : public testing::Test {
  protected:
    void SetUp() override {
        run(session, "scene welcome; pause on", 2);
        run(session, "step 20", 25);
        session.work_in_background(JobMode::Background, {});
    }
    void finish() {
        ASSERT_TRUE(wait_for([&] { return frame(session), session.jobs().empty(); }));
        frame(session);
    }
    const OwnChoice& own(std::uint32_t id) const { return session.state().world.find({id})->state.own; }

    Session session{command_table()};
};

TEST_F(WaitingFits, AreForTheBodiesSelectedThen) {
    frame(session, "select 1 2; body.set fit.obb=exact; select 3");
    finish();
    EXPECT_TRUE(own(1).any() && own(2).any());
    EXPECT_FALSE(own(3).any());
    EXPECT_EQ(session.refused_commands(), 0u);
    frame(session, "select 4; body.set fit.obb=exact; select none");
    finish();
    EXPECT_TRUE(own(4).any());
    EXPECT_EQ(session.refused_commands(), 0u);
}

TEST_F(WaitingFits, EndWithALookBack) {
    frame(session, "set fit.obb=exact");
    frame(session, "time.back 10");
    const std::uint64_t last = session.timeline().last_step();
    finish();
    EXPECT_EQ(session.timeline().last_step(), last) << "nothing recorded is lost";
    EXPECT_EQ(session.state().settings.get_as_text(kFitObb), "pca");
}

TEST_F(WaitingFits, EndWithAResetOfAllAndNotWithAPause) {
    frame(session, "set fit.obb=exact; reset all");
    finish();
    EXPECT_EQ(session.state().settings.get_as_text(kFitObb), "pca");
    frame(session, "set fit.obb=exact; pause off; speed 2");
    finish();
    EXPECT_EQ(session.state().settings.get_as_text(kFitObb), "exact");
}

TEST_F(WaitingFits, EndWithASceneFromAFile) {
    const Kept kept("scene volumes");
    for (const std::string& line : kept.lines) {
        frame(session, "set fit.obb=exact");
        frame(session, line);
        finish();
        EXPECT_EQ(session.state().settings.get_as_text(kFitObb), "pca") << line;
        EXPECT_EQ(session.state().edits.undo_count(), 0u);
    }
}

// ---- lines that wait

TEST(LinesThatWait, WaitForEveryOpenAlsoWhileAnotherFileIsRead) {
    constexpr const char* kCorner =
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    const test::TempDir folder;
    std::string many;
    for (int i = 0; i < 200'000; ++i)
        many += kCorner;
    const std::string slow = folder.write("slow.obj", many).string(),
                      quick = folder.write("tet.obj", kCorner).string();
    Session session{command_table()};
    run(session, "scene welcome; pause on", 2);
    session.work_in_background(JobMode::Background, {});
    frame(session, "open " + quote_word(slow));
    frame(session, "open " + quote_word(quick) + "; scene volumes");
    ASSERT_TRUE(wait_for([&] { return frame(session), session.jobs().empty(); }));
    frame(session);
    EXPECT_EQ(session.state().scene.spec->id, "volumes") << "the line after the second `open` is the last";
}

TEST(LinesThatWait, WaitForTheirLesson) {
    const test::TempDir folder;
    const std::string mesh =
        folder.write("tet.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n")
            .string();
    Session session{command_table()};
    run(session, "scene welcome; pause on", 2);
    session.work_in_background(JobMode::Background, {});
    session.commands().push_script("open " + quote_word(mesh) + "; lesson spheres; set draw.fill=0.5",
                                   "test");
    ASSERT_TRUE(wait_for([&] {
        session.drain();
        session.step(Session::kFixedStep_s);
        return !session.requests().lessons.empty();
    }));
    EXPECT_NE(value_of(session, "draw.fill"), "0.5") << "the program enters the lesson first";
    session.requests().lessons.clear();
    frame(session);
    EXPECT_EQ(value_of(session, "draw.fill"), "0.5");
}

}  // namespace
}  // namespace lab
