// The fits that only need passes over the points: cases by hand, bad input, containment, scale, and the
// trace.
#include <gtest/gtest.h>

#include <variant>

#include "bv/fit/aabb.hpp"
#include "bv/fit/obb.hpp"
#include "bv/fit/sphere.hpp"
#include "bv/shapes/contains_point.hpp"
#include "shape_test_util.hpp"

namespace bv {
namespace {

using test::Random;
using Cloud = std::vector<glm::vec3>;
constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::numeric_limits<float>::quiet_NaN();

template <class Volume>
void expect_contains_all(const Volume& volume, const Cloud& points, const char* what) {
    for (const glm::vec3& p : points) {
        if (!std::isfinite(p.x + p.y + p.z)) continue;
        ASSERT_TRUE(contains_point(volume, p)) << what << ": " << p.x << " " << p.y << " " << p.z;
    }
}

void check_all(const Cloud& points) {
    expect_contains_all(fit::sphere_ritter(points), points, "ritter");
    expect_contains_all(fit::sphere_centroid(points), points, "centroid");
    expect_contains_all(fit::sphere_aabb_center(points), points, "aabb center");
    expect_contains_all(fit::aabb_tight(points), points, "aabb tight");
    expect_contains_all(fit::aabb_fixed(fit::sphere_ritter(points)), points, "aabb fixed");
    expect_contains_all(fit::obb_pca(points), points, "obb pca");
}

TEST(BasicFits, NoUsablePointsGiveEmptyVolumes) {
    for (const Cloud& points :
         {Cloud{}, Cloud{glm::vec3(kNan)}, Cloud{glm::vec3(kInf, 0, 0), glm::vec3(0, -kInf, 0)}}) {
        EXPECT_TRUE(fit::sphere_ritter(points).is_empty());
        EXPECT_TRUE(fit::sphere_centroid(points).is_empty());
        EXPECT_TRUE(fit::sphere_aabb_center(points).is_empty());
        EXPECT_TRUE(fit::aabb_tight(points).is_empty());
        EXPECT_TRUE(fit::obb_pca(points).is_empty());
    }
    EXPECT_TRUE(fit::aabb_fixed(Sphere{}).is_empty());
}

TEST(BasicFits, OnePointIsAPoint) {
    const Cloud points{glm::vec3(1, 2, 3), glm::vec3(1, 2, 3), glm::vec3(kNan, 0, 0)};
    EXPECT_EQ(fit::sphere_ritter(points), (Sphere{glm::vec3(1, 2, 3), 0.0f}));
    EXPECT_EQ(fit::sphere_centroid(points), (Sphere{glm::vec3(1, 2, 3), 0.0f}));
    EXPECT_EQ(fit::aabb_tight(points), (Aabb{glm::vec3(1, 2, 3), glm::vec3(1, 2, 3)}));
    EXPECT_EQ(fit::obb_pca(points), (Obb{glm::vec3(1, 2, 3), glm::vec3(0), glm::mat3(1)}));
}

TEST(BasicFits, KnownCases) {
    const Cloud pair{glm::vec3(-1, 0, 0), glm::vec3(3, 0, 0)};
    EXPECT_EQ(fit::sphere_ritter(pair), (Sphere{glm::vec3(1, 0, 0), 2.0f}));
    EXPECT_EQ(fit::aabb_fixed(Sphere{glm::vec3(1, 0, 0), 2.0f}), (Aabb{{-1, -2, -2}, {3, 2, 2}}));
    Cloud cube;
    for (int i = 0; i < 8; ++i)
        cube.push_back(Aabb{glm::vec3(-1), glm::vec3(1)}.corner(i));
    EXPECT_FLOAT_EQ(fit::sphere_centroid(cube).radius, std::sqrt(3.0f));
    EXPECT_EQ(fit::obb_pca(cube), (Obb{glm::vec3(0), glm::vec3(1), glm::mat3(1)}));
    // Principal axes find a rotated box that is sampled evenly.
    Random random(3);
    const glm::dmat3 turn = random.rotation_in_double();
    Cloud box;
    for (const glm::vec3& p : cube)
        box.push_back(glm::vec3(turn * glm::dvec3(p * glm::vec3(3, 2, 1))));
    EXPECT_NEAR(fit::obb_pca(box).volume(), 48.0f, 1e-4f);
    EXPECT_NEAR(fit::obb_pca(box).half_extents.x, 3.0f, 1e-5f);
}

TEST(BasicFits, ContainEveryPointOfRandomCloudsAtEveryScale) {
    Random random(4);
    for (int i = 0; i < 1000; ++i) {
        Cloud points = random_cloud(random, 1 + random.below(200));
        const float scale = std::pow(10.0f, random.range(-30, 30));
        const glm::vec3 offset = random.below(2) == 0 ? glm::vec3(0) : random.in_cube(100);
        for (glm::vec3& p : points)
            p = (p + offset) * scale;
        if (random.below(4) == 0) random.one_of(points).y = kNan;
        check_all(points);
    }
}

TEST(BasicFits, ContainEveryPointOfDegenerateClouds) {
    Random random(5);
    for (const float size : {1e-38f, 1e-20f, 1.0f, 1e15f, 1e30f, 3e38f}) {
        for (int i = 0; i < 50; ++i) {
            const glm::vec3 a = random.in_cube(size), d = random.in_cube(size) * 0.1f,
                            e = random.in_cube(size) * 0.1f;
            Cloud line, plane;
            for (int k = 0; k < 20; ++k) {
                line.push_back(a + d * random.range(-1, 1));
                plane.push_back(a + d * random.range(-1, 1) + e * random.range(-1, 1));
            }
            check_all(Cloud(5, a));
            check_all(line);
            check_all(plane);
        }
    }
}

TEST(BasicFits, ResultsScaleWithTheInput) {
    Random random(6);
    for (int i = 0; i < 100; ++i) {
        const Cloud points = random_cloud(random, 50);
        for (const float scale : {0x1p-66f, 0x1p60f}) {
            Cloud scaled;
            for (const glm::vec3& p : points)
                scaled.push_back(p * scale);
            EXPECT_EQ(fit::sphere_ritter(scaled).radius, fit::sphere_ritter(points).radius * scale);
            EXPECT_EQ(fit::obb_pca(scaled).half_extents, fit::obb_pca(points).half_extents * scale);
        }
    }
}

TEST(SphereRitter, TraceRunsFromTheFirstPairToTheResult) {
    Random random(7);
    for (int i = 0; i < 300; ++i) {
        const Cloud points = random_cloud(random, 100);
        Recording trace;
        const Sphere traced = fit::sphere_ritter(points, trace);
        EXPECT_EQ(traced, fit::sphere_ritter(points));
        ASSERT_FALSE(trace.events().empty());
        Sphere last;
        for (const SphereGrown& grown : test::events_of<SphereGrown>(trace)) {
            EXPECT_EQ(grown.before, last);
            EXPECT_GT(grown.after.radius, last.radius * (1.0f - 1e-6f));
            EXPECT_NEAR(glm::distance(grown.after.center, points[grown.point_index]), grown.after.radius,
                        1e-5f * grown.after.radius);
            last = grown.after;
        }
        EXPECT_NEAR(traced.radius, last.radius, 1e-6f * last.radius);
    }
    Recording trace;
    EXPECT_TRUE(fit::sphere_ritter(Cloud{}, trace).is_empty());
    EXPECT_TRUE(trace.events().empty());
}

TEST(ContainsPoint, ClosedAndStrict) {
    const Sphere s{glm::vec3(0), 1.0f};
    EXPECT_TRUE(contains_point(s, {1, 0, 0}));
    EXPECT_FALSE(contains_point(s, {std::nextafterf(1.0f, 2.0f), 0, 0}));
    EXPECT_FALSE(contains_point(s, {kNan, 0, 0}));
    EXPECT_FALSE(contains_point(Sphere{}, {0, 0, 0}));
    const Obb box{glm::vec3(0), glm::vec3(1, 2, 0), glm::mat3(1)};
    EXPECT_TRUE(contains_point(box, {1, -2, 0}));
    EXPECT_FALSE(contains_point(box, {1, -2, 1e-30f}));
    EXPECT_FALSE(contains_point(box, {0, kNan, 0}));
    EXPECT_FALSE(contains_point(Obb{}, {0, 0, 0}));
    EXPECT_FALSE(contains_point(Aabb{}, {0, 0, 0}));
}

}  // namespace
}  // namespace bv
