// DynamicTree against a plain list of boxes: all results equal, all invariants checked after every operation.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "bv/assert.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/metrics.hpp"
#include "tree_model.hpp"

namespace bv {
namespace {

using namespace test;

class DynamicTreeModel : public testing::TestWithParam<Strategy> {};

TEST_P(DynamicTreeModel, MatchesBruteForce) {
    DynamicTree tree(options_of(GetParam()));
    Model model;
    Random random(42);
    const int steps = scaled(8000);
    for (int i = 0; i < steps; ++i) {
        ASSERT_NO_FATAL_FAILURE(random_step(tree, model, random));
        const auto broken = tree.validate();
        ASSERT_FALSE(broken.has_value()) << *broken << " after step " << i;
        ASSERT_EQ(tree.size(), model.entries.size());
        ASSERT_NO_FATAL_FAILURE(check_queries(tree, model, random));
        if (i % 16 == 0) {
            ASSERT_NO_FATAL_FAILURE(check_pairs(tree, model));
        }
    }
}

std::string strategy_name(const testing::TestParamInfo<Strategy>& p) {
    return "I" + std::to_string(int(p.param.insertion)) + "B" + std::to_string(int(p.param.balancing)) + "M" +
           std::to_string(int(p.param.margin)) + "U" + std::to_string(int(p.param.upkeep)) + "R" +
           std::to_string(int(p.param.builder));
}
INSTANTIATE_TEST_SUITE_P(Strategies, DynamicTreeModel, testing::ValuesIn(all_strategies()), strategy_name);

TEST(DynamicTree, SwitchesStrategiesWhileBodiesMove) {
    DynamicTree tree;
    Model model;
    Random random(7);
    const auto strategies = all_strategies();
    for (int i = 0; i < scaled(4000); ++i) {
        if (i % 20 == 0) {
            const TreeOptions options = options_of(random.one_of(strategies));
            tree.set_options(options);
            EXPECT_EQ(tree.options(), options);
        }
        ASSERT_NO_FATAL_FAILURE(random_step(tree, model, random));
        const auto broken = tree.validate();
        ASSERT_FALSE(broken.has_value()) << *broken;
        ASSERT_NO_FATAL_FAILURE(check_queries(tree, model, random));
    }
    check_pairs(tree, model);
}

TEST(DynamicTree, SameSeedGivesTheSameTree) {
    for (const Strategy& s : all_strategies()) {
        TreeSnapshot first;
        for (int run = 0; run < 2; ++run) {
            DynamicTree tree(options_of(s));
            Model model;
            Random random(3);
            for (int i = 0; i < 600; ++i)
                random_step(tree, model, random);
            const TreeSnapshot now = tree.snapshot();
            if (run == 0) {
                first = now;
                continue;
            }
            EXPECT_EQ(now.boxes, first.boxes);
            EXPECT_EQ(now.parents, first.parents);
            EXPECT_EQ(now.source_nodes, first.source_nodes);
            EXPECT_EQ(now.payloads, first.payloads);
        }
    }
}

TEST(DynamicTree, TracedEqualsFast) {
    for (const Strategy& s : all_strategies()) {
        DynamicTree fast(options_of(s));
        DynamicTree traced(options_of(s));
        Recording trace(1u << 20);
        Random random(11);
        std::vector<ProxyId> ids;
        std::vector<Aabb> boxes;
        for (int i = 0; i < 200; ++i) {
            boxes.push_back(random.box(12.0f));
            ids.push_back(fast.insert(boxes.back(), i).id);
            ASSERT_EQ(traced.insert(boxes.back(), i, trace).id, ids.back());
        }
        for (int i = 0; i < 200; ++i) {
            const std::uint32_t k = random.below(ids.size());
            const glm::vec3 d = random.in_cube(2.0f);
            boxes[k] = {boxes[k].min + d, boxes[k].max + d};
            ASSERT_EQ(fast.move(ids[k], boxes[k], d).fat_box_changed,
                      traced.move(ids[k], boxes[k], d, trace).fat_box_changed);
        }
        for (int i = 0; i < 20; ++i) {
            ASSERT_EQ(fast.remove(ids[i]), TreeStatus::Ok);
            ASSERT_EQ(traced.remove(ids[i], trace), TreeStatus::Ok);
        }
        ASSERT_EQ(fast.snapshot().boxes, traced.snapshot().boxes);
        ASSERT_EQ(fast.snapshot().source_nodes, traced.snapshot().source_nodes);
        std::size_t siblings = 0;
        std::size_t rotations = 0;
        for (const TraceEvent& e : trace.events()) {
            siblings += std::holds_alternative<SiblingConsidered>(e);
            if (const auto* r = std::get_if<Rotated>(&e)) {
                ++rotations;
                if (s.balancing == Balancing::Sah) {
                    EXPECT_LT(r->cost_after, r->cost_before);
                }
            }
        }
        EXPECT_GT(siblings, 200u);
        if (s.upkeep == Upkeep::None) {
            EXPECT_EQ(rotations > 0, s.balancing != Balancing::None);
        }

        std::vector<ProxyId> a, b;
        for (int i = 0; i < 200; ++i) {
            const Aabb box = random.box(12.0f);
            const Ray ray = random.ray(12.0f);
            const auto into = [](std::vector<ProxyId>& list) {
                return [&list](ProxyId id, std::uint64_t) { list.push_back(id); };
            };
            const auto into_ray = [](std::vector<ProxyId>& list) {
                return [&list](ProxyId id, std::uint64_t, float t) {
                    list.push_back(id);
                    return t;
                };
            };
            trace.clear();
            const QueryStats stats = fast.query(box, into(a));
            EXPECT_EQ(stats, fast.query(box, into(b), trace));
            EXPECT_EQ(trace.events().size(), stats.boxes_tested);
            EXPECT_EQ(fast.raycast(ray, into_ray(a)), fast.raycast(ray, into_ray(b), trace));
        }
        const auto into_pairs = [](std::vector<ProxyId>& list) {
            return [&list](ProxyId x, ProxyId y) { list.insert(list.end(), {x, y}); };
        };
        EXPECT_EQ(fast.for_each_pair(into_pairs(a)), fast.for_each_pair(into_pairs(b), trace));
        EXPECT_EQ(a, b);
        EXPECT_FALSE(trace.overflowed());
    }
}

TEST(DynamicTree, EmptyTreeAndOneLeaf) {
    DynamicTree tree;
    const auto none = [](ProxyId, std::uint64_t) { ADD_FAILURE(); };
    EXPECT_EQ(tree.query(Aabb{glm::vec3(-1), glm::vec3(1)}, none), QueryStats{});
    EXPECT_EQ(tree.raycast(Ray{}, [](ProxyId, std::uint64_t, float t) { return t; }), QueryStats{});
    EXPECT_EQ(tree.for_each_pair([](ProxyId, ProxyId) { ADD_FAILURE(); }), QueryStats{});
    EXPECT_TRUE(tree.snapshot().empty());
    EXPECT_TRUE(tree.bounds().is_empty());
    EXPECT_FALSE(tree.validate());
    const ProxyId id = tree.insert(Aabb{glm::vec3(0), glm::vec3(1)}, 5).id;
    EXPECT_EQ(query_data(tree, Aabb{glm::vec3(1), glm::vec3(2)}), std::set<std::uint64_t>{5});
    tree.query(Aabb{}, none);
    EXPECT_EQ(tree.snapshot().size(), 1u);
    EXPECT_FALSE(tree.validate());
    EXPECT_EQ(tree.remove(id), TreeStatus::Ok);
    EXPECT_TRUE(tree.empty());
    EXPECT_FALSE(tree.contains(ProxyId{}));
}

TEST(DynamicTree, RejectsNonFiniteInput) {
    DynamicTree tree;
    const float inf = std::numeric_limits<float>::infinity();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const Aabb good{glm::vec3(0), glm::vec3(1)};
    const ProxyId id = tree.insert(good, 1).id;
    for (const Aabb& bad : {Aabb{}, Aabb{glm::vec3(0), glm::vec3(0, inf, 0)},
                            Aabb{glm::vec3(nan, 0, 0), glm::vec3(1)}, Aabb{glm::vec3(2), glm::vec3(1)}}) {
        EXPECT_EQ(tree.insert(bad, 2).status, TreeStatus::NotFinite);
        EXPECT_EQ(tree.move(id, bad).status, TreeStatus::NotFinite);
    }
    EXPECT_EQ(tree.move(id, good, glm::vec3(nan)).status, TreeStatus::NotFinite);
    EXPECT_EQ(tree.tight_box(id), good);
    EXPECT_EQ(tree.size(), 1u);
    for (const float bad : {inf, -inf, nan}) {
        Ray ray{glm::vec3(0.5f, 0.5f, 5.0f)};
        ray.origin.x = bad;
        EXPECT_EQ(tree.raycast(ray, [](ProxyId, std::uint64_t, float t) { return t; }).hits, 0u);
        ray = Ray{glm::vec3(0.5f, 0.5f, 5.0f)};
        ray.direction.y = bad;
        EXPECT_EQ(tree.raycast(ray, [](ProxyId, std::uint64_t, float t) { return t; }).hits, 0u);
    }
    tree.query(Aabb{glm::vec3(nan), glm::vec3(nan)}, [](ProxyId, std::uint64_t) { ADD_FAILURE(); });
}

TEST(DynamicTree, HugeBoxesStayFiniteAndFound) {
    for (const Strategy& s : all_strategies()) {
        DynamicTree tree(options_of(s));
        const float big = std::numeric_limits<float>::max();
        Model model;
        Random random(5);
        for (std::uint64_t i = 0; i < 64; ++i) {
            glm::vec3 lo = 2.0f * random.in_cube(0.5f * big), hi = 2.0f * random.in_cube(0.5f * big);
            for (int k = 0; k < 3; ++k)
                if (lo[k] > hi[k]) std::swap(lo[k], hi[k]);
            const Aabb box = i % 4 == 0 ? Aabb{glm::vec3(-big), glm::vec3(big)} : Aabb{lo, hi};
            model.entries.push_back({tree.insert(box, i).id, box, i});
            tree.move(model.entries.back().id, box, glm::vec3(big));
            const auto broken = tree.validate();
            ASSERT_FALSE(broken) << *broken;
        }
        check_pairs(tree, model);
    }
}

TEST(DynamicTree, IdenticalBoxes) {
    for (const Strategy& s : all_strategies()) {
        DynamicTree tree(options_of(s));
        for (std::uint64_t i = 0; i < 300; ++i)
            ASSERT_TRUE(tree.insert(Aabb{glm::vec3(1), glm::vec3(2)}, i));
        const auto broken = tree.validate();
        ASSERT_FALSE(broken) << *broken;
        EXPECT_EQ(query_data(tree, Aabb{glm::vec3(0), glm::vec3(1)}).size(), 300u);
        // So many pairs wait at once that they outgrow the machine stack. Their order is that of the trace.
        const auto into = [](std::vector<ProxyId>& list) {
            return [&list](ProxyId x, ProxyId y) { list.insert(list.end(), {x, y}); };
        };
        std::vector<ProxyId> fast, traced;
        Recording trace;
        const QueryStats stats = tree.for_each_pair(into(fast));
        EXPECT_EQ(stats.hits, 300u * 299u / 2u);
        EXPECT_EQ(tree.for_each_pair(into(traced), trace), stats);
        EXPECT_EQ(fast, traced);
    }
}

// Sorted input degenerates unbalanced trees to chains of full height.
TEST(DynamicTree, ChainDoesNotOverflowQueries) {
    TreeOptions o = options_of({Insertion::Manhattan, Balancing::None, Margin::None});
    DynamicTree tree(o);
    const int count = 3000;
    for (int i = 0; i < count; ++i)
        tree.insert({glm::vec3(float(i), 0, 0), glm::vec3(float(i) + 1.0f, 1, 1)}, std::uint64_t(i));
    EXPECT_EQ(tree.height(), std::uint32_t(count - 1));
    EXPECT_FALSE(tree.validate());
    EXPECT_EQ(query_data(tree, tree.bounds()).size(), std::size_t(count));
    EXPECT_EQ(tree.for_each_pair([](ProxyId, ProxyId) {}).hits, std::uint32_t(count - 1));
    std::uint32_t hits = 0;
    tree.raycast(Ray{glm::vec3(-1, 0.5f, 0.5f), glm::vec3(1, 0, 0)}, [&](ProxyId, std::uint64_t, float) {
        ++hits;
        return std::numeric_limits<float>::infinity();
    });
    EXPECT_EQ(hits, std::uint32_t(count));
}

constexpr Builder kBuilders[] = {Builder::Median, Builder::Morton, Builder::BinnedSah, Builder::SweepSah,
                                 Builder::Agglomerative};

TEST(DynamicTree, BuildersMakeValidTreesOfAnyInput) {
    Random random(21);
    for (const Builder builder : kBuilders)
        for (int kind = 0; kind < 6; ++kind)
            for (const std::size_t count : {1u, 2u, 3u, 17u, 300u}) {
                std::vector<Aabb> boxes;
                std::vector<std::uint64_t> data;
                Model model;
                for (std::size_t i = 0; i < count; ++i) {
                    const float f = float(i);
                    Aabb box = random.box(15.0f);
                    if (kind == 1) box = {glm::vec3(1), glm::vec3(2)};
                    if (kind == 2) box = {glm::vec3(f, 0, 0), glm::vec3(f + 1.0f, 1, 1)};
                    if (kind == 3)
                        box = {glm::vec3(std::exp2(f / 4.0f - 30.0f)),
                               glm::vec3(std::exp2(f / 4.0f - 29.0f))};
                    if (kind == 4) box = {glm::vec3(-3e38f + f), glm::vec3(i % 2 ? 3e38f : -2e38f)};
                    if (kind == 5) box = {glm::vec3(f * 1e-40f), glm::vec3(f * 1e-40f)};
                    boxes.push_back(box);
                    data.push_back(i);
                }
                DynamicTree tree(TreeOptions{.builder = builder});
                std::vector<ProxyId> ids(count);
                ASSERT_EQ(tree.insert_all(boxes, data, ids), TreeStatus::Ok);
                auto broken = tree.validate();
                ASSERT_FALSE(broken) << *broken;
                for (std::size_t i = 0; i < count; ++i)
                    model.entries.push_back({ids[i], boxes[i], i});
                ASSERT_NO_FATAL_FAILURE(check_pairs(tree, model));
                tree.remove(ids[0]);
                tree.insert(boxes[0], 0);
                Recording trace;
                ASSERT_EQ(tree.rebuild(builder, trace), TreeStatus::Ok);
                broken = tree.validate();
                ASSERT_FALSE(broken) << *broken;
                ASSERT_NO_FATAL_FAILURE(check_queries(tree, model, random));
                std::size_t made = 0;  // inner nodes: by a split from above, or by a merger from below
                for (const TraceEvent& e : trace.events()) {
                    const auto* split = std::get_if<SplitEvaluated>(&e);
                    made += (split && split->chosen) || std::holds_alternative<ClustersMerged>(e);
                }
                if (!trace.overflowed()) {
                    ASSERT_EQ(made, count - 1);
                }
            }
}

TEST(DynamicTree, BuildersRankByQuality) {
    Random random(4);
    std::vector<Aabb> boxes;
    std::vector<std::uint64_t> data;
    for (std::uint64_t i = 0; i < 2000; ++i) {
        boxes.push_back(random.box(20.0f));
        data.push_back(i);
    }
    std::map<Builder, double> sah;
    for (const Builder b : kBuilders) {
        DynamicTree tree(TreeOptions{.builder = b});
        tree.insert_all(boxes, data);
        sah[b] = measure(tree.snapshot()).sah;
        tree.reinsert_worst(200);
        EXPECT_FALSE(tree.validate());
        EXPECT_LT(measure(tree.snapshot()).sah, sah[b]);
    }
    EXPECT_LT(sah[Builder::SweepSah], sah[Builder::Median]);
    EXPECT_LT(sah[Builder::BinnedSah], sah[Builder::Median]);
    EXPECT_LT(sah[Builder::Agglomerative], sah[Builder::Median]);
    EXPECT_LT(sah[Builder::SweepSah], 1.02 * sah[Builder::BinnedSah]);
}

TEST(DynamicTree, AgglomerativeBuildOfARowIsBalancedAndNotQuadratic) {
    // With equidistant neighbors, merging one pair per round would take minutes for this many.
    const std::size_t count = 1u << 16;
    std::vector<Aabb> row(count);
    std::vector<std::uint64_t> data(count);
    for (std::size_t i = 0; i < count; ++i)
        row[i] = {glm::vec3(float(i), 0, 0), glm::vec3(float(i + 1), 1, 1)};
    DynamicTree tree({.margin = Margin::None, .builder = Builder::Agglomerative});
    ASSERT_EQ(tree.insert_all(row, data), TreeStatus::Ok);
    EXPECT_FALSE(tree.validate());
    EXPECT_EQ(tree.height(), 16u);
}

// Bodies that fly apart: a tree that is only refitted gets worse than one with upkeep.
TEST(DynamicTree, UpkeepKeepsQuality) {
    std::map<Upkeep, double> sah;
    for (const Upkeep u : {Upkeep::None, Upkeep::RefitOnly, Upkeep::PartialRebuild, Upkeep::PeriodicRebuild,
                           Upkeep::Reinsertion}) {
        Random random(8);
        DynamicTree tree(TreeOptions{.upkeep = u, .rebuild_period = 10});
        std::vector<ProxyId> ids;
        std::vector<Aabb> boxes;
        std::vector<glm::vec3> velocities;
        for (std::uint64_t i = 0; i < 500; ++i) {
            boxes.push_back(random.box(15.0f));
            velocities.push_back(random.in_cube(0.2f));
            ids.push_back(tree.insert(boxes.back(), i).id);
        }
        for (int frame = 0; frame < 100; ++frame) {
            for (std::size_t i = 0; i < ids.size(); ++i) {
                boxes[i] = {boxes[i].min + velocities[i], boxes[i].max + velocities[i]};
                tree.move(ids[i], boxes[i], velocities[i]);
            }
            tree.update();
            const auto broken = tree.validate();
            ASSERT_FALSE(broken) << *broken;
        }
        sah[u] = measure(tree.snapshot()).sah;
    }
    for (const Upkeep u :
         {Upkeep::None, Upkeep::PartialRebuild, Upkeep::PeriodicRebuild, Upkeep::Reinsertion})
        EXPECT_LT(sah[u], 0.8 * sah[Upkeep::RefitOnly]) << int(u);
}

TEST(DynamicTree, InsertAllRejectsAllOrNothing) {
    DynamicTree tree;
    const std::vector<Aabb> boxes{{glm::vec3(0), glm::vec3(1)}, Aabb{}};
    const std::vector<std::uint64_t> data{1, 2};
    EXPECT_EQ(tree.insert_all(boxes, data), TreeStatus::NotFinite);
    EXPECT_TRUE(tree.empty());
    EXPECT_EQ(tree.insert_all({}, {}), TreeStatus::Ok);
}

TEST(DynamicTree, VisitorsStopEarly) {
    DynamicTree tree;
    for (std::uint64_t i = 0; i < 50; ++i)
        tree.insert({glm::vec3(0), glm::vec3(1)}, i);
    int calls = 0;
    tree.query(tree.bounds(),
               [&](ProxyId, std::uint64_t) { return ++calls == 3 ? Visit::Stop : Visit::Continue; });
    EXPECT_EQ(calls, 3);
    calls = 0;
    tree.for_each_pair([&](ProxyId, ProxyId) { return ++calls == 3 ? Visit::Stop : Visit::Continue; });
    EXPECT_EQ(calls, 3);
    calls = 0;
    tree.raycast(Ray{glm::vec3(0.5f)},
                 [&](ProxyId, std::uint64_t, float) { return ++calls == 3 ? -1.0f : 1.0f; });
    EXPECT_EQ(calls, 3);
}

int g_asserted = 0;

TEST(DynamicTree, ChangesDuringAVisitAreRejectedAndAsserted) {
    DynamicTree tree;
    const Aabb box{glm::vec3(0), glm::vec3(1)};
    const ProxyId id = tree.insert(box, 1).id;
    tree.insert(box, 2);
    const AssertHandler before = set_assert_handler([](const char*, const char*, int) { ++g_asserted; });
    g_asserted = 0;
    tree.query(box, [&](ProxyId, std::uint64_t) {
        EXPECT_EQ(tree.remove(id), TreeStatus::Busy);
        EXPECT_EQ(tree.insert(box, 3).status, TreeStatus::Busy);
        EXPECT_EQ(tree.move(id, box).status, TreeStatus::Busy);
        EXPECT_EQ(tree.clear(), TreeStatus::Busy);
        return Visit::Stop;
    });
    set_assert_handler(before);
    EXPECT_EQ(g_asserted, 4);
    EXPECT_EQ(tree.size(), 2u);
    EXPECT_EQ(tree.remove(id), TreeStatus::Ok);
}

TEST(DynamicTree, ClearMakesIdsStaleAndTheTreeEmpty) {
    DynamicTree tree;
    std::vector<ProxyId> ids;
    for (std::uint64_t i = 0; i < 30; ++i)
        ids.push_back(tree.insert({glm::vec3(float(i)), glm::vec3(float(i) + 1.0f)}, i).id);
    EXPECT_EQ(tree.clear(), TreeStatus::Ok);
    EXPECT_FALSE(tree.validate());
    const ProxyId again = tree.insert({glm::vec3(0), glm::vec3(1)}, 9).id;
    for (const ProxyId id : ids) {
        EXPECT_FALSE(tree.contains(id));
        EXPECT_NE(id, again);
    }
}

TEST(DynamicTree, RepeatedInsertsAndRemovesDoNotGrow) {
    DynamicTree tree;
    Random random(1);
    std::vector<ProxyId> ids;
    for (int i = 0; i < 100; ++i)
        ids.push_back(tree.insert(random.box(10.0f), 0).id);
    std::size_t memory = 0;
    const int rounds = scaled(200'000);
    for (int i = 0; i < rounds; ++i) {
        const std::uint32_t k = random.below(ids.size());
        ASSERT_EQ(tree.remove(ids[k]), TreeStatus::Ok);
        ids[k] = tree.insert(random.box(10.0f), 0).id;
        if (i == rounds / 20) memory = tree.memory_bytes();
    }
    EXPECT_LE(tree.memory_bytes(), memory + 4096);
    EXPECT_FALSE(tree.validate());
}

TEST(DynamicTree, FatBoxesSaveWork) {
    TreeOptions o;
    o.margin = Margin::AlongVelocity;
    DynamicTree tree(o);
    Aabb box{glm::vec3(0), glm::vec3(1)};
    const ProxyId id = tree.insert(box, 0).id;
    tree.insert({glm::vec3(5), glm::vec3(6)}, 1);
    const glm::vec3 step(0.03f, 0, 0);
    int changes = 0;
    for (int i = 0; i < 100; ++i) {
        box = {box.min + step, box.max + step};
        changes += tree.move(id, box, step).fat_box_changed;
    }
    EXPECT_GT(changes, 5);
    EXPECT_LT(changes, 25);
    // A body that was fast and then rests gets a smaller box again.
    tree.move(id, box, glm::vec3(100.0f, 0, 0));
    box = {box.min + 1.0f, box.max + 1.0f};
    tree.move(id, box, glm::vec3(100.0f, 0, 0));
    const float large = tree.fat_box(id).size().x;
    tree.move(id, box, glm::vec3(0));
    EXPECT_LT(tree.fat_box(id).size().x, large);
}

}  // namespace
}  // namespace bv
