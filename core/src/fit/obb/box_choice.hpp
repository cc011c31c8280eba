// The smaller of two boxes.
#pragma once

#include <glm/vec3.hpp>

#include "bv/shapes/obb.hpp"

namespace bv::detail {

/// The box of less volume, by the extents as stored; on a tie, as between flat boxes, the one with less
/// surface area; `a` if both are equal.
inline const Obb& smaller_box(const Obb& a, const Obb& b) noexcept {
    const glm::dvec3 x(a.half_extents), y(b.half_extents);
    const double volume_a = x.x * x.y * x.z, volume_b = y.x * y.y * y.z;
    if (volume_a != volume_b) return volume_a < volume_b ? a : b;
    const double area_a = x.x * x.y + x.y * x.z + x.z * x.x, area_b = y.x * y.y + y.y * y.z + y.z * y.x;
    return area_a <= area_b ? a : b;
}

}  // namespace bv::detail
