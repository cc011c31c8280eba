// Background jobs: progress, cancellation, failure, and that a session gives the same results with and
// without them.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <new>
#include <regex>
#include <thread>

#include "bv/tree/dynamic_tree.hpp"
#include "commands/catalog.hpp"
#include "io/sessions/report.hpp"
#include "io/trees/tree_file.hpp"
#include "io/voxels/voxel_file.hpp"
#include "io_test_tools.hpp"
#include "job_test_tools.hpp"
#include "platform/jobs.hpp"
#include "session/files/link.hpp"
#include "session/files/saver.hpp"
#include "session/report.hpp"
#include "session/session.hpp"
#include "session/time/timeline.hpp"
#include "session_test_tools.hpp"
#include "settings/draw.hpp"
#include "workloads/meshes.hpp"
#include "world/opened_files.hpp"

namespace lab {
namespace {

using io::testing_tools::TestFolder;
using test::frame;
using test::wait_for;
using namespace std::chrono_literals;

const char* const kCube =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
    "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 2 3 7 6\nf 1 5 8 4\n";

/// Runs until it is cancelled.
JobSpec endless(std::atomic<int>& rounds) {
    JobSpec job;
    job.title = "endless";
    job.work = [&rounds](const JobControl& control) {
        while (control.report(0.5f, "turning")) {
            ++rounds;
            std::this_thread::sleep_for(1ms);
        }
    };
    return job;
}

TEST(Jobs, WaitingMeansDoneWhenStartReturns) {
    Jobs jobs;
    std::vector<std::string> order;
    JobSpec job;
    job.work = [&](const JobControl&) { order.emplace_back("work"); };
    job.end = [&](JobEnd end, std::string_view) {
        order.emplace_back(end == JobEnd::Done ? "done" : "not done");
    };
    jobs.start(std::move(job));
    EXPECT_EQ(order, (std::vector<std::string>{"work", "done"}));
    EXPECT_TRUE(jobs.empty());
}

TEST(Jobs, ResultsAreDeliveredOnlyOnRequest) {
    Jobs jobs;
    jobs.set_mode(JobMode::Background);
    std::atomic<bool> worked{false};
    std::vector<int> ended;
    const std::thread::id here = std::this_thread::get_id();
    for (int i = 0; i < 3; ++i) {
        JobSpec job;
        job.work = [&, i](const JobControl&) {
            EXPECT_NE(std::this_thread::get_id(), here);
            if (i == 2) worked = true;
        };
        job.end = [&ended, i, here](JobEnd end, std::string_view) {
            EXPECT_EQ(end, JobEnd::Done);
            EXPECT_EQ(std::this_thread::get_id(), here);
            ended.push_back(i);
        };
        jobs.start(std::move(job));
    }
    ASSERT_TRUE(wait_for([&] { return worked.load(); }));
    std::this_thread::sleep_for(5ms);
    EXPECT_TRUE(ended.empty()) << "before finish_ended nothing may change";
    EXPECT_EQ(jobs.views().size(), 3u);
    ASSERT_TRUE(wait_for([&] {
        jobs.finish_ended();
        return jobs.empty();
    }));
    EXPECT_EQ(ended, (std::vector<int>{0, 1, 2}));
}

TEST(Jobs, InSlicesAPartThatWaitsIsAskedOncePerFrame) {
    Jobs jobs;
    jobs.set_mode(JobMode::Slices);
    int asked = 0;
    bool others = false, ended = false;
    JobSpec job;
    job.more = [&](const JobControl& control) {
        EXPECT_TRUE(control.may_wait());
        control.part(0.0f, 0.5f).wait();
        return ++asked < 3;
    };
    job.end = [&](JobEnd end, std::string_view) { ended = end == JobEnd::Done; };
    jobs.start(std::move(job));
    JobSpec writer;
    writer.writes = true;
    writer.more = [&](const JobControl&) {
        others = true;
        return false;
    };
    jobs.start(std::move(writer));
    for (int frame = 1; frame <= 3; ++frame) {
        jobs.advance();
        jobs.finish_ended();
        // The first call of a job does its work, here none.
        EXPECT_LE(asked, frame);
        EXPECT_GE(asked, frame - 1);
        EXPECT_TRUE(others) << "jobs of the other lane go on";
    }
    for (int frame = 0; frame < 2 && !ended; ++frame) {
        jobs.advance();
        jobs.finish_ended();
    }
    EXPECT_TRUE(ended);
    EXPECT_EQ(asked, 3);
    EXPECT_FALSE(JobControl().may_wait());
}

/// Parts that each take longer than a frame gives to them.
JobSpec parted(int parts, std::vector<std::string>& order) {
    JobSpec job;
    job.work = [&order](const JobControl&) { order.emplace_back("work"); };
    job.more = [&order, parts, done = 0](const JobControl&) mutable {
        order.emplace_back("part");
        std::this_thread::sleep_for(std::chrono::milliseconds(static_cast<int>(Jobs::kSlice_ms) + 1));
        return ++done < parts;
    };
    job.end = [&order](JobEnd end, std::string_view why) {
        order.emplace_back(end == JobEnd::Done ? "done" : end == JobEnd::Cancelled ? "canceled" : why);
    };
    return job;
}

TEST(Jobs, PartsAreDoneInEveryMode) {
    for (const JobMode mode : {JobMode::Wait, JobMode::Background, JobMode::Slices}) {
        Jobs jobs;
        jobs.set_mode(mode);
        std::vector<std::string> order;
        jobs.start(parted(2, order));
        ASSERT_TRUE(wait_for([&] {
            jobs.advance();
            jobs.finish_ended();
            return jobs.empty();
        }));
        EXPECT_EQ(order, (std::vector<std::string>{"work", "part", "part", "done"}));
    }
}

TEST(Jobs, WithoutThreadsAFrameDoesOnePart) {
    Jobs jobs;
    jobs.set_mode(JobMode::Slices);
    std::vector<std::string> order;
    jobs.start(parted(3, order));
    EXPECT_TRUE(order.empty()) << "the frame that starts it does not wait";
    EXPECT_TRUE(jobs.is_working());
    for (int frame = 1; frame <= 3; ++frame) {
        jobs.advance();
        jobs.finish_ended();
        EXPECT_EQ(std::count(order.begin(), order.end(), "part"), frame);
    }
    EXPECT_EQ(order.back(), "done");
    EXPECT_TRUE(jobs.empty());
}

TEST(Jobs, WithoutThreadsACancelledJobDoesNoFurtherPartAndFilesAreWritten) {
    Jobs jobs;
    jobs.set_mode(JobMode::Slices);
    std::vector<std::string> order, file;
    const JobId id = jobs.start(parted(3, order));
    jobs.advance();
    ASSERT_TRUE(jobs.cancel(id));
    JobSpec writing = parted(2, file);
    writing.writes = true;
    jobs.start(std::move(writing));
    jobs.finish_writing();
    EXPECT_EQ(order, (std::vector<std::string>{"work", "part", "canceled"}));
    EXPECT_EQ(file, (std::vector<std::string>{"work", "part", "part", "done"}));
}

TEST(Jobs, APartThatThrowsFailsItsJobAlone) {
    for (const JobMode mode : {JobMode::Wait, JobMode::Background, JobMode::Slices}) {
        Jobs jobs;
        jobs.set_mode(mode);
        std::vector<std::string> order, other;
        JobSpec job = parted(3, order);
        job.more = [](const JobControl&) -> bool { throw std::runtime_error("no more"); };
        jobs.start(std::move(job));
        jobs.start(parted(1, other));
        ASSERT_TRUE(wait_for([&] {
            jobs.advance();
            jobs.finish_ended();
            return jobs.empty();
        }));
        EXPECT_EQ(order, (std::vector<std::string>{"work", "no more"}));
        EXPECT_EQ(other.back(), "done");
    }
}

TEST(Jobs, ProgressOfPartsAndOfBuildsIsReported) {
    Jobs jobs;
    jobs.set_mode(JobMode::Background);
    std::atomic<int> at{0};
    const auto wait_until = [&](int stage) {
        while (at < stage)
            std::this_thread::sleep_for(1ms);
    };
    JobSpec job;
    job.title = "a file";
    job.work = [&](const JobControl& control) {
        const JobControl second = control.part(0.5f, 1.0f);
        second.report(0.5f, "fitting");
        at = 1;
        wait_until(2);
        bv::BuildProgress& build = second.part(0.6f, 0.8f).build("building");
        build.begin_part(0.0f, 1.0f, 2);
        build.advance(1);
        at = 3;
        wait_until(4);
    };
    jobs.start(std::move(job));
    wait_until(1);
    ASSERT_EQ(jobs.views().size(), 1u);
    JobView view = jobs.views()[0];
    EXPECT_EQ(view.title, "a file");
    EXPECT_EQ(view.phase, "fitting");
    EXPECT_FLOAT_EQ(view.fraction, 0.75f);
    at = 2;
    wait_until(3);
    view = jobs.views()[0];
    EXPECT_EQ(view.phase, "building");
    EXPECT_NEAR(view.fraction, 0.5f + 0.5f * 0.7f, 1e-5f)
        << "half of the build that is 0.6 to 0.8 of the second half";
    EXPECT_EQ(view.age_s, 0.0);
    jobs.set_time(2.5);
    EXPECT_EQ(jobs.views()[0].age_s, 2.5) << "by the session's clock";
    at = 4;
    ASSERT_TRUE(wait_for([&] { return jobs.finish_ended(), jobs.empty(); }));
}

TEST(Jobs, ACancelledJobEndsAndTheNextOneRuns) {
    Jobs jobs;
    jobs.set_mode(JobMode::Background);
    std::atomic<int> rounds{0};
    JobSpec first = endless(rounds);
    std::vector<JobEnd> ends;
    first.end = [&](JobEnd end, std::string_view) { ends.push_back(end); };
    const JobId id = jobs.start(std::move(first));
    JobSpec second;
    bool done = false;
    second.work = [](const JobControl&) {};
    second.end = [&](JobEnd end, std::string_view) { done = end == JobEnd::Done; };
    jobs.start(std::move(second));
    ASSERT_TRUE(wait_for([&] { return rounds > 2; }));
    EXPECT_EQ(jobs.finish_ended(), 0);
    EXPECT_EQ(jobs.views().size(), 2u);
    EXPECT_TRUE(jobs.cancel(id));
    EXPECT_TRUE(ends.empty()) << "cancellation is also delivered only on request";
    jobs.finish_ended();
    ASSERT_EQ(ends.size(), 1u);
    EXPECT_EQ(ends[0], JobEnd::Cancelled);
    EXPECT_FALSE(jobs.cancel(id));
    EXPECT_TRUE(wait_for([&] { return jobs.finish_ended(), done; }));
}

TEST(Jobs, AJobThatThrowsHasFailedAndSaysWhy) {
    for (const JobMode mode : {JobMode::Wait, JobMode::Background}) {
        Jobs jobs;
        jobs.set_mode(mode);
        std::string why;
        JobSpec job;
        job.work = [](const JobControl&) { throw std::bad_alloc(); };
        job.end = [&](JobEnd end, std::string_view text) {
            why = end == JobEnd::Failed ? text : "no failure";
        };
        jobs.start(std::move(job));
        EXPECT_TRUE(wait_for([&] { return jobs.finish_ended(), jobs.empty(); }));
        EXPECT_NE(why.find("memory"), std::string::npos) << why;
    }
}

TEST(Jobs, JobsOfASceneEndSilentlyWithIt) {
    std::atomic<int> rounds{0};
    bool said = false;
    {
        Jobs jobs;
        jobs.set_mode(JobMode::Background);
        JobSpec job = endless(rounds);
        job.of_scene = true;
        job.end = [&](JobEnd, std::string_view) { said = true; };
        jobs.start(std::move(job));
        ASSERT_TRUE(wait_for([&] { return rounds > 0; }));
        jobs.drop_scene_jobs();
        EXPECT_TRUE(jobs.empty());
        EXPECT_EQ(jobs.finish_ended(), 0);
        jobs.start(endless(rounds));  // and one still running at the end of the program
    }
    EXPECT_FALSE(said);
}

TEST(Jobs, CancellingEndsABuildInCore) {
    const bv::workloads::MeshData mesh = bv::workloads::icosphere(7);
    Jobs jobs;
    jobs.set_mode(JobMode::Background);
    std::atomic<bool> building{false}, over{false};
    std::atomic<int> status{-1};
    JobSpec job;
    job.work = [&](const JobControl& control) {
        bv::MeshBvhOptions options;
        options.builder = bv::MeshBuilder::SweepSah;
        options.progress = &control.build("building");
        building = true;
        bv::MeshBvh tree;
        status = static_cast<int>(tree.build(mesh.view(), options));
        over = true;
    };
    const JobId id = jobs.start(std::move(job));
    ASSERT_TRUE(wait_for([&] { return building.load(); }));
    jobs.cancel(id);
    ASSERT_TRUE(wait_for([&] { return over.load(); }));
    EXPECT_EQ(status, static_cast<int>(bv::MeshBuildStatus::Cancelled));
}

// ---- whole sessions

std::string without_times(io::Report report) {
    report.timings_ms = {};
    for (io::ReportVolume& volume : report.volumes)
        volume.fit_ms = 0;
    report.tables.clear();  // their times are words
    report.frame = 0;
    std::string text = io::report_text(report);
    return std::regex_replace(text, std::regex(R"re("(steps|time_s)": [^,\n]*)re"), "");
}

TEST(SessionJobs, BackgroundJobsGiveTheSameResults) {
    const TestFolder folder;
    const std::string cube = folder.write("cube.obj", kCube).string();
    const std::string more = folder.write("more.obj", std::string(kCube) + "f 1 2 8\n").string();
    const std::string script =
        "open " + cube + "\nopen " + more + "\nscene mesh\nset sim.paused=true\npick 640 360";
    std::string reports[2];
    for (const bool background : {false, true}) {
        Session session{command_table()};
        if (background) session.work_in_background(JobMode::Background, {});
        session.commands().push_script(script, "test");
        frame(session);
        if (background) {
            EXPECT_EQ(session.state().scene.spec->id, "welcome") << "lines behind `open` wait for it";
            EXPECT_TRUE(session.shown().opened.meshes.empty());
            ASSERT_TRUE(wait_for([&] { return frame(session), session.state().view.picks.size() == 1; }));
        }
        EXPECT_EQ(session.state().scene.spec->id, "mesh");
        EXPECT_EQ(session.shown().opened.meshes.size(), 2u);
        EXPECT_EQ(session.refused_commands(), 0u);
        EXPECT_TRUE(session.jobs().empty());
        frame(session);
        reports[background] = without_times(make_report(session, "test"));
    }
    EXPECT_EQ(reports[0], reports[1]);
    EXPECT_NE(reports[0].find("cube"), std::string::npos);
}

/// A solid block of voxels with this edge.
std::string block_of_voxels(const TestFolder& folder, const char* name, int edge) {
    io::VoxelModel model;
    model.size = glm::ivec3(edge);
    model.palette = io::default_vox_palette();
    for (int z = 0; z < edge; ++z)
        for (int y = 0; y < edge; ++y)
            for (int x = 0; x < edge; ++x)
                model.voxels.push_back({{x, y, z}, 7});
    const std::string path = (folder / name).string();
    EXPECT_FALSE(io::write_vox_file(path, model));
    return path;
}

std::string saved_tree(const TestFolder& folder, const char* name, int leaves) {
    bv::DynamicTree tree;
    for (int i = 0; i < leaves; ++i) {
        const glm::vec3 low(i % 100, i / 100, i % 7);
        tree.insert({low, low + 0.5f}, static_cast<std::uint64_t>(i));
    }
    const std::string path = (folder / name).string();
    EXPECT_FALSE(io::write_tree_file(path, tree.snapshot()));
    return path;
}

TEST(SessionJobs, VoxelsTreesAndBoxesAreOpenedInTheBackground) {
    const TestFolder folder;
    const std::string files[] = {block_of_voxels(folder, "block.vox", 5),
                                 saved_tree(folder, "tree.bvtree", 40),
                                 folder.write("list.txt", "0 0 0 1 1 1\n2 0 0 3 1 1\n").string()};
    const char* const scenes[] = {"voxels", "tree-file", "boxes"};
    for (int i = 0; i < 3; ++i) {
        std::string reports[2];
        for (const bool background : {false, true}) {
            Session session{command_table()};
            if (background) session.work_in_background(JobMode::Background, {});
            session.commands().push_script("set sim.paused=true\nopen " + files[i] + "\npick 640 360",
                                           "test");
            session.drain();
            EXPECT_EQ(session.jobs().views().size(), background ? 1u : 0u) << files[i];
            ASSERT_TRUE(wait_for([&] { return frame(session), session.state().view.picks.size() == 1; }));
            EXPECT_EQ(session.state().scene.spec->id, scenes[i]);
            EXPECT_EQ(session.refused_commands(), 0u);
            frame(session);
            io::Report report = make_report(session, "test");
            io::erase_timings(report);
            reports[background] = without_times(report);
        }
        EXPECT_EQ(reports[0], reports[1]) << files[i];
    }
}

TEST(SessionJobs, ACancelledOrDamagedFileOfVoxelsOrATreeChangesNothing) {
    const TestFolder folder;
    Session session{command_table()};
    session.work_in_background(JobMode::Background, {});
    for (const std::string& file :
         {block_of_voxels(folder, "large.vox", 120), saved_tree(folder, "large.bvtree", 50'000)}) {
        session.commands().push("open " + file);
        session.drain();
        ASSERT_EQ(session.jobs().views().size(), 1u);
        EXPECT_EQ(session.jobs().views()[0].title, std::filesystem::path(file).filename());
        session.commands().push("jobs.cancel");
        frame(session);
        frame(session);
        EXPECT_TRUE(session.jobs().empty());
        EXPECT_EQ(session.refused_commands(), 0u);
    }
    std::uint64_t refused = 0;
    for (const char* name : {"bad.vox", "bad.bvtree"}) {
        session.commands().push("open " + folder.write(name, "this is none").string());
        ASSERT_TRUE(wait_for([&] { return frame(session), session.refused_commands() == refused + 1; }));
        EXPECT_NE(session.messages().messages().back().text.find(name), std::string::npos);
        EXPECT_EQ(session.file_problems(), ++refused);
    }
    EXPECT_EQ(session.state().scene.spec->id, "welcome");
    EXPECT_EQ(session.results().bodies.size(), 40u);
    EXPECT_TRUE(session.shown().opened.trees.empty());
    EXPECT_TRUE(session.shown().opened.voxel_models.empty());
}

TEST(SessionJobs, ABadFileIsRefusedInTheSameWords) {
    const TestFolder folder;
    const std::string bad = folder.write("bad.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n").string();
    std::string texts[2];
    for (const bool background : {false, true}) {
        Session session{command_table()};
        if (background) session.work_in_background(JobMode::Background, {});
        session.commands().push("open " + bad, "script.txt:3");
        ASSERT_TRUE(wait_for([&] { return frame(session), session.refused_commands() == 1; }));
        EXPECT_EQ(session.file_problems(), 1u);
        EXPECT_TRUE(session.shown().opened.meshes.empty());
        EXPECT_EQ(session.state().scene.spec->id, "welcome");
        EXPECT_EQ(session.results().bodies.size(), 40u);
        texts[background] = session.messages().messages().back().text;
    }
    EXPECT_EQ(texts[0], texts[1]);
    EXPECT_NE(texts[0].find("script.txt:3: "), std::string::npos) << texts[0];
    EXPECT_NE(texts[0].find("bad.obj, line 4"), std::string::npos) << texts[0];
}

TEST(SessionJobs, CancellingLosesNothing) {
    const TestFolder folder;
    const std::string cube = folder.write("cube.obj", kCube).string();
    const auto slow = folder.write("slow_reader", "#!/bin/sh\nexec sleep 60\n");
    std::filesystem::permissions(slow, std::filesystem::perms::owner_all);
    Session session{command_table()};
    session.work_in_background(JobMode::Background, {});
    session.commands().push("open " + cube);
    ASSERT_TRUE(wait_for([&] { return frame(session), session.shown().opened.meshes.size() == 1; }));
    ::setenv("BVLAB_MESH_READER", slow.c_str(), 1);
    session.commands().push_script("open " + cube + "\nset draw.grid=false", "test");
    for (int i = 0; i < 5; ++i)
        frame(session);
    ASSERT_EQ(session.jobs().views().size(), 1u);
    EXPECT_EQ(session.jobs().views()[0].title, "cube.obj");
    EXPECT_TRUE(session.state().settings[kDrawGrid]) << "this line waits";
    session.commands().push("camera.orbit 10 0");  // a line of the user meanwhile does not
    const float yaw = session.state().view.camera.yaw_rad;
    frame(session);
    EXPECT_NE(session.state().view.camera.yaw_rad, yaw);
    session.commands().push("jobs.cancel");
    frame(session);
    frame(session);
    ::unsetenv("BVLAB_MESH_READER");
    EXPECT_TRUE(session.jobs().empty());
    EXPECT_FALSE(session.state().settings[kDrawGrid]) << "waiting lines run";
    EXPECT_EQ(session.shown().opened.meshes.size(), 1u);
    EXPECT_EQ(session.state().scene.spec->id, "mesh");
    EXPECT_EQ(session.results().bodies.size(), 1u);
    EXPECT_EQ(session.refused_commands(), 0u) << "cancelling is no error";
    session.commands().push("open " + folder.write("another.obj", kCube).string());
    EXPECT_TRUE(wait_for([&] { return frame(session), session.shown().opened.meshes.size() == 2; }))
        << "the worker is free again";
    session.commands().push("jobs.cancel 77");
    frame(session);
    EXPECT_EQ(session.refused_commands(), 1u);
}

/// A link to what a session shows, opened where jobs wait, shows the same.
void expect_the_same_from_its_link(Session& session, const std::string& what) {
    const io::Result<std::string> link = session.saver().link();
    ASSERT_TRUE(link.ok()) << what << ": " << link.error().text();
    std::vector<std::string> lines;
    EXPECT_FALSE(read_link(*link, command_table(), lines)) << what;
    Session second{command_table()};
    for (std::string& line : lines)
        second.commands().push(std::move(line));
    frame(second);
    io::Report reports[2] = {make_report(session, ""), make_report(second, "")};
    for (io::Report& report : reports)
        io::erase_timings(report);
    EXPECT_EQ(io::report_text(reports[0]), io::report_text(reports[1])) << what;
}

TEST(SessionJobs, TheRecordHoldsWhatWasDoneBeforeTheJobsOfTheSceneEnded) {
    for (const std::string scene : {"volumes", "obb-tree", "bsp", "mesh-bvh", "ray-picking"}) {
        Session session{command_table()};
        session.work_in_background(JobMode::Background, {});
        frame(session, "set pick.largest=20k; scene " + scene);
        EXPECT_FALSE(session.jobs().empty()) << scene;
        frame(session, "camera.orbit 20 5; toggle draw.grid; toggle draw.grid; toggle draw.grid");
        frame(session, "ray.pin -1.2 1 5 0 0 -1; set volume.exact=false");
        ASSERT_TRUE(wait_for([&] { return frame(session), session.jobs().empty(); })) << scene;
        frame(session, "camera.orbit 0 5");
        frame(session);
        EXPECT_EQ(session.state().view.pinned_rays.size(), 1u) << scene;
        EXPECT_FALSE(session.state().settings[kDrawGrid]) << scene;
        EXPECT_EQ(session.timeline().last_step(), session.state().clock.steps) << scene;
        expect_the_same_from_its_link(session, scene);
        frame(session, "time.goto 1");
        frame(session, "time.goto 2");
        EXPECT_EQ(session.refused_commands(), 0u) << scene;
        expect_the_same_from_its_link(session, scene + ", looking back");
    }
}

TEST(SessionJobs, BodiesThatCameBeforeAJobEndedCannotBeRecorded) {
    Session session{command_table()};
    session.work_in_background(JobMode::Background, {});
    frame(session, "set pick.largest=20k; scene ray-picking");
    frame(session, "spawn 2 torus");
    ASSERT_TRUE(wait_for([&] { return frame(session), session.jobs().empty(); }));
    EXPECT_EQ(session.results().bodies.size(), 4u) << "they stay";
    EXPECT_FALSE(session.timeline().is_whole());
    EXPECT_EQ(session.timeline().last_step(), session.state().clock.steps) << "time goes on";
    frame(session, "restart");
    frame(session);
    EXPECT_EQ(session.results().bodies.size(), 2u);
    expect_the_same_from_its_link(session, "restarted");
}

TEST(SessionJobs, ASceneShowsItsMeshesAsTheyAreMadeAndEndsItsJobs) {
    Session session{command_table()};
    session.work_in_background(JobMode::Background, {});
    session.commands().push_script("set pick.largest=20k\nscene ray-picking", "test");
    frame(session);
    ASSERT_TRUE(wait_for([&] { return frame(session), session.results().bodies.size() == 2; }));
    EXPECT_TRUE(session.jobs().empty());
    session.commands().push_script("set pick.largest=80k\nrestart", "test");
    frame(session);
    EXPECT_EQ(session.results().bodies.size(), 2u) << "known meshes are there at once";
    session.commands().push("scene welcome");
    frame(session);
    EXPECT_TRUE(session.jobs().empty());
    EXPECT_EQ(session.results().bodies.size(), 40u);
}

}  // namespace
}  // namespace lab
