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

/// The smallest AABB of the points: exact, nothing is rounded. Must be made again when the points turn. One
/// pass, no allocation. Test: test_fit_aabb.
[[nodiscard]] Aabb aabb_tight(std::span<const glm::vec3> points);

/// The smallest AABB of the points' images under an affine map, rounded outward, without storing the images:
/// what bv::transformed of a box saves, and is tighter than. Empty if the matrix is not finite.
[[nodiscard]] Aabb aabb_tight(std::span<const glm::vec3> points, const glm::mat4x3& affine);

/// The extreme vertices of a hull along -x, +x, -y, +y, -z, +z, by index; where the next search begins.
using ExtremeVertices = std::array<std::uint32_t, 6>;

/// The AABB of a hull's image under an affine map from its extreme points alone, each found by climbing over
/// the hull from where it was last time: for a body that turns a little, a few steps instead of a pass over
/// all points. Rounded outward: contains the image of every vertex. `extremes` is read and updated; any
/// indices of vertices will do to begin with. Empty for an empty hull or a matrix that is not finite. No
/// allocation. Source: Ericson 2005, section 4.2.5.
[[nodiscard]] Aabb aabb_extremes(const Hull& hull, const glm::mat4x3& affine, ExtremeVertices& extremes);

/// The box of a ball: it stays valid, and keeps its size, however the content turns about the ball's center.
/// Empty for the empty ball. Rounded outward. Source: Ericson 2005, section 4.2.
[[nodiscard]] Aabb aabb_fixed(const Sphere& sphere);

}  // namespace bv::fit
