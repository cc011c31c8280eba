// The searches call no inline function of any library: see point_kernels_avx2.cpp. GJK's walk does, but those
// are compiled for the plain processor: only functions marked as such may use AVX2.
#include "simd/support_avx2.hpp"

#if BV_HAS_AVX2_KERNELS

#include <immintrin.h>

#define BV_AVX2 __attribute__((target("avx2")))
#define BV_GJK_TARGET BV_AVX2

#include "query/distance/gjk_walk.inl"

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
    __m256d farthest = _mm256_max_pd(even.value, odd.value);
    farthest = _mm256_max_pd(farthest, _mm256_permute2f128_pd(farthest, farthest, 1));
    farthest = _mm256_max_pd(farthest, _mm256_permute_pd(farthest, 5));
    unsigned lanes =
        static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd(even.value, farthest, _CMP_EQ_OQ))) |
        static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd(odd.value, farthest, _CMP_EQ_OQ))) << 4;
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
        double farthest = -__builtin_inf();
        for (std::uint32_t i = 0; i < count; ++i) {
            const float* const p = xyz + 3 * i;
            const double along =
                (static_cast<double>(p[0]) * direction[0] + static_cast<double>(p[1]) * direction[1]) +
                static_cast<double>(p[2]) * direction[2];
            if (along > farthest) farthest = along, best = i;
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

BV_AVX2 void middle_of_avx2(const float* xyz, std::uint32_t count, float middle[3]) noexcept {
    if (count < 8) return middle_of_few(xyz, count, middle);
    // Twenty-four floats, x y z of eight points, in three registers.
    __m256 low = _mm256_setzero_ps();
    __m256 mid = _mm256_setzero_ps();
    __m256 high = _mm256_setzero_ps();
    float groups = 0.0f;
    for (std::uint32_t done = 0; done < count; groups += 1.0f) {
        const std::uint32_t from = done + 8 <= count ? done : count - 8;
        done = from + 8;
        const float* const p = xyz + 3 * from;
        low = _mm256_add_ps(low, _mm256_loadu_ps(p));
        mid = _mm256_add_ps(mid, _mm256_loadu_ps(p + 8));
        high = _mm256_add_ps(high, _mm256_loadu_ps(p + 16));
    }
    // part[k] += part[k + 12], as twelve floats in three registers of four.
    const __m128 a = _mm_add_ps(_mm256_castps256_ps128(low), _mm256_extractf128_ps(mid, 1));
    const __m128 b = _mm_add_ps(_mm256_extractf128_ps(low, 1), _mm256_castps256_ps128(high));
    const __m128 c = _mm_add_ps(_mm256_castps256_ps128(mid), _mm256_extractf128_ps(high, 1));
    float part[12];
    _mm_storeu_ps(part, a);
    _mm_storeu_ps(part + 4, b);
    _mm_storeu_ps(part + 8, c);
    const float share = 0.125f / groups;
    for (int k = 0; k < 3; ++k)
        middle[k] = ((part[k] + part[k + 6]) + (part[k + 3] + part[k + 9])) * share;
}

namespace {

BV_AVX2 inline float largest_of(__m256 v) noexcept {
    __m128 m = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    m = _mm_max_ps(m, _mm_movehl_ps(m, m));
    return _mm_cvtss_f32(_mm_max_ss(m, _mm_shuffle_ps(m, m, 1)));
}

/// Beyond this, columns are not used: products with it are far from overflow.
constexpr float kMaxReach = 1e6f;

}  // namespace

BV_AVX2 bool fill_columns_avx2(HullColumns& columns, const float* xyz, std::uint32_t count) noexcept {
    columns.xyz = xyz;
    columns.count = count;
    const __m256 magnitude = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fffffff));
    __m256 reach = _mm256_setzero_ps();
    for (std::uint32_t done = 0; done < count;) {
        // The last block overlaps the one before.
        const std::uint32_t from = done + 8 <= count ? done : count - 8;
        done = from + 8;
        const float* const p = xyz + 3 * from;
        const __m256 a =
            _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p)), _mm_loadu_ps(p + 12), 1);
        const __m256 b =
            _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p + 4)), _mm_loadu_ps(p + 16), 1);
        const __m256 c =
            _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p + 8)), _mm_loadu_ps(p + 20), 1);
        const __m256 xy = _mm256_shuffle_ps(b, c, _MM_SHUFFLE(2, 1, 3, 2));
        const __m256 yz = _mm256_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 2, 1));
        const __m256 x = _mm256_shuffle_ps(a, xy, _MM_SHUFFLE(2, 0, 3, 0));
        const __m256 y = _mm256_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0));
        const __m256 z = _mm256_shuffle_ps(yz, c, _MM_SHUFFLE(3, 0, 3, 1));
        _mm256_storeu_ps(columns.x + from, x);
        _mm256_storeu_ps(columns.y + from, y);
        _mm256_storeu_ps(columns.z + from, z);
        reach = _mm256_max_ps(reach, _mm256_max_ps(_mm256_and_ps(a, magnitude), _mm256_and_ps(b, magnitude)));
        reach = _mm256_max_ps(reach, _mm256_and_ps(c, magnitude));
    }
    columns.reach = largest_of(reach);
    return columns.reach < kMaxReach;
}

BV_AVX2 std::uint32_t farthest_in_columns_avx2(const HullColumns& columns,
                                               const double direction[3]) noexcept {
    const float d[3] = {static_cast<float>(direction[0]), static_cast<float>(direction[1]),
                        static_cast<float>(direction[2])};
    // A projection in single precision has four roundings, each of at most 2^-24 of this.
    const float scale =
        (__builtin_fabsf(d[0]) + __builtin_fabsf(d[1]) + __builtin_fabsf(d[2])) * columns.reach;
    // Neither overflow nor underflow: then it would not be that precise.
    if (!(scale > 1e-20f && scale < 1e30f)) return farthest_along_avx2(columns.xyz, columns.count, direction);
    const __m256 dx = _mm256_set1_ps(d[0]);
    const __m256 dy = _mm256_set1_ps(d[1]);
    const __m256 dz = _mm256_set1_ps(d[2]);
    __m256 block[HullColumns::kMaxCount / 8];
    const std::uint32_t last = columns.count - 8;
    __m256 farthest8 = _mm256_set1_ps(-__builtin_inff());
    std::uint32_t blocks = 0;
    for (std::uint32_t i = 0;; i = i + 8 < last ? i + 8 : last) {
        const __m256 along = _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(_mm256_loadu_ps(columns.x + i), dx),
                                                         _mm256_mul_ps(_mm256_loadu_ps(columns.y + i), dy)),
                                           _mm256_mul_ps(_mm256_loadu_ps(columns.z + i), dz));
        block[blocks++] = along;
        farthest8 = _mm256_max_ps(farthest8, along);
        if (i == last) break;
    }
    // Twice the error for either of two projections, and as much again for the rounding of this sum.
    const __m256 bound = _mm256_set1_ps(largest_of(farthest8) - scale * 0x1p-20f);
    std::uint64_t candidates = 0;
    for (std::uint32_t k = 0; k < blocks; ++k) {
        const auto bits =
            static_cast<std::uint64_t>(_mm256_movemask_ps(_mm256_cmp_ps(block[k], bound, _CMP_GE_OQ)));
        candidates |= bits << (8 * k < last ? 8 * k : last);
    }
    auto best = static_cast<std::uint32_t>(__builtin_ctzll(candidates));
    if ((candidates & (candidates - 1)) == 0) return best;
    double farthest = -__builtin_inf();
    for (; candidates != 0; candidates &= candidates - 1) {
        const auto i = static_cast<std::uint32_t>(__builtin_ctzll(candidates));
        const float* const p = columns.xyz + 3 * i;
        const double along =
            (static_cast<double>(p[0]) * direction[0] + static_cast<double>(p[1]) * direction[1]) +
            static_cast<double>(p[2]) * direction[2];
        if (along > farthest) farthest = along, best = i;
    }
    return best;
}

namespace {

/// Support points of boxes with one edge to a lane, in the order of operations of `Support::from_center`.
struct Avx2Gjk : detail::GjkInDouble {
    class Box {
      public:
        BV_AVX2 void set(const ConvexRef& core, const detail::DVec3& center) noexcept {
            const auto& d = detail::Support::half_edges(core);
            for (int k = 0; k < 3; ++k) {
                row_[k] = _mm256_setr_pd(d[1][k], d[2][k], d[3][k], 0.0);
                edge_[k] = of(d[k + 1]);
            }
            center_ = of(center);
        }
        [[nodiscard]] BV_AVX2 detail::DVec3 support(const detail::DVec3& direction) const noexcept {
            const __m256d along =
                _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(row_[0], _mm256_set1_pd(direction.x)),
                                            _mm256_mul_pd(row_[1], _mm256_set1_pd(direction.y))),
                              _mm256_mul_pd(row_[2], _mm256_set1_pd(direction.z)));
            const __m256d signs = _mm256_and_pd(along, _mm256_set1_pd(-0.0));
            const __m256d p = _mm256_add_pd(
                _mm256_add_pd(center_, _mm256_xor_pd(edge_[0], _mm256_permute4x64_pd(signs, 0x00))),
                _mm256_add_pd(_mm256_xor_pd(edge_[1], _mm256_permute4x64_pd(signs, 0x55)),
                              _mm256_xor_pd(edge_[2], _mm256_permute4x64_pd(signs, 0xaa))));
            const __m128d xy = _mm256_castpd256_pd128(p);
            return detail::DVec3(_mm_cvtsd_f64(xy), _mm_cvtsd_f64(_mm_unpackhi_pd(xy, xy)),
                                 _mm_cvtsd_f64(_mm256_extractf128_pd(p, 1)));
        }

      private:
        BV_AVX2 static __m256d of(const detail::DVec3& v) noexcept {
            return _mm256_setr_pd(v.x, v.y, v.z, 0.0);
        }

        __m256d row_[3];   ///< Coordinate k of the three half edges.
        __m256d edge_[3];  ///< The half edges.
        __m256d center_;
    };
};

}  // namespace

BV_AVX2 void gjk_walk_avx2(const ConvexRef& a, const ConvexRef& b, double near, double far,
                           detail::GjkWalk& out) noexcept {
    NoTrace sink;
    detail::walk_to_origin<Avx2Gjk>(a, b, near, far, sink, out);
}

}  // namespace bv::simd

#endif
