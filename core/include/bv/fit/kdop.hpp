// k-DOPs of points. Common rules for degenerate and non-finite points: bv/fit/sphere.hpp.
#pragma once

#include <glm/mat4x3.hpp>
#include <glm/vec3.hpp>
#include <span>

#include "bv/shapes/kdop.hpp"
#include "bv/trace/trace.hpp"

namespace bv::fit {

/// The smallest k-DOP of the points, K one of 6, 8, 14, 18, 26: exact but for rounding outward to float. One
/// pass, no allocation. Source: Klosowski 1998. Test: test_fit_volumes.
template <int K>
[[nodiscard]] Kdop<K> kdop(std::span<const glm::vec3> points);

/// The same, with a SlabFitted for each direction. The trace costs a pass over the points for each.
template <int K>
[[nodiscard]] Kdop<K> kdop(std::span<const glm::vec3> points, Recording& trace);

/// The k-DOP of the points' images under an affine map, rounded outward, without storing the images. Tighter,
/// and costlier, than bv::transformed of the points' k-DOP. Empty if the matrix is not finite.
template <int K>
[[nodiscard]] Kdop<K> kdop(std::span<const glm::vec3> points, const glm::mat4x3& affine);

}  // namespace bv::fit
