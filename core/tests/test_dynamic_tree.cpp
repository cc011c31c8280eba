// DynamicTree against a plain list of boxes: every answer equal, every invariant checked after every
// operation.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "bv/assert.hpp"
#include "bv/query/raycast.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "tree_test_util.hpp"

namespace bv {
namespace {

using test::Random;
using test::scaled;

struct Strategy {
    Insertion insertion;
    Balancing balancing;
    Margin margin;
};

std::vector<Strategy> all_strategies() {
    std::vector<Strategy> all;
    for (const Insertion i : {Insertion::Manhattan, Insertion::GreedySah, Insertion::BranchAndBoundSah})
        for (const Balancing b : {Balancing::None, Balancing::Height, Balancing::Sah})
            for (const Margin m : {Margin::None, Margin::Fixed, Margin::Relative, Margin::AlongVelocity})
                all.push_back({i, b, m});
    return all;
}

TreeOptions options_of(const Strategy& s) {
    TreeOptions o;
    o.insertion = s.insertion;
    o.balancing = s.balancing;
    o.margin = s.margin;
    return o;
}

// The model: what is in the tree, as a list.
struct Model {
    struct Entry {
        ProxyId id;
        Aabb box;
        std::uint64_t data;
    };
    std::vector<Entry> entries;
    std::vector<ProxyId> removed;
    std::uint64_t next_data = 1000;
};

std::set<std::uint64_t> query_data(const DynamicTree& tree, const Aabb& box) {
    std::set<std::uint64_t> found;
    const QueryStats stats = tree.query(box, [&](ProxyId id, std::uint64_t data) {
        EXPECT_EQ(tree.user_data(id), data);
        EXPECT_TRUE(found.insert(data).second) << "reported twice";
    });
    EXPECT_EQ(stats.hits, found.size());
    return found;
}

void check_queries(const DynamicTree& tree, const Model& model, Random& random) {
    const Aabb box = random.box(22.0f);
    std::set<std::uint64_t> expected;
    for (const auto& e : model.entries)
        if (test::boxes_touch(e.box, box)) expected.insert(e.data);
    ASSERT_EQ(query_data(tree, box), expected);

    const Ray ray = random.ray(22.0f);
    std::map<std::uint64_t, float> hits;
    tree.raycast(ray, [&](ProxyId, std::uint64_t data, float t) {
        EXPECT_TRUE(hits.emplace(data, t).second);
        return std::numeric_limits<float>::infinity();
    });
    std::map<std::uint64_t, float> expected_hits;
    float nearest = std::numeric_limits<float>::infinity();
    for (const auto& e : model.entries) {
        if (const auto hit = raycast(ray, e.box)) {
            expected_hits[e.data] = hit->t;
            nearest = std::min(nearest, hit->t);
        }
    }
    ASSERT_EQ(hits, expected_hits);
    float best = std::numeric_limits<float>::infinity();
    tree.raycast(ray, [&](ProxyId, std::uint64_t, float t) { return best = std::min(best, t); });
    ASSERT_EQ(best, nearest);
}

using DataPair = std::pair<std::uint64_t, std::uint64_t>;

void check_pairs(const DynamicTree& tree, const Model& model) {
    std::set<DataPair> found;
    tree.for_each_pair([&](ProxyId a, ProxyId b) {
        const auto [lo, hi] = std::minmax(*tree.user_data(a), *tree.user_data(b));
        EXPECT_TRUE(found.emplace(lo, hi).second) << "pair reported twice";
    });
    std::set<DataPair> expected;
    for (std::size_t i = 0; i < model.entries.size(); ++i)
        for (std::size_t j = i + 1; j < model.entries.size(); ++j)
            if (test::boxes_touch(model.entries[i].box, model.entries[j].box)) {
                const auto [lo, hi] = std::minmax(model.entries[i].data, model.entries[j].data);
                expected.emplace(lo, hi);
            }
    ASSERT_EQ(found, expected);
}

void random_step(DynamicTree& tree, Model& model, Random& random) {
    const std::uint32_t what = random.below(100);
    const bool grow = model.entries.size() < 20 || (model.entries.size() < 150 && what < 35);
    if (grow) {
        const Aabb box = random.box(20.0f);
        const auto [status, id] = tree.insert(box, model.next_data);
        ASSERT_EQ(status, TreeStatus::Ok);
        model.entries.push_back({id, box, model.next_data++});
    } else if (what < 60) {
        const std::uint32_t i = random.below(model.entries.size());
        ASSERT_EQ(tree.remove(model.entries[i].id), TreeStatus::Ok);
        model.removed.push_back(model.entries[i].id);
        model.entries[i] = model.entries.back();
        model.entries.pop_back();
    } else {
        auto& e = model.entries[random.below(model.entries.size())];
        const glm::vec3 d = random.point(what < 95 ? 0.15f : 30.0f);
        e.box = {e.box.min + d, e.box.max + d};
        if (what == 99) e.box = random.box(20.0f);
        ASSERT_TRUE(tree.move(e.id, e.box, d));
        ASSERT_EQ(tree.tight_box(e.id), e.box);
    }
    if (!model.removed.empty() && what % 16 == 0) {
        const ProxyId stale = model.removed[random.below(model.removed.size())];
        ASSERT_FALSE(tree.contains(stale));
        ASSERT_EQ(tree.remove(stale), TreeStatus::StaleId);
        ASSERT_EQ(tree.move(stale, random.box(5.0f)).status, TreeStatus::StaleId);
        ASSERT_TRUE(tree.fat_box(stale).is_empty());
        ASSERT_FALSE(tree.user_data(stale).has_value());
    }
}

class DynamicTreeModel : public testing::TestWithParam<Strategy> {};

TEST_P(DynamicTreeModel, AnswersAsBruteForce) {
    DynamicTree tree(options_of(GetParam()));
    Model model;
    Random random(42);
    const int steps = scaled(1500);
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
           std::to_string(int(p.param.margin));
}
INSTANTIATE_TEST_SUITE_P(Strategies, DynamicTreeModel, testing::ValuesIn(all_strategies()), strategy_name);

TEST(DynamicTree, SwitchesStrategiesWhileBodiesMove) {
    DynamicTree tree;
    Model model;
    Random random(7);
    const auto strategies = all_strategies();
    for (int i = 0; i < scaled(4000); ++i) {
        if (i % 20 == 0) tree.set_options(options_of(strategies[random.below(strategies.size())]));
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
            const glm::vec3 d = random.point(2.0f);
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
        EXPECT_GT(siblings, 400u);
        EXPECT_EQ(rotations > 0, s.balancing != Balancing::None);

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

TEST(DynamicTree, RefusesWhatIsNotFinite) {
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
            glm::vec3 lo = 2.0f * random.point(0.5f * big), hi = 2.0f * random.point(0.5f * big);
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
        EXPECT_EQ(tree.for_each_pair([](ProxyId, ProxyId) {}).hits, 300u * 299u / 2u);
    }
}

// A sorted row makes a chain of the trees that do not balance: as high as it is long.
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

TEST(DynamicTree, ChangesDuringAVisitAreRefusedAndAsserted) {
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

TEST(DynamicTree, ClearMakesIdsStaleAndKeepsNothing) {
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

TEST(DynamicTree, EndlessInsertsAndRemovesDoNotGrow) {
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
        if (i == 10'000) memory = tree.memory_bytes();
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
