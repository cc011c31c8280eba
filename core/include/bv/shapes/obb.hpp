// Oriented bounding boxes.
#pragma once

#include <cmath>
#include <glm/mat3x3.hpp>
#include <glm/mat4x3.hpp>
#include <glm/vec3.hpp>

#include "bv/shapes/contains_point.hpp"
#include "bv/shapes/not_finite.hpp"

namespace bv {

/// A closed box with its own axes, in meters. The columns of `axes` are orthonormal (to 1e-4) and
/// right-handed. Zero half extents are allowed (a rectangle, a segment, a point); a negative one means the
/// empty box.
struct Obb {
    glm::vec3 center{0.0f};
    glm::vec3 half_extents{-1.0f};
    glm::mat3 axes{1.0f};

    /// True if a half extent is negative, or by bv/shapes/not_finite.hpp.
    [[nodiscard]] constexpr bool is_empty() const noexcept {
        return !(half_extents.x >= 0.0f && half_extents.y >= 0.0f && half_extents.z >= 0.0f &&
                 bv::is_finite(center) && detail::are_finite(axes));
    }
    [[nodiscard]] float volume() const noexcept;        ///< 0 when empty.
    [[nodiscard]] float surface_area() const noexcept;  ///< All six faces; 0 when empty.
    /// Corner `i` in 0..7: bit k chooses the positive side of axis k.
    [[nodiscard]] glm::vec3 corner(int i) const noexcept;
    friend bool operator==(const Obb&, const Obb&) = default;
};

/// True iff `p` lies in the closed box, tested in double as bv/shapes/contains_point.hpp says.
[[nodiscard]] inline bool contains_point(const Obb& box, const glm::vec3& p) noexcept {
    for (int k = 0; k < 3; ++k) {
        const double offset = std::abs(offset_in_double(box.axes[k], p, box.center));
        if (!(offset - static_cast<double>(box.half_extents[k]) <= 0.0)) return false;
    }
    return true;
}

/// A box that contains the image of `box` under `x -> M x + t` (columns 0..2 of the matrix are M, column 3 is
/// t). For rotations, mirrors and uniform scales it is the image itself, rounded outward. Under shear or
/// nonuniform scale the image is not a box: the result then keeps the direction of the longest image edge and
/// encloses the rest. Empty stays empty; a matrix that is not finite gives infinite extents. No allocation.
/// Test: test_shapes.
[[nodiscard]] Obb transformed(const Obb& box, const glm::mat4x3& affine) noexcept;

}  // namespace bv
