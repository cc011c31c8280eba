// Triangle pairs against exact arithmetic, triangles against boxes and balls against other methods.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "bv/query/closest.hpp"
#include "bv/query/overlap_triangle.hpp"
#include "query_cases.hpp"

#ifdef BVLAB_HAVE_CGAL
#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/intersections.h>
#endif

namespace bv {
namespace {

using glm::vec3;
using test::Random;
using D = glm::dvec3;

TEST(TrianglePairs, ByHand) {
    const Triangle t{vec3(0), vec3(4, 0, 0), vec3(0, 4, 0)};
    EXPECT_TRUE(overlap(t, t));
    EXPECT_TRUE(overlap(t, Triangle{vec3(1, 1, -1), vec3(1, 1, 1), vec3(2, 5, 1)})) << "pierced";
    EXPECT_FALSE(overlap(t, Triangle{vec3(3, 3, -1), vec3(3, 3, 1), vec3(5, 5, 1)}));
    EXPECT_TRUE(overlap(t, Triangle{vec3(1, 1, 0), vec3(1, 1, 1), vec3(2, 5, 1)})) << "corner in the face";
    EXPECT_TRUE(overlap(t, Triangle{vec3(4, 0, 0), vec3(8, 0, 0), vec3(8, 0, 5)})) << "common corner";
    EXPECT_TRUE(overlap(t, Triangle{vec3(1, 1, 0), vec3(1.5f, 1, 0), vec3(1, 1.5f, 0)}))
        << "coplanar, nested";
    EXPECT_TRUE(overlap(t, Triangle{vec3(2, 2, 0), vec3(4, 4, 0), vec3(4, 3, 0)})) << "coplanar, touching";
    EXPECT_FALSE(overlap(t, Triangle{vec3(2.1f, 2, 0), vec3(4, 4, 0), vec3(4, 3, 0)}));
    EXPECT_FALSE(overlap(t, Triangle{vec3(0, 0, 1), vec3(4, 0, 1), vec3(0, 4, 1)})) << "parallel";
    // Degenerate triangles are segments and points.
    EXPECT_TRUE(overlap(t, Triangle{vec3(1, 1, -1), vec3(1, 1, 0), vec3(1, 1, 2)}));
    EXPECT_FALSE(overlap(t, Triangle{vec3(1, 1, 1), vec3(1, 1, 2), vec3(1, 1, 3)}));
    EXPECT_TRUE(overlap(t, Triangle{vec3(1, 1, 0), vec3(1, 1, 0), vec3(1, 1, 0)}));
    EXPECT_FALSE(overlap(t, Triangle{vec3(3, 3, 0), vec3(3, 3, 0), vec3(3, 3, 0)}));
    EXPECT_TRUE(overlap(Triangle{}, Triangle{}));
    const float nan = std::nanf("");
    EXPECT_FALSE(overlap(t, Triangle{vec3(nan), vec3(1), vec3(2)}));
    EXPECT_FALSE(overlap(t, Triangle{vec3(1, 1, -1), vec3(1, 1, INFINITY), vec3(2, 5, 1)}));
}

/// Corners on a small lattice make touching, coplanar and degenerate pairs and shared features common.
vec3 lattice_point(Random& rng, int n) {
    return vec3(rng.below(n), rng.below(n), rng.below(n));
}

float nudged(Random& rng, float x) {
    const int steps = static_cast<int>(rng.below(3)) - 1;
    return steps == 0 ? x : std::nextafter(x, steps > 0 ? 1e30f : -1e30f);
}

struct Pair {
    Triangle a;
    Triangle b;
};

Pair hard_pair(Random& rng) {
    const int kind = rng.below(6);
    const int n = 2 + rng.below(4);
    Pair p{{lattice_point(rng, n), lattice_point(rng, n), lattice_point(rng, n)},
           {lattice_point(rng, n), lattice_point(rng, n), lattice_point(rng, n)}};
    if (kind == 1) p = {rng.triangle(), rng.triangle()};
    if (kind == 2) {  // A corner of b on a, to within rounding.
        p = {rng.triangle(), rng.triangle()};
        const float u = rng.range(0, 1);
        const float v = rng.range(0, 1 - u);
        p.b.a = (1 - u - v) * p.a.a + u * p.a.b + v * p.a.c;
    }
    if (kind == 3) {  // Edge on edge.
        p = {rng.triangle(), rng.triangle()};
        const vec3 on = glm::mix(p.a.a, p.a.b, rng.range(0, 1));
        p.b.b = 2.0f * on - p.b.a;
    }
    if (kind == 4) {  // A common edge or corner, as in a mesh.
        p.b.a = p.a.a;
        if (rng.chance(0.5)) p.b.b = p.a.b;
    }
    if (kind == 5) {  // Coplanar in a skew plane, to within rounding.
        const Triangle plane = rng.triangle();
        const auto in_plane = [&] {
            return plane.a + rng.range(-1, 1) * (plane.b - plane.a) + rng.range(-1, 1) * (plane.c - plane.a);
        };
        p.a = {in_plane(), in_plane(), in_plane()};
        p.b = {in_plane(), in_plane(), in_plane()};
    }
    if (rng.chance(0.3))
        for (vec3* v : {&p.a.a, &p.b.b, &p.b.c})
            for (int i = 0; i < 3; ++i)
                (*v)[i] = nudged(rng, (*v)[i]);
    const float unit = rng.chance(0.3) ? std::ldexp(1.0f, static_cast<int>(rng.below(120)) - 60) : 1.0f;
    const vec3 shift = rng.chance(0.2) ? rng.vec(-1000, 1000) : vec3(0);
    for (vec3* v : {&p.a.a, &p.a.b, &p.a.c, &p.b.a, &p.b.b, &p.b.c})
        *v = (*v + shift) * unit;
    return p;
}

TEST(TrianglePairs, OrderOfCornersAndOfArgumentsDoesNotMatter) {
    Random rng(5);
    const int count = test::cases(100000);
    int hits = 0;
    for (int n = 0; n < count; ++n) {
        const Pair p = hard_pair(rng);
        const bool answer = overlap(p.a, p.b);
        ASSERT_EQ(answer, overlap(p.b, p.a)) << n;
        ASSERT_EQ(answer, overlap(Triangle{p.a.b, p.a.c, p.a.a}, Triangle{p.b.b, p.b.a, p.b.c})) << n;
        ASSERT_EQ(answer, overlap(Triangle{p.a.c, p.a.b, p.a.a}, Triangle{p.b.c, p.b.a, p.b.b})) << n;
        hits += answer;
        const auto common = intersection(p.a, p.b);
        if (!common) continue;
        ASSERT_TRUE(answer) << n;
        double size = 0;
        for (const vec3& v : {p.a.a, p.a.b, p.a.c, p.b.a, p.b.b, p.b.c})
            size = std::max(size, double(glm::length(D(v))));
        for (const vec3& end : {common->a, common->b}) {
            ASSERT_LE(double(distance(p.a, end)), 3e-7 * size) << n;
            ASSERT_LE(double(distance(p.b, end)), 3e-7 * size) << n;
        }
    }
    EXPECT_GT(hits, count / 4);
    EXPECT_LT(hits, count * 3 / 4);
}

TEST(TrianglePairs, TheTraceTellsSidesIntervalsAndEdges) {
    Random rng(12);
    const int count = test::cases(20000);
    int by_sides = 0, by_intervals = 0, by_edges = 0, compared = 0;
    for (int n = 0; n < count; ++n) {
        const Pair p = n % 2 == 0 ? hard_pair(rng) : Pair{rng.triangle(), rng.triangle()};
        Recording trace;
        const bool answer = overlap(p.a, p.b, trace);
        ASSERT_EQ(answer, overlap(p.a, p.b)) << n;
        ASSERT_FALSE(trace.events().empty()) << n;
        double size = 0;
        for (const vec3& v : {p.a.a, p.a.b, p.a.c, p.b.a, p.b.b, p.b.c})
            size = std::max(size, double(glm::length(D(v))));
        double nearest_corner = size;
        bool traced = false;
        for (std::size_t i = 0; i < trace.events().size(); ++i) {
            const TraceEvent& event = trace.events()[i];
            if (const auto* e = std::get_if<CornersSided>(&event)) {
                EXPECT_EQ(e->of_a, i == 0);
                const Triangle& t = e->of_a ? p.a : p.b;
                int front = 0, behind = 0;
                const vec3 corners[] = {t.a, t.b, t.c};
                for (int k = 0; k < 3; ++k) {
                    const int side = e->side[static_cast<std::size_t>(k)];
                    front += side > 0;
                    behind += side < 0;
                    const double d = glm::dot(D(e->normal), D(corners[k]) - D(e->on_plane));
                    ASSERT_NEAR(double(e->distance[k]), d, 1e-5 * size) << n;
                    nearest_corner = std::min(nearest_corner, std::abs(d));
                    if (std::abs(d) > 1e-5 * size) {
                        ASSERT_EQ(side > 0, d > 0) << n;
                    }
                }
                ASSERT_EQ(e->apart, front == 3 || behind == 3) << n;
                if (e->apart) {
                    traced = false;
                    ++by_sides;
                    ASSERT_EQ(i + 1, trace.events().size());
                }
            } else if (const auto* line = std::get_if<IntervalsCompared>(&event)) {
                traced = line->overlap;
                ++by_intervals;
                // The ends lie on the triangles, and the intervals overlap where the triangles do.
                const auto at = [&](float t) { return D(line->origin) + double(t) * D(line->direction); };
                if (glm::length(line->direction) < 0.5f) continue;
                const double margin = 1e-4 * size;
                const bool apart = double(line->max_a) < double(line->min_b) - margin ||
                                   double(line->max_b) < double(line->min_a) - margin;
                const bool overlaps = double(line->max_a) > double(line->min_b) + margin &&
                                      double(line->max_b) > double(line->min_a) + margin;
                // Planes that are nearly parallel have no line to speak of.
                const D na = glm::cross(D(p.a.b) - D(p.a.a), D(p.a.c) - D(p.a.a));
                const D nb = glm::cross(D(p.b.b) - D(p.b.a), D(p.b.c) - D(p.b.a));
                if (glm::length(glm::cross(na, nb)) < 0.05 * glm::length(na) * glm::length(nb)) continue;
                // Nor have slivers a plane.
                if (std::min(glm::length(na), glm::length(nb)) < 1e-3 * size * size) continue;
                // Where an edge lies in the other's plane up to rounding, only exact signs tell.
                if (nearest_corner < 1e-6 * size) continue;
                ++compared;
                if (apart) {
                    ASSERT_FALSE(line->overlap) << n;
                }
                if (overlaps) {
                    ASSERT_TRUE(line->overlap) << n;
                }
                for (const float t : {line->min_a, line->max_a})
                    ASSERT_LE(double(distance(p.a, vec3(at(t)))), margin) << n;
                for (const float t : {line->min_b, line->max_b})
                    ASSERT_LE(double(distance(p.b, vec3(at(t)))), margin) << n;
            } else {
                const auto& edge = std::get<EdgeTested>(event);
                traced = edge.hit;
                ++by_edges;
                ASSERT_EQ(edge.hit, edge.hit && i + 1 == trace.events().size()) << "goes on after a hit";
            }
        }
        ASSERT_EQ(traced, answer) << n;
    }
    EXPECT_GT(by_sides, count / 20);
    EXPECT_GT(by_intervals, count / 20);
    EXPECT_GT(by_edges, count / 20);
    EXPECT_GT(compared, count / 20);
}

#ifdef BVLAB_HAVE_CGAL
using Kernel = CGAL::Exact_predicates_exact_constructions_kernel;
using Point = Kernel::Point_3;

Point exact(const vec3& v) {
    return {double(v.x), double(v.y), double(v.z)};
}

/// Calls `use` with the triangle as CGAL requires: as a point, a segment or a proper triangle.
template <class Use>
bool with_exact(const Triangle& t, const Use& use) {
    const Point a = exact(t.a), b = exact(t.b), c = exact(t.c);
    if (!CGAL::collinear(a, b, c)) return use(Kernel::Triangle_3(a, b, c));
    const Point lo = std::min({a, b, c});
    const Point hi = std::max({a, b, c});
    if (lo == hi) return use(lo);
    return use(Kernel::Segment_3(lo, hi));
}

bool intersect(const Point& a, const Point& b) {
    return a == b;
}
bool intersect(const Point& a, const Kernel::Segment_3& b) {
    return b.has_on(a);
}
bool intersect(const Kernel::Segment_3& a, const Point& b) {
    return a.has_on(b);
}
bool intersect(const Point& a, const Kernel::Triangle_3& b) {
    return b.has_on(a);
}
bool intersect(const Kernel::Triangle_3& a, const Point& b) {
    return a.has_on(b);
}
template <class A, class B>
bool intersect(const A& a, const B& b) {
    return CGAL::do_intersect(a, b);
}

TEST(TrianglePairs, NoDisagreementWithExactArithmetic) {
    Random rng(6);
    const int count = test::cases(100000);
    int hits = 0;
    for (int n = 0; n < count; ++n) {
        const Pair p = hard_pair(rng);
        const bool expected = with_exact(p.a, [&](const auto& a) {
            return with_exact(p.b, [&](const auto& b) { return intersect(a, b); });
        });
        ASSERT_EQ(overlap(p.a, p.b), expected) << n;
        hits += expected;
    }
    EXPECT_GT(hits, count / 4);
}
#endif

// --- boxes and balls --------------------------------------------------------------------------------------

/// Clips the triangle by the six faces of the box |x| <= half + margin; true if the intersection is not
/// empty.
bool clip_is_nonempty(const D& half, std::vector<D> polygon, double margin) {
    for (int face = 0; face < 6; ++face) {
        const int axis = face / 2;
        const double sign = face % 2 ? -1.0 : 1.0;
        std::vector<D> kept;
        for (std::size_t i = 0; i < polygon.size(); ++i) {
            const D& p = polygon[i];
            const D& q = polygon[(i + 1) % polygon.size()];
            const double dp = sign * p[axis] - half[axis] - margin;
            const double dq = sign * q[axis] - half[axis] - margin;
            if (dp <= 0) kept.push_back(p);
            if ((dp < 0 && dq > 0) || (dp > 0 && dq < 0)) kept.push_back(p + (dp / (dp - dq)) * (q - p));
        }
        polygon = kept;
    }
    return !polygon.empty();
}

TEST(TriangleBox, AgainstClipping) {
    Random rng(7);
    int hits = 0;
    const int count = test::cases(100000);
    for (int n = 0; n < count; ++n) {
        const float unit = rng.scale();
        const Aabb box = rng.aabb(unit);
        const Obb obb = rng.obb(unit);
        Triangle t = rng.triangle(unit * (rng.chance(0.2) ? 5.0f : 1.0f));
        if (rng.chance(0.1)) t.c = t.a;                          // a segment
        if (rng.chance(0.2)) t.b.x = t.c.x = t.a.x = box.max.x;  // in a face plane
        if (rng.chance(0.1)) t.a = box.corner(rng.below(8));     // touching a corner
        const D c = 0.5 * (D(box.min) + D(box.max));
        const D h = 0.5 * (D(box.max) - D(box.min));
        const std::vector<D> local{D(t.a) - c, D(t.b) - c, D(t.c) - c};
        const double tolerance = 1e-12 * double(unit);
        const bool answer = overlap(box, t);
        if (!box.is_empty() && clip_is_nonempty(h, local, -tolerance)) {
            ASSERT_TRUE(answer) << n;
        }
        if (!clip_is_nonempty(h, local, tolerance)) {
            ASSERT_FALSE(answer) << n;
        }
        std::vector<D> in_obb;
        for (const vec3& v : {t.a, t.b, t.c})
            in_obb.push_back((D(v) - D(obb.center)) * glm::dmat3(obb.axes));
        const bool turned = overlap(obb, t);
        if (clip_is_nonempty(D(obb.half_extents), in_obb, -tolerance)) {
            ASSERT_TRUE(turned) << n;
        }
        if (!clip_is_nonempty(D(obb.half_extents), in_obb, tolerance)) {
            ASSERT_FALSE(turned) << n;
        }
        Recording trace;
        ASSERT_EQ(overlap(box, t, trace), answer);
        ASSERT_EQ(overlap(obb, t, trace), turned);
        ASSERT_EQ(trace.events().size(), 26u);
        hits += answer;
    }
    EXPECT_GT(hits, count / 10);
}

TEST(TriangleBox, TouchingCounts) {
    const Aabb box{vec3(0), vec3(1)};
    EXPECT_TRUE(overlap(box, Triangle{vec3(1, 0, 0), vec3(2, 0, 0), vec3(2, 1, 0)}));
    EXPECT_TRUE(overlap(box, Triangle{vec3(1, 1, 1), vec3(2, 1, 1), vec3(2, 2, 5)}));
    EXPECT_TRUE(overlap(box, Triangle{vec3(3, 0, 0), vec3(0, 3, 0), vec3(0, 0, 3)}))
        << "through the corner (1, 1, 1)";
    EXPECT_FALSE(overlap(box, Triangle{vec3(3.001f, 0, 0), vec3(0, 3.001f, 0), vec3(0, 0, 3.001f)}));
    EXPECT_FALSE(overlap(Aabb{}, Triangle{}));
    EXPECT_FALSE(overlap(box, Triangle{vec3(std::nanf(""), 0, 0), vec3(0), vec3(1)}));
    // Flat box, triangle in its plane.
    EXPECT_TRUE(overlap(Aabb{vec3(0), vec3(1, 1, 0)}, Triangle{vec3(0), vec3(3, 0, 0), vec3(0, 3, 0)}));
}

// A sliver has a normal that is mostly rounding.
TEST(TriangleBox, TouchesAtEveryCornerHoweverThinTheTriangle) {
    Random rng(9);
    for (const float length : {1.0f, 1e2f, 1e3f, 1e4f, 1e5f})
        for (int i = 0; i < 20000; ++i) {
            const vec3 near = rng.in_cube(1.0f), far = rng.in_cube(length);
            const Triangle t{near, i % 2 == 0 ? far : near + far, near + rng.in_cube(1.0f)};
            for (const vec3& p : {t.a, t.b, t.c}) {
                ASSERT_TRUE(overlap(Aabb{p, p}, t)) << length << " " << i;
                ASSERT_TRUE(overlap(Obb{p, vec3(0), glm::mat3(1)}, t)) << length << " " << i;
                const vec3 q = p + rng.in_cube(1.0f);
                ASSERT_TRUE(overlap(Aabb{glm::min(p, q), glm::max(p, q)}, t)) << length << " " << i;
            }
        }
}

TEST(TriangleBall, AgainstDenseSampling) {
    Random rng(8);
    int hits = 0;
    const int count = test::cases(100000);
    for (int n = 0; n < count; ++n) {
        const float unit = rng.scale();
        Triangle t = rng.triangle(unit);
        if (rng.chance(0.1)) t.c = glm::mix(t.a, t.b, 0.3f);
        const Sphere ball = rng.sphere(unit);
        // No sample may be nearer than the nearest point.
        const D nearest(closest_point(t, ball.center));
        const double d = glm::length(nearest - D(ball.center));
        const double slack = 3e-7 * double(unit);
        for (int k = 0; k < 12; ++k) {
            double u = rng.unit();
            double v = rng.unit();
            if (u + v > 1) u = 1 - u, v = 1 - v;
            if (k < 3) u = k == 1, v = k == 2;
            const D p = (1 - u - v) * D(t.a) + u * D(t.b) + v * D(t.c);
            ASSERT_GE(glm::length(p - D(ball.center)), d - slack) << n;
        }
        ASSERT_NEAR(double(distance(t, ball.center)), d, slack) << n;
        if (std::abs(d - double(ball.radius)) > slack) {
            ASSERT_EQ(overlap(ball, t), d < double(ball.radius)) << n;
        }
        hits += overlap(t, ball);
        // The nearest point is in the triangle.
        ASSERT_LE(double(distance(t, vec3(nearest))), slack) << n;
    }
    EXPECT_GT(hits, count / 10);
}

}  // namespace
}  // namespace bv
