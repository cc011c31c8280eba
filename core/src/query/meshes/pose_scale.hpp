// The uniform scale of a pose, how far it is from a rotation, and what it does to coordinates.
#pragma once

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <limits>

#include "bv/query/collide.hpp"

namespace bv::detail {

/// The square of the pose's scale: the mean of its columns' squared lengths. What rounding leaves of a
/// rotation is a rotation: within 1e-6 of 1, it is 1.
[[nodiscard]] inline double scale2_of(const Pose& pose) noexcept {
    double sum = 0.0;
    for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r)
            sum += static_cast<double>(pose[c][r]) * static_cast<double>(pose[c][r]);
    return std::abs(sum - 3.0) < 3e-6 ? 1.0 : sum / 3.0;
}

/// How far M is from a rotation times its scale: the Frobenius norm of M^T M / scale^2 - 1. What rounding
/// leaves of a rotation is one, as above.
[[nodiscard]] inline double skew_of(const Pose& pose, double scale2) noexcept {
    const glm::dmat3 m(pose);
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        const double stretch = glm::dot(m[i], m[i]) - scale2;
        const double shear = glm::dot(m[i], m[(i + 1) % 3]);
        sum += stretch * stretch + 2.0 * shear * shear;
    }
    return sum > 1e-12 * scale2 * scale2 ? std::sqrt(sum) / scale2 : 0.0;
}

[[nodiscard]] inline bool has_finite_entries(const Pose& pose) noexcept {
    bool all = true;
    for (int c = 0; c < 4; ++c)
        for (int r = 0; r < 3; ++r)
            all = all && std::isfinite(pose[c][r]);
    return all;
}

/// Whether boxes mapped from one frame into the other, or the way back, could leave the range of floats,
/// where comparisons mean nothing. `a`, `b`: the largest coordinates, each in its own frame.
[[nodiscard]] inline bool leaves_range(double a, double b, const Pose& b_in_a, double scale) noexcept {
    double offset = 0.0;
    for (int r = 0; r < 3; ++r)
        offset = std::fmax(offset, std::abs(static_cast<double>(b_in_a[3][r])));
    constexpr double kLimit = static_cast<double>(std::numeric_limits<float>::max()) / 16.0;
    return !(a + scale * b + offset < kLimit && (a + offset) / scale + b < kLimit && 1.0 < scale * kLimit);
}

}  // namespace bv::detail
