// Sets of rays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/ray.hpp"

namespace bv::workloads {

/// From a point on the sphere around `bounds`, of twice the radius needed, through a point within the bounds.
/// Unit directions, infinite length. Every ray hits the bounds.
std::vector<Ray> rays_from_outside(std::size_t count, const Aabb& bounds, std::uint64_t seed);
/// From a point within the bounds in any direction. Unit directions, infinite length.
std::vector<Ray> rays_from_inside(std::size_t count, const Aabb& bounds, std::uint64_t seed);
/// From one point within the bounds to another: t_max is 1 and the direction is their difference.
std::vector<Ray> segments_inside(std::size_t count, const Aabb& bounds, std::uint64_t seed);
/// One ray for each pixel of a square image, row by row, from an eye that sees all of the bounds: neighbors
/// in the list are neighbors in space. Unit directions.
std::vector<Ray> primary_rays(int pixels_per_side, const Aabb& bounds);
/// Awkward rays: along the axes, starting on faces, edges and corners of the bounds, with zero direction,
/// zero length, or negative zeros. Deterministic.
std::vector<Ray> awkward_rays(const Aabb& bounds);

}  // namespace bv::workloads
