// MeshBvh against loops over all triangles: rays in both modes, nearest points, overlaps, refit, snapshots,
// bad input.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <set>
#include <string>

#include "bv/query/convex.hpp"
#include "bv/shapes/plane.hpp"
#include "bv/tree/mesh_bvh.hpp"
#include "many_threads.hpp"
#include "random.hpp"
#include "reference/overlap_reference.hpp"
#include "workloads/meshes.hpp"
#include "workloads/random.hpp"
#include "workloads/rays.hpp"

namespace bv {

/// A user-defined volume: the half space behind a plane, clipped by a box.
struct CutBox {
    Plane plane;
    Aabb limits;
};
bool overlap(const CutBox& cut, const Aabb& box) {
    for (int i = 0; i < 8; ++i)
        if (cut.plane.signed_distance(box.corner(i)) <= 0.0f) return overlap(cut.limits, box);
    return false;
}
bool overlap(const CutBox& cut, const Triangle& t) {
    Aabb box = merge(merge(merge(Aabb{}, t.a), t.b), t.c);
    const float d = std::min(cut.plane.signed_distance(t.a),
                             std::min(cut.plane.signed_distance(t.b), cut.plane.signed_distance(t.c)));
    return d <= 0.0f && overlap(cut.limits, box);
}

namespace {

using workloads::MeshData;
using workloads::Random;

std::size_t scaled(std::size_t count) {
    const char* scale = std::getenv("BV_TEST_SCALE");
    return static_cast<std::size_t>(static_cast<double>(count) * (scale != nullptr ? std::atof(scale) : 1.0));
}

struct Config {
    std::string name;
    MeshBvhOptions options;
};

std::vector<Config> configs() {
    std::vector<Config> all;
    const auto add = [&](const char* name, MeshBuilder builder, std::uint32_t leaf) {
        Config c{name, {}};
        c.options.builder = builder;
        c.options.max_leaf_triangles = leaf;
        all.push_back(c);
    };
    add("median", MeshBuilder::Median, 4);
    add("binned", MeshBuilder::BinnedSah, 4);
    add("binned, leaves of one", MeshBuilder::BinnedSah, 1);
    add("sweep", MeshBuilder::SweepSah, 4);
    add("Morton", MeshBuilder::Morton, 4);
    add("agglomerative", MeshBuilder::Agglomerative, 4);
    add("binned, then reinsertion", MeshBuilder::BinnedSah, 2);
    all.back().options.reinsertion_rounds = 2;
    add("binned with spatial splits", MeshBuilder::BinnedSah, 2);
    all.back().options.spatial_splits = 1.0f;
    add("spatial splits, then reinsertion", MeshBuilder::BinnedSah, 1);
    all.back().options.spatial_splits = 0.3f;
    all.back().options.reinsertion_rounds = 1;
    add("Morton, then reinsertion", MeshBuilder::Morton, 1);
    all.back().options.reinsertion_rounds = 1;
    return all;
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

std::vector<MeshData> small_meshes() {
    return {workloads::icosphere(2), workloads::torus_knot(2, 3, 0.09f, 48, 6), workloads::box(),
            workloads::gear(9), workloads::teapot(3)};
}

/// The triangle's plane in double precision: an oracle that shares nothing with the code under test.
struct Truth {
    double t;
    double edge;  ///< Least barycentric coordinate: how far inside, negative outside.
};
bool line_meets_plane(const Ray& ray, const Triangle& tri, Truth& out) {
    const glm::dvec3 o(ray.origin), d(ray.direction), a(tri.a);
    const glm::dvec3 e1 = glm::dvec3(tri.b) - a, e2 = glm::dvec3(tri.c) - a;
    const glm::dvec3 n = glm::cross(e1, e2);
    const double det = glm::dot(n, d);
    if (det == 0.0) return false;
    out.t = glm::dot(n, a - o) / det;
    const glm::dvec3 q = o + out.t * d - a;
    const double n2 = glm::dot(n, n);
    const double u = glm::dot(glm::cross(q, e2), n) / n2;
    const double v = glm::dot(glm::cross(e1, q), n) / n2;
    out.edge = std::min(u, std::min(v, 1.0 - u - v));
    return true;
}

/// Checks a closest hit against a loop. `eps` is the width of the doubtful zone around edges, in barycentric
/// units.
void check_closest(const MeshData& mesh, const Ray& ray, const MeshRayResult& got, double eps,
                   const std::string& what) {
    double sure = std::numeric_limits<double>::infinity();   // first hit that is clearly inside a triangle
    double maybe = std::numeric_limits<double>::infinity();  // first hit with the doubtful zone counted in
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        Truth truth;
        if (!line_meets_plane(ray, mesh.view().triangle(i), truth) || truth.t < 0.0 || truth.t > ray.t_max)
            continue;
        if (truth.edge >= eps) sure = std::min(sure, truth.t);
        if (truth.edge >= -eps) maybe = std::min(maybe, truth.t);
    }
    const double t = got.hit ? got.hit->t : std::numeric_limits<double>::infinity();
    // Along the ray: relative to the distance and to the size of the mesh, which is about 1.
    const double slack = 1e-4 * (std::isinf(sure) ? (std::isinf(t) ? 0.0 : t) : sure) +
                         1e-5 / glm::length(glm::dvec3(ray.direction));
    EXPECT_LE(t, sure + slack) << what;
    EXPECT_TRUE(std::isinf(t) || t >= maybe - slack) << what;
}

TEST(MeshBvh, EveryBuilderMakesAValidTree) {
    test::ManyThreads threads;
    std::vector<MeshData> meshes = small_meshes();
    meshes.push_back(workloads::icosphere(5));  // 20,480 triangles: enough to be cut in jobs
    for (const MeshData& mesh : meshes)
        for (Config config : configs()) {
            MeshBvh tree;
            ASSERT_EQ(tree.build(mesh.view(), config.options), MeshBuildStatus::Ok) << config.name;
            EXPECT_TRUE(tree.validate()) << config.name;
            EXPECT_EQ(tree.skipped_triangles(), 0u);
            config.options.tasks = &threads;
            MeshBvh parallel;
            ASSERT_EQ(parallel.build(mesh.view(), config.options), MeshBuildStatus::Ok);
            ASSERT_EQ(parallel.nodes().size(), tree.nodes().size()) << config.name;
            EXPECT_TRUE(std::equal(tree.references().begin(), tree.references().end(),
                                   parallel.references().begin()));
            for (std::size_t i = 0; i < tree.nodes().size(); ++i)
                ASSERT_TRUE(tree.nodes()[i].box() == parallel.nodes()[i].box() &&
                            tree.nodes()[i].first == parallel.nodes()[i].first);
        }
}

/// The cost of the tree by the surface area heuristic.
double sah(const MeshBvh& tree) {
    double sum = 0.0;
    for (const MeshBvhNode& node : tree.nodes())
        sum += static_cast<double>(node.box().surface_area()) * (node.is_leaf() ? node.count : 1.0);
    return sum / static_cast<double>(tree.bounds().surface_area());
}

TEST(MeshBvh, BetterBuildersMakeCheaperTrees) {
    const MeshData mesh = workloads::torus_knot(2, 3, 0.09f, 400, 24);
    const auto cost = [&](MeshBuilder builder, int rounds) {
        MeshBvhOptions options;
        options.builder = builder;
        options.reinsertion_rounds = rounds;
        MeshBvh tree;
        tree.build(mesh.view(), options);
        return sah(tree);
    };
    const double binned = cost(MeshBuilder::BinnedSah, 0);
    const double sweep = cost(MeshBuilder::SweepSah, 0);
    EXPECT_LE(sweep, binned * 1.01);
    EXPECT_LE(binned, cost(MeshBuilder::Median, 0));
    EXPECT_LE(cost(MeshBuilder::Agglomerative, 0), cost(MeshBuilder::Morton, 0));
    for (const MeshBuilder builder : {MeshBuilder::Median, MeshBuilder::Morton, MeshBuilder::BinnedSah})
        EXPECT_LT(cost(builder, 1), cost(builder, 0));
    EXPECT_LE(cost(MeshBuilder::SweepSah, 2), sweep);
}

TEST(MeshBvh, RaysMatchALoopOverAllTriangles) {
    for (const MeshData& mesh : small_meshes()) {
        const Aabb box = bounds_of(mesh);
        std::vector<Ray> rays = workloads::rays_from_outside(scaled(400), box, 1);
        for (const auto& more : {workloads::rays_from_inside(scaled(200), box, 2),
                                 workloads::segments_inside(200, box, 3), workloads::awkward_rays(box)})
            rays.insert(rays.end(), more.begin(), more.end());
        for (const Config& config : configs()) {
            MeshBvh tree;
            tree.build(mesh.view(), config.options);
            for (const Ray& ray : rays) {
                if (ray.direction == glm::vec3(0.0f)) {
                    EXPECT_FALSE(tree.raycast(ray).hit.has_value());
                    continue;
                }
                for (const RayMode mode : {RayMode::Fast, RayMode::Watertight}) {
                    const MeshRayResult got = tree.raycast(ray, mode);
                    check_closest(mesh, ray, got, 1e-4, config.name);
                    EXPECT_EQ(tree.raycast_any(ray, mode), got.hit.has_value());
                    Recording visits;
                    const MeshRayResult any = tree.raycast_any(ray, mode, visits);
                    EXPECT_EQ(any.hit.has_value(), got.hit.has_value());
                    std::vector<MeshHit> all;
                    const QueryStats stats = tree.raycast_all(ray, all, mode);
                    EXPECT_EQ(stats.hits, all.size());
                    ASSERT_EQ(!all.empty(), got.hit.has_value());
                    if (got.hit) {
                        EXPECT_EQ(all.front(), *got.hit);
                        EXPECT_TRUE(std::find(all.begin(), all.end(), *any.hit) != all.end());
                    }
                }
            }
        }
    }
}

TEST(MeshBvh, AllBuildersGiveTheSameHits) {
    const MeshData mesh = workloads::torus_knot(2, 3, 0.09f, 96, 12);
    const auto rays = workloads::rays_from_outside(scaled(3000), bounds_of(mesh), 5);
    std::vector<MeshBvh> trees;
    for (const Config& config : configs()) {
        trees.emplace_back();
        trees.back().build(mesh.view(), config.options);
    }
    for (const Ray& ray : rays) {
        std::vector<MeshHit> first;
        trees[0].raycast_all(ray, first, RayMode::Watertight);
        for (const MeshBvh& tree : trees) {
            std::vector<MeshHit> all;
            tree.raycast_all(ray, all, RayMode::Watertight);
            ASSERT_EQ(all, first);
            ASSERT_EQ(tree.raycast(ray, RayMode::Watertight).hit,
                      trees[0].raycast(ray, RayMode::Watertight).hit);
        }
    }
}

TEST(MeshBvh, SameHitsAtEveryScale) {
    const MeshData mesh = workloads::icosphere(3);
    const auto rays = workloads::rays_from_outside(scaled(1000), bounds_of(mesh), 7);
    MeshBvh reference;
    reference.build(mesh.view());
    // Powers of two, so that nothing but the exponent differs.
    for (const float scale : {0x1p-30f, 0x1p-20f, 0x1p-10f, 0x1p10f, 0x1p20f, 0x1p30f}) {
        MeshBvh tree;
        tree.build(scaled_copy(mesh, scale).view());
        for (const Ray& ray : rays)
            for (const RayMode mode : {RayMode::Fast, RayMode::Watertight}) {
                const auto a = reference.raycast(ray, mode).hit;
                const auto b = tree.raycast({ray.origin * scale, ray.direction * scale}, mode).hit;
                ASSERT_EQ(a.has_value(), b.has_value()) << scale;
                ASSERT_TRUE(!a || (a->triangle == b->triangle && a->t == b->t)) << scale;
            }
    }
}

TEST(MeshBvh, WatertightModeMissesNoRayAtEdgesAndVertices) {
    // Every ray from inside a closed mesh must hit it; aimed at vertices and edges, the hard cases.
    Random random(11);
    for (const float scale : {1e-6f, 1.0f, 1e6f})
        for (const MeshData& base : {workloads::icosphere(3), workloads::box(), workloads::rock(4, 3)}) {
            const MeshData mesh = scaled_copy(base, scale);
            MeshBvh tree;
            tree.build(mesh.view());
            for (std::size_t i = 0; i < scaled(20000); ++i) {
                const glm::uvec3 t = random.one_of(mesh.triangles);
                const float f = (i % 3 == 0) ? 0.0f : random.uniform();
                const glm::vec3 target =
                    mesh.positions[t.x] + f * (mesh.positions[t.y] - mesh.positions[t.x]);
                const glm::vec3 from = 0.05f * scale * random.in_ball();
                const Ray ray{from, target - from};
                ASSERT_TRUE(tree.raycast(ray, RayMode::Watertight).hit.has_value()) << i << " " << scale;
                ASSERT_TRUE(tree.raycast_any(ray, RayMode::Watertight));
            }
        }
}

TEST(MeshBvh, NearestPointsMatchALoop) {
    Random random(21);
    for (const MeshData& mesh : small_meshes())
        for (const Config& config : configs()) {
            MeshBvh tree;
            tree.build(mesh.view(), config.options);
            for (std::size_t i = 0; i < scaled(60); ++i) {
                const glm::vec3 p = 1.5f * random.in_ball();
                std::vector<std::pair<float, std::uint32_t>> truth;
                MeshBvh one;
                for (std::uint32_t k = 0; k < mesh.triangles.size(); ++k) {
                    // Dense sampling bounds the distance from above; the result must be a point of its
                    // triangle.
                    const Triangle t = mesh.view().triangle(k);
                    float best = std::numeric_limits<float>::infinity();
                    for (int a = 0; a <= 8; ++a)
                        for (int b = 0; a + b <= 8; ++b) {
                            const float u = static_cast<float>(a) / 8.0f, v = static_cast<float>(b) / 8.0f;
                            best = std::min(best, glm::distance(p, (1 - u - v) * t.a + u * t.b + v * t.c));
                        }
                    truth.emplace_back(best, k);
                }
                const float sampled = std::min_element(truth.begin(), truth.end())->first;
                const MeshNearestResult got = tree.closest_point(p);
                ASSERT_TRUE(got.nearest.has_value());
                EXPECT_LE(got.nearest->distance, sampled + 1e-5f);
                EXPECT_NEAR(glm::distance(p, got.nearest->point), got.nearest->distance, 1e-5f);
                // The point is in its triangle: the areas of the three parts sum to the triangle's area.
                const Triangle t = mesh.view().triangle(got.nearest->triangle);
                const glm::vec3 q = got.nearest->point;
                const float parts = Triangle{q, t.a, t.b}.area() + Triangle{q, t.b, t.c}.area() +
                                    Triangle{q, t.c, t.a}.area();
                EXPECT_NEAR(parts, t.area(), 1e-4f);
                EXPECT_FALSE(tree.closest_point(p, got.nearest->distance * 0.99f).nearest.has_value());
                std::vector<MeshNearest> several;
                tree.nearest_triangles(p, 5, several);
                ASSERT_EQ(several.size(), 5u);
                EXPECT_EQ(several[0].triangle, got.nearest->triangle);
                for (int k = 1; k < 5; ++k)
                    EXPECT_LE(several[k - 1].distance, several[k].distance);
                std::sort(truth.begin(), truth.end());
                EXPECT_LE(several[4].distance, truth[4].first + 1e-5f);
            }
            std::vector<MeshNearest> everything;
            tree.nearest_triangles({0.3f, 0.1f, 0.2f}, 1u << 20, everything);
            EXPECT_EQ(everything.size(), mesh.triangles.size());
        }
}

// Triangles whose normal is nothing but rounding, like those at the poles of a sphere: all of each is at its
// edges.
TEST(MeshBvh, NearestPointsOfNeedles) {
    Random random(31);
    const auto to_edge = [](const glm::dvec3& p, const glm::dvec3& a, const glm::dvec3& b) {
        const glm::dvec3 along = b - a;
        const double t = glm::clamp(glm::dot(p - a, along) / glm::dot(along, along), 0.0, 1.0);
        return glm::distance(p, a + t * along);
    };
    for (std::size_t i = 0; i < scaled(40'000); ++i) {
        const double thin = std::pow(10.0, random.uniform(-16.0f, -8.5f));
        const glm::dvec3 far(random.in_ball());
        MeshData needle;
        needle.positions = {glm::vec3(far), glm::vec3(thin * glm::dvec3(random.in_ball())),
                            glm::vec3(thin * glm::dvec3(random.in_ball()))};
        needle.triangles = {{0, 1, 2}};
        const Triangle t = needle.view().triangle(0);
        const double along = random.uniform(-0.2f, 1.2f);
        const double beside = std::pow(10.0, random.uniform(-17.0f, 0.0f));
        const glm::vec3 p(along * far + beside * glm::dvec3(random.in_ball()));
        const glm::dvec3 q(p);
        const double nearest = std::min({to_edge(q, glm::dvec3(t.a), glm::dvec3(t.b)),
                                         to_edge(q, glm::dvec3(t.b), glm::dvec3(t.c)),
                                         to_edge(q, glm::dvec3(t.c), glm::dvec3(t.a))});
        EXPECT_NEAR(static_cast<double>(distance(t, p)), nearest, 1e-7) << i << ' ' << thin;
        MeshBvh tree;
        tree.build(needle.view());
        const auto got = tree.closest_point(p).nearest;
        ASSERT_TRUE(got);
        ASSERT_NEAR(static_cast<double>(got->distance), nearest, 1e-7) << i << ' ' << thin;
        ASSERT_NEAR(static_cast<double>(glm::distance(got->point, p)), nearest, 1e-6) << i << ' ' << thin;
    }
}

TEST(MeshBvh, OverlapFindsEachTriangleOnce) {
    Random random(31);
    const MeshData mesh = workloads::torus(0.35f, 0.15f, 24, 12);
    for (const Config& config : configs()) {
        MeshBvh tree;
        tree.build(mesh.view(), config.options);
        for (int i = 0; i < 100; ++i) {
            const glm::vec3 corner = 0.5f * random.in_ball();
            const CutBox volume{{random.direction(), random.uniform(-0.3f, 0.3f)},
                                {corner, corner + glm::vec3(0.3f)}};
            std::multiset<std::uint32_t> got;
            tree.overlap_triangles(volume, [&](std::uint32_t id) {
                got.insert(id);
                return true;
            });
            for (std::uint32_t k = 0; k < mesh.triangles.size(); ++k)
                ASSERT_EQ(got.count(k), overlap(volume, mesh.view().triangle(k)) ? 1u : 0u);
        }
    }
}

/// Each triangle that overlaps the volume once, by the reference. Within `band`, a fraction of the sizes,
/// touching may go either way.
template <class Volume>
void check_overlaps(const MeshBvh& tree, const MeshData& mesh, const Volume& volume, long double band) {
    std::multiset<std::uint32_t> got;
    tree.overlap_triangles(volume, [&](std::uint32_t id) {
        got.insert(id);
        return true;
    });
    for (std::uint32_t k = 0; k < mesh.triangles.size(); ++k) {
        const auto expected = reference::relation(volume, mesh.view().triangle(k), band);
        if (expected == reference::Relation::Touching)
            ASSERT_LE(got.count(k), 1u) << k;
        else
            ASSERT_EQ(got.count(k), expected == reference::Relation::Overlapping ? 1u : 0u) << k;
    }
}

TEST(MeshBvh, OverlapsMatchTheReference) {
    test::Random random(32);
    const MeshData mesh = workloads::torus(0.35f, 0.15f, 24, 12);
    for (const Config& config : configs()) {
        MeshBvh tree;
        tree.build(mesh.view(), config.options);
        for (std::size_t i = 0; i < scaled(6); ++i) {
            const glm::vec3 at = random.in_cube(0.5f);
            check_overlaps(tree, mesh, Sphere{at, random.range(0.05f, 0.3f)}, 1e-9L);
            check_overlaps(tree, mesh, Aabb{at, at + random.vec(0.05f, 0.4f)}, 1e-9L);
            check_overlaps(tree, mesh, Capsule{at, at + random.in_cube(0.3f), 0.05f}, 1e-9L);
            check_overlaps(tree, mesh, Obb{at, random.vec(0.02f, 0.2f), random.varied_rotation()}, 1e-5L);
            check_overlaps(tree, mesh, Triangle{at, random.in_cube(0.5f), random.in_cube(0.5f)}, 1e-9L);
        }
    }
}

TEST(MeshBvh, RefitFollowsTheVertices) {
    Random random(41);
    MeshData mesh = workloads::icosphere(4);
    MeshBvh tree;
    tree.build(mesh.view());
    for (glm::vec3& p : mesh.positions)
        p = p * random.uniform(0.8f, 1.3f) + glm::vec3(0.0f, p.x * p.x, 3.0f);
    ASSERT_EQ(tree.refit(mesh.positions), MeshBuildStatus::Ok);
    EXPECT_TRUE(tree.validate());
    MeshBvh fresh;
    fresh.build(mesh.view());
    EXPECT_EQ(tree.bounds(), fresh.bounds());
    for (const Ray& ray : workloads::rays_from_outside(scaled(2000), bounds_of(mesh), 42))
        EXPECT_EQ(tree.raycast(ray, RayMode::Watertight).hit, fresh.raycast(ray, RayMode::Watertight).hit);

    const Aabb before = tree.bounds();
    std::vector<glm::vec3> bad = mesh.positions;
    bad[17].y = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(tree.refit(bad), MeshBuildStatus::WrongVertexCount);
    bad.pop_back();
    EXPECT_EQ(tree.refit(bad), MeshBuildStatus::WrongVertexCount);
    EXPECT_EQ(tree.bounds(), before);
    EXPECT_TRUE(tree.validate());
}

TEST(MeshBvh, TracedEqualsFast) {
    const MeshData mesh = workloads::gear(12);
    MeshBvh tree;
    tree.build(mesh.view());
    for (const Ray& ray : workloads::rays_from_outside(scaled(2000), bounds_of(mesh), 51)) {
        Recording trace;
        const MeshRayResult plain = tree.raycast(ray);
        const MeshRayResult traced = tree.raycast(ray, RayMode::Fast, trace);
        EXPECT_EQ(plain.hit, traced.hit);
        EXPECT_EQ(plain.stats, traced.stats);
        std::uint32_t visited = 0;
        for (const TraceEvent& event : trace.events()) {
            const auto* node = std::get_if<NodeVisited>(&event);
            ASSERT_NE(node, nullptr);
            ASSERT_LT(node->node.value, tree.nodes().size());
            if (node->verdict != NodeVisited::Verdict::Culled) ++visited;
        }
        EXPECT_EQ(visited, plain.stats.nodes_visited);
        Recording near_trace;
        EXPECT_EQ(tree.closest_point(ray.origin, 1e9f, near_trace).stats,
                  tree.closest_point(ray.origin, 1e9f).stats);
        EXPECT_FALSE(near_trace.events().empty());
    }
}

TEST(MeshBvh, SnapshotShowsTheTree) {
    const MeshData mesh = workloads::icosphere(3);
    for (const Config& config : configs()) {
        MeshBvh tree;
        tree.build(mesh.view(), config.options);
        const TreeSnapshot s = tree.snapshot();
        ASSERT_EQ(s.size(), tree.nodes().size());
        EXPECT_EQ(s.parents[0], TreeSnapshot::kNone);
        std::size_t payload = 0;
        for (std::uint32_t i = 0; i < s.size(); ++i) {
            payload += s.payload_count[i];
            EXPECT_EQ(s.is_leaf(i), s.payload_count[i] > 0);
            if (i > 0) {
                EXPECT_LT(s.parents[i], i);
                EXPECT_EQ(s.depths[i], s.depths[s.parents[i]] + 1);
            }
        }
        EXPECT_EQ(payload, s.payloads.size());
        EXPECT_EQ(s.payload_boxes.size(), s.payloads.size());
    }
}

TEST(MeshBvhBadInput, GivesAStatus) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<glm::vec3> square{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {nan, 0, 0}};
    for (const Config& config : configs()) {
        MeshBvh tree;
        EXPECT_EQ(tree.build({}, config.options), MeshBuildStatus::Empty);
        EXPECT_TRUE(tree.empty() && tree.validate() && tree.snapshot().empty());
        EXPECT_FALSE(tree.raycast({}).hit.has_value());
        EXPECT_FALSE(tree.closest_point({}).nearest.has_value());
        EXPECT_EQ(tree.refit({}), MeshBuildStatus::Empty);

        const std::vector<glm::uvec3> out_of_range{{0, 1, 2}, {0, 2, 5}};
        EXPECT_EQ(tree.build({square, out_of_range}, config.options), MeshBuildStatus::IndexOutOfRange);
        EXPECT_TRUE(tree.empty());

        const std::vector<glm::uvec3> with_nan{{0, 1, 2}, {0, 2, 4}, {0, 2, 3}};
        EXPECT_EQ(tree.build({square, with_nan}, config.options), MeshBuildStatus::Ok);
        EXPECT_EQ(tree.skipped_triangles(), 1u);
        EXPECT_TRUE(tree.validate());
        const Ray down{{0.25f, 0.75f, 1.0f}, {0, 0, -2}};
        ASSERT_TRUE(tree.raycast(down).hit.has_value());
        EXPECT_EQ(tree.raycast(down).hit->triangle, 2u);
        EXPECT_EQ(tree.raycast(down).hit->t, 0.5f);

        const std::vector<glm::uvec3> only_nan{{4, 1, 2}};
        EXPECT_EQ(tree.build({square, only_nan}, config.options), MeshBuildStatus::Empty);
    }
}

TEST(MeshBvhBadInput, DegenerateTrianglesAndEqualCenters) {
    const std::vector<glm::vec3> points{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {2, 0, 0}};
    for (const Config& config : configs()) {
        MeshBvh tree;
        // Points and segments: no ray hits them, the nearest point is on them.
        std::vector<glm::uvec3> flat(1000, glm::uvec3(0, 1, 3));
        flat.resize(2000, glm::uvec3(2, 2, 2));
        ASSERT_EQ(tree.build({points, flat}, config.options), MeshBuildStatus::Ok) << config.name;
        EXPECT_TRUE(tree.validate());
        EXPECT_FALSE(tree.raycast({{0.5f, 0.0f, 1.0f}, {0, 0, -1}}).hit.has_value());
        EXPECT_FALSE(tree.raycast({{0.5f, 0.0f, 1.0f}, {0, 0, -1}}, RayMode::Watertight).hit.has_value());
        ASSERT_TRUE(tree.closest_point({1.5f, 0, 3}).nearest.has_value());
        EXPECT_EQ(tree.closest_point({1.5f, 0, 3}).nearest->distance, 3.0f);

        // One triangle ten thousand times: the lowest number is reported.
        const std::vector<glm::uvec3> same(10000, glm::uvec3(0, 1, 2));
        ASSERT_EQ(tree.build({points, same}, config.options), MeshBuildStatus::Ok);
        EXPECT_TRUE(tree.validate());
        const Ray down{{0.75f, 0.25f, 1.0f}, {0, 0, -1}};
        ASSERT_TRUE(tree.raycast(down).hit.has_value());
        EXPECT_EQ(tree.raycast(down).hit->triangle, 0u);
        std::vector<MeshHit> all;
        EXPECT_EQ(tree.raycast_all(down, all).hits, 10000u);

        // Nested triangles with a common center.
        std::vector<glm::vec3> nested;
        std::vector<glm::uvec3> triangles;
        for (std::uint32_t i = 0; i < 500; ++i) {
            const float s = 1.0f + static_cast<float>(i);
            nested.insert(nested.end(), {{-s, -s, 0}, {s, -s, 0}, {s, s, 0}});
            triangles.emplace_back(3 * i, 3 * i + 1, 3 * i + 2);
        }
        ASSERT_EQ(tree.build({nested, triangles}, config.options), MeshBuildStatus::Ok);
        EXPECT_TRUE(tree.validate());
    }
}

TEST(MeshBvhBadInput, HugeTinyAndOddCoordinates) {
    Random random(61);
    const float big = std::numeric_limits<float>::max();
    for (const float scale : {1e-44f, 1e-38f, 1e-25f, 1e18f, 1e25f, big}) {
        std::vector<glm::vec3> points;
        std::vector<glm::uvec3> triangles;
        for (std::uint32_t i = 0; i < 3000; ++i) {
            points.push_back(scale * random.in_box(glm::vec3(-1.0f), glm::vec3(1.0f)));
            if (i >= 2) triangles.emplace_back(i, i - 1, i - 2);
        }
        for (const Config& config : configs()) {
            MeshBvh tree;
            ASSERT_EQ(tree.build({points, triangles}, config.options), MeshBuildStatus::Ok);
            EXPECT_TRUE(tree.validate()) << config.name << " " << scale;
            (void)tree.raycast({{0, 0, 0}, {1, 2, 3}});
            (void)tree.raycast({points[0], points[7] - points[0]}, RayMode::Watertight);
            EXPECT_TRUE(tree.closest_point(points[5]).nearest.has_value());
        }
    }
    // Repeatedly halved sizes tempt a builder into a tree as deep as the number of triangles.
    std::vector<glm::vec3> points;
    std::vector<glm::uvec3> triangles;
    for (std::uint32_t i = 0; i < 250; ++i) {
        const float s = std::ldexp(1.0f, 120 - static_cast<int>(i));
        for (std::uint32_t k = 0; k < 3; ++k)
            points.push_back({s, k == 1 ? s : 0.0f, k == 2 ? s : 0.0f});
        triangles.emplace_back(3 * i, 3 * i + 1, 3 * i + 2);
    }
    for (const Config& config : configs()) {
        MeshBvh tree;
        ASSERT_EQ(tree.build({points, triangles}, config.options), MeshBuildStatus::Ok);
        EXPECT_TRUE(tree.validate());
        const TreeSnapshot s = tree.snapshot();
        if (config.options.builder == MeshBuilder::Agglomerative || config.options.reinsertion_rounds > 0)
            continue;
        EXPECT_LT(*std::max_element(s.depths.begin(), s.depths.end()), 100u);
    }
}

TEST(MeshBvhBadInput, RaysThatAreNotFinite) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float inf = std::numeric_limits<float>::infinity();
    MeshBvh tree;
    tree.build(workloads::box().view());
    for (const float bad : {nan, inf, -inf})
        for (int k = 0; k < 3; ++k) {
            Ray ray{{0, 0, 2}, {0, 0, -1}};
            ray.origin[k] = bad;
            EXPECT_FALSE(tree.raycast(ray).hit.has_value());
            ray = Ray{{0, 0, 2}, {0, 0, -1}};
            ray.direction[k] = bad;
            EXPECT_FALSE(tree.raycast(ray).hit.has_value());
        }
    EXPECT_FALSE(tree.raycast({{0, 0, 2}, {0, 0, -1}, nan}).hit.has_value());
    EXPECT_FALSE(tree.raycast({{0, 0, 2}, {0, 0, -1}, -1.0f}).hit.has_value());
    EXPECT_FALSE(tree.raycast({{0, 0, 2}, {0, 0, -1}, 1.49f}).hit.has_value());
    EXPECT_TRUE(tree.raycast({{0.1f, 0.2f, 2}, {0, 0, -1}, 1.5f}).hit.has_value());
    EXPECT_TRUE(tree.raycast({{0.1f, 0.2f, 0.5f}, {0, 0, -1}, 0.0f}).hit.has_value());  // starts on the face
    EXPECT_FALSE(tree.closest_point({nan, 0, 0}).nearest.has_value());
}

}  // namespace
}  // namespace bv
