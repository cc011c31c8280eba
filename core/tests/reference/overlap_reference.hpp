// Overlap and distance of two shapes, written for clarity: the oracle of overlap tests. Uses nothing of the
// library but the plain fields of its shapes.
//
// Every shape is the convex hull of a few points with a ball swept over it. The distance of two such hulls is
// that of their difference from the origin, and the nearest point of the difference is found by keeping the
// few of its corners whose hull contains that point (Wolfe 1976), trying all subsets of these in turn. In
// long double. Shapes with a closed form are in box_reference.hpp; test_overlap_reference compares the two.
#pragma once

#include <optional>
#include <vector>

#include "ray_reference.hpp"

namespace bv::reference {

/// The convex hull of the points with a ball swept over it; no points mean the empty set.
struct Body {
    std::vector<Vec> points;
    Real radius = 0;
};

// --- shapes as bodies -------------------------------------------------------------------------------------

namespace detail {

/// center +- half[0] axis[0] +- half[1] axis[1] ...
inline std::vector<Vec> corners(const Vec& center, std::initializer_list<Vec> half_edges) {
    std::vector<Vec> points{center};
    for (const Vec& h : half_edges) {
        std::vector<Vec> more;
        for (const Vec& p : points) {
            more.push_back(p + h);
            more.push_back(p - h);
        }
        points = more;
    }
    return points;
}

}  // namespace detail

inline Body body_of(const glm::vec3& p) {
    return {{Vec(p)}, 0};
}
inline Body body_of(const Sphere& s) {
    if (!(s.radius >= 0)) return {};
    return {{Vec(s.center)}, s.radius};
}
inline Body body_of(const Capsule& c) {
    if (!(c.radius >= 0)) return {};
    return {{Vec(c.a), Vec(c.b)}, c.radius};
}
inline Body body_of(const Segment& s) {
    return {{Vec(s.a), Vec(s.b)}, 0};
}
inline Body body_of(const Triangle& t) {
    return {{Vec(t.a), Vec(t.b), Vec(t.c)}, 0};
}
inline Body body_of(const Aabb& b) {
    if (!(b.min.x <= b.max.x && b.min.y <= b.max.y && b.min.z <= b.max.z)) return {};
    Body body;
    for (int i = 0; i < 8; ++i)
        body.points.push_back(
            {(i & 1) ? b.max.x : b.min.x, (i & 2) ? b.max.y : b.min.y, (i & 4) ? b.max.z : b.min.z});
    return body;
}
inline Body body_of(const Obb& b) {
    if (!(b.half_extents.x >= 0 && b.half_extents.y >= 0 && b.half_extents.z >= 0)) return {};
    const auto edge = [&](int k) { return static_cast<Real>(b.half_extents[k]) * Vec(b.axes[k]); };
    return {detail::corners(Vec(b.center), {edge(0), edge(1), edge(2)}), 0};
}
inline Body body_of(const RectSweptSphere& s) {
    if (!(s.radius >= 0 && s.half_extents.x >= 0 && s.half_extents.y >= 0)) return {};
    const auto edge = [&](int k) { return static_cast<Real>(s.half_extents[k]) * Vec(s.axes[k]); };
    return {detail::corners(Vec(s.center), {edge(0), edge(1)}), s.radius};
}
inline Body body_of(const Hull& h) {
    Body body;
    for (const glm::vec3& v : h.vertices)
        body.points.emplace_back(v);
    return body;
}
/// Every intersection of three planes that no other plane cuts off by more than rounding.
template <int K>
Body body_of(const Kdop<K>& dop) {
    struct Half {
        Vec normal;
        Real offset;
    };
    std::vector<Half> planes;
    Real size = 0;
    for (int k = 0; k < K / 2; ++k) {
        const auto i = static_cast<std::size_t>(k);
        if (!(dop.min[i] <= dop.max[i])) return {};
        const Vec n(Kdop<K>::direction(k));
        planes.push_back({n, dop.max[i]});
        planes.push_back({Real(-1) * n, -static_cast<Real>(dop.min[i])});
        size = std::max(
            {size, std::abs(static_cast<Real>(dop.max[i])), std::abs(static_cast<Real>(dop.min[i]))});
    }
    Body body;
    for (std::size_t i = 0; i < planes.size(); ++i)
        for (std::size_t j = i + 1; j < planes.size(); ++j)
            for (std::size_t k = j + 1; k < planes.size(); ++k) {
                const Vec ij = cross(planes[i].normal, planes[j].normal);
                const Real volume = dot(ij, planes[k].normal);
                if (volume == 0) continue;  // Their entries are -1, 0 and 1: this is exact.
                const Vec p = (1 / volume) * (planes[k].offset * ij +
                                              planes[i].offset * cross(planes[j].normal, planes[k].normal) +
                                              planes[j].offset * cross(planes[k].normal, planes[i].normal));
                const bool inside = std::all_of(planes.begin(), planes.end(), [&](const Half& h) {
                    return dot(h.normal, p) <= h.offset + 1e-16L * size;
                });
                if (inside) body.points.push_back(p);
            }
    return body;
}

// --- distance ---------------------------------------------------------------------------------------------

namespace detail {

/// The point of the hull of up to four points that is nearest to the origin, and those whose hull contains
/// it.
struct Nearest {
    Vec point;
    std::vector<Vec> between;
};

/// The point nearest to the origin on the line, plane or space through the points, if it lies between them.
inline std::optional<Vec> nearest_between(const std::vector<Vec>& p) {
    if (p.size() == 1) return p[0];
    // p[0] + sum of x[i] e[i] perpendicular to every e[i]: a small symmetric system, solved by elimination.
    const std::size_t n = p.size() - 1;
    Real m[3][4];
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j)
            m[i][j] = dot(p[i + 1] - p[0], p[j + 1] - p[0]);
        m[i][n] = -dot(p[i + 1] - p[0], p[0]);
    }
    for (std::size_t c = 0; c < n; ++c) {
        std::size_t pivot = c;
        for (std::size_t r = c + 1; r < n; ++r)
            if (std::abs(m[r][c]) > std::abs(m[pivot][c])) pivot = r;
        if (m[pivot][c] == 0) return std::nullopt;  // Degenerate: a smaller subset has the result.
        std::swap(m[c], m[pivot]);
        for (std::size_t r = 0; r < n; ++r) {
            if (r == c) continue;
            const Real f = m[r][c] / m[c][c];
            for (std::size_t k = c; k <= n; ++k)
                m[r][k] -= f * m[c][k];
        }
    }
    Vec point = p[0];
    Real sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const Real x = m[i][n] / m[i][i];
        if (!(x >= 0)) return std::nullopt;
        sum += x;
        point = point + x * (p[i + 1] - p[0]);
    }
    if (!(sum <= 1)) return std::nullopt;
    return point;
}

inline Nearest nearest_of(const std::vector<Vec>& corners) {
    Nearest best;
    Real least = std::numeric_limits<Real>::infinity();
    for (unsigned chosen = 1; chosen < 1u << corners.size(); ++chosen) {
        std::vector<Vec> subset;
        for (std::size_t i = 0; i < corners.size(); ++i)
            if (chosen >> i & 1u) subset.push_back(corners[i]);
        const auto point = nearest_between(subset);
        if (point && length(*point) < least) {
            least = length(*point);
            best = {*point, subset};
        }
    }
    return best;
}

inline Vec farthest(const std::vector<Vec>& points, const Vec& direction) {
    return *std::max_element(points.begin(), points.end(), [&](const Vec& a, const Vec& b) {
        return dot(a, direction) < dot(b, direction);
    });
}

}  // namespace detail

/// Bounds of the distance of two hulls of points.
struct Bounds {
    Real low = 0, high = 0;
};
inline Bounds distance_of_cores(const Body& a, const Body& b) {
    Real size = 0;
    for (const Vec& p : a.points)
        for (const Vec& q : b.points)
            size = std::max(size, length(p - q));
    detail::Nearest near{a.points[0] - b.points[0], {a.points[0] - b.points[0]}};
    Bounds bounds{0, length(near.point)};
    for (int step = 0; step < 1000; ++step) {
        bounds.high = std::min(bounds.high, length(near.point));
        if (bounds.high <= 1e-17L * size) return {0, 0};
        const Vec back = Real(-1) * near.point;
        const Vec corner = detail::farthest(a.points, back) - detail::farthest(b.points, near.point);
        // No point of the difference is nearer than the plane through this corner.
        bounds.low = std::max(bounds.low, dot(near.point, corner) / length(near.point));
        if (bounds.high - bounds.low <= 1e-17L * size) return bounds;
        std::vector<Vec> corners = near.between;
        corners.push_back(corner);
        const detail::Nearest next = detail::nearest_of(corners);
        if (!(length(next.point) < length(near.point))) return bounds;
        near = next;
        if (near.between.size() == 4) return {0, 0};
    }
    return bounds;
}

/// The distance of two bodies. Negative, where the cores are disjoint, by the least overlap of the balls.
inline Real separation(const Body& a, const Body& b) {
    return distance_of_cores(a, b).high - a.radius - b.radius;
}

// --- overlap ----------------------------------------------------------------------------------------------

/// The expected result. Touching: so close that either will do.
enum class Relation { Disjoint, Touching, Overlapping };

inline Vec middle_of(const Body& a) {
    Vec sum;
    for (const Vec& p : a.points)
        sum = sum + p;
    return (Real(1) / static_cast<Real>(a.points.size())) * sum;
}
inline Real size_of(const Body& a) {
    Real size = 0;
    for (const Vec& p : a.points)
        size = std::max(size, length(p - middle_of(a)));
    return size + a.radius;
}
/// The body shrunk about its center.
inline Body shrunk(const Body& a, Real by) {
    Body smaller = a;
    const Vec middle = middle_of(a);
    for (Vec& p : smaller.points)
        p = middle + (1 - by) * (p - middle);
    smaller.radius *= 1 - by;
    return smaller;
}

/// `band`: either result will do this close to touching, as a fraction of the sizes of both.
inline Relation relation(const Body& a, const Body& b, Real band) {
    if (a.points.empty() || b.points.empty()) return Relation::Disjoint;
    const Bounds cores = distance_of_cores(a, b);
    if (cores.low - a.radius - b.radius > band * (size_of(a) + size_of(b))) return Relation::Disjoint;
    return separation(shrunk(a, band), shrunk(b, band)) <= 0 ? Relation::Overlapping : Relation::Touching;
}
template <class A, class B>
Relation relation(const A& a, const B& b, Real band) {
    return relation(body_of(a), body_of(b), band);
}

}  // namespace bv::reference
