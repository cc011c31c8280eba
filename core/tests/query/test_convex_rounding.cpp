// GJK where rounding hides the way: faces nearly in one plane, solids a million times as long as thick, and
// triangles far from the origin.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>
#include <vector>

#include "bv/fit/hull.hpp"
#include "bv/query/closest.hpp"
#include "bv/query/convex.hpp"
#include "bv/query/overlap_triangle.hpp"
#include "bv/query/separation.hpp"
#include "query_cases.hpp"

namespace bv {
namespace {

using glm::vec3;
using test::Random;
using D = glm::dvec3;

/// Checks GJK on two triangles against the exact test, and that their hulls and the traced form agree with
/// it. True if they overlap.
bool check_thin(const Triangle& t, const Triangle& u, bool touching_is_exact) {
    const bool exact = overlap(t, u);
    const bool found = overlap(ConvexRef(t), ConvexRef(u));
    if (exact || touching_is_exact) {
        EXPECT_EQ(found, exact);
    } else if (distance(ConvexRef(t), ConvexRef(u)) < 1e-11f) {
        return found;  // Touching but for the tolerance, which depends on the order of the two.
    }
    const Hull a = fit::hull(std::vector<vec3>{t.a, t.b, t.c});
    const Hull b = fit::hull(std::vector<vec3>{u.a, u.b, u.c});
    EXPECT_EQ(overlap(a, b), found);
    EXPECT_EQ(overlap(ConvexRef(u), ConvexRef(t)), found);
    EXPECT_EQ(distance(ConvexRef(t), ConvexRef(u)) == 0.0f, found);
    EXPECT_EQ(separation(a, b).distance <= 0.0f, found);
    Recording trace;
    EXPECT_EQ(overlap(ConvexRef(t), ConvexRef(u), trace), found);
    trace.clear();
    const ClosestPoints points = closest_points(ConvexRef(t), ConvexRef(u));
    EXPECT_EQ(points.distance, closest_points(ConvexRef(t), ConvexRef(u), trace).distance);
    EXPECT_EQ(points.distance == 0.0f, found);
    float last = std::numeric_limits<float>::infinity();
    for (const auto& any : trace.events()) {
        EXPECT_LE(std::get<SimplexReduced>(any).upper_bound, last);
        last = std::get<SimplexReduced>(any).upper_bound;
    }
    return found;
}

// At distances far below 1e-8 of the size, rounding turns the direction of the closest point, which is known
// in double.
TEST(ConvexRounding, NearlyCoplanarPairsThatShareAPointOverlap) {
    const vec3 common(-2, -2, -3e-7f);
    EXPECT_TRUE(check_thin({common, vec3(0, 0, 2e-7f), vec3(0)},
                           {vec3(2, 0, 2e-7f), common, vec3(-1, 2, -1e-7f)}, true));
    Random rng(5);
    const int count = test::cases(6000);
    int hits = 0, misses = 0;
    for (int n = 0; n < count && !HasFailure(); ++n) {
        // On a lattice, whose disjoint triangles are never as close as 1e-13, with a corner in common or not.
        const float thin = std::ldexp(1.0f, -18 - int(rng.below(16)));
        const auto place = [&] {
            return vec3(int(rng.below(5)) - 2, int(rng.below(5)) - 2, float(int(rng.below(7)) - 3) * thin);
        };
        const vec3 c = place();
        const bool found =
            check_thin({c, place(), place()}, {place(), rng.chance(0.5) ? c : place(), place()}, true);
        ++(found ? hits : misses);
    }
    EXPECT_GT(hits, count / 4);
    EXPECT_GT(misses, count / 10);
    int shared = 0;
    for (int n = 0; n < count && !HasFailure(); ++n) {
        // In a tilted plane but for rounding to float.
        const glm::mat3 frame = rng.varied_rotation();
        const auto place = [&] { return frame[0] * rng.range(-1, 1) + frame[1] * rng.range(-1, 1); };
        shared += check_thin({place(), place(), place()}, {place(), place(), place()}, false);
        const vec3 c = place();
        EXPECT_TRUE(check_thin({c, place(), place()}, {place(), c, place()}, false)) << n;
    }
    EXPECT_GT(shared, count / 20);
}

/// Exact but for roundings of double.
double distance_to_box(const vec3& p, const Aabb& box) {
    return glm::length(glm::max(D(0.0), glm::max(D(box.min) - D(p), D(p) - D(box.max))));
}

// Rounded corners of the simplex hide the way along a solid a million times as long as it is thick.
TEST(ConvexRounding, LongThinSolidsHaveTheirDistance) {
    Random random(271);
    const auto integer = [&](int lo, int hi) {
        return lo + static_cast<int>(random.below(static_cast<std::size_t>(hi - lo) + 1));
    };
    const auto point = [&](const vec3& unit, int reach) {
        vec3 p;
        for (const int axis : {0, 1, 2})
            p[axis] = unit[axis] * static_cast<float>(integer(-reach, reach));
        return p;
    };
    const int count = test::cases(300000);
    for (int n = 0; n < count; ++n) {
        vec3 unit;
        for (const int axis : {0, 1, 2})
            unit[axis] = std::ldexp(1.0f, integer(-24, axis == 2 ? 8 : 4));
        const vec3 corner = point(unit, 3), other = point(unit, 3), p = point(unit, 4);
        const Aabb box{glm::min(corner, other), glm::max(corner, other)};
        const double expected = distance_to_box(p, box);
        if (expected == 0.0) continue;
        const double size = 8.0 * glm::length(D(unit));
        const double allowed = 2e-7 * expected + 1e-12 * size;
        const Segment segment{p, p};
        ASSERT_NEAR(distance(ConvexRef(segment), ConvexRef(box)), expected, allowed) << n;
        ASSERT_NEAR(closest_points(ConvexRef(box), ConvexRef(segment)).distance, expected, allowed) << n;
        const vec3 closest = closest_point(ConvexRef(box), p);
        ASSERT_NEAR(glm::length(D(closest) - D(p)), expected, allowed + 1e-7 * size) << n;
        const bool reaches = random.chance(0.5);
        const float radius = static_cast<float>(expected * (reaches ? 1.001 : 0.999));
        if (1e-3 * expected < 1e-11 * size) continue;
        ASSERT_EQ(overlap(Capsule{p, p, radius}, box), reaches) << n;
        ASSERT_EQ(overlap(box, Capsule{p, p, radius}), reaches) << n;
    }
    // Computed with 32 digits.
    const Aabb beam{{-0.000183105469f, -64, 0}, {-0.000122070312f, -32, 1.90734863e-06f}};
    const Segment beside{{0.000183105469f, 96, -5.7220459e-06f}, {-6.10351562e-05f, -96, 1.90734863e-06f}};
    EXPECT_FLOAT_EQ(distance(ConvexRef(beam), ConvexRef(beside)), 0.00010172526f);
    const RectSweptSphere strip{
        {3.05175781e-05f, -24, -5.7220459e-06f}, {1, 2}, 0, glm::mat3(0, 0, -1, 0, 1, 0, 1, 0, 0)};
    const Segment over{{-1.1920929e-07f, 32, 7.62939453e-06f}, {0, -64, -7.62939453e-06f}};
    EXPECT_FLOAT_EQ(distance(ConvexRef(strip), ConvexRef(over)), 3.05647651e-05f);
    const Triangle small{{-0.00390625f, 6.10351562e-05f, -1.5f},
                         {-0.01171875f, -3.05175781e-05f, -1},
                         {-0.0078125f, -9.15527344e-05f, 0.5f}};
    const Triangle large{{128, 0, -3.05175781e-05f}, {0, 0, -3.05175781e-05f}, {-256, 0, 3.05175781e-05f}};
    EXPECT_NEAR(distance(ConvexRef(small), ConvexRef(large)), 5.34034e-05f, 5e-11f);
}

/// Zero for a point in the box.
double outside_of(const Obb& box, const vec3& p) {
    double out = 0.0;
    for (const int axis : {0, 1, 2})
        out = std::max(out, std::abs(glm::dot(D(box.axes[axis]), D(p) - D(box.center))) -
                                double{box.half_extents[axis]});
    return out;
}

double distance_to_line(const vec3& p, const vec3& on, const vec3& along) {
    return glm::length(glm::cross(D(p) - D(on), glm::normalize(D(along))));
}

// In double, the weights of a needle's corners are only rounding: their mean is anywhere along it.
TEST(ConvexRounding, TheCommonPointOfThinSolidsIsInBoth) {
    const vec3 given(-0.0384308472f, -2.0326848f, -1.91631877f);
    const Hull needle = fit::hull(std::vector<vec3>{{-4.1236968f, -5.81742668f, -4.56883764f},
                                                    {3.75023842f, 1.47727871f, 0.543623209f},
                                                    {-3.29306078f, -5.04789448f, -4.02951479f},
                                                    {3.46536922f, 1.21336532f, 0.358660698f}});
    const ClosestPoints found = closest_points(ConvexRef(given), ConvexRef(needle));
    EXPECT_EQ(found.distance, 0.0f);
    EXPECT_LT(glm::distance(D(found.on_a), D(given)), 1e-6);
    Random rng(91);
    const auto any = [&] { return rng.in_box(vec3(-3.0f), vec3(3.0f)); };
    int points = 0, boxes = 0, needles = 0;
    const int count = test::cases(20000);
    for (int n = 0; n < count; ++n) {
        const vec3 middle = any(), along = any();
        std::vector<vec3> corners;
        for (int i = 0; i < 6; ++i)
            corners.push_back(middle + rng.range(-2, 2) * along);
        const Hull thin = fit::hull(corners);
        if (thin.dimension < 3) continue;
        const vec3 p = 0.5f * (corners[0] + corners[1]);
        const ClosestPoints of_point = closest_points(ConvexRef(p), ConvexRef(thin));
        if (of_point.distance == 0.0f) {
            ++points;
            ASSERT_LT(glm::distance(D(of_point.on_a), D(p)), 3e-6) << n;
        }
        const vec3 other_direction = any();
        corners.assign(1, thin.vertices[0]);
        for (int i = 0; i < 5; ++i)
            corners.push_back(thin.vertices[0] + rng.range(-2, 2) * other_direction);
        const Hull crossing = fit::hull(corners);
        const ClosestPoints of_needles = closest_points(ConvexRef(thin), ConvexRef(crossing));
        if (of_needles.distance == 0.0f && crossing.dimension == 3) {
            ++needles;
            ASSERT_LT(distance_to_line(of_needles.on_a, middle, along), 3e-6) << n;
            ASSERT_LT(distance_to_line(of_needles.on_a, thin.vertices[0], other_direction), 3e-6) << n;
        }
        const auto rod = [&] {
            const float width = std::pow(10.0f, rng.range(-9, -3));
            return Obb{width * any(), vec3(rng.range(0.5f, 3), width, width), rng.rotation()};
        };
        const Obb a = rod(), b = rod();
        Recording trace;
        const ClosestPoints of_boxes = closest_points(ConvexRef(a), ConvexRef(b), trace);
        if (of_boxes.distance > 0.0f) continue;
        ++boxes;
        for (const vec3& common : {of_boxes.on_a, std::get<SimplexReduced>(trace.events().back()).on_a}) {
            ASSERT_LT(outside_of(a, common), 1e-6) << n;
            ASSERT_LT(outside_of(b, common), 1e-6) << n;
        }
    }
    EXPECT_GT(points, count / 10);
    EXPECT_GT(needles, count / 10);
    EXPECT_GT(boxes, count / 10);
}

// Distances computed with 34 digits. In double these points are within needles.
TEST(ConvexRounding, APointBesideANeedleIsNotInIt) {
    const struct {
        vec3 p;
        glm::dvec3 corners[4];
        float distance;
    } cases[] = {
        {{0.412847906f, 3.71031737f, -0.134793893f},
         {vec3(0.812264562f, 4.52966976f, 0.499872774f), vec3(-1.57026374f, -0.357784241f, -3.28592658f),
          vec3(1.2865082f, 5.50252056f, 1.25343835f), vec3(-2.21490622f, -1.68018639f, -4.31025314f)},
         1.54012236e-09f},
        {{-1.68759942f, -2.63879395f, 3.3895781f},
         {vec3(2.0610106f, 0.692509234f, -0.830533862f), vec3(1.50573742f, 0.199050874f, -0.205418274f),
          vec3(-4.40134525f, -5.05043745f, 6.44466019f), vec3(-3.36660457f, -4.13088703f, 5.27976942f)},
         2.68994275e-09f},
        {{0.96653533f, 0.125410765f, -2.12410116f},
         {vec3(2.35882592f, 3.34271646f, -0.21383056f), vec3(0.422379524f, -1.13202477f, -2.87070155f),
          vec3(3.92762423f, 6.96789646f, 1.93861461f), vec3(1.00487304f, 0.214001596f, -2.07150054f)},
         3.89673662e-09f},
    };
    for (const auto& c : cases) {
        const ConvexRef needle(c.corners, 4);
        EXPECT_FALSE(overlap(ConvexRef(c.p), needle));
        EXPECT_NEAR(distance(ConvexRef(c.p), needle), c.distance, 1e-12);
        EXPECT_NEAR(closest_points(needle, ConvexRef(c.p)).distance, c.distance, 1e-12);
    }
}

// Far from the origin products of the coordinates lose what tells the corners of a triangle apart.
TEST(ConvexRounding, ATriangleOverlapsWhatSharesItsCornerAnywhere) {
    // In every order of the corners, since the answer once depended on it.
    const vec3 far(1e5f, -1e5f, 0.0f);
    vec3 corner[] = {far + vec3(1, 0, 2), far + vec3(1, 2, 0), far + vec3(2, 1, 0)};
    const Segment above{far + vec3(2, 1, 0), far + vec3(2, 1, 2)};
    for (const auto& order : {glm::ivec3(0, 1, 2), {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}) {
        const Triangle t{corner[order.x], corner[order.y], corner[order.z]};
        EXPECT_TRUE(overlap(ConvexRef(t), ConvexRef(above))) << order.x << order.y << order.z;
    }
    Random random(77);
    for (const float offset : {1e4f, 1e5f, 1e6f})
        for (int i = 0; i < 60'000; ++i) {
            const vec3 at = offset * random.in_box(vec3(-1.0f), vec3(1.0f));
            const auto point = [&] { return at + random.in_box(vec3(-3.0f), vec3(3.0f)); };
            const Triangle t{point(), point(), point()};
            const Segment s{t.c, point()};
            ASSERT_TRUE(overlap(ConvexRef(t), ConvexRef(s))) << offset << ", case " << i;
            ASSERT_TRUE(overlap(ConvexRef(s), ConvexRef(t))) << offset << ", case " << i;
            const Aabb box = merge(Aabb{t.a, t.a}, Aabb{t.a - vec3(2.0f), t.a - vec3(1.0f)});
            ASSERT_TRUE(overlap(ConvexRef(t), ConvexRef(box))) << offset << ", case " << i;
        }
}

}  // namespace
}  // namespace bv
