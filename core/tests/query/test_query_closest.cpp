// Nearest points and distances against their definition: the point is in the solid, and no part of the solid
// extends farther toward the query point. In double precision, written out for each solid.
#include "bv/query/closest.hpp"
#include "bv/query/convex.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "query_cases.hpp"

namespace bv {
namespace {

using glm::vec3;
using test::Random;
using D = glm::dvec3;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

/// A solid as the hull of points grown by a radius.
struct Rounded {
    std::vector<D> points;
    double radius = 0.0;
};

std::vector<D> corners(const Obb& box) {
    std::vector<D> result;
    for (int i = 0; i < 8; ++i) {
        D p(box.center);
        for (int k = 0; k < 3; ++k)
            p += D(box.axes[k]) * (double(box.half_extents[k]) * ((i >> k) & 1 ? 1.0 : -1.0));
        result.push_back(p);
    }
    return result;
}

double gap(double a_min, double a_max, double b_min, double b_max) {
    return std::max({0.0, a_min - b_max, b_min - a_max});
}

/// No point of the solid is nearer to `p` than `c`: the solid is behind the plane through c that faces p.
void expect_nearest(const Rounded& solid, const vec3& p, const vec3& c, double distance, double size) {
    const D d = D(p) - D(c);
    EXPECT_NEAR(glm::length(d), distance, 2e-6 * size);
    if (glm::length(d) < 1e-5 * size) return;
    double reach = -1e300;
    for (const D& q : solid.points)
        reach = std::max(reach, glm::dot(glm::normalize(d), q - D(c)) + solid.radius);
    EXPECT_NEAR(reach, 0.0, 2e-5 * size);
}

TEST(Closest, PointsOfEverySolid) {
    Random rng(71);
    for (int n = 0; n < test::cases(3000); ++n) {
        const float unit = rng.scale();
        const double size = 6.0 * double(unit);
        const vec3 p = rng.vec(-2.0f, 2.0f) * unit;
        const Obb obb = rng.obb(unit);
        const Aabb aabb = rng.aabb(unit);
        const Triangle t = rng.triangle(unit);
        const Segment segment{t.a, t.b};
        const Sphere ball = rng.sphere(unit);
        expect_nearest({corners(obb)}, p, closest_point(obb, p), distance(obb, p), size);
        expect_nearest({corners(test::as_obb(aabb))}, p, closest_point(aabb, p), distance(aabb, p), size);
        expect_nearest({{D(t.a), D(t.b), D(t.c)}}, p, closest_point(t, p), distance(t, p), size);
        expect_nearest({{D(t.a), D(t.b)}}, p, closest_point(segment, p), distance(segment, p), size);
        expect_nearest({{D(ball.center)}, ball.radius}, p, closest_point(ball, p), distance(ball, p), size);
        const Capsule capsule{t.a, t.b, 0.3f * unit};
        const vec3 on = closest_point(ConvexRef(capsule), p);
        const double off = distance(segment, p) - 0.3 * double(unit);
        expect_nearest({{D(t.a), D(t.b)}, double(capsule.radius)}, p, on, std::max(off, 0.0), size);
        // The points lie in their solids.
        for (int k = 0; k < 3; ++k) {
            const double local = glm::dot(D(obb.axes[k]), D(closest_point(obb, p)) - D(obb.center));
            EXPECT_LE(std::abs(local), double(obb.half_extents[k]) + 1e-5 * size);
            EXPECT_GE(closest_point(aabb, p)[k], aabb.min[k]);
            EXPECT_LE(closest_point(aabb, p)[k], aabb.max[k]);
        }
        EXPECT_LE(glm::length(D(closest_point(ball, p)) - D(ball.center)), double(ball.radius) + 1e-6 * size);
        const D along = D(t.b) - D(t.a), to = D(closest_point(segment, p)) - D(t.a);
        EXPECT_LT(
            glm::length(to - along * std::clamp(glm::dot(to, along) / glm::dot(along, along), 0.0, 1.0)),
            1e-6 * size);
        const D normal = glm::cross(D(t.b) - D(t.a), D(t.c) - D(t.a)), q = D(closest_point(t, p));
        double least = 1e300;
        for (const auto& [a, b] : {std::pair{t.a, t.b}, {t.b, t.c}, {t.c, t.a}})
            least = std::min(least, glm::dot(normal, glm::cross(D(b) - D(a), q - D(a))));
        EXPECT_GE(least, -1e-5 * glm::dot(normal, normal) - 1e-6 * size * size * glm::length(normal));
        EXPECT_LT(std::abs(glm::dot(normal, q - D(t.a))), 1e-5 * size * glm::length(normal));
    }
}

TEST(Closest, PlanesProjectFromBothSides) {
    Random rng(72);
    for (int n = 0; n < 500; ++n) {
        const Plane plane{rng.direction(), rng.range(-3, 3)};
        const vec3 p = rng.vec(-5, 5);
        const D c(closest_point(plane, p));
        EXPECT_NEAR(glm::dot(D(plane.normal), c), double(plane.offset), 2e-6);
        EXPECT_LT(glm::length(glm::cross(D(p) - c, D(plane.normal))), 2e-6);
    }
}

TEST(Closest, DegenerateTrianglesAreSegmentsAndPoints) {
    Random rng(73);
    for (int n = 0; n < 500; ++n) {
        const vec3 a = rng.vec(-1, 1), d = rng.direction(), p = rng.vec(-3, 3);
        const float s = rng.range(-1, 2);
        const Segment line{a + std::min(s, 0.0f) * d, a + std::max(s, 1.0f) * d};
        EXPECT_NEAR(distance(Triangle{a, a + d, a + s * d}, p), distance(line, p), 2e-6f);
        EXPECT_NEAR(distance(Triangle{a, a, a + d}, p), distance(Segment{a, a + d}, p), 2e-6f);
        EXPECT_NEAR(distance(Triangle{a, a, a}, p), glm::length(p - a), 2e-6f);
        EXPECT_NEAR(distance(Segment{a, a}, p), glm::length(p - a), 2e-6f);
    }
}

TEST(Closest, DistancesBetweenBoxesAndSpheres) {
    Random rng(74);
    int disjoint = 0;
    for (int n = 0; n < test::cases(5000); ++n) {
        const float unit = rng.scale();
        Aabb a = rng.aabb(unit), b = rng.aabb(unit);
        const vec3 away = rng.vec(-3.0f, 3.0f) * unit;
        if (n % 2 == 0) b = {b.min + away, b.max + away};
        D d;
        for (int k = 0; k < 3; ++k)
            d[k] = gap(a.min[k], a.max[k], b.min[k], b.max[k]);
        const double truth = glm::length(d);
        EXPECT_NEAR(double(distance(a, b)), truth, 1e-6 * truth);
        EXPECT_EQ(distance(a, b), distance(b, a));
        EXPECT_EQ(distance(a, b) == 0.0f, overlap(a, b));
        disjoint += truth > 0.0;
        const Sphere s = rng.sphere(unit), t = rng.sphere(unit);
        const double between = glm::length(D(s.center) - D(t.center)) - double(s.radius) - double(t.radius);
        EXPECT_NEAR(double(distance(s, t)), std::max(between, 0.0), 1e-6 * double(unit));
        for (int k = 0; k < 3; ++k)
            d[k] = gap(a.min[k], a.max[k], s.center[k], s.center[k]);
        EXPECT_NEAR(double(distance(a, s)), std::max(glm::length(d) - double(s.radius), 0.0),
                    1e-6 * double(unit));
    }
    EXPECT_GT(disjoint, test::cases(1000));
    // Separated along one axis, two, and three; touching is distance zero.
    const Aabb box{vec3(1, 2, 3), vec3(2, 4, 6)};
    EXPECT_EQ(distance(box, Aabb{vec3(5, 2, 3), vec3(6, 4, 6)}), 3.0f);
    EXPECT_EQ(distance(box, Aabb{vec3(-3, -2, 3), vec3(-2, -2, 6)}), 5.0f);
    EXPECT_EQ(distance(box, Aabb{vec3(3, 6, 8), vec3(9, 9, 9)}), 3.0f);
    EXPECT_EQ(distance(box, Aabb{vec3(2, 4, 6), vec3(9, 9, 9)}), 0.0f);
}

TEST(Closest, OneEmptyOrUnknownInput) {
    const vec3 p(1, 2, 3);
    const Aabb box{vec3(-1), vec3(0.5f)};
    const Sphere ball{vec3(0), 1.0f};
    EXPECT_EQ(distance(Aabb{}, box), kInf);
    EXPECT_EQ(distance(box, Aabb{}), kInf);
    EXPECT_EQ(distance(Aabb{}, ball), kInf);
    EXPECT_EQ(distance(box, Sphere{}), kInf);
    EXPECT_EQ(distance(Sphere{}, ball), kInf);
    EXPECT_EQ(distance(ball, Sphere{}), kInf);
    EXPECT_EQ(distance(Sphere{}, p), kInf);
    EXPECT_EQ(distance(Aabb{}, p), kInf);
    EXPECT_EQ(distance(Obb{}, p), kInf);
    EXPECT_EQ(closest_point(Sphere{}, p), p);
    EXPECT_EQ(closest_point(Aabb{}, p), p);
    EXPECT_EQ(closest_point(Obb{}, p), p);
    EXPECT_EQ(closest_point(ConvexRef(Sphere{}), p), p);
    // A point of a solid is its own nearest point.
    EXPECT_EQ(closest_point(ball, vec3(0.1f, 0.2f, 0.3f)), vec3(0.1f, 0.2f, 0.3f));
    EXPECT_EQ(distance(ball, vec3(0.1f, 0.2f, 0.3f)), 0.0f);
    EXPECT_EQ(closest_point(ConvexRef(box), vec3(0.1f)), vec3(0.1f));
    for (int k = 0; k < 3; ++k) {
        vec3 q = p;
        q[k] = kNan;
        EXPECT_EQ(distance(Segment{p, vec3(0)}, q), kInf);
        EXPECT_EQ(distance(ball, q), kInf);
        EXPECT_EQ(distance(box, q), kInf);
        EXPECT_EQ(distance(test::as_obb(box), q), kInf);
        EXPECT_EQ(distance(Triangle{p, vec3(0), vec3(1)}, q), kInf);
        const vec3 same = closest_point(box, q);
        EXPECT_TRUE(std::isnan(same[k]));
        EXPECT_EQ(same[(k + 1) % 3], q[(k + 1) % 3]);
    }
}

}  // namespace
}  // namespace bv
