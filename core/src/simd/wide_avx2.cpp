// The WideTree kernels with AVX2. Each lane computes the scalar formula in the same order of operations.
// `_mm256_max_ps(x, y)` is `x > y ? x : y` and `_mm256_min_ps(x, y)` is `x < y ? x : y`, NaN included, as
// RaySlabs requires.
#include "simd/query_avx2.hpp"

#if BV_HAS_AVX2_KERNELS

#include <immintrin.h>

#include <algorithm>
#include <glm/common.hpp>
#include <limits>

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
struct GrownRay8 {
    Ray8 ray;
    __m256 half[3];
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
BV_WIDE_TARGET inline GrownRay8 splat(const RaySlabs& ray, const glm::vec3& half) {
    return {splat(ray), {_mm256_set1_ps(half.x), _mm256_set1_ps(half.y), _mm256_set1_ps(half.z)}};
}
BV_WIDE_TARGET inline unsigned overlap_mask(const WideTreeNode& n, const Box8& box) {
    __m256 hit = _mm256_cmp_ps(_mm256_load_ps(n.min[0]), box.max[0], _CMP_LE_OQ);
    for (int k = 1; k < 3; ++k)
        hit = _mm256_and_ps(hit, _mm256_cmp_ps(_mm256_load_ps(n.min[k]), box.max[k], _CMP_LE_OQ));
    for (int k = 0; k < 3; ++k)
        hit = _mm256_and_ps(hit, _mm256_cmp_ps(_mm256_load_ps(n.max[k]), box.min[k], _CMP_GE_OQ));
    return static_cast<unsigned>(_mm256_movemask_ps(hit));
}
// `faces.at(k, upper)` gives the lower or upper faces of the entries on an axis.
template <class Faces>
BV_WIDE_TARGET inline unsigned ray_mask_of(const Faces& faces, unsigned count, const Ray8& ray, float limit,
                                           float* t) {
    __m256 enter = ray.begin;
    __m256 leave = _mm256_set1_ps(limit > ray.end ? ray.end : limit);
    for (int k = 0; k < 3; ++k) {
        const __m256 near_t =
            _mm256_mul_ps(_mm256_sub_ps(faces.at(k, ray.negative[k]), ray.origin[k]), ray.inverse[k]);
        const __m256 far_t =
            _mm256_mul_ps(_mm256_sub_ps(faces.at(k, !ray.negative[k]), ray.origin[k]), ray.inverse[k]);
        enter = _mm256_max_ps(near_t, enter);
        leave = _mm256_min_ps(far_t, leave);
    }
    _mm256_store_ps(t, enter);
    const __m256 last = _mm256_add_ps(_mm256_mul_ps(leave, _mm256_set1_ps(RaySlabs::kFarScale)),
                                      _mm256_set1_ps(RaySlabs::kFarSlack));
    const __m256 hit = _mm256_cmp_ps(enter, last, _CMP_LE_OQ);
    return static_cast<unsigned>(_mm256_movemask_ps(hit)) & ((1u << count) - 1u);
}
struct Faces {
    const WideTreeNode& n;
    BV_WIDE_TARGET __m256 at(int k, bool upper) const { return _mm256_load_ps(upper ? n.max[k] : n.min[k]); }
};
struct GrownFaces {
    const WideTreeNode& n;
    const __m256* half;
    BV_WIDE_TARGET __m256 at(int k, bool upper) const {
        return upper ? _mm256_add_ps(_mm256_load_ps(n.max[k]), half[k])
                     : _mm256_sub_ps(_mm256_load_ps(n.min[k]), half[k]);
    }
};
BV_WIDE_TARGET inline unsigned ray_mask(const WideTreeNode& n, const Ray8& ray, float limit, float* t) {
    return ray_mask_of(Faces{n}, n.count, ray, limit, t);
}
BV_WIDE_TARGET inline unsigned ray_mask(const WideTreeNode& n, const GrownRay8& grown, float limit,
                                        float* t) {
    return ray_mask_of(GrownFaces{n, grown.half}, n.count, grown.ray, limit, t);
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
// The entry of least growth where areas overflow: comparisons with NaN go as in the scalar twin.
inline unsigned least_growth_of_any(const float* areas, const float* growths, unsigned count) {
    unsigned best = 0;
    for (unsigned i = 1; i < count; ++i)
        if (growths[i] < growths[best] ||
            (growths[i] == 0.0f && growths[best] == 0.0f && areas[i] < areas[best]))
            best = i;
    return best;
}
// The lowest lane, in every lane.
BV_WIDE_TARGET inline __m256i lowest_of(__m256i v) {
    v = _mm256_min_epi32(v, _mm256_permute2x128_si256(v, v, 1));
    v = _mm256_min_epi32(v, _mm256_shuffle_epi32(v, 0x4e));
    return _mm256_min_epi32(v, _mm256_shuffle_epi32(v, 0xb1));
}
/// True if no area of `grow_least` overflows in this node or below it, where no box is larger.
BV_WIDE_TARGET inline bool areas_stay_finite(const WideTreeNode& n, const Box8& box) {
    const __m256 low[3] = {_mm256_min_ps(_mm256_load_ps(n.min[0]), box.min[0]),
                           _mm256_min_ps(_mm256_load_ps(n.min[1]), box.min[1]),
                           _mm256_min_ps(_mm256_load_ps(n.min[2]), box.min[2])};
    const __m256 high[3] = {_mm256_max_ps(_mm256_load_ps(n.max[0]), box.max[0]),
                            _mm256_max_ps(_mm256_load_ps(n.max[1]), box.max[1]),
                            _mm256_max_ps(_mm256_load_ps(n.max[2]), box.max[2])};
    const __m256 inf = _mm256_set1_ps(std::numeric_limits<float>::infinity());
    return _mm256_movemask_ps(_mm256_cmp_ps(half_areas(low, high), inf, _CMP_LT_OQ)) == 0xff;
}
template <bool kFinite>
BV_WIDE_TARGET inline unsigned grow_least(WideTreeNode& n, const Box8& box) {
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i used = _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n.count)), lane);
    __m256 low[3];
    __m256 high[3];
    __m256 grown_low[3];
    __m256 grown_high[3];
    for (int k = 0; k < 3; ++k) {
        low[k] = _mm256_load_ps(n.min[k]);
        high[k] = _mm256_load_ps(n.max[k]);
        grown_low[k] = _mm256_min_ps(low[k], box.min[k]);
        grown_high[k] = _mm256_max_ps(high[k], box.max[k]);
    }
    const __m256 area = half_areas(low, high);
    const __m256 growth = _mm256_sub_ps(half_areas(grown_low, grown_high), area);
    unsigned best;
    if (!kFinite && _mm256_movemask_ps(_mm256_and_ps(_mm256_cmp_ps(growth, area, _CMP_UNORD_Q),
                                                     _mm256_castsi256_ps(used))) != 0) {
        alignas(32) float areas[8];
        alignas(32) float growths[8];
        _mm256_store_ps(areas, area);
        _mm256_store_ps(growths, growth);
        best = least_growth_of_any(areas, growths, n.count);
    } else {
        // As integers, which compare like the floats and in a quarter of the time: entries that need not grow
        // come first, by their areas with the sign set, then the others by their growth, then unused ones.
        const __m256i sign = _mm256_set1_epi32(std::numeric_limits<int>::min());
        const __m256i grown = _mm256_castps_si256(growth);
        const __m256i kept = _mm256_cmpeq_epi32(grown, _mm256_setzero_si256());
        const __m256i by_area = _mm256_and_si256(kept, _mm256_or_si256(_mm256_castps_si256(area), sign));
        const __m256i last = _mm256_xor_si256(used, _mm256_set1_epi32(std::numeric_limits<int>::max()));
        const __m256i key = _mm256_max_epi32(_mm256_or_si256(grown, by_area), last);
        const __m256i least = _mm256_cmpeq_epi32(key, lowest_of(key));
        best = static_cast<unsigned>(
            __builtin_ctz(static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(least)))));
    }
    // Whole rows: the next insertion loads them, and could not be served from eight single stores.
    const __m256 taken =
        _mm256_castsi256_ps(_mm256_cmpeq_epi32(lane, _mm256_set1_epi32(static_cast<int>(best))));
    for (int k = 0; k < 3; ++k) {
        _mm256_store_ps(n.min[k], _mm256_blendv_ps(low[k], grown_low[k], taken));
        _mm256_store_ps(n.max[k], _mm256_blendv_ps(high[k], grown_high[k], taken));
    }
    return best;
}

// A box as one register: min, 0, -max, 0. The least of two rows is the row of the merged box.
BV_WIDE_TARGET inline __m256 row_of(const Aabb& b) {
    return _mm256_setr_ps(b.min.x, b.min.y, b.min.z, 0.0f, -b.max.x, -b.max.y, -b.max.z, 0.0f);
}
BV_WIDE_TARGET inline void store_box(__m256 row, Aabb& box) {
    alignas(32) float v[8];
    _mm256_store_ps(v, row);
    box = {{v[0], v[1], v[2]}, {-v[4], -v[5], -v[6]}};
}
BV_WIDE_TARGET inline void transpose_rows(const __m256* axes, __m256* rows) {
    const __m256 zero = _mm256_setzero_ps();
    const __m256 a = _mm256_unpacklo_ps(axes[0], axes[2]), b = _mm256_unpackhi_ps(axes[0], axes[2]);
    const __m256 c = _mm256_unpacklo_ps(axes[1], zero), d = _mm256_unpackhi_ps(axes[1], zero);
    rows[0] = _mm256_unpacklo_ps(a, c);
    rows[1] = _mm256_unpackhi_ps(a, c);
    rows[2] = _mm256_unpacklo_ps(b, d);
    rows[3] = _mm256_unpackhi_ps(b, d);
}
// Half areas of four rows. Both extents of a product are negative, so the products are those of positive
// ones.
BV_WIDE_TARGET inline __m128 row_areas(const __m256* rows) {
    __m128 e[4];
    for (int i = 0; i < 4; ++i)
        e[i] = _mm_add_ps(_mm256_castps256_ps128(rows[i]), _mm256_extractf128_ps(rows[i], 1));
    _MM_TRANSPOSE4_PS(e[0], e[1], e[2], e[3]);
    return _mm_add_ps(_mm_add_ps(_mm_mul_ps(e[0], e[1]), _mm_mul_ps(e[1], e[2])), _mm_mul_ps(e[2], e[0]));
}

// Nine entries of a node that is divided, the new one last.
struct Nine {
    alignas(32) __m256 rows[9];
    alignas(32) std::uint32_t children[16];
};

BV_WIDE_TARGET inline __m256i children_of(const Nine& nine) {
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(nine.children));
}

// The order of the entries by center along an axis, ties by child: an entry's rank is the number of entries
// before it. Fills up with zeros to sixteen.
BV_WIDE_TARGET inline void sort_nine(const Nine& nine, __m256 centers, float last, std::uint32_t* order) {
    alignas(32) float c[16];
    _mm256_store_ps(c, centers);
    c[8] = last;
    const __m256i child = children_of(nine);
    __m256i rank = _mm256_setzero_si256();
    __m256 before = _mm256_setzero_ps();
    for (unsigned j = 0; j < 9; ++j) {
        const __m256 other = _mm256_set1_ps(c[j]);
        // Indices are below 2^28: compared as signed.
        const __m256i lower =
            _mm256_cmpgt_epi32(child, _mm256_set1_epi32(static_cast<int>(nine.children[j])));
        before = _mm256_or_ps(
            _mm256_cmp_ps(other, centers, _CMP_LT_OQ),
            _mm256_and_ps(_mm256_cmp_ps(other, centers, _CMP_EQ_OQ), _mm256_castsi256_ps(lower)));
        rank = _mm256_sub_epi32(rank, _mm256_castps_si256(before));
    }
    alignas(32) std::uint32_t ranks[8];
    _mm256_store_si256(reinterpret_cast<__m256i*>(ranks), rank);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(order + 8), _mm256_setzero_si256());
    for (std::uint32_t i = 0; i < 8; ++i)
        order[ranks[i]] = i;
    // The last pass compared the new entry with the others.
    order[8 - __builtin_popcount(static_cast<unsigned>(_mm256_movemask_ps(before)))] = 8;
}

// Fills a node with `count` of the nine entries: those of `from`, which may be `to`, and the new one.
BV_WIDE_TARGET inline void fill_from(const WideTreeNode& from, const Nine& nine, const Aabb& box,
                                     const std::uint32_t* order, unsigned count, WideTreeNode& to) {
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i entry = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(order));
    const __m256 is_new = _mm256_castsi256_ps(_mm256_cmpeq_epi32(entry, _mm256_set1_epi32(8)));
    const __m256i is_used = _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), lane);
    const __m256 used = _mm256_castsi256_ps(is_used);
    const __m256 inf = _mm256_set1_ps(std::numeric_limits<float>::infinity());
    const __m256 minus_inf = _mm256_set1_ps(-std::numeric_limits<float>::infinity());
    for (int k = 0; k < 3; ++k) {
        const __m256 low = _mm256_permutevar8x32_ps(_mm256_load_ps(from.min[k]), entry);
        const __m256 high = _mm256_permutevar8x32_ps(_mm256_load_ps(from.max[k]), entry);
        const __m256 l = _mm256_blendv_ps(low, _mm256_set1_ps(box.min[k]), is_new);
        const __m256 h = _mm256_blendv_ps(high, _mm256_set1_ps(box.max[k]), is_new);
        _mm256_store_ps(to.min[k], _mm256_blendv_ps(inf, l, used));
        _mm256_store_ps(to.max[k], _mm256_blendv_ps(minus_inf, h, used));
    }
    const __m256i none = _mm256_set1_epi32(static_cast<int>(WideTreeNode::kNone));
    const __m256i old = _mm256_permutevar8x32_epi32(children_of(nine), entry);
    const __m256i child = _mm256_blendv_epi8(old, _mm256_set1_epi32(static_cast<int>(nine.children[8])),
                                             _mm256_castps_si256(is_new));
    _mm256_store_si256(reinterpret_cast<__m256i*>(to.child), _mm256_blendv_epi8(none, child, is_used));
    to.count = count;
}

}  // namespace

#include "simd/wide_kernels.inl"

BV_WIDE_TARGET void divide(WideTreeNode& node, WideTreeNode& half, std::uint32_t child, const Aabb& box,
                           Aabb (&bounds)[2]) {
    // One by one: g++ copies arrays of registers in halves, and loads them whole only once both are stored.
    const __m256 sign = _mm256_set1_ps(-0.0f);
    const __m256 low[3] = {_mm256_load_ps(node.min[0]), _mm256_load_ps(node.min[1]),
                           _mm256_load_ps(node.min[2])};
    const __m256 negated[3] = {_mm256_xor_ps(_mm256_load_ps(node.max[0]), sign),
                               _mm256_xor_ps(_mm256_load_ps(node.max[1]), sign),
                               _mm256_xor_ps(_mm256_load_ps(node.max[2]), sign)};
    Nine nine;
    __m256 mins[4];
    __m256 maxs[4];
    transpose_rows(low, mins);
    transpose_rows(negated, maxs);
    for (int i = 0; i < 4; ++i) {
        nine.rows[i] = _mm256_permute2f128_ps(mins[i], maxs[i], 0x20);
        nine.rows[4 + i] = _mm256_permute2f128_ps(mins[i], maxs[i], 0x31);
    }
    nine.rows[8] = row_of(box);
    _mm256_store_si256(reinterpret_cast<__m256i*>(nine.children),
                       _mm256_load_si256(reinterpret_cast<const __m256i*>(node.child)));
    nine.children[8] = child;

    // For each axis, the bounds of the first four, the last five, the first five and the last four.
    std::uint32_t orders[3][16];
    __m256 candidates[3][4];
    static constexpr std::uint32_t kAsTheyAre[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    const std::uint32_t* best = kAsTheyAre;  // Used if every area overflows.
    const __m256* best_bounds = nullptr;
    float best_cost = std::numeric_limits<float>::infinity();
    unsigned best_left = 4;
    const __m256 half_of = _mm256_set1_ps(0.5f);
    for (int axis = 0; axis < 3; ++axis) {
        std::uint32_t* order = orders[axis];
        const __m256 from = _mm256_load_ps(node.min[axis]);
        const __m256 to = _mm256_load_ps(node.max[axis]);
        sort_nine(nine, _mm256_add_ps(_mm256_mul_ps(half_of, from), _mm256_mul_ps(half_of, to)),
                  0.5f * box.min[axis] + 0.5f * box.max[axis], order);
        __m256* c = candidates[axis];
        c[0] = nine.rows[order[0]];
        for (int i = 1; i < 4; ++i)
            c[0] = _mm256_min_ps(c[0], nine.rows[order[i]]);
        c[3] = nine.rows[order[5]];
        for (int i = 6; i < 9; ++i)
            c[3] = _mm256_min_ps(c[3], nine.rows[order[i]]);
        c[1] = _mm256_min_ps(nine.rows[order[4]], c[3]);
        c[2] = _mm256_min_ps(c[0], nine.rows[order[4]]);
        alignas(16) float areas[4];
        _mm_store_ps(areas, row_areas(c));
        for (unsigned part = 0; part < 2; ++part) {
            const float cost = areas[2 * part] + areas[2 * part + 1];
            if (cost < best_cost) {
                best_cost = cost;
                best_left = 4 + part;
                best = order;
                best_bounds = c + 2 * part;
            }
        }
    }
    fill_from(node, nine, box, best + best_left, 9 - best_left, half);
    fill_from(node, nine, box, best, best_left, node);
    if (best_bounds) {
        store_box(best_bounds[0], bounds[0]);
        store_box(best_bounds[1], bounds[1]);
    } else {
        bounds[0] = node_bounds(node);
        bounds[1] = node_bounds(half);
    }
}

}  // namespace bv::detail::wide_avx2

#endif
