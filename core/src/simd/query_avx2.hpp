// The AVX2 forms of the batch queries. Only called where `best_simd()` says so; elsewhere they are not
// compiled.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bv/query/batch.hpp"

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define BV_HAS_AVX2_KERNELS 1
#else
#define BV_HAS_AVX2_KERNELS 0
#endif

namespace bv::simd {

void raycast_boxes_avx2(const RaySlabs& ray, float t_max, const Aabb8* boxes, std::size_t count,
                        Hits8* hits) noexcept;
void raycast_boxes_avx2(const RaySlabs8& rays, const Aabb* boxes, std::size_t count, Hits8* hits) noexcept;
/// Pairs a[i * a_stride], b[i]; `count` is a multiple of eight. A stride of 0 tests one box against many.
void overlap_pairs_avx2(const Obb* a, std::size_t a_stride, const Obb* b, std::size_t count,
                        std::uint8_t* out) noexcept;

}  // namespace bv::simd
