// Watertight rays on triangles that they see nearly edge-on, where the weights of the corners are all
// rounding unless they are computed with care, and on long edges close by. Every tree must find the same
// first hit as a test of all triangles, and that hit must lie on the ray.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "bv/query/batch.hpp"
#include "bv/tree/bsp_tree.hpp"
#include "bv/tree/mesh_bvh.hpp"
#include "bv/tree/mesh_bvh_wide.hpp"
#include "workloads/meshes.hpp"
#include "workloads/random.hpp"

namespace bv {
namespace {

using workloads::MeshData;
using workloads::Random;

std::uint64_t scaled(std::uint64_t count) {
    const char* scale = std::getenv("BV_TEST_SCALE");
    return static_cast<std::uint64_t>(static_cast<double>(count) *
                                      (scale != nullptr ? std::atof(scale) : 1.0));
}

struct Case {
    MeshData mesh;
    std::vector<Ray> rays;  ///< The first is in the planes of most triangles, but for rounding; the others
                            ///< are close to it.
};

/// Up to 200 triangles, most of them in planes through one ray, at any place along it.
Case edge_on(std::uint64_t seed) {
    Random random(seed, 12);
    Case out;
    const float size = std::ldexp(1.0f, static_cast<int>(random.below(24)) - 12);
    const float away = random.chance(0.5f) ? 0.0f : std::ldexp(size, static_cast<int>(random.below(10)));
    const glm::vec3 from = random.direction() * away;
    glm::vec3 d = random.direction();
    if (random.chance(0.3f)) d[static_cast<int>(random.below(3))] *= std::ldexp(1.0f, -12);
    if (random.chance(0.1f)) d[static_cast<int>(random.below(3))] = 0.0f;
    const std::uint32_t count = 20 + random.below(180);
    const float widest = std::ldexp(1.0f, static_cast<int>(random.below(6)));
    for (std::uint32_t i = 0; i < count; ++i) {
        const glm::vec3 other = random.direction();
        const glm::vec3 side = glm::normalize(glm::cross(d, other));
        const float middle = random.uniform(-0.2f, 8.0f);
        const float spread = widest * std::ldexp(1.0f, -static_cast<int>(random.below(8)));
        // Most are long in one direction of their plane.
        const float slope = random.uniform(-4.0f, 4.0f);
        const float thickness = std::ldexp(1.0f, -static_cast<int>(random.below(8)));
        const float off = random.chance(0.7f) ? 0.0f : std::ldexp(1.0f, -static_cast<int>(random.below(26)));
        const auto first = static_cast<std::uint32_t>(out.mesh.positions.size());
        for (int corner = 0; corner < 3; ++corner) {
            const float across = random.uniform(-spread, spread);
            const float along = middle + slope * across + random.uniform(-spread, spread) * thickness;
            const glm::vec3 jitter = random.direction();
            out.mesh.positions.push_back(from + size * (d * along + side * across + jitter * (off * spread)));
        }
        out.mesh.triangles.push_back({first, first + 1, first + 2});
    }
    const float length = std::ldexp(1.0f, static_cast<int>(random.below(12)) - 6);
    for (int i = 0; i < 64; ++i) {
        const glm::vec3 shift = random.in_ball();
        const float by = i == 0 ? 0.0f : std::ldexp(size, -10 - static_cast<int>(random.below(14)));
        Ray ray{from + shift * by, d * length};
        if (random.chance(0.2f)) ray.t_max = random.uniform(0.0f, 9.0f) * size / length;
        out.rays.push_back(ray);
    }
    return out;
}

/// Triangles around a long edge, and rays at it from close by: t is tiny compared with the corners.
Case fan(std::uint64_t seed) {
    Random random(seed, 13);
    Case out;
    const glm::vec3 center = random.direction();
    glm::vec3 along = random.direction();
    if (random.chance(0.5f)) along = {0.0f, 0.0f, 1.0f};
    out.mesh.positions = {center - along * random.uniform(1.0f, 50.0f), center + along * 30.0f};
    for (std::uint32_t i = 2; i < 40; ++i) {
        const glm::vec3 aside = random.direction();
        out.mesh.positions.push_back(center + aside * std::ldexp(1.0f, -static_cast<int>(random.below(8))));
        out.mesh.triangles.push_back({0, 1, i});
    }
    while (out.rays.size() < 64) {
        const glm::vec3 aside = random.direction();
        const glm::vec3 from = center + aside * std::ldexp(1.0f, -static_cast<int>(random.below(20)));
        const glm::vec3 to = center + along * (random.uniform(-1.0f, 1.0f) * glm::distance(from, center));
        out.rays.push_back({from, to - from});
    }
    return out;
}

Case some_case(std::uint64_t seed) {
    return seed % 2 == 0 ? edge_on(seed) : fan(seed);
}

/// How far the hit's point on the triangle is from that on the ray, relative to the farthest corner.
double distance_to_ray(const MeshHit& hit, const Ray& ray, const MeshData& mesh) {
    const glm::uvec3 t = mesh.triangles[hit.triangle];
    const glm::dvec3 a(mesh.positions[t.x]), b(mesh.positions[t.y]), c(mesh.positions[t.z]);
    const glm::dvec3 o(ray.origin);
    const glm::dvec3 on_triangle =
        a + (b - a) * static_cast<double>(hit.u) + (c - a) * static_cast<double>(hit.v);
    const glm::dvec3 off = on_triangle - (o + static_cast<double>(hit.t) * glm::dvec3(ray.direction));
    double farthest = 0.0, worst = 0.0;
    for (int k = 0; k < 3; ++k) {
        for (const glm::vec3& p : mesh.positions)
            farthest = std::max(farthest, std::abs(static_cast<double>(p[k]) - o[k]));
        worst = std::max(worst, std::abs(off[k]));
    }
    return worst / farthest;
}

TEST(EdgeOnRays, EveryHitLiesOnItsRay) {
    double worst = 0.0;
    std::vector<MeshHit> hits;
    for (std::uint64_t seed = 0; seed < scaled(2000); ++seed) {
        const Case input = some_case(seed);
        MeshBvh tree;
        ASSERT_EQ(tree.build(input.mesh.view()), MeshBuildStatus::Ok);
        for (const Ray& ray : input.rays) {
            tree.raycast_all(ray, hits, RayMode::Watertight);
            for (const MeshHit& hit : hits)
                worst = std::max(worst, distance_to_ray(hit, ray, input.mesh));
        }
    }
    EXPECT_LE(worst, 0x1p-19);
}

TEST(EdgeOnRays, TheSameFirstHitInABspTree) {
    for (std::uint64_t seed = 0; seed < scaled(300); ++seed) {
        const Case input = some_case(seed);
        MeshBvh tree;
        ASSERT_EQ(tree.build(input.mesh.view()), MeshBuildStatus::Ok);
        BspTree bsp;
        ASSERT_EQ(bsp.build(input.mesh.view()), MeshBuildStatus::Ok);
        for (std::size_t r = 0; r < input.rays.size(); ++r)
            ASSERT_EQ(bsp.raycast(input.rays[r], RayMode::Watertight).hit,
                      tree.raycast(input.rays[r], RayMode::Watertight).hit)
                << seed << " " << r;
    }
}

TEST(EdgeOnRays, TheFirstHitIsThatOfAllTrianglesInEveryTree) {
    constexpr RayMode kMode = RayMode::Watertight;
    std::size_t hits_seen = 0;
    for (std::uint64_t seed = 0; seed < scaled(2000); ++seed) {
        const Case input = some_case(seed);
        MeshBvhOptions one_leaf;
        one_leaf.builder = MeshBuilder::Median;
        one_leaf.max_leaf_triangles = 255;
        MeshBvh brute;
        ASSERT_EQ(brute.build(input.mesh.view(), one_leaf), MeshBuildStatus::Ok);
        ASSERT_EQ(brute.nodes().size(), 1u);

        std::vector<MeshBvh> trees(3);
        MeshBvhOptions options;
        options.max_leaf_triangles = 1;
        (void)trees[0].build(input.mesh.view(), options);
        options.builder = MeshBuilder::Morton;
        (void)trees[1].build(input.mesh.view(), options);
        options.builder = MeshBuilder::BinnedSah;
        options.spatial_splits = 2.0f;
        (void)trees[2].build(input.mesh.view(), options);
        std::vector<MeshBvh8> wide(trees.size());
        for (std::size_t i = 0; i < trees.size(); ++i)
            ASSERT_EQ(wide[i].build(trees[i]), MeshBvh8::Status::Ok);

        std::vector<std::vector<MeshHit>> expected(input.rays.size());
        for (std::size_t r = 0; r < input.rays.size(); ++r) {
            const Ray& ray = input.rays[r];
            brute.raycast_all(ray, expected[r], kMode);
            hits_seen += expected[r].size();
            std::optional<MeshHit> first;
            if (!expected[r].empty()) first = expected[r].front();
            std::vector<MeshHit> all;
            Recording trace;
            for (std::size_t i = 0; i < trees.size(); ++i) {
                trees[i].raycast_all(ray, all, kMode);
                ASSERT_EQ(all, expected[r]) << seed << " " << r << " " << i;
                ASSERT_EQ(trees[i].raycast(ray, kMode).hit, first) << seed << " " << r << " " << i;
                ASSERT_EQ(trees[i].raycast_any(ray, kMode), first.has_value()) << seed << " " << r;
                for (const Simd simd : {Simd::Scalar, best_simd()}) {
                    wide[i].raycast_all(ray, all, kMode, simd);
                    ASSERT_EQ(all, expected[r]) << seed << " " << r << " " << i;
                    ASSERT_EQ(wide[i].raycast(ray, kMode, simd).hit, first) << seed << " " << r << " " << i;
                    ASSERT_EQ(wide[i].raycast_any(ray, kMode, simd), first.has_value()) << seed << " " << r;
                }
            }
            if (r == 0) {
                ASSERT_EQ(trees[0].raycast(ray, kMode, trace).hit, first);
                ASSERT_EQ(wide[0].raycast(ray, kMode, trace).hit, first);
            }
        }
        std::vector<MeshRayResult> together(input.rays.size());
        std::vector<std::uint8_t> any(input.rays.size());
        for (const MeshBvh8& tree : wide) {
            tree.raycast(input.rays, together, kMode);
            tree.raycast_any(input.rays, any, kMode);
            for (std::size_t r = 0; r < input.rays.size(); ++r) {
                ASSERT_EQ(any[r] != 0, !expected[r].empty()) << seed << " " << r;
                std::optional<MeshHit> first;
                if (!expected[r].empty()) first = expected[r].front();
                ASSERT_EQ(together[r].hit, first) << seed << " " << r;
            }
        }
    }
    EXPECT_GT(hits_seen, scaled(2000) * 32);
}

/// A closed surface in which about half the triangles end in the middle of an edge of their neighbor. The gap
/// of that T-junction is closed by a triangle without area.
struct Stitched {
    MeshData mesh;
    std::size_t first_stitch = 0;  ///< Triangles from here on have no area.
    [[nodiscard]] std::size_t stitches() const { return mesh.triangles.size() - first_stitch; }
};

Stitched stitched(const MeshData& base, float grid) {
    Stitched out;
    // Coordinates are even multiples of the grid, so that the middle of an edge is exact.
    for (const glm::vec3& p : base.positions)
        out.mesh.positions.push_back(glm::round(p / (2.0f * grid)) * (2.0f * grid));
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> owner;  ///< Of an edge in its direction.
    for (std::size_t i = 0; i < base.triangles.size(); ++i)
        for (int k = 0; k < 3; ++k)
            owner[{base.triangles[i][k], base.triangles[i][(k + 1) % 3]}] = i;
    std::vector<bool> used(base.triangles.size(), false);
    std::vector<glm::uvec3> stitches;
    for (std::size_t i = 0; i < base.triangles.size(); ++i) {
        const glm::uvec3 t = base.triangles[i];
        const std::size_t neighbor = owner.at({t[1], t[0]});
        if (used[i] || used[neighbor]) {
            if (!used[i]) out.mesh.triangles.push_back(t);
            used[i] = true;
            continue;
        }
        used[i] = true;
        const auto m = static_cast<std::uint32_t>(out.mesh.positions.size());
        out.mesh.positions.push_back((out.mesh.positions[t[0]] + out.mesh.positions[t[1]]) * 0.5f);
        out.mesh.triangles.push_back({t[0], m, t[2]});
        out.mesh.triangles.push_back({m, t[1], t[2]});
        stitches.push_back({t[0], t[1], m});
    }
    out.first_stitch = out.mesh.triangles.size();
    out.mesh.triangles.insert(out.mesh.triangles.end(), stitches.begin(), stitches.end());
    return out;
}

TEST(EdgeOnRays, TrianglesWithoutAreaCloseTJunctions) {
    Random random(5);
    std::size_t stitch_hits = 0;
    for (const float grid : {0x1p-12f, 0x1p-8f})
        for (const MeshData& base : {workloads::icosphere(2), workloads::icosphere(3)}) {
            const Stitched input = stitched(base, grid);
            MeshBvh tree;
            ASSERT_EQ(tree.build(input.mesh.view()), MeshBuildStatus::Ok);
            MeshBvh8 wide;
            ASSERT_EQ(wide.build(tree), MeshBvh8::Status::Ok);
            std::vector<Ray> rays;
            for (std::size_t i = 0; i < scaled(20000); ++i) {
                const std::size_t s = input.first_stitch + i / 64 % input.stitches();
                const glm::uvec3 t = input.mesh.triangles[s];
                const glm::vec3 a = input.mesh.positions[t.x], b = input.mesh.positions[t.y];
                const glm::vec3 from = 0.05f * random.in_ball();
                rays.push_back({from, a + random.uniform() * (b - a) - from});
            }
            std::vector<MeshRayResult> together(rays.size());
            wide.raycast(rays, together, RayMode::Watertight);
            for (std::size_t i = 0; i < rays.size(); ++i) {
                const auto hit = tree.raycast(rays[i], RayMode::Watertight).hit;
                ASSERT_TRUE(hit.has_value()) << i;
                stitch_hits += hit->triangle >= input.first_stitch ? 1 : 0;
                for (const Simd simd : {Simd::Scalar, best_simd()})
                    ASSERT_EQ(wide.raycast(rays[i], RayMode::Watertight, simd).hit, hit) << i;
                ASSERT_EQ(together[i].hit, hit) << i;
            }
        }
    // Without them these rays would slip through.
    EXPECT_GT(stitch_hits, 0u);
}

}  // namespace
}  // namespace bv
