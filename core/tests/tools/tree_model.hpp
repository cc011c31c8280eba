// The model test of dynamic trees: a plain list of boxes that gets the same queries.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bv/tree/dynamic_tree.hpp"
#include "tree_test_util.hpp"

namespace bv::test {

struct Strategy {
    Insertion insertion;
    Balancing balancing;
    Margin margin;
    Upkeep upkeep = Upkeep::None;
    Builder builder = Builder::BinnedSah;
};

inline std::vector<Strategy> all_strategies() {
    std::vector<Strategy> all;
    for (const Insertion i : {Insertion::Manhattan, Insertion::GreedySah, Insertion::BranchAndBoundSah})
        for (const Balancing b : {Balancing::None, Balancing::Height, Balancing::Sah})
            for (const Margin m : {Margin::None, Margin::Fixed, Margin::Relative, Margin::AlongVelocity})
                all.push_back({i, b, m});
    for (const Upkeep u :
         {Upkeep::RefitOnly, Upkeep::PartialRebuild, Upkeep::PeriodicRebuild, Upkeep::Reinsertion})
        for (const Builder b : {Builder::Median, Builder::Morton, Builder::BinnedSah, Builder::SweepSah,
                                Builder::Agglomerative})
            if (b == Builder::BinnedSah || u == Upkeep::PartialRebuild || u == Upkeep::PeriodicRebuild)
                all.push_back({Insertion::BranchAndBoundSah, Balancing::Sah, Margin::AlongVelocity, u, b});
    return all;
}

inline TreeOptions options_of(const Strategy& s) {
    TreeOptions o;
    o.insertion = s.insertion;
    o.balancing = s.balancing;
    o.margin = s.margin;
    o.upkeep = s.upkeep;
    o.builder = s.builder;
    o.rebuild_period = 3;
    o.reinsertions = 5;
    return o;
}

// The model: the tree's contents as a list.
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

inline std::set<std::uint64_t> query_data(const DynamicTree& tree, const Aabb& box) {
    std::set<std::uint64_t> found;
    const QueryStats stats = tree.query(box, [&](ProxyId id, std::uint64_t data) {
        EXPECT_EQ(tree.user_data(id), data);
        EXPECT_TRUE(found.insert(data).second) << "reported twice";
    });
    EXPECT_EQ(stats.hits, found.size());
    return found;
}

inline void check_queries(const DynamicTree& tree, const Model& model, Random& random) {
    const Aabb box = random.box(22.0f);
    std::set<std::uint64_t> expected;
    for (const auto& e : model.entries)
        if (boxes_touch(e.box, box)) expected.insert(e.data);
    ASSERT_EQ(query_data(tree, box), expected);

    const Ray ray = random.ray(22.0f);
    RayHits hits;
    tree.raycast(ray, [&](ProxyId, std::uint64_t data, float t) {
        EXPECT_TRUE(hits.emplace(data, t).second);
        return std::numeric_limits<float>::infinity();
    });
    ASSERT_NO_FATAL_FAILURE(expect_ray_hits(hits, model.entries, ray));
    float best = std::numeric_limits<float>::infinity();
    tree.raycast(ray, [&](ProxyId, std::uint64_t, float t) { return best = std::min(best, t); });
    ASSERT_EQ(best, nearest_of(hits));
}

using DataPair = std::pair<std::uint64_t, std::uint64_t>;

inline void check_pairs(const DynamicTree& tree, const Model& model) {
    std::set<DataPair> found;
    tree.for_each_pair([&](ProxyId a, ProxyId b) {
        const auto [lo, hi] = std::minmax({*tree.user_data(a), *tree.user_data(b)});
        EXPECT_TRUE(found.emplace(lo, hi).second) << "pair reported twice";
    });
    std::set<DataPair> expected;
    for (std::size_t i = 0; i < model.entries.size(); ++i)
        for (std::size_t j = i + 1; j < model.entries.size(); ++j)
            if (boxes_touch(model.entries[i].box, model.entries[j].box)) {
                const auto [lo, hi] = std::minmax(model.entries[i].data, model.entries[j].data);
                expected.emplace(lo, hi);
            }
    ASSERT_EQ(found, expected);
}

inline void random_step(DynamicTree& tree, Model& model, Random& random) {
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
        auto& e = random.one_of(model.entries);
        const glm::vec3 d = random.in_cube(what < 95 ? 0.15f : 30.0f);
        e.box = {e.box.min + d, e.box.max + d};
        if (what == 99) e.box = random.box(20.0f);
        ASSERT_TRUE(tree.move(e.id, e.box, d));
        ASSERT_EQ(tree.tight_box(e.id), e.box);
    }
    if (what % 3 == 0) tree.update();
    if (!model.removed.empty() && what % 16 == 0) {
        const ProxyId stale = random.one_of(model.removed);
        ASSERT_FALSE(tree.contains(stale));
        ASSERT_EQ(tree.remove(stale), TreeStatus::StaleId);
        ASSERT_EQ(tree.move(stale, random.box(5.0f)).status, TreeStatus::StaleId);
        ASSERT_TRUE(tree.fat_box(stale).is_empty());
        ASSERT_FALSE(tree.user_data(stale).has_value());
    }
}

}  // namespace bv::test
