// The value range of the curve of a walk.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

namespace lab::panels {

/// From the lowest value to the highest, so that differences are visible.
struct CurveRange {
    float low = 0, high = 0;
    bool logarithmic = false;  ///< The values differ so much that only their logarithms show it.

    /// From 0 at the bottom to 1 at the top; values that are all equal lie in the middle.
    [[nodiscard]] float share(float value) const {
        if (!(low < high)) return 0.5f;
        if (logarithmic) return std::log(std::max(value, low) / low) / std::log(high / low);
        return (value - low) / (high - low);
    }
};

/// True iff nothing but rounding tells the ends of a curve apart: it is drawn flat.
[[nodiscard]] inline bool is_rounding(float low, float high) {
    constexpr float kRounding = 4e-6f;
    return high - low <= kRounding * std::max(std::abs(low), std::abs(high));
}

/// Empty if no value is finite.
[[nodiscard]] inline std::optional<CurveRange> range_of(std::span<const float> values) {
    constexpr float kWide = 100.0f;
    float low = std::numeric_limits<float>::infinity(), high = -low;
    for (const float value : values) {
        if (!std::isfinite(value)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    if (!(low <= high)) return std::nullopt;
    if (is_rounding(low, high)) high = low;
    return CurveRange{low, high, low > 0.0f && high > kWide * low};
}

}  // namespace lab::panels
