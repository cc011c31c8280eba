// Rays and sweeps against an independent reference: starts on the surface, tangents, subnormal directions,
// coordinates up to the largest float.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "bv/fit/hull.hpp"
#include "bv/fit/kdop.hpp"
#include "bv/query/batch.hpp"
#include "bv/query/contains.hpp"
#include "bv/query/overlap_kdop.hpp"
#include "bv/query/ray_slabs.hpp"
#include "bv/query/raycast.hpp"
#include "bv/query/sweep.hpp"
#include "bv/shapes/contains_point.hpp"
#include "query_cases.hpp"
#include "reference/ray_reference.hpp"

namespace bv {
namespace {

using glm::vec3;
using reference::Real;
using reference::Vec;
using test::Random;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kMax = std::numeric_limits<float>::max();
constexpr float kSmallest = std::numeric_limits<float>::denorm_min();

// --- by hand

TEST(RaysByHand, StartOnACapsulesSurfaceHits) {
    const vec3 c(-1);
    const auto hit = raycast(Ray{vec3(-2, 1, 1), vec3(-2, 0, 1)}, Capsule{c, c, 3});
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->t, 0.0f);
}

TEST(RaysByHand, WatertightTrianglesDoNotDependOnScale) {
    const Triangle t{vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, 1, 0)};
    // Behind the origin by the least that floats and directions allow.
    const Ray behind{vec3(0.25f, 0.25f, kSmallest), vec3(0, 0, 0x1p28f)};
    EXPECT_FALSE(raycast(WatertightRay(behind), t)) << "t is -2^-177";
    EXPECT_FALSE(raycast(behind, t));
    const Ray ahead{vec3(0.25f, 0.25f, -kSmallest), vec3(0, 0, 0x1p28f)};
    ASSERT_TRUE(raycast(WatertightRay(ahead), t));
    EXPECT_EQ(raycast(WatertightRay(ahead), t)->t, 0.0f);
    // Corners farther from the origin than the largest float.
    const Triangle far{vec3(kMax, -kMax, -kMax), vec3(kMax, kMax, -kMax), vec3(kMax, 0, kMax)};
    const Ray across{vec3(-kMax, 0, 0), vec3(kMax, 0, 0)};
    ASSERT_TRUE(raycast(WatertightRay(across), far));
    EXPECT_EQ(raycast(WatertightRay(across), far)->t, 2.0f);
    ASSERT_TRUE(raycast(across, far));
    EXPECT_EQ(raycast(across, far)->t, 2.0f);
}

TEST(RaysByHand, HitsWithOverflowingTHaveAPoint) {
    const Aabb box{vec3(1, -1, -1), vec3(2, 1, 1)};
    const auto hit = raycast(Ray{vec3(0), vec3(kSmallest, 0, 0)}, box);
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->t, kInf);
    EXPECT_EQ(hit->point, vec3(1, 0, 0));
    const auto ball = raycast(Ray{vec3(0), vec3(kSmallest, 0, 0)}, Sphere{vec3(3, 0, 0), 1});
    ASSERT_TRUE(ball);
    EXPECT_EQ(ball->point, vec3(2, 0, 0));
}

TEST(RaysByHand, ATriangleIsHitFromItsCornersAndEdges) {
    Random rng(4);
    for (int n = 0; n < 20000; ++n) {
        const float unit = rng.scale();
        const Triangle t{rng.vec(-1, 1) * unit, rng.vec(-1, 1) * unit, rng.vec(-1, 1) * unit};
        const vec3 direction = rng.vec(-1, 1);
        for (const vec3& p : {t.a, t.b, t.c}) {
            const auto plain = raycast(Ray{p, direction}, t);
            ASSERT_TRUE(plain) << n;
            ASSERT_EQ(plain->t, 0.0f) << n;
            const auto tight = raycast(WatertightRay(Ray{p, direction}), t);
            ASSERT_TRUE(tight) << n;
            ASSERT_EQ(tight->t, 0.0f) << n;
        }
    }
}

// --- starts on the surface

// Small integers: every product is exact, so a point is exactly on the surface or not.
TEST(RayStarts, OnASurfaceOfIntegersAlwaysHits) {
    Random random(5);
    const auto random_integer = [&](int lo, int hi) {
        return static_cast<float>(lo +
                                  static_cast<int>(random.next_u32() % static_cast<unsigned>(hi - lo + 1)));
    };
    const auto point = [&](int reach) {
        const float x = random_integer(-reach, reach), y = random_integer(-reach, reach),
                    z = random_integer(-reach, reach);
        return vec3(x, y, z);
    };
    // All offsets of integer length.
    std::vector<std::pair<vec3, float>> spokes;
    for (int x = -9; x <= 9; ++x)
        for (int y = -9; y <= 9; ++y)
            for (int z = -9; z <= 9; ++z) {
                const int square = x * x + y * y + z * z;
                const auto root = static_cast<int>(std::lround(std::sqrt(static_cast<double>(square))));
                if (root * root == square) spokes.emplace_back(vec3(x, y, z), static_cast<float>(root));
            }
    int tangents = 0;
    for (int n = 0; n < 200000; ++n) {
        const auto& [spoke, radius] = spokes[random.next_u32() % spokes.size()];
        const vec3 c = point(6), d = point(4);
        const Ray ray{c + spoke, d};
        const Sphere ball{c, radius};
        const auto check = [&](const auto& hit) {
            ASSERT_TRUE(hit) << n;
            ASSERT_EQ(hit->t, 0.0f) << n;
            ASSERT_GE(hit->t_exit, 0.0f) << n;
            ASSERT_LE(hit->t_enter, 0.0f) << n;
        };
        check(raycast(ray, ball));
        check(raycast(ray, Capsule{c, c, radius}));
        // A capsule that extends away from the point, or sideways.
        vec3 other = c + point(5);
        if (glm::dot(other - c, spoke) > 0) other = c - (other - c);
        check(raycast(ray, Capsule{c, other, radius}));
        check(raycast(ray, Capsule{other, c, radius}));
        const vec3 h = glm::abs(spoke);
        check(raycast(ray, Aabb{c - h, c + h}));
        check(raycast(ray, Obb{c, h, glm::mat3(1)}));
        // From outside, past the tangent point.
        if (glm::dot(d, spoke) == 0.0f && d != vec3(0) && radius > 0) {
            ++tangents;
            const Ray tangent{c + spoke - 3.0f * d, d};
            ASSERT_TRUE(raycast(tangent, ball)) << n;
            ASSERT_TRUE(raycast(tangent, Capsule{c, c, radius})) << n;
            ASSERT_TRUE(raycast(tangent, Capsule{c, other, radius})) << n;
        }
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(tangents, 1000);
}

// For any numbers: a ray that starts inside the solid hits at 0.
TEST(RayStarts, InsideTheSolidAlwaysHits) {
    Random rng(6);
    for (int n = 0; n < 60000; ++n) {
        const float unit = rng.scale();
        const Sphere ball = rng.sphere(unit);
        const Obb obb = rng.obb(unit);
        const Aabb box = rng.aabb(unit);
        const Capsule capsule{rng.vec(-1, 1) * unit, rng.vec(-1, 1) * unit, rng.range(0, 1) * unit};
        std::vector<vec3> points;
        for (int i = 0; i < 6; ++i)
            points.push_back(rng.vec(-1, 1) * unit);
        const Hull hull = fit::hull(points);
        const Kdop<14> dop = fit::kdop<14>(points);
        const vec3 d = rng.vec(-1, 1) * (rng.chance(0.5) ? unit : 1.0f);
        const auto check = [&](const auto& solid, const vec3& start) {
            if (!contains_point(solid, start)) return;
            const auto hit = raycast(Ray{start, d}, solid);
            ASSERT_TRUE(hit) << n;
            ASSERT_EQ(hit->t, 0.0f) << n;
        };
        check(ball, ball.center + rng.direction() * ball.radius);
        check(capsule, (rng.chance(0.5) ? capsule.a : glm::mix(capsule.a, capsule.b, rng.range(0, 1))) +
                           rng.direction() * capsule.radius);
        check(box, box.corner(rng.below(8)));
        check(obb, obb.corner(rng.below(8)));
        for (const vec3& p : points) {
            check(hull, p);
            check(dop, p);
        }
        check(hull, glm::mix(points[0], points[1], 0.5f));
        const float u = rng.range(0, 1), v = rng.range(0, 1 - u);
        check(hull, points[0] + u * (points[1] - points[0]) + v * (points[2] - points[0]));
        if (HasFatalFailure()) return;
    }
}

// --- against the reference

template <class Solid>
void compare(const Ray& ray, const Solid& solid, Real size, int n) {
    const Real from = reference::length(Vec(ray.origin));
    const Real reach = 4 * (from + size);
    const reference::RayAnswer expected = reference::ray_against(ray, solid, reach);
    const auto hit = raycast(ray, solid);
    // A few roundings of double, relative to the longest length involved.
    const Real slack = 1e-14L * (from + size);
    if (expected.clearance > slack) {
        ASSERT_FALSE(hit) << n << " misses by " << static_cast<double>(expected.clearance);
    }
    if (expected.clearance < -slack) {
        ASSERT_TRUE(hit) << n << " is inside by " << static_cast<double>(-expected.clearance);
        // Compare entry and exit as positions, since t may have any unit.
        const Real unit = reference::length(Vec(ray.direction));
        const Real grazing = std::sqrt(-expected.clearance * size);
        // A subnormal t has little precision.
        const Real off = 1e-6L * (from + size) + slack * size / grazing + static_cast<Real>(kSmallest) * unit;
        const auto near = [&](float got, Real truth) {
            if (!std::isfinite(got)) return;
            ASSERT_NEAR(static_cast<double>(static_cast<Real>(got) * unit), static_cast<double>(truth * unit),
                        static_cast<double>(off))
                << n;
        };
        if (unit > 0) {
            near(hit->t_enter, expected.enter);
            near(hit->t_exit, expected.exit);
            near(hit->t, std::max(expected.enter, reference::begin_of(ray)));
        }
        ASSERT_LE(reference::outside(solid, Vec(hit->point)), off + 2 * static_cast<Real>(kSmallest)) << n;
    }
}

// A direction: plain, with zeros, with subnormal or huge components.
vec3 any_direction(Random& rng) {
    vec3 d = rng.vec(-1, 1);
    if (rng.chance(0.3)) d[rng.below(3)] = 0.0f;
    if (rng.chance(0.2)) d[rng.below(3)] = kSmallest * rng.range(-9, 9);
    const int kind = rng.below(8);
    if (kind == 0) d *= 1e-38f;
    if (kind == 1) d *= 1e-44f;
    if (kind == 2) d *= 3e38f;
    if (kind == 3) d *= std::pow(10.0f, rng.range(-30, 30));
    return d;
}

TEST(RaysRandom, AllSolidsAgreeWithTheReferenceAtEverySize) {
    Random rng(7);
    int hits = 0;
    const int count = test::cases(2500);
    for (int n = 0; n < count; ++n) {
        const int kind = rng.below(6);
        const float unit = kind == 0   ? 1e-37f
                           : kind == 1 ? 1e-43f
                           : kind == 2 ? 1e38f
                           : kind == 3 ? std::pow(10.0f, rng.range(-30, 30))
                                       : 1.0f;
        Ray ray{rng.vec(-2, 2) * unit, any_direction(rng)};
        if (rng.chance(0.5)) {
            // Toward the middle, so that some hit.
            const float longest = std::max(
                {std::abs(ray.direction.x), std::abs(ray.direction.y), std::abs(ray.direction.z), kSmallest});
            ray.direction = -(ray.origin / (2.5f * unit)) * longest + 0.15f * ray.direction;
        }
        if (rng.chance(0.2)) ray.t_max = rng.range(0, 10);
        if (rng.chance(0.3)) ray.t_min = rng.range(-1, std::min(ray.t_max, 3.0f));
        const Obb obb = rng.obb(unit);
        const Aabb box = rng.aabb(unit);
        const Sphere ball = rng.sphere(unit);
        const Capsule capsule{rng.vec(-1, 1) * unit, rng.vec(-1, 1) * unit, rng.range(0, 1) * unit};
        std::vector<vec3> points;
        for (int i = 0; i < 8; ++i)
            points.push_back(rng.vec(-1, 1) * unit);
        const Real size = 6 * static_cast<Real>(unit);
        hits += raycast(ray, box).has_value();
        compare(ray, box, size, n);
        compare(ray, obb, size, n);
        compare(ray, ball, size, n);
        compare(ray, capsule, size, n);
        const Hull hull = fit::hull(points);
        if (hull.dimension == 3) compare(ray, hull, size, n);
        compare(ray, fit::kdop<14>(points), size, n);
        compare(ray, fit::kdop<26>(points), size, n);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(hits, count / 20);
}

TEST(RaysRandom, TrianglesAgreeWithTheReferenceAtEverySize) {
    Random rng(8);
    int hits = 0;
    const int count = test::cases(60000);
    for (int n = 0; n < count; ++n) {
        const int kind = rng.below(6);
        const float unit = kind == 0   ? 1e-37f
                           : kind == 1 ? 1e-43f
                           : kind == 2 ? 3e38f
                           : kind == 3 ? std::pow(10.0f, rng.range(-30, 30))
                                       : 1.0f;
        const Triangle t = rng.triangle(unit);
        Ray ray{rng.vec(-1, 1) * unit, any_direction(rng)};
        if (rng.chance(0.7)) {
            const vec3 aim = 0.3f * (t.a / unit) + 0.3f * (t.b / unit) + 0.4f * (t.c / unit);
            ray.direction = (aim - ray.origin / unit) * (rng.chance(0.5) ? 1.0f : 1e-38f);
        }
        if (rng.chance(0.3)) ray.t_min = rng.range(-1, 2) * (rng.chance(0.5) ? unit : 1.0f);
        const auto expected = reference::ray_against(ray, t);
        const auto hit = raycast(ray, t);
        const auto tight = raycast(WatertightRay(ray), t);
        if (!expected || std::abs(expected->inside) < 1e-9L) continue;
        const Real start = reference::begin_of(ray);
        const bool is_hit = expected->inside > 0 && expected->t >= start;
        if (std::abs(expected->t - start) * reference::length(Vec(ray.direction)) <
            1e-9L * static_cast<Real>(unit))
            continue;
        ASSERT_EQ(hit.has_value(), is_hit) << n;
        ASSERT_EQ(tight.has_value(), is_hit) << n;
        if (!is_hit) continue;
        ++hits;
        const auto t_float = static_cast<double>(static_cast<float>(expected->t));
        for (const RayHit& h : {*hit, *tight})
            if (std::isfinite(t_float)) {
                ASSERT_NEAR(h.t, t_float, 1e-5 * t_float + 1e-44) << n;
            }
    }
    EXPECT_GT(hits, count / 10);
}

// --- boxes of trees and batches

TEST(RaySlabsReference, NoHitIsMissed) {
    Random rng(9);
    int hits = 0;
    int extra = 0;
    const int count = test::cases(300000);
    const auto coordinate = [&rng](int kind) {
        if (kind == 0) return rng.range(-1, 1) * kMax;
        if (kind == 1) return kSmallest * static_cast<float>(static_cast<int>(rng.below(9)) - 4);
        if (kind == 2) return rng.range(-1, 1) * 1e-38f;
        if (kind == 3) return rng.chance(0.5) ? kMax : -kMax;
        return rng.range(-1, 1);
    };
    std::vector<Aabb8> boxes(1);
    std::vector<Hits8> scalar(1), simd(1);
    for (int n = 0; n < count; ++n) {
        const int kind = rng.below(8);
        Ray ray{vec3(0), any_direction(rng)};
        Aabb box;
        for (int k = 0; k < 3; ++k) {
            ray.origin[k] = coordinate(rng.chance(0.7) ? kind : rng.below(8));
            const float a = coordinate(kind), b = coordinate(kind);
            box.min[k] = std::min(a, b);
            box.max[k] = std::max(a, b);
        }
        if (rng.chance(0.2)) ray.t_max = rng.range(0, 3);
        if (rng.chance(0.1)) ray.origin[0] = box.min[0];
        const auto expected = reference::ray_in_box(ray, box);
        const auto exact = raycast(ray, box);
        ASSERT_EQ(exact.has_value(), expected.has_value()) << n;
        float t = -1;
        const bool fast = RaySlabs(ray).hit(box, ray.t_max, t);
        if (expected) {
            ASSERT_TRUE(fast) << n;
        }
        hits += expected.has_value();
        extra += fast && !expected;
        // The batch forms agree with the single form, bit for bit.
        for (int i = 0; i < 8; ++i)
            boxes[0].set(i, box);
        raycast_boxes(RaySlabs(ray), ray.t_max, boxes, scalar, Simd::Scalar);
        raycast_boxes(RaySlabs(ray), ray.t_max, boxes, simd, best_simd());
        ASSERT_EQ(scalar[0].mask, fast ? 255u : 0u) << n;
        ASSERT_EQ(simd[0].mask, scalar[0].mask) << n;
        RaySlabs8 eight;
        for (int i = 0; i < 8; ++i)
            eight.set(i, ray);
        raycast_boxes(eight, std::span(&box, 1), scalar, Simd::Scalar);
        raycast_boxes(eight, std::span(&box, 1), simd, best_simd());
        ASSERT_EQ(scalar[0].mask, fast ? 255u : 0u) << n;
        ASSERT_EQ(simd[0].mask, scalar[0].mask) << n;
        if (fast) {
            ASSERT_EQ(scalar[0].t_enter[0], t) << n;
            ASSERT_EQ(simd[0].t_enter[3], t) << n;
        }
    }
    EXPECT_GT(hits, count / 50);
    EXPECT_LT(extra, count / 100);
}

// --- sweeps

TEST(Sweeps, SolidsThatTouchAtTheStartHaveNoNormal) {
    const vec3 velocities[] = {vec3(1, 0, 0), vec3(-1, 0, 0), vec3(0, 1, 0), vec3(-2, 3, 1), vec3(3, 1, -1)};
    Random random(11);
    const auto random_integer = [&] {
        return static_cast<float>(static_cast<int>(random.next_u32() % 9) - 4);
    };
    for (int n = 0; n < 3000; ++n) {
        // Two boxes that share a face, an edge or a corner; balls of integer radii that touch them and each
        // other.
        const vec3 h1(1 + random.next_u32() % 3, 1 + random.next_u32() % 3, 1 + random.next_u32() % 3),
            h2(1, 2, 1 + random.next_u32() % 4);
        const float x = random_integer(), y = random_integer(), z = random_integer();
        const vec3 c1(x, y, z);
        vec3 off = h1 + h2;
        if (random.next_u32() % 2 == 0) off.y = 0;
        if (random.next_u32() % 2 == 0) off.z = 0;
        const vec3 c2 = c1 + off;
        const Aabb a{c1 - h1, c1 + h1}, b{c2 - h2, c2 + h2};
        const Obb oa{c1, h1, glm::mat3(1)}, ob{c2, h2, glm::mat3(1)};
        const Sphere ball{c1 - vec3(h1.x + 2, 0, 0), 2}, other{ball.center + vec3(2, 6, 3), 5};
        for (const vec3& v : velocities) {
            const auto check = [&](const auto& hit, const char* pair) {
                ASSERT_TRUE(hit) << pair << ' ' << n;
                ASSERT_EQ(hit->t_enter, 0.0f) << pair << ' ' << n;
                ASSERT_EQ(hit->normal, vec3(0)) << pair << ' ' << n;
            };
            check(sweep(a, v, b), "aabb aabb");
            check(sweep(oa, v, ob), "obb obb");
            check(sweep(a, v, ob), "aabb obb");
            check(sweep(oa, v, b), "obb aabb");
            check(sweep(ball, v, a), "ball aabb");
            check(sweep(ball, v, oa), "ball obb");
            check(sweep(a, v, ball), "aabb ball");
            check(sweep(oa, v, ball), "obb ball");
            check(sweep(ball, v, other), "ball ball");
            if (HasFatalFailure()) return;
        }
    }
}

TEST(Sweeps, BallsThatOverlapAtTheStartAlwaysHit) {
    Random rng(12);
    for (int n = 0; n < 100000; ++n) {
        const float unit = rng.scale();
        const Sphere a = rng.sphere(unit);
        Sphere b = rng.sphere(unit);
        // Just touching, to within rounding.
        b.center = a.center + rng.direction() * (a.radius + b.radius);
        const Aabb box = rng.aabb(unit);
        const Obb obb = rng.obb(unit);
        const vec3 v = any_direction(rng);
        const auto check = [&](bool overlapping, const auto& hit) {
            if (!overlapping) return;
            ASSERT_TRUE(hit) << n;
            ASSERT_EQ(hit->t_enter, 0.0f) << n;
            ASSERT_EQ(hit->normal, vec3(0)) << n;
        };
        check(overlap(a, b), sweep(a, v, b));
        check(overlap(a, box), sweep(a, v, box));
        check(overlap(a, box), sweep(box, v, a));
        const Sphere at_corner{obb.corner(rng.below(8)) + rng.direction() * a.radius, a.radius};
        check(overlap(at_corner, obb), sweep(at_corner, v, obb));
        if (HasFatalFailure()) return;
    }
}

}  // namespace
}  // namespace bv
