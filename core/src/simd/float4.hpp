// Four floats in one register: SSE2, which every x86-64 has, or four plain floats elsewhere. Only the
// operations that the trees need. min and max return the second operand if either is NaN, on both
// paths.
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#else
#include <cmath>
#endif

namespace bv::simd {

#if defined(__SSE2__)

struct Float4 {
    __m128 v;

    static Float4 all(float x) noexcept { return {_mm_set1_ps(x)}; }
    static Float4 of(float x, float y, float z, float w) noexcept { return {_mm_setr_ps(x, y, z, w)}; }
    /// `p` is 16-byte aligned.
    static Float4 load(const float* p) noexcept { return {_mm_load_ps(p)}; }
    static Float4 load_unaligned(const float* p) noexcept { return {_mm_loadu_ps(p)}; }
    void store(float* p) const noexcept { _mm_store_ps(p, v); }
    void store_unaligned(float* p) const noexcept { _mm_storeu_ps(p, v); }
};

inline Float4 operator+(Float4 a, Float4 b) noexcept {
    return {_mm_add_ps(a.v, b.v)};
}
inline Float4 operator-(Float4 a, Float4 b) noexcept {
    return {_mm_sub_ps(a.v, b.v)};
}
inline Float4 operator*(Float4 a, Float4 b) noexcept {
    return {_mm_mul_ps(a.v, b.v)};
}
inline Float4 operator/(Float4 a, Float4 b) noexcept {
    return {_mm_div_ps(a.v, b.v)};
}
/// Bit i is set iff a < b in lane i; not set if either is NaN.
inline int less_bits(Float4 a, Float4 b) noexcept {
    return _mm_movemask_ps(_mm_cmplt_ps(a.v, b.v));
}
/// Bit i is the sign of lane i.
inline int sign_bits(Float4 a) noexcept {
    return _mm_movemask_ps(a.v);
}
/// True if no lane is infinite or NaN.
inline bool all_finite(Float4 a) noexcept {
    const __m128 zero = _mm_setzero_ps();
    return _mm_movemask_ps(_mm_cmpeq_ps(_mm_mul_ps(a.v, zero), zero)) == 15;
}
inline Float4 min(Float4 a, Float4 b) noexcept {
    return {_mm_min_ps(a.v, b.v)};
}
inline Float4 max(Float4 a, Float4 b) noexcept {
    return {_mm_max_ps(a.v, b.v)};
}
inline Float4 abs(Float4 a) noexcept {
    return {_mm_andnot_ps(_mm_set1_ps(-0.0f), a.v)};
}
/// The first three lanes, then 0: integers kept in the fourth lane must not enter arithmetic as subnormal
/// numbers.
inline Float4 xyz0(Float4 a) noexcept {
    return {_mm_and_ps(a.v, _mm_castsi128_ps(_mm_setr_epi32(-1, -1, -1, 0)))};
}
/// Bit i is set iff a == b in lane i.
inline int equal_bits(Float4 a, Float4 b) noexcept {
    return _mm_movemask_ps(_mm_cmpeq_ps(a.v, b.v));
}
/// `a` with its first lane replaced by the third of `b`.
inline Float4 with_first_from_third(Float4 a, Float4 b) noexcept {
    return {_mm_move_ss(a.v, _mm_movehl_ps(b.v, b.v))};
}
/// The lanes moved down by one: the first becomes the last.
inline Float4 yzwx(Float4 a) noexcept {
    return {_mm_shuffle_ps(a.v, a.v, _MM_SHUFFLE(0, 3, 2, 1))};
}
/// Toward zero; out of range gives INT_MIN.
inline void truncate(Float4 a, int* out) noexcept {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_cvttps_epi32(a.v));
}
/// x y + y z + z x of the first three lanes: half of a box's surface area.
inline float half_area(Float4 a) noexcept {
    const __m128 yzx = _mm_shuffle_ps(a.v, a.v, _MM_SHUFFLE(3, 0, 2, 1));
    const __m128 p = _mm_mul_ps(a.v, yzx);
    const __m128 sum =
        _mm_add_ss(_mm_add_ss(p, _mm_shuffle_ps(p, p, _MM_SHUFFLE(3, 3, 3, 1))), _mm_movehl_ps(p, p));
    return _mm_cvtss_f32(sum);
}

#else

struct Float4 {
    float v[4];

    static Float4 all(float x) noexcept { return {{x, x, x, x}}; }
    static Float4 of(float x, float y, float z, float w) noexcept { return {{x, y, z, w}}; }
    static Float4 load(const float* p) noexcept { return {{p[0], p[1], p[2], p[3]}}; }
    static Float4 load_unaligned(const float* p) noexcept { return load(p); }
    void store(float* p) const noexcept {
        for (int i = 0; i < 4; ++i)
            p[i] = v[i];
    }
    void store_unaligned(float* p) const noexcept { store(p); }
};

template <class F>
inline Float4 map(Float4 a, Float4 b, F f) noexcept {
    return {{f(a.v[0], b.v[0]), f(a.v[1], b.v[1]), f(a.v[2], b.v[2]), f(a.v[3], b.v[3])}};
}
inline Float4 operator+(Float4 a, Float4 b) noexcept {
    return map(a, b, [](float x, float y) { return x + y; });
}
inline Float4 operator-(Float4 a, Float4 b) noexcept {
    return map(a, b, [](float x, float y) { return x - y; });
}
inline Float4 operator*(Float4 a, Float4 b) noexcept {
    return map(a, b, [](float x, float y) { return x * y; });
}
inline Float4 operator/(Float4 a, Float4 b) noexcept {
    return map(a, b, [](float x, float y) { return x / y; });
}
inline int less_bits(Float4 a, Float4 b) noexcept {
    int bits = 0;
    for (int i = 0; i < 4; ++i)
        bits |= a.v[i] < b.v[i] ? 1 << i : 0;
    return bits;
}
inline int sign_bits(Float4 a) noexcept {
    int bits = 0;
    for (int i = 0; i < 4; ++i)
        bits |= std::signbit(a.v[i]) ? 1 << i : 0;
    return bits;
}
inline bool all_finite(Float4 a) noexcept {
    return std::isfinite(a.v[0]) && std::isfinite(a.v[1]) && std::isfinite(a.v[2]) && std::isfinite(a.v[3]);
}
inline Float4 min(Float4 a, Float4 b) noexcept {
    return map(a, b, [](float x, float y) { return x < y ? x : y; });
}
inline Float4 max(Float4 a, Float4 b) noexcept {
    return map(a, b, [](float x, float y) { return x > y ? x : y; });
}
inline Float4 abs(Float4 a) noexcept {
    return {{std::abs(a.v[0]), std::abs(a.v[1]), std::abs(a.v[2]), std::abs(a.v[3])}};
}
inline Float4 xyz0(Float4 a) noexcept {
    return {{a.v[0], a.v[1], a.v[2], 0.0f}};
}
inline int equal_bits(Float4 a, Float4 b) noexcept {
    int bits = 0;
    for (int i = 0; i < 4; ++i)
        bits |= a.v[i] == b.v[i] ? 1 << i : 0;
    return bits;
}
inline Float4 with_first_from_third(Float4 a, Float4 b) noexcept {
    return {{b.v[2], a.v[1], a.v[2], a.v[3]}};
}
inline Float4 yzwx(Float4 a) noexcept {
    return {{a.v[1], a.v[2], a.v[3], a.v[0]}};
}
inline void truncate(Float4 a, int* out) noexcept {
    for (int i = 0; i < 4; ++i)
        out[i] =
            a.v[i] > -2147483904.0f && a.v[i] < 2147483648.0f ? static_cast<int>(a.v[i]) : -2147483647 - 1;
}
inline float half_area(Float4 a) noexcept {
    return a.v[0] * a.v[1] + a.v[1] * a.v[2] + a.v[2] * a.v[0];
}

#endif

}  // namespace bv::simd
