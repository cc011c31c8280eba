// Seeded shapes for the query tests: plain ones, and the ones that break formulas (flat, parallel, nested,
// touching, tiny, huge). Coordinates scale with `unit`, so the same cases can be had at any size.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <random>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/sphere.hpp"
#include "bv/shapes/triangle.hpp"

namespace bv::test {

/// Number of random cases: `base` times BV_TEST_SCALE.
inline int cases(int base) {
    const char* scale = std::getenv("BV_TEST_SCALE");
    return scale ? static_cast<int>(base * std::atof(scale)) : base;
}

class Rng {
  public:
    explicit Rng(std::uint64_t seed) : engine_(seed) {}
    double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
    double in(double lo, double hi) { return lo + (hi - lo) * unit(); }
    float inf(float lo, float hi) { return static_cast<float>(in(lo, hi)); }
    int below(int n) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(n)); }
    bool chance(double p) { return unit() < p; }
    glm::vec3 vec(float lo, float hi) {
        const float x = inf(lo, hi);
        const float y = inf(lo, hi);
        const float z = inf(lo, hi);
        return {x, y, z};
    }
    glm::vec3 direction() {
        for (;;) {
            const glm::vec3 v = vec(-1, 1);
            const float l = glm::dot(v, v);
            if (l > 1e-3f && l <= 1.0f) return v / std::sqrt(l);
        }
    }
    /// A rotation: arbitrary, or one that keeps the axes parallel to the world's, or almost so.
    glm::mat3 rotation() {
        const int kind = below(8);
        if (kind == 0) return glm::mat3(1.0f);
        const glm::vec3 axis = kind <= 2 ? glm::vec3(kind == 1, kind == 2, 0.0f) : direction();
        float angle = inf(-3.1415926f, 3.1415926f);
        if (kind == 1) angle = 1.57079632f * static_cast<float>(below(4));
        if (kind == 3) angle *= std::pow(10.0f, inf(-7, -1));
        return glm::mat3_cast(glm::angleAxis(angle, axis));
    }
    /// Half extents between nothing and one.
    glm::vec3 half() {
        glm::vec3 h = vec(0.05f, 1.0f);
        const int kind = below(10);
        if (kind == 0) h[below(3)] = 0.0f;                // a rectangle
        if (kind == 1) h[below(3)] = h[below(3)] = 0.0f;  // a segment, or a rectangle
        if (kind == 2) h[below(3)] *= 0.001f;             // a plate
        if (kind == 3) h = glm::vec3(h.x, 0.02f, 0.02f);  // a beam
        if (kind == 4) h = glm::vec3(h.x);                // a cube
        return h;
    }
    /// A size: mostly one, sometimes tiny or huge.
    float scale() {
        const int kind = below(8);
        if (kind == 0) return std::pow(10.0f, inf(-12, -3));
        if (kind == 1) return std::pow(10.0f, inf(3, 12));
        return 1.0f;
    }
    Obb obb(float unit_length = 1.0f) {
        Obb box;
        box.half_extents = half() * unit_length;
        box.axes = rotation();
        box.center = vec(-1.2f, 1.2f) * unit_length;
        return box;
    }
    Aabb aabb(float unit_length = 1.0f) {
        const glm::vec3 c = vec(-1.2f, 1.2f) * unit_length;
        const glm::vec3 h = half() * unit_length;
        return {c - h, c + h};
    }
    Sphere sphere(float unit_length = 1.0f) {
        const float r = chance(0.1) ? 0.0f : inf(0.0f, 1.0f);
        return {vec(-1.5f, 1.5f) * unit_length, r * unit_length};
    }
    Triangle triangle(float unit_length = 1.0f) {
        return {vec(-1, 1) * unit_length, vec(-1, 1) * unit_length, vec(-1, 1) * unit_length};
    }

  private:
    std::mt19937_64 engine_;
};

/// A rigid motion.
struct Motion {
    glm::mat3 rotation{1.0f};
    glm::vec3 shift{0.0f};
    glm::vec3 operator()(const glm::vec3& p) const { return rotation * p + shift; }
    Obb operator()(const Obb& b) const { return {(*this)(b.center), b.half_extents, rotation * b.axes}; }
    Sphere operator()(const Sphere& s) const { return {(*this)(s.center), s.radius}; }
    Triangle operator()(const Triangle& t) const { return {(*this)(t.a), (*this)(t.b), (*this)(t.c)}; }
};

inline Obb as_obb(const Aabb& b) {
    return {b.center(), b.half_extents(), glm::mat3(1.0f)};
}

}  // namespace bv::test
