// A ray prepared for testing many boxes: the slab test of tree traversals. A dozen operations per box.
//
// Per axis the box's two planes cut an interval out of the ray; the box is hit iff the three intervals and
// [t_min, t_max] have a common point. A zero component of the direction makes the reciprocal infinite: the
// planes are then at -inf and +inf for an origin between them, both on one side for an origin outside, and at
// 0 * inf = NaN for an origin in a plane. The comparisons are written so that a NaN leaves the interval
// unchanged, which is right for an origin in a face plane of a closed box. Rays for which single-precision
// differences, reciprocals or products would overflow or lose digits are recognized when prepared, and tested
// in double. Sources: Kay 1986; Williams 2005; Ize 2013.
#pragma once

#include <cmath>
#include <glm/vec3.hpp>
#include <limits>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/ray.hpp"

namespace bv {

/// Numeric promise: never misses a box that bv::raycast hits; may report a box that the ray misses by a few
/// roundings.
struct RaySlabs {
    /// Single-precision plane distances are off by up to three roundings; widening the far end by this factor
    /// makes up for it at both ends. Source: Ize 2013.
    static constexpr float kFarScale = 1.0f + 2.0f * (3.0f * 0.5f * std::numeric_limits<float>::epsilon());
    /// The same for subnormal values, whose rounding error is absolute.
    static constexpr float kFarSlack = 4.0f * std::numeric_limits<float>::denorm_min();

    glm::vec3 origin{0.0f};
    glm::vec3 direction{0.0f};
    glm::vec3 inv_direction{0.0f};  ///< +-inf where the direction is zero.
    float t_begin = 0.0f;  ///< `Ray::t_begin`, or NaN for a ray that hits nothing because it is not finite.
    float t_end = std::numeric_limits<float>::infinity();  ///< `t_begin` for a ray of zero direction.
    bool negative[3] = {};      ///< The direction is negative on this axis: the max plane comes first.
    bool needs_double = false;  ///< Single precision is not enough; `hit` is then exact.

    RaySlabs() = default;
    explicit RaySlabs(const Ray& ray) noexcept
        : origin(ray.origin), direction(ray.direction), t_begin(ray.t_begin()) {
        // No difference from an origin this close overflows, and directions in this range have reciprocals of
        // full precision.
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
            needs_double = needs_double || std::abs(ray.origin[i]) > kFarthest || size > kLongest ||
                           (size < kShortest && d != 0.0f);
        }
        if (!any) t_end = t_begin;
        if (!finite) t_begin = std::numeric_limits<float>::quiet_NaN();
    }

    /// The effective end of the ray for comparisons with planes.
    [[nodiscard]] float clamp_end(float t_max) const noexcept { return t_max > t_end ? t_end : t_max; }

    /// True if a box entered at `t_enter` is certainly beyond `limit`.
    [[nodiscard]] static bool is_behind(float t_enter, float limit) noexcept {
        return t_enter > limit * kFarScale + kFarSlack;
    }

    /// True if the ray hits the box at some t from its t_min to the given t_max; `t_enter` is then where it
    /// enters, `t_begin` if it starts inside. Always false for a negative or NaN t_max and for an empty or
    /// NaN box.
    [[nodiscard]] bool hit(const Aabb& box, float t_max, float& t_enter) const noexcept {
        return !box.is_empty() && hit_nonempty(box, t_max, t_enter);
    }
    /// The same for a box that is neither empty nor NaN: for the inner loops of trees, which hold no other.
    [[nodiscard]] bool hit_nonempty(const Aabb& box, float t_max, float& t_enter) const noexcept {
        if (needs_double) return hit_in_double(box, t_max, t_enter);
        float enter = t_begin;
        float leave = clamp_end(t_max);
        for (int i = 0; i < 3; ++i) {
            const float near_t = ((negative[i] ? box.max[i] : box.min[i]) - origin[i]) * inv_direction[i];
            const float far_t = ((negative[i] ? box.min[i] : box.max[i]) - origin[i]) * inv_direction[i];
            enter = near_t > enter ? near_t : enter;
            leave = far_t < leave ? far_t : leave;
        }
        t_enter = enter;
        return enter <= leave * kFarScale + kFarSlack;
    }

    /// The same in double precision.
    [[nodiscard]] bool hit_in_double(const Aabb& box, float t_max, float& t_enter) const noexcept;
};

}  // namespace bv
