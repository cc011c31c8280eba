// Overlap of points, balls and boxes. Everything but the OBB pairs is decided in double precision.
// Sources: Arvo 1990b; Ericson 2005, 4.2 to 4.4; Gottschalk 1996.
#include "bv/query/overlap.hpp"

#include <algorithm>

#include "bv/shapes/contains_point.hpp"
#include "query/precise.hpp"

namespace bv {
namespace {

using detail::DVec3;
using detail::wide;

// glm::max and min pass a NaN on or drop it depending on the order of arguments, so a NaN is kept out by
// hand: every comparison below has the NaN on its way into `<=`, and a coordinate that was clamped is
// compared as well.
bool box_overlaps_ball(const DVec3& center_in_box, const DVec3& half, double radius) noexcept {
    if (!(radius >= 0.0)) return false;
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        const double out = std::abs(center_in_box[i]) - half[i];
        if (!(out <= 0.0)) sum += out * out;
    }
    return sum <= radius * radius;
}

/// Fills in what a teacher would write on the board for one axis of the pair.
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
    // Length first, then division: parallel edges have no axis to normalize.
    const double length = glm::length(axis);
    if (!(length > 1e-6)) {
        event.skipped = true;
        return event;
    }
    axis /= length;
    event.axis = detail::narrow(axis);
    const auto interval = [&axis](const Obb& box, float& lo, float& hi) {
        const DVec3 half = wide(box.half_extents);
        const double c = glm::dot(wide(box.center), axis);
        const DVec3 in_box = glm::abs(detail::into_frame(box, axis));
        const double r = glm::dot(half, in_box);
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

/// The AABB as an OBB for the trace, and the pair in its frame. The center difference is taken in double: the
/// midpoint of two floats is not a float.
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
    return a.radius >= 0.0f && b.radius >= 0.0f &&
           glm::dot(d, d) <= detail::square(static_cast<double>(a.radius) + static_cast<double>(b.radius));
}

bool overlap(const Aabb& box, const Sphere& ball) noexcept {
    if (box.is_empty() || ball.is_empty()) return false;
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        const double c = ball.center[i];
        const double below = static_cast<double>(box.min[i]) - c;
        const double above = c - static_cast<double>(box.max[i]);
        const double out = std::max(below, above);
        if (!(out <= 0.0)) sum += out * out;
    }
    return sum <= detail::square(ball.radius);
}

bool overlap(const Obb& box, const glm::vec3& p) noexcept {
    return contains_point(box, p);
}

bool overlap(const Obb& box, const Sphere& ball) noexcept {
    if (box.is_empty()) return false;
    return box_overlaps_ball(detail::local_point(box, ball.center), wide(box.half_extents), ball.radius);
}

bool overlap(const Obb& a, const Obb& b) noexcept {
    if (a.is_empty() || b.is_empty()) return false;
    return overlap_nonempty(a, b);
}

bool overlap(const Obb& a, const Obb& b, Recording& trace) {
    if (a.is_empty() || b.is_empty()) return false;
    return record_axes(a, b, make_obb_pair(a, b), trace);
}

bool overlap(const Aabb& a, const Obb& b) noexcept {
    if (a.is_empty() || b.is_empty()) return false;
    return overlap(make_pair(a, b));
}

bool overlap(const Aabb& a, const Obb& b, Recording& trace) {
    if (a.is_empty() || b.is_empty()) return false;
    return record_axes(as_obb(a), b, make_pair(a, b), trace);
}

}  // namespace bv
