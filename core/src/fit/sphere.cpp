// Spheres that need no more than a few passes over the points.
#include "bv/fit/sphere.hpp"

#include <array>
#include <cmath>

#include "bv/shapes/contains_point.hpp"
#include "fit/passes.hpp"
#include "shapes/rounding.hpp"

namespace bv::fit {
namespace {

using detail::kNoPoint;
using detail::Points;

// The indices of the least and greatest point along each coordinate axis.
struct Extremes {
    std::array<std::size_t, 3> low{kNoPoint, kNoPoint, kNoPoint};
    std::array<std::size_t, 3> high{kNoPoint, kNoPoint, kNoPoint};
};

Extremes extremes_of(Points points) {
    Extremes e;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!detail::is_finite(points[i])) continue;
        for (int k = 0; k < 3; ++k) {
            const auto axis = static_cast<std::size_t>(k);
            if (e.low[axis] == kNoPoint || points[i][k] < points[e.low[axis]][k]) e.low[axis] = i;
            if (e.high[axis] == kNoPoint || points[i][k] > points[e.high[axis]][k]) e.high[axis] = i;
        }
    }
    return e;
}

struct Ball {
    glm::dvec3 center{0.0};
    double radius = -1.0;
};

Sphere in_float(const Ball& b) {
    return {glm::vec3(b.center), static_cast<float>(b.radius)};
}

template <class Sink>
Sphere ritter_impl(Points points, Sink& sink) {
    const Extremes e = extremes_of(points);
    if (e.low[0] == kNoPoint) return {};
    std::size_t widest = 0;
    double widest_sq = -1.0;
    for (std::size_t k = 0; k < 3; ++k) {
        const double d = distance_sq_in_double(points[e.low[k]], points[e.high[k]]);
        if (d > widest_sq) {
            widest_sq = d;
            widest = k;
        }
    }
    const std::size_t first = e.high[widest];
    Ball ball{(glm::dvec3(points[e.low[widest]]) + glm::dvec3(points[first])) * 0.5,
              std::sqrt(widest_sq) * 0.5};
    if constexpr (Sink::kEnabled)
        sink(SphereGrown{static_cast<std::uint32_t>(first), Sphere{}, in_float(ball)});

    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!detail::is_finite(points[i])) continue;
        const glm::dvec3 d = glm::dvec3(points[i]) - ball.center;
        const double distance_sq = glm::dot(d, d);
        if (distance_sq <= ball.radius * ball.radius) continue;
        // The new ball touches the point and the far side of the old one.
        const double distance = std::sqrt(distance_sq);
        const Ball before = ball;
        ball.radius = (before.radius + distance) * 0.5;
        ball.center += d * ((ball.radius - before.radius) / distance);
        if constexpr (Sink::kEnabled)
            sink(SphereGrown{static_cast<std::uint32_t>(i), in_float(before), in_float(ball)});
    }
    return detail::ball_around(points, ball.center);
}

}  // namespace

Sphere sphere_ritter(std::span<const glm::vec3> points) {
    NoTrace none;
    return ritter_impl(points, none);
}

Sphere sphere_ritter(std::span<const glm::vec3> points, Recording& trace) {
    return ritter_impl(points, trace);
}

Sphere sphere_centroid(std::span<const glm::vec3> points) {
    std::size_t count = 0;
    const glm::dvec3 mean = detail::mean_of(points, count);
    return count == 0 ? Sphere{} : detail::ball_around(points, mean);
}

Sphere sphere_aabb_center(std::span<const glm::vec3> points) {
    const Aabb box = detail::bounds_of(points);
    if (box.is_empty()) return {};
    return detail::ball_around(points, (glm::dvec3(box.min) + glm::dvec3(box.max)) * 0.5);
}

}  // namespace bv::fit
