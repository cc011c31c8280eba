// Convex polygons in the plane. On corners with small whole coordinates the truth is found in integers, by
// crossing edges and by containment of corners; on other corners by clipping one polygon by the other.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <set>
#include <vector>

#include "bv/fit/polygon.hpp"
#include "bv/query/overlap_kdop.hpp"
#include "bv/query/overlap_polygon.hpp"
#include "query_cases.hpp"

namespace bv {
namespace {

using glm::dvec2;
using glm::vec2;
using test::Random;

// ---- the truth, in integers

struct Whole {
    long long x = 0, y = 0;
    friend bool operator==(const Whole&, const Whole&) = default;
};
using WholePolygon = std::vector<Whole>;

long long turn(const Whole& a, const Whole& b, const Whole& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}
int sign(long long v) {
    return v > 0 ? 1 : v < 0 ? -1 : 0;
}
bool on_segment(const Whole& a, const Whole& b, const Whole& p) {
    return turn(a, b, p) == 0 && std::min(a.x, b.x) <= p.x && p.x <= std::max(a.x, b.x) &&
           std::min(a.y, b.y) <= p.y && p.y <= std::max(a.y, b.y);
}
bool segments_meet(const Whole& a, const Whole& b, const Whole& c, const Whole& d) {
    if (on_segment(a, b, c) || on_segment(a, b, d) || on_segment(c, d, a) || on_segment(c, d, b)) return true;
    return sign(turn(a, b, c)) * sign(turn(a, b, d)) < 0 && sign(turn(c, d, a)) * sign(turn(c, d, b)) < 0;
}
/// True if the closed polygon contains the point, that is, if the point is on no edge's outer side. False for
/// polygons without area: those are met by edges alone.
bool inside(const WholePolygon& polygon, const Whole& p) {
    bool left = false, right = false, flat = true;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
        const Whole &a = polygon[k], &b = polygon[(k + 1) % polygon.size()];
        left = left || turn(a, b, p) > 0;
        right = right || turn(a, b, p) < 0;
        for (const Whole& c : polygon)
            flat = flat && turn(a, b, c) == 0;
    }
    return !flat && !(left && right);
}
bool truly_overlap(const WholePolygon& a, const WholePolygon& b) {
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < b.size(); ++j)
            if (segments_meet(a[i], a[(i + 1) % a.size()], b[j], b[(j + 1) % b.size()])) return true;
    return inside(a, b.front()) || inside(b, a.front());
}

/// Gift wrapping: counter-clockwise, without corners in the middle of an edge.
WholePolygon wrapped(const std::vector<Whole>& points) {
    const auto first = *std::min_element(points.begin(), points.end(), [](const Whole& a, const Whole& b) {
        return a.x != b.x ? a.x < b.x : a.y < b.y;
    });
    const auto away = [](const Whole& a, const Whole& b) {
        return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
    };
    WholePolygon polygon{first};
    for (;;) {
        const Whole at = polygon.back();
        Whole next = at;
        for (const Whole& p : points) {
            if (p == at) continue;
            const long long t = next == at ? -1 : turn(at, next, p);
            if (t < 0 || (t == 0 && away(p, at) > away(next, at))) next = p;
        }
        if (next == at || next == first) return polygon;
        polygon.push_back(next);
    }
}

/// 3 to 8 corners on a small grid; now and then flat, with corners that repeat or lie on an edge, clockwise.
WholePolygon random_polygon(Random& rng, int reach) {
    const auto number = [&](int from, int to) {
        return static_cast<long long>(std::floor(rng.range(float(from), float(to) + 0.999f)));
    };
    std::vector<Whole> points(static_cast<std::size_t>(number(1, 8)));
    if (!rng.chance(0.1)) points.resize(std::max<std::size_t>(points.size(), 3));
    const Whole shift{2 * number(-reach, reach), 2 * number(-reach, reach)};
    for (Whole& p : points)
        p = {shift.x + 2 * number(-reach, reach), shift.y + 2 * number(-reach, reach)};
    if (rng.chance(0.05))
        for (Whole& p : points)
            p.y = p.x;
    WholePolygon polygon = wrapped(points);
    if (rng.chance(0.2) && polygon.size() < 8) {  // even coordinates: the middle is whole
        const auto k = static_cast<std::size_t>(number(0, static_cast<int>(polygon.size()) - 1));
        const Whole &a = polygon[k], &b = polygon[(k + 1) % polygon.size()];
        polygon.insert(polygon.begin() + static_cast<std::ptrdiff_t>(k) + 1,
                       {(a.x + b.x) / 2, (a.y + b.y) / 2});
    }
    if (rng.chance(0.1)) polygon.push_back(polygon.back());
    if (rng.chance(0.5)) std::reverse(polygon.begin(), polygon.end());
    std::rotate(polygon.begin(), polygon.begin() + number(0, static_cast<int>(polygon.size()) - 1),
                polygon.end());
    return polygon;
}

std::vector<vec2> as_floats(const WholePolygon& polygon, float unit = 1.0f, vec2 shift = vec2(0.0f)) {
    std::vector<vec2> corners;
    for (const Whole& p : polygon)
        corners.push_back(shift + unit * vec2(float(p.x), float(p.y)));
    return corners;
}

std::string text_of(const std::vector<vec2>& polygon) {
    std::string text;
    for (const vec2& p : polygon)
        text += " (" + std::to_string(p.x) + ", " + std::to_string(p.y) + ")";
    return text;
}

std::vector<AxisTested> axes_of(const std::vector<vec2>& a, const std::vector<vec2>& b, bool& answer) {
    Recording trace;
    answer = overlap(ConvexPolygon{a}, ConvexPolygon{b}, trace);
    std::vector<AxisTested> axes;
    for (const TraceEvent& event : trace.events())
        axes.push_back(std::get<AxisTested>(event));
    return axes;
}

TEST(PolygonOverlap, IsExactWhereCornersAreWhole) {
    Random rng(1);
    int hits = 0, grazing = 0;
    const int count = test::cases(60000);
    for (int n = 0; n < count && !HasFailure(); ++n) {
        const int reach = n % 3 == 0 ? 2 : n % 3 == 1 ? 4 : 40;
        const WholePolygon a = random_polygon(rng, reach), b = random_polygon(rng, reach);
        const bool truth = truly_overlap(a, b);
        // Any power of two, and any place where whole steps are floats, is the same polygon.
        const float unit = n % 2 == 0 ? 1.0f : std::ldexp(1.0f, n % 17 - 60);
        const vec2 shift = n % 5 == 0 ? vec2(8388608.0f / 2, -4194304.0f) * unit : vec2(0.0f);
        const auto fa = as_floats(a, unit, shift), fb = as_floats(b, unit, shift);
        EXPECT_EQ(overlap(ConvexPolygon{fa}, ConvexPolygon{fb}), truth) << text_of(fa) << " |" << text_of(fb);
        EXPECT_EQ(overlap(ConvexPolygon{fb}, ConvexPolygon{fa}), truth);
        bool traced = false;
        const auto axes = axes_of(fa, fb, traced);
        EXPECT_EQ(traced, truth);
        const bool any = std::any_of(axes.begin(), axes.end(), [](const AxisTested& e) { return e.gap > 0; });
        if (!axes.empty()) {  // two points have none
            EXPECT_EQ(any, !truth) << text_of(fa) << " |" << text_of(fb);
        }
        hits += truth;
        grazing +=
            truth && std::any_of(axes.begin(), axes.end(), [](const AxisTested& e) { return e.gap == 0; });
    }
    EXPECT_GT(hits, count / 5);
    EXPECT_LT(hits, count * 4 / 5);
    EXPECT_GT(grazing, count / 100) << "too few that only touch";
}

// ---- any floats: clipping in double

/// What is left of `polygon` inside the counter-clockwise `window`; edges moved inward by `by` meters.
std::vector<dvec2> clipped(std::vector<dvec2> polygon, const std::vector<dvec2>& window, double by) {
    for (std::size_t k = 0; k < window.size() && !polygon.empty(); ++k) {
        const dvec2 p = window[k], e = window[(k + 1) % window.size()] - p;
        const double length = std::hypot(e.x, e.y);
        const auto height = [&](const dvec2& c) {
            return (e.x * (c.y - p.y) - e.y * (c.x - p.x)) / length - by;
        };
        std::vector<dvec2> kept;
        for (std::size_t i = 0; i < polygon.size(); ++i) {
            const dvec2 &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
            const double ha = height(a), hb = height(b);
            if (ha >= 0) kept.push_back(a);
            if ((ha < 0) != (hb < 0)) kept.push_back(a + (ha / (ha - hb)) * (b - a));
        }
        polygon = kept;
    }
    return polygon;
}

bool is_convex(const std::vector<vec2>& corners) {
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const dvec2 from(corners[k]), middle(corners[(k + 1) % corners.size()]);
        const dvec2 in = middle - from, out = dvec2(corners[(k + 2) % corners.size()]) - middle;
        if (in.x * out.y - in.y * out.x < 0.0) return false;
    }
    return true;
}

/// A convex polygon with 3 to 8 corners on an ellipse, counter-clockwise. Corners close to each other may be
/// rounded to a concave polygon, depending on the machine's cosine; if so, tries another one.
std::vector<vec2> on_an_ellipse(Random& rng, float unit) {
    std::vector<vec2> corners;
    do {
        const int count = 3 + int(rng.range(0, 5.999f));
        std::vector<float> angles(static_cast<std::size_t>(count));
        for (float& angle : angles)
            angle = rng.range(0, 6.2831853f);
        std::sort(angles.begin(), angles.end());
        const vec2 middle(rng.range(-1.2f, 1.2f), rng.range(-1.2f, 1.2f));
        const float rx = rng.range(0.1f, 1), ry = rng.range(0.1f, 1);
        corners.clear();
        for (const float angle : angles)
            corners.push_back(unit * (middle + vec2(rx * std::cos(angle), ry * std::sin(angle))));
    } while (!is_convex(corners));
    return corners;
}

TEST(PolygonOverlap, AgreesWithClipping) {
    Random rng(2);
    int hits = 0, decided = 0;
    const int count = test::cases(60000);
    for (int n = 0; n < count && !HasFailure(); ++n) {
        const float unit = rng.scale();
        const auto a = on_an_ellipse(rng, unit), b = on_an_ellipse(rng, unit);
        const std::vector<dvec2> da(a.begin(), a.end()), db(b.begin(), b.end());
        const double slack = 1e-12 * double(unit);
        const bool surely = !clipped(da, db, slack).empty(), maybe = !clipped(da, db, -slack).empty();
        if (surely != maybe) continue;
        ++decided;
        EXPECT_EQ(overlap(ConvexPolygon{a}, ConvexPolygon{b}), surely) << text_of(a) << " |" << text_of(b);
        hits += surely;
    }
    EXPECT_GT(decided, count * 99 / 100);
    EXPECT_GT(hits, count / 5);
}

TEST(PolygonOverlap, AgreesWithRectangles) {
    Random rng(3);
    int hits = 0, compared = 0;
    for (int n = 0; n < test::cases(30000) && !HasFailure(); ++n) {
        const auto rectangle = [&rng] {
            const float angle = rng.range(-3, 3), c = std::cos(angle), s = std::sin(angle);
            return Obb2{{rng.range(-2, 2), rng.range(-2, 2)},
                        {rng.range(0.1f, 1.5f), rng.range(0.1f, 1.5f)},
                        glm::mat2(c, s, -s, c)};
        };
        const auto corners = [](const Obb2& box) {
            std::vector<vec2> out;
            for (int k = 0; k < 4; ++k)
                out.push_back(box.corner(k));
            return out;
        };
        const Obb2 a = rectangle(), b = rectangle();
        bool answer = false;
        const auto axes = axes_of(corners(a), corners(b), answer);
        ASSERT_EQ(axes.size(), 4u);
        // Rectangles by their axes have a slack, and their corners are rounded.
        const double widest = std::max_element(axes.begin(), axes.end(), [](const auto& x, const auto& y) {
                                  return x.gap < y.gap;
                              })->gap;
        if (std::abs(widest) < 1e-4) continue;
        ++compared;
        EXPECT_EQ(answer, overlap(a, b));
        hits += answer;
    }
    EXPECT_GT(hits, compared / 5);
}

// ---- by hand

const std::vector<vec2> kSquare = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};

bool meets(const std::vector<vec2>& a, const std::vector<vec2>& b) {
    const bool answer = overlap(ConvexPolygon{a}, ConvexPolygon{b});
    EXPECT_EQ(overlap(ConvexPolygon{b}, ConvexPolygon{a}), answer);
    bool traced = !answer;
    (void)axes_of(a, b, traced);
    EXPECT_EQ(traced, answer);
    return answer;
}

TEST(PolygonOverlap, ByHand) {
    EXPECT_TRUE(meets(kSquare, {{2, 0.5f}, {3, 0}, {3, 1}})) << "a corner on an edge";
    EXPECT_TRUE(meets(kSquare, {{2, 0}, {4, 0}, {4, 2}, {2, 2}})) << "a common edge";
    EXPECT_TRUE(meets(kSquare, {{2, 2}, {3, 2}, {3, 3}})) << "a common corner";
    EXPECT_TRUE(meets(kSquare, {{0.5f, 0.5f}, {1, 0.5f}, {1, 1}})) << "one inside the other";
    EXPECT_FALSE(meets(kSquare, {{std::nextafter(2.0f, 3.0f), 0}, {4, 0}, {4, 2}})) << "one step of a float";
    EXPECT_FALSE(meets(kSquare, {{1.5f, 3}, {3, 1.5f}, {3, 3}})) << "only a slanted edge separates";
    EXPECT_TRUE(meets(kSquare, {{1, 1}})) << "a point inside";
    EXPECT_TRUE(meets(kSquare, {{2, 1}})) << "a point on an edge";
    EXPECT_FALSE(meets(kSquare, {{3, 1}}));
    EXPECT_TRUE(meets({{1, 1}}, {{1, 1}})) << "equal points";
    EXPECT_FALSE(meets({{1, 1}}, {{1, std::nextafter(1.0f, 2.0f)}}));
    EXPECT_TRUE(meets({{0, 0}, {1, 1}}, {{1, 1}, {2, 2}})) << "segments in one line that meet";
    EXPECT_FALSE(meets({{0, 0}, {1, 1}}, {{2, 2}, {3, 3}})) << "segments in one line that do not";
    EXPECT_FALSE(meets({{0, 0}, {1, 1}, {0.5f, 0.5f}}, {{1.5f, 1.5f}}));
    EXPECT_FALSE(meets({{0, 0}, {1, 0}}, {{0, 1}, {1, 1}})) << "parallel segments";
    EXPECT_TRUE(meets({{0, 0}, {2, 2}}, {{0, 2}, {2, 0}})) << "segments that cross";
    EXPECT_FALSE(meets({}, kSquare));
    EXPECT_FALSE(meets({{0, 0}, {1, 0}, {NAN, 1}}, kSquare));
    EXPECT_FALSE(meets({{0, 0}, {1, 0}, {1, INFINITY}}, kSquare));
    EXPECT_TRUE(meets({{-3e38f, -3e38f}, {3e38f, -3e38f}, {0, 3e38f}}, kSquare)) << "the largest floats";
    // A false answer holds for corners around a shape that is not convex, too.
    EXPECT_FALSE(meets({{3, 0}, {5, 0}, {4, 1}, {5, 2}, {3, 2}}, kSquare));
}

std::size_t axis_count(const std::vector<vec2>& a, const std::vector<vec2>& b) {
    bool answer = false;
    return axes_of(a, b, answer).size();
}
std::vector<vec2> regular(int n, float turned, vec2 at) {
    std::vector<vec2> corners;
    for (int k = 0; k < n; ++k) {
        const float angle = turned + 6.2831853f * float(k) / float(n);
        corners.push_back(at + vec2(std::cos(angle), std::sin(angle)));
    }
    return corners;
}

TEST(PolygonOverlap, HasAnAxisForEachDirectionOfAnEdge) {
    const std::vector<vec2> triangle = {{0.3f, 0.1f}, {3, 0.7f}, {1, 2}};
    EXPECT_EQ(axis_count(kSquare, triangle), 5u);
    EXPECT_EQ(axis_count(triangle, triangle), 6u);
    for (int k = 0; k < 50; ++k) {
        const float turned = 0.13f * float(k);
        EXPECT_EQ(axis_count(regular(6, turned, {1.7f, 0}), regular(8, 1.1f * turned, {-2, 1})), 3u + 4u);
        EXPECT_EQ(axis_count(regular(5, turned, {1, 1}), regular(7, 0.3f + turned, {2, 1})), 5u + 7u);
    }
    // A corner in the middle of an edge, and one that repeats, add none.
    EXPECT_EQ(axis_count({{0, 0}, {1, 0}, {2, 0}, {2, 2}, {2, 2}, {0, 2}}, triangle), 5u);
    EXPECT_EQ(axis_count({{0, 0}, {1, 1}}, {{2, 2}, {3, 3}}), 3u) << "one for each edge, and the line";
    EXPECT_EQ(axis_count({}, triangle), 0u);
}

TEST(PolygonOverlap, EventsHoldTheNumbersOfTheirAxis) {
    Random rng(4);
    for (int n = 0; n < test::cases(3000) && !HasFailure(); ++n) {
        const auto a = on_an_ellipse(rng, 1), b = on_an_ellipse(rng, 1);
        bool answer = false;
        std::set<std::pair<int, int>> seen;
        for (const AxisTested& e : axes_of(a, b, answer)) {
            ASSERT_EQ(e.kind, AxisTested::Kind::EdgeCross);
            ASSERT_TRUE((e.i < 0) != (e.j < 0));
            EXPECT_TRUE(seen.insert({e.i, e.j}).second) << "an edge twice";
            const auto& own = e.i >= 0 ? a : b;
            const auto k = std::size_t(e.i >= 0 ? e.i : e.j);
            const dvec2 edge = dvec2(own[(k + 1) % own.size()]) - dvec2(own[k]);
            const dvec2 axis = dvec2(edge.y, -edge.x) / std::hypot(edge.x, edge.y);
            EXPECT_NEAR(double(e.axis.x), axis.x, 1e-6);
            EXPECT_NEAR(double(e.axis.y), axis.y, 1e-6);
            EXPECT_EQ(e.axis.z, 0.0f);
            double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
            for (int s = 0; s < 2; ++s)
                for (const vec2& c : s == 0 ? a : b) {
                    low[s] = std::min(low[s], glm::dot(axis, dvec2(c)));
                    high[s] = std::max(high[s], glm::dot(axis, dvec2(c)));
                }
            EXPECT_NEAR(double(e.min_a), low[0], 1e-6);
            EXPECT_NEAR(double(e.max_a), high[0], 1e-6);
            EXPECT_NEAR(double(e.min_b), low[1], 1e-6);
            EXPECT_NEAR(double(e.max_b), high[1], 1e-6);
            EXPECT_NEAR(double(e.gap), std::max(low[0] - high[1], low[1] - high[0]), 1e-6);
            EXPECT_FALSE(e.skipped);
        }
    }
}

// ---- the hull in the plane

TEST(ConvexPolygonFit, FindsTheCornersThatGiftWrappingFinds) {
    Random rng(5);
    for (int n = 0; n < test::cases(20000) && !HasFailure(); ++n) {
        const auto number = [&] { return static_cast<long long>(std::floor(rng.range(-4, 4.999f))); };
        std::vector<Whole> points(1 + static_cast<std::size_t>(rng.range(0, 11.9f)));
        for (Whole& p : points)
            p = {number(), n % 7 == 0 ? 0 : number()};
        const std::vector<vec2> given = as_floats(points, 0.25f);
        std::vector<Whole> found;
        for (const std::uint32_t k : fit::convex_polygon(given)) {
            ASSERT_LT(k, points.size());
            const auto first = std::find(points.begin(), points.end(), points[k]);
            EXPECT_EQ(first - points.begin(), std::ptrdiff_t(k)) << "not the first of equal points";
            found.push_back(points[k]);
        }
        EXPECT_EQ(found, wrapped(points));
    }
    EXPECT_TRUE(fit::convex_polygon({}).empty());
    const std::vector<vec2> some = {{NAN, 0}, {0, 0}, {1, 0}, {0, 1}, {INFINITY, 3}};
    EXPECT_EQ(fit::convex_polygon(some), (std::vector<std::uint32_t>{1, 2, 3}));
}

}  // namespace
}  // namespace bv
