// Seeded boxes and brute force answers that the tree tests compare with.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/ray.hpp"

namespace bv::test {

/// Loops run this many times longer when BV_TEST_SCALE says so.
inline int scaled(int count) {
    const char* text = std::getenv("BV_TEST_SCALE");
    const double scale = text ? std::atof(text) : 1.0;
    return static_cast<int>(count * (scale > 0.0 ? scale : 1.0));
}

class Random {
  public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    std::uint32_t below(std::size_t n) { return static_cast<std::uint32_t>(engine_() % n); }
    float in(float lo, float hi) {
        return lo + (hi - lo) * static_cast<float>(static_cast<double>(engine_() >> 11) * 0x1.0p-53);
    }
    glm::vec3 point(float half) { return {in(-half, half), in(-half, half), in(-half, half)}; }
    /// Mostly ordinary boxes; some flat, some points, some on whole coordinates so that faces touch, some
    /// huge.
    Aabb box(float half) {
        const glm::vec3 c = point(half);
        glm::vec3 h{in(0.25f, 1.0f), in(0.25f, 1.0f), in(0.25f, 1.0f)};
        const std::uint32_t kind = below(40);
        if (kind == 0) h[static_cast<int>(below(3))] = 0.0f;
        if (kind == 1) h = glm::vec3(0.0f);
        if (kind == 2) h *= 10.0f;
        if (kind < 8 && kind >= 3) {
            const glm::vec3 lo{std::floor(c.x), std::floor(c.y), std::floor(c.z)};
            return {lo, lo + glm::vec3(1.0f)};
        }
        return {c - h, c + h};
    }
    Ray ray(float half) {
        Ray r{point(half), point(1.0f),
              below(2) ? in(0.0f, 2.0f * half) : std::numeric_limits<float>::infinity()};
        const std::uint32_t kind = below(10);
        if (kind < 3) r.direction[static_cast<int>(kind)] = 0.0f;
        if (kind == 3) r.direction = {0.0f, 0.0f, below(2) ? 1.0f : -1.0f};
        if (kind == 4) r.origin = {std::floor(r.origin.x), std::floor(r.origin.y), std::floor(r.origin.z)};
        if (kind == 5 && below(4) == 0) r.direction = glm::vec3(0.0f);
        return r;
    }

  private:
    std::mt19937_64 engine_;
};

/// Closed boxes, written out plainly.
inline bool boxes_touch(const Aabb& a, const Aabb& b) {
    for (int k = 0; k < 3; ++k)
        if (!(a.min[k] <= b.max[k] && b.min[k] <= a.max[k])) return false;
    return true;
}

}  // namespace bv::test
