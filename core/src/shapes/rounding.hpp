// Directed rounding from double to float, and sums that keep their own rounding error. All bounds that must
// hold in stored precision are computed in double and converted to float by one of these.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <limits>

#include "bv/shapes/not_finite.hpp"

namespace bv::detail {

inline constexpr float kFloatMax = std::numeric_limits<float>::max();
inline constexpr float kFloatInf = std::numeric_limits<float>::infinity();

/// Squared sine at a corner, up to which a triangle is a needle: in double precision its normal may be off by
/// more than a float shows, and none of its points is farther from its edges than that.
inline constexpr double kNeedleSine2 = 1e-16;

/// The next float toward +inf. NaN and +inf are unchanged.
inline float next_up(float x) noexcept {
    return std::nextafterf(x, kFloatInf);
}
inline float next_down(float x) noexcept {
    return std::nextafterf(x, -kFloatInf);
}

/// Least float that is not below `x`; +inf beyond the largest float.
inline float round_up(double x) noexcept {
    if (x > static_cast<double>(kFloatMax)) return kFloatInf;
    if (x < -static_cast<double>(kFloatMax)) return std::isinf(x) ? -kFloatInf : -kFloatMax;
    const auto f = static_cast<float>(x);
    return static_cast<double>(f) < x ? next_up(f) : f;
}
/// Greatest float that is not above `x`.
inline float round_down(double x) noexcept {
    return -round_up(-x);
}

/// A double sum together with the rounding error of its additions (Knuth's two-sum), so that a float can be
/// chosen on the right side of the exact value: the remaining error is of the order of 1e-32 of the terms.
struct ExactSum {
    double high = 0;
    double low = 0;

    void add(double x) noexcept {
        const double s = high + x;
        const double part = s - high;
        low += (high - (s - part)) + (x - part);
        high = s;
    }
    [[nodiscard]] float up() const noexcept {
        if (!std::isfinite(high)) return static_cast<float>(high);
        // After a cancellation `low` may be the larger part.
        const double sum = high + low;
        const double part = sum - high;
        const double rest = (high - (sum - part)) + (low - part);
        const float f = round_up(sum);
        return rest > 0.0 && static_cast<double>(f) == sum ? next_up(f) : f;
    }
    [[nodiscard]] float down() const noexcept { return -ExactSum{-high, -low}.up(); }
};

/// Least float that is not below a + b; +inf beyond the largest float.
inline float add_up(float a, float b) noexcept {
    const float f = a + b;
    if (std::fabs(f) < 0x1p126f) {
        // Knuth's two-sum in single precision: exactly what the sum rounded away.
        const float part = f - a;
        const float rest = (a - (f - part)) + (b - part);
        // As next_up, without a branch that would mispredict every other time. A sum of zero is exact.
        std::int32_t bits;
        std::memcpy(&bits, &f, sizeof bits);
        bits += (rest > 0.0f ? 1 : 0) * (bits < 0 ? -1 : 1);
        float up;
        std::memcpy(&up, &bits, sizeof up);
        return up;
    }
    ExactSum s{static_cast<double>(a), 0.0};
    s.add(static_cast<double>(b));
    return s.up();
}
inline float add_down(float a, float b) noexcept {
    return -add_up(-a, -b);
}

}  // namespace bv::detail
