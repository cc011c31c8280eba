// Trees with spatial splits: cheaper where long triangles overlap, within their budget, and with the results
// of any other tree although triangles are in several leaves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "bv/progress.hpp"
#include "bv/query/collide.hpp"
#include "bv/query/overlap.hpp"
#include "bv/query/overlap_triangle.hpp"
#include "bv/tree/mesh_bvh.hpp"
#include "bv/tree/mesh_bvh_wide.hpp"
#include "reference/overlap_reference.hpp"
#include "workloads/meshes.hpp"
#include "workloads/random.hpp"
#include "workloads/rays.hpp"

namespace bv {
namespace {

using workloads::MeshData;
using workloads::Random;

/// Long thin triangles in all directions: the boxes of whole ones overlap nearly everywhere.
MeshData needles(std::uint32_t count, std::uint64_t seed) {
    Random random(seed);
    MeshData mesh;
    mesh.name = "needles";
    for (std::uint32_t i = 0; i < count; ++i) {
        const glm::vec3 middle = random.in_box(glm::vec3(-1.0f), glm::vec3(1.0f));
        const glm::vec3 along = 0.6f * random.direction();
        const glm::vec3 across = 0.01f * random.direction();
        mesh.positions.insert(mesh.positions.end(), {middle - along, middle + along, middle + across});
        mesh.triangles.emplace_back(3 * i, 3 * i + 1, 3 * i + 2);
    }
    return mesh;
}

/// A cylinder of triangles as long as itself, sheared so that their boxes are nearly equal.
MeshData leaning_column() {
    MeshData mesh = workloads::cylinder(0.1f, 1.0f, 500);
    for (glm::vec3& p : mesh.positions)
        p = glm::vec3(p.x + p.y, p.y, p.z + p.y);
    return mesh;
}

MeshBvh make_tree(const MeshData& mesh, float spatial_splits) {
    MeshBvhOptions options;
    options.spatial_splits = spatial_splits;
    MeshBvh tree;
    EXPECT_EQ(tree.build(mesh.view(), options), MeshBuildStatus::Ok);
    EXPECT_TRUE(tree.validate());
    return tree;
}

double sah(const MeshBvh& tree) {
    double sum = 0.0;
    for (const MeshBvhNode& node : tree.nodes())
        sum += static_cast<double>(node.box().surface_area()) * (node.is_leaf() ? node.count : 1.0);
    return sum / static_cast<double>(tree.bounds().surface_area());
}

Aabb bounds_of(const MeshData& mesh) {
    Aabb box;
    for (const glm::vec3& p : mesh.positions)
        box = merge(box, p);
    return box;
}

TEST(SpatialSplits, MakeCheaperTreesOfLongTriangles) {
    for (const MeshData& mesh : {leaning_column(), workloads::helix(4.0f, 0.02f, 8, 40)}) {
        const MeshBvh unsplit = make_tree(mesh, 0.0f);
        EXPECT_FALSE(unsplit.has_repeated_references());
        for (const float budget : {0.1f, 1.0f, 2.0f}) {
            const MeshBvh cut = make_tree(mesh, budget);
            EXPECT_LE(static_cast<double>(cut.references().size()),
                      static_cast<double>(mesh.triangles.size()) * (1.0 + static_cast<double>(budget)));
            EXPECT_LE(sah(cut), 1.001 * sah(unsplit)) << mesh.name << " " << budget;
        }
        const MeshBvh cut = make_tree(mesh, 2.0f);
        EXPECT_TRUE(cut.has_repeated_references());
        EXPECT_LT(sah(cut), 0.7 * sah(unsplit)) << mesh.name;
        // The lower cost shows in rays: fewer nodes and fewer triangles.
        QueryStats with, without;
        for (const Ray& ray : workloads::rays_from_outside(400, bounds_of(mesh), 2)) {
            with += cut.raycast(ray).stats;
            without += unsplit.raycast(ray).stats;
        }
        EXPECT_LT(with.nodes_visited + with.leaves_tested,
                  0.8 * (without.nodes_visited + without.leaves_tested))
            << mesh.name;
    }
    // A smooth mesh of even triangles gets hardly any spatial splits.
    const MeshBvh even = make_tree(workloads::icosphere(4), 1.0f);
    EXPECT_LT(even.references().size(), 5120u * 5 / 4);
}

TEST(SpatialSplits, TheTraceTellsWhatWasWeighedAndCut) {
    std::size_t cut_in_two = 0, kept_whole = 0;
    for (const MeshData& mesh : {needles(60, 3), needles(2000, 7), leaning_column()}) {
        MeshBvhOptions options;
        options.spatial_splits = 1.0f;
        const MeshBvh tree = make_tree(mesh, 1.0f);
        MeshBvh traced;
        Recording trace(1u << 20);
        ASSERT_EQ(traced.build(mesh.view(), options, trace), MeshBuildStatus::Ok);
        ASSERT_FALSE(trace.overflowed());
        ASSERT_EQ(traced.nodes().size(), tree.nodes().size());
        for (std::size_t n = 0; n < tree.nodes().size(); ++n)
            EXPECT_EQ(traced.nodes()[n].box(), tree.nodes()[n].box());
        std::vector<const SplitEvaluated*> chosen(tree.nodes().size());
        std::vector<float> least(tree.nodes().size(), std::numeric_limits<float>::infinity());
        std::vector<std::uint32_t> both(tree.nodes().size());
        std::map<std::pair<std::uint32_t, int>, std::vector<float>> planes_of;
        for (const TraceEvent& event : trace.events()) {
            if (const auto* split = std::get_if<SplitEvaluated>(&event)) {
                EXPECT_EQ(chosen[split->node.value], nullptr) << "more planes after the choice";
                least[split->node.value] = std::min(least[split->node.value], split->cost);
                if (split->chosen) chosen[split->node.value] = split;
                if (split->normal == glm::vec3(0.0f)) {
                    EXPECT_EQ(split->cut, 0u);
                    EXPECT_GE(split->bins, 4u);
                } else if (!split->chosen) {
                    auto& planes = planes_of[{split->node.value, split->axis}];
                    EXPECT_TRUE(planes.empty() || planes.back() < split->offset);
                    planes.push_back(split->offset);
                    EXPECT_LT(planes.size(), split->bins);
                    // At equal distances across the box of the node.
                    const Aabb box = tree.nodes()[split->node.value].box();
                    const float part =
                        (split->offset - box.min[split->axis]) / box.size()[split->axis] * split->bins;
                    EXPECT_NEAR(part, std::round(part), 1e-3f);
                }
                continue;
            }
            const auto& e = std::get<ReferenceSplit>(event);
            const SplitEvaluated* plane = chosen[e.node.value];
            ASSERT_NE(plane, nullptr);
            const int axis = plane->axis;
            const Triangle t = mesh.view().triangle(e.triangle);
            const Aabb whole = merge(merge(Aabb{t.a, t.a}, t.b), t.c);
            EXPECT_LT(whole.min[axis], plane->offset);
            EXPECT_GT(whole.max[axis], plane->offset);
            EXPECT_EQ(e.low.max[axis], plane->offset);
            EXPECT_EQ(e.high.min[axis], plane->offset);
            EXPECT_EQ(merge(whole, merge(e.low, e.high)), whole) << "parts reach beyond the triangle";
            const float best = std::min({e.cost_low, e.cost_high, e.cost_both});
            EXPECT_EQ(best, e.choice == ReferenceSplit::Choice::Both  ? e.cost_both
                            : e.choice == ReferenceSplit::Choice::Low ? e.cost_low
                                                                      : e.cost_high);
            both[e.node.value] += e.choice == ReferenceSplit::Choice::Both ? 1u : 0u;
            (e.choice == ReferenceSplit::Choice::Both ? cut_in_two : kept_whole) += 1;
        }
        std::size_t added = 0;
        for (std::size_t n = 0; n < chosen.size(); ++n) {
            if (!chosen[n]) continue;
            EXPECT_FALSE(tree.nodes()[n].is_leaf());
            // A cheaper plane can be too dear for the budget of references.
            if (chosen[n]->normal != glm::vec3(0.0f)) {
                EXPECT_EQ(chosen[n]->cost, least[n]) << "another was cheaper";
            }
            added += both[n];
        }
        EXPECT_EQ(added > 0, tree.has_repeated_references());
        // Parts of one triangle in one leaf are merged, so some are gone.
        EXPECT_GE(mesh.triangles.size() + added, tree.references().size());
    }
    EXPECT_GT(cut_in_two, 20u);
    EXPECT_GT(kept_whole, 2u);
}

TEST(SpatialSplits, ResultsMatchAnUnsplitTree) {
    for (const MeshData& mesh : {needles(1500, 3), leaning_column(), workloads::helix(4.0f, 0.02f, 8, 40),
                                 workloads::gear(40), workloads::box(glm::vec3(1, 20, 0.1f))}) {
        const MeshBvh unsplit = make_tree(mesh, 0.0f);
        const MeshBvh cut = make_tree(mesh, 2.0f);
        MeshBvh8 wide;
        ASSERT_EQ(wide.build(cut), MeshBvh8::Status::Ok);
        EXPECT_TRUE(wide.validate());
        const Aabb box = bounds_of(mesh);
        std::vector<Ray> rays = workloads::rays_from_outside(600, box, 4);
        const auto more = workloads::rays_from_inside(300, box, 5);
        rays.insert(rays.end(), more.begin(), more.end());
        std::vector<MeshHit> all, all_unsplit;
        for (const Ray& ray : rays)
            for (const RayMode mode : {RayMode::Fast, RayMode::Watertight}) {
                ASSERT_EQ(cut.raycast(ray, mode).hit, unsplit.raycast(ray, mode).hit);
                ASSERT_EQ(wide.raycast(ray, mode).hit, unsplit.raycast(ray, mode).hit);
                cut.raycast_all(ray, all, mode);
                unsplit.raycast_all(ray, all_unsplit, mode);
                ASSERT_EQ(all, all_unsplit);
            }
        Random random(6);
        for (int i = 0; i < 40; ++i) {
            const glm::vec3 p = random.in_box(box.min, box.max);
            EXPECT_EQ(cut.closest_point(p).nearest->triangle, unsplit.closest_point(p).nearest->triangle);
            std::vector<MeshNearest> a, b;
            const std::size_t count = i % 2 == 0 ? 20 : 60;
            cut.nearest_triangles(p, count, a);
            unsplit.nearest_triangles(p, count, b);
            ASSERT_EQ(a.size(), b.size());
            for (std::size_t k = 0; k < a.size(); ++k)
                ASSERT_EQ(a[k].triangle, b[k].triangle);
            const Aabb volume{p - glm::vec3(0.2f), p + glm::vec3(0.2f)};
            std::multiset<std::uint32_t> found;
            cut.overlap_triangles(volume, [&](std::uint32_t id) {
                found.insert(id);
                return true;
            });
            for (std::uint32_t k = 0; k < mesh.triangles.size(); ++k) {
                const auto expected = reference::relation(volume, mesh.view().triangle(k), 1e-9L);
                if (expected == reference::Relation::Touching)
                    ASSERT_LE(found.count(k), 1u);
                else
                    ASSERT_EQ(found.count(k), expected == reference::Relation::Overlapping ? 1u : 0u);
            }
        }
    }
}

// Each of the many hits may be a part of a triangle that was found before: a search of all known ones for
// each would take minutes.
TEST(SpatialSplits, AllTrianglesByDistanceAreEachNamedOnce) {
    const MeshData mesh = needles(150'000, 7);
    const MeshBvh cut = make_tree(mesh, 0.5f);
    ASSERT_TRUE(cut.has_repeated_references());
    MeshBvh8 wide;
    ASSERT_EQ(wide.build(cut), MeshBvh8::Status::Ok);
    const glm::vec3 p(0.1f, 0.2f, 0.3f);
    std::vector<MeshNearest> nearest, by_wide;
    cut.nearest_triangles(p, mesh.triangles.size(), nearest);
    wide.nearest_triangles(p, mesh.triangles.size(), by_wide);
    ASSERT_EQ(nearest.size(), mesh.triangles.size());
    ASSERT_EQ(by_wide.size(), nearest.size());
    std::vector<bool> named(mesh.triangles.size());
    for (std::size_t k = 0; k < nearest.size(); ++k) {
        ASSERT_FALSE(named[nearest[k].triangle]);
        named[nearest[k].triangle] = true;
        ASSERT_TRUE(k == 0 || nearest[k - 1].distance <= nearest[k].distance);
        ASSERT_EQ(by_wide[k].triangle, nearest[k].triangle);
    }
}

TEST(SpatialSplits, ContactsNameEachPairOnce) {
    const MeshData one = leaning_column(), two = workloads::helix(4.0f, 0.02f, 8, 40);
    MeshBvh8 a, b, whole_a, whole_b;
    a.build(make_tree(one, 2.0f));
    b.build(make_tree(two, 2.0f));
    whole_a.build(make_tree(one, 0.0f));
    whole_b.build(make_tree(two, 0.0f));
    Random random(9);
    std::size_t total = 0;
    for (int i = 0; i < 3; ++i) {
        const glm::mat3 r = random.rotation();
        const Pose pose{r[0], r[1], r[2], 0.3f * random.in_ball()};
        std::vector<TrianglePair> pairs, truth;
        const CollideStats stats = collide_pairs(a, Pose(1.0f), b, pose, pairs);
        collide_pairs(whole_a, Pose(1.0f), whole_b, pose, truth);
        ASSERT_EQ(pairs, truth);
        EXPECT_EQ(stats.hits, pairs.size());
        std::vector<ContactSegment> segments;
        collide_segments(a, Pose(1.0f), b, pose, segments);
        EXPECT_EQ(segments.size(), truth.size());
        total += truth.size();
    }
    EXPECT_GT(total, 100u);
}

TEST(SpatialSplits, RefitAndBadInput) {
    MeshData mesh = leaning_column();
    MeshBvhOptions options;
    options.spatial_splits = 1.0f;
    MeshBvh tree;
    ASSERT_EQ(tree.build(mesh.view(), options), MeshBuildStatus::Ok);
    EXPECT_TRUE(tree.has_repeated_references());
    for (glm::vec3& p : mesh.positions)
        p = glm::vec3(p.y * 2.0f, p.z + p.x * p.x, p.x);
    ASSERT_EQ(tree.refit(mesh.positions), MeshBuildStatus::Ok);
    EXPECT_TRUE(tree.validate());
    const MeshBvh fresh = make_tree(mesh, 0.0f);
    for (const Ray& ray : workloads::rays_from_outside(2000, bounds_of(mesh), 12))
        ASSERT_EQ(tree.raycast(ray).hit, fresh.raycast(ray).hit);

    // Flat, equal and huge triangles, and nonsensical budgets.
    const std::vector<glm::vec3> points{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {2, 0, 0}, {3e38f, -3e38f, 3e38f}};
    std::vector<glm::uvec3> triangles(500, glm::uvec3(0, 1, 3));
    triangles.resize(1000, glm::uvec3(0, 1, 2));
    triangles.resize(1010, glm::uvec3(0, 2, 4));
    for (const float budget : {1e-9f, 1.0f, 1e9f, std::numeric_limits<float>::infinity(),
                               std::numeric_limits<float>::quiet_NaN(), -1.0f}) {
        options.spatial_splits = budget;
        ASSERT_EQ(tree.build({points, triangles}, options), MeshBuildStatus::Ok);
        EXPECT_TRUE(tree.validate()) << budget;
    }
    BuildProgress progress;
    options.spatial_splits = 0.5f;
    options.progress = &progress;
    ASSERT_EQ(tree.build(mesh.view(), options), MeshBuildStatus::Ok);
    EXPECT_EQ(progress.done(), 1.0f);
    progress.cancel();
    EXPECT_EQ(tree.build(mesh.view(), options), MeshBuildStatus::Cancelled);
    EXPECT_TRUE(tree.empty());
}

}  // namespace
}  // namespace bv
