// The AVX2 twins. Only this file is compiled for AVX2, so it calls no inline function of any library: the
// linker keeps one copy of such a function for the whole program, and that copy must not use these
// instructions.
#include "simd/point_kernels.hpp"

#if defined(__AVX2__)
#include <immintrin.h>

namespace bv::simd {
namespace {

struct Floats {
    __m256 x, y, z;
};
struct Doubles {
    __m256d x, y, z;
};

// Loads eight points and transposes them to one register per coordinate.
inline Floats load8(const float* p) {
    const __m256 a = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p)), _mm_loadu_ps(p + 12), 1);
    const __m256 b =
        _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p + 4)), _mm_loadu_ps(p + 16), 1);
    const __m256 c =
        _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p + 8)), _mm_loadu_ps(p + 20), 1);
    const __m256 xy = _mm256_shuffle_ps(b, c, _MM_SHUFFLE(2, 1, 3, 2));
    const __m256 yz = _mm256_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 2, 1));
    return {_mm256_shuffle_ps(a, xy, _MM_SHUFFLE(2, 0, 3, 0)),
            _mm256_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0)),
            _mm256_shuffle_ps(yz, c, _MM_SHUFFLE(3, 0, 3, 1))};
}

inline Doubles low_half(const Floats& f) {
    return {_mm256_cvtps_pd(_mm256_castps256_ps128(f.x)), _mm256_cvtps_pd(_mm256_castps256_ps128(f.y)),
            _mm256_cvtps_pd(_mm256_castps256_ps128(f.z))};
}
inline Doubles high_half(const Floats& f) {
    return {_mm256_cvtps_pd(_mm256_extractf128_ps(f.x, 1)), _mm256_cvtps_pd(_mm256_extractf128_ps(f.y, 1)),
            _mm256_cvtps_pd(_mm256_extractf128_ps(f.z, 1))};
}

// The last points, copied and padded with NaN, which every kernel skips.
struct Tail {
    float xyz[24];
    Tail(const float* p, std::size_t count) {
        for (std::size_t i = 0; i < 24; ++i)
            xyz[i] = i < 3 * count ? p[i] : __builtin_nanf("");
    }
};

template <class Use>
inline void for_each_8(const float* xyz, std::size_t count, const Use& use) {
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8)
        use(load8(xyz + 3 * i), i);
    if (i < count) {
        const Tail tail(xyz + 3 * i, count - i);
        use(load8(tail.xyz), i);
    }
}

// x - x is zero for finite numbers and NaN for all others.
inline __m256 finite_mask(const Floats& p) {
    const __m256 s = _mm256_add_ps(_mm256_add_ps(_mm256_sub_ps(p.x, p.x), _mm256_sub_ps(p.y, p.y)),
                                   _mm256_sub_ps(p.z, p.z));
    return _mm256_cmp_ps(s, _mm256_setzero_ps(), _CMP_EQ_OQ);
}
inline __m256d finite_mask(const Doubles& p) {
    const __m256d s = _mm256_add_pd(_mm256_add_pd(_mm256_sub_pd(p.x, p.x), _mm256_sub_pd(p.y, p.y)),
                                    _mm256_sub_pd(p.z, p.z));
    return _mm256_cmp_pd(s, _mm256_setzero_pd(), _CMP_EQ_OQ);
}

inline double least_of(__m256d v) {
    alignas(32) double d[4];
    _mm256_store_pd(d, v);
    double m = d[0];
    for (int i = 1; i < 4; ++i)
        m = d[i] < m ? d[i] : m;
    return m;
}
inline double greatest_of(__m256d v) {
    alignas(32) double d[4];
    _mm256_store_pd(d, v);
    double m = d[0];
    for (int i = 1; i < 4; ++i)
        m = d[i] > m ? d[i] : m;
    return m;
}

// Least and greatest of several projections, with absent points blended out.
template <int N>
struct Ranges {
    __m256d low[N], high[N];
    Ranges() {
        for (int k = 0; k < N; ++k) {
            low[k] = _mm256_set1_pd(__builtin_inf());
            high[k] = _mm256_set1_pd(-__builtin_inf());
        }
    }
    void take(int k, __m256d d, __m256d present) {
        // Minimum and maximum return their second operand if the first is NaN.
        const __m256d seen = _mm256_blendv_pd(_mm256_set1_pd(__builtin_nan("")), d, present);
        low[k] = _mm256_min_pd(seen, low[k]);
        high[k] = _mm256_max_pd(seen, high[k]);
    }
};

Bounds bounds(const float* xyz, std::size_t count) {
    const __m256 inf = _mm256_set1_ps(__builtin_inff());
    const __m256 minus_inf = _mm256_set1_ps(-__builtin_inff());
    Floats low{inf, inf, inf}, high{minus_inf, minus_inf, minus_inf};
    for_each_8(xyz, count, [&](const Floats& p, std::size_t) {
        const __m256 present = finite_mask(p);
        low.x = _mm256_min_ps(low.x, _mm256_blendv_ps(inf, p.x, present));
        low.y = _mm256_min_ps(low.y, _mm256_blendv_ps(inf, p.y, present));
        low.z = _mm256_min_ps(low.z, _mm256_blendv_ps(inf, p.z, present));
        high.x = _mm256_max_ps(high.x, _mm256_blendv_ps(minus_inf, p.x, present));
        high.y = _mm256_max_ps(high.y, _mm256_blendv_ps(minus_inf, p.y, present));
        high.z = _mm256_max_ps(high.z, _mm256_blendv_ps(minus_inf, p.z, present));
    });
    Bounds b;
    alignas(32) float l[8], h[8];
    const __m256 lows[3] = {low.x, low.y, low.z}, highs[3] = {high.x, high.y, high.z};
    for (int k = 0; k < 3; ++k) {
        _mm256_store_ps(l, lows[k]);
        _mm256_store_ps(h, highs[k]);
        b.min[k] = l[0];
        b.max[k] = h[0];
        for (int i = 1; i < 8; ++i) {
            b.min[k] = l[i] < b.min[k] ? l[i] : b.min[k];
            b.max[k] = h[i] > b.max[k] ? h[i] : b.max[k];
        }
        b.min[k] += 0.0f;
        b.max[k] += 0.0f;
    }
    return b;
}

FarthestPoint farthest(const float* xyz, std::size_t count, const double center[3]) {
    const __m256d cx = _mm256_set1_pd(center[0]);
    const __m256d cy = _mm256_set1_pd(center[1]);
    const __m256d cz = _mm256_set1_pd(center[2]);
    const __m256d inf = _mm256_set1_pd(__builtin_inf());
    // Two independent halves, so that neither waits for the other.
    __m256d best[2] = {_mm256_set1_pd(-1.0), _mm256_set1_pd(-1.0)};
    __m256i where[2] = {_mm256_set1_epi64x(-1), _mm256_set1_epi64x(-1)};
    const auto update = [&](int half, const Doubles& p, std::size_t i) {
        const __m256d x = _mm256_sub_pd(cx, p.x), y = _mm256_sub_pd(cy, p.y), z = _mm256_sub_pd(cz, p.z);
        const __m256d d =
            _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(x, x), _mm256_mul_pd(y, y)), _mm256_mul_pd(z, z));
        const __m256d better =
            _mm256_and_pd(_mm256_cmp_pd(d, best[half], _CMP_GT_OQ), _mm256_cmp_pd(d, inf, _CMP_LT_OQ));
        best[half] = _mm256_blendv_pd(best[half], d, better);
        const __m256i index = _mm256_set1_epi64x(static_cast<long long>(i));
        where[half] = _mm256_castpd_si256(
            _mm256_blendv_pd(_mm256_castsi256_pd(where[half]), _mm256_castsi256_pd(index), better));
    };
    for_each_8(xyz, count, [&](const Floats& p, std::size_t i) {
        update(0, low_half(p), i);
        update(1, high_half(p), i);
    });
    FarthestPoint result{kNoIndex, -1.0};
    for (int half = 0; half < 2; ++half) {
        alignas(32) double d[4];
        alignas(32) long long base[4];
        _mm256_store_pd(d, best[half]);
        _mm256_store_si256(reinterpret_cast<__m256i*>(base), where[half]);
        for (int lane = 0; lane < 4; ++lane) {
            if (base[lane] < 0) continue;
            const std::size_t index = static_cast<std::size_t>(base[lane] + half * 4 + lane);
            if (d[lane] > result.distance_sq || (d[lane] == result.distance_sq && index < result.index))
                result = {index, d[lane]};
        }
    }
    return result;
}

void extents(const float* xyz, std::size_t count, const float axes[9], const float origin[3], double low[3],
             double high[3]) {
    __m256d a[9];
    for (int k = 0; k < 9; ++k)
        a[k] = _mm256_set1_pd(static_cast<double>(axes[k]));
    const __m256d ox = _mm256_set1_pd(static_cast<double>(origin[0]));
    const __m256d oy = _mm256_set1_pd(static_cast<double>(origin[1]));
    const __m256d oz = _mm256_set1_pd(static_cast<double>(origin[2]));
    Ranges<3> ranges;
    const auto take = [&](const Doubles& p) {
        const __m256d present = finite_mask(p);
        const __m256d x = _mm256_sub_pd(p.x, ox), y = _mm256_sub_pd(p.y, oy), z = _mm256_sub_pd(p.z, oz);
        for (int k = 0; k < 3; ++k) {
            const __m256d xy = _mm256_add_pd(_mm256_mul_pd(a[3 * k], x), _mm256_mul_pd(a[3 * k + 1], y));
            ranges.take(k, _mm256_add_pd(xy, _mm256_mul_pd(a[3 * k + 2], z)), present);
        }
    };
    for_each_8(xyz, count, [&](const Floats& p, std::size_t) {
        take(low_half(p));
        take(high_half(p));
    });
    for (int k = 0; k < 3; ++k) {
        low[k] = least_of(ranges.low[k]);
        high[k] = greatest_of(ranges.high[k]);
    }
}

void kdop(const float* xyz, std::size_t count, double low[kKdopDirectionCount],
          double high[kKdopDirectionCount]) {
    Ranges<kKdopDirectionCount> ranges;
    const auto take = [&ranges](const Doubles& p) {
        const __m256d present = finite_mask(p);
        const __m256d plus = _mm256_add_pd(p.x, p.y), minus = _mm256_sub_pd(p.x, p.y);
        const __m256d d[kKdopDirectionCount] = {p.x,
                                                p.y,
                                                p.z,
                                                _mm256_add_pd(plus, p.z),
                                                _mm256_sub_pd(plus, p.z),
                                                _mm256_add_pd(minus, p.z),
                                                _mm256_add_pd(_mm256_sub_pd(p.y, p.x), p.z),
                                                plus,
                                                _mm256_add_pd(p.x, p.z),
                                                _mm256_add_pd(p.y, p.z),
                                                minus,
                                                _mm256_sub_pd(p.x, p.z),
                                                _mm256_sub_pd(p.y, p.z)};
        for (int k = 0; k < kKdopDirectionCount; ++k)
            ranges.take(k, d[k], present);
    };
    for_each_8(xyz, count, [&](const Floats& p, std::size_t) {
        take(low_half(p));
        take(high_half(p));
    });
    for (int k = 0; k < kKdopDirectionCount; ++k) {
        low[k] = least_of(ranges.low[k]) + 0.0;
        high[k] = greatest_of(ranges.high[k]) + 0.0;
    }
}

// Best value and its index in each lane. Indices are 32 bits within a block of points.
struct Best {
    __m256 value;
    __m256i index;
};

constexpr std::size_t kBlock = 1024;

void extremes_in_block(const float* x, const float* y, const float* z, const int* places, std::size_t count,
                       const float* a, float& least, std::size_t& low, float& greatest, std::size_t& high,
                       std::size_t base) {
    const __m256 ax = _mm256_set1_ps(a[0]), ay = _mm256_set1_ps(a[1]), az = _mm256_set1_ps(a[2]);
    const auto project = [&](std::size_t i) {
        const __m256 xy =
            _mm256_add_ps(_mm256_mul_ps(ax, _mm256_load_ps(x + i)), _mm256_mul_ps(ay, _mm256_load_ps(y + i)));
        return _mm256_add_ps(xy, _mm256_mul_ps(az, _mm256_load_ps(z + i)));
    };
    const __m256 first = project(0);
    __m256i at = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    Best min{first, at}, max{first, at};
    for (std::size_t i = 8; i < count; i += 8) {
        const __m256 d = project(i);
        at = _mm256_add_epi32(at, _mm256_set1_epi32(8));
        const __m256 less = _mm256_cmp_ps(d, min.value, _CMP_LT_OQ);
        const __m256 more = _mm256_cmp_ps(d, max.value, _CMP_GT_OQ);
        min.value = _mm256_blendv_ps(min.value, d, less);
        max.value = _mm256_blendv_ps(max.value, d, more);
        min.index = _mm256_blendv_epi8(min.index, at, _mm256_castps_si256(less));
        max.index = _mm256_blendv_epi8(max.index, at, _mm256_castps_si256(more));
    }
    alignas(32) float v[8];
    alignas(32) int n[8];
    const auto reduce = [&](const Best& best, bool find_min, float& value, std::size_t& index) {
        _mm256_store_ps(v, best.value);
        _mm256_store_si256(reinterpret_cast<__m256i*>(n), best.index);
        int lane = 0;
        for (int i = 1; i < 8; ++i) {
            const bool better = find_min ? v[i] < v[lane] : v[i] > v[lane];
            if (better || (v[i] == v[lane] && n[i] < n[lane])) lane = i;
        }
        if (index == kNoIndex || (find_min ? v[lane] < value : v[lane] > value)) {
            value = v[lane];
            index = base + static_cast<std::size_t>(places[n[lane]]);
        }
    };
    reduce(min, true, least, low);
    reduce(max, false, greatest, high);
}

void extremes(const float* xyz, std::size_t count, const float origin[3], const float* directions,
              std::size_t direction_count, std::size_t* low, std::size_t* high) {
    constexpr std::size_t kMaxDirections = 64;
    float least[kMaxDirections], greatest[kMaxDirections];
    for (std::size_t k = 0; k < direction_count; ++k)
        low[k] = high[k] = kNoIndex;
    const __m256 ox = _mm256_set1_ps(origin[0]), oy = _mm256_set1_ps(origin[1]),
                 oz = _mm256_set1_ps(origin[2]);
    alignas(32) float x[kBlock + 8], y[kBlock + 8], z[kBlock + 8];
    int places[kBlock + 8];
    for (std::size_t base = 0; base < count; base += kBlock) {
        const std::size_t end = base + kBlock < count ? base + kBlock : count;
        std::size_t kept = 0;
        const auto keep = [&](std::size_t i) {
            const float* p = xyz + 3 * i;
            x[kept] = p[0] - origin[0];
            y[kept] = p[1] - origin[1];
            z[kept] = p[2] - origin[2];
            places[kept] = static_cast<int>(i - base);
            const float s = (p[0] - p[0]) + (p[1] - p[1]) + (p[2] - p[2]);
            kept += s == 0.0f ? 1 : 0;
        };
        std::size_t i = base;
        for (; i + 8 <= end; i += 8) {
            const Floats p = load8(xyz + 3 * i);
            if (_mm256_movemask_ps(finite_mask(p)) != 0xff) {
                for (std::size_t k = i; k < i + 8; ++k)
                    keep(k);
                continue;
            }
            _mm256_storeu_ps(x + kept, _mm256_sub_ps(p.x, ox));
            _mm256_storeu_ps(y + kept, _mm256_sub_ps(p.y, oy));
            _mm256_storeu_ps(z + kept, _mm256_sub_ps(p.z, oz));
            const __m256i place = _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(i - base)),
                                                   _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(places + kept), place);
            kept += 8;
        }
        for (; i < end; ++i)
            keep(i);
        if (kept == 0) continue;
        // Padded with copies of the first: they come later, so they never win.
        for (std::size_t n = kept; n % 8 != 0; ++n) {
            x[n] = x[0];
            y[n] = y[0];
            z[n] = z[0];
            places[n] = places[0];
        }
        for (std::size_t k = 0; k < direction_count; ++k)
            extremes_in_block(x, y, z, places, kept, directions + 3 * k, least[k], low[k], greatest[k],
                              high[k], base);
    }
}

}  // namespace

const Kernels* avx2_kernels() noexcept {
    static constexpr Kernels kTable{"avx2", bounds, farthest, extents, kdop, extremes};
    return __builtin_cpu_supports("avx2") ? &kTable : nullptr;
}

}  // namespace bv::simd

#else

namespace bv::simd {

const Kernels* avx2_kernels() noexcept {
    return nullptr;
}

}  // namespace bv::simd

#endif
