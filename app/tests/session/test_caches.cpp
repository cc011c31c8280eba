// All data cached between frames is valid for the moment on show, however the session got there: by a scene
// after an opened file, undo, time travel, a restart, another tree over the same bodies.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "commands/catalog.hpp"
#include "io/sessions/scene_file.hpp"
#include "program.hpp"
#include "session/files/saver.hpp"
#include "session/time/timeline.hpp"
#include "session_test_tools.hpp"
#include "view/checks/reference.hpp"
#include "view/checks/verify.hpp"
#include "view/heatmap.hpp"
#include "view/picking.hpp"
#include "workloads/random.hpp"
#include "world/exact.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

using test::frame;
using test::frames;

/// Rebuilds all cached data from the world and compares.
void expect_true(const Session& session, const std::string& where) {
    const World& world = session.state().world;
    const FrameResults& shown = session.results();
    EXPECT_EQ(shown.scene_id, session.state().scene.spec->id) << where;
    EXPECT_FALSE(world.pairs_due()) << where;

    const auto& bodies = world.bodies();
    ASSERT_EQ(shown.bodies.size(), bodies.size()) << where;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        EXPECT_EQ(shown.bodies[i].id, bodies[i].state.id) << where;
        EXPECT_EQ(shown.bodies[i].transform, bodies[i].state.transform) << where;
        EXPECT_EQ(shown.bodies[i].hidden, bodies[i].state.hidden) << where;
        EXPECT_EQ(shown.bodies[i].own, bodies[i].state.own) << where;
        EXPECT_EQ(shown.bodies[i].volumes, bodies[i].state.volumes) << where;
    }

    FrameResults checked = shown;
    checked.checks = {};
    verify_frame(world, checked);
    for (const std::string& difference : checked.checks.differences)
        ADD_FAILURE() << where << ": " << difference;

    for (const auto& [id, tree] : shown.trees) {
        if (id != "bodies") continue;
        const bv::TreeSnapshot now = world.finder().engine().snapshot();
        EXPECT_EQ(tree.source_nodes, now.source_nodes) << where;
        EXPECT_EQ(tree.boxes, now.boxes) << where;
        EXPECT_EQ(tree.payloads, now.payloads) << where;
    }
    for (const RayQuery& ray : shown.rays) {
        const RayQuery now = cast_ray(world, ray.kind, ray.ray);
        EXPECT_EQ(now.body, ray.body) << where;
        EXPECT_EQ(now.t, ray.t) << where;
        EXPECT_EQ(now.visited_nodes, ray.visited_nodes) << where;
    }
    if (shown.pairs.exact_tested) {
        ExactTester fresh;
        for (const BodyPair& pair : shown.pairs.volume)
            EXPECT_EQ(std::binary_search(shown.pairs.exact.begin(), shown.pairs.exact.end(), pair),
                      fresh.touching(world.bodies().meshes(), world.find(pair.a)->state,
                                     world.find(pair.b)->state, world.options().exact_by))
                << where;
    }
    if (shown.heatmap && shown.heatmap->complete) {
        HeatCaster fresh;
        HeatOptions options = heat_options(session.state().settings);
        options.rays_per_frame = 10'000'000;
        const auto now = fresh.advance(world, session.state().view.shown_camera(),
                                       session.state().view.rect.size_px, options);
        EXPECT_EQ(now->counts, shown.heatmap->counts) << where;
    }
}

class Caches : public testing::Test {
  protected:
    [[nodiscard]] std::string open(const std::string& name) const {
        return "open " + quote_word((folder_ / name).string()) + "; ";
    }
    void save(Session& session, const std::string& name) const {
        const auto error = io::write_scene_file((folder_ / name).string(), session.saver().saved_scene());
        ASSERT_FALSE(error) << error->text();
    }
    /// Saves a session that has run for a while.
    void save_busy(const std::string& name, const std::string& script = "scene welcome; spawn 5") const {
        Session session{command_table()};
        frame(session, script);
        frames(session, 12);
        save(session, name);
    }

    test::TempDir folder_;
};

TEST_F(Caches, ASceneAfterAnOpenedFileHasItsOwnPairs) {
    save_busy("a.json");
    for (const char* const next : {"scene welcome", "scene volumes; scene welcome", "restart", "spawn 30",
                                   "clear; spawn 20", "remove 3 4 5", "set volume.pair_kind=sphere",
                                   "move 3 0 1 0", "undo", "time.goto 3", "time.back", "step 2", ""})
        for (const char* const paused : {"true", "false"}) {
            Session session{command_table()};
            frame(session, open("a.json") + next + "; set verify=true; set sim.paused=" + paused);
            EXPECT_EQ(test::errors_of(session), "") << next;
            EXPECT_GE(session.results().checks.frames, 1u) << next << ": the first frame is verified, too";
            EXPECT_FALSE(session.results().pairs.broad.empty()) << next;
            expect_true(session, std::string(next) + ", first frame");
            frame(session);
            EXPECT_EQ(test::errors_of(session), "") << next;
            expect_true(session, std::string(next) + ", second frame");
        }
}

TEST_F(Caches, AnOpenedFileIsShownOneFrameBeforeItsFirstStep) {
    save_busy("a.json");
    Session still{command_table()}, moved{command_table()}, stepped{command_table()};
    frame(still, open("a.json"));
    EXPECT_EQ(still.results().steps, 13u);
    frame(moved, open("a.json") + "remove 3");
    EXPECT_EQ(moved.results().steps, 13u);
    EXPECT_EQ(moved.results().bodies.size() + 1, still.results().bodies.size());
    frame(stepped, open("a.json") + "step 4");
    EXPECT_EQ(stepped.results().steps, 17u) << "requested steps are taken at once";
}

TEST_F(Caches, EveryStateOfAWorldHasItsOwnRevision) {
    Session session{command_table()};
    frame(session, "scene welcome; set sim.paused=true");
    std::vector<std::uint64_t> seen = {session.state().world.revision()};
    const auto changed = [&](const std::string& line) {
        frame(session, line);
        const std::uint64_t now = session.state().world.revision();
        EXPECT_EQ(std::count(seen.begin(), seen.end(), now), 0) << line;
        seen.push_back(now);
    };
    for (const char* line :
         {"spawn 1", "remove 2", "undo", "move 3 1 1 1", "hide 4", "show all", "step",
          "body.set volume.pair_kind=obb 5", "set volume.pair_kind=sphere", "tree.rebuild sah",
          "turn 0 1 0 10 6", "clear", "restart", "scene volumes", "scene welcome"})
        changed(line);
    frame(session, "set sim.paused=true; step");
    const std::uint64_t here = session.state().world.revision();
    const World copy(session.state().world);
    EXPECT_EQ(copy.revision(), here) << "a copy is in the same state";
    frame(session, "spawn 1");
    World other(copy);
    other.remove_all();
    EXPECT_NE(other.revision(), session.state().world.revision())
        << "two futures of one state are two states";
}

TEST_F(Caches, TheHeatmapFollowsTheTreeEvenIfNoBodyMoves) {
    Session session{command_table()};
    frame(session,
          "set heat.detail=16; set heat.rays=4000000; set broadphase.kind=dynamic-tree; scene welcome; "
          "set sim.paused=true; set heat.show=true; step 20; set tree.balance=none");
    for (const char* const line :
         {"", "tree.rebuild manhattan", "tree.rebuild sah", "tree.rebuild morton",
          "set broadphase.kind=wide-tree", "set broadphase.kind=bsp", "set broadphase.kind=dynamic-tree",
          "hide 3", "undo", "time.back", "time.goto end", "set ray.mode=fast", "body.set fit.obb=exact 4",
          "restart"}) {
        frame(session, line);
        for (int i = 0; i < 5 && !session.results().heatmap->complete; ++i)
            frame(session);
        ASSERT_TRUE(session.results().heatmap->complete) << line;
        expect_true(session, std::string("heat, ") + line);
    }
}

TEST_F(Caches, TheHeatmapIsNotRecomputedWhileBodiesRest) {
    Session session{command_table()};
    frame(session,
          "set heat.detail=16; set heat.rays=4000000; set spawn.motion=still; scene volumes; clear; "
          "spawn 5; ray.clear; set ray.sweep=false; set heat.show=true");
    frames(session, 3);
    const auto map = session.results().heatmap;
    frames(session, 3);
    EXPECT_EQ(session.results().heatmap, map);
    frame(session, "clear");
    EXPECT_FALSE(session.results().heatmap) << "of nothing";
}

TEST_F(Caches, AMeshOpenedAgainIsTheNewOne) {
    const std::string cube =
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nf 1 4 3\nf 1 3 2\nf 5 6 7\n"
        "f 5 7 8\nf 1 2 6\nf 1 6 5\nf 3 4 8\nf 3 8 7\nf 2 3 7\nf 2 7 6\nf 1 5 8\nf 1 8 4\n";
    test::write_text(folder_ / "m.obj",
                     "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    Session session{command_table()};
    frame(session, open("m.obj") + "set volume.exact=true; spawn 12 m");
    frames(session, 5);
    expect_true(session, "the first mesh");
    test::write_text(folder_ / "m.obj", cube);
    for (const char* const scene : {"mesh", "volumes", "mesh-bvh", "obb-tree", "ray-picking", "mesh-cut"}) {
        frame(session, open("m.obj") + "scene " + scene);
        frames(session, 3);
        EXPECT_EQ(test::errors_of(session), "");
        bool found = false;
        for (const BodyState& body : session.results().bodies)
            found = found || session.meshes()[body.mesh].triangles.size() == 12 ||
                    session.meshes()[body.mesh].source == MeshLibrary::kCut;
        EXPECT_TRUE(found) << scene;
        expect_true(session, scene);
    }
}

TEST_F(Caches, ScenesThatCompareTreesCountTheSameInAReplay) {
    // Their output depends on every state, but not on how often it was shown.
    const auto tables = [](const Session& session) {
        std::string text;
        for (const Table& table : session.results().tables)
            for (const Row& row : table.rows)
                for (std::size_t i = 0; i < row.cells.size(); ++i)
                    if (!is_measured(row.cells[i]) && table.columns[i].heading != "memory")
                        text += to_text(row.cells[i]) + '|';
        return text;
    };
    for (const char* const start : {"scene broadphases; set crowd.count=60",
                                    "scene tree-balance; set balance.input=crowd; set "
                                    "balance.count=40"}) {
        Session session{command_table()};
        frame(session, start);
        frames(session, 6);
        frame(session, "pause on; set tree.margin=0.3; set balance.rival_insertion=manhattan; move 3 1 1 1");
        frame(session, "set tree.margin=0.1; set balance.rival_insertion=greedy; move 3 2 1 1");
        frame(session, "pause off");
        frames(session, 7);
        const std::string live = tables(session);
        const std::uint64_t step = session.results().steps;
        frames(session, 5);
        frame(session, "time.goto " + std::to_string(step));
        EXPECT_EQ(tables(session), live) << start;
        frame(session, "time.goto 1");
        frame(session, "time.goto " + std::to_string(step));
        EXPECT_EQ(tables(session), live) << start;
        save(session, "again.json");
        Session opened{command_table()};
        frame(opened, open("again.json"));
        EXPECT_EQ(tables(opened), live) << start;
    }
}

TEST_F(Caches, AReplayRestoresTheSelection) {
    // Nodes are identified by their position when selected; bodies are removed between the commands.
    Session session{command_table()};
    frame(session, "scene welcome; select.node bodies 3; set broadphase.kind=dynamic-tree");
    frames(session, 5);
    frame(session, "remove 2; select.node bodies 7; select.parent; camera.frame");
    frames(session, 20);
    frame(session, "camera.frame");
    frame(session, "select 4 5 6; copy; spawn 3; remove; paste; undo");
    frames(session, 6);
    const Camera camera = session.state().view.camera;
    const std::vector<bv::BodyId> chosen = session.state().view.selection.bodies;
    frame(session, "record.save " + quote_word((folder_ / "r.bvrec").string()));
    Session again{command_table()};
    frame(again, open("r.bvrec"));
    for (int i = 0; i < 60 && again.timeline().in_past(); ++i)
        frame(again);
    EXPECT_FALSE(again.timeline().in_past());
    EXPECT_TRUE(again.state().view.camera == camera);
    EXPECT_EQ(again.state().view.selection.bodies, chosen);
    EXPECT_EQ(test::errors_of(again), "");
}

/// Random sequences of everything that a session can do.
TEST_F(Caches, AnyPathThroughASessionShowsItsState) {
    save_busy("welcome.json");
    save_busy("crowd.json", "set crowd.count=50; scene broadphases");
    save_busy("phase.json", "scene narrow-phase; set volume.exact=true");
    {
        Session recorded{command_table()};
        frame(recorded, "scene welcome; set volume.exact=true; spawn 9");
        frames(recorded, 15);
        frame(recorded, "remove 4; record.save " + quote_word((folder_ / "tape.bvrec").string()));
    }
    const std::vector<std::string> lines = {open("welcome.json"),
                                            open("crowd.json"),
                                            open("phase.json"),
                                            open("tape.bvrec"),
                                            "scene welcome",
                                            "scene fat-boxes",
                                            "scene broadphases",
                                            "scene mesh-cut",
                                            "scene voxel-invaders",
                                            "scene next",
                                            "restart",
                                            "undo",
                                            "redo",
                                            "time.back 3",
                                            "time.goto start",
                                            "time.goto end",
                                            "time.goto 7",
                                            "step 3",
                                            "pause",
                                            "spawn 4",
                                            "remove 3",
                                            "remove 5 6",
                                            "clear",
                                            "move 7 0 1 0",
                                            "hide 8",
                                            "show all",
                                            "isolate 9",
                                            "select all",
                                            "duplicate",
                                            "set volume.exact=true",
                                            "set volume.exact=false",
                                            "set volume.exact_by=voxels",
                                            "set volume.exact_by=meshes",
                                            "set volume.pair_kind=sphere",
                                            "set volume.pair_kind=obb",
                                            "set volume.pair_kind=aabb_tight",
                                            "body.set volume.pair_kind=obb 7 8",
                                            "set broadphase.kind=bsp",
                                            "set broadphase.kind=dynamic-tree",
                                            "set broadphase.kind=incremental-sweep",
                                            "set broadphase.kind=wide-tree",
                                            "set tree.upkeep=refit",
                                            "tree.rebuild sah",
                                            "tree.rebuild manhattan",
                                            "set sim.contact=bounce",
                                            "set sim.contact=stop",
                                            "camera.orbit 20 5",
                                            "toggle heat.show",
                                            "select.node bodies 2",
                                            "camera.frame",
                                            "scene.step",
                                            "invaders.fire",
                                            "cut",
                                            "set world.seed=4"};
    const char* const scale = std::getenv("BV_TEST_SCALE");
    const int walks = std::max(1, static_cast<int>(4.0 * (scale ? std::atof(scale) : 1.0)));
    for (int walk = 0; walk < walks; ++walk) {
        bv::workloads::Random random(77, static_cast<std::uint64_t>(walk));
        Session session{command_table()};
        frame(session, "set heat.detail=16; set heat.rays=4000000");
        std::string path;
        for (int i = 0; i < 60; ++i) {
            std::string script;
            for (std::uint32_t k = random.below(4); k > 0; --k)
                script += random.one_of(lines) + "; ";
            path += "[" + script + "] ";
            frame(session, script);
            expect_true(session, path);
            if (testing::Test::HasFailure()) return;
        }
    }
}

}  // namespace
}  // namespace lab
