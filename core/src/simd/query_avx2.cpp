// AVX2 kernels of the batch queries, eight tests in the lanes of a register. Every line is the scalar formula
// of ray_slabs.hpp or obb_sat.hpp with the same order of operations and no fused multiply-add, so that lanes
// and scalar twin agree bit for bit. `_mm256_max_ps(x, y)` is `x > y ? x : y` and `_mm256_min_ps(x, y)` is `x
// < y ? x : y`, NaN included.
#include "simd/query_avx2.hpp"

#if BV_HAS_AVX2_KERNELS

#include <immintrin.h>

#include "bv/query/obb_sat.hpp"

#define BV_AVX2 __attribute__((target("avx2")))

namespace bv::simd {
namespace {

using F8 = __m256;

static_assert(sizeof(Obb) == 15 * sizeof(float), "the transposing loads rely on it");

/// One box per lane.
struct Obb8 {
    F8 center[3];
    F8 half[3];
    F8 axes[3][3];
};

/// Transposes: on entry row[i] holds eight fields of box i, on return row[k] holds field k of all boxes.
BV_AVX2 inline void transpose(F8 row[8]) noexcept {
    const F8 t0 = _mm256_unpacklo_ps(row[0], row[1]);
    const F8 t1 = _mm256_unpackhi_ps(row[0], row[1]);
    const F8 t2 = _mm256_unpacklo_ps(row[2], row[3]);
    const F8 t3 = _mm256_unpackhi_ps(row[2], row[3]);
    const F8 t4 = _mm256_unpacklo_ps(row[4], row[5]);
    const F8 t5 = _mm256_unpackhi_ps(row[4], row[5]);
    const F8 t6 = _mm256_unpacklo_ps(row[6], row[7]);
    const F8 t7 = _mm256_unpackhi_ps(row[6], row[7]);
    const F8 s0 = _mm256_shuffle_ps(t0, t2, 0x44);
    const F8 s1 = _mm256_shuffle_ps(t0, t2, 0xee);
    const F8 s2 = _mm256_shuffle_ps(t1, t3, 0x44);
    const F8 s3 = _mm256_shuffle_ps(t1, t3, 0xee);
    const F8 s4 = _mm256_shuffle_ps(t4, t6, 0x44);
    const F8 s5 = _mm256_shuffle_ps(t4, t6, 0xee);
    const F8 s6 = _mm256_shuffle_ps(t5, t7, 0x44);
    const F8 s7 = _mm256_shuffle_ps(t5, t7, 0xee);
    row[0] = _mm256_permute2f128_ps(s0, s4, 0x20);
    row[1] = _mm256_permute2f128_ps(s1, s5, 0x20);
    row[2] = _mm256_permute2f128_ps(s2, s6, 0x20);
    row[3] = _mm256_permute2f128_ps(s3, s7, 0x20);
    row[4] = _mm256_permute2f128_ps(s0, s4, 0x31);
    row[5] = _mm256_permute2f128_ps(s1, s5, 0x31);
    row[6] = _mm256_permute2f128_ps(s2, s6, 0x31);
    row[7] = _mm256_permute2f128_ps(s3, s7, 0x31);
}

/// Fifteen floats per box, loaded as fields 0..7 and 7..14, so that nothing is read past the last box.
BV_AVX2 inline void load(const Obb* boxes, Obb8& out) noexcept {
    F8 lo[8];
    F8 hi[8];
    for (int i = 0; i < 8; ++i) {
        const float* fields = &boxes[i].center.x;
        lo[i] = _mm256_loadu_ps(fields);
        hi[i] = _mm256_loadu_ps(fields + 7);
    }
    transpose(lo);
    transpose(hi);
    for (int k = 0; k < 3; ++k) {
        out.center[k] = lo[k];
        out.half[k] = lo[3 + k];
    }
    out.axes[0][0] = lo[6];
    for (int k = 1; k < 9; ++k)
        out.axes[k / 3][k % 3] = hi[k - 1];
}

BV_AVX2 inline void broadcast(const Obb& box, Obb8& out) noexcept {
    for (int k = 0; k < 3; ++k) {
        out.center[k] = _mm256_set1_ps(box.center[k]);
        out.half[k] = _mm256_set1_ps(box.half_extents[k]);
        for (int c = 0; c < 3; ++c)
            out.axes[k][c] = _mm256_set1_ps(box.axes[k][c]);
    }
}

BV_AVX2 inline F8 absolute(F8 x) noexcept {
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x);
}
BV_AVX2 inline F8 dot(const F8 a[3], const F8 b[3]) noexcept {
    return _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(a[0], b[0]), _mm256_mul_ps(a[1], b[1])),
                         _mm256_mul_ps(a[2], b[2]));
}
BV_AVX2 inline F8 sum(const F8 a[3]) noexcept {
    return _mm256_add_ps(_mm256_add_ps(a[0], a[1]), a[2]);
}

/// |distance| - (ra + rb + slack) <= 0, lane by lane.
BV_AVX2 inline F8 reaches(F8 distance, F8 ra, F8 rb, F8 slack) noexcept {
    const F8 reach = _mm256_add_ps(_mm256_add_ps(ra, rb), slack);
    return _mm256_cmp_ps(_mm256_sub_ps(absolute(distance), reach), _mm256_setzero_ps(), _CMP_LE_OQ);
}

/// Lanes that are not separated by any of the nine edge crosses. `r[j][i]` is b's axis j along a's axis i.
BV_AVX2 inline F8 edge_axes(const Obb8& a, const Obb8& b, const F8 r[3][3], const F8 abs_r[3][3],
                            const F8 t[3], F8 slack, F8 overlapping) noexcept {
    for (int i = 0; i < 3; ++i) {
        const int i1 = (i + 1) % 3;
        const int i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            const int j1 = (j + 1) % 3;
            const int j2 = (j + 2) % 3;
            const F8 ra = _mm256_add_ps(_mm256_mul_ps(a.half[i1], abs_r[j][i2]),
                                        _mm256_mul_ps(a.half[i2], abs_r[j][i1]));
            const F8 rb = _mm256_add_ps(_mm256_mul_ps(b.half[j1], abs_r[j2][i]),
                                        _mm256_mul_ps(b.half[j2], abs_r[j1][i]));
            const F8 d = _mm256_sub_ps(_mm256_mul_ps(t[i2], r[j][i1]), _mm256_mul_ps(t[i1], r[j][i2]));
            overlapping = _mm256_and_ps(overlapping, reaches(d, ra, rb, slack));
        }
    }
    return overlapping;
}

/// Bit i: the boxes in lane i overlap. `care` receives the lanes that are not `detail::is_ordinary` and need
/// the test in double.
BV_AVX2 inline int overlap8(const Obb8& a, const Obb8& b, int& care) noexcept {
    const F8 zero = _mm256_setzero_ps();
    F8 overlapping = _mm256_cmp_ps(zero, zero, _CMP_EQ_OQ);
    for (int k = 0; k < 3; ++k) {
        overlapping = _mm256_and_ps(overlapping, _mm256_cmp_ps(a.half[k], zero, _CMP_GE_OQ));
        overlapping = _mm256_and_ps(overlapping, _mm256_cmp_ps(b.half[k], zero, _CMP_GE_OQ));
    }
    F8 between[3];
    F8 gap[3];
    for (int k = 0; k < 3; ++k) {
        between[k] = _mm256_sub_ps(b.center[k], a.center[k]);
        gap[k] = absolute(between[k]);
    }
    const F8 extents = _mm256_add_ps(sum(a.half), sum(b.half));
    const F8 size = _mm256_add_ps(extents, sum(gap));
    const F8 ordinary = _mm256_and_ps(_mm256_cmp_ps(size, _mm256_set1_ps(detail::kObbMinSum), _CMP_GT_OQ),
                                      _mm256_cmp_ps(size, _mm256_set1_ps(detail::kObbMaxSum), _CMP_LT_OQ));
    care = _mm256_movemask_ps(overlapping) & ~_mm256_movemask_ps(ordinary);
    const F8 slack = _mm256_mul_ps(_mm256_set1_ps(kObbSlack), extents);
    F8 r[3][3];
    F8 abs_r[3][3];
    F8 t[3];
    for (int i = 0; i < 3; ++i) {
        t[i] = dot(a.axes[i], between);
        for (int j = 0; j < 3; ++j) {
            r[j][i] = dot(a.axes[i], b.axes[j]);
            abs_r[j][i] = absolute(r[j][i]);
        }
    }
    for (int i = 0; i < 3; ++i) {
        const F8 column[3] = {abs_r[0][i], abs_r[1][i], abs_r[2][i]};
        overlapping = _mm256_and_ps(overlapping, reaches(t[i], a.half[i], dot(b.half, column), slack));
    }
    for (int j = 0; j < 3; ++j)
        overlapping =
            _mm256_and_ps(overlapping, reaches(dot(t, r[j]), dot(a.half, abs_r[j]), b.half[j], slack));
    // The face normals decide 19 of 20 disjoint pairs: most groups of distant pairs end here.
    if (_mm256_movemask_ps(overlapping) == 0) return 0;
    return _mm256_movemask_ps(edge_axes(a, b, r, abs_r, t, slack, overlapping));
}

}  // namespace

BV_AVX2 void raycast_boxes_avx2(const RaySlabs& ray, float t_max, const Aabb8* boxes, std::size_t count,
                                Hits8* hits) noexcept {
    if (count == 0) return;
    F8 origin[3];
    F8 inv[3];
    for (int k = 0; k < 3; ++k) {
        origin[k] = _mm256_set1_ps(ray.origin[k]);
        inv[k] = _mm256_set1_ps(ray.inv_direction[k]);
    }
    // The order of the two rows of an axis is the same for all boxes.
    const float* near_row[3];
    const float* far_row[3];
    for (int k = 0; k < 3; ++k) {
        near_row[k] = ray.negative[k] ? boxes->max[k] : boxes->min[k];
        far_row[k] = ray.negative[k] ? boxes->min[k] : boxes->max[k];
    }
    constexpr std::size_t kStep = sizeof(Aabb8) / sizeof(float);
    const F8 begin = _mm256_set1_ps(ray.t_begin);
    const F8 end = _mm256_set1_ps(ray.clamp_end(t_max));
    const F8 far_scale = _mm256_set1_ps(RaySlabs::kFarScale);
    const F8 step = _mm256_set1_ps(RaySlabs::kFarSlack);
    for (std::size_t n = 0; n < count; ++n) {
        F8 enter = begin;
        F8 leave = end;
        for (int k = 0; k < 3; ++k) {
            const F8 to_near = _mm256_sub_ps(_mm256_load_ps(near_row[k] + n * kStep), origin[k]);
            const F8 to_far = _mm256_sub_ps(_mm256_load_ps(far_row[k] + n * kStep), origin[k]);
            enter = _mm256_max_ps(_mm256_mul_ps(to_near, inv[k]), enter);
            leave = _mm256_min_ps(_mm256_mul_ps(to_far, inv[k]), leave);
        }
        _mm256_store_ps(hits[n].t_enter, enter);
        const F8 hit = _mm256_cmp_ps(enter, _mm256_add_ps(_mm256_mul_ps(leave, far_scale), step), _CMP_LE_OQ);
        hits[n].mask = static_cast<std::uint32_t>(_mm256_movemask_ps(hit));
    }
}

BV_AVX2 void raycast_boxes_avx2(const RaySlabs8& rays, const Aabb* boxes, std::size_t count,
                                Hits8* hits) noexcept {
    F8 origin[3];
    F8 inv[3];
    F8 down[3];
    for (int k = 0; k < 3; ++k) {
        origin[k] = _mm256_load_ps(rays.origin[k]);
        inv[k] = _mm256_load_ps(rays.inv_direction[k]);
        down[k] = _mm256_cmp_ps(inv[k], _mm256_setzero_ps(), _CMP_LT_OQ);
    }
    const F8 begin = _mm256_load_ps(rays.t_begin);
    const F8 end = _mm256_load_ps(rays.t_max);
    const F8 far_scale = _mm256_set1_ps(RaySlabs::kFarScale);
    const F8 step = _mm256_set1_ps(RaySlabs::kFarSlack);
    for (std::size_t n = 0; n < count; ++n) {
        F8 enter = begin;
        F8 leave = end;
        for (int k = 0; k < 3; ++k) {
            const F8 to_min =
                _mm256_mul_ps(_mm256_sub_ps(_mm256_set1_ps(boxes[n].min[k]), origin[k]), inv[k]);
            const F8 to_max =
                _mm256_mul_ps(_mm256_sub_ps(_mm256_set1_ps(boxes[n].max[k]), origin[k]), inv[k]);
            enter = _mm256_max_ps(_mm256_blendv_ps(to_min, to_max, down[k]), enter);
            leave = _mm256_min_ps(_mm256_blendv_ps(to_max, to_min, down[k]), leave);
        }
        _mm256_store_ps(hits[n].t_enter, enter);
        const F8 hit = _mm256_cmp_ps(enter, _mm256_add_ps(_mm256_mul_ps(leave, far_scale), step), _CMP_LE_OQ);
        hits[n].mask = boxes[n].is_empty() ? 0u : static_cast<std::uint32_t>(_mm256_movemask_ps(hit));
    }
}

BV_AVX2 void overlap_pairs_avx2(const Obb* a, std::size_t a_stride, const Obb* b, std::size_t count,
                                std::uint8_t* out) noexcept {
    Obb8 box_a;
    Obb8 box_b;
    if (a_stride == 0) broadcast(*a, box_a);
    for (std::size_t n = 0; n < count; n += 8) {
        if (a_stride != 0) load(a + n, box_a);
        load(b + n, box_b);
        int care = 0;
        const int mask = overlap8(box_a, box_b, care);
        for (int i = 0; i < 8; ++i)
            out[n + static_cast<std::size_t>(i)] = static_cast<std::uint8_t>((mask >> i) & 1);
        for (; care != 0; care &= care - 1) {
            const auto i = n + static_cast<std::size_t>(__builtin_ctz(static_cast<unsigned>(care)));
            out[i] = detail::overlap_in_double(a_stride != 0 ? a[i] : *a, b[i]) ? 1 : 0;
        }
    }
}

}  // namespace bv::simd

#endif
