// Axis-aligned boxes of points. Common rules for degenerate and non-finite points: bv/fit/sphere.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <glm/mat4x3.hpp>
#include <glm/vec3.hpp>
#include <span>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/hull.hpp"
#include "bv/shapes/sphere.hpp"

namespace bv::fit {

/// The smallest AABB of the points, exact: nothing is rounded. Must be refitted when the points rotate. One
/// pass, no allocation. Test: test_fit_basic.
[[nodiscard]] Aabb aabb_tight(std::span<const glm::vec3> points);

/// The smallest AABB of the points' images under an affine map, rounded outward, without storing the images.
/// Tighter, and costlier, than bv::transformed of the points' box. Empty if the matrix is not finite.
[[nodiscard]] Aabb aabb_tight(std::span<const glm::vec3> points, const glm::mat4x3& affine);

/// The extreme vertices of a hull along -x, +x, -y, +y, -z, +z, by index: the starting points of the next
/// search.
using ExtremeVertices = std::array<std::uint32_t, 6>;

/// The AABB of a hull's image under an affine map from its extreme points alone, each found by hill climbing
/// over the hull from its last position: a few steps for a body that turned a little, instead of a pass over
/// all points. Rounded outward: contains the image of every vertex. `extremes` is read and updated; any valid
/// vertex indices will do at first. Empty for an empty hull or a matrix that is not finite. No allocation.
/// Source: Ericson 2005, section 4.2.5.
[[nodiscard]] Aabb aabb_extremes(const Hull& hull, const glm::mat4x3& affine, ExtremeVertices& extremes);

/// The box of a ball: stays valid, at the same size, under any rotation of the content about the ball's
/// center. Empty for the empty ball. Rounded outward. Source: Ericson 2005, section 4.2.
[[nodiscard]] Aabb aabb_fixed(const Sphere& sphere);

}  // namespace bv::fit
