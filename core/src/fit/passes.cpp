#include "fit/passes.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "bv/shapes/contains_point.hpp"
#include "shapes/frame.hpp"
#include "shapes/rounding.hpp"

namespace bv::detail {

Aabb bounds_of(Points points) noexcept {
    Aabb box;
    for (const glm::vec3& p : points) {
        if (is_finite(p)) box = merge(box, Aabb{p, p});
    }
    return box;
}

Farthest farthest_from(Points points, const glm::vec3& center) noexcept {
    Farthest best;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double d = distance_sq_in_double(center, points[i]);
        if (d > best.distance_sq && std::isfinite(d)) best = {i, d};
    }
    return best;
}

Sphere ball_around(Points points, const glm::dvec3& center) noexcept {
    Sphere ball;
    ball.center = glm::vec3(center);
    const Farthest far = farthest_from(points, ball.center);
    if (far.index == kNoPoint) return {};
    ball.radius = round_up(std::sqrt(far.distance_sq));
    // The root was rounded too: the promise is about the squares that contains_point compares.
    while (static_cast<double>(ball.radius) * static_cast<double>(ball.radius) < far.distance_sq)
        ball.radius = next_up(ball.radius);
    return ball;
}

glm::dvec3 mean_of(Points points, std::size_t& count) noexcept {
    glm::dvec3 sum(0.0);
    count = 0;
    for (const glm::vec3& p : points) {
        if (!is_finite(p)) continue;
        sum += glm::dvec3(p);
        ++count;
    }
    return count == 0 ? sum : sum / static_cast<double>(count);
}

Obb box_along(Points points, const glm::dmat3& axes) noexcept {
    Obb box;
    for (int k = 0; k < 3; ++k)
        box.axes[k] = glm::vec3(axes[k]);
    glm::dvec3 lo(std::numeric_limits<double>::infinity());
    glm::dvec3 hi(-lo);
    for (const glm::vec3& p : points) {
        if (!is_finite(p)) continue;
        const glm::dvec3 d(offset_in_double(box.axes[0], p, glm::vec3(0.0f)),
                           offset_in_double(box.axes[1], p, glm::vec3(0.0f)),
                           offset_in_double(box.axes[2], p, glm::vec3(0.0f)));
        lo = glm::min(lo, d);
        hi = glm::max(hi, d);
    }
    if (lo.x > hi.x) return {};
    // The stored axes are orthonormal only to rounding; the point with given offsets along them is found with
    // their dual.
    box.center = glm::vec3(glm::transpose(glm::inverse(glm::dmat3(box.axes))) * ((lo + hi) * 0.5));
    // Measured again from the center as stored: these are the very numbers that contains_point compares.
    glm::dvec3 reach(0.0);
    for (const glm::vec3& p : points) {
        if (!is_finite(p)) continue;
        for (int k = 0; k < 3; ++k)
            reach[k] = std::max(reach[k], std::abs(offset_in_double(box.axes[k], p, box.center)));
    }
    for (int k = 0; k < 3; ++k)
        box.half_extents[k] = round_up(reach[k]);
    return box;
}

}  // namespace bv::detail
