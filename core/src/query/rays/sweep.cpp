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
    return detail::is_finite(velocity) && duration >= 0.0f;
}

std::optional<SweepHit> hit_between(double enter, double leave, const DVec3& normal,
                                    float duration) noexcept {
    if (!(enter <= leave) || leave < 0.0 || enter > static_cast<double>(duration)) return std::nullopt;
    SweepHit hit;
    hit.t_leave = static_cast<float>(leave);
    // Solids that touch at the start overlap.
    if (enter > 0.0) {
        // Rounded to float the end of the duration is not passed.
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

template <class Sink>
std::optional<SweepHit> sweep_boxes(const WideBox& moving, const glm::vec3& velocity, const WideBox& fixed,
                                    float duration, Sink& sink) {
    const DVec3 offset = moving.center - fixed.center;
    const DVec3 v = wide(velocity);
    // Room for the rounding of projections, so that boxes that slide along each other still touch.
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
    return hit_between(span.enter, span.exit, normal, duration);
}

template <class Sink>
std::optional<SweepHit> sweep_aabbs(const Aabb& moving, const glm::vec3& velocity, const Aabb& fixed,
                                    float duration, Sink& sink) {
    if (moving.is_empty() || fixed.is_empty() || !usable(velocity, duration)) return std::nullopt;
    LineInterval span;
    for (int i = 0; i < 3; ++i) {
        // Where the moving box's offset along this axis may be while the two overlap. Exact for floats of
        // similar size.
        const double lo = static_cast<double>(fixed.min[i]) - static_cast<double>(moving.max[i]);
        const double hi = static_cast<double>(fixed.max[i]) - static_cast<double>(moving.min[i]);
        span.clip(i, 0.0, velocity[i], lo, hi, sink);
    }
    DVec3 normal(0.0);
    if (span.enter_face >= 0) normal[span.enter_face / 2] = span.enter_face % 2 == 1 ? 1.0 : -1.0;
    return hit_between(span.enter, span.exit, normal, duration);
}

/// Ball against a box in the box's frame; the normal comes back in that frame.
std::optional<SweepHit> sweep_ball(const DVec3& center, const DVec3& v, double radius, const DVec3& half,
                                   float duration) {
    const bool together = detail::distance_sq_to_box(center, half) <= radius * radius;
    if (v == DVec3(0.0)) {
        if (!together) return std::nullopt;
        return SweepHit{0.0f, kForever, glm::vec3(0.0f)};
    }
    RoundSpan span = detail::line_in_round_box(center, v, half, radius);
    if (together) span.include_start(DVec3(0.0));
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
    if (moving.is_empty() || fixed.is_empty()) return std::nullopt;
    if (!usable(velocity, duration)) return std::nullopt;
    const double radius = static_cast<double>(moving.radius) + static_cast<double>(fixed.radius);
    return sweep_ball(wide(moving.center) - wide(fixed.center), wide(velocity), radius, DVec3(0.0), duration);
}

std::optional<SweepHit> sweep(const Sphere& moving, const glm::vec3& velocity, const Aabb& fixed,
                              float duration) noexcept {
    if (moving.is_empty() || fixed.is_empty() || !usable(velocity, duration)) return std::nullopt;
    return sweep_ball(wide(moving.center) - detail::center_of(fixed), wide(velocity), moving.radius,
                      detail::half_of(fixed), duration);
}

std::optional<SweepHit> sweep(const Sphere& moving, const glm::vec3& velocity, const Obb& fixed,
                              float duration) noexcept {
    if (moving.is_empty() || fixed.is_empty() || !usable(velocity, duration)) return std::nullopt;
    auto hit =
        sweep_ball(detail::local_point(fixed, moving.center), detail::into_frame(fixed, wide(velocity)),
                   moving.radius, wide(fixed.half_extents), duration);
    if (hit) hit->normal = detail::narrow(detail::out_of_frame(fixed, wide(hit->normal)));
    return hit;
}

std::optional<SweepHit> sweep(const Aabb& moving, const glm::vec3& velocity, const Obb& fixed,
                              float duration) noexcept {
    if (moving.is_empty() || fixed.is_empty() || !usable(velocity, duration)) return std::nullopt;
    NoTrace sink;
    return sweep_boxes(WideBox(moving), velocity, WideBox(fixed), duration, sink);
}

std::optional<SweepHit> sweep(const Obb& moving, const glm::vec3& velocity, const Obb& fixed,
                              float duration) noexcept {
    if (moving.is_empty() || fixed.is_empty() || !usable(velocity, duration)) return std::nullopt;
    NoTrace sink;
    return sweep_boxes(WideBox(moving), velocity, WideBox(fixed), duration, sink);
}

std::optional<SweepHit> sweep(const Obb& moving, const glm::vec3& velocity, const Obb& fixed, float duration,
                              Recording& trace) {
    if (moving.is_empty() || fixed.is_empty() || !usable(velocity, duration)) return std::nullopt;
    return sweep_boxes(WideBox(moving), velocity, WideBox(fixed), duration, trace);
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
