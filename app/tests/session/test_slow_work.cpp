// What takes long and touches the session itself, beside the frames of a window: fits that a command asks
// for, records that are replayed, files that are written. The outcome is that of a run without a window.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

#include "commands/catalog.hpp"
#include "io/sessions/report.hpp"
#include "io/sessions/scene_file.hpp"
#include "io_test_tools.hpp"
#include "job_test_tools.hpp"
#include "platform/jobs.hpp"
#include "session/report.hpp"
#include "session/sandbox.hpp"
#include "session/tree_files.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

using io::testing_tools::TestFolder;
using testing_tools::frame;
using testing_tools::wait_for;
using namespace std::chrono_literals;

void run(Sandbox& sandbox, const std::string& script, int frames = 1) {
    sandbox.commands().push_script(script, "test");
    for (int i = 0; i < frames; ++i)
        frame(sandbox);
}

/// What lasts of a session, without how often it was drawn.
std::string outcome(const Sandbox& sandbox) {
    io::Report report = make_report(sandbox, "test");
    io::erase_timings(report);
    report.frame = 0;
    report.before_after = {};
    return io::report_text(report);
}

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

bool says(const Sandbox& sandbox, std::string_view words) {
    for (const Message& message : sandbox.messages().messages())
        if (message.text.find(words) != std::string::npos) return true;
    return false;
}

// ---- jobs with parts for the caller's thread

TEST(Slices, RunOnTheCallersThreadAfterTheWork) {
    for (const JobMode mode : {JobMode::Wait, JobMode::Background}) {
        Jobs jobs;
        jobs.set_mode(mode);
        const auto mine = std::this_thread::get_id();
        std::vector<std::string> order;
        int slices = 0;
        JobSpec job;
        job.work = [&](const JobControl&) { order.emplace_back("work"); };
        job.slice = [&](const JobControl& control) {
            EXPECT_EQ(std::this_thread::get_id(), mine);
            order.emplace_back("slice");
            control.report(0.5f, "slicing");
            return ++slices >= 3;
        };
        job.end = [&](JobEnd end, std::string_view) {
            EXPECT_EQ(end, JobEnd::Done);
            order.emplace_back("end");
        };
        const JobId id = jobs.start(std::move(job));
        EXPECT_EQ(jobs.is_running(id), mode == JobMode::Background);
        ASSERT_TRUE(wait_for([&] {
            if (slices == 1) {
                EXPECT_EQ(jobs.views().at(0).phase, "slicing");
            }
            jobs.advance();
            jobs.finish_ended();
            return jobs.empty();
        }));
        EXPECT_EQ(order, (std::vector<std::string>{"work", "slice", "slice", "slice", "end"}));
    }
}

TEST(Slices, ACancelledJobGetsNoMoreOfThem) {
    Jobs jobs;
    jobs.set_mode(JobMode::Background);
    int slices = 0, cancelled = 0;
    JobSpec job;
    job.slice = [&](const JobControl&) { return ++slices > 1000; };
    job.end = [&](JobEnd end, std::string_view) { cancelled += end == JobEnd::Cancelled; };
    const JobId id = jobs.start(std::move(job));
    ASSERT_TRUE(wait_for([&] { return jobs.advance(), slices == 3; }));
    jobs.cancel(id);
    jobs.advance();
    jobs.finish_ended();
    EXPECT_EQ(slices, 3);
    EXPECT_EQ(cancelled, 1);
    EXPECT_TRUE(jobs.empty());
}

TEST(Slices, ASliceMayStartAJobAndWaitForIt) {
    for (const JobMode mode : {JobMode::Wait, JobMode::Background}) {
        Jobs jobs;
        jobs.set_mode(mode);
        JobId inner;
        int worked = 0;
        JobSpec job;
        job.slice = [&](const JobControl&) {
            if (!inner.valid()) {
                JobSpec other;
                other.work = [&](const JobControl&) { ++worked; };
                inner = jobs.start(std::move(other));
            }
            return !jobs.is_running(inner);
        };
        jobs.start(std::move(job));
        ASSERT_TRUE(wait_for([&] { return jobs.advance(), jobs.finish_ended(), jobs.empty(); }));
        EXPECT_EQ(worked, 1);
    }
}

TEST(Writing, DoesNotWaitForABuildButReadingWaitsForIt) {
    Jobs jobs;
    jobs.set_mode(JobMode::Background);
    std::atomic<bool> go{false}, written{false}, seen{false};
    JobSpec build, write, read;
    build.work = [&](const JobControl& control) {
        while (!control.cancelled() && !go)
            std::this_thread::sleep_for(1ms);
    };
    write.writes = true;
    write.work = [&](const JobControl&) {
        std::this_thread::sleep_for(30ms);
        written = true;
    };
    read.work = [&](const JobControl&) { seen = written.load(); };
    jobs.start(std::move(build));
    const JobId writing = jobs.start(std::move(write));
    EXPECT_TRUE(wait_for([&] { return jobs.finish_ended(), !jobs.is_running(writing); }));
    go = true;

    write = {};
    write.writes = true;
    written = false;
    write.work = [&](const JobControl&) {
        std::this_thread::sleep_for(30ms);
        written = true;
    };
    jobs.start(std::move(write));
    jobs.start(std::move(read));
    EXPECT_TRUE(wait_for([&] { return jobs.finish_ended(), jobs.empty(); }));
    EXPECT_TRUE(seen) << "whoever reads afterwards finds what was written";
}

TEST(Writing, IsFinishedWhenTheSessionEndsAndTheRestIsGivenUp) {
    Jobs jobs;
    jobs.set_mode(JobMode::Background);
    std::atomic<int> written{0};
    JobSpec build;
    JobEnd build_end = JobEnd::Done;
    build.work = [](const JobControl& control) {
        while (!control.cancelled())
            std::this_thread::sleep_for(1ms);
    };
    build.end = [&](JobEnd end, std::string_view) { build_end = end; };
    jobs.start(std::move(build));
    for (int i = 0; i < 3; ++i) {
        JobSpec write;
        write.writes = true;
        write.work = [&](const JobControl&) {
            std::this_thread::sleep_for(5ms);
            ++written;
        };
        jobs.start(std::move(write));
    }
    jobs.finish_writing();
    EXPECT_EQ(written, 3);
    EXPECT_EQ(build_end, JobEnd::Cancelled);
}

// ---- fits

TEST(SlowFits, ACommandWaitsForTheFitsThatItLeadsTo) {
    for (const char* const line : {"set fit.obb=exact", "set fit.obb exact", "set fit.sphere=exact",
                                   "body.set fit.obb=exact 3 4", "toggle fit.sphere"}) {
        std::string outcomes[2];
        for (const bool background : {false, true}) {
            Sandbox sandbox{command_table()};
            run(sandbox, "set sim.paused=true");
            if (background) sandbox.work_in_background({});
            sandbox.commands().push(line);
            sandbox.drain();
            EXPECT_EQ(sandbox.jobs().empty(), !background) << line;
            if (background) {
                EXPECT_EQ(sandbox.settings().choice("fit.obb"), "pca") << line;
                EXPECT_EQ(sandbox.settings().choice("fit.sphere"), "ritter") << line;
            }
            ASSERT_TRUE(wait_for([&] { return frame(sandbox), sandbox.jobs().empty(); }));
            frame(sandbox);
            EXPECT_EQ(sandbox.refused_commands(), 0u) << line;
            outcomes[background] = outcome(sandbox);
        }
        EXPECT_EQ(outcomes[0], outcomes[1]) << line;
        EXPECT_NE(outcomes[0].find(std::string_view(line).starts_with("toggle") ? "centroid" : "exact"),
                  std::string::npos)
            << line;
    }
}

TEST(SlowFits, WhoeverChoosesAgainGetsTheLastChoice) {
    Sandbox sandbox{command_table()};
    run(sandbox, "set sim.paused=true");
    sandbox.work_in_background({});
    sandbox.commands().push_script("set fit.obb=exact\nset fit.obb=pca", "test");
    ASSERT_TRUE(wait_for([&] { return frame(sandbox), sandbox.jobs().empty(); }));
    frame(sandbox);
    EXPECT_EQ(sandbox.settings().choice("fit.obb"), "pca");
    EXPECT_TRUE(says(sandbox, "`set fit.obb=exact` was given up"));
    sandbox.commands().push_script("set fit.obb=dito14\nset fit.sphere=epos98", "test");
    ASSERT_TRUE(wait_for([&] { return frame(sandbox), sandbox.jobs().empty(); }));
    EXPECT_EQ(sandbox.settings().choice("fit.obb"), "dito14") << "another choice is no reason to give it up";
    EXPECT_EQ(sandbox.settings().choice("fit.sphere"), "epos98");
}

/// What a scene works on ends when it wants something else.
TEST(SceneJobs, OneAtATimeAndTheLastOneCounts) {
    Sandbox sandbox{command_table()};
    run(sandbox, "set sim.paused=true");
    sandbox.work_in_background({});
    for (const char* line : {"scene obb-tree", "set obbtree.mesh_a=icosphere",
                             "set obbtree.mesh_a=octahedron", "set obbtree.mesh_b=octahedron"}) {
        sandbox.commands().push(line);
        frame(sandbox);
        EXPECT_LE(sandbox.jobs().views().size(), 1u) << line;
    }
    ASSERT_TRUE(wait_for([&] { return frame(sandbox), sandbox.jobs().empty(); }));
    ASSERT_EQ(sandbox.results().bodies.size(), 2u) << "one for each side";
    for (const BodyState& body : sandbox.results().bodies)
        EXPECT_EQ(sandbox.meshes()[body.mesh].name, "octahedron");
}

TEST(SlowFits, ThoseOfSingleBodiesEndWithThem) {
    Sandbox sandbox{command_table()};
    run(sandbox, "set sim.paused=true");
    sandbox.work_in_background({});
    sandbox.commands().push_script("body.set fit.obb=exact 3\nscene volumes", "test");
    ASSERT_TRUE(wait_for([&] { return frame(sandbox), sandbox.jobs().empty(); }));
    EXPECT_EQ(sandbox.refused_commands(), 0u);
    for (const BodyState& body : sandbox.results().bodies)
        EXPECT_FALSE(body.own.any());
    sandbox.commands().push("set fit.obb=nonsense");
    frame(sandbox);
    EXPECT_EQ(sandbox.refused_commands(), 1u) << "what is wrong is refused at once";
    EXPECT_TRUE(sandbox.jobs().empty());
}

// ---- saved scenes

constexpr const char* kCube = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

/// A scene with a past, and what it was when it was saved.
std::string save_a_past(const TestFolder& folder, std::string& was, const std::string& scene = "welcome") {
    Sandbox sandbox{command_table()};
    run(sandbox, "scene " + scene, 20);
    run(sandbox, "spawn 5; camera.orbit 20 5", 20);
    run(sandbox, "select 2; ray.pin 0 5 0 0 -1 0; remove 7", 20);
    const std::string path = (folder / "past.json").string();
    EXPECT_FALSE(io::write_scene_file(path, sandbox.saved_scene()));
    was = outcome(sandbox);
    return path;
}

TEST(Replaying, GoesOnBetweenTheFramesAndLeadsToTheSame) {
    const TestFolder folder;
    std::string was;
    const std::string path = save_a_past(folder, was);
    Sandbox sandbox{command_table()};
    run(sandbox, "scene volumes");
    sandbox.work_in_background({});
    sandbox.commands().push_script("open " + path + "\nreport later.json", "test");
    std::uint64_t earlier = 0;
    ASSERT_TRUE(wait_for([&] {
        frame(sandbox);
        if (sandbox.jobs().empty()) return true;
        if (sandbox.scene().id == "welcome") {
            EXPECT_GE(sandbox.results().steps, earlier) << "time goes only as the record says";
            EXPECT_TRUE(sandbox.take_requests().reports.empty());
            earlier = sandbox.results().steps;
        }
        return false;
    }));
    EXPECT_EQ(sandbox.refused_commands(), 0u);
    EXPECT_EQ(sandbox.file_problems(), 0u);
    EXPECT_EQ(outcome(sandbox), was);
    EXPECT_EQ(sandbox.take_requests().reports.size(), 1u) << "what came with `open` waited for it";
}

TEST(Replaying, GivenUpLeavesEverythingWhereItWasSaved) {
    const TestFolder folder;
    Sandbox first{command_table()};
    run(first, "scene stress; set stress.bodies=1000", 1);
    run(first, "", 400);
    const std::string path = (folder / "long.json").string();
    ASSERT_FALSE(io::write_scene_file(path, first.saved_scene()));
    Sandbox sandbox{command_table()};
    sandbox.work_in_background({});
    frame(sandbox);
    sandbox.commands().push("open " + path);
    bool replaying = false;
    ASSERT_TRUE(wait_for([&] {
        frame(sandbox);
        for (const JobView& job : sandbox.jobs().views())
            replaying = replaying || (job.phase == "replaying its record" && job.fraction > 0.0f);
        return replaying || sandbox.jobs().empty();
    }));
    ASSERT_TRUE(replaying) << "400 steps of 1,000 bodies take longer than a frame";
    EXPECT_LT(sandbox.results().steps, 400u);
    sandbox.commands().push_script("jobs.cancel\nset draw.grid=false", "test");
    frame(sandbox);
    frame(sandbox);
    EXPECT_TRUE(sandbox.jobs().empty());
    EXPECT_FALSE(sandbox.settings().flag("draw.grid")) << "what waited goes on";
    EXPECT_TRUE(says(sandbox, "was not replayed to its end"));
    ASSERT_EQ(sandbox.world().bodies().size(), first.world().bodies().size());
    EXPECT_FALSE(sandbox.in_past());
    const std::uint64_t steps = sandbox.results().steps;
    run(sandbox, "set sim.paused=false", 2);
    EXPECT_GT(sandbox.results().steps, steps) << "and time goes on";
}

TEST(Replaying, OpensTheFilesThatASceneNeedsFirst) {
    const TestFolder folder;
    const std::string cube = folder.write("cube.obj", kCube).string();
    Sandbox first{command_table()};
    run(first, "open " + cube, 5);
    const std::string path = (folder / "cube.json").string();
    ASSERT_FALSE(io::write_scene_file(path, first.saved_scene()));
    const std::string was = outcome(first);
    {
        Sandbox sandbox{command_table()};
        sandbox.work_in_background({});
        sandbox.commands().push("open " + path);
        ASSERT_TRUE(wait_for([&] { return frame(sandbox), sandbox.jobs().empty(); }));
        EXPECT_EQ(sandbox.scene().id, "mesh");
        EXPECT_EQ(sandbox.refused_commands(), 0u);
        EXPECT_EQ(outcome(sandbox), was);
    }
    folder.write("cube.obj", "v 0 0 nonsense\nf 1 2 3\n");
    Sandbox sandbox{command_table()};
    run(sandbox, "scene volumes");
    sandbox.work_in_background({});
    sandbox.commands().push("open " + path);
    ASSERT_TRUE(wait_for([&] { return frame(sandbox), sandbox.jobs().empty(); }));
    EXPECT_EQ(sandbox.scene().id, "volumes") << "nothing has changed";
    EXPECT_TRUE(says(sandbox, "needs the file " + cube + ", which was not opened"));
    std::filesystem::remove(cube);
    sandbox.commands().push("open " + path);
    ASSERT_TRUE(wait_for([&] { return frame(sandbox), sandbox.jobs().empty(); }));
    EXPECT_TRUE(says(sandbox, "which is not there"));
    EXPECT_EQ(sandbox.scene().id, "volumes");
}

TEST(Replaying, ARecordingComesInBesideTheFrames) {
    const TestFolder folder;
    const std::string path = (folder / "a.bvrec").string();
    Sandbox first{command_table()};
    run(first, "", 10);
    run(first, "spawn 3", 10);
    run(first, "record.save " + path, 1);
    ASSERT_TRUE(std::filesystem::is_regular_file(path));
    Sandbox sandbox{command_table()};
    sandbox.work_in_background({});
    sandbox.commands().push("open " + path);
    ASSERT_TRUE(wait_for([&] { return frame(sandbox), sandbox.jobs().empty(); }));
    EXPECT_TRUE(sandbox.in_past());
    ASSERT_TRUE(wait_for([&] { return frame(sandbox), !sandbox.in_past(); }));
    EXPECT_EQ(sandbox.results().bodies.size(), first.results().bodies.size());
    EXPECT_EQ(sandbox.results().steps, first.results().steps);
}

// ---- writing

TEST(SlowWriting, ASavedSceneCanBeOpenedByTheNextLine) {
    const TestFolder folder;
    Sandbox sandbox{command_table()};
    run(sandbox, "set sim.paused=true; spawn 50");
    sandbox.work_in_background({});
    const std::string path = (folder / "fresh.json").string();
    sandbox.save_scene(path);
    EXPECT_EQ(sandbox.jobs().views().at(0).title, "fresh.json");
    const std::size_t bodies = sandbox.world().bodies().size();
    sandbox.commands().push_script("open " + path, "test");
    ASSERT_TRUE(wait_for([&] { return frame(sandbox), sandbox.jobs().empty(); }));
    EXPECT_EQ(sandbox.refused_commands(), 0u);
    EXPECT_EQ(sandbox.world().bodies().size(), bodies);
    EXPECT_TRUE(says(sandbox, "fresh.json was written"));
}

TEST(SlowWriting, ATreeIsWrittenAsItStoodWhenItWasAskedFor) {
    const TestFolder folder;
    std::string texts[2];
    for (const bool background : {false, true}) {
        Sandbox sandbox{command_table()};
        run(sandbox, "", 3);
        if (background) sandbox.work_in_background({});
        const std::string path = (folder / "tree.json").string();
        std::filesystem::remove(path);
        sandbox.write_file(path, tree_file_writer({TreeFileRequest::What::Structure, path, ""}, sandbox));
        run(sandbox, "clear");
        sandbox.finish_writing();
        texts[background] = text_of(path);
        EXPECT_EQ(sandbox.file_problems(), 0u);
    }
    EXPECT_GT(texts[0].size(), 1000u);
    EXPECT_EQ(texts[0], texts[1]);
}

TEST(SlowWriting, WhatCannotBeWrittenIsSaidAndTheSessionGoesOn) {
    const TestFolder folder;
    const std::string path = folder.write("no_folder", "").string() + "/scene.json";
    for (const bool background : {false, true}) {
        Sandbox sandbox{command_table()};
        frame(sandbox);
        if (background) sandbox.work_in_background({});
        sandbox.save_scene(path);
        sandbox.finish_writing();
        EXPECT_EQ(sandbox.file_problems(), 1u);
        EXPECT_TRUE(says(sandbox, path));
        frame(sandbox);
    }
}

// ---- too much to be exact

TEST(ExactStage, IsLeftOutForMorePairsThanItIsMadeFor) {
    Sandbox sandbox{command_table()};
    run(sandbox, "scene welcome; clear; set volume.exact=true; set sim.paused=true; set spawn.size=6", 1);
    run(sandbox, "spawn 300 box", 1);
    EXPECT_TRUE(sandbox.world().pairs().exact_tested);
    EXPECT_FALSE(says(sandbox, "Exact contact is for up to"));
    run(sandbox, "spawn 400 box", 3);
    ASSERT_GT(sandbox.world().pairs().volume.size(), World::kMaxExactPairs);
    EXPECT_FALSE(sandbox.world().pairs().exact_tested);
    EXPECT_EQ(sandbox.world().pairs().exact, sandbox.world().pairs().volume);
    EXPECT_TRUE(says(sandbox, "Exact contact is for up to 100000 pairs"));
}

}  // namespace
}  // namespace lab
