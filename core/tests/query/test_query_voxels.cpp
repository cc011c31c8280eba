// Voxel grids: storage by hand, overlap against the distance of every pair of voxels.
#include "bv/query/voxels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "bv/query/closest.hpp"
#include "bv/query/overlap.hpp"
#include "bv/query/overlap_triangle.hpp"
#include "query_cases.hpp"
#include "reference/overlap_reference.hpp"
#include "workloads/meshes.hpp"

namespace bv {
namespace {

using glm::ivec3;
using glm::vec3;
using test::Random;

TEST(VoxelGrid, StoresVoxels) {
    auto grid = VoxelGrid::make({5, 9, 4}, vec3(1, 2, 3), 0.5f);
    ASSERT_TRUE(grid);
    EXPECT_EQ(grid->bricks(), ivec3(2, 3, 1));
    EXPECT_EQ(grid->filled_count(), 0u);
    EXPECT_TRUE(grid->bounds().is_empty());
    grid->set({4, 8, 3}, true);
    grid->set({0, 0, 0}, true);
    grid->set({5, 0, 0}, true);   // outside
    grid->set({-1, 0, 0}, true);  // outside
    EXPECT_EQ(grid->filled_count(), 2u);
    EXPECT_TRUE(grid->filled({4, 8, 3}));
    EXPECT_FALSE(grid->filled({4, 8, 2}));
    EXPECT_FALSE(grid->filled({5, 0, 0}));
    EXPECT_FALSE(grid->filled({0, -1, 0}));
    EXPECT_EQ(grid->voxel_box({4, 8, 3}), (Aabb{vec3(3, 6, 4.5f), vec3(3.5f, 6.5f, 5)}));
    EXPECT_EQ(grid->bounds(), (Aabb{vec3(1, 2, 3), vec3(3.5f, 6.5f, 5)}));
    grid->set({0, 0, 0}, false);
    EXPECT_EQ(grid->filled_count(), 1u);
}

TEST(VoxelGrid, RejectsBadArguments) {
    EXPECT_FALSE(VoxelGrid::make({0, 1, 1}, vec3(0), 1));
    // No voxel may lie beyond the largest float, where it would have no box.
    constexpr float kLargest = std::numeric_limits<float>::max();
    EXPECT_FALSE(VoxelGrid::make({3, 3, 3}, vec3(0), kLargest));
    EXPECT_FALSE(VoxelGrid::make({1, 1, 2}, vec3(0, 0, 0.5f * kLargest), 0.4f * kLargest));
    EXPECT_TRUE(VoxelGrid::make({1, 1, 2}, vec3(0, 0, -0.5f * kLargest), 0.4f * kLargest));
    EXPECT_FALSE(VoxelGrid::make({1, -1, 1}, vec3(0), 1));
    EXPECT_FALSE(VoxelGrid::make({1, 1, 1}, vec3(0), 0));
    EXPECT_FALSE(VoxelGrid::make({1, 1, 1}, vec3(0), std::nanf("")));
    EXPECT_FALSE(VoxelGrid::make({1, 1, 1}, vec3(0, INFINITY, 0), 1));
    EXPECT_FALSE(VoxelGrid::make(ivec3(0x7fffffff), vec3(0), 1));
    const auto one = VoxelGrid::make({1, 1, 1}, vec3(0), 1);
    EXPECT_FALSE(overlap(VoxelGrid(), {}, *one, {}));
}

TEST(VoxelOverlap, TouchingAndDisjoint) {
    auto a = *VoxelGrid::make({2, 2, 2}, vec3(0), 1);
    auto b = a;
    a.set({1, 1, 1}, true);
    b.set({0, 0, 0}, true);
    EXPECT_TRUE(overlap(a, {}, b, {glm::mat3(1), vec3(2, 2, 2)})) << "corner to corner";
    EXPECT_FALSE(overlap(a, {}, b, {glm::mat3(1), vec3(2.001f, 2, 2)}));
    EXPECT_TRUE(overlap(a, {}, b, {})) << "corner to corner, in the middle";
    EXPECT_FALSE(overlap(a, {}, b, {glm::mat3(1), vec3(-0.001f, 0, 0)}));
    EXPECT_FALSE(overlap(a, {glm::mat3(1), vec3(std::nanf(""), 0, 0)}, b, {}));
    EXPECT_EQ(overlapping_voxels(a, {}, b, {}).size(), 1u);
    EXPECT_EQ(overlapping_voxels(a, {}, b, {}, 0).size(), 0u);
}

VoxelGrid random_grid(Random& rng) {
    const ivec3 size(1 + rng.below(9), 1 + rng.below(9), 1 + rng.below(9));
    const float edge = rng.chance(0.5) ? 0.5f : rng.range(0.2f, 1.0f);
    auto grid = *VoxelGrid::make(size, rng.vec(-0.5f, 0.5f) - 0.5f * edge * vec3(size), edge);
    const int filled = rng.below(25);
    for (int i = 0; i < filled; ++i)
        grid.set({rng.below(size.x), rng.below(size.y), rng.below(size.z)}, true);
    return grid;
}

Obb voxel_obb(const VoxelGrid& grid, const RigidTransform& t, const ivec3& v) {
    const Aabb box = grid.voxel_box(v);
    return {t.rotation * box.center() + t.translation, vec3(0.5f * grid.voxel_size()), t.rotation};
}

std::vector<ivec3> filled(const VoxelGrid& grid) {
    std::vector<ivec3> out;
    for (int z = 0; z < grid.size().z; ++z)
        for (int y = 0; y < grid.size().y; ++y)
            for (int x = 0; x < grid.size().x; ++x)
                if (grid.filled({x, y, z})) out.emplace_back(x, y, z);
    return out;
}

TEST(VoxelOverlap, AgainstEveryPairOfVoxels) {
    Random rng(1);
    const int count = test::cases(20000);
    int hits = 0;
    std::size_t pairs_seen = 0;
    for (int n = 0; n < count; ++n) {
        const VoxelGrid a = random_grid(rng);
        const VoxelGrid b = random_grid(rng);
        const RigidTransform ta{rng.varied_rotation(), rng.vec(-1, 1)};
        RigidTransform tb{rng.varied_rotation(), rng.vec(-1, 1)};
        if (rng.chance(0.2)) tb.rotation = ta.rotation;
        const auto pairs = overlapping_voxels(a, ta, b, tb);
        const bool answer = overlap(a, ta, b, tb);
        ASSERT_EQ(answer, !pairs.empty());
        ASSERT_EQ(answer, overlap(b, tb, a, ta)) << n;
        const auto in_a = filled(a);
        const auto in_b = filled(b);
        for (const ivec3& va : in_a)
            for (const ivec3& vb : in_b) {
                const bool listed = std::find(pairs.begin(), pairs.end(), VoxelPair{va, vb}) != pairs.end();
                using reference::body_of;
                const double gap = double(
                    reference::separation(body_of(voxel_obb(a, ta, va)), body_of(voxel_obb(b, tb, vb))));
                if (gap > 1e-4) {
                    ASSERT_FALSE(listed) << n;
                } else if (gap == 0.0 && !listed) {
                    // Only a pair that touches by rounding may be missing: with the stated slack it is found.
                    Obb smaller = voxel_obb(a, ta, va);
                    smaller.half_extents -= vec3(1e-5f);
                    ASSERT_GT(reference::separation(body_of(smaller), body_of(voxel_obb(b, tb, vb))), 0) << n;
                }
            }
        for (const VoxelPair& p : pairs) {
            ASSERT_TRUE(a.filled(p.a) && b.filled(p.b));
        }
        pairs_seen += pairs.size();
        hits += answer;
    }
    EXPECT_GT(hits, count / 10);
    EXPECT_LT(hits, count * 9 / 10);
    EXPECT_GT(pairs_seen, std::size_t(count / 5));
}

TEST(VoxelOverlap, EmptySpaceIsSkipped) {
    // Two hollow balls 64 voxels across: the coarse level rejects most of four billion pairs.
    const auto mesh = workloads::icosphere(4);
    const auto ball = voxelize_surface(mesh.view(), 1.0f / 64);
    ASSERT_TRUE(ball);
    EXPECT_GT(ball->filled_count(), 5000u);
    VoxelOverlapStats stats;
    const auto pairs =
        overlapping_voxels(*ball, {}, *ball, {glm::mat3(1), vec3(0.7f, 0.1f, 0)}, ~std::size_t{0}, &stats);
    EXPECT_GT(pairs.size(), 100u);
    const std::uint64_t all = std::uint64_t(ball->filled_count()) * ball->filled_count();
    EXPECT_LT(stats.voxel_tests, all / 1000);
    VoxelOverlapStats none;
    EXPECT_FALSE(overlap(*ball, {}, *ball, {glm::mat3(1), vec3(3, 0, 0)}, &none));
    EXPECT_EQ(none.brick_tests, 0u);
    // A small ball inside the hollow overlaps nothing.
    const auto small_mesh = workloads::icosphere(3, 0.2f);
    const auto small = voxelize_surface(small_mesh.view(), 1.0f / 64);
    EXPECT_FALSE(overlap(*ball, {}, *small, {}));
    EXPECT_TRUE(overlap(*ball, {}, *small, {glm::mat3(1), vec3(0.35f, 0, 0)}));
}

TEST(Voxelize, CoversTheSurface) {
    Random rng(2);
    for (const auto& mesh : {workloads::torus_knot(), workloads::box(vec3(0.3f))}) {
        const auto grid = voxelize_surface(mesh.view(), 0.05f);
        ASSERT_TRUE(grid);
        for (int n = 0; n < 5000; ++n) {
            const Triangle t = mesh.view().triangle(std::size_t(rng.below(int(mesh.triangles.size()))));
            const float u = rng.range(0, 1);
            const float v = rng.range(0, 1 - u);
            const vec3 p = (1 - u - v) * t.a + u * t.b + v * t.c;
            // The cube around the point, or a neighbor if rounding moves the point across a border.
            const ivec3 at(glm::floor((p - grid->origin()) / grid->voxel_size()));
            bool covered = false;
            for (int k = 0; k < 27; ++k) {
                const ivec3 near = at + ivec3(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
                covered = covered || (grid->filled(near) && distance(grid->voxel_box(near), p) < 1e-6f);
            }
            ASSERT_TRUE(covered) << mesh.name;
        }
    }
    EXPECT_FALSE(voxelize_surface(MeshView{}, 0.1f));
    EXPECT_FALSE(voxelize_surface(workloads::box().view(), 1e-7f)) << "too many";
    EXPECT_FALSE(voxelize_surface(workloads::box().view(), -1.0f));
}

/// Any triangle within [-1, 1]^3: ordinary, a sliver, a segment, a point, in a plane of voxel faces.
Triangle any_triangle(Random& rng) {
    const vec3 a = rng.vec(-1, 1), e = rng.vec(-1, 1), f = rng.vec(-1, 1);
    Triangle t{a, glm::clamp(a + e, -1.0f, 1.0f), glm::clamp(a + f, -1.0f, 1.0f)};
    switch (rng.below(8)) {
        case 0:
            t.c = t.a + 0.3f * (t.b - t.a);
            break;
        case 1:
            t.c = t.a + 1e-6f * f;
            break;
        case 2:
            t.c = t.b;
            break;
        case 3:
            t.b = t.c = t.a;
            break;
        case 4:
            t.a.z = t.b.z = t.c.z = 0.25f;
            break;
        case 5:
            t.b = t.a + 1e-3f * e;
            break;
        default:
            break;
    }
    return t;
}

/// Compares with a test of every voxel; returns the number of those that are filled.
std::size_t expect_overlapped(const VoxelGrid& grid, const MeshView& mesh) {
    std::size_t filled = 0;
    for (int z = 0; z < grid.size().z; ++z)
        for (int y = 0; y < grid.size().y; ++y)
            for (int x = 0; x < grid.size().x; ++x) {
                bool expected = false;
                for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
                    expected = expected || overlap(grid.voxel_box({x, y, z}), mesh.triangle(i));
                EXPECT_EQ(grid.filled({x, y, z}), expected) << x << ' ' << y << ' ' << z;
                filled += expected;
            }
    return filled;
}

// Six voxels to a step of floats, whose boxes all reach both steps; and one voxel to six steps.
TEST(Voxelize, VoxelsBelowTheRoundingOfTheirPlace) {
    const float x = 1e6f, next = x + 0.0625f;
    const std::vector<vec3> points{{x, 0, 0},    {x, 0.2f, 0},    {x, 0, 0.2f},
                                   {next, 0, 0}, {next, 0.2f, 0}, {next, 0, 0.2f}};
    const std::vector<glm::uvec3> triangles{{0, 1, 2}, {3, 4, 5}};
    for (const float size : {0.01f, 0.4f}) {
        const auto grid = voxelize_surface({points, triangles}, size);
        ASSERT_TRUE(grid);
        EXPECT_GT(expect_overlapped(*grid, {points, triangles}), 0u) << size;
    }
    // Where the rounding is of more voxels than can be counted.
    const std::vector<vec3> far{{1e30f, 0, 0}, {1e30f, 0.2f, 0}, {1e30f, 0, 0.2f}};
    const std::vector<glm::uvec3> one{{0, 1, 2}};
    const auto grid = voxelize_surface({far, one}, 0.01f);
    ASSERT_TRUE(grid);
    EXPECT_GT(expect_overlapped(*grid, {far, one}), 0u);
}

TEST(Voxelize, FillsTheVoxelsThatTheTrianglesOverlap) {
    Random rng(5);
    const int rounds = test::cases(400);
    std::size_t filled = 0, tested = 0;
    for (int n = 0; n < rounds; ++n) {
        const float scale = n % 5 == 0 ? rng.range(1e-3f, 1e3f) : 1.0f;
        const vec3 place = n % 3 == 0 ? scale * rng.vec(-100, 100) : vec3(0);
        std::vector<vec3> points;
        std::vector<glm::uvec3> triangles;
        for (int i = 0; i < 1 + n % 3; ++i) {
            const Triangle t = any_triangle(rng);
            for (const vec3& p : {t.a, t.b, t.c})
                points.push_back(place + scale * p);
            const auto first = static_cast<std::uint32_t>(points.size()) - 3;
            triangles.push_back({first, first + 1, first + 2});
        }
        const MeshView mesh{points, triangles};
        const auto grid = voxelize_surface(mesh, scale * (n % 2 == 0 ? 0.0625f : rng.range(0.04f, 0.3f)));
        ASSERT_TRUE(grid);
        filled += expect_overlapped(*grid, mesh);
        if (testing::Test::HasFailure()) FAIL() << n;
        tested += static_cast<std::size_t>(grid->size().x) * static_cast<std::size_t>(grid->size().y) *
                  static_cast<std::size_t>(grid->size().z);
    }
    EXPECT_GT(filled, tested / 100);
}

// The box of each triangle has half a billion voxels: a test of each would take minutes.
TEST(Voxelize, LargeTrianglesCostTheirSurface) {
    Random rng(6);
    std::vector<vec3> points;
    std::vector<glm::uvec3> triangles;
    for (std::uint32_t i = 0; i < 8; ++i) {
        points.insert(points.end(), {vec3(-1, -1, rng.range(-1, 1)), vec3(1, rng.range(-1, 1), -1),
                                     vec3(rng.range(-1, 1), 1, 1)});
        triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    }
    const MeshView mesh{points, triangles};
    const auto grid = voxelize_surface(mesh, 2.0f / 800);
    ASSERT_TRUE(grid);
    EXPECT_GT(grid->filled_count(), 1'000'000u);
    EXPECT_LT(grid->filled_count(), 30'000'000u);
    const auto expect_same = [&](const ivec3& voxel) {
        bool expected = false;
        for (std::size_t i = 0; i < triangles.size(); ++i)
            expected = expected || overlap(grid->voxel_box(voxel), mesh.triangle(i));
        ASSERT_EQ(grid->filled(voxel), expected);
    };
    for (int n = 0; n < 50'000; ++n) {
        const Triangle t = mesh.triangle(std::size_t(rng.below(8)));
        const float u = rng.range(0, 1), v = rng.range(0, 1 - u);
        const vec3 p = (1 - u - v) * t.a + u * t.b + v * t.c;
        const ivec3 at =
            glm::clamp(ivec3((p - grid->origin()) / grid->voxel_size()), ivec3(0), grid->size() - 1);
        const ivec3 near(rng.below(3) - 1, rng.below(3) - 1, rng.below(3) - 1);
        ASSERT_NO_FATAL_FAILURE(expect_same(glm::clamp(at + near, ivec3(0), grid->size() - 1)));
    }
}

}  // namespace
}  // namespace bv
