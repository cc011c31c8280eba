// MeshBvh8 against the MeshBvh that it was made from, its scalar form against the SIMD form, and both against
// Embree.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "bench/embree_scene.hpp"
#include "bv/query/overlap.hpp"
#include "bv/query/overlap_triangle.hpp"
#include "bv/tree/mesh_bvh_wide.hpp"
#include "workloads/meshes.hpp"
#include "workloads/random.hpp"
#include "workloads/rays.hpp"

namespace bv {
namespace {

using workloads::MeshData;
using workloads::Random;

std::size_t scaled(std::size_t count) {
    const char* scale = std::getenv("BV_TEST_SCALE");
    return static_cast<std::size_t>(static_cast<double>(count) * (scale != nullptr ? std::atof(scale) : 1.0));
}

MeshData scaled_copy(MeshData mesh, float scale) {
    for (glm::vec3& p : mesh.positions)
        p *= scale;
    return mesh;
}

Aabb bounds_of(const MeshData& mesh) {
    Aabb box;
    for (const glm::vec3& p : mesh.positions)
        box = merge(box, p);
    return box;
}

std::vector<MeshData> meshes() {
    return {workloads::icosphere(4), workloads::torus_knot(2, 3, 0.09f, 200, 16),
            workloads::box(),        workloads::gear(9),
            workloads::teapot(8),    workloads::rock(3, 5)};
}

std::vector<Ray> all_kinds_of_rays(const Aabb& box, std::size_t count) {
    std::vector<Ray> rays = workloads::rays_from_outside(count, box, 1);
    for (const auto& more : {workloads::rays_from_inside(count / 2, box, 2),
                             workloads::segments_inside(count / 2, box, 3), workloads::awkward_rays(box)})
        rays.insert(rays.end(), more.begin(), more.end());
    return rays;
}

TEST(MeshBvh8, ScalarAndSimdAgreeBitForBit) {
    if (best_simd() == Simd::Scalar) GTEST_SKIP() << "no AVX2 here";
    for (const MeshData& mesh : meshes()) {
        MeshBvh tree;
        tree.build(mesh.view());
        MeshBvh8 wide;
        ASSERT_EQ(wide.build(tree), MeshBvh8::Status::Ok);
        for (const Ray& ray : all_kinds_of_rays(bounds_of(mesh), scaled(5000)))
            for (const RayMode mode : {RayMode::Fast, RayMode::Watertight}) {
                const MeshRayResult a = wide.raycast(ray, mode, Simd::Scalar);
                const MeshRayResult b = wide.raycast(ray, mode, Simd::Avx2);
                ASSERT_EQ(a.hit, b.hit);
                ASSERT_EQ(a.stats, b.stats);
                ASSERT_EQ(wide.raycast_any(ray, mode, Simd::Scalar), wide.raycast_any(ray, mode, Simd::Avx2));
            }
    }
}

TEST(MeshBvh8, SameHitsAsTheBinaryTree) {
    for (const MeshData& mesh : meshes())
        for (const float scale : {1e-6f, 1e-3f, 1.0f, 1e3f, 1e6f}) {
            const MeshData copy = scaled_copy(mesh, scale);
            MeshBvh tree;
            tree.build(copy.view());
            MeshBvh8 wide;
            wide.build(tree);
            EXPECT_TRUE(wide.validate());
            std::size_t lost = 0;
            const auto rays = all_kinds_of_rays(bounds_of(copy), scaled(1000));
            for (const Ray& ray : rays) {
                const auto a = tree.raycast(ray, RayMode::Watertight).hit;
                const auto b = wide.raycast(ray, RayMode::Watertight).hit;
                ASSERT_EQ(a.has_value(), b.has_value());
                // All triangles of a vertex are hit there at the same distance, except for rounding.
                ASSERT_TRUE(!a || std::abs(a->t - b->t) <=
                                      1e-5f * a->t + 1e-6f * scale / glm::length(ray.direction));
                const auto fast_a = tree.raycast(ray).hit;
                const auto fast_b = wide.raycast(ray).hit;
                if (fast_a.has_value() != fast_b.has_value()) ++lost;
                ASSERT_EQ(wide.raycast_any(ray, RayMode::Watertight), b.has_value());
            }
            EXPECT_EQ(lost, 0u);
        }
}

TEST(MeshBvh8, WatertightModeMissesNoRayAtEdgesAndVertices) {
    Random random(11);
    for (const float scale : {1e-6f, 1.0f, 1e6f})
        for (const MeshData& base : {workloads::icosphere(4), workloads::box(), workloads::rock(4, 4)}) {
            const MeshData mesh = scaled_copy(base, scale);
            MeshBvh tree;
            tree.build(mesh.view());
            MeshBvh8 wide;
            wide.build(tree);
            for (std::size_t i = 0; i < scaled(100000); ++i) {
                const glm::uvec3 t = random.one_of(mesh.triangles);
                const float f = (i % 3 == 0) ? 0.0f : random.uniform();
                const glm::vec3 target =
                    mesh.positions[t.x] + f * (mesh.positions[t.y] - mesh.positions[t.x]);
                const glm::vec3 from = 0.05f * scale * random.in_ball();
                ASSERT_TRUE(wide.raycast({from, target - from}, RayMode::Watertight).hit.has_value())
                    << i << " " << scale;
            }
        }
}

TEST(MeshBvh8, TracedEqualsFast) {
    const MeshData mesh = workloads::teapot(6);
    MeshBvh tree;
    tree.build(mesh.view());
    MeshBvh8 wide;
    wide.build(tree);
    const TreeSnapshot snapshot = wide.snapshot();
    for (const Ray& ray : workloads::rays_from_outside(scaled(2000), bounds_of(mesh), 51)) {
        Recording trace;
        const MeshRayResult plain = wide.raycast(ray);
        const MeshRayResult traced = wide.raycast(ray, RayMode::Fast, trace);
        ASSERT_EQ(plain.hit, traced.hit);
        ASSERT_EQ(plain.stats, traced.stats);
        std::uint32_t entered = 0;
        for (const TraceEvent& event : trace.events()) {
            const auto& node = std::get<NodeVisited>(event);
            entered += node.verdict == NodeVisited::Verdict::Entered ? 1u : 0u;
            ASSERT_TRUE(std::find(snapshot.source_nodes.begin(), snapshot.source_nodes.end(),
                                  node.node.value) != snapshot.source_nodes.end());
        }
        EXPECT_EQ(entered, plain.stats.nodes_visited);
    }
}

TEST(MeshBvh8, BuiltAgainIsLikeNew) {
    MeshBvh binary;
    MeshBvh8 wide;
    std::vector<MeshData> all = meshes();
    all.insert(all.begin() + 2, MeshData{});
    for (const MeshData& mesh : all) {
        binary.build(mesh.view());
        wide.build(binary);
        EXPECT_EQ(binary.empty(), mesh.triangles.empty()) << mesh.name;
        EXPECT_EQ(wide.empty(), mesh.triangles.empty()) << mesh.name;
        if (mesh.triangles.empty()) continue;
        MeshBvh new_binary;
        new_binary.build(mesh.view());
        MeshBvh8 new_wide;
        new_wide.build(new_binary);
        EXPECT_TRUE(binary.validate() && wide.validate()) << mesh.name;
        EXPECT_EQ(binary.memory_bytes(), new_binary.memory_bytes()) << mesh.name;
        EXPECT_EQ(wide.memory_bytes(), new_wide.memory_bytes()) << mesh.name;
        for (const Ray& ray : all_kinds_of_rays(bounds_of(mesh), 200)) {
            EXPECT_EQ(binary.raycast(ray).hit, new_binary.raycast(ray).hit) << mesh.name;
            EXPECT_EQ(wide.raycast(ray).hit, new_wide.raycast(ray).hit) << mesh.name;
        }
    }
}

TEST(MeshBvh8, RefitFollowsTheBinaryTree) {
    MeshData mesh = workloads::rock(7, 4);
    MeshBvh tree;
    tree.build(mesh.view());
    MeshBvh8 wide;
    wide.build(tree);
    for (glm::vec3& p : mesh.positions)
        p = glm::vec3(p.y * 3.0f, p.z, p.x + p.y * p.y);
    tree.refit(mesh.positions);
    wide.refit(tree);
    EXPECT_TRUE(wide.validate());
    for (const Ray& ray : workloads::rays_from_outside(scaled(3000), bounds_of(mesh), 8)) {
        const auto a = tree.raycast(ray, RayMode::Watertight).hit;
        const auto b = wide.raycast(ray, RayMode::Watertight).hit;
        ASSERT_EQ(a.has_value(), b.has_value());
        ASSERT_TRUE(!a || std::abs(a->t - b->t) <= 1e-5f * a->t);
    }
}

/// A picture of `side` x `side` pixels in tiles of 8 x 8, from `eye` toward the mesh.
std::vector<Ray> tiles_of(const Aabb& box, const glm::vec3& eye, int side) {
    const glm::vec3 forward = box.center() - eye;
    const glm::vec3 right = 0.7f * glm::vec3(forward.z, 0.1f * forward.x, -forward.x);
    const glm::vec3 up = 0.7f * glm::length(forward) * glm::normalize(glm::cross(right, forward));
    std::vector<Ray> rays;
    for (int tile = 0; tile < side * side / 64; ++tile)
        for (int i = 0; i < 64; ++i) {
            const int x = tile % (side / 8) * 8 + i % 8, y = tile / (side / 8) * 8 + i / 8;
            const float across = static_cast<float>(2 * x + 1) / static_cast<float>(side) - 1.0f;
            const float along = static_cast<float>(2 * y + 1) / static_cast<float>(side) - 1.0f;
            rays.push_back({eye, forward + across * right + along * up});
        }
    return rays;
}

/// Every triangle twice, so that every hit is a tie.
MeshData doubled(MeshData mesh) {
    const std::size_t count = mesh.triangles.size();
    for (std::size_t i = 0; i < count; ++i)
        mesh.triangles.push_back(mesh.triangles[count - 1 - i]);
    return mesh;
}

TEST(MeshBvh8, ManyRaysHitWhatEachHits) {
    Random random(61);
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    std::size_t hits = 0, cast = 0;
    const auto compare = [&](const MeshBvh8& wide, const std::vector<Ray>& rays, const std::string& what) {
        for (const RayMode mode : {RayMode::Fast, RayMode::Watertight})
            for (const Simd simd : {Simd::Scalar, best_simd()}) {
                std::vector<MeshRayResult> results(rays.size());
                std::vector<std::uint8_t> any(rays.size(), 7);
                wide.raycast(rays, results, mode, simd);
                wide.raycast_any(rays, any, mode, simd);
                for (std::size_t i = 0; i < rays.size(); ++i) {
                    const std::optional<MeshHit> alone = wide.raycast(rays[i], mode).hit;
                    ASSERT_EQ(results[i].hit, alone) << what << " ray " << i;
                    ASSERT_EQ(results[i].stats.hits, alone ? 1u : 0u) << what << " ray " << i;
                    ASSERT_EQ(any[i], alone ? 1 : 0) << what << " ray " << i;
                    hits += alone.has_value();
                }
                cast += rays.size();
            }
    };
    std::vector<MeshData> all = meshes();
    all.push_back(doubled(workloads::icosphere(3)));
    for (const MeshData& mesh : all)
        for (const float scale : {1e-6f, 1.0f, 1e6f, 1e-13f}) {
            const MeshData copy = scaled_copy(mesh, scale);
            MeshBvhOptions options;
            options.spatial_splits = scale == 1e6f ? 1.0f : 0.0f;
            MeshBvh tree;
            tree.build(copy.view(), options);
            MeshBvh8 wide;
            wide.build(tree);
            const Aabb box = bounds_of(copy);
            const glm::vec3 size = box.max - box.min;
            for (const float away : {0.2f, 1.5f, 40.0f}) {
                const glm::vec3 eye = box.center() + away * (size * random.in_ball() + 0.5f * size);
                std::vector<Ray> rays = tiles_of(box, eye, 48);
                compare(wide, rays, "picture");
                // Toward vertices and edges, close to each other in the list.
                for (std::size_t i = 0; i < rays.size(); ++i) {
                    const glm::uvec3 t = copy.triangles[i / 12 % copy.triangles.size()];
                    const float f = i % 3 == 0 ? 0.0f : random.uniform();
                    rays[i].direction = glm::mix(copy.positions[t.x], copy.positions[t.y], f) - eye;
                }
                compare(wide, rays, "edges");
                // Ranges of their own, starts of their own, and some that hit nothing or go another way.
                rays = tiles_of(box, eye, 48);
                for (Ray& ray : rays) {
                    ray.origin += 0.01f * size * random.in_ball();
                    if (random.uniform() < 0.5f) ray.t_max = 2.0f * random.uniform();
                    if (random.uniform() < 0.5f) ray.t_min = 1.2f * random.uniform() - 0.1f;
                }
                compare(wide, rays, "ranges");
                for (Ray& ray : rays) {
                    const std::uint32_t kind = random.below(400);
                    if (kind < 3) ray.direction[static_cast<int>(kind)] = 0.0f;
                    if (kind == 3) ray.direction = -ray.direction;
                    if (kind == 4) ray.t_max = random.uniform() < 0.5f ? nan : -1.0f;
                    if (kind == 5) ray.t_min = random.uniform() < 0.5f ? nan : inf;
                    if (kind == 6) ray.direction *= random.uniform() < 0.5f ? 1e-20f : 1e20f;
                    if (kind == 7) ray.origin[0] = random.uniform() < 0.5f ? nan : inf;
                    if (kind == 8)
                        ray.direction = glm::vec3(ray.direction.z, ray.direction.x, ray.direction.y);
                }
                rays.resize(rays.size() - 13);
                compare(wide, rays, "odd ones");
            }
            compare(wide, all_kinds_of_rays(box, 200), "any order");
        }
    EXPECT_GT(hits, cast / 10);
    for (const std::size_t count : {0u, 1u, 7u, 16u, 63u, 65u}) {
        MeshBvh tree;
        tree.build(all[0].view());
        MeshBvh8 wide;
        compare(wide, tiles_of(bounds_of(all[0]), glm::vec3(3.0f), 16), "an empty tree");
        wide.build(tree);
        std::vector<Ray> rays = tiles_of(bounds_of(all[0]), glm::vec3(3.0f), 16);
        rays.resize(count);
        compare(wide, rays, "few");
    }
}

TEST(MeshBvh8, AnswersWhatTheBinaryTreeDoes) {
    Random random(71);
    std::size_t hits = 0, overlaps = 0, edge_on = 0;
    std::vector<MeshData> all = meshes();
    all.push_back(doubled(workloads::icosphere(3)));
    for (const MeshData& mesh : all)
        for (const float scale : {1.0f, 1e-13f, 1e6f})
            for (const float splits : {0.0f, 2.0f, -1.0f}) {
                const MeshData copy = scaled_copy(mesh, scale);
                MeshBvhOptions options;
                options.spatial_splits = splits;
                MeshBvh tree;
                ASSERT_EQ(tree.build(copy.view(), options), MeshBuildStatus::Ok);
                MeshBvh8 wide;
                ASSERT_EQ(splits < 0.0f ? wide.build(copy.view()) : wide.build(copy.view(), options),
                          MeshBuildStatus::Ok);
                ASSERT_TRUE(wide.validate());
                const Aabb box = bounds_of(copy);
                const glm::vec3 size = box.max - box.min;
                std::vector<MeshHit> expected, got;
                for (const Ray& ray : all_kinds_of_rays(box, scaled(100)))
                    for (const RayMode mode : {RayMode::Fast, RayMode::Watertight}) {
                        tree.raycast_all(ray, expected, mode);
                        for (const Simd simd : {Simd::Scalar, best_simd()}) {
                            const QueryStats stats = wide.raycast_all(ray, got, mode, simd);
                            ASSERT_EQ(got, expected);
                            ASSERT_EQ(stats.hits, got.size());
                        }
                        const std::optional<MeshHit> first = wide.raycast(ray, mode).hit;
                        ASSERT_EQ(first.has_value(), !got.empty());
                        // A triangle edge-on to the ray may lie behind the nearest hit's box.
                        ASSERT_TRUE(!first || std::abs(got.front().t - first->t) <= 1e-3f * first->t)
                            << got.front().t << " " << first->t;
                        edge_on += first && got.front() != *first ? 1 : 0;
                        hits += got.size();
                    }
                for (std::size_t i = 0; i < scaled(60); ++i) {
                    const glm::vec3 p = box.center() + 0.8f * size * random.in_ball();
                    const float limit = i % 3 == 0 ? 0.2f * glm::length(size) : 1e30f;
                    const auto nearest = wide.closest_point(p, limit).nearest;
                    const auto same = tree.closest_point(p, limit).nearest;
                    ASSERT_EQ(nearest.has_value(), same.has_value());
                    if (nearest) {
                        ASSERT_EQ(nearest->triangle, same->triangle);
                        ASSERT_EQ(nearest->point, same->point);
                        ASSERT_EQ(nearest->distance, same->distance);
                    }
                    std::vector<MeshNearest> several, as_many;
                    wide.nearest_triangles(p, 7, several);
                    tree.nearest_triangles(p, 7, as_many);
                    ASSERT_EQ(several.size(), as_many.size());
                    for (std::size_t k = 0; k < several.size(); ++k) {
                        ASSERT_EQ(several[k].triangle, as_many[k].triangle);
                        ASSERT_EQ(several[k].point, as_many[k].point);
                    }
                }
                // Against each triangle.
                const auto check_overlaps = [&](const auto& volume) {
                    std::vector<int> times(copy.triangles.size(), 0);
                    const QueryStats stats = wide.overlap_triangles(volume, [&](std::uint32_t id) {
                        ++times[id];
                        return true;
                    });
                    std::size_t sum = 0;
                    for (std::size_t i = 0; i < times.size(); ++i) {
                        const bool overlapping = overlap(volume, copy.view().triangle(i));
                        ASSERT_EQ(times[i], overlapping ? 1 : 0) << i;
                        sum += overlapping ? 1 : 0;
                    }
                    ASSERT_EQ(stats.hits, sum);
                    overlaps += sum;
                    if (sum == 0) return;
                    int visited = 0;
                    wide.overlap_triangles(volume, [&](std::uint32_t) { return ++visited < 1; });
                    ASSERT_EQ(visited, 1) << "the visitor ended the query";
                };
                for (std::size_t i = 0; i < scaled(10); ++i) {
                    const glm::vec3 p = box.center() + 0.5f * size * random.in_ball();
                    check_overlaps(Sphere{p, 0.1f * glm::length(size)});
                    check_overlaps(Aabb{p, p + 0.2f * size});
                    check_overlaps(Obb{p, 0.1f * size, glm::mat3(1.0f)});
                    check_overlaps(Triangle{p, p + 0.3f * size * random.in_ball(), box.center()});
                    if (HasFatalFailure()) return;
                }
            }
    EXPECT_GT(hits, 10000u);
    EXPECT_GT(overlaps, 10000u);
    EXPECT_LT(1000 * edge_on, hits);

    MeshBvh8 wide;
    std::vector<MeshHit> none(2);
    std::vector<MeshNearest> nothing(2);
    EXPECT_EQ(wide.raycast_all({}, none), QueryStats{});
    EXPECT_EQ(wide.nearest_triangles(glm::vec3(0.0f), 3, nothing), QueryStats{});
    EXPECT_TRUE(none.empty() && nothing.empty());
    EXPECT_FALSE(wide.closest_point(glm::vec3(0.0f)).nearest.has_value());
    EXPECT_EQ(wide.overlap_triangles(Sphere{}, [](std::uint32_t) { return true; }), QueryStats{});
    const std::vector<glm::vec3> points{
        {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {std::numeric_limits<float>::quiet_NaN(), 0, 0}};
    const std::vector<glm::uvec3> bad{{0, 1, 9}}, half_good{{0, 1, 3}, {0, 1, 2}}, not_finite{{0, 1, 3}};
    EXPECT_EQ(wide.build({points, bad}), MeshBuildStatus::IndexOutOfRange);
    EXPECT_TRUE(wide.empty());
    EXPECT_EQ(wide.build({points, half_good}), MeshBuildStatus::Ok);
    EXPECT_EQ(wide.skipped_triangles(), 1u);
    EXPECT_EQ(wide.build({points, not_finite}), MeshBuildStatus::Empty);
    EXPECT_EQ(wide.skipped_triangles(), 1u);
    BuildProgress progress;
    progress.cancel();
    MeshBvhOptions cancelled;
    cancelled.progress = &progress;
    EXPECT_EQ(wide.build({points, half_good}, cancelled), MeshBuildStatus::Cancelled);
    EXPECT_TRUE(wide.empty());
}

// Where triangles meet at the point, rounding decides which is the nearest, and no tree may leave one out.
TEST(MeshBvh8, TheNearestTriangleDoesNotDependOnTheTree) {
    const std::vector<glm::vec3> positions{{3, 0, 1.83697015e-16f},
                                           {2.12132025f, 0, -2.12132025f},
                                           {1.32262158f, 1.65851498f, -2.12132025f},
                                           {1.32262158f, -1.65851498f, 2.12132025f},
                                           {3, 0, 1.83697015e-16f},
                                           {2.12132025f, 0, 2.12132025f}};
    const std::vector<glm::uvec3> triangles{{0, 1, 2}, {3, 4, 5}};
    for (const std::uint32_t leaf : {1u, 8u}) {
        MeshBvhOptions options;
        options.max_leaf_triangles = leaf;
        MeshBvh tree;
        ASSERT_EQ(tree.build({positions, triangles}, options), MeshBuildStatus::Ok);
        MeshBvh8 wide;
        wide.build(tree);
        for (const auto& found : {tree.closest_point({3, 0, 0}), wide.closest_point({3, 0, 0})}) {
            ASSERT_TRUE(found.nearest);
            EXPECT_EQ(found.nearest->triangle, 1u) << leaf;
            EXPECT_EQ(found.nearest->distance, 0.0f) << leaf;
        }
    }
}

TEST(MeshBvh8, OddMeshes) {
    MeshBvh8 wide;
    EXPECT_EQ(wide.build(MeshBvh{}), MeshBvh8::Status::Empty);
    EXPECT_FALSE(wide.raycast({}).hit.has_value());
    EXPECT_TRUE(wide.snapshot().empty() && wide.validate());

    // One triangle; one triangle 3,000 times, in leaves of maximum size; nested ones.
    std::vector<glm::vec3> points{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}};
    for (const std::size_t count : {1u, 3000u}) {
        const std::vector<glm::uvec3> triangles(count, glm::uvec3(0, 1, 2));
        for (const std::uint32_t leaf : {1u, 4u, 255u}) {
            MeshBvhOptions options;
            options.max_leaf_triangles = leaf;
            MeshBvh tree;
            ASSERT_EQ(tree.build({points, triangles}, options), MeshBuildStatus::Ok);
            ASSERT_EQ(wide.build(tree), MeshBvh8::Status::Ok);
            EXPECT_TRUE(wide.validate());
            for (const RayMode mode : {RayMode::Fast, RayMode::Watertight}) {
                const auto hit = wide.raycast({{0.75f, 0.25f, 1.0f}, {0, 0, -1}}, mode).hit;
                ASSERT_TRUE(hit.has_value());
                EXPECT_EQ(hit->triangle, 0u);
            }
        }
    }
    // Coordinates from the smallest to the largest float: no crash, valid boxes.
    Random random(3);
    for (const float scale : {1e-44f, 1e-38f, 1e-20f, 1e20f, 3e38f}) {
        std::vector<glm::vec3> cloud;
        std::vector<glm::uvec3> triangles;
        for (std::uint32_t i = 0; i < 500; ++i) {
            cloud.push_back(scale * random.in_box(glm::vec3(-1.0f), glm::vec3(1.0f)));
            if (i >= 2) triangles.emplace_back(i, i - 1, i - 2);
        }
        MeshBvh tree;
        tree.build({cloud, triangles});
        wide.build(tree);
        EXPECT_TRUE(wide.validate()) << scale;
        (void)wide.raycast({cloud[0], cloud[9] - cloud[0]}, RayMode::Watertight);
    }
}

#ifdef BVLAB_HAVE_EMBREE
/// How far inside triangle `i` the ray's line passes, as the least barycentric coordinate; -1 where it is
/// parallel.
double depth_inside(const MeshData& mesh, std::uint32_t i, const Ray& ray) {
    const Triangle tri = mesh.view().triangle(i);
    const glm::dvec3 o(ray.origin), d(ray.direction), a(tri.a);
    const glm::dvec3 e1 = glm::dvec3(tri.b) - a, e2 = glm::dvec3(tri.c) - a, n = glm::cross(e1, e2);
    const double det = glm::dot(n, d);
    if (det == 0.0) return -1.0;
    const glm::dvec3 q = o + glm::dot(n, a - o) / det * d - a;
    const double n2 = glm::dot(n, n);
    const double u = glm::dot(glm::cross(q, e2), n) / n2, v = glm::dot(glm::cross(e1, q), n) / n2;
    return std::min(u, std::min(v, 1.0 - u - v));
}

TEST(MeshBvh8, SameHitsAsEmbreeInRobustMode) {
    // Differences are allowed where the ray passes this close to an edge, relative to the triangle's size.
    constexpr double kDoubt = 1e-3;
    for (const MeshData& mesh : meshes())
        for (const float scale : {1e-6f, 1.0f, 1e6f}) {
            const MeshData copy = scaled_copy(mesh, scale);
            bench::EmbreeScene scene(copy.view(), bench::EmbreeScene::Mode::Robust, RTC_BUILD_QUALITY_MEDIUM);
            scene.commit();
            MeshBvh tree;
            tree.build(copy.view());
            MeshBvh8 wide;
            wide.build(tree);
            std::size_t doubtful = 0;
            const auto rays = workloads::rays_from_outside(scaled(20000), bounds_of(copy), 77);
            for (const Ray& ray : rays) {
                const auto theirs = scene.cast(ray);
                const auto hit = wide.raycast(ray, RayMode::Watertight).hit;
                const std::uint32_t ours = hit ? hit->triangle : MeshHit::kNone;
                if (ours == theirs.triangle && (!hit || std::abs(hit->t - theirs.t) <= 1e-4f * theirs.t))
                    continue;
                ++doubtful;
                for (const std::uint32_t i : {ours, theirs.triangle})
                    ASSERT_TRUE(i == MeshHit::kNone || depth_inside(copy, i, ray) < kDoubt)
                        << mesh.name << " " << scale;
            }
            EXPECT_LE(doubtful, rays.size() / 200 + 3) << mesh.name << " " << scale;
        }
}
#endif

TEST(MeshBvh8, LosesNothingOfAMeshAsWideAsFloatsGo) {
    for (const std::uint32_t count : {16u, 200u})
        for (const int axis : {0, 1, 2}) {
            MeshData mesh;
            for (std::uint32_t i = 0; i < count; ++i) {
                const float x = static_cast<float>((2.0 * i / (count - 1) - 1.0) * 3.4e38);
                for (int k = 0; k < 3; ++k) {
                    glm::vec3 p(0.0f);
                    p[axis] = x;
                    if (k > 0) p[(axis + k) % 3] = 1e36f;
                    mesh.positions.push_back(p);
                }
                mesh.triangles.emplace_back(3 * i, 3 * i + 1, 3 * i + 2);
            }
            MeshBvh binary;
            ASSERT_EQ(binary.build(mesh.view()), MeshBuildStatus::Ok);
            MeshBvh8 wide;
            ASSERT_EQ(wide.build(binary), MeshBvh8::Status::Ok);
            EXPECT_TRUE(wide.validate()) << count << ", axis " << axis;
            std::uint32_t found = 0;
            wide.overlap_triangles(bounds_of(mesh), [&](std::uint32_t) { return ++found > 0; });
            EXPECT_EQ(found, count) << "axis " << axis;
            for (std::uint32_t i = 0; i < count; ++i) {
                const glm::vec3 p = mesh.positions[3 * i];
                const auto nearest = wide.closest_point(p).nearest;
                ASSERT_TRUE(nearest) << i;
                EXPECT_EQ(nearest->distance, binary.closest_point(p).nearest->distance) << i;
            }
        }
}

}  // namespace
}  // namespace bv
