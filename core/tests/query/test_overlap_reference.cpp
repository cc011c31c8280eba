// bv::overlap of every pair of shapes against the reference, and the reference against closed forms.
#include <gtest/gtest.h>

#include "bv/fit/hull.hpp"
#include "bv/fit/kdop.hpp"
#include "bv/query/convex.hpp"
#include "bv/query/overlap.hpp"
#include "bv/query/overlap_kdop.hpp"
#include "bv/query/overlap_triangle.hpp"
#include "query_cases.hpp"
#include "reference/box_reference.hpp"
#include "reference/overlap_reference.hpp"

namespace bv {
namespace {

using glm::vec3;
using reference::Real;
using reference::Relation;
using test::cases;
using test::Random;

// --- shapes near `center`, `size` across ------------------------------------------------------------------

template <class T>
T make(Random& rng, const vec3& center, float size);

std::vector<vec3> cloud(Random& rng, const vec3& center, float size) {
    std::vector<vec3> points;
    const bool flat = rng.chance(0.1);
    const glm::mat3 turn = rng.varied_rotation();
    for (int i = 0; i < 12; ++i) {
        vec3 p = rng.in_cube(size);
        if (flat) p.z = 0.0f;
        points.push_back(center + turn * p);
    }
    return points;
}
template <>
vec3 make(Random&, const vec3& center, float) {
    return center;
}
template <>
Sphere make(Random& rng, const vec3& center, float size) {
    return {center, rng.chance(0.1) ? 0.0f : size * rng.range(0.1f, 1.0f)};
}
template <>
Capsule make(Random& rng, const vec3& center, float size) {
    const vec3 half = rng.chance(0.1) ? vec3(0.0f) : rng.in_cube(size);
    return {center - half, center + half, size * (rng.chance(0.2) ? 0.0f : rng.range(0.1f, 0.6f))};
}
template <>
Segment make(Random& rng, const vec3& center, float size) {
    const vec3 half = rng.in_cube(size);
    return {center - half, center + half};
}
template <>
Triangle make(Random& rng, const vec3& center, float size) {
    const vec3 a = rng.in_cube(size), b = rng.in_cube(size);
    return {center + a, center + b, center + (rng.chance(0.1) ? 0.5f * (a + b) : rng.in_cube(size))};
}
template <>
Aabb make(Random& rng, const vec3& center, float size) {
    const vec3 half = size * rng.half();
    return {center - half, center + half};
}
template <>
Obb make(Random& rng, const vec3& center, float size) {
    return {center, size * rng.half(), rng.varied_rotation()};
}
template <>
RectSweptSphere make(Random& rng, const vec3& center, float size) {
    return {center, size * glm::vec2(rng.half()), size * rng.range(0.0f, 0.5f), rng.varied_rotation()};
}
template <>
Hull make(Random& rng, const vec3& center, float size) {
    return fit::hull(cloud(rng, center, size));
}
template <class T>
requires requires {
    T::kDirections;
}
T make_kdop(Random& rng, const vec3& center, float size) {
    return fit::kdop<2 * T::kDirections>(cloud(rng, center, size));
}
template <>
Kdop<6> make(Random& rng, const vec3& center, float size) {
    return make_kdop<Kdop<6>>(rng, center, size);
}
template <>
Kdop<8> make(Random& rng, const vec3& center, float size) {
    return make_kdop<Kdop<8>>(rng, center, size);
}
template <>
Kdop<14> make(Random& rng, const vec3& center, float size) {
    return make_kdop<Kdop<14>>(rng, center, size);
}
template <>
Kdop<18> make(Random& rng, const vec3& center, float size) {
    return make_kdop<Kdop<18>>(rng, center, size);
}
template <>
Kdop<26> make(Random& rng, const vec3& center, float size) {
    return make_kdop<Kdop<26>>(rng, center, size);
}

// --- bands ------------------------------------------------------------------------------------------------

template <class T>
constexpr bool kHasAxes = requires(T x) {
    x.axes;
};
template <class T>
constexpr bool kIsBox = std::is_same_v<T, Obb> || std::is_same_v<T, Aabb>;
template <class T>
constexpr bool kIsKdop = requires {
    T::kDirections;
};

/// As a fraction of the sizes. Stored axes are orthonormal only to single precision, and corners computed
/// from them are off by as much; k-DOPs store sums of coordinates, which are rounded relative to the
/// position.
template <class A, class B>
constexpr Real kBand = kHasAxes<A> || kHasAxes<B> || kIsKdop<A> || kIsKdop<B> ? 1e-5L : 1e-9L;

struct Counts {
    int disjoint = 0, overlapping = 0, touching = 0;
};

template <class A, class B>
void check(const A& a, const B& b, int n, Counts& counts) {
    const bool answer = overlap(a, b);
    ASSERT_EQ(overlap(b, a), answer) << n;
    if constexpr (kIsKdop<A> && kIsKdop<B>) {
        // Interval by interval: an overlap is never missed, but more may be reported.
        if (reference::relation(a, b, kBand<A, B>) == Relation::Overlapping) {
            ++counts.overlapping;
            ASSERT_TRUE(answer) << n;
        } else {
            ++counts.disjoint;
        }
        return;
    }
    // Two boxes by separating axes: obb_sat.hpp promises to miss none, and bounds its false positives.
    constexpr bool kBySat = kIsBox<A> && kIsBox<B> && !(std::is_same_v<A, Aabb> && std::is_same_v<B, Aabb>);
    const Relation expected = reference::relation(a, b, kBand<A, B>);
    if (expected == Relation::Overlapping) {
        ++counts.overlapping;
        ASSERT_TRUE(answer) << n;
    } else if (expected == Relation::Disjoint &&
               (!kBySat || reference::relation(a, b, Real(2e-3L)) == Relation::Disjoint)) {
        ++counts.disjoint;
        ASSERT_FALSE(answer) << n;
    } else {
        ++counts.touching;
    }
}

template <class A, class B>
void check_pair(std::uint64_t seed) {
    Random rng(seed);
    Counts counts;
    // With fewer, thin shapes might never overlap.
    const int count =
        std::max(cases(kIsKdop<A> || kIsKdop<B> ? 500 : 3000), kIsKdop<A> || kIsKdop<B> ? 150 : 1000);
    for (int n = 0; n < count && !testing::Test::HasFatalFailure(); ++n) {
        const float unit = rng.scale();
        const float other = unit * (rng.chance(0.2) ? rng.range(0.01f, 0.1f) : 1.0f);
        const vec3 place = rng.chance(0.3) ? unit * rng.in_cube(5.0f) : vec3(0.0f);
        const A a = make<A>(rng, place, unit);
        B b = make<B>(rng, place + unit * rng.in_cube(1.8f), other);
        check(a, b, n, counts);
    }
    if constexpr (!std::is_same_v<A, vec3> || !std::is_same_v<B, vec3>) {
        EXPECT_GT(counts.disjoint, count / 20);
    }
    // Points, segments and triangles overlap only by chance.
    constexpr bool kThin = (std::is_same_v<A, vec3> || std::is_same_v<A, Segment>)&&(
        std::is_same_v<B, vec3> || std::is_same_v<B, Segment>);
    if (!kThin && !(std::is_same_v<A, vec3> && std::is_same_v<B, Triangle>)) {
        EXPECT_GT(counts.overlapping, count / 1000);
        EXPECT_LT(counts.touching, count / 4);
    }
}

template <class... Shapes>
struct List {};

template <class A, class... Bs>
void check_with(std::uint64_t seed, List<Bs...>) {
    (check_pair<A, Bs>(++seed), ...);
}
template <class A, class... Rest>
void check_all(std::uint64_t seed, List<A, Rest...>) {
    check_with<A>(seed, List<A, Rest...>{});
    if constexpr (sizeof...(Rest) > 0) check_all(seed + 100, List<Rest...>{});
}

TEST(OverlapReference, EveryPairOfShapesOverlapsAsPromised) {
    check_all(1000, List<vec3, Sphere, Aabb, Obb, Triangle, Capsule, Segment, RectSweptSphere, Hull>{});
}

TEST(OverlapReference, EveryKdopOverlapsAsPromised) {
    using Solids = List<vec3, Sphere, Aabb, Obb, Triangle, Capsule, Segment, RectSweptSphere, Hull>;
    check_with<Kdop<6>>(6000, Solids{});
    check_with<Kdop<8>>(8000, Solids{});
    check_with<Kdop<14>>(14000, Solids{});
    check_with<Kdop<18>>(18000, Solids{});
    check_with<Kdop<26>>(26000, Solids{});
    check_pair<Kdop<6>, Kdop<6>>(61);
    check_pair<Kdop<8>, Kdop<8>>(81);
    check_pair<Kdop<14>, Kdop<14>>(141);
    check_pair<Kdop<18>, Kdop<18>>(181);
    check_pair<Kdop<26>, Kdop<26>>(261);
}

// The reference against the closed forms and searches of box_reference.hpp.
TEST(OverlapReference, AgreesWithClosedForms) {
    Random rng(7);
    for (int n = 0; n < cases(3000); ++n) {
        const vec3 at = rng.in_cube(2.0f);
        const Aabb box = make<Aabb>(rng, vec3(0.0f), 1.0f);
        const auto near = [&](Real got, Real expected, Real slack) {
            // If cores overlap, only the sign agrees.
            if (expected > 0) {
                EXPECT_NEAR(static_cast<double>(got), static_cast<double>(expected),
                            static_cast<double>(slack))
                    << n;
            } else {
                EXPECT_LE(got, slack) << n;
            }
        };
        using reference::body_of;
        using reference::separation;
        const Sphere ball = make<Sphere>(rng, at, 1.0f);
        near(separation(body_of(box), body_of(ball)), separation(box, ball), 1e-15L);
        const Capsule capsule = make<Capsule>(rng, at, 1.0f);
        near(separation(body_of(box), body_of(capsule)), separation(box, capsule), 1e-9L);
        const Sphere other = make<Sphere>(rng, vec3(0.0f), 1.0f);
        const Real centers = reference::length(reference::Vec(ball.center) - reference::Vec(other.center));
        EXPECT_NEAR(
            static_cast<double>(separation(body_of(ball), body_of(other))),
            static_cast<double>(centers - static_cast<Real>(ball.radius) - static_cast<Real>(other.radius)),
            1e-15);
        // The widest gap of two boxes along an axis has the sign of the distance, and does not exceed it.
        const Obb turned = make<Obb>(rng, at, 1.0f);
        const Real gap = separation(box, turned), distance = separation(body_of(box), body_of(turned));
        if (gap > 1e-6L) {
            EXPECT_GE(distance, gap * (1 - 1e-6L)) << n;
        } else if (gap < -1e-6L) {
            EXPECT_EQ(distance, 0) << n;
        }
        const Aabb straight = make<Aabb>(rng, at, 1.0f);
        EXPECT_EQ(separation(body_of(box), body_of(straight)) <= 0, separation(box, straight) <= 0) << n;
        near(separation(body_of(at), body_of(box)), reference::distance_to_box(box, reference::Vec(at)),
             1e-15L);
    }
}

TEST(OverlapReference, KnownDistances) {
    const auto distance = [](const auto& a, const auto& b) {
        return static_cast<double>(reference::separation(reference::body_of(a), reference::body_of(b)));
    };
    EXPECT_EQ(distance(Aabb{vec3(0), vec3(1)}, Aabb{vec3(1), vec3(2)}), 0.0);
    EXPECT_EQ(distance(Aabb{vec3(0), vec3(1)}, vec3(3, 0.5f, 0.5f)), 2.0);
    EXPECT_DOUBLE_EQ(distance(Aabb{vec3(0), vec3(1)}, vec3(2, 2, 2)), std::sqrt(3.0));
    EXPECT_EQ(distance(Triangle{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, vec3(1, 1, 2)), 2.0);
    EXPECT_DOUBLE_EQ(distance(Triangle{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, vec3(3, 3, 0)), std::sqrt(2.0));
    EXPECT_EQ(distance(Segment{{-1, 0, 0}, {1, 0, 0}}, Segment{{0, -1, 3}, {0, 1, 3}}), 3.0);
    EXPECT_EQ(distance(Capsule{{-1, 0, 0}, {1, 0, 0}, 0.5f}, Sphere{{4, 0, 0}, 1.0f}), 1.5);
    EXPECT_EQ(reference::relation(Sphere{}, vec3(0.0f), Real(0)), Relation::Disjoint);
    EXPECT_EQ(reference::relation(Aabb{vec3(0), vec3(1)}, vec3(1, 0.5f, 0.5f), Real(1e-9L)),
              Relation::Touching);
    EXPECT_EQ(reference::relation(Aabb{vec3(0), vec3(1)}, vec3(0.5f), Real(1e-9L)), Relation::Overlapping);
    // A cube as a k-DOP has eight corners; a truncated one has twenty-four.
    Kdop<14> cube;
    cube.min.fill(-1.0f), cube.max.fill(1.0f);
    for (std::size_t k = 3; k < 7; ++k)
        cube.min[k] = -2.0f, cube.max[k] = 2.0f;
    for (const reference::Vec& p : reference::body_of(cube).points)
        EXPECT_LE(std::abs(p.x) + std::abs(p.y) + std::abs(p.z), 2 + 1e-15L);
}

}  // namespace
}  // namespace bv
