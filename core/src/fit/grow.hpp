// Grows a ball over the points outside it, as Ritter does.
#pragma once

#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>

#include "bv/trace/events.hpp"
#include "fit/passes.hpp"
#include "fit/sphere/small_balls.hpp"
#include "shapes/rounding.hpp"

namespace bv::detail {

inline Sphere in_float(const DBall& ball) noexcept {
    return {glm::vec3(ball.center), static_cast<float>(ball.radius)};
}

/// The smallest ball of all points around a center, and the event that says so.
template <class Sink>
Sphere measured_around(Points points, const glm::dvec3& center, Sink& sink) {
    const Sphere ball = ball_around(points, center);
    if constexpr (Sink::kEnabled) {
        const Farthest far = farthest_from(points, glm::dvec3(ball.center));
        if (far.index != kNoPoint) sink(BallMeasured{ball, static_cast<std::uint32_t>(far.index)});
    }
    return ball;
}

/// The ball after growing over each point outside, in order, with its radius then recomputed around its final
/// center.
template <class Sink>
Sphere grown_over(Points points, DBall ball, Sink& sink) {
    for (std::size_t i = 0; i < points.size(); ++i) {
        const glm::dvec3 d = glm::dvec3(points[i]) - ball.center;
        const double distance_sq = glm::dot(d, d);
        if (!(distance_sq > ball.radius * ball.radius) || !is_finite(points[i])) continue;
        // The new ball touches the point and the far side of the old one.
        const DBall before = ball;
        const double distance = std::sqrt(distance_sq);
        ball.radius = (before.radius + distance) * 0.5;
        ball.center += d * ((ball.radius - before.radius) / distance);
        if constexpr (Sink::kEnabled)
            sink(SphereGrown{static_cast<std::uint32_t>(i), in_float(before), in_float(ball)});
    }
    return measured_around(points, ball.center, sink);
}

}  // namespace bv::detail
