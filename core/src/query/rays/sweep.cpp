// Sweeps: ray casts of the moving center against the fixed solid grown by the moving one. Source: Ericson
// 2005, 5.5.
#include "bv/query/sweep.hpp"

#include "query/precise.hpp"
#include "query/rays/round_clip.hpp"
#include "query/rays/slab_clip.hpp"

namespace bv {
namespace {

using detail::DVec3;
using detail::LineInterval;
using detail::RoundSpan;
using detail::wide;

bool usable(const glm::vec3& velocity, float duration) noexcept {
    return bv::is_finite(velocity) && duration >= 0.0f;
}

std::optional<SweepHit> hit_between(double enter, double leave, const DVec3& normal,
                                    float duration) noexcept {
    if (!(enter <= leave) || leave < 0.0 || enter > static_cast<double>(duration)) return std::nullopt;
    SweepHit hit;
    hit.t_leave = static_cast<float>(leave);
    // Solids that touch at the start overlap.
    if (enter > 0.0) {
        // Rounding to float must not exceed the duration.
        hit.t_enter = std::min(static_cast<float>(enter), duration);
        hit.normal = detail::narrow(normal);
    }
    return hit;
}

std::optional<SweepHit> flipped(std::optional<SweepHit> hit) noexcept {
    if (hit) hit->normal = -hit->normal;
    return hit;
}

/// A box as its center, half edges and axes, in double.
struct WideBox {
    DVec3 center;
    DVec3 half;
    DVec3 axes[3];

    explicit WideBox(const Obb& b) noexcept
        : center(wide(b.center)),
          half(wide(b.half_extents)),
          axes{wide(b.axes[0]), wide(b.axes[1]), wide(b.axes[2])} {}
    explicit WideBox(const Aabb& b) noexcept
        : center(detail::center_of(b)),
          half(detail::half_of(b)),
          axes{DVec3(1, 0, 0), DVec3(0, 1, 0), DVec3(0, 0, 1)} {}
    [[nodiscard]] double reach(const DVec3& axis) const noexcept {
        return std::abs(glm::dot(axis, axes[0])) * half.x + std::abs(glm::dot(axis, axes[1])) * half.y +
               std::abs(glm::dot(axis, axes[2])) * half.z;
    }
};

/// A box, bounded or not, as its half extents along its axes from its center.
struct OpenBox {
    DVec3 center{0.0};
    DVec3 lo;
    DVec3 hi;
    DVec3 axes[3];
    bool is_exact = false;  ///< The axes are not rounded.

    explicit OpenBox(const Obb& b) noexcept
        : center(wide(b.center)),
          lo(-wide(b.half_extents)),
          hi(wide(b.half_extents)),
          axes{wide(b.axes[0]), wide(b.axes[1]), wide(b.axes[2])} {}
    explicit OpenBox(const Aabb& b) noexcept
        : lo(wide(b.min)),
          hi(wide(b.max)),
          axes{DVec3(1, 0, 0), DVec3(0, 1, 0), DVec3(0, 0, 1)},
          is_exact(true) {}
    /// Makes an axis perpendicular to the unbounded directions that it is perpendicular to but for rounding.
    void straighten(DVec3& axis) const noexcept {
        for (int k = 0; k < 3; ++k)
            if (std::isinf(lo[k]) || std::isinf(hi[k])) detail::make_perpendicular(axis, axes[k]);
    }
    /// The interval on any axis, and the size of its finite ends.
    void cover(const DVec3& axis, double& from, double& to, double& size) const noexcept {
        from = to = 0.0;
        for (int k = 0; k < 3; ++k) {
            const double part = glm::dot(axis, axes[k]);
            const double a =
                is_exact ? detail::product_or_zero(lo[k], part) : detail::part_along(lo[k], part);
            const double b =
                is_exact ? detail::product_or_zero(hi[k], part) : detail::part_along(hi[k], part);
            from += std::min(a, b);
            to += std::max(a, b);
            for (const double end : {a, b})
                if (std::isfinite(end)) size += std::abs(end);
        }
    }
};

/// The test of `sweep_boxes` for unbounded boxes: intervals in place of radii. Unbounded polyhedra, too, are
/// separated by a face normal or a cross of edges.
template <class Sink>
std::optional<SweepHit> sweep_open_boxes(const OpenBox& moving, const glm::vec3& velocity,
                                         const OpenBox& fixed, float duration, Sink& sink) {
    const DVec3 offset = moving.center - fixed.center;
    const DVec3 v = wide(velocity);
    LineInterval span;
    DVec3 normal(0.0);
    int count = 0;
    const auto clip = [&](const DVec3& axis) {
        const double length = glm::length(axis);
        if (length > 1e-6) {
            DVec3 n = axis / length;
            // Exact axes last, to which perpendicular means exactly so.
            (moving.is_exact ? fixed : moving).straighten(n);
            (moving.is_exact ? moving : fixed).straighten(n);
            double size = 0.0, from_a = 0.0, to_a = 0.0, from_b = 0.0, to_b = 0.0;
            moving.cover(n, from_a, to_a, size);
            fixed.cover(n, from_b, to_b, size);
            const int before = span.enter_face;
            span.clip(count, glm::dot(n, offset), glm::dot(n, v), from_b - to_a - 1e-14 * size,
                      to_b - from_a + 1e-14 * size, sink);
            if (span.enter_face != before) normal = span.enter_face % 2 == 1 ? n : -n;
        }
        ++count;
    };
    for (const DVec3& axis : moving.axes)
        clip(axis);
    for (const DVec3& axis : fixed.axes)
        clip(axis);
    for (const DVec3& a : moving.axes)
        for (const DVec3& b : fixed.axes)
            clip(glm::cross(a, b));
    span.record_range(0.0f, duration, sink);
    return hit_between(span.enter, span.exit, normal, duration);
}

bool is_usable(const Aabb& box) noexcept {
    return !box.is_empty();
}
bool is_usable(const Obb& box) noexcept {
    return detail::has_points(box);
}

template <class Sink>
std::optional<SweepHit> sweep_boxes(const WideBox& moving, const glm::vec3& velocity, const WideBox& fixed,
                                    float duration, Sink& sink);

template <class A, class B, class Sink>
std::optional<SweepHit> sweep_any_boxes(const A& moving, const glm::vec3& velocity, const B& fixed,
                                        float duration, Sink& sink) {
    if (!is_usable(moving) || !is_usable(fixed) || !usable(velocity, duration)) return std::nullopt;
    if (detail::is_bounded(moving) && detail::is_bounded(fixed))
        return sweep_boxes(WideBox(moving), velocity, WideBox(fixed), duration, sink);
    return sweep_open_boxes(OpenBox(moving), velocity, OpenBox(fixed), duration, sink);
}

template <class Sink>
std::optional<SweepHit> sweep_boxes(const WideBox& moving, const glm::vec3& velocity, const WideBox& fixed,
                                    float duration, Sink& sink) {
    const DVec3 offset = moving.center - fixed.center;
    const DVec3 v = wide(velocity);
    // Slack for the rounding of projections, so that boxes sliding along each other still touch.
    const double slack =
        1e-14 * (moving.half.x + moving.half.y + moving.half.z + fixed.half.x + fixed.half.y + fixed.half.z);
    LineInterval span;
    DVec3 normal(0.0);
    int count = 0;
    const auto clip = [&](const DVec3& axis) {
        const double reach = moving.reach(axis) + fixed.reach(axis) + slack;
        const int before = span.enter_face;
        span.clip(count, glm::dot(axis, offset), glm::dot(axis, v), -reach, reach, sink);
        if (span.enter_face != before) normal = span.enter_face % 2 == 1 ? axis : -axis;
        ++count;
    };
    for (const DVec3& axis : moving.axes)
        clip(axis);
    for (const DVec3& axis : fixed.axes)
        clip(axis);
    for (const DVec3& a : moving.axes)
        for (const DVec3& b : fixed.axes) {
            const DVec3 cross = glm::cross(a, b);
            const double length = glm::length(cross);
            if (length > 1e-6)
                clip(cross / length);
            else
                ++count;
        }
    span.record_range(0.0f, duration, sink);
    return hit_between(span.enter, span.exit, normal, duration);
}

template <class Sink>
std::optional<SweepHit> sweep_aabbs(const Aabb& moving, const glm::vec3& velocity, const Aabb& fixed,
                                    float duration, Sink& sink) {
    if (moving.is_empty() || fixed.is_empty() || !usable(velocity, duration)) return std::nullopt;
    LineInterval span;
    for (int i = 0; i < 3; ++i) {
        // The range of the moving box's offset along this axis while the two overlap. Exact for floats of
        // similar size.
        const double lo = static_cast<double>(fixed.min[i]) - static_cast<double>(moving.max[i]);
        const double hi = static_cast<double>(fixed.max[i]) - static_cast<double>(moving.min[i]);
        span.clip(i, 0.0, velocity[i], lo, hi, sink);
    }
    DVec3 normal(0.0);
    if (span.enter_face >= 0) normal[span.enter_face / 2] = span.enter_face % 2 == 1 ? 1.0 : -1.0;
    span.record_range(0.0f, duration, sink);
    return hit_between(span.enter, span.exit, normal, duration);
}

/// Ball against a box in the box's frame; returns the normal in that frame.
std::optional<SweepHit> sweep_ball(const DVec3& center, const DVec3& v, double radius, const DVec3& half,
                                   float duration) {
    const bool overlapping = detail::distance_sq_to_box(center, half) <= radius * radius;
    if (v == DVec3(0.0)) {
        if (!overlapping) return std::nullopt;
        return SweepHit{0.0f, kForever, glm::vec3(0.0f)};
    }
    RoundSpan span = detail::line_in_round_box(center, v, half, radius);
    if (overlapping) span.include_start(DVec3(0.0));
    return hit_between(span.lo, span.hi, span.normal, duration);
}

/// The part of a line within `radius` of a box from `lo` to `hi`, which may be unbounded: the union of the
/// box grown along each axis, balls around its corners, and rods along its edges.
RoundSpan line_in_open_round_box(const DVec3& o, const DVec3& d, const DVec3& lo, const DVec3& hi,
                                 double radius) {
    RoundSpan all;
    NoTrace sink;
    for (int grown = 0; grown < 3; ++grown) {
        LineInterval box;
        for (int i = 0; i < 3; ++i) {
            const double more = i == grown ? radius : 0.0;
            box.clip(i, o[i], d[i], lo[i] - more, hi[i] + more, sink);
        }
        if (!box.empty()) all.join(detail::grown_box_span(box, grown, o, d, lo, hi));
    }
    if (radius <= 0.0) return all;
    for (int i = 0; i < 8; ++i) {
        DVec3 corner;
        for (int k = 0; k < 3; ++k)
            corner[k] = (i >> k) & 1 ? hi[k] : lo[k];
        if (detail::all_finite(corner)) all.join(detail::line_in_ball(o, d, corner, radius, 6));
        for (int k = 0; k < 3; ++k) {
            if (((i >> k) & 1) != 0) continue;
            DVec3 low = corner;
            DVec3 high = corner;
            low[k] = lo[k];
            high[k] = hi[k];
            const bool has_low = detail::all_finite(low);
            const bool has_high = detail::all_finite(high);
            if (has_low && has_high)
                all.join(detail::line_in_rod(o, d, low, high, radius, 6));
            else if (has_low || has_high)
                all.join(detail::line_in_open_rod(o, d, has_low ? low : high, k, has_low, radius, 6));
        }
    }
    return all;
}

/// A ball against a box, either of which may be unbounded; returns the normal in the box's frame.
std::optional<SweepHit> sweep_open_ball(DVec3 center, DVec3 v, double radius, DVec3 lo, DVec3 hi,
                                        float duration) {
    if (std::isinf(radius)) return SweepHit{0.0f, kForever, glm::vec3(0.0f)};
    // An axis unbounded in both directions has no effect.
    for (int k = 0; k < 3; ++k)
        if (std::isinf(lo[k]) && std::isinf(hi[k])) center[k] = v[k] = lo[k] = hi[k] = 0.0;
    const DVec3 out = glm::clamp(center, lo, hi) - center;
    const bool overlapping = glm::dot(out, out) <= radius * radius;
    if (glm::dot(v, v) == 0.0) {
        if (!overlapping) return std::nullopt;
        return SweepHit{0.0f, kForever, glm::vec3(0.0f)};
    }
    RoundSpan span = line_in_open_round_box(center, v, lo, hi, radius);
    if (overlapping) span.include_start(DVec3(0.0));
    return hit_between(span.lo, span.hi, span.normal, duration);
}

}  // namespace

std::optional<SweepHit> sweep(const Aabb& moving, const glm::vec3& velocity, const Aabb& fixed,
                              float duration) noexcept {
    NoTrace sink;
    return sweep_aabbs(moving, velocity, fixed, duration, sink);
}

std::optional<SweepHit> sweep(const Aabb& moving, const glm::vec3& velocity, const Aabb& fixed,
                              float duration, Recording& trace) {
    return sweep_aabbs(moving, velocity, fixed, duration, trace);
}

std::optional<SweepHit> sweep(const Sphere& moving, const glm::vec3& velocity, const Sphere& fixed,
                              float duration) noexcept {
    if (!detail::has_points(moving) || !detail::has_points(fixed)) return std::nullopt;
    if (!usable(velocity, duration)) return std::nullopt;
    const double radius = static_cast<double>(moving.radius) + static_cast<double>(fixed.radius);
    const DVec3 center = wide(moving.center) - wide(fixed.center);
    if (std::isinf(radius))
        return sweep_open_ball(center, wide(velocity), radius, DVec3(0.0), DVec3(0.0), duration);
    return sweep_ball(center, wide(velocity), radius, DVec3(0.0), duration);
}

std::optional<SweepHit> sweep(const Sphere& moving, const glm::vec3& velocity, const Aabb& fixed,
                              float duration) noexcept {
    if (!detail::has_points(moving) || fixed.is_empty() || !usable(velocity, duration)) return std::nullopt;
    if (!detail::is_bounded(fixed) || std::isinf(moving.radius))
        return sweep_open_ball(wide(moving.center), wide(velocity), moving.radius, wide(fixed.min),
                               wide(fixed.max), duration);
    return sweep_ball(wide(moving.center) - detail::center_of(fixed), wide(velocity), moving.radius,
                      detail::half_of(fixed), duration);
}

std::optional<SweepHit> sweep(const Sphere& moving, const glm::vec3& velocity, const Obb& fixed,
                              float duration) noexcept {
    if (!detail::has_points(moving) || !detail::has_points(fixed) || !usable(velocity, duration))
        return std::nullopt;
    const DVec3 center = detail::local_point(fixed, moving.center);
    const DVec3 v = detail::into_frame(fixed, wide(velocity));
    const DVec3 half = wide(fixed.half_extents);
    const bool bounded = detail::is_bounded(fixed) && !std::isinf(moving.radius);
    auto hit = bounded ? sweep_ball(center, v, moving.radius, half, duration)
                       : sweep_open_ball(center, v, moving.radius, -half, half, duration);
    if (hit) hit->normal = detail::narrow(detail::out_of_frame(fixed, wide(hit->normal)));
    return hit;
}

std::optional<SweepHit> sweep(const Aabb& moving, const glm::vec3& velocity, const Obb& fixed,
                              float duration) noexcept {
    NoTrace sink;
    return sweep_any_boxes(moving, velocity, fixed, duration, sink);
}

std::optional<SweepHit> sweep(const Obb& moving, const glm::vec3& velocity, const Obb& fixed,
                              float duration) noexcept {
    NoTrace sink;
    return sweep_any_boxes(moving, velocity, fixed, duration, sink);
}

std::optional<SweepHit> sweep(const Obb& moving, const glm::vec3& velocity, const Obb& fixed, float duration,
                              Recording& trace) {
    return sweep_any_boxes(moving, velocity, fixed, duration, trace);
}

std::optional<SweepHit> sweep(const Aabb& moving, const glm::vec3& velocity, const Sphere& fixed,
                              float duration) noexcept {
    return flipped(sweep(fixed, -velocity, moving, duration));
}

std::optional<SweepHit> sweep(const Obb& moving, const glm::vec3& velocity, const Sphere& fixed,
                              float duration) noexcept {
    return flipped(sweep(fixed, -velocity, moving, duration));
}

std::optional<SweepHit> sweep(const Obb& moving, const glm::vec3& velocity, const Aabb& fixed,
                              float duration) noexcept {
    return flipped(sweep(fixed, -velocity, moving, duration));
}

}  // namespace bv
