// Seeded shapes for the query tests: plain ones, and those that break formulas (flat, parallel, nested,
// touching, tiny, huge). Coordinates scale with `unit`, so the same cases exist at any size.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <limits>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/sphere.hpp"
#include "bv/shapes/triangle.hpp"
#include "random.hpp"

namespace bv::test {

/// Number of random cases: `base` times BV_TEST_SCALE.
inline int cases(int base) {
    const char* scale = std::getenv("BV_TEST_SCALE");
    return scale ? static_cast<int>(base * std::atof(scale)) : base;
}

/// A rigid motion.
struct Motion {
    glm::mat3 rotation{1.0f};
    glm::vec3 shift{0.0f};
    glm::vec3 operator()(const glm::vec3& p) const { return rotation * p + shift; }
    Obb operator()(const Obb& b) const { return {(*this)(b.center), b.half_extents, rotation * b.axes}; }
    Sphere operator()(const Sphere& s) const { return {(*this)(s.center), s.radius}; }
    Triangle operator()(const Triangle& t) const { return {(*this)(t.a), (*this)(t.b), (*this)(t.c)}; }
};

/// A rotated box without end along one of its axes, or along two: a beam or a slab, two thick across them.
struct EndlessBox {
    Obb box;
    int across = 0;  ///< An axis along which it ends,
    int along = 0;   ///< and one along which it does not.
    bool is_slab = false;
};
inline EndlessBox endless_box(Random& rng, const glm::mat3& axes) {
    EndlessBox out;
    out.across = static_cast<int>(rng.below(3));
    out.along = (out.across + 1) % 3;
    out.box = {rng.vec(-3, 3), glm::vec3(1.0f), axes};
    out.box.half_extents[out.along] = std::numeric_limits<float>::infinity();
    out.is_slab = rng.chance(0.5);
    if (out.is_slab) out.box.half_extents[(out.across + 2) % 3] = std::numeric_limits<float>::infinity();
    return out;
}

inline Obb as_obb(const Aabb& b) {
    return {b.center(), b.half_extents(), glm::mat3(1.0f)};
}

}  // namespace bv::test
