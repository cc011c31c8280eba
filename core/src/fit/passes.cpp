#include "fit/passes.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "bv/shapes/contains_point.hpp"
#include "shapes/frame.hpp"
#include "shapes/rounding.hpp"
#include "simd/point_kernels.hpp"

namespace bv::detail {

namespace {

const float* coordinates(Points points) noexcept {
    return points.empty() ? nullptr : &points.front().x;
}

// Sums and projections are relative to this point: differences of floats are exact in double, so the result
// is the same wherever the points lie.
glm::vec3 first_finite(Points points) noexcept {
    const auto found = std::find_if(points.begin(), points.end(), is_finite);
    return found == points.end() ? glm::vec3(0.0f) : *found;
}

}  // namespace

Aabb bounds_of(Points points) noexcept {
    const simd::Bounds b = simd::kernels().bounds(coordinates(points), points.size());
    return {{b.min[0], b.min[1], b.min[2]}, {b.max[0], b.max[1], b.max[2]}};
}

Farthest farthest_from(Points points, const glm::dvec3& center) noexcept {
    const simd::FarthestPoint far = simd::kernels().farthest(coordinates(points), points.size(), &center.x);
    return {far.index, far.distance_sq};
}

Extents extents_along(Points points, const glm::mat3& axes, const glm::vec3& origin) noexcept {
    Extents e;
    simd::kernels().extents(coordinates(points), points.size(), &axes[0].x, &origin.x, &e.low.x, &e.high.x);
    return e;
}

DirectionExtents kdop_extents(Points points) noexcept {
    DirectionExtents e;
    simd::kernels().kdop(coordinates(points), points.size(), e.low.data(), e.high.data());
    return e;
}

std::vector<std::size_t> extremes_along(Points points, std::span<const glm::vec3> directions) {
    std::vector<std::size_t> found(2 * directions.size());
    glm::vec3 origin = first_finite(points);
    // From an origin below this, no offset overflows.
    constexpr float kLargestOrigin = 0x1p100f;
    for (int k = 0; k < 3; ++k)
        if (!(std::abs(origin[k]) < kLargestOrigin)) origin = glm::vec3(0.0f);
    simd::kernels().extremes(coordinates(points), points.size(), &origin.x, &directions.front().x,
                             directions.size(), found.data(), found.data() + directions.size());
    if (!found.empty() && found[0] == simd::kNoIndex) found.clear();
    return found;
}

Sphere ball_around(Points points, const glm::dvec3& center) noexcept {
    Sphere ball;
    ball.center = glm::vec3(center);
    const Farthest far = farthest_from(points, glm::dvec3(ball.center));
    if (far.index == kNoPoint) return {};
    ball.radius = round_up(std::sqrt(far.distance_sq));
    // The root was rounded too, while contains_point compares squares.
    while (static_cast<double>(ball.radius) * static_cast<double>(ball.radius) < far.distance_sq)
        ball.radius = next_up(ball.radius);
    return ball;
}

Mean mean_of(Points points) noexcept {
    Mean mean;
    mean.origin = glm::dvec3(first_finite(points));
    glm::dvec3 sum(0.0);
    for (const glm::vec3& p : points) {
        if (!is_finite(p)) continue;
        sum += glm::dvec3(p) - mean.origin;
        ++mean.count;
    }
    if (mean.count > 0) mean.offset = sum / static_cast<double>(mean.count);
    return mean;
}

Obb box_along(Points points, const glm::dmat3& axes) noexcept {
    Obb box;
    for (int k = 0; k < 3; ++k)
        box.axes[k] = glm::vec3(axes[k]);
    const glm::vec3 origin = first_finite(points);
    const Extents reach = extents_along(points, box.axes, origin);
    if (reach.low.x > reach.high.x) return {};
    // The stored axes are orthonormal only to rounding; the point with given offsets along them follows from
    // their dual.
    box.center = glm::vec3(glm::dvec3(origin) + glm::transpose(glm::inverse(glm::dmat3(box.axes))) *
                                                    ((reach.low + reach.high) * 0.5));
    if (!is_finite(box.center)) return {glm::vec3(0.0f), glm::vec3(kFloatInf), glm::mat3(1.0f)};
    // Measured again from the stored center: contains_point compares the same numbers.
    const Extents from_center = extents_along(points, box.axes, box.center);
    for (int k = 0; k < 3; ++k)
        box.half_extents[k] = round_up(std::max(from_center.high[k], -from_center.low[k]));
    return box;
}

}  // namespace bv::detail
