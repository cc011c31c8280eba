#include "simd/point_kernels.hpp"

#include <cmath>
#include <limits>

#include "bv/query/batch.hpp"

namespace bv::simd {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr float kFloatInf = std::numeric_limits<float>::infinity();

bool is_finite(const float* p) {
    return std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]);
}

Bounds bounds(const float* xyz, std::size_t count) {
    Bounds b{{kFloatInf, kFloatInf, kFloatInf}, {-kFloatInf, -kFloatInf, -kFloatInf}};
    for (std::size_t i = 0; i < count; ++i) {
        const float* p = xyz + 3 * i;
        if (!is_finite(p)) continue;
        for (int k = 0; k < 3; ++k) {
            b.min[k] = p[k] < b.min[k] ? p[k] : b.min[k];
            b.max[k] = p[k] > b.max[k] ? p[k] : b.max[k];
        }
    }
    for (int k = 0; k < 3; ++k) {
        b.min[k] += 0.0f;  // Makes a negative zero positive.
        b.max[k] += 0.0f;
    }
    return b;
}

FarthestPoint farthest(const float* xyz, std::size_t count, const double c[3]) {
    FarthestPoint best{kNoIndex, -1.0};
    for (std::size_t i = 0; i < count; ++i) {
        const float* p = xyz + 3 * i;
        const double x = c[0] - static_cast<double>(p[0]);
        const double y = c[1] - static_cast<double>(p[1]);
        const double z = c[2] - static_cast<double>(p[2]);
        const double d = (x * x + y * y) + z * z;
        if (d > best.distance_sq && d < kInf) best = {i, d};
    }
    return best;
}

void extents(const float* xyz, std::size_t count, const float axes[9], const float origin[3], double low[3],
             double high[3]) {
    for (int k = 0; k < 3; ++k) {
        low[k] = kInf;
        high[k] = -kInf;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const float* p = xyz + 3 * i;
        if (!is_finite(p)) continue;
        const double x = static_cast<double>(p[0]) - static_cast<double>(origin[0]);
        const double y = static_cast<double>(p[1]) - static_cast<double>(origin[1]);
        const double z = static_cast<double>(p[2]) - static_cast<double>(origin[2]);
        for (int k = 0; k < 3; ++k) {
            const float* a = axes + 3 * k;
            const double d = (static_cast<double>(a[0]) * x + static_cast<double>(a[1]) * y) +
                             static_cast<double>(a[2]) * z;
            low[k] = d < low[k] ? d : low[k];
            high[k] = d > high[k] ? d : high[k];
        }
    }
}

void kdop(const float* xyz, std::size_t count, double low[kKdopDirectionCount],
          double high[kKdopDirectionCount]) {
    for (int k = 0; k < kKdopDirectionCount; ++k) {
        low[k] = kInf;
        high[k] = -kInf;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const float* p = xyz + 3 * i;
        if (!is_finite(p)) continue;
        const double x = static_cast<double>(p[0]), y = static_cast<double>(p[1]),
                     z = static_cast<double>(p[2]);
        const double d[kKdopDirectionCount] = {x,           y,           z,     (x + y) + z, (x + y) - z,
                                               (x - y) + z, (y - x) + z, x + y, x + z,       y + z,
                                               x - y,       x - z,       y - z};
        for (int k = 0; k < kKdopDirectionCount; ++k) {
            low[k] = d[k] < low[k] ? d[k] : low[k];
            high[k] = d[k] > high[k] ? d[k] : high[k];
        }
    }
    for (int k = 0; k < kKdopDirectionCount; ++k) {
        low[k] += 0.0;
        high[k] += 0.0;
    }
}

void extremes(const float* xyz, std::size_t count, const float origin[3], const float* directions,
              std::size_t direction_count, std::size_t* low, std::size_t* high) {
    for (std::size_t k = 0; k < direction_count; ++k) {
        const float* a = directions + 3 * k;
        low[k] = high[k] = kNoIndex;
        float least = kFloatInf, greatest = -kFloatInf;
        for (std::size_t i = 0; i < count; ++i) {
            const float* p = xyz + 3 * i;
            if (!is_finite(p)) continue;
            // Sums of large coordinates may overflow to infinity; the first such point then wins.
            const float d =
                (a[0] * (p[0] - origin[0]) + a[1] * (p[1] - origin[1])) + a[2] * (p[2] - origin[2]);
            if (d < least || low[k] == kNoIndex) {
                least = d;
                low[k] = i;
            }
            if (d > greatest || high[k] == kNoIndex) {
                greatest = d;
                high[k] = i;
            }
        }
    }
}

}  // namespace

const Kernels& scalar_kernels() noexcept {
    static constexpr Kernels kTable{"scalar", bounds, farthest, extents, kdop, extremes};
    return kTable;
}

const Kernels& kernels() noexcept {
    const Kernels* const vector = best_simd() == Simd::Avx2 ? avx2_kernels() : nullptr;
    return vector != nullptr ? *vector : scalar_kernels();
}

}  // namespace bv::simd
