// The searches call no inline function of any library: see point_kernels_avx2.cpp. GJK's walk does, but those
// are compiled for the plain processor: only functions marked as such may use AVX2.
#include "simd/support_avx2.hpp"

#if BV_HAS_AVX2_KERNELS

#include <immintrin.h>

#define BV_AVX2 __attribute__((target("avx2")))
#define BV_GJK_TARGET BV_AVX2
#define BV_GJK_INLINE __attribute__((always_inline)) inline
#define BV_GJK_APART __attribute__((noinline))

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
    // The last points, some of them for the second time: fewer branches than handling the remainder
    // separately.
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
    const std::uint32_t last = count - 8;
    const std::uint32_t groups = (count + 7) / 8;
    const float share = 0.125f / static_cast<float>(groups);
    // For a small hull always four groups, used or not: a loop's exit would mispredict.
    for (std::uint32_t k = 0; k < 4; ++k) {
        const float* const p = xyz + 3 * (8 * k < last ? 8 * k : last);
        const __m256 used = _mm256_castsi256_ps(_mm256_set1_epi32(k < groups ? -1 : 0));
        low = _mm256_add_ps(low, _mm256_and_ps(_mm256_loadu_ps(p), used));
        mid = _mm256_add_ps(mid, _mm256_and_ps(_mm256_loadu_ps(p + 8), used));
        high = _mm256_add_ps(high, _mm256_and_ps(_mm256_loadu_ps(p + 16), used));
    }
    for (std::uint32_t k = 4; k < groups; ++k) {
        const float* const p = xyz + 3 * (8 * k < last ? 8 * k : last);
        low = _mm256_add_ps(low, _mm256_loadu_ps(p));
        mid = _mm256_add_ps(mid, _mm256_loadu_ps(p + 8));
        high = _mm256_add_ps(high, _mm256_loadu_ps(p + 16));
    }
    // part[k] += part[k + 12], as twelve floats in three registers of four.
    const __m128 a = _mm_add_ps(_mm256_castps256_ps128(low), _mm256_extractf128_ps(mid, 1));
    const __m128 b = _mm_add_ps(_mm256_extractf128_ps(low, 1), _mm256_castps256_ps128(high));
    const __m128 c = _mm_add_ps(_mm256_castps256_ps128(mid), _mm256_extractf128_ps(high, 1));
    // Parts 0, 3, 6 and 9 onward, of which the first three lanes count.
    const __m128 from3 =
        _mm_shuffle_ps(_mm_shuffle_ps(a, b, _MM_SHUFFLE(0, 0, 3, 3)), b, _MM_SHUFFLE(2, 1, 2, 0));
    const __m128 from6 = _mm_shuffle_ps(b, c, _MM_SHUFFLE(1, 0, 3, 2));
    const __m128 from9 = _mm_shuffle_ps(c, c, _MM_SHUFFLE(3, 3, 2, 1));
    alignas(16) float sum[4];
    _mm_store_ps(sum,
                 _mm_mul_ps(_mm_add_ps(_mm_add_ps(a, from6), _mm_add_ps(from3, from9)), _mm_set1_ps(share)));
    for (int k = 0; k < 3; ++k)
        middle[k] = sum[k];
}

namespace {

BV_AVX2 inline float largest_of(__m256 v) noexcept {
    __m128 m = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    m = _mm_max_ps(m, _mm_movehl_ps(m, m));
    return _mm_cvtss_f32(_mm_max_ss(m, _mm_shuffle_ps(m, m, 1)));
}

BV_AVX2 inline __m256 largest_in_lanes(__m256 v) noexcept {
    v = _mm256_max_ps(v, _mm256_permute2f128_ps(v, v, 1));
    v = _mm256_max_ps(v, _mm256_permute_ps(v, _MM_SHUFFLE(1, 0, 3, 2)));
    return _mm256_max_ps(v, _mm256_permute_ps(v, _MM_SHUFFLE(2, 3, 0, 1)));
}

/// Beyond this, columns are not used: products with it are far from overflow.
constexpr float kMaxReach = 1e6f;

}  // namespace

namespace {

/// The first point of block k of eight points. The last blocks start at the same point, and so repeat points.
inline std::uint32_t block_start(std::uint32_t k, std::uint32_t last) noexcept {
    return 8 * k < last ? 8 * k : last;
}

/// Fills as many blocks as most hulls have, or all: a loop's exit would mispredict.
template <std::uint32_t kBlocks>
BV_AVX2 inline bool fill_blocks(HullColumns& columns, const float* xyz, std::uint32_t count) noexcept {
    columns.xyz = xyz;
    columns.count = count;
    const __m256 magnitude = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fffffff));
    __m256 reach = _mm256_setzero_ps();
    for (std::uint32_t k = 0; k < kBlocks; ++k) {
        const float* const p = xyz + 3 * block_start(k, count - 8);
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
        // Never overlaps the block before, or the first search would wait for both stores.
        _mm256_store_ps(columns.x + 8 * k, x);
        _mm256_store_ps(columns.y + 8 * k, y);
        _mm256_store_ps(columns.z + 8 * k, z);
        reach = _mm256_max_ps(reach, _mm256_max_ps(_mm256_and_ps(a, magnitude), _mm256_and_ps(b, magnitude)));
        reach = _mm256_max_ps(reach, _mm256_and_ps(c, magnitude));
    }
    columns.reach = largest_of(reach);
    return columns.reach < kMaxReach;
}

/// The direction comes by value: from an array, the walk would wait until it is stored.
template <std::uint32_t kBlocks>
BV_AVX2 inline std::uint32_t farthest_in_blocks(const HullColumns& columns, double x, double y,
                                                double z) noexcept {
    const float d[3] = {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
    // A projection in single precision has four roundings, each of at most 2^-24 of this.
    const float scale =
        (__builtin_fabsf(d[0]) + __builtin_fabsf(d[1]) + __builtin_fabsf(d[2])) * columns.reach;
    // Neither overflow nor underflow: then it would not be that precise.
    if (!(scale > 1e-20f && scale < 1e30f)) {
        const double direction[3] = {x, y, z};
        return farthest_along_avx2(columns.xyz, columns.count, direction);
    }
    const __m256 dx = _mm256_set1_ps(d[0]);
    const __m256 dy = _mm256_set1_ps(d[1]);
    const __m256 dz = _mm256_set1_ps(d[2]);
    __m256 block[kBlocks];
    __m256 largest[kBlocks];
    for (std::uint32_t k = 0; k < kBlocks; ++k) {
        block[k] = _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(_mm256_load_ps(columns.x + 8 * k), dx),
                                               _mm256_mul_ps(_mm256_load_ps(columns.y + 8 * k), dy)),
                                 _mm256_mul_ps(_mm256_load_ps(columns.z + 8 * k), dz));
        largest[k] = block[k];
    }
    // In pairs, and into all lanes: every step of the walk waits for this.
    for (std::uint32_t half = kBlocks / 2; half > 0; half /= 2)
        for (std::uint32_t k = 0; k < half; ++k)
            largest[k] = _mm256_max_ps(largest[k], largest[k + half]);
    // Twice the error for either of two projections, and as much again for the rounding of this sum.
    const __m256 bound = _mm256_sub_ps(largest_in_lanes(largest[0]), _mm256_set1_ps(scale * 0x1p-20f));
    std::uint64_t bits[kBlocks];
    for (std::uint32_t k = 0; k < kBlocks; ++k)
        bits[k] = static_cast<std::uint64_t>(_mm256_movemask_ps(_mm256_cmp_ps(block[k], bound, _CMP_GE_OQ)))
                  << block_start(k, columns.count - 8);
    for (std::uint32_t half = kBlocks / 2; half > 0; half /= 2)
        for (std::uint32_t k = 0; k < half; ++k)
            bits[k] |= bits[k + half];
    std::uint64_t candidates = bits[0];
    auto best = static_cast<std::uint32_t>(__builtin_ctzll(candidates));
    if ((candidates & (candidates - 1)) == 0) return best;
    double farthest = -__builtin_inf();
    for (; candidates != 0; candidates &= candidates - 1) {
        const auto i = static_cast<std::uint32_t>(__builtin_ctzll(candidates));
        const float* const p = columns.xyz + 3 * i;
        const double along =
            (static_cast<double>(p[0]) * x + static_cast<double>(p[1]) * y) + static_cast<double>(p[2]) * z;
        if (along > farthest) farthest = along, best = i;
    }
    return best;
}

constexpr std::uint32_t kFewBlocks = 4;
constexpr std::uint32_t kAllBlocks = HullColumns::kMaxCount / 8;

}  // namespace

BV_AVX2 bool fill_columns_avx2(HullColumns& columns, const float* xyz, std::uint32_t count) noexcept {
    return count <= 8 * kFewBlocks ? fill_blocks<kFewBlocks>(columns, xyz, count)
                                   : fill_blocks<kAllBlocks>(columns, xyz, count);
}

namespace {

BV_AVX2 BV_GJK_APART std::uint32_t farthest_of(const HullColumns& columns, double x, double y,
                                               double z) noexcept {
    return columns.count <= 8 * kFewBlocks ? farthest_in_blocks<kFewBlocks>(columns, x, y, z)
                                           : farthest_in_blocks<kAllBlocks>(columns, x, y, z);
}

}  // namespace

BV_AVX2 std::uint32_t farthest_in_columns_avx2(const HullColumns& columns,
                                               const double direction[3]) noexcept {
    return farthest_of(columns, direction[0], direction[1], direction[2]);
}

namespace {

/// Support points of boxes with one edge to a lane, in the order of operations of `Support::from_center`.
struct Avx2Gjk : detail::GjkInDouble {
    class Columns {
      public:
        [[nodiscard]] BV_AVX2 bool fill(const float* xyz, std::uint32_t count) noexcept {
            return fill_columns_avx2(columns_, xyz, count);
        }
        [[nodiscard]] BV_AVX2 const float* farthest(const detail::DVec3& direction) const noexcept {
            return columns_.xyz + 3 * farthest_of(columns_, direction.x, direction.y, direction.z);
        }

      private:
        HullColumns columns_;
    };
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

        [[nodiscard]] BV_AVX2 double reach_sq() const noexcept {
            const __m256d sq = dot(rows(), rows());
            const __m128d low = _mm256_castpd256_pd128(sq);
            return (_mm_cvtsd_f64(low) + _mm_cvtsd_f64(_mm_unpackhi_pd(low, low))) +
                   _mm_cvtsd_f64(_mm256_extractf128_pd(sq, 1));
        }
        /// True only if the boxes overlap; false also where `margin`, a volume above all rounding, leaves it
        /// open. The center of `b` is at `between` from that of `a`. A plane that separates two zonotopes can
        /// be turned until it is parallel to two of their edges. For each two of the six half edges, the
        /// volume that `between` spans with them must be less than what the other four span with them.
        [[nodiscard]] BV_AVX2 static bool surely_overlap(const Box& a, const Box& b,
                                                         const detail::DVec3& between,
                                                         double margin) noexcept {
            const __m256d margins = _mm256_set1_pd(margin);
            const Rows normals_a = normals(a.row_);
            const Rows normals_b = normals(b.row_);
            const Rows d = broadcast(between);
            // Lane k: with the two edges other than k of one box, and edge i of the other.
            __m256d of_a[3];
            __m256d of_b[3];
            __m256d own_a = magnitude(dot(normals_a, a.rows()));
            __m256d own_b = magnitude(dot(normals_b, b.rows()));
            for (int i = 0; i < 3; ++i) {
                of_a[i] = magnitude(dot(normals_a, b.edge(i)));
                of_b[i] = magnitude(dot(normals_b, a.edge(i)));
                own_a = _mm256_add_pd(own_a, of_a[i]);
                own_b = _mm256_add_pd(own_b, of_b[i]);
            }
            __m256d within = _mm256_and_pd(
                _mm256_cmp_pd(_mm256_add_pd(magnitude(dot(normals_a, d)), margins), own_a, _CMP_LE_OQ),
                _mm256_cmp_pd(_mm256_add_pd(magnitude(dot(normals_b, d)), margins), own_b, _CMP_LE_OQ));
            if ((_mm256_movemask_pd(within) & 7) != 7) return false;
            // Lane k: with edge k of a and edge i of b.
            const Rows with_a = cross(d, a.rows());
            const __m256d low01 = _mm256_unpacklo_pd(of_b[0], of_b[1]);
            const __m256d low2 = _mm256_unpacklo_pd(of_b[2], of_b[2]);
            const __m256d by_edge[3] = {_mm256_permute2f128_pd(low01, low2, 0x20),
                                        _mm256_permute2f128_pd(_mm256_unpackhi_pd(of_b[0], of_b[1]),
                                                               _mm256_unpackhi_pd(of_b[2], of_b[2]), 0x20),
                                        _mm256_permute2f128_pd(low01, low2, 0x31)};
            for (int i = 0; i < 3; ++i) {
                const __m256d others =
                    _mm256_add_pd(_mm256_add_pd(next(of_a[i]), next(next(of_a[i]))),
                                  _mm256_add_pd(by_edge[(i + 1) % 3], by_edge[(i + 2) % 3]));
                const __m256d spanned = _mm256_add_pd(magnitude(dot(with_a, b.edge(i))), margins);
                within = _mm256_and_pd(within, _mm256_cmp_pd(spanned, others, _CMP_LE_OQ));
            }
            return (_mm256_movemask_pd(within) & 7) == 7;
        }

      private:
        /// Four vectors, by coordinate.
        struct Rows {
            __m256d x, y, z;
        };
        [[nodiscard]] BV_AVX2 Rows rows() const noexcept { return {row_[0], row_[1], row_[2]}; }
        [[nodiscard]] BV_AVX2 Rows edge(int i) const noexcept {
            alignas(32) double e[4];
            _mm256_store_pd(e, edge_[i]);
            return broadcast(detail::DVec3(e[0], e[1], e[2]));
        }
        BV_AVX2 static Rows broadcast(const detail::DVec3& v) noexcept {
            return {_mm256_set1_pd(v.x), _mm256_set1_pd(v.y), _mm256_set1_pd(v.z)};
        }
        BV_AVX2 static __m256d magnitude(__m256d v) noexcept {
            return _mm256_andnot_pd(_mm256_set1_pd(-0.0), v);
        }
        BV_AVX2 static __m256d dot(const Rows& a, const Rows& b) noexcept {
            return _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(a.x, b.x), _mm256_mul_pd(a.y, b.y)),
                                 _mm256_mul_pd(a.z, b.z));
        }
        BV_AVX2 static Rows cross(const Rows& a, const Rows& b) noexcept {
            return {_mm256_sub_pd(_mm256_mul_pd(a.y, b.z), _mm256_mul_pd(a.z, b.y)),
                    _mm256_sub_pd(_mm256_mul_pd(a.z, b.x), _mm256_mul_pd(a.x, b.z)),
                    _mm256_sub_pd(_mm256_mul_pd(a.x, b.y), _mm256_mul_pd(a.y, b.x))};
        }
        /// Lane k + 1 of the first three in lane k.
        BV_AVX2 static __m256d next(__m256d v) noexcept {
            return _mm256_permute4x64_pd(v, _MM_SHUFFLE(3, 0, 2, 1));
        }
        /// Lane k: of the two edges other than k.
        BV_AVX2 static Rows normals(const __m256d (&row)[3]) noexcept {
            const Rows one{next(row[0]), next(row[1]), next(row[2])};
            return cross(one, {next(one.x), next(one.y), next(one.z)});
        }
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
