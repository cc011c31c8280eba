// This library's trees, captured: the snapshot that is read back is the one that was captured.
#include "bv/capture/adapters/trees.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/mesh_bvh.hpp"
#include "bv/tree/tree_io.hpp"
#include "bv/tree/wide_tree.hpp"
#include "captures/capture_engine.hpp"
#include "temp_dir.hpp"
#include "workloads/boxes.hpp"
#include "workloads/meshes.hpp"

namespace lab::test {
namespace {

/// Collected from the snapshot by hand.
EngineFrame frame_of(const bv::TreeSnapshot& tree) {
    EngineFrame frame;
    if (tree.empty()) return frame;
    EngineTree& out = frame.trees["tree"];
    out.root = tree.source_nodes[0];
    for (std::uint32_t i = 0; i < tree.size(); ++i) {
        EngineTree::Node& node = out.nodes[tree.source_nodes[i]];
        node.box = tree.boxes[i];
        if (i > 0) out.nodes[tree.source_nodes[tree.parents[i]]].children.push_back(tree.source_nodes[i]);
        for (std::uint32_t p = tree.first_payload[i]; p < tree.first_payload[i] + tree.payload_count[i];
             ++p) {
            node.payloads.push_back(tree.payloads[p]);
            frame.proxies[tree.payloads[p]] = {
                tree.payloads[p], tree.payload_boxes[p],
                tree.payload_count[i] == 1 ? tree.boxes[i] : tree.payload_boxes[p], 0};
        }
    }
    return frame;
}

template <class Tree, class Move>
void capture_moving(Tree& tree, Move&& move) {
    bv_capture* capture = bv_capture_to_memory(nullptr, nullptr);
    bv::capture::SnapshotAdapter adapter;
    std::vector<EngineFrame> expected;
    EXPECT_EQ(adapter.frame(capture, tree, 0), BV_CAPTURE_OK);
    expected.push_back(frame_of(tree.snapshot()));
    for (int f = 1; f < 40; ++f) {
        move(f);
        EXPECT_EQ(adapter.frame(capture, tree, f / 60.0), BV_CAPTURE_OK);
        expected.push_back(frame_of(tree.snapshot()));
        EXPECT_EQ(expected.back().trees["tree"].nodes.size(), tree.snapshot().size())
            << "nodes are told apart by their numbers";
    }
    expect_same(finished_bytes(capture), expected);
}

TEST(CaptureOwnTrees, Dynamic) {
    bv::workloads::MovingBoxes world(300, 2);
    bv::DynamicTree tree;
    std::vector<bv::ProxyId> ids;
    capture_moving(tree, [&](int f) {
        world.step();
        if (f == 1)
            for (std::size_t i = 0; i < world.size(); ++i)
                ids.push_back(tree.insert(world.box(i), 1000 + i).id);
        for (std::size_t i = 0; i < ids.size(); ++i)
            tree.move(ids[i], world.box(i), world.displacement(i));
        if (f % 5 == 0) {
            tree.remove(ids.back());
            ids.pop_back();
        }
        tree.update();
    });
}

TEST(CaptureOwnTrees, Wide) {
    bv::workloads::MovingBoxes world(300, 2);
    bv::WideTree tree;
    std::vector<bv::ProxyId> ids;
    for (std::size_t i = 0; i < world.size(); ++i)
        ids.push_back(tree.insert(world.box(i), i).id);
    capture_moving(tree, [&](int) {
        world.step();
        for (std::size_t i = 0; i < ids.size(); ++i)
            tree.move(ids[i], world.box(i));
        tree.update();
    });
}

TEST(CaptureOwnTrees, ASnapshotComesBackAsItWas) {
    bv::workloads::MovingBoxes world(100, 2);
    bv::DynamicTree tree;
    for (std::size_t i = 0; i < world.size(); ++i)
        tree.insert(world.box(i), i);
    const bv::TreeSnapshot snapshot = tree.snapshot();
    bv_capture* capture = bv_capture_to_memory(nullptr, nullptr);
    bv::capture::SnapshotAdapter().frame(capture, snapshot, 0);
    auto file = io::CaptureFile::from_bytes(finished_bytes(capture), "x");
    ASSERT_TRUE(file);
    const auto frame = file->frame(0);
    ASSERT_TRUE(frame);
    const bv::TreeSnapshot back = io::snapshot_of(frame->trees.at(0), frame->proxies).tree;
    EXPECT_EQ(bv::check_snapshot(back), std::nullopt);
    // The same tree, listed level by level: every node by its id.
    const auto by_id = [](const bv::TreeSnapshot& t, const io::CaptureTree* captured) {
        std::map<std::uint64_t, std::tuple<glm::vec3, glm::vec3, std::uint64_t, std::uint32_t, std::uint64_t>>
            all;
        const auto id = [&](std::uint32_t i) {
            return captured ? captured->nodes[t.source_nodes[i]].id : std::uint64_t{t.source_nodes[i]};
        };
        for (std::uint32_t i = 0; i < t.size(); ++i)
            all[id(i)] = {t.boxes[i].min, t.boxes[i].max, i == 0 ? 0 : id(t.parents[i]), t.depths[i],
                          t.is_leaf(i) ? t.payloads[t.first_payload[i]] : 0};
        return all;
    };
    EXPECT_TRUE(by_id(snapshot, nullptr) == by_id(back, &frame->trees[0]));
}

TEST(CaptureOwnTrees, TheExampleRuns) {
    const TempDir folder;
    expect_example(BVLAB_EXAMPLE, (folder / "x.bvcap").string(), 200);
}

}  // namespace
}  // namespace lab::test
