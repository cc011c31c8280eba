// One pair of oriented boxes: the test of bv/query/obb_sat.hpp with three axes in the lanes of a register.
// Every line is the scalar formula with the same order of operations, so both give the same verdict. SSE2,
// which every x86-64 has; elsewhere the scalar form.
#pragma once

#include "bv/query/obb_sat.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace bv::simd {

#if defined(__SSE2__)

namespace obb_pair {

using F4 = __m128;  ///< Three lanes; the fourth holds anything.

static_assert(sizeof(Obb) == 15 * sizeof(float), "loads overlap the next member");

struct Three {
    F4 v[3];
};

/// Center, half extents and three axes.
[[nodiscard]] inline const float* floats_of(const Obb& box) noexcept {
    return reinterpret_cast<const float*>(&box);
}

template <int kLane>
[[nodiscard]] inline F4 spread(F4 v) noexcept {
    return _mm_shuffle_ps(v, v, _MM_SHUFFLE(kLane, kLane, kLane, kLane));
}
[[nodiscard]] inline F4 yzx(F4 v) noexcept {
    return _mm_shuffle_ps(v, v, _MM_SHUFFLE(3, 0, 2, 1));
}
[[nodiscard]] inline F4 zxy(F4 v) noexcept {
    return _mm_shuffle_ps(v, v, _MM_SHUFFLE(3, 1, 0, 2));
}
[[nodiscard]] inline F4 absolute(F4 v) noexcept {
    return _mm_andnot_ps(_mm_set1_ps(-0.0f), v);
}

[[nodiscard]] inline Three transposed(const Three& rows) noexcept {
    const F4 low = _mm_unpacklo_ps(rows.v[0], rows.v[1]);
    const F4 high = _mm_unpackhi_ps(rows.v[0], rows.v[1]);
    return {_mm_movelh_ps(low, rows.v[2]), _mm_shuffle_ps(low, rows.v[2], _MM_SHUFFLE(3, 1, 3, 2)),
            _mm_shuffle_ps(high, rows.v[2], _MM_SHUFFLE(3, 2, 1, 0))};
}

/// m.v[0] * x + m.v[1] * y + m.v[2] * z, where x, y, z are the lanes of `v`.
[[nodiscard]] inline F4 combine(const Three& m, F4 v) noexcept {
    return _mm_add_ps(_mm_add_ps(_mm_mul_ps(m.v[0], spread<0>(v)), _mm_mul_ps(m.v[1], spread<1>(v))),
                      _mm_mul_ps(m.v[2], spread<2>(v)));
}

[[nodiscard]] inline Three axes_of(const Obb& box) noexcept {
    const float* const p = floats_of(box);
    // The last axis is loaded with the float before it: nothing is read past the box.
    const F4 last = _mm_loadu_ps(p + 11);
    return {_mm_loadu_ps(p + 6), _mm_loadu_ps(p + 9), _mm_shuffle_ps(last, last, _MM_SHUFFLE(3, 3, 2, 1))};
}

/// Lanes whose intervals meet; NaN counts as separated.
[[nodiscard]] inline F4 meets(F4 distance, F4 radius_a, F4 radius_b, F4 slack) noexcept {
    const F4 radii = _mm_add_ps(_mm_add_ps(radius_a, radius_b), slack);
    return _mm_cmple_ps(_mm_sub_ps(absolute(distance), radii), _mm_setzero_ps());
}
[[nodiscard]] inline bool all_three(F4 mask) noexcept {
    return (_mm_movemask_ps(mask) & 7) == 7;
}

}  // namespace obb_pair

/// As `overlap_nonempty(a, b)` of bv/query/obb_sat.hpp.
[[nodiscard]] inline bool overlap_pair(const Obb& a, const Obb& b) noexcept {
    using namespace obb_pair;
    const glm::vec3& ea = a.half_extents;
    const glm::vec3& eb = b.half_extents;
    if (!detail::is_ordinary(ea, eb, b.center - a.center)) return detail::overlap_in_double(a, b);
    const F4 slack = _mm_set1_ps(kObbSlack * ((ea.x + ea.y + ea.z) + (eb.x + eb.y + eb.z)));
    const F4 ha = _mm_loadu_ps(floats_of(a) + 3);
    const F4 hb = _mm_loadu_ps(floats_of(b) + 3);

    // A's axes by coordinate; then r.v[j] is B's axis j in A's frame, with A's axes in the lanes.
    const Three a_by_coordinate = transposed(axes_of(a));
    const Three b_axes = axes_of(b);
    const F4 t = combine(a_by_coordinate, _mm_sub_ps(_mm_loadu_ps(floats_of(b)), _mm_loadu_ps(floats_of(a))));
    const Three r{combine(a_by_coordinate, b_axes.v[0]), combine(a_by_coordinate, b_axes.v[1]),
                  combine(a_by_coordinate, b_axes.v[2])};
    const Three abs_r{absolute(r.v[0]), absolute(r.v[1]), absolute(r.v[2])};
    if (!all_three(meets(t, ha, combine(abs_r, hb), slack))) return false;

    const Three columns = transposed(r);  // With B's axes in the lanes.
    const Three abs_columns{absolute(columns.v[0]), absolute(columns.v[1]), absolute(columns.v[2])};
    if (!all_three(meets(combine(columns, t), combine(abs_columns, ha), hb, slack))) return false;

    // The crosses of A's three axes with B's axis j.
    const F4 ha1 = yzx(ha), ha2 = zxy(ha), t1 = yzx(t), t2 = zxy(t);
    const F4 eb_of[3] = {spread<0>(hb), spread<1>(hb), spread<2>(hb)};
    F4 all = _mm_castsi128_ps(_mm_set1_epi32(-1));
    for (int j = 0; j < 3; ++j) {
        const int j1 = (j + 1) % 3;
        const int j2 = (j + 2) % 3;
        const F4 r1 = yzx(r.v[j]), r2 = zxy(r.v[j]);
        const F4 radius_a = _mm_add_ps(_mm_mul_ps(ha1, absolute(r2)), _mm_mul_ps(ha2, absolute(r1)));
        const F4 radius_b =
            _mm_add_ps(_mm_mul_ps(eb_of[j1], abs_r.v[j2]), _mm_mul_ps(eb_of[j2], abs_r.v[j1]));
        const F4 distance = _mm_sub_ps(_mm_mul_ps(t2, r1), _mm_mul_ps(t1, r2));
        all = _mm_and_ps(all, meets(distance, radius_a, radius_b, slack));
    }
    return all_three(all);
}

#else

[[nodiscard]] inline bool overlap_pair(const Obb& a, const Obb& b) noexcept {
    return overlap_nonempty(a, b);
}

#endif

}  // namespace bv::simd
