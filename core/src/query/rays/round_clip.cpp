#include "query/rays/round_clip.hpp"

#include "bv/trace/trace.hpp"
#include "query/rays/slab_clip.hpp"

namespace bv::detail {
namespace {

/// Parameters where |m + t d|^2 = r^2; false if nowhere. By the foot point, as a far origin would eat the
/// digits of b^2 - ac.
bool roots(const DVec3& m, const DVec3& d, double radius, double& lo, double& hi) noexcept {
    const double a = glm::dot(d, d);
    const double b = glm::dot(m, d);
    const DVec3 foot = m - (b / a) * d;
    const double room = radius * radius - glm::dot(foot, foot);
    if (!(room >= 0.0)) return false;
    const double root = std::sqrt(room / a);
    lo = -b / a - root;
    hi = -b / a + root;
    return true;
}

DVec3 unit_or(const DVec3& v, const DVec3& otherwise) noexcept {
    const double length = glm::length(v);
    return length > 0.0 ? v / length : otherwise / glm::length(otherwise);
}

}  // namespace

RoundSpan line_in_ball(const DVec3& o, const DVec3& d, const DVec3& center, double radius,
                       int part) noexcept {
    RoundSpan span;
    const DVec3 m = o - center;
    if (!roots(m, d, radius, span.lo, span.hi)) return {};
    span.normal = unit_or(m + span.lo * d, -d);
    span.part = part;
    return span;
}

RoundSpan line_in_rod(const DVec3& o, const DVec3& d, const DVec3& a, const DVec3& b, double radius,
                      int part) noexcept {
    const DVec3 axis = b - a;
    const double axis_sq = glm::dot(axis, axis);
    if (!(axis_sq > 0.0)) return {};
    // Seen along the rod's axis it is a disk.
    const DVec3 m = o - a;
    const DVec3 m_across = m - (glm::dot(m, axis) / axis_sq) * axis;
    const DVec3 d_across = d - (glm::dot(d, axis) / axis_sq) * axis;
    // What is left of a line parallel to the axis is rounding; its ends are the business of the balls there.
    if (!(glm::dot(d_across, d_across) > 1e-24 * glm::dot(d, d))) return {};
    RoundSpan span;
    if (!roots(m_across, d_across, radius, span.lo, span.hi)) return {};
    const double enter = span.lo;
    NoTrace sink;
    LineInterval ends;
    ends.clip(0, glm::dot(m, axis), glm::dot(d, axis), 0.0, axis_sq, sink);
    span.lo = std::max(span.lo, ends.enter);
    span.hi = std::min(span.hi, ends.exit);
    if (span.empty()) return {};
    // Entered through an end plane: inside of another part, which the line enters earlier.
    span.normal = unit_or(m_across + enter * d_across, -d);
    span.part = part;
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
        if (box.empty()) continue;
        RoundSpan span;
        span.lo = box.enter;
        span.hi = box.exit;
        span.part = box.enter_face;
        span.normal[box.enter_face / 2] = box.enter_face % 2 == 1 ? 1.0 : -1.0;
        all.join(span);
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
