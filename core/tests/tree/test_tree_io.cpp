// Round trips of snapshots and box lists, and damaged input.
#include <gtest/gtest.h>

#include <limits>

#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/mesh_bvh_wide.hpp"
#include "bv/tree/metrics.hpp"
#include "bv/tree/tree_io.hpp"
#include "bv/tree/wide_tree.hpp"
#include "tree_test_util.hpp"
#include "workloads/meshes.hpp"

namespace bv {
namespace {

using test::Random;
using test::scaled;

TEST(TreeIo, BoxListsRoundTripBitForBit) {
    Random random(1);
    std::vector<Aabb> boxes{{glm::vec3(-std::numeric_limits<float>::max()), glm::vec3(1e-45f)}};
    for (int i = 0; i < 1000; ++i)
        boxes.push_back(random.box(random.below(2) ? 1e-3f : 1e6f));
    const BoxList back = boxes_from_text(boxes_to_text(boxes));
    EXPECT_FALSE(back.error);
    EXPECT_EQ(back.boxes, boxes);
    EXPECT_TRUE(boxes_from_text("").boxes.empty());
}

TEST(TreeIo, BoxListsWithCommasCommentsAndMistakes) {
    const BoxList good = boxes_from_text("# head\n\n0,0,0, 1,2,3 # tail\r\n\t-1 -1 -1 0 0 0");
    ASSERT_FALSE(good.error);
    ASSERT_EQ(good.boxes.size(), 2u);
    EXPECT_EQ(good.boxes[0], (Aabb{glm::vec3(0), glm::vec3(1, 2, 3)}));
    for (const char* bad : {"0 0 0 1 1", "0 0 0 1 1 1 1", "0 0 0 1 1 x", "nan 0 0 1 1 1", "0 0 0 inf 1 1",
                            "1 0 0 0 1 1", "0 0 0 1e60 1 1", "0 0 0 1 1 1x"}) {
        const BoxList list = boxes_from_text(std::string("0 0 0 1 1 1\n") + bad + "\n0 0 0 1 1 1\n");
        ASSERT_TRUE(list.error) << bad;
        EXPECT_EQ(list.error->line, 2u) << bad;
        EXPECT_EQ(list.boxes.size(), 1u);
    }
}

// Root over two inner nodes of two leaves each; all numbers as different as possible.
TreeSnapshot seven_nodes() {
    const auto box = [](float x, float y) { return Aabb{glm::vec3(x, y, 5), glm::vec3(x + 1, y + 2, 8)}; };
    const std::uint32_t none = TreeSnapshot::kNone;
    TreeSnapshot s;
    s.boxes = {{glm::vec3(0, 0, 5), glm::vec3(11, 9, 8)},
               {glm::vec3(0, 0, 5), glm::vec3(4, 9, 8)},
               {glm::vec3(7, 0, 5), glm::vec3(11, 9, 8)},
               box(0, 0),
               box(3, 7),
               box(7, 0),
               box(10, 7)};
    s.parents = {none, 0, 0, 1, 1, 2, 2};
    s.first_child = {1, 3, 5, none, none, none, none};
    s.child_count = {2, 2, 2, 0, 0, 0, 0};
    s.depths = {0, 1, 1, 2, 2, 2, 2};
    s.source_nodes = {10, 11, 12, 13, 14, 15, 16};
    s.first_payload = {0, 0, 0, 0, 2, 3, 4};
    s.payload_count = {0, 0, 0, 2, 1, 1, 1};
    s.payloads = {100, 101, 102, 103, 104};
    s.payload_boxes = {box(0, 0), box(0, 0), box(3, 7), box(7, 0), box(10, 7)};
    return s;
}

TEST(TreeIo, EachRuleOfASnapshotIsChecked) {
    ASSERT_EQ(check_snapshot(seven_nodes()), std::nullopt);
    const auto expect_broken = [](const char* what, const auto& damage) {
        TreeSnapshot s = seven_nodes();
        damage(s);
        EXPECT_TRUE(check_snapshot(s)) << what;
        EXPECT_FALSE(snapshot_from_bytes(snapshot_to_bytes(s)).tree) << what;
    };
    using S = TreeSnapshot;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    expect_broken("one parent too few", [](S& s) { s.parents.pop_back(); });
    expect_broken("one first child too many", [](S& s) { s.first_child.push_back(S::kNone); });
    expect_broken("one count too few", [](S& s) { s.child_count.pop_back(); });
    expect_broken("one depth too few", [](S& s) { s.depths.pop_back(); });
    expect_broken("one source too few", [](S& s) { s.source_nodes.pop_back(); });
    expect_broken("one first payload too few", [](S& s) { s.first_payload.pop_back(); });
    expect_broken("one payload count too few", [](S& s) { s.payload_count.pop_back(); });
    expect_broken("a payload without a box", [](S& s) { s.payload_boxes.pop_back(); });
    expect_broken("one OBB for all nodes", [](S& s) { s.obbs.resize(1); });
    expect_broken("OBBs but one", [](S& s) { s.obbs.resize(6); });
    for (std::size_t n = 0; n < 7; ++n)
        for (int k = 0; k < 3; ++k) {
            expect_broken("a box that is not finite", [&](S& s) { s.boxes[n].min[k] = nan; });
            expect_broken("a box that is not finite", [&](S& s) { s.boxes[n].max[k] = nan; });
        }
    for (std::size_t p = 0; p < 5; ++p)
        expect_broken("a payload's box that is not finite", [&](S& s) { s.payload_boxes[p].max.y = nan; });
    expect_broken("a root with a parent", [](S& s) { s.parents[0] = 0; });
    expect_broken("a root that is not at depth 0", [](S& s) {
        for (std::uint32_t& d : s.depths)
            ++d;
    });
    for (std::uint32_t n = 1; n < 7; ++n) {
        expect_broken("a parent after its child", [&](S& s) { s.parents[n] = n; });
        expect_broken("no parent", [&](S& s) { s.parents[n] = S::kNone; });
        const std::uint32_t others[7] = {0, 2, 1, 2, 2, 1, 1};
        expect_broken("another parent", [&](S& s) { s.parents[n] = others[n]; });
        expect_broken("too deep", [&](S& s) { ++s.depths[n]; });
        expect_broken("too high", [&](S& s) { --s.depths[n]; });
    }
    for (std::size_t n = 0; n < 3; ++n) {
        expect_broken("children elsewhere", [&](S& s) { ++s.first_child[n]; });
        expect_broken("children elsewhere", [&](S& s) { --s.first_child[n]; });
        expect_broken("one child too many", [&](S& s) { ++s.child_count[n]; });
        expect_broken("one child too few", [&](S& s) { --s.child_count[n]; });
        expect_broken("no children", [&](S& s) { s.child_count[n] = 0; });
        expect_broken("children far away", [&](S& s) { s.first_child[n] = 0xfffffff0u; });
    }
    expect_broken("payloads beyond the end", [](S& s) { ++s.first_payload[6]; });
    expect_broken("payloads beyond the end", [](S& s) { s.payload_count[6] = 2; });
    expect_broken("payloads far away", [](S& s) { s.first_payload[6] = 0xffffffffu; });
    for (std::uint32_t n = 1; n < 7; ++n)
        for (int k = 0; k < 3; ++k) {
            expect_broken("a child that sticks out", [&](S& s) { s.boxes[n].min[k] -= 20.0f; });
            expect_broken("a child that sticks out", [&](S& s) { s.boxes[n].max[k] += 20.0f; });
        }
    EXPECT_EQ(check_snapshot(seven_nodes()), std::nullopt);
}

TEST(TreeIo, BytesHaveTheDocumentedLayout) {
    TreeSnapshot s = seven_nodes();
    test::Random random(3);
    s.obbs.resize(7);
    for (Obb& o : s.obbs)
        o = {random.in_cube(3.0f), random.in_cube(2.0f),
             glm::mat3(random.in_cube(1.0f), random.in_cube(1.0f), random.in_cube(1.0f))};
    s.payloads = {0x0102030405060708u, 1, 0xffffffffffffffffu, 0x8000000000000000u, 5};
    const auto bytes = snapshot_to_bytes(s);
    const SnapshotResult back = snapshot_from_bytes(bytes);
    ASSERT_TRUE(back.tree) << back.error;
    EXPECT_EQ(*back.tree, s);
    EXPECT_EQ(bytes.size(), 32u + 7 * (24u + 28u) + 5 * (8u + 24u) + 7 * 60u);
    // Counts, least byte first, then the first box.
    EXPECT_EQ(bytes[8], 7u);
    EXPECT_EQ(bytes[16], 5u);
    EXPECT_EQ(bytes[24], 7u);
    const std::size_t payloads = 32 + 7 * 52;
    for (std::size_t i = 0; i < 8; ++i)
        EXPECT_EQ(bytes[payloads + i], 8u - i);
    // One byte more or less contradicts the counts; other counts contradict the size.
    auto longer = bytes;
    longer.push_back(0);
    EXPECT_FALSE(snapshot_from_bytes(longer).tree);
    EXPECT_FALSE(snapshot_from_bytes(std::span(bytes).first(bytes.size() - 1)).tree);
    for (const std::size_t count : {std::size_t{8}, std::size_t{16}, std::size_t{24}}) {
        auto other = bytes;
        --other[count];
        EXPECT_FALSE(snapshot_from_bytes(other).tree);
        other[count + 7] = 0xff;
        EXPECT_FALSE(snapshot_from_bytes(other).tree);
    }
    for (std::size_t i = 0; i < 8; ++i) {
        auto other = bytes;
        ++other[i];
        EXPECT_FALSE(snapshot_from_bytes(other).tree) << "another kind of file";
    }
}

TEST(TreeIo, SnapshotsRoundTripAndDamageIsRejected) {
    Random random(2);
    DynamicTree binary;
    WideTree wide;
    for (std::uint64_t i = 0; i < 60; ++i) {
        const Aabb box = random.box(10.0f);
        binary.insert(box, i << 40);
        wide.insert(box, i << 40);
    }
    for (const TreeSnapshot& tree : {binary.snapshot(), wide.snapshot(), TreeSnapshot{}}) {
        ASSERT_FALSE(check_snapshot(tree));
        const auto bytes = snapshot_to_bytes(tree);
        const SnapshotResult back = snapshot_from_bytes(bytes);
        ASSERT_TRUE(back.tree) << back.error;
        EXPECT_EQ(snapshot_to_bytes(*back.tree), bytes);
        EXPECT_EQ(back.tree->payloads, tree.payloads);
        EXPECT_EQ(back.tree->boxes, tree.boxes);
        for (std::size_t cut = 0; cut < bytes.size(); cut += 1 + bytes.size() / 300) {
            const SnapshotResult less = snapshot_from_bytes(std::span(bytes).first(cut));
            EXPECT_FALSE(less.tree);
            EXPECT_FALSE(less.error.empty());
        }
        for (int i = 0; i < scaled(20'000); ++i) {
            auto damaged = bytes;
            for (std::uint32_t k = random.below(4) + 1; k-- > 0;)
                random.one_of(damaged) = static_cast<std::uint8_t>(random.below(256));
            const SnapshotResult result = snapshot_from_bytes(damaged);
            // A tree that passes is consistent: measuring it terminates within its arrays.
            if (result.tree) {
                EXPECT_EQ(measure(*result.tree).nodes, result.tree->size());
            }
        }
    }
}

// A triangle that several leaves share sticks out of each of them, and yet no query goes wrong.
TEST(TreeIo, LeavesOfSplitTrianglesAreNotLoose) {
    Random random(2);
    workloads::MeshData mesh;
    for (std::uint32_t i = 0; i < 40; ++i) {
        for (int k = 0; k < 3; ++k)
            mesh.positions.emplace_back(random.below(9), random.below(9), random.below(9));
        mesh.triangles.emplace_back(3 * i, 3 * i + 1, 3 * i + 2);
    }
    MeshBvhOptions options;
    options.spatial_splits = 1;
    options.max_leaf_triangles = 1;
    MeshBvh binary;
    ASSERT_EQ(binary.build(mesh.view(), options), MeshBuildStatus::Ok);
    ASSERT_TRUE(binary.has_repeated_references());
    MeshBvh8 wide;
    ASSERT_EQ(wide.build(binary), MeshBvh8::Status::Ok);
    for (const TreeSnapshot& tree : {binary.snapshot(), wide.snapshot()}) {
        EXPECT_EQ(loose_nodes(tree, 1).count, 0u);
        EXPECT_FALSE(check_snapshot(tree));
        for (std::size_t p = 0; p < tree.payloads.size(); ++p) {
            const Triangle t = mesh.view().triangle(tree.payloads[p]);
            const Aabb whole{glm::min(t.a, glm::min(t.b, t.c)), glm::max(t.a, glm::max(t.b, t.c))};
            EXPECT_EQ(merge(whole, tree.payload_boxes[p]), whole) << "a part of it, payload " << p;
        }
    }
}

}  // namespace
}  // namespace bv
