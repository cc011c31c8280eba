// The numbers that trees record: visited nodes against the tree's snapshot, insertions, rotations and splits
// against areas summed here.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "bv/trace/trace.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/mesh_bvh.hpp"
#include "bv/tree/mesh_bvh_wide.hpp"
#include "bv/tree/wide_tree.hpp"
#include "tree_test_util.hpp"
#include "workloads/meshes.hpp"

namespace bv {
namespace {

using test::Random;
using D = glm::dvec3;
using Verdict = NodeVisited::Verdict;

constexpr double kNever = std::numeric_limits<double>::infinity();

double area(const Aabb& box) {
    const D s = D(box.max) - D(box.min);
    return 2.0 * (s.x * s.y + s.y * s.z + s.z * s.x);
}

Aabb around(const Aabb& a, const Aabb& b) {
    Aabb box;
    for (int k = 0; k < 3; ++k) {
        box.min[k] = std::min(a.min[k], b.min[k]);
        box.max[k] = std::max(a.max[k], b.max[k]);
    }
    return box;
}

/// The part of the ray in the box; empty if it misses it.
std::optional<std::pair<double, double>> slabs(const Ray& ray, const Aabb& box) {
    double enter = 0.0, leave = ray.t_max;
    for (int k = 0; k < 3; ++k) {
        const double o = ray.origin[k], d = ray.direction[k];
        if (d == 0.0) {
            if (o < double(box.min[k]) || o > double(box.max[k])) return std::nullopt;
            continue;
        }
        const double a = (double(box.min[k]) - o) / d, b = (double(box.max[k]) - o) / d;
        enter = std::max(enter, std::min(a, b));
        leave = std::min(leave, std::max(a, b));
    }
    if (enter > leave) return std::nullopt;
    return std::pair(enter, leave);
}

/// The snapshot's numbers of nodes, by the numbers that traces use.
std::map<std::uint32_t, std::uint32_t> by_source(const TreeSnapshot& tree) {
    std::map<std::uint32_t, std::uint32_t> result;
    for (std::uint32_t n = 0; n < tree.size(); ++n)
        EXPECT_TRUE(result.emplace(tree.source_nodes[n], n).second) << "two nodes of one number";
    return result;
}

/// Invariants of every traversal of one tree: nodes of the tree, each once, with the snapshot's depth and
/// kind, and all children of an entered node. Calls `each(node of the snapshot, event)`.
template <class Each>
void expect_walk(const Recording& trace, const TreeSnapshot& tree, bool complete, Each&& each) {
    const auto places = by_source(tree);
    std::map<std::uint32_t, Verdict> verdicts;
    for (const TraceEvent& any : trace.events()) {
        const auto& e = std::get<NodeVisited>(any);
        const auto at = places.find(e.node.value);
        ASSERT_NE(at, places.end()) << e.node.value;
        const std::uint32_t n = at->second;
        EXPECT_TRUE(verdicts.emplace(n, e.verdict).second) << "visited twice";
        EXPECT_EQ(e.depth, tree.depths[n]);
        if (e.verdict != Verdict::Culled) {
            EXPECT_EQ(e.verdict == Verdict::Entered, !tree.is_leaf(n));
        }
        each(n, e);
    }
    EXPECT_TRUE(verdicts.contains(0)) << "the root";
    for (std::uint32_t n = 1; n < tree.size(); ++n) {
        const auto parent = verdicts.find(tree.parents[n]);
        const bool reached = parent != verdicts.end() && parent->second == Verdict::Entered;
        if (complete) {
            EXPECT_EQ(verdicts.contains(n), reached) << n;
        } else if (!reached) {
            EXPECT_FALSE(verdicts.contains(n)) << n;
        }
    }
}

void expect_box_walk(const Recording& trace, const TreeSnapshot& tree, const Aabb& box, bool root_tested) {
    expect_walk(trace, tree, true, [&](std::uint32_t n, const NodeVisited& e) {
        EXPECT_EQ(e.t_enter, 0.0f);
        if (n > 0 || root_tested) {
            EXPECT_EQ(e.verdict != Verdict::Culled, test::boxes_touch(tree.boxes[n], box));
        }
        if (e.verdict == Verdict::Culled || e.verdict == Verdict::Entered) return;
        bool any = false;
        for (std::uint32_t p = 0; p < tree.payload_count[n]; ++p)
            any = any || test::boxes_touch(tree.payload_boxes[tree.first_payload[n] + p], box);
        EXPECT_EQ(e.verdict == Verdict::LeafHit, any);
    });
}

/// A traversal by a ray that is not shortened, or that ends at `nearest`.
void expect_ray_walk(const Recording& trace, const TreeSnapshot& tree, const Ray& ray, double nearest,
                     bool complete, bool root_tested, bool tight_leaves = false) {
    expect_walk(trace, tree, complete, [&](std::uint32_t n, const NodeVisited& e) {
        // Boxes that the ray grazes may count either way.
        const Aabb& box = tree.boxes[n];
        const glm::vec3 margin = 1e-4f * (box.max - box.min) + 1e-5f;
        const auto outer = slabs(ray, {box.min - margin, box.max + margin});
        const auto inner = slabs(ray, {box.min + margin, box.max - margin});
        if (e.verdict == Verdict::Culled) {
            EXPECT_TRUE(!inner || inner->second >= nearest * 0.999 || inner->first >= nearest * 0.999);
            return;
        }
        if (n == 0 && !root_tested) return;
        ASSERT_TRUE(outer.has_value());
        auto plain = slabs(ray, box);
        // A leaf of one tight box in a fat one records where the tight one is entered.
        const std::uint32_t p = tree.first_payload[n];
        if (e.verdict == Verdict::LeafHit && tree.payload_count[n] == 1 && tight_leaves)
            plain = slabs(ray, tree.payload_boxes[p]);
        if (plain) {
            EXPECT_NEAR(double(e.t_enter), plain->first, 1e-4 * (1.0 + plain->first));
        }
    });
}

std::vector<Aabb> some_boxes(Random& random, int count) {
    std::vector<Aabb> boxes;
    for (int i = 0; i < count; ++i) {
        Aabb box = random.box(8.0f);
        for (glm::vec3* p : {&box.min, &box.max})
            *p += glm::vec3(30.0f, -20.0f, 10.0f);
        boxes.push_back(box);
    }
    return boxes;
}

Ray some_ray(Random& random) {
    Ray ray = random.ray(10.0f);
    ray.origin += glm::vec3(30.0f, -20.0f, 10.0f);
    for (int k = 0; k < 3; ++k)  // neither parallel to an axis nor nearly so
        if (std::abs(ray.direction[k]) < 0.05f) ray.direction[k] = 0.3f;
    return ray;
}

template <class Tree>
void expect_walks_of(const Tree& tree, Random& random, bool root_tested) {
    const TreeSnapshot snapshot = tree.snapshot();
    const double forever = kNever;
    for (int i = 0; i < 60 && !testing::Test::HasFailure(); ++i) {
        Recording trace(1u << 16);
        Aabb box = random.box(8.0f);
        for (glm::vec3* p : {&box.min, &box.max})
            *p += glm::vec3(30.0f, -20.0f, 10.0f);
        tree.query(
            box, [](ProxyId, std::uint64_t) {}, trace);
        expect_box_walk(trace, snapshot, box, root_tested);
        trace.clear();
        const Ray ray = some_ray(random);
        tree.raycast(
            ray, [&](ProxyId, std::uint64_t, float) { return ray.t_max; }, trace);
        expect_ray_walk(trace, snapshot, ray, forever, root_tested, root_tested, root_tested);
        // A visitor that shortens the ray.
        trace.clear();
        double nearest = ray.t_max;
        tree.raycast(
            ray,
            [&](ProxyId, std::uint64_t, float t) {
                nearest = std::min(nearest, double(t));
                return t;
            },
            trace);
        expect_ray_walk(trace, snapshot, ray, nearest, false, root_tested, root_tested);
    }
}

TEST(TraceOfTrees, NodesThatQueriesVisit) {
    Random random(101);
    for (const int count : {1, 2, 9, 200}) {
        const std::vector<Aabb> boxes = some_boxes(random, count);
        for (const Margin margin : {Margin::None, Margin::Fixed}) {
            DynamicTree tree(TreeOptions{.margin = margin});
            for (std::size_t i = 0; i < boxes.size(); ++i)
                tree.insert(boxes[i], i);
            expect_walks_of(tree, random, true);
        }
        for (const Simd simd : {Simd::Scalar, best_simd()}) {
            WideTree tree(WideTreeOptions{.simd = simd});
            for (std::size_t i = 0; i < boxes.size(); ++i)
                tree.insert(boxes[i], i);
            tree.update();
            expect_walks_of(tree, random, false);
        }
    }
    Recording trace;
    DynamicTree{}.query(
        Aabb{glm::vec3(0), glm::vec3(1)}, [](ProxyId, std::uint64_t) {}, trace);
    WideTree{}.query(
        Aabb{glm::vec3(0), glm::vec3(1)}, [](ProxyId, std::uint64_t) {}, trace);
    EXPECT_TRUE(trace.events().empty());
}

TEST(TraceOfTrees, NodesThatMeshRaysVisit) {
    Random random(102);
    for (workloads::MeshData mesh : {workloads::icosphere(3), workloads::tetrahedron(), workloads::torus()}) {
        for (glm::vec3& p : mesh.positions)
            p = p * glm::vec3(5, 7, 4) + glm::vec3(30.0f, -20.0f, 10.0f);
        MeshBvh tree;
        ASSERT_EQ(tree.build(mesh.view()), MeshBuildStatus::Ok);
        MeshBvh8 wide;
        ASSERT_EQ(wide.build(tree), MeshBvh8::Status::Ok);
        for (int i = 0; i < 100 && !HasFailure(); ++i) {
            const Ray ray = some_ray(random);
            for (const RayMode mode : {RayMode::Fast, RayMode::Watertight}) {
                Recording trace(1u << 16);
                const MeshRayResult hit = tree.raycast(ray, mode, trace);
                expect_ray_walk(trace, tree.snapshot(), ray, hit.hit ? hit.hit->t : kNever, true, true);
                trace.clear();
                const MeshRayResult wide_hit = wide.raycast(ray, mode, trace);
                expect_ray_walk(trace, wide.snapshot(), ray, wide_hit.hit ? wide_hit.hit->t : kNever, true,
                                false);
                trace.clear();
                const MeshRayResult any = tree.raycast_any(ray, mode, trace);
                EXPECT_EQ(any.hit.has_value(), hit.hit.has_value());
                expect_ray_walk(trace, tree.snapshot(), ray, any.hit ? any.hit->t : kNever, false, true);
            }
            Recording trace(1u << 16);
            const MeshNearestResult near = tree.closest_point(ray.origin, 1e9f, trace);
            ASSERT_TRUE(near.nearest.has_value());
            const TreeSnapshot snapshot = tree.snapshot();
            expect_walk(trace, snapshot, true, [&](std::uint32_t n, const NodeVisited& e) {
                EXPECT_EQ(e.t_enter, 0.0f);
                D away(0.0);
                for (int k = 0; k < 3; ++k)
                    away[k] = std::max({0.0, double(snapshot.boxes[n].min[k]) - double(ray.origin[k]),
                                        double(ray.origin[k]) - double(snapshot.boxes[n].max[k])});
                // Nodes nearer than the result are visited; the others are farther.
                if (e.verdict == Verdict::Culled) {
                    EXPECT_GE(glm::length(away), double(near.nearest->distance) * 0.9999);
                }
            });
        }
    }
}

double inner_area(const TreeSnapshot& tree) {
    double sum = 0.0;
    for (std::uint32_t n = 0; n < tree.size(); ++n)
        if (!tree.is_leaf(n)) sum += area(tree.boxes[n]);
    return sum;
}

/// The cost of making `box` a sibling of node `n`: the new parent, and the growth of all ancestors.
std::pair<double, double> cost_beside(const TreeSnapshot& tree, std::uint32_t n, const Aabb& box) {
    double inherited = 0.0;
    for (std::uint32_t up = tree.parents[n]; up != TreeSnapshot::kNone; up = tree.parents[up])
        inherited += area(around(tree.boxes[up], box)) - area(tree.boxes[up]);
    return {area(around(tree.boxes[n], box)), inherited};
}

TEST(TraceOfTrees, SiblingsConsideredByInsertions) {
    Random random(103);
    for (const Insertion insertion :
         {Insertion::Manhattan, Insertion::GreedySah, Insertion::BranchAndBoundSah})
        for (const Balancing balancing : {Balancing::None, Balancing::Height, Balancing::Sah}) {
            DynamicTree tree(
                TreeOptions{.insertion = insertion, .balancing = balancing, .margin = Margin::None});
            std::size_t rotations = 0;
            for (const Aabb& box : some_boxes(random, 150)) {
                if (HasFailure()) return;
                const TreeSnapshot before = tree.snapshot();
                Recording trace(1u << 16);
                const ProxyId id = tree.insert(box, tree.size(), trace).id;
                (void)id;
                const TreeSnapshot after = tree.snapshot();
                if (before.empty()) continue;
                const auto places = by_source(before);
                const double close = 1e-4 * area(around(before.boxes[0], box));
                std::optional<SiblingConsidered> chosen;
                double change = 0.0, least = kNever;
                for (const TraceEvent& any : trace.events()) {
                    if (const auto* r = std::get_if<Rotated>(&any)) {
                        EXPECT_LT(r->kind, 6);
                        change += double(r->cost_after) - double(r->cost_before);
                        ++rotations;
                        continue;
                    }
                    if (!std::holds_alternative<SiblingConsidered>(any)) continue;
                    const auto& e = std::get<SiblingConsidered>(any);
                    ASSERT_TRUE(places.contains(e.node.value));
                    const auto [direct, inherited] = cost_beside(before, places.at(e.node.value), box);
                    EXPECT_NEAR(double(e.direct), direct, close);
                    EXPECT_NEAR(double(e.inherited), inherited, close);
                    const double own = insertion == Insertion::Manhattan ? 0.0 : area(box);
                    EXPECT_NEAR(double(e.lower_bound), inherited + own, close);
                    if (insertion != Insertion::Manhattan) {
                        EXPECT_EQ(e.chosen, !chosen || direct + inherited < least - 1e-9)
                            << "cheaper than all before it" << direct + inherited - least;
                    }
                    if (e.chosen) chosen = e;
                    least = std::min(least, direct + inherited);
                }
                ASSERT_TRUE(chosen.has_value());
                const double cost = double(chosen->direct) + double(chosen->inherited);
                EXPECT_NEAR(inner_area(after), inner_area(before) + cost + change, 4.0 * close);
                if (insertion == Insertion::BranchAndBoundSah) {
                    double best = kNever;
                    for (std::uint32_t n = 0; n < before.size(); ++n) {
                        const auto [direct, inherited] = cost_beside(before, n, box);
                        best = std::min(best, direct + inherited);
                    }
                    EXPECT_NEAR(cost, best, close);
                }
            }
            EXPECT_EQ(rotations > 0, balancing != Balancing::None);
        }
}

/// Both children of a node may change in one rotation: it is refitted once both have, if at all.
TEST(TraceOfTrees, ARotationRefitsNoNodeTwice) {
    Random random(107);
    DynamicTree tree(TreeOptions{.balancing = Balancing::Sah, .margin = Margin::None});
    std::size_t of_both_children = 0;
    for (const Aabb& box : some_boxes(random, 400)) {
        Recording trace(1u << 16);
        (void)tree.insert(box, tree.size(), trace);
        std::vector<std::uint32_t> refitted;
        for (const TraceEvent& any : trace.events()) {
            if (const auto* r = std::get_if<NodeRefitted>(&any)) {
                EXPECT_EQ(std::count(refitted.begin(), refitted.end(), r->node.value), 0);
                refitted.push_back(r->node.value);
            } else {
                refitted.clear();
            }
            if (const auto* r = std::get_if<Rotated>(&any)) of_both_children += r->kind >= 4;
        }
    }
    EXPECT_GT(of_both_children, 10u);
}

TEST(TraceOfTrees, TheCheapestSiblingOfHundredsOfCandidates) {
    Random random(104);
    DynamicTree tree(TreeOptions{.margin = Margin::None});
    // Small boxes inside of large ones, which all overlap: most nodes would not grow, and stay candidates.
    for (int i = 0; i < 600; ++i) {
        const glm::vec3 center = random.in_cube(0.5f);
        const glm::vec3 half = i % 10 == 9 ? glm::vec3(0.01f) : glm::vec3(2.0f) + random.in_cube(1.0f);
        const Aabb box{center - half, center + half};
        const TreeSnapshot before = tree.snapshot();
        Recording trace(1u << 16);
        tree.insert(box, tree.size(), trace);
        if (i % 10 != 9) continue;
        std::optional<SiblingConsidered> chosen;
        for (const TraceEvent& any : trace.events())
            if (const auto* e = std::get_if<SiblingConsidered>(&any); e != nullptr && e->chosen) chosen = *e;
        ASSERT_TRUE(chosen.has_value());
        double best = kNever;
        for (std::uint32_t n = 0; n < before.size(); ++n) {
            const auto [direct, inherited] = cost_beside(before, n, box);
            best = std::min(best, direct + inherited);
        }
        EXPECT_NEAR(double(chosen->direct) + double(chosen->inherited), best, 1e-5 * best) << i;
    }
}

std::uint32_t leaves_below(const TreeSnapshot& tree, std::uint32_t n) {
    if (tree.is_leaf(n)) return tree.payload_count[n];
    std::uint32_t sum = 0;
    for (std::uint32_t c = 0; c < tree.child_count[n]; ++c)
        sum += leaves_below(tree, tree.first_child[n] + c);
    return sum;
}

/// Centers before the plane are as many as the event counts on the left, but for those on the plane. Where
/// centers or codes coincide there is no plane.
void expect_plane_between_centers(const TreeSnapshot& tree, std::uint32_t node, const SplitEvaluated& e) {
    if (e.chosen && e.normal == glm::vec3(0.0f)) return;
    glm::vec3 normal(0.0f);
    normal[e.axis] = 1.0f;
    EXPECT_EQ(e.normal, normal);
    std::uint32_t before = 0, on = 0;
    const auto visit = [&](auto&& self, std::uint32_t n) -> void {
        for (std::uint32_t c = 0; c < tree.child_count[n]; ++c)
            self(self, tree.first_child[n] + c);
        if (!tree.is_leaf(n)) return;
        const double at = 0.5 * (double(tree.boxes[n].min[e.axis]) + double(tree.boxes[n].max[e.axis]));
        const double distance = at - double(e.offset);
        (std::abs(distance) < 1e-5 ? on : before) += distance < 1e-5 ? 1 : 0;
    };
    visit(visit, node);
    EXPECT_LE(before, e.left_count);
    EXPECT_GE(before + on, e.left_count);
}

TEST(TraceOfTrees, SplitsEvaluatedByBuilders) {
    Random random(104);
    for (const Builder builder : {Builder::Median, Builder::Morton, Builder::BinnedSah, Builder::SweepSah})
        for (const int count : {2, 3, 17, 120}) {
            const std::vector<Aabb> boxes = some_boxes(random, count);
            DynamicTree tree(TreeOptions{.margin = Margin::None, .builder = builder});
            for (std::size_t i = 0; i < boxes.size(); ++i)
                tree.insert(boxes[i], i);
            Recording trace(1u << 18);
            ASSERT_EQ(tree.rebuild(builder, trace), TreeStatus::Ok);
            ASSERT_FALSE(trace.overflowed());
            const TreeSnapshot built = tree.snapshot();
            // Splits come in the depth-first order of the inner nodes, which is the order of their numbers.
            std::vector<std::uint32_t> inner;
            for (std::uint32_t n = 0; n < built.size(); ++n)
                if (!built.is_leaf(n)) inner.push_back(n);
            std::sort(inner.begin(), inner.end(), [&](std::uint32_t a, std::uint32_t b) {
                return built.source_nodes[a] < built.source_nodes[b];
            });
            std::map<std::uint32_t, std::uint32_t> places;
            std::map<std::uint32_t, double> chosen, least;
            std::map<std::uint32_t, std::size_t> weighed;
            std::size_t planes = 0;
            for (const TraceEvent& any : trace.events()) {
                const auto& e = std::get<SplitEvaluated>(any);
                if (!places.contains(e.node.value)) {
                    ASSERT_LT(places.size(), inner.size());
                    places.emplace(e.node.value, inner[places.size()]);
                }
                const std::uint32_t n = places.at(e.node.value);
                ASSERT_FALSE(built.is_leaf(n));
                ASSERT_LT(e.axis, 3);
                EXPECT_EQ(e.left_count + e.right_count, leaves_below(built, n));
                EXPECT_GE(std::min(e.left_count, e.right_count), 1u);
                expect_plane_between_centers(built, n, e);
                planes += e.normal == glm::vec3(0.0f) ? 0 : 1;
                weighed[n] += e.chosen ? 0 : 1;
                if (!least.contains(n)) least[n] = kNever;
                least[n] = std::min(least[n], double(e.cost));
                if (!e.chosen) continue;
                EXPECT_TRUE(chosen.emplace(n, e.cost).second) << "chosen twice";
                const std::uint32_t left = built.first_child[n], right = left + 1;
                EXPECT_EQ(e.left_count, leaves_below(built, left));
                EXPECT_EQ(e.right_count, leaves_below(built, right));
                const double cost =
                    area(built.boxes[left]) * e.left_count + area(built.boxes[right]) * e.right_count;
                EXPECT_NEAR(double(e.cost), cost, 1e-4 * cost);
                // No center of the left side lies beyond all centers of the right side.
                double left_least = kNever, right_greatest = -kNever;
                const auto center = [&](std::uint32_t m) {
                    return double(built.boxes[m].min[e.axis]) + double(built.boxes[m].max[e.axis]);
                };
                const auto visit = [&](auto&& self, std::uint32_t m, bool is_left) -> void {
                    if (built.is_leaf(m)) {
                        (is_left ? left_least : right_greatest) =
                            is_left ? std::min(left_least, center(m)) : std::max(right_greatest, center(m));
                        return;
                    }
                    for (std::uint32_t c = 0; c < 2; ++c)
                        self(self, built.first_child[m] + c, is_left);
                };
                visit(visit, left, true);
                visit(visit, right, false);
                EXPECT_LE(left_least, right_greatest + 1e-4);
            }
            EXPECT_EQ(chosen.size(), static_cast<std::size_t>(count - 1));
            if (count > 3) {
                EXPECT_GE(planes, static_cast<std::size_t>(count - 1) / 2);
            }
            for (const auto& [n, weighed_here] : weighed) {
                const std::size_t all = leaves_below(built, n);
                if (builder == Builder::SweepSah)
                    EXPECT_EQ(weighed_here, 3 * (all - 1));
                else if (builder != Builder::BinnedSah)
                    EXPECT_EQ(weighed_here, 0u);
                else
                    EXPECT_LE(weighed_here, 45u);
            }
            for (const auto& [n, cost] : chosen)
                EXPECT_LE(cost, least[n] * (1.0 + 1e-6) + 1e-6) << "a cheaper one was evaluated";
        }
}

TEST(TraceOfTrees, UpkeepIsTheSameTracedAndRecordsItsWork) {
    Random random(105);
    for (const Upkeep upkeep : {Upkeep::None, Upkeep::RefitOnly, Upkeep::PartialRebuild,
                                Upkeep::PeriodicRebuild, Upkeep::Reinsertion}) {
        DynamicTree fast(
            TreeOptions{.margin = Margin::None, .upkeep = upkeep, .rebuild_period = 2, .reinsertions = 5});
        std::vector<ProxyId> ids;
        for (const Aabb& box : some_boxes(random, 150))
            ids.push_back(fast.insert(box, ids.size()).id);
        DynamicTree traced = fast;
        std::uint32_t done = 0;
        for (int step = 0; step < 6; ++step) {
            for (int moves = 0; moves < 30; ++moves) {
                const ProxyId id = ids[random.below(150)];
                const Aabb box = some_boxes(random, 1)[0];
                fast.move(id, box);
                traced.move(id, box);
            }
            Recording trace(1u << 18);
            const UpdateStats stats = traced.update(trace);
            const UpdateStats plain = fast.update();
            EXPECT_EQ(stats.rebuilt, plain.rebuilt);
            EXPECT_EQ(stats.reinserted, plain.reinserted);
            ASSERT_EQ(traced.snapshot(), fast.snapshot());
            ASSERT_FALSE(trace.overflowed());
            // A build of n leaves or subtrees chooses n - 1 splits; a subtree gets one sibling.
            std::uint32_t splits = 0;
            std::set<std::uint32_t> beside;
            for (const TraceEvent& any : trace.events()) {
                if (const auto* split = std::get_if<SplitEvaluated>(&any)) splits += split->chosen ? 1 : 0;
                if (const auto* sibling = std::get_if<SiblingConsidered>(&any))
                    if (sibling->chosen) beside.insert(sibling->node.value);
            }
            EXPECT_EQ(splits, stats.rebuilt > 0 ? stats.rebuilt - 1 : 0);
            EXPECT_EQ(beside.empty(), stats.reinserted == 0);
            done += stats.rebuilt + stats.reinserted;
        }
        EXPECT_EQ(done > 0, upkeep != Upkeep::None && upkeep != Upkeep::RefitOnly);
    }
}

/// An agglomerative build, followed by its trace alone.
TEST(TraceOfTrees, ClustersMergeUntilOneIsLeft) {
    Random random(31);
    for (const int count : {2, 3, 20, 150}) {
        const std::vector<Aabb> boxes = some_boxes(random, count);
        TreeOptions options;
        options.margin = Margin::None;
        DynamicTree tree(options), fast(options);
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            tree.insert(boxes[i], i);
            fast.insert(boxes[i], i);
        }
        Recording trace(1u << 20);
        ASSERT_EQ(tree.rebuild(Builder::Agglomerative, trace), TreeStatus::Ok);
        ASSERT_EQ(fast.rebuild(Builder::Agglomerative), TreeStatus::Ok);
        ASSERT_EQ(tree.snapshot(), fast.snapshot());
        ASSERT_FALSE(trace.overflowed());
        std::vector<NeighborFound> round;
        std::multiset<std::array<float, 6>> merged, inner;
        const auto key = [](const Aabb& b) {
            return std::array<float, 6>{b.min.x, b.min.y, b.min.z, b.max.x, b.max.y, b.max.z};
        };
        std::size_t left = boxes.size();
        bool merging = false;
        for (const TraceEvent& any : trace.events()) {
            if (const auto* e = std::get_if<NeighborFound>(&any)) {
                if (merging) round.clear();
                merging = false;
                EXPECT_EQ(e->place, round.size());
                round.push_back(*e);
                continue;
            }
            const auto& e = std::get<ClustersMerged>(any);
            if (!merging) {
                // By trying all: no cluster within reach has a smaller union.
                ASSERT_EQ(round.size(), left);
                for (const NeighborFound& a : round) {
                    EXPECT_EQ(round[a.neighbor_place].cluster, a.neighbor);
                    EXPECT_EQ(a.mutual, round[a.neighbor_place].neighbor == a.cluster);
                    const double chosen = area(merge(a.box, a.neighbor_box));
                    for (const NeighborFound& b : round)
                        if (b.place != a.place &&
                            std::max(a.place, b.place) - std::min(a.place, b.place) <= 14) {
                            EXPECT_LE(chosen, area(merge(a.box, b.box)) * (1 + 1e-6));
                        }
                }
            }
            merging = true;
            const auto first = std::find_if(round.begin(), round.end(),
                                            [&](const NeighborFound& n) { return n.cluster == e.first; });
            ASSERT_NE(first, round.end());
            EXPECT_TRUE(first->mutual);
            EXPECT_EQ(first->neighbor, e.second);
            EXPECT_EQ(e.box, merge(first->box, first->neighbor_box));
            EXPECT_EQ(e.left, --left);
            merged.insert(key(e.box));
        }
        EXPECT_EQ(left, 1u);
        const TreeSnapshot built = fast.snapshot();
        for (std::uint32_t n = 0; n < built.size(); ++n)
            if (!built.is_leaf(n)) inner.insert(key(built.boxes[n]));
        EXPECT_EQ(merged, inner);
    }
}

}  // namespace
}  // namespace bv
