// The scene bsp: its cells against volumes computed from the triangles, its verdicts against the parity of
// crossings.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <set>

#include "commands/catalog.hpp"
#include "mesh_volume.hpp"
#include "scenes/meshes/bsp_cells.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "steps/walk.hpp"
#include "workloads/meshes.hpp"
#include "workloads/random.hpp"
#include "world/mesh_library.hpp"

namespace lab {
namespace {

using test::run;
using test::table_of;

using scenes::ConvexCell;
using scenes::HalfSpace;

/// By the divergence theorem: a face of area A at distance d from the origin adds A d / 3.
double volume_of(const ConvexCell& cell, const bv::Aabb& around) {
    double sum = 0;
    for (std::size_t i = 0; i < cell.size(); ++i) {
        ConvexCell others = cell;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        const scenes::Outline face = scenes::outline_in(cell[i], others, around);
        glm::dvec3 area(0.0);
        for (std::size_t k = 2; k < face.size(); ++k)
            area += 0.5 * glm::cross(face[k - 1] - face[0], face[k] - face[0]);
        sum += glm::length(area) * cell[i].offset / 3.0;
    }
    return sum;
}

bv::workloads::MeshData mesh_named(std::string_view id) {
    for (const auto& row : bv::workloads::mesh_catalog())
        if (row.id == id) return row.factory();
    ADD_FAILURE() << "no mesh " << id;
    return {};
}

struct Volumes {
    double inside = 0, outside = 0;
};
void add_cells(const bv::BspTree& tree, std::uint32_t word, ConvexCell& cell, const bv::Aabb& around,
               Volumes& volumes) {
    if (scenes::bsp_is_node(word)) {
        const bv::BspNode& node = tree.nodes()[word];
        cell.push_back({-node.normal, -node.offset});
        add_cells(tree, node.front, cell, around, volumes);
        cell.back() = {node.normal, node.offset};
        add_cells(tree, node.back, cell, around, volumes);
        cell.pop_back();
        return;
    }
    ASSERT_TRUE(word == bv::BspNode::kInside || word == bv::BspNode::kOutside);
    (word == bv::BspNode::kInside ? volumes.inside : volumes.outside) += volume_of(cell, around);
}

TEST(BspScene, CellsFillTheBoxAndInnerOnesTheMesh) {
    for (const char* id : {"box", "tetrahedron", "dodecahedron", "gear", "cone"}) {
        const bv::workloads::MeshData mesh = mesh_named(id);
        for (const bv::BspPlanes planes : {bv::BspPlanes::Triangles, bv::BspPlanes::TrianglesAndAxes}) {
            bv::BspOptions options;
            options.planes = planes;
            bv::BspTree tree;
            ASSERT_EQ(tree.build({mesh.positions, mesh.triangles}, options), bv::MeshBuildStatus::Ok);
            if (!tree.cells().empty()) continue;  // a limit left some undivided
            bv::Aabb box = bv::Aabb{};
            for (const glm::vec3& p : mesh.positions)
                box = bv::merge(box, bv::Aabb{p, p});
            box = {box.min - 0.3f, box.max + 0.2f};
            ConvexCell cell = scenes::cell_of(box);
            Volumes volumes;
            add_cells(tree, tree.root(), cell, box, volumes);
            const double all = static_cast<double>(box.size().x) * static_cast<double>(box.size().y) *
                               static_cast<double>(box.size().z);
            EXPECT_NEAR(volumes.inside + volumes.outside, all, 1e-6 * all) << id;
            EXPECT_NEAR(volumes.inside, test::mesh_volume(mesh.positions, mesh.triangles), 1e-4 * all) << id;
        }
    }
}

TEST(BspScene, APathEndsInTheCellOfThePoint) {
    bv::workloads::Random random(3);
    const bv::workloads::MeshData mesh = mesh_named("gear");
    bv::BspTree tree;
    ASSERT_EQ(tree.build({mesh.positions, mesh.triangles}), bv::MeshBuildStatus::Ok);
    const bv::Aabb box{glm::vec3(-4.0f), glm::vec3(4.0f)};
    for (int round = 0; round < 200; ++round) {
        const glm::dvec3 p(random.in_box(glm::vec3(-1.5f), glm::vec3(1.5f)));
        const scenes::BspWalk walk = scenes::walk_bsp(tree, p);
        for (const HalfSpace& side : walk.cell(box))
            EXPECT_LE(glm::dot(side.normal, p), side.offset + 1e-12);
        const bv::BspSide expected =
            walk.end == bv::BspNode::kInside ? bv::BspSide::Inside : bv::BspSide::Outside;
        const bv::BspSide answer = tree.classify(glm::vec3(p));
        if (answer != bv::BspSide::Boundary) {
            EXPECT_EQ(answer, expected);
        }
    }
}

TEST(BspScene, CutsOfALevelAreEachNodeOnceWithinItsCell) {
    const bv::workloads::MeshData mesh = mesh_named("gear");
    bv::BspTree tree;
    ASSERT_EQ(tree.build({mesh.positions, mesh.triangles}), bv::MeshBuildStatus::Ok);
    const bv::Aabb box{glm::vec3(-4.0f), glm::vec3(4.0f)};
    std::set<std::uint32_t> seen;
    for (std::uint32_t level = 0; level < 64; ++level)
        for (const scenes::BspCut& cut : scenes::bsp_cuts_at(tree, level, 10'000, box)) {
            EXPECT_TRUE(seen.insert(cut.node).second);
            const bv::BspNode& node = tree.nodes()[cut.node];
            EXPECT_GE(cut.outline.size(), 3u);
            glm::dvec3 middle(0.0);
            for (const glm::dvec3& p : cut.outline) {
                EXPECT_NEAR(glm::dot(node.normal, p), node.offset, 1e-9);
                middle += p / static_cast<double>(cut.outline.size());
            }
            // The path of a point of the outline, moved off the plane, includes this node.
            const scenes::BspWalk walk = scenes::walk_bsp(tree, middle + 1e-6 * node.normal);
            ASSERT_GT(walk.steps.size(), level);
            EXPECT_EQ(walk.steps[level].node, cut.node);
        }
    EXPECT_EQ(seen.size(), tree.nodes().size());
}

TEST(BspScene, EachPlaneOfAPathDividesWhatIsLeftOfTheBoxAroundThePoint) {
    bv::workloads::Random random(4);
    const bv::workloads::MeshData mesh = mesh_named("gear");
    bv::BspTree tree;
    ASSERT_EQ(tree.build({mesh.positions, mesh.triangles}), bv::MeshBuildStatus::Ok);
    const bv::Aabb box{glm::vec3(-4.0f), glm::vec3(4.0f)};
    for (int round = 0; round < 20; ++round) {
        const glm::dvec3 p(random.in_box(glm::vec3(-1.5f), glm::vec3(1.5f)));
        double left = 8.0 * 8.0 * 8.0;
        for (const scenes::BspStep& step : scenes::walk_bsp(tree, p).steps) {
            const ConvexCell region = scenes::bsp_region(tree, step.node, box);
            for (const HalfSpace& side : region)
                EXPECT_LE(glm::dot(side.normal, p), side.offset + 1e-12);
            EXPECT_NEAR(volume_of(region, box), left, 1e-9 * 512.0);
            ConvexCell kept = region;
            kept.push_back(step.kept);
            left = volume_of(kept, box);
        }
    }
}

// ---- in a session

/// Whether a point lies inside a closed mesh, by the number of triangles that a line from it crosses.
bool is_inside(const std::vector<glm::dvec3>& points, const std::vector<glm::uvec3>& triangles,
               const glm::dvec3& p) {
    const glm::dvec3 along(0.5773, 0.2391, 0.7811);
    int crossings = 0;
    for (const glm::uvec3& t : triangles) {
        const glm::dvec3 a = points[t.x] - p, b = points[t.y] - p, c = points[t.z] - p;
        const double u = glm::dot(along, glm::cross(a, b)), v = glm::dot(along, glm::cross(b, c)),
                     w = glm::dot(along, glm::cross(c, a));
        if (!((u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0))) continue;
        const glm::dvec3 n = glm::cross(b - a, c - a);
        crossings += glm::dot(n, a) / glm::dot(n, along) > 0 ? 1 : 0;
    }
    return crossings % 2 == 1;
}

TEST(BspScene, TheSceneClassifiesThePoint) {
    Session session(command_table());
    run(session, "scene bsp; pause on", 2);
    const MeshEntry& mesh = session.meshes()[*session.meshes().find("gear")];
    const double scale = 1.7 / static_cast<double>(mesh.sphere.radius);
    std::vector<glm::dvec3> points;
    for (const glm::vec3& p : mesh.positions)
        points.push_back(glm::dvec3(0.0, 1.6, 0.0) + scale * glm::dvec3(p - mesh.sphere.center));
    bv::workloads::Random random(9);
    int inside = 0;
    for (int round = 0; round < 60; ++round) {
        const glm::vec3 p = random.in_box(glm::vec3(-1.7f, 0.0f, -0.5f), glm::vec3(1.7f, 3.2f, 0.5f));
        run(session, "scene.drag point " + std::to_string(p.x) + " " + std::to_string(p.y) + " " +
                         std::to_string(p.z));
        const bool expected = is_inside(points, mesh.triangles, glm::dvec3(p));
        inside += expected ? 1 : 0;
        const Table& walk = table_of(session, "bsp_walk");
        EXPECT_NE(walk.title.find(expected ? "inside" : "outside"), std::string::npos) << walk.title;
    }
    EXPECT_GT(inside, 5);
    EXPECT_LT(inside, 55);
}

TEST(BspScene, AStepOfThePointShowsItsPlaneAndWhatThatDivides) {
    Session session(command_table());
    run(session, "scene bsp; pause on", 3);
    const std::size_t steps = session.state().scene.running->stepped_walk()->size();
    ASSERT_GT(steps, 3u);
    std::set<std::string> legends;
    for (std::size_t n = 1; n <= steps; ++n) {
        run(session, "step.goto " + std::to_string(n));
        const auto& walk = *session.state().scene.running->stepped_walk();
        const std::string plane =
            "plane " + std::to_string(std::get<bv::PlaneTested>(walk.event(n - 1)).plane);
        std::set<std::string> shown;
        for (const Exhibit& exhibit : session.results().exhibits)
            shown.insert(exhibit.legend);
        EXPECT_TRUE(shown.contains(plane)) << plane;
        EXPECT_TRUE(shown.contains("region that " + plane + " divides")) << plane;
        legends.insert(plane);
    }
    EXPECT_EQ(legends.size(), steps);
}

/// The point lies in planes, where the tree looks on both sides.
TEST(BspScene, TheTableOfAPointIsThatOfItsSteps) {
    Session session(command_table());
    run(session, "set bsp.mesh=icosphere; scene bsp; pause on", 3);
    run(session, "scene.drag point 0 1.5 0", 2);
    const steps::Walk& walk = *session.state().scene.running->stepped_walk();
    const Table& table = table_of(session, "bsp_walk");
    EXPECT_NE(table.title.find("after " + std::to_string(walk.size()) + " plane"), std::string::npos)
        << table.title << " of " << walk.size();
    std::size_t in_planes = 0;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const auto verdict = std::get<bv::PlaneTested>(walk.event(i)).verdict;
        in_planes += verdict == bv::PlaneTested::Verdict::Across;
        EXPECT_EQ(to_text(table.rows[i].cells[2]), verdict == bv::PlaneTested::Verdict::Front  ? "in front"
                                                   : verdict == bv::PlaneTested::Verdict::Back ? "behind"
                                                                                               : "in it");
    }
    EXPECT_GT(in_planes, 0u);
    double planes = 0, leaves = 0;
    for (const Row& row : table_of(session, "bsp").rows) {
        if (to_text(row.cells[0]) == "planes") planes = std::get<Number>(row.cells[1]).value;
        if (to_text(row.cells[0]) == "cells (leaves)") leaves = std::get<Number>(row.cells[1]).value;
    }
    EXPECT_GT(planes, 100.0);
    EXPECT_EQ(leaves, planes + 1);
}

TEST(BspScene, LevelsPlanesAndMeshesCanBeChosen) {
    Session session(command_table());
    run(session, "scene bsp; pause on", 2);
    const auto planes = [&](const char* row) {
        for (const Row& r : table_of(session, "bsp").rows)
            if (to_text(r.cells[0]) == row) return std::get<Number>(r.cells[1]).value;
        return -1.0;
    };
    run(session, "set bsp.level=0");
    EXPECT_EQ(planes("planes of level 0"), 1.0);
    run(session, "set bsp.level=1");
    EXPECT_GE(planes("planes of level 1"), 1.0);
    run(session, "set bsp.level=0; step.goto 3");
    EXPECT_GE(planes("planes of level 2"), 1.0) << "the level of the step that is on show";
    run(session, "step.goto 0");
    const double with_axes = planes("height");
    run(session, "set bsp.mesh=icosphere; set bsp.planes=triangles", 2);
    EXPECT_GT(planes("height"), with_axes) << "a chain on anything round";
    run(session, "set bsp.mesh=tetrahedron", 2);
    EXPECT_EQ(planes("planes"), 4.0);
    EXPECT_EQ(session.file_problems(), 0u);
    session.commands().push("set bsp.mesh=nothing_like_it");
    session.drain();
    session.step(Session::kFixedStep_s);
    EXPECT_NE(session.messages().messages().back().text.find("There is no mesh 'nothing_like_it'"),
              std::string::npos);
}

// ---- the pair cache of fat-boxes, and the distance in obb-tree

TEST(PairChanges, AddUpToThePairsOfTheTree) {
    Session session(command_table());
    run(session, "scene fat-boxes; set fat.pairs=changes; set fat.speed=6", 1);
    double pairs = -1.0;
    int changes = 0;
    for (int frame = 0; frame < 200; ++frame) {
        run(session, "", 1);
        const Table& cached = table_of(session, "fat_pairs");
        const Table& counted = table_of(session, "fat_boxes");
        const auto number = [](const Table& t, std::size_t row, const char* column) {
            return std::get<Number>(t.rows[row].cells[*t.column(column)]).value;
        };
        for (std::size_t row = 0; row < 4; ++row)
            EXPECT_EQ(number(cached, row, "pairs"), number(counted, row, "pairs"));
        changes += pairs >= 0.0 && pairs != number(cached, 0, "pairs") ? 1 : 0;
        pairs = number(cached, 0, "pairs");
    }
    EXPECT_GT(changes, 10);
}

TEST(NearestPoints, AreDrawnWhileTheMeshesAreApart) {
    Session session(command_table());
    run(session, "scene obb-tree; set obbtree.nearest=true", 3);
    const Table& nearest = table_of(session, "obb_tree_nearest");
    const double distance = std::get<Number>(nearest.rows[0].cells[1]).value;
    ASSERT_GT(distance, 0.0);
    const auto line = std::find_if(
        session.results().exhibits.begin(), session.results().exhibits.end(), [](const Exhibit& e) {
            return std::holds_alternative<bv::Segment>(e.shape) && e.legend.find("nearest") == 0;
        });
    ASSERT_NE(line, session.results().exhibits.end());
    const auto& ends = std::get<bv::Segment>(line->shape);
    EXPECT_NEAR(glm::distance(ends.a, ends.b), distance, 1e-4);
}

}  // namespace
}  // namespace lab
