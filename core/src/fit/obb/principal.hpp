// Principal axes: of points, and of surfaces.
#pragma once

#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <span>

#include "bv/shapes/hull.hpp"
#include "fit/passes.hpp"

namespace bv::detail {

/// Columns of `axes`: largest variance first; the identity if there is nothing to measure.
struct PrincipalAxes {
    glm::dmat3 axes{1.0};
    glm::dvec3 center{0.0};
    glm::dvec3 variance{0.0};  ///< Along each axis.
};

/// The principal axes of the finite points.
[[nodiscard]] PrincipalAxes principal_axes(Points points) noexcept;

/// The axes of a triangle mesh, weighted by area. `has_area` is false if there is none.
[[nodiscard]] PrincipalAxes principal_axes_of_surface(Points positions, std::span<const glm::uvec3> triangles,
                                                      bool& has_area) noexcept;

/// The axes of a hull's surface; of its vertices if it has none.
[[nodiscard]] PrincipalAxes principal_axes_of_hull(const Hull& hull) noexcept;

}  // namespace bv::detail
