// One box of a tree against the eight children of a node of another, in the lanes of a register: line by line
// the same as the scalar form in collide_walk.cpp, with the same order of operations and no fused
// multiply-add.
#include "simd/mesh/collide_avx2.hpp"

#if BV_HAS_AVX2_KERNELS

#include <immintrin.h>

#define BV_AVX2 __attribute__((target("avx2")))

namespace bv::simd {
namespace {

BV_AVX2 inline __m256 steps(const std::uint8_t* bytes) noexcept {
    return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes))));
}
BV_AVX2 inline __m256 absolute(__m256 x) noexcept {
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x);
}
BV_AVX2 inline __m256 madd(float a, __m256 b, __m256 sum) noexcept {
    return _mm256_add_ps(_mm256_mul_ps(_mm256_set1_ps(a), b), sum);
}

}  // namespace

BV_AVX2 std::uint32_t overlapping_children_avx2(const detail::Bvh8Node& node,
                                                const detail::Crossing& crossing,
                                                const detail::CenterBox& other,
                                                detail::CenterBox8& children) noexcept {
    __m256 half[3];
    __m256 delta[3];
    __m256 overlapping = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
    for (int i = 0; i < 3; ++i) {
        const __m256 lo = steps(node.lo[i]);
        const __m256 hi = steps(node.hi[i]);
        const __m256 half_step = _mm256_set1_ps(node.step[i] * 0.5f);
        half[i] = _mm256_mul_ps(_mm256_sub_ps(hi, lo), half_step);
        const __m256 center =
            _mm256_add_ps(_mm256_set1_ps(node.origin[i]), _mm256_mul_ps(_mm256_add_ps(hi, lo), half_step));
        _mm256_store_ps(children.center[i], center);
        _mm256_store_ps(children.half[i], half[i]);
        const float at = ((crossing.axes[0][i] * other.center.x + crossing.axes[1][i] * other.center.y) +
                          crossing.axes[2][i] * other.center.z) +
                         crossing.offset[i];
        const float reach =
            ((crossing.abs_axes[0][i] * other.half.x + crossing.abs_axes[1][i] * other.half.y) +
             crossing.abs_axes[2][i] * other.half.z) +
            crossing.slack;
        delta[i] = _mm256_sub_ps(_mm256_set1_ps(at), center);
        const __m256 limit = _mm256_add_ps(half[i], _mm256_set1_ps(reach));
        overlapping = _mm256_and_ps(overlapping, _mm256_cmp_ps(absolute(delta[i]), limit, _CMP_LE_OQ));
    }
    for (int j = 0; j < 3; ++j) {
        const float* axis = crossing.unit[j];
        const float* abs_axis = crossing.abs_unit[j];
        __m256 along = _mm256_mul_ps(_mm256_set1_ps(axis[0]), delta[0]);
        along = madd(axis[1], delta[1], along);
        along = madd(axis[2], delta[2], along);
        __m256 reach = _mm256_set1_ps(other.half[j] * crossing.scale + crossing.slack);
        reach = madd(abs_axis[0], half[0], reach);
        reach = madd(abs_axis[1], half[1], reach);
        reach = madd(abs_axis[2], half[2], reach);
        overlapping = _mm256_and_ps(overlapping, _mm256_cmp_ps(absolute(along), reach, _CMP_LE_OQ));
    }
    return static_cast<std::uint32_t>(_mm256_movemask_ps(overlapping)) & node.used;
}

}  // namespace bv::simd

#endif
