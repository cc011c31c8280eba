// The dynamic tree's other queries, its operation log and its pair cache, against brute force.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "bv/query/overlap.hpp"
#include "bv/tree/operation_log.hpp"
#include "bv/tree/pair_cache.hpp"
#include "reference/box_reference.hpp"
#include "tree_model.hpp"

namespace bv {
namespace {

using namespace test;

struct World {
    DynamicTree tree;
    std::vector<ProxyId> ids;
    std::vector<Aabb> boxes;
    std::vector<std::uint32_t> kinds;

    explicit World(Random& random, int count = 200, float half = 15.0f) {
        for (int i = 0; i < count; ++i) {
            boxes.push_back(random.box(half));
            ids.push_back(tree.insert(boxes.back(), std::uint64_t(i)).id);
            kinds.push_back(1u << random.below(4));
            EXPECT_EQ(tree.set_categories(ids.back(), {kinds.back()}), TreeStatus::Ok);
        }
        EXPECT_FALSE(tree.validate());
    }
    template <class Test>
    std::set<std::uint64_t> expected(std::uint32_t mask, const Test& test) const {
        std::set<std::uint64_t> all;
        for (std::size_t i = 0; i < boxes.size(); ++i)
            if ((kinds[i] & mask) && test(boxes[i])) all.insert(i);
        return all;
    }
};

TEST(TreeSelections, CategoriesVolumesAndFrusta) {
    Random random(31);
    World w(random);
    EXPECT_EQ(w.tree.categories(w.ids[3]).bits, w.kinds[3]);
    EXPECT_EQ(w.tree.categories(ProxyId{}).bits, 0u);
    EXPECT_EQ(w.tree.set_categories(ProxyId{}, {1}), TreeStatus::StaleId);
    for (int i = 0; i < scaled(2000); ++i) {
        std::set<std::uint64_t> found;
        const auto collect = [&](ProxyId, std::uint64_t d) { EXPECT_TRUE(found.insert(d).second); };
        const std::uint32_t mask = random.below(16);
        const Aabb box = random.box(15.0f);
        w.tree.query(box, Categories{mask}, collect);
        ASSERT_EQ(found, w.expected(mask, [&](const Aabb& b) { return boxes_touch(b, box); }));
        found.clear();
        const Sphere ball{random.in_cube(15.0f), random.range(0.0f, 5.0f)};
        w.tree.query_volume(ball, collect, Categories{mask});
        ASSERT_EQ(found,
                  w.expected(mask, [&](const Aabb& b) { return reference::separation(b, ball) <= 0; }));
        found.clear();
        std::vector<Plane> planes;
        for (int k = 0; k < 5; ++k)
            if (const auto plane = plane_from(random.in_cube(10.0f), random.in_cube(1.0f)))
                planes.push_back(*plane);
        w.tree.query_frustum(planes, collect);
        // A box is out if all of its corners are behind one plane.
        const auto out = [&](const Aabb& b, double slack) {
            return std::any_of(planes.begin(), planes.end(), [&](const Plane& p) {
                bool behind = true;
                for (int c = 0; c < 8; ++c) {
                    double d = -double(p.offset);
                    for (int k = 0; k < 3; ++k)
                        d += double(p.normal[k]) * double(b.corner(c)[k]);
                    behind = behind && d < slack;
                }
                return behind;
            });
        };
        for (std::size_t k = 0; k < w.boxes.size(); ++k) {
            if (out(w.boxes[k], -1e-4)) {
                ASSERT_FALSE(found.contains(k));
            }
            if (!out(w.boxes[k], 1e-4)) {
                ASSERT_TRUE(found.contains(k));
            }
        }
    }
}

TEST(TreeSelections, CastsOfBoxes) {
    Random random(37);
    World w(random);
    for (int i = 0; i < scaled(3000); ++i) {
        const Aabb box = random.box(15.0f);
        const glm::vec3 d = random.below(8) ? random.in_cube(12.0f) : glm::vec3(0.0f);
        std::map<std::uint64_t, float> found;
        w.tree.cast_box(box, d, [&](ProxyId, std::uint64_t data, float t) {
            found[data] = t;
            return 1.0f;
        });
        for (std::size_t k = 0; k < w.boxes.size(); ++k) {
            // Exact separation in time, per axis, in double precision.
            double enter = 0.0, leave = 1.0;
            for (int a = 0; a < 3; ++a) {
                const double lo = double(w.boxes[k].min[a]) - double(box.max[a]);
                const double hi = double(w.boxes[k].max[a]) - double(box.min[a]);
                if (d[a] == 0.0f) {
                    if (lo > 0.0 || hi < 0.0) leave = -1.0;
                    continue;
                }
                enter = std::max(enter, std::min(lo / double(d[a]), hi / double(d[a])));
                leave = std::min(leave, std::max(lo / double(d[a]), hi / double(d[a])));
            }
            const auto hit = found.find(k);
            if (enter < leave - 1e-3) {
                ASSERT_NE(hit, found.end());
                ASSERT_NEAR(hit->second, enter, 1e-3);
            }
            if (enter > leave + 1e-3) {
                ASSERT_EQ(hit, found.end());
            }
        }
        float first = 2.0f, least = 2.0f;
        for (const auto& [data, t] : found)
            least = std::min(least, t);
        w.tree.cast_box(box, d, [&](ProxyId, std::uint64_t, float t) { return first = std::min(first, t); });
        ASSERT_EQ(first, least);
    }
}

double distance_sq(const glm::vec3& p, const Aabb& b) {
    const glm::dvec3 at(p);
    const glm::dvec3 d = at - glm::clamp(at, glm::dvec3(b.min), glm::dvec3(b.max));
    return d.x * d.x + d.y * d.y + d.z * d.z;
}

TEST(TreeSelections, NearestNeighbors) {
    Random random(41);
    World w(random);
    for (int i = 0; i < scaled(3000); ++i) {
        const glm::vec3 p = random.in_cube(25.0f);
        std::vector<std::pair<double, ProxyId>> sorted;
        for (std::size_t k = 0; k < w.boxes.size(); ++k)
            sorted.emplace_back(distance_sq(p, w.boxes[k]), w.ids[k]);
        std::sort(sorted.begin(), sorted.end());
        std::vector<Neighbor> expected;
        for (const auto& [square, id] : sorted)
            expected.push_back({id, static_cast<float>(square)});
        std::vector<Neighbor> found(1 + random.below(i % 4 == 0 ? 150 : 12));
        ASSERT_EQ(w.tree.k_nearest(p, found), found.size());
        expected.resize(found.size());
        ASSERT_EQ(found, expected);
        float limit = 9.0f;
        std::size_t within = 0;
        w.tree.closest(p, limit, [&](ProxyId, std::uint64_t, float) {
            ++within;
            return limit;
        });
        ASSERT_EQ(within,
                  static_cast<std::size_t>(std::count_if(w.boxes.begin(), w.boxes.end(), [&](const Aabb& b) {
                      return static_cast<float>(distance_sq(p, b)) <= limit;
                  })));
    }
    std::vector<Neighbor> many(500);
    EXPECT_EQ(w.tree.k_nearest(glm::vec3(0), many), w.boxes.size());
    EXPECT_EQ(w.tree.k_nearest(glm::vec3(std::numeric_limits<float>::quiet_NaN()), many), 0u);
    EXPECT_EQ(DynamicTree{}.k_nearest(glm::vec3(0), many), 0u);
}

TEST(TreeSelections, NearestNeighborsWhereSquaresLeaveTheRangeOfFloats) {
    for (const float scale : {1e-36f, 1e-30f, 1e-24f, 1.0f, 1e19f, 3e19f, 1e30f, 1e36f}) {
        Random random(43);
        for (int i = 0; i < 20; ++i) {
            DynamicTree tree;
            std::vector<double> distances, sorted;
            const glm::vec3 p = random.in_cube(20.0f) * scale;
            for (std::uint64_t k = 0; k < 40; ++k) {
                const Aabb box = random.box(15.0f);
                const Aabb here{box.min * scale, box.max * scale};
                ASSERT_TRUE(tree.insert(here, k).id.valid());
                distances.push_back(std::sqrt(distance_sq(p, here)));
            }
            sorted = distances;
            std::sort(sorted.begin(), sorted.end());
            std::vector<Neighbor> found(5);
            ASSERT_EQ(tree.k_nearest(p, found), found.size());
            for (std::size_t k = 0; k < found.size(); ++k)
                ASSERT_EQ(distances[*tree.user_data(found[k].id)], sorted[k]) << scale << ", place " << k;
        }
    }
}

TEST(TreeSelections, PairsOfTwoTrees) {
    Random random(43);
    World a(random, 150, 10.0f), b(random, 90, 10.0f);
    std::set<std::pair<std::uint64_t, std::uint64_t>> found, expected;
    const QueryStats stats = a.tree.for_each_pair(b.tree, [&](ProxyId x, ProxyId y) {
        EXPECT_TRUE(found.emplace(*a.tree.user_data(x), *b.tree.user_data(y)).second);
    });
    for (std::size_t i = 0; i < a.boxes.size(); ++i)
        for (std::size_t j = 0; j < b.boxes.size(); ++j)
            if (boxes_touch(a.boxes[i], b.boxes[j])) expected.emplace(i, j);
    EXPECT_EQ(found, expected);
    EXPECT_GT(found.size(), 20u);
    EXPECT_EQ(stats.hits, found.size());
}

bool same_tree(const DynamicTree& a, const DynamicTree& b) {
    const TreeSnapshot x = a.snapshot(), y = b.snapshot();
    return x.boxes == y.boxes && x.parents == y.parents && x.source_nodes == y.source_nodes &&
           x.payloads == y.payloads && x.payload_boxes == y.payload_boxes && a.size() == b.size();
}

TEST(OperationLog, UndoAndRedoAreExactAndEveryStepIsValid) {
    for (const Strategy& s : all_strategies()) {
        if (s.margin == Margin::Fixed || s.margin == Margin::Relative) continue;
        Random random(51);
        DynamicTree tree(options_of(s));
        Model model;
        for (int i = 0; i < 20; ++i)
            random_step(tree, model, random);
        OperationLog log(100'000);
        tree.set_log(&log);
        std::vector<DynamicTree> states{tree};
        std::vector<std::size_t> positions{0};
        for (int i = 0; i < 60; ++i) {
            random_step(tree, model, random);
            if (i == 30) tree.rebuild(s.builder);
            states.push_back(tree);
            positions.push_back(log.position());
        }
        EXPECT_EQ(log.position(), log.size());
        const DynamicTree last = tree;
        std::size_t state = states.size() - 1;
        while (log.position() > 0) {
            ASSERT_TRUE(tree.undo());
            const auto broken = tree.validate();
            ASSERT_FALSE(broken) << *broken << " at entry " << log.position();
            while (state > 0 && positions[state] > log.position())
                --state;
            if (positions[state] == log.position()) {
                ASSERT_TRUE(same_tree(tree, states[state]));
            }
        }
        EXPECT_FALSE(tree.undo());
        EXPECT_TRUE(same_tree(tree, states[0]));
        for (std::size_t i = 0; i < log.size(); ++i) {
            ASSERT_TRUE(tree.redo());
            if (i + 1 < log.size()) {
                ASSERT_EQ(log[i].area_after, log[i + 1].area_before);
            }
            if (log[i].operation == Operation::Rotate && s.balancing == Balancing::Sah) {
                ASSERT_LT(log[i].area_after, log[i].area_before + 1e-3 * log[i].area_before);
            }
        }
        EXPECT_FALSE(tree.redo());
        EXPECT_TRUE(same_tree(tree, last));
        ASSERT_NO_FATAL_FAILURE(check_pairs(tree, model));
        // A change after an undo discards the undone entries.
        tree.undo();
        tree.undo();
        const std::size_t at = log.position();
        tree.insert(Aabb{glm::vec3(0), glm::vec3(1)}, 1);
        EXPECT_GT(log.size(), at);
        EXPECT_EQ(log[at].operation, Operation::Insert);
        EXPECT_FALSE(tree.redo());
    }
}

struct NodeState {
    Aabb box;
    std::uint32_t parent = TreeSnapshot::kNone;
    std::optional<std::uint64_t> data;  ///< Of leaves.
    friend bool operator==(const NodeState&, const NodeState&) = default;
};
struct TreeFacts {
    std::map<std::uint32_t, NodeState> nodes;  ///< By their numbers in the tree.
    std::uint32_t root = TreeSnapshot::kNone;
    double inner_area = 0;
};
TreeFacts facts_of(const DynamicTree& tree) {
    const TreeSnapshot s = tree.snapshot();
    TreeFacts facts;
    for (std::uint32_t i = 0; i < s.size(); ++i) {
        NodeState& node = facts.nodes[s.source_nodes[i]];
        node.box = s.boxes[i];
        if (s.is_leaf(i)) node.data = s.payloads[s.first_payload[i]];
        if (i == 0) {
            facts.root = s.source_nodes[i];
            continue;
        }
        node.parent = s.source_nodes[s.parents[i]];
        const glm::dvec3 size = glm::dvec3(s.boxes[i].max) - glm::dvec3(s.boxes[i].min);
        if (!s.is_leaf(i)) facts.inner_area += 2 * (size.x * size.y + size.y * size.z + size.z * size.x);
    }
    return facts;
}

TEST(OperationLog, EntriesSayWhatChanged) {
    std::set<Operation> seen;
    for (const Strategy& s : all_strategies()) {
        if (s.insertion != Insertion::BranchAndBoundSah) continue;
        Random random(52);
        DynamicTree tree(options_of(s));
        OperationLog log(100'000);
        tree.set_log(&log);
        std::map<std::uint32_t, std::set<std::uint64_t>> data_of_proxy;  // over time: slots are reused
        Model model;
        const auto note = [&] {
            for (const auto& e : model.entries)
                data_of_proxy[e.id.index].insert(e.data);
        };
        for (int i = 0; i < 80; ++i) {
            random_step(tree, model, random);
            note();
            if (i == 40) tree.rebuild(s.builder);
            if (i == 50) tree.set_categories(model.entries.front().id, {2});
        }
        tree.clear();
        while (tree.undo()) {
        }
        TreeFacts before = facts_of(tree);
        EXPECT_TRUE(before.nodes.empty());
        for (std::size_t i = 0; i < log.size(); ++i) {
            ASSERT_TRUE(tree.redo());
            TreeFacts after = facts_of(tree);
            const OperationLog::Entry& entry = log[i];
            seen.insert(entry.operation);
            ASSERT_NEAR(entry.area_before, before.inner_area, 1e-5 * before.inner_area);
            ASSERT_NEAR(entry.area_after, after.inner_area, 1e-5 * after.inner_area);
            const std::set<std::uint32_t> changed(entry.nodes.begin(), entry.nodes.end());
            ASSERT_EQ(changed.size(), entry.nodes.size());
            for (const TreeFacts* side : {&before, &after})
                for (const auto& [number, node] : side->nodes) {
                    const auto other = (side == &before ? after : before).nodes.find(number);
                    const auto end = (side == &before ? after : before).nodes.end();
                    ASSERT_TRUE((other != end && other->second == node) || changed.contains(number))
                        << "node " << number << " changed in silence";
                }
            const std::set<Operation> of_no_proxy{Operation::Rotate, Operation::Rebuild, Operation::Reinsert,
                                                  Operation::Clear};
            const bool has_proxy = !of_no_proxy.contains(entry.operation);
            ASSERT_EQ(entry.proxy != ProxyId::kInvalid, has_proxy);
            if (has_proxy) {
                const auto& nodes = entry.operation == Operation::Remove ? before.nodes : after.nodes;
                const auto leaf = nodes.find(entry.node.value);
                ASSERT_TRUE(leaf != nodes.end() && leaf->second.data) << "no leaf";
                ASSERT_TRUE(data_of_proxy[entry.proxy].contains(*leaf->second.data));
                ASSERT_EQ(before.nodes.contains(entry.node.value), entry.operation != Operation::Insert);
                ASSERT_EQ(after.nodes.contains(entry.node.value), entry.operation != Operation::Remove);
            } else if (entry.operation == Operation::Rotate) {
                ASSERT_TRUE(after.nodes.contains(entry.node.value));
                ASSERT_FALSE(after.nodes.at(entry.node.value).data) << "a leaf does not rotate";
            } else if (entry.operation == Operation::Rebuild) {
                ASSERT_EQ(entry.node.value, after.root);
            } else if (entry.operation == Operation::Reinsert) {
                ASSERT_TRUE(after.nodes.contains(entry.node.value));
                ASSERT_TRUE(changed.contains(after.nodes.at(entry.node.value).parent));
            } else {
                ASSERT_FALSE(entry.node.valid());
                ASSERT_TRUE(after.nodes.empty());
            }
            before = std::move(after);
        }
    }
    for (const Operation operation :
         {Operation::Insert, Operation::Remove, Operation::Move, Operation::Refit, Operation::Rotate,
          Operation::Rebuild, Operation::Reinsert, Operation::Clear})
        EXPECT_TRUE(seen.contains(operation)) << static_cast<int>(operation);
}

TEST(OperationLog, IsBoundedAndNotCopied) {
    DynamicTree tree;
    OperationLog log(10);
    tree.set_log(&log);
    Random random(3);
    for (std::uint64_t i = 0; i < 50; ++i)
        tree.insert(random.box(5.0f), i);
    EXPECT_EQ(log.size(), 10u);
    EXPECT_GT(log.dropped(), 30u);
    DynamicTree copy = tree;
    EXPECT_FALSE(copy.undo());
    copy.insert(random.box(5.0f), 99);
    EXPECT_EQ(tree.size(), 50u);
    tree.set_log(nullptr);
    EXPECT_FALSE(tree.undo());
}

TEST(PairCache, BeginsAndEndsMatchBruteForce) {
    Random random(61);
    DynamicTree tree;
    PairCache cache;
    std::vector<ProxyId> ids;
    std::vector<Aabb> boxes;
    std::set<PairCache::Pair> before;
    std::size_t began = 0, ended = 0, searched = 0;
    for (int frame = 0; frame < scaled(200); ++frame) {
        while (ids.size() < 150) {
            boxes.push_back(random.box(12.0f));
            ids.push_back(tree.insert(boxes.back(), 0).id);
        }
        for (int k = 0; k < 2; ++k) {
            const std::uint32_t i = random.below(ids.size());
            tree.remove(ids[i]);
            ids.erase(ids.begin() + i);
            boxes.erase(boxes.begin() + i);
        }
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const glm::vec3 d = random.in_cube(0.05f);
            boxes[i] = {boxes[i].min + d, boxes[i].max + d};
            tree.move(ids[i], boxes[i], d);
        }
        if (frame % 50 == 49) tree.rebuild(Builder::SweepSah);
        cache.update(tree);
        std::set<PairCache::Pair> now, expected_began, expected_ended;
        for (std::size_t i = 0; i < ids.size(); ++i)
            for (std::size_t j = i + 1; j < ids.size(); ++j)
                if (boxes_touch(boxes[i], boxes[j]))
                    now.emplace(std::min(ids[i], ids[j]), std::max(ids[i], ids[j]));
        std::set_difference(now.begin(), now.end(), before.begin(), before.end(),
                            std::inserter(expected_began, expected_began.end()));
        std::set_difference(before.begin(), before.end(), now.begin(), now.end(),
                            std::inserter(expected_ended, expected_ended.end()));
        ASSERT_TRUE(std::equal(now.begin(), now.end(), cache.touching().begin(), cache.touching().end()));
        ASSERT_EQ((std::set<PairCache::Pair>(cache.began().begin(), cache.began().end())), expected_began);
        ASSERT_EQ((std::set<PairCache::Pair>(cache.ended().begin(), cache.ended().end())), expected_ended);
        began += expected_began.size();
        ended += expected_ended.size();
        if (frame > 0) searched += cache.queried();
        before = now;
    }
    EXPECT_GT(began, std::size_t(scaled(200)));
    EXPECT_GT(ended, std::size_t(scaled(200)));
    EXPECT_LT(searched, std::size_t(scaled(200)) * 150 / 2);
    cache.clear();
    EXPECT_TRUE(cache.touching().empty());
    EXPECT_EQ(cache.queried(), 0u);
}

}  // namespace
}  // namespace bv
