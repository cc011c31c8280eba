// Box arithmetic of the trees' inner loops, inline.
#pragma once

#include <glm/vec3.hpp>

#include "bv/shapes/aabb.hpp"
#include "simd/float4.hpp"

namespace bv::detail {

/// Half the surface area, which is enough for comparisons. Infinite or NaN for boxes larger than about 1e19
/// m: compare such that both lose.
[[nodiscard]] inline float half_area(const Aabb& b) noexcept {
    const float x = b.max.x - b.min.x;
    const float y = b.max.y - b.min.y;
    const float z = b.max.z - b.min.z;
    return x * y + y * z + z * x;
}
/// A box in two registers, for merging and areas: the same bits as `merge` and `half_area`.
struct LoadedBox {
    simd::Float4 low;   ///< In the first three lanes.
    simd::Float4 high;  ///< In the last three lanes.

    explicit LoadedBox(const Aabb& b) noexcept
        : low(simd::Float4::load_unaligned(&b.min.x)), high(simd::Float4::load_unaligned(&b.min.z)) {}
    LoadedBox(simd::Float4 low_lanes, simd::Float4 high_lanes) noexcept : low(low_lanes), high(high_lanes) {}
    void store(Aabb& b) const noexcept {
        low.store_unaligned(&b.min.x);
        simd::with_first_from_third(high, low).store_unaligned(&b.min.z);
    }
};
[[nodiscard]] inline LoadedBox merge(const LoadedBox& a, const LoadedBox& b) noexcept {
    return {simd::min(a.low, b.low), simd::max(a.high, b.high)};
}
[[nodiscard]] inline bool operator==(const LoadedBox& a, const LoadedBox& b) noexcept {
    return (simd::equal_bits(a.low, b.low) & 7) == 7 && (simd::equal_bits(a.high, b.high) & 14) == 14;
}
static_assert(sizeof(Aabb) == 6 * sizeof(float), "both loads stay inside the box");

[[nodiscard]] inline float half_area(const LoadedBox& b) noexcept {
    return simd::half_area(simd::yzwx(b.high) - b.low);
}
/// Half the surface area of the box around both.
[[nodiscard]] inline float merged_half_area(const LoadedBox& a, const LoadedBox& b) noexcept {
    return half_area(merge(a, b));
}
[[nodiscard]] inline bool overlaps(const Aabb& a, const Aabb& b) noexcept {
    // Bitwise: six comparisons without branches.
    return (a.min.x <= b.max.x) & (a.max.x >= b.min.x) & (a.min.y <= b.max.y) & (a.max.y >= b.min.y) &
           (a.min.z <= b.max.z) & (a.max.z >= b.min.z);
}
/// The same for boxes without NaN.
[[nodiscard]] inline bool overlaps(const LoadedBox& a, const LoadedBox& b) noexcept {
    return ((simd::less_bits(simd::yzwx(a.high), b.low) | simd::less_bits(simd::yzwx(b.high), a.low)) & 7) ==
           0;
}
[[nodiscard]] inline bool contains(const Aabb& outer, const Aabb& inner) noexcept {
    return (outer.min.x <= inner.min.x) & (outer.min.y <= inner.min.y) & (outer.min.z <= inner.min.z) &
           (outer.max.x >= inner.max.x) & (outer.max.y >= inner.max.y) & (outer.max.z >= inner.max.z);
}
[[nodiscard]] inline bool contains(const LoadedBox& outer, const LoadedBox& inner) noexcept {
    return (simd::less_bits(inner.low, outer.low) & 7) == 0 &&
           (simd::less_bits(outer.high, inner.high) & 14) == 0;
}
/// As `Aabb::is_finite`: not empty, and finite.
[[nodiscard]] inline bool is_finite_box(const LoadedBox& b) noexcept {
    return simd::all_finite(b.low) && simd::all_finite(b.high) &&
           (simd::less_bits(simd::yzwx(b.high), b.low) & 7) == 0;
}
/// Twice the center, which is enough to compare distances.
[[nodiscard]] inline glm::vec3 center2(const Aabb& b) noexcept {
    return b.min + b.max;
}

}  // namespace bv::detail
