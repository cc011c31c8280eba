// Tree metrics by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/metrics.hpp"
#include "bv/tree/wide_tree.hpp"
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

TEST(TreeMetrics, KnownTree) {
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

// The middle cube moved halfway into the node of the others: foreign area that EPO counts and SAH does not.
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

TEST(TreeMetrics, PlanarTreesAreMeasuredInTheirPlane) {
    TreeSnapshot solid = three_cubes();
    solid.boxes[3].max += glm::vec3(1.5f, 0, 0);  // overlaps the second cube
    const TreeMetrics m = measure(solid);
    ASSERT_GT(m.sibling_overlap, 0.0);
    for (int axis = 0; axis < 3; ++axis) {
        TreeSnapshot flat = solid;
        for (std::vector<Aabb>* boxes : {&flat.boxes, &flat.payload_boxes})
            for (Aabb& box : *boxes) {
                // The cubes lie along x: that axis takes the place of the one that becomes flat.
                std::swap(box.min.x, box.min[(axis + 1) % 3]);
                std::swap(box.max.x, box.max[(axis + 1) % 3]);
                box.min[axis] = box.max[axis] = 7.0f;
            }
        const TreeMetrics planar = measure(flat);
        EXPECT_DOUBLE_EQ(planar.sibling_overlap, m.sibling_overlap) << axis;
        EXPECT_DOUBLE_EQ(planar.dead_space, m.dead_space) << axis;
        EXPECT_DOUBLE_EQ(planar.fatness, m.fatness) << axis;
    }
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
        // Up to 32 are exact.
        const std::uint32_t count = 1 + random.below(round % 4 == 0 ? 60 : 8);
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
        ASSERT_NEAR(dead_space(s, 0), 1.0 - cells / double(s.boxes[0].volume()), count > 32 ? 0.08 : 1e-9);
    }
}

TEST(TreeMetrics, TheOverlapOfManyChildrenIsEstimated) {
    test::Random random(5);
    TreeSnapshot s;
    constexpr std::uint32_t kCount = 1500;
    s.boxes.emplace_back();
    for (std::uint32_t i = 0; i < kCount; ++i) {
        s.boxes.push_back(random.box(10.0f));
        s.boxes[0] = merge(s.boxes[0], s.boxes.back());
    }
    s.first_child.assign(kCount + 1, TreeSnapshot::kNone);
    s.first_child[0] = 1;
    s.child_count.assign(kCount + 1, 0);
    s.child_count[0] = kCount;
    double sum = 0.0;
    for (std::uint32_t a = 1; a <= kCount; ++a)
        for (std::uint32_t b = a + 1; b <= kCount; ++b) {
            double both = 1.0;
            for (int k = 0; k < 3; ++k)
                both *= std::max(0.0, double(std::min(s.boxes[a].max[k], s.boxes[b].max[k])) -
                                          double(std::max(s.boxes[a].min[k], s.boxes[b].min[k])));
            sum += both;
        }
    const double exact = sum / double(s.boxes[0].volume());
    EXPECT_NEAR(sibling_overlap(s, 0), exact, 0.25 * exact);
    EXPECT_GT(exact, 0.0);
}

double volume_of(const Aabb& b) {
    double v = 1.0;
    for (int k = 0; k < 3; ++k)
        v *= std::max(0.0, double(b.max[k]) - double(b.min[k]));
    return v;
}
double surface_of(const Aabb& b) {
    const glm::dvec3 s = glm::dvec3(b.max) - glm::dvec3(b.min);
    return 2.0 * (s.x * s.y + s.y * s.z + s.z * s.x);
}

/// The area of a box's six faces inside another box.
double surface_within(const Aabb& box, const Aabb& inside) {
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        double face = 1.0;
        for (const int j : {(k + 1) % 3, (k + 2) % 3})
            face *= std::max(0.0, std::min(double(box.max[j]), double(inside.max[j])) -
                                      std::max(double(box.min[j]), double(inside.min[j])));
        for (const float at : {box.min[k], box.max[k]})
            if (inside.min[k] <= at && at <= inside.max[k]) sum += face;
    }
    return sum;
}

// Every metric by its definition, on trees of several kinds, with costs other than one.
TEST(TreeMetrics, MatchTheirDefinitions) {
    test::Random random(5);
    for (const std::uint64_t count : {1u, 2u, 5u, 40u, 150u}) {
        DynamicTree binary(TreeOptions{.balancing = Balancing::None, .margin = Margin::Fixed});
        DynamicTree chain(TreeOptions{
            .insertion = Insertion::Manhattan, .balancing = Balancing::None, .margin = Margin::None});
        WideTree wide;
        for (std::uint64_t i = 0; i < count; ++i) {
            Aabb box = random.box(3.0f);
            for (glm::vec3* p : {&box.min, &box.max})
                *p = *p * glm::vec3(1, 2, 3) + glm::vec3(20, -10, 5);
            binary.insert(box, i);
            chain.insert({box.min + glm::vec3(float(i), 0, 0), box.max + glm::vec3(float(i), 0, 0)}, i);
            wide.insert(box, i);
        }
        wide.update();
        for (const TreeSnapshot& t : {binary.snapshot(), chain.snapshot(), wide.snapshot()}) {
            MetricOptions options;
            options.traversal_cost = 1.5;
            options.intersection_cost = 0.25;
            options.epo = MeasureEpo::Yes;
            const TreeMetrics m = measure(t, options);
            double inner = 0, leaf = 0, fat = 0, tight = 0, depths = 0, overlap = 0, max_overlap = 0,
                   dead = 0, epo = 0, all = 0;
            std::uint32_t leaves = 0, inners = 0, height = 0, balance = 0, widest = 2;
            std::vector<std::uint32_t> heights(t.size(), 0), at_depth;
            for (std::uint32_t n = std::uint32_t(t.size()); n-- > 0;)
                if (n > 0) heights[t.parents[n]] = std::max(heights[t.parents[n]], heights[n] + 1);
            for (std::uint32_t n = 0; n < t.size(); ++n) {
                height = std::max(height, t.depths[n]);
                widest = std::max(widest, t.child_count[n]);
                if (t.is_leaf(n)) {
                    ++leaves;
                    leaf += surface_of(t.boxes[n]) * t.payload_count[n];
                    fat += volume_of(t.boxes[n]);
                    depths += t.depths[n];
                    at_depth.resize(std::max<std::size_t>(at_depth.size(), t.depths[n] + 1u), 0);
                    ++at_depth[t.depths[n]];
                    continue;
                }
                ++inners;
                inner += surface_of(t.boxes[n]);
                double common = 0;
                for (std::uint32_t a = 0; a < t.child_count[n]; ++a)
                    for (std::uint32_t b = 0; b < a; ++b) {
                        const Aabb &x = t.boxes[t.first_child[n] + a], &y = t.boxes[t.first_child[n] + b];
                        common += volume_of({glm::max(x.min, y.min), glm::min(x.max, y.max)});
                        const std::uint32_t ha = heights[t.first_child[n] + a],
                                            hb = heights[t.first_child[n] + b];
                        balance = std::max(balance, ha > hb ? ha - hb : hb - ha);
                    }
                const double share = volume_of(t.boxes[n]) > 0 ? common / volume_of(t.boxes[n]) : 0.0;
                overlap += share;
                max_overlap = std::max(max_overlap, share);
                dead += dead_space(t, n);
                EXPECT_NEAR(sibling_overlap(t, n), share, 1e-9);
            }
            for (std::uint32_t n = 0; n < t.size(); ++n) {
                // The payloads that are not below n.
                double foreign = 0;
                for (std::uint32_t other = 0; other < t.size(); ++other) {
                    bool below = false;
                    for (std::uint32_t up = other; up != TreeSnapshot::kNone; up = t.parents[up])
                        below = below || up == n;
                    if (below) continue;
                    for (std::uint32_t p = 0; p < t.payload_count[other]; ++p)
                        foreign += surface_within(t.payload_boxes[t.first_payload[other] + p], t.boxes[n]);
                }
                epo += foreign * (t.is_leaf(n) ? 0.25 * t.payload_count[n] : 1.5);
            }
            for (const Aabb& box : t.payload_boxes)
                all += surface_of(box);
            for (std::uint32_t n = 0; n < t.size(); ++n) {
                Aabb held;
                for (std::uint32_t p = 0; p < t.payload_count[n]; ++p)
                    held = merge(held, t.payload_boxes[t.first_payload[n] + p]);
                if (t.is_leaf(n)) tight += volume_of(held);
            }
            EXPECT_EQ(m.nodes, t.size());
            EXPECT_EQ(m.leaves, leaves);
            EXPECT_EQ(m.payloads, count);
            EXPECT_EQ(m.height, height);
            EXPECT_EQ(m.max_balance, balance);
            EXPECT_EQ(m.leaf_depths, at_depth);
            std::uint32_t optimal = 0;
            for (std::uint64_t reach = 1; reach < leaves; reach *= widest)
                ++optimal;
            EXPECT_EQ(m.optimal_height, optimal);
            const double root = surface_of(t.boxes[0]);
            EXPECT_NEAR(m.area_ratio, t.is_leaf(0) ? 0.0 : (inner - root) / root, 1e-9);
            EXPECT_NEAR(m.sah, (1.5 * inner + 0.25 * leaf) / root, 1e-9 * m.sah);
            EXPECT_NEAR(m.epo, epo / all, 1e-6 * (1.0 + m.epo));
            EXPECT_NEAR(m.fatness, fat / tight, 1e-9 * m.fatness);
            EXPECT_NEAR(m.mean_leaf_depth, depths / leaves, 1e-9);
            EXPECT_NEAR(m.sibling_overlap, inners ? overlap / inners : 0.0, 1e-9);
            EXPECT_NEAR(m.max_sibling_overlap, max_overlap, 1e-9);
            EXPECT_NEAR(m.dead_space, inners ? dead / inners : 0.0, 1e-9);
            EXPECT_EQ(node_heights(t), heights);
            EXPECT_EQ(m.nodes_per_ray, 0.0);
            EXPECT_EQ(m.nodes_per_box, 0.0);
        }
    }
}

// The measured costs against means over random rays and boxes.
TEST(TreeMetrics, MeasuredCostIsTheMeanOverRandomQueries) {
    test::Random random(6);
    DynamicTree tree;
    for (std::uint64_t i = 0; i < 60; ++i) {
        Aabb box = random.box(6.0f);
        for (glm::vec3* p : {&box.min, &box.max})
            *p = *p * glm::vec3(1, 2, 4) + glm::vec3(20, -10, 5);
        tree.insert(box, i);
    }
    const TreeSnapshot t = tree.snapshot();
    MetricOptions options;
    options.random_rays = options.random_boxes = 20000;
    const TreeMetrics m = measure(t, options);
    const auto inside = [&] {
        glm::dvec3 p;
        for (int k = 0; k < 3; ++k)
            p[k] = double(random.range(t.boxes[0].min[k], t.boxes[0].max[k]));
        return p;
    };
    double by_rays = 0, by_boxes = 0;
    for (int i = 0; i < 20000; ++i) {
        const glm::dvec3 o = inside();
        glm::dvec3 d;
        do
            d = glm::dvec3(random.in_cube(1.0f));
        while (glm::dot(d, d) > 1.0 || glm::dot(d, d) < 1e-3);
        const Aabb& like = random.one_of(t.payload_boxes);
        const glm::dvec3 half = 0.5 * (glm::dvec3(like.max) - glm::dvec3(like.min)), c = inside();
        for (const Aabb& box : t.boxes) {
            double enter = 0, leave = 1e300;
            bool meets = true;
            for (int k = 0; k < 3; ++k) {
                const double a = (double(box.min[k]) - o[k]) / d[k], b = (double(box.max[k]) - o[k]) / d[k];
                enter = std::max(enter, std::min(a, b));
                leave = std::min(leave, std::max(a, b));
                meets = meets && c[k] - half[k] <= double(box.max[k]) && c[k] + half[k] >= double(box.min[k]);
            }
            by_rays += enter <= leave;
            by_boxes += meets;
        }
    }
    EXPECT_NEAR(m.nodes_per_ray, by_rays / 20000, 0.02 * m.nodes_per_ray);
    EXPECT_NEAR(m.nodes_per_box, by_boxes / 20000, 0.02 * m.nodes_per_box);
    options.random_boxes = 0;
    EXPECT_EQ(measure(t, options).nodes_per_box, 0.0);
    EXPECT_EQ(measure(t, options).nodes_per_ray, m.nodes_per_ray);
    options.random_rays = 0;
    options.random_boxes = 7;
    EXPECT_EQ(measure(t, options).nodes_per_ray, 0.0);
    EXPECT_GT(measure(t, options).nodes_per_box, 0.0);
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
    // All places along a row cost the same, so without rotations chains grow with any tie-break.
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
