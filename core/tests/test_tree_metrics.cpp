// Tree metrics by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/metrics.hpp"
#include "tree_test_util.hpp"

namespace bv {
namespace {

// Root over a leaf and an inner node of two leaves: unit cubes at x = 0, 2 and 5.
TreeSnapshot three_cubes() {
    const auto cube = [](float x) { return Aabb{glm::vec3(x, 0, 0), glm::vec3(x + 1.0f, 1, 1)}; };
    TreeSnapshot s;
    const std::uint32_t none = TreeSnapshot::kNone;
    s.boxes = {merge(cube(0), cube(5)), cube(5), merge(cube(0), cube(2)), cube(0), cube(2)};
    s.parents = {none, 0, 0, 2, 2};
    s.first_child = {1, none, 3, none, none};
    s.child_count = {2, 0, 2, 0, 0};
    s.depths = {0, 1, 1, 2, 2};
    s.source_nodes = {0, 1, 2, 3, 4};
    s.first_payload = {0, 0, 0, 1, 2};
    s.payload_count = {0, 1, 0, 1, 1};
    s.payloads = {5, 0, 2};
    s.payload_boxes = {cube(5), cube(0), cube(2)};
    return s;
}

TEST(TreeMetrics, HandCase) {
    MetricOptions options;
    options.epo = MeasureEpo::Yes;
    const TreeMetrics m = measure(three_cubes(), options);
    EXPECT_EQ(m.leaves, 3u);
    EXPECT_EQ(m.nodes, 5u);
    EXPECT_EQ(m.payloads, 3u);
    EXPECT_EQ(m.height, 2u);
    EXPECT_EQ(m.optimal_height, 2u);
    EXPECT_EQ(m.max_balance, 1u);
    EXPECT_DOUBLE_EQ(m.area_ratio, 14.0 / 26.0);
    EXPECT_DOUBLE_EQ(m.sah, (26.0 + 14.0 + 18.0) / 26.0);
    EXPECT_DOUBLE_EQ(m.epo, 0.0);
    EXPECT_DOUBLE_EQ(m.sibling_overlap, 0.0);
    EXPECT_DOUBLE_EQ(m.dead_space, 0.5 * ((1.0 - 4.0 / 6.0) + (1.0 - 2.0 / 3.0)));
    EXPECT_DOUBLE_EQ(m.fatness, 1.0);
    EXPECT_EQ(m.leaf_depths, (std::vector<std::uint32_t>{0, 1, 2}));
    EXPECT_DOUBLE_EQ(m.mean_leaf_depth, 5.0 / 3.0);
}

// The middle cube pushed half into the node of the others: a foreign surface that EPO counts and SAH does
// not.
TEST(TreeMetrics, EpoCountsForeignSurface) {
    TreeSnapshot s = three_cubes();
    const Aabb intruder{glm::vec3(1.5f, 0, 0), glm::vec3(2.5f, 1, 1)};
    s.boxes[1] = s.payload_boxes[0] = intruder;
    s.boxes[0] = merge(s.boxes[2], intruder);
    MetricOptions options;
    options.epo = MeasureEpo::Yes;
    const TreeMetrics m = measure(s, options);
    // Inside node 2 (x 0..3): all 6 faces of the intruder. Inside leaf 4 (x 2..3): half of four faces and one
    // whole face. Inside leaf 1: the same of cube 2. Nothing inside leaf 3.
    EXPECT_DOUBLE_EQ(m.epo, (6.0 + 3.0 + 3.0) / 18.0);
    EXPECT_DOUBLE_EQ(sibling_overlap(s, 0), 1.0 / 3.0);
    EXPECT_DOUBLE_EQ(dead_space(s, 0), 0.0);
}

TEST(TreeMetrics, EmptyAndDegenerate) {
    const TreeMetrics none = measure(TreeSnapshot{});
    EXPECT_EQ(none.nodes, 0u);
    EXPECT_EQ(none.sah, 0.0);
    DynamicTree points(TreeOptions{.margin = Margin::None});
    for (std::uint64_t i = 0; i < 4; ++i)
        points.insert({glm::vec3(1), glm::vec3(1)}, i);
    MetricOptions options;
    options.epo = MeasureEpo::Yes;
    options.random_rays = options.random_boxes = 10;
    const TreeMetrics m = measure(points.snapshot(), options);
    EXPECT_EQ(m.leaves, 4u);
    for (const double v : {m.area_ratio, m.sah, m.epo, m.sibling_overlap, m.dead_space, m.fatness})
        EXPECT_EQ(v, 0.0);
}

// A node with more than two children: dead space of a union checked by counting unit cells.
TEST(TreeMetrics, WideNodesUnionByCells) {
    test::Random random(3);
    for (int round = 0; round < 200; ++round) {
        TreeSnapshot s;
        const std::uint32_t none = TreeSnapshot::kNone;
        const std::uint32_t count = 1 + random.below(8);
        s.boxes.emplace_back();
        for (std::uint32_t i = 0; i < count; ++i) {
            glm::vec3 lo, hi;
            for (int k = 0; k < 3; ++k) {
                lo[k] = float(random.below(6));
                hi[k] = lo[k] + 1.0f + float(random.below(3));
            }
            s.boxes.push_back({lo, hi});
            s.boxes[0] = merge(s.boxes[0], s.boxes.back());
        }
        s.parents.assign(count + 1, 0);
        s.parents[0] = none;
        s.first_child.assign(count + 1, none);
        s.first_child[0] = 1;
        s.child_count.assign(count + 1, 0);
        s.child_count[0] = count;
        int cells = 0;
        for (int cell = 0; cell < 1000; ++cell) {
            const glm::vec3 middle =
                glm::vec3(float(cell % 10), float(cell / 10 % 10), float(cell / 100)) + 0.5f;
            bool inside = false;
            for (std::uint32_t i = 1; i <= count; ++i)
                inside = inside || test::boxes_touch(s.boxes[i], {middle, middle});
            cells += inside;
        }
        ASSERT_NEAR(dead_space(s, 0), 1.0 - cells / double(s.boxes[0].volume()), 1e-9);
    }
}

TEST(TreeMetrics, SortedRowNeedsRotations) {
    const auto row = [](Insertion insertion, Balancing balancing) {
        DynamicTree tree(TreeOptions{.insertion = insertion, .balancing = balancing, .margin = Margin::None});
        for (int i = 0; i < 1024; ++i)
            tree.insert({glm::vec3(float(i), 0, 0), glm::vec3(float(i) + 1.0f, 1, 1)}, std::uint64_t(i));
        return measure(tree.snapshot());
    };
    const TreeMetrics chain = row(Insertion::Manhattan, Balancing::None);
    EXPECT_NEAR(chain.area_ratio, 511.7, 0.1);
    EXPECT_EQ(chain.height, 1023u);
    // Every place along a row costs the same, so without rotations chains grow whatever the tie-break.
    EXPECT_GT(row(Insertion::BranchAndBoundSah, Balancing::None).area_ratio, 100.0);
    const TreeMetrics best = row(Insertion::BranchAndBoundSah, Balancing::Sah);
    EXPECT_LE(best.area_ratio, 9.7);
    EXPECT_LE(best.height, 11u);
    EXPECT_EQ(best.optimal_height, 10u);
}

TEST(TreeMetrics, MeasuredCostFallsWithQuality) {
    test::Random random(9);
    DynamicTree good;
    DynamicTree bad(TreeOptions{.insertion = Insertion::Manhattan, .balancing = Balancing::None});
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const Aabb box = random.box(20.0f);
        good.insert(box, i);
        bad.insert(box, i);
    }
    MetricOptions options;
    options.random_rays = options.random_boxes = 500;
    options.epo = MeasureEpo::Yes;
    const TreeMetrics g = measure(good.snapshot(), options);
    const TreeMetrics b = measure(bad.snapshot(), options);
    EXPECT_LT(g.nodes_per_ray, b.nodes_per_ray);
    EXPECT_LT(g.nodes_per_box, b.nodes_per_box);
    EXPECT_LT(g.sah, b.sah);
    EXPECT_GT(g.epo, 0.0);
    EXPECT_GT(g.fatness, 1.0);
    EXPECT_EQ(std::accumulate(g.leaf_depths.begin(), g.leaf_depths.end(), 0u), 1000u);
    EXPECT_EQ(measure(good.snapshot(), options).nodes_per_ray, g.nodes_per_ray);
}

}  // namespace
}  // namespace bv
