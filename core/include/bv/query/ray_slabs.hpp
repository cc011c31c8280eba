// A ray prepared for testing many boxes: the slab test for the inside of trees. Header-only, a dozen
// operations a box.
//
// Per axis the box's two planes cut an interval out of the ray; the box is hit iff the three intervals and
// [0, t_max] have a common point. A zero component of the direction makes the reciprocal infinite: the planes
// then lie at -inf and +inf for an origin between them, both on one side for an origin outside, and at 0 *
// inf = NaN for an origin in a plane. The comparisons are written so that a NaN leaves the interval as it
// was, which is what "in a face plane" means for a closed box. Sources: Kay 1986; Williams 2005; Ize 2013.
#pragma once

#include <cmath>
#include <glm/vec3.hpp>
#include <limits>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/ray.hpp"

namespace bv {

/// Numeric promise: never misses a box that the ray meets; may report a box that the ray passes at a distance
/// of a few roundings. A component of the direction below 2^-126 (subnormal) counts as zero.
struct RaySlabs {
    /// Single-precision planes lie off by up to three roundings; this much more room at the far end makes up
    /// for it at both ends. Source: Ize 2013.
    static constexpr float kFarRoom = 1.0f + 2.0f * (3.0f * 0.5f * std::numeric_limits<float>::epsilon());

    /// Stands for an infinite t_max: the planes that a zero component never reaches, at t = inf, have to lie
    /// beyond it.
    static constexpr float kMost = 0.5f * std::numeric_limits<float>::max();

    glm::vec3 origin{0.0f};
    glm::vec3 inv_direction{0.0f};  ///< +-inf where the direction is zero.
    float t_begin = 0.0f;           ///< 0, or NaN for a ray that hits nothing because it is not finite.
    bool negative[3] = {};          ///< The direction points down this axis: planes are met max first.

    [[nodiscard]] static constexpr float clamp_end(float t_max) noexcept {
        return t_max > kMost ? kMost : t_max;
    }

    RaySlabs() = default;
    explicit RaySlabs(const Ray& ray) noexcept : origin(ray.origin) {
        bool finite = true;
        for (int i = 0; i < 3; ++i) {
            const float d = ray.direction[i];
            finite = finite && std::isfinite(d) && std::isfinite(ray.origin[i]);
            const bool zero = std::abs(d) < std::numeric_limits<float>::min();
            inv_direction[i] = zero ? std::numeric_limits<float>::infinity() : 1.0f / d;
            negative[i] = !zero && d < 0.0f;
        }
        if (!finite) t_begin = std::numeric_limits<float>::quiet_NaN();
    }

    /// True if the ray meets the box at some t in [0, t_max]; then `t_enter` is where, 0 if the origin is
    /// inside. The box is neither empty nor NaN. A negative or NaN t_max is never reached.
    [[nodiscard]] bool hit(const Aabb& box, float t_max, float& t_enter) const noexcept {
        float enter = t_begin;
        float leave = clamp_end(t_max);
        for (int i = 0; i < 3; ++i) {
            const float near_t = ((negative[i] ? box.max[i] : box.min[i]) - origin[i]) * inv_direction[i];
            const float far_t = ((negative[i] ? box.min[i] : box.max[i]) - origin[i]) * inv_direction[i];
            enter = near_t > enter ? near_t : enter;
            leave = far_t < leave ? far_t : leave;
        }
        t_enter = enter;
        return enter <= leave * kFarRoom;
    }
};

}  // namespace bv
