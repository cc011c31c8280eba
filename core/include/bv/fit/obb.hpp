// Oriented boxes of points. Common rules for degenerate and non-finite points: bv/fit/sphere.hpp.
#pragma once

#include <glm/vec3.hpp>
#include <span>

#include "bv/shapes/obb.hpp"

namespace bv::fit {

/// The box along the principal axes of the points, longest spread first: where points are dense decides the
/// directions, so it may be far from the smallest (3.4 times for an octahedron). Equal spreads keep the
/// coordinate axes. Four passes, no allocation. Source: Gottschalk 1996; Ericson 2005, section 4.4.3. Test:
/// test_fit_obb.
[[nodiscard]] Obb obb_pca(std::span<const glm::vec3> points);

}  // namespace bv::fit
