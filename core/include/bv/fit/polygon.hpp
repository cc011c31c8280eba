// The convex hull of points in the plane. Source: Andrew 1979, by sorted chains.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <span>
#include <vector>

namespace bv::fit {

/// The corners of the smallest convex polygon around the points, as indices, counter-clockwise from the
/// leftmost and among those the lowest point. Points inside or on an edge are no corners, of equal points
/// only the first is one, and points that are not finite are skipped. Two corners if all points lie in one
/// line, one if they coincide, none without finite points. Exact for all finite floats. O(n log n),
/// allocates.
[[nodiscard]] std::vector<std::uint32_t> convex_polygon(std::span<const glm::vec2> points);

}  // namespace bv::fit
