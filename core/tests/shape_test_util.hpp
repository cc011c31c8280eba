// Helpers shared by the tests of shapes and fits: seeded clouds and a generator that is the same on every
// platform.
#pragma once

#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/mat4x3.hpp>
#include <glm/vec3.hpp>
#include <vector>

namespace bv::test {

/// SplitMix64: small, seeded, and the same everywhere, unlike the distributions of the standard library.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15u;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
    float range(float lo, float hi) {
        return static_cast<float>(lo + (static_cast<double>(hi) - lo) * unit());
    }
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(next() % n); }
    glm::vec3 in_cube(float h) {
        const float x = range(-h, h), y = range(-h, h), z = range(-h, h);
        return {x, y, z};
    }
    glm::vec3 direction() {
        for (;;) {
            const glm::vec3 p = in_cube(1.0f);
            const float d = glm::dot(p, p);
            if (d <= 1.0f && d > 1e-4f) return p / std::sqrt(d);
        }
    }
    /// A random rotation: an orthonormal right-handed matrix in double.
    glm::dmat3 rotation() {
        const glm::dvec3 x = glm::normalize(glm::dvec3(direction()));
        glm::dvec3 y;
        do {
            y = glm::dvec3(direction());
            y -= x * glm::dot(x, y);
        } while (glm::dot(y, y) < 0.01);
        y = glm::normalize(y);
        return glm::dmat3{x, y, glm::cross(x, y)};
    }
    /// A number spread evenly over magnitudes from 10^lo to 10^hi, of either sign.
    float magnitude(double lo, double hi) {
        const double m = std::pow(10.0, lo + (hi - lo) * unit());
        return static_cast<float>((next() & 1) != 0 ? m : -m);
    }

  private:
    std::uint64_t state_;
};

/// `count` points of one of several kinds: in a cube, on a sphere, in a thin slab, on a grid, with copies,
/// with outliers.
inline std::vector<glm::vec3> random_cloud(Random& random, std::size_t count) {
    const std::uint32_t kind = random.below(7);
    const glm::dmat3 turn = random.rotation();
    const glm::vec3 stretch(random.range(0.05f, 3.0f), random.range(0.05f, 3.0f), random.range(0.05f, 3.0f));
    std::vector<glm::vec3> points;
    while (points.size() < count) {
        glm::vec3 p = random.in_cube(1.0f);
        if (kind == 1) p = random.direction();
        if (kind == 2) p.z *= 1e-3f;
        if (kind == 3) p = glm::vec3(std::round(p.x * 2), std::round(p.y * 2), std::round(p.z * 2));
        if (kind == 4 && points.size() > 4 && random.below(2) == 0) {
            const glm::vec3 copy = points[random.below(4)];
            points.push_back(copy);
            continue;
        }
        if (kind == 5 && random.below(16) == 0) p *= 20.0f;
        if (kind == 3)
            points.push_back(p);
        else
            points.push_back(glm::vec3(turn * glm::dvec3(p * stretch)));
    }
    return points;
}

inline glm::vec3 apply(const glm::mat4x3& m, const glm::vec3& p) {
    return m * glm::vec4(p, 1.0f);
}

inline glm::mat4x3 affine_of(const glm::dmat3& m, const glm::vec3& t) {
    return glm::mat4x3{glm::vec3(m[0]), glm::vec3(m[1]), glm::vec3(m[2]), t};
}

}  // namespace bv::test
