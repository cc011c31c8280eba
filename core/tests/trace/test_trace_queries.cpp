// The numbers that pair tests, ray casts and sweeps record, against the same numbers computed here in double
// precision from the corners of the shapes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

#include "bv/query/convex.hpp"
#include "bv/query/overlap.hpp"
#include "bv/query/overlap_kdop.hpp"
#include "bv/query/overlap_triangle.hpp"
#include "bv/query/raycast.hpp"
#include "bv/query/separation.hpp"
#include "bv/query/sweep.hpp"
#include "bv/trace/trace.hpp"
#include "query_cases.hpp"

namespace bv {
namespace {

using glm::vec3;
using test::Random;
using D = glm::dvec3;
using Kind = AxisTested::Kind;

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

std::vector<D> corners(const Triangle& t) {
    return {D(t.a), D(t.b), D(t.c)};
}

/// Away from the origin, with sides of three lengths and axes other than the world's.
Obb slanted_box(Random& rng, const vec3& around) {
    Obb box = rng.obb();
    box.half_extents = rng.vec(0.2f, 1.5f);
    box.center += around;
    return box;
}

struct Interval {
    double lo = 1e300, hi = -1e300;
};
Interval project(const std::vector<D>& points, const D& axis) {
    Interval i;
    for (const D& p : points) {
        i.lo = std::min(i.lo, glm::dot(p, axis));
        i.hi = std::max(i.hi, glm::dot(p, axis));
    }
    return i;
}

/// `axis` is the expected axis, of any length and either direction; a length near zero means skipped.
void expect_axis(const AxisTested& e, Kind kind, int i, int j, const D& axis, const std::vector<D>& a,
                 const std::vector<D>& b) {
    constexpr double kClose = 3e-5;
    EXPECT_EQ(e.kind, kind);
    EXPECT_EQ(e.i, i);
    EXPECT_EQ(e.j, j);
    EXPECT_TRUE(e.skipped || glm::length(axis) >= 1e-7);
    EXPECT_FALSE(e.skipped && glm::length(axis) > 1e-5);
    if (e.skipped) {
        EXPECT_EQ(e.axis, vec3(0.0f));
        EXPECT_EQ(e.gap, 0.0f);
        return;
    }
    const D n = D(e.axis);
    EXPECT_NEAR(glm::length(n), 1.0, 1e-6);
    const double turned = glm::length(glm::cross(n, axis));
    EXPECT_LT(turned, 1e-5 * glm::length(axis) + 1e-8);
    const Interval of_a = project(a, n), of_b = project(b, n);
    EXPECT_NEAR(double(e.min_a), of_a.lo, kClose);
    EXPECT_NEAR(double(e.max_a), of_a.hi, kClose);
    EXPECT_NEAR(double(e.min_b), of_b.lo, kClose);
    EXPECT_NEAR(double(e.max_b), of_b.hi, kClose);
    EXPECT_NEAR(double(e.gap), std::max(of_b.lo - of_a.hi, of_a.lo - of_b.hi), kClose);
}

void expect_fifteen_axes(const Recording& trace, const Obb& a, const Obb& b) {
    ASSERT_EQ(trace.events().size(), 15u);
    std::size_t n = 0;
    const auto next = [&]() -> const AxisTested& { return std::get<AxisTested>(trace.events()[n++]); };
    for (int i = 0; i < 3; ++i)
        expect_axis(next(), Kind::FaceA, i, -1, D(a.axes[i]), corners(a), corners(b));
    for (int j = 0; j < 3; ++j)
        expect_axis(next(), Kind::FaceB, -1, j, D(b.axes[j]), corners(a), corners(b));
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            expect_axis(next(), Kind::EdgeCross, i, j, glm::cross(D(a.axes[i]), D(b.axes[j])), corners(a),
                        corners(b));
}

TEST(TraceOfPairs, AxesOfOrientedBoxes) {
    Random rng(81);
    Recording trace;
    for (int n = 0; n < test::cases(2000) && !testing::Test::HasFailure(); ++n) {
        const Obb a = slanted_box(rng, vec3(3, -2, 5)), b = slanted_box(rng, vec3(3, -2, 5));
        trace.clear();
        (void)overlap(a, b, trace);
        expect_fifteen_axes(trace, a, b);
        trace.clear();
        (void)separation(a, b, trace);
        expect_fifteen_axes(trace, a, b);
        const vec3 low = rng.vec(1, 3), high = low + rng.vec(0.2f, 2.0f);
        const Aabb box{low, high};
        trace.clear();
        (void)overlap(box, a, trace);
        expect_fifteen_axes(trace, test::as_obb(box), a);
        trace.clear();
        (void)overlap(a, box, trace);
        EXPECT_EQ(trace.events().size(), 15u);
    }
    // If one of the two is empty, nothing is tested.
    trace.clear();
    const Obb solid = slanted_box(rng, vec3(1));
    EXPECT_FALSE(overlap(Obb{}, solid, trace));
    EXPECT_FALSE(overlap(solid, Obb{}, trace));
    EXPECT_FALSE(overlap(Aabb{}, solid, trace));
    EXPECT_FALSE(overlap(Aabb{vec3(0), vec3(1)}, Obb{}, trace));
    EXPECT_TRUE(trace.events().empty());
}

TEST(TraceOfPairs, AxesOfAlignedBoxes) {
    Random rng(82);
    Recording trace;
    for (int n = 0; n < 500; ++n) {
        const Aabb a = rng.aabb(), b = rng.aabb();
        trace.clear();
        EXPECT_EQ(overlap(a, b, trace), overlap(a, b));
        ASSERT_EQ(trace.events().size(), 3u);
        for (int i = 0; i < 3; ++i) {
            D axis(0.0);
            axis[i] = 1.0;
            expect_axis(std::get<AxisTested>(trace.events()[std::size_t(i)]), Kind::FaceA, i, -1, axis,
                        {D(a.min), D(a.max)}, {D(b.min), D(b.max)});
        }
    }
    trace.clear();
    EXPECT_FALSE(overlap(Aabb{}, Aabb{vec3(0), vec3(1)}, trace));
    EXPECT_FALSE(overlap(Aabb{vec3(0), vec3(1)}, Aabb{}, trace));
    EXPECT_TRUE(trace.events().empty());
}

TEST(TraceOfPairs, AxesOfABoxAndATriangle) {
    Random rng(83);
    Recording trace;
    for (int n = 0; n < test::cases(2000) && !testing::Test::HasFailure(); ++n) {
        const vec3 around(2, 7, -4);
        const Obb box = slanted_box(rng, around);
        Triangle t = rng.triangle();
        for (vec3* p : {&t.a, &t.b, &t.c})
            *p += around;
        const Aabb aabb{around - vec3(0.3f, 0.5f, 0.7f), around + vec3(0.2f, 0.9f, 0.4f)};
        for (const bool aligned : {false, true}) {
            const Obb frame = aligned ? test::as_obb(aabb) : box;
            trace.clear();
            EXPECT_EQ(aligned ? overlap(aabb, t, trace) : overlap(box, t, trace),
                      aligned ? overlap(aabb, t) : overlap(box, t));
            ASSERT_EQ(trace.events().size(), 13u);
            std::size_t at = 0;
            const auto next = [&]() -> const AxisTested& {
                return std::get<AxisTested>(trace.events()[at++]);
            };
            const D edges[3] = {D(t.b) - D(t.a), D(t.c) - D(t.b), D(t.a) - D(t.c)};
            for (int i = 0; i < 3; ++i)
                expect_axis(next(), Kind::FaceA, i, -1, D(frame.axes[i]), corners(frame), corners(t));
            expect_axis(next(), Kind::FaceB, -1, 0, glm::cross(edges[0], edges[1]), corners(frame),
                        corners(t));
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j)
                    expect_axis(next(), Kind::EdgeCross, i, j, glm::cross(D(frame.axes[i]), edges[j]),
                                corners(frame), corners(t));
        }
    }
}

TEST(TraceOfPairs, AxesOfRectangles) {
    Random rng(84);
    Recording trace;
    const auto rectangle = [&rng] {
        Obb2 box;
        box.center = glm::vec2(rng.vec(2, 5));
        box.half_extents = glm::vec2(rng.vec(0.3f, 1.5f));
        const float angle = rng.range(-3, 3);
        box.axes = glm::mat2(std::cos(angle), std::sin(angle), -std::sin(angle), std::cos(angle));
        return box;
    };
    const auto points = [](const Obb2& box) {
        std::vector<D> result;
        for (int i = 0; i < 4; ++i)
            result.emplace_back(glm::dvec2(box.center) +
                                    glm::dvec2(box.axes[0]) * double(box.half_extents.x * (i & 1 ? 1 : -1)) +
                                    glm::dvec2(box.axes[1]) * double(box.half_extents.y * (i & 2 ? 1 : -1)),
                                0.0);
        return result;
    };
    for (int n = 0; n < 1000; ++n) {
        const Obb2 a = rectangle(), b = rectangle();
        trace.clear();
        EXPECT_EQ(overlap(a, b, trace), overlap(a, b));
        ASSERT_EQ(trace.events().size(), 4u);
        for (int k = 0; k < 4; ++k) {
            const glm::vec2 axis = k < 2 ? a.axes[k] : b.axes[k - 2];
            expect_axis(std::get<AxisTested>(trace.events()[std::size_t(k)]),
                        k < 2 ? Kind::FaceA : Kind::FaceB, k < 2 ? k : -1, k < 2 ? -1 : k - 2,
                        D(glm::dvec2(axis), 0.0), points(a), points(b));
        }
    }
    trace.clear();
    EXPECT_FALSE(overlap(Obb2{}, rectangle(), trace));
    EXPECT_FALSE(overlap(rectangle(), Obb2{}, trace));
    EXPECT_TRUE(trace.events().empty());
}

/// Slab by slab: the planes at `lo` and `hi` along `normals[k]`, from the ray's own numbers. Then, if the
/// slabs leave a part of the line, that part clipped to 0 to `end`.
void expect_slabs(const Recording& trace, const D& origin, const D& direction, const std::vector<D>& normals,
                  const std::vector<std::pair<double, double>>& bounds, float end) {
    ASSERT_GE(trace.events().size(), normals.size());
    const auto& last = std::get<SlabClipped>(trace.events()[normals.size() - 1]);
    const bool crosses = last.t_enter <= last.t_exit;
    if (last.t_enter != last.t_exit) {
        ASSERT_EQ(trace.events().size(), normals.size() + (crosses ? 1u : 0u));
    }
    if (trace.events().size() > normals.size()) {
        const auto& range = std::get<RangeClipped>(trace.events().back());
        EXPECT_EQ(range.t_begin, 0.0f);
        EXPECT_EQ(range.t_end, end);
        EXPECT_EQ(range.t_near, last.t_enter);
        EXPECT_EQ(range.t_far, last.t_exit);
        EXPECT_EQ(range.t_enter, std::max(0.0f, last.t_enter));
        EXPECT_EQ(range.t_exit, std::min(end, last.t_exit));
    }
    double enter = -std::numeric_limits<double>::infinity(), exit = -enter;
    for (std::size_t k = 0; k < normals.size(); ++k) {
        const auto& e = std::get<SlabClipped>(trace.events()[k]);
        EXPECT_EQ(e.axis, k);
        const double o = glm::dot(normals[k], origin), d = glm::dot(normals[k], direction);
        if (std::abs(d) < 1e-3) return;  // the quotient is meaningless: the slab is nearly parallel
        const double t0 = (bounds[k].first - o) / d, t1 = (bounds[k].second - o) / d;
        enter = std::max(enter, std::min(t0, t1));
        exit = std::min(exit, std::max(t0, t1));
        const double close = 1e-5 * (1.0 + std::abs(t0) + std::abs(t1) + std::abs(o / d)) / std::abs(d);
        EXPECT_NEAR(double(e.t_near), std::min(t0, t1), close);
        EXPECT_NEAR(double(e.t_far), std::max(t0, t1), close);
        EXPECT_NEAR(double(e.t_enter), enter, close + 1e-2);
        EXPECT_NEAR(double(e.t_exit), exit, close + 1e-2);
    }
}

TEST(TraceOfRays, SlabsOfBoxesAndKdops) {
    Random rng(85);
    Recording trace;
    for (int n = 0; n < test::cases(2000) && !testing::Test::HasFailure(); ++n) {
        const Ray ray{rng.vec(-4, 4), rng.vec(-2, 2), n % 2 == 0 ? kForever : 1.5f};
        const D o(ray.origin), d(ray.direction);
        const vec3 low = rng.vec(-1, 2);
        const Aabb aabb{low, low + rng.vec(0.3f, 2.0f)};
        trace.clear();
        (void)raycast(ray, aabb, trace);
        expect_slabs(trace, o, d, {D(1, 0, 0), D(0, 1, 0), D(0, 0, 1)},
                     {{aabb.min.x, aabb.max.x}, {aabb.min.y, aabb.max.y}, {aabb.min.z, aabb.max.z}},
                     ray.t_max);
        const Obb obb = slanted_box(rng, vec3(0.5f));
        std::vector<D> normals;
        std::vector<std::pair<double, double>> bounds;
        for (int k = 0; k < 3; ++k) {
            normals.push_back(D(obb.axes[k]));
            const double at = glm::dot(D(obb.axes[k]), D(obb.center));
            bounds.emplace_back(at - double(obb.half_extents[k]), at + double(obb.half_extents[k]));
        }
        trace.clear();
        (void)raycast(ray, obb, trace);
        expect_slabs(trace, o, d, normals, bounds, ray.t_max);
        Kdop<26> dop;
        normals.clear();
        bounds.clear();
        for (int k = 0; k < 13; ++k) {
            const vec3 normal = Kdop<26>::direction(k);
            const Interval i = project(corners(obb), D(normal));
            dop.min[std::size_t(k)] = float(i.lo);
            dop.max[std::size_t(k)] = float(i.hi);
            normals.push_back(D(normal));
            bounds.emplace_back(i.lo, i.hi);
        }
        trace.clear();
        EXPECT_EQ(raycast(ray, dop, trace).has_value(), raycast(ray, dop).has_value());
        expect_slabs(trace, o, d, normals, bounds, ray.t_max);
    }
    // A ray along a slab: entirely inside, or not at all.
    trace.clear();
    EXPECT_FALSE(raycast(Ray{vec3(0, 5, 0), vec3(1, 0, 0)}, Aabb{vec3(1), vec3(2)}, trace));
    const auto& beside = std::get<SlabClipped>(trace.events()[1]);
    EXPECT_GT(beside.t_near, beside.t_far);
    trace.clear();
    EXPECT_TRUE(raycast(Ray{vec3(0, 1.5f, 1.5f), vec3(2, 0, 0)}, Aabb{vec3(1), vec3(2)}, trace));
    const auto& along = std::get<SlabClipped>(trace.events()[1]);
    EXPECT_EQ(along.t_near, -std::numeric_limits<float>::infinity());
    EXPECT_EQ(along.t_far, std::numeric_limits<float>::infinity());
    EXPECT_EQ(along.t_enter, 0.5f);
    EXPECT_EQ(along.t_exit, 1.0f);
}

TEST(TraceOfRays, SweepsInSeconds) {
    Random rng(86);
    Recording trace;
    for (int n = 0; n < test::cases(1000) && !testing::Test::HasFailure(); ++n) {
        const Obb a = slanted_box(rng, vec3(-2, 0, 1)), b = slanted_box(rng, vec3(2, 1, 1));
        const vec3 velocity = rng.vec(-3, 3);
        std::vector<D> normals;
        for (int k = 0; k < 3; ++k)
            normals.push_back(D(a.axes[k]));
        for (int k = 0; k < 3; ++k)
            normals.push_back(D(b.axes[k]));
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                normals.push_back(glm::cross(D(a.axes[i]), D(b.axes[j])));
        bool parallel = false;
        std::vector<std::pair<double, double>> bounds;
        for (const D& axis : normals) {
            parallel = parallel || glm::length(axis) < 1e-4;
            const Interval of_a = project(corners(a), axis), of_b = project(corners(b), axis);
            bounds.emplace_back(of_b.lo - of_a.hi, of_b.hi - of_a.lo);
        }
        if (parallel) continue;
        trace.clear();
        EXPECT_EQ(sweep(a, velocity, b, 10.0f, trace).has_value(), sweep(a, velocity, b, 10.0f).has_value());
        const auto is_slab = [](const TraceEvent& e) { return std::holds_alternative<SlabClipped>(e); };
        if (std::count_if(trace.events().begin(), trace.events().end(), is_slab) == 15)
            expect_slabs(trace, D(0.0), D(velocity), normals, bounds, 10.0f);
        const Aabb from{a.center - a.half_extents, a.center + a.half_extents};
        const Aabb to{b.center - b.half_extents, b.center + b.half_extents};
        bounds.clear();
        for (int k = 0; k < 3; ++k)
            bounds.emplace_back(double(to.min[k]) - double(from.max[k]),
                                double(to.max[k]) - double(from.min[k]));
        trace.clear();
        EXPECT_EQ(sweep(from, velocity, to, 10.0f, trace).has_value(),
                  sweep(from, velocity, to, 10.0f).has_value());
        expect_slabs(trace, D(0.0), D(velocity), {D(1, 0, 0), D(0, 1, 0), D(0, 0, 1)}, bounds, 10.0f);
    }
}

TEST(TraceOfRays, BarycentricCoordinatesOfATriangle) {
    using Verdict = TriangleTested::Verdict;
    Random rng(87);
    Recording trace;
    int counts[10] = {};
    for (int n = 0; n < test::cases(20000); ++n) {
        const vec3 shift(3, -1, 2);
        const Triangle t{rng.vec(-1, 1) + shift, rng.vec(-1, 1) + shift, rng.vec(-1, 1) + shift};
        // Most of them near the triangle.
        const vec3 target = t.a + rng.range(-0.2f, 1) * (t.b - t.a) + rng.range(-0.2f, 1) * (t.c - t.a);
        Ray ray{rng.vec(-3, 3) + shift, vec3(0)};
        ray.direction = target - ray.origin;
        if (n % 7 == 0) ray.direction = -ray.direction;
        if (n % 5 == 0) ray.t_max = 0.9f;
        trace.clear();
        const auto hit = raycast(ray, t, trace);
        const auto& e = std::get<TriangleTested>(trace.events().back());
        ++counts[int(e.verdict)];
        // The stages before the end: the determinant, u, then v; each knows what the end knows of it.
        const std::size_t stages = e.verdict == Verdict::Parallel                                     ? 0
                                   : e.verdict == Verdict::OutsideU                                   ? 1
                                   : e.verdict == Verdict::OutsideV || e.verdict == Verdict::OutsideW ? 2
                                                                                                      : 3;
        ASSERT_EQ(trace.events().size(), stages + 1);
        for (std::size_t i = 0; i < stages; ++i) {
            const auto& stage = std::get<TriangleTested>(trace.events()[i]);
            EXPECT_EQ(int(stage.verdict), int(Verdict::Crosses) + int(i));
            EXPECT_EQ(stage.determinant, e.determinant);
            EXPECT_EQ(stage.u, i >= 1 ? e.u : 0.0f);
            EXPECT_EQ(stage.v, i >= 2 ? e.v : 0.0f);
        }
        EXPECT_EQ(e.verdict == Verdict::Hit, hit.has_value());
        // The intersection of line and plane, in the triangle's coordinates, by Cramer's rule.
        const D e1 = D(t.b) - D(t.a), e2 = D(t.c) - D(t.a), d(ray.direction), s = D(ray.origin) - D(t.a);
        const double det = glm::determinant(glm::dmat3(e1, e2, -d));
        const double u = glm::determinant(glm::dmat3(s, e2, -d)) / det;
        const double v = glm::determinant(glm::dmat3(e1, s, -d)) / det;
        const double at = glm::determinant(glm::dmat3(e1, e2, s)) / det;
        const double size = std::abs(det);
        if (size < 1e-3) continue;
        EXPECT_NEAR(double(e.determinant), size, 1e-5);
        EXPECT_EQ(e.front, glm::dot(glm::cross(e1, e2), d) < 0.0);
        EXPECT_NEAR(double(e.u), u * size, 1e-5 * (1 + std::abs(u * size)));
        if (std::min({std::abs(u), std::abs(v), std::abs(1 - u - v), std::abs(at),
                      std::abs(at - double(ray.t_max)), std::abs(1 - u)}) < 1e-4)
            continue;
        const Verdict expected = u < 0 || u > 1           ? Verdict::OutsideU
                                 : v < 0                  ? Verdict::OutsideV
                                 : u + v > 1              ? Verdict::OutsideW
                                 : at < 0                 ? Verdict::Behind
                                 : at > double(ray.t_max) ? Verdict::Beyond
                                                          : Verdict::Hit;
        EXPECT_EQ(e.verdict, expected);
        if (expected != Verdict::OutsideU) {
            EXPECT_NEAR(double(e.v), v * size, 1e-5 * (1 + std::abs(v * size)));
        }
        if (expected == Verdict::Hit) {
            EXPECT_NEAR(double(e.t), at, 1e-5 * (1 + std::abs(at)));
            EXPECT_NEAR(double(hit->u), u, 1e-4);
            EXPECT_NEAR(double(hit->v), v, 1e-4);
            EXPECT_EQ(hit->feature, e.front ? 0 : 1);
        }
    }
    for (const Verdict v : {Verdict::Hit, Verdict::OutsideU, Verdict::OutsideV, Verdict::OutsideW,
                            Verdict::Behind, Verdict::Beyond})
        EXPECT_GT(counts[int(v)], 20) << int(v);
    trace.clear();
    EXPECT_FALSE(
        raycast(Ray{vec3(0), vec3(1, 0, 0)}, Triangle{vec3(1, 0, 0), vec3(2, 0, 0), vec3(1, 1, 0)}, trace));
    EXPECT_EQ(std::get<TriangleTested>(trace.events()[0]).verdict, Verdict::Parallel);
}

TEST(TraceOfGjk, CornersOfTheDifferenceAndBoundsAroundTheDistance) {
    Random rng(88);
    Recording trace;
    int disjoint = 0, overlapping = 0;
    for (int n = 0; n < test::cases(3000); ++n) {
        const Obb a = slanted_box(rng, vec3(4, 4, 4)), b = slanted_box(rng, vec3(4.5f, 5, 3));
        trace.clear();
        const ClosestPoints found = closest_points(ConvexRef(a), ConvexRef(b), trace);
        ASSERT_FALSE(trace.events().empty());
        const std::vector<D> of_a = corners(a), of_b = corners(b);
        for (const TraceEvent& any : trace.events()) {
            const auto& e = std::get<SimplexReduced>(any);
            ASSERT_GE(e.count, 1);
            ASSERT_LE(e.count, 4);
            for (int i = 0; i < e.count; ++i) {
                double nearest = 1e300;
                for (const D& p : of_a)
                    for (const D& q : of_b)
                        nearest = std::min(nearest, glm::length(p - q - D(e.difference[i])));
                EXPECT_LT(nearest, 1e-5);
            }
            for (int i = e.count; i < 4; ++i)
                EXPECT_EQ(e.difference[i], vec3(0.0f));
            EXPECT_GE(e.lower_bound, 0.0f);
            EXPECT_LE(e.lower_bound, found.distance + 1e-5f);
            EXPECT_GE(e.upper_bound, found.distance - 1e-5f);
            const double between = glm::length(D(e.on_a) - D(e.on_b));
            EXPECT_NEAR(between, double(e.upper_bound), 2e-5);
            // Both points lie in their boxes.
            for (const auto& [box, p] : {std::pair(a, e.on_a), std::pair(b, e.on_b)})
                for (int k = 0; k < 3; ++k)
                    EXPECT_LE(std::abs(glm::dot(D(box.axes[k]), D(p) - D(box.center))),
                              double(box.half_extents[k]) + 1e-5);
        }
        const auto& last = std::get<SimplexReduced>(trace.events().back());
        EXPECT_EQ(last.count == 4, found.distance == 0.0f);
        EXPECT_NEAR(last.upper_bound, found.distance, 1e-5f);
        if (found.distance > 0.01f) {
            EXPECT_NEAR(last.lower_bound, found.distance, 1e-5f) << "the bounds meet at the end";
        }
        ++(found.distance > 0.0f ? disjoint : overlapping);
    }
    EXPECT_GT(disjoint, test::cases(300));
    EXPECT_GT(overlapping, test::cases(300));
}

}  // namespace
}  // namespace bv
