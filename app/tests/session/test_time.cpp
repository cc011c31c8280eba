// Time travel and recordings: every scene shows the same at a step again, bit for bit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <utility>

#include "commands/catalog.hpp"
#include "io/sessions/recording.hpp"
#include "io/sessions/report.hpp"
#include "io/sessions/scene_file.hpp"
#include "record_test_tools.hpp"
#include "scenes/scenes.hpp"
#include "session/files/saver.hpp"
#include "session/report.hpp"
#include "session/session.hpp"
#include "session/time/timeline.hpp"
#include "session_bits.hpp"
#include "session_test_tools.hpp"
#include "settings/draw.hpp"
#include "settings/program.hpp"
#include "temp_dir.hpp"
#include "volumes_of.hpp"
#include "workloads/random.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

using test::difference;
using test::expect_no_errors;
using test::frame;
using test::seen;

/// Runs a scene with a script frame by frame, then goes back and forth and compares.
void expect_the_same_again(Session& session, const std::map<int, std::string>& scripts, int frames,
                           const std::string& name) {
    std::vector<std::string> live;
    for (int i = 0; i <= frames; ++i) {
        const auto script = scripts.find(i);
        frame(session, script == scripts.end() ? "" : script->second);
        ASSERT_EQ(session.results().steps, static_cast<std::uint64_t>(i + 1)) << name;
        live.push_back(seen(session));
    }
    const auto now = [&] { return static_cast<int>(session.results().steps); };
    const auto check = [&] {
        EXPECT_EQ(difference(live[static_cast<std::size_t>(now() - 1)], seen(session)), "")
            << name << " at step " << now();
    };
    for (const int goal : {frames / 2, 1, frames, frames / 3, 2 * frames / 3}) {
        frame(session, "time.goto " + std::to_string(goal));
        ASSERT_EQ(now(), goal) << name;
        check();
    }
    // Onward from the start, and from a moment that was looked at.
    frame(session, "time.goto start");
    for (const int goal : {frames / 4, frames / 2}) {
        frame(session, "time.goto " + std::to_string(goal));
        ASSERT_EQ(now(), goal) << name;
        check();
    }
    for (int i = 0; i < 4; ++i) {
        frame(session, "time.back");
        check();
    }
    frame(session, "time.back 10");
    check();
    frame(session, "step");
    check();
    frame(session, "set sim.paused=false");
    check();
    for (int i = 0; i < 3; ++i) {
        frame(session);
        check();
    }
    EXPECT_TRUE(session.timeline().in_past());
    frame(session, "time.goto end");
    EXPECT_FALSE(session.timeline().in_past());
    check();
    expect_no_errors(session);
}

TEST(Time, EverySceneIsTheSameAgain) {
    for (const SceneSpec& spec : scene_specs()) {
        Session session{command_table()};
        session.commands().push("set stress.bodies=1000");
        session.commands().push("scene " + std::string(spec.id));
        expect_the_same_again(session, {}, 36, std::string(spec.id));
    }
}

TEST(Time, ThePairMemoryIsPartOfTheState) {
    const std::map<int, std::string> script = {
        {0, "scene welcome; set volume.exact=true; set volume.pair_kind=sphere; spawn 40"},
        {6, "remove 3"},
        {9, "undo"},
        {14, "set volume.exact_by=voxels"},
        {17, "set volume.exact_by=meshes; spawn 5"},
        {22, "set volume.exact=false"},
        {24, "set volume.exact=true"}};
    Session session{command_table()};
    expect_the_same_again(session, script, 36, "exact");
    EXPECT_GT(session.results().pairs.counts.exact_tests, 20u);
}

TEST(Time, EverySceneCanBeCopied) {
    for (const SceneSpec& spec : scene_specs())
        EXPECT_NE(spec.make()->clone(), nullptr) << spec.id << ": derive it from SceneOf";
}

const std::map<int, std::string> kBusy = {
    {0, "scene welcome; set verify=true"},
    {3, "spawn 20; set sim.contact=bounce"},
    {8, "remove 5; move 7 0 2 0"},
    {13, "set volume.pair_kind=sphere"},
    {20, "set tree.balance=none; set tree.margin_kind=fixed"},
    {26, "spawn 3 torus; tree.rebuild greedy"},
};

TEST(Time, CommandsAreReplayedAtTheirStep) {
    Session session{command_table()};
    expect_the_same_again(session, kBusy, 40, "busy");
}

TEST(Time, LongSessionsKeepFewKeyframesAndStayExact) {
    Session session{command_table()};
    std::map<int, std::string> live;
    frame(session, "scene welcome; spawn 10");
    for (int i = 2; i <= 4000; ++i) {
        frame(session);
        if (i % 397 == 0) live[i] = seen(session);
    }
    for (auto it = live.rbegin(); it != live.rend(); ++it) {
        frame(session, "time.goto " + std::to_string(it->first));
        EXPECT_EQ(difference(it->second, seen(session)), "") << it->first;
    }
}

TEST(Time, ALargeSelectionIsRecordedInLinesThatCanBeRead) {
    Session session{command_table()};
    frame(session, "scene welcome; clear; set spawn.size=0.02; spawn 3000 box; step 4");
    frame(session, "time.back 2");
    frame(session, "select all");
    frame(session, "time.goto end");
    const std::string text = io::recording_text(session.timeline().start(), session.timeline().tape());
    const io::Result<io::Recording> again = io::parse_recording(text, "x.bvrec");
    ASSERT_TRUE(again) << again.error().text();
    frame(session, "time.goto start; time.goto end");
    EXPECT_EQ(session.state().view.selection.bodies.size(), 3000u);
    expect_no_errors(session);
}

TEST(Time, ACommandInThePastBeginsAnotherFuture) {
    Session session{command_table()};
    for (int i = 0; i < 30; ++i)
        frame(session, i == 0 ? "scene welcome" : i == 20 ? "spawn 50" : "");
    const std::size_t crowd = session.state().world.bodies().size();
    frame(session, "time.goto 10; camera.look 1 2 33");
    EXPECT_EQ(session.state().world.bodies().size(), crowd - 50);
    frame(session, "spawn 7; set sim.paused=false");
    EXPECT_FALSE(session.timeline().in_past());
    std::map<std::uint64_t, std::string> live;
    for (int i = 0; i < 15; ++i) {
        frame(session);
        live[session.results().steps] = seen(session);
    }
    EXPECT_EQ(session.timeline().last_step(), session.results().steps);
    EXPECT_EQ(session.state().world.bodies().size(), crowd - 43);
    frame(session, "time.goto 5");
    frame(session, "time.goto 20");
    EXPECT_EQ(difference(live[20], seen(session)), "");
    expect_no_errors(session);
}

TEST(Time, AnotherFutureCanBeginWithinAFrameOfSeveralSteps) {
    for (const int back : {1, 3, 5, 6, 8}) {
        Session session{command_table()};
        frame(session, "scene welcome; pause on");
        frame(session, "step 2");
        frame(session, "step 6");
        frame(session, "time.back " + std::to_string(back));
        frame(session, "spawn 2");
        EXPECT_EQ(session.results().steps, static_cast<std::uint64_t>(8 - back));
        frame(session, "step 4");
        const std::string end = seen(session);
        frame(session, "time.goto start");
        frame(session, "time.goto end");
        EXPECT_EQ(difference(end, seen(session)), "") << back;
        frame(session, "time.back 2");
        EXPECT_EQ(session.results().steps, static_cast<std::uint64_t>(10 - back));
        frame(session, "time.goto end");
        EXPECT_EQ(difference(end, seen(session)), "") << back;
        expect_no_errors(session);
    }
}

/// More work than one frame of a playing recording may take.
TEST(Time, StepsInThePastAreTakenInTheFramesAfter) {
    Session session{command_table()};
    frame(session, "scene welcome; pause on");
    std::string lines = "step";
    for (int i = 0; i < 4000; ++i)
        lines += fmt::format("; move 1 0 {} 0", i % 5);
    for (int i = 0; i < 6; ++i)
        frame(session, lines);
    ASSERT_EQ(session.results().steps, 6u);
    frame(session, "time.goto start; step 5");
    EXPECT_LT(session.results().steps, 5u) << "that is too little work for this test";
    EXPECT_TRUE(session.has_waiting_work());
    for (int i = 0; i < 10 && session.has_waiting_work(); ++i)
        frame(session);
    EXPECT_EQ(session.results().steps, 5u);
    EXPECT_FALSE(session.has_waiting_work());
}

TEST(Time, StepsOutsideTheRecordAreRefused) {
    Session session{command_table()};
    frame(session, "scene welcome");
    frame(session);
    for (const char* line : {"time.goto 3", "time.goto -1", "time.goto x", "time.back 0", "time.back -2"}) {
        const auto before = session.refused_commands();
        frame(session, std::string("set sim.paused=true; ") + line);
        EXPECT_EQ(session.refused_commands(), before + 1) << line;
        EXPECT_EQ(session.results().steps, 2u);
    }
    frame(session, "time.back 100");
    EXPECT_EQ(session.results().steps, 0u) << "more steps back than there are: the start";
    frame(session, "restart");
    EXPECT_FALSE(session.timeline().in_past());
}

class Recordings : public test::SessionFiles {};

/// A line that changes nothing, or is refused, keeps the recorded future.
TEST_F(Recordings, ARefusalInThePastKeepsTheFuture) {
    const auto write = [this](const char* name, const char* text) {
        std::ofstream(path(name), std::ios::binary) << text;
        return "\"" + path(name) + "\"";
    };
    write("good.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    const std::string needs_more =
        "bvrec 1\nopen \"good.obj\"\nopen \"bad.obj\"\nscene mesh\nview 640 480 0 0\n"
        "camera 0 1 0 10 0.5 0.25\nhome 0 1 0 10 0.5 0.25\nframes 3 1\nend 3\n";
    const std::vector<std::string> lines = {
        "spawn 1 nosuchmesh",
        "spawn 0",
        "spawn.at 10 10 1 nosuchmesh",
        "remove 12345",
        "remove 3 12345",
        "move 12345 0 0 0",
        "move 3 1e30 0 0",
        "turn 12345 0 1 0 90",
        "body.set fit.obb=nosuch 3",
        "body.set fit.obb=all 12345",
        "set tree.balance=nosuch",
        "set tree.margin_kind=nosuch",
        "set sim.contact",
        "reset nosuch",
        "undo",
        "redo",
        "paste",
        "handle nosuch 0 0 0",
        "invaders.fire",
        "step.next",
        "tree.rebuild nosuch",
        "scene nosuch",
        "scene.step 1",
        "select.node bodies 99999",
        "time.goto 99",
        "save x.obj",
        "record.save x.json",
        "save.tree x.json",
        "open " + write("bad.obj", "f 1 2 3\n"),
        "open " + write("bad.txt", "1 2 x\n"),
        "open " + write("bad.bvtree", "bvtree\n"),
        "open " + write("bad.bvrec", "bvrec 1\n"),
        "open " + write("bad.json", "{"),
        "open " + write("needs.bvrec", needs_more.c_str()),
        "open nosuch.vox",
        "# spawn 3",
        // Done, but without any change:
        "set sim.contact=pass",
        "reset sim.contact",
    };
    for (const std::string& line : lines) {
        Session session{command_table()};
        std::string last;
        for (int i = 0; i < 12; ++i)
            frame(session, i == 0 ? "scene welcome; set sim.contact=pass" : i == 8 ? "spawn 5" : "");
        last = seen(session);
        const std::uint64_t record = session.timeline().id();
        frame(session, "time.goto 6");
        const std::string then = seen(session);
        frame(session, line);
        EXPECT_EQ(session.timeline().id(), record) << line;
        EXPECT_EQ(session.timeline().last_step(), 12u) << line;
        EXPECT_TRUE(session.timeline().in_past()) << line;
        EXPECT_EQ(session.results().bodies.size(), session.state().world.bodies().size()) << line;
        frame(session, "time.goto end");
        EXPECT_EQ(session.results().steps, 12u) << line;
        EXPECT_EQ(session.state().scene.spec->id, "welcome") << line;
    }
}

/// A command that is refused after a part of its work has changed the past.
TEST(Time, APartialChangeInThePastBeginsAnotherFuture) {
    Session session{command_table()};
    for (int i = 0; i < 12; ++i)
        frame(session, i == 0 ? "scene welcome; select 3; select.add 4" : "");
    frame(session, "move 4 9e14 0 0");
    frame(session, "time.goto 6");
    frame(session, "camera.look 1 2 3; spawn 2");
    EXPECT_FALSE(session.timeline().in_past());
    EXPECT_EQ(session.timeline().last_step(), 6u);
    const std::string now = seen(session);
    frame(session, "time.goto start");
    frame(session, "time.goto end");
    EXPECT_EQ(difference(now, seen(session)), "");
}

TEST_F(Recordings, PlayWithTheSameReports) {
    std::map<std::uint64_t, std::string> live;
    const std::string file = path("busy.bvrec");
    {
        Session session{command_table()};
        const auto watch = [&](const std::string& script) {
            frame(session, script);
            live[session.results().steps] = seen(session);
        };
        for (int i = 0; i < 40; ++i) {
            const auto script = kBusy.find(i);
            watch(script == kBusy.end() ? "" : script->second);
            if (i == 10) watch("camera.orbit 30 5; pick 640 360; hide 4; set draw.obb=false");
            if (i == 15) watch("set sim.paused=true; move 9 1 1 1");
            if (i == 15) watch("set sim.paused=false; move 9 1 2 1");
        }
        watch("record.save \"" + file + "\"");
        expect_no_errors(session);
    }
    Session session{command_table()};
    frame(session, "open \"" + file + "\"");
    for (;;) {
        ASSERT_TRUE(live.contains(session.results().steps));
        ASSERT_EQ(difference(live[session.results().steps], seen(session)), "") << session.results().steps;
        if (!session.timeline().in_past()) break;
        frame(session);
    }
    EXPECT_EQ(session.results().steps, live.rbegin()->first);
    frame(session, "time.goto 30");
    EXPECT_EQ(difference(live[30], seen(session)), "");
    expect_no_errors(session);
}

TEST_F(Recordings, AreSavedOfASceneInTheFrameThatOpensIt) {
    Session first{command_table()};
    frame(first, "scene welcome; spawn 3; step 20");
    ASSERT_FALSE(io::write_scene_file(path("a.json"), first.saver().saved_scene()));
    Session second{command_table()};
    frame(second, "open " + quote_word(path("a.json")) + "; record.save " + quote_word(path("b.bvrec")));
    Session third{command_table()};
    frame(third, "open " + quote_word(path("b.bvrec")) + "; time.goto end");
    expect_no_errors(third);
    EXPECT_EQ(third.results().steps, 20u);
    ASSERT_EQ(third.results().bodies.size(), first.results().bodies.size());
    for (std::size_t i = 0; i < first.results().bodies.size(); ++i)
        EXPECT_EQ(third.results().bodies[i].transform, first.results().bodies[i].transform);
}

TEST_F(Recordings, KeepTheCommandsOfTheFrameThatOpensAScene) {
    Session first{command_table()};
    frame(first, "scene aabb-sweep; pause on");
    save(first, "a.json");
    Session second{command_table()};
    frame(second, "pause on; " + open("a.json") +
                      "; scene.drag a.size -1.66 -1.66 -3.31; set aabb_sweep.preset=parting");
    save(second, "b.json");
    Session third{command_table()};
    frame(third, "pause on; " + open("b.json"));
    for (const Message& message : third.messages().messages())
        EXPECT_EQ(message.severity, Severity::Info) << message.text;
    EXPECT_EQ(difference(seen(second), seen(third)), "");
}

TEST_F(Recordings, OfARecordWithoutABeginningAreRefused) {
    Session first{command_table()};
    frame(first, "scene welcome; step 20");
    io::SceneFile scene = first.saver().saved_scene();
    scene.history.clear();
    ASSERT_FALSE(io::write_scene_file(path("bare.json"), scene));
    Session second{command_table()};
    frame(second, "scene gjk");
    frame(second, "record.save " + quote_word(path("b.bvrec")) + "; open " + quote_word(path("bare.json")));
    EXPECT_EQ(second.file_problems(), 1u);
    EXPECT_NE(second.messages().messages().back().text.find("`restart`"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(path("b.bvrec")));
}

TEST_F(Recordings, ContainARestartedScene) {
    const std::string file = path("again.bvrec");
    std::string last;
    {
        Session session{command_table()};
        frame(session, "scene tree-balance; set balance.input=clusters; set draw.tree_max_depth=3");
        frame(session, "camera.look 10 20 30; restart");
        frame(session, "set balance.count=50; record.save \"" + file + "\"");
        last = seen(session);
    }
    Session session{command_table()};
    frame(session, "open \"" + file + "\"");
    while (session.timeline().in_past())
        frame(session);
    EXPECT_EQ(difference(last, seen(session)), "");
    EXPECT_EQ(test::value_of(session, "balance.input"), "clusters");
    frame(session, "scene welcome");
    EXPECT_EQ(test::value_of(session, "balance.input"), "row") << "the user's own settings come back";
}

constexpr std::string_view kGood =
    "bvrec 1\n# a remark\nscene welcome\nbefore world.seed=3\nafter world.seed=3\nview 640 480 0 0\n"
    "camera 0 1 0 10 0.5 0.25\nhome 0 1 0 10 0.5 0.25\nframes 3 1\ndo spawn 2\nframes 2 0\nend 3\n";

std::string with(std::string_view from, std::string_view to) {
    std::string text(kGood);
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

TEST_F(Recordings, HostileFilesAreRefusedAndChangeNothing) {
    const std::pair<std::string, const char*> cases[] = {
        {"", "bvrec"},
        {"bvrec", "version"},
        {"bvrec 2\n", "version"},
        {"bvrec 1\nend 0\n", "no scene"},
        {with("end 3\n", ""), "cut off"},
        {with("end 3\n", "end 4\n"), "3 are recorded"},
        {with("end 3\n", "end 3\ndo spawn 1\n"), "after the end"},
        {with("frames 3 1", "frames 3"), "number of steps"},
        {with("frames 3 1", "frames 0 1"), "number of frames"},
        {with("frames 3 1", "frames -1 1"), "number of frames"},
        {with("frames 3 1", "frames 99999999999999999999 1"), "number of frames"},
        {with("frames 3 1", "frames 1000000000 10000"), "more than"},
        {with("frames 3 1", "frames 3 1 1"), "extra text"},
        {with("scene welcome", "scene nowhere"), "no scene"},
        {with("scene welcome", "scene welcome\nscene mesh"), "second scene"},
        {with("before world.seed=3", "before world.sneed=3"), "no setting"},
        {with("before world.seed=3", "before world.seed=x"), "world.seed"},
        {with("before world.seed=3", "before sim.paused=true"), "cannot be set in a recording"},
        {with("before world.seed=3", "before nonsense"), "NAME=VALUE"},
        {with("view 640 480", "view 0 480"), "window"},
        {with("camera 0 1", "camera nan 1"), "finite"},
        {with("camera 0 1 0 10", "camera 0 1 0 0"), "distance of this camera is 0, not from"},
        {with("camera 0 1 0 10", "camera 0 1 0 -1"), "distance"},
        {with("home 0 1 0 10", "home 0 1 0 1e38"), "distance"},
        {with("camera 0 1 0 10 0.5 0.25", "camera 0 1 0 10 0.5 3"), "pitch"},
        {with("camera 0 1 0 10 0.5 0.25", "camera 0 1 0 10 2e6 0"), "yaw"},
        {with("camera 0 1 0 10 0.5 0.25\n", ""), "no `camera`"},
        {with("home 0 1 0 10 0.5 0.25\n", ""), "no `home`"},
        {with("view 640 480 0 0\n", ""), "no `view`"},
        {with("view 640 480 0 0\n", "view 640 480 0 0\nview 320 480 0 0\n"), "second view"},
        {with("home 0 1 0", "camera 0 1 0 10 0 0\nhome 0 1 0"), "second camera"},
        {with("camera 0 1", "camera x 1"), "not a number"},
        {with("do spawn 2", "do quit"), "cannot contain"},
        {with("do spawn 2", "do scene mesh"), "cannot contain"},
        {with("do spawn 2", "do screenshot /tmp/x.png"), "cannot contain"},
        {with("do spawn 2", "do set ui.scale=3"), "cannot contain"},
        {with("do spawn 2", "do frobnicate"), "no command"},
        {with("do spawn 2", "do"), "missing"},
        {with("do spawn 2", "do spawn \x01"), "not valid text"},
        {with("do spawn 2", "home 0 1 0 10 0.5 0.25"), "after the first"},
        {with("home 0", "house 0"), "not a statement"},
        {with("home 0 1 0 10 0.5 0.25", "home 0 1 0 10 0.5 0.25 1.9"), "between 0 and 16/9"},
        {with("home 0 1 0 10 0.5 0.25", "home 0 1 0 10 0.5 0.25 1 2"), "extra text"},
        {with("do spawn 2", "do spawn \"2"), "quotation mark"},
        {with("scene welcome", "open \"/no/such/file.obj\"\nscene welcome"), "needs the file"},
        {with("scene welcome", "scene welcome\nmesh /no/such/file.obj\nnamed tet"), "needs the file"},
        {with("scene welcome", "scene welcome\nmesh a.obj"), "mesh without a name"},
        {with("scene welcome", "scene welcome\nmesh a.obj\nmesh b.obj\nnamed b"), "before it has no name"},
        {with("scene welcome", "scene welcome\nnamed tet"), "no mesh stands before"},
        {with("scene welcome", "scene welcome\nmesh a.obj\nnamed " + std::string(2000, 'x')), "1000 bytes"},
        {with("scene welcome", "scene welcome\nmesh a.bvrec\nnamed a"), "cannot be opened here"},
    };
    Session session{command_table()};
    frame(session, "scene aabb-plane; set draw.fill=0.25");
    for (const auto& [text, why] : cases) {
        std::ofstream(path("bad.bvrec"), std::ios::binary) << text;
        const auto before = session.refused_commands();
        frame(session, "open \"" + path("bad.bvrec") + "\"");
        EXPECT_EQ(session.refused_commands(), before + 1) << text;
        EXPECT_EQ(session.state().scene.spec->id, "aabb-plane") << text;
        EXPECT_FLOAT_EQ(session.state().settings[kDrawFill], 0.25f);
        const std::string& message = session.messages().messages().back().text;
        EXPECT_NE(message.find(why), std::string::npos) << text << "\n" << message;
    }
    std::ofstream(path("good.bvrec"), std::ios::binary) << kGood;
    frame(session, "open \"" + path("good.bvrec") + "\"");
    EXPECT_EQ(session.state().scene.spec->id, "welcome");
    EXPECT_EQ(session.state().settings[kWorldSeed], 3);
    EXPECT_EQ(session.state().view.home.framed_aspect, Camera::kAspect) << "as in the first release";
    EXPECT_TRUE(session.timeline().in_past());
    std::ofstream(path("good.bvrec"), std::ios::binary)
        << with("home 0 1 0 10 0.5 0.25", "home 0 1 0 10 0.5 0.25 1.25");
    frame(session, "open \"" + path("good.bvrec") + "\"");
    EXPECT_EQ(session.state().view.home.framed_aspect, 1.25f);
}

/// A recording of 30 frames whose view changes in the middle.
constexpr std::string_view kMoving =
    "bvrec 1\nscene welcome\nview 640 480 0 0\ncamera 0 1 0 10 0.5 0.25\nhome 0 1 0 10 0.5 0.25\n"
    "frames 10 1\ndo camera.place 0 1 0 20 0.5 0.25\ndo select 3\nframes 20 1\nend 30\n";

TEST_F(Recordings, LeaveTheViewToAUserWhoChangesIt) {
    std::ofstream(path("moving.bvrec"), std::ios::binary) << kMoving;
    const auto view = [](Session& session) {
        const View& shown = session.state().view;
        std::string text = std::to_string(shown.camera.distance);
        if (session.state().settings[kDrawObb]) text += " obb";
        if (shown.selection.node.holds()) return text + " node";
        for (const bv::BodyId id : shown.selection.bodies)
            text += " body " + std::to_string(id.value);
        for (const Body& body : std::as_const(session.state().world).bodies())
            if (body.state.hidden) text += " without " + std::to_string(body.state.id.value);
        return text + " rays " + std::to_string(shown.pinned_rays.size());
    };
    const std::pair<const char*, const char*> cases[] = {
        {"select 7", "10.000000 obb body 7 rays 0"},     {"hide 5", "10.000000 obb without 5 rays 0"},
        {"ray.pin 0 0 0 1 0 0", "10.000000 obb rays 1"}, {"set draw.obb=false", "10.000000 rays 0"},
        {"camera.zoom 2", "20.000000 obb rays 0"},       {"select.node bodies 2", "10.000000 obb node"},
    };
    for (const char* before : {"pause on", "", "time.goto 3"})
        for (const auto& [line, expected] : cases) {
            Session session{command_table()};
            frame(session, "open " + quote_word(path("moving.bvrec")));
            frame(session, before);
            frame(session, line);
            for (int i = 0; i < 4; ++i) {
                EXPECT_EQ(view(session), expected) << before << "; " << line << ", frame " << i;
                frame(session);
            }
            EXPECT_TRUE(session.timeline().in_past());
            frame(session, "time.goto 25");
            EXPECT_EQ(view(session), expected) << before << "; " << line;
            expect_no_errors(session);
        }
}

TEST_F(Recordings, ShowTheirOwnViewWhileTheWindowAndTheMouseChange) {
    std::ofstream(path("moving.bvrec"), std::ios::binary) << kMoving;
    Session session{command_table()};
    frame(session, "open " + quote_word(path("moving.bvrec")));
    for (int i = 0; i < 20; ++i)
        frame(session, "view.size 800 60" + std::to_string(i % 10) + "; hover 30 4" + std::to_string(i) +
                           "; hover 30 4" + std::to_string(i));
    EXPECT_TRUE(session.timeline().in_past());
    EXPECT_FLOAT_EQ(session.state().view.camera.distance, 20.0f);
    EXPECT_EQ(session.state().selected().value, 3u);
    EXPECT_EQ(session.state().view.rect.size_px, glm::vec2(800, 609));
    EXPECT_EQ(session.state().view.hover_px, glm::vec2(30, 419));
}

TEST_F(Recordings, LeaveTheStepsToAUserWhoSteps) {
    const std::string file = path("steps.bvrec");
    Session first{command_table()};
    frame(first, "scene fit-obb");
    for (int i = 0; i < 9; ++i)
        frame(first);
    frame(first, "record.save " + quote_word(file));
    Session session{command_table()};
    frame(session, "open " + quote_word(file));
    frame(session, "time.goto 5; step.goto 4");
    frame(session, "step.next");
    frame(session);
    EXPECT_EQ(test::value_of(session, "step.at"), "5");
    EXPECT_EQ(session.results().steps, 5u);
    expect_no_errors(session);
}

/// What does not belong to a moment stays as the user has it, whatever the record does there.
TEST_F(Recordings, ChangeNothingOfTheWindowAndOfTheTime) {
    std::string text(kMoving);
    text.replace(text.find("do select 3"), 11, "do reset all");
    std::ofstream(path("reset.bvrec"), std::ios::binary) << text;
    const auto own = [](const Session& session) {
        return test::value_of(session, "sim.paused") + ' ' + test::value_of(session, "sim.speed") + ' ' +
               test::value_of(session, "ui.theme");
    };
    Session session{command_table()};
    frame(session, "set ui.theme=light; speed 2; open " + quote_word(path("reset.bvrec")));
    frame(session, "time.goto 20");
    EXPECT_EQ(own(session), "true 2 light");
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(session.results().steps, 20u);
        frame(session);
    }
    frame(session, "time.goto 3; pause off");
    for (int i = 0; i < 10; ++i)
        frame(session);
    EXPECT_EQ(session.results().steps, 25u) << "11 frames at twice the speed";
    EXPECT_EQ(own(session), "false 2 light");
    frame(session, "reset all");
    EXPECT_EQ(own(session), "false 1 dark") << "the user's own";
    expect_no_errors(session);
}

TEST_F(Recordings, EveryDamagedFileIsReadOrRefused) {
    bv::workloads::Random random(11);
    for (int i = 0; i < 3000; ++i) {
        std::string text(kGood);
        for (int n = 1 + static_cast<int>(random.below(4)); n > 0; --n) {
            const std::size_t at = random.below(static_cast<std::uint32_t>(text.size()));
            switch (random.below(3)) {
                case 0:
                    text[at] = static_cast<char>(random.below(256));
                    break;
                case 1:
                    text.erase(at, 1 + random.below(9));
                    break;
                default:
                    text.insert(at, text.substr(random.below(static_cast<std::uint32_t>(text.size())), 12));
            }
            if (text.empty()) text = "b";
        }
        const auto recording = io::parse_recording(text, "x");
        if (!recording) {
            EXPECT_FALSE(recording.error().what.empty());
            continue;
        }
        // An accepted file is written and read back the same.
        const std::string again = io::recording_text(recording->start, recording->entries);
        const auto second = io::parse_recording(again, "x");
        ASSERT_TRUE(second.ok()) << again;
        EXPECT_EQ(io::recording_text(second->start, second->entries), again);
    }
}

TEST(Time, OperationsOfATreeAreUndoneAndRedone) {
    Session session{command_table()};
    frame(session, "scene aabb-tree; set grow.period=1; set grow.count=25; set grow.then=churn");
    for (int i = 0; i < 60; ++i)
        frame(session);
    const auto tree_bits = [&] {
        std::string bits;
        for (const auto& [id, tree] : session.results().trees) {
            if (id != "growing") continue;
            bits.assign(reinterpret_cast<const char*>(tree.boxes.data()),
                        tree.boxes.size() * sizeof(bv::Aabb));
            for (const std::uint32_t node : tree.source_nodes)
                bits += std::to_string(node) + ' ';
        }
        return bits;
    };
    std::vector<std::string> forward;
    for (int i = 0; i < 40; ++i) {
        frame(session, "step.back");
        forward.push_back(tree_bits());
    }
    EXPECT_NE(forward.front(), forward.back());
    for (int i = 39; i >= 0; --i) {
        EXPECT_EQ(tree_bits(), forward[static_cast<std::size_t>(i)]) << i;
        frame(session, "step.next");
    }
    EXPECT_EQ(tree_bits(), forward.front());
    expect_no_errors(session);
    frame(session, "scene welcome; step.back");
    EXPECT_EQ(session.refused_commands(), 1u) << "no tree of its own";
}

TEST(Time, EffectsOfLines) {
    EXPECT_EQ(command_table().parse("spawn 3").effect(), Effect::World);
    EXPECT_EQ(command_table().parse("set tree.balance=none").effect(), Effect::World);
    EXPECT_EQ(command_table().parse("set \"draw.obb = off\"").effect(), Effect::View);
    EXPECT_EQ(command_table().parse("toggle draw.obb").effect(), Effect::View);
    for (const char* line :
         {"toggle heat.show", "set heat.top=9", "set edit.gizmo=turn", "set boxes.draw=off",
          "set volumes.kind=sphere", "set volumes.algorithm=2", "set draw.z_up=on"})
        EXPECT_EQ(command_table().parse(line).effect(), Effect::View) << line;
    EXPECT_EQ(command_table().parse("reset all").effect(), Effect::World);
    EXPECT_EQ(command_table().parse("pause").effect(), Effect::Outside);
    EXPECT_EQ(command_table().parse("set sim.paused on").effect(), Effect::Outside);
    EXPECT_EQ(command_table().parse("").effect(), Effect::Outside);
}

}  // namespace
}  // namespace lab
