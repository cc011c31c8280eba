// For tests of the adapters: what an engine holds, collected by the test itself, against what a capture says.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "captures/capture_model.hpp"
#include "io/captures/capture_file.hpp"
#include "io/captures/capture_tree.hpp"

namespace lab::test {

struct EngineTree {
    std::uint64_t root = 0;
    struct Node {
        bv::Aabb box;
        std::vector<std::uint64_t> children, payloads;
    };
    std::map<std::uint64_t, Node> nodes;
};

struct EngineFrame {
    std::map<std::uint64_t, io::CaptureProxy> proxies;
    std::map<std::string, EngineTree> trees;
};

/// Every node, box, link and count of a frame.
inline void expect_same(const EngineFrame& engine, const io::CaptureFrame& read) {
    EXPECT_TRUE(read.notes.empty()) << read.notes.front();
    ASSERT_EQ(read.proxies.size(), engine.proxies.size());
    for (const io::CaptureProxy& proxy : read.proxies) {
        const auto at = engine.proxies.find(proxy.id);
        ASSERT_NE(at, engine.proxies.end()) << proxy.id;
        EXPECT_TRUE(same_bits(proxy.tight, at->second.tight)) << "tight box of " << proxy.id;
        EXPECT_TRUE(same_bits(proxy.fat, at->second.fat)) << "fat box of " << proxy.id;
        EXPECT_EQ(proxy.tag, at->second.tag);
    }
    ASSERT_EQ(read.trees.size(), engine.trees.size());
    for (const io::CaptureTree& tree : read.trees) {
        ASSERT_TRUE(engine.trees.contains(tree.name)) << tree.name;
        const EngineTree& expected = engine.trees.at(tree.name);
        EXPECT_TRUE(tree.is_complete);
        EXPECT_EQ(tree.root, expected.root);
        ASSERT_EQ(tree.nodes.size(), expected.nodes.size());
        for (const io::CaptureNode& node : tree.nodes) {
            ASSERT_TRUE(expected.nodes.contains(node.id)) << node.id;
            const EngineTree::Node& other = expected.nodes.at(node.id);
            EXPECT_TRUE(same_bits(node.box, other.box)) << "box of node " << node.id;
            const auto child = tree.children.begin() + node.first_child;
            EXPECT_EQ(std::vector<std::uint64_t>(child, child + node.child_count), other.children);
            const auto payload = tree.payloads.begin() + node.first_payload;
            EXPECT_EQ(std::vector<std::uint64_t>(payload, payload + node.payload_count), other.payloads);
        }
        const io::CaptureSnapshot snapshot = io::snapshot_of(tree, read.proxies);
        EXPECT_EQ(snapshot.tree.size(), expected.nodes.size());
        for (const io::CaptureDefect& defect : snapshot.defects)
            ADD_FAILURE() << io::defect_text(defect);
    }
}

/// Reads the capture and compares all of its frames.
inline void expect_same(std::vector<std::uint8_t> bytes, const std::vector<EngineFrame>& engine) {
    auto file = io::CaptureFile::from_bytes(std::move(bytes), "adapter.bvcap");
    ASSERT_TRUE(file) << file.error().text();
    EXPECT_TRUE(file->notes().empty()) << file->notes().front();
    ASSERT_EQ(file->frames().size(), engine.size());
    for (std::size_t i = 0; i < engine.size(); ++i) {
        SCOPED_TRACE("frame " + std::to_string(i));
        const auto frame = file->frame(i);
        ASSERT_TRUE(frame) << frame.error().text();
        expect_same(engine[i], *frame);
        std::uint64_t nodes = 0;
        for (const auto& [name, tree] : engine[i].trees)
            nodes += tree.nodes.size();
        EXPECT_EQ(file->frames()[i].counts.nodes, nodes);
        EXPECT_EQ(file->frames()[i].counts.trees, engine[i].trees.size());
        EXPECT_EQ(file->frames()[i].refused, 0u);
        if (::testing::Test::HasFailure()) return;
    }
}

/// What an example program writes: frames with proxies and sound trees.
inline void expect_example(const std::string& program, const std::string& path, std::size_t proxies) {
    const auto status = [&](const std::string& arguments) {
        const int code = std::system(("'" + program + "' " + arguments + " >/dev/null 2>&1").c_str());
        return WIFEXITED(code) ? WEXITSTATUS(code) : -1;
    };
    EXPECT_EQ(status("--help"), 0);
    const std::string output = "'" + path + "'";
    for (const std::string& wrong : {std::string("--nonsense"), std::string("a.txt"), std::string("99999"),
                                     output + " many", output + " 40 50"})
        EXPECT_EQ(status(wrong), 2) << wrong;
    EXPECT_FALSE(std::filesystem::exists("--help") || std::filesystem::exists(path));
    ASSERT_EQ(std::system((program + " '" + path + "' 40").c_str()), 0);
    auto file = io::CaptureFile::open(path);
    ASSERT_TRUE(file) << file.error().text();
    EXPECT_TRUE(file->notes().empty()) << file->notes().front();
    ASSERT_EQ(file->frames().size(), 40u);
    std::uint64_t moved = 0;
    for (std::size_t i = 0; i < 40; ++i) {
        const auto frame = file->frame(i);
        ASSERT_TRUE(frame) << frame.error().text();
        EXPECT_EQ(frame->proxies.size(), proxies);
        ASSERT_FALSE(frame->trees.empty());
        std::size_t payloads = 0;
        for (const io::CaptureTree& tree : frame->trees) {
            EXPECT_EQ(io::snapshot_of(tree, frame->proxies).defect_count, 0u);
            payloads += tree.payloads.size();
        }
        EXPECT_EQ(payloads, proxies);
        moved += file->frames()[i].counts.moved;
    }
    EXPECT_GT(moved, 1000u);
}

}  // namespace lab::test
