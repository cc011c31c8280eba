// Contents of snapshots against the input of the trees: every payload once, with its own box, in a leaf;
// boxes as tight as the tree's kind promises; and consistent links between children and parents. The input is
// away from the origin and has different lengths along the axes.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "bv/tree/bsp_tree.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/mesh_bvh.hpp"
#include "bv/tree/mesh_bvh_wide.hpp"
#include "bv/tree/obb_tree.hpp"
#include "bv/tree/wide_tree.hpp"
#include "tree_test_util.hpp"
#include "workloads/meshes.hpp"

namespace bv {
namespace {

using test::Random;
using workloads::MeshData;

Aabb around(const Aabb& a, const Aabb& b) {
    Aabb box;
    for (int k = 0; k < 3; ++k) {
        box.min[k] = std::min(a.min[k], b.min[k]);
        box.max[k] = std::max(a.max[k], b.max[k]);
    }
    return box;
}

/// Checks the links between nodes.
void expect_structure(const TreeSnapshot& tree) {
    const std::size_t n = tree.size();
    ASSERT_GT(n, 0u);
    for (const auto* row : {&tree.parents, &tree.first_child, &tree.child_count, &tree.depths,
                            &tree.source_nodes, &tree.first_payload, &tree.payload_count})
        ASSERT_EQ(row->size(), n);
    ASSERT_EQ(tree.payload_boxes.size(), tree.payloads.size());
    EXPECT_EQ(tree.parents[0], TreeSnapshot::kNone);
    EXPECT_EQ(tree.depths[0], 0u);
    std::vector<int> as_child(n, 0), occurrences(tree.payloads.size(), 0);
    as_child[0] = 1;
    for (std::uint32_t i = 0; i < n; ++i) {
        if (tree.child_count[i] == 0) {
            EXPECT_EQ(tree.first_child[i], TreeSnapshot::kNone);
            ASSERT_LE(std::size_t{tree.first_payload[i]} + tree.payload_count[i], tree.payloads.size());
            for (std::uint32_t p = 0; p < tree.payload_count[i]; ++p)
                ++occurrences[tree.first_payload[i] + p];
            continue;
        }
        EXPECT_EQ(tree.payload_count[i], 0u);
        for (std::uint32_t c = 0; c < tree.child_count[i]; ++c) {
            const std::uint32_t child = tree.first_child[i] + c;
            ASSERT_LT(child, n);
            EXPECT_GT(child, i);
            EXPECT_EQ(tree.parents[child], i);
            EXPECT_EQ(tree.depths[child], tree.depths[i] + 1);
            ++as_child[child];
        }
    }
    EXPECT_EQ(std::count(as_child.begin(), as_child.end(), 1), static_cast<std::ptrdiff_t>(n));
    EXPECT_EQ(std::count(occurrences.begin(), occurrences.end(), 1),
              static_cast<std::ptrdiff_t>(occurrences.size()));
    EXPECT_EQ(std::set(tree.source_nodes.begin(), tree.source_nodes.end()).size(), n);
}

/// Expects every payload of `truth` once, with its box.
void expect_payloads(const TreeSnapshot& tree, const std::map<std::uint64_t, Aabb>& truth) {
    ASSERT_EQ(tree.payloads.size(), truth.size());
    std::set<std::uint64_t> seen;
    for (std::size_t p = 0; p < tree.payloads.size(); ++p) {
        const auto at = truth.find(tree.payloads[p]);
        ASSERT_NE(at, truth.end());
        EXPECT_EQ(tree.payload_boxes[p], at->second);
        EXPECT_TRUE(seen.insert(tree.payloads[p]).second);
    }
}

/// The box around all payloads below each node.
std::vector<Aabb> tight_boxes(const TreeSnapshot& tree) {
    std::vector<Aabb> boxes(tree.size());
    for (std::uint32_t i = static_cast<std::uint32_t>(tree.size()); i-- > 0;) {
        for (std::uint32_t p = 0; p < tree.payload_count[i]; ++p)
            boxes[i] = around(boxes[i], tree.payload_boxes[tree.first_payload[i] + p]);
        if (i > 0) boxes[tree.parents[i]] = around(boxes[tree.parents[i]], boxes[i]);
    }
    return boxes;
}

void expect_tight(const TreeSnapshot& tree) {
    EXPECT_EQ(tree.boxes, tight_boxes(tree));
}

/// Boxes contain everything below them, with at most the margin of the node.
template <class Allowed>
void expect_nearly_tight(const TreeSnapshot& tree, Allowed&& allowed) {
    const std::vector<Aabb> tight = tight_boxes(tree);
    for (std::uint32_t i = 0; i < tree.size(); ++i)
        for (int k = 0; k < 3; ++k) {
            EXPECT_LE(tree.boxes[i].min[k], tight[i].min[k]);
            EXPECT_GE(tree.boxes[i].max[k], tight[i].max[k]);
            EXPECT_LE(double(tight[i].min[k]) - double(tree.boxes[i].min[k]), allowed(i, k)) << i << " " << k;
            EXPECT_LE(double(tree.boxes[i].max[k]) - double(tight[i].max[k]), allowed(i, k)) << i << " " << k;
        }
}

std::vector<MeshData> meshes() {
    std::vector<MeshData> result{workloads::icosphere(3), workloads::torus(), workloads::tetrahedron(),
                                 workloads::gear(7)};
    MeshData one;
    one.positions = {{0, 0, 0}, {1, 0, 0.5f}, {0, 1, 0}};
    one.triangles = {{0, 1, 2}};
    result.push_back(one);
    for (MeshData& mesh : result)
        for (glm::vec3& p : mesh.positions)
            p = p * glm::vec3(5.0f, 2.0f, 9.0f) + glm::vec3(30.0f, -20.0f, 11.0f);
    return result;
}

std::map<std::uint64_t, Aabb> triangle_boxes(const MeshData& mesh) {
    std::map<std::uint64_t, Aabb> truth;
    for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
        Aabb box;
        for (int c = 0; c < 3; ++c) {
            const glm::vec3 p = mesh.positions[mesh.triangles[i][c]];
            box = around(box, Aabb{p, p});
        }
        truth[i] = box;
    }
    return truth;
}

TEST(SnapshotContents, TreesOverMeshes) {
    for (const MeshData& mesh : meshes()) {
        const auto truth = triangle_boxes(mesh);
        for (const std::uint32_t leaf : {1u, 4u}) {
            MeshBvhOptions options;
            options.max_leaf_triangles = leaf;
            MeshBvh tree;
            ASSERT_EQ(tree.build(mesh.view(), options), MeshBuildStatus::Ok);
            const TreeSnapshot snapshot = tree.snapshot();
            expect_structure(snapshot);
            expect_payloads(snapshot, truth);
            expect_tight(snapshot);
            EXPECT_LE(*std::max_element(snapshot.payload_count.begin(), snapshot.payload_count.end()), leaf);
            for (std::uint32_t i = 0; i < snapshot.size(); ++i)
                EXPECT_EQ(snapshot.source_nodes[i], i);

            MeshBvh8 wide;
            ASSERT_EQ(wide.build(tree), MeshBvh8::Status::Ok);
            const TreeSnapshot of_wide = wide.snapshot();
            expect_structure(of_wide);
            expect_payloads(of_wide, truth);
            EXPECT_EQ(wide.bounds(), tree.bounds());
            for (const std::uint32_t count : of_wide.child_count)
                EXPECT_LE(count, 8u);
            // A box is stored in steps of its parent's grid: at least 127 of them across, rounded outward on
            // both sides; and as much again if a child's box sticks out of it by a step of its own.
            const std::vector<Aabb> tight = tight_boxes(of_wide);
            expect_nearly_tight(of_wide, [&](std::uint32_t i, int k) {
                const std::uint32_t up = i == 0 ? 0 : of_wide.parents[i];
                return (double(tight[up].max[k]) - double(tight[up].min[k])) / 50.0 + 1e-5;
            });
        }
    }
    EXPECT_TRUE(MeshBvh{}.snapshot().empty());
    EXPECT_TRUE(MeshBvh8{}.snapshot().empty());
}

/// The extent of a volume along the world's axes.
Aabb world_box(const Obb& box) {
    Aabb result;
    for (int k = 0; k < 3; ++k) {
        double reach = 0.0;
        for (int j = 0; j < 3; ++j)
            reach += std::abs(double(box.axes[j][k])) * double(box.half_extents[j]);
        result.min[k] = static_cast<float>(double(box.center[k]) - reach);
        result.max[k] = static_cast<float>(double(box.center[k]) + reach);
    }
    return result;
}

TEST(SnapshotContents, TreesOfVolumes) {
    for (const MeshData& mesh : meshes()) {
        const auto truth = triangle_boxes(mesh);
        AabbTree boxes;
        ASSERT_EQ(boxes.build(mesh.view()), MeshBuildStatus::Ok);
        expect_structure(boxes.snapshot());
        expect_payloads(boxes.snapshot(), truth);
        expect_tight(boxes.snapshot());
        EXPECT_TRUE(boxes.snapshot().obbs.empty());

        ObbTree obbs;
        ASSERT_EQ(obbs.build(mesh.view()), MeshBuildStatus::Ok);
        const TreeSnapshot of_obbs = obbs.snapshot();
        expect_structure(of_obbs);
        expect_payloads(of_obbs, truth);
        ASSERT_EQ(of_obbs.obbs.size(), of_obbs.size());
        for (std::uint32_t i = 0; i < of_obbs.size(); ++i) {
            const Aabb box = world_box(of_obbs.obbs[i]);
            EXPECT_EQ(of_obbs.obbs[i], obbs.nodes()[of_obbs.source_nodes[i]].volume);
            for (int k = 0; k < 3; ++k) {
                // At least around the volume; a parent's box may be grown to contain its children's.
                EXPECT_LE(of_obbs.boxes[i].min[k], box.min[k] + 1e-4f);
                EXPECT_GE(of_obbs.boxes[i].max[k], box.max[k] - 1e-4f);
                if (!of_obbs.is_leaf(i)) continue;
                EXPECT_NEAR(of_obbs.boxes[i].min[k], box.min[k], 1e-4f);
                EXPECT_NEAR(of_obbs.boxes[i].max[k], box.max[k], 1e-4f);
            }
        }

        SphereTree spheres;
        ASSERT_EQ(spheres.build(mesh.view()), MeshBuildStatus::Ok);
        const TreeSnapshot of_spheres = spheres.snapshot();
        expect_structure(of_spheres);
        expect_payloads(of_spheres, truth);
        for (std::uint32_t i = 0; i < of_spheres.size(); ++i) {
            const Sphere& ball = spheres.nodes()[of_spheres.source_nodes[i]].volume;
            if (!of_spheres.is_leaf(i)) continue;
            for (int k = 0; k < 3; ++k) {
                EXPECT_NEAR(of_spheres.boxes[i].min[k], ball.center[k] - ball.radius, 1e-4f);
                EXPECT_NEAR(of_spheres.boxes[i].max[k], ball.center[k] + ball.radius, 1e-4f);
            }
        }
    }
    EXPECT_TRUE(ObbTree{}.snapshot().empty());
    EXPECT_TRUE(SphereTree{}.snapshot().empty());
}

TEST(SnapshotContents, TreesOfMovingBoxes) {
    Random random(111);
    for (const int count : {1, 2, 8, 9, 300}) {
        std::map<std::uint64_t, Aabb> truth;
        for (int i = 0; i < count; ++i) {
            Aabb box = random.box(9.0f);
            for (glm::vec3* p : {&box.min, &box.max})
                *p = *p * glm::vec3(5.0f, 2.0f, 9.0f) + glm::vec3(30.0f, -20.0f, 11.0f);
            truth[1000u + 7u * static_cast<std::uint64_t>(i)] = box;
        }
        for (const float margin : {0.0f, 0.25f}) {
            TreeOptions options;
            options.margin = margin > 0.0f ? Margin::Fixed : Margin::None;
            options.margin_m = margin;
            DynamicTree tree(options);
            for (const auto& [data, box] : truth)
                tree.insert(box, data);
            const TreeSnapshot snapshot = tree.snapshot();
            expect_structure(snapshot);
            expect_payloads(snapshot, truth);
            const double allowed = double(margin) * 1.0001 + 1e-5;
            if (margin == 0.0f)
                expect_tight(snapshot);
            else
                expect_nearly_tight(snapshot, [&](std::uint32_t, int) { return allowed; });
            // The margin is present, too.
            for (std::uint32_t i = 0; i < snapshot.size(); ++i)
                if (snapshot.is_leaf(i)) {
                    const Aabb& tight = snapshot.payload_boxes[snapshot.first_payload[i]];
                    EXPECT_NEAR(tight.min.y - snapshot.boxes[i].min.y, margin, 1e-5f);
                    EXPECT_NEAR(snapshot.boxes[i].max.z - tight.max.z, margin, 1e-5f);
                }
        }
        WideTree wide;
        for (const auto& [data, box] : truth)
            wide.insert(box, data);
        wide.update();
        expect_structure(wide.snapshot());
        expect_payloads(wide.snapshot(), truth);
        expect_tight(wide.snapshot());
    }
    EXPECT_TRUE(DynamicTree{}.snapshot().empty());
    EXPECT_TRUE(WideTree{}.snapshot().empty());
}

TEST(SnapshotContents, BspTrees) {
    for (const MeshData& mesh : meshes()) {
        const auto truth = triangle_boxes(mesh);
        BspTree tree;
        ASSERT_EQ(tree.build(mesh.view()), MeshBuildStatus::Ok);
        const TreeSnapshot snapshot = tree.snapshot();
        ASSERT_GT(snapshot.size(), 0u);
        // Triangles are cut into pieces: all are present, and each piece is in its triangle's box.
        std::map<std::uint64_t, Aabb> seen;
        for (std::size_t p = 0; p < snapshot.payloads.size(); ++p) {
            const auto at = truth.find(snapshot.payloads[p]);
            ASSERT_NE(at, truth.end());
            for (int k = 0; k < 3; ++k) {
                EXPECT_GE(snapshot.payload_boxes[p].min[k], at->second.min[k] - 1e-4f);
                EXPECT_LE(snapshot.payload_boxes[p].max[k], at->second.max[k] + 1e-4f);
            }
            Aabb& all = seen[snapshot.payloads[p]];
            all = around(all, snapshot.payload_boxes[p]);
        }
        ASSERT_EQ(seen.size(), truth.size());
        for (const auto& [triangle, box] : truth)
            for (int k = 0; k < 3; ++k) {
                EXPECT_NEAR(seen[triangle].min[k], box.min[k], 1e-4f);
                EXPECT_NEAR(seen[triangle].max[k], box.max[k], 1e-4f);
            }
        for (std::uint32_t n = 1; n < snapshot.size(); ++n) {
            const std::uint32_t up = snapshot.parents[n];
            ASSERT_LT(up, n);
            EXPECT_EQ(snapshot.depths[n], snapshot.depths[up] + 1);
            EXPECT_GE(n, snapshot.first_child[up]);
            EXPECT_LT(n, snapshot.first_child[up] + snapshot.child_count[up]);
        }
    }
    EXPECT_TRUE(BspTree{}.snapshot().empty());
}

}  // namespace
}  // namespace bv
