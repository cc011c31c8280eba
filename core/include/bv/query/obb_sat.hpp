// The separating-axis test of two oriented boxes, in the frame of the first: the inner loop of every OBB
// query.
//
// Two convex solids are disjoint iff some axis separates their projections. For boxes the three face normals
// of each and the nine cross products of their edges suffice. In A's frame, with B's axes as the columns of R
// and B's center at t, each axis costs a few products. Source: Gottschalk 1996; Ericson 2005, 4.4.1.
//
// NaN and infinity: bv/shapes/not_finite.hpp. Single precision, except for boxes that are unbounded or have
// sizes above 1e37 or below 1e-35, which take a slower path in double. `slack` = kObbSlack * (sum of all six
// half extents) is added to the projected radii of every axis. For axes that are orthonormal to 1e-6 it
// exceeds the sum of all rounding errors (about 25 roundings of the boxes' size), so:
//   - boxes that share a point are always reported as overlapping;
//   - boxes reported as overlapping are at most slack / sin(angle) apart, where the angle is that of the edge
//     pair whose cross would have separated them (90 degrees for face normals);
//   - the cross product of two parallel edges is pure rounding error and never separates: it needs no special
//     case.
// A nearly parallel pair with angle e can lose a gap of at most about e times the boxes' size, because the
// face normals detect the rest. So the worst case of both is sqrt(kObbSlack), 0.2 % of the boxes' size.
#pragma once

#include <cmath>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

#include "bv/shapes/obb.hpp"
#include "bv/trace/events.hpp"

namespace bv {

inline constexpr float kObbSlack = 4e-6f;

/// Two boxes in the frame of the first. `half_a`, `half_b` are not negative.
struct ObbPair {
    glm::vec3 half_a{0.0f};
    glm::vec3 half_b{0.0f};
    glm::mat3 b_in_a{1.0f};         ///< Columns: B's axes in A's frame.
    glm::vec3 center_b_in_a{0.0f};  ///< B's center minus A's, in A's frame.
};

namespace detail {

/// Computes the terms of A's axis i: a row of the matrix and a coordinate of B's center.
struct ObbRows {
    const Obb& a;
    const Obb& b;
    glm::vec3 between;
    void operator()(ObbPair& pair, int i) const noexcept {
        const glm::vec3& axis = a.axes[i];
        for (int j = 0; j < 3; ++j)
            pair.b_in_a[j][i] = axis.x * b.axes[j].x + axis.y * b.axes[j].y + axis.z * b.axes[j].z;
        pair.center_b_in_a[i] = axis.x * between.x + axis.y * between.y + axis.z * between.z;
    }
};

}  // namespace detail

/// Makes the pair of two boxes given in one frame. Same order of operations as the batch kernels, so that
/// both give the same bits.
[[nodiscard]] inline ObbPair make_obb_pair(const Obb& a, const Obb& b) noexcept {
    ObbPair pair;
    pair.half_a = a.half_extents;
    pair.half_b = b.half_extents;
    const detail::ObbRows rows{a, b, b.center - a.center};
    for (int i = 0; i < 3; ++i)
        rows(pair, i);
    return pair;
}

namespace detail {

/// The limits of the single-precision test, for the sum of the boxes' extents and distance: in between
/// nothing overflows, and what products lose to subnormal numbers is less than the slack. Infinity and NaN
/// are beyond them. The batch kernels add in the same order.
inline constexpr float kObbMinSum = 1e-35f;
inline constexpr float kObbMaxSum = 1e37f;
[[nodiscard]] inline bool is_ordinary(const glm::vec3& half_a, const glm::vec3& half_b,
                                      const glm::vec3& between) noexcept {
    const float extents = (half_a.x + half_a.y + half_a.z) + (half_b.x + half_b.y + half_b.z);
    const float sum = extents + (std::abs(between.x) + std::abs(between.y) + std::abs(between.z));
    return sum > kObbMinSum && sum < kObbMaxSum;
}
[[nodiscard]] inline bool is_ordinary(const ObbPair& pair) noexcept {
    return is_ordinary(pair.half_a, pair.half_b, pair.center_b_in_a);
}
/// The test in double, for special cases: unbounded boxes, coordinates near either end of the float range,
/// NaN.
[[nodiscard]] bool overlap_in_double(const Obb& a, const Obb& b) noexcept;
[[nodiscard]] bool overlap_in_double(const ObbPair& pair) noexcept;

/// Calls `prepare(i)` before the first use of A's axis i, so that a pair separated by an early axis is never
/// fully computed. Calls `report(kind, i, j, distance, radius_a, radius_b)` for each axis, in which
/// `distance` is the signed offset of B's center along the (not normalized) axis. Ends at the first
/// separating axis unless `kAll`.
template <bool kAll, class Prepare, class Report>
[[nodiscard]] inline bool obb_sat(const ObbPair& p, Prepare&& prepare, Report&& report) noexcept(!kAll) {
    using Kind = AxisTested::Kind;
    const glm::vec3 ha = p.half_a;
    const glm::vec3 hb = p.half_b;
    const glm::vec3& t = p.center_b_in_a;
    const float slack = kObbSlack * ((ha.x + ha.y + ha.z) + (hb.x + hb.y + hb.z));
    glm::mat3 abs_r;
    bool overlapping = true;
    // Written so that NaN anywhere means "separated", and so does an infinite axis: inf - inf.
    const auto axis = [&](Kind kind, int i, int j, float distance, float ra, float rb) {
        report(kind, i, j, distance, ra, rb);
        overlapping = overlapping && std::abs(distance) - (ra + rb + slack) <= 0.0f;
        return !kAll && !overlapping;
    };
    for (int i = 0; i < 3; ++i) {
        prepare(i);
        for (int j = 0; j < 3; ++j)
            abs_r[j][i] = std::abs(p.b_in_a[j][i]);
        const float rb = hb.x * abs_r[0][i] + hb.y * abs_r[1][i] + hb.z * abs_r[2][i];
        if (axis(Kind::FaceA, i, -1, t[i], ha[i], rb)) return false;
    }
    for (int j = 0; j < 3; ++j) {
        const float ra = ha.x * abs_r[j][0] + ha.y * abs_r[j][1] + ha.z * abs_r[j][2];
        const float d = t.x * p.b_in_a[j][0] + t.y * p.b_in_a[j][1] + t.z * p.b_in_a[j][2];
        if (axis(Kind::FaceB, -1, j, d, ra, hb[j])) return false;
    }
    for (int i = 0; i < 3; ++i) {
        const int i1 = (i + 1) % 3;
        const int i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            const int j1 = (j + 1) % 3;
            const int j2 = (j + 2) % 3;
            // a_i x b_j in A's frame has entries 0, -R[i2][j], R[i1][j] at i, i1, i2.
            const float ra = ha[i1] * abs_r[j][i2] + ha[i2] * abs_r[j][i1];
            const float rb = hb[j1] * abs_r[j2][i] + hb[j2] * abs_r[j1][i];
            const float d = t[i2] * p.b_in_a[j][i1] - t[i1] * p.b_in_a[j][i2];
            if (axis(Kind::EdgeCross, i, j, d, ra, rb)) return false;
        }
    }
    return overlapping;
}

}  // namespace detail

/// True if the two boxes share a point, by at most 15 axes. Precision and slack: see the top of this file. No
/// allocation.
[[nodiscard]] inline bool overlap(const ObbPair& pair) noexcept {
    if (!detail::is_ordinary(pair)) return detail::overlap_in_double(pair);
    return detail::obb_sat<false>(
        pair, [](int) {}, [](AxisTested::Kind, int, int, float, float, float) {});
}

/// The same for two boxes in one frame, neither empty.
[[nodiscard]] inline bool overlap_nonempty(const Obb& a, const Obb& b) noexcept {
    ObbPair pair;
    pair.half_a = a.half_extents;
    pair.half_b = b.half_extents;
    const detail::ObbRows rows{a, b, b.center - a.center};
    if (!detail::is_ordinary(pair.half_a, pair.half_b, rows.between)) return detail::overlap_in_double(a, b);
    return detail::obb_sat<false>(
        pair, [&](int i) { rows(pair, i); }, [](AxisTested::Kind, int, int, float, float, float) {});
}

}  // namespace bv
