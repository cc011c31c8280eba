// The walk of GJK with AVX2. Only called where `best_simd()` says so.
#pragma once

#include "simd/query_avx2.hpp"

namespace bv {
class ConvexRef;
namespace detail {
struct GjkWalk;
}
}  // namespace bv

namespace bv::simd {

/// `walk_to_origin` of query/distance/gjk_walk.hpp.
void gjk_walk_avx2(const ConvexRef& a, const ConvexRef& b, double near, double far,
                   detail::GjkWalk& out) noexcept;

}  // namespace bv::simd
