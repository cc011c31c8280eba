// Spheres that need only a few passes over the points.
#include "bv/fit/sphere.hpp"

#include <array>
#include <cmath>
#include <vector>

#include "bv/shapes/contains_point.hpp"
#include "fit/grow.hpp"
#include "fit/passes.hpp"

namespace bv::fit {
namespace {

using detail::Points;

constexpr std::array<glm::vec3, 3> kAxes = {glm::vec3(1, 0, 0), glm::vec3(0, 1, 0), glm::vec3(0, 0, 1)};

template <class Sink>
void report_extremes(Points points, const std::vector<std::size_t>& extremes, Sink& sink) {
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t low = extremes[k], high = extremes[k + 3];
        sink(ExtremesFound{kAxes[k], static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(high),
                           points[low], points[high]});
    }
}

template <class Sink>
Sphere ritter_impl(Points points, Sink& sink) {
    // The minimal points along the axes, then the maximal.
    const std::vector<std::size_t> extremes = detail::extremes_along(points, kAxes);
    if (extremes.empty()) return {};
    if constexpr (Sink::kEnabled) report_extremes(points, extremes, sink);
    std::size_t widest = 0;
    double widest_sq = -1.0;
    for (std::size_t k = 0; k < 3; ++k) {
        const double d = distance_sq_in_double(points[extremes[k]], points[extremes[k + 3]]);
        if (d > widest_sq) {
            widest_sq = d;
            widest = k;
        }
    }
    const glm::vec3 low = points[extremes[widest]], high = points[extremes[widest + 3]];
    const detail::DBall ball{(glm::dvec3(low) + glm::dvec3(high)) * 0.5, std::sqrt(widest_sq) * 0.5};
    if constexpr (Sink::kEnabled)
        sink(SphereGrown{static_cast<std::uint32_t>(extremes[widest + 3]), Sphere{}, detail::in_float(ball)});
    return detail::grown_over(points, ball, sink);
}

template <class Sink>
Sphere centroid_impl(Points points, Sink& sink) {
    const detail::Mean mean = detail::mean_of(points);
    if (mean.count == 0) return {};
    const glm::dvec3 center = mean.origin + mean.offset;
    if constexpr (Sink::kEnabled)
        sink(CenterFound{glm::vec3(center), static_cast<std::uint32_t>(mean.count)});
    return detail::measured_around(points, center, sink);
}

template <class Sink>
Sphere aabb_center_impl(Points points, Sink& sink) {
    const Aabb box = detail::bounds_of(points);
    if (box.is_empty()) return {};
    const glm::dvec3 center = (glm::dvec3(box.min) + glm::dvec3(box.max)) * 0.5;
    if constexpr (Sink::kEnabled) {
        report_extremes(points, detail::extremes_along(points, kAxes), sink);
        sink(CenterFound{glm::vec3(center), static_cast<std::uint32_t>(detail::mean_of(points).count)});
    }
    return detail::measured_around(points, center, sink);
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
    NoTrace none;
    return centroid_impl(points, none);
}

Sphere sphere_centroid(std::span<const glm::vec3> points, Recording& trace) {
    return centroid_impl(points, trace);
}

Sphere sphere_aabb_center(std::span<const glm::vec3> points) {
    NoTrace none;
    return aabb_center_impl(points, none);
}

Sphere sphere_aabb_center(std::span<const glm::vec3> points, Recording& trace) {
    return aabb_center_impl(points, trace);
}

}  // namespace bv::fit
