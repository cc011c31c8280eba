// Capsules: all points within a radius of a segment.
#pragma once

#include <glm/mat4x3.hpp>
#include <glm/vec3.hpp>

#include "bv/shapes/not_finite.hpp"

namespace bv {

/// The closed set of points within `radius` of the segment from `a` to `b`, in meters. `a == b` is a ball. A
/// negative radius means the empty capsule.
struct Capsule {
    glm::vec3 a{0.0f};
    glm::vec3 b{0.0f};
    float radius = -1.0f;

    /// True if the radius is negative, or by bv/shapes/not_finite.hpp.
    [[nodiscard]] constexpr bool is_empty() const noexcept {
        return !(radius >= 0.0f && bv::is_finite(a) && bv::is_finite(b));
    }
    [[nodiscard]] float volume() const noexcept;        ///< 0 when empty.
    [[nodiscard]] float surface_area() const noexcept;  ///< 0 when empty.
    friend bool operator==(const Capsule&, const Capsule&) = default;
};

/// Squared distance of `p` from the segment from `a` to `b`, in double on the values as stored.
[[nodiscard]] double segment_distance_sq_in_double(const glm::vec3& a, const glm::vec3& b,
                                                   const glm::vec3& p) noexcept;

/// True iff `p` lies in the closed capsule, tested in double as bv/shapes/contains_point.hpp says.
[[nodiscard]] bool contains_point(const Capsule& capsule, const glm::vec3& p) noexcept;

/// A capsule that contains the image of `capsule` under an affine map: the image itself, rounded outward, for
/// rotations, mirrors and uniform scales; otherwise the radius grows by the largest stretch. Empty stays
/// empty; a matrix that is not finite gives an infinite radius.
[[nodiscard]] Capsule transformed(const Capsule& capsule, const glm::mat4x3& affine) noexcept;

}  // namespace bv
