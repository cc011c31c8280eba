// A captured tree as a snapshot: each kind of defect alone, what becomes of the tree then, and random links,
// which must give a tree that passes the library's own check.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "bv/tree/metrics.hpp"
#include "bv/tree/tree_io.hpp"
#include "io/captures/capture_tree.hpp"
#include "workloads/random.hpp"

namespace lab::io {
namespace {

using Kind = CaptureDefect::Kind;

bv::Aabb cube(float low, float high) {
    return {glm::vec3(low), glm::vec3(high)};
}

struct Node {
    std::uint64_t id;
    bv::Aabb box;
    std::vector<std::uint64_t> children, payloads;
};

CaptureTree tree_of(std::uint64_t root, const std::vector<Node>& nodes) {
    CaptureTree tree;
    tree.root = root;
    tree.is_complete = true;
    for (const Node& node : nodes) {
        tree.nodes.push_back({node.id, node.box, static_cast<std::uint32_t>(tree.children.size()),
                              static_cast<std::uint32_t>(node.children.size()),
                              static_cast<std::uint32_t>(tree.payloads.size()),
                              static_cast<std::uint32_t>(node.payloads.size())});
        tree.children.insert(tree.children.end(), node.children.begin(), node.children.end());
        tree.payloads.insert(tree.payloads.end(), node.payloads.begin(), node.payloads.end());
    }
    return tree;
}

const std::vector<CaptureProxy> kProxies = {
    {70, cube(0, 1), cube(0, 1), 0}, {71, cube(2, 3), cube(2, 3), 0}, {72, cube(4, 5), cube(4, 5), 0}};
/// A good tree: 1 over 2 and 3, 3 over 4 and 5.
std::vector<Node> good() {
    return {{1, cube(0, 5), {2, 3}, {}},
            {2, cube(0, 1), {}, {70}},
            {3, cube(2, 5), {4, 5}, {}},
            {4, cube(2, 3), {}, {71}},
            {5, cube(4, 5), {}, {72}}};
}

CaptureSnapshot checked(const std::vector<Node>& nodes, std::uint64_t root = 1) {
    CaptureSnapshot snapshot = snapshot_of(tree_of(root, nodes), kProxies);
    EXPECT_EQ(bv::check_snapshot(snapshot.tree, bv::SnapshotCheck::Structure), std::nullopt);
    EXPECT_EQ(snapshot.defect_count, snapshot.defects.size());
    return snapshot;
}

/// The only defect of the tree is this one; the snapshot has so many nodes.
void expect_defect(const std::vector<Node>& nodes, const CaptureDefect& defect, std::size_t size,
                   const std::string& text, std::uint64_t root = 1) {
    const CaptureSnapshot snapshot = checked(nodes, root);
    ASSERT_EQ(snapshot.defects.size(), 1u) << text;
    EXPECT_EQ(snapshot.defects[0], defect) << text;
    EXPECT_EQ(snapshot.tree.size(), size) << text;
    EXPECT_EQ(defect_text(snapshot.defects[0]), text);
}

TEST(CaptureTree, AGoodOneHasNoDefects) {
    const CaptureSnapshot snapshot = checked(good());
    EXPECT_EQ(snapshot.defect_count, 0u);
    EXPECT_EQ(bv::check_snapshot(snapshot.tree), std::nullopt);
    EXPECT_EQ(snapshot.tree.size(), 5u);
    EXPECT_EQ(snapshot.tree.payloads, (std::vector<std::uint64_t>{70, 71, 72}));
    EXPECT_EQ(snapshot.tree.source_nodes, (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
    EXPECT_EQ(bv::measure(snapshot.tree).height, 2u);
    EXPECT_EQ(snapshot_of({}, kProxies).defect_count, 0u) << "no nodes are no defect";
}

TEST(CaptureTree, WithoutItsRootEverythingIsAnOrphan) {
    const CaptureSnapshot snapshot = checked(good(), 9);
    ASSERT_EQ(snapshot.defect_count, 6u);
    EXPECT_EQ(snapshot.defects[0], (CaptureDefect{Kind::NoRoot, 9, 0, 0}));
    EXPECT_EQ(defect_text(snapshot.defects[0]), "the root, node 9, is missing");
    EXPECT_TRUE(snapshot.tree.empty());
}

TEST(CaptureTree, LinksThatDoNotMakeATree) {
    auto nodes = good();
    nodes[2].children[1] = 9;
    CaptureSnapshot snapshot = checked(nodes);
    EXPECT_EQ(snapshot.defects,
              (std::vector<CaptureDefect>{{Kind::MissingChild, 3, 9, 0}, {Kind::Orphan, 5, 0, 0}}));
    EXPECT_EQ(snapshot.tree.size(), 4u);

    nodes = good();
    nodes[2].children = {4, 5, 4};
    expect_defect(nodes, {Kind::SharedChild, 3, 4, 0}, 5,
                  "node 3 has the child 4, which has another parent, too");

    nodes = good();
    nodes[2].children = {4, 5, 1};
    expect_defect(nodes, {Kind::Cycle, 3, 1, 0}, 5, "node 3 has the child 1, which is above it");

    nodes = good();
    nodes.push_back({6, cube(0, 1), {6}, {}});
    expect_defect(nodes, {Kind::Orphan, 6, 0, 0}, 5, "node 6 cannot be reached from the root");

    nodes = good();
    nodes.push_back({8, cube(0, 1), {}, {}});
    nodes.push_back({6, cube(0, 1), {7, 9}, {}});
    nodes.push_back({7, cube(0, 1), {8}, {}});
    nodes.push_back({9, cube(0, 1), {}, {}});
    nodes.push_back({10, cube(0, 1), {}, {}});
    snapshot = checked(nodes);
    EXPECT_EQ(snapshot.defects, (std::vector<CaptureDefect>{{Kind::Orphan, 6, 3, 0},
                                                            {Kind::Orphan, 10, 0, 0},
                                                            {Kind::Orphan, 8, 0, 0},
                                                            {Kind::Orphan, 7, 0, 0},
                                                            {Kind::Orphan, 9, 0, 0}}))
        << "the top of the largest lost subtree first";
    EXPECT_EQ(defect_text(snapshot.defects.front()),
              "node 6 and the 3 nodes below it cannot be reached from the root");

    nodes = good();
    nodes.push_back({5, cube(0, 1), {}, {}});
    expect_defect(nodes, {Kind::SameId, 5, 0, 0}, 5, "several nodes have the id 5");

    nodes = good();
    nodes[1].children = {1};
    nodes[1].payloads.clear();
    expect_defect(nodes, {Kind::Cycle, 2, 1, 0}, 5, "node 2 has the child 1, which is above it");
}

TEST(CaptureTree, BoxesAndPayloads) {
    auto nodes = good();
    nodes[4].payloads[0] = 71;
    CaptureSnapshot snapshot = checked(nodes);
    EXPECT_EQ(snapshot.defects,
              (std::vector<CaptureDefect>{{Kind::SamePayload, 5, 71, 0}, {Kind::PayloadOutside, 5, 71, 2}}));

    nodes = good();
    nodes[2].box.max.y = 4.5f;
    expect_defect(nodes, {Kind::ChildOutside, 3, 5, 0.5f}, 5,
                  "the box of node 3 does not contain its child 5 by 0.5 m");

    nodes = good();
    nodes[1].box.min.z = 0.25f;
    expect_defect(nodes, {Kind::PayloadOutside, 2, 70, 0.25f}, 5,
                  "the box of node 2 does not contain its payload 70 by 0.25 m");

    for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
        nodes = good();
        nodes[2].box.max.x = bad;
        expect_defect(nodes, {Kind::BoxNotFinite, 3, 0, 0}, 5, "the box of node 3 is empty or not finite");
        EXPECT_EQ(checked(nodes).tree.boxes[2], cube(2, 5)) << "the box around what is below";
    }
    nodes = good();
    nodes[4].box.max.x = 3.0f;  // Below its minimum.
    nodes[4].payloads.clear();
    snapshot = checked(nodes);
    EXPECT_EQ(snapshot.defects, (std::vector<CaptureDefect>{{Kind::BoxNotFinite, 5, 0, 0}}));
}

TEST(CaptureTree, PayloadsOfInnerNodesAndUnknownOnes) {
    auto nodes = good();
    nodes[2].payloads = {99, 98};
    const CaptureSnapshot snapshot = checked(nodes);
    EXPECT_EQ(snapshot.defect_count, 0u);
    ASSERT_EQ(snapshot.tree.size(), 6u) << "they get a leaf of their own";
    std::set<std::uint64_t> payloads(snapshot.tree.payloads.begin(), snapshot.tree.payloads.end());
    EXPECT_EQ(payloads, (std::set<std::uint64_t>{70, 71, 72, 98, 99}));
    for (std::uint32_t i = 0; i < 6; ++i)
        if (snapshot.tree.payload_count[i] == 2) {
            EXPECT_EQ(snapshot.tree.source_nodes[i], 2u);
            EXPECT_EQ(snapshot.tree.payload_boxes[snapshot.tree.first_payload[i]], cube(2, 5));
        }
}

TEST(CaptureTree, DefectsAreCountedBeyondTheList) {
    std::vector<Node> nodes{{1, cube(0, 1), {}, {}}};
    for (std::uint64_t id = 2; id < 1000; ++id)
        nodes.push_back({id, cube(0, 1), {}, {}});
    const CaptureSnapshot snapshot = snapshot_of(tree_of(1, nodes), kProxies, 10);
    EXPECT_EQ(snapshot.defects.size(), 10u);
    EXPECT_EQ(snapshot.defect_count, 998u);
}

TEST(CaptureTree, RandomLinksGiveATreeAndAllThatIsMissingIsListed) {
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
        bv::workloads::Random random(seed);
        const std::uint32_t count = 1 + random.below(12);
        std::vector<Node> nodes;
        for (std::uint32_t i = 0; i < count; ++i) {
            Node node{random.below(10) == 0 ? random.below(count) : i, cube(0, 5), {}, {}};
            for (std::uint32_t k = random.below(4); k > 0; --k)
                node.children.push_back(random.below(count + 1));
            for (std::uint32_t k = random.below(3); k > 0; --k)
                node.payloads.push_back(100 + random.below(30));
            if (random.chance(0.1f)) node.box.max.x = std::nanf("");
            nodes.push_back(node);
        }
        const CaptureSnapshot snapshot = checked(nodes, 0);
        std::size_t missing = 0;
        bool has_root = true;
        for (const CaptureDefect& defect : snapshot.defects) {
            missing += defect.kind == Kind::Orphan || defect.kind == Kind::SameId;
            has_root = has_root && defect.kind != Kind::NoRoot;
        }
        const std::set<std::uint32_t> sources(snapshot.tree.source_nodes.begin(),
                                              snapshot.tree.source_nodes.end());
        EXPECT_EQ(sources.size() + missing, count) << seed;
        EXPECT_EQ(has_root, !snapshot.tree.empty()) << seed;
    }
}

}  // namespace
}  // namespace lab::io
