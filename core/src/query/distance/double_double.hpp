// Arithmetic of about 32 digits: a number as the unevaluated sum of two doubles, and vectors of such. For the
// rare pairs where double is not enough. Source: Shewchuk 1997.
#pragma once

#include "query/precise.hpp"

namespace bv::detail {

struct DoubleDouble {
    double hi = 0.0;
    double lo = 0.0;  ///< At most half a unit in the last place of `hi`.

    constexpr DoubleDouble() noexcept = default;
    constexpr DoubleDouble(double x) noexcept : hi(x) {}  // NOLINT(google-explicit-constructor)
    explicit operator double() const noexcept { return hi + lo; }

    /// a + b exactly.
    [[nodiscard]] static DoubleDouble sum(double a, double b) noexcept {
        DoubleDouble r(a + b);
        const double part = r.hi - a;
        r.lo = (a - (r.hi - part)) + (b - part);
        return r;
    }
    /// a * b exactly; Dekker's product, since a fused multiply-add may not be in hardware.
    [[nodiscard]] static DoubleDouble product(double a, double b) noexcept {
        constexpr double kSplitter = 134217729.0;  // 2^27 + 1
        const double sa = kSplitter * a, sb = kSplitter * b;
        const double ah = sa - (sa - a), bh = sb - (sb - b);
        const double al = a - ah, bl = b - bh;
        DoubleDouble r(a * b);
        r.lo = ((ah * bh - r.hi) + ah * bl + al * bh) + al * bl;
        return r;
    }

    friend DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) noexcept {
        const DoubleDouble high = sum(a.hi, b.hi);
        const DoubleDouble low = sum(a.lo, b.lo);
        const DoubleDouble head = sum(high.hi, high.lo + low.hi);
        return sum(head.hi, head.lo + low.lo);
    }
    friend DoubleDouble operator-(const DoubleDouble& a) noexcept {
        DoubleDouble r(-a.hi);
        r.lo = -a.lo;
        return r;
    }
    friend DoubleDouble operator-(const DoubleDouble& a, const DoubleDouble& b) noexcept { return a + -b; }
    friend DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b) noexcept {
        const DoubleDouble p = product(a.hi, b.hi);
        return sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
    }
    friend DoubleDouble operator/(const DoubleDouble& a, const DoubleDouble& b) noexcept {
        const double first = a.hi / b.hi;
        const DoubleDouble rest = a - b * DoubleDouble(first);
        const double second = rest.hi / b.hi;
        const double third = (rest - b * DoubleDouble(second)).hi / b.hi;
        return DoubleDouble(first) + sum(second, third);
    }
    friend bool operator<(const DoubleDouble& a, const DoubleDouble& b) noexcept {
        return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
    }
    friend bool operator>(const DoubleDouble& a, const DoubleDouble& b) noexcept { return b < a; }
    friend bool operator<=(const DoubleDouble& a, const DoubleDouble& b) noexcept {
        return a.hi < b.hi || (a.hi == b.hi && a.lo <= b.lo);
    }
    friend bool operator>=(const DoubleDouble& a, const DoubleDouble& b) noexcept { return b <= a; }
};

struct DoubleDouble3 {
    DoubleDouble x, y, z;

    /// a - b exactly.
    [[nodiscard]] static DoubleDouble3 difference(const DVec3& a, const DVec3& b) noexcept {
        return {DoubleDouble::sum(a.x, -b.x), DoubleDouble::sum(a.y, -b.y), DoubleDouble::sum(a.z, -b.z)};
    }
    explicit operator DVec3() const noexcept {
        return {static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
    }
    friend DoubleDouble3 operator+(const DoubleDouble3& a, const DoubleDouble3& b) noexcept {
        return {a.x + b.x, a.y + b.y, a.z + b.z};
    }
    friend DoubleDouble3 operator-(const DoubleDouble3& a, const DoubleDouble3& b) noexcept {
        return {a.x - b.x, a.y - b.y, a.z - b.z};
    }
    friend DoubleDouble3 operator*(const DoubleDouble& s, const DoubleDouble3& v) noexcept {
        return {s * v.x, s * v.y, s * v.z};
    }
    friend DoubleDouble dot(const DoubleDouble3& a, const DoubleDouble3& b) noexcept {
        return a.x * b.x + a.y * b.y + a.z * b.z;
    }
    friend DoubleDouble3 cross(const DoubleDouble3& a, const DoubleDouble3& b) noexcept {
        return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    }
};

}  // namespace bv::detail
