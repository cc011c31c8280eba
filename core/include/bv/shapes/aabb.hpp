// Axis-aligned bounding boxes in the three classic forms: min-max, center-extents, min-size.
//
// All other code works in min-max form. The other two are for interchange: a conversion never shrinks the box
// and grows it by at most one rounding step per face, the step of the largest number in either form on that
// axis (Ericson 2005, section 4.2).
#pragma once

#include <array>
#include <glm/mat4x3.hpp>
#include <glm/vec3.hpp>
#include <limits>

namespace bv {

/// A closed box with faces parallel to the axes, in meters. Empty by default, with `min = +inf`, `max =
/// -inf`: it overlaps nothing, contains nothing, and is the identity of `merge`.
struct Aabb {
    glm::vec3 min{std::numeric_limits<float>::infinity()};
    glm::vec3 max{-std::numeric_limits<float>::infinity()};

    /// True if the box contains no finite point: `min > max` on any axis, a bound is NaN, or both are the
    /// same infinity (bv/shapes/not_finite.hpp).
    [[nodiscard]] constexpr bool is_empty() const noexcept {
        // A difference of floats has the right sign, and inf - inf is NaN.
        return !(max.x - min.x >= 0.0f && max.y - min.y >= 0.0f && max.z - min.z >= 0.0f);
    }
    /// True if not empty and every bound is finite. Trees accept only such boxes.
    [[nodiscard]] bool is_finite() const noexcept;

    [[nodiscard]] glm::vec3 center() const noexcept;  ///< Midpoint; does not overflow. Zero when empty.
    [[nodiscard]] glm::vec3 size() const noexcept;    ///< max - min; zero when empty.
    [[nodiscard]] glm::vec3 half_extents()
        const noexcept;                           ///< Half of `size`; does not overflow. Zero when empty.
    [[nodiscard]] float volume() const noexcept;  ///< 0 when empty.
    [[nodiscard]] float surface_area() const noexcept;  ///< All six faces; 0 when empty.
    /// Corner `i` in 0..7: bit 0 chooses max.x, bit 1 max.y, bit 2 max.z.
    [[nodiscard]] constexpr glm::vec3 corner(int i) const noexcept {
        return {(i & 1) ? max.x : min.x, (i & 2) ? max.y : min.y, (i & 4) ? max.z : min.z};
    }

    friend bool operator==(const Aabb&, const Aabb&) = default;
};

/// True iff `p` lies in the closed box. Exact; false for a point that is not finite.
[[nodiscard]] constexpr bool contains_point(const Aabb& box, const glm::vec3& p) noexcept {
    return p.x - box.min.x >= 0.0f && box.max.x - p.x >= 0.0f && p.y - box.min.y >= 0.0f &&
           box.max.y - p.y >= 0.0f && p.z - box.min.z >= 0.0f && box.max.z - p.z >= 0.0f;
}

/// Center and half extents. Negative extents mean the empty box.
struct CenterExtents {
    glm::vec3 center{0.0f};
    glm::vec3 half_extents{-1.0f};
    friend bool operator==(const CenterExtents&, const CenterExtents&) = default;
};

/// Minimum corner and edge lengths. Negative sizes mean the empty box.
struct MinSize {
    glm::vec3 min{0.0f};
    glm::vec3 size{-1.0f};
    friend bool operator==(const MinSize&, const MinSize&) = default;
};

/// Each result contains its argument; finite boxes stay finite unless their size itself overflows. An
/// infinite bound becomes the whole axis in center-extents form.
[[nodiscard]] CenterExtents to_center_extents(const Aabb& box) noexcept;
[[nodiscard]] MinSize to_min_size(const Aabb& box) noexcept;
[[nodiscard]] Aabb to_aabb(const CenterExtents& box) noexcept;
[[nodiscard]] Aabb to_aabb(const MinSize& box) noexcept;

/// Smallest box that contains both, for boxes that are not inside out and `Aabb{}`: bounds are compared one
/// by one, so those of another inside-out box count. A NaN bound in either may remain, and the result is then
/// empty.
[[nodiscard]] constexpr Aabb merge(const Aabb& a, const Aabb& b) noexcept {
    return {{a.min.x < b.min.x ? a.min.x : b.min.x, a.min.y < b.min.y ? a.min.y : b.min.y,
             a.min.z < b.min.z ? a.min.z : b.min.z},
            {a.max.x > b.max.x ? a.max.x : b.max.x, a.max.y > b.max.y ? a.max.y : b.max.y,
             a.max.z > b.max.z ? a.max.z : b.max.z}};
}
/// Smallest box that contains `box` and `point`. A NaN coordinate leaves that axis unchanged.
[[nodiscard]] Aabb merge(const Aabb& box, const glm::vec3& point) noexcept;
/// The intersection of two closed boxes: flat if they only touch, empty if they are disjoint.
[[nodiscard]] Aabb intersection(const Aabb& a, const Aabb& b) noexcept;
/// The box with every face moved outward by `margin` meters, rounded outward; a negative or NaN margin counts
/// as 0. The empty box stays empty.
[[nodiscard]] Aabb grown(const Aabb& box, float margin) noexcept;
/// The box swept along `displacement`: contains the box at both ends and in between. A NaN component counts
/// as zero.
[[nodiscard]] Aabb swept(const Aabb& box, const glm::vec3& displacement) noexcept;
/// A box that contains the image of `box` under `x -> M x + t` (columns 0..2 of the 4x3 matrix are M, column
/// 3 is t), by Arvo's per-entry sums, rounded outward. A row that is not finite can give an axis from -inf to
/// +inf. Cost: 18 products. Source: Arvo 1990.
[[nodiscard]] Aabb transformed(const Aabb& box, const glm::mat4x3& affine) noexcept;
/// The same by mapping all eight corners. Slower, never looser; for demonstration and to check the other.
[[nodiscard]] Aabb transformed_corners(const Aabb& box, const glm::mat4x3& affine) noexcept;

}  // namespace bv
