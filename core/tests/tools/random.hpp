// The random generator of the tests: the seeded one of the workloads, plus shapes for each kind of test.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <limits>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/ray.hpp"
#include "bv/shapes/sphere.hpp"
#include "bv/shapes/triangle.hpp"
#include "workloads/random.hpp"

namespace bv::test {

class Random : public workloads::Random {
  public:
    explicit Random(std::uint64_t seed) : workloads::Random(seed) {}

    /// Uniform in [0, 1), a multiple of 2^-53.
    double unit() {
        const std::uint64_t high = next_u32() >> 5;
        const std::uint64_t low = next_u32() >> 6;
        return static_cast<double>(high << 26 | low) * 0x1p-53;
    }
    double in(double lo, double hi) { return lo + (hi - lo) * unit(); }
    /// For any two finite floats, even if their difference overflows.
    float range(float lo, float hi) { return static_cast<float>(in(lo, hi)); }
    std::uint32_t below(std::size_t n) { return workloads::Random::below(static_cast<std::uint32_t>(n)); }
    bool chance(double p) { return unit() < p; }
    /// A number of uniform magnitude in log scale from 10^lo to 10^hi, of either sign.
    float magnitude(double lo, double hi) {
        const double m = std::pow(10.0, in(lo, hi));
        return static_cast<float>(chance(0.5) ? m : -m);
    }
    glm::vec3 vec(float lo, float hi) {
        const float x = range(lo, hi);
        const float y = range(lo, hi);
        const float z = range(lo, hi);
        return {x, y, z};
    }
    glm::vec3 in_cube(float half) { return vec(-half, half); }

    /// Orthonormal and right-handed in double.
    glm::dmat3 rotation_in_double() {
        const glm::dvec3 x = glm::normalize(glm::dvec3(direction()));
        glm::dvec3 y;
        do {
            y = glm::dvec3(direction());
            y -= x * glm::dot(x, y);
        } while (glm::dot(y, y) < 0.01);
        y = glm::normalize(y);
        return glm::dmat3{x, y, glm::cross(x, y)};
    }
    /// A rotation: arbitrary, or with axes parallel or almost parallel to the world's.
    glm::mat3 varied_rotation() {
        const std::uint32_t kind = below(8);
        if (kind == 0) return glm::mat3(1.0f);
        const glm::vec3 axis = kind <= 2 ? glm::vec3(kind == 1, kind == 2, 0.0f) : direction();
        float angle = range(-3.1415926f, 3.1415926f);
        if (kind == 1) angle = 1.57079632f * static_cast<float>(below(4));
        if (kind == 3) angle *= std::pow(10.0f, range(-7, -1));
        return glm::mat3_cast(glm::angleAxis(angle, axis));
    }
    /// Half extents between zero and one.
    glm::vec3 half() {
        glm::vec3 h = vec(0.05f, 1.0f);
        const std::uint32_t kind = below(10);
        if (kind == 0) h[axis()] = 0.0f;                  // a rectangle
        if (kind == 1) h[axis()] = h[axis()] = 0.0f;      // a segment, or a rectangle
        if (kind == 2) h[axis()] *= 0.001f;               // a plate
        if (kind == 3) h = glm::vec3(h.x, 0.02f, 0.02f);  // a beam
        if (kind == 4) h = glm::vec3(h.x);                // a cube
        return h;
    }
    /// A size: mostly one, sometimes tiny or huge.
    float scale() {
        const std::uint32_t kind = below(8);
        if (kind == 0) return std::pow(10.0f, range(-12, -3));
        if (kind == 1) return std::pow(10.0f, range(3, 12));
        return 1.0f;
    }
    int axis() { return static_cast<int>(below(3)); }

    // Shapes around the origin, in units of `unit_length`.
    Obb obb(float unit_length = 1.0f) {
        Obb box;
        box.half_extents = half() * unit_length;
        box.axes = varied_rotation();
        box.center = vec(-1.2f, 1.2f) * unit_length;
        return box;
    }
    Aabb aabb(float unit_length = 1.0f) {
        const glm::vec3 c = vec(-1.2f, 1.2f) * unit_length;
        const glm::vec3 h = half() * unit_length;
        return {c - h, c + h};
    }
    Sphere sphere(float unit_length = 1.0f) {
        const float r = chance(0.1) ? 0.0f : range(0.0f, 1.0f);
        return {vec(-1.5f, 1.5f) * unit_length, r * unit_length};
    }
    Triangle triangle(float unit_length = 1.0f) {
        const glm::vec3 a = vec(-1, 1) * unit_length;
        const glm::vec3 b = vec(-1, 1) * unit_length;
        return {a, b, vec(-1, 1) * unit_length};
    }

    // A shape of a crowd within `reach` of the origin, each about one across.

    /// Mostly ordinary boxes; some flat, some points, some on whole coordinates so that faces touch, some
    /// huge.
    Aabb box(float reach) {
        const glm::vec3 c = in_cube(reach);
        glm::vec3 h = vec(0.25f, 1.0f);
        const std::uint32_t kind = below(40);
        if (kind == 0) h[axis()] = 0.0f;
        if (kind == 1) h = glm::vec3(0.0f);
        if (kind == 2) h *= 10.0f;
        if (kind < 8 && kind >= 3) {
            const glm::vec3 lo{std::floor(c.x), std::floor(c.y), std::floor(c.z)};
            return {lo, lo + glm::vec3(1.0f)};
        }
        return {c - h, c + h};
    }
    Ray ray(float reach) {
        Ray r;
        r.origin = in_cube(reach);
        r.direction = in_cube(1.0f);
        r.t_max = chance(0.5) ? range(0.0f, 2.0f * reach) : std::numeric_limits<float>::infinity();
        const std::uint32_t kind = below(10);
        if (kind < 3) r.direction[static_cast<int>(kind)] = 0.0f;
        if (kind == 3) r.direction = {0.0f, 0.0f, chance(0.5) ? 1.0f : -1.0f};
        if (kind == 4) r.origin = {std::floor(r.origin.x), std::floor(r.origin.y), std::floor(r.origin.z)};
        if (kind == 5 && chance(0.25)) r.direction = glm::vec3(0.0f);
        return r;
    }
};

}  // namespace bv::test
