// The same input gives the same trees, the same work and the same volumes, today and on every machine:
// digests and numbers stored in golden/numbers.txt. After an intended change of an algorithm, run
// `BV_GOLDEN=write test_golden` and review the diff of the file.
//
// Input comes from a generator without sines or logarithms, whose last bits differ between libraries. Fits
// use some, so their volumes are compared to five digits.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bv/broadphase/broadphase.hpp"
#include "bv/fit/catalog.hpp"
#include "bv/query/collide.hpp"
#include "bv/tree/bsp_tree.hpp"
#include "bv/tree/mesh_bvh.hpp"
#include "bv/tree/mesh_bvh_wide.hpp"
#include "bv/tree/obb_tree.hpp"
#include "bv/tree/wide_tree.hpp"
#include "golden.hpp"
#include "tree_model.hpp"

namespace bv {
namespace {

using test::Digest;
using test::Golden;
using test::Random;

const glm::vec3 kPlace(30.0f, -20.0f, 10.0f);

Aabb some_box(Random& random) {
    const Aabb box = random.box(9.0f);
    return {box.min * glm::vec3(1, 2, 0.5f) + kPlace, box.max * glm::vec3(1, 2, 0.5f) + kPlace};
}
Ray some_ray(Random& random) {
    Ray ray = random.ray(11.0f);
    ray.origin += kPlace;
    return ray;
}

template <class Tree>
void digest_queries(Digest& digest, const Tree& tree, Random& random) {
    for (int i = 0; i < 12; ++i) {
        const Aabb box = some_box(random);
        digest.stats(tree.query(box, [&](ProxyId id, std::uint64_t data) {
            digest.bits(id.index);
            digest.bits(data);
        }));
        const Ray ray = some_ray(random);
        digest.stats(tree.raycast(ray, [&](ProxyId id, std::uint64_t, float t) {
            digest.bits(id.index);
            return i % 2 == 0 ? t : ray.t_max;
        }));
    }
    digest.stats(tree.for_each_pair([&](ProxyId a, ProxyId b) {
        digest.bits(a.index);
        digest.bits(b.index);
    }));
}

TEST_F(Golden, DynamicTrees) {
    int number = 0;
    for (const test::Strategy& strategy : test::all_strategies()) {
        TreeOptions options = test::options_of(strategy);
        options.reinsertions = 5;
        DynamicTree tree(options);
        Random random(131);
        Digest digest;
        std::vector<std::pair<ProxyId, Aabb>> all;
        for (std::uint64_t i = 0; i < 90; ++i) {
            const Aabb box = some_box(random);
            all.emplace_back(tree.insert(box, i).id, box);
        }
        for (int step = 0; step < 12; ++step) {
            for (int k = 0; k < 25; ++k) {
                auto& [id, box] = random.one_of(all);
                const glm::vec3 d = random.in_cube(k % 5 == 0 ? 4.0f : 0.1f);
                box = {box.min + d, box.max + d};
                digest.bits(tree.move(id, box, d).fat_box_changed ? 1 : 0);
            }
            tree.remove(all.back().first);
            all.pop_back();
            const UpdateStats done = tree.update();
            digest.bits(done.rebuilt);
            digest.bits(done.reinserted);
        }
        digest.snapshot(tree.snapshot());
        digest_queries(digest, tree, random);
        for (int i = 0; i < 8; ++i) {
            Neighbor nearest[5];
            const std::size_t found = tree.k_nearest(random.in_cube(12.0f) + kPlace, nearest);
            for (std::size_t n = 0; n < found; ++n) {
                digest.bits(nearest[n].id.index);
                digest.number(nearest[n].distance_sq);
            }
        }
        expect("dynamic-tree." + std::to_string(number++), digest);
        for (const Builder builder : {Builder::Median, Builder::Morton, Builder::BinnedSah, Builder::SweepSah,
                                      Builder::Agglomerative}) {
            if (number > 1) break;
            Digest rebuilt;
            tree.rebuild(builder);
            rebuilt.snapshot(tree.snapshot());
            digest_queries(rebuilt, tree, random);
            expect("dynamic-tree.rebuilt-" + std::to_string(static_cast<int>(builder)), rebuilt);
        }
    }
}

TEST_F(Golden, WideTrees) {
    for (const int count : {1, 8, 9, 70, 400}) {
        WideTree tree;
        Random random(132);
        Digest digest;
        std::vector<std::pair<ProxyId, Aabb>> all;
        for (int i = 0; i < count; ++i) {
            const Aabb box = some_box(random);
            all.emplace_back(tree.insert(box, static_cast<std::uint64_t>(i)).id, box);
        }
        digest.snapshot(tree.snapshot());
        for (int step = 0; step < 10; ++step) {
            for (auto& [id, box] : all) {
                const glm::vec3 d = random.in_cube(0.4f);
                box = {box.min + d, box.max + d};
                (void)tree.move(id, box);
            }
            if (all.size() > 5 && step % 2 == 0) {
                tree.remove(all.back().first);
                all.pop_back();
            }
            digest.bits(tree.update().rebuilt);
        }
        digest.snapshot(tree.snapshot());
        digest_queries(digest, tree, random);
        expect("wide-tree." + std::to_string(count), digest);
    }
}

struct Mesh {
    std::vector<glm::vec3> positions;
    std::vector<glm::uvec3> triangles;
    [[nodiscard]] MeshView view() const { return {positions, triangles}; }
};

/// Triangles anywhere, some long and some equal.
Mesh soup(std::uint64_t seed, std::uint32_t count) {
    Random random(seed);
    Mesh mesh;
    for (std::uint32_t i = 0; i < count; ++i) {
        const glm::vec3 center = random.in_cube(5.0f) + kPlace;
        const float size = i % 11 == 0 ? 4.0f : 0.5f;
        for (int c = 0; c < 3; ++c)
            mesh.positions.push_back(i % 17 == 16
                                         ? mesh.positions[3 * (i - 1) + static_cast<std::uint32_t>(c)]
                                         : center + random.in_cube(size));
        mesh.triangles.emplace_back(3 * i, 3 * i + 1, 3 * i + 2);
    }
    return mesh;
}

/// A closed block with a bumpy top.
Mesh terrain(std::uint64_t seed, std::uint32_t side) {
    Random random(seed);
    Mesh mesh;
    for (std::uint32_t layer = 0; layer < 2; ++layer)
        for (std::uint32_t y = 0; y <= side; ++y)
            for (std::uint32_t x = 0; x <= side; ++x)
                mesh.positions.emplace_back(kPlace + glm::vec3(0.5f * static_cast<float>(x),
                                                               0.75f * static_cast<float>(y),
                                                               layer == 0 ? 0.0f : random.range(1.0f, 2.5f)));
    const auto at = [&](std::uint32_t layer, std::uint32_t x, std::uint32_t y) {
        return (layer * (side + 1) + y) * (side + 1) + x;
    };
    const auto quad = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
        mesh.triangles.emplace_back(a, b, c);
        mesh.triangles.emplace_back(a, c, d);
    };
    for (std::uint32_t y = 0; y < side; ++y)
        for (std::uint32_t x = 0; x < side; ++x) {
            quad(at(1, x, y), at(1, x + 1, y), at(1, x + 1, y + 1), at(1, x, y + 1));
            quad(at(0, x, y), at(0, x, y + 1), at(0, x + 1, y + 1), at(0, x + 1, y));
        }
    for (std::uint32_t i = 0; i < side; ++i) {
        quad(at(0, i, 0), at(0, i + 1, 0), at(1, i + 1, 0), at(1, i, 0));
        quad(at(0, i + 1, side), at(0, i, side), at(1, i, side), at(1, i + 1, side));
        quad(at(0, 0, i + 1), at(0, 0, i), at(1, 0, i), at(1, 0, i + 1));
        quad(at(0, side, i), at(0, side, i + 1), at(1, side, i + 1), at(1, side, i));
    }
    return mesh;
}

std::vector<std::pair<std::string, Mesh>> meshes() {
    return {{"soup", soup(133, 300)}, {"terrain", terrain(134, 14)}, {"few", soup(135, 5)}};
}

TEST_F(Golden, MeshTrees) {
    for (const auto& [name, mesh] : meshes())
        for (const MeshBuilder builder : {MeshBuilder::Median, MeshBuilder::Morton, MeshBuilder::BinnedSah,
                                          MeshBuilder::SweepSah, MeshBuilder::Agglomerative})
            for (const float splits : {0.0f, 0.5f}) {
                if (splits > 0.0f && builder != MeshBuilder::BinnedSah) continue;
                for (const std::uint32_t leaf : {1u, 4u}) {
                    MeshBvhOptions options;
                    options.builder = builder;
                    options.max_leaf_triangles = leaf;
                    options.spatial_splits = splits;
                    MeshBvh tree;
                    ASSERT_EQ(tree.build(mesh.view(), options), MeshBuildStatus::Ok);
                    MeshBvh8 wide;
                    ASSERT_EQ(wide.build(tree), MeshBvh8::Status::Ok);
                    Digest digest, of_wide;
                    digest.snapshot(tree.snapshot());
                    of_wide.shape(wide.snapshot());
                    Random random(136);
                    for (int i = 0; i < 40; ++i) {
                        Ray ray = some_ray(random);
                        const glm::vec3 target = random.one_of(mesh.positions);
                        ray.direction = target + random.in_cube(0.3f) - ray.origin;
                        for (const RayMode mode : {RayMode::Fast, RayMode::Watertight}) {
                            digest.hit(tree.raycast(ray, mode));
                            Recording visits;
                            digest.stats(tree.raycast_any(ray, mode, visits).stats);
                            of_wide.hit(wide.raycast(ray, mode));
                            of_wide.stats(wide.raycast_any(ray, mode, visits).stats);
                        }
                        const MeshNearestResult near =
                            tree.closest_point(ray.origin, i % 2 == 0 ? 1e9f : 3.0f);
                        digest.stats(near.stats);
                        if (near.nearest) {
                            digest.bits(near.nearest->triangle);
                            digest.vector(near.nearest->point);
                        }
                    }
                    const std::string row = "mesh-bvh." + name + "." +
                                            std::to_string(static_cast<int>(builder)) + "." +
                                            std::to_string(leaf) + (splits > 0.0f ? ".split" : "");
                    expect(row, digest);
                    expect(row + ".wide", of_wide);
                }
            }
}

TEST_F(Golden, TreesOfVolumes) {
    for (const auto& [name, mesh] : meshes()) {
        ObbTree obbs;
        AabbTree boxes;
        SphereTree spheres;
        ASSERT_EQ(obbs.build(mesh.view()), MeshBuildStatus::Ok);
        ASSERT_EQ(boxes.build(mesh.view()), MeshBuildStatus::Ok);
        ASSERT_EQ(spheres.build(mesh.view()), MeshBuildStatus::Ok);
        Digest digest;
        digest.shape(obbs.snapshot());
        digest.shape(boxes.snapshot());
        digest.shape(spheres.snapshot());
        expect("volume-trees." + name, digest);
    }
}

Pose turned(Random& random) {
    // Quarter turns about each axis and a shift: exact.
    Pose pose(1.0f);
    const std::uint32_t first = random.below(3), second = (first + 1 + random.below(2)) % 3;
    const glm::ivec3 order(static_cast<int>(first), static_cast<int>(second),
                           static_cast<int>(3 - first - second));
    for (int k = 0; k < 3; ++k) {
        pose[k] = glm::vec3(0.0f);
        pose[k][order[k]] = 1.0f;
    }
    if (glm::dot(glm::cross(pose[0], pose[1]), pose[2]) < 0.0f) pose[2] = -pose[2];
    return pose;
}

TEST_F(Golden, MeshesAgainstMeshes) {
    const Mesh a = soup(137, 200), b = terrain(138, 9);
    MeshBvh tree_a, tree_b;
    ASSERT_EQ(tree_a.build(a.view()), MeshBuildStatus::Ok);
    ASSERT_EQ(tree_b.build(b.view()), MeshBuildStatus::Ok);
    MeshBvh8 wide_a, wide_b;
    ASSERT_EQ(wide_a.build(tree_a), MeshBvh8::Status::Ok);
    ASSERT_EQ(wide_b.build(tree_b), MeshBvh8::Status::Ok);
    AabbTree box_a, box_b;
    ASSERT_EQ(box_a.build(a.view()), MeshBuildStatus::Ok);
    ASSERT_EQ(box_b.build(b.view()), MeshBuildStatus::Ok);
    Random random(139);
    Digest walks, distances, boxes;
    CollideCache cache;
    for (int i = 0; i < 40; ++i) {
        Pose pose_a = turned(random), pose_b = turned(random);
        pose_a[3] = -apply(pose_a, kPlace);
        pose_b[3] = random.in_cube(i % 3 == 0 ? 15.0f : 5.0f) - apply(pose_b, kPlace);
        std::vector<TrianglePair> pairs;
        walks.stats(collide_pairs(wide_a, pose_a, wide_b, pose_b, pairs));
        walks.bits(pairs.size());
        for (const TrianglePair& pair : pairs)
            walks.bits(std::uint64_t{pair.a} << 32 | pair.b);
        walks.stats(collide(wide_a, pose_a, wide_b, pose_b).stats);
        walks.stats(collide(wide_a, pose_a, wide_b, pose_b, &cache).stats);
        const MeshDistanceResult far =
            mesh_distance(tree_a, pose_a, tree_b, pose_b, i % 4 == 0 ? 2.0f : 1e9f);
        distances.stats(far.stats);
        if (far.nearest) {
            distances.number(far.nearest->distance);
            distances.bits(far.nearest->triangles.a);
            distances.bits(far.nearest->triangles.b);
        }
        boxes.stats(collide_pairs(box_a, pose_a, box_b, pose_b, CollideExtent::All, pairs));
        boxes.stats(collide_pairs(box_a, pose_a, box_b, pose_b, CollideExtent::First, pairs));
    }
    expect("collide.walks", walks);
    expect("collide.distances", distances);
    expect("collide.box-trees", boxes);
}

TEST_F(Golden, BspTrees) {
    for (const auto& [name, mesh] : meshes())
        for (const BspPlanes planes : {BspPlanes::Triangles, BspPlanes::TrianglesAndAxes})
            for (const std::uint32_t depth : {64u, 5u}) {
                BspOptions options;
                options.planes = planes;
                options.max_depth = depth;
                options.candidates = 7;
                BspTree tree;
                ASSERT_EQ(tree.build(mesh.view(), options), MeshBuildStatus::Ok);
                Digest digest;
                digest.shape(tree.snapshot());
                Random random(140);
                for (int i = 0; i < 40; ++i) {
                    Ray ray = some_ray(random);
                    const glm::vec3 target = random.one_of(mesh.positions);
                    ray.direction = target + random.in_cube(0.3f) - ray.origin;
                    digest.hit(tree.raycast(ray));
                    digest.bits(static_cast<std::uint64_t>(tree.classify(random.in_cube(5.0f) + kPlace)));
                }
                tree.back_to_front(glm::vec3(1, 2, 3),
                                   [&](std::uint32_t fragment) { digest.bits(fragment); });
                expect("bsp." + name + "." + std::to_string(static_cast<int>(planes)) + "." +
                           std::to_string(depth),
                       digest);
            }
}

TEST_F(Golden, Broadphases) {
    for (const BroadphaseInfo& info : broadphase_kinds()) {
        const auto engine = make_broadphase(info.kind);
        Random random(141);
        Digest digest;
        std::vector<std::pair<ProxyId, Aabb>> all;
        for (std::uint64_t i = 0; i < 250; ++i) {
            const Aabb box = some_box(random);
            all.emplace_back(engine->insert(box, i).id, box);
        }
        std::vector<ProxyPair> pairs;
        for (int step = 0; step < 8; ++step) {
            for (auto& [id, box] : all) {
                const glm::vec3 d = random.in_cube(0.2f);
                box = {box.min + d, box.max + d};
                engine->move(id, box, d);
            }
            engine->remove(all.back().first);
            all.pop_back();
            engine->update();
            digest.bits(engine->find_pairs(pairs).tests);
            digest.bits(pairs.size());
            for (const auto& [a, b] : pairs)
                digest.bits(std::uint64_t{a.index} << 32 | b.index);
        }
        const BroadphaseLayout layout = engine->layout();
        for (const auto& cell : layout.cells) {
            digest.box(cell.box);
            digest.bits(cell.boxes);
        }
        for (const auto& sorted : layout.axes)
            for (const auto& interval : sorted.intervals)
                digest.bits(interval.user_data);
        expect("broadphase." + std::string(info.id), digest);
    }
}

TEST_F(Golden, Fits) {
    for (const auto& [name, mesh] : meshes())
        for (const fit::FitEntry& row : fit::fit_catalog()) {
            const fit::Volume volume = row.fit(mesh.view());
            const glm::vec3 center = fit::center_of(volume);
            const std::vector<double> numbers{fit::volume_of(volume), fit::surface_area_of(volume),
                                              double(center.x), double(center.y), double(center.z)};
            expect("fit." + std::string(row.id) + "." + name, numbers);
        }
}

}  // namespace
}  // namespace bv
