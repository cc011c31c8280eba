// Rays against solids and triangles, written for clarity: the oracle of the library's rays. Uses nothing of
// the library but the plain fields of its shapes.
//
// A solid is a convex function of the point, at most 0 inside. Along a line it is also convex: its minimum
// decides whether the line hits the solid, and bisection on both sides of it finds where. All in long double,
// with the ray scaled so that the search runs over lengths.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/capsule.hpp"
#include "bv/shapes/hull.hpp"
#include "bv/shapes/kdop.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/ray.hpp"
#include "bv/shapes/rect_swept_sphere.hpp"
#include "bv/shapes/sphere.hpp"
#include "bv/shapes/triangle.hpp"

namespace bv::reference {

using Real = long double;

struct Vec {
    Real x = 0, y = 0, z = 0;

    Vec() = default;
    Vec(Real x_, Real y_, Real z_) : x(x_), y(y_), z(z_) {}
    explicit Vec(const glm::vec3& v) : x(v.x), y(v.y), z(v.z) {}
    friend Vec operator+(const Vec& a, const Vec& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend Vec operator-(const Vec& a, const Vec& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend Vec operator*(Real s, const Vec& a) { return {s * a.x, s * a.y, s * a.z}; }
};
inline Real dot(const Vec& a, const Vec& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Vec cross(const Vec& a, const Vec& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Real length(const Vec& a) {
    return std::sqrt(dot(a, a));
}

// --- how far outside a point is, by shape: a length, at most 0 inside -------------------------------------

inline Real outside(const Sphere& s, const Vec& p) {
    return length(p - Vec(s.center)) - static_cast<Real>(s.radius);
}
inline Real outside(const Aabb& box, const Vec& p) {
    const Vec lo = Vec(box.min) - p, hi = p - Vec(box.max);
    return std::max({lo.x, lo.y, lo.z, hi.x, hi.y, hi.z});
}
inline Real outside(const Obb& box, const Vec& p) {
    Real largest = -std::numeric_limits<Real>::infinity();
    for (int k = 0; k < 3; ++k) {
        const Real along = dot(Vec(box.axes[k]), p - Vec(box.center));
        largest = std::max(largest, std::abs(along) - static_cast<Real>(box.half_extents[k]));
    }
    return largest;
}
inline Real distance_to_segment(const Vec& a, const Vec& b, const Vec& p) {
    const Vec ab = b - a;
    const Real square = dot(ab, ab);
    const Real t = square > 0 ? std::clamp(dot(p - a, ab) / square, Real(0), Real(1)) : Real(0);
    return length(p - (a + t * ab));
}
inline Real outside(const Capsule& c, const Vec& p) {
    return distance_to_segment(Vec(c.a), Vec(c.b), p) - static_cast<Real>(c.radius);
}
/// For a hull with volume.
inline Real outside(const Hull& hull, const Vec& p) {
    Real largest = -std::numeric_limits<Real>::infinity();
    for (const glm::uvec3& t : hull.triangles) {
        const Vec a(hull.vertices[t.x]);
        const Vec n = cross(Vec(hull.vertices[t.y]) - a, Vec(hull.vertices[t.z]) - a);
        largest = std::max(largest, dot(n, p - a) / length(n));
    }
    return largest;
}
template <int K>
Real outside(const Kdop<K>& dop, const Vec& p) {
    Real largest = -std::numeric_limits<Real>::infinity();
    for (int k = 0; k < K / 2; ++k) {
        const Vec n(Kdop<K>::direction(k));
        const auto i = static_cast<std::size_t>(k);
        const Real along = dot(n, p);
        largest = std::max({largest, (static_cast<Real>(dop.min[i]) - along) / length(n),
                            (along - static_cast<Real>(dop.max[i])) / length(n)});
    }
    return largest;
}

// --- rays -------------------------------------------------------------------------------------------------

/// The part of the line in the solid: [enter, exit] in multiples of the ray's direction. `clearance` is the
/// distance of the ray (not the line) from the solid; negative is its depth inside.
struct RayAnswer {
    bool hit = false;  ///< Some t of the ray is in the solid.
    Real enter = 0, exit = 0;
    Real clearance = 0;
};

namespace detail {

/// The minimizer of a convex function in [lo, hi].
template <class F>
Real least_of(const F& f, Real lo, Real hi) {
    for (int i = 0; i < 400 && hi - lo > 0; ++i) {
        const Real a = lo + (hi - lo) / 3, b = hi - (hi - lo) / 3;
        if (!(a > lo) || !(b < hi)) break;
        (f(a) <= f(b) ? hi : lo) = f(a) <= f(b) ? b : a;
    }
    return (f(lo) <= f(hi)) ? lo : hi;
}

/// The root of f between `in`, where it is at most 0, and `out`, where it is positive; returns the inner
/// bound.
template <class F>
Real border(const F& f, Real in, Real out) {
    for (int i = 0; i < 400; ++i) {
        const Real middle = in + (out - in) / 2;
        if (middle == in || middle == out) break;
        (f(middle) <= 0 ? in : out) = middle;
    }
    return in;
}

}  // namespace detail

/// The t of the ray's first point.
inline Real begin_of(const Ray& ray) {
    return std::max(static_cast<Real>(ray.t_min), Real(0));
}

/// `reach`: an upper bound of the distance of the solid's points from the ray's origin.
template <class Solid>
RayAnswer ray_against(const Ray& ray, const Solid& solid, Real reach) {
    RayAnswer answer;
    const Vec o(ray.origin), d(ray.direction);
    const Real unit = length(d);
    if (!(unit > 0)) {
        answer.clearance = outside(solid, o);
        answer.hit = answer.clearance <= 0;
        answer.enter = -std::numeric_limits<Real>::infinity();
        answer.exit = std::numeric_limits<Real>::infinity();
        return answer;
    }
    // s is a length, t = s / unit.
    const Vec n = (1 / unit) * d;
    const auto f = [&](Real s) { return outside(solid, o + s * n); };
    const Real s_min = std::min(begin_of(ray) * unit, reach);
    const Real s_max = std::min(static_cast<Real>(ray.t_max) * unit, reach);
    answer.clearance = f(detail::least_of(f, s_min, s_max));
    const Real middle = detail::least_of(f, -reach, reach);
    if (f(middle) > 0) {
        answer.hit = f(s_min) <= 0;
        return answer;
    }
    answer.enter = detail::border(f, middle, -2 * reach) / unit;
    answer.exit = detail::border(f, middle, 2 * reach) / unit;
    answer.hit =
        f(s_min) <= 0 || (answer.enter <= static_cast<Real>(ray.t_max) && answer.exit >= begin_of(ray));
    return answer;
}

/// The ray against the triangle: where it hits the plane, and how far inside the point is, as its least
/// barycentric coordinate. Empty for a ray that does not cross the plane.
struct TriangleAnswer {
    Real t = 0;
    Real inside = 0;
};
inline std::optional<TriangleAnswer> ray_against(const Ray& ray, const Triangle& triangle) {
    const Vec o(ray.origin), d(ray.direction);
    const Vec a = Vec(triangle.a) - o, b = Vec(triangle.b) - o, c = Vec(triangle.c) - o;
    // Volumes of the tetrahedra that the direction spans with each edge.
    const Real u = dot(d, cross(b, c)), v = dot(d, cross(c, a)), w = dot(d, cross(a, b));
    const Real all = u + v + w;
    if (all == 0) return std::nullopt;
    return TriangleAnswer{dot(a, cross(b, c)) / all, std::min({u / all, v / all, w / all})};
}

/// The interval of t by slabs, with a division per plane.
inline std::optional<std::array<Real, 2>> ray_in_box(const Ray& ray, const Aabb& box) {
    const Real inf = std::numeric_limits<Real>::infinity();
    Real enter = begin_of(ray), exit = static_cast<Real>(ray.t_max);
    for (int k = 0; k < 3; ++k) {
        const Real o = ray.origin[k], d = ray.direction[k];
        if (!std::isfinite(o) || !std::isfinite(d)) return std::nullopt;
        const Real lo = static_cast<Real>(box.min[k]) - o, hi = static_cast<Real>(box.max[k]) - o;
        if (!(lo <= hi)) return std::nullopt;
        if (d == 0) {
            if (lo > 0 || hi < 0) exit = -inf;
            continue;
        }
        enter = std::max(enter, std::min(lo / d, hi / d));
        exit = std::min(exit, std::max(lo / d, hi / d));
    }
    if (!(enter <= exit)) return std::nullopt;
    return std::array<Real, 2>{enter, exit};
}

}  // namespace bv::reference
