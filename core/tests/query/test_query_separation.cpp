// Signed distances: by hand, against GJK for disjoint solids, and for overlapping ones against the shortest
// separating translation, found by sampling directions.
#include "bv/query/separation.hpp"

#include <gtest/gtest.h>

#include "bv/fit/hull.hpp"
#include "bv/query/closest.hpp"
#include "bv/query/overlap.hpp"
#include "query_cases.hpp"

namespace bv {
namespace {

using glm::vec3;
using test::Random;
using D = glm::dvec3;

const Obb kCube{vec3(0), vec3(1), glm::mat3(1)};

TEST(Separation, ByHand) {
    const Separation disjoint = separation(Sphere{vec3(0), 1}, Sphere{vec3(5, 0, 0), 2});
    EXPECT_FLOAT_EQ(disjoint.distance, 2.0f);
    EXPECT_EQ(disjoint.axis, vec3(1, 0, 0));
    EXPECT_EQ(disjoint.on_a, vec3(1, 0, 0));
    EXPECT_EQ(disjoint.on_b, vec3(3, 0, 0));
    EXPECT_EQ(disjoint.contact_count, 0);
    EXPECT_FLOAT_EQ(separation(Sphere{vec3(0), 1}, Sphere{vec3(2, 0, 0), 2}).distance, -1.0f);
    EXPECT_FLOAT_EQ(separation(Sphere{vec3(0), 1}, Sphere{vec3(0), 2}).distance, -3.0f);
    const Separation deep = separation(kCube, Sphere{vec3(0.5f, 0, 0), 0.25f});
    EXPECT_FLOAT_EQ(deep.distance, -0.75f);
    EXPECT_EQ(deep.axis, vec3(1, 0, 0));
    EXPECT_EQ(deep.kind, AxisTested::Kind::FaceA);
    EXPECT_FLOAT_EQ(separation(kCube, Sphere{vec3(2, 0, 0), 0.25f}).distance, 0.75f);
    EXPECT_FLOAT_EQ(separation(Aabb{vec3(-1), vec3(1)}, Sphere{vec3(0, -0.75f, 0), 0.25f}).distance, -0.5f);
}

TEST(Separation, CoresWithoutAFaceHaveAUnitAxis) {
    const vec3 p(1, 2, 3), q(4, -2, 3.5f);
    const Hull point = fit::hull(std::vector<vec3>{p});
    const Hull segment = fit::hull(std::vector<vec3>{p, q});
    const Hull parallel = fit::hull(std::vector<vec3>{0.5f * (p + q), q + 0.5f * (q - p)});
    const auto check_axis = [&](const Separation& s, float depth, const vec3& along) {
        EXPECT_FLOAT_EQ(s.distance, -depth);
        EXPECT_NEAR(glm::length(s.axis), 1.0f, 1e-6f);
        EXPECT_NEAR(glm::dot(s.axis, along), 0.0f, 1e-6f);
        EXPECT_EQ(s.contact_count, 1);
        EXPECT_NEAR(glm::dot(s.on_a - s.on_b, s.axis), depth, 1e-6f);
    };
    check_axis(separation(point, Sphere{p, 2}), 2, vec3(0));
    check_axis(separation(segment, Sphere{p, 2}), 2, q - p);
    check_axis(separation(segment, Sphere{0.5f * (p + q), 2}), 2, q - p);
    check_axis(separation(segment, Sphere{q, 0}), 0, q - p);
    check_axis(separation(point, point), 0, vec3(0));
    check_axis(separation(point, segment), 0, q - p);
    check_axis(separation(segment, point), 0, q - p);
    check_axis(separation(segment, parallel), 0, q - p);
    // The square's edges are no help: it has faces.
    const Hull square = fit::hull(std::vector<vec3>{vec3(0), vec3(1, 0, 0), vec3(1, 1, 0), vec3(0, 1, 0)});
    check_axis(separation(square, Sphere{vec3(0.5f, 0.25f, 0), 2}), 2, vec3(1, 1, 0));
}

TEST(Separation, BoxesFaceOnFace) {
    const Separation s = separation(kCube, Obb{vec3(0.5f, 1.9f, 0), vec3(1), glm::mat3(1)});
    EXPECT_NEAR(s.distance, -0.1f, 1e-6f);
    EXPECT_EQ(s.axis, vec3(0, 1, 0));
    EXPECT_EQ(s.kind, AxisTested::Kind::FaceA);
    EXPECT_EQ(s.i, 1);
    ASSERT_EQ(s.contact_count, 4);
    for (int i = 0; i < 4; ++i) {
        const Contact& c = s.contacts[std::size_t(i)];
        EXPECT_NEAR(c.depth, 0.1f, 1e-6f);
        EXPECT_NEAR(c.point.y, 0.95f, 1e-6f);
        EXPECT_TRUE(c.point.x > -0.51f && c.point.x < 1.01f);
    }
    // Rotated by 45 degrees on top: the intersection of two squares has eight corners.
    const float h = std::sqrt(0.5f);
    const Separation octagon = separation(
        kCube, Obb{vec3(0, 1.9f, 0), vec3(1), glm::mat3(vec3(h, 0, h), vec3(0, 1, 0), vec3(-h, 0, h))});
    EXPECT_EQ(octagon.contact_count, 8);
    EXPECT_NEAR(octagon.distance, -0.1f, 1e-6f);
}

TEST(Separation, BoxesEdgeOnEdge) {
    const float h = std::sqrt(0.5f);
    const Obb a{vec3(0), vec3(10, 1, 1), glm::mat3(vec3(1, 0, 0), vec3(0, h, h), vec3(0, -h, h))};
    const Obb b{vec3(0, 0, 2.7f), vec3(10, 1, 1), glm::mat3(vec3(0, 1, 0), vec3(-h, 0, h), vec3(h, 0, h))};
    const Separation s = separation(a, b);
    EXPECT_NEAR(s.distance, 2.7f - 2 * std::sqrt(2.0f), 1e-5f);
    EXPECT_EQ(s.kind, AxisTested::Kind::EdgeCross);
    ASSERT_EQ(s.contact_count, 1);
    EXPECT_NEAR(s.contacts[0].point.x, 0.0f, 1e-5f);
    EXPECT_NEAR(s.contacts[0].point.y, 0.0f, 1e-5f);
    EXPECT_NEAR(s.contacts[0].point.z, 1.35f, 1e-5f);
    Recording trace;
    EXPECT_EQ(separation(a, b, trace).distance, s.distance);
    EXPECT_EQ(trace.events().size(), 15u);
}

TEST(Separation, EmptyIsInfinitelyFar) {
    const float inf = std::numeric_limits<float>::infinity();
    EXPECT_EQ(separation(kCube, Obb{}).distance, inf);
    EXPECT_EQ(separation(Sphere{}, Sphere{vec3(0), 1}).distance, inf);
    EXPECT_EQ(separation(Hull{}, Hull{}).distance, inf);
    EXPECT_EQ(separation(Aabb{}, Aabb{vec3(0), vec3(1)}).distance, inf);
    EXPECT_EQ(separation(Hull{}, Sphere{vec3(0), 1}).distance, inf);
}

Obb moved(Obb box, const vec3& by) {
    box.center += by;
    return box;
}
Sphere moved(Sphere ball, const vec3& by) {
    ball.center += by;
    return ball;
}
Hull moved(Hull hull, const vec3& by) {
    for (vec3& v : hull.vertices)
        v += by;
    return hull;
}

/// Moving by the depth along the axis separates the solids; no sampled direction needs less. Contacts lie in
/// both solids.
template <class A, class B>
void check(Random& rng, const A& a, const B& b, double size, int n, int tries) {
    const Separation s = separation(a, b);
    const ClosestPoints found = closest_points(ConvexRef(a), ConvexRef(b));
    const double tolerance = 2e-5 * size;
    if (s.distance > 0) {
        ASSERT_NEAR(double(s.distance), double(found.distance), tolerance) << n;
        ASSERT_EQ(s.contact_count, 0) << n;
        return;
    }
    ASSERT_LE(double(found.distance), tolerance) << n;
    const double depth = -double(s.distance);
    if (depth > 10 * tolerance) {
        ASSERT_NEAR(glm::length(s.axis), 1.0f, 1e-4f) << n;
    }
    const vec3 out = s.axis * float(depth + tolerance);
    ASSERT_LE(double(distance(ConvexRef(a), ConvexRef(moved(b, out)))), 4 * tolerance) << n;
    ASSERT_FALSE(depth > 10 * tolerance &&
                 distance(ConvexRef(a), ConvexRef(moved(b, s.axis * float(depth + 2 * tolerance)))) == 0.0f)
        << n << " does not separate them";
    for (int k = 0; k < tries; ++k) {
        const vec3 shorter = rng.direction() * float(depth * rng.in(0.5, 0.99) - 2 * tolerance);
        if (depth < 10 * tolerance) break;
        ASSERT_EQ(distance(ConvexRef(a), ConvexRef(moved(b, shorter))), 0.0f)
            << n << " less also separates them";
    }
    ASSERT_GT(s.contact_count, 0) << n;
    for (int i = 0; i < s.contact_count; ++i) {
        const Contact& c = s.contacts[std::size_t(i)];
        ASSERT_GE(c.depth, 0.0f) << n;
        ASSERT_LE(double(c.depth), depth + tolerance) << n;
        ASSERT_LE(double(distance(ConvexRef(a), ConvexRef(c.point))), 0.5 * depth + tolerance) << n;
        ASSERT_LE(double(distance(ConvexRef(b), ConvexRef(c.point))), 0.5 * depth + tolerance) << n;
    }
    ASSERT_NEAR(double(glm::dot(s.on_a - s.on_b, s.axis)), depth, 4 * tolerance) << n;
}

TEST(SeparationRandom, ShortestSeparatingTranslation) {
    Random rng(1);
    const int count = test::cases(20000);
    for (int n = 0; n < count; ++n) {
        const float unit = rng.chance(0.2) ? rng.scale() : 1.0f;
        const Obb a = rng.obb(unit);
        Obb b = rng.obb(unit);
        if (rng.chance(0.2)) b.axes = a.axes;
        const Sphere ball = rng.sphere(unit);
        const Aabb box = rng.aabb(unit);
        const double size = 4.0 * double(unit);
        check(rng, a, b, size, n, 6);
        check(rng, a, ball, size, n, 6);
        check(rng, ball, rng.sphere(unit), size, n, 6);
        check(rng, box, ball, size, n, 6);
        if (!box.is_empty()) check(rng, box, b, size, n, 6);
        if (HasFailure()) return;
    }
}

TEST(SeparationRandom, Hulls) {
    Random rng(2);
    const int count = test::cases(4000);
    int deep = 0;
    for (int n = 0; n < count; ++n) {
        const auto random_hull = [&] {
            std::vector<vec3> points;
            const vec3 shift = rng.vec(-0.8f, 0.8f);
            const int size = 4 + rng.below(12);
            const bool flat = rng.chance(0.1);
            for (int i = 0; i < size; ++i) {
                vec3 p = rng.vec(-1, 1);
                if (flat) p.z = 0;
                points.push_back(p + shift);
            }
            return fit::hull(points);
        };
        const Hull a = random_hull();
        const Hull b = random_hull();
        const Obb box = rng.obb();
        check(rng, a, b, 4.0, n, 10);
        check(rng, box, a, 4.0, n, 10);
        check(rng, a, rng.sphere(), 4.0, n, 10);
        if (HasFailure()) return;
        deep += separation(a, b).distance < 0;
    }
    EXPECT_GT(deep, count / 4);
}

TEST(SeparationRandom, BoxesAsHullsAndSwapped) {
    Random rng(3);
    Recording trace;
    for (int n = 0; n < test::cases(20000); ++n) {
        const Obb a = rng.obb();
        const Obb b = rng.obb();
        const Separation s = separation(a, b);
        const Separation back = separation(b, a);
        ASSERT_NEAR(s.distance, back.distance, 2e-6f) << n;
        trace.clear();
        ASSERT_EQ(separation(a, b, trace).distance, s.distance);
        // The overlap test and the sign agree except for its slack.
        if (s.distance < -1e-6f) {
            ASSERT_TRUE(overlap(a, b)) << n;
        }
        if (s.distance > 0.02f) {
            ASSERT_FALSE(overlap(a, b)) << n;
        }
        if (n % 10 != 0) continue;
        std::vector<vec3> corners;
        for (int i = 0; i < 8; ++i)
            corners.push_back(b.corner(i));
        ASSERT_NEAR(separation(a, fit::hull(corners)).distance, s.distance, 1e-5f) << n;
    }
}

}  // namespace
}  // namespace bv
