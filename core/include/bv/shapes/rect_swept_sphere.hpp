// Rectangle swept spheres: all points within a radius of a rectangle in space (Larsen 1999).
#pragma once

#include <glm/mat3x3.hpp>
#include <glm/mat4x3.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "bv/shapes/not_finite.hpp"

namespace bv {

/// The closed set of points within `radius` of a rectangle, in meters. The rectangle is centered at `center`
/// and spans `half_extents` along the first two columns of `axes`; the third is its normal. The columns are
/// orthonormal (to 1e-4) and right-handed. A negative radius means the empty volume.
struct RectSweptSphere {
    glm::vec3 center{0.0f};
    glm::vec2 half_extents{0.0f};
    float radius = -1.0f;
    glm::mat3 axes{1.0f};

    /// True if the radius or a half extent is negative, or by bv/shapes/not_finite.hpp.
    [[nodiscard]] constexpr bool is_empty() const noexcept {
        return !(radius >= 0.0f && half_extents.x >= 0.0f && half_extents.y >= 0.0f &&
                 bv::is_finite(center) && detail::are_finite(axes));
    }
    [[nodiscard]] float volume() const noexcept;        ///< 0 when empty.
    [[nodiscard]] float surface_area() const noexcept;  ///< 0 when empty.
    /// Corner `i` in 0..3 of the rectangle: bit k chooses the positive side of axis k.
    [[nodiscard]] glm::vec3 corner(int i) const noexcept;
    friend bool operator==(const RectSweptSphere&, const RectSweptSphere&) = default;
};

/// Squared distance of `p` from the rectangle of `s`, in double, in the coordinates along its axes as stored.
[[nodiscard]] double rectangle_distance_sq_in_double(const RectSweptSphere& s, const glm::vec3& p) noexcept;

/// True iff `p` lies in the closed volume, tested in double as bv/shapes/contains_point.hpp says.
[[nodiscard]] bool contains_point(const RectSweptSphere& s, const glm::vec3& p) noexcept;

/// A volume that contains the image of `s` under an affine map: the image itself, rounded outward, for
/// rotations, mirrors and uniform scales; otherwise a volume around it. Empty stays empty; a matrix that is
/// not finite gives an infinite radius.
[[nodiscard]] RectSweptSphere transformed(const RectSweptSphere& s, const glm::mat4x3& affine) noexcept;

}  // namespace bv
