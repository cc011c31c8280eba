// A ray prepared for testing many boxes: the slab test for the inside of trees. A dozen operations a box.
//
// Per axis the box's two planes cut an interval out of the ray; the box is hit iff the three intervals and
// [0, t_max] have a common point. A zero component of the direction makes the reciprocal infinite: the planes
// then lie at -inf and +inf for an origin between them, both on one side for an origin outside, and at 0 *
// inf = NaN for an origin in a plane. The comparisons are written so that a NaN leaves the interval as it
// was, which is what "in a face plane" means for a closed box. Rays for which the differences, reciprocals or
// products of single precision would overflow or lose their digits are known by their numbers alone, and are
// tested in double. Sources: Kay 1986; Williams 2005; Ize 2013.
#pragma once

#include <cmath>
#include <glm/vec3.hpp>
#include <limits>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/ray.hpp"

namespace bv {

/// Numeric promise: never misses a box that the ray meets, as bv::raycast decides; may report a box that the
/// ray passes at a distance of a few roundings.
struct RaySlabs {
    /// Single-precision planes lie off by up to three roundings; this much more room at the far end makes up
    /// for it at both ends. Source: Ize 2013.
    static constexpr float kFarRoom = 1.0f + 2.0f * (3.0f * 0.5f * std::numeric_limits<float>::epsilon());
    /// The same for values so small that a rounding is no share of them.
    static constexpr float kFarStep = 4.0f * std::numeric_limits<float>::denorm_min();

    glm::vec3 origin{0.0f};
    glm::vec3 direction{0.0f};
    glm::vec3 inv_direction{0.0f};  ///< +-inf where the direction is zero.
    float t_begin = 0.0f;           ///< 0, or NaN for a ray that hits nothing because it is not finite.
    float t_end = std::numeric_limits<float>::infinity();  ///< 0 for a ray that stays where it is.
    bool negative[3] = {};   ///< The direction points down this axis: planes are met max first.
    bool in_double = false;  ///< Single precision does not do; `hit` is exact then.

    RaySlabs() = default;
    explicit RaySlabs(const Ray& ray) noexcept : origin(ray.origin), direction(ray.direction) {
        // From an origin this close no difference overflows, and these have reciprocals with all digits.
        constexpr float kFarthest = 0x1p100f, kShortest = 0x1p-126f, kLongest = 0x1p126f;
        bool finite = true;
        bool any = false;
        for (int i = 0; i < 3; ++i) {
            const float d = ray.direction[i];
            const float size = std::abs(d);
            finite = finite && std::isfinite(d) && std::isfinite(ray.origin[i]);
            inv_direction[i] = d == 0.0f ? std::numeric_limits<float>::infinity() : 1.0f / d;
            negative[i] = d < 0.0f;
            any = any || d != 0.0f;
            in_double = in_double || std::abs(ray.origin[i]) > kFarthest || size > kLongest ||
                        (size < kShortest && d != 0.0f);
        }
        if (!any) t_end = 0.0f;
        if (!finite) t_begin = std::numeric_limits<float>::quiet_NaN();
    }

    /// The end of the ray that the planes are compared with.
    [[nodiscard]] float clamp_end(float t_max) const noexcept { return t_max > t_end ? t_end : t_max; }

    /// True if a box that is entered at `t_enter` lies behind `limit` for certain.
    [[nodiscard]] static bool is_behind(float t_enter, float limit) noexcept {
        return t_enter > limit * kFarRoom + kFarStep;
    }

    /// True if the ray meets the box at some t in [0, t_max]; then `t_enter` is where, 0 if the origin is
    /// inside. A negative or NaN t_max is never reached, an empty or NaN box never met.
    [[nodiscard]] bool hit(const Aabb& box, float t_max, float& t_enter) const noexcept {
        return !box.is_empty() && hit_nonempty(box, t_max, t_enter);
    }
    /// The same of a box that is neither empty nor NaN: the form for the inside of trees, which hold no
    /// other.
    [[nodiscard]] bool hit_nonempty(const Aabb& box, float t_max, float& t_enter) const noexcept {
        if (in_double) return hit_in_double(box, t_max, t_enter);
        float enter = t_begin;
        float leave = clamp_end(t_max);
        for (int i = 0; i < 3; ++i) {
            const float near_t = ((negative[i] ? box.max[i] : box.min[i]) - origin[i]) * inv_direction[i];
            const float far_t = ((negative[i] ? box.min[i] : box.max[i]) - origin[i]) * inv_direction[i];
            enter = near_t > enter ? near_t : enter;
            leave = far_t < leave ? far_t : leave;
        }
        t_enter = enter;
        return enter <= leave * kFarRoom + kFarStep;
    }

    /// The same in double precision.
    [[nodiscard]] bool hit_in_double(const Aabb& box, float t_max, float& t_enter) const noexcept;
};

}  // namespace bv
