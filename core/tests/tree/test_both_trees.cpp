// One suite for DynamicTree and WideTree: every operation that both have, against a plain list of boxes.
// Coordinates are multiples of 1/64, so the list's distances are exact in double, and ties and touching boxes
// are frequent.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "bv/assert.hpp"
#include "bv/query/overlap.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/pair_cache.hpp"
#include "bv/tree/wide_tree.hpp"
#include "many_threads.hpp"
#include "reference/box_reference.hpp"
#include "tree_test_util.hpp"

namespace bv {
namespace {

using glm::vec3;
using test::Random;
using test::scaled;
using Ids = std::set<ProxyId>;
using IdPairs = std::set<std::pair<ProxyId, ProxyId>>;

constexpr float kEnd = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct Binary {
    static DynamicTree make() { return DynamicTree{}; }
};
struct BinaryRefitted {
    static DynamicTree make() {
        TreeOptions options;
        options.margin = Margin::None;
        options.upkeep = Upkeep::PartialRebuild;
        return DynamicTree(options);
    }
};
struct Wide {
    static WideTree make() { return WideTree{}; }
};
struct WideScalar {
    static WideTree make() { return WideTree(WideTreeOptions{.simd = Simd::Scalar}); }
};

struct Entry {
    ProxyId id;
    Aabb box;
    std::uint64_t data = 0;
    std::uint32_t categories = ~0u;
};

float on_grid(float x) {
    return std::floor(x * 64.0f) / 64.0f;
}
Aabb grid_box(Random& random, float half) {
    const Aabb b = random.box(half);
    Aabb box;
    for (int k = 0; k < 3; ++k) {
        box.min[k] = on_grid(b.min[k]);
        box.max[k] = on_grid(b.max[k]);
    }
    return box;
}
vec3 grid_vec(Random& random, float half) {
    const vec3 v = random.in_cube(half);
    return {on_grid(v.x), on_grid(v.y), on_grid(v.z)};
}
double exact_distance_sq(const vec3& p, const Aabb& b) {
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double d = p[k] < b.min[k]   ? double{b.min[k]} - double{p[k]}
                         : p[k] > b.max[k] ? double{p[k]} - double{b.max[k]}
                                           : 0.0;
        sum += d * d;
    }
    return sum;
}

/// Parts and threads give the pairs in the order of `collect_pairs`.
template <class Tree>
void expect_same_in_parts(const Tree& tree, const std::vector<typename Tree::Pair>& pairs, std::size_t hits) {
    std::vector<typename Tree::Pair> in_parts, on_threads{{}};
    const QueryStats stats = tree.for_each_part([&](std::span<const typename Tree::Pair> part) {
        in_parts.insert(in_parts.end(), part.begin(), part.end());
    });
    EXPECT_EQ(in_parts, pairs);
    EXPECT_EQ(stats.hits, hits);
    test::ManyThreads tasks;
    EXPECT_EQ(tree.collect_pairs(on_threads, tasks), stats);
    EXPECT_EQ(on_threads, pairs);
    std::size_t parts = 0;
    tree.for_each_part([&](std::span<const typename Tree::Pair>) {
        ++parts;
        return Visit::Stop;
    });
    EXPECT_LE(parts, 1u);
}

/// A tree and the list that says what it holds.
template <class Tree>
class World {
  public:
    World(Tree tree, std::uint64_t seed) : tree_(std::move(tree)), random_(seed) {}

    void random_change() {
        const std::uint32_t what = random_.below(100);
        if (list_.size() < 12 || (what < 25 && list_.size() < 220)) {
            insert_one();
        } else if (what < 32) {
            insert_many(1 + random_.below(what < 27 ? 120 : 12));
        } else if (what < 50) {
            remove_one();
        } else if (what < 58) {
            remove_many(1 + random_.below(what < 51 ? static_cast<std::uint32_t>(list_.size()) : 9));
        } else if (what < 76) {
            move_one(what < 73 ? 0.5f : 25.0f);
        } else if (what < 86) {
            move_many(what < 80 ? list_.size() : 1 + random_.below(6));
        } else if (what < 92) {
            Entry& e = any();
            e.categories = 1u << random_.below(4) | (random_.chance(0.2) ? 0x80000000u : 0u);
            if (random_.chance(0.1)) e.categories = 0;
            ASSERT_EQ(tree_.set_categories(e.id, {e.categories}), TreeStatus::Ok);
        } else if (what < 95) {
            tree_.update();
        } else if (what < 97) {
            ASSERT_EQ(tree_.rebuild(), TreeStatus::Ok);
        } else if (what < 98 && random_.chance(0.1)) {
            for (const Entry& e : list_)
                removed_.push_back(e.id);
            list_.clear();
            ASSERT_EQ(tree_.clear(), TreeStatus::Ok);
        } else {
            // A copy replaces the tree.
            Tree copy(tree_);
            tree_ = Tree{};
            tree_ = std::move(copy);
        }
    }

    void check_state() {
        const auto broken = tree_.validate();
        ASSERT_FALSE(broken.has_value()) << *broken;
        ASSERT_EQ(tree_.size(), list_.size());
        ASSERT_EQ(tree_.empty(), list_.empty());
        Ids in_slots, listed;
        for (std::uint32_t i = 0; i < tree_.proxy_slots(); ++i)
            if (tree_.proxy_at(i).valid()) in_slots.insert(tree_.proxy_at(i));
        EXPECT_FALSE(tree_.proxy_at(static_cast<std::uint32_t>(tree_.proxy_slots())).valid());
        for (const Entry& e : list_) {
            listed.insert(e.id);
            ASSERT_TRUE(tree_.contains(e.id));
            ASSERT_EQ(tree_.tight_box(e.id), e.box);
            ASSERT_EQ(tree_.user_data(e.id), e.data);
            ASSERT_EQ(tree_.categories(e.id).bits, e.categories);
            ASSERT_TRUE(tree_.leaf_node(e.id).valid());
            ASSERT_EQ(merge(tree_.fat_box(e.id), e.box), tree_.fat_box(e.id));
            ASSERT_EQ(merge(tree_.bounds(), e.box), tree_.bounds());
        }
        ASSERT_EQ(in_slots, listed);
        ASSERT_EQ(tree_.bounds().is_empty(), list_.empty());
        ASSERT_LE(tree_.height(), list_.size());
    }

    void check_rejections() {
        const Aabb good = grid_box(random_, 20.0f);
        std::vector<Aabb> bad_boxes{Aabb{}, {good.min, vec3(kEnd)}, {vec3(-kEnd), good.max}, good};
        bad_boxes.back().max.y = kNan;
        bad_boxes.push_back({good.max + 1.0f, good.min});
        const ProxyId id = any().id;
        const ProxyId other = any().id;
        for (const Aabb& bad : bad_boxes) {
            ASSERT_EQ(tree_.insert(bad, 1).status, TreeStatus::NotFinite);
            ASSERT_FALSE(tree_.insert(bad, 1).id.valid());
            ASSERT_EQ(tree_.move(id, bad), TreeStatus::NotFinite);
            ASSERT_EQ(tree_.insert_all(std::array{good, bad}, std::array<std::uint64_t, 2>{1, 2}),
                      TreeStatus::NotFinite);
            ASSERT_EQ(tree_.move_all(std::array{other, id}, std::array{good, bad}), TreeStatus::NotFinite);
        }
        ASSERT_EQ(tree_.move(id, good, vec3(0, kNan, 0)), TreeStatus::NotFinite);
        ASSERT_EQ(tree_.move_all(std::array{other, id}, std::array{good, good},
                                 std::array{vec3(0.0f), vec3(kEnd, 0, 0)}),
                  TreeStatus::NotFinite);
        std::vector<ProxyId> stale{{}, {id.index, id.generation + 1}, {0xfffffff0u, 0}};
        if (!removed_.empty()) stale.push_back(removed_[random_.below(removed_.size())]);
        for (const ProxyId gone : stale) {
            ASSERT_FALSE(tree_.contains(gone));
            ASSERT_EQ(tree_.remove(gone), TreeStatus::StaleId);
            ASSERT_EQ(tree_.move(gone, good), TreeStatus::StaleId);
            ASSERT_EQ(tree_.set_categories(gone, {1}), TreeStatus::StaleId);
            ASSERT_EQ(tree_.remove_all(std::array{id, gone}), TreeStatus::StaleId);
            ASSERT_EQ(tree_.move_all(std::array{id, gone}, std::array{good, good}), TreeStatus::StaleId);
            ASSERT_EQ(tree_.categories(gone).bits, 0u);
            ASSERT_TRUE(tree_.tight_box(gone).is_empty());
            ASSERT_TRUE(tree_.fat_box(gone).is_empty());
            ASSERT_FALSE(tree_.user_data(gone).has_value());
            ASSERT_FALSE(tree_.leaf_node(gone).valid());
        }
        // Nothing of all this has any effect.
        ASSERT_EQ(tree_.insert_all({}, {}), TreeStatus::Ok);
        ASSERT_EQ(tree_.move_all({}, {}), TreeStatus::Ok);
        ASSERT_EQ(tree_.remove_all({}), TreeStatus::Ok);
        ASSERT_NO_FATAL_FAILURE(check_state());
    }

    void check_boxes() {
        const Aabb box = grid_box(random_, 22.0f);
        const auto touches = [&](const Entry& e) { return test::boxes_touch(e.box, box); };
        const std::uint32_t filter = random_.chance(0.1) ? 0u : 1u << random_.below(4);
        expect_visits("query", touches, std::nullopt, [&](auto v) { return tree_.query(box, v); });
        Recording trace;
        expect_visits("traced query", touches, std::nullopt,
                      [&](auto v) { return tree_.query(box, v, trace); });
        EXPECT_TRUE(list_.empty() || !trace.events().empty());
        expect_visits("query by category", touches, filter,
                      [&](auto v) { return tree_.query(box, Categories{filter}, v); });
        expect_visits("query_volume", touches, filter,
                      [&](auto v) { return tree_.query_volume(box, v, Categories{filter}); });
        expect_visits(
            "query_fat", [&](const Entry& e) { return test::boxes_touch(tree_.fat_box(e.id), box); },
            std::nullopt, [&](auto v) { return tree_.query_fat(box, v); });
        const float height = on_grid(random_.range(-20, 20));
        expect_visits(
            "query_if", [&](const Entry& e) { return e.box.min.y <= height; }, filter,
            [&](auto v) {
                return tree_.query_if([&](const Aabb& b) { return b.min.y <= height; }, v,
                                      Categories{filter});
            });
        // Without a filter, proxies in no category are found, too. Exact on the grid: the
        // radius is a multiple of 1/64.
        const Sphere ball{grid_vec(random_, 20.0f), on_grid(random_.range(0, 6))};
        expect_visits(
            "a sphere",
            [&](const Entry& e) {
                return exact_distance_sq(ball.center, e.box) <= double{ball.radius} * double{ball.radius};
            },
            std::nullopt, [&](auto v) { return tree_.query_volume(ball, v); });
        expect_visits(
            "query_if without a filter", [&](const Entry& e) { return e.box.min.y <= height; }, std::nullopt,
            [&](auto v) { return tree_.query_if([&](const Aabb& b) { return b.min.y <= height; }, v); });
        // Planes along the axes, which are exact, too: a corner inward of each.
        const vec3 corner = grid_vec(random_, 15.0f);
        const std::array planes{Plane{vec3(1, 0, 0), corner.x}, Plane{vec3(0, -1, 0), -corner.y}};
        expect_visits(
            "query_frustum",
            [&](const Entry& e) { return e.box.max.x >= corner.x && e.box.min.y <= corner.y; }, filter,
            [&](auto v) { return tree_.query_frustum(planes, v, Categories{filter}); });
        expect_visits(
            "query_frustum without a filter",
            [&](const Entry& e) { return e.box.max.x >= corner.x && e.box.min.y <= corner.y; }, std::nullopt,
            [&](auto v) { return tree_.query_frustum(planes, v); });
        // A mask finds no proxy without a category, and no bits find no proxy.
        for (const std::uint32_t bits : {~0u, 0u}) {
            expect_visits("query by all or none", touches, bits,
                          [&](auto v) { return tree_.query(box, Categories{bits}, v); });
            expect_visits("query_volume by all or none", touches, bits,
                          [&](auto v) { return tree_.query_volume(box, v, Categories{bits}); });
        }
        for (const Aabb& none : {Aabb{}, Aabb{vec3(kNan), vec3(1)}, Aabb{box.max + 1.0f, box.min}}) {
            const auto never = [](auto&&...) { ADD_FAILURE() << "an empty box overlaps something"; };
            tree_.query(none, never);
            tree_.query(none, Categories{}, never);
            tree_.query_fat(none, never);
        }
        std::size_t seen = 0;
        const QueryStats stopped = tree_.query_if([](const Aabb&) { return true; },
                                                  [&](ProxyId, std::uint64_t) {
                                                      ++seen;
                                                      return Visit::Stop;
                                                  });
        ASSERT_EQ(seen, list_.empty() ? 0u : 1u);
        ASSERT_EQ(stopped.hits, seen);
    }

    void check_rays() {
        const Ray ray = random_.ray(22.0f);
        Recording trace;
        test::RayHits hits, traced;
        const auto into = [&](test::RayHits& to) {
            return [&](ProxyId id, std::uint64_t data, float t) {
                EXPECT_EQ(tree_.user_data(id), data);
                EXPECT_TRUE(to.emplace(data, t).second);
                return kEnd;
            };
        };
        EXPECT_EQ(tree_.raycast(ray, into(hits)), tree_.raycast(ray, into(traced), trace));
        EXPECT_EQ(hits, traced);
        ASSERT_NO_FATAL_FAILURE(test::expect_ray_hits(hits, list_, ray));
        const std::optional<ProxyRayHit> first = tree_.raycast_nearest(ray);
        ASSERT_EQ(first.has_value(), !hits.empty());
        std::optional<ProxyRayHit> expected;
        for (const Entry& e : list_)
            if (const auto hit = hits.find(e.data); hit != hits.end()) {
                const ProxyRayHit now{e.id, e.data, hit->second};
                if (!expected || std::pair(now.t, now.id) < std::pair(expected->t, expected->id))
                    expected = now;
            }
        ASSERT_EQ(first, expected);
        ASSERT_FALSE(tree_.raycast_nearest(Ray{vec3(kNan), vec3(1)}).has_value());

        // Halves of sizes are on a grid as well: the reference meets the same boxes.
        const Aabb moving = grid_box(random_, 20.0f);
        const vec3 half = 0.5f * (moving.max - moving.min);
        const vec3 displacement = random_.in_cube(30.0f);
        std::vector<Entry> grown = list_;
        for (Entry& e : grown)
            e.box = {e.box.min - half, e.box.max + half};
        test::RayHits met;
        const QueryStats stats = tree_.cast_box(moving, displacement, into(met));
        ASSERT_EQ(stats.hits, met.size());
        ASSERT_NO_FATAL_FAILURE(
            test::expect_ray_hits(met, grown, Ray{0.5f * (moving.min + moving.max), displacement, 1.0f}));
        ASSERT_EQ(tree_.cast_box(Aabb{}, displacement, into(met)).hits, 0u);
    }

    void check_distances() {
        const vec3 point = grid_vec(random_, 22.0f);
        std::vector<Neighbor> expected;
        for (const Entry& e : list_)
            expected.push_back({e.id, static_cast<float>(exact_distance_sq(point, e.box))});
        std::sort(expected.begin(), expected.end(), [](const Neighbor& a, const Neighbor& b) {
            return std::pair(a.distance_sq, a.id) < std::pair(b.distance_sq, b.id);
        });
        std::vector<Neighbor> got(1 + random_.below(2) * random_.below(80));
        const std::size_t count = tree_.k_nearest(point, got);
        ASSERT_EQ(count, std::min(got.size(), list_.size()));
        for (std::size_t i = 0; i < count; ++i)
            ASSERT_EQ(got[i], expected[i]) << i;
        const float limit_sq = on_grid(random_.range(0, 60));
        Ids found, inside;
        const QueryStats stats = tree_.closest(point, limit_sq, [&](ProxyId id, std::uint64_t data, float d) {
            EXPECT_EQ(tree_.user_data(id), data);
            EXPECT_EQ(static_cast<double>(d), exact_distance_sq(point, tree_.tight_box(id)));
            EXPECT_TRUE(found.insert(id).second);
            return kEnd;
        });
        for (const Neighbor& n : expected)
            if (n.distance_sq <= limit_sq) inside.insert(n.id);
        ASSERT_EQ(found, inside);
        ASSERT_EQ(stats.hits, found.size());
        float nearest = kEnd;
        tree_.closest(point, kEnd,
                      [&](ProxyId, std::uint64_t, float d) { return nearest = std::min(nearest, d); });
        ASSERT_EQ(nearest, expected.empty() ? kEnd : expected[0].distance_sq);
        ASSERT_EQ(tree_.k_nearest(vec3(kNan), got), 0u);
    }

    void check_pairs() {
        IdPairs expected, found, traced, collected;
        for (std::size_t i = 0; i < list_.size(); ++i)
            for (std::size_t j = i + 1; j < list_.size(); ++j)
                if (test::boxes_touch(list_[i].box, list_[j].box))
                    expected.insert(std::minmax(list_[i].id, list_[j].id));
        const auto into = [](IdPairs& pairs) {
            return [&pairs](ProxyId a, ProxyId b) {
                EXPECT_TRUE(pairs.insert(std::minmax(a, b)).second) << "reported twice";
            };
        };
        const QueryStats stats =
            tree_.for_each_pair([&](ProxyId a, std::uint64_t data_a, ProxyId b, std::uint64_t data_b) {
                EXPECT_EQ(tree_.user_data(a), data_a);
                EXPECT_EQ(tree_.user_data(b), data_b);
                into(found)(a, b);
            });
        ASSERT_EQ(found, expected);
        ASSERT_EQ(stats.hits, expected.size());
        Recording trace;
        EXPECT_EQ(tree_.for_each_pair(into(traced), trace), stats);
        ASSERT_EQ(traced, expected);
        EXPECT_TRUE(list_.size() < 2 || !trace.events().empty());
        std::vector<typename Tree::Pair> pairs;
        tree_.collect_pairs(pairs);
        for (const auto& [a, b] : pairs)
            into(collected)(a, b);
        ASSERT_EQ(collected, expected);
        expect_same_in_parts(tree_, pairs, stats.hits);
        std::size_t seen = 0;
        tree_.for_each_pair([&](ProxyId, ProxyId) {
            ++seen;
            return Visit::Stop;
        });
        ASSERT_EQ(seen, expected.empty() ? 0u : 1u);

        const std::set<PairCache::Pair> before = touching_;
        cache_.update(tree_);
        touching_ = expected;
        const auto as_set = [](std::span<const PairCache::Pair> span) {
            EXPECT_TRUE(std::is_sorted(span.begin(), span.end()));
            return std::set<PairCache::Pair>(span.begin(), span.end());
        };
        std::set<PairCache::Pair> began, persisted, ended;
        for (const auto& p : expected)
            (before.contains(p) ? persisted : began).insert(p);
        for (const auto& p : before)
            if (!expected.contains(p)) ended.insert(p);
        ASSERT_EQ(as_set(cache_.touching()), expected);
        ASSERT_EQ(as_set(cache_.began()), began);
        ASSERT_EQ(as_set(cache_.persisted()), persisted);
        ASSERT_EQ(as_set(cache_.ended()), ended);
        ASSERT_LE(cache_.queried(), list_.size());
    }

    void check_pairs_with(const World& other) const {
        std::set<std::pair<ProxyId, ProxyId>> expected, found;
        for (const Entry& a : list_)
            for (const Entry& b : other.list_)
                if (test::boxes_touch(a.box, b.box)) expected.emplace(a.id, b.id);
        const QueryStats stats = tree_.for_each_pair(
            other.tree_, [&](ProxyId a, std::uint64_t data_a, ProxyId b, std::uint64_t data_b) {
                EXPECT_EQ(tree_.user_data(a), data_a);
                EXPECT_EQ(other.tree_.user_data(b), data_b);
                EXPECT_TRUE(found.emplace(a, b).second);
            });
        ASSERT_EQ(found, expected);
        ASSERT_EQ(stats.hits, found.size());
    }

    /// What a visitor does to the tree is refused: every change, from every kind of visit.
    void check_busy() {
        static int asserted = 0;
        asserted = 0;
        const AssertHandler handler = set_assert_handler([](const char*, const char*, int) { ++asserted; });
        int visits = 0;
        const Aabb box = list_[0].box;
        const ProxyId id = list_[0].id;
        const auto change = [&] {
            ++visits;
            EXPECT_EQ(tree_.insert(box, 1), (InsertResult{TreeStatus::Busy, {}}));
            EXPECT_EQ(tree_.insert_all(std::array{box}, std::array<std::uint64_t, 1>{}), TreeStatus::Busy);
            EXPECT_EQ(tree_.remove(id), TreeStatus::Busy);
            EXPECT_EQ(tree_.remove_all(std::array{id}), TreeStatus::Busy);
            EXPECT_EQ(tree_.move(id, box), TreeStatus::Busy);
            EXPECT_EQ(tree_.move_all(std::array{id}, std::array{box}), TreeStatus::Busy);
            EXPECT_EQ(tree_.rebuild(), TreeStatus::Busy);
            EXPECT_EQ(tree_.clear(), TreeStatus::Busy);
            EXPECT_EQ(tree_.set_categories(id, {1}), TreeStatus::Busy);
            EXPECT_EQ(tree_.update().rebuilt, 0u);
            const std::size_t proxies = tree_.size();
            Tree other;
            tree_ = other;
            tree_ = std::move(other);
            other = std::move(tree_);
            const Tree taken(std::move(tree_));
            EXPECT_EQ(tree_.size(), proxies);
            EXPECT_EQ(other.size() + taken.size(), 0u);
        };
        const auto at_id = [&](ProxyId, std::uint64_t) {
            change();
            return Visit::Stop;
        };
        const auto at_t = [&](ProxyId, std::uint64_t, float) {
            change();
            return -1.0f;
        };
        const auto at_pair = [&](ProxyId, ProxyId) {
            change();
            return Visit::Stop;
        };
        tree_.query(box, at_id);
        tree_.query(box, Categories{}, at_id);
        tree_.query_volume(box, at_id);
        tree_.query_fat(box, at_id);
        tree_.raycast(Ray{box.min, vec3(1, 0, 0)}, at_t);
        tree_.cast_box(box, vec3(1, 0, 0), at_t);
        tree_.closest(box.min, kEnd, at_t);
        const Tree copy = tree_;
        tree_.for_each_pair(copy, at_pair);
        copy.for_each_pair(tree_, at_pair);
        int expected_visits = 9;
        if (!touching_.empty()) {
            tree_.for_each_pair(at_pair);
            tree_.for_each_part([&](std::span<const typename Tree::Pair>) {
                change();
                return Visit::Stop;
            });
            expected_visits += 2;
        }
        set_assert_handler(handler);
        EXPECT_EQ(visits, expected_visits);
        EXPECT_EQ(asserted, 14 * visits);
        ASSERT_NO_FATAL_FAILURE(check_state());
    }

    [[nodiscard]] std::size_t size() const { return list_.size(); }
    Tree& tree() { return tree_; }
    Random& random() { return random_; }
    Entry& any() { return list_[random_.below(list_.size())]; }

  private:
    void insert_one() {
        const Aabb box = grid_box(random_, 20.0f);
        const auto [status, id] = tree_.insert(box, next_);
        ASSERT_EQ(status, TreeStatus::Ok);
        list_.push_back({id, box, next_++});
    }
    void insert_many(std::size_t count) {
        std::vector<Aabb> boxes;
        std::vector<std::uint64_t> data;
        for (std::size_t i = 0; i < count; ++i) {
            boxes.push_back(grid_box(random_, 20.0f));
            data.push_back(next_++);
        }
        std::vector<ProxyId> ids(count);
        ASSERT_EQ(tree_.insert_all(boxes, data, ids), TreeStatus::Ok);
        for (std::size_t i = 0; i < count; ++i)
            list_.push_back({ids[i], boxes[i], data[i]});
    }
    void drop(std::size_t i) {
        removed_.push_back(list_[i].id);
        list_[i] = list_.back();
        list_.pop_back();
    }
    void remove_one() {
        const std::uint32_t i = random_.below(list_.size());
        ASSERT_EQ(tree_.remove(list_[i].id), TreeStatus::Ok);
        drop(i);
    }
    void remove_many(std::size_t count) {
        std::vector<ProxyId> ids;
        for (; count > 0 && !list_.empty(); --count) {
            const std::uint32_t i = random_.below(list_.size());
            ids.push_back(list_[i].id);
            drop(i);
        }
        ids.push_back(ids[0]);  // Given twice, removed once.
        ASSERT_EQ(tree_.remove_all(ids), TreeStatus::Ok);
    }
    void move_one(float far) {
        Entry& e = any();
        const vec3 d = grid_vec(random_, far);
        e.box = {e.box.min + d, e.box.max + d};
        ASSERT_EQ(tree_.move(e.id, e.box, d), TreeStatus::Ok);
    }
    void move_many(std::size_t count) {
        std::vector<ProxyId> ids;
        std::vector<Aabb> boxes;
        std::vector<vec3> displacements;
        for (std::size_t i = 0; i < count; ++i) {
            Entry& e = count == list_.size() ? list_[i] : any();  // Some twice: the last box counts.
            displacements.push_back(grid_vec(random_, 0.4f));
            e.box = {e.box.min + displacements.back(), e.box.max + displacements.back()};
            ids.push_back(e.id);
            boxes.push_back(e.box);
        }
        if (random_.chance(0.5)) displacements.clear();
        ASSERT_EQ(tree_.move_all(ids, boxes, displacements), TreeStatus::Ok);
    }
    /// `run(visitor)` must visit the entries for which `wanted` holds and that have one of the categories, if
    /// any are asked for.
    template <class Wanted, class Run>
    void expect_visits(const char* what, const Wanted& wanted, std::optional<std::uint32_t> filter,
                       const Run& run) {
        Ids expected, found;
        for (const Entry& e : list_)
            if ((!filter || (e.categories & *filter) != 0) && wanted(e)) expected.insert(e.id);
        const QueryStats stats = run([&](ProxyId id, std::uint64_t data) {
            EXPECT_EQ(tree_.user_data(id), data);
            EXPECT_TRUE(found.insert(id).second) << what << ": visited twice";
        });
        EXPECT_EQ(found, expected) << what;
        EXPECT_EQ(stats.hits, found.size()) << what;
    }

    Tree tree_;
    Random random_;
    std::vector<Entry> list_;
    std::vector<ProxyId> removed_;
    std::uint64_t next_ = 1000;
    PairCache cache_;
    std::set<PairCache::Pair> touching_;
};

template <class Kind>
class BothTrees : public testing::Test {};
using Kinds = testing::Types<Binary, BinaryRefitted, Wide, WideScalar>;
struct KindNames {
    template <class Kind>
    static std::string GetName(int) {
        return std::is_same_v<Kind, Binary>           ? "Binary"
               : std::is_same_v<Kind, BinaryRefitted> ? "BinaryRefitted"
               : std::is_same_v<Kind, Wide>           ? "Wide"
                                                      : "WideScalar";
    }
};
TYPED_TEST_SUITE(BothTrees, Kinds, KindNames);

TYPED_TEST(BothTrees, EveryOperationMatchesTheList) {
    World world(TypeParam::make(), 5);
    World other(TypeParam::make(), 6);
    ASSERT_NO_FATAL_FAILURE(world.check_pairs_with(other));
    for (int step = 0; step < scaled(300); ++step) {
        ASSERT_NO_FATAL_FAILURE(world.random_change()) << step;
        ASSERT_NO_FATAL_FAILURE(world.check_state()) << step;
        ASSERT_NO_FATAL_FAILURE(world.check_boxes()) << step;
        ASSERT_NO_FATAL_FAILURE(world.check_rays()) << step;
        ASSERT_NO_FATAL_FAILURE(world.check_distances()) << step;
        if (step % 4 == 0) {
            ASSERT_NO_FATAL_FAILURE(world.check_pairs()) << step;
        }
        if (step % 16 == 0) {
            ASSERT_NO_FATAL_FAILURE(other.random_change()) << step;
            ASSERT_NO_FATAL_FAILURE(world.check_pairs_with(other)) << step;
            ASSERT_NO_FATAL_FAILURE(other.check_pairs_with(world)) << step;
        }
        if (step % 32 == 0 && world.size() > 0) {
            ASSERT_NO_FATAL_FAILURE(world.check_rejections()) << step;
            ASSERT_NO_FATAL_FAILURE(world.check_busy()) << step;
        }
        if (this->HasFailure()) FAIL() << "step " << step;
    }
}

// Traced changes leave the same tree, and report something.
TYPED_TEST(BothTrees, TracedChangesAreTheSame) {
    auto plain = TypeParam::make();
    auto traced = TypeParam::make();
    Random random(8);
    std::vector<ProxyId> ids;
    Recording trace;
    for (int step = 0; step < scaled(1500); ++step) {
        const std::uint32_t what = random.below(10);
        const vec3 displacement = random.in_cube(1.0f);
        const Aabb box = random.box(20.0f);
        trace.clear();
        if (ids.size() < 5 || what < 4) {
            ids.push_back(plain.insert(box, ids.size()).id);
            ASSERT_EQ(traced.insert(box, ids.size() - 1, trace).id, ids.back());
            EXPECT_FALSE(trace.events().empty());
        } else if (what < 6) {
            const std::uint32_t i = random.below(ids.size());
            ASSERT_EQ(plain.remove(ids[i]), traced.remove(ids[i], trace));
            EXPECT_FALSE(trace.events().empty());
            ids.erase(ids.begin() + i);
        } else if (what < 9) {
            const ProxyId id = random.one_of(ids);
            ASSERT_EQ(plain.move(id, box, displacement), traced.move(id, box, displacement, trace));
            EXPECT_FALSE(trace.events().empty());
        } else if (step % 20 == 0) {
            ASSERT_EQ(plain.rebuild(), traced.rebuild(trace));
            EXPECT_FALSE(trace.events().empty());
        } else {
            ASSERT_EQ(plain.update().rebuilt, traced.update(trace).rebuilt);
        }
        ASSERT_EQ(plain.snapshot().boxes, traced.snapshot().boxes);
        ASSERT_EQ(plain.snapshot().payloads, traced.snapshot().payloads);
    }
}

TYPED_TEST(BothTrees, PairsOfManyInPartsAndOnThreads) {
    auto tree = TypeParam::make();
    Random random(3);
    for (std::uint64_t i = 0; i < 9000; ++i)
        ASSERT_TRUE(tree.insert(random.box(30.0f), i));
    std::vector<typename decltype(tree)::Pair> pairs;
    const QueryStats stats = tree.collect_pairs(pairs);
    EXPECT_EQ(stats.hits, pairs.size());
    EXPECT_GT(pairs.size(), 1000u);
    EXPECT_EQ(tree.for_each_pair([](ProxyId, ProxyId) {}).hits, pairs.size());
    expect_same_in_parts(tree, pairs, pairs.size());
}

TYPED_TEST(BothTrees, ManyPairsInOnePlaceAreHandedOnSoon) {
    constexpr std::size_t kBoxes = 8000, kMany = 100'000;
    auto tree = TypeParam::make();
    using Pair = typename decltype(tree)::Pair;
    const std::vector<Aabb> boxes(kBoxes, Aabb{vec3(0), vec3(1)});
    ASSERT_EQ(tree.insert_all(boxes, std::vector<std::uint64_t>(kBoxes)), TreeStatus::Ok);
    EXPECT_LT(tree.for_each_pair([](ProxyId, ProxyId) { return Visit::Stop; }).leaves_tested, kMany);
    const auto stop = [](std::span<const Pair>) { return Visit::Stop; };
    EXPECT_LT(tree.for_each_part(stop).leaves_tested, kMany);
    std::size_t most = 0, sum = 0;
    tree.for_each_part([&](std::span<const Pair> part) {
        most = std::max(most, part.size());
        sum += part.size();
    });
    EXPECT_LT(most, kMany);
    EXPECT_EQ(sum, kBoxes * (kBoxes - 1) / 2);
}

// Both boxes begin at a t that rounds to 0; the nearer one by double has the higher id.
TYPED_TEST(BothTrees, BoxesAtTheSameRoundedTTieByTheirIds) {
    auto tree = TypeParam::make();
    std::vector<ProxyId> ids;
    for (const float x : {3.0f, 2.0f, 1.0f, 5.0f})
        ids.push_back(tree.insert(Aabb{{x * 0x1p-140f, 0, 0}, {1, 1, 1}}, 7).id);
    const Ray ray{{0, 0.5f, 0.5f}, {0x1p60f, 0, 0}};
    EXPECT_EQ(tree.raycast_nearest(ray), (ProxyRayHit{ids[0], 7, 0.0f}));
    EXPECT_EQ(tree.raycast_nearest({ray.origin, ray.direction, 0x1p-149f}), (ProxyRayHit{ids[0], 7, 0.0f}));
}

// A limit includes every distance that rounds to it: 4097^2 = 2^24 + 2^13 + 1 is halfway between two floats
// and rounds down, to the even one; 4097^2 + 2 is halfway, too, and rounds up. The last rounds to the largest
// float.
TYPED_TEST(BothTrees, ALimitIncludesWhatRoundsToIt) {
    for (const vec3 corner : {vec3(4096, 0, 0), vec3(4097, 0, 0), vec3(4097, 1, 1), vec3(0x1p-75f, 0, 0),
                              vec3(0x1p64f - 0x1p40f, 0x1p52f, 0)}) {
        auto tree = TypeParam::make();
        std::vector<ProxyId> ids;
        for (std::uint64_t i = 0; i < 20; ++i)
            ids.push_back(tree.insert({corner, corner + 1.0f}, i).id);
        const auto rounded = static_cast<float>(exact_distance_sq(vec3(0), {corner, corner}));
        std::size_t visits = 0;
        const auto nearest = [&](ProxyId, std::uint64_t, float d) {
            ++visits;
            EXPECT_EQ(d, rounded);
            return d;
        };
        for (const float limit : {kEnd, rounded}) {
            visits = 0;
            tree.closest(vec3(0), limit, nearest);
            EXPECT_EQ(visits, ids.size()) << corner.x << " within " << limit;
        }
        visits = 0;
        tree.closest(vec3(0), std::nextafter(rounded, -1.0f), nearest);
        EXPECT_EQ(visits, 0u) << corner.x;
    }
}

// Categories cost memory only when used, and a search by them skips subtrees.
TYPED_TEST(BothTrees, CategoriesSkipSubtrees) {
    auto tree = TypeParam::make();
    std::vector<ProxyId> ids;
    for (int i = 0; i < 4096; ++i) {
        const vec3 at(i % 16, i / 16 % 16, i / 256);
        ids.push_back(tree.insert({at, at + 0.5f}, 0).id);
    }
    tree.rebuild();
    const std::size_t bytes = tree.memory_bytes();
    ASSERT_EQ(tree.set_categories(ids[0], Categories{}), TreeStatus::Ok);
    EXPECT_EQ(tree.memory_bytes(), bytes);
    for (std::size_t i = 0; i < ids.size(); ++i)
        ASSERT_EQ(tree.set_categories(ids[i], {i == 77 ? 2u : 1u}), TreeStatus::Ok);
    EXPECT_LE(tree.memory_bytes(), bytes + 8 * ids.size());
    const auto ignore = [](ProxyId, std::uint64_t) {};
    const Aabb everything{vec3(-1), vec3(20)};
    const QueryStats one = tree.query(everything, Categories{2}, ignore);
    EXPECT_EQ(one.hits, 1u);
    EXPECT_LT(one.nodes_visited, 30u);
    EXPECT_EQ(tree.query(everything, Categories{1}, ignore).hits, 4095u);
    EXPECT_EQ(tree.query(everything, Categories{3}, ignore).hits, 4096u);
    EXPECT_EQ(tree.query(everything, ignore).hits, 4096u);
    EXPECT_EQ(tree.query(everything, Categories{4}, ignore).nodes_visited,
              tree.query(everything, Categories{8}, ignore).nodes_visited);
    // After a removal the skipping still holds.
    ASSERT_EQ(tree.remove(ids[77]), TreeStatus::Ok);
    EXPECT_EQ(tree.query(everything, Categories{2}, ignore).hits, 0u);
    EXPECT_LE(tree.query(everything, Categories{2}, ignore).nodes_visited, 1u);
}

}  // namespace
}  // namespace bv
