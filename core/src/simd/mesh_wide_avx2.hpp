// The AVX2 form of rays through a wide mesh tree. Only called where `best_simd()` says so.
#pragma once

#include "bv/tree/mesh_bvh_wide.hpp"
#include "simd/query_avx2.hpp"

namespace bv::detail {
struct MeshRay;
struct WideResult;
struct WideView;
}  // namespace bv::detail

namespace bv::simd {

/// `result.best.t` is the limit on entry. `any`: end at the first hit found.
void cast_wide_avx2(const detail::WideView& tree, const detail::MeshRay& ray, RayMode mode, bool any,
                    detail::WideResult& result) noexcept;

}  // namespace bv::simd
