// The AVX2 form of rays through a wide mesh tree. Only called where `best_simd()` says so.
#pragma once

#include "bv/tree/mesh_bvh_wide.hpp"
#include "simd/query_avx2.hpp"

namespace bv::detail {
struct MeshRay;
struct Bvh8Result;
struct Bvh8View;
}  // namespace bv::detail

namespace bv::simd {

/// `result.best.t` is the limit on entry. `any`: end at the first hit found.
void cast_wide_avx2(const detail::Bvh8View& tree, const detail::MeshRay& ray, RayMode mode, bool any,
                    detail::Bvh8Result& result) noexcept;

}  // namespace bv::simd
