#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <vector>

#include "bv/fit/obb.hpp"
#include "fit/obb/calipers.hpp"
#include "shapes/rounding.hpp"

namespace bv::fit {
namespace {

bool is_finite(const glm::vec2& p) {
    return std::isfinite(p.x) && std::isfinite(p.y);
}

// Offsets as contains_point of an Obb2 computes them.
double offset(const glm::vec2& axis, const glm::vec2& p, const glm::vec2& origin) {
    const glm::dvec2 d = glm::dvec2(p) - glm::dvec2(origin);
    return static_cast<double>(axis.x) * d.x + static_cast<double>(axis.y) * d.y;
}

// At least one point is finite.
Obb2 rectangle_along(std::span<const glm::vec2> points, const glm::dvec2& direction) {
    Obb2 box;
    box.axes[0] = glm::vec2(direction);
    box.axes[1] = glm::vec2(-box.axes[0].y, box.axes[0].x);
    // Relative to one of the points: differences of floats are exact in double, wherever the points lie.
    const glm::vec2 origin = *std::find_if(points.begin(), points.end(), is_finite);
    glm::dvec2 low(std::numeric_limits<double>::infinity()), high(-std::numeric_limits<double>::infinity());
    for (const glm::vec2& p : points) {
        for (int k = 0; is_finite(p) && k < 2; ++k) {
            low[k] = std::min(low[k], offset(box.axes[k], p, origin));
            high[k] = std::max(high[k], offset(box.axes[k], p, origin));
        }
    }
    // Both axes have the same length, 1 only to rounding.
    const glm::dvec2 middle =
        (low + high) * (0.5 / glm::dot(glm::dvec2(box.axes[0]), glm::dvec2(box.axes[0])));
    box.center = glm::vec2(glm::dvec2(origin) + glm::dmat2(box.axes) * middle);
    glm::dvec2 reach(0.0);
    for (const glm::vec2& p : points) {
        for (int k = 0; is_finite(p) && k < 2; ++k)
            reach[k] = std::max(reach[k], std::abs(offset(box.axes[k], p, box.center)));
    }
    box.half_extents = {detail::round_up(reach.x), detail::round_up(reach.y)};
    return box;
}

std::vector<glm::dvec2> finite_points(std::span<const glm::vec2> points) {
    std::vector<glm::dvec2> kept;
    for (const glm::vec2& p : points) {
        if (is_finite(p)) kept.emplace_back(p);
    }
    return kept;
}

}  // namespace

Obb2 obb2_exact(std::span<const glm::vec2> points) {
    std::vector<glm::dvec2> kept = finite_points(points);
    if (kept.empty()) return {};
    return rectangle_along(points, detail::smallest_rectangle(detail::convex_polygon(kept)).axis);
}

Obb2 obb2_pca(std::span<const glm::vec2> points) {
    const std::vector<glm::dvec2> kept = finite_points(points);
    if (kept.empty()) return {};
    glm::dvec2 mean(0.0);
    for (const glm::dvec2& p : kept)
        mean += (p - kept.front()) / static_cast<double>(kept.size());
    double xx = 0.0, xy = 0.0, yy = 0.0;
    for (const glm::dvec2& p : kept) {
        const glm::dvec2 d = (p - kept.front()) - mean;
        xx += d.x * d.x;
        xy += d.x * d.y;
        yy += d.y * d.y;
    }
    const double angle_rad = 0.5 * std::atan2(2.0 * xy, xx - yy);
    return rectangle_along(points, {std::cos(angle_rad), std::sin(angle_rad)});
}

}  // namespace bv::fit
