// What searches for pairs, cuts and tests against planes record: folded here and compared with the answers
// and with every pair of boxes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "bv/broadphase/broadphase.hpp"
#include "bv/query/classify.hpp"
#include "bv/query/slice.hpp"
#include "bv/query/voxels.hpp"
#include "bv/tree/bsp_tree.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "random.hpp"
#include "workloads/meshes.hpp"

namespace bv {
namespace {

using test::Random;
using Pair = std::pair<std::uint32_t, std::uint32_t>;

Pair sorted(std::uint32_t a, std::uint32_t b) {
    return {std::min(a, b), std::max(a, b)};
}

Aabb some_box(Random& random) {
    const glm::vec3 center = random.vec(-4.0f, 4.0f), half = random.vec(0.1f, 1.2f);
    return {center - half, center + half};
}

bool meet(const Aabb& a, const Aabb& b) {
    for (int k = 0; k < 3; ++k)
        if (a.max[k] < b.min[k] || b.max[k] < a.min[k]) return false;
    return true;
}

constexpr BroadphaseKind kTraced[] = {BroadphaseKind::BruteForce, BroadphaseKind::SweepAndPrune,
                                      BroadphaseKind::IncrementalSweep, BroadphaseKind::UniformGrid,
                                      BroadphaseKind::SpatialHash};

/// What the events of one search add up to.
struct Reported {
    std::set<Pair> pairs;
    std::uint64_t tests = 0;
    /// The place of each numbered cell, and the boxes in it.
    struct FilledCell {
        Aabb place;
        std::uint32_t bucket = CellFilled::kNoBucket;
        std::set<std::uint32_t> boxes;
    };
    std::map<std::uint32_t, FilledCell> cells;
};

void collect(const Recording& trace, const std::vector<Aabb>& boxes, Reported& reported) {
    ASSERT_FALSE(trace.overflowed());
    for (const TraceEvent& any : trace.events()) {
        if (const auto* test = std::get_if<BoxesTested>(&any)) {
            ++reported.tests;
            const bool overlap = meet(boxes[test->a], boxes[test->b]);
            EXPECT_EQ(test->verdict != BoxesTested::Verdict::Apart, overlap);
            if (test->verdict == BoxesTested::Verdict::Duplicate) {
                EXPECT_NE(test->cell, BoxesTested::kNoCell);
            }
            if (test->verdict == BoxesTested::Verdict::Pair) reported.pairs.insert(sorted(test->a, test->b));
            if (test->cell != BoxesTested::kNoCell) {
                ASSERT_TRUE(reported.cells.contains(test->cell));
                EXPECT_TRUE(reported.cells[test->cell].boxes.contains(test->a));
                EXPECT_TRUE(reported.cells[test->cell].boxes.contains(test->b));
            }
        } else if (const auto* cell = std::get_if<CellFilled>(&any)) {
            EXPECT_TRUE(meet(cell->cell, boxes[cell->box]));
            auto& filled = reported.cells.try_emplace(cell->number).first->second;
            if (filled.boxes.empty()) {
                filled.place = cell->cell;
                filled.bucket = cell->bucket;
            }
            EXPECT_EQ(cell->cell, filled.place) << "two cells have one number";
            EXPECT_EQ(cell->bucket, filled.bucket);
            EXPECT_TRUE(filled.boxes.insert(cell->box).second) << "entered twice";
            EXPECT_EQ(cell->boxes, filled.boxes.size());
        } else if (const auto* reached = std::get_if<SweepReached>(&any)) {
            const int axis = reached->axis;
            EXPECT_EQ(reached->low, boxes[reached->box].min[axis]);
            EXPECT_EQ(reached->high, boxes[reached->box].max[axis]);
        } else {
            const auto& swap = std::get<EndsExchanged>(any);
            const auto end = [&](std::uint32_t box, bool upper) {
                return (upper ? boxes[box].max : boxes[box].min)[swap.axis];
            };
            EXPECT_EQ(swap.moving_at, end(swap.moving, swap.moving_upper));
            EXPECT_EQ(swap.passed_at, end(swap.passed, swap.passed_upper));
            EXPECT_LE(swap.moving_at, swap.passed_at);
            // An end that passes the start of the other box ends their pair.
            if (swap.moving_upper && !swap.passed_upper)
                reported.pairs.erase(sorted(swap.moving, swap.passed));
        }
    }
}

TEST(TraceOfPairs, SearchesAddUpToTheirAnswers) {
    Random random(301);
    for (const BroadphaseKind kind : kTraced)
        for (const std::size_t count : {1u, 2u, 20u, 90u}) {
            SCOPED_TRACE(std::string(kBroadphaseKinds[static_cast<std::size_t>(kind)].id));
            const auto traced = make_broadphase(kind), fast = make_broadphase(kind);
            std::vector<Aabb> boxes;
            std::vector<ProxyId> ids;
            for (std::size_t i = 0; i < count; ++i) {
                boxes.push_back(some_box(random));
                ids.push_back(traced->insert(boxes[i], i).id);
                (void)fast->insert(boxes[i], i);
            }
            Reported reported;
            for (int step = 0; step < 6; ++step) {
                Recording trace(1u << 20);
                std::vector<ProxyPair> pairs, same;
                const BroadphaseStats stats = traced->find_pairs(pairs, {}, trace);
                const BroadphaseStats plain = fast->find_pairs(same);
                EXPECT_EQ(pairs, same);
                EXPECT_EQ(stats.tests, plain.tests);
                reported.tests = 0;
                reported.cells.clear();
                // Only the incremental sweep keeps pairs from step to step.
                if (kind != BroadphaseKind::IncrementalSweep) reported.pairs.clear();
                collect(trace, boxes, reported);
                EXPECT_EQ(reported.tests, stats.tests);
                std::set<Pair> found, every;
                for (const auto& [a, b] : pairs)
                    found.insert(sorted(a.index, b.index));
                for (std::uint32_t a = 0; a < boxes.size(); ++a)
                    for (std::uint32_t b = a + 1; b < boxes.size(); ++b)
                        if (meet(boxes[a], boxes[b])) every.insert({a, b});
                EXPECT_EQ(found, every);
                EXPECT_EQ(reported.pairs, every);
                for (std::size_t i = 0; i < count; ++i) {
                    const glm::vec3 by = random.vec(-0.5f, 0.5f);
                    boxes[i] = {boxes[i].min + by, boxes[i].max + by};
                    traced->move(ids[i], boxes[i]);
                    fast->move(ids[i], boxes[i]);
                }
            }
        }
}

TEST(TraceOfPairs, ALoneBoxIsAloneInItsCellsThoughTheyShareBuckets) {
    // A long box reaches into many cells, which a small hash keeps in fewer buckets.
    const auto engine = make_broadphase(BroadphaseKind::SpatialHash);
    (void)engine->insert({glm::vec3(-6.0f, 0.1f, 0.1f), glm::vec3(6.0f, 0.2f, 0.2f)}, 0);
    std::vector<ProxyPair> pairs;
    Recording trace;
    (void)engine->find_pairs(pairs, {}, trace);
    std::set<std::uint32_t> cells, buckets;
    for (const TraceEvent& any : trace.events()) {
        const auto& cell = std::get<CellFilled>(any);
        EXPECT_EQ(cell.boxes, 1u);
        EXPECT_EQ(cell.number, cells.size());
        EXPECT_TRUE(cells.insert(cell.number).second);
        EXPECT_NE(cell.bucket, CellFilled::kNoBucket);
        buckets.insert(cell.bucket);
    }
    EXPECT_GE(cells.size(), 2u);
    EXPECT_LE(buckets.size(), cells.size());
}

/// The boxes of a tree's nodes, as its events tell them.
struct ReportedTree {
    std::map<std::uint32_t, Aabb> boxes;

    void collect(const Recording& trace) {
        for (const TraceEvent& any : trace.events()) {
            if (const auto* placed = std::get_if<LeafPlaced>(&any)) {
                boxes[placed->leaf.value] = placed->box;
                if (placed->parent.valid()) boxes[placed->parent.value] = Aabb{};
            } else if (const auto* gone = std::get_if<LeafDetached>(&any)) {
                boxes.erase(gone->leaf.value);
                if (!gone->parent.valid()) continue;
                EXPECT_EQ(boxes[gone->parent.value], gone->parent_box);
                boxes.erase(gone->parent.value);
            } else if (const auto* fitted = std::get_if<NodeRefitted>(&any)) {
                EXPECT_EQ(boxes[fitted->node.value], fitted->before);
                boxes[fitted->node.value] = fitted->after;
            } else if (const auto* rotated = std::get_if<Rotated>(&any)) {
                EXPECT_TRUE(boxes.contains(rotated->first.value));
                EXPECT_TRUE(boxes.contains(rotated->second.value));
                EXPECT_NE(rotated->first, rotated->second);
            }
        }
    }
};

TEST(TraceOfPairs, ChangesOfATreeAddUpToItsBoxes) {
    for (const Balancing balancing : {Balancing::None, Balancing::Height, Balancing::Sah})
        for (const Upkeep upkeep : {Upkeep::None, Upkeep::RefitOnly}) {
            Random random(302);
            DynamicTree tree(TreeOptions{.balancing = balancing, .margin = Margin::None, .upkeep = upkeep});
            DynamicTree fast = tree;
            ReportedTree reported;
            std::vector<ProxyId> ids;
            for (int step = 0; step < 300; ++step) {
                Recording trace;
                const std::size_t at = ids.empty() ? 0 : random.below(ids.size());
                const Aabb box = some_box(random);
                if (ids.empty() || random.chance(0.4)) {
                    ids.push_back(tree.insert(box, ids.size(), trace).id);
                    (void)fast.insert(box, ids.size() - 1);
                } else if (random.chance(0.4)) {
                    EXPECT_EQ(tree.remove(ids[at], trace), TreeStatus::Ok);
                    (void)fast.remove(ids[at]);
                    ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(at));
                } else {
                    EXPECT_EQ(tree.move(ids[at], box, {}, trace).status, TreeStatus::Ok);
                    (void)fast.move(ids[at], box, {});
                }
                reported.collect(trace);
                if (HasFailure()) return;
                const TreeSnapshot now = tree.snapshot();
                EXPECT_EQ(now, fast.snapshot());
                ASSERT_EQ(reported.boxes.size(), now.size()) << step;
                for (std::size_t i = 0; i < now.size(); ++i)
                    EXPECT_EQ(reported.boxes.at(now.source_nodes[i]), now.boxes[i]) << step;
            }
        }
}

TEST(TraceOfPairs, PlanesOfAFrustum) {
    Random random(303);
    const Frustum frustum{{Plane{{1, 0, 0}, -2}, Plane{{-1, 0, 0}, -2}, Plane{{0, 1, 0}, -1},
                           Plane{{0, -1, 0}, -3}, Plane{{0, 0, 1}, -2}, Plane{{0, 0, -1}, -2}}};
    for (int i = 0; i < 300; ++i) {
        const Aabb box = some_box(random);
        FrustumHint hint{static_cast<std::uint8_t>(random.below(6)), 0x3f}, same = hint;
        Recording trace;
        std::uint32_t tested = 0;
        const Side side = classify(box, frustum, hint, trace);
        EXPECT_EQ(side, classify(box, frustum, same, &tested));
        EXPECT_EQ(hint.first, same.first);
        ASSERT_EQ(trace.events().size(), tested);
        bool out = false, across = false;
        for (const TraceEvent& any : trace.events()) {
            const auto& e = std::get<PlaneTested>(any);
            EXPECT_FALSE(out) << "went on after a plane had rejected the box";
            const Plane& plane = frustum.planes[e.plane];
            double low = 1e30, high = -1e30;
            for (int c = 0; c < 8; ++c) {
                const glm::dvec3 corner((c & 1) != 0 ? box.max.x : box.min.x,
                                        (c & 2) != 0 ? box.max.y : box.min.y,
                                        (c & 4) != 0 ? box.max.z : box.min.z);
                const double d = glm::dot(glm::dvec3(plane.normal), corner) - double(plane.offset);
                low = std::min(low, d);
                high = std::max(high, d);
            }
            EXPECT_NEAR(double(e.distance), 0.5 * (low + high), 1e-5);
            EXPECT_NEAR(double(e.radius), 0.5 * (high - low), 1e-5);
            out = e.verdict == PlaneTested::Verdict::Back;
            across = across || e.verdict == PlaneTested::Verdict::Across;
        }
        EXPECT_EQ(side, out ? Side::Back : across ? Side::Intersecting : Side::Front);
    }
}

TEST(TraceOfPairs, TheWayOfAPointThroughABsp) {
    Random random(304);
    const workloads::MeshData mesh = workloads::gear(8);
    BspTree tree;
    ASSERT_EQ(tree.build(mesh.view()), MeshBuildStatus::Ok);
    for (int i = 0; i < 300; ++i) {
        const glm::vec3 p = random.vec(-0.6f, 0.6f);
        Recording trace;
        EXPECT_EQ(tree.classify(p, trace), tree.classify(p));
        std::uint32_t expected = tree.root();
        for (const TraceEvent& any : trace.events()) {
            const auto& e = std::get<PlaneTested>(any);
            ASSERT_EQ(e.plane, expected);
            const BspNode& node = tree.nodes()[e.plane];
            EXPECT_NEAR(double(e.distance), glm::dot(node.normal, glm::dvec3(p)) - node.offset, 1e-6);
            if (e.verdict == PlaneTested::Verdict::Across) break;  // both sides are asked
            EXPECT_EQ(e.verdict == PlaneTested::Verdict::Front, e.distance > 0);
            expected = e.distance > 0 ? node.front : node.back;
        }
    }
}

TEST(TraceOfPairs, CutsOfTriangles) {
    Random random(305);
    for (const workloads::MeshData& mesh :
         {workloads::box(), workloads::gear(8), workloads::torus(0.35f, 0.15f, 12, 8)})
        for (int i = 0; i < 40; ++i) {
            const Plane plane{glm::normalize(random.vec(-1.0f, 1.0f)), random.range(-0.4f, 0.4f)};
            Recording trace;
            const MeshSlice cut = slice(mesh.view(), plane, trace);
            const MeshSlice fast = slice(mesh.view(), plane);
            EXPECT_EQ(cut.front.positions, fast.front.positions);
            EXPECT_EQ(cut.contours, fast.contours);
            std::size_t reported = 0, loops = 0;
            double area = 0;
            for (const TraceEvent& any : trace.events()) {
                if (const auto* loop = std::get_if<LoopClosed>(&any)) {
                    ASSERT_LT(loops, cut.contours.size());
                    EXPECT_EQ(loop->corners, cut.contours[loops++].size());
                    area += double(loop->area);
                    continue;
                }
                const auto& e = std::get<TriangleCut>(any);
                ++reported;
                const Triangle t = mesh.view().triangle(e.triangle);
                int above = 0, below = 0;
                for (const glm::vec3& p : {t.a, t.b, t.c}) {
                    const double d = glm::dot(glm::dvec3(plane.normal), glm::dvec3(p)) - double(plane.offset);
                    above += d > 1e-6 ? 1 : 0;
                    below += d < -1e-6 ? 1 : 0;
                }
                EXPECT_EQ(e.verdict == TriangleCut::Verdict::Cut, above > 0 && below > 0);
                if (e.verdict != TriangleCut::Verdict::Cut) continue;
                for (const glm::vec3& p : {e.from, e.to})
                    EXPECT_NEAR(glm::dot(glm::dvec3(plane.normal), glm::dvec3(p)), double(plane.offset),
                                1e-5);
            }
            EXPECT_EQ(reported, mesh.triangles.size());
            EXPECT_EQ(loops, cut.contours.size());
            // The caps of both halves have the area of the cross-section.
            double cap = 0;
            for (std::size_t k = cut.front.cap_begin; k < cut.front.triangles.size(); ++k) {
                const Triangle t = cut.front.view().triangle(k);
                cap += 0.5 * double(glm::length(glm::cross(t.b - t.a, t.c - t.a)));
            }
            EXPECT_NEAR(area, cap, 1e-4);
        }
}

TEST(TraceOfPairs, CubesOfTwoGrids) {
    Random random(306);
    const workloads::MeshData mesh = workloads::torus(0.35f, 0.15f, 24, 12);
    const auto grid = voxelize_surface(mesh.view(), 0.07f);
    ASSERT_TRUE(grid.has_value());
    for (int i = 0; i < 20; ++i) {
        const RigidTransform at{glm::mat3(1.0f), random.vec(-0.5f, 0.5f)};
        Recording trace(1u << 20);
        VoxelOverlapStats stats;
        const auto pairs = overlapping_voxels(*grid, {}, *grid, at, ~std::size_t{0}, trace);
        EXPECT_EQ(pairs, overlapping_voxels(*grid, {}, *grid, at, ~std::size_t{0}, &stats));
        ASSERT_FALSE(trace.overflowed());
        std::vector<VoxelPair> reported;
        std::uint64_t bricks = 0, voxels = 0;
        for (const TraceEvent& any : trace.events()) {
            const auto& e = std::get<CubesTested>(any);
            ++(e.bricks ? bricks : voxels);
            if (!e.bricks && e.overlap) reported.push_back({e.a, e.b});
        }
        EXPECT_EQ(reported, pairs);
        EXPECT_EQ(bricks, stats.brick_tests);
        EXPECT_EQ(voxels, stats.voxel_tests);
    }
}

}  // namespace
}  // namespace bv
