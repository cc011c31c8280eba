// Trees of oriented boxes, boxes and balls: the same contact pairs as the fast engine for every kind, option
// and pose; traces; distances between meshes; bad input.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "bv/fit/obb.hpp"
#include "bv/query/closest.hpp"
#include "bv/query/overlap_triangle.hpp"
#include "bv/tree/obb_tree.hpp"
#include "reference/overlap_reference.hpp"
#include "workloads/meshes.hpp"
#include "workloads/random.hpp"

namespace bv {
namespace {

using workloads::MeshData;
using workloads::Random;

std::size_t scaled(std::size_t count) {
    const char* scale = std::getenv("BV_TEST_SCALE");
    return static_cast<std::size_t>(static_cast<double>(count) * (scale != nullptr ? std::atof(scale) : 1.0));
}

Pose random_pose(Random& random, float range) {
    const glm::mat3 r = random.rotation();
    return {r[0], r[1], r[2], range * random.in_ball()};
}

Pose resized(Pose pose, float scale) {
    for (int axis = 0; axis < 3; ++axis)
        pose[axis] *= scale;
    return pose;
}

/// The unit square at z = 0, of n * n * 2 triangles.
MeshData square_grid(std::uint32_t n) {
    MeshData mesh;
    for (std::uint32_t i = 0; i <= n; ++i)
        for (std::uint32_t j = 0; j <= n; ++j)
            mesh.positions.push_back(glm::vec3(i, j, 0) / static_cast<float>(n));
    for (std::uint32_t i = 0; i < n; ++i)
        for (std::uint32_t j = 0; j < n; ++j) {
            const std::uint32_t a = i * (n + 1) + j, b = a + n + 1;
            mesh.triangles.push_back({a, a + 1, b});
            mesh.triangles.push_back({a + 1, b + 1, b});
        }
    return mesh;
}

struct Fast {
    MeshBvh tree;
    MeshBvh8 wide;
    explicit Fast(const MeshData& mesh) {
        tree.build(mesh.view());
        wide.build(tree);
    }
};

template <class Volume>
void check_kind(const VolumeTreeOptions<Volume>& options) {
    const MeshData mesh_a = workloads::icosphere(3), mesh_b = workloads::torus_knot(2, 3, 0.09f, 64, 8);
    const Fast fast_a(mesh_a), fast_b(mesh_b);
    VolumeTree<Volume> a, b;
    ASSERT_EQ(a.build(mesh_a.view(), options), MeshBuildStatus::Ok);
    ASSERT_EQ(b.build(mesh_b.view(), options), MeshBuildStatus::Ok);
    EXPECT_TRUE(a.validate() && b.validate());
    Random random(3);
    std::size_t touching = 0;
    for (std::size_t i = 0; i < scaled(60); ++i) {
        Pose pose_a = random_pose(random, 2.0f), pose_b = random_pose(random, 0.9f);
        pose_b[3] += pose_a[3];
        if (i % 2 == 1) {  // bodies of other sizes
            pose_a = resized(pose_a, random.uniform(0.2f, 3.0f));
            pose_b = resized(pose_b, random.uniform(0.2f, 3.0f));
        }
        std::vector<TrianglePair> truth, pairs, first, traced;
        collide_pairs(fast_a.wide, pose_a, fast_b.wide, pose_b, truth);
        const CollideStats stats = collide_pairs(a, pose_a, b, pose_b, CollideExtent::All, pairs);
        ASSERT_EQ(pairs, truth);
        collide_pairs(a, pose_a, b, pose_b, CollideExtent::First, first);
        ASSERT_EQ(first.empty(), truth.empty());
        Recording trace(1u << 20);
        const CollideStats traced_stats =
            collide_pairs(a, pose_a, b, pose_b, CollideExtent::All, traced, trace);
        ASSERT_EQ(traced, pairs);
        EXPECT_EQ(traced_stats.box_pairs, stats.box_pairs);
        EXPECT_EQ(trace.events().size(), stats.box_pairs);
        for (const TraceEvent& event : trace.events()) {
            const auto& tested = std::get<VolumesTested>(event);
            ASSERT_TRUE(tested.a.value < a.nodes().size() && tested.b.value < b.nodes().size());
        }
        touching += truth.empty() ? 0 : 1;
    }
    EXPECT_GT(touching, scaled(60) / 4);
}

TEST(VolumeTrees, AllKindsGiveTheSamePairs) {
    check_kind<Obb>({});
    check_kind<Aabb>({});
    check_kind<Sphere>({});
}

TEST(VolumeTrees, EveryLeafSizeDepthAndFitGivesTheSamePairs) {
    VolumeTreeOptions<Obb> options;
    options.max_leaf_triangles = 6;
    check_kind<Obb>(options);
    options.max_depth = 5;
    check_kind<Obb>(options);
    options = {};
    options.fit = [](std::span<const glm::vec3> points) { return fit::obb_dito14(points); };
    check_kind<Obb>(options);
}

TEST(VolumeTrees, AreEmptyAfterAFitThatThrows) {
    VolumeTreeOptions<Obb> options;
    int fits = 0;
    options.fit = [&fits](std::span<const glm::vec3> points) {
        if (++fits == 3) throw std::runtime_error("no fit");
        return fit::obb_dito14(points);
    };
    const std::vector<glm::vec3> positions{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {9, 0, 0}, {10, 0, 0}, {9, 1, 0}};
    const std::vector<glm::uvec3> triangles{{0, 1, 2}, {3, 4, 5}};
    ObbTree tree;
    EXPECT_THROW((void)tree.build({positions, triangles}, options), std::runtime_error);
    EXPECT_TRUE(tree.empty());
    EXPECT_EQ(tree.snapshot().size(), 0u);
}

TEST(VolumeTrees, OrientedBoxesNeedFewerTestsThanBalls) {
    const MeshData mesh = workloads::torus_knot(2, 3, 0.09f, 128, 8);
    ObbTree obbs;
    SphereTree balls;
    obbs.build(mesh.view());
    balls.build(mesh.view());
    Random random(7);
    std::uint64_t obb_tests = 0, ball_tests = 0;
    std::vector<TrianglePair> pairs;
    for (int i = 0; i < 30; ++i) {
        const Pose pose = random_pose(random, 0.6f);
        obb_tests += collide_pairs(obbs, Pose(1.0f), obbs, pose, CollideExtent::All, pairs).box_pairs;
        ball_tests += collide_pairs(balls, Pose(1.0f), balls, pose, CollideExtent::All, pairs).box_pairs;
    }
    EXPECT_LT(obb_tests, ball_tests);
}

// A pose may deviate from a rotation by 1e-4; the corner reaches less far into the box.
TEST(VolumeTrees, PosesThatAreNoRotationsMissNoPair) {
    const auto check = [](auto tree_a, auto tree_b) {
        MeshData corner;
        corner.positions = {{1.00002f, 0.1f, 0.05f}, {3, 0.2f, 0.1f}, {3, -0.2f, -0.15f}};
        corner.triangles = {{0, 1, 2}};
        const MeshData box = workloads::box(glm::vec3(1));
        ASSERT_EQ(tree_a.build(corner.view()), MeshBuildStatus::Ok);
        ASSERT_EQ(tree_b.build(box.view()), MeshBuildStatus::Ok);
        Random random(39);
        for (int i = 0; i < 100; ++i) {
            const Pose pose_a = i == 0 ? Pose(1.0f) : random_pose(random, 0.0f);
            Pose pose_b = pose_a;
            pose_b[0] *= 1.0001f;
            std::vector<TrianglePair> pairs;
            collide_pairs(tree_a, pose_a, tree_b, pose_b, CollideExtent::All, pairs);
            EXPECT_FALSE(pairs.empty()) << i;
            collide_pairs(tree_b, pose_b, tree_a, pose_a, CollideExtent::All, pairs);
            EXPECT_FALSE(pairs.empty()) << i;
        }
    };
    check(ObbTree{}, ObbTree{});
    check(AabbTree{}, AabbTree{});
    check(SphereTree{}, SphereTree{});
}

TEST(VolumeTrees, MeshesOfTheMostDifferentScalesTouch) {
    MeshData small = workloads::icosphere(2), large = small;
    for (glm::vec3& p : small.positions)
        p *= 1e-20f;
    for (glm::vec3& p : large.positions)
        p *= 1e20f;
    const Fast fast_a(small), fast_b(large);
    const auto check = [&](auto a, auto b) {
        ASSERT_EQ(a.build(small.view()), MeshBuildStatus::Ok);
        ASSERT_EQ(b.build(large.view()), MeshBuildStatus::Ok);
        const Pose pose_a = resized(Pose(1.0f), 1e20f);
        for (const float x : {0.3f, 0.8f, 1.2f}) {
            Pose pose_b = resized(Pose(1.0f), 1e-20f);
            pose_b[3].x = x;
            std::vector<TrianglePair> truth, pairs;
            collide_pairs(fast_a.wide, pose_a, fast_b.wide, pose_b, truth);
            EXPECT_EQ(truth.empty(), x > 1.0f);
            collide_pairs(a, pose_a, b, pose_b, CollideExtent::All, pairs);
            EXPECT_TRUE(pairs == truth) << x;
        }
    };
    check(ObbTree{}, ObbTree{});
    check(AabbTree{}, AabbTree{});
    check(SphereTree{}, SphereTree{});
}

TEST(VolumeTrees, SnapshotsAndBadInput) {
    const MeshData mesh = workloads::gear(8);
    ObbTree tree;
    tree.build(mesh.view());
    const TreeSnapshot s = tree.snapshot();
    EXPECT_EQ(s.size(), tree.nodes().size());
    EXPECT_EQ(s.obbs.size(), s.size());
    EXPECT_EQ(s.payloads.size(), mesh.triangles.size());

    EXPECT_EQ(tree.build({}), MeshBuildStatus::Empty);
    EXPECT_TRUE(tree.empty() && tree.validate() && tree.snapshot().empty());
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<glm::vec3> points{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {nan, 0, 0}};
    EXPECT_EQ(tree.build({points, std::vector<glm::uvec3>{{0, 1, 9}}}), MeshBuildStatus::IndexOutOfRange);
    EXPECT_EQ(tree.build({points, std::vector<glm::uvec3>{{0, 1, 3}}}), MeshBuildStatus::Empty);
    const std::vector<glm::uvec3> same(500, glm::uvec3(0, 1, 2));
    ASSERT_EQ(tree.build({points, same}), MeshBuildStatus::Ok);
    EXPECT_EQ(tree.nodes().size(), 1u);  // no axis separates equal centers
    std::vector<TrianglePair> pairs;
    EXPECT_EQ(collide_pairs(tree, Pose(1.0f), tree, Pose(1.0f), CollideExtent::All, pairs).hits, 500u * 500u);
    const std::vector<glm::uvec3> degenerate{{0, 0, 0}, {0, 1, 1}, {2, 2, 2}};
    ASSERT_EQ(tree.build({points, degenerate}), MeshBuildStatus::Ok);
    EXPECT_TRUE(tree.validate());
    Pose bad(1.0f);
    bad[3].x = nan;
    EXPECT_EQ(collide_pairs(tree, bad, tree, Pose(1.0f), CollideExtent::All, pairs).hits, 0u);
    const Pose nothing = resized(Pose(1.0f), 0.0f);
    EXPECT_EQ(collide_pairs(tree, nothing, tree, Pose(1.0f), CollideExtent::All, pairs).hits, 0u);
    EXPECT_EQ(collide_pairs(tree, Pose(1.0f), tree, nothing, CollideExtent::All, pairs).hits, 0u);
}

// Far from the origin, the slack of comparisons overflows. There are nearer triangles as well.
TEST(VolumeTrees, MeshesThatLeaveTheRangeOfFloatsGiveTheSamePairs) {
    for (const float far : {1e30f, 1e37f, 1e38f, std::numeric_limits<float>::max()}) {
        MeshData mesh;
        mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {far, far, 0}, {far, 0, 0}, {far, 0, 1}};
        mesh.triangles = {{0, 1, 2}, {3, 4, 5}};
        const Fast fast(mesh);
        const auto check = [&](const auto& tree, const Pose& pose) {
            std::vector<TrianglePair> expected, pairs;
            collide_pairs(fast.wide, Pose(1.0f), fast.wide, pose, expected);
            collide_pairs(tree, Pose(1.0f), tree, pose, CollideExtent::All, pairs);
            EXPECT_FALSE(expected.empty()) << far;
            EXPECT_EQ(pairs, expected) << far;
        };
        for (const float scale : {1.0f, 1e7f, std::numeric_limits<float>::max()}) {
            const Pose pose = resized(Pose(1.0f), scale);
            ObbTree obbs;
            ASSERT_EQ(obbs.build(mesh.view()), MeshBuildStatus::Ok);
            check(obbs, pose);
            AabbTree boxes;
            ASSERT_EQ(boxes.build(mesh.view()), MeshBuildStatus::Ok);
            check(boxes, pose);
            SphereTree balls;
            ASSERT_EQ(balls.build(mesh.view()), MeshBuildStatus::Ok);
            check(balls, pose);
        }
    }
}

TEST(MeshDistance, MatchesDenseSamplingAndTouching) {
    const MeshData mesh_a = workloads::icosphere(2), mesh_b = workloads::torus(0.35f, 0.15f, 16, 8);
    const Fast a(mesh_a), b(mesh_b);
    Random random(17);
    for (std::size_t i = 0; i < scaled(60); ++i) {
        Pose pose_a = random_pose(random, 1.0f), pose_b = random_pose(random, 2.0f);
        float unit = 1.0f;  // of a distance in A's frame
        if (i % 2 == 1) {
            unit = random.uniform(0.5f, 3.0f);
            pose_a = resized(pose_a, unit);
            pose_b = resized(pose_b, random.uniform(0.5f, 3.0f));
        }
        const MeshDistanceResult got = mesh_distance(a.tree, pose_a, b.tree, pose_b);
        ASSERT_TRUE(got.nearest.has_value());
        EXPECT_EQ(got.nearest->distance == 0.0f, collide(a.wide, pose_a, b.wide, pose_b).touching);
        // No vertex is nearer to the other mesh; the two points lie on their triangles at that distance.
        float bound = std::numeric_limits<float>::infinity();
        for (const glm::vec3& p : mesh_b.positions) {
            const Pose to_a = relative_pose(pose_a, pose_b);
            bound = std::min(bound, unit * a.tree.closest_point(apply(to_a, p)).nearest->distance);
        }
        EXPECT_LE(got.nearest->distance, bound + 1e-5f);
        EXPECT_NEAR(glm::distance(got.nearest->point_a, got.nearest->point_b), got.nearest->distance, 1e-5f);
        const Triangle ta = apply(pose_a, mesh_a.view().triangle(got.nearest->triangles.a));
        const Triangle tb = apply(pose_b, mesh_b.view().triangle(got.nearest->triangles.b));
        EXPECT_LT(distance(ta, got.nearest->point_a), 1e-5f);
        EXPECT_LT(distance(tb, got.nearest->point_b), 1e-5f);
        if (got.nearest->distance > 0.0f) {
            EXPECT_FALSE(
                mesh_distance(a.tree, pose_a, b.tree, pose_b, 0.99f * got.nearest->distance).nearest);
            // Moved together by that distance along the line between the points, they touch or nearly do.
            Pose moved = pose_b;
            moved[3] += 1.001f * (got.nearest->point_a - got.nearest->point_b);
            EXPECT_LT(mesh_distance(a.tree, pose_a, b.tree, moved).nearest->distance,
                      0.01f * got.nearest->distance + 1e-5f);
        }
    }
    // All pairs by hand: the edges of two crossed boxes.
    const Fast box(workloads::box());
    Pose turned(1.0f);
    turned[3] = {0, 2, 0};
    EXPECT_NEAR(mesh_distance(box.tree, Pose(1.0f), box.tree, turned).nearest->distance, 1.0f, 1e-6f);
    EXPECT_FALSE(mesh_distance(MeshBvh{}, Pose(1.0f), box.tree, turned).nearest);
}

TEST(MeshDistance, IsFoundAtEveryScale) {
    for (const int power : {-140, -120, -100, -76, -60, -40, -20, 0, 40, 56, 60, 90, 120}) {
        const float s = std::ldexp(1.0f, power);
        MeshData a, b;
        a.positions = {{0, 0, 0}, {s, 0, 0}, {0, s, 0}};
        b.positions = {{0, 0, s}, {s, 0, s}, {0, s, s}};
        a.triangles = b.triangles = {{0, 1, 2}};
        const Fast one(a), other(b);
        const auto got = mesh_distance(one.tree, Pose(1.0f), other.tree, Pose(1.0f));
        ASSERT_TRUE(got.nearest) << "2^" << power;
        EXPECT_NEAR(got.nearest->distance, s, 1e-6f * s) << "2^" << power;
    }
}

// Where triangles touch without an intersection segment: coplanar ones, and some without area.
TEST(MeshDistance, BothPointsOfATouchAreOnTheirMeshes) {
    const auto triangle_of = [](std::vector<glm::vec3> corners) {
        MeshData mesh;
        mesh.positions = std::move(corners);
        mesh.triangles = {{0, 1, 2}};
        return mesh;
    };
    MeshData ground;
    ground.positions = {{-500, -500, 0}, {500, -500, 0}, {500, 500, 0}, {-500, 500, 0}};
    ground.triangles = {{0, 1, 2}, {0, 2, 3}};
    const MeshData touching[] = {
        triangle_of({{9, 1, 0}, {10, 1, 0}, {9, 2, 0}}),         // inside
        triangle_of({{490, 1, 0}, {600, 1, 0}, {490, 2, 0}}),    // across an edge
        triangle_of({{-900, 1, 0}, {900, 0, 0}, {-900, 2, 0}}),  // across two
        triangle_of({{9, 1, -1}, {9, 1, 2}, {9, 1, -1}}),        // a segment through the ground
        triangle_of({{9, 1, -1}, {10, 2, 0}, {11, 3, 1}}),       // the same, with a corner in it
        triangle_of({{9, 1, -1}, {12, 4, 2}, {11, 3, 1}}),
        triangle_of({{9, 1, 0}, {12, 4, 0}, {11, 3, 0}}),  // a segment in the ground
        triangle_of({{9, 1, 0}, {9, 1, 0}, {9, 1, 0}}),    // a point of it
    };
    const auto check = [](const MeshData& a, const Pose& pose_a, const MeshData& b, const Pose& pose_b) {
        const Fast fast_a(a), fast_b(b);
        const auto got = mesh_distance(fast_a.tree, pose_a, fast_b.tree, pose_b).nearest;
        ASSERT_TRUE(got);
        EXPECT_EQ(got->distance, 0.0f);
        EXPECT_LT(distance(apply(pose_a, a.view().triangle(got->triangles.a)), got->point_a), 1e-3f);
        EXPECT_LT(distance(apply(pose_b, b.view().triangle(got->triangles.b)), got->point_b), 1e-3f);
        EXPECT_LT(glm::distance(got->point_a, got->point_b), 1e-3f);
        std::vector<ContactSegment> contacts;
        collide_segments(fast_a.wide, pose_a, fast_b.wide, pose_b, contacts);
        for (const ContactSegment& contact : contacts)
            for (const glm::vec3& end : {contact.segment.a, contact.segment.b}) {
                EXPECT_LT(distance(apply(pose_a, a.view().triangle(contact.triangles.a)), end), 1e-3f);
                EXPECT_LT(distance(apply(pose_b, b.view().triangle(contact.triangles.b)), end), 1e-3f);
            }
    };
    for (std::size_t i = 0; i < std::size(touching); ++i) {
        SCOPED_TRACE(i);
        ASSERT_NO_FATAL_FAILURE(check(touching[i], Pose(1.0f), ground, Pose(1.0f)));
        ASSERT_NO_FATAL_FAILURE(check(ground, Pose(1.0f), touching[i], Pose(1.0f)));
        ASSERT_NO_FATAL_FAILURE(check(touching[i], Pose(1.0f), touching[i], Pose(1.0f)));
    }
    const MeshData box = workloads::box();
    for (int i = 0; i < 100; ++i) {
        Pose standing(1.0f);
        standing[3] = {static_cast<float>(i % 10) * 7.3f - 30.0f, static_cast<float>(i / 10) * 6.1f - 30.0f,
                       0.5f};
        SCOPED_TRACE(i);
        ASSERT_NO_FATAL_FAILURE(check(box, standing, ground, Pose(1.0f)));
        ASSERT_NO_FATAL_FAILURE(check(ground, Pose(1.0f), box, standing));
    }
}

/// The least distance over all pairs of triangles, by the reference.
reference::Real brute_force(const MeshData& a, const Pose& pose_a, const MeshData& b, const Pose& pose_b) {
    reference::Real best = std::numeric_limits<reference::Real>::infinity();
    for (std::size_t i = 0; i < a.triangles.size(); ++i) {
        const reference::Body one = reference::body_of(apply(pose_a, a.view().triangle(i)));
        for (std::size_t j = 0; j < b.triangles.size(); ++j)
            best = std::min(
                best, reference::separation(one, reference::body_of(apply(pose_b, b.view().triangle(j)))));
    }
    return best;
}

TEST(MeshDistance, MatchesAllPairsOfTrianglesByTheReference) {
    MeshData soup;  // long, thin, flat and doubled triangles, and some without area
    Random random(23);
    for (std::uint32_t i = 0; i < 60; ++i) {
        const glm::vec3 center = random.in_box(glm::vec3(-0.8f), glm::vec3(0.8f));
        glm::vec3 e = 0.5f * random.direction(), f = 0.5f * random.direction();
        if (i % 5 == 1) f = 1e-4f * f;
        if (i % 5 == 2) f = e;
        if (i % 5 == 3) e = f = glm::vec3(0.0f);
        for (const glm::vec3& p : {center, center + e, center + f})
            soup.positions.push_back(p);
        soup.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
        if (i % 7 == 0) soup.triangles.push_back({3 * i + 1, 3 * i + 2, 3 * i});
    }
    const MeshData meshes[] = {workloads::icosphere(1), workloads::torus(0.35f, 0.15f, 10, 5),
                               workloads::box(), soup};
    for (std::size_t round = 0; round < scaled(60); ++round) {
        const MeshData& a = meshes[random.below(4)];
        const MeshData& b = meshes[random.below(4)];
        // Near each other, far apart, and both far from the origin.
        const float spread = round % 5 == 4 ? 40.0f : 2.2f;
        Pose pose_a = random_pose(random, 0.5f), pose_b = random_pose(random, spread);
        if (round % 7 == 6) {
            pose_a[3] += glm::vec3(300.0f, -200.0f, 100.0f);
            pose_b[3] += glm::vec3(300.0f, -200.0f, 100.0f);
        }
        const Fast fast_a(a), fast_b(b);
        const MeshDistanceResult got = mesh_distance(fast_a.tree, pose_a, fast_b.tree, pose_b);
        const double expected = static_cast<double>(brute_force(a, pose_a, b, pose_b));
        ASSERT_TRUE(got.nearest);
        EXPECT_NEAR(static_cast<double>(got.nearest->distance), expected,
                    1e-6 * static_cast<double>(4.0f + glm::length(pose_b[3])))
            << a.name << " and " << b.name << ", round " << round;
        EXPECT_LT(got.stats.triangle_pairs, a.triangles.size() * b.triangles.size());
    }
}

// Triangles that rounding made of points on one line: their normals mean little, but all of each lies at its
// edges.
TEST(MeshDistance, SliversOnOneLineMeetOnBoth) {
    const auto off_edges = [](const Triangle& t, const glm::dvec3& p) {
        double least = std::numeric_limits<double>::infinity();
        for (const auto& [from, to] : {std::pair(t.a, t.b), std::pair(t.b, t.c), std::pair(t.c, t.a)}) {
            const glm::dvec3 along = glm::dvec3(to) - glm::dvec3(from), there = p - glm::dvec3(from);
            const double length2 = glm::dot(along, along);
            const double at = length2 > 0 ? std::clamp(glm::dot(there, along) / length2, 0.0, 1.0) : 0.0;
            least = std::min(least, glm::distance(there, at * along));
        }
        return least;
    };
    Random random(23);
    std::size_t touching = 0, segments = 0;
    const std::size_t rounds = scaled(40'000);
    for (std::size_t i = 0; i < rounds; ++i) {
        const glm::vec3 direction = i % 3 == 0 ? glm::vec3(1, 1, 0) : random.in_ball();
        const glm::vec3 origin = i % 2 == 0 ? glm::vec3(0.0f) : 3.0f * random.in_ball();
        const auto sliver = [&] {
            MeshData mesh;
            for (int k = 0; k < 3; ++k)
                mesh.positions.push_back(origin + random.uniform(-1.0f, 1.0f) * direction);
            mesh.triangles = {{0, 1, 2}};
            return mesh;
        };
        const MeshData a = sliver(), b = sliver();
        const Triangle ta = a.view().triangle(0), tb = b.view().triangle(0);
        if (!overlap(ta, tb)) continue;
        ++touching;
        const auto check = [&](const Triangle& t, const glm::vec3& p, const char* what) {
            ASSERT_LT(off_edges(t, glm::dvec3(p)), 1e-6) << what << ", round " << i;
        };
        const auto nearest = mesh_distance(Fast(a).tree, Pose(1.0f), Fast(b).tree, Pose(1.0f)).nearest;
        ASSERT_TRUE(nearest) << i;
        ASSERT_NO_FATAL_FAILURE(check(ta, nearest->point_a, "nearest on a"));
        ASSERT_NO_FATAL_FAILURE(check(tb, nearest->point_b, "nearest on b"));
        ASSERT_LT(glm::distance(nearest->point_a, nearest->point_b), 1e-6f) << i;
        if (const auto common = intersection(ta, tb)) {
            ++segments;
            for (const glm::vec3& end : {common->a, common->b}) {
                ASSERT_NO_FATAL_FAILURE(check(ta, end, "common, on a"));
                ASSERT_NO_FATAL_FAILURE(check(tb, end, "common, on b"));
            }
        }
    }
    EXPECT_GT(touching, rounds / 4);
    EXPECT_GT(segments, rounds / 20);
}

TEST(MeshDistance, FarFromEachOtherItStillPrunes) {
    const MeshData mesh = workloads::icosphere(4);
    const Fast fast(mesh);
    for (const float apart : {1e2f, 1e4f, 1e6f, 1e12f}) {
        Pose there(1.0f);
        there[3] = apart * glm::normalize(glm::vec3(1.0f, 0.3f, -0.2f));
        const MeshDistanceResult got = mesh_distance(fast.tree, Pose(1.0f), fast.tree, there);
        ASSERT_TRUE(got.nearest);
        EXPECT_NEAR(got.nearest->distance, apart - 2.0f * glm::length(mesh.positions[0]),
                    1e-2f + 2e-6f * apart);
        EXPECT_LT(got.stats.triangle_pairs, 200'000u) << apart;
    }
}

// All pairs of triangles are equally far but for rounding, which must not decide whether a pair is skipped.
TEST(MeshDistance, FlatMeshesThatFaceEachOtherAreNotComparedPairByPair) {
    const MeshData mesh = square_grid(24);
    const Fast fast(mesh);
    Random random(29);
    for (const float apart : {1.0f, 1e2f, 1e3f, 1e4f, 1e6f})
        for (const float limit : {std::numeric_limits<float>::infinity(), 2.0f * apart})
            for (int i = 0; i < 20; ++i) {
                const Pose here = random_pose(random, 0.0f);
                Pose there = here;
                there[3] = apply(here, glm::vec3(0.3f, 0.2f, apart));
                const MeshDistanceResult got = mesh_distance(fast.tree, here, fast.tree, there, limit);
                ASSERT_TRUE(got.nearest);
                ASSERT_NEAR(got.nearest->distance, apart, 1e-6f * apart);
                ASSERT_LT(got.stats.triangle_pairs, mesh.triangles.size()) << apart;
            }
}

}  // namespace
}  // namespace bv
