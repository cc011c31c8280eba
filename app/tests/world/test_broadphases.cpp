// Sessions with every broadphase and every strategy of the dynamic tree: the same pairs and hits for every
// choice, also if it changes while bodies move.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "bv/broadphase/broadphase.hpp"
#include "bv/tree/metrics.hpp"
#include "commands/catalog.hpp"
#include "io/sessions/report.hpp"
#include "io/text/counted.hpp"
#include "scenes/scenes.hpp"
#include "session/report.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "settings/tree.hpp"
#include "view/picking.hpp"
#include "world/bodies/spawner.hpp"
#include "world/tree_settings.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

using test::run;

std::string set_kind(const bv::BroadphaseInfo& info) {
    return "set broadphase.kind=" + std::string(info.id);
}

constexpr std::string_view kCrowd =
    "scene welcome; spawn 60; set spawn.size=2.5; spawn 5; hover 500 300; ray.pin -8 3 0 1 0 0.1";

TEST(Broadphases, AreTheChoicesOfTheSetting) {
    const SettingSpec& spec = *setting_catalog().find("broadphase.kind");
    ASSERT_EQ(spec.choices.size(), bv::broadphase_kinds().size());
    for (std::size_t i = 0; i < spec.choices.size(); ++i) {
        EXPECT_EQ(spec.choices[i].id, bv::broadphase_kinds()[i].id);
        EXPECT_EQ(static_cast<std::size_t>(bv::broadphase_kinds()[i].kind), i);
    }
    EXPECT_EQ(spec.default_value, "wide-tree") << "the fast path is what a session starts with";
}

TEST(Broadphases, AllFindThePairsOfBruteForceWhenSwitchedWhileMoving) {
    Session session{command_table()};
    run(session, "set verify=true; " + std::string(kCrowd), 5);
    int victim = 0;
    for (int round = 0; round < 2; ++round)
        for (const bv::BroadphaseInfo& info : bv::broadphase_kinds()) {
            run(session, set_kind(info) + "; remove " + std::to_string(++victim) + "; spawn 1; pick 640 360",
                6);
            EXPECT_EQ(session.results().broadphase.engine, info.id);
            EXPECT_EQ(session.state().world.finder().engine().kind(), info.kind);
            EXPECT_GT(session.results().broadphase.tests, 0u) << info.id;
            EXPECT_GT(session.results().broadphase.memory_bytes, 0u) << info.id;
            EXPECT_GT(session.results().pairs.broad.size(), 20u);
            EXPECT_EQ(session.results().broadphase.pairs, session.results().pairs.broad.size());
            ASSERT_TRUE(session.results().checks.differences.empty())
                << info.id << ": " << session.results().checks.differences.front();
        }
    EXPECT_EQ(session.results().checks.frames, 5u + 2u * 6u * bv::broadphase_kinds().size());
}

TEST(Broadphases, GiveEqualSessionsExceptForCosts) {
    std::vector<BodyPair> pairs;
    std::vector<float> hits;
    std::vector<glm::mat4x3> transforms;
    for (const bv::BroadphaseInfo& info : bv::broadphase_kinds()) {
        Session session{command_table()};
        run(session, std::string(kCrowd) + "; set sim.contact=bounce; " + set_kind(info), 30);
        std::vector<float> now_hits;
        for (const RayQuery& ray : session.results().rays)
            now_hits.push_back(ray.t);
        std::vector<glm::mat4x3> now;
        for (const BodyState& body : session.results().bodies)
            now.push_back(body.transform);
        if (pairs.empty()) {
            pairs = session.results().pairs.broad.read();
            hits = now_hits;
            transforms = now;
        }
        EXPECT_EQ(session.results().pairs.broad, pairs) << info.id;
        EXPECT_EQ(now_hits, hits) << info.id;
        ASSERT_EQ(now.size(), transforms.size());
        EXPECT_EQ(std::memcmp(now.data(), transforms.data(), now.size() * sizeof(now[0])), 0) << info.id;
    }
}

TEST(Broadphases, ReportsAreEqualExceptForTimings) {
    for (const bv::BroadphaseInfo& info : bv::broadphase_kinds()) {
        const auto text = [&] {
            Session session{command_table()};
            run(session, std::string(kCrowd) + "; " + set_kind(info), 20);
            io::Report report = make_report(session, "test");
            report.timings_ms = {};
            for (io::ReportVolume& volume : report.volumes)
                volume.fit_ms = 0;
            EXPECT_EQ(report.broadphase, info.id);
            EXPECT_EQ(report.trees.empty(), !session.state().world.finder().engine().has_tree()) << info.id;
            return io::report_text(report);
        };
        EXPECT_EQ(text(), text()) << info.id;
    }
}

// A command that asks in the frame of a move gets the answer after it, from every engine. (An engine that was
// asked before its update ended the program.)
TEST(Broadphases, CommandsAfterAMoveInTheSameFrameSeeIt) {
    for (const bv::BroadphaseInfo& info : bv::broadphase_kinds()) {
        SCOPED_TRACE(info.id);
        Session session{command_table()};
        run(session, "scene welcome; set sim.paused=true; spawn 1; " + set_kind(info), 2);
        ASSERT_FALSE(session.state().world.bodies().empty());
        const bv::BodyId id = session.state().world.bodies().back().state.id;
        const World before = session.state().world;

        const bv::Ray down{{40.0f, 40.0f, 0.0f}, {0.0f, -1.0f, 0.0f}};
        ASSERT_FALSE(cast_ray(session.state().world, RayQuery::Kind::Pick, down).hit);
        session.commands().push(fmt::format("move {} 40 0 0", id.value));
        session.drain();
        EXPECT_EQ(cast_ray(session.state().world, RayQuery::Kind::Pick, down).body, id);
        session.commands().push(fmt::format("move {} 30 0 0", id.value));
        session.commands().push("probe.pixel 640 360");
        session.drain();
        EXPECT_FALSE(cast_ray(session.state().world, RayQuery::Kind::Pick, down).hit);
        EXPECT_EQ(report_trees(session).empty(), !session.state().world.finder().engine().has_tree());
        EXPECT_EQ(cast_ray(before, RayQuery::Kind::Pick, down).hit, false) << "a copy stays as it was";
    }
}

TEST(Broadphases, ContinueInACopyOfTheWorldAsInTheOriginal) {
    MeshLibrary meshes;
    meshes.add_generated();
    for (const bv::BroadphaseInfo& info : bv::broadphase_kinds()) {
        World world(meshes);
        WorldOptions options;
        options.broadphase = info.kind;
        options.contact = Contact::Bounce;
        world.set_options(options);
        world.set_arena({glm::vec3(-6), glm::vec3(6)});
        ASSERT_EQ(spawn_bodies(world, 80, world.arena(), {}, 5), 80);
        TimingsMs timings;
        const auto go_on = [&](World& moved) {
            for (int i = 0; i < 20; ++i)
                moved.step(1.0f / 60.0f, timings);
        };
        go_on(world);
        const World then(world);
        go_on(world);
        World again(then);
        world.remove(world.bodies()[3].state.id);
        const PairStages without = world.finder().pairs();
        go_on(again);
        ASSERT_EQ(again.bodies().size(), 80u);
        EXPECT_EQ(again.find(again.bodies()[7].state.id), &again.bodies()[7]);
        EXPECT_EQ(again.bodies()[7].position, world.bodies()[6].position) << info.id;
        PairStages pairs = again.finder().pairs();
        const bv::BodyId gone = again.bodies()[3].state.id;
        std::erase_if(pairs.broad.edit(),
                      [gone](const BodyPair& pair) { return pair.a == gone || pair.b == gone; });
        EXPECT_EQ(pairs.broad, without.broad) << info.id;
        EXPECT_EQ(again.finder().frame().tests, world.finder().frame().tests) << info.id;
        EXPECT_EQ(then.bodies().size(), 80u);
    }
}

TEST(Broadphases, EveryStrategyOfTheTreeTakesEffectAtOnceAndStaysRight) {
    Session session{command_table()};
    run(session, "set verify=true; set broadphase.kind=dynamic-tree; " + std::string(kCrowd), 2);
    for (const SettingSpec* row : std::initializer_list<const SettingSpec*>{
             &kTreeInsertion, &kTreeBalance, &kTreeMarginKind, &kTreeUpkeep, &kTreeBuilder})
        for (const Choice& choice : row->choices) {
            run(session, set_line(*row, choice.id), 5);
            ASSERT_TRUE(session.results().checks.differences.empty())
                << row->id << " " << choice.id << ": " << session.results().checks.differences.front();
        }
    run(session, "set tree.upkeep=periodic; set tree.rebuild_period=2; set tree.builder=morton", 6);
    const WorldOptions& options = session.state().world.options();
    EXPECT_EQ(options.tree.upkeep, bv::Upkeep::PeriodicRebuild);
    EXPECT_EQ(options.tree.rebuild_period, 2u);
    EXPECT_EQ(options.tree.builder, bv::Builder::Morton);
    EXPECT_TRUE(session.results().checks.differences.empty());
}

TEST(Broadphases, TreeRebuildTakesEveryBuilderByName) {
    Session session{command_table()};
    run(session, "set verify=true; set broadphase.kind=dynamic-tree; pause on; " + std::string(kCrowd), 2);
    std::vector<bv::TreeSnapshot> seen;
    for (const char* name : {"median", "morton", "binned", "sweep", "agglomerative", "manhattan", "greedy",
                             "branch_and_bound"}) {
        run(session, "tree.rebuild " + std::string(name), 1);
        ASSERT_FALSE(session.results().trees.empty());
        const bv::TreeSnapshot& tree = session.results().trees.front().second;
        EXPECT_EQ(tree.payloads.size(), session.results().bodies.size()) << name;
        for (const bv::TreeSnapshot& other : seen)
            EXPECT_NE(tree.payloads, other.payloads) << name << " built the tree of another builder";
        seen.push_back(tree);
    }
    run(session, "tree.rebuild sah", 1);
    EXPECT_EQ(session.state().settings.get_as_text(kTreeBuilder), "binned");
    EXPECT_EQ(session.results().trees.front().second.payloads, seen[2].payloads);
    EXPECT_TRUE(session.results().checks.differences.empty());
    session.commands().push("tree.rebuild swep");
    session.drain();
    EXPECT_EQ(session.refused_commands(), 1u);
    EXPECT_NE(session.messages().messages().back().text.find("did you mean 'sweep'"), std::string::npos)
        << session.messages().messages().back().text;
}

TEST(Broadphases, TreeRebuildSaysWhatItDid) {
    Session session{command_table()};
    run(session,
        "set broadphase.kind=dynamic-tree; set spawn.placement=row; set tree.balance=none; "
        "set tree.insertion=manhattan; scene welcome; clear; pause on; spawn 30 box",
        2);
    const auto measured = [&] { return bv::measure(session.results().trees.front().second); };
    const auto last_message = [&] { return session.messages().messages().back().text; };
    const bv::TreeMetrics list = measured();
    run(session, "tree.rebuild binned", 1);
    const bv::TreeMetrics rebuilt = measured();
    ASSERT_LT(rebuilt.height, list.height);
    EXPECT_EQ(last_message(), fmt::format("Rebuilt the tree: height {} to {}, SAH cost {:.1f} to {:.1f}",
                                          list.height, rebuilt.height, list.sah, rebuilt.sah));
    run(session, "tree.rebuild binned", 1);
    EXPECT_EQ(last_message(),
              fmt::format("Rebuilding the tree changed nothing: its height is still {}, its SAH cost {:.1f}",
                          rebuilt.height, rebuilt.sah));
}

TEST(Broadphases, SnapshotsOfLargeTreesAreMadeOnlyOnDemand) {
    Session session{command_table()};
    run(session, "scene welcome; set spawn.size=0.1; spawn 1500 box", 2);
    EXPECT_TRUE(session.results().trees.empty());
    EXPECT_TRUE(session.results().broadphase.has_tree);
    session.step(0.0, StepInput{true});
    ASSERT_EQ(session.results().trees.size(), 1u);
    EXPECT_EQ(session.results().trees.front().second.payloads.size(), session.results().bodies.size());
    const bv::Aabb* boxes = session.results().trees.front().second.boxes.data();
    session.step(0.0, StepInput{true});
    run(session, "pause on", 3);
    EXPECT_EQ(session.results().trees.size(), 1u) << "what did not change stays open";
    EXPECT_EQ(session.results().trees.front().second.boxes.data(), boxes) << "and is not made again";
    run(session, "step", 1);
    EXPECT_TRUE(session.results().trees.empty()) << "another step, another tree";
    EXPECT_EQ(make_report(session, "test").trees.size(), 1u) << "a report always looks";
}

TEST(Broadphases, ChoicesWithoutEffectSaySo) {
    Session session{command_table()};
    run(session, "scene welcome; set broadphase.kind=wide-tree", 1);
    run(session, "set tree.insertion=greedy", 1);
    EXPECT_NE(session.messages().messages().back().text.find("affects the dynamic tree only"),
              std::string::npos);
    const auto before = session.messages().last_number();
    run(session, "set broadphase.kind=dynamic-tree; set tree.insertion=manhattan", 2);
    EXPECT_EQ(session.messages().last_number(), before);
    for (const char* scene : {"fat-boxes", "boxes", "aabb-tree"}) {  // their own trees follow these settings
        run(session, fmt::format("scene {}; set broadphase.kind=wide-tree", scene), 1);
        const auto begun = session.messages().last_number();
        run(session, "set tree.margin=0.5; set tree.insertion=greedy; set tree.balance=none", 2);
        EXPECT_EQ(session.messages().last_number(), begun) << scene;
    }
}

TEST(Broadphases, BruteForceIsReplacedForTooManyBodies) {
    Session session{command_table()};
    run(session, "set broadphase.kind=brute-force; set stress.bodies=100000; scene stress", 2);
    EXPECT_EQ(session.results().bodies.size(), 100'000u);
    EXPECT_EQ(session.results().broadphase.engine, "wide-tree");
    EXPECT_EQ(session.state().settings.get_as_text(kBroadphaseKind), "brute-force")
        << "the choice stays the user's";
    EXPECT_EQ(session.messages().messages().back().severity, Severity::Warning);
    EXPECT_NE(session.messages().messages().back().text.find("20,000"), std::string::npos);
    run(session, "pause on; set stress.bodies=1000", 1);
    EXPECT_EQ(session.results().bodies.size(), 1000u) << "a setting acts also while time stands still";
    EXPECT_EQ(session.results().broadphase.engine, "brute-force");
}

/// A dense crowd, and two bodies far from it: the cells of a uniform grid are as large as the whole crowd.
std::string crowd_in_one_cell(const std::string& size) {
    return "scene welcome; set spawn.placement=grid; set spawn.motion=still; set spawn.spread=0; set "
           "spawn.size=" +
           size +
           "; spawn 10000 octahedron; spawn 9000 octahedron; spawn 8000 octahedron; move 1 100000 0 0; move "
           "2 0 0 100000";
}

TEST(Broadphases, AnEngineThatNeedsTooManyTestsGivesWayUntilAnotherIsChosen) {
    Session session{command_table()};
    const auto said = [&] {
        const std::string wanted = "Uniform grid needs more than " + io::grouped(PairFinder::kMaxTests);
        return std::count_if(session.messages().messages().begin(), session.messages().messages().end(),
                             [&](const Message& message) {
                                 return message.severity == Severity::Warning &&
                                        message.text.find(wanted) != std::string::npos;
                             });
    };
    run(session, crowd_in_one_cell("0.02") + "; set broadphase.kind=uniform-grid", 1);
    EXPECT_GT(session.results().broadphase.tests, PairFinder::kMaxTests);
    EXPECT_LT(session.results().broadphase.pairs, session.results().broadphase.tests / 10);
    EXPECT_EQ(session.results().broadphase.engine, "uniform-grid")
        << "its own first step shows what it needs";
    const std::uint64_t pairs = session.results().broadphase.pairs;
    EXPECT_EQ(said(), 0);
    run(session, "pause on; move 3 0 0 0", 1);
    EXPECT_EQ(session.results().broadphase.engine, "wide-tree");
    EXPECT_TRUE(session.state().world.finder().is_too_slow(session.state().world.options()));
    EXPECT_LT(session.results().broadphase.tests, PairFinder::kMaxTests / 10);
    EXPECT_NEAR(static_cast<double>(session.results().broadphase.pairs), static_cast<double>(pairs), 100.0);
    EXPECT_EQ(said(), 1);
    EXPECT_EQ(session.state().settings.get_as_text(kBroadphaseKind), "uniform-grid")
        << "the choice stays the user's";
    run(session, "set broadphase.kind=bsp", 1);
    EXPECT_EQ(session.results().broadphase.engine, "bsp");
    EXPECT_FALSE(session.state().world.finder().is_too_slow(session.state().world.options()));
    run(session, "remove 1 2; set broadphase.kind=uniform-grid", 2);
    EXPECT_EQ(session.results().broadphase.engine, "uniform-grid") << "now it is fast";
    EXPECT_LT(session.results().broadphase.tests, PairFinder::kMaxTests / 10);
    EXPECT_EQ(said(), 1);
}

TEST(Broadphases, AnEngineWhoseTestsFindPairsStays) {
    Session session{command_table()};
    run(session, crowd_in_one_cell("0.8") + "; set broadphase.kind=uniform-grid", 1);
    EXPECT_GT(session.results().broadphase.tests, PairFinder::kMaxTests);
    EXPECT_GT(session.results().broadphase.pairs, session.results().broadphase.tests / 10);
    run(session, "pause on; move 3 0 0 0", 1);
    EXPECT_EQ(session.results().broadphase.engine, "uniform-grid") << "no other needs fewer";
    EXPECT_FALSE(session.state().world.finder().is_too_slow(session.state().world.options()));
}

TEST(Broadphases, ResultsOfAStaticWorldAreReused) {
    Session session{command_table()};
    run(session, "scene welcome; spawn 50", 5);
    run(session, "pause on", 2);
    EXPECT_EQ(session.results().timings_ms.broadphase, 0.0);
    EXPECT_EQ(session.results().timings_ms.narrowphase, 0.0);
    const auto pairs = session.results().pairs.volume;
    ASSERT_FALSE(pairs.empty());
    const BodyState first = session.results().bodies.front();
    run(session,
        "select " + std::to_string(first.id.value) + "; move " + std::to_string(first.id.value) +
            " 0 50 0; set broadphase.kind=bsp; hide 2",
        1);
    EXPECT_TRUE(session.results().bodies.front().selected);
    EXPECT_NE(session.results().bodies.front().transform, first.transform);
    EXPECT_TRUE(session.results().bodies[1].hidden);
    for (const BodyPair& pair : session.results().pairs.broad)
        EXPECT_NE(pair.a, first.id);
    EXPECT_EQ(session.results().broadphase.engine, "bsp");
}

}  // namespace
}  // namespace lab
