// Relations that hold between the answers of different queries, for every pair of solids and at every scale,
// down to subnormal numbers and up to the largest: the order of the arguments, containment, distance,
// multiplication by powers of two, which is exact, and the direction of normals. Coordinates are mostly on a
// grid, so that shapes touch.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "bv/fit/hull.hpp"
#include "bv/fit/kdop.hpp"
#include "bv/query/batch.hpp"
#include "bv/query/contains.hpp"
#include "bv/query/convex.hpp"
#include "bv/query/overlap_kdop.hpp"
#include "bv/query/overlap_triangle.hpp"
#include "bv/query/raycast.hpp"
#include "bv/query/separation.hpp"
#include "bv/tree/mesh_bvh.hpp"
#include "bv/tree/obb_tree.hpp"
#include "random.hpp"

namespace bv {
namespace {

using glm::vec3;
using test::Random;

/// A scale and a place, both exact multiples of powers of two.
struct Grid {
    float step;
    float at;
};
constexpr Grid kGrids[] = {{1.0f, 0.0f},           {0x1p-10f, 8.0f},  {0x1p-60f, 0.0f},
                           {0x1p-120f, 0x1p-101f}, {0x1p-145f, 0.0f}, {0x1p-146f, 0x1p-126f},
                           {0x1p60f, 0x1p70f},     {0x1p120f, 0.0f},  {0x1p120f, 0x1.9p126f}};

float coordinate(Random& random, const Grid& grid) {
    const float cells = random.below(3) == 0 ? random.range(-2.0f, 2.0f)
                                             : 0.5f * (static_cast<float>(random.below(9)) - 4.0f);
    return cells * grid.step + grid.at;
}
vec3 place(Random& random, const Grid& grid) {
    const float x = coordinate(random, grid), y = coordinate(random, grid);
    return {x, y, random.below(5) == 0 ? grid.at : coordinate(random, grid)};
}
float size(Random& random, const Grid& grid) {
    return 0.5f * static_cast<float>(random.below(5)) * grid.step;
}
std::vector<vec3> points(Random& random, const Grid& grid) {
    std::vector<vec3> all(1 + random.below(8));
    for (vec3& p : all)
        p = place(random, grid);
    return all;
}
glm::mat3 axes(Random& random) {
    if (random.below(3) == 0) return glm::mat3(vec3(0, 1, 0), vec3(-1, 0, 0), vec3(0, 0, 1));
    return glm::mat3(random.rotation_in_double());
}

template <class Shape>
Shape make(Random& random, const Grid& grid);
template <>
Sphere make(Random& random, const Grid& grid) {
    const vec3 center = place(random, grid);
    return {center, size(random, grid)};
}
template <>
Aabb make(Random& random, const Grid& grid) {
    const vec3 a = place(random, grid), b = place(random, grid);
    return {glm::min(a, b), glm::max(a, b)};
}
template <>
Obb make(Random& random, const Grid& grid) {
    const vec3 center = place(random, grid);
    const float x = size(random, grid), y = size(random, grid), z = size(random, grid);
    return {center, {x, y, z}, axes(random)};
}
template <>
Capsule make(Random& random, const Grid& grid) {
    const vec3 a = place(random, grid), b = place(random, grid);
    return {a, b, size(random, grid)};
}
template <>
Triangle make(Random& random, const Grid& grid) {
    const vec3 a = place(random, grid), b = place(random, grid);
    return {a, b, place(random, grid)};
}
template <>
Hull make(Random& random, const Grid& grid) {
    return fit::hull(points(random, grid));
}
template <>
Kdop<26> make(Random& random, const Grid& grid) {
    return fit::kdop<26>(points(random, grid));
}

Sphere times(const Sphere& s, float f) {
    return {s.center * f, s.radius * f};
}
Aabb times(const Aabb& b, float f) {
    return {b.min * f, b.max * f};
}
Obb times(const Obb& b, float f) {
    return {b.center * f, b.half_extents * f, b.axes};
}
Capsule times(const Capsule& c, float f) {
    return {c.a * f, c.b * f, c.radius * f};
}
Triangle times(const Triangle& t, float f) {
    return {t.a * f, t.b * f, t.c * f};
}
Hull times(Hull h, float f) {
    for (vec3& v : h.vertices)
        v *= f;
    return h;
}
Kdop<26> times(Kdop<26> k, float f) {
    for (std::size_t i = 0; i < k.min.size(); ++i)
        k.min[i] *= f, k.max[i] *= f;
    return k;
}

template <class A, class B>
void expect_relations(Random& random, const Grid& grid) {
    const A a = make<A>(random, grid);
    const B b = make<B>(random, grid);
    bool overlapping = false;
    if constexpr (requires { overlap(a, b); }) {
        overlapping = overlap(a, b);
        EXPECT_EQ(overlap(b, a), overlapping);
        // Upward only: no bit is lost, and an infinite bound stays one.
        const float f = grid.step < 1.0f ? 0x1p30f : 1.0f;
        EXPECT_EQ(overlap(times(a, f), times(b, f)), overlapping) << "times " << f;
    }
    if constexpr (requires { contains(a, b); }) {
        if (contains(a, b)) {
            EXPECT_TRUE(overlapping);
            if constexpr (requires { distance(a, b); }) {
                EXPECT_EQ(distance(a, b), 0.0f);
            }
        }
    }
    if constexpr (requires { separation(a, b); }) {
        const Separation apart = separation(a, b);
        if (apart.axis != vec3(0.0f)) {
            EXPECT_NEAR(glm::length(glm::dvec3(apart.axis)), 1.0, 1e-6);
        }
    }
}

template <class A>
void expect_normal_against_ray(Random& random, const Grid& grid) {
    const A a = make<A>(random, grid);
    const vec3 from = place(random, grid), to = place(random, grid);
    const auto hit = raycast(Ray{from, to - from}, a);
    if (!hit || hit->normal == vec3(0.0f)) return;
    const glm::dvec3 d = glm::dvec3(to) - glm::dvec3(from);
    EXPECT_LE(glm::dot(glm::dvec3(hit->normal), d), 1e-5 * glm::length(d));
}

template <class A, class... Bs>
void expect_of(Random& random, const Grid& grid) {
    (expect_relations<A, Bs>(random, grid), ...);
    expect_normal_against_ray<A>(random, grid);
}
template <class... Shapes>
void expect_of_all(Random& random, const Grid& grid) {
    (expect_of<Shapes, Shapes...>(random, grid), ...);
}

TEST(Relations, HoldForAllPairsOfSolidsAtEveryScale) {
    Random random(20261125);
    for (int round = 0; round < 150; ++round)
        for (const Grid& grid : kGrids) {
            SCOPED_TRACE(std::to_string(round) + ": step " + std::to_string(std::log2(grid.step)) + ", at " +
                         std::to_string(grid.at));
            expect_of_all<Sphere, Aabb, Obb, Capsule, Triangle, Hull, Kdop<26>>(random, grid);
            if (::testing::Test::HasFailure()) return;
        }
}

// Products of subnormal numbers are lost in single precision: such boxes are compared in double.
TEST(Relations, ThePairTestOfBoxesIsTheSameInBatchesAndWhenTiny) {
    Random random(7);
    for (const Grid& grid : kGrids) {
        std::vector<Obb> a, b, large_a, large_b;
        const float f = grid.step < 1.0f ? 0x1p30f : 1.0f;
        for (int i = 0; i < 400; ++i) {
            a.push_back(make<Obb>(random, grid));
            b.push_back(make<Obb>(random, grid));
            large_a.push_back(times(a.back(), f));
            large_b.push_back(times(b.back(), f));
        }
        std::vector<std::uint8_t> scalar(a.size()), batch(a.size()), large(a.size());
        overlap_pairs(a, b, scalar, Simd::Scalar);
        overlap_pairs(a, b, batch);
        overlap_pairs(large_a, large_b, large);
        EXPECT_EQ(scalar, batch) << grid.step;
        EXPECT_EQ(scalar, large) << grid.step;
        for (std::size_t i = 0; i < a.size(); ++i)
            EXPECT_EQ(overlap(a[i], b[i]), scalar[i] == 1) << grid.step;
    }
}

// A slack in proportion to the place instead of the size would call these two meters apart "touching".
TEST(Relations, ATurnedBoxFarFromTheOriginIsNotTouchedFromAfar) {
    const glm::mat3 turned(vec3(0.8f, 0.6f, 0), vec3(-0.6f, 0.8f, 0), vec3(0, 0, 1));
    for (const float unit : {0x1p-120f, 0x1p-100f, 1.0f, 0x1p105f}) {
        const vec3 at = vec3(0x1p20f) * unit;
        const Aabb box{at, at + unit};
        EXPECT_FALSE(overlap(box, Obb{at + vec3(4, 0, 0) * unit, vec3(unit), turned})) << unit;
        EXPECT_TRUE(overlap(box, Obb{at + vec3(2, 0, 0) * unit, vec3(unit), turned})) << unit;
    }
}

// The ball's center is at an edge, up to rounding: the difference of the two nearest points is mostly
// rounding.
TEST(Relations, TheAxisOfABallAtTheSurfaceIsAUnitVector) {
    const Obb box{{500, 1000, 1000},
                  {2000, 500, 1500},
                  {{0x1p+0f, -0x1.29511p-39f, -0x1.dd3c22p-25f},
                   {-0x1.29511p-39f, 0x1p+0f, -0x1.3ef9acp-14f},
                   {0x1.dd3c22p-25f, 0x1.3ef9acp-14f, 0x1p+0f}}};
    const Separation apart = separation(box, Sphere{{2500, 500, 1000}, 500});
    EXPECT_NEAR(glm::length(glm::dvec3(apart.axis)), 1.0, 1e-6);
    EXPECT_NEAR(apart.distance, -500.0f, 1e-3f);
}

/// A grid of triangles, some without area.
std::vector<vec3> soup(Random& random, float scale, std::vector<glm::uvec3>& triangles) {
    std::vector<vec3> corners(60);
    for (vec3& p : corners)
        p = place(random, {1.0f, 0.0f}) * scale;
    for (int i = 0; i < 80; ++i)
        triangles.emplace_back(random.below(60), random.below(60), random.below(60));
    return corners;
}

TEST(Relations, TreesOfVolumesFindThePairsOfTrianglesAtEveryScale) {
    Random random(3);
    for (const float scale : {0x1p-145f, 0x1p-140f, 1.0f, 0x1p125f}) {
        std::vector<glm::uvec3> triangles;
        const std::vector<vec3> corners = soup(random, scale, triangles);
        const MeshView mesh{corners, triangles};
        ObbTree obbs;
        AabbTree boxes;
        SphereTree balls;
        obbs.build(mesh);
        boxes.build(mesh);
        balls.build(mesh);
        Pose pose(1.0f);
        pose[0] = vec3(0.8f, 0.6f, 0), pose[1] = vec3(-0.6f, 0.8f, 0);
        pose[3] = vec3(0.5f * scale, 0, 0);
        const Pose to_a = relative_pose(Pose(1.0f), pose);
        std::vector<TrianglePair> expected, found;
        for (std::uint32_t i = 0; i < triangles.size(); ++i)
            for (std::uint32_t j = 0; j < triangles.size(); ++j)
                if (overlap(mesh.triangle(i), apply(to_a, mesh.triangle(j)))) expected.push_back({i, j});
        ASSERT_FALSE(expected.empty());
        collide_pairs(obbs, Pose(1.0f), obbs, pose, CollideExtent::All, found);
        EXPECT_EQ(found, expected) << scale;
        collide_pairs(boxes, Pose(1.0f), boxes, pose, CollideExtent::All, found);
        EXPECT_EQ(found, expected) << scale;
        collide_pairs(balls, Pose(1.0f), balls, pose, CollideExtent::All, found);
        EXPECT_EQ(found, expected) << scale;
    }
}

// A gap of less than the slack of the triangle's test, between a box and a plane of triangles.
TEST(Relations, ATreeFindsTheTrianglesThatOverlapABoxAndNoOthers) {
    const std::vector<vec3> corners{{0, 0, 0x1p-60f}, {1, 0, 0x1p-60f}, {0, 1, 0x1p-60f}, {0, 0, 0}};
    const std::vector<glm::uvec3> triangles{{0, 1, 2}, {0, 1, 3}};
    MeshBvh tree;
    ASSERT_EQ(tree.build({corners, triangles}, {.max_leaf_triangles = 1}), MeshBuildStatus::Ok);
    const Aabb box{{0, 0, -1}, {1, 1, 0}};
    std::set<std::uint32_t> found;
    tree.overlap_triangles(box, [&](std::uint32_t t) { return found.insert(t).second; });
    EXPECT_EQ(found, (std::set<std::uint32_t>{1}));
    EXPECT_FALSE(overlap(box, tree.triangle(0)) && overlap(box, tree.triangle(1)));
    Recording trace;
    for (std::size_t i = 0; i < 2; ++i)
        EXPECT_EQ(overlap(box, tree.triangle(i), trace), overlap(box, tree.triangle(i)));
}

}  // namespace
}  // namespace bv
