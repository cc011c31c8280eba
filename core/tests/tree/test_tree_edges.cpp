// The edges of the trees' contracts: boxes without end, trees that were moved from, trees that were emptied.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "bv/broadphase/broadphase.hpp"
#include "bv/query/overlap.hpp"
#include "bv/tree/bsp_tree.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/mesh_bvh_wide.hpp"
#include "bv/tree/obb_tree.hpp"
#include "bv/tree/operation_log.hpp"
#include "bv/tree/pair_cache.hpp"
#include "bv/tree/wide_tree.hpp"
#include "tree_test_util.hpp"

namespace bv {
namespace {

using glm::vec3;
using test::Random;

constexpr float kEnd = std::numeric_limits<float>::infinity();
constexpr float kLargest = std::numeric_limits<float>::max();

struct Binary {
    static DynamicTree make() { return DynamicTree{}; }
};
struct Wide {
    static WideTree make() { return WideTree{}; }
};
struct WideScalar {
    static WideTree make() { return WideTree(WideTreeOptions{.simd = Simd::Scalar}); }
};

template <class Kind>
class TreeEdges : public ::testing::Test {};
using Kinds = ::testing::Types<Binary, Wide, WideScalar>;
TYPED_TEST_SUITE(TreeEdges, Kinds);

bool share_a_point(const Aabb& a, const Aabb& b) {
    for (int k = 0; k < 3; ++k)
        if (!(a.min[k] <= a.max[k] && b.min[k] <= b.max[k] && a.min[k] <= b.max[k] && b.min[k] <= a.max[k]))
            return false;
    return true;
}

std::vector<Aabb> some_boxes(std::size_t count) {
    Random random(7);
    std::vector<Aabb> boxes;
    for (std::size_t i = 0; i < count; ++i)
        boxes.push_back(random.box(4.0f));
    if (count > 5) boxes[5] = {vec3(kLargest), vec3(kLargest)};
    if (count > 6) boxes[6] = {vec3(-kLargest), vec3(-kLargest)};
    return boxes;
}

/// Boxes of which each end of each axis is finite or infinite.
std::vector<Aabb> boxes_without_end() {
    constexpr std::array<std::array<float, 2>, 7> kSides{{{-kEnd, kEnd},
                                                          {-kEnd, 0.5f},
                                                          {-0.5f, kEnd},
                                                          {-kEnd, -kEnd},
                                                          {kEnd, kEnd},
                                                          {-kLargest, kLargest},
                                                          {kEnd, -kEnd}}};
    std::vector<Aabb> boxes;
    for (const auto& x : kSides)
        for (const auto& y : kSides)
            for (const auto& z : kSides)
                boxes.push_back({{x[0], y[0], z[0]}, {x[1], y[1], z[1]}});
    return boxes;
}

TYPED_TEST(TreeEdges, BoxesWithoutEndOverlapWhatBruteForceFinds) {
    for (const std::size_t count : {0, 1, 3, 8, 9, 20, 100}) {
        auto tree = TypeParam::make();
        const std::vector<Aabb> boxes = some_boxes(count);
        for (std::size_t i = 0; i < count; ++i) {
            const ProxyId id = tree.insert(boxes[i], i).id;
            if (i % 3 == 0) tree.set_categories(id, {1});
        }
        for (const Aabb& box : boxes_without_end()) {
            std::multiset<std::uint64_t> expected, expected_some, found, fat, some, volume;
            for (std::size_t i = 0; i < count; ++i)
                if (share_a_point(boxes[i], box)) {
                    expected.insert(i);
                    if (i % 3 != 0) expected_some.insert(i);
                }
            tree.query(box, [&](ProxyId, std::uint64_t data) { found.insert(data); });
            tree.query(box, Categories{2}, [&](ProxyId, std::uint64_t data) { some.insert(data); });
            tree.query_volume(box, [&](ProxyId, std::uint64_t data) { volume.insert(data); });
            tree.query_fat(box, [&](ProxyId, std::uint64_t data) { fat.insert(data); });
            ASSERT_EQ(found, expected) << count;
            ASSERT_EQ(some, expected_some) << count;
            ASSERT_EQ(volume, expected) << count;
            ASSERT_TRUE(std::includes(fat.begin(), fat.end(), expected.begin(), expected.end())) << count;
            ASSERT_LE(fat.size(), count);
        }
    }
}

TEST(BroadphaseEdges, BoxesWithoutEndOverlapWhatBruteForceFinds) {
    const std::vector<Aabb> boxes = some_boxes(30);
    for (const BroadphaseInfo& info : broadphase_kinds()) {
        const auto engine = make_broadphase(info.kind);
        for (std::size_t i = 0; i < boxes.size(); ++i)
            engine->insert(boxes[i], i);
        engine->update();
        for (const Aabb& box : boxes_without_end()) {
            std::multiset<std::uint64_t> expected, found;
            for (std::size_t i = 0; i < boxes.size(); ++i)
                if (share_a_point(boxes[i], box)) expected.insert(i);
            engine->query(box, [&](ProxyId, std::uint64_t data) { found.insert(data); });
            ASSERT_EQ(found, expected) << info.id;
        }
    }
}

/// Far jumps, removals one by one and slots that are used again, against brute force.
TEST(BroadphaseEdges, JumpsAndReusedSlotsGiveThePairsOfBruteForce) {
    for (const BroadphaseInfo& info : broadphase_kinds()) {
        Random random(17);
        const auto engine = make_broadphase(info.kind);
        std::vector<ProxyId> ids;
        std::vector<Aabb> boxes;
        const auto add = [&] {
            boxes.push_back(random.box(6.0f));
            ids.push_back(engine->insert(boxes.back(), ids.size()).id);
        };
        for (int i = 0; i < 400; ++i)
            add();
        for (int step = 0; step < 12; ++step) {
            if (step % 3 == 0) {
                // Mirrored and swapped: the order of all ends turns around.
                for (std::size_t i = 0; i < boxes.size(); ++i) {
                    boxes[i] = {-boxes[i].max, -boxes[i].min};
                    engine->move(ids[i], boxes[i]);
                }
            }
            for (int i = 0; i < 40; ++i) {
                const auto at =
                    static_cast<std::size_t>(random.range(0.0f, static_cast<float>(ids.size()) - 0.5f));
                EXPECT_EQ(engine->remove(ids[at]), TreeStatus::Ok);
                ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(at));
                boxes.erase(boxes.begin() + static_cast<std::ptrdiff_t>(at));
                if (i % 2 == step % 2) add();
            }
            if (step % 2 == 0) engine->update();
            std::vector<ProxyPair> found;
            engine->find_pairs(found);
            std::set<ProxyPair> expected;
            for (std::size_t i = 0; i < boxes.size(); ++i)
                for (std::size_t k = i + 1; k < boxes.size(); ++k)
                    if (share_a_point(boxes[i], boxes[k])) expected.insert(std::minmax(ids[i], ids[k]));
            ASSERT_EQ(std::set<ProxyPair>(found.begin(), found.end()), expected)
                << info.id << " step " << step;
            ASSERT_EQ(found.size(), expected.size()) << info.id;
        }
    }
}

/// The height and the balance of every node of a snapshot, whose children come after their parents.
struct Balance {
    std::size_t height = 0, worst = 0;
};
Balance balance_of(const TreeSnapshot& tree) {
    Balance out;
    std::vector<std::size_t> heights(tree.boxes.size());
    for (std::size_t i = tree.boxes.size(); i-- > 0;) {
        if (tree.child_count[i] != 2) continue;
        const std::size_t a = heights[tree.first_child[i]], b = heights[tree.first_child[i] + 1];
        heights[i] = 1 + std::max(a, b);
        out.worst = std::max(out.worst, std::max(a, b) - std::min(a, b));
    }
    if (!heights.empty()) out.height = heights[0];
    return out;
}

TEST(DynamicTreeEdges, EqualBoxesMakeNoList) {
    for (const Insertion insertion :
         {Insertion::Manhattan, Insertion::GreedySah, Insertion::BranchAndBoundSah})
        for (const Balancing balancing : {Balancing::None, Balancing::Height, Balancing::Sah})
            for (const float size : {0.0f, 1.0f}) {
                TreeOptions options;
                options.insertion = insertion;
                options.balancing = balancing;
                DynamicTree tree(options);
                std::vector<ProxyId> ids;
                for (std::uint64_t i = 0; i < 4096; ++i)
                    ids.push_back(tree.insert({vec3(0.0f), vec3(size)}, i).id);
                EXPECT_LE(tree.height(), 40u);
                EXPECT_EQ(tree.validate(), std::nullopt);
                tree.remove_all(std::span(ids).first(3000));
                EXPECT_LE(tree.height(), 40u);
                EXPECT_EQ(tree.validate(), std::nullopt);
            }
}

TEST(DynamicTreeEdges, BoxesInARowMakeNoList) {
    for (const Insertion insertion : {Insertion::GreedySah, Insertion::BranchAndBoundSah}) {
        TreeOptions options;
        options.insertion = insertion;
        options.balancing = Balancing::None;
        DynamicTree tree(options);
        for (int i = 0; i < 64; ++i) {
            const auto x = 1.2f * static_cast<float>(i);
            tree.insert({vec3(x, 0.0f, 0.0f), vec3(x + 1.2f, 1.2f, 1.2f)}, static_cast<std::uint64_t>(i));
        }
        EXPECT_LE(tree.height(), 32u);
    }
}

TEST(DynamicTreeEdges, HeightBalancingKeepsTheBalanceOfAvlTrees) {
    for (const Insertion insertion :
         {Insertion::Manhattan, Insertion::GreedySah, Insertion::BranchAndBoundSah})
        for (int kind = 0; kind < 3; ++kind) {
            Random random(23);
            TreeOptions options;
            options.insertion = insertion;
            options.balancing = Balancing::Height;
            DynamicTree tree(options);
            std::vector<ProxyId> ids;
            const auto box = [&](int i) {
                const auto f = static_cast<float>(i);
                if (kind == 0) return random.box(9.0f);
                if (kind == 1) return Aabb{vec3(f), vec3(f + 0.5f)};  // in a row
                return Aabb{vec3(-f), vec3(f)};                       // each around the ones before
            };
            for (int i = 0; i < 600; ++i) {
                ids.push_back(tree.insert(box(i), static_cast<std::uint64_t>(i)).id);
                if (i % 3 == 2) {
                    const auto at =
                        static_cast<std::size_t>(random.range(0.0f, static_cast<float>(ids.size()) - 0.5f));
                    tree.remove(ids[at]);
                    ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(at));
                }
                if (i % 4 == 3) tree.move(ids[ids.size() / 2], box(i), vec3(1.0f));
                if (i % 10 == 9) {
                    ASSERT_LE(balance_of(tree.snapshot()).worst, 1u) << kind << " after " << i;
                }
            }
            EXPECT_EQ(tree.validate(), std::nullopt);
            const Balance balance = balance_of(tree.snapshot());
            EXPECT_EQ(balance.height, tree.height());
            EXPECT_LE(static_cast<double>(balance.height),
                      1.45 * std::log2(static_cast<double>(ids.size()) + 2.0));
        }
}

template <class Tree>
std::set<std::uint64_t> all_in(const Tree& tree) {
    std::set<std::uint64_t> all;
    tree.query(Aabb{vec3(-kEnd), vec3(kEnd)}, [&](ProxyId, std::uint64_t data) { all.insert(data); });
    return all;
}

template <class Tree>
void expect_empty_and_usable(Tree& tree, ProxyId old) {
    EXPECT_TRUE(tree.empty());
    EXPECT_EQ(tree.size(), 0u);
    EXPECT_EQ(tree.height(), 0u);
    EXPECT_TRUE(tree.bounds().is_empty());
    EXPECT_FALSE(tree.contains(old));
    EXPECT_EQ(tree.validate(), std::nullopt);
    EXPECT_TRUE(tree.snapshot().boxes.empty());
    EXPECT_TRUE(all_in(tree).empty());
    tree.update();
    EXPECT_EQ(tree.rebuild(), TreeStatus::Ok);
    const std::vector<Aabb> boxes = some_boxes(20);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const InsertResult added = tree.insert(boxes[i], i);
        ASSERT_TRUE(added);
        if (i == 4) tree.set_categories(added.id, {2});
    }
    EXPECT_EQ(tree.size(), boxes.size());
    EXPECT_EQ(all_in(tree).size(), boxes.size());
    EXPECT_EQ(tree.validate(), std::nullopt);
}

TYPED_TEST(TreeEdges, MovedFromTreesAreEmptyAndUsable) {
    const std::vector<Aabb> boxes = some_boxes(50);
    const auto filled = [&](ProxyId& one) {
        auto tree = TypeParam::make();
        for (std::size_t i = 0; i < boxes.size(); ++i)
            one = tree.insert(boxes[i], i).id;
        tree.set_categories(one, {4});
        tree.remove(tree.proxy_at(3));
        return tree;
    };
    ProxyId id;
    auto a = filled(id);
    auto b(std::move(a));
    EXPECT_EQ(b.size(), 49u);
    EXPECT_EQ(all_in(b).size(), 49u);
    EXPECT_TRUE(b.contains(id));
    EXPECT_EQ(b.validate(), std::nullopt);
    expect_empty_and_usable(a, id);  // NOLINT(bugprone-use-after-move): this is the point.

    auto c = filled(id);
    b = std::move(c);
    EXPECT_EQ(all_in(b).size(), 49u);
    EXPECT_EQ(b.categories(id).bits, 4u);
    EXPECT_EQ(b.validate(), std::nullopt);
    expect_empty_and_usable(c, id);  // NOLINT(bugprone-use-after-move)

    auto& same = b;
    b = std::move(same);
    EXPECT_EQ(all_in(b).size(), 49u);
    EXPECT_TRUE(b.contains(id));
    EXPECT_EQ(b.validate(), std::nullopt);
    // A free slot and the next new one.
    EXPECT_TRUE(b.insert(boxes[0], 100));
    EXPECT_TRUE(b.insert(boxes[1], 101));
    EXPECT_EQ(b.validate(), std::nullopt);
}

TYPED_TEST(TreeEdges, EmptiedTreesWithCategoriesRebuild) {
    for (const std::size_t count : {1, 9, 70}) {
        auto tree = TypeParam::make();
        const std::vector<Aabb> boxes = some_boxes(count);
        std::vector<ProxyId> ids;
        for (std::size_t i = 0; i < count; ++i)
            ids.push_back(tree.insert(boxes[i], i).id);
        tree.set_categories(ids[0], {2});
        EXPECT_EQ(tree.remove_all(ids), TreeStatus::Ok);
        EXPECT_EQ(tree.validate(), std::nullopt);
        EXPECT_EQ(tree.rebuild(), TreeStatus::Ok);
        EXPECT_EQ(tree.validate(), std::nullopt) << count;
        EXPECT_EQ(tree.insert_all({}, {}), TreeStatus::Ok);
        EXPECT_EQ(tree.validate(), std::nullopt) << count;
        const InsertResult added = tree.insert(boxes[0], 5);
        EXPECT_EQ(tree.categories(added.id).bits, Categories{}.bits);
        EXPECT_EQ(tree.validate(), std::nullopt) << count;
    }
}

TEST(DynamicTreeEdges, MovesDetachTheLog) {
    DynamicTree tree;
    OperationLog log;
    tree.set_log(&log);
    tree.insert({vec3(0.0f), vec3(1.0f)}, 1);
    DynamicTree other(std::move(tree));
    other.insert({vec3(2.0f), vec3(3.0f)}, 2);
    tree.insert({vec3(4.0f), vec3(5.0f)}, 3);  // NOLINT(bugprone-use-after-move)
    EXPECT_EQ(log.size(), 1u);
    EXPECT_FALSE(tree.undo());
    EXPECT_FALSE(other.undo());
}

struct Quad {
    std::vector<vec3> positions{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}};
    std::vector<glm::uvec3> triangles{{0, 2, 1}, {0, 3, 2}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
    [[nodiscard]] MeshView view() const { return {positions, triangles}; }
};
constexpr Ray kDown{{0.25f, 0.25f, 9.0f}, {0.0f, 0.0f, -1.0f}};

/// `check(tree, filled)` compares the tree with a filled or an empty one.
template <class Tree, class Check>
void expect_moves_of(const Check& check) {
    const Quad quad;
    Tree a;
    ASSERT_EQ(a.build(quad.view()), MeshBuildStatus::Ok);
    check(a, true);
    Tree b(std::move(a));
    check(b, true);
    check(a, false);  // NOLINT(bugprone-use-after-move)
    Tree c;
    c = std::move(b);
    check(c, true);
    check(b, false);  // NOLINT(bugprone-use-after-move)
    Tree& same = c;
    c = std::move(same);
    check(c, true);
    ASSERT_EQ(a.build(quad.view()), MeshBuildStatus::Ok);
    check(a, true);
}

TEST(MeshTreeEdges, MovedFromTreesAreEmpty) {
    expect_moves_of<MeshBvh>([](const MeshBvh& tree, bool filled) {
        EXPECT_EQ(tree.empty(), !filled);
        EXPECT_EQ(tree.bounds().is_empty(), !filled);
        EXPECT_EQ(tree.raycast(kDown).hit.has_value(), filled);
        EXPECT_EQ(tree.snapshot().boxes.empty(), !filled);
        EXPECT_TRUE(tree.validate());
    });
    expect_moves_of<MeshBvh8>([](const MeshBvh8& tree, bool filled) {
        EXPECT_EQ(tree.empty(), !filled);
        EXPECT_EQ(tree.bounds().is_empty(), !filled);
        EXPECT_EQ(tree.raycast(kDown).hit.has_value(), filled);
        EXPECT_EQ(tree.closest_point(vec3(0.0f)).nearest.has_value(), filled);
        EXPECT_TRUE(tree.validate());
    });
    expect_moves_of<BspTree>([](const BspTree& tree, bool filled) {
        EXPECT_EQ(tree.empty(), !filled);
        EXPECT_EQ(tree.root() == BspNode::kOutside, !filled);
        EXPECT_EQ(tree.raycast(kDown).hit.has_value(), filled);
        EXPECT_EQ(tree.classify(vec3(0.2f)), filled ? BspSide::Inside : BspSide::Outside);
        EXPECT_EQ(tree.snapshot().boxes.empty(), !filled);
        std::size_t listed = 0;
        tree.back_to_front(vec3(3.0f), [&](std::uint32_t) { ++listed; });
        EXPECT_EQ(listed > 0, filled);
    });
    expect_moves_of<ObbTree>([](const ObbTree& tree, bool filled) {
        EXPECT_EQ(tree.empty(), !filled);
        EXPECT_EQ(tree.max_coordinate(), filled ? 1.0f : 0.0f);
        EXPECT_TRUE(tree.validate());
    });
}

TEST(PairCacheEdges, MovedFromCachesAreEmpty) {
    const std::array<PairCache::Pair, 1> pairs{{{ProxyId{0, 0}, ProxyId{1, 0}}}};
    PairCache a;
    a.update(pairs);
    PairCache b(std::move(a));
    EXPECT_EQ(b.touching().size(), 1u);
    EXPECT_TRUE(a.touching().empty());  // NOLINT(bugprone-use-after-move)
    a.update(pairs);
    EXPECT_EQ(a.began().size(), 1u);
    PairCache& same = b;
    b = std::move(same);
    b.update(pairs);
    EXPECT_EQ(b.persisted().size(), 1u);
}

}  // namespace
}  // namespace bv
