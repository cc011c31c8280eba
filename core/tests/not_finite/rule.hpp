// The rule for input that is not finite (core/include/bv/shapes/not_finite.hpp), implemented independently of
// the library: solids as sets of points in plain double arithmetic, and overlap of two by alternating
// projections.
#pragma once

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <limits>
#include <vector>

namespace bv::test {

inline constexpr double kEndless = std::numeric_limits<double>::infinity();

/// The rule's verdict; Unsure where rounding may decide, as for features of a millionth of the size.
enum class Ruling { No, Yes, Unsure };

/// One closed convex set: a box in a frame with a ball swept over it, a slab, or a triangle.
struct SimpleSet {
    enum class Kind { RoundBox, Slab, Triangle } kind = Kind::RoundBox;
    glm::dvec3 center{0.0};
    glm::dmat3 axes{1.0};
    glm::dvec3 lo{0.0}, hi{0.0};  ///< RoundBox: along the axes, from the center. Slab: only x.
    double radius = 0.0;
    glm::dvec3 corner[3] = {};

    [[nodiscard]] glm::dvec3 core_point(const glm::dvec3& p) const {
        glm::dvec3 result = center;
        for (int k = 0; k < 3; ++k)
            result += std::clamp(glm::dot(axes[k], p - center), lo[k], hi[k]) * axes[k];
        return result;
    }
    [[nodiscard]] glm::dvec3 project(const glm::dvec3& p) const {
        if (kind == Kind::Triangle) return on_triangle(p);
        if (kind == Kind::Slab) {
            const double at = glm::dot(axes[0], p);
            return p + (std::clamp(at, lo.x, hi.x) - at) / glm::dot(axes[0], axes[0]) * axes[0];
        }
        const glm::dvec3 q = core_point(p);
        const double d = glm::length(p - q);
        return d <= radius ? p : q + (radius / d) * (p - q);
    }

  private:
    static glm::dvec3 on_segment(const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& p) {
        const double l = glm::dot(b - a, b - a);
        return l > 0.0 ? a + std::clamp(glm::dot(p - a, b - a) / l, 0.0, 1.0) * (b - a) : a;
    }
    [[nodiscard]] glm::dvec3 on_triangle(const glm::dvec3& p) const {
        const glm::dvec3 n = glm::cross(corner[1] - corner[0], corner[2] - corner[0]);
        glm::dvec3 best = on_segment(corner[0], corner[1], p);
        for (int i = 1; i < 3; ++i) {
            const glm::dvec3 q = on_segment(corner[i], corner[(i + 1) % 3], p);
            if (glm::dot(q - p, q - p) < glm::dot(best - p, best - p)) best = q;
        }
        if (!(glm::dot(n, n) > 0.0)) return best;
        const glm::dvec3 foot = p - glm::dot(n, p - corner[0]) / glm::dot(n, n) * n;
        for (int i = 0; i < 3; ++i)
            if (glm::dot(n, glm::cross(corner[(i + 1) % 3] - corner[i], foot - corner[i])) < 0.0) return best;
        return foot;
    }
};

/// A solid: the intersection of simple sets. `no_points`: empty, a NaN, or a position at infinity.
struct RefSolid {
    bool no_points = false;
    bool known = true;     ///< False if the fields break a contract: then there are no expectations.
    double largest = 0.0;  ///< Largest finite input number.
    std::vector<SimpleSet> sets;
    std::vector<glm::dvec3> points;  ///< Corners of the core; unbounded ones are 1e60 away.
    double radius = 0.0;

    void position(double x) {
        if (!std::isfinite(x)) no_points = true;
        note(x);
    }
    void position(const glm::vec3& p) {
        for (int k = 0; k < 3; ++k)
            position(static_cast<double>(p[k]));
    }
    void extent(double x) {
        if (!(x >= 0.0)) no_points = true;
        note(x);
    }
    void bounds(double low, double high) {
        if (!(low <= high) || low == kEndless || high == -kEndless) no_points = true;
        note(low);
        note(high);
    }
    void note(double x) {
        if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
    }
    void add_round_box(const SimpleSet& s) {
        sets.push_back(s);
        radius = s.radius;
        const auto cut = [](double x) { return std::clamp(x, -1e60, 1e60); };
        for (int i = 0; i < 8; ++i) {
            glm::dvec3 p = s.center;
            for (int k = 0; k < 3; ++k)
                p += cut((i >> k) & 1 ? s.hi[k] : s.lo[k]) * s.axes[k];
            points.push_back(p);
        }
    }
    [[nodiscard]] bool is_thick(double delta) const {
        for (const SimpleSet& s : sets) {
            if (s.kind == SimpleSet::Kind::Triangle) return false;
            for (int k = 0; k < (s.kind == SimpleSet::Kind::Slab ? 1 : 3); ++k)
                if (!(s.radius > delta || s.hi[k] - s.lo[k] > 2.0 * delta)) return false;
        }
        return true;
    }
    /// The sets shrunk by `delta` on all sides, as far as their thickness allows.
    [[nodiscard]] std::vector<SimpleSet> shrunk(double delta) const {
        std::vector<SimpleSet> result = sets;
        for (SimpleSet& s : result) {
            if (s.radius > delta) {
                s.radius -= delta;
                continue;
            }
            for (int k = 0; k < (s.kind == SimpleSet::Kind::Slab ? 1 : 3); ++k)
                if (s.hi[k] - s.lo[k] > 2.0 * delta) s.lo[k] += delta, s.hi[k] -= delta;
        }
        return result;
    }
};

/// Searches for a common point by `rounds` of projections onto each set in turn; returns the largest
/// remaining distance to any of them.
inline double gap_of(const std::vector<SimpleSet>& a, const std::vector<SimpleSet>& b, int rounds) {
    glm::dvec3 p = a.front().project(glm::dvec3(0.0));
    double left = 0.0;
    for (int i = 0; i < rounds; ++i) {
        left = 0.0;
        for (const auto* sets : {&b, &a})
            for (const SimpleSet& s : *sets) {
                const glm::dvec3 q = s.project(p);
                left = std::max(left, glm::length(q - p));
                p = q;
            }
        if (left == 0.0) break;
    }
    return left;
}

inline Ruling rule_overlap(const RefSolid& a, const RefSolid& b) {
    if (!a.known || !b.known) return Ruling::Unsure;
    if (a.no_points || b.no_points) return Ruling::No;
    const double delta = 1e-2;
    const bool thick = a.is_thick(delta) || b.is_thick(delta);
    if (thick && gap_of(a.shrunk(delta), b.shrunk(delta), 200) < 1e-9) return Ruling::Yes;
    const double size = std::max({a.largest, b.largest, 1.0});
    const double blur = std::max(delta, 1e-3 * size);
    return gap_of(a.sets, b.sets, 200) > blur ? Ruling::No : Ruling::Unsure;
}

/// The depth of `p` in the solid; negative outside.
inline double depth_in(const RefSolid& a, const glm::dvec3& p) {
    double depth = kEndless;
    for (const SimpleSet& s : a.sets) {
        if (s.kind == SimpleSet::Kind::Triangle) return -1.0;
        if (s.kind == SimpleSet::Kind::Slab) {
            const double at = glm::dot(s.axes[0], p);
            const double n = glm::length(s.axes[0]);
            depth = std::min({depth, (at - s.lo.x) / n, (s.hi.x - at) / n});
        } else if (s.radius > 0.0) {
            const glm::dvec3 q = s.core_point(p);
            depth = std::min(depth, s.radius - glm::length(p - q));
        } else {
            for (int k = 0; k < 3; ++k) {
                const double at = glm::dot(s.axes[k], p - s.center);
                depth = std::min({depth, at - s.lo[k], s.hi[k] - at});
            }
        }
    }
    return depth;
}

inline Ruling rule_contains(const RefSolid& outer, const RefSolid& inner) {
    if (!outer.known || !inner.known) return Ruling::Unsure;
    if (outer.no_points || inner.no_points) return Ruling::No;
    if (inner.points.empty()) return Ruling::Unsure;
    const double delta = 1e-3 * std::max({outer.largest, inner.largest, 1.0});
    double depth = kEndless;
    for (const glm::dvec3& p : inner.points)
        depth = std::min(depth, depth_in(outer, p) - std::min(inner.radius, 1e60));
    if (depth > delta) return Ruling::Yes;
    return depth < -delta ? Ruling::No : Ruling::Unsure;
}

}  // namespace bv::test
