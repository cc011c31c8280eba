// Shared by all ray casts against solids: which rays are usable, and the hit for an interval of the line.
#pragma once

#include <cmath>
#include <optional>

#include "bv/query/raycast.hpp"
#include "query/precise.hpp"
#include "query/rays/slab_clip.hpp"

namespace bv::detail {

[[nodiscard]] inline bool usable(const Ray& ray) noexcept {
    return is_finite(ray.origin) && is_finite(ray.direction) && ray.t_max >= ray.t_begin();
}

/// The hit of a solid that the line intersects in `span`; empty if the ray is entirely outside. The normal
/// is left zero.
[[nodiscard]] inline std::optional<RayHit> hit_solid(const Ray& ray, const LineInterval& span) noexcept {
    const double begin = ray.t_begin();
    if (span.empty() || span.exit < begin || span.enter > static_cast<double>(ray.t_max)) return std::nullopt;
    RayHit hit;
    hit.t = ray.t_begin();
    hit.t_enter = static_cast<float>(span.enter);
    hit.t_exit = static_cast<float>(span.exit);
    if (span.enter >= begin) {
        hit.t = hit.t_enter;
        hit.feature = span.enter_face;
    }
    // The point is valid even if its t exceeds the largest float, or is less than the smallest.
    const bool is_normal = std::isnormal(hit.t) || span.enter < begin || span.enter == 0.0;
    const double t = is_normal ? static_cast<double>(hit.t) : span.enter;
    hit.point = narrow(wide(ray.origin) + t * wide(ray.direction));
    return hit;
}

}  // namespace bv::detail
