// What a refused command says.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "commands/catalog.hpp"
#include "scenes/scenes.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "temp_dir.hpp"

namespace lab {
namespace {

using test::frame;
using test::frames;

/// What a refused command answers; empty if it was accepted.
std::string refusal_of(Session& session, std::string_view line) {
    const auto before = session.refused_commands();
    frame(session, line);
    return session.refused_commands() == before ? std::string() : session.messages().messages().back().text;
}

/// The scenes that a text names, as commands.
std::vector<std::string> scenes_named_in(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; (at = text.find("`scene ", at)) != std::string::npos; ++at)
        lines.push_back(text.substr(at + 1, text.find('`', at + 1) - at - 1));
    return lines;
}

TEST(Refusals, NameAllScenesInWhichTheCommandWorksAndNoOther) {
    for (const SceneSpec& scene : scene_specs())
        for (const SceneCommand& command : scene.commands) {
            Session session{command_table()};
            frame(session, "scene welcome");
            const std::string why = refusal_of(session, command.id);
            EXPECT_NE(why.find(command.id), std::string::npos) << why;
            const std::vector<std::string> named = scenes_named_in(why);
            for (const SceneSpec& other : scene_specs()) {
                const bool knows_it =
                    std::any_of(other.commands.begin(), other.commands.end(),
                                [&](const SceneCommand& its) { return its.id == command.id; });
                EXPECT_EQ(std::count(named.begin(), named.end(), fmt::format("scene {}", other.id)),
                          knows_it ? 1 : 0)
                    << why;
            }
            for (const std::string& line : named) {
                frames(session, line, 3);
                EXPECT_EQ(refusal_of(session, command.id), "") << line;
            }
        }
}

TEST(Refusals, NoSceneTakesTheCommandOfAnother) {
    for (const SceneSpec& scene : scene_specs()) {
        Session session{command_table()};
        frame(session, fmt::format("pause on; scene {}", scene.id));
        for (const SceneSpec& other : scene_specs())
            for (const SceneCommand& command : other.commands) {
                const bool knows_it =
                    std::any_of(scene.commands.begin(), scene.commands.end(),
                                [&](const SceneCommand& its) { return its.id == command.id; });
                if (knows_it) continue;
                const auto before = session.refused_commands();
                session.commands().push(std::string(command.id));
                session.drain();
                EXPECT_EQ(session.refused_commands(), before + 1) << command.id << " in " << scene.id;
            }
    }
}

TEST(Refusals, ThePictureLiesWhereRecordingsCanSay) {
    Session session{command_table()};
    frame(session, "scene welcome");
    for (const char* line : {"view.size 800 600 -5 0", "view.size 800 600 0 70000", "view.size 0 600"})
        EXPECT_NE(refusal_of(session, line).find("65536"), std::string::npos) << line;
    for (const char* line : {"view.size 800 600", "view.size 800 600 0 0", "view.size 1 1 0.5 65536"})
        EXPECT_EQ(refusal_of(session, line), "") << line;
    EXPECT_EQ(session.state().view.rect.min_px, glm::vec2(0.5f, 65536.0f));
}

TEST(Refusals, RebuildingATreeNamesAllWays) {
    Session session{command_table()};
    frame(session, "scene welcome; set broadphase.kind=dynamic-tree");
    const std::string why = refusal_of(session, "tree.rebuild zz");
    for (const char* builder :
         {"median", "morton", "binned", "sweep", "agglomerative", "manhattan", "greedy", "branch_and_bound"})
        EXPECT_NE(why.find(builder), std::string::npos) << why;
}

TEST(Refusals, AFileIsNamedOnce) {
    const test::TempDir folder;
    const std::string missing = (folder / "missing.obj").string(), odd = (folder / "odd.xyz").string();
    const std::string list = folder.write("list.txt", "1 2 3\n").string();
    for (const std::string& path : {missing, odd, list}) {
        Session session{command_table()};
        frame(session, "scene welcome");
        const std::string why = refusal_of(session, "open " + path);
        ASSERT_NE(why.find(path), std::string::npos) << why;
        EXPECT_EQ(why.find(path), why.rfind(path)) << why;
    }
}

TEST(Refusals, SteppingWithoutStepsNamesASceneWithSteps) {
    for (const char* line :
         {"step.next", "step.last", "step.goto 3", "step.change", "step.play", "scene.step"}) {
        Session session{command_table()};
        frame(session, "scene welcome");
        const std::string why = refusal_of(session, line);
        EXPECT_NE(why.find("There are no steps here"), std::string::npos) << line << ": " << why;
        const std::vector<std::string> named = scenes_named_in(why);
        ASSERT_EQ(named.size(), 1u) << why;
        frames(session, named[0], 3);
        EXPECT_EQ(refusal_of(session, line), "") << named[0];
    }
}
}  // namespace
}  // namespace lab
