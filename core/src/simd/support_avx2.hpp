// The AVX2 forms of GJK's searches for support vertices, and of its walk. Only called where `best_simd()`
// says so.
#pragma once

#include <cstdint>

#include "simd/query_avx2.hpp"
#include "simd/support.hpp"

namespace bv {
class ConvexRef;
namespace detail {
struct GjkWalk;
}
}  // namespace bv

namespace bv::simd {

/// The first of `count` points x, y, z (at least one, all finite) with the largest projection on `direction`,
/// in double, (x * dx + y * dy) + z * dz.
[[nodiscard]] std::uint32_t farthest_along_avx2(const float* xyz, std::uint32_t count,
                                                const double direction[3]) noexcept;

/// As `MiddleOf` of simd/support.hpp.
void middle_of_avx2(const float* xyz, std::uint32_t count, float middle[3]) noexcept;
/// The same for fewer than eight points, in plain C++.
void middle_of_few(const float* xyz, std::uint32_t count, float middle[3]) noexcept;
/// As `FillColumns` and `FarthestInColumns`.
[[nodiscard]] bool fill_columns_avx2(HullColumns& columns, const float* xyz, std::uint32_t count) noexcept;
[[nodiscard]] std::uint32_t farthest_in_columns_avx2(const HullColumns& columns,
                                                     const double direction[3]) noexcept;

/// `walk_to_origin` of query/distance/gjk_walk.inl.
void gjk_walk_avx2(const ConvexRef& a, const ConvexRef& b, double near, double far,
                   detail::GjkWalk& out) noexcept;

}  // namespace bv::simd
