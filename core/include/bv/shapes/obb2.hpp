// Oriented rectangles in the plane.
#pragma once

#include <glm/mat2x2.hpp>
#include <glm/vec2.hpp>

#include "bv/shapes/not_finite.hpp"

namespace bv {

/// A closed rectangle with its own axes, in meters: the 2D counterpart of Obb. The columns of `axes` are
/// orthonormal (to 1e-4), the second 90 degrees counter-clockwise from the first. Zero half extents are
/// allowed; a negative one means the empty rectangle.
struct Obb2 {
    glm::vec2 center{0.0f};
    glm::vec2 half_extents{-1.0f};
    glm::mat2 axes{1.0f};

    /// True if a half extent is negative, or by bv/shapes/not_finite.hpp.
    [[nodiscard]] constexpr bool is_empty() const noexcept {
        return !(half_extents.x >= 0.0f && half_extents.y >= 0.0f && bv::is_finite(glm::vec3(center, 0.0f)) &&
                 detail::are_finite(axes));
    }
    [[nodiscard]] float area() const noexcept;       ///< 0 when empty.
    [[nodiscard]] float perimeter() const noexcept;  ///< All four sides; 0 when empty.
    /// Corner `i` in 0..3, counter-clockwise from the one on the negative side of both axes.
    [[nodiscard]] glm::vec2 corner(int i) const noexcept;
    friend bool operator==(const Obb2&, const Obb2&) = default;
};

/// True iff `p` lies in the closed rectangle, tested in double as bv/shapes/contains_point.hpp says.
[[nodiscard]] bool contains_point(const Obb2& box, const glm::vec2& p) noexcept;

}  // namespace bv
