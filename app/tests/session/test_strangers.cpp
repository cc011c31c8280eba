// Scenes and recordings from untrusted sources: what they may open and run, limits of their cost, and that
// everything that can be saved can be opened.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "bv/tree/tree_io.hpp"
#include "commands/catalog.hpp"
#include "io/sessions/recording.hpp"
#include "io/sessions/scene_file.hpp"
#include "io/trees/tree_file.hpp"
#include "program.hpp"
#include "session/files/saver.hpp"
#include "session/parts.hpp"
#include "session/report.hpp"
#include "session/session.hpp"
#include "session/time/timeline.hpp"
#include "session_test_tools.hpp"
#include "settings/suggest.hpp"
#include "world/opened_files.hpp"
#include "world/world.hpp"
#include "world/world_settings.hpp"

namespace lab {
namespace {

const std::string kBegin =
    "bvrec 1\nscene volumes\nview 640 360 0 0\ncamera 0 0 0 10 0 0\nhome 0 0 0 10 0 0\n";

using Json = nlohmann::json;

using test::frames;

/// Bytes that the process has used at most.
std::size_t most_memory() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::size_t>(usage.ru_maxrss) << 10;
}

class Strangers : public testing::Test {
  protected:
    std::string path(const std::string& name) const { return (folder / name).string(); }
    std::string write(const std::string& name, const std::string& text) const {
        test::write_text(folder / name, text);
        return path(name);
    }
    /// The last message of a session that must refuse the file, and continue.
    std::string refusal(const std::string& file) const {
        Session session{command_table()};
        frames(session, "scene volumes; open " + quote_word(file), 2);
        EXPECT_EQ(session.refused_commands(), 1u) << file;
        EXPECT_EQ(session.results().scene_id, "volumes");
        return session.messages().messages().back().text;
    }
    static Json scene_of(const std::string& script, int count = 2) {
        Session session{command_table()};
        frames(session, script, count);
        return Json::parse(io::scene_file_text(session.saver().saved_scene()));
    }

    test::TempDir folder;
};

TEST_F(Strangers, ASceneThatNamesItselfOrAnotherIsRefusedWithThePlace) {
    Json scene = scene_of("scene aabb-overlap");
    scene["files"] = {"self.json"};
    const std::string self = refusal(write("self.json", scene.dump()));
    EXPECT_NE(self.find("files[0]"), std::string::npos) << self;
    EXPECT_NE(self.find("self.json"), std::string::npos) << self;
    scene["files"] = {"b.json"};
    write("b.json", scene_of("scene volumes").dump());
    EXPECT_NE(refusal(write("a.json", scene.dump())).find("b.json"), std::string::npos);
    scene["files"] = {"b.bvrec"};
    EXPECT_NE(refusal(write("a.json", scene.dump())).find("b.bvrec"), std::string::npos);
    const std::string record =
        "bvrec 1\nscene volumes\nopen self.bvrec\nview 640 360 0 0\ncamera 0 0 0 10 0 0\nhome 0 0 0 10 0 "
        "0\nend 0\n";
    const std::string recorded = refusal(write("self.bvrec", record));
    EXPECT_NE(recorded.find("self.bvrec, line 3"), std::string::npos) << recorded;
}

TEST_F(Strangers, RecordsRunNothingThatReadsOrWritesFilesOrEndsTheProgram) {
    for (const CommandSpec& spec : command_table().rows()) {
        const bool reaches_out = spec.category == "Files" || spec.id == "record.save" || spec.id == "quit" ||
                                 spec.id == "lesson" || spec.id == "scene" || spec.id == "palette";
        if (!reaches_out) continue;
        EXPECT_EQ(spec.effect, Effect::Outside) << spec.id;
    }
    for (const char* line :
         {"open x.json", "record.save x.bvrec", "save x.json", "screenshot x.png", "report x.json",
          "clip x 5", "export.tree x.dot", "save.tree x.bvtree", "save.boxes x.txt", "quit",
          "set ui.theme=light", "time.goto 5", "jobs.cancel"}) {
        const std::string why = refusal(write("x.bvrec", kBegin + "do " + std::string(line) + "\nend 0\n"));
        EXPECT_NE(why.find("line 6"), std::string::npos) << why;
        EXPECT_NE(why.find("a recording cannot contain"), std::string::npos) << why;
    }
}

TEST_F(Strangers, PathsCountFromTheFileThatNamesThem) {
    std::filesystem::create_directories(folder / "sub");
    const std::string tet = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    test::write_text(folder / "sub/tet.obj", tet);
    Session first{command_table()};
    frames(first, "open " + quote_word(path("sub/tet.obj")), 3);
    const io::SceneFile saved = first.saver().saved_scene(path("sub/tets.json"));
    ASSERT_EQ(saved.files, std::vector<std::string>{"tet.obj"});
    EXPECT_NE(saved.history.find("\nopen tet.obj\n"), std::string::npos) << saved.history;
    ASSERT_FALSE(io::write_scene_file(path("sub/tets.json"), saved));
    // Move the whole folder.
    std::filesystem::rename(folder / "sub", folder / "moved");
    Session second{command_table()};
    frames(second, "open " + quote_word(path("moved/tets.json")), 2);
    ASSERT_EQ(second.refused_commands(), 0u) << second.messages().messages().back().text;
    EXPECT_EQ(second.results().bodies.size(), 1u);
    EXPECT_EQ(second.saver().saved_scene(path("moved/again.json")).files, saved.files);
    // Also for a recording.
    Session third{command_table()};
    frames(third, "open " + quote_word(path("moved/tet.obj")), 3);
    frames(third, "record.save " + quote_word(path("moved/tets.bvrec")), 1);
    std::filesystem::rename(folder / "moved", folder / "again");
    Session fourth{command_table()};
    frames(fourth, "open " + quote_word(path("again/tets.bvrec")), 2);
    EXPECT_EQ(fourth.refused_commands(), 0u) << fourth.messages().messages().back().text;
}

TEST_F(Strangers, AnyNameOfAMeshComesBackInScenesAndRecordings) {
    const std::string tet = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    int number = 0;
    for (const std::string& name :
         {std::string("line\nend.obj"), std::string(" leading.obj"), std::string("tab\t.obj"),
          std::string("semi;colon #hash.obj"), std::string("q\"uote'\\.obj"), std::string("\x1b[2J.obj"),
          std::string("\xc3\xa4.obj")}) {
        test::write_text(folder / name, tet);
        Session first{command_table()};
        first.commands().push("open " + quote_word(path(name)));
        frames(first, "", 2);
        ASSERT_EQ(first.refused_commands(), 0u) << first.messages().messages().back().text;
        first.commands().push("spawn 2 " + quote_word(first.meshes().entries().back().name));
        frames(first, "", 2);
        ASSERT_EQ(first.refused_commands(), 0u) << first.messages().messages().back().text;
        const std::string scene = path("s" + std::to_string(number) + ".json");
        const std::string record = path("r" + std::to_string(number++) + ".bvrec");
        first.saver().save_scene(scene);
        frames(first, "record.save " + record, 1);
        EXPECT_EQ(first.file_problems(), 0u) << first.messages().messages().back().text;
        for (const std::string& file : {scene, record}) {
            Session second{command_table()};
            frames(second, "open " + file, 6);
            EXPECT_EQ(second.refused_commands(), 0u)
                << name << ": " << second.messages().messages().back().text;
            EXPECT_EQ(second.results().bodies.size(), 3u) << name << " " << file;
        }
    }
}

TEST_F(Strangers, APathThatIsNoUtf8IsRefusedBySavingAScene) {
    test::write_text(folder / "latin\xe9.txt", "0 0 0 1 1 1\n");
    Session session{command_table()};
    session.commands().push("open " + quote_word(path("latin\xe9.txt")));
    frames(session, "", 2);
    ASSERT_EQ(session.refused_commands(), 0u);
    session.saver().save_scene(path("x.json"));
    EXPECT_EQ(session.file_problems(), 1u);
    EXPECT_NE(session.messages().messages().back().text.find("latin\\xe9.txt"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(folder / "x.json"));
    frames(session, "record.save " + path("x.bvrec"), 1);
    EXPECT_EQ(session.file_problems(), 1u) << session.messages().messages().back().text;
    Session second{command_table()};
    frames(second, "open " + path("x.bvrec"), 2);
    EXPECT_EQ(second.refused_commands(), 0u) << second.messages().messages().back().text;
}

TEST_F(Strangers, WhatCouldNotBeOpenedAgainIsNotSaved) {
    Session session{command_table()};
    frames(session, "scene welcome", 1);
    session.parts().recorder.end_line("spawn 1 " + std::string(9000, 'x'), Effect::World);
    session.saver().save_scene(path("x.json"));
    const std::string& why = session.messages().messages().back().text;
    EXPECT_NE(why.find("could not be opened again"), std::string::npos) << why;
    EXPECT_EQ(why.find(".. "), std::string::npos) << why;
    EXPECT_FALSE(std::filesystem::exists(folder / "x.json"));
}

TEST_F(Strangers, TextSettingsTakeWhatEveryFileCanHold) {
    Settings settings{setting_catalog()};
    for (const char* bad : {"a\nb", "\x1b[2J", "\xff", "\t"})
        EXPECT_TRUE(settings.set(kSpawnMesh, bad)) << bad;
    EXPECT_TRUE(settings.set(kSpawnMesh, std::string(2000, 'x')));
    EXPECT_FALSE(settings.set(kSpawnMesh, " \xc3\xa4; \"x\" \\ #"));
}

TEST_F(Strangers, AFalseNumberOfStepsDoesNotHideTheWorkOfARecord) {
    Json scene = scene_of("scene welcome; clear; spawn 2", 2);
    // Ten million steps of two bodies would take minutes.
    Json& history = scene["history"];
    history.erase(history.size() - 1);
    history.push_back("frames 1000 10000");
    history.push_back("end " + std::to_string(10'000'000));
    scene["history"].erase(std::find_if(history.begin(), history.end(), [](const Json& line) {
        return line.get<std::string>().starts_with("frames ");
    }));
    std::uint64_t steps = 0;
    for (const Json& line : history)
        if (unsigned long a = 0, b = 0;
            std::sscanf(line.get<std::string>().c_str(), "frames %lu %lu", &a, &b) == 2)
            steps += a * b;
    history[history.size() - 1] = "end " + std::to_string(steps);
    scene["state"]["steps"] = 1;
    Session session{command_table()};
    frames(session, "open " + write("few.json", scene.dump()), 2);
    ASSERT_EQ(session.refused_commands(), 0u) << session.messages().messages().back().text;
    EXPECT_LT(session.timeline().last_step(), 100u) << "it was not replayed";
    EXPECT_EQ(session.results().bodies.size(), 2u);
    EXPECT_NE(session.messages().messages().back().text.find("was not replayed to its end"),
              std::string::npos);
}

TEST_F(Strangers, CommandsOfARecordCountAsWork) {
    // Each pair of lines makes and removes ten thousand bodies.
    std::string text = kBegin;
    for (int i = 0; i < 20'000; ++i)
        text += "do spawn 10000 box\ndo clear\n";
    Session session{command_table()};
    frames(session, "open " + write("busy.bvrec", text + "frames 1 1\nend 1\n"), 2);
    EXPECT_EQ(session.refused_commands(), 0u) << session.messages().messages().back().text;
    EXPECT_TRUE(session.timeline().in_past()) << "a frame does a part of it";
}

TEST_F(Strangers, LinesThatPushOthersTakeNoMemory) {
    // Three million lines, of which the record holds none.
    std::string text = kBegin;
    text.replace(text.find("volumes"), 7, "voxel-invaders");
    for (int i = 0; i < 3000; ++i)
        text += "do step.next 1000\n";
    const std::string file = write("steps.bvrec", text + "frames 1 1\nend 1\n");
    Session session{command_table()};
    frames(session, "scene voxel-invaders", 2);
    const std::size_t before = most_memory();
    frames(session, "open " + quote_word(file) + "\ntime.goto end", 2);
    EXPECT_EQ(session.refused_commands(), 0u) << session.messages().messages().back().text;
    EXPECT_FALSE(session.timeline().in_past());
    EXPECT_EQ(session.commands().size(), 0u);
    EXPECT_LT(most_memory() - before, std::size_t{100} << 20);
}

TEST_F(Strangers, WhatASceneMakesAnewCountsAsWork) {
    std::string samples, cuts, trees;
    for (int i = 0; i < 30; ++i) {
        trees += "do set bvh.mesh=cinquefoil\ndo set bvh.mesh=torus_knot\n";
        samples += "do set capture.sample=busy\ndo set capture.sample=sound\n";
        cuts += fmt::format("do scene.drag plane 0.{:02} 2.4 0\ndo cut\ndo undo\n", i);
    }
    for (const auto& [scene, lines] :
         {std::pair{"capture", samples}, std::pair{"mesh-cut", cuts}, std::pair{"mesh-bvh", trees}}) {
        std::string text = kBegin;
        text.replace(text.find("volumes"), 7, scene);
        const std::string file = write("anew.bvrec", text + lines + "frames 1 1\nend 1\n");
        for (const JobMode mode : {JobMode::Wait, JobMode::Slices}) {
            Session session{command_table()};
            session.work_in_background(mode, {});
            frames(session, "open " + quote_word(file), 1);
            for (int i = 0; i < 100 && session.timeline().tape().size() < 60; ++i)
                frames(session, "", 1);
            EXPECT_EQ(session.refused_commands(), 0u) << session.messages().messages().back().text;
            EXPECT_TRUE(session.timeline().in_past()) << scene << ": a frame does a part of it";
        }
    }
}

TEST_F(Strangers, FramesThatAreComparedWithTheReferenceCountAsWork) {
    std::string text = kBegin + "do spawn 2000 box\ndo set verify=true\n";
    for (int i = 0; i < 1000; ++i)
        text += "frames 100 0\n";
    const std::string file = write("compared.bvrec", text + "frames 1 1\nend 1\n");
    for (const JobMode mode : {JobMode::Wait, JobMode::Slices}) {
        Session session{command_table()};
        session.work_in_background(mode, {});
        frames(session, "open " + quote_word(file), 3);
        for (int i = 0; i < 100 && !session.timeline().in_past(); ++i)
            frames(session, "", 1);
        EXPECT_EQ(session.refused_commands(), 0u) << session.messages().messages().back().text;
        EXPECT_TRUE(session.timeline().in_past())
            << "a frame does a part of it: " << session.state().world.bodies().size() << " bodies, "
            << session.results().checks.frames << " frames";
        EXPECT_LT(session.results().checks.frames, 200u);
    }
}

TEST_F(Strangers, ASceneCanHaveAsManyMadeMeshesAsBodies) {
    constexpr int kCount = 20'000;
    Json scene = scene_of("scene welcome; clear; spawn 1");
    Json body = scene["state"]["bodies"][0];
    scene.erase("history");
    scene["state"]["bodies"].clear();
    for (int i = 0; i < kCount; ++i) {
        body["id"] = i + 1;
        body["mesh"] = fmt::format("piece {:05}", i);
        scene["made_meshes"].push_back(body["mesh"]);
        scene["state"]["bodies"].push_back(body);
    }
    const std::string file = write("made.json", scene.dump());
    scene = nullptr;
    Session session{command_table()};
    frames(session, "scene volumes", 1);
    frames(session, "open " + quote_word(file), 1);
    EXPECT_EQ(session.refused_commands(), 0u) << session.messages().messages().back().text;
    EXPECT_EQ(session.results().scene_id, "welcome");
    EXPECT_EQ(session.results().bodies.size(), 0u) << "nothing made them";
}

TEST_F(Strangers, BodiesInOnePlaceAreCountedAndNotAllKept) {
    // Their pairs would be 4.5 million.
    constexpr std::uint64_t kBodies = 3000;
    for (const bv::BroadphaseInfo& info : bv::broadphase_kinds()) {
        Session session{command_table()};
        frames(session, "scene welcome; clear; pause on; set broadphase.kind=" + std::string(info.id), 1);
        BodySpec spec;
        spec.mesh = *session.meshes().find("box");
        for (std::uint64_t i = 0; i < kBodies; ++i)
            ASSERT_TRUE(session.state().world.add(spec).valid());
        frames(session, "", 1);
        const PairStages& pairs = session.results().pairs;
        EXPECT_EQ(pairs.broad_count(), kBodies * (kBodies - 1) / 2) << info.id;
        ASSERT_EQ(pairs.broad.size(), PairFinder::kMaxPairs) << info.id;
        EXPECT_TRUE(pairs.all_counted);
        // The first ones in order, whichever engine found them.
        std::size_t k = 0;
        const std::uint32_t first = session.results().bodies.front().id.value;
        for (std::uint32_t a = first; k < pairs.broad.size(); ++a)
            for (std::uint32_t b = a + 1; b < first + kBodies && k < pairs.broad.size(); ++b, ++k)
                ASSERT_EQ(pairs.broad[k], (BodyPair{{a}, {b}})) << info.id;
        EXPECT_NE(session.messages().messages().back().text.find("4,498,500 pairs of boxes"),
                  std::string::npos)
            << session.messages().messages().back().text;
        const Json report = Json::parse(io::report_text(make_report(session, "test")));
        EXPECT_EQ(report["pairs"]["broad"], 4498500);
        EXPECT_EQ(report["stats"]["pairs_left_out"], 2498500);
        if (info.kind != bv::BroadphaseKind::WideTree) continue;
        frames(session, "set verify=true; step 1", 1);
        EXPECT_TRUE(session.results().checks.differences.empty())
            << session.results().checks.differences.front();
    }
}

TEST_F(Strangers, ABrokenTreeIsOpenedMarkedAndListed) {
    bv::TreeSnapshot t;
    t.boxes = {{{0, 0, 0}, {4, 4, 4}}, {{0, 0, 0}, {1, 1, 1}}, {{2, 2, 2}, {6, 4, 4}}};
    t.parents = {bv::TreeSnapshot::kNone, 0, 0};
    t.first_child = {1, bv::TreeSnapshot::kNone, bv::TreeSnapshot::kNone};
    t.child_count = {2, 0, 0};
    t.depths = {0, 1, 1};
    t.source_nodes = {0, 1, 2};
    t.first_payload = {0, 0, 1};
    t.payload_count = {0, 1, 1};
    t.payloads = {7, 8};
    t.payload_boxes = {t.boxes[1], t.boxes[2]};
    ASSERT_FALSE(io::write_tree_file(path("broken.bvtree"), t));
    Session session{command_table()};
    frames(session, "open " + path("broken.bvtree"), 2);
    EXPECT_EQ(session.refused_commands(), 0u) << session.messages().messages().back().text;
    ASSERT_EQ(session.results().broken_nodes.size(), 1u);
    EXPECT_EQ(session.results().broken_nodes[0].tree, "file");
    EXPECT_EQ(session.results().broken_nodes[0].nodes, (std::vector<bv::LooseNode>{{0, 2, 0, 2.0f}}));
    const Json report = Json::parse(io::report_text(make_report(session, "test")));
    EXPECT_EQ(report["tables"]["tree_broken"]["rows"], Json::parse(R"([[0, 0, "node 2", 2]])"));
    EXPECT_EQ(report["tables"]["tree_file"]["columns"].back(), "broken");
    EXPECT_EQ(report["tables"]["tree_file"]["rows"][0].back(), 1) << "of its nodes";
    const auto warned = [](const Message& m) {
        return m.text.find("1 of its nodes does not contain") != std::string::npos;
    };
    EXPECT_TRUE(
        std::any_of(session.messages().messages().begin(), session.messages().messages().end(), warned));
    // It can be saved as a scene and opened again.
    const std::string scene = path("scene.json");
    session.saver().save_scene(scene);
    Session again{command_table()};
    frames(again, "open " + scene, 2);
    EXPECT_EQ(again.refused_commands(), 0u) << again.messages().messages().back().text;
    EXPECT_EQ(again.results().broken_nodes.size(), 1u);
}

TEST_F(Strangers, StepsRequestedTogetherMakeARecordingThatOpens) {
    Session session{command_table()};
    frames(session, "scene aabb-overlap", 1);
    for (int i = 0; i < 3; ++i)
        session.commands().push("step 10000");
    frames(session, "", 1);
    EXPECT_EQ(session.results().steps, 10'000u + 1u);
    frames(session, "", 2);
    EXPECT_EQ(session.results().steps, 30'000u + 1u);
    const io::SceneFile saved = session.saver().saved_scene();
    const auto again = io::parse_recording(saved.history, "x");
    EXPECT_TRUE(again) << again.error().text();
}

TEST_F(Strangers, TheFilesThatASessionHoldsHaveALimitInBytes) {
    std::string list;
    for (int i = 0; i < 1000; ++i)
        list += "0 0 0 1 1 1\n";
    const std::string mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n#" +
                             std::string(list.size(), ' ') + "\n";
    for (const char* name : {"a.csv", "b.csv", "c.csv"})
        write(name, list);
    write("m.obj", mesh);
    const auto open = [&](Session& session, const std::string& name) {
        const std::uint64_t before = session.refused_commands();
        frames(session, "open " + quote_word(path(name)), 1);
        return session.refused_commands() == before ? "" : session.messages().messages().back().text;
    };
    Session session{command_table()};
    session.parts().opener.limit_bytes(3 * list.size());
    EXPECT_EQ(open(session, "m.obj"), "");
    EXPECT_EQ(open(session, "a.csv"), "");
    const std::string scene = path("a.json");
    session.saver().save_scene(scene);
    const std::string refused = open(session, "b.csv");
    EXPECT_NE(refused.find("b.csv: the open files take 0 MB"), std::string::npos) << refused;
    EXPECT_EQ(session.shown().opened.box_lists.size(), 1u) << "nothing already there is lost";
    EXPECT_EQ(open(session, "a.csv"), "") << "what is opened again replaces itself";
    EXPECT_EQ(open(session, "m.obj"), "");
    write("m.obj", mesh + "# and so the file has changed, not the mesh\n");
    EXPECT_EQ(open(session, "m.obj"), "");
    EXPECT_EQ(session.shown().opened.mesh_files.size(), 1u) << "the same mesh is held once";

    // A scene needs both of them: they count once where they are open, and together where they are not.
    EXPECT_EQ(open(session, "a.json"), "");
    EXPECT_EQ(session.shown().opened.box_lists.size(), 1u);
    Session small{command_table()};
    small.parts().opener.limit_bytes(2 * list.size());
    EXPECT_NE(open(small, "a.json").find("a.json: the open files take 0 MB"), std::string::npos);
    EXPECT_EQ(small.shown().opened.box_lists.size(), 0u);
    EXPECT_EQ(open(small, "b.csv"), "");
    EXPECT_EQ(open(small, "c.csv"), "");
    EXPECT_NE(open(small, "a.csv"), "");
    small.parts().opener.limit_bytes(5 * list.size());
    EXPECT_EQ(open(small, "a.json"), "");
    EXPECT_EQ(small.shown().opened.box_lists.size(), 1u) << "a scene shows its own lists alone";
    EXPECT_EQ(open(small, "b.csv"), "");
    EXPECT_EQ(open(small, "c.csv"), "");
}

TEST_F(Strangers, CapturesThatAreHeldInMemoryCountInThatLimit) {
    std::string lines = "{\"capture\": 1}\n{\"frame\": 0}\n";
    for (int i = 1; i <= 100; ++i)
        lines += fmt::format("{{\"create\": {}, \"tight\": [0,0,0,1,1,1]}}\n", i);
    for (const char* name : {"a.jsonl", "b.JSONL"})
        write(name, lines);
    Session session{command_table()};
    session.parts().opener.limit_bytes(lines.size() * 3 / 2);
    frames(session, "open " + quote_word(path("a.jsonl")), 1);
    frames(session, "open " + quote_word(path("a.jsonl")), 1);
    EXPECT_EQ(session.refused_commands(), 0u) << "what is opened again replaces itself";
    frames(session, "open " + quote_word(path("b.JSONL")), 1);
    EXPECT_EQ(session.refused_commands(), 1u);
    EXPECT_NE(session.messages().messages().back().text.find("b.JSONL: the open files take 0 MB"),
              std::string::npos)
        << session.messages().messages().back().text;
    EXPECT_EQ(session.shown().opened.captures.size(), 1u);
}

TEST_F(Strangers, NamesOfAnyLengthAreRefusedAtOnceAndShownInPart) {
    const std::string huge(20'000'000, 'x');
    Settings settings{setting_catalog()};
    EXPECT_TRUE(settings.set(huge, "1"));
    EXPECT_TRUE(did_you_mean(huge, std::vector<std::string_view>{"torus"}).empty());
    Session session{command_table()};
    session.commands().push("set " + huge + "=1");
    session.commands().push("spawn 1 " + huge);
    session.commands().push(huge);
    frames(session, "", 1);
    EXPECT_EQ(session.refused_commands(), 3u);
    for (const Message& message : session.messages().messages())
        EXPECT_LT(message.text.size(), 5000u);
}

}  // namespace
}  // namespace lab
