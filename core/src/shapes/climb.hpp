// Hill climbing over a hull with a direction in double.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>

#include "bv/shapes/hull.hpp"

namespace bv::detail {

/// A vertex with no neighbor farther along `direction`; by convexity, no other vertex is farther either.
/// `start` must be a valid index.
[[nodiscard]] std::uint32_t climb(const Hull& hull, const glm::dvec3& direction,
                                  std::uint32_t start) noexcept;

}  // namespace bv::detail
