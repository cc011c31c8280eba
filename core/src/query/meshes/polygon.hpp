// Triangulates the area between loops in the plane.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <vector>

namespace bv::detail {

/// A corner of a loop: its position in the plane and its external id.
struct LoopPoint {
    glm::dvec2 at{0.0};
    std::uint32_t id = 0;
};
using Loop = std::vector<LoopPoint>;

[[nodiscard]] double signed_area(const Loop& loop) noexcept;

/// Fills the area between the loops, outer ones counter-clockwise and holes clockwise, by ear clipping after
/// each hole was joined to the loop around it by a pair of bridges. Uses each given edge exactly once, in its
/// direction, and each inner one once in either direction, regardless of the coordinates: so a topologically
/// closed mesh stays closed. Source: Eberly 2002.
void triangulate(std::vector<Loop> loops, std::vector<glm::uvec3>& triangles);

}  // namespace bv::detail
