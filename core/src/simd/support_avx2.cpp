// Calls no inline function of any library: see point_kernels_avx2.cpp.
#include "simd/support_avx2.hpp"

#if BV_HAS_AVX2_KERNELS

#include <immintrin.h>

#define BV_AVX2 __attribute__((target("avx2")))

namespace bv::simd {
namespace {

/// The best of each lane so far, and which point that was; indices as doubles, which are exact.
struct Best {
    __m256d value;
    __m256d index;
};

struct Direction {
    __m256d x, y, z;
};

/// Projects four consecutive points; reads exactly their twelve floats.
BV_AVX2 inline __m256d project4(const float* p, const Direction& d) noexcept {
    const __m128 a = _mm_loadu_ps(p);                                 // x0 y0 z0 x1
    const __m128 b = _mm_loadu_ps(p + 4);                             // y1 z1 x2 y2
    const __m128 c = _mm_loadu_ps(p + 8);                             // z2 x3 y3 z3
    const __m128 xy = _mm_shuffle_ps(b, c, _MM_SHUFFLE(2, 1, 3, 2));  // x2 y2 x3 y3
    const __m128 yz = _mm_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 2, 1));  // y0 z0 y1 z1
    const __m256d x = _mm256_cvtps_pd(_mm_shuffle_ps(a, xy, _MM_SHUFFLE(2, 0, 3, 0)));
    const __m256d y = _mm256_cvtps_pd(_mm_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0)));
    const __m256d z = _mm256_cvtps_pd(_mm_shuffle_ps(yz, c, _MM_SHUFFLE(3, 0, 3, 1)));
    return _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(x, d.x), _mm256_mul_pd(y, d.y)), _mm256_mul_pd(z, d.z));
}

/// Replaces only where strictly better, so the first of equal points stays.
BV_AVX2 inline void take(Best& best, __m256d value, __m256d index) noexcept {
    const __m256d better = _mm256_cmp_pd(value, best.value, _CMP_GT_OQ);
    best.value = _mm256_max_pd(value, best.value);
    best.index = _mm256_blendv_pd(best.index, index, better);
}

/// The lowest index among the lanes with the largest value.
BV_AVX2 inline std::uint32_t first_best(const Best& even, const Best& odd) noexcept {
    alignas(32) double index[8];
    _mm256_store_pd(index, even.index);
    _mm256_store_pd(index + 4, odd.index);
    __m256d most = _mm256_max_pd(even.value, odd.value);
    most = _mm256_max_pd(most, _mm256_permute2f128_pd(most, most, 1));
    most = _mm256_max_pd(most, _mm256_permute_pd(most, 5));
    unsigned lanes = static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd(even.value, most, _CMP_EQ_OQ))) |
                     static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd(odd.value, most, _CMP_EQ_OQ)))
                         << 4;
    double first = index[__builtin_ctz(lanes)];
    for (lanes &= lanes - 1; lanes != 0; lanes &= lanes - 1) {
        const double other = index[__builtin_ctz(lanes)];
        first = other < first ? other : first;
    }
    return static_cast<std::uint32_t>(first);
}

}  // namespace

BV_AVX2 std::uint32_t farthest_along_avx2(const float* xyz, std::uint32_t count,
                                          const double direction[3]) noexcept {
    if (count < 4) {
        std::uint32_t best = 0;
        double most = -__builtin_inf();
        for (std::uint32_t i = 0; i < count; ++i) {
            const float* const p = xyz + 3 * i;
            const double along =
                (static_cast<double>(p[0]) * direction[0] + static_cast<double>(p[1]) * direction[1]) +
                static_cast<double>(p[2]) * direction[2];
            if (along > most) most = along, best = i;
        }
        return best;
    }
    const Direction d{_mm256_set1_pd(direction[0]), _mm256_set1_pd(direction[1]),
                      _mm256_set1_pd(direction[2])};
    const __m256d lowest = _mm256_set1_pd(-__builtin_inf());
    const __m256d lanes = _mm256_setr_pd(0.0, 1.0, 2.0, 3.0);
    // Two independent halves, so that neither waits for the other.
    Best even{lowest, lanes};
    Best odd{lowest, lanes};
    __m256d index = lanes;
    const __m256d four = _mm256_set1_pd(4.0);
    if (count < 8) {
        take(even, project4(xyz, d), index);
    } else {
        const __m256d eight = _mm256_set1_pd(8.0);
        for (std::uint32_t i = 0; i + 8 < count; i += 8) {
            take(even, project4(xyz + 3 * i, d), index);
            take(odd, project4(xyz + 3 * i + 12, d), _mm256_add_pd(index, four));
            index = _mm256_add_pd(index, eight);
        }
    }
    // The last points, some of them for the second time: fewer branches than the rest by itself.
    const std::uint32_t rest = count < 8 ? count - 4 : count - 8;
    index = _mm256_add_pd(lanes, _mm256_set1_pd(rest));
    take(even, project4(xyz + 3 * rest, d), index);
    if (count >= 8) take(odd, project4(xyz + 3 * rest + 12, d), _mm256_add_pd(index, four));
    return first_best(even, odd);
}

BV_AVX2 void sum_of_avx2(const float* xyz, std::uint32_t count, float sum[3]) noexcept {
    // Twenty-four floats, x y z of eight points, in three registers.
    __m256 low = _mm256_setzero_ps();
    __m256 middle = _mm256_setzero_ps();
    __m256 high = _mm256_setzero_ps();
    std::uint32_t i = 0;
    const float* p = xyz;
    for (; i + 8 <= count; i += 8, p += 24) {
        low = _mm256_add_ps(low, _mm256_loadu_ps(p));
        middle = _mm256_add_ps(middle, _mm256_loadu_ps(p + 8));
        high = _mm256_add_ps(high, _mm256_loadu_ps(p + 16));
    }
    if (i < count) {
        const int left = static_cast<int>(3 * (count - i));
        const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        const __m256i m0 = _mm256_cmpgt_epi32(_mm256_set1_epi32(left), lanes);
        const __m256i m1 = _mm256_cmpgt_epi32(_mm256_set1_epi32(left - 8), lanes);
        const __m256i m2 = _mm256_cmpgt_epi32(_mm256_set1_epi32(left - 16), lanes);
        low = _mm256_add_ps(low, _mm256_maskload_ps(p, m0));
        middle = _mm256_add_ps(middle, _mm256_maskload_ps(p + 8, m1));
        high = _mm256_add_ps(high, _mm256_maskload_ps(p + 16, m2));
    }
    // part[k] += part[k + 12], as twelve floats in three registers of four.
    const __m128 a = _mm_add_ps(_mm256_castps256_ps128(low), _mm256_extractf128_ps(middle, 1));
    const __m128 b = _mm_add_ps(_mm256_extractf128_ps(low, 1), _mm256_castps256_ps128(high));
    const __m128 c = _mm_add_ps(_mm256_castps256_ps128(middle), _mm256_extractf128_ps(high, 1));
    float part[12];
    _mm_storeu_ps(part, a);
    _mm_storeu_ps(part + 4, b);
    _mm_storeu_ps(part + 8, c);
    for (int k = 0; k < 3; ++k)
        sum[k] = (part[k] + part[k + 6]) + (part[k + 3] + part[k + 9]);
}

}  // namespace bv::simd

#endif
