// Axis-aligned boxes of points. Common rules for degenerate and non-finite points: bv/fit/sphere.hpp.
#pragma once

#include <glm/vec3.hpp>
#include <span>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/sphere.hpp"

namespace bv::fit {

/// The smallest AABB of the points: exact, nothing is rounded. Must be made again when the points turn. One
/// pass, no allocation. Test: test_fit_aabb.
[[nodiscard]] Aabb aabb_tight(std::span<const glm::vec3> points);

/// The box of a ball: it stays valid, and keeps its size, however the content turns about the ball's center.
/// Empty for the empty ball. Rounded outward. Source: Ericson 2005, section 4.2.
[[nodiscard]] Aabb aabb_fixed(const Sphere& sphere);

}  // namespace bv::fit
