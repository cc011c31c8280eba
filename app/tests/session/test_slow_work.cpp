// Slow work on the session itself, spread over the frames of a window: fits for commands, replayed records,
// written files. The outcome is that of a run without a window.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <thread>

#include "bv/fit/hull.hpp"
#include "commands/catalog.hpp"
#include "io/sessions/report.hpp"
#include "io/sessions/scene_file.hpp"
#include "io_test_tools.hpp"
#include "job_test_tools.hpp"
#include "platform/jobs.hpp"
#include "results/volume_settings.hpp"
#include "session/files/saver.hpp"
#include "session/files/tree_files.hpp"
#include "session/parts.hpp"
#include "session/report.hpp"
#include "session/session.hpp"
#include "session/time/timeline.hpp"
#include "session_test_tools.hpp"
#include "settings/draw.hpp"
#include "settings/program.hpp"
#include "workloads/meshes.hpp"
#include "world/mesh_making.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

using io::testing_tools::TestFolder;
using test::frame;
using test::frames;
using test::wait_for;
using namespace std::chrono_literals;

/// The report of a session, without frame counts.
std::string outcome(const Session& session) {
    io::Report report = make_report(session, "test");
    io::erase_timings(report);
    report.frame = 0;
    report.before_after = {};
    return io::report_text(report);
}

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

bool says(const Session& session, std::string_view words) {
    for (const Message& message : session.messages().messages())
        if (message.text.find(words) != std::string::npos) return true;
    return false;
}

// ---- meshes in parts

TEST(MeshParts, AreTogetherWhatIsMadeAtOnce) {
    const bv::workloads::MeshData torus = bv::workloads::torus();
    const MeshNeeds needs;
    const MeshEntry whole = MeshMaking("torus", "a file", torus.positions, torus.triangles, needs).make();
    MeshMaking making("torus", "a file", torus.positions, torus.triangles, needs);
    int parts = 1;
    while (making.advance(JobControl{}))
        ++parts;
    EXPECT_GE(parts, 7) << "bounds, OBB, hull, fits, tree, wide tree, drawing";
    const MeshEntry made = making.take();
    EXPECT_EQ(made.sphere.radius, whole.sphere.radius);
    EXPECT_EQ(made.aabb_tight, whole.aabb_tight);
    EXPECT_EQ(made.obb.half_extents, whole.obb.half_extents);
    EXPECT_EQ(made.extremes, whole.extremes);
    EXPECT_TRUE(made.has_fits(needs.fits) && whole.has_fits(needs.fits));
    EXPECT_EQ(made.tree->snapshot().boxes, whole.tree->snapshot().boxes);
    EXPECT_EQ(made.bvh.snapshot().boxes, whole.bvh.snapshot().boxes);
}

TEST(MeshParts, TheHullComesBackFromAnErrandAsItIsMadeHere) {
    const bv::workloads::MeshData torus = bv::workloads::torus();
    const std::vector<glm::vec3> here = bv::fit::hull(torus.positions).vertices;
    const std::string bytes = extremes_of_bytes(
        {reinterpret_cast<const char*>(torus.positions.data()), torus.positions.size() * sizeof(glm::vec3)});
    ASSERT_EQ(bytes.size(), here.size() * sizeof(glm::vec3));
    EXPECT_EQ(std::memcmp(bytes.data(), here.data(), bytes.size()), 0);
    EXPECT_TRUE(extremes_of_bytes({}).empty());
}

TEST(MeshParts, OfAFileTakeSeveralFramesWithoutThreads) {
    const TestFolder folder;
    const std::string path = (folder / "corner.obj").string();
    std::ofstream(path) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    Session session{command_table()};
    session.work_in_background(JobMode::Slices, {});
    frame(session, "scene welcome; open " + path);
    EXPECT_EQ(session.state().scene.spec->id, "welcome") << "the frame that begins it does not wait";
    ASSERT_TRUE(wait_for([&] {
        frame(session, "");
        return session.jobs().empty();
    }));
    EXPECT_EQ(session.state().scene.spec->id, "mesh");
    EXPECT_TRUE(session.meshes().find_file(path));
    EXPECT_EQ(session.refused_commands(), 0u);
}

TEST(MeshParts, WaitWithoutThreadsForARendererThatWorksElsewhere) {
    const bv::workloads::MeshData ball = bv::workloads::icosphere(6);
    const TestFolder folder;
    const std::string path = (folder / "ball.obj").string();
    {
        std::ofstream file(path);
        for (const glm::vec3& p : ball.positions)
            file << "v " << p.x << ' ' << p.y << ' ' << p.z << '\n';
        for (const glm::uvec3& t : ball.triangles)
            file << "f " << t.x + 1 << ' ' << t.y + 1 << ' ' << t.z + 1 << '\n';
    }
    Session session{command_table()};
    int asked = 0, frames = 0;
    session.work_in_background(JobMode::Slices, [&](std::uint64_t, const bv::MeshView& mesh, bool may_wait) {
        if (mesh.triangles.size() < ball.triangles.size()) return true;
        EXPECT_TRUE(may_wait);
        return ++asked == 4;
    });
    frame(session, "scene welcome; open " + path);
    int last = 0, max_per_frame = 0;
    ASSERT_TRUE(wait_for([&] {
        frame(session, "");
        ++frames;
        max_per_frame = std::max(max_per_frame, asked - last);
        last = asked;
        return session.jobs().empty();
    }));
    EXPECT_EQ(asked, 4) << "once at the beginning, and then until it is ready";
    EXPECT_EQ(max_per_frame, 1) << "in between a frame passes";
    EXPECT_GE(frames, 4);
    EXPECT_EQ(session.state().scene.spec->id, "mesh");
    const std::optional<MeshId> id = session.meshes().find_file(path);
    ASSERT_TRUE(id);
    bv::MeshBvh whole;
    whole.build(session.meshes()[*id].view());
    EXPECT_EQ(session.meshes()[*id].tree->snapshot().boxes, whole.snapshot().boxes);
}

// ---- jobs with slices on the caller's thread

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

TEST(Slices, ACancelledJobRunsNoMoreSlices) {
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
    EXPECT_TRUE(seen) << "a later reader finds the written file";
}

TEST(Writing, IsFinishedWhenTheSessionEndsAndOtherJobsAreCancelled) {
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

TEST(SlowFits, ACommandWaitsForTheFitsThatItNeeds) {
    for (const char* const line : {"set fit.obb=exact", "set fit.obb exact", "set fit.sphere=exact",
                                   "body.set fit.obb=exact 3 4", "toggle fit.sphere"}) {
        std::string outcomes[2];
        for (const bool background : {false, true}) {
            Session session{command_table()};
            frame(session, "set sim.paused=true");
            if (background) session.work_in_background(JobMode::Background, {});
            session.commands().push(line);
            session.drain();
            EXPECT_EQ(session.jobs().empty(), !background) << line;
            if (background) {
                EXPECT_EQ(session.state().settings.get_as_text(kFitObb), "pca") << line;
                EXPECT_EQ(session.state().settings.get_as_text(kFitSphere), "ritter") << line;
            }
            ASSERT_TRUE(wait_for([&] { return frame(session), session.jobs().empty(); }));
            frame(session);
            EXPECT_EQ(session.refused_commands(), 0u) << line;
            outcomes[background] = outcome(session);
        }
        EXPECT_EQ(outcomes[0], outcomes[1]) << line;
        EXPECT_NE(outcomes[0].find(std::string_view(line).starts_with("toggle") ? "centroid" : "exact"),
                  std::string::npos)
            << line;
    }
}

TEST(SlowFits, ALaterChoiceReplacesAnEarlierOne) {
    Session session{command_table()};
    frame(session, "set sim.paused=true");
    session.work_in_background(JobMode::Background, {});
    session.commands().push_script("set fit.obb=exact\nset fit.obb=pca", "test");
    ASSERT_TRUE(wait_for([&] { return frame(session), session.jobs().empty(); }));
    frame(session);
    EXPECT_EQ(session.state().settings.get_as_text(kFitObb), "pca");
    EXPECT_TRUE(says(session, "`set fit.obb=exact` was canceled"));
    session.commands().push_script("set fit.obb=dito14\nset fit.sphere=epos98", "test");
    ASSERT_TRUE(wait_for([&] { return frame(session), session.jobs().empty(); }));
    EXPECT_EQ(session.state().settings.get_as_text(kFitObb), "dito14") << "another choice does not cancel it";
    EXPECT_EQ(session.state().settings.get_as_text(kFitSphere), "epos98");
}

/// A scene cancels its job when it starts another one.
TEST(SceneJobs, RunOneAtATimeAndTheLastOneCounts) {
    Session session{command_table()};
    frame(session, "set sim.paused=true");
    session.work_in_background(JobMode::Background, {});
    for (const char* line : {"scene obb-tree", "set obbtree.mesh_a=icosphere",
                             "set obbtree.mesh_a=octahedron", "set obbtree.mesh_b=octahedron"}) {
        session.commands().push(line);
        frame(session);
        EXPECT_LE(session.jobs().views().size(), 1u) << line;
    }
    ASSERT_TRUE(wait_for([&] { return frame(session), session.jobs().empty(); }));
    ASSERT_EQ(session.results().bodies.size(), 2u) << "one for each side";
    for (const BodyState& body : session.results().bodies)
        EXPECT_EQ(session.meshes()[body.mesh].name, "octahedron");
}

TEST(SlowFits, FitsOfSingleBodiesEndWithThem) {
    Session session{command_table()};
    frame(session, "set sim.paused=true");
    session.work_in_background(JobMode::Background, {});
    session.commands().push_script("body.set fit.obb=exact 3\nscene volumes", "test");
    ASSERT_TRUE(wait_for([&] { return frame(session), session.jobs().empty(); }));
    EXPECT_EQ(session.refused_commands(), 0u);
    for (const BodyState& body : session.results().bodies)
        EXPECT_FALSE(body.own.any());
    session.commands().push("set fit.obb=nonsense");
    frame(session);
    EXPECT_EQ(session.refused_commands(), 1u) << "errors are refused at once";
    EXPECT_TRUE(session.jobs().empty());
}

// ---- saved scenes

constexpr const char* kCube = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

/// A scene with a record, and its outcome when it was saved.
std::string save_a_past(const TestFolder& folder, std::string& was, const std::string& scene = "welcome") {
    Session session{command_table()};
    frames(session, "scene " + scene, 20);
    frames(session, "spawn 5; camera.orbit 20 5", 20);
    frames(session, "select 2; ray.pin 0 5 0 0 -1 0; remove 7", 20);
    const std::string path = (folder / "past.json").string();
    EXPECT_FALSE(io::write_scene_file(path, session.saver().saved_scene()));
    was = outcome(session);
    return path;
}

TEST(Replaying, RunsBetweenFramesAndGivesTheSame) {
    const TestFolder folder;
    std::string was;
    const std::string path = save_a_past(folder, was);
    Session session{command_table()};
    frame(session, "scene volumes");
    session.work_in_background(JobMode::Background, {});
    session.commands().push_script("open " + path + "\nreport later.json", "test");
    std::uint64_t earlier = 0;
    ASSERT_TRUE(wait_for([&] {
        frame(session);
        if (session.jobs().empty()) return true;
        if (session.state().scene.spec->id == "welcome") {
            EXPECT_GE(session.results().steps, earlier) << "time follows the record";
            EXPECT_TRUE(session.take_requests().reports.empty());
            earlier = session.results().steps;
        }
        return false;
    }));
    EXPECT_EQ(session.refused_commands(), 0u);
    EXPECT_EQ(session.file_problems(), 0u);
    EXPECT_EQ(outcome(session), was);
    EXPECT_EQ(session.take_requests().reports.size(), 1u) << "lines behind `open` waited for it";
}

TEST(Replaying, SettingsOfTheWindowChangedMeanwhileStayTheUsersOwn) {
    const TestFolder folder;
    Session first{command_table()};
    frame(first, "scene welcome; pause on; spawn 400; step 600");
    const std::string path = (folder / "long.json").string();
    ASSERT_FALSE(io::write_scene_file(path, first.saver().saved_scene()));
    Session session{command_table()};
    frame(session, "scene volumes");
    session.work_in_background(JobMode::Background, {});
    session.commands().push_script("open " + path, "test");
    bool meanwhile = false;
    ASSERT_TRUE(wait_for([&] {
        const bool now = session.parts().opener.is_replaying() && !std::exchange(meanwhile, true);
        frame(session, now ? "set ui.scale=2" : "");
        return session.jobs().empty();
    }));
    ASSERT_TRUE(meanwhile);
    EXPECT_EQ(session.state().settings_without_presets()[kUiScale], 2.0f);
    frame(session, "scene volumes");
    EXPECT_EQ(session.state().settings[kUiScale], 2.0f);
}

/// Saves a scene all of whose record is lines before the first frame.
std::string save_lines(const TestFolder& folder, std::string& was) {
    Session session{command_table()};
    std::string lines = "set sim.paused=true\n";
    for (int i = 0; i < 100; ++i)
        lines += fmt::format(
            "spawn 400 box; select all; move.by 0 1 0; pick {} 360; clear; spawn 3\n"
            "select all; copy; paste; undo; redo; select.node bodies 2; tree.isolate on\n",
            500 + i);
    frame(session, "scene welcome; view.size 1280 720");
    test::frames(session, lines, 1);
    const std::string path = (folder / "lines.json").string();
    EXPECT_FALSE(io::write_scene_file(path, session.saver().saved_scene()));
    was = outcome(session);
    return path;
}

TEST(Replaying, StopsAmidLinesAndGivesTheSame) {
    const TestFolder folder;
    std::string was;
    const std::string path = save_lines(folder, was);
    Session whole{command_table()};
    frame(whole, "open " + path);
    ASSERT_EQ(whole.refused_commands(), 0u) << whole.messages().messages().back().text;
    EXPECT_EQ(outcome(whole), was);
    for (const bool cancels : {false, true}) {
        Session session{command_table()};
        session.work_in_background(JobMode::Slices, {});
        frame(session);
        session.commands().push("open " + path);
        std::set<std::size_t> stops;
        ASSERT_TRUE(wait_for([&] {
            frame(session);
            const TapePlace& place = session.timeline().place();
            const bool is_amid = !session.jobs().empty() && session.timeline().in_past() && place.entry > 2;
            if (is_amid && place.frame <= 1) stops.insert(place.entry);
            if (is_amid && cancels && stops.size() > 1) session.commands().push("jobs.cancel");
            return session.jobs().empty() && session.state().scene.spec->id == "welcome" &&
                   !session.has_waiting_work();
        }));
        EXPECT_GT(stops.size(), 1u) << "the window goes on between lines";
        EXPECT_EQ(session.refused_commands(), 0u) << session.messages().messages().back().text;
        EXPECT_EQ(says(session, "was not replayed to its end"), cancels);
        if (!cancels) {
            EXPECT_EQ(outcome(session), was);
        }
        EXPECT_EQ(session.state().world.bodies().size(), whole.state().world.bodies().size());
    }
}

TEST(Replaying, CancelledLeavesEverythingAsSaved) {
    const TestFolder folder;
    Session first{command_table()};
    frame(first, "scene stress; set stress.bodies=1000");
    frames(first, "", 400);
    const std::string path = (folder / "long.json").string();
    ASSERT_FALSE(io::write_scene_file(path, first.saver().saved_scene()));
    Session session{command_table()};
    session.work_in_background(JobMode::Background, {});
    frame(session);
    session.commands().push("open " + path);
    bool replaying = false;
    ASSERT_TRUE(wait_for([&] {
        frame(session);
        for (const JobView& job : session.jobs().views())
            replaying = replaying || (job.phase == "replaying its record" && job.fraction > 0.0f);
        return replaying || session.jobs().empty();
    }));
    ASSERT_TRUE(replaying) << "400 steps of 1,000 bodies take longer than a frame";
    EXPECT_LT(session.results().steps, 400u);
    session.commands().push_script("jobs.cancel\nset draw.grid=false", "test");
    frame(session);
    frame(session);
    EXPECT_TRUE(session.jobs().empty());
    EXPECT_FALSE(session.state().settings[kDrawGrid]) << "waiting lines run";
    EXPECT_TRUE(says(session, "was not replayed to its end"));
    ASSERT_EQ(session.state().world.bodies().size(), first.state().world.bodies().size());
    EXPECT_FALSE(session.timeline().in_past());
    const std::uint64_t steps = session.results().steps;
    frames(session, "set sim.paused=false", 2);
    EXPECT_GT(session.results().steps, steps) << "and time goes on";
}

TEST(Replaying, OpensTheFilesThatASceneNeedsFirst) {
    const TestFolder folder;
    const std::string cube = folder.write("cube.obj", kCube).string();
    Session first{command_table()};
    frames(first, "open " + cube, 5);
    const std::string path = (folder / "cube.json").string();
    ASSERT_FALSE(io::write_scene_file(path, first.saver().saved_scene()));
    const std::string was = outcome(first);
    {
        Session session{command_table()};
        session.work_in_background(JobMode::Background, {});
        session.commands().push("open " + path);
        ASSERT_TRUE(wait_for([&] { return frame(session), session.jobs().empty(); }));
        EXPECT_EQ(session.state().scene.spec->id, "mesh");
        EXPECT_EQ(session.refused_commands(), 0u);
        EXPECT_EQ(outcome(session), was);
    }
    folder.write("cube.obj", "v 0 0 nonsense\nf 1 2 3\n");
    Session session{command_table()};
    frame(session, "scene volumes");
    session.work_in_background(JobMode::Background, {});
    session.commands().push("open " + path);
    ASSERT_TRUE(wait_for([&] { return frame(session), session.jobs().empty(); }));
    EXPECT_EQ(session.state().scene.spec->id, "volumes") << "nothing has changed";
    EXPECT_TRUE(says(session, "needs the file " + cube + ", which could not be opened"));
    std::filesystem::remove(cube);
    session.commands().push("open " + path);
    ASSERT_TRUE(wait_for([&] { return frame(session), session.jobs().empty(); }));
    EXPECT_TRUE(says(session, "which does not exist"));
    EXPECT_EQ(session.state().scene.spec->id, "volumes");
}

TEST(Replaying, ARecordingIsOpenedInTheBackground) {
    const TestFolder folder;
    const std::string path = (folder / "a.bvrec").string();
    Session first{command_table()};
    frames(first, "", 10);
    frames(first, "spawn 3", 10);
    frame(first, "record.save " + path);
    ASSERT_TRUE(std::filesystem::is_regular_file(path));
    Session session{command_table()};
    session.work_in_background(JobMode::Background, {});
    session.commands().push("open " + path);
    ASSERT_TRUE(wait_for([&] { return frame(session), session.jobs().empty(); }));
    EXPECT_TRUE(session.timeline().in_past());
    ASSERT_TRUE(wait_for([&] { return frame(session), !session.timeline().in_past(); }));
    EXPECT_EQ(session.results().bodies.size(), first.results().bodies.size());
    EXPECT_EQ(session.results().steps, first.results().steps);
}

// ---- writing

TEST(SlowWriting, ASavedSceneCanBeOpenedByTheNextLine) {
    const TestFolder folder;
    Session session{command_table()};
    frame(session, "set sim.paused=true; spawn 50");
    session.work_in_background(JobMode::Background, {});
    const std::string path = (folder / "fresh.json").string();
    session.saver().save_scene(path);
    EXPECT_EQ(session.jobs().views().at(0).title, "fresh.json");
    const std::size_t bodies = session.state().world.bodies().size();
    session.commands().push_script("open " + path, "test");
    ASSERT_TRUE(wait_for([&] { return frame(session), session.jobs().empty(); }));
    EXPECT_EQ(session.refused_commands(), 0u);
    EXPECT_EQ(session.state().world.bodies().size(), bodies);
    EXPECT_TRUE(says(session, "fresh.json was written"));
}

TEST(SlowWriting, ATreeIsWrittenAsItWasWhenRequested) {
    const TestFolder folder;
    std::string texts[2];
    for (const bool background : {false, true}) {
        Session session{command_table()};
        frames(session, "", 3);
        if (background) session.work_in_background(JobMode::Background, {});
        const std::string path = (folder / "tree.json").string();
        std::filesystem::remove(path);
        session.saver().write_file(path,
                                   tree_file_writer({TreeFileRequest::What::Structure, path, ""}, session));
        frame(session, "clear");
        session.saver().finish();
        texts[background] = text_of(path);
        EXPECT_EQ(session.file_problems(), 0u);
    }
    EXPECT_GT(texts[0].size(), 1000u);
    EXPECT_EQ(texts[0], texts[1]);
}

TEST(SlowWriting, AFailedWriteIsReportedAndTheSessionContinues) {
    const TestFolder folder;
    const std::string path = folder.write("no_folder", "").string() + "/scene.json";
    for (const bool background : {false, true}) {
        Session session{command_table()};
        frame(session);
        if (background) session.work_in_background(JobMode::Background, {});
        session.saver().save_scene(path);
        session.saver().finish();
        EXPECT_EQ(session.file_problems(), 1u);
        EXPECT_TRUE(says(session, path));
        frame(session);
    }
}

// ---- limits of the exact stage

TEST(ExactStage, IsSkippedForTooManyPairs) {
    Session session{command_table()};
    frame(session, "scene welcome; clear; set volume.exact=true; set sim.paused=true; set spawn.size=6");
    frame(session, "spawn 300 box");
    EXPECT_TRUE(session.state().world.finder().pairs().exact_tested);
    EXPECT_FALSE(says(session, "The exact test is limited to"));
    frames(session, "spawn 400 box", 3);
    ASSERT_GT(session.state().world.finder().pairs().volume.size(), PairFinder::kMaxExactPairs);
    EXPECT_FALSE(session.state().world.finder().pairs().exact_tested);
    EXPECT_EQ(session.state().world.finder().pairs().exact, session.state().world.finder().pairs().volume);
    EXPECT_TRUE(says(session, "The exact test is limited to 100,000 pairs"));
}

}  // namespace
}  // namespace lab
