// The seeded sources keep their headers' promises, and are deterministic.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <set>
#include <vector>

#include "workloads/bodies.hpp"
#include "workloads/boxes.hpp"
#include "workloads/clouds.hpp"
#include "workloads/random.hpp"
#include "workloads/rays.hpp"

namespace bv::workloads {
namespace {

bool overlap_closed(const Aabb& a, const Aabb& b) {
    for (int axis = 0; axis < 3; ++axis)
        if (a.min[axis] > b.max[axis] || b.min[axis] > a.max[axis]) return false;
    return true;
}

bool has_point(const Aabb& box, const glm::vec3& p, float slack) {
    for (int axis = 0; axis < 3; ++axis)
        if (p[axis] < box.min[axis] - slack || p[axis] > box.max[axis] + slack) return false;
    return true;
}

bool crosses(const Ray& ray, const Aabb& box) {
    float near = 0.0f;
    float far = ray.t_max;
    for (int axis = 0; axis < 3; ++axis) {
        const float t0 = (box.min[axis] - ray.origin[axis]) / ray.direction[axis];
        const float t1 = (box.max[axis] - ray.origin[axis]) / ray.direction[axis];
        near = std::max(near, std::min(t0, t1));
        far = std::min(far, std::max(t0, t1));
    }
    return near <= far;
}

TEST(RandomSource, GivesThePublishedSequence) {
    // First numbers of the reference generator for state 42 and stream 54.
    Random random(42, 54);
    for (const std::uint32_t expected :
         {0xa15c02b7u, 0x7b47f409u, 0xba1d3330u, 0x83d2f293u, 0xbfa4784bu, 0xcbed606eu})
        EXPECT_EQ(random.next_u32(), expected);
}

TEST(RandomSource, StreamsDiffer) {
    Random a(1, 0);
    Random b(1, 1);
    Random c(2, 0);
    const std::uint32_t first = a.next_u32();
    EXPECT_NE(first, b.next_u32());
    EXPECT_NE(first, c.next_u32());
}

TEST(RandomSource, BelowIsInRangeAndUnbiased) {
    Random random(7);
    EXPECT_EQ(random.below(0), 0u);
    EXPECT_EQ(random.below(1), 0u);
    std::array<int, 6> counts{};
    for (int i = 0; i < 60000; ++i)
        ++counts.at(random.below(6));
    for (const int count : counts)
        EXPECT_NEAR(count, 10000, 400);
}

TEST(RandomSource, UniformStaysInItsBounds) {
    Random random(8);
    double sum = 0.0;
    for (int i = 0; i < 100000; ++i) {
        const float u = random.uniform();
        ASSERT_GE(u, 0.0f);
        ASSERT_LT(u, 1.0f);
        sum += u;
        const float v = random.uniform(-3.0f, 5.0f);
        ASSERT_GE(v, -3.0f);
        ASSERT_LE(v, 5.0f);
    }
    EXPECT_NEAR(sum / 100000.0, 0.5, 0.01);
}

TEST(RandomSource, DirectionsAndRotationsAreUniform) {
    Random random(9);
    glm::vec3 mean(0.0f);
    glm::vec3 turned(0.0f);
    for (int i = 0; i < 20000; ++i) {
        const glm::vec3 d = random.direction();
        ASSERT_NEAR(glm::length(d), 1.0f, 1e-6f);
        mean += d;
        const glm::mat3 m = random.rotation();
        turned += m[0];
        ASSERT_NEAR(glm::determinant(m), 1.0f, 1e-5f);
        for (int c = 0; c < 3; ++c) {
            ASSERT_NEAR(glm::length(m[c]), 1.0f, 1e-5f);
            ASSERT_NEAR(glm::dot(m[c], m[(c + 1) % 3]), 0.0f, 1e-5f);
        }
    }
    EXPECT_LT(glm::length(mean / 20000.0f), 0.03f);
    EXPECT_LT(glm::length(turned / 20000.0f), 0.03f);
}

TEST(MovingBoxesSource, EachOverlapsAboutOneOtherThroughout) {
    MovingBoxes boxes(2000, 5);
    const auto overlaps_per_box = [&] {
        const std::vector<Aabb> all = boxes.boxes();
        int pairs = 0;
        for (std::size_t a = 0; a < all.size(); ++a)
            for (std::size_t b = a + 1; b < all.size(); ++b)
                pairs += overlap_closed(all[a], all[b]);
        return 2.0 * pairs / static_cast<double>(all.size());
    };
    EXPECT_NEAR(overlaps_per_box(), 1.0, 0.25);
    for (int i = 0; i < 600; ++i)
        boxes.step();
    EXPECT_NEAR(overlaps_per_box(), 1.0, 0.25);
}

TEST(MovingBoxesSource, KeepsSpeedSizeAndWalls) {
    MovingBoxes boxes(300, 6);
    const std::vector<Aabb> before = boxes.boxes();
    for (int i = 0; i < 2000; ++i) {
        boxes.step();
        for (std::size_t b = 0; b < boxes.size(); ++b) {
            ASSERT_TRUE(has_point(boxes.region(), boxes.box(b).min, 1e-5f));
            ASSERT_TRUE(has_point(boxes.region(), boxes.box(b).max, 1e-5f));
        }
    }
    for (std::size_t b = 0; b < boxes.size(); ++b) {
        EXPECT_LT(glm::length(boxes.box(b).max - boxes.box(b).min - (before[b].max - before[b].min)), 1e-4f);
        EXPECT_NEAR(glm::length(boxes.displacement(b)), 2.0f / 60.0f, 1e-5f);
        const glm::vec3 size = before[b].max - before[b].min;
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_GT(size[axis], 0.499f);
            EXPECT_LT(size[axis], 2.001f);
        }
    }
}

TEST(MovingBoxesSource, IsRepeatableForAnyCount) {
    MovingBoxes a(50, 3);
    MovingBoxes b(50, 3);
    for (int i = 0; i < 100; ++i) {
        a.step();
        b.step();
    }
    EXPECT_EQ(a.boxes(), b.boxes());
    EXPECT_NE(MovingBoxes(50, 4).boxes(), MovingBoxes(50, 3).boxes());
    MovingBoxes none(0, 1);
    none.step();
    EXPECT_EQ(none.size(), 0u);
    MovingBoxes one(1, 1);
    for (int i = 0; i < 1000; ++i)
        one.step();
    EXPECT_TRUE(has_point(one.region(), one.box(0).center(), 0.0f));
}

TEST(BoxArrangements, AreFiniteRepeatableAndOfTheRequestedSize) {
    for (const BoxArrangement& arrangement : box_arrangements()) {
        const std::vector<Aabb> boxes = arrangement.make(1000, 11);
        EXPECT_NEAR(static_cast<double>(boxes.size()), 1000.0, 25.0) << arrangement.id;
        EXPECT_EQ(boxes, arrangement.make(1000, 11)) << arrangement.id;
        for (const Aabb& box : boxes) {
            for (int axis = 0; axis < 3; ++axis) {
                ASSERT_TRUE(std::isfinite(box.min[axis]) && std::isfinite(box.max[axis])) << arrangement.id;
                ASSERT_LE(box.min[axis], box.max[axis]) << arrangement.id;
            }
        }
    }
}

TEST(BoxArrangements, MatchTheirNames) {
    const auto row = row_of_boxes(5);
    for (std::size_t i = 0; i + 1 < row.size(); ++i)
        EXPECT_EQ(row[i].max.x, row[i + 1].min.x);
    EXPECT_FALSE(overlap_closed(grid_of_boxes(2)[0], grid_of_boxes(2)[1]));
    EXPECT_TRUE(overlap_closed(grid_of_boxes(2, 1.0f)[0], grid_of_boxes(2, 1.0f)[7]));
    const auto giant = giant_among_small(100, 2);
    for (const Aabb& box : giant)
        EXPECT_TRUE(overlap_closed(giant[0], box));
    int flat = 0;
    for (const Aabb& box : flat_boxes(1000, 2))
        flat += box.min.x == box.max.x || box.min.y == box.max.y || box.min.z == box.max.z;
    EXPECT_NEAR(flat, 437, 80);
    EXPECT_EQ(floor_of_tiles(3).size(), 9u);
}

TEST(BodySource, SwarmStaysInItsRegionAndKeepsUnitOrientation) {
    SwarmOptions options;
    options.count = 100;
    options.speed = 5.0f;
    options.spin = 6.0f;
    std::vector<Motion> swarm = random_swarm(options);
    for (int i = 0; i < 1000; ++i) {
        for (Motion& body : swarm) {
            advance(body, options.region, 1.0f / 60.0f);
            for (int axis = 0; axis < 3; ++axis)
                ASSERT_LE(std::abs(body.position[axis]) + body.radius, 5.0f + 1e-4f);
            ASSERT_NEAR(glm::length(body.orientation), 1.0f, 1e-5f);
        }
    }
    for (const Motion& body : swarm)
        EXPECT_NEAR(glm::length(body.velocity), 5.0f, 1e-3f);
}

TEST(BodySource, SpinRotatesByItsAngle) {
    Motion body;
    body.angular_velocity = {0.0f, glm::radians(90.0f), 0.0f};
    for (int i = 0; i < 240; ++i)
        advance(body, {glm::vec3(-9.0f), glm::vec3(9.0f)}, 1.0f / 240.0f);
    const glm::vec3 x = body.pose().rotation * glm::vec3(1.0f, 0.0f, 0.0f);
    EXPECT_LT(glm::length(x - glm::vec3(0.0f, 0.0f, -1.0f)), 1e-3f);
}

TEST(BodySource, NarrowRegionCentersTheBody) {
    SwarmOptions options;
    options.count = 5;
    options.region = {glm::vec3(1.0f), glm::vec3(1.2f)};
    for (Motion& body : random_swarm(options)) {
        advance(body, options.region, 1.0f);
        EXPECT_LT(glm::length(body.position - glm::vec3(1.1f)), 1e-5f);
    }
}

TEST(BodySource, PosesFillTheReach) {
    float farthest = 0.0f;
    for (const Pose& pose : random_poses(1000, 3.0f, 1)) {
        farthest = std::max(farthest, glm::length(pose.translation));
        EXPECT_EQ(pose.affine()[3], pose.translation);
    }
    EXPECT_LE(farthest, 3.0f);
    EXPECT_GT(farthest, 2.8f);
}

TEST(RaySource, RaysMatchTheirNames) {
    const Aabb bounds{{-1.0f, 2.0f, 3.0f}, {4.0f, 5.0f, 9.0f}};
    const Aabb slack = {bounds.min - 1e-4f, bounds.max + 1e-4f};
    for (const Ray& ray : rays_from_outside(1000, bounds, 1)) {
        EXPECT_FALSE(has_point(bounds, ray.origin, 0.0f));
        EXPECT_TRUE(crosses(ray, slack));
        EXPECT_NEAR(glm::length(ray.direction), 1.0f, 1e-5f);
    }
    for (const Ray& ray : rays_from_inside(1000, bounds, 1))
        EXPECT_TRUE(has_point(bounds, ray.origin, 0.0f));
    for (const Ray& ray : segments_inside(1000, bounds, 1)) {
        EXPECT_EQ(ray.t_max, 1.0f);
        EXPECT_TRUE(has_point(bounds, ray.at(1.0f), 1e-4f));
    }
    const auto primary = primary_rays(32, bounds);
    EXPECT_EQ(primary.size(), 1024u);
    int hits = 0;
    for (const Ray& ray : primary)
        hits += crosses(ray, bounds);
    EXPECT_GT(hits, 200);
    EXPECT_LT(hits, 1000);
    EXPECT_TRUE(crosses(primary[16 * 32 + 16], bounds));
    for (const Ray& ray : awkward_rays(bounds))
        EXPECT_TRUE(std::isfinite(glm::length(ray.direction)));
    EXPECT_EQ(rays_from_inside(10, bounds, 1), rays_from_inside(10, bounds, 1));
    EXPECT_NE(rays_from_inside(10, bounds, 1), rays_from_inside(10, bounds, 2));
}

TEST(CloudSource, EveryKindIsFiniteAndRepeatable) {
    std::set<std::string_view> ids;
    for (const CloudKind& kind : cloud_kinds()) {
        EXPECT_TRUE(ids.insert(kind.id).second) << kind.id;
        const auto points = make_cloud(kind.id, 100, 3);
        EXPECT_EQ(points, make_cloud(kind.id, 100, 3)) << kind.id;
        for (const glm::vec3& p : points)
            ASSERT_TRUE(std::isfinite(glm::dot(p, p))) << kind.id;
        if (kind.id != "none" && kind.id != "one" && kind.id != "two") {
            EXPECT_EQ(points.size(), 100u) << kind.id;
        }
        (void)make_cloud(kind.id, 0, 3);
        (void)make_cloud(kind.id, 1, 3);
    }
    EXPECT_TRUE(make_cloud("none", 100, 1).empty());
    EXPECT_TRUE(make_cloud("no such kind", 100, 1).empty());
}

TEST(CloudSource, RandomShapesAreValidAndSometimesDegenerate) {
    Random random(12);
    int flat_obbs = 0;
    int points = 0;
    int slivers = 0;
    for (int i = 0; i < 4000; ++i) {
        const Obb obb = random_obb(random, 5.0f, 1.0f);
        ASSERT_FALSE(obb.is_empty());
        flat_obbs += obb.half_extents.x == 0.0f || obb.half_extents.y == 0.0f || obb.half_extents.z == 0.0f;
        const Sphere sphere = random_sphere(random, 5.0f, 1.0f);
        ASSERT_FALSE(sphere.is_empty());
        points += sphere.radius == 0.0f;
        ASSERT_FALSE(random_aabb(random, 5.0f, 1.0f).is_empty());
        const Triangle t = random_triangle(random, 5.0f, 1.0f);
        slivers += glm::length(glm::cross(t.b - t.a, t.c - t.a)) < 1e-5f;
        ASSERT_NEAR(glm::length(random_plane(random, 5.0f).normal), 1.0f, 1e-5f);
    }
    EXPECT_NEAR(flat_obbs, 500, 100);
    EXPECT_NEAR(points, 500, 100);
    EXPECT_NEAR(slivers, 500, 100);
}

}  // namespace
}  // namespace bv::workloads
