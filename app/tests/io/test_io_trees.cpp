// Trees in both documented forms (bv/tree/FORMAT.md): what was exported comes back, and a file made by hand
// from the page is read.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <string>

#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/mesh_bvh.hpp"
#include "bv/tree/tree_io.hpp"
#include "bv/tree/wide_tree.hpp"
#include "damage.hpp"
#include "io/trees/tree_file.hpp"
#include "io_test_tools.hpp"
#include "workloads/boxes.hpp"

namespace lab::io {
namespace {

using testing_tools::TestFolder;

TEST(TreeJson, ComesBack) {
    const TestFolder folder;
    bv::workloads::MovingBoxes world(200, 3);
    bv::DynamicTree dynamic;
    bv::WideTree wide;
    for (std::size_t i = 0; i < world.size(); ++i) {
        dynamic.insert(world.box(i), ~std::uint64_t{0} - i);
        wide.insert(world.box(i), i);
    }
    wide.update();
    for (bv::TreeSnapshot tree : {dynamic.snapshot(), wide.snapshot()}) {
        tree.boxes[3].max = glm::vec3(3e38f, -1e-40f, 0.1f);  // Extreme numbers, and a box that is too small.
        tree.boxes[3].min = glm::vec3(-3e38f, -1e-40f, 0.1f);
        ASSERT_FALSE(write_tree_export(folder / "t.json", tree, "my \"tree\""));
        const auto read = read_tree_file(folder / "t.json");
        ASSERT_TRUE(read) << read.error().text();
        // The file does not store the numbers that a leaf or an inner node has no use for.
        EXPECT_EQ(bv::check_snapshot(*read, bv::SnapshotCheck::Structure), std::nullopt);
        EXPECT_EQ(read->boxes, tree.boxes);
        EXPECT_EQ(read->parents, tree.parents);
        EXPECT_EQ(read->child_count, tree.child_count);
        EXPECT_EQ(read->depths, tree.depths);
        EXPECT_EQ(read->payload_count, tree.payload_count);
        EXPECT_EQ(tree_json_text(*read, "x"), tree_json_text(tree, "x"));
    }
}

TEST(TreeJson, KeepsTheSignOfZero) {
    bv::DynamicTree tree;
    tree.insert({glm::vec3(-0.0f), glm::vec3(0.0f, -0.0f, 1.0f)}, 1);
    const bv::TreeSnapshot written = tree.snapshot();
    ASSERT_TRUE(std::signbit(written.payload_boxes.at(0).min.x));
    const std::string text = tree_json_text(written, "t");
    EXPECT_NE(text.find("[-0.0,-0.0,-0.0]"), std::string::npos) << text;
    // Other programs write `-0`.
    std::string short_text = text;
    for (std::size_t at = 0; (at = short_text.find("-0.0")) != std::string::npos;)
        short_text.replace(at, 4, "-0");
    for (const std::string& json : {text, short_text}) {
        const auto read = parse_tree_json(json, "t.json");
        ASSERT_TRUE(read) << read.error().text();
        const bv::Aabb &was = written.payload_boxes.at(0), &is = read->payload_boxes.at(0);
        for (int k = 0; k < 3; ++k) {
            EXPECT_EQ(std::signbit(is.min[k]), std::signbit(was.min[k])) << json;
            EXPECT_EQ(std::signbit(is.max[k]), std::signbit(was.max[k])) << json;
        }
    }
}

TEST(TreeJson, RefusesWithThePlace) {
    const auto refusal = [](const std::string& text) {
        const auto read = parse_tree_json(text, "t.json");
        return read ? std::string("accepted") : read.error().text();
    };
    const auto has = [&](const std::string& text, const std::string& part) {
        EXPECT_NE(refusal(text).find(part), std::string::npos) << refusal(text);
    };
    const std::string leaf = R"("parent": 0, "depth": 1, "min": [0,0,0], "max": [1,1,1], "children": []})";
    const std::string good =
        R"({"tree": "t", "nodes": [{"node": 0, "parent": null, "depth": 0, "min": [0,0,0],
        "max": [1,1,1], "children": [1, 2]}, {"node": 1, )" +
        leaf + R"(, {"node": 2, )" + leaf + "]}";
    EXPECT_EQ(refusal(good), "accepted");
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        const std::size_t at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        return text.replace(at, from.size(), to);
    };
    has(with("[1, 2]", "[2, 1]"), "nodes[0].children[1] should be the number after");
    has(with("[1, 2]", "[1]"), "no node has this child, node 2");
    has(with("\"node\": 2", "\"node\": 3"), "nodes[2].node should be its position");
    has(with("[1,1,1]", "[1,1,null]"), "nodes[0].max[2]");
    has(with("[1,1,1]", "[1,1,-1]"), "box with a minimum above its maximum, node 0");
    has(with("\"children\": []}",
             "\"children\": [], \"payloads\": [{\"id\": 1, \"min\": [0,3,0], \"max\": [1,1,1]}]}"),
        "box with a minimum above its maximum, payload 0");
    has(with("[1,1,1]", "[1,1,3.45e38]"), "box not finite, node 0");
    has(with("\"depth\": 1", "\"depth\": 2"), "wrong depth, node 1");
    has(with("\"tree\": \"t\", ", ""), "tree");
    has(with("\"depth\": 0", "\"deep\": 0"), "\"deep\"");
    has(R"({"tree": "t", "nodes": []})", "holds a tree without nodes");
    has("{", "is not valid JSON");
    has("[]", "should be an object");
}

TEST(TreeJson, DamagedOnesAreRefusedOrRead) {
    bv::workloads::MovingBoxes world(12, 3);
    bv::DynamicTree tree;
    for (std::size_t i = 0; i < world.size(); ++i)
        tree.insert(world.box(i), i);
    const std::string good = tree_json_text(tree.snapshot(), "x");
    std::size_t refused = 0;
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
        test::Random random(seed);
        const auto read = parse_tree_json(test::damaged(good, random), "t.json");
        refused += !read;
        if (read) {
            EXPECT_EQ(bv::check_snapshot(*read, bv::SnapshotCheck::Structure), std::nullopt);
        }
    }
    EXPECT_GT(refused, 500u);
    EXPECT_LT(refused, 2000u);
}

TEST(TreeFormat, AFileMadeByHandFromThePageIsRead) {
    std::string bytes = "BVTREE01";
    const auto u32 = [&bytes](std::uint32_t v) {
        for (int i = 0; i < 4; ++i)
            bytes += static_cast<char>(v >> (8 * i));
    };
    const auto u64 = [&u32](std::uint64_t v) {
        u32(static_cast<std::uint32_t>(v));
        u32(static_cast<std::uint32_t>(v >> 32));
    };
    const auto box = [&u32](float low, float high) {
        for (const float f : {low, low, low, high, high, high})
            u32(std::bit_cast<std::uint32_t>(f));
    };
    const std::uint32_t none = 0xffffffffu;
    u64(3), u64(2), u64(0);
    box(0, 3), box(0, 1), box(2, 3);
    for (const std::uint32_t v :
         {none, 0u, 0u, 1u, none, none, 2u, 0u, 0u, 0u, 1u, 1u, 9u, 8u, 7u, 0u, 0u, 1u, 0u, 1u, 1u})
        u32(v);  // Parents, first children, child counts, depths, sources, first payloads, payload counts.
    u64(70), u64(71);
    box(0.25f, 0.75f), box(2.25f, 2.75f);
    const TestFolder folder;
    const auto read = read_tree_file(folder.write("t.bvtree", bytes));
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->boxes.at(2), (bv::Aabb{glm::vec3(2.0f), glm::vec3(3.0f)}));
    EXPECT_EQ(read->source_nodes, (std::vector<std::uint32_t>{9, 8, 7}));
    EXPECT_EQ(read->payloads, (std::vector<std::uint64_t>{70, 71}));
    EXPECT_EQ(read->payload_boxes.at(1).min, glm::vec3(2.25f));
    EXPECT_FALSE(read_tree_file(folder.write("long.bvtree", bytes + "x")));
}

}  // namespace
}  // namespace lab::io
