// Rays through every tree against the reference: each box or triangle separately, in long double. Coordinates
// up to the largest float, subnormal ones, directions of any size; scalar and SIMD.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "bv/broadphase/broadphase.hpp"
#include "bv/query/raycast.hpp"
#include "bv/tree/bsp_tree.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/mesh_bvh.hpp"
#include "bv/tree/mesh_bvh_wide.hpp"
#include "bv/tree/wide_tree.hpp"
#include "query_cases.hpp"
#include "reference/ray_reference.hpp"

namespace bv {
namespace {

using glm::vec3;
using reference::Real;
using test::Random;

constexpr float kMax = std::numeric_limits<float>::max();
constexpr float kSmallest = std::numeric_limits<float>::denorm_min();

/// The sizes in a world.
enum class World { Plain, Tiny, Subnormal, Huge, Largest, Mixed };
constexpr World kWorlds[] = {World::Plain, World::Tiny,    World::Subnormal,
                             World::Huge,  World::Largest, World::Mixed};

float coordinate(Random& rng, World world) {
    switch (world) {
        case World::Plain:
            return rng.range(-1, 1);
        case World::Tiny:
            return rng.range(-1, 1) * 1e-30f;
        case World::Subnormal:
            return static_cast<float>(static_cast<int>(rng.below(2001)) - 1000) * kSmallest;
        case World::Huge:
            return rng.range(-1, 1) * 1e30f;
        case World::Largest:
            return rng.range(-1, 1) * kMax;
        default:
            return rng.range(-1, 1) * std::pow(10.0f, rng.range(-44, 38));
    }
}
vec3 point(Random& rng, World world) {
    const float x = coordinate(rng, world), y = coordinate(rng, world), z = coordinate(rng, world);
    return {x, y, z};
}

vec3 any_direction(Random& rng, const vec3& from, const vec3& to) {
    const glm::dvec3 difference = glm::dvec3(to) - glm::dvec3(from);
    const double longest =
        std::max({std::abs(difference.x), std::abs(difference.y), std::abs(difference.z), 1e-300});
    glm::dvec3 d = difference / longest;
    if (rng.chance(0.2)) d = glm::dvec3(rng.vec(-1, 1));
    if (rng.chance(0.2)) d[rng.below(3)] = 0.0;
    const int kind = rng.below(6);
    if (kind == 0) d *= 1e-38;
    if (kind == 1) d *= 3e-44;
    if (kind == 2) d *= 3e38;
    if (kind == 3) d *= std::pow(10.0, rng.in(-30, 30));
    return vec3(d);
}

Ray any_ray(Random& rng, World world) {
    Ray ray;
    ray.origin = point(rng, rng.chance(0.8) ? world : kWorlds[rng.below(6)]);
    ray.direction = any_direction(rng, ray.origin, point(rng, world));
    if (rng.chance(0.2)) ray.t_max = rng.range(0, 2);
    if (rng.chance(0.2)) ray.t_min = rng.range(-0.5f, 1.5f);
    return ray;
}

std::vector<Aabb> some_boxes(Random& rng, World world, int count) {
    std::vector<Aabb> boxes;
    for (int i = 0; i < count; ++i) {
        const vec3 a = point(rng, world), b = rng.chance(0.1) ? a : point(rng, world);
        // Most are small compared with the world.
        const float share = rng.chance(0.2) ? 1.0f : 0.1f;
        const vec3 to = rng.chance(0.1) ? a : a * (1.0f - share) + b * share;
        boxes.push_back({glm::min(a, to), glm::max(a, to)});
    }
    return boxes;
}

using Hits = std::map<std::uint64_t, float>;

template <class Tree>
Hits hits_of(const Tree& tree, const Ray& ray) {
    Hits hits;
    tree.raycast(ray, [&](ProxyId, std::uint64_t data, float t) {
        EXPECT_TRUE(hits.emplace(data, t).second);
        return std::numeric_limits<float>::infinity();
    });
    return hits;
}

void expect_same(const Hits& got, const std::vector<Aabb>& boxes, const Ray& ray, const char* what) {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const auto expected = reference::ray_in_box(ray, boxes[i]);
        const auto it = got.find(i);
        ASSERT_EQ(it != got.end(), expected.has_value()) << what << ", box " << i;
        if (!expected) continue;
        const auto t = static_cast<float>((*expected)[0]);
        ASSERT_GE(it->second, ray.t_min) << what;
        ASSERT_TRUE(it->second == t || std::abs(it->second - t) <= 1e-6f * t + kSmallest)
            << what << ", box " << i << ": " << it->second << " instead of " << t;
    }
}

TEST(TreeRays, BoxesOfEverySizeMatchTheReference) {
    Random rng(31);
    int hits = 0, rays = 0;
    for (int round = 0; round < 12; ++round) {
        for (const World world : kWorlds) {
            const std::vector<Aabb> boxes = some_boxes(rng, world, round == 0 ? 1 : 80);
            DynamicTree tree;
            WideTreeOptions scalar, simd;
            scalar.simd = Simd::Scalar;
            WideTree wide_scalar{scalar}, wide{simd};
            std::vector<std::unique_ptr<Broadphase>> engines;
            for (const BroadphaseInfo& info : broadphase_kinds())
                engines.push_back(make_broadphase(info.kind));
            for (std::size_t i = 0; i < boxes.size(); ++i) {
                ASSERT_TRUE(tree.insert(boxes[i], i));
                ASSERT_TRUE(wide_scalar.insert(boxes[i], i));
                ASSERT_TRUE(wide.insert(boxes[i], i));
                for (auto& engine : engines)
                    ASSERT_TRUE(engine->insert(boxes[i], i));
            }
            for (auto& engine : engines)
                engine->update();
            for (int n = 0; n < 150; ++n) {
                Ray ray = any_ray(rng, world);
                const auto at = static_cast<std::size_t>(rng.below(boxes.size()));
                if (rng.chance(0.3)) ray.origin = boxes[at].corner(rng.below(8));
                const Hits got = hits_of(tree, ray);
                hits += static_cast<int>(got.size());
                ++rays;
                expect_same(got, boxes, ray, "DynamicTree");
                const Hits eight = hits_of(wide, ray);
                ASSERT_EQ(eight, got);
                ASSERT_EQ(hits_of(wide_scalar, ray), got);
                const auto met_by = [&](const auto& cast_in) {
                    Hits met;
                    cast_in.cast_box(boxes[at], ray.direction, [&](ProxyId, std::uint64_t data, float t) {
                        EXPECT_TRUE(met.emplace(data, t).second);
                        return std::numeric_limits<float>::infinity();
                    });
                    return met;
                };
                ASSERT_EQ(met_by(wide), met_by(tree));
                ASSERT_EQ(met_by(wide_scalar), met_by(tree));
                for (auto& engine : engines)
                    ASSERT_EQ(hits_of(*engine, ray), got);
                if (HasFatalFailure()) return;
                // The nearest: each hit shortens the ray.
                float nearest = std::numeric_limits<float>::infinity();
                tree.raycast(ray,
                             [&](ProxyId, std::uint64_t, float t) { return nearest = std::min(nearest, t); });
                float nearest_wide = std::numeric_limits<float>::infinity();
                wide.raycast(ray, [&](ProxyId, std::uint64_t, float t) {
                    return nearest_wide = std::min(nearest_wide, t);
                });
                float expected = std::numeric_limits<float>::infinity();
                for (const auto& [data, t] : got)
                    expected = std::min(expected, t);
                ASSERT_EQ(nearest, expected);
                ASSERT_EQ(nearest_wide, expected);
            }
        }
    }
    EXPECT_GT(hits, rays);
}

/// The nearest hit by the reference, and whether it is certain: nothing within rounding of an edge, of the
/// start or of the end.
struct MeshTruth {
    bool certain = true;
    std::optional<Real> t;
};
MeshTruth truth_of(const std::vector<Triangle>& triangles, const Ray& ray) {
    MeshTruth truth;
    Real size = 0;
    for (const Triangle& t : triangles)
        for (const vec3& p : {t.a, t.b, t.c})
            size = std::max(size, reference::length(reference::Vec(p)));
    // Uncertain from too far away.
    truth.certain = reference::length(reference::Vec(ray.origin)) < 1e4L * size;
    // A t this small is next to the start.
    const Real start = 1e-4L * size / reference::length(reference::Vec(ray.direction));
    for (const Triangle& t : triangles) {
        const auto answer = reference::ray_against(ray, t);
        if (!answer) continue;
        // Float trees miss hits within a few roundings of an edge, relative to the size of the mesh.
        const Real from = reference::begin_of(ray);
        if (std::abs(answer->inside) < 1e-3L && answer->t > from - start) truth.certain = false;
        if (answer->inside < 0) continue;
        const Real t_max = ray.t_max;
        if (std::abs(answer->t - from) < start + 1e-4L * from) truth.certain = false;
        if (std::abs(answer->t - t_max) < 1e-4L * t_max) truth.certain = false;
        if (answer->t < from || answer->t > t_max) continue;
        if (!truth.t || answer->t < *truth.t) truth.t = answer->t;
    }
    return truth;
}

TEST(TreeRays, MeshesOfEverySizeMatchTheReference) {
    Random rng(32);
    int hits = 0, certain = 0;
    for (int round = 0; round < 12; ++round) {
        for (const World world : {World::Plain, World::Tiny, World::Subnormal, World::Huge, World::Largest}) {
            std::vector<vec3> positions;
            std::vector<glm::uvec3> indices;
            std::vector<Triangle> triangles;
            for (unsigned i = 0; i < 60; ++i) {
                for (int k = 0; k < 3; ++k)
                    positions.push_back(point(rng, world));
                indices.emplace_back(3 * i, 3 * i + 1, 3 * i + 2);
                triangles.push_back({positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]});
            }
            const MeshView view{positions, indices};
            MeshBvh tree;
            ASSERT_EQ(tree.build(view), MeshBuildStatus::Ok);
            MeshBvh8 wide;
            wide.build(tree);
            BspTree bsp;
            ASSERT_EQ(bsp.build(view), MeshBuildStatus::Ok);
            for (int n = 0; n < 150; ++n) {
                Ray ray = any_ray(rng, world);
                const MeshTruth truth = truth_of(triangles, ray);
                for (const RayMode mode : {RayMode::Fast, RayMode::Watertight}) {
                    const auto got = tree.raycast(ray, mode).hit;
                    const auto scalar = wide.raycast(ray, mode, Simd::Scalar).hit;
                    ASSERT_EQ(wide.raycast(ray, mode).hit, scalar) << "scalar and SIMD differ";
                    ASSERT_EQ(wide.raycast_any(ray, mode), scalar.has_value());
                    Recording trace;
                    ASSERT_EQ(wide.raycast(ray, mode, trace).hit, scalar);
                    if (!truth.certain) continue;
                    ++certain;
                    hits += truth.t.has_value();
                    const std::optional<MeshHit> of_bsp = bsp.raycast(ray, mode).hit;
                    for (const auto& hit : {got, scalar, of_bsp}) {
                        ASSERT_EQ(hit.has_value(), truth.t.has_value())
                            << "world " << static_cast<int>(world) << " ray " << n;
                        if (!hit) continue;
                        const auto t = static_cast<float>(*truth.t);
                        ASSERT_TRUE(hit->t == t || std::abs(hit->t - t) <= 1e-3f * t + 2 * kSmallest)
                            << hit->t << " instead of " << t;
                    }
                    std::vector<MeshHit> all;
                    tree.raycast_all(ray, all, mode);
                    ASSERT_EQ(all.empty(), !got);
                }
            }
        }
    }
    EXPECT_GT(hits, 1000);
    EXPECT_GT(certain, hits);
}

// A ray that begins later has exactly the hits that remain: at each hit's own t, just after it, and between.
TEST(TreeRays, TMinKeepsTheLaterHitsOfAMesh) {
    Random rng(34);
    std::size_t kept = 0, dropped = 0;
    for (int round = 0; round < 40; ++round) {
        std::vector<vec3> positions;
        std::vector<glm::uvec3> indices;
        for (unsigned i = 0; i < 200; ++i) {
            for (int k = 0; k < 3; ++k)
                positions.push_back(rng.vec(-1, 1));
            // Some lie across an axis: their boxes are as thin as they are.
            if (i % 4 == 0)
                for (unsigned k = 1; k < 3; ++k)
                    positions[3 * i + k][static_cast<int>(i / 4 % 3)] =
                        positions[3 * i][static_cast<int>(i / 4 % 3)];
            indices.emplace_back(3 * i, 3 * i + 1, 3 * i + 2);
        }
        const MeshView view{positions, indices};
        MeshBvh tree;
        ASSERT_EQ(tree.build(view), MeshBuildStatus::Ok);
        MeshBvh8 wide;
        wide.build(tree);
        BspTree bsp;
        ASSERT_EQ(bsp.build(view), MeshBuildStatus::Ok);
        for (int n = 0; n < 100; ++n) {
            Ray ray{rng.vec(-2, 2), vec3(0)};
            ray.direction = (rng.vec(-0.7f, 0.7f) - ray.origin) * rng.range(0.1f, 2.0f);
            if (rng.chance(0.2)) ray.direction[rng.below(3)] = 0.0f;
            for (const RayMode mode : {RayMode::Fast, RayMode::Watertight}) {
                std::vector<MeshHit> all, rest;
                ray.t_min = 0.0f;
                tree.raycast_all(ray, all, mode);
                std::vector<float> starts{rng.range(0, 1)};
                for (const MeshHit& hit : all) {
                    starts.push_back(hit.t);
                    starts.push_back(std::nextafter(hit.t, kMax));
                }
                for (const float start : starts) {
                    ray.t_min = start;
                    tree.raycast_all(ray, rest, mode);
                    const auto first = std::find_if(all.begin(), all.end(),
                                                    [&](const MeshHit& hit) { return hit.t >= start; });
                    ASSERT_EQ(rest, std::vector<MeshHit>(first, all.end())) << start;
                    kept += rest.size();
                    dropped += all.size() - rest.size();
                    const auto expected = rest.empty() ? std::optional<MeshHit>() : rest.front();
                    Recording trace;
                    ASSERT_EQ(tree.raycast(ray, mode).hit, expected);
                    ASSERT_EQ(tree.raycast(ray, mode, trace).hit, expected);
                    ASSERT_EQ(tree.raycast_any(ray, mode), expected.has_value());
                    ASSERT_EQ(bsp.raycast(ray, mode).hit, expected);
                    ASSERT_EQ(wide.raycast(ray, mode).hit, expected);
                    ASSERT_EQ(wide.raycast(ray, mode, Simd::Scalar).hit, expected);
                    ASSERT_EQ(wide.raycast(ray, mode, trace).hit, expected);
                    for (const Simd simd : {Simd::Scalar, best_simd()})
                        ASSERT_EQ(wide.raycast_any(ray, mode, simd), expected.has_value());
                }
            }
        }
    }
    EXPECT_GT(kept, 20000u);
    EXPECT_GT(dropped, 20000u);
}

TEST(TreeRays, NormalsOfMeshHits) {
    // Two triangles of opposite winding, one without area, one that is not finite.
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<vec3> positions{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 0, 0}, {nan, 0, 0}, {0, 0, 3}};
    const std::vector<glm::uvec3> indices{{0, 1, 2}, {0, 2, 5}, {0, 2, 1}, {0, 1, 3}, {0, 1, 4}};
    MeshBvh tree;
    ASSERT_EQ(tree.build({positions, indices}), MeshBuildStatus::Ok);
    MeshBvh8 wide;
    wide.build(tree);
    const auto check = [&](const auto& of) {
        const auto normal = [&](std::uint32_t triangle) { return of.normal(MeshHit{0, 0, 0, triangle}); };
        EXPECT_EQ(normal(0), vec3(0, 0, 1));
        EXPECT_EQ(normal(1), vec3(1, 0, 0));
        EXPECT_EQ(normal(2), vec3(0, 0, -1));
        for (const std::uint32_t none : {3u, 4u, 5u, MeshHit::kNone})
            EXPECT_EQ(normal(none), vec3(0)) << none;
        // The winding decides, not the side that the ray comes from.
        for (const float side : {-1.0f, 1.0f}) {
            const auto hit = of.raycast(Ray{{0.2f, 0.2f, side}, {0, 0, -side}}).hit;
            ASSERT_TRUE(hit);
            EXPECT_EQ(hit->triangle, 0u);
            EXPECT_EQ(of.normal(*hit), vec3(0, 0, 1));
        }
    };
    check(tree);
    check(wide);
    EXPECT_EQ(MeshBvh().normal(MeshHit{0, 0, 0, 0}), vec3(0));
    EXPECT_EQ(MeshBvh8().normal(MeshHit{0, 0, 0, 0}), vec3(0));
    // After a refit, that of the moved corners.
    std::vector<vec3> moved = positions;
    for (vec3& p : moved)
        p = {p.z, p.x, p.y};
    moved[4] = vec3(0);
    ASSERT_EQ(tree.refit(moved), MeshBuildStatus::Ok);
    wide.refit(tree);
    EXPECT_EQ(tree.normal(MeshHit{0, 0, 0, 0}), vec3(1, 0, 0));
    EXPECT_EQ(wide.normal(MeshHit{0, 0, 0, 0}), vec3(1, 0, 0));
}

// Beyond single precision, trees over triangles give the results of bv::raycast for each triangle.
TEST(TreeRays, BeyondSinglePrecisionMeshesMatchTheirTriangles) {
    Random rng(33);
    int hits = 0;
    for (int round = 0; round < 10; ++round) {
        for (const World world : {World::Tiny, World::Subnormal, World::Huge, World::Largest}) {
            std::vector<vec3> positions;
            std::vector<glm::uvec3> indices;
            for (unsigned i = 0; i < 40; ++i) {
                for (int k = 0; k < 3; ++k)
                    positions.push_back(point(rng, world));
                indices.emplace_back(3 * i, 3 * i + 1, 3 * i + 2);
            }
            const MeshView view{positions, indices};
            MeshBvh tree;
            ASSERT_EQ(tree.build(view), MeshBuildStatus::Ok);
            MeshBvh8 wide;
            wide.build(tree);
            for (int n = 0; n < 100; ++n) {
                Ray ray = any_ray(rng, world);
                if (rng.chance(0.3)) ray.origin = positions[static_cast<std::size_t>(rng.below(120))];
                std::optional<MeshHit> fast, tight;
                for (unsigned i = 0; i < 40; ++i) {
                    const auto offer = [i](std::optional<MeshHit>& best, const std::optional<RayHit>& hit) {
                        if (hit && (!best || hit->t < best->t)) best = MeshHit{hit->t, hit->u, hit->v, i};
                    };
                    offer(fast, raycast(ray, view.triangle(i)));
                    offer(tight, raycast(WatertightRay(ray), view.triangle(i)));
                }
                hits += fast.has_value();
                ASSERT_EQ(tree.raycast(ray, RayMode::Fast).hit, fast) << n;
                ASSERT_EQ(tree.raycast(ray, RayMode::Watertight).hit, tight) << n;
                ASSERT_EQ(wide.raycast(ray, RayMode::Fast).hit, fast) << n;
                ASSERT_EQ(wide.raycast(ray, RayMode::Watertight).hit, tight) << n;
            }
        }
    }
    EXPECT_GT(hits, 500);
}

/// A direction with one component so small that a distance over it exceeds the largest float, though its
/// reciprocal does not.
TEST(TreeRays, TinyComponentsOfADirectionLoseNoHit) {
    constexpr int kSquares = 20;
    for (const float size : {1e-3f, 100.0f, 1e9f}) {
        std::vector<vec3> positions;
        std::vector<glm::uvec3> indices;
        const auto at = [&](int i) { return size * (static_cast<float>(i) / kSquares - 0.5f); };
        for (int x = 0; x < kSquares; ++x)
            for (int y = 0; y < kSquares; ++y) {
                const auto first = static_cast<unsigned>(positions.size());
                for (const auto& [i, k] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}})
                    positions.emplace_back(at(x + i), at(y + k), 0.0f);
                indices.emplace_back(first, first + 1, first + 2);
                indices.emplace_back(first, first + 2, first + 3);
            }
        MeshBvh tree;
        ASSERT_EQ(tree.build({positions, indices}), MeshBuildStatus::Ok);
        MeshBvh8 wide;
        wide.build(tree);
        Random rng(7);
        for (int exponent = -30; exponent >= -45; --exponent) {
            std::vector<Ray> rays;
            for (int n = 0; n < 64; ++n) {
                const float x = rng.range(-0.4f, 0.4f) * size, y = rng.range(-0.4f, 0.4f) * size;
                const float tiny = std::pow(10.0f, static_cast<float>(exponent)) * rng.range(-1, 1);
                rays.push_back({{x, y, 0.1f * size}, {0.02f, tiny, -1.0f}});
            }
            for (const RayMode mode : {RayMode::Fast, RayMode::Watertight}) {
                std::vector<MeshRayResult> together(rays.size());
                wide.raycast(rays, together, mode);
                for (std::size_t n = 0; n < rays.size(); ++n) {
                    const auto hit = tree.raycast(rays[n], mode).hit;
                    ASSERT_TRUE(hit) << size << " 1e" << exponent;
                    ASSERT_EQ(wide.raycast(rays[n], mode).hit, hit) << size << " 1e" << exponent;
                    ASSERT_EQ(together[n].hit, hit) << size << " 1e" << exponent;
                    ASSERT_TRUE(wide.raycast_any(rays[n], mode)) << size << " 1e" << exponent;
                }
            }
        }
    }
}

/// Over all of the range that the header gives to single precision.
TEST(TreeRays, TOfAWatertightHitIsAccurateWhateverTheSizes) {
    Random rng(8);
    int hits = 0;
    for (int n = 0; n < 4000; ++n) {
        const float size = std::exp2(rng.range(-35, 36)), length = std::exp2(rng.range(-39, 39));
        std::vector<vec3> positions;
        for (int i = 0; i < 3; ++i)
            positions.push_back(size * vec3(rng.range(-1, 1), rng.range(-1, 1), rng.range(-1, 1)));
        const std::vector<glm::uvec3> indices{{0, 1, 2}};
        const vec3 inside = 0.2f * positions[0] + 0.3f * positions[1] + 0.5f * positions[2];
        const vec3 toward = glm::normalize(vec3(rng.range(-1, 1), rng.range(-1, 1), rng.range(-1, 1)));
        const Ray ray{inside - 3.0f * size * toward, length * toward};
        const Triangle triangle = MeshView{positions, indices}.triangle(0);
        const vec3 across = glm::cross((triangle.b - triangle.a) / size, (triangle.c - triangle.a) / size);
        // Seen nearly edge-on, a rounding of the corners moves the hit far along the ray.
        if (std::abs(glm::dot(across, toward)) < 0.1f * glm::length(across)) continue;
        const auto reference = raycast(ray, triangle);
        if (!reference) continue;
        ++hits;
        MeshBvh tree;
        ASSERT_EQ(tree.build({positions, indices}), MeshBuildStatus::Ok);
        MeshBvh8 wide;
        wide.build(tree);
        const auto hit = tree.raycast(ray, RayMode::Watertight).hit;
        ASSERT_TRUE(hit) << size << " " << length;
        EXPECT_NEAR(hit->t / reference->t, 1.0f, 0x1p-16f) << size << " " << length;
        EXPECT_EQ(wide.raycast(ray, RayMode::Watertight).hit, hit) << size << " " << length;
    }
    EXPECT_GT(hits, 3000);
}

/// Centers of boxes with subnormal bounds are rounded once, not with each bound.
TEST(TreeRays, MovedBoxesWithSubnormalBoundsMeetWhatTheyOverlap) {
    Random rng(5);
    DynamicTree tree;
    WideTree wide;
    std::vector<Aabb> boxes;
    constexpr float kLeast = std::numeric_limits<float>::denorm_min();
    for (std::uint64_t i = 0; i < 200; ++i) {
        const auto place = [&] { return kLeast * static_cast<float>(1 + rng.below(40)); };
        const glm::vec3 p(place(), place(), kLeast);  // all in one plane
        boxes.push_back({p, p + glm::vec3(2.0f * place(), 2.0f * place(), 0.0f)});
        tree.insert(boxes.back(), i);
        wide.insert(boxes.back(), i);
    }
    for (const Aabb& moving : boxes) {
        const auto met_by = [&](const auto& cast_in) {
            std::set<std::uint64_t> met;
            cast_in.cast_box(moving, glm::vec3(0.0f, 0.0f, 1.0f), [&](ProxyId, std::uint64_t data, float) {
                met.insert(data);
                return std::numeric_limits<float>::infinity();
            });
            return met;
        };
        // Its center in double, against boxes grown by half its size.
        std::set<std::uint64_t> expected;
        for (std::uint64_t i = 0; i < boxes.size(); ++i) {
            bool meets = true;
            for (int k = 0; k < 2; ++k) {
                const auto center = static_cast<float>(0.5 * (double{moving.min[k]} + double{moving.max[k]}));
                const auto half = static_cast<float>(0.5 * (double{moving.max[k]} - double{moving.min[k]}));
                meets = meets && center >= boxes[i].min[k] - half && center <= boxes[i].max[k] + half;
            }
            if (meets) expected.insert(i);
        }
        ASSERT_EQ(met_by(tree), expected);
        ASSERT_EQ(met_by(wide), expected);
    }
}

}  // namespace
}  // namespace bv
