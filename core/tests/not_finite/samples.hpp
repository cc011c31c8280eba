// For every shape of the library: a sample at a given place, its float fields, and the solid that they define
// by the rule.
#pragma once

#include <cstdint>
#include <glm/gtc/matrix_transform.hpp>
#include <string>
#include <vector>

#include "bv/query/classify.hpp"
#include "bv/query/convex.hpp"
#include "bv/shapes/aabb.hpp"
#include "bv/shapes/capsule.hpp"
#include "bv/shapes/hull.hpp"
#include "bv/shapes/kdop.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/plane.hpp"
#include "bv/shapes/ray.hpp"
#include "bv/shapes/rect_swept_sphere.hpp"
#include "bv/shapes/sphere.hpp"
#include "bv/shapes/triangle.hpp"
#include "rule.hpp"

namespace bv::test {

inline const std::vector<float>& special_floats() {
    static const float inf = std::numeric_limits<float>::infinity();
    static const std::vector<float> values = {std::numeric_limits<float>::quiet_NaN(),
                                              inf,
                                              -inf,
                                              std::numeric_limits<float>::max(),
                                              -std::numeric_limits<float>::max(),
                                              std::numeric_limits<float>::denorm_min(),
                                              -std::numeric_limits<float>::denorm_min(),
                                              1e-40f,
                                              0.0f,
                                              -0.0f};
    return values;
}

/// A rotation that changes every axis, so that products of zero and infinity do not cancel by luck.
inline glm::mat3 sample_axes(int turned) {
    if (turned == 0) return glm::mat3(1.0f);
    return glm::mat3(glm::rotate(glm::mat4(1.0f), 0.7f, glm::normalize(glm::vec3(1, 2, 3))));
}

template <class T>
struct Shape;

using Floats = std::vector<float*>;

inline void list(Floats& out, glm::vec3& v) {
    for (int k = 0; k < 3; ++k)
        out.push_back(&v[k]);
}
inline void list(Floats& out, glm::mat3& m) {
    for (int k = 0; k < 3; ++k)
        list(out, m[k]);
}

inline void set_axes(RefSolid& r, SimpleSet& s, const glm::mat3& axes) {
    s.axes = glm::dmat3(axes);
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i) {
            const float entry = axes[k][i];
            if (!std::isfinite(entry)) r.no_points = true;
        }
    if (r.no_points) return;
    // Axes that are not orthonormal break the contract.
    const glm::dmat3 gram = glm::transpose(s.axes) * s.axes;
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i)
            if (!(std::abs(gram[k][i] - (i == k ? 1.0 : 0.0)) < 1e-3)) r.known = false;
}

template <>
struct Shape<glm::vec3> {
    static constexpr const char* kName = "point";
    static glm::vec3 at(const glm::vec3& c, float, int) { return c; }
    static void floats(glm::vec3& p, Floats& out) { list(out, p); }
    static RefSolid ref(const glm::vec3& p) {
        RefSolid r;
        r.position(p);
        SimpleSet s;
        s.center = glm::dvec3(p);
        r.add_round_box(s);
        return r;
    }
};

template <>
struct Shape<Sphere> {
    static constexpr const char* kName = "Sphere";
    static Sphere at(const glm::vec3& c, float size, int) { return {c, size}; }
    static void floats(Sphere& x, Floats& out) {
        list(out, x.center);
        out.push_back(&x.radius);
    }
    static RefSolid ref(const Sphere& x) {
        RefSolid r;
        r.position(x.center);
        r.extent(x.radius);
        SimpleSet s;
        s.center = glm::dvec3(x.center);
        s.radius = x.radius;
        r.add_round_box(s);
        return r;
    }
};

template <>
struct Shape<Aabb> {
    static constexpr const char* kName = "Aabb";
    static Aabb at(const glm::vec3& c, float size, int) { return {c - size, c + 1.1f * size}; }
    static void floats(Aabb& x, Floats& out) {
        list(out, x.min);
        list(out, x.max);
    }
    static RefSolid ref(const Aabb& x) {
        RefSolid r;
        SimpleSet s;
        for (int k = 0; k < 3; ++k) {
            r.bounds(x.min[k], x.max[k]);
            s.lo[k] = x.min[k];
            s.hi[k] = x.max[k];
        }
        r.add_round_box(s);
        return r;
    }
};

template <>
struct Shape<Obb> {
    static constexpr const char* kName = "Obb";
    static Obb at(const glm::vec3& c, float size, int turned) {
        return {c, size * glm::vec3(1.0f, 0.9f, 1.1f), sample_axes(turned)};
    }
    static void floats(Obb& x, Floats& out) {
        list(out, x.center);
        list(out, x.half_extents);
        list(out, x.axes);
    }
    static RefSolid ref(const Obb& x) {
        RefSolid r;
        SimpleSet s;
        r.position(x.center);
        s.center = glm::dvec3(x.center);
        for (int k = 0; k < 3; ++k) {
            r.extent(x.half_extents[k]);
            s.hi[k] = x.half_extents[k];
            s.lo[k] = -s.hi[k];
        }
        set_axes(r, s, x.axes);
        r.add_round_box(s);
        return r;
    }
};

/// A segment from a to b with a ball swept over it.
inline RefSolid ref_of_rod(const glm::vec3& a, const glm::vec3& b, double radius) {
    RefSolid r;
    r.position(a);
    r.position(b);
    r.extent(radius);
    if (r.no_points) return r;
    SimpleSet s;
    s.center = glm::dvec3(a);
    const glm::dvec3 along = glm::dvec3(b) - glm::dvec3(a);
    const double length = glm::length(along);
    if (length > 1e6) r.known = false;  // Too long for the rounding of a plain projection.
    if (length > 0.0) {
        s.axes[0] = along / length;
        const glm::dvec3 other = std::abs(s.axes[0].x) < 0.6 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 1, 0);
        s.axes[1] = glm::normalize(glm::cross(s.axes[0], other));
        s.axes[2] = glm::cross(s.axes[0], s.axes[1]);
    }
    s.hi.x = length;
    s.radius = radius;
    r.add_round_box(s);
    return r;
}

template <>
struct Shape<Capsule> {
    static constexpr const char* kName = "Capsule";
    static Capsule at(const glm::vec3& c, float size, int turned) {
        const glm::vec3 d = sample_axes(turned)[0] * (0.6f * size);
        return {c - d, c + d, 0.7f * size};
    }
    static void floats(Capsule& x, Floats& out) {
        list(out, x.a);
        list(out, x.b);
        out.push_back(&x.radius);
    }
    static RefSolid ref(const Capsule& x) { return ref_of_rod(x.a, x.b, x.radius); }
};

template <>
struct Shape<Segment> {
    static constexpr const char* kName = "Segment";
    static Segment at(const glm::vec3& c, float size, int turned) {
        const glm::vec3 d = sample_axes(turned)[1] * size;
        return {c - d, c + d};
    }
    static void floats(Segment& x, Floats& out) {
        list(out, x.a);
        list(out, x.b);
    }
    static RefSolid ref(const Segment& x) { return ref_of_rod(x.a, x.b, 0.0); }
};

template <>
struct Shape<RectSweptSphere> {
    static constexpr const char* kName = "RectSweptSphere";
    static RectSweptSphere at(const glm::vec3& c, float size, int turned) {
        return {c, {0.5f * size, 0.4f * size}, 0.6f * size, sample_axes(turned)};
    }
    static void floats(RectSweptSphere& x, Floats& out) {
        list(out, x.center);
        out.push_back(&x.half_extents.x);
        out.push_back(&x.half_extents.y);
        out.push_back(&x.radius);
        list(out, x.axes);
    }
    static RefSolid ref(const RectSweptSphere& x) {
        RefSolid r;
        SimpleSet s;
        r.position(x.center);
        s.center = glm::dvec3(x.center);
        r.extent(x.half_extents.x);
        r.extent(x.half_extents.y);
        r.extent(x.radius);
        s.hi = {x.half_extents.x, x.half_extents.y, 0.0};
        s.lo = -s.hi;
        s.radius = x.radius;
        set_axes(r, s, x.axes);
        r.add_round_box(s);
        return r;
    }
};

template <>
struct Shape<Triangle> {
    static constexpr const char* kName = "Triangle";
    static Triangle at(const glm::vec3& c, float size, int turned) {
        const glm::mat3 m = sample_axes(turned);
        return {c + size * m[0], c + size * (m[1] - 0.5f * m[0]), c - size * (m[1] + 0.4f * m[0])};
    }
    static void floats(Triangle& x, Floats& out) {
        list(out, x.a);
        list(out, x.b);
        list(out, x.c);
    }
    static RefSolid ref(const Triangle& x) {
        RefSolid r;
        SimpleSet s;
        s.kind = SimpleSet::Kind::Triangle;
        int i = 0;
        for (const glm::vec3& p : {x.a, x.b, x.c}) {
            r.position(p);
            s.corner[i++] = glm::dvec3(p);
            r.points.emplace_back(p);
        }
        if (r.largest > 1e6) r.known = false;
        r.sets.push_back(s);
        return r;
    }
};

template <>
struct Shape<Hull> {
    static constexpr const char* kName = "Hull";
    /// A rotated box, built by hand.
    static Hull at(const glm::vec3& c, float size, int turned) {
        Hull h;
        h.dimension = 3;
        const glm::mat3 m = sample_axes(turned);
        for (int i = 0; i < 8; ++i)
            h.vertices.push_back(c + m * (size * glm::vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
        h.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                       {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
        std::vector<std::vector<std::uint32_t>> next(8);
        for (const glm::uvec3& t : h.triangles)
            for (int i = 0; i < 3; ++i) {
                const std::uint32_t a = t[i], b = t[(i + 1) % 3];
                next[a].push_back(b);
                if (((a ^ b) & ((a ^ b) - 1)) == 0 && a < b) h.edges.emplace_back(a, b);
            }
        h.neighbor_begin.push_back(0);
        for (const auto& n : next) {
            h.neighbors.insert(h.neighbors.end(), n.begin(), n.end());
            h.neighbor_begin.push_back(static_cast<std::uint32_t>(h.neighbors.size()));
        }
        return h;
    }
    static void floats(Hull& x, Floats& out) {
        list(out, x.vertices[0]);
        list(out, x.vertices[3]);
        list(out, x.vertices[7]);
    }
    static RefSolid ref(const Hull& x) {
        RefSolid r;
        for (const glm::vec3& p : x.vertices)
            r.position(p);
        if (r.no_points) return r;
        SimpleSet s;
        const glm::dvec3 o(x.vertices[0]);
        s.center = o;
        for (int k = 0; k < 3; ++k) {
            const glm::dvec3 edge = glm::dvec3(x.vertices[std::size_t{1} << k]) - o;
            s.hi[k] = glm::length(edge);
            s.axes[k] = edge / s.hi[k];
        }
        // With a vertex moved it is no longer a hull that a fit made.
        for (std::size_t i = 0; i < 8; ++i) {
            glm::dvec3 p = o;
            for (std::size_t k = 0; k < 3; ++k)
                if ((i >> k) & 1u) p += s.hi[static_cast<int>(k)] * s.axes[static_cast<int>(k)];
            if (!(glm::length(p - glm::dvec3(x.vertices[i])) < 1e-4 * (1.0 + glm::length(p))))
                r.known = false;
        }
        r.add_round_box(s);
        return r;
    }
};

template <int K>
struct Shape<Kdop<K>> {
    static constexpr const char* kName = "Kdop";
    static Kdop<K> at(const glm::vec3& c, float size, int) {
        Kdop<K> x;
        for (int i = 0; i < K / 2; ++i) {
            const auto k = static_cast<std::size_t>(i);
            const glm::vec3 n = Kdop<K>::direction(i);
            x.min[k] = glm::dot(n, c) - size * glm::length(n);
            x.max[k] = glm::dot(n, c) + size * glm::length(n);
        }
        return x;
    }
    static void floats(Kdop<K>& x, Floats& out) {
        for (std::size_t k = 0; k < K / 2; ++k) {
            out.push_back(&x.min[k]);
            out.push_back(&x.max[k]);
        }
    }
    static RefSolid ref(const Kdop<K>& x) {
        RefSolid r;
        for (int i = 0; i < K / 2; ++i) {
            const auto k = static_cast<std::size_t>(i);
            r.bounds(x.min[k], x.max[k]);
            SimpleSet s;
            s.kind = SimpleSet::Kind::Slab;
            s.axes[0] = glm::dvec3(Kdop<K>::direction(i));
            s.lo.x = x.min[k];
            s.hi.x = x.max[k];
            r.sets.push_back(s);
        }
        return r;  // Its corners are unknown here: containment is not tested.
    }
};

/// Calls `check(shape)` for the original shape and with each of its floats replaced by each special value.
template <class T, class Check>
void with_special_floats(const T& shape, Check&& check) {
    T copy = shape;
    check(copy);
    Floats floats;
    Shape<T>::floats(copy, floats);
    for (float* f : floats) {
        const float before = *f;
        for (const float value : special_floats()) {
            *f = value;
            check(copy);
        }
        *f = before;
    }
}

/// All fields of one shape, for messages.
template <class T>
std::string fields_of(const T& shape) {
    T copy = shape;
    Floats floats;
    Shape<T>::floats(copy, floats);
    std::string text = std::string(Shape<T>::kName) + "{";
    for (const float* f : floats)
        text += std::to_string(*f) + " ";
    return text + "}";
}

}  // namespace bv::test
