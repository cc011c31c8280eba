// The worst nodes of a tree by every measure, on a tree of seven nodes whose numbers are computed by hand.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "view/node_ranking.hpp"

namespace lab {
namespace {

/// Root 0 with children 1 and 2; 1 has 3 and 4, 4 has 5 and 6. Leaves: 2, 3, 5, 6.
bv::TreeSnapshot tree() {
    constexpr std::uint32_t kNone = bv::TreeSnapshot::kNone;
    bv::TreeSnapshot t;
    t.boxes = {{{0, 0, 0}, {4, 1, 1}},   {{0, 0, 0}, {4, 1, 1}}, {{3, 0, 0}, {4, 1, 1}},
               {{0, 0, 0}, {1, 1, 1}},   {{2, 0, 0}, {4, 1, 1}}, {{2, 0, 0}, {3, 1, 1}},
               {{2.5f, 0, 0}, {4, 1, 1}}};
    t.parents = {kNone, 0, 0, 1, 1, 4, 4};
    t.first_child = {1, 3, kNone, kNone, 5, kNone, kNone};
    t.child_count = {2, 2, 0, 0, 2, 0, 0};
    t.depths = {0, 1, 1, 2, 2, 3, 3};
    t.source_nodes = {0, 1, 2, 3, 4, 5, 6};
    t.first_payload = {0, 0, 0, 2, 0, 3, 4};
    t.payload_count = {0, 0, 2, 1, 0, 1, 1};
    t.payloads = {10, 11, 12, 13, 14};
    t.payload_boxes = {{{3, 0, 0}, {3.5f, 1, 0.5f}},
                       {{3, 0, 0}, {3.5f, 1, 1}},
                       {{0, 0, 0}, {1, 1, 1}},
                       {{2, 0, 0}, {3, 0.5f, 0.5f}},
                       {{2.5f, 0, 0}, {4, 1, 1}}};
    return t;
}

void expect_values(NodeMeasure measure, const std::vector<double>& expected) {
    const std::vector<double> values = measure_nodes(tree(), measure);
    ASSERT_EQ(values.size(), expected.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_NEAR(values[i], expected[i], 1e-6) << "node " << i;
}

TEST(NodeRanking, MeasuresAreThoseByHand) {
    // Areas 18, 18, 6, 6, 10, 6, 8; the leaf 2 holds two boxes.
    const double total = 18 + 18 + 12 + 6 + 10 + 6 + 8;
    expect_values(NodeMeasure::SahShare,
                  {0, 18 / total, 12 / total, 6 / total, 10 / total, 6 / total, 8 / total});
    expect_values(NodeMeasure::Balance, {2, 1, 0, 0, 0, 0, 0});
    // Shares of their volumes: 1 of 4 below the root, nothing below 1, a half of 2 below 4.
    expect_values(NodeMeasure::Overlap, {0.25, 0, 0, 0, 0.25, 0, 0});
    expect_values(NodeMeasure::DeadSpace, {0, 0.25, 0, 0, 0, 0, 0});
    expect_values(NodeMeasure::Fatness, {0, 0, 2, 0, 0, 4, 0});
}

TEST(NodeRanking, VisitsAreThoseOfRaysThroughTheRoot) {
    const std::vector<double> visits = measure_nodes(tree(), NodeMeasure::Visits);
    ASSERT_EQ(visits.size(), 7u);
    EXPECT_EQ(visits[0], 0) << "every ray visits it";
    EXPECT_EQ(visits[1], 128) << "its box is that of the root";
    for (const std::size_t i : {2, 3, 4, 5, 6}) {
        EXPECT_GT(visits[i], 16) << i;
        EXPECT_LT(visits[i], 128) << i;
    }
    EXPECT_LE(visits[5], visits[4]);
    EXPECT_LE(visits[6], visits[4]);
    EXPECT_GE(visits[5] + visits[6], visits[4]) << "the children fill it";
    EXPECT_GT(visits[6], visits[5]) << "it is larger";
    EXPECT_TRUE(measure_nodes({}, NodeMeasure::Visits).empty());
}

TEST(NodeRanking, TheWorstComeFirst) {
    const auto nodes = [](NodeMeasure measure, std::size_t count) {
        std::vector<std::uint32_t> found;
        for (const RankedNode& node : rank_nodes(tree(), measure, count))
            found.push_back(node.node);
        return found;
    };
    EXPECT_EQ(nodes(NodeMeasure::SahShare, 10), (std::vector<std::uint32_t>{1, 2, 4, 6, 3, 5}));
    EXPECT_EQ(nodes(NodeMeasure::SahShare, 3), (std::vector<std::uint32_t>{1, 2, 4}));
    EXPECT_EQ(nodes(NodeMeasure::Balance, 10), (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(nodes(NodeMeasure::Overlap, 10), (std::vector<std::uint32_t>{0, 4}))
        << "equal: nearer to the root";
    EXPECT_EQ(nodes(NodeMeasure::Fatness, 10), (std::vector<std::uint32_t>{5, 2}));
    EXPECT_TRUE(nodes(NodeMeasure::DeadSpace, 0).empty());
    EXPECT_EQ(rank_nodes(tree(), NodeMeasure::Balance, 1).at(0).value, 2);
}

TEST(NodeRanking, ValuesHaveTheirUnits) {
    EXPECT_EQ(measure_text(NodeMeasure::Overlap, 0.25), "25.0 %");
    EXPECT_EQ(measure_text(NodeMeasure::SahShare, 0.125), "12.5 %");
    EXPECT_EQ(measure_text(NodeMeasure::DeadSpace, 1.0), "100.0 %");
    EXPECT_EQ(measure_text(NodeMeasure::Balance, 1.0), "1 level");
    EXPECT_EQ(measure_text(NodeMeasure::Balance, 12.0), "12 levels");
    EXPECT_EQ(measure_text(NodeMeasure::Fatness, 1.5), "1.50 times");
    EXPECT_EQ(measure_text(NodeMeasure::Visits, 31.0), "31 of 128 rays");
}

}  // namespace
}  // namespace lab
