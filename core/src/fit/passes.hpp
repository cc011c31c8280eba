// The passes over all points that fits are made of. Each skips points with a non-finite coordinate.
#pragma once

#include <array>
#include <cstddef>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/sphere.hpp"

namespace bv::detail {

using Points = std::span<const glm::vec3>;

inline constexpr std::size_t kNoPoint = static_cast<std::size_t>(-1);

/// Box of all finite points.
[[nodiscard]] Aabb bounds_of(Points points) noexcept;

/// The point farthest from `center`, the first on a tie; index kNoPoint if no point is finite.
struct Farthest {
    std::size_t index = kNoPoint;
    double distance_sq = -1.0;
};
[[nodiscard]] Farthest farthest_from(Points points, const glm::dvec3& center) noexcept;

/// Offsets from `origin` along three axes; low > high if no point is finite.
struct Extents {
    glm::dvec3 low{0.0};
    glm::dvec3 high{0.0};
};
[[nodiscard]] Extents extents_along(Points points, const glm::mat3& axes, const glm::vec3& origin) noexcept;

/// Projections on all directions of the k-DOPs, in the order of kKdopDirections.
struct DirectionExtents {
    std::array<double, 13> low;
    std::array<double, 13> high;
};
[[nodiscard]] DirectionExtents kdop_extents(Points points) noexcept;

/// Indices of the minimal points along each direction, then of the maximal; empty if no point is finite.
[[nodiscard]] std::vector<std::size_t> extremes_along(Points points, std::span<const glm::vec3> directions);

/// The smallest ball with this center, rounded to float, that contains all finite points.
[[nodiscard]] Sphere ball_around(Points points, const glm::dvec3& center) noexcept;

/// Mean of all finite points, as an offset from one of them: far from the origin their sum would lose
/// precision.
struct Mean {
    glm::dvec3 origin{0.0};
    glm::dvec3 offset{0.0};
    std::size_t count = 0;  ///< Number of finite points.
};
[[nodiscard]] Mean mean_of(Points points) noexcept;

/// The smallest box with these axes, rounded to float, that contains all finite points; empty without points.
[[nodiscard]] Obb box_along(Points points, const glm::dmat3& axes) noexcept;

}  // namespace bv::detail
