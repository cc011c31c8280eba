// Rays and segments.
#pragma once

#include <glm/vec3.hpp>
#include <limits>

namespace bv {

/// The points `origin + t * direction` for `0 <= t <= t_max`. `direction` need not have unit length: `t` is
/// in multiples of it. A zero direction is a point query at `origin`. A ray with a NaN hits nothing.
struct Ray {
    glm::vec3 origin{0.0f};
    glm::vec3 direction{0.0f, 0.0f, -1.0f};
    float t_max = std::numeric_limits<float>::infinity();

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
