// Round trips: the snapshot of every kind of tree, over many kinds of input, passes check_snapshot and is
// unchanged after conversion to bytes and back.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "bv/broadphase/broadphase.hpp"
#include "bv/tree/bsp_tree.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/mesh_bvh.hpp"
#include "bv/tree/mesh_bvh_wide.hpp"
#include "bv/tree/obb_tree.hpp"
#include "bv/tree/tree_io.hpp"
#include "bv/tree/wide_tree.hpp"
#include "random.hpp"
#include "tree_test_util.hpp"
#include "workloads/clouds.hpp"
#include "workloads/meshes.hpp"

namespace bv {
namespace {

using test::Random;
using test::scaled;
using workloads::MeshData;

// Written out plainly, independently of check_snapshot.
bool is_within(const Aabb& inner, const Aabb& outer) {
    for (int k = 0; k < 3; ++k)
        if (!(outer.min[k] <= inner.min[k] && inner.max[k] <= outer.max[k])) return false;
    return true;
}

void expect_round_trip(const TreeSnapshot& tree, const std::string& what) {
    const auto broken = check_snapshot(tree);
    ASSERT_FALSE(broken) << what << ": " << *broken;
    for (std::uint32_t n = 1; n < tree.size(); ++n)
        ASSERT_TRUE(is_within(tree.boxes[n], tree.boxes[tree.parents[n]])) << what << ", node " << n;
    const auto bytes = snapshot_to_bytes(tree);
    const SnapshotResult back = snapshot_from_bytes(bytes);
    ASSERT_TRUE(back.tree) << what << ": " << back.error;
    ASSERT_EQ(*back.tree, tree) << what;
    ASSERT_EQ(snapshot_to_bytes(*back.tree), bytes) << what;
}

void expect_payloads_inside(const TreeSnapshot& tree, const std::string& what) {
    for (std::uint32_t n = 0; n < tree.size(); ++n) {
        if (!tree.is_leaf(n)) continue;
        for (std::uint32_t p = 0; p < tree.payload_count[n]; ++p)
            ASSERT_TRUE(is_within(tree.payload_boxes[tree.first_payload[n] + p], tree.boxes[n])) << what;
    }
}

void check_mesh_trees(const MeshView& mesh, const std::string& what) {
    for (const MeshBuilder builder : {MeshBuilder::Median, MeshBuilder::Morton, MeshBuilder::Agglomerative,
                                      MeshBuilder::BinnedSah, MeshBuilder::SweepSah}) {
        for (const float splits : {0.0f, 1.0f}) {
            if (splits > 0.0f && builder != MeshBuilder::BinnedSah) continue;
            const std::string name = what + ", builder " + std::to_string(static_cast<int>(builder));
            MeshBvhOptions options;
            options.builder = builder;
            options.spatial_splits = splits;
            options.max_leaf_triangles = builder == MeshBuilder::Median ? 1 : 4;
            MeshBvh binary;
            (void)binary.build(mesh, options);
            expect_round_trip(binary.snapshot(), name + ", MeshBvh");
            MeshBvh8 wide;
            (void)wide.build(binary);
            expect_round_trip(wide.snapshot(), name + ", MeshBvh8");
            if (splits > 0.0f) continue;
            expect_payloads_inside(binary.snapshot(), name + ", MeshBvh");
            expect_payloads_inside(wide.snapshot(), name + ", MeshBvh8");
            // After a refit, too.
            std::vector<glm::vec3> moved(mesh.positions.begin(), mesh.positions.end());
            for (glm::vec3& p : moved)
                p = 0.5f * glm::vec3(p.y, p.z, p.x);
            (void)binary.refit(moved);
            wide.refit(binary);
            expect_round_trip(binary.snapshot(), name + ", MeshBvh refitted");
            expect_round_trip(wide.snapshot(), name + ", MeshBvh8 refitted");
        }
    }
    ObbTree obbs;
    AabbTree aabbs;
    SphereTree spheres;
    BspTree bsp;
    (void)obbs.build(mesh);
    (void)aabbs.build(mesh);
    (void)spheres.build(mesh);
    (void)bsp.build(mesh);
    expect_round_trip(obbs.snapshot(), what + ", ObbTree");
    expect_round_trip(aabbs.snapshot(), what + ", AabbTree");
    expect_round_trip(spheres.snapshot(), what + ", SphereTree");
    expect_round_trip(bsp.snapshot(), what + ", BspTree");
    expect_payloads_inside(obbs.snapshot(), what + ", ObbTree");
    expect_payloads_inside(aabbs.snapshot(), what + ", AabbTree");
    expect_payloads_inside(spheres.snapshot(), what + ", SphereTree");
    EXPECT_EQ(obbs.snapshot().obbs.size(), obbs.nodes().size()) << what;
}

void check_box_trees(const std::vector<Aabb>& boxes, const std::string& what) {
    for (const Margin margin : {Margin::None, Margin::Fixed, Margin::Relative, Margin::AlongVelocity}) {
        TreeOptions options;
        options.margin = margin;
        DynamicTree binary(options);
        WideTree wide;
        std::vector<ProxyId> binary_ids, wide_ids;
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            binary_ids.push_back(binary.insert(boxes[i], i).id);
            wide_ids.push_back(wide.insert(boxes[i], i).id);
        }
        for (std::size_t i = 1; i < boxes.size(); i += 2) {
            (void)binary.move(binary_ids[i], boxes[i - 1], boxes[i - 1].center() - boxes[i].center());
            (void)wide.move(wide_ids[i], boxes[i - 1]);
        }
        expect_round_trip(binary.snapshot(), what + ", DynamicTree");
        (void)binary.update();
        (void)wide.update();
        expect_round_trip(binary.snapshot(), what + ", DynamicTree updated");
        expect_round_trip(wide.snapshot(), what + ", WideTree updated");
        expect_payloads_inside(binary.snapshot(), what + ", DynamicTree");
        expect_payloads_inside(wide.snapshot(), what + ", WideTree");
    }
    for (const BroadphaseInfo& info : broadphase_kinds()) {
        const auto engine = make_broadphase(info.kind);
        for (std::size_t i = 0; i < boxes.size(); ++i)
            (void)engine->insert(boxes[i], i);
        engine->update();
        expect_round_trip(engine->snapshot(), what + ", engine " + std::string(info.id));
    }
}

MeshData soup(const std::vector<glm::vec3>& points) {
    MeshData mesh;
    mesh.positions = points;
    for (std::uint32_t i = 0; i + 2 < points.size(); ++i)
        mesh.triangles.push_back({i, i + 1, i + 2});
    return mesh;
}

void place(MeshData& mesh, float scale, const glm::vec3& shift) {
    for (glm::vec3& p : mesh.positions)
        p = p * scale + shift;
}

struct Placement {
    const char* name;
    float scale;
    glm::vec3 shift;
};
const Placement kPlacements[] = {
    {"as it is", 1.0f, {0, 0, 0}},
    {"1e5 m away", 1.0f, {1e5f, -2e5f, 3e4f}},
    {"small, 1e6 m away", 0.25f, {-1e6f, 1e6f, 7e5f}},
    {"tiny", 1e-30f, {0, 0, 0}},
    {"denormal", 1e-41f, {0, 0, 0}},
    {"huge", 1e18f, {0, 0, 0}},
    {"nearly the largest floats", 2e38f, {0, 0, 0}},
};

TEST(TreeSnapshots, MeshesRoundTrip) {
    for (const char* id : {"box", "torus", "teapot", "rock", "gear"}) {
        for (const Placement& where : kPlacements) {
            auto mesh = workloads::make_mesh(id);
            ASSERT_TRUE(mesh) << id;
            place(*mesh, where.scale, where.shift);
            if (mesh->triangles.size() > 400) mesh->triangles.resize(400);
            check_mesh_trees(mesh->view(), std::string(id) + ", " + where.name);
            if (HasFatalFailure()) return;
        }
    }
}

TEST(TreeSnapshots, SoupsRoundTrip) {
    for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(scaled(4)); ++seed) {
        for (const workloads::CloudKind& kind : workloads::cloud_kinds()) {
            for (const std::size_t count : {1, 3, 4, 60}) {
                const MeshData mesh = soup(workloads::make_cloud(kind.id, count, seed));
                check_mesh_trees(mesh.view(), std::string(kind.id) + " of " + std::to_string(count) +
                                                  " points, seed " + std::to_string(seed));
                if (HasFatalFailure()) return;
            }
        }
    }
}

TEST(TreeSnapshots, CrowdsRoundTrip) {
    for (const Placement& where : kPlacements) {
        for (const std::size_t count : {0, 1, 2, 8, 9, 100}) {
            Random random(17 + count);
            std::vector<Aabb> boxes;
            while (boxes.size() < count) {
                const Aabb box = random.box(1.0f);
                const Aabb placed{box.min * where.scale / 12.0f + where.shift,
                                  box.max * where.scale / 12.0f + where.shift};
                if (placed.is_finite()) boxes.push_back(placed);
            }
            check_box_trees(boxes, std::to_string(count) + " boxes, " + where.name);
            if (HasFatalFailure()) return;
        }
    }
}

// A user-defined fit may return anything; the snapshot stays readable, and its boxes contain the triangles.
TEST(TreeSnapshots, UserDefinedFitsRoundTrip) {
    const MeshData mesh = workloads::torus();
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInf = std::numeric_limits<float>::infinity();
    for (const Sphere& odd : {Sphere{}, Sphere{{1, 2, 3}, 0.0f}, Sphere{{kNan, 0, 0}, 1.0f},
                              Sphere{{0, 0, 0}, kInf}, Sphere{{0, kInf, 0}, kNan}}) {
        VolumeTreeOptions<Sphere> options;
        options.fit = [&odd](std::span<const glm::vec3>) { return odd; };
        options.max_leaf_triangles = 100;
        SphereTree tree;
        (void)tree.build(mesh.view(), options);
        expect_round_trip(tree.snapshot(), "sphere of radius " + std::to_string(odd.radius));
        expect_payloads_inside(tree.snapshot(), "sphere of radius " + std::to_string(odd.radius));
    }
}

TEST(TreeSnapshots, OrientedBoxesLargerThanFloatsRoundTrip) {
    MeshData mesh;
    mesh.positions = {{-3e38f, -3e38f, 0}, {3e38f, 3e38f, 0}, {0, 1, 1}};
    mesh.triangles = {{0, 1, 2}};
    ObbTree tree;
    ASSERT_EQ(tree.build(mesh.view()), MeshBuildStatus::Ok);
    expect_round_trip(tree.snapshot(), "an OBB whose half extent is infinite");
}

// The boxes of a MeshBvh8 are stored in steps of a power of two: never smaller than their contents, and less
// than two steps larger, a step being at most the node's size over 127.
TEST(TreeSnapshots, BoxesOfTheWideMeshTreeAreTight) {
    const MeshData mesh = workloads::torus_knot();
    MeshBvh binary;
    MeshBvh8 wide;
    ASSERT_EQ(binary.build(mesh.view()), MeshBuildStatus::Ok);
    ASSERT_EQ(wide.build(binary), MeshBvh8::Status::Ok);
    const TreeSnapshot tree = wide.snapshot();
    std::vector<Aabb> exact(tree.size());
    for (std::size_t n = tree.size(); n-- > 0;) {
        for (std::uint32_t p = 0; p < tree.payload_count[n]; ++p)
            exact[n] = merge(exact[n], tree.payload_boxes[tree.first_payload[n] + p]);
        if (n > 0) exact[tree.parents[n]] = merge(exact[tree.parents[n]], exact[n]);
    }
    for (std::size_t n = 1; n < tree.size(); ++n) {
        ASSERT_TRUE(is_within(exact[n], tree.boxes[n])) << "node " << n;
        const glm::vec3 step = exact[tree.parents[n]].size() * (1.0f / 100.0f) + glm::vec3(1e-6f);
        const glm::vec3 below = exact[n].min - tree.boxes[n].min;
        const glm::vec3 above = tree.boxes[n].max - exact[n].max;
        for (int k = 0; k < 3; ++k)
            ASSERT_LT(std::max(below[k], above[k]), 2.0f * step[k]) << "node " << n;
    }
}

}  // namespace
}  // namespace bv
