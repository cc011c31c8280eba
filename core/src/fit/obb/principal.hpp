// Principal axes: of points, and of surfaces.
#pragma once

#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <span>

#include "bv/shapes/hull.hpp"
#include "fit/passes.hpp"

namespace bv::detail {

/// Axes of the finite points, largest variance first; the identity if there are none.
[[nodiscard]] glm::dmat3 principal_axes(Points points) noexcept;

/// Axes of a surface of triangles, each weighted by its area. The identity, and `has_area` false, if there is
/// no area.
[[nodiscard]] glm::dmat3 principal_axes_of_surface(Points positions, std::span<const glm::uvec3> triangles,
                                                   bool& has_area) noexcept;

/// Axes of a hull's surface; of its vertices if it has none.
[[nodiscard]] glm::dmat3 principal_axes_of_hull(const Hull& hull) noexcept;

}  // namespace bv::detail
