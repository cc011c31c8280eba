// Mesh against mesh: against all pairs of triangles, against FCL, and where those differ against CGAL's exact
// predicates.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <glm/matrix.hpp>
#include <limits>
#include <utility>

#include "bv/query/collide.hpp"
#include "bv/query/overlap_triangle.hpp"
#include "reference/box_reference.hpp"
#include "reference/overlap_reference.hpp"
#include "workloads/meshes.hpp"
#include "workloads/random.hpp"

#ifdef BVLAB_HAVE_CGAL
#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/intersections.h>
#endif
#ifdef BVLAB_HAVE_FCL
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#endif

namespace bv {
namespace {

using workloads::MeshData;
using workloads::Random;

std::size_t scaled(std::size_t count) {
    const char* scale = std::getenv("BV_TEST_SCALE");
    return static_cast<std::size_t>(static_cast<double>(count) * (scale != nullptr ? std::atof(scale) : 1.0));
}

struct Body {
    MeshData mesh;
    MeshBvh tree;
    MeshBvh8 wide;

    explicit Body(MeshData data, std::uint32_t leaf = 4) : mesh(std::move(data)) {
        MeshBvhOptions options;
        options.max_leaf_triangles = leaf;
        tree.build(mesh.view(), options);
        wide.build(tree);
    }
};

/// Two meshes of a few triangles each, with random corners.
MeshData loose_triangles(Random& random, int count, float scale) {
    MeshData mesh;
    for (int i = 0; i < count; ++i) {
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        const glm::vec3 at = random.in_box(glm::vec3(-1.0f), glm::vec3(1.0f));
        for (int k = 0; k < 3; ++k)
            mesh.positions.push_back((at + random.in_box(glm::vec3(-0.7f), glm::vec3(0.7f))) * scale);
        mesh.triangles.push_back({first, first + 1, first + 2});
    }
    return mesh;
}

Pose random_pose(Random& random, float range) {
    const glm::mat3 r = random.rotation();
    const glm::vec3 t = range * random.in_ball();
    return {r[0], r[1], r[2], t};
}

/// The pose of a body of another size.
Pose resized(Pose pose, float scale) {
    for (int axis = 0; axis < 3; ++axis)
        pose[axis] *= scale;
    return pose;
}

/// The exact test, with which collisions must agree; compared with the reference where boxes overlap.
bool touch(const Triangle& a, const Triangle& b) {
    const bool answer = overlap(a, b);
    const Aabb box_a = merge(merge(merge(Aabb{}, a.a), a.b), a.c),
               box_b = merge(merge(merge(Aabb{}, b.a), b.b), b.c);
    if (reference::separation(box_a, box_b) > 0) {
        EXPECT_FALSE(answer);
        return answer;
    }
    // To the reference, a gap within the rounding of floats between nearly coplanar triangles is contact, so
    // it only judges the contacts found.
    if (reference::relation(a, b, 1e-9L) == reference::Relation::Disjoint) {
        EXPECT_FALSE(answer);
    }
    return answer;
}

std::vector<TrianglePair> brute_force(const MeshData& a, const MeshData& b, const Pose& b_in_a) {
    std::vector<TrianglePair> pairs;
    for (std::uint32_t j = 0; j < b.triangles.size(); ++j) {
        const Triangle triangle_b = apply(b_in_a, b.view().triangle(j));
        for (std::uint32_t i = 0; i < a.triangles.size(); ++i)
            if (touch(a.view().triangle(i), triangle_b)) pairs.push_back({i, j});
    }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

TEST(Collide, AgreesWithTheExactTestAtEveryScale) {
    // Products of three lengths leave the range of floats from 2^42 on, and lose their digits from 2^-42
    // down.
    for (const int power : {-100, -60, -51, -48, -45, -40, 0, 40, 41, 43, 44, 47, 50, 60, 100, 120}) {
        Random random(17);
        std::size_t touching = 0;
        for (int i = 0; i < 60; ++i) {
            const Body a(loose_triangles(random, 6, std::ldexp(1.0f, power)));
            const Body b(loose_triangles(random, 6, std::ldexp(1.0f, power)));
            std::vector<TrianglePair> expected, got;
            for (std::uint32_t m = 0; m < 6; ++m)
                for (std::uint32_t n = 0; n < 6; ++n)
                    if (overlap(a.mesh.view().triangle(m), b.mesh.view().triangle(n)))
                        expected.push_back({m, n});
            collide_pairs(a.wide, Pose(1.0f), b.wide, Pose(1.0f), got);
            ASSERT_TRUE(got == expected) << "2^" << power << ", meshes " << i;
            ASSERT_EQ(collide(a.wide, Pose(1.0f), b.wide, Pose(1.0f)).touching, !expected.empty());
            touching += expected.size();
        }
        EXPECT_GT(touching, 50u);
    }
}

TEST(Collide, MatchesAllPairsOfTriangles) {
    const Body bodies[] = {Body(workloads::icosphere(2)), Body(workloads::torus(0.35f, 0.15f, 16, 8)),
                           Body(workloads::box()), Body(workloads::gear(7)),
                           Body(workloads::tetrahedron(), 1)};
    Random random(1);
    std::size_t touching = 0;
    for (const Body& a : bodies)
        for (const Body& b : bodies)
            for (std::size_t i = 0; i < scaled(25); ++i) {
                const Pose pose_a = random_pose(random, 3.0f);
                Pose pose_b = random_pose(random, 0.9f);
                pose_b[3] += pose_a[3];
                const auto truth = brute_force(a.mesh, b.mesh, relative_pose(pose_a, pose_b));
                std::vector<TrianglePair> pairs;
                const CollideStats stats = collide_pairs(a.wide, pose_a, b.wide, pose_b, pairs);
                ASSERT_EQ(pairs, truth);
                EXPECT_EQ(stats.hits, truth.size());
                EXPECT_EQ(collide(a.wide, pose_a, b.wide, pose_b).touching, !truth.empty());
                std::vector<ContactSegment> segments;
                collide_segments(a.wide, pose_a, b.wide, pose_b, segments);
                ASSERT_EQ(segments.size(), truth.size());
                for (std::size_t k = 0; k < truth.size(); ++k)
                    EXPECT_EQ(segments[k].triangles, truth[k]);
                touching += truth.empty() ? 0 : 1;
            }
    EXPECT_GT(touching, scaled(25) * 5);
}

TEST(Collide, ContactSegmentsLieOnBothTriangles) {
    const Body a(workloads::icosphere(3)), b(workloads::torus());
    Random random(5);
    std::size_t count = 0;
    for (std::size_t i = 0; i < scaled(20); ++i) {
        const Pose pose_a = random_pose(random, 0.5f), pose_b = random_pose(random, 0.5f);
        std::vector<ContactSegment> segments;
        collide_segments(a.wide, pose_a, b.wide, pose_b, segments);
        for (const ContactSegment& c : segments) {
            const Triangle ta = apply(pose_a, a.mesh.view().triangle(c.triangles.a));
            const Triangle tb = apply(pose_b, b.mesh.view().triangle(c.triangles.b));
            for (const Triangle& t : {ta, tb})
                for (const glm::vec3& p : {c.segment.a, c.segment.b})
                    EXPECT_LT(std::abs(glm::dot(t.normal(), p - t.a)), 1e-5f);
            ++count;
        }
    }
    EXPECT_GT(count, 100u);
}

TEST(Collide, TheCacheChangesNoResult) {
    const Body a(workloads::rock(1, 4)), b(workloads::torus_knot());
    Random random(9);
    CollideCache cache;
    Pose pose_b(1.0f);
    std::size_t from_cache = 0;
    glm::vec3 velocity = random.direction();
    for (std::size_t i = 0; i < scaled(2000); ++i) {
        if (i % 50 == 0) velocity = -glm::normalize(pose_b[3] + 0.3f * random.direction());
        pose_b[3] += 0.02f * velocity;
        const CollideResult with = collide(a.wide, Pose(1.0f), b.wide, pose_b, &cache);
        ASSERT_EQ(with.touching, collide(a.wide, Pose(1.0f), b.wide, pose_b).touching);
        from_cache += with.stats.from_cache ? 1 : 0;
    }
    EXPECT_GT(from_cache, scaled(2000) / 4);
    // A cache of other meshes is harmless.
    const Body small(workloads::tetrahedron());
    cache.block_a = cache.block_b = 5000;
    EXPECT_TRUE(collide(small.wide, Pose(1.0f), small.wide, Pose(1.0f), &cache).touching);
}

TEST(Collide, SameAtEveryScaleAndPosition) {
    const MeshData base_a = workloads::icosphere(2), base_b = workloads::gear(7);
    Random random(13);
    for (const float scale : {0x1p-20f, 0x1p20f}) {
        MeshData small_a = base_a, small_b = base_b;
        for (MeshData* mesh : {&small_a, &small_b})
            for (glm::vec3& p : mesh->positions)
                p *= scale;
        const Body a(base_a), b(base_b), sa(small_a), sb(small_b);
        for (std::size_t i = 0; i < scaled(50); ++i) {
            Pose pose_a = random_pose(random, 0.5f), pose_b = random_pose(random, 0.5f);
            std::vector<TrianglePair> pairs, scaled_pairs;
            collide_pairs(a.wide, pose_a, b.wide, pose_b, pairs);
            pose_a[3] *= scale;
            pose_b[3] *= scale;
            collide_pairs(sa.wide, pose_a, sb.wide, pose_b, scaled_pairs);
            ASSERT_EQ(pairs, scaled_pairs);
        }
    }
}

// Multiplying by a power of two rounds nothing: a pose that scales gives what the scaled mesh gives.
TEST(Collide, AScaledPoseIsAScaledMesh) {
    const MeshData base_a = workloads::icosphere(2), base_b = workloads::gear(7);
    const Body a(base_a), b(base_b);
    Random random(29);
    std::size_t touching = 0;
    for (const auto& [power_a, power_b] :
         {std::pair{0, 1}, {0, -3}, {2, 0}, {-4, 0}, {3, 2}, {-2, 1}, {30, 31}, {-40, -41}, {60, 60}}) {
        const float scale_a = std::ldexp(1.0f, power_a), scale_b = std::ldexp(1.0f, power_b);
        MeshData mesh_a = base_a, mesh_b = base_b;
        for (glm::vec3& p : mesh_a.positions)
            p *= scale_a;
        for (glm::vec3& p : mesh_b.positions)
            p *= scale_b;
        const Body large_a(mesh_a), large_b(mesh_b);
        for (std::size_t i = 0; i < scaled(40); ++i) {
            Pose pose_a = random_pose(random, 0.3f), pose_b = random_pose(random, 0.3f);
            pose_a[3] *= scale_a + scale_b;
            pose_b[3] *= scale_a + scale_b;
            std::vector<TrianglePair> expected, got;
            collide_pairs(large_a.wide, pose_a, large_b.wide, pose_b, expected);
            const Pose scaled_a = resized(pose_a, scale_a), scaled_b = resized(pose_b, scale_b);
            collide_pairs(a.wide, scaled_a, b.wide, scaled_b, got);
            ASSERT_EQ(got, expected) << "2^" << power_a << ", 2^" << power_b << ", " << i;
            EXPECT_EQ(collide(a.wide, scaled_a, b.wide, scaled_b).touching, !expected.empty());
            touching += !expected.empty();
        }
    }
    EXPECT_GT(touching, scaled(40) * 2);
}

TEST(Collide, MatchesAllPairsOfTrianglesAtEverySize) {
    const Body bodies[] = {Body(workloads::icosphere(2)), Body(workloads::torus(0.35f, 0.15f, 16, 8)),
                           Body(workloads::gear(7))};
    Random random(31);
    std::size_t touching = 0;
    for (const Body& a : bodies)
        for (const Body& b : bodies)
            for (const float ratio : {0.01f, 0.3f, 0.999f, 3.7f, 50.0f})
                for (std::size_t i = 0; i < scaled(15); ++i) {
                    const float size = random.uniform(0.1f, 20.0f);
                    const Pose pose_a = resized(random_pose(random, 0.4f * size), size);
                    Pose pose_b = resized(random_pose(random, 0.7f * size), ratio * size);
                    const Pose b_in_a = relative_pose(pose_a, pose_b);
                    const auto truth = brute_force(a.mesh, b.mesh, b_in_a);
                    CollideCache cache;
                    std::vector<TrianglePair> pairs;
                    collide_pairs(a.wide, pose_a, b.wide, pose_b, pairs);
                    ASSERT_EQ(pairs, truth) << ratio << " " << i;
                    for (int time = 0; time < 2; ++time)
                        EXPECT_EQ(collide(a.wide, pose_a, b.wide, pose_b, &cache).touching, !truth.empty());
                    std::vector<ContactSegment> segments;
                    collide_segments(a.wide, pose_a, b.wide, pose_b, segments);
                    const float tolerance = 1e-5f * size * (1.0f + ratio);
                    for (const ContactSegment& c : segments)
                        for (const Triangle& t : {apply(pose_a, a.mesh.view().triangle(c.triangles.a)),
                                                  apply(pose_b, b.mesh.view().triangle(c.triangles.b))})
                            for (const glm::vec3& p : {c.segment.a, c.segment.b})
                                EXPECT_LT(std::abs(glm::dot(t.normal(), p - t.a)), tolerance);
                    touching += !truth.empty();
                }
    EXPECT_GT(touching, scaled(15) * 10);
}

TEST(Collide, TheRelativePoseUndoesTheFirst) {
    Random random(37);
    for (int i = 0; i < 1000; ++i) {
        const float scale_a = std::exp2(random.uniform(-20.0f, 20.0f));
        const float scale_b = std::exp2(random.uniform(-20.0f, 20.0f));
        const Pose a = resized(random_pose(random, 5.0f), scale_a);
        const Pose b = resized(random_pose(random, 5.0f), scale_b);
        const glm::dmat4 in_a = glm::inverse(glm::dmat4(glm::mat4(a))) * glm::dmat4(glm::mat4(b));
        const Pose got = relative_pose(a, b);
        for (int c = 0; c < 4; ++c)
            EXPECT_LT(glm::distance(glm::dvec3(got[c]), glm::dvec3(in_a[c])), 1e-6 * glm::length(in_a[c]))
                << i << ", column " << c;
    }
}

/// A pose may deviate that much from a rotation.
Pose lengthened(Pose pose) {
    pose[0] *= 1.0001f;
    return pose;
}

TEST(Collide, TheRelativePoseUndoesAFirstThatIsNoRotation) {
    Random random(38);
    for (int i = 0; i < 100; ++i) {
        const Pose a = lengthened(random_pose(random, 5.0f)), b = random_pose(random, 5.0f);
        const glm::dmat4 in_a = glm::inverse(glm::dmat4(glm::mat4(a))) * glm::dmat4(glm::mat4(b));
        const Pose got = relative_pose(a, b);
        for (int c = 0; c < 4; ++c)
            EXPECT_LT(glm::distance(glm::dvec3(got[c]), glm::dvec3(in_a[c])), 1e-6 * glm::length(in_a[c]))
                << i << ", column " << c;
    }
}

// A corner reaches into the box by less than a pose may be longer than a rotation.
TEST(Collide, PosesThatAreNoRotationsMissNoPair) {
    MeshData corner;
    corner.positions = {{1.00002f, 0.1f, 0.05f}, {3, 0.2f, 0.1f}, {3, -0.2f, -0.15f}};
    corner.triangles = {{0, 1, 2}};
    const Body a(corner), b(workloads::box(glm::vec3(1)));
    Random random(39);
    for (int i = 0; i < 100; ++i) {
        const Pose pose_a = i == 0 ? Pose(1.0f) : random_pose(random, 0.0f), pose_b = lengthened(pose_a);
        EXPECT_TRUE(collide(a.wide, pose_a, b.wide, pose_b).touching) << i;
        EXPECT_TRUE(collide(b.wide, pose_b, a.wide, pose_a).touching) << i;
        std::vector<TrianglePair> pairs;
        collide_pairs(a.wide, pose_a, b.wide, pose_b, pairs);
        EXPECT_TRUE(pairs == brute_force(a.mesh, b.mesh, relative_pose(pose_a, pose_b))) << i;
        std::vector<ContactSegment> contacts;
        collide_segments(a.wide, pose_a, b.wide, pose_b, contacts);
        EXPECT_EQ(contacts.size(), pairs.size());
        EXPECT_EQ(mesh_distance(a.tree, pose_a, b.tree, pose_b).nearest->distance, 0.0f) << i;
    }
}

// A small mesh placed against faces of a large one, and vice versa, in every orientation: triangles may or
// may not touch to the last bit, but no box test may miss a touching pair.
TEST(Collide, TouchingFacesMissNoPair) {
    Random random(17);
    std::size_t touching = 0;
    for (const float ratio : {1.0f, 0.1f, 0.01f}) {
        MeshData large = workloads::box(glm::vec3(3.0f, 2.0f, 5.0f)),
                 small = workloads::box(glm::vec3(2.0f, 3.0f, 1.0f));
        for (glm::vec3& p : small.positions)
            p *= ratio;
        const Body a(large, 1), b(small, 1);
        const Aabb of_a = a.wide.bounds(), of_b = b.wide.bounds();
        for (std::size_t i = 0; i < scaled(400); ++i) {
            // Face to face in the common frame, then both rotated and translated.
            glm::vec3 offset =
                0.5f * (of_a.max - of_a.min) * (2.0f * random.in_box(glm::vec3(0), glm::vec3(1)) - 1.0f);
            const int axis = static_cast<int>(random.below(3));
            offset[axis] = i % 2 == 0 ? of_a.max[axis] - of_b.min[axis] : of_a.min[axis] - of_b.max[axis];
            const Pose both = random_pose(random, 4.0f);
            Pose pose_b = both;
            pose_b[3] = apply(both, offset);
            for (const bool swapped : {false, true}) {
                const Body &first = swapped ? b : a, &second = swapped ? a : b;
                const Pose &pose_1 = swapped ? pose_b : both, &pose_2 = swapped ? both : pose_b;
                const auto truth = brute_force(first.mesh, second.mesh, relative_pose(pose_1, pose_2));
                std::vector<TrianglePair> pairs;
                collide_pairs(first.wide, pose_1, second.wide, pose_2, pairs);
                ASSERT_EQ(pairs, truth) << ratio << " " << i;
                EXPECT_EQ(collide(first.wide, pose_1, second.wide, pose_2).touching, !truth.empty());
                touching += truth.empty() ? 0 : 1;
            }
        }
    }
    EXPECT_GT(touching, scaled(300));
}

// Between the largest floats no box test means anything.
TEST(Collide, MissesNothingBetweenTheLargestFloats) {
    Random random(41);
    std::size_t touching = 0;
    for (const float size : {std::numeric_limits<float>::max(), 2.4e38f, 1.5e38f, 1e37f})
        for (int i = 0; i < 60; ++i) {
            MeshData meshes[2];
            for (MeshData& mesh : meshes)
                for (std::uint32_t k = 0; k < 24; ++k) {
                    // On a coarse grid, so that many triangles share points.
                    glm::vec3 p;
                    for (int axis = 0; axis < 3; ++axis)
                        p[axis] = size * (0.5f * static_cast<float>(random.below(5)) - 1.0f);
                    mesh.positions.push_back(p);
                    if (k % 3 == 2) mesh.triangles.emplace_back(k - 2, k - 1, k);
                }
            const Body a(meshes[0], 1), b(meshes[1], 1);
            std::vector<TrianglePair> expected, got;
            for (std::uint32_t m = 0; m < 8; ++m)
                for (std::uint32_t n = 0; n < 8; ++n)
                    if (overlap(a.mesh.view().triangle(m), b.mesh.view().triangle(n)))
                        expected.push_back({m, n});
            collide_pairs(a.wide, Pose(1.0f), b.wide, Pose(1.0f), got);
            std::erase_if(expected, [&](const TrianglePair& pair) {  // no part of the tree
                const auto degenerate = [](const Triangle& t) {
                    return t.a == t.b || t.b == t.c || t.a == t.c;
                };
                return degenerate(a.mesh.view().triangle(pair.a)) ||
                       degenerate(b.mesh.view().triangle(pair.b));
            });
            std::erase_if(got, [&](const TrianglePair& pair) {
                return !std::binary_search(expected.begin(), expected.end(), pair);
            });
            ASSERT_EQ(got, expected) << size << ", " << i;
            touching += expected.size();
        }
    EXPECT_GT(touching, 100u);
}

// Of one size in the world; the map from A's frame to B's has entries beyond floats.
TEST(Collide, MeshesOfTheMostDifferentScalesTouch) {
    MeshData small = workloads::icosphere(2), large = small;
    for (glm::vec3& p : small.positions)
        p *= 1e-20f;
    for (glm::vec3& p : large.positions)
        p *= 1e20f;
    const Body a(small), b(large);
    const Pose pose_a = resized(Pose(1.0f), 1e20f);
    for (const float x : {0.3f, 0.8f, 1.2f}) {
        Pose pose_b = resized(Pose(1.0f), 1e-20f);
        pose_b[3].x = x;
        const std::vector<TrianglePair> expected = brute_force(small, large, relative_pose(pose_a, pose_b));
        EXPECT_EQ(expected.empty(), x > 1.0f);
        std::vector<TrianglePair> pairs;
        collide_pairs(a.wide, pose_a, b.wide, pose_b, pairs);
        EXPECT_TRUE(pairs == expected) << x;
        EXPECT_EQ(collide(a.wide, pose_a, b.wide, pose_b).touching, !expected.empty()) << x;
        EXPECT_EQ(mesh_distance(a.tree, pose_a, b.tree, pose_b).nearest->distance == 0.0f, !expected.empty());
        // Here the map itself leaves the range.
        EXPECT_FALSE(collide(b.wide, pose_b, a.wide, pose_a).touching);
    }
}

TEST(Collide, OddInput) {
    const Body ball(workloads::icosphere(1));
    std::vector<TrianglePair> pairs;
    EXPECT_FALSE(collide(MeshBvh8{}, Pose(1.0f), ball.wide, Pose(1.0f)).touching);
    EXPECT_EQ(collide_pairs(ball.wide, Pose(1.0f), MeshBvh8{}, Pose(1.0f), pairs).hits, 0u);
    Pose bad(1.0f);
    bad[3].y = std::numeric_limits<float>::quiet_NaN();
    EXPECT_FALSE(collide(ball.wide, bad, ball.wide, Pose(1.0f)).touching);
    bad[3].y = std::numeric_limits<float>::infinity();
    EXPECT_FALSE(collide(ball.wide, Pose(1.0f), ball.wide, bad).touching);
    const Pose nothing = resized(Pose(1.0f), 0.0f);
    EXPECT_FALSE(collide(ball.wide, nothing, ball.wide, Pose(1.0f)).touching);
    EXPECT_FALSE(collide(ball.wide, Pose(1.0f), ball.wide, nothing).touching);
    EXPECT_FALSE(mesh_distance(ball.tree, Pose(1.0f), ball.tree, nothing).nearest);
    EXPECT_FALSE(mesh_distance(ball.tree, nothing, ball.tree, Pose(1.0f)).nearest);
    // A mesh against itself: each triangle touches itself.
    collide_pairs(ball.wide, Pose(1.0f), ball.wide, Pose(1.0f), pairs);
    EXPECT_GE(pairs.size(), ball.mesh.triangles.size());
    // Boxes that touch along a face.
    const Body box(workloads::box());
    Pose beside(1.0f);
    beside[3].x = 1.0f;
    EXPECT_TRUE(collide(box.wide, Pose(1.0f), box.wide, beside).touching);
    beside[3].x = 1.00001f;
    EXPECT_FALSE(collide(box.wide, Pose(1.0f), box.wide, beside).touching);
}

#if defined(BVLAB_HAVE_FCL) && defined(BVLAB_HAVE_CGAL)

using Exact = CGAL::Exact_predicates_exact_constructions_kernel;

Exact::Triangle_3 to_cgal(const Triangle& t) {
    const auto point = [](const glm::vec3& p) { return Exact::Point_3(p.x, p.y, p.z); };
    return {point(t.a), point(t.b), point(t.c)};
}

using FclModel = fcl::BVHModel<fcl::OBBd>;

std::shared_ptr<FclModel> to_fcl(const MeshData& mesh) {
    auto model = std::make_shared<FclModel>();
    std::vector<fcl::Vector3d> points;
    std::vector<fcl::Triangle> triangles;
    for (const glm::vec3& p : mesh.positions)
        points.emplace_back(p.x, p.y, p.z);
    for (const glm::uvec3& t : mesh.triangles)
        triangles.emplace_back(t.x, t.y, t.z);
    model->beginModel();
    model->addSubModel(points, triangles);
    model->endModel();
    return model;
}

fcl::Transform3d to_fcl(const Pose& pose) {
    fcl::Transform3d out = fcl::Transform3d::Identity();
    for (int c = 0; c < 4; ++c)
        for (int r = 0; r < 3; ++r)
            out(r, c) = static_cast<double>(pose[c][r]);
    return out;
}

TEST(Collide, SamePairsAsFcl) {
    const Body a(workloads::icosphere(3)), b(workloads::torus_knot(2, 3, 0.09f, 96, 8));
    const auto fcl_a = to_fcl(a.mesh), fcl_b = to_fcl(b.mesh);
    Random random(21);
    std::size_t differ = 0, all = 0;
    for (std::size_t i = 0; i < scaled(1000); ++i) {
        const Pose pose_b = random_pose(random, 0.9f);
        std::vector<TrianglePair> ours;
        collide_pairs(a.wide, Pose(1.0f), b.wide, pose_b, ours);
        fcl::CollisionRequestd request(std::numeric_limits<std::size_t>::max(), true);
        fcl::CollisionResultd found;
        const fcl::CollisionObjectd one(fcl_a, fcl::Transform3d::Identity()), two(fcl_b, to_fcl(pose_b));
        fcl::collide(&one, &two, request, found);
        std::vector<TrianglePair> expected;
        for (std::size_t k = 0; k < found.numContacts(); ++k)
            expected.push_back({static_cast<std::uint32_t>(found.getContact(k).b1),
                                static_cast<std::uint32_t>(found.getContact(k).b2)});
        std::sort(expected.begin(), expected.end());
        expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
        std::vector<TrianglePair> difference;
        std::set_symmetric_difference(ours.begin(), ours.end(), expected.begin(), expected.end(),
                                      std::back_inserter(difference));
        all += ours.size();
        differ += difference.size();
        // Where the two differ, exact arithmetic on the mapped vertices confirms our result.
        for (const TrianglePair& pair : difference) {
            const Triangle triangle_b = apply(pose_b, b.mesh.view().triangle(pair.b));
            const bool touch =
                CGAL::do_intersect(to_cgal(a.mesh.view().triangle(pair.a)), to_cgal(triangle_b));
            EXPECT_EQ(touch, std::binary_search(ours.begin(), ours.end(), pair));
        }
    }
    EXPECT_GT(all, 10 * scaled(1000));
    EXPECT_LT(differ, all / 1000 + 5) << "of " << all;
}
#endif

}  // namespace
}  // namespace bv
