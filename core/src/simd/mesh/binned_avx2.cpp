// Binning with AVX2. A box is one register, its lower corner and its negated upper one, so that one minimum
// merges two boxes. Areas of four boxes are computed at once, each in the order of simd::half_area.
#include "simd/mesh/binned_avx2.hpp"

#if BV_HAS_AVX2_KERNELS

#include <immintrin.h>

#include <cstddef>
#include <limits>

#define BV_BINNED_TARGET __attribute__((target("avx2")))

namespace bv::simd {

namespace {

using detail::BestSplit;
using detail::BinMap;
using detail::Bounds4;
using detail::BuildTask;
using detail::kObjectBins;
using detail::MeshRef;

static_assert(sizeof(MeshRef) == 32 && offsetof(MeshRef, hi) == 16);

BV_BINNED_TARGET inline __m256 signs() {
    return _mm256_setr_ps(0.0f, 0.0f, 0.0f, 0.0f, -0.0f, -0.0f, -0.0f, 0.0f);
}
BV_BINNED_TARGET inline __m256 empty_row() {
    constexpr float kInf = std::numeric_limits<float>::infinity();
    return _mm256_set1_ps(kInf);
}
/// Both corners; 0 in place of the reference's other fields. References are aligned to 16 bytes alone.
BV_BINNED_TARGET inline __m256 corners(const MeshRef& ref) {
    const __m256i xyz = _mm256_setr_epi32(-1, -1, -1, 0, -1, -1, -1, 0);
    return _mm256_and_ps(_mm256_loadu_ps(ref.lo), _mm256_castsi256_ps(xyz));
}
/// As ref_center.
BV_BINNED_TARGET inline __m128 center_of(__m256 both) {
    const __m256 quarters = _mm256_mul_ps(both, _mm256_set1_ps(0.25f));
    return _mm_add_ps(_mm256_castps256_ps128(quarters), _mm256_extractf128_ps(quarters, 1));
}
BV_BINNED_TARGET inline __m128 position(const BinMap& map, __m128 center) {
    return _mm_mul_ps(_mm_sub_ps(center, map.origin.v), map.scale.v);
}
BV_BINNED_TARGET inline Bounds4 bounds_of(__m256 row) {
    const __m256 positive = _mm256_xor_ps(row, signs());
    return {{_mm256_castps256_ps128(positive)}, {_mm256_extractf128_ps(positive, 1)}};
}
/// Half areas of four boxes. Extents are negative here, so their products are those of positive ones.
BV_BINNED_TARGET inline __m128 half_areas(const __m256* rows) {
    __m128 e[4];
    for (int i = 0; i < 4; ++i)
        e[i] = _mm_add_ps(_mm256_castps256_ps128(rows[i]), _mm256_extractf128_ps(rows[i], 1));
    _MM_TRANSPOSE4_PS(e[0], e[1], e[2], e[3]);
    return _mm_add_ps(_mm_add_ps(_mm_mul_ps(e[0], e[1]), _mm_mul_ps(e[1], e[2])), _mm_mul_ps(e[2], e[0]));
}

/// The boxes before and after each plane of one axis, and the costs of the planes.
template <int kBins>
struct Sweep {
    __m256 left[kBins];   ///< Box of the bins before plane i.
    __m256 right[kBins];  ///< Box of the others.
    alignas(16) std::int32_t left_count[kBins];
    alignas(16) float cost[kBins];  ///< NaN where a side is empty; plane 0 has nothing before it.
};

template <int kBins>
BV_BINNED_TARGET inline void sweep_axis(const __m256* boxes, const std::int32_t* counts, std::int32_t all,
                                        Sweep<kBins>& sweep) {
    __m256 sum = empty_row();
    std::int32_t count = 0;
    for (int i = 0; i < kBins; ++i) {
        sweep.left[i] = sum;
        sweep.left_count[i] = count;
        sum = _mm256_min_ps(boxes[i], sum);
        count += counts[i];
    }
    sum = empty_row();
    for (int i = kBins; i-- > 0;)
        sweep.right[i] = sum = _mm256_min_ps(boxes[i], sum);
    for (int i = 0; i < kBins; i += 4) {
        const __m128i before = _mm_load_si128(reinterpret_cast<const __m128i*>(sweep.left_count + i));
        const __m128i after = _mm_sub_epi32(_mm_set1_epi32(all), before);
        // An empty side has an infinite area: 0 times infinity is NaN, which is never cheaper.
        const __m128 left = _mm_mul_ps(half_areas(sweep.left + i), _mm_cvtepi32_ps(before));
        const __m128 right = _mm_mul_ps(half_areas(sweep.right + i), _mm_cvtepi32_ps(after));
        _mm_store_ps(sweep.cost + i, _mm_add_ps(left, right));
    }
}

/// The planes with this cost, as bits.
template <int kBins>
BV_BINNED_TARGET inline unsigned planes_of_cost(const Sweep<kBins>& sweep, float cost) {
    unsigned planes = 0;
    for (int i = 0; i < kBins; i += 4)
        planes |= static_cast<unsigned>(
                      _mm_movemask_ps(_mm_cmpeq_ps(_mm_load_ps(sweep.cost + i), _mm_set1_ps(cost))))
                  << i;
    return planes;
}

template <int kBins>
BV_BINNED_TARGET inline BestSplit find_split_of(const BuildTask& task, std::span<const MeshRef> refs,
                                                const BinMap& map) noexcept {
    __m256 boxes[3][kBins];
    std::int32_t counts[3][kBins] = {};
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < kBins; ++i)
            boxes[k][i] = empty_row();
    for (std::uint32_t i = task.begin; i < task.end; ++i) {
        const __m256 both = corners(refs[i]);
        const __m128i bin = _mm_cvttps_epi32(position(map, center_of(both)));
        const __m256 row = _mm256_xor_ps(both, signs());
        const int at[3] = {_mm_cvtsi128_si32(bin), _mm_extract_epi32(bin, 1), _mm_extract_epi32(bin, 2)};
        for (int k = 0; k < 3; ++k) {
            boxes[k][at[k]] = _mm256_min_ps(row, boxes[k][at[k]]);
            ++counts[k][at[k]];
        }
    }
    BestSplit best;
    Sweep<kBins> sweeps[3];
    __m128 least = _mm_set1_ps(best.cost);
    for (int k = 0; k < 3; ++k) {
        if (!map.usable[k]) continue;
        sweep_axis(boxes[k], counts[k], static_cast<std::int32_t>(task.count()), sweeps[k]);
        // The minimum of NaN and a number is the number in this order.
        for (int i = 0; i < kBins; i += 4)
            least = _mm_min_ps(_mm_load_ps(sweeps[k].cost + i), least);
    }
    least = _mm_min_ps(least, _mm_movehl_ps(least, least));
    least = _mm_min_ss(least, _mm_shuffle_ps(least, least, 1));
    const float cost = _mm_cvtss_f32(least);
    if (!(cost < best.cost)) return best;
    // On equal costs the first axis, and on it the last plane.
    for (int k = 0; k < 3; ++k) {
        if (!map.usable[k]) continue;
        const unsigned planes = planes_of_cost(sweeps[k], cost);
        if (planes == 0) continue;
        best.cost = cost;
        best.axis = k;
        best.plane = 31 - __builtin_clz(planes);
        best.left_count = static_cast<std::uint32_t>(sweeps[k].left_count[best.plane]);
        best.left = bounds_of(sweeps[k].left[best.plane]);
        best.right = bounds_of(sweeps[k].right[best.plane]);
        break;
    }
    return best;
}

}  // namespace

BV_BINNED_TARGET BestSplit find_split_avx2(const BuildTask& task, std::span<const MeshRef> refs,
                                           const BinMap& map) noexcept {
    static_assert(kObjectBins == 16);
    if (map.bins == 4) return find_split_of<4>(task, refs, map);
    if (map.bins == 8) return find_split_of<8>(task, refs, map);
    return find_split_of<16>(task, refs, map);
}

BV_BINNED_TARGET void partition_avx2(const BuildTask& task, std::span<MeshRef> refs, const BinMap& map,
                                     const BestSplit& best, BuildTask& left, BuildTask& right) noexcept {
    const std::uint32_t middle = task.begin + best.left_count;
    const __m128 plane = _mm_set1_ps(static_cast<float>(best.plane));
    const __m256i axis = _mm256_set1_epi32(best.axis);
    __m256 left_centers = empty_row();
    __m256 right_centers = empty_row();
    const auto is_left = [&](const MeshRef& ref) BV_BINNED_TARGET -> std::uint32_t {
        const __m128 center = center_of(corners(ref));
        const __m256 row = _mm256_xor_ps(_mm256_set_m128(center, center), signs());
        const __m128 below = _mm_cmplt_ps(position(map, center), plane);
        const __m256 goes_left = _mm256_permutevar8x32_ps(_mm256_castps128_ps256(below), axis);
        left_centers = _mm256_min_ps(_mm256_blendv_ps(empty_row(), row, goes_left), left_centers);
        right_centers = _mm256_min_ps(_mm256_blendv_ps(row, empty_row(), goes_left), right_centers);
        return static_cast<std::uint32_t>(_mm256_movemask_ps(goes_left)) & 1u;
    };
    detail::swap_sides(task, refs, middle, is_left);
    left.centers = bounds_of(left_centers);
    right.centers = bounds_of(right_centers);
    left.begin = task.begin;
    left.end = right.begin = middle;
    right.end = task.end;
    left.box = best.left;
    right.box = best.right;
}

}  // namespace bv::simd

#endif
