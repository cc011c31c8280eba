#include "query/rays/round_clip.hpp"

#include <cmath>
#include <limits>

#include "bv/trace/trace.hpp"

namespace bv::detail {
namespace {

/// The roots of a t^2 + 2 b t + c for a discriminant (without a square factor) that the caller computed
/// without cancellation. If c is at most 0, the roots enclose 0.
void stable_roots(double a, double b, double c, double root, double& lo, double& hi) noexcept {
    const double q = -(b + std::copysign(root, b));
    const double t0 = q / a;
    const double t1 = q != 0.0 ? c / q : 0.0;
    lo = std::min(t0, t1);
    hi = std::max(t0, t1);
}

/// A power of two about as large as the largest component; 1 if its fourth power is well within the range of
/// double.
double scale_of(const DVec3& v) noexcept {
    const double size = largest(v);
    return size > 1e-25 && size < 1e25 ? 1.0 : std::ldexp(1.0, std::ilogb(size));
}

/// The unit normal along `v`, the vector from a core to the point where a ray along `d` enters. Against the
/// ray where that vector is 0 or only rounding: around a point or segment without radius, or one that is tiny
/// for its distance.
DVec3 entry_normal(const DVec3& v, double radius, const DVec3& d) noexcept {
    const double length = glm::length(v);
    const double speed = glm::length(d);
    const bool is_rounding = !(radius > 0.0 && length > 0.0) || glm::dot(v, d) > 1e-6 * length * speed;
    return is_rounding ? -d / speed : v / length;
}

}  // namespace

RoundSpan line_in_ball(const DVec3& o, const DVec3& d, const DVec3& center, double radius,
                       int part) noexcept {
    RoundSpan span;
    const DVec3 m = o - center;
    const double a = glm::dot(d, d);
    const double c = glm::dot(m, m) - radius * radius;
    // b^2 - a c is r^2 d^2 - |m x d|^2: without any division, so that tangents are exact for integers, and a
    // far origin costs no precision.
    const DVec3 n = glm::cross(m, d);
    double discriminant = radius * radius * a - glm::dot(n, n);
    if (!(discriminant >= 0.0)) {
        // A start in the ball must not be lost to rounding.
        if (!(c <= 0.0)) return {};
        discriminant = 0.0;
    }
    stable_roots(a, glm::dot(m, d), c, std::sqrt(discriminant), span.lo, span.hi);
    span.normal = entry_normal(m + span.lo * d, radius, d);
    span.part = part;
    return span;
}

RoundSpan line_in_rod(const DVec3& o, const DVec3& d, const DVec3& a, const DVec3& b, double radius,
                      int part) noexcept {
    const DVec3 axis = b - a;
    if (!(glm::dot(axis, axis) > 0.0)) return {};
    // Scaled by powers of two, which is exact: products of four lengths exceed the range of double.
    const double d_size = scale_of(d);
    const DVec3 along = d / d_size;
    const DVec3 w = axis / scale_of(axis);
    const double w_sq = glm::dot(w, w);
    const DVec3 m = o - a;
    // Projected along the axis, the rod is a disk; a cross product with the axis is that projection.
    const DVec3 m_across = glm::cross(m, w);
    const DVec3 d_across = glm::cross(along, w);
    const double qa = glm::dot(d_across, d_across);
    // The projection of a line parallel to the axis is only rounding; the balls at the ends handle it.
    if (!(qa > 1e-24 * w_sq * glm::dot(along, along))) return {};
    const double volume = glm::dot(m, d_across);
    const double discriminant = radius * radius * qa - volume * volume;
    if (!(discriminant >= 0.0)) return {};
    RoundSpan span;
    stable_roots(qa, glm::dot(m_across, d_across), glm::dot(m_across, m_across) - radius * radius * w_sq,
                 std::sqrt(w_sq * discriminant), span.lo, span.hi);
    span.lo /= d_size;
    span.hi /= d_size;
    const DVec3 at = m + span.lo * d;
    NoTrace sink;
    LineInterval ends;
    ends.clip(0, glm::dot(m, w), glm::dot(d, w), 0.0, glm::dot(axis, w), sink);
    span.lo = std::max(span.lo, ends.enter);
    span.hi = std::min(span.hi, ends.exit);
    if (span.empty()) return {};
    // Entered through an end plane: inside another part, which the line enters earlier.
    span.normal = entry_normal(at - (glm::dot(at, w) / w_sq) * w, radius, d);
    span.part = part;
    return span;
}

RoundSpan line_in_open_rod(const DVec3& o, const DVec3& d, const DVec3& end, int axis, bool upward,
                           double radius, int part) noexcept {
    constexpr double kInf = std::numeric_limits<double>::infinity();
    DVec3 m = o - end;
    DVec3 across = d;
    LineInterval half_space;
    NoTrace sink;
    half_space.clip(0, m[axis], d[axis], upward ? 0.0 : -kInf, upward ? kInf : 0.0, sink);
    m[axis] = across[axis] = 0.0;
    // Projected along the axis, the rod is a disk.
    const double c = glm::dot(m, m) - radius * radius;
    const double a = glm::dot(across, across);
    RoundSpan span;
    if (a == 0.0) {
        // Parallel to the rod: there is no ball at its far end to leave through.
        if (c > 0.0) return {};
        span.lo = -kInf;
        span.hi = kInf;
    } else {
        const DVec3 n = glm::cross(m, across);
        const double discriminant = radius * radius * a - glm::dot(n, n);
        if (!(discriminant >= 0.0)) return {};
        stable_roots(a, glm::dot(m, across), c, std::sqrt(discriminant), span.lo, span.hi);
        span.normal = entry_normal(m + span.lo * across, radius, d);
    }
    // Entered through its end: inside the ball there, which the line enters earlier.
    span.lo = std::max(span.lo, half_space.enter);
    span.hi = std::min(span.hi, half_space.exit);
    span.part = part;
    return span;
}

RoundSpan grown_box_span(const LineInterval& box, int grown, const DVec3& o, const DVec3& d, const DVec3& lo,
                         const DVec3& hi) noexcept {
    RoundSpan span;
    span.lo = box.enter;
    span.hi = box.exit;
    span.part = box.enter_face;
    if (box.enter_face < 0) return span;
    const int axis = box.enter_face / 2;
    span.normal[axis] = box.enter_face % 2 == 1 ? 1.0 : -1.0;
    if (axis == grown) return span;
    // A side of the grown box is no face of the round one. The line enters here only where it touches two at
    // once, in an edge of the grown box: the normal there is the offset from the box.
    const DVec3 at = o + span.lo * d;
    const DVec3 offset = at - glm::clamp(at, lo, hi);
    const double length = glm::length(offset);
    // If the offset leads along the line, the point is in the round box already, and another part is entered
    // earlier.
    if (!(length > 0.0 && length < std::numeric_limits<double>::infinity() && glm::dot(offset, d) <= 0.0))
        return span;
    span.normal = offset / length;
    span.part = 6;
    for (int k = 0; k < 3; ++k)
        if (offset[k] != 0.0 && offset[(k + 1) % 3] == 0.0 && offset[(k + 2) % 3] == 0.0)
            span.part = 2 * k + (offset[k] > 0.0 ? 1 : 0);
    return span;
}

RoundSpan line_in_round_box(const DVec3& o, const DVec3& d, const DVec3& half, double radius) noexcept {
    RoundSpan all;
    NoTrace sink;
    for (int grown = 0; grown < 3; ++grown) {
        LineInterval box;
        for (int i = 0; i < 3; ++i) {
            const double h = half[i] + (i == grown ? radius : 0.0);
            box.clip(i, o[i], d[i], -h, h, sink);
        }
        if (!box.empty()) all.join(grown_box_span(box, grown, o, d, -half, half));
    }
    if (radius <= 0.0) return all;
    const auto corner = [&half](int i) {
        return DVec3((i & 1) ? half.x : -half.x, (i & 2) ? half.y : -half.y, (i & 4) ? half.z : -half.z);
    };
    for (int i = 0; i < 8; ++i) {
        all.join(line_in_ball(o, d, corner(i), radius, 6));
        for (int k = 0; k < 3; ++k)
            if (((i >> k) & 1) == 0) all.join(line_in_rod(o, d, corner(i), corner(i | (1 << k)), radius, 6));
    }
    return all;
}

}  // namespace bv::detail
