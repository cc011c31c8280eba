// Snapshots and box lists there and back, and through damage.
#include <gtest/gtest.h>

#include <limits>

#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/metrics.hpp"
#include "bv/tree/tree_io.hpp"
#include "bv/tree/wide_tree.hpp"
#include "tree_test_util.hpp"

namespace bv {
namespace {

using test::Random;
using test::scaled;

TEST(TreeIo, BoxListsComeBackBitForBit) {
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

TEST(TreeIo, SnapshotsComeBackAndDamageIsRefused) {
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
                damaged[random.below(damaged.size())] = static_cast<std::uint8_t>(random.below(256));
            const SnapshotResult result = snapshot_from_bytes(damaged);
            // What passes is whole: measuring it stays within its arrays and ends.
            if (result.tree) {
                EXPECT_EQ(measure(*result.tree).nodes, result.tree->size());
            }
        }
    }
}

}  // namespace
}  // namespace bv
