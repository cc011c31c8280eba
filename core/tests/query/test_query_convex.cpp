// GJK on all kinds of convex solids. Every result has a certificate that is checked without GJK: two solids
// at distance d have a pair of parallel planes between them at that distance, and overlapping ones have a
// common point.
#include "bv/query/convex.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "bv/fit/hull.hpp"
#include "bv/query/closest.hpp"
#include "bv/query/overlap_triangle.hpp"
#include "bv/shapes/kdop.hpp"
#include "query_cases.hpp"

namespace bv {
namespace {

using glm::vec3;
using test::Random;
using D = glm::dvec3;

/// A solid in two forms: the library's, and a plain list of points with a radius.
struct Solid {
    std::vector<D> points;
    double radius = 0;
    int kind = 0;
    Sphere sphere;
    Capsule capsule;
    Segment segment;
    Aabb aabb;
    Obb obb;
    Triangle triangle;
    Hull hull;
    glm::mat4x3 map{1.0f};  ///< Of a placed hull.

    [[nodiscard]] ConvexRef ref() const {
        switch (kind) {
            case 0:
                return sphere;
            case 1:
                return capsule;
            case 2:
                return segment;
            case 3:
                return aabb;
            case 4:
                return obb;
            case 5:
                return triangle;
            case 6:
                return hull;
            default:
                return {hull, map, static_cast<float>(radius)};
        }
    }
    /// Distance of the point from the solid, by formulas independent of GJK.
    [[nodiscard]] double outside(const vec3& p) const {
        switch (kind) {
            case 0:
                return double(distance(sphere, p));
            case 1:
                return double(distance(Segment{capsule.a, capsule.b}, p)) - double(capsule.radius);
            case 2:
                return double(distance(segment, p));
            case 3:
                return double(distance(aabb, p));
            case 4:
                return double(distance(obb, p));
            case 5:
                return double(distance(triangle, p));
            default:
                break;
        }
        if (hull.dimension < 3) {
            // A flat hull: the distance from its triangles or edges.
            double best = std::numeric_limits<double>::infinity();
            for (const glm::uvec3& t : hull.triangles)
                best = std::min(
                    best, double(distance(
                              Triangle{hull.vertices[t.x], hull.vertices[t.y], hull.vertices[t.z]}, p)));
            for (const glm::uvec2& e : hull.edges)
                best = std::min(best, double(distance(Segment{hull.vertices[e.x], hull.vertices[e.y]}, p)));
            return best;
        }
        double worst = -std::numeric_limits<double>::infinity();
        for (const glm::uvec3& t : hull.triangles) {
            const D a = points[t.x];
            const D n = glm::cross(points[t.y] - a, points[t.z] - a);
            worst = std::max(worst, glm::dot(n, D(p) - a) / glm::length(n));
        }
        return worst - radius;
    }
    [[nodiscard]] double reach(const D& direction) const {
        double best = -std::numeric_limits<double>::infinity();
        for (const D& p : points)
            best = std::max(best, glm::dot(p, direction));
        return best + radius * glm::length(direction);
    }
};

D mapped(const glm::mat4x3& map, const vec3& p) {
    return D(map[0]) * double(p.x) + D(map[1]) * double(p.y) + D(map[2]) * double(p.z) + D(map[3]);
}

Solid random_solid(Random& rng, float unit) {
    Solid s;
    s.kind = rng.below(8);
    const vec3 shift = rng.vec(-1, 1) * unit;
    switch (s.kind) {
        case 0:
            s.sphere = rng.sphere(unit);
            s.points = {D(s.sphere.center)};
            s.radius = s.sphere.radius;
            break;
        case 1:
            s.capsule = {rng.vec(-1, 1) * unit + shift, rng.vec(-1, 1) * unit + shift,
                         rng.range(0, 0.5f) * unit};
            if (rng.chance(0.1)) s.capsule.b = s.capsule.a;
            s.points = {D(s.capsule.a), D(s.capsule.b)};
            s.radius = s.capsule.radius;
            break;
        case 2:
            s.segment = {rng.vec(-1, 1) * unit + shift, rng.vec(-1, 1) * unit + shift};
            s.points = {D(s.segment.a), D(s.segment.b)};
            break;
        case 3:
            s.aabb = rng.aabb(unit);
            for (int i = 0; i < 8; ++i)
                s.points.emplace_back(s.aabb.corner(i));
            break;
        case 4:
            s.obb = rng.obb(unit);
            for (int i = 0; i < 8; ++i) {
                D p(s.obb.center);
                for (int k = 0; k < 3; ++k)
                    p += D(s.obb.axes[k]) * double(s.obb.half_extents[k]) * ((i >> k) & 1 ? 1.0 : -1.0);
                s.points.push_back(p);
            }
            break;
        case 5:
            s.triangle = rng.triangle(unit);
            if (rng.chance(0.1)) s.triangle.c = s.triangle.b;
            s.points = {D(s.triangle.a), D(s.triangle.b), D(s.triangle.c)};
            break;
        default: {
            std::vector<vec3> cloud;
            const int count = rng.chance(0.2) ? 60 : 4 + rng.below(12);
            const bool flat = s.kind == 6 && rng.chance(0.1);
            for (int i = 0; i < count; ++i) {
                vec3 p = count == 60 ? rng.direction() : rng.vec(-1, 1);
                if (flat) p.z = 0.0f;
                cloud.push_back(p * (0.8f * unit) + shift);
            }
            s.hull = fit::hull(cloud);
            if (s.kind == 7) {
                const float scale = rng.range(0.2f, 1.0f);
                const glm::mat3 turn = rng.rotation();
                s.map = {turn[0] * scale, turn[1] * scale, turn[2] * scale, shift};
                s.radius = rng.chance(0.5) ? rng.range(0, 0.3f) * unit : 0.0f;
            }
            for (const vec3& v : s.hull.vertices)
                s.points.push_back(mapped(s.map, v));
            break;
        }
    }
    return s;
}

void check_proof(const Solid& a, const Solid& b, const ClosestPoints& found, double size, int n) {
    const double tolerance = 3e-6 * size;  // The answer is rounded to float.
    const D pa(found.on_a);
    const D pb(found.on_b);
    const auto near_to = [&](const Solid& s, const D& p) {
        EXPECT_LE(s.outside(vec3(p)), tolerance) << n << " kind " << s.kind;
    };
    near_to(a, pa);
    near_to(b, pb);
    if (found.distance > 0) {
        const D axis = (pb - pa) / glm::length(pb - pa);
        // The direction of a short distance is mostly rounding.
        if (double(found.distance) > 1e-3 * size) {
            ASSERT_NEAR(glm::length(pb - pa), double(found.distance), tolerance) << n;
            ASSERT_LE(a.reach(axis), glm::dot(axis, pa) + 10 * tolerance) << n;
            ASSERT_LE(b.reach(-axis), -glm::dot(axis, pb) + 10 * tolerance) << n;
        }
    } else {
        ASSERT_EQ(found.on_a, found.on_b);
    }
}

TEST(Convex, EveryResultHasACertificate) {
    Random rng(1);
    const int count = test::cases(100000);
    int hits = 0;
    for (int n = 0; n < count; ++n) {
        const float unit = rng.scale();
        const Solid a = random_solid(rng, unit);
        const Solid b = random_solid(rng, unit);
        const ClosestPoints found = closest_points(a.ref(), b.ref());
        check_proof(a, b, found, 3.0 * double(unit), n);
        if (HasFatalFailure() || HasNonfatalFailure()) return;
        const bool answer = overlap(a.ref(), b.ref());
        ASSERT_EQ(answer, overlap(b.ref(), a.ref())) << n << ' ' << a.kind << ' ' << b.kind;
        if (double(found.distance) > 1e-7 * double(unit)) {
            ASSERT_FALSE(answer) << n;
        }
        if (found.distance == 0.0f) {
            ASSERT_TRUE(answer) << n;
        }
        hits += answer;
    }
    EXPECT_GT(hits, count / 8);
    EXPECT_LT(hits, count * 4 / 5);
}

TEST(Convex, AgreesWithDedicatedPairTests) {
    Random rng(2);
    const int count = test::cases(100000);
    for (int n = 0; n < count; ++n) {
        const float unit = rng.scale();
        const Obb obb = rng.obb(unit);
        const Obb other = rng.obb(unit);
        const Aabb aabb = rng.aabb(unit);
        const Sphere ball = rng.sphere(unit);
        const Triangle t = rng.triangle(unit);
        const Triangle t2 = rng.triangle(unit);
        const auto compare = [&](const auto& a, const auto& b, double slack) {
            const double d = distance(ConvexRef(a), ConvexRef(b));
            const bool own = overlap(a, b);
            if (d > slack * double(unit)) {
                EXPECT_FALSE(own) << n << ' ' << d;
            }
            if (d == 0.0) {
                EXPECT_TRUE(own) << n;
            }
        };
        compare(obb, other, 0.01);
        compare(aabb, other, 0.01);
        compare(obb, ball, 1e-9);
        compare(aabb, ball, 1e-9);
        compare(obb, t, 1e-9);
        compare(aabb, t, 1e-9);
        compare(ball, t, 1e-9);
        // An exact test against GJK with its tolerance.
        const double d = distance(ConvexRef(t), ConvexRef(t2));
        if (overlap(t, t2)) {
            EXPECT_LE(d, 1e-11 * double(unit)) << n;
        } else if (d == 0.0) {
            ADD_FAILURE() << n;
        }
        EXPECT_NEAR(double(distance(obb, ball.center)),
                    double(distance(ConvexRef(obb), ConvexRef(ball.center))), 3e-6 * double(unit));
        EXPECT_NEAR(double(distance(aabb, ball)), double(distance(ConvexRef(aabb), ConvexRef(ball))),
                    3e-6 * double(unit));
        EXPECT_NEAR(double(distance(t, ball.center)), double(distance(ConvexRef(t), ConvexRef(ball.center))),
                    3e-6 * double(unit));
        if (HasFailure()) return;
    }
}

TEST(Convex, TouchingAndEmpty) {
    const Capsule capsule{vec3(0), vec3(2, 0, 0), 0.5f};
    EXPECT_TRUE(overlap(capsule, Capsule{vec3(1, 1, 0), vec3(1, 3, 0), 0.5f}));
    EXPECT_FALSE(overlap(capsule, Capsule{vec3(1, 1.001f, 0), vec3(1, 3, 0), 0.5f}));
    EXPECT_TRUE(overlap(capsule, Aabb{vec3(0.5f, 0.5f, -1), vec3(2)}));
    EXPECT_TRUE(overlap(Sphere{vec3(3, 0, 0), 0.5f}, capsule));
    EXPECT_TRUE(overlap(vec3(2.5f, 0, 0), capsule));
    const Hull cube = fit::hull(std::vector<vec3>{vec3(0), vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1),
                                                  vec3(1, 1, 0), vec3(1, 0, 1), vec3(0, 1, 1), vec3(1)});
    EXPECT_TRUE(overlap(cube, Aabb{vec3(1), vec3(2)})) << "corner to corner";
    EXPECT_TRUE(overlap(cube, vec3(0.5f, 0.5f, 1)));
    EXPECT_FALSE(overlap(cube, vec3(0.5f, 0.5f, 1.0001f)));
    EXPECT_TRUE(overlap(cube, cube));
    EXPECT_FLOAT_EQ(distance(cube, Sphere{vec3(0.5f, 0.5f, 4), 1}), 2.0f);
    EXPECT_EQ(closest_point(cube, vec3(0.5f, 0.5f, 4)), vec3(0.5f, 0.5f, 1));
    EXPECT_EQ(closest_point(cube, vec3(0.5f)), vec3(0.5f));
    EXPECT_FALSE(overlap(cube, Capsule{}));
    EXPECT_FALSE(overlap(Hull{}, cube));
    EXPECT_FALSE(overlap(cube, Capsule{vec3(std::nanf("")), vec3(0), 1}));
    EXPECT_EQ(distance(cube, Capsule{}), std::numeric_limits<float>::infinity());
    Recording trace;
    EXPECT_TRUE(overlap(ConvexRef(cube), ConvexRef(capsule), trace));
    EXPECT_FALSE(trace.events().empty());
}

TEST(Convex, TracedEqualsFast) {
    Random rng(3);
    Recording trace;
    for (int n = 0; n < test::cases(50000); ++n) {
        const Solid a = random_solid(rng, 1);
        const Solid b = random_solid(rng, 1);
        trace.clear();
        ASSERT_EQ(overlap(a.ref(), b.ref()), overlap(a.ref(), b.ref(), trace));
        const ClosestPoints fast = closest_points(a.ref(), b.ref());
        trace.clear();
        const ClosestPoints traced = closest_points(a.ref(), b.ref(), trace);
        ASSERT_EQ(fast.distance, traced.distance);
        ASSERT_FALSE(trace.events().empty());
        // Each step comes closer, and the bounds enclose the result.
        float last = std::numeric_limits<float>::infinity();
        for (const auto& any : trace.events()) {
            const auto& step = std::get<SimplexReduced>(any);
            ASSERT_LE(step.upper_bound, last);
            last = step.upper_bound;
            ASSERT_LE(step.lower_bound, step.upper_bound + 1e-6f);
        }
    }
}

TEST(Convex, UnchangedByRigidMotion) {
    Random rng(4);
    for (int n = 0; n < test::cases(100000); ++n) {
        const Obb box = rng.obb();
        const Triangle t = rng.triangle();
        const Capsule c{rng.vec(-1, 1), rng.vec(-1, 1), rng.range(0, 0.5f)};
        const test::Motion move{rng.varied_rotation(), rng.vec(-5, 5)};
        const Capsule moved{move(c.a), move(c.b), c.radius};
        ASSERT_NEAR(distance(box, c), distance(move(box), moved), 1e-5f) << n;
        ASSERT_NEAR(distance(t, c), distance(move(t), moved), 1e-5f) << n;
        ASSERT_NEAR(distance(box, t), distance(move(box), move(t)), 1e-5f) << n;
    }
}

/// Of few vertices, or of so many that a search climbs.
Hull some_hull(Random& rng) {
    std::vector<vec3> cloud;
    const int count = rng.chance(0.3) ? 100 + rng.below(300) : 4 + rng.below(60);
    for (int i = 0; i < count; ++i)
        cloud.push_back(rng.direction() * vec3(1.0f, 0.7f, 0.4f));
    return fit::hull(cloud);
}

glm::mat4x3 any_affine_map(Random& rng) {
    glm::mat4x3 map;
    const float scale = rng.range(0.01f, 5.0f);
    for (int c = 0; c < 4; ++c)
        map[c] = rng.vec(-1, 1) * (c < 3 ? scale : 2.0f);
    const int kind = rng.below(6);
    if (kind == 0) map[2] = vec3(0.0f);             // flattened
    if (kind == 1) map = glm::mat4x3(0.0f);         // to a point
    if (kind == 2) map[3] = rng.vec(-1, 1) * 1e5f;  // far away
    return map;
}

TEST(Convex, PlacedHullIsThatOfItsMappedVertices) {
    Random rng(31);
    for (int n = 0; n < test::cases(4000); ++n) {
        const Hull hulls[2] = {some_hull(rng), some_hull(rng)};
        const glm::mat4x3 map_a = any_affine_map(rng);
        glm::mat4x3 map_b = any_affine_map(rng);
        map_b[3] = map_a[3] + rng.vec(-1, 1);
        const float radius = rng.chance(0.5) ? rng.range(0, 0.3f) : 0.0f;
        std::vector<D> points[2];
        for (const vec3& v : hulls[0].vertices)
            points[0].push_back(mapped(map_a, v));
        for (const vec3& v : hulls[1].vertices)
            points[1].push_back(mapped(map_b, v));
        const ConvexRef a(hulls[0], map_a, radius), b(hulls[1], map_b);
        ASSERT_FALSE(a.is_empty());
        const ConvexRef flat_a(points[0].data(), static_cast<std::uint32_t>(points[0].size()));
        const ConvexRef flat_b(points[1].data(), static_cast<std::uint32_t>(points[1].size()));
        double size = 0.0;
        for (const auto& list : points)
            for (const D& p : list)
                size = std::max(size, glm::length(p));
        std::uint32_t hint = 0;
        for (int k = 0; k < 10; ++k) {
            const D direction(rng.direction());
            double farthest = -std::numeric_limits<double>::infinity();
            for (const D& p : points[0])
                farthest = std::max(farthest, glm::dot(p, direction));
            ASSERT_NEAR(glm::dot(a.support(direction, hint), direction), farthest, 1e-12 * size) << n;
            ASSERT_NEAR(a.support_value(direction), farthest + double(radius) * glm::length(direction),
                        1e-12 * size)
                << n;
        }
        const double apart = double(distance(flat_a, flat_b)) - double(radius);
        ASSERT_NEAR(double(distance(a, b)), std::max(apart, 0.0), 1e-6 * size) << n;
        if (std::abs(apart) > 1e-6 * size) {
            ASSERT_EQ(overlap(a, b), apart < 0.0) << n;
        }
        const ClosestPoints found = closest_points(a, b);
        ASSERT_EQ(found.distance, distance(a, b)) << n;
        ASSERT_EQ(closest_points(a.moved(D(1, 2, 3)), b.moved(D(1, 2, 3))).distance > 0.0f,
                  found.distance > 0.0f)
            << n;
    }
}

TEST(Convex, PlacedHullOfAMapThatIsNotFiniteIsEmpty) {
    const float inf = std::numeric_limits<float>::infinity();
    const Hull hull = fit::hull(std::vector<vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
    for (int c = 0; c < 4; ++c)
        for (int r = 0; r < 3; ++r)
            for (const float bad : {inf, -inf, std::numeric_limits<float>::quiet_NaN()}) {
                glm::mat4x3 map(1.0f);
                map[c][r] = bad;
                EXPECT_TRUE(ConvexRef(hull, map).is_empty()) << c << ' ' << r << ' ' << bad;
            }
    EXPECT_TRUE(ConvexRef(hull, glm::mat4x3(1.0f), -1.0f).is_empty());
    EXPECT_TRUE(ConvexRef(Hull{}, glm::mat4x3(1.0f)).is_empty());
    EXPECT_TRUE(ConvexRef(hull, glm::mat4x3(1.0f), inf).is_all_of_space());
    // Of the largest floats: not beyond the range of double.
    const ConvexRef huge(hull, glm::mat4x3(glm::mat3(std::numeric_limits<float>::max())));
    EXPECT_TRUE(overlap(huge, ConvexRef(vec3(1.0f))));
    EXPECT_FALSE(overlap(huge, ConvexRef(vec3(-1e30f))));
}

// Pairs that move a little from query to query, and caches that hold anything.
TEST(Convex, CacheChangesNoAnswer) {
    Random rng(32);
    const float inf = std::numeric_limits<float>::infinity();
    int apart = 0, together = 0;
    for (int n = 0; n < test::cases(2000); ++n) {
        Solid a = random_solid(rng, 1), b = random_solid(rng, 1);
        ConvexCache for_overlap, for_distance, for_points;
        D shift(0.0);
        for (int step = 0; step < 12; ++step) {
            shift += D(rng.vec(-1, 1)) * 0.1;
            const ConvexRef moved = b.ref().moved(shift);
            if (rng.chance(0.1)) {
                const double scale = std::pow(10.0, double(rng.range(-300, 300)));
                for (ConvexCache* cache : {&for_overlap, &for_distance, &for_points})
                    *cache = {D(rng.direction()) * scale, static_cast<std::uint32_t>(rng.below(1000)),
                              static_cast<std::uint32_t>(rng.below(1000))};
                if (rng.chance(0.3))
                    for_overlap.axis.x = for_points.axis.y = for_distance.axis.z = double(inf);
                if (rng.chance(0.3)) for_overlap.axis = for_points.axis = for_distance.axis = D(std::nan(""));
            }
            const ClosestPoints plain = closest_points(a.ref(), moved);
            const ClosestPoints warm = closest_points(a.ref(), moved, for_points);
            const double size = 3.0 + glm::length(shift);
            ASSERT_NEAR(double(warm.distance), double(plain.distance), 1e-6 * size) << n << ' ' << step;
            ASSERT_EQ(warm.distance == 0.0f, plain.distance == 0.0f) << n << ' ' << step;
            Solid as_moved = b;
            for (D& p : as_moved.points)
                p += shift;
            if (warm.distance > 1e-2f) {  // The certificate: two planes at that distance.
                const D axis = glm::normalize(D(warm.on_b) - D(warm.on_a));
                ASSERT_LE(a.reach(axis), glm::dot(axis, D(warm.on_a)) + 1e-4) << n;
                ASSERT_LE(as_moved.reach(-axis), -glm::dot(axis, D(warm.on_b)) + 1e-4) << n;
            }
            ASSERT_EQ(distance(a.ref(), moved, for_distance) == 0.0f, plain.distance == 0.0f) << n;
            ASSERT_NEAR(double(distance(a.ref(), moved, for_distance)), double(plain.distance), 1e-6 * size);
            ASSERT_EQ(overlap(a.ref(), moved, for_overlap), plain.distance == 0.0f) << n << ' ' << step;
            (plain.distance > 0.0f ? apart : together) += 1;
        }
    }
    EXPECT_GT(apart, test::cases(1000));
    EXPECT_GT(together, test::cases(1000));
}

// What the cache is for: a pair that stays apart is decided by the axis that it kept.
TEST(Convex, CacheKeepsTheAxisThatSeparates) {
    const Hull hull = fit::hull(std::vector<vec3>{
        {0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {4, 4, 0}, {0, 0, 0.1f}, {4, 0, 0.1f}, {0, 4, 0.1f}, {4, 4, 0.1f}});
    ConvexCache cache;
    // The axis between the middles of two shifted slabs does not separate them.
    const auto slab = [&](const vec3& at) {
        return ConvexRef(hull, glm::mat4x3(1, 0, 0, 0, 1, 0, 0, 0, 1, at.x, at.y, at.z));
    };
    ASSERT_FALSE(overlap(slab({0, 0, 0}), slab({3, 3, 0.15f}), cache));
    const D kept = glm::normalize(cache.axis);
    EXPECT_GT(kept.z, 0.9);
    ASSERT_FALSE(overlap(slab({0, 0, 0}), slab({2.9f, 3, 0.16f}), cache));
    EXPECT_EQ(glm::normalize(cache.axis), kept);
    ASSERT_TRUE(overlap(slab({0, 0, 0}), slab({2.9f, 3, 0.09f}), cache));
}

// Only the axes along which a box ends keep anything away from it.
TEST(Convex, AnUnboundedBoxReachesWhatIsFarAlongItsAxis) {
    constexpr float kEndless = std::numeric_limits<float>::infinity();
    Random random(41);
    for (int n = 0; n < 3000; ++n) {
        const int axis = n % 3, opens = n / 3 % 3;  // both ways, downward, upward
        const vec3 half = random.vec(0.1f, 2.0f);
        const float far = (opens == 1           ? -1.0f
                           : opens == 2         ? 1.0f
                           : random.chance(0.5) ? -1.0f
                                                : 1.0f) *
                          random.range(0.0f, random.chance(0.5) ? 3.0f : 300.0f);
        vec3 away = random.in_cube(4.0f);
        away[axis] = 0.0f;
        const float radius = random.range(0.0f, 1.0f);
        const vec3 beyond = glm::max(glm::abs(away) - half, vec3(0.0f));
        const double expected = std::max(glm::length(D(beyond)) - double(radius), 0.0);
        vec3 at = away;
        at[axis] = far;
        Aabb box{-half, half};
        if (opens != 2) box.min[axis] = -kEndless;
        if (opens != 1) box.max[axis] = kEndless;
        const double tolerance = 1e-5 * double(1.0f + std::abs(far));
        ASSERT_NEAR(double(distance(ConvexRef(box), ConvexRef(Sphere{at, radius}))), expected, tolerance)
            << n;
        if (opens != 0) continue;
        const glm::mat3 turn = random.varied_rotation();
        const vec3 center = random.in_cube(10.0f);
        vec3 extents = half;
        extents[axis] = kEndless;
        const Sphere moved{center + turn * at, radius};
        ASSERT_NEAR(double(distance(ConvexRef(Obb{center, extents, turn}), ConvexRef(moved))), expected,
                    4 * tolerance)
            << n;
        ASSERT_NEAR(double(distance(ConvexRef(moved), ConvexRef(Obb{center, extents, turn}))), expected,
                    4 * tolerance)
            << n;
    }
}

// Round solids whose surfaces touch, to the last bits: the distance is 0 exactly where they overlap.
TEST(Convex, DistanceIsZeroWhereTheyOverlap) {
    const Sphere large{{1000, -1e-4f, 0}, 1000};
    const Segment edge{{0, 0, 1000}, {1000, 0, 1000}};
    ASSERT_TRUE(overlap(ConvexRef(large), ConvexRef(edge)));
    EXPECT_EQ(distance(ConvexRef(large), ConvexRef(edge)), 0.0f);
    Random random(23);
    std::size_t overlapping = 0, apart = 0;
    for (int i = 0; i < 40'000; ++i) {
        const vec3 center = random.in_cube(10), direction = random.direction();
        const float radius = random.range(0.1f, 1000.0f), other = random.range(0.0f, 10.0f);
        const Sphere ball{center, radius};
        const vec3 at = center + (radius + other) * direction;
        const vec3 end = at + random.in_cube(0.5f) + 20.0f * direction;
        const Capsule capsule{at, end, other};
        const bool meet = overlap(ConvexRef(ball), ConvexRef(capsule));
        const ClosestPoints points = closest_points(ConvexRef(ball), ConvexRef(capsule));
        ASSERT_EQ(points.distance == 0.0f, meet) << i;
        ASSERT_EQ(points.on_a == points.on_b || !meet, true) << i;
        ASSERT_EQ(distance(ConvexRef(ball), ConvexRef(capsule)), points.distance) << i;
        (meet ? overlapping : apart) += 1;
    }
    EXPECT_GT(overlapping, 1000u);
    EXPECT_GT(apart, 1000u);
}

}  // namespace
}  // namespace bv
