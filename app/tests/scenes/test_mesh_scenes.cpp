// The scenes about trees over triangles: their numbers against brute force.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "bv/query/collide.hpp"
#include "bv/query/overlap_triangle.hpp"
#include "bv/query/raycast.hpp"
#include "bv/tree/mesh_bvh.hpp"
#include "commands/catalog.hpp"
#include "io_test_tools.hpp"
#include "scenes/meshes/traversal.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "view/checks/reference.hpp"
#include "view/picking.hpp"
#include "volumes_of.hpp"
#include "workloads/meshes.hpp"
#include "workloads/random.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

using test::run;
using test::table_of;

/// The row whose first cell is `name`.
std::vector<Cell> row(const Table& table, std::string_view name) {
    for (const Row& row : table.rows)
        if (to_text(row.cells[0]) == name) return row.cells;
    ADD_FAILURE() << "no row " << name << " in " << table.id;
    return std::vector<Cell>(table.columns.size());
}

/// The number in a cell, or the first of several; 0 in an empty one.
long long whole(const Cell& cell) {
    if (const auto* numbers = std::get_if<Numbers>(&cell)) return std::llround(numbers->parts.at(0).value);
    return std::holds_alternative<std::monostate>(cell) ? 0 : std::llround(std::get<Number>(cell).value);
}

// ---- one ray

TEST(Traversal, EveryStepIsRight) {
    const bv::workloads::MeshData mesh = bv::workloads::spike_ball(3);
    bv::MeshBvh tree;
    ASSERT_EQ(tree.build(mesh.view()), bv::MeshBuildStatus::Ok);
    bv::workloads::Random random(5);
    int hits = 0, culled = 0, too_far = 0;
    for (int i = 0; i < 300; ++i) {
        bv::Ray ray;
        ray.origin = 2.0f * random.direction();
        ray.direction = glm::normalize(0.4f * random.in_ball() - ray.origin);
        const scenes::Traversal traversal = scenes::traverse(tree, ray);
        float best = std::numeric_limits<float>::infinity();
        const auto nearest_below = [&](std::uint32_t top) {
            float nearest = std::numeric_limits<float>::infinity();
            std::vector<std::uint32_t> open{top};
            while (!open.empty()) {
                const bv::MeshBvhNode& node = tree.nodes()[open.back()];
                open.pop_back();
                for (std::uint32_t k = 0; k < node.count; ++k)
                    if (const auto hit = bv::raycast(ray, tree.triangle(node.first + k)))
                        nearest = std::min(nearest, hit->t);
                if (!node.is_leaf()) open.insert(open.end(), {node.first, node.first + 1});
            }
            return nearest;
        };
        std::uint32_t tested = 0, visited = 0;
        for (const scenes::TraversalStep& step : traversal.steps) {
            EXPECT_EQ(step.best_before, best);
            double enter = -1e30, exit = 1e30;
            for (int axis = 0; axis < 3; ++axis) {
                double a = (static_cast<double>(step.box.min[axis]) - ray.origin[axis]) / ray.direction[axis];
                double b = (static_cast<double>(step.box.max[axis]) - ray.origin[axis]) / ray.direction[axis];
                if (a > b) std::swap(a, b);
                const bv::SlabClipped& slab = step.slabs[static_cast<std::size_t>(axis)];
                EXPECT_NEAR(slab.t_near, a, 1e-4 * std::max(1.0, std::abs(a)));
                EXPECT_NEAR(slab.t_far, b, 1e-4 * std::max(1.0, std::abs(b)));
                enter = std::max(enter, a);
                exit = std::min(exit, b);
            }
            EXPECT_NEAR(step.enter, enter, 1e-4 * std::max(1.0, std::abs(enter)));
            EXPECT_NEAR(step.exit, exit, 1e-4 * std::max(1.0, std::abs(exit)));
            if (is_culled(step.verdict)) {
                ++culled;
                too_far += step.verdict == scenes::StepVerdict::TooFar;
                EXPECT_GE(nearest_below(step.node), best * (1.0f - 1e-5f))
                    << "a skipped node hid a nearer hit";
            } else {
                ++visited;
                tested += step.triangles;
            }
            if (step.verdict == scenes::StepVerdict::LeafHit) best = std::min(best, nearest_below(step.node));
            EXPECT_EQ(step.best_after, best);
        }
        EXPECT_EQ(visited, traversal.result.stats.nodes_visited);
        EXPECT_EQ(tested, traversal.result.stats.leaves_tested);
        EXPECT_TRUE(scenes::waiting_nodes(tree, traversal, traversal.steps.size()).empty());
        const float all = nearest_below(0);
        ASSERT_EQ(traversal.result.hit.has_value(), std::isfinite(all)) << i;
        if (traversal.result.hit) {
            EXPECT_NEAR(traversal.result.hit->t, all, 1e-5f);
        }
        hits += traversal.result.hit.has_value();
    }
    EXPECT_GT(hits, 100);
    EXPECT_GT(culled, 1000);
    EXPECT_GT(too_far, 50) << "some nodes are skipped because of a nearer hit";
}

TEST(RayPicking, TheTableAgreesWithBruteForce) {
    Session session{command_table()};
    run(session, "set pick.largest=20k; scene ray-picking", 1);
    ASSERT_EQ(session.results().bodies.size(), 2u);
    int hits = 0;
    for (const BodyState& body : session.results().bodies)
        for (int i = 0; i < 8; ++i) {
            const glm::vec3 aim =
                test::tight_of(session, body).center() + 0.12f * static_cast<float>(i) * glm::vec3(1, 1, 0);
            const glm::vec2 pixel = session.state().view.pixel_of(aim).value_or(glm::vec2(0.0f));
            run(session, fmt::format("pick {} {}", pixel.x, pixel.y), 1);
            const auto pinned =
                std::find_if(session.results().rays.begin(), session.results().rays.end(),
                             [](const RayQuery& q) { return q.kind == RayQuery::Kind::Pinned; });
            ASSERT_NE(pinned, session.results().rays.end()) << "a click pins the ray";
            ASSERT_EQ(reference::check_ray(session.state().world, *pinned), std::nullopt);
            const RayQuery& brute = *pinned;
            const Table& counts = table_of(session, "ray_picking");
            if (!brute.hit) continue;
            ++hits;
            const auto tested = row(counts, "triangles tested");
            const BodyState& hit = *find_body(session.results(), brute.body);
            const std::size_t all = session.meshes()[hit.mesh].triangles.size();
            EXPECT_EQ(whole(tested[3]), static_cast<long long>(all)) << "brute force tests every triangle";
            EXPECT_GT(whole(tested[1]), 0);
            EXPECT_LT(whole(tested[1]), static_cast<long long>(all) / 20);
            const auto found = row(counts, "triangle hit, t");
            EXPECT_EQ(whole(found[1]), static_cast<long long>(brute.triangle));
            EXPECT_EQ(whole(found[2]), static_cast<long long>(brute.triangle));
            EXPECT_EQ(whole(found[3]), static_cast<long long>(brute.triangle));
            EXPECT_EQ(to_text(row(counts, "checked by brute force")[1]), "the same hit");
        }
    EXPECT_GT(hits, 6);
    run(session, "back; back", 2);
    for (const RayQuery& ray : session.results().rays)
        EXPECT_NE(ray.kind, RayQuery::Kind::Pinned) << "Esc lets the ray go";
}

TEST(RayPicking, StepsGoNodeByNode) {
    Session session{command_table()};
    run(session, "set pick.largest=20k; scene ray-picking", 1);
    const glm::vec2 pixel =
        *session.state().view.pixel_of(test::tight_of(session, session.results().bodies[1]).center());
    run(session, fmt::format("pick {} {}; set sim.paused=true", pixel.x, pixel.y), 1);
    const std::size_t steps = table_of(session, "traversal").rows.size();
    ASSERT_GT(steps, 10u);
    std::size_t tested = 0;
    for (std::size_t i = 1; i <= steps; ++i) {
        run(session, "scene.step", 1);
        ASSERT_EQ(session.results().charts.size(), 2u);
        const IntervalChart& slabs = session.results().charts[0];
        EXPECT_NE(slabs.title.find(fmt::format("Step {} of {}", i, steps)), std::string::npos) << slabs.title;
        ASSERT_GE(slabs.rows.size(), 4u);
        // The result is the intersection of x, y and z.
        EXPECT_FLOAT_EQ(slabs.rows[3].from,
                        std::max({slabs.rows[0].from, slabs.rows[1].from, slabs.rows[2].from}));
        EXPECT_FLOAT_EQ(slabs.rows[3].to, std::min({slabs.rows[0].to, slabs.rows[1].to, slabs.rows[2].to}));
        EXPECT_EQ(table_of(session, "traversal").rows[i - 1].mark, RowMark::Chosen);
        const auto drawn = static_cast<std::size_t>(
            std::count_if(session.results().exhibits.begin(), session.results().exhibits.end(),
                          [](const Exhibit& e) { return e.legend == "triangle tested"; }));
        EXPECT_GE(drawn, tested) << "triangles appear with their leaves";
        tested = drawn;
    }
    EXPECT_EQ(static_cast<long long>(tested),
              whole(row(table_of(session, "ray_picking"), "triangles tested")[1]));
    run(session, "scene.step -1000", 1);
    EXPECT_EQ(test::value_of(session, "pick.step"), "1");  // 0 is the whole walk, after the last
    run(session, "scene welcome", 1);
    session.commands().push("scene.step");
    session.drain();
    EXPECT_EQ(session.refused_commands(), 1u);
}

// ---- trees

/// The surface area cost by its textbook formula.
double sah_of(const bv::MeshBvh& tree) {
    double sum = 0;
    for (const bv::MeshBvhNode& node : tree.nodes())
        sum += static_cast<double>(node.box().surface_area()) * (node.is_leaf() ? node.count : 1);
    return sum / static_cast<double>(tree.nodes()[0].box().surface_area());
}

int height_of(const bv::MeshBvh& tree, std::uint32_t node = 0) {
    const bv::MeshBvhNode& n = tree.nodes()[node];
    return n.is_leaf() ? 0 : 1 + std::max(height_of(tree, n.first), height_of(tree, n.first + 1));
}

std::size_t nodes_at(const bv::MeshBvh& tree, int level, std::uint32_t node = 0) {
    const bv::MeshBvhNode& n = tree.nodes()[node];
    if (level == 0) return 1;
    return n.is_leaf() ? 0 : nodes_at(tree, level - 1, n.first) + nodes_at(tree, level - 1, n.first + 1);
}

TEST(MeshBvhScene, ItsNumbersAreThoseOfTheTrees) {
    Session session{command_table()};
    run(session, "set bvh.mesh=gear; set bvh.level=4; scene mesh-bvh", 2);
    const MeshEntry& mesh = session.meshes()[*session.meshes().find("gear")];
    const struct {
        const char* name;
        bv::MeshBuilder builder;
        int rounds;
        float splits = 0.0f;
    } kRows[] = {{"median", bv::MeshBuilder::Median, 0},
                 {"Morton", bv::MeshBuilder::Morton, 0},
                 {"agglomerative (PLOC)", bv::MeshBuilder::Agglomerative, 0},
                 {"binned SAH", bv::MeshBuilder::BinnedSah, 0},
                 {"sweep SAH", bv::MeshBuilder::SweepSah, 0},
                 {"binned SAH, re-inserted", bv::MeshBuilder::BinnedSah, 3},
                 {"binned SAH, spatial splits", bv::MeshBuilder::BinnedSah, 0, 1.0f}};
    std::size_t expected_boxes = 0;
    for (const auto& expected : kRows) {
        bv::MeshBvhOptions options;
        options.builder = expected.builder;
        options.reinsertion_rounds = expected.rounds;
        options.spatial_splits = expected.splits;
        bv::MeshBvh tree;
        tree.build(mesh.view(), options);
        const auto cells = row(table_of(session, "mesh_bvh"), expected.name);
        EXPECT_NEAR(std::get<Number>(cells[2]).value, sah_of(tree), 0.011) << expected.name;
        EXPECT_EQ(whole(cells[4]), height_of(tree)) << expected.name;
        EXPECT_EQ(static_cast<std::size_t>(whole(cells[5])), tree.nodes().size()) << expected.name;
        for (const Row& row : table_of(session, "mesh_bvh").rows)
            if (row.mark != RowMark::None && to_text(row.cells[0]) == expected.name)
                expected_boxes += nodes_at(tree, 4);
    }
    const auto boxes = static_cast<std::size_t>(std::count_if(
        session.results().exhibits.begin(), session.results().exhibits.end(), [](const Exhibit& e) {
            return std::holds_alternative<bv::Aabb>(e.shape) && e.role == Role::TreeNode;
        }));
    EXPECT_EQ(boxes, expected_boxes) << "level 4 of the two trees on show";
    EXPECT_EQ(session.results().trees.size(), 3u);
    // The boxes contain their body, which is where they are drawn.
    for (std::size_t side = 0; side < 2; ++side) {
        const bv::Aabb root = session.results().trees[side + 1].second.boxes[0];
        const bv::Aabb body = test::tight_of(session, session.results().bodies[side]);
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_NEAR(root.min[axis], body.min[axis], 1e-3f);
            EXPECT_NEAR(root.max[axis], body.max[axis], 1e-3f);
        }
    }
    run(session, "set bvh.mesh=torus", 2);
    EXPECT_NE(table_of(session, "mesh_bvh").title.find("torus"), std::string::npos);
}

TEST(MeshBvhScene, ALargeTreeIsTruncatedAndSaysSo) {
    Session session{command_table()};
    run(session, "set bvh.mesh=spike_ball_20k; set pick.largest=20k; scene ray-picking", 1);
    run(session, "scene mesh-bvh; set bvh.level=64", 2);
    EXPECT_NE(table_of(session, "mesh_bvh").title.find("20,480"), std::string::npos);
    const auto& [id, tree] = session.results().trees[1];
    EXPECT_NE(id.find("depths 0 to "), std::string::npos) << id;
    EXPECT_LE(tree.size(), 4096u);
    for (std::uint32_t node = 1; node < tree.size(); ++node) {
        const std::uint32_t parent = tree.parents[node];
        ASSERT_LT(parent, node);
        EXPECT_LT(node - tree.first_child[parent], tree.child_count[parent]);
    }
}

// ---- two trees

TEST(ObbTreeScene, EveryKindFindsThePairsOfBruteForce) {
    Session session{command_table()};
    run(session, "set obbtree.mesh_a=icosphere; set obbtree.mesh_b=octahedron; scene obb-tree", 1);
    int touching = 0, apart = 0;
    for (int i = 0; i < 30; ++i) {
        run(session, "", 16);
        const auto& bodies = session.results().bodies;
        ASSERT_EQ(bodies.size(), 2u);
        const auto scaled = [&](const BodyState& body) {
            std::vector<glm::vec3> positions = session.meshes()[body.mesh].positions;
            for (glm::vec3& p : positions)
                p *= body.scale;
            return positions;
        };
        const auto pose = [](const BodyState& body) {
            bv::Pose p = body.transform;
            for (int k = 0; k < 3; ++k)
                p[k] /= body.scale;
            return p;
        };
        const std::vector<glm::vec3> a = scaled(bodies[0]), b = scaled(bodies[1]);
        const bv::MeshView mesh_a{a, session.meshes()[bodies[0].mesh].triangles};
        const bv::MeshView mesh_b{b, session.meshes()[bodies[1].mesh].triangles};
        const bv::Pose b_in_a = bv::relative_pose(pose(bodies[0]), pose(bodies[1]));
        long long expected = 0;
        for (std::size_t y = 0; y < mesh_b.triangles.size(); ++y) {
            const bv::Triangle there = bv::apply(b_in_a, mesh_b.triangle(y));
            for (std::size_t x = 0; x < mesh_a.triangles.size(); ++x)
                expected += bv::overlap(mesh_a.triangle(x), there);
        }
        const Table& kinds = table_of(session, "obb_tree");
        for (const char* kind : {"OBB", "AABB", "sphere"})
            EXPECT_EQ(whole(row(kinds, kind)[3]), expected) << kind << ", round " << i;
        EXPECT_EQ(to_text(row(kinds, "every kind finds the same pairs")[3]), "yes");
        EXPECT_EQ(whole(row(kinds, "brute force")[2]),
                  static_cast<long long>(mesh_a.triangles.size() * mesh_b.triangles.size()));
        const auto contacts =
            std::count_if(session.results().exhibits.begin(), session.results().exhibits.end(),
                          [](const Exhibit& e) { return e.legend == "contact"; });
        EXPECT_EQ(contacts, expected);
        (expected > 0 ? touching : apart)++;
        // The levels add up to the whole traversal.
        const Table& levels = table_of(session, "obb_tree_levels");
        for (std::size_t kind = 0; kind < 3; ++kind) {
            long long sum = 0;
            for (const Row& row : levels.rows)
                sum += whole(row.cells[1 + 2 * kind]);
            EXPECT_EQ(sum, whole(kinds.rows[kind].cells[1]));
        }
    }
    EXPECT_GT(touching, 5);
    EXPECT_GT(apart, 5);
}

TEST(ObbTreeScene, OrientedBoxesNeedTheFewestTests) {
    Session session{command_table()};
    run(session, "scene obb-tree", 300);
    const Table& kinds = table_of(session, "obb_tree");
    EXPECT_LT(whole(row(kinds, "OBB")[1]), whole(row(kinds, "AABB")[1]));
    EXPECT_LT(whole(row(kinds, "OBB")[1]), whole(row(kinds, "sphere")[1]));
}

// ---- what the pictures say

std::string notes_of(const Session& session) {
    std::string text;
    for (const Exhibit& e : session.results().exhibits)
        if (std::holds_alternative<Note>(e.shape)) text += e.label + "; ";
    return text;
}

/// A level that no tree reaches is not shown as if it were there.
TEST(MeshScenes, LevelsBeyondTheTreeAreCalledSo) {
    Session pairs(command_table());
    run(pairs, "scene obb-tree; pause on; set obbtree.level=60", 30);
    EXPECT_NE(notes_of(pairs).find("ended above level 60"), std::string::npos) << notes_of(pairs);
    run(pairs, "set obbtree.level=1", 2);
    EXPECT_EQ(notes_of(pairs).find("ended above"), std::string::npos) << notes_of(pairs);

    Session trees(command_table());
    run(trees, "scene mesh-bvh; set bvh.level=40", 30);
    EXPECT_NE(notes_of(trees).find("the deepest"), std::string::npos) << notes_of(trees);
    for (const Exhibit& e : trees.results().exhibits) {
        EXPECT_FALSE(e.role == Role::Muted && e.legend.empty()) << "leaves have a name of their own";
    }
}

/// A box around the vertices does not only move with its body.
TEST(MeshScenes, TightBoxesAreRefitted) {
    Session session(command_table());
    run(session, "scene narrow-phase; pause on", 3);
    const Table& table = table_of(session, "narrow_phase");
    EXPECT_EQ(to_text(row(table, "fixed AABB").back()), "moves with the body");
    EXPECT_NE(to_text(row(table, "tight AABB").back()), "moves with the body");
}

/// A piece that was removed and brought back is still a piece, whatever was cut meanwhile.
TEST(MeshScenes, RemovedPiecesAreStillCounted) {
    Session session(command_table());
    run(session, "pause on; scene mesh-cut; cut", 2);
    run(session, "step 20", 2);
    const auto cell = [&session](std::string_view name) {
        return to_text(row(table_of(session, "mesh_cut"), name)[1]);
    };
    const auto pieces = session.state().world.bodies().size();
    ASSERT_GE(pieces, 2u);
    const std::string whole = cell("uncut mesh: torus knot"), piece = cell("piece 1");
    run(session, "remove 2; scene.drag plane 40 0 0");
    run(session, "cut", 2);
    EXPECT_NE(session.messages().messages().back().text.find("The plane cuts no piece"), std::string::npos);
    EXPECT_EQ(cell("removed by hand"), piece);
    EXPECT_EQ(cell("uncut mesh: torus knot"), whole);
    EXPECT_LT(std::abs(std::get<Number>(row(table_of(session, "mesh_cut"), "difference")[1]).value), 1e-5);
    run(session, "undo; undo", 2);
    EXPECT_EQ(session.state().world.bodies().size(), pieces);
    EXPECT_EQ(cell("piece 1"), piece);
    run(session, "clear; cut", 2);
    EXPECT_EQ(cell("removed by hand"), whole);
}

/// The plane goes to the largest piece that is there.
TEST(MeshScenes, CutsGoOnWithoutTheLargestPiece) {
    Session session(command_table());
    run(session, "pause on; scene mesh-cut; set cut.period=60; step 31", 2);
    const auto& bodies = session.state().world.bodies();
    ASSERT_GE(bodies.size(), 2u);
    const auto remove_largest = [&] {
        const Table& table = table_of(session, "mesh_cut");
        const auto largest = std::find_if(table.rows.begin(), table.rows.end(), [](const Row& r) {
            return to_text(r.cells[0]).starts_with("piece ");
        });
        ASSERT_NE(largest, table.rows.end());
        const auto body = std::find_if(bodies.begin(), bodies.end(),
                                       [&](const Body& b) { return b.state.mesh.value == largest->mesh; });
        ASSERT_NE(body, bodies.end());
        run(session, fmt::format("remove {}", body->state.id.value), 2);
    };
    remove_largest();
    const auto plane = [&] { return find_handle(session.results().handles, "plane")->position; };
    const glm::vec3 before = plane();
    run(session, "step 35", 2);
    EXPECT_NE(plane(), before);
}

/// A mesh without a volume has no shares of it.
TEST(MeshScenes, AFlatMeshHasNoShares) {
    const io::testing_tools::TestFolder folder;
    const auto path = folder.write("quad.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    Session session(command_table());
    run(session, "pause on; open " + quote_word(path.string()), 2);
    run(session, "scene mesh-cut", 2);
    const Table& table = table_of(session, "mesh_cut");
    EXPECT_EQ(to_text(row(table, "uncut mesh: quad")[1]), "0.000000");
    for (const Row& r : table.rows)
        for (const Cell& cell : r.cells)
            EXPECT_EQ(to_text(cell).find("number"), std::string::npos);
}

/// The last cuts leave pieces whole, and say so.
TEST(MeshScenes, AtMostSixtyPieces) {
    Session session(command_table());
    run(session, "pause on; scene mesh-cut", 2);
    bv::workloads::Random random(3);
    const auto said = [&session] {
        const auto& all = session.messages().messages();
        return std::any_of(all.begin(), all.end(),
                           [](const Message& m) { return m.text.starts_with("At most 60 pieces: "); });
    };
    for (int i = 0; i < 40 && !said(); ++i) {
        const glm::vec3 n = random.direction();
        run(session, fmt::format("scene.value normal {} {} {}; cut", n.x, n.y, n.z), 2);
        ASSERT_LE(session.state().world.bodies().size(), 60u);
    }
    EXPECT_TRUE(said());
    EXPECT_GT(session.state().world.bodies().size(), 50u);
}

/// A name that no mesh has is refused once, and named.
TEST(MeshScenes, UnknownMeshesAreNamed) {
    constexpr std::pair<const char*, const char*> kSettings[] = {
        {"bsp", "bsp.mesh"},
        {"mesh-bvh", "bvh.mesh"},
        {"obb-tree", "obbtree.mesh_a"},
        {"obb-tree", "obbtree.mesh_b"},
        {"mesh-pairs", "pairs.a"},
        {"mesh-pairs", "pairs.b"},
        {"slice", "slice.mesh"},
        {"voxel-pairs", "voxel_pairs.a"},
        {"voxel-pairs", "voxel_pairs.b"},
        {"fit-sphere", "points.mesh"},
        {"hull", "points.mesh"},
    };
    for (const auto& [scene, setting] : kSettings) {
        Session session(command_table());
        run(session, fmt::format("scene {}", scene), 3);
        if (std::string_view(setting) == "points.mesh") run(session, "set points.preset=mesh", 2);
        const auto refusals = [&session] {
            return std::count_if(session.messages().messages().begin(), session.messages().messages().end(),
                                 [](const Message& m) {
                                     return m.text.find("There is no mesh 'nothing_like_it'") !=
                                            std::string::npos;
                                 });
        };
        EXPECT_EQ(refusals(), 0);
        session.commands().push(fmt::format("set {}=nothing_like_it", setting));
        session.drain();
        for (int i = 0; i < 5; ++i)
            session.step(Session::kFixedStep_s);
        EXPECT_EQ(refusals(), 1) << scene << ' ' << setting;
    }
}

}  // namespace
}  // namespace lab
