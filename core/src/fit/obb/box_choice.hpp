// The smaller of two boxes, and the last event of a fit.
#pragma once

#include <glm/vec3.hpp>

#include "bv/shapes/obb.hpp"
#include "bv/trace/events.hpp"

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

/// What a fit returns, as the last step of its trace.
template <class Sink>
void report_result(const Obb& box, Sink& sink) {
    if constexpr (Sink::kEnabled)
        sink(BoxConsidered{box, static_cast<float>(box.volume()), BoxConsidered::Reason::Measured, true});
}

}  // namespace bv::detail
