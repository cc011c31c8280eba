// A ball: all points within `radius` of `center`.
#pragma once

#include <glm/mat4x3.hpp>
#include <glm/vec3.hpp>

#include "bv/shapes/contains_point.hpp"
#include "bv/shapes/not_finite.hpp"

namespace bv {

/// A closed ball, in meters. `radius == 0` is a point. A negative radius is the empty ball: it overlaps and
/// contains nothing. Fits of no points give it, and it is the default.
struct Sphere {
    glm::vec3 center{0.0f};
    float radius = -1.0f;

    /// True if the radius is negative, or by bv/shapes/not_finite.hpp.
    [[nodiscard]] constexpr bool is_empty() const noexcept {
        return !(radius >= 0.0f && bv::is_finite(center));
    }
    [[nodiscard]] float volume() const noexcept;        ///< 4/3 pi r^3; 0 when empty.
    [[nodiscard]] float surface_area() const noexcept;  ///< 4 pi r^2; 0 when empty.
    friend bool operator==(const Sphere&, const Sphere&) = default;
};

/// True iff `p` lies in the closed ball, tested in double as bv/shapes/contains_point.hpp says.
[[nodiscard]] inline bool contains_point(const Sphere& s, const glm::vec3& p) noexcept {
    const auto r = static_cast<double>(s.radius);
    return s.radius >= 0.0f && distance_sq_in_double(s.center, p) - r * r <= 0.0;
}

/// A ball that contains the image of `sphere` under `x -> M x + t` (columns 0..2 of the matrix are M, column
/// 3 is t), for any M: the radius grows by the largest stretch of M, plus the rounding of the center.
/// Smallest possible up to rounding. Empty stays empty; a matrix that is not finite gives a center of zero
/// and an infinite radius. No allocation. Test: test_shapes.
[[nodiscard]] Sphere transformed(const Sphere& sphere, const glm::mat4x3& affine) noexcept;

}  // namespace bv
