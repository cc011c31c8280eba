// The WideTree kernels with AVX2. Each lane computes the scalar formula in the same order of operations.
// `_mm256_max_ps(x, y)` is `x > y ? x : y` and `_mm256_min_ps(x, y)` is `x < y ? x : y`, NaN included, as
// RaySlabs requires.
#include "simd/query_avx2.hpp"

#if BV_HAS_AVX2_KERNELS

#include <immintrin.h>

#include "simd/wide_kernels.hpp"
#include "tree/box_math.hpp"
#include "tree/grow_stack.hpp"

#define BV_WIDE_TARGET __attribute__((target("avx2")))

namespace bv::detail::wide_avx2 {

namespace {

struct Box8 {
    __m256 min[3];
    __m256 max[3];
};
struct Ray8 {
    __m256 origin[3];
    __m256 inverse[3];
    __m256 begin;
    float end;
    bool negative[3];
};

BV_WIDE_TARGET inline Box8 splat(const Aabb& box) {
    return {{_mm256_set1_ps(box.min.x), _mm256_set1_ps(box.min.y), _mm256_set1_ps(box.min.z)},
            {_mm256_set1_ps(box.max.x), _mm256_set1_ps(box.max.y), _mm256_set1_ps(box.max.z)}};
}
BV_WIDE_TARGET inline Ray8 splat(const RaySlabs& ray) {
    return {{_mm256_set1_ps(ray.origin.x), _mm256_set1_ps(ray.origin.y), _mm256_set1_ps(ray.origin.z)},
            {_mm256_set1_ps(ray.inv_direction.x), _mm256_set1_ps(ray.inv_direction.y),
             _mm256_set1_ps(ray.inv_direction.z)},
            _mm256_set1_ps(ray.t_begin),
            ray.t_end,
            {ray.negative[0], ray.negative[1], ray.negative[2]}};
}
BV_WIDE_TARGET inline unsigned overlap_mask(const WideTreeNode& n, const Box8& box) {
    __m256 hit = _mm256_cmp_ps(_mm256_load_ps(n.min[0]), box.max[0], _CMP_LE_OQ);
    for (int k = 1; k < 3; ++k)
        hit = _mm256_and_ps(hit, _mm256_cmp_ps(_mm256_load_ps(n.min[k]), box.max[k], _CMP_LE_OQ));
    for (int k = 0; k < 3; ++k)
        hit = _mm256_and_ps(hit, _mm256_cmp_ps(_mm256_load_ps(n.max[k]), box.min[k], _CMP_GE_OQ));
    return static_cast<unsigned>(_mm256_movemask_ps(hit));
}
BV_WIDE_TARGET inline unsigned ray_mask(const WideTreeNode& n, const Ray8& ray, float limit, float* t) {
    __m256 enter = ray.begin;
    __m256 leave = _mm256_set1_ps(limit > ray.end ? ray.end : limit);
    for (int k = 0; k < 3; ++k) {
        const float* near_face = ray.negative[k] ? n.max[k] : n.min[k];
        const float* far_face = ray.negative[k] ? n.min[k] : n.max[k];
        const __m256 near_t =
            _mm256_mul_ps(_mm256_sub_ps(_mm256_load_ps(near_face), ray.origin[k]), ray.inverse[k]);
        const __m256 far_t =
            _mm256_mul_ps(_mm256_sub_ps(_mm256_load_ps(far_face), ray.origin[k]), ray.inverse[k]);
        enter = _mm256_max_ps(near_t, enter);
        leave = _mm256_min_ps(far_t, leave);
    }
    _mm256_store_ps(t, enter);
    const __m256 last = _mm256_add_ps(_mm256_mul_ps(leave, _mm256_set1_ps(RaySlabs::kFarScale)),
                                      _mm256_set1_ps(RaySlabs::kFarSlack));
    const __m256 hit = _mm256_cmp_ps(enter, last, _CMP_LE_OQ);
    return static_cast<unsigned>(_mm256_movemask_ps(hit)) & ((1u << n.count) - 1u);
}
BV_WIDE_TARGET inline void fill_block(WideTreeNode& n, const WideTreeProxy* proxies) {
    static_assert(sizeof(WideTreeProxy) == 8 * sizeof(float));
    __m256 row[8];
    // Entries beyond the count repeat the first one here and become empty below.
    for (unsigned i = 0; i < 8; ++i)
        row[i] = _mm256_loadu_ps(&proxies[n.child[i < n.count ? i : 0]].min.x);
    const __m256 a0 = _mm256_unpacklo_ps(row[0], row[1]), a1 = _mm256_unpackhi_ps(row[0], row[1]);
    const __m256 a2 = _mm256_unpacklo_ps(row[2], row[3]), a3 = _mm256_unpackhi_ps(row[2], row[3]);
    const __m256 a4 = _mm256_unpacklo_ps(row[4], row[5]), a5 = _mm256_unpackhi_ps(row[4], row[5]);
    const __m256 a6 = _mm256_unpacklo_ps(row[6], row[7]), a7 = _mm256_unpackhi_ps(row[6], row[7]);
    const __m256 x0 = _mm256_shuffle_ps(a0, a2, 0x44), x1 = _mm256_shuffle_ps(a4, a6, 0x44);
    const __m256 y0 = _mm256_shuffle_ps(a0, a2, 0xee), y1 = _mm256_shuffle_ps(a4, a6, 0xee);
    const __m256 z0 = _mm256_shuffle_ps(a1, a3, 0x44), z1 = _mm256_shuffle_ps(a5, a7, 0x44);
    __m256 low[3] = {_mm256_permute2f128_ps(x0, x1, 0x20), _mm256_permute2f128_ps(y0, y1, 0x20),
                     _mm256_permute2f128_ps(z0, z1, 0x20)};
    __m256 high[3] = {_mm256_permute2f128_ps(x0, x1, 0x31), _mm256_permute2f128_ps(y0, y1, 0x31),
                      _mm256_permute2f128_ps(z0, z1, 0x31)};
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256 used =
        _mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n.count)), lane));
    const __m256 inf = _mm256_set1_ps(std::numeric_limits<float>::infinity());
    const __m256 minus_inf = _mm256_set1_ps(-std::numeric_limits<float>::infinity());
    for (int k = 0; k < 3; ++k) {
        _mm256_store_ps(n.min[k], _mm256_blendv_ps(inf, low[k], used));
        _mm256_store_ps(n.max[k], _mm256_blendv_ps(minus_inf, high[k], used));
    }
}
BV_WIDE_TARGET inline float lowest_lane(const float* v) {
    const __m256 all = _mm256_load_ps(v);
    __m128 m = _mm_min_ps(_mm256_castps256_ps128(all), _mm256_extractf128_ps(all, 1));
    m = _mm_min_ps(m, _mm_movehl_ps(m, m));
    m = _mm_min_ss(m, _mm_shuffle_ps(m, m, 1));
    return _mm_cvtss_f32(m);
}
BV_WIDE_TARGET inline float highest_lane(const float* v) {
    const __m256 all = _mm256_load_ps(v);
    __m128 m = _mm_max_ps(_mm256_castps256_ps128(all), _mm256_extractf128_ps(all, 1));
    m = _mm_max_ps(m, _mm_movehl_ps(m, m));
    m = _mm_max_ss(m, _mm_shuffle_ps(m, m, 1));
    return _mm_cvtss_f32(m);
}
BV_WIDE_TARGET inline Aabb node_bounds(const WideTreeNode& n) {
    return {{lowest_lane(n.min[0]), lowest_lane(n.min[1]), lowest_lane(n.min[2])},
            {highest_lane(n.max[0]), highest_lane(n.max[1]), highest_lane(n.max[2])}};
}
BV_WIDE_TARGET inline __m256 half_areas(const __m256* low, const __m256* high) {
    const __m256 x = _mm256_sub_ps(high[0], low[0]);
    const __m256 y = _mm256_sub_ps(high[1], low[1]);
    const __m256 z = _mm256_sub_ps(high[2], low[2]);
    return _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(x, y), _mm256_mul_ps(y, z)), _mm256_mul_ps(z, x));
}
BV_WIDE_TARGET inline unsigned least_growth(const WideTreeNode& n, const Aabb& box) {
    __m256 low[3];
    __m256 high[3];
    const Box8 one = splat(box);
    for (int k = 0; k < 3; ++k) {
        low[k] = _mm256_load_ps(n.min[k]);
        high[k] = _mm256_load_ps(n.max[k]);
    }
    const __m256 area = half_areas(low, high);
    for (int k = 0; k < 3; ++k) {
        low[k] = _mm256_min_ps(low[k], one.min[k]);
        high[k] = _mm256_max_ps(high[k], one.max[k]);
    }
    alignas(32) float areas[8];
    alignas(32) float growths[8];
    _mm256_store_ps(areas, area);
    _mm256_store_ps(growths, _mm256_sub_ps(half_areas(low, high), area));
    unsigned best = 0;
    for (unsigned i = 1; i < n.count; ++i)
        if (growths[i] < growths[best] || (growths[i] == growths[best] && areas[i] < areas[best])) best = i;
    return best;
}

}  // namespace

#include "simd/wide_kernels.inl"

}  // namespace bv::detail::wide_avx2

#endif
