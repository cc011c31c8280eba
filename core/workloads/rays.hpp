// Rays to cast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/ray.hpp"

namespace bv::workloads {

/// From a point on the sphere around `bounds`, twice as large as needed, through a point within the bounds.
/// Unit directions, no end. Every ray crosses the bounds.
std::vector<Ray> rays_from_outside(std::size_t count, const Aabb& bounds, std::uint64_t seed);
/// From a point within the bounds in any direction. Unit directions, no end.
std::vector<Ray> rays_from_inside(std::size_t count, const Aabb& bounds, std::uint64_t seed);
/// From one point within the bounds to another: t_max is 1 and the direction is as long as the way.
std::vector<Ray> segments_inside(std::size_t count, const Aabb& bounds, std::uint64_t seed);
/// One ray for each pixel of a square picture, row by row, from an eye that sees the bounds whole: neighbors
/// in the list are neighbors in space. Unit directions.
std::vector<Ray> primary_rays(int pixels_per_side, const Aabb& bounds);
/// Rays made to be awkward: along the axes, starting on faces, edges and corners of the bounds, with zero
/// direction, with zero length, backward zeros. Always the same.
std::vector<Ray> awkward_rays(const Aabb& bounds);

}  // namespace bv::workloads
