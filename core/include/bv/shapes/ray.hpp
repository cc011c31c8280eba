// Rays and segments.
#pragma once

#include <glm/vec3.hpp>
#include <limits>

namespace bv {

/// The points `origin + t * direction` for `t_min <= t <= t_max`. `direction` need not have unit length: `t`
/// is in multiples of it. A zero direction is a point query at `origin`.
///
/// The rule of every ray query of this library: a hit counts iff its t is in that range, ends included. A ray
/// whose point at `t_min` lies in a solid hits it there. No ray has points before its origin: a negative
/// `t_min` counts as 0. A ray with a NaN, with `t_min > t_max` or with an infinite `t_min` hits nothing.
struct Ray {
    glm::vec3 origin{0.0f};
    glm::vec3 direction{0.0f, 0.0f, -1.0f};
    float t_max = std::numeric_limits<float>::infinity();
    float t_min = 0.0f;

    /// The t of the ray's first point: `t_min`, at least 0. NaN if `t_min` is infinite or NaN.
    [[nodiscard]] constexpr float t_begin() const noexcept {
        if (t_min <= 0.0f) return 0.0f;
        constexpr float kInf = std::numeric_limits<float>::infinity();
        return t_min < kInf ? t_min : std::numeric_limits<float>::quiet_NaN();
    }
    [[nodiscard]] constexpr glm::vec3 at(float t) const noexcept { return origin + t * direction; }
    friend bool operator==(const Ray&, const Ray&) = default;
};

/// The closed segment from `a` to `b`. `a == b` is a point.
struct Segment {
    glm::vec3 a{0.0f};
    glm::vec3 b{0.0f};
    friend bool operator==(const Segment&, const Segment&) = default;
};

}  // namespace bv
