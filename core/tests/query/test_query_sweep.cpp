// Sweeps: by hand, and against overlap tests at many times along the motion.
#include "bv/query/sweep.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "bv/query/convex.hpp"
#include "bv/query/overlap.hpp"
#include "query_cases.hpp"

namespace bv {
namespace {

using glm::vec3;
using test::Random;

const Aabb kUnit{vec3(0), vec3(1)};

TEST(Sweep, TwoUnitCubesClosingAtThreeMetersPerSecond) {
    const Aabb other{vec3(1.5f, 0, 0), vec3(2.5f, 1, 1)};
    const auto hit = sweep(kUnit, vec3(3, 0, 0), other, 1.0f);
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->t_enter, 0.16667f, 1e-5f);
    EXPECT_FLOAT_EQ(hit->t_enter, 0.5f / 3.0f);
    EXPECT_FLOAT_EQ(hit->t_leave, 2.5f / 3.0f);
    EXPECT_EQ(hit->normal, vec3(-1, 0, 0));
    EXPECT_FALSE(sweep(kUnit, vec3(3, 0, 0), other, 0.16f));
}

// Known bug: an axis without velocity divides by zero, or counts as separating.
TEST(KnownBug, ZeroVelocityOnOneAxis) {
    const Aabb beside{vec3(3, 0.5f, 0.5f), vec3(4, 1.5f, 1.5f)};
    ASSERT_TRUE(sweep(kUnit, vec3(1, 0, -0.0f), beside));
    EXPECT_EQ(sweep(kUnit, vec3(1, 0, -0.0f), beside)->t_enter, 2.0f);
    // Aligned faces: 0 / 0 in the naive formula.
    const Aabb in_line{vec3(3, 1, 0), vec3(4, 2, 1)};
    ASSERT_TRUE(sweep(kUnit, vec3(1, 0, 0), in_line));
    EXPECT_EQ(sweep(kUnit, vec3(1, 0, 0), in_line)->t_enter, 2.0f);
    EXPECT_FALSE(sweep(kUnit, vec3(1, 0, 0), Aabb{vec3(3, 1.001f, 0), vec3(4, 2, 1)}));
    // No velocity at all: overlapping forever, or never.
    EXPECT_EQ(sweep(kUnit, vec3(0), Aabb{vec3(1), vec3(2)})->t_leave, kForever);
    EXPECT_FALSE(sweep(kUnit, vec3(0), Aabb{vec3(1.1f), vec3(2)}));
    const Sphere ball{vec3(0), 1};
    EXPECT_EQ(sweep(ball, vec3(0), Sphere{vec3(2, 0, 0), 1})->t_leave, kForever);
    EXPECT_FALSE(sweep(ball, vec3(0), Sphere{vec3(2.01f, 0, 0), 1}));
    EXPECT_TRUE(sweep(ball, vec3(0), Aabb{vec3(1, 0, 0), vec3(2)}));
    const Obb box{vec3(0.5f), vec3(0.5f), glm::mat3(1)};
    EXPECT_EQ(sweep(box, vec3(1, 0, 0), Obb{vec3(3.5f, 1.5f, 0.5f), vec3(0.5f), glm::mat3(1)})->t_enter,
              2.0f);
}

// Known bug: boxes that overlap at the start are reported with a negative time, or as a miss.
TEST(KnownBug, OverlapAtTheStart) {
    const Aabb other{vec3(0.5f), vec3(1.5f)};
    const auto hit = sweep(kUnit, vec3(1, 0, 0), other);
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->t_enter, 0.0f);
    EXPECT_EQ(hit->t_leave, 1.5f);
    EXPECT_EQ(hit->normal, vec3(0));
    // The same while moving apart.
    EXPECT_EQ(sweep(kUnit, vec3(-1, 0, 0), other)->t_leave, 0.5f);
    EXPECT_EQ(sweep(Sphere{vec3(0), 1}, vec3(-1, 0, 0), Sphere{vec3(1, 0, 0), 1})->t_enter, 0.0f);
    EXPECT_EQ(sweep(Sphere{vec3(0), 1}, vec3(-1, 0, 0), kUnit)->t_enter, 0.0f);
    // Touching and leaving: in contact only at t = 0.
    const auto leaving = sweep(kUnit, vec3(-1, 0, 0), Aabb{vec3(1, 0, 0), vec3(2, 1, 1)});
    ASSERT_TRUE(leaving);
    EXPECT_EQ(leaving->t_leave, 0.0f);
}

TEST(Sweep, TouchingAtTheEndCounts) {
    EXPECT_TRUE(sweep(kUnit, vec3(1, 0, 0), Aabb{vec3(3, 0, 0), vec3(4)}, 2.0f));
    EXPECT_FALSE(sweep(kUnit, vec3(1, 0, 0), Aabb{vec3(3, 0, 0), vec3(4)}, 1.9999f));
    EXPECT_TRUE(sweep(Sphere{vec3(0), 1}, vec3(1, 0, 0), Sphere{vec3(5, 0, 0), 1}, 3.0f));
    EXPECT_TRUE(sweep(Sphere{vec3(0), 1}, vec3(1, 0, 0), Aabb{vec3(4, -1, -1), vec3(5, 1, 1)}, 3.0f));
    const Obb a{vec3(0), vec3(1), glm::mat3(1)};
    EXPECT_TRUE(sweep(a, vec3(1, 0, 0), Obb{vec3(5, 0, 0), vec3(1), glm::mat3(1)}, 3.0f));
    // Sliding along each other.
    EXPECT_TRUE(sweep(a, vec3(1, 0, 0), Obb{vec3(5, 2, 0), vec3(1), glm::mat3(1)}));
}

TEST(Sweep, BallAgainstEdgeAndCorner) {
    const Aabb box{vec3(-1), vec3(1)};
    const auto edge = sweep(Sphere{vec3(-5, 1 + 0.6f, 0), 1}, vec3(1, 0, 0), box);
    ASSERT_TRUE(edge);
    EXPECT_NEAR(edge->t_enter, 4 - 0.8f, 1e-6f);  // 3, 4, 5
    EXPECT_NEAR(edge->normal.x, -0.8f, 1e-6f);
    EXPECT_NEAR(edge->normal.y, 0.6f, 1e-6f);
    EXPECT_FALSE(sweep(Sphere{vec3(-5, 1.8f, 1.8f), 1}, vec3(1, 0, 0), box)) << "past the rounded edge";
    EXPECT_TRUE(sweep(Sphere{vec3(-5, 1.7f, 1.7f), 1}, vec3(1, 0, 0), box));
}

// The ball reaches a face at the moment at which its center enters the slab of another one.
TEST(Sweep, NormalWhereTheBallTouchesAFaceFromBesideIt) {
    const Aabb box{vec3(0), vec3(2)};
    const Obb same{vec3(1), vec3(1), glm::mat3(1.0f)};
    for (const vec3& v : {vec3(1, 0, 1), vec3(1, 0, 0.5f), vec3(1, 0, -1), vec3(1, 1, 1)}) {
        const Sphere ball{vec3(-1, 1, v.z < 0.0f ? 2.0f : 0.0f) - v, 1};
        for (const auto& hit : {sweep(ball, v, box), sweep(ball, v, same)}) {
            ASSERT_TRUE(hit);
            EXPECT_NEAR(hit->t_enter, 1.0f, 1e-6f);
            EXPECT_NEAR(glm::distance(hit->normal, vec3(-1, 0, 0)), 0.0f, 1e-6f) << v.x << ' ' << v.z;
        }
    }
    // Grazing a face along an edge of the box.
    const auto grazed =
        sweep(Sphere{{-2, -7, -7}, 2}, vec3(0, 0, 3), Obb{{-5, -6, 7}, {1, 3, 3}, glm::mat3(1.0f)});
    ASSERT_TRUE(grazed);
    EXPECT_EQ(grazed->normal, vec3(1, 0, 0));
    // Unbounded below: the same face.
    const float inf = std::numeric_limits<float>::infinity();
    const auto open = sweep(Sphere{{-2, 1, -1}, 1}, vec3(1, 0, 1), Aabb{{0, -inf, 0}, {2, 2, 2}});
    ASSERT_TRUE(open);
    EXPECT_NEAR(glm::distance(open->normal, vec3(-1, 0, 0)), 0.0f, 1e-6f);
}

// On a grid of whole numbers ties are common: the normal leads from the box to the center at the touch.
TEST(SweepRandom, NormalOfABallLeadsAwayFromTheBox) {
    Random rng(77);
    int hits = 0;
    for (int n = 0; n < test::cases(20000); ++n) {
        const auto whole = [&](int from, int to) {
            return float(from + static_cast<int>(rng.below(to - from + 1)));
        };
        const vec3 half(whole(1, 3), whole(1, 3), whole(1, 3));
        const Aabb box{-half, half};
        const Sphere ball{vec3(whole(-8, 8), whole(-8, 8), whole(-8, 8)), whole(1, 3)};
        const vec3 v(whole(-2, 2), whole(-2, 2), whole(-2, 2));
        if (overlap(ball, box)) continue;
        const auto hit = sweep(ball, v, box);
        if (!hit) continue;
        const glm::dvec3 at = glm::dvec3(ball.center) + double(hit->t_enter) * glm::dvec3(v);
        const glm::dvec3 offset = at - glm::clamp(at, -glm::dvec3(half), glm::dvec3(half));
        ASSERT_NEAR(glm::length(offset), double(ball.radius), 1e-4) << n;
        ASSERT_NEAR(glm::distance(offset / glm::length(offset), glm::dvec3(hit->normal)), 0.0, 1e-3) << n;
        ++hits;
    }
    EXPECT_GT(hits, test::cases(20000) / 20);
}

constexpr float kInf = std::numeric_limits<float>::infinity();

void expect_hit(const std::optional<SweepHit>& hit, float enter, float leave) {
    ASSERT_TRUE(hit);
    EXPECT_FLOAT_EQ(hit->t_enter, enter);
    EXPECT_FLOAT_EQ(hit->t_leave, leave);
    EXPECT_EQ(hit->normal == vec3(0.0f), enter == 0.0f);
}

// The edge has no ball at its far end, through which a ball on a parallel path would leave.
TEST(Sweep, BallAlongAnEdgeWithoutEnd) {
    const Aabb beam{vec3(0, -1, -1), vec3(kInf, 1, 1)};
    const float corner = std::sqrt(0.5f);  // Half the ball's path through the corner.
    const Sphere beside{vec3(5, 1.5f, 1.5f), 1}, before{vec3(-5, 1.5f, 1.5f), 1};
    expect_hit(sweep(beside, vec3(1, 0, 0), beam), 0, kInf);
    expect_hit(sweep(beside, vec3(-1, 0, 0), beam), 0, 5 + corner);
    expect_hit(sweep(before, vec3(1, 0, 0), beam), 5 - corner, kInf);
    EXPECT_FALSE(sweep(before, vec3(-1, 0, 0), beam));
    EXPECT_FALSE(sweep(Sphere{vec3(5, 1.8f, 1.8f), 1}, vec3(1, 0, 0), beam));
    const Aabb down{vec3(-1, -kInf, -1), vec3(1, 0, 1)};
    expect_hit(sweep(Sphere{vec3(1.5f, 5, 1.5f), 1}, vec3(0, -1, 0), down), 5 - corner, kInf);
    const Aabb plate{vec3(0, 0, -1), vec3(kInf, kInf, 1)};
    expect_hit(sweep(Sphere{vec3(-0.5f, 7, 1.5f), 1}, vec3(0, 1, 0), plate), 0, kInf);
    Random rng(17);
    int hits = 0;
    const int count = test::cases(20000);
    for (int n = 0; n < count; ++n) {
        Aabb box = rng.aabb();
        vec3 v = rng.vec(-3, 3);
        for (int k = 0; k < 3; ++k) {
            if (rng.chance(0.4)) box.min[k] = -kInf;
            if (rng.chance(0.4)) box.max[k] = kInf;
            if (rng.chance(0.4)) v[k] = 0.0f;
        }
        if (box.is_empty()) continue;
        const Sphere ball{rng.vec(-3, 3), rng.range(0.1f, 2)};
        const auto hit = sweep(ball, v, box);
        hits += hit.has_value();
        for (int k = 0; k < 8; ++k) {
            const float t = k == 0 ? 0.0f : std::pow(10.0f, rng.range(-2, 3));
            const glm::dvec3 c = glm::dvec3(ball.center) + double{t} * glm::dvec3(v);
            const double gap = glm::distance(glm::clamp(c, glm::dvec3(box.min), glm::dvec3(box.max)), c) -
                               double{ball.radius};
            if (std::abs(gap) < 1e-3) continue;
            const bool is_during = hit && hit->t_enter <= t && t <= hit->t_leave;
            ASSERT_EQ(is_during, gap < 0.0) << n << " at " << t;
        }
    }
    EXPECT_GT(hits, count / 10);
}

// The dots of rounded axes are 1e-8, and not 0, which times infinity is infinity.
TEST(Sweep, RotatedBoxWithoutEndIsUnboundedAlongItsAxesOnly) {
    Random rng(29);
    const int count = test::cases(5000);
    for (int n = 0; n < count; ++n) {
        const glm::mat3 axes = rng.rotation(), other = rng.chance(0.5) ? axes : rng.rotation();
        const auto [open, across, along, is_slab] = test::endless_box(rng, axes);
        // Far along it, 10 m beside it.
        const vec3 center = open.center + 10.0f * axes[across] + rng.range(-100, 100) * axes[along];
        const Obb small{center, vec3(0.5f), other};
        const Aabb upright{center - 0.5f, center + 0.5f};
        double reach = 0.0, reach_upright = 0.0;
        for (int k = 0; k < 3; ++k) {
            reach += 0.5 * std::abs(glm::dot(glm::dvec3(other[k]), glm::dvec3(axes[across])));
            reach_upright += 0.5 * std::abs(axes[across][k]);
        }
        ASSERT_FALSE(sweep(small, axes[along], open, 1e4f)) << n;
        ASSERT_FALSE(sweep(upright, axes[along], open, 1e4f)) << n;
        ASSERT_FALSE(sweep(open, axes[along], small, 1e4f)) << n;
        const auto turned = sweep(small, -2.0f * axes[across], open);
        const auto straight = sweep(upright, -2.0f * axes[across], open);
        ASSERT_TRUE(turned && straight) << n;
        ASSERT_NEAR(turned->t_enter, (9.0 - reach) / 2.0, 1e-4) << n;
        ASSERT_NEAR(turned->t_leave, (11.0 + reach) / 2.0, 1e-4) << n;
        ASSERT_NEAR(straight->t_enter, (9.0 - reach_upright) / 2.0, 1e-4) << n;
        ASSERT_NEAR(glm::distance(turned->normal, axes[across]), 0.0f, 1e-5) << n;
        // Two without ends, as parallel as floats say.
        Obb parallel = open;
        parallel.center = center;
        ASSERT_FALSE(sweep(parallel, axes[along], open, 1e4f)) << n;
        const auto both = sweep(parallel, -axes[across], open);
        ASSERT_TRUE(both) << n;
        ASSERT_NEAR(both->t_enter, 8.0f, 1e-4) << n;
    }
}

TEST(Sweep, BadInputHitsNothing) {
    const float nan = std::nanf("");
    EXPECT_FALSE(sweep(kUnit, vec3(nan, 0, 0), kUnit));
    EXPECT_FALSE(sweep(kUnit, vec3(1, 0, 0), kUnit, nan));
    EXPECT_FALSE(sweep(kUnit, vec3(1, 0, 0), kUnit, -1.0f));
    EXPECT_FALSE(sweep(kUnit, vec3(INFINITY, 0, 0), kUnit));
    EXPECT_FALSE(sweep(Aabb{}, vec3(1, 0, 0), kUnit));
    EXPECT_FALSE(sweep(kUnit, vec3(1, 0, 0), Aabb{}));
    EXPECT_FALSE(sweep(Sphere{}, vec3(1, 0, 0), kUnit));
    EXPECT_FALSE(sweep(Sphere{vec3(nan), 1}, vec3(1, 0, 0), kUnit));
    EXPECT_FALSE(sweep(Obb{}, vec3(1, 0, 0), Obb{}));
    EXPECT_FALSE(sweep(Obb{vec3(nan), vec3(1), glm::mat3(1)}, vec3(1, 0, 0), kUnit));
}

Aabb moved(Aabb box, const vec3& by) {
    return {box.min + by, box.max + by};
}
Obb moved(Obb box, const vec3& by) {
    box.center += by;
    return box;
}
Sphere moved(Sphere ball, const vec3& by) {
    ball.center += by;
    return ball;
}

/// Between enter and leave they overlap, before and after they do not: at sampled times, by GJK. Within
/// `slack` meters of touching either is accepted.
template <class A, class B>
void check(Random& rng, const A& a, const vec3& v, const B& b, float duration, int n) {
    const auto hit = sweep(a, v, b, duration);
    const float slack = 1e-5f;
    const auto gap_at = [&](float t) { return distance(ConvexRef(moved(a, v * t)), ConvexRef(b)); };
    for (int k = 0; k < 6; ++k) {
        const float t = k == 0 ? 0.0f : k == 1 ? duration : rng.range(0, duration);
        const float gap = gap_at(t);
        if (gap > slack) {
            EXPECT_FALSE(hit && hit->t_enter < t && t < hit->t_leave) << n << " at " << t;
        } else if (gap == 0.0f) {
            // Overlapping at t: the interval contains t, or they barely touch and rounding decides.
            const float speed = glm::length(v);
            EXPECT_TRUE(hit || gap_at(t) <= slack) << n;
            if (hit) {
                EXPECT_LE((hit->t_enter - t) * speed, 0.02f) << n;
                EXPECT_LE((t - hit->t_leave) * speed, 0.02f) << n;
            }
        }
    }
    if (!hit) return;
    EXPECT_LE(hit->t_enter, duration) << n;
    EXPECT_LE(hit->t_enter, hit->t_leave) << n;
    EXPECT_LE(gap_at(hit->t_enter), slack) << n;
    if (hit->t_leave < 100.0f) {
        EXPECT_LE(gap_at(hit->t_leave), 10 * slack) << n;
    }
    if (hit->t_enter > 1e-4f) {
        EXPECT_NEAR(glm::length(hit->normal), 1.0f, 1e-4f) << n;
        EXPECT_LE(glm::dot(hit->normal, v), 1e-4f) << n << ": the normal is against the motion";
    }
}

TEST(SweepRandom, AgainstOverlapAtSampledTimes) {
    Random rng(1);
    const int count = test::cases(20000);
    for (int n = 0; n < count && !testing::Test::HasFailure(); ++n) {
        const float duration = rng.range(0.1f, 3.0f);
        vec3 v = rng.vec(-3, 3);
        if (rng.chance(0.3)) v[rng.below(3)] = 0.0f;
        if (rng.chance(0.2)) v[rng.below(3)] = 0.0f;
        const Sphere s1 = rng.sphere(), s2 = rng.sphere();
        const Aabb b1 = rng.aabb(), b2 = rng.aabb();
        const Obb o1 = rng.obb();
        Obb o2 = rng.obb();
        if (rng.chance(0.2)) o2.axes = o1.axes;
        check(rng, s1, v, s2, duration, n);
        check(rng, s1, v, b2, duration, n);
        check(rng, b1, v, s2, duration, n);
        check(rng, s1, v, o2, duration, n);
        check(rng, o1, v, s2, duration, n);
        check(rng, b1, v, b2, duration, n);
        check(rng, b1, v, o2, duration, n);
        check(rng, o1, v, b2, duration, n);
        check(rng, o1, v, o2, duration, n);
    }
}

/// Moving a against b is the same as moving b backward against a; and AABBs as OBBs give the same.
TEST(SweepRandom, SymmetricAndConsistent) {
    Random rng(2);
    Recording trace;
    const int count = test::cases(100000);
    int hits = 0;
    for (int n = 0; n < count; ++n) {
        const vec3 v = rng.vec(-3, 3);
        const Aabb a = rng.aabb(), b = rng.aabb();
        const Obb oa = rng.obb(), ob = rng.obb();
        const auto hit = sweep(a, v, b, 1.0f);
        const auto back = sweep(b, -v, a, 1.0f);
        ASSERT_EQ(hit.has_value(), back.has_value()) << n;
        if (hit) {
            ASSERT_EQ(hit->t_enter, back->t_enter);
            ASSERT_EQ(hit->t_leave, back->t_leave);
            ++hits;
        }
        trace.clear();
        const auto traced = sweep(a, v, b, 1.0f, trace);
        ASSERT_EQ(hit.has_value(), traced.has_value());
        const auto& last = std::get<SlabClipped>(trace.events().at(2));
        ASSERT_EQ(trace.events().size(), last.t_enter <= last.t_exit ? 4u : 3u);
        if (hit) {
            ASSERT_EQ(std::get<RangeClipped>(trace.events()[3]).t_enter, hit->t_enter);
        }
        const auto turned = sweep(oa, v, ob, 1.0f);
        trace.clear();
        const auto turned_traced = sweep(oa, v, ob, 1.0f, trace);
        ASSERT_EQ(turned.has_value(), turned_traced.has_value());
        if (turned) {
            ASSERT_EQ(turned->t_enter, turned_traced->t_enter);
        }
        if (a.is_empty() || b.is_empty()) continue;
        const auto as_obbs = sweep(test::as_obb(a), v, test::as_obb(b), 1.0f);
        if (hit && as_obbs) {
            ASSERT_NEAR(hit->t_enter, as_obbs->t_enter, 1e-4f) << n;
        }
    }
    EXPECT_GT(hits, count / 10);
}

}  // namespace
}  // namespace bv
