// WideTree against a plain list of boxes, with and without AVX2; both sets of kernels give the same results.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "bv/assert.hpp"
#include "bv/tree/metrics.hpp"
#include "bv/tree/wide_tree.hpp"
#include "many_threads.hpp"
#include "tree_test_util.hpp"

namespace bv {
namespace {

using test::Random;
using test::scaled;

struct Entry {
    ProxyId id;
    Aabb box;
    std::uint64_t data;
};

void check_queries(const WideTree& tree, const std::vector<Entry>& model, Random& random) {
    const Aabb box = random.box(22.0f);
    std::set<std::uint64_t> found, expected;
    const QueryStats stats = tree.query(box, [&](ProxyId id, std::uint64_t data) {
        EXPECT_EQ(tree.user_data(id), data);
        EXPECT_TRUE(found.insert(data).second);
    });
    EXPECT_EQ(stats.hits, found.size());
    const Ray ray = random.ray(22.0f);
    for (const Entry& e : model)
        if (test::boxes_touch(e.box, box)) expected.insert(e.data);
    test::RayHits hits;
    ASSERT_EQ(found, expected);
    const QueryStats ray_stats = tree.raycast(ray, [&](ProxyId, std::uint64_t data, float t) {
        EXPECT_TRUE(hits.emplace(data, t).second);
        return std::numeric_limits<float>::infinity();
    });
    ASSERT_NO_FATAL_FAILURE(test::expect_ray_hits(hits, model, ray));
    EXPECT_EQ(ray_stats.hits, hits.size());
    float best = std::numeric_limits<float>::infinity();
    tree.raycast(ray, [&](ProxyId, std::uint64_t, float t) { return best = std::min(best, t); });
    ASSERT_EQ(best, test::nearest_of(hits));
}

void check_pairs(const WideTree& tree, const std::vector<Entry>& model) {
    using DataPair = std::pair<std::uint64_t, std::uint64_t>;
    std::set<DataPair> found, expected;
    tree.for_each_pair([&](ProxyId a, ProxyId b) {
        const auto [lo, hi] = std::minmax({*tree.user_data(a), *tree.user_data(b)});
        EXPECT_TRUE(found.emplace(lo, hi).second) << "pair reported twice";
    });
    for (std::size_t i = 0; i < model.size(); ++i)
        for (std::size_t j = i + 1; j < model.size(); ++j)
            if (test::boxes_touch(model[i].box, model[j].box)) {
                const auto [lo, hi] = std::minmax(model[i].data, model[j].data);
                expected.emplace(lo, hi);
            }
    ASSERT_EQ(found, expected);
}

void check_valid(const WideTree& tree) {
    const auto broken = tree.validate();
    ASSERT_FALSE(broken.has_value()) << *broken;
}

class WideTreeModel : public testing::TestWithParam<Simd> {};

TEST_P(WideTreeModel, MatchesBruteForce) {
    if (GetParam() > best_simd()) GTEST_SKIP() << "this processor has no AVX2";
    for (const std::size_t max_size : {std::size_t{12}, std::size_t{90}, std::size_t{700}}) {
        WideTree tree(WideTreeOptions{.rebuild_growth = max_size == 90 ? 1e9f : 1.2f, .simd = GetParam()});
        std::vector<Entry> model;
        std::vector<ProxyId> removed;
        Random random(max_size);
        std::uint64_t next = 0;
        for (int step = 0; step < scaled(12'000); ++step) {
            const std::uint32_t what = random.below(100);
            const bool shrink = step / 1000 % 2 == 1;
            if (model.empty() || (model.size() < max_size && what < (shrink ? 20u : 60u))) {
                const Aabb box = random.box(20.0f);
                model.push_back({tree.insert(box, next).id, box, next});
                ++next;
            } else if (what < 75) {
                const std::uint32_t i = random.below(model.size());
                ASSERT_EQ(tree.remove(model[i].id), TreeStatus::Ok);
                removed.push_back(model[i].id);
                model[i] = model.back();
                model.pop_back();
            } else {
                for (int k = 0; k < 5; ++k) {
                    Entry& e = random.one_of(model);
                    const glm::vec3 d = random.in_cube(what < 90 ? 0.3f : 20.0f);
                    e.box = {e.box.min + d, e.box.max + d};
                    ASSERT_EQ(tree.move(e.id, e.box), TreeStatus::Ok);
                    ASSERT_EQ(tree.tight_box(e.id), e.box);
                }
                tree.update();
            }
            if (what == 99) tree.rebuild();
            if (!removed.empty()) {
                const ProxyId stale = random.one_of(removed);
                ASSERT_FALSE(tree.contains(stale));
                ASSERT_EQ(tree.remove(stale), TreeStatus::StaleId);
                ASSERT_EQ(tree.move(stale, random.box(1.0f)), TreeStatus::StaleId);
            }
            ASSERT_EQ(tree.size(), model.size());
            ASSERT_NO_FATAL_FAILURE(check_valid(tree));
            ASSERT_NO_FATAL_FAILURE(check_queries(tree, model, random));
            if (step % 20 == 0) {
                ASSERT_NO_FATAL_FAILURE(check_pairs(tree, model));
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, WideTreeModel, testing::Values(Simd::Scalar, Simd::Avx2),
                         [](const testing::TestParamInfo<Simd>& p) {
                             return p.param == Simd::Scalar ? "Scalar" : "Avx2";
                         });

TEST(WideTree, ScalarAndAvx2GiveTheSameTreeAndOrder) {
    if (best_simd() != Simd::Avx2) GTEST_SKIP() << "this processor has no AVX2";
    WideTree a(WideTreeOptions{.simd = Simd::Scalar});
    WideTree b(WideTreeOptions{.simd = Simd::Avx2});
    Random random(77);
    std::vector<ProxyId> ids;
    std::vector<Aabb> boxes;
    for (std::uint64_t i = 0; i < 3000; ++i) {
        boxes.push_back(random.box(25.0f));
        ids.push_back(a.insert(boxes.back(), i).id);
        ASSERT_EQ(b.insert(boxes.back(), i).id, ids.back());
    }
    WideTree small_a(WideTreeOptions{.simd = Simd::Scalar}), small_b(WideTreeOptions{.simd = Simd::Avx2});
    for (std::uint64_t i = 0; i < 40; ++i) {
        const Aabb box = random.box(25.0f);
        ASSERT_EQ(small_a.insert(box, i).id, small_b.insert(box, i).id);
    }
    for (int frame = 0; frame < 20; ++frame) {
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const glm::vec3 d = random.in_cube(0.2f);
            boxes[i] = {boxes[i].min + d, boxes[i].max + d};
            a.move(ids[i], boxes[i]);
            b.move(ids[i], boxes[i]);
        }
        ASSERT_EQ(a.update().rebuilt, b.update().rebuilt);
        ASSERT_EQ(a.snapshot().boxes, b.snapshot().boxes);
        ASSERT_EQ(a.snapshot().payloads, b.snapshot().payloads);
        std::vector<WideTree::Pair> pa, pb;
        ASSERT_EQ(a.collect_pairs(pa), b.collect_pairs(pb));
        ASSERT_EQ(pa, pb);
        for (int i = 0; i < 100; ++i) {
            std::vector<std::uint64_t> ha, hb;
            const Ray ray = random.ray(30.0f);
            const auto into = [](std::vector<std::uint64_t>& list) {
                return [&list](ProxyId, std::uint64_t data, float t) {
                    list.push_back(data);
                    return t;
                };
            };
            ASSERT_EQ(a.raycast(ray, into(ha)), b.raycast(ray, into(hb)));
            ASSERT_EQ(ha, hb);
            const Aabb moving = random.box(20.0f);
            ASSERT_EQ(a.cast_box(moving, ray.direction, into(ha)),
                      b.cast_box(moving, ray.direction, into(hb)));
            const auto list_into = [](std::vector<std::uint64_t>& list) {
                return [&list](ProxyId, std::uint64_t data) { list.push_back(data); };
            };
            ASSERT_EQ(a.query(moving, list_into(ha)), b.query(moving, list_into(hb)));
            ASSERT_EQ(a.query(moving, Categories{2}, list_into(ha)),
                      b.query(moving, Categories{2}, list_into(hb)));
            ASSERT_EQ(ha, hb);
        }
        // Two trees of different heights.
        std::vector<WideTree::Pair> with_a, with_b;
        const auto into_pairs = [](std::vector<WideTree::Pair>& list) {
            return [&list](ProxyId x, ProxyId y) { list.emplace_back(x, y); };
        };
        ASSERT_EQ(a.for_each_pair(small_a, into_pairs(with_a)), b.for_each_pair(small_b, into_pairs(with_b)));
        ASSERT_EQ(small_a.for_each_pair(a, into_pairs(with_a)), small_b.for_each_pair(b, into_pairs(with_b)));
        ASSERT_EQ(with_a, with_b);
        ASSERT_FALSE(with_a.empty());
        const ProxyId one = ids[static_cast<std::size_t>(frame) * 7];
        ASSERT_EQ(a.set_categories(one, {2u}), b.set_categories(one, {2u}));
    }
}

// Ties of centers and of growth, points, and boxes whose area overflows.
TEST(WideTree, ScalarAndAvx2InsertTheSame) {
    if (best_simd() != Simd::Avx2) GTEST_SKIP() << "this processor has no AVX2";
    for (int kind = 0; kind < 5; ++kind) {
        WideTree a(WideTreeOptions{.simd = Simd::Scalar});
        WideTree b(WideTreeOptions{.simd = Simd::Avx2});
        Random random(static_cast<std::uint64_t>(kind) + 3);
        std::vector<ProxyId> ids;
        for (std::uint64_t i = 0; i < 4000; ++i) {
            Aabb box = random.box(20.0f);
            if (kind == 1) box = {glm::floor(box.min / 4.0f), glm::floor(box.min / 4.0f) + 1.0f};
            if (kind == 2) box = {glm::vec3(i % 7, 0, -0.0f), glm::vec3(i % 7, 0, 0)};
            if (kind == 3 && i % 3 == 0) box = {box.min * 8e36f, glm::max(box.max, box.min + 1.0f) * 8e36f};
            // Some areas of the upper nodes overflow.
            const float scale = i % 5 == 0 ? 5e14f : 5e17f;
            if (kind == 4) box = {box.min * scale, box.max * scale};
            const InsertResult added = a.insert(box, i);
            ASSERT_EQ(b.insert(box, i).id, added.id);
            if (added.status == TreeStatus::Ok) ids.push_back(added.id);
            if (i % 4 == 3) {
                const std::size_t k = random.below(static_cast<std::uint32_t>(ids.size()));
                ASSERT_EQ(a.remove(ids[k]), b.remove(ids[k]));
                ids[k] = ids.back();
                ids.pop_back();
            }
            if (i % 500 != 0) continue;
            ASSERT_NO_FATAL_FAILURE(check_valid(a));
            ASSERT_EQ(a.snapshot().boxes, b.snapshot().boxes) << kind;
            ASSERT_EQ(a.snapshot().payloads, b.snapshot().payloads) << kind;
        }
    }
}

TEST(WideTree, ParallelPairsAreTheSame) {
    Random random(5);
    std::vector<Aabb> boxes;
    std::vector<std::uint64_t> data;
    for (std::uint64_t i = 0; i < 20000; ++i) {
        boxes.push_back(random.box(40.0f));
        data.push_back(i);
    }
    WideTree tree;
    tree.insert_all(boxes, data);
    std::vector<WideTree::Pair> serial, parallel;
    test::ManyThreads tasks;
    const QueryStats stats = tree.collect_pairs(serial);
    EXPECT_EQ(stats, tree.collect_pairs(parallel, tasks));
    EXPECT_EQ(serial, parallel);
    EXPECT_EQ(stats.hits, serial.size());
    std::size_t visited = 0;
    tree.for_each_pair([&](ProxyId, ProxyId) { ++visited; });
    EXPECT_EQ(visited, serial.size());
}

TEST(WideTree, ParallelUpdatesAreTheSame) {
    Random random(6);
    WideTree tree;
    std::vector<ProxyId> ids;
    for (std::uint64_t i = 0; i < 20000; ++i)
        ids.push_back(tree.insert(random.box(40.0f), i).id);
    tree.rebuild();
    test::ShuffledThreads runners[] = {test::ShuffledThreads(1), test::ShuffledThreads(2),
                                       test::ShuffledThreads(8)};
    // Boxes that drift apart until the tree is rebuilt.
    std::size_t rebuilt = 0;
    for (int step = 0; step < 12; ++step) {
        for (const ProxyId id : ids) {
            const glm::vec3 by = 2.5f * random.in_ball();
            const Aabb box = tree.tight_box(id);
            ASSERT_EQ(tree.move(id, {box.min + by, box.max + by}), TreeStatus::Ok);
        }
        std::vector<WideTree> copies(std::size(runners), tree);
        rebuilt += tree.update().rebuilt > 0;
        for (std::size_t k = 0; k < copies.size(); ++k) {
            copies[k].update(runners[k]);
            ASSERT_NO_FATAL_FAILURE(check_valid(copies[k]));
            ASSERT_EQ(copies[k].snapshot().boxes, tree.snapshot().boxes) << k;
            ASSERT_EQ(copies[k].snapshot().payloads, tree.snapshot().payloads) << k;
        }
    }
    EXPECT_GT(rebuilt, 0u);
    EXPECT_LT(rebuilt, 12u);
    EXPECT_EQ(runners[0].runs(), 0);
    EXPECT_GT(runners[2].runs(), 0);
}

TEST(WideTree, TracedEqualsFast) {
    Random random(9);
    WideTree tree;
    for (std::uint64_t i = 0; i < 500; ++i)
        tree.insert(random.box(15.0f), i);
    Recording trace;
    std::size_t leaf_hits = 0;
    for (int i = 0; i < 300; ++i) {
        trace.clear();
        std::vector<std::uint64_t> a, b;
        const Aabb box = random.box(15.0f);
        const Ray ray = random.ray(15.0f);
        const auto into = [](std::vector<std::uint64_t>& list) {
            return [&list](ProxyId, std::uint64_t d) { list.push_back(d); };
        };
        const auto into_ray = [](std::vector<std::uint64_t>& list) {
            return [&list](ProxyId, std::uint64_t d, float t) {
                list.push_back(d);
                return t;
            };
        };
        EXPECT_EQ(tree.query(box, into(a)), tree.query(box, into(b), trace));
        EXPECT_EQ(tree.raycast(ray, into_ray(a)), tree.raycast(ray, into_ray(b), trace));
        EXPECT_EQ(a, b);
        for (const TraceEvent& e : trace.events())
            leaf_hits += std::get<NodeVisited>(e).verdict == NodeVisited::Verdict::LeafHit;
    }
    EXPECT_GT(leaf_hits, 0u);
}

TEST(WideTree, EmptySingleAndIdentical) {
    WideTree tree;
    EXPECT_EQ(tree.update().rebuilt, 0u);
    EXPECT_EQ(tree.rebuild(), TreeStatus::Ok);
    EXPECT_EQ(tree.query(Aabb{glm::vec3(0), glm::vec3(1)}, [](ProxyId, std::uint64_t) {}), QueryStats{});
    EXPECT_EQ(tree.for_each_pair([](ProxyId, ProxyId) {}), QueryStats{});
    EXPECT_TRUE(tree.snapshot().empty());
    const ProxyId id = tree.insert({glm::vec3(0), glm::vec3(1)}, 3).id;
    EXPECT_EQ(tree.query({glm::vec3(1), glm::vec3(2)}, [](ProxyId, std::uint64_t) {}).hits, 1u);
    EXPECT_EQ(tree.query(Aabb{}, [](ProxyId, std::uint64_t) {}).hits, 0u);
    EXPECT_EQ(tree.remove(id), TreeStatus::Ok);
    EXPECT_FALSE(tree.validate());
    for (std::uint64_t i = 0; i < 500; ++i)
        tree.insert({glm::vec3(0), glm::vec3(1)}, i);
    check_valid(tree);
    EXPECT_EQ(tree.for_each_pair([](ProxyId, ProxyId) {}).hits, 500u * 499u / 2u);
    tree.rebuild();
    check_valid(tree);
    EXPECT_EQ(tree.for_each_pair([](ProxyId, ProxyId) {}).hits, 500u * 499u / 2u);
    const TreeMetrics m = measure(tree.snapshot());
    EXPECT_EQ(m.payloads, 500u);
    EXPECT_LE(m.height, 2u);
    EXPECT_EQ(tree.clear(), TreeStatus::Ok);
    EXPECT_FALSE(tree.validate());
    EXPECT_TRUE(tree.empty());
}

TEST(WideTree, RejectsBadBoxesAndStaysInRange) {
    WideTree tree;
    const float inf = std::numeric_limits<float>::infinity();
    const float big = std::numeric_limits<float>::max();
    EXPECT_EQ(tree.insert(Aabb{}, 0).status, TreeStatus::NotFinite);
    const std::vector<Aabb> some{{glm::vec3(0), glm::vec3(1)}, {glm::vec3(0), glm::vec3(inf)}};
    EXPECT_EQ(tree.insert_all(some, std::vector<std::uint64_t>{0, 1}), TreeStatus::NotFinite);
    EXPECT_TRUE(tree.empty());
    Random random(2);
    std::vector<Entry> model;
    for (std::uint64_t i = 0; i < 1200; ++i) {
        glm::vec3 lo = 2.0f * random.in_cube(0.5f * big), hi = 2.0f * random.in_cube(0.5f * big);
        for (int k = 0; k < 3; ++k)
            if (lo[k] > hi[k]) std::swap(lo[k], hi[k]);
        const Aabb box = i % 4 == 0 ? Aabb{glm::vec3(-big), glm::vec3(big)} : Aabb{lo, hi};
        model.push_back({tree.insert(box, i).id, box, i});
        EXPECT_EQ(tree.move(model.back().id, Aabb{glm::vec3(inf), glm::vec3(inf)}), TreeStatus::NotFinite);
    }
    check_valid(tree);
    check_pairs(tree, model);
    tree.rebuild();
    check_valid(tree);
    check_pairs(tree, model);
}

TEST(WideTree, ChangesDuringAVisitAreRejected) {
    static int asserted = 0;
    WideTree tree;
    const Aabb box{glm::vec3(0), glm::vec3(1)};
    const ProxyId id = tree.insert(box, 1).id;
    const AssertHandler before = set_assert_handler([](const char*, const char*, int) { ++asserted; });
    tree.query(box, [&](ProxyId, std::uint64_t) {
        EXPECT_EQ(tree.remove(id), TreeStatus::Busy);
        EXPECT_EQ(tree.rebuild(), TreeStatus::Busy);
        EXPECT_EQ(tree.update().rebuilt, 0u);
    });
    set_assert_handler(before);
    EXPECT_EQ(asserted, 3);
}

}  // namespace
}  // namespace bv
