// Every command in every state: twice in a row, in every scene, in an empty world, with nothing selected,
// with bodies that are gone, with too few and too many words, with words that mean nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "commands/catalog.hpp"
#include "io/sessions/report.hpp"
#include "program.hpp"
#include "session/report.hpp"
#include "session_test_tools.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

using test::frame;
using test::frames;

/// The arguments for each command. `@` is the test's own folder.
const std::map<std::string_view, std::vector<std::string>>& examples() {
    static const std::map<std::string_view, std::vector<std::string>> kExamples = {
        {"scene", {"next", "previous", "welcome"}},
        {"restart", {""}},
        {"scene.drag", {"a 1 1 1", "plane 0 2 0"}},
        {"scene.value", {"a 1 1 1", "plane 0 2 0", "a.roll 30"}},
        {"scene.values", {"\"A, center = (1, 2, 3) m; B, center = 0 1 0\""}},
        {"invaders.left", {""}},
        {"invaders.right", {""}},
        {"invaders.fire", {""}},
        {"cut", {""}},
        {"scene.step", {"", "3", "-2"}},
        {"step.next", {"", "2"}},
        {"step.back", {"", "2"}},
        {"step.first", {""}},
        {"step.last", {""}},
        {"step.goto", {"0", "3"}},
        {"step.change", {"", "back"}},
        {"step.play", {"", "on", "off"}},
        {"points.add", {""}},
        {"points.remove", {""}},
        {"corners.add", {""}},
        {"corners.remove", {""}},
        {"pause", {"", "on", "off", "toggle"}},
        {"film.play", {"", "on", "off"}},
        {"film.step", {"", "-1", "10"}},
        {"film.mark", {"", "back"}},
        {"step", {"", "2"}},
        {"speed", {"0.5", "1"}},
        {"time.back", {"", "3"}},
        {"time.goto", {"start", "end", "2"}},
        {"record.save", {"@/r.bvrec"}},
        {"spawn", {"", "3", "2 torus", "2 any"}},
        {"spawn.at", {"640 360", "640 360 2", "640 360 2 cube"}},
        {"remove", {"", "4", "4 4", "5 6"}},
        {"clear", {""}},
        {"body.set", {"fit.obb=exact", "fit.obb=all 1", "volume.pair_kind=obb 2 2"}},
        {"hide", {"", "1", "1 1"}},
        {"show", {"all", "1", "1 1", ""}},
        {"isolate", {"", "1", "1 1"}},
        {"move", {"1 0 1 0"}},
        {"move.by", {"0.1 0 0", "0.1 0 0 1", "0.1 0 0 1 1"}},
        {"turn", {"0 1 0 30", "0 2 0 30 1", "1 1 0 10 1 1"}},
        {"copy", {""}},
        {"paste", {""}},
        {"duplicate", {""}},
        {"undo", {""}},
        {"redo", {""}},
        {"edit.begin", {"", "drag"}},
        {"edit.end", {""}},
        {"select", {"1", "add 2", "toggle 1", "all", "none", "1 1"}},
        {"select.box", {"0 0 1280 720", "0 0 1280 720 add", "5 5 5 5"}},
        {"select.node", {"bodies 0", "bodies 2", "none", "nowhere 1"}},
        {"select.parent", {""}},
        {"select.ray", {"0", "3"}},
        {"select.triangle", {"1 0", "2 5"}},
        {"pick", {"640 360", "640 360 add", "640 360 toggle", "-5 -5"}},
        {"pick.node", {"640 360", "-5 -5"}},
        {"menu", {"640 360"}},
        {"hover", {"640 360", "none"}},
        {"ray.pin", {"640 360", "-6 2 0 1 0 0.1"}},
        {"ray.remove", {"0", "5"}},
        {"ray.clear", {""}},
        {"probe", {"0 1 0", "9e9 0 0"}},
        {"probe.aim", {"0 1 0"}},
        {"probe.pixel", {"640 360", "-5 -5"}},
        {"camera.orbit", {"10 5"}},
        {"camera.pan", {"10 5"}},
        {"camera.zoom", {"0.9"}},
        {"camera.fly", {"0.1 0 0"}},
        {"camera.frame", {"", "all", "1", "1 1"}},
        {"camera.center", {"640 360"}},
        {"camera.look", {"10 20", "10 20 15"}},
        {"camera.target", {"0 1 0"}},
        {"camera.place", {"0 1 0 10 0.5 0.3", "0 1 0 10 0.5 0.3 1.2", "0 1 0 10 0.5 0.3 1.7777778"}},
        {"camera.reset", {""}},
        {"view.size", {"1280 720", "1000 700 20 30"}},
        {"tree.isolate", {"", "on", "off", "toggle"}},
        {"tree.rebuild", {"", "sah", "manhattan", "median"}},
        {"set", {"draw.obb=false", "draw.obb true"}},
        {"toggle", {"draw.obb", "volume.pair_kind"}},
        {"reset", {"draw.obb", "all"}},
        {"help", {"", "spawn"}},
        {"palette", {"", "scene"}},
        {"back", {""}},
        {"quit", {""}},
        {"open", {"@/none.obj"}},
        {"link", {"#set=draw.obb=false"}},
        {"link.saved", {"no-session"}},
        {"save", {"@/s.json"}},
        {"screenshot", {"@/p.png"}},
        {"report", {"@/r.json"}},
        {"clip", {"@/clip 5"}},
        {"save.boxes", {"@/b.txt", "@/b.csv bodies"}},
        {"save.tree", {"@/t.bvtree", "@/t.bvtree bodies"}},
        {"save.capture", {"@/c.bvcap"}},
        {"capture.show", {"1", "9"}},
        {"listen", {"0", "off", "127.0.0.1:0"}},
        {"export.tree", {"@/t.json", "@/t.dot bodies", "@/t.json nowhere"}},
        {"export.metrics", {"@/m.csv", "@/m.json bodies"}},
        {"lesson", {"spheres", "nowhere"}},
        {"lesson.page", {"2"}},
        {"lesson.resume", {"spheres 2", "spheres 0", "nowhere 1"}},
        {"jobs.cancel", {""}},
    };
    return kExamples;
}

/// A command without a row is run without arguments.
std::vector<std::string> arguments_of(const CommandSpec& spec) {
    const auto known = examples().find(spec.id);
    return known == examples().end() ? std::vector<std::string>{""} : known->second;
}

class EveryCommand : public testing::Test {
  protected:
    [[nodiscard]] std::string line_of(const CommandSpec& spec, std::string arguments) const {
        if (const std::size_t at = arguments.find('@'); at != std::string::npos)
            arguments.replace(at, 1, folder_.path().string());
        return arguments.empty() ? std::string(spec.id) : std::string(spec.id) + " " + arguments;
    }
    /// Runs one frame with the line: it succeeds, or is refused with one message that names the command or
    /// the file.
    void carry_out(Session& session, const std::string& line, const std::string& where) {
        const std::uint64_t refused = session.refused_commands();
        frame(session, line);
        (void)session.take_requests();
        const Edit* const edit = session.state().edits.next_undo();
        EXPECT_TRUE(!edit || !edit->label.empty()) << where << ": undo has no name for " << line;
        const std::uint64_t now = session.refused_commands();
        EXPECT_LE(now, refused + 1) << where << ": " << line;
        bool named = now == refused;
        const std::string command = line.substr(0, line.find(' '));
        const std::string rest = line.substr(std::min(command.size() + 1, line.size()));
        for (const Message& message : session.messages().messages())
            named = named || (message.severity == Severity::Error &&
                              (message.text.find(command) != std::string::npos ||
                               (!rest.empty() && message.text.find(rest) != std::string::npos)));
        EXPECT_TRUE(named) << where << ": " << line << " is refused without a word";
        const FrameResults& results = session.results();
        for (const std::string& difference : results.checks.differences)
            ADD_FAILURE() << where << ": " << line << ": " << difference;
        for (const bv::BodyId id : session.state().view.selection.bodies)
            EXPECT_NE(session.state().world.find(id), nullptr)
                << where << ": " << line << " leaves a body selected";
    }
    void every_command_twice(Session& session, const std::string& before, const std::string& where) {
        for (const CommandSpec& spec : command_table().rows())
            for (const std::string& arguments : arguments_of(spec)) {
                if (!before.empty()) frame(session, before);
                const std::string line = line_of(spec, arguments);
                carry_out(session, line, where);
                carry_out(session, line, where + ", again");
                if (testing::Test::HasFailure()) return;
            }
    }

    test::TempDir folder_;
};

TEST_F(EveryCommand, HasAnExample) {
    std::set<std::string_view> known;
    for (const auto& [id, arguments] : examples()) {
        EXPECT_NE(command_table().find(id), nullptr) << id << " is no command any more";
        known.insert(id);
    }
    for (const CommandSpec& spec : command_table().rows())
        EXPECT_TRUE(spec.min_args == 0 || known.contains(spec.id)) << spec.id << " needs a row above";
    // At least one example of each command succeeds somewhere.
    for (const CommandSpec& spec : command_table().rows())
        for (const std::string& arguments : arguments_of(spec))
            EXPECT_EQ(command_table().check(line_of(spec, arguments)), std::nullopt) << spec.id;
}

TEST_F(EveryCommand, TwiceInEveryScene) {
    for (const SceneSpec& spec : scene_specs()) {
        Session session{command_table()};
        frame(session,
              "set verify=true; set stress.bodies=1000; set crowd.count=50; set pick.largest=2k; scene " +
                  std::string(spec.id));
        // Commands that leave the scene are tried elsewhere.
        for (const CommandSpec& command : command_table().rows()) {
            if (command.id == "scene" || command.id == "open") continue;
            for (const std::string& arguments : arguments_of(command)) {
                const std::string line = line_of(command, arguments);
                carry_out(session, line, std::string(spec.id));
                carry_out(session, line, std::string(spec.id) + ", again");
                if (testing::Test::HasFailure()) return;
            }
        }
    }
}

TEST_F(EveryCommand, TwiceInAnEmptyWorld) {
    Session session{command_table()};
    frame(session, "set verify=true; scene welcome");
    every_command_twice(session, "clear", "empty");
}

TEST_F(EveryCommand, TwiceWithNothingSelected) {
    Session session{command_table()};
    frame(session, "scene welcome");
    every_command_twice(session, "select none; ray.clear", "nothing selected");
}

TEST_F(EveryCommand, TwiceWithEverythingSelected) {
    Session session{command_table()};
    frame(session, "scene welcome");
    every_command_twice(session, "select all", "all selected");
}

TEST_F(EveryCommand, TwiceWithANodeIsolatedAndARaySelected) {
    Session session{command_table()};
    frame(session, "scene welcome");
    every_command_twice(session, "ray.pin -6 2 0 1 0 0; select.node bodies 2; tree.isolate on", "a node");
    every_command_twice(session, "select.ray 0", "a ray");
}

TEST_F(EveryCommand, TwiceInThePast) {
    Session session{command_table()};
    frame(session, "scene welcome; spawn 3");
    frames(session, 10);
    every_command_twice(session, "pause off; step 6; time.back 3", "in the past");
}

TEST_F(EveryCommand, FirstOfAll) {
    for (const CommandSpec& spec : command_table().rows())
        for (const std::string& arguments : arguments_of(spec)) {
            Session session{command_table()};  // no scene has been started
            carry_out(session, line_of(spec, arguments), "first");
            carry_out(session, line_of(spec, arguments), "second");
        }
}

TEST_F(EveryCommand, WithTooFewOrTooManyWordsChangesNothing) {
    Session session{command_table()};
    frame(session, "scene welcome; pause on; spawn 3; select 2; ray.pin -6 2 0 1 0 0");
    const auto seen = [&] {
        io::Report report = make_report(session, "test");
        io::erase_timings(report);
        report.frame = 0;
        report.errors.clear();
        std::erase_if(report.stats, [](const auto& stat) { return stat.first == "refused_commands"; });
        return io::report_text(report);
    };
    const std::string before = seen();
    const auto refused = [&](const std::string& line) {
        const auto count = session.refused_commands();
        frame(session, line);
        EXPECT_EQ(session.refused_commands(), count + 1) << line;
        EXPECT_EQ(seen(), before) << line;
        EXPECT_NE(session.messages().messages().back().text.find(line.substr(0, line.find(' '))),
                  std::string::npos)
            << line;
    };
    for (const CommandSpec& spec : command_table().rows()) {
        std::string line(spec.id);
        for (int words = 0; words < spec.min_args; ++words) {
            refused(line);
            line += " 1";
        }
        if (spec.max_args < 0) continue;
        line = spec.id;
        for (int words = 0; words < spec.max_args + 1; ++words)
            line += " 1";
        refused(line);
    }
}

TEST_F(EveryCommand, WithWordsThatMeanNothing) {
    Session session{command_table()};
    frame(session, "set verify=true; scene welcome");
    for (const CommandSpec& spec : command_table().rows())
        for (const char* const word : {"x", "-1", "0", "nan", "inf", "1e999", "99999999999999999999", "\"\"",
                                       "\"a b\"", "=", "a=", "=b", "all", "none", "1;", "é"}) {
            // Do not write or open files with random names.
            if (spec.category == "Files" || spec.id == "record.save" || spec.id == "clip") continue;
            std::string line(spec.id);
            for (int words = 0; words < std::max(spec.min_args, 1); ++words)
                line += std::string(" ") + word;
            if (spec.max_args == 0) continue;
            frame(session, line);
            (void)session.take_requests();
            ASSERT_TRUE(session.results().checks.differences.empty()) << line;
        }
}

// ---- repeated commands

TEST_F(EveryCommand, PauseOnAndOffStay) {
    Session session{command_table()};
    frame(session, "scene welcome");
    const auto paused = [&](const char* line) {
        frame(session, line);
        return session.results().paused;
    };
    EXPECT_TRUE(paused("pause on"));
    const auto steps = session.results().steps;
    EXPECT_TRUE(paused("pause on"));
    EXPECT_EQ(session.results().steps, steps);
    EXPECT_FALSE(paused("pause off"));
    EXPECT_FALSE(paused("pause off"));
    EXPECT_EQ(session.results().steps, steps + 2);
    EXPECT_TRUE(paused("pause"));
    EXPECT_FALSE(paused("pause toggle"));
    EXPECT_FALSE(paused("pause maybe")) << "refused";
    EXPECT_EQ(session.refused_commands(), 1u);
}

TEST_F(EveryCommand, ABodyNamedTwiceCountsOnce) {
    Session session{command_table()};
    frame(session, "scene welcome; pause on");
    const std::size_t bodies = session.results().bodies.size();
    const glm::vec3 at = session.state().world.find({5})->position;
    frame(session, "move.by 1 0 0 5 5");
    EXPECT_EQ(session.state().world.find({5})->position, at + glm::vec3(1, 0, 0));
    frame(session, "remove 4 4");
    EXPECT_EQ(session.results().bodies.size(), bodies - 1);
    EXPECT_EQ(session.refused_commands(), 0u) << test::errors_of(session);
    frame(session, "remove 4");
    EXPECT_EQ(session.refused_commands(), 1u);
    EXPECT_EQ(session.results().bodies.size(), bodies - 1);
    frame(session, "remove 6 4 7");
    EXPECT_EQ(session.refused_commands(), 2u);
    EXPECT_EQ(session.results().bodies.size(), bodies - 1) << "all of them or none";
    frame(session, "undo");
    EXPECT_EQ(session.results().bodies.size(), bodies);
    frame(session, "select 8 8 9");
    EXPECT_EQ(session.state().view.selection.bodies, (std::vector<bv::BodyId>{{8}, {9}}));
}

TEST(World, RefusesBodiesThatAreNotThere) {
    Session session{command_table()};
    frame(session, "scene welcome; pause on; remove 4");
    World world(session.state().world);
    const auto revision = world.revision();
    const auto pairs = world.finder().pairs().broad;
    for (const bv::BodyId id : {bv::BodyId{4}, bv::BodyId{0}, bv::BodyId{12345}, bv::BodyId{}}) {
        EXPECT_EQ(std::as_const(world).find(id), nullptr);
        EXPECT_FALSE(world.remove(id));
        EXPECT_FALSE(world.set_hidden(id, true));
        EXPECT_FALSE(world.move(id, glm::vec3(0.0f)));
        EXPECT_FALSE(world.place(id, glm::vec3(0.0f), glm::quat(1, 0, 0, 0)));
        EXPECT_FALSE(world.choose(id, {}));
        EXPECT_EQ(world.edit(id), nullptr);
    }
    EXPECT_EQ(world.bodies().size(), session.state().world.bodies().size());
    EXPECT_EQ(world.finder().pairs().broad, pairs);
    EXPECT_NE(revision, 0u);
    EXPECT_EQ(world.put_back({*std::as_const(world).find({5})}), 0u) << "it is there already";
}

}  // namespace
}  // namespace lab
