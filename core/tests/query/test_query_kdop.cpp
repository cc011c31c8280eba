// k-DOPs against their own hulls, rectangles against clipped edges, and containment of other shapes.
#include "bv/query/overlap_kdop.hpp"

#include <gtest/gtest.h>

#include "bv/fit/hull.hpp"
#include "bv/query/contains.hpp"
#include "query_cases.hpp"

namespace bv {
namespace {

using glm::vec3;
using test::Random;
using D = glm::dvec3;

std::vector<vec3> cloud(Random& rng, float unit, float spread) {
    std::vector<vec3> points;
    const vec3 shift = rng.vec(-1, 1) * unit;
    for (int i = 0; i < 8; ++i)
        points.push_back(rng.vec(-spread, spread) * unit + shift);
    if (rng.chance(0.1))
        for (vec3& p : points)
            p.z = shift.z;
    return points;
}

/// The k-DOP of points, bounds rounded outward.
template <int K>
Kdop<K> kdop_of(const std::vector<vec3>& points) {
    Kdop<K> dop;
    for (int i = 0; i < K / 2; ++i)
        for (const vec3& p : points) {
            const double d = kdop_project(Kdop<K>::direction(i), p);
            const auto k = static_cast<std::size_t>(i);
            const auto below = static_cast<float>(d);
            const float lo = double(below) > d ? std::nextafter(below, -INFINITY) : below;
            const float hi = double(below) < d ? std::nextafter(below, INFINITY) : below;
            dop.min[k] = std::min(dop.min[k], lo);
            dop.max[k] = std::max(dop.max[k], hi);
        }
    return dop;
}

template <int K>
void compare(Random& rng, int n, int& hits) {
    const float unit = rng.scale();
    const auto points = cloud(rng, unit, 0.8f);
    const Kdop<K> dop = kdop_of<K>(points);
    const Kdop<K> other = kdop_of<K>(cloud(rng, unit, 0.8f));
    const Hull hull = fit::hull(polytope_of(dop).vertices);
    const double slack = 2e-6 * double(unit);
    const auto against_hull = [&](const auto& solid) {
        const double gap = distance(ConvexRef(hull), ConvexRef(solid));
        const bool answer = overlap(dop, solid);
        EXPECT_EQ(answer, overlap(solid, dop));
        if (gap > slack) {
            EXPECT_FALSE(answer) << n << " K " << K;
        }
        if (gap == 0.0 && !answer) {
            // The hull's corners are rounded to float: only grazing pairs may differ.
            const ClosestPoints found = closest_points(ConvexRef(hull), ConvexRef(solid));
            EXPECT_LE(double(found.distance), slack) << n;
            bool deep = true;
            for (int i = 0; i < K / 2; ++i) {
                const double d = kdop_project(Kdop<K>::direction(i), found.on_a);
                deep = deep && d > double(dop.min[std::size_t(i)]) + 3 * slack &&
                       d < double(dop.max[std::size_t(i)]) - 3 * slack;
            }
            EXPECT_FALSE(deep) << n << " K " << K;
        }
        hits += answer;
    };
    against_hull(rng.obb(unit));
    against_hull(rng.sphere(unit));
    against_hull(rng.triangle(unit));
    against_hull(Capsule{rng.vec(-1, 1) * unit, rng.vec(-1, 1) * unit, rng.range(0, 0.3f) * unit});
    // The interval test of two k-DOPs never misses.
    const Hull other_hull = fit::hull(polytope_of(other).vertices);
    const bool pair = overlap(dop, other);
    EXPECT_EQ(pair, overlap(other, dop));
    if (!pair) {
        EXPECT_GE(double(distance(ConvexRef(hull), ConvexRef(other_hull))), 0.0);
        EXPECT_FALSE(overlap(ConvexRef(hull), ConvexRef(other_hull)) &&
                     closest_points(ConvexRef(hull), ConvexRef(other_hull)).distance > 0);
    }
    // The fitted points are contained.
    for (const vec3& p : points) {
        EXPECT_TRUE(overlap(dop, p) && contains(dop, p));
    }
    EXPECT_TRUE(contains(merge(dop, other), dop));
    const Sphere small{points[0], 0.1f * unit};
    if (contains(dop, small)) {
        EXPECT_TRUE(overlap(dop, small));
        for (int i = 0; i < 30; ++i) {
            EXPECT_TRUE(contains_point(dop, small.center + rng.direction() * (0.99f * small.radius)));
        }
    }
}

TEST(KdopOverlap, AgainstItsHull) {
    Random rng(1);
    int hits = 0;
    const int count = test::cases(2000);
    for (int n = 0; n < count && !HasFailure(); ++n) {
        compare<6>(rng, n, hits);
        compare<8>(rng, n, hits);
        compare<14>(rng, n, hits);
        compare<18>(rng, n, hits);
        compare<26>(rng, n, hits);
    }
    EXPECT_GT(hits, count * 3);
}

/// The k-DOP of a few points on a line or in a plane, and solids around one of them.
template <int K>
void overlap_thin(const std::vector<vec3>& points, float reach) {
    const Kdop<K> dop = kdop_of<K>(points);
    const vec3 p = points[0];
    ASSERT_TRUE(contains_point(dop, p));
    const glm::mat3 turned(0.6f, 0.8f, 0, -0.8f, 0.6f, 0, 0, 0, 1);
    EXPECT_TRUE(overlap(dop, Obb{p, vec3(reach), turned})) << K;
    EXPECT_TRUE(overlap(dop, Capsule{p - vec3(reach), p + reach * vec3(1, 2, 3), 0.5f * reach})) << K;
    EXPECT_FALSE(overlap(dop, Obb{p + reach * vec3(20, 30, 0), vec3(reach), turned})) << K;
}

TEST(KdopOverlap, ThinOnesAreNotMissed) {
    Random rng(5);
    for (int n = 0; n < test::cases(2000) && !HasFailure(); ++n)
        for (const float far : {1.0f, 1000.0f, 10000.0f}) {
            const float size = far == 1.0f ? 0.001f : 0.1f;
            const vec3 shift = far * rng.vec(-1, 1);
            const vec3 along = n % 3 == 0 ? vec3(0, 0, 1) : rng.vec(-1, 1);
            std::vector<vec3> points{shift};
            for (int i = 0; i < n % 4; ++i)
                points.push_back(shift + size * (n % 8 < 4 ? rng.range(-1, 1) * along
                                                           : vec3(rng.range(-1, 1), rng.range(-1, 1), 0)));
            overlap_thin<6>(points, size);
            overlap_thin<8>(points, size);
            overlap_thin<14>(points, size);
            overlap_thin<18>(points, size);
            overlap_thin<26>(points, size);
        }
}

// Not empty by its intervals, but no point is in all of them.
TEST(KdopOverlap, NothingOverlapsAKdopWithoutPoints) {
    Kdop<14> dop = kdop_of<14>({vec3(0), vec3(1)});
    for (std::size_t i = 3; i < 7; ++i) {
        dop.min[i] = 6.0f;
        dop.max[i] = 7.0f;
    }
    ASSERT_FALSE(dop.is_empty());
    EXPECT_FALSE(overlap(dop, Sphere{vec3(0.5f), 20.0f}));
}

TEST(KdopOverlap, SixSidesAreAnAabb) {
    Random rng(2);
    for (int n = 0; n < test::cases(100000); ++n) {
        const auto as_dop = [](const Aabb& b) {
            Kdop<6> dop;
            for (std::size_t i = 0; i < 3; ++i) {
                dop.min[i] = b.min[int(i)];
                dop.max[i] = b.max[int(i)];
            }
            return dop;
        };
        const Aabb a = rng.aabb(), b = rng.aabb();
        const Sphere ball = rng.sphere();
        ASSERT_EQ(overlap(as_dop(a), as_dop(b)), overlap(a, b));
        ASSERT_EQ(overlap(as_dop(a), ball.center), overlap(a, ball.center));
        ASSERT_EQ(contains(as_dop(a), as_dop(b)), contains(a, b));
        const Ray ray{rng.vec(-3, 3), rng.vec(-1, 1)};
        const auto hit = raycast(ray, as_dop(a));
        const auto expected = raycast(ray, a);
        ASSERT_EQ(hit.has_value(), expected.has_value());
        if (hit) {
            ASSERT_EQ(hit->t, expected->t);
            ASSERT_EQ(hit->normal, expected->normal);
            ASSERT_EQ(hit->feature, expected->feature);
        }
    }
}

TEST(KdopOverlap, Empty) {
    const Kdop<14> none;
    EXPECT_FALSE(overlap(none, none));
    EXPECT_FALSE(overlap(none, Sphere{vec3(0), 1}));
    EXPECT_FALSE(overlap(none, vec3(0)));
    EXPECT_FALSE(raycast(Ray{}, none));
    EXPECT_FALSE(contains(none, vec3(0)));
    const std::vector<vec3> points{vec3(0), vec3(1)};
    const Kdop<14> some = kdop_of<14>(points);
    EXPECT_FALSE(contains(some, none));
    EXPECT_FALSE(overlap(some, none));
    EXPECT_FALSE(overlap(some, Capsule{}));
}

// --- rectangles -------------------------------------------------------------------------------------------

Obb2 rectangle(glm::vec2 center, glm::vec2 half, float angle) {
    const float c = std::cos(angle), s = std::sin(angle);
    return {center, half, glm::mat2(c, s, -s, c)};
}

TEST(Rectangles, TheSceneOfTheProgram) {
    const Obb2 a = rectangle({0, 0}, {15, 70}, 0.0f);
    EXPECT_TRUE(overlap(a, rectangle({35, 0}, {20, 55}, 0.0f))) << "touching";
    EXPECT_FALSE(overlap(a, rectangle({35.01f, 0}, {20, 55}, 0.0f)));
    // Rotated by 45 degrees, the corner does not reach the side although the boxes around them overlap.
    const float reach = (20 + 55) * std::sqrt(0.5f);
    EXPECT_TRUE(overlap(a, rectangle({15 + reach - 0.01f, 0}, {20, 55}, 0.78539816f)));
    EXPECT_FALSE(overlap(a, rectangle({15 + reach + 0.01f, 0}, {20, 55}, 0.78539816f)));
    Recording trace;
    EXPECT_TRUE(overlap(a, rectangle({35, 0}, {20, 55}, 0.3f), trace));
    EXPECT_EQ(trace.events().size(), 4u);
    EXPECT_FALSE(overlap(Obb2{}, a));
    EXPECT_TRUE(overlap(a, glm::vec2(15, 70)));
    EXPECT_FALSE(overlap(a, glm::vec2(15.1f, 70)));
    EXPECT_TRUE(overlap(glm::vec2(15, 70), a)) << "in either order";
    EXPECT_FALSE(overlap(glm::vec2(15.1f, 70), a));
}

TEST(Rectangles, AgainstFlatBoxesInSpace) {
    Random rng(3);
    int hits = 0;
    const int count = test::cases(100000);
    for (int n = 0; n < count; ++n) {
        const auto random = [&](float& angle) {
            angle = rng.chance(0.2) ? 0.0f : rng.range(0, 6.3f);
            return rectangle({rng.range(-1, 1), rng.range(-1, 1)}, {rng.range(0, 1), rng.range(0, 1)}, angle);
        };
        float angle_a = 0, angle_b = 0;
        const Obb2 a = random(angle_a), b = random(angle_b);
        const auto in_space = [](const Obb2& r) {
            Obb box;
            box.center = vec3(r.center, 0);
            box.half_extents = vec3(r.half_extents, 0.0f);
            box.axes = glm::mat3(vec3(r.axes[0], 0), vec3(r.axes[1], 0), vec3(0, 0, 1));
            return box;
        };
        const float gap = distance(ConvexRef(in_space(a)), ConvexRef(in_space(b)));
        const bool answer = overlap(a, b);
        ASSERT_EQ(answer, overlap(b, a));
        if (gap == 0.0f) {
            ASSERT_TRUE(answer) << n;
        } else if (gap > 1e-4f) {
            ASSERT_FALSE(answer) << n;
        }
        Recording trace;
        ASSERT_EQ(overlap(a, b, trace), answer);
        hits += answer;
    }
    EXPECT_GT(hits, count / 5);
    EXPECT_LT(hits, count * 4 / 5);
}

// --- containment of shapes other than balls and boxes -----------------------------------------------------

TEST(ContainsConvex, AgainstSampledPoints) {
    Random rng(4);
    int contained = 0;
    const int count = test::cases(8000);
    for (int n = 0; n < count && !HasFailure(); ++n) {
        std::vector<vec3> small = cloud(rng, 1, 0.15f);
        for (vec3& p : small)
            p *= 0.3f;
        const Hull inner = fit::hull(small);
        const vec3 at = small[0];
        const Capsule rod{at, at + rng.vec(-0.2f, 0.2f), rng.range(0, 0.1f)};
        const Sphere ball{at, 0.1f};
        const Obb box{at, vec3(0.1f), rng.varied_rotation()};
        const Aabb cube{at - 0.1f, at + 0.1f};
        const Hull outer = fit::hull(cloud(rng, 1, 1.0f));
        const Capsule outer_rod{rng.vec(-1, 1), rng.vec(-1, 1), rng.range(0, 1)};
        const Sphere outer_ball = rng.sphere();
        const Aabb outer_box = rng.aabb();
        const Obb outer_obb = rng.obb();
        const auto check = [&](const auto& out, const auto& in) {
            const bool answer = contains(out, in);
            const ConvexRef ref(in);
            std::uint32_t hint = 0;
            bool all = true;
            for (int k = 0; k < 12; ++k) {
                const vec3 d = rng.direction();
                const D p = ref.support(D(d), hint) + D(d) * ref.radius();
                const float gap = distance(ConvexRef(out), ConvexRef(vec3(p)));
                if (answer) {
                    EXPECT_LE(gap, 1e-5f) << n;
                }
                all = all && gap == 0.0f;
            }
            // Not contained although every sample is inside: possible, but then only a little sticks out.
            if (answer) {
                ++contained;
                EXPECT_TRUE(overlap(out, in)) << n;
            }
        };
        check(outer, inner);
        check(outer, rod);
        check(outer, ball);
        check(outer, box);
        check(outer, cube);
        check(outer_rod, inner);
        check(outer_rod, rod);
        check(outer_rod, ball);
        check(outer_rod, cube);
        check(outer_ball, inner);
        check(outer_ball, rod);
        check(outer_box, inner);
        check(outer_box, rod);
        check(outer_obb, inner);
        check(outer_obb, rod);
    }
    EXPECT_GT(contained, count / 3);
    // The converse: just inside is inside.
    const Hull cube = fit::hull(std::vector<vec3>{vec3(0), vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1),
                                                  vec3(1, 1, 0), vec3(1, 0, 1), vec3(0, 1, 1), vec3(1)});
    EXPECT_TRUE(contains(cube, Sphere{vec3(0.5f), 0.5f}));
    EXPECT_FALSE(contains(cube, Sphere{vec3(0.5f), 0.5001f}));
    EXPECT_TRUE(contains(cube, cube));
    EXPECT_TRUE(contains(cube, Aabb{vec3(0), vec3(1)}));
    EXPECT_FALSE(contains(cube, Hull{}));
    EXPECT_FALSE(contains(Hull{}, cube));
    EXPECT_TRUE(contains(Aabb{vec3(0), vec3(1)}, cube));
    EXPECT_TRUE(contains(Sphere{vec3(0.5f), 0.8661f}, cube));
    EXPECT_FALSE(contains(Sphere{vec3(0.5f), 0.865f}, cube));
    EXPECT_TRUE(
        contains(Capsule{vec3(0), vec3(5, 0, 0), 1}, Capsule{vec3(1, 0.5f, 0), vec3(4, 0.5f, 0), 0.5f}));
    EXPECT_FALSE(
        contains(Capsule{vec3(0), vec3(5, 0, 0), 1}, Capsule{vec3(1, 0.6f, 0), vec3(4, 0.5f, 0), 0.5f}));
}

}  // namespace
}  // namespace bv
