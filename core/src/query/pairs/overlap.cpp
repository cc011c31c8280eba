// Overlap of points, balls and boxes. Everything but the OBB pairs is decided in double precision.
// Sources: Arvo 1990b; Ericson 2005, 4.2 to 4.4; Gottschalk 1996.
#include "bv/query/overlap.hpp"

#include <algorithm>

#include "bv/shapes/contains_point.hpp"
#include "query/precise.hpp"
#include "simd/obb_pair.hpp"

namespace bv {
namespace {

using detail::DVec3;
using detail::wide;

// glm::max and min propagate or drop a NaN depending on the order of arguments, so NaN is excluded
// explicitly: it reaches `<=` in every comparison below. Differences are compared with zero, since inf - inf
// is NaN, but inf <= inf.
bool box_overlaps_ball(const DVec3& center_in_box, const DVec3& half, double radius) noexcept {
    if (!(radius >= 0.0)) return false;
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        const double out = std::abs(center_in_box[i]) - half[i];
        if (!(out <= 0.0)) sum += out * out;
    }
    return sum - radius * radius <= 0.0;
}

/// The interval that a box covers along an axis, relative to its center (OBBs) or to the origin of its
/// bounds.
struct Cover {
    double lo;
    double hi;
};

Cover cover(const Obb& box, const DVec3& axis) noexcept {
    const double reach = detail::reach_of(box, axis);
    return {-reach, reach};
}
/// The bounds of an AABB relative to a point near it: a slack in proportion to them does not depend on where
/// both are.
struct BoundsAround {
    DVec3 min;
    DVec3 max;
    BoundsAround(const Aabb& box, const glm::vec3& point) noexcept
        : min(wide(box.min) - wide(point)), max(wide(box.max) - wide(point)) {}
};
bool has_bounds(const BoundsAround& box) noexcept {
    return detail::all_finite(box.min) && detail::all_finite(box.max);
}
bool has_bounds(const Obb& box) noexcept {
    return detail::is_bounded(box);
}
/// Makes an axis perpendicular to the unbounded directions that it is perpendicular to but for rounding.
void straighten(DVec3& axis, const BoundsAround& box) noexcept {
    for (int k = 0; k < 3; ++k)
        if ((std::isinf(box.min[k]) || std::isinf(box.max[k])) && std::abs(axis[k]) <= detail::kPerpendicular)
            axis[k] = 0.0;
}
void straighten(DVec3& axis, const Obb& box) noexcept {
    for (int k = 0; k < 3; ++k)
        if (std::isinf(box.half_extents[k])) detail::make_perpendicular(axis, wide(box.axes[k]));
}
Cover cover(const BoundsAround& box, const DVec3& axis) noexcept {
    Cover sum{0.0, 0.0};
    for (int k = 0; k < 3; ++k) {
        const double from = detail::product_or_zero(box.min[k], axis[k]);
        const double to = detail::product_or_zero(box.max[k], axis[k]);
        sum.lo += std::min(from, to);
        sum.hi += std::max(from, to);
    }
    return sum;
}

/// The separating-axis test for cases that the fast one excludes: unbounded boxes, sizes near either end of
/// the float range, NaN. In double, where no float overflows; `between` is the vector from the origin of a's
/// cover to that of b's. Disjoint unbounded polyhedra are still separated by a face normal or a cross of
/// edges.
template <class BoxA>
bool overlap_in_double(const BoxA& a, const DVec3 (&axes_a)[3], const Obb& b, const DVec3& between) noexcept {
    if (!detail::has_points(b) || !detail::all_finite(between)) return false;
    double size = glm::length(between);
    for (int k = 0; k < 3; ++k) {
        const Cover of_a = cover(a, axes_a[k]);
        for (const double x : {of_a.lo, of_a.hi, static_cast<double>(b.half_extents[k])})
            if (std::isfinite(x)) size += std::abs(x);
    }
    const double slack = static_cast<double>(kObbSlack) * size;
    const bool bounded = has_bounds(a) && has_bounds(b);
    const auto separates = [&](DVec3 axis) {
        if (!bounded) {
            const double length = glm::length(axis);
            if (!(length > 1e-6)) return false;  // The cross of parallel edges.
            axis /= length;
            // The exact axes of an AABB last, to which perpendicular means exactly so.
            straighten(axis, b);
            straighten(axis, a);
        }
        const Cover of_a = cover(a, axis);
        const Cover of_b = cover(b, axis);
        const double at = glm::dot(between, axis);
        return !(at + of_b.lo <= of_a.hi + slack && of_a.lo <= at + of_b.hi + slack);
    };
    for (int i = 0; i < 3; ++i)
        if (separates(axes_a[i]) || separates(wide(b.axes[i]))) return false;
    for (const DVec3& axis : axes_a)
        for (int j = 0; j < 3; ++j)
            if (separates(glm::cross(axis, wide(b.axes[j])))) return false;
    return true;
}

/// Fills in the trace event for one axis of the pair.
AxisTested describe(const Obb& a, const Obb& b, AxisTested::Kind kind, int i, int j) {
    AxisTested event;
    event.kind = kind;
    event.i = static_cast<std::int8_t>(i);
    event.j = static_cast<std::int8_t>(j);
    DVec3 axis(0.0);
    switch (kind) {
        case AxisTested::Kind::FaceA:
            axis = wide(a.axes[i]);
            break;
        case AxisTested::Kind::FaceB:
            axis = wide(b.axes[j]);
            break;
        case AxisTested::Kind::EdgeCross:
            axis = glm::cross(wide(a.axes[i]), wide(b.axes[j]));
            break;
    }
    // Check the length before dividing: parallel edges have no axis to normalize.
    const double length = glm::length(axis);
    if (!(length > 1e-6)) {
        event.skipped = true;
        return event;
    }
    axis /= length;
    event.axis = detail::narrow(axis);
    const auto interval = [&axis](const Obb& box, float& lo, float& hi) {
        const double c = glm::dot(wide(box.center), axis);
        const double r = detail::reach_of(box, axis);
        lo = static_cast<float>(c - r);
        hi = static_cast<float>(c + r);
        return std::pair(c - r, c + r);
    };
    const auto [a_lo, a_hi] = interval(a, event.min_a, event.max_a);
    const auto [b_lo, b_hi] = interval(b, event.min_b, event.max_b);
    event.gap = static_cast<float>(std::max(b_lo - a_hi, a_lo - b_hi));
    return event;
}

bool record_axes(const Obb& a, const Obb& b, const ObbPair& pair, Recording& trace) {
    return detail::obb_sat<true>(
        pair, [](int) {},
        [&](AxisTested::Kind kind, int i, int j, float, float, float) { trace(describe(a, b, kind, i, j)); });
}

constexpr DVec3 kWorldAxes[3] = {DVec3(1, 0, 0), DVec3(0, 1, 0), DVec3(0, 0, 1)};

bool overlap_in_double(const Aabb& a, const Obb& b) noexcept {
    return overlap_in_double(BoundsAround(a, b.center), kWorldAxes, b, DVec3(0.0));
}

/// The AABB as an OBB for the trace, and the pair in its frame. The difference of centers is computed in
/// double: the midpoint of two floats is not a float.
ObbPair make_pair(const Aabb& a, const Obb& b) noexcept {
    return {detail::narrow(detail::half_of(a)), b.half_extents, b.axes,
            detail::narrow(wide(b.center) - detail::center_of(a))};
}

Obb as_obb(const Aabb& a) noexcept {
    return {detail::narrow(detail::center_of(a)), detail::narrow(detail::half_of(a)), glm::mat3(1.0f)};
}

}  // namespace

bool overlap(const Aabb& a, const Aabb& b, Recording& trace) {
    if (a.is_empty() || b.is_empty()) return false;
    for (int i = 0; i < 3; ++i) {
        AxisTested event;
        event.kind = AxisTested::Kind::FaceA;
        event.i = static_cast<std::int8_t>(i);
        event.axis[i] = 1.0f;
        event.min_a = a.min[i];
        event.max_a = a.max[i];
        event.min_b = b.min[i];
        event.max_b = b.max[i];
        event.gap = std::max(b.min[i] - a.max[i], a.min[i] - b.max[i]);
        trace(event);
    }
    return overlap_nonempty(a, b);
}

bool overlap(const Sphere& ball, const glm::vec3& p) noexcept {
    return contains_point(ball, p);
}

bool overlap(const Sphere& a, const Sphere& b) noexcept {
    const DVec3 d = wide(b.center) - wide(a.center);
    const double reach = static_cast<double>(a.radius) + static_cast<double>(b.radius);
    return a.radius >= 0.0f && b.radius >= 0.0f && glm::dot(d, d) - reach * reach <= 0.0;
}

bool overlap(const Aabb& box, const Sphere& ball) noexcept {
    if (box.is_empty() || !detail::has_extents(ball)) return false;
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        const double c = ball.center[i];
        const double lo = box.min[i];
        const double hi = box.max[i];
        // Also holds for c between them: then 0, or NaN for a center at infinity.
        const double out = std::min(std::max(c, lo), hi) - c;
        sum += out * out;
    }
    return sum - detail::square(ball.radius) <= 0.0;
}

bool overlap(const Obb& box, const glm::vec3& p) noexcept {
    return contains_point(box, p);
}

bool overlap(const Obb& box, const Sphere& ball) noexcept {
    if (!detail::has_extents(box)) return false;
    return box_overlaps_ball(detail::local_point(box, ball.center), wide(box.half_extents), ball.radius);
}

bool overlap(const Obb& a, const Obb& b) noexcept {
    if (!detail::has_extents(a) || !detail::has_extents(b)) return false;
    return simd::overlap_pair(a, b);
}

bool overlap(const Obb& a, const Obb& b, Recording& trace) {
    if (a.is_empty() || b.is_empty()) return false;
    const ObbPair pair = make_obb_pair(a, b);
    const bool fast = record_axes(a, b, pair, trace);
    return detail::is_ordinary(pair) ? fast : detail::overlap_in_double(a, b);
}

bool overlap(const Aabb& a, const Obb& b) noexcept {
    if (a.is_empty() || !detail::has_extents(b)) return false;
    const ObbPair pair = make_pair(a, b);
    if (!detail::is_ordinary(pair)) return overlap_in_double(a, b);
    return overlap(pair);
}

bool overlap(const Aabb& a, const Obb& b, Recording& trace) {
    if (a.is_empty() || b.is_empty()) return false;
    const ObbPair pair = make_pair(a, b);
    const bool fast = record_axes(as_obb(a), b, pair, trace);
    return detail::is_ordinary(pair) ? fast : overlap_in_double(a, b);
}

bool detail::overlap_in_double(const Obb& a, const Obb& b) noexcept {
    if (!has_points(a)) return false;
    const DVec3 axes[3] = {wide(a.axes[0]), wide(a.axes[1]), wide(a.axes[2])};
    return bv::overlap_in_double(a, axes, b, wide(b.center) - wide(a.center));
}

bool detail::overlap_in_double(const ObbPair& pair) noexcept {
    return overlap_in_double(Obb{glm::vec3(0.0f), pair.half_a, glm::mat3(1.0f)},
                             Obb{pair.center_b_in_a, pair.half_b, pair.b_in_a});
}

}  // namespace bv
