// Links: what they stand for, what they may not do, and that a copied one shows the same session again.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "commands/catalog.hpp"
#include "io/sessions/packed_text.hpp"
#include "scenes/scenes.hpp"
#include "session/files/link.hpp"
#include "session/files/saver.hpp"
#include "session/report.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "settings/program.hpp"
#include "settings/suggest.hpp"

namespace lab {
namespace {

using Lines = std::vector<std::string>;

Lines lines_of(std::string_view link) {
    Lines lines;
    const CommandResult problem = read_link(link, command_table(), lines);
    EXPECT_FALSE(problem) << link << ": " << *problem;
    return lines;
}

std::string problem_of(std::string_view link) {
    Lines lines;
    const CommandResult problem = read_link(link, command_table(), lines);
    EXPECT_TRUE(lines.empty()) << link;
    return problem.value_or("");
}

/// Everything that repeats of what a session shows.
std::string shown(const Session& session, bool with_errors = true) {
    io::Report report = make_report(session, "");
    io::erase_timings(report);
    if (!with_errors) report.errors.clear();
    return io::report_text(report);
}

TEST(Links, AreToldFromFiles) {
    for (const char* link : {"#", "#scene=welcome", "https://example.org/lab/#scene=welcome",
                             "http://localhost:8000/#", "file:///home/me/bvlab.html#run=pause"})
        EXPECT_TRUE(is_link(link)) << link;
    for (const char* file : {"model.obj", "./#1.obj", "a#b.obj", "https.obj", ""})
        EXPECT_FALSE(is_link(file)) << file;
}

TEST(Links, StandForTheCommandsOfTheCommandLine) {
    EXPECT_EQ(lines_of(""), Lines());
    EXPECT_EQ(lines_of("#"), Lines());
    EXPECT_EQ(lines_of("#&&"), Lines());
    EXPECT_EQ(lines_of("#scene=obb-sat&set=sat.axis=7"),
              (Lines{"set sat.axis=7", "scene obb-sat", "set sat.axis=7"}));
    EXPECT_EQ(lines_of("https://example.org/x?embed#lesson=ray-box&page=2"),
              (Lines{"lesson ray-box", "lesson.page 2"}));
    EXPECT_EQ(lines_of("#saved=AB&lesson=ray-box&page=2"),
              (Lines{"lesson.resume ray-box 2", "link.saved AB"}));
    EXPECT_EQ(lines_of("#lesson=ray-box&saved=AB"), (Lines{"lesson.resume ray-box 1", "link.saved AB"}));
    EXPECT_EQ(lines_of("#seed=7"), (Lines{"set world.seed=7", "set world.seed=7"}));
    EXPECT_EQ(lines_of("#run=pause;%20step%2010&run=step%205"), (Lines{"pause", "step 10", "step 5"}));
    EXPECT_EQ(lines_of("#embed&scene=welcome"), Lines{"scene welcome"});
}

TEST(Links, ThatAreWrongSayWhatIs) {
    EXPECT_NE(problem_of("#scene=nowhere").find("nowhere"), std::string::npos);
    for (const std::string key : {"scene", "lesson", "page", "seed", "saved"})
        EXPECT_NE(problem_of("#" + key + "=").find("nothing after '" + key + "='"), std::string::npos) << key;
    EXPECT_NE(problem_of("#saved=AB&lesson=ray-bx&page=2").find("did you mean 'ray-box'"), std::string::npos);
    EXPECT_NE(problem_of("#sceen=welcome").find("did you mean 'scene'"), std::string::npos);
    EXPECT_NE(problem_of("#scene=%4").find("percent"), std::string::npos);
    EXPECT_NE(problem_of("#scene=%zz").find("percent"), std::string::npos);
    EXPECT_NE(problem_of("#scene=a&scene=b").find("twice"), std::string::npos);
    EXPECT_NE(problem_of("#set=no.such=1").find("no.such"), std::string::npos);
    EXPECT_NE(problem_of("#set=world.seed=blue").find("world.seed"), std::string::npos);
    EXPECT_NE(problem_of("#run=jump%201").find("jump"), std::string::npos);
    EXPECT_NE(problem_of("#seed=1%0aquit").find("seed"), std::string::npos);
    EXPECT_EQ(problem_of("#scene=nowhere").rfind("the link: `scene nowhere`: there is no scene", 0), 0u)
        << "each line is named once: " << problem_of("#scene=nowhere");
}

// Every command that names a file or a folder in its usage is marked, and no link may run it.
TEST(Links, RunNoCommandThatReadsOrWritesFiles) {
    std::size_t marked = 0;
    for (const CommandSpec& spec : command_table().rows()) {
        const bool names_a_file = spec.usage.find("FILE") != std::string_view::npos ||
                                  spec.usage.find("FOLDER") != std::string_view::npos;
        const bool opens_a_port = spec.id == "listen";
        EXPECT_EQ(spec.touches_files, names_a_file || opens_a_port) << spec.id;
        if (!spec.touches_files) continue;
        ++marked;
        const std::string line = std::string(spec.id) + "%20/tmp/x.json%201";
        EXPECT_NE(problem_of("#run=" + line).find("read or write files"), std::string::npos) << spec.id;
        EXPECT_NE(problem_of("#scene=welcome&run=pause;" + line), "") << spec.id;
        EXPECT_NE(problem_of("#run=\"" + std::string(spec.id) + "\"%20/tmp/x"), "") << spec.id;
    }
    EXPECT_GE(marked, 9u);
}

TEST(Links, LeaveTheWindowToTheUser) {
    for (const std::string id : {"quit", "fullscreen", "site", "link.copy", "jobs.cancel"}) {
        EXPECT_NE(command_table().find(id), nullptr) << id;
        EXPECT_NE(problem_of("#run=" + id).find("may not quit the program"), std::string::npos) << id;
        EXPECT_NE(problem_of("#scene=welcome&run=pause;%20" + id), "") << id;
    }
}

TEST(Suggestions, NameNoOptionOfTheCommandLineInAPage) {
    const std::vector<std::string_view> names{"torus", "welcome"};
    EXPECT_EQ(no_such("scene", "zzz", names, false), "there is no scene 'zzz'; --list-scenes lists them all");
    EXPECT_EQ(no_such("scene", "zzz", names, true),
              "there is no scene 'zzz'; the palette of commands lists them all");
    EXPECT_EQ(no_such("scene", "welcom", names, true), "there is no scene 'welcom'; did you mean 'welcome'?");
}

TEST(Links, DoAPartOfTheirWorkInEachFrame) {
    std::string link = "#scene=volumes&run=";
    for (int i = 0; i < 200; ++i)
        link += "spawn%2010000;clear;";
    Session session{command_table()};
    for (const std::string& line : lines_of(link + "spawn%203"))
        session.commands().push(line, std::string(kLinkOrigin));
    const std::size_t all = session.commands().size();
    session.drain();
    EXPECT_GT(session.commands().size(), all / 2);
    int drains = 0;
    for (; !session.commands().empty() && drains < 200; ++drains)
        session.drain();
    EXPECT_GT(drains, 5);
    EXPECT_EQ(session.refused_commands(), 0u);
    EXPECT_EQ(session.state().world.bodies().size(), 3u) << "nothing is lost";
}

TEST(Links, LinesThatTheirLinesPushCountAsTheirWork) {
    Session session{command_table()};
    test::frame(session, "scene voxel-invaders; pause on");
    constexpr std::size_t kPushed = 50'000;
    for (std::size_t i = 0; i < kPushed; i += 1000)
        session.commands().push("step.next 1000", std::string(kLinkOrigin));
    session.drain();
    ASSERT_EQ(session.commands().size(), kPushed);
    session.drain();
    EXPECT_LT(session.commands().size(), kPushed) << "a frame does a part of it";
    EXPECT_GT(session.commands().size(), kPushed / 2);
    EXPECT_EQ(session.refused_commands(), 0u);
}

// What a user has done, and where the user's files are, is not for a stranger to say.
TEST(Links, DoNotChangeWhatBelongsToTheUser) {
    for (const SettingSpec* row : kProgressSettings) {
        const std::string id(row->id);
        EXPECT_NE(problem_of("#set=" + id + "=x").find("belongs to the user"), std::string::npos) << id;
        EXPECT_NE(problem_of("#run=set%20" + id + "%20x").find("belongs to the user"), std::string::npos)
            << id;
        EXPECT_NE(problem_of("#run=reset%20" + id).find("belongs to the user"), std::string::npos) << id;
    }
}

TEST(Links, PackedTextsComeBack) {
    std::string text;
    for (int i = 0; i < 3000; ++i) {
        text += static_cast<char>(i * i * 7 + i / 3);
        if (i < 40 || i % 500 == 0) {
            const io::Result<std::string> back = io::unpack_text(io::pack_text(text), 10000);
            ASSERT_TRUE(back.ok()) << i;
            EXPECT_EQ(*back, text);
        }
    }
    const std::string packed = io::pack_text(text);
    EXPECT_EQ(packed.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
              std::string::npos);
    EXPECT_FALSE(io::unpack_text(packed, text.size() - 1).ok());
    EXPECT_FALSE(io::unpack_text(packed.substr(0, packed.size() / 2), 10000).ok());
    EXPECT_FALSE(io::unpack_text(packed + "!", 10000).ok());
    EXPECT_FALSE(io::unpack_text("", 10000).ok());
}

TEST(Links, DamagedOnesChangeNothing) {
    Session session{command_table()};
    test::frame(session, "scene welcome; pause");
    const std::string before = shown(session);
    const std::string good = session.saver().link().ok() ? *session.saver().link() : "";
    ASSERT_NE(good, "");
    for (std::size_t at = 10; at < good.size(); at += 37) {
        std::string bad = good;
        bad[at] = bad[at] == 'A' ? 'B' : 'A';
        test::frame(session, "link.saved " + bad.substr(7, at));
        EXPECT_EQ(session.state().scene.spec->id, "welcome");
    }
    for (const Message& message : session.messages().messages())
        EXPECT_LT(message.text.size(), 120u) << message.text;
    EXPECT_EQ(session.results().bodies.size() > 0, before.size() > 0);
}

/// A link to what a session shows must show it again, without a complaint.
void expect_again(Session& first, const std::string& what) {
    const io::Result<std::string> link = first.saver().link();
    ASSERT_TRUE(link.ok()) << what << ": " << link.error().text();
    Session second{command_table()};
    std::string script;
    for (const std::string& line : lines_of(*link))
        script += line + "\n";
    test::frame(second, script);
    EXPECT_EQ(shown(second, false), shown(first, false)) << what;
    for (const Message& message : second.messages().messages())
        EXPECT_EQ(message.severity, Severity::Info) << what << ": " << message.text;
}

struct Case {
    const char* name;
    std::vector<std::string> frames;  ///< Commands of each frame; empty: only a step.
};

std::vector<Case> cases() {
    std::vector<Case> all = {
        {"edited",
         {"scene welcome", "", "spawn 3 torus", "", "camera.orbit 20 10", "select 2; move.by 0 1 0", ""}},
        {"paused", {"scene welcome; set world.seed=9", "", "pause", "step 40", "set draw.obb=true"}},
        {"rays", {"scene ray-picking", "", "ray.pin 0 5 0 0 -1 0.1", "camera.zoom 0.7", ""}},
        {"past", {"scene welcome", "", "", "", "", "time.back 2"}},
    };
    return all;
}

TEST(Links, ShowTheSameSessionAgain) {
    for (const Case& c : cases()) {
        Session first{command_table()};
        for (const std::string& line : c.frames)
            test::frame(first, line);
        const io::Result<std::string> link = first.saver().link();
        ASSERT_TRUE(link.ok()) << c.name << link.error().text();
        EXPECT_LT(link->size(), 4000u) << c.name;
        Session second{command_table()};
        std::string script;
        for (const std::string& line : lines_of(*link))
            script += line + "\n";
        test::frame(second, script);
        EXPECT_EQ(shown(second), shown(first)) << c.name;
        const bool pauses = first.state().settings[kSimPaused];
        EXPECT_EQ(pauses, std::string_view(c.name) == "paused" || std::string_view(c.name) == "past")
            << c.name;
        EXPECT_EQ(second.state().settings[kSimPaused], pauses) << c.name;
    }
}

TEST(Links, OfEverySceneShowItAgain) {
    for (const SceneSpec& scene : scene_specs()) {
        Session first{command_table()};
        test::frame(first, "scene " + std::string(scene.id));
        for (int i = 0; i < 20; ++i)
            test::frame(first, i == 10 ? "camera.orbit 15 5" : "");
        const io::Result<std::string> link = first.saver().link();
        ASSERT_TRUE(link.ok()) << scene.id << link.error().text();
        Session second{command_table()};
        test::frame(second, "link.saved " + link->substr(std::string_view("#saved=").size()));
        EXPECT_EQ(shown(second), shown(first)) << scene.id;
    }
}

TEST(Links, ShowAsMuchInAWindowOfAnotherShape) {
    for (const char* scene : {"fit-sphere", "ray-aabb", "stress"}) {
        Session first{command_table()};
        test::frame(first, "view.size 390 800; scene " + std::string(scene));
        EXPECT_LT(first.state().view.camera.framed_aspect, Camera::kAspect) << scene;
        test::frame(first, "camera.zoom 0.9");
        const io::Result<std::string> link = first.saver().link();
        ASSERT_TRUE(link.ok()) << scene << link.error().text();
        Session second{command_table()};
        test::frame(second, "view.size 390 800");
        test::frame(second, "link.saved " + link->substr(std::string_view("#saved=").size()));
        EXPECT_EQ(second.state().view.camera, first.state().view.camera) << scene;
        test::frame(first, "camera.reset");
        test::frame(second, "camera.reset");
        EXPECT_EQ(second.state().view.camera, first.state().view.camera) << scene;
    }
}

TEST(Links, KeepWhatWasDragged) {
    for (const SceneSpec& scene : scene_specs()) {
        Session first{command_table()};
        test::frame(first, "scene " + std::string(scene.id));
        std::size_t dragged = 0;
        for (const Handle& handle : std::vector<Handle>(first.results().handles)) {
            const glm::vec3 to = handle.position + glm::vec3(0.11f, 0.07f, -0.05f);
            test::frame(first, "scene.drag " + quote_word(handle.id) + " " + std::to_string(to.x) + " " +
                                   std::to_string(to.y) + " " + std::to_string(to.z));
            if (++dragged == 3) break;
        }
        if (dragged == 0) continue;
        test::frames(first, "", 3);
        expect_again(first, std::string(scene.id));
        test::frame(first, "undo");
        expect_again(first, std::string(scene.id) + " undone");
    }
}

TEST(Links, KeepWhatWasAddedAndRemoved) {
    for (const char* scene : {"hull", "fit-sphere", "fit-obb", "fit-kdop"}) {
        Session first{command_table()};
        test::frame(first, "scene " + std::string(scene));
        for (const char* line : {"points.add", "points.remove", "undo", "undo", "redo"}) {
            test::frames(first, line, 3);
            expect_again(first, std::string(scene) + " " + line);
        }
    }
}

TEST(Links, KeepTheViewOfSomeoneWhoLooksBack) {
    Session first{command_table()};
    test::frames(first, "scene welcome", 8);
    test::frame(first, "time.goto 3; camera.orbit 10 0; hide 25; ray.pin 0 0 0 1 0 0; set draw.obb=false");
    test::frame(first);
    expect_again(first, "hidden");
}

TEST(Links, ToWhatOnlyFilesHoldAreRefused) {
    Session session{command_table()};
    test::frame(session, "scene welcome");
    Saver& saver = session.saver();
    ASSERT_TRUE(saver.link().ok());
    for (int i = 0; i < 1500; ++i)
        test::frame(session,
                    "select " + std::to_string(i % 7 + 1) + "; camera.orbit 1." + std::to_string(i) + " 0.3");
    ASSERT_FALSE(saver.link().ok());
    EXPECT_NE(saver.link().error().text().find("characters"), std::string::npos);
}

TEST(Links, ThatCouldNotBeOpenedAreNotMade) {
    Session session{command_table()};
    session.state().view.rect.min_px = {-5.0f, 0.0f};
    test::frame(session, "scene welcome");
    const io::Result<std::string> link = session.saver().link();
    ASSERT_FALSE(link.ok());
    EXPECT_NE(link.error().text().find("could not be opened again"), std::string::npos)
        << link.error().text();
}

}  // namespace
}  // namespace lab
