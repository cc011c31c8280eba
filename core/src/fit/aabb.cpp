#include "bv/fit/aabb.hpp"

#include <cmath>
#include <glm/common.hpp>
#include <limits>

#include "fit/affine_image.hpp"
#include "fit/passes.hpp"
#include "shapes/climb.hpp"
#include "shapes/rounding.hpp"

namespace bv::fit {
namespace {

// c + r, rounded outward. Balls test points by distances in double, so a point may be outside by 1e-16 of the
// radius. Floats are that dense only near zero: only there the face moves out by as much.
float face_beyond(float c, float r) {
    const float face = detail::add_up(c, r);
    if (!(std::abs(face) < 1e-8f * r)) return face;
    return detail::round_up(static_cast<double>(face) + 4e-16 * static_cast<double>(r));
}

}  // namespace

Aabb aabb_tight(std::span<const glm::vec3> points) {
    return detail::bounds_of(points);
}

Aabb aabb_tight(std::span<const glm::vec3> points, const glm::mat4x3& affine) {
    const detail::AffineImage image(affine);
    glm::dvec3 low(std::numeric_limits<double>::infinity());
    glm::dvec3 high = -low;
    for (const glm::vec3& p : points) {
        if (!bv::is_finite(p)) continue;
        const glm::dvec3 q = image(p);
        low = glm::min(low, q - image.error(p));
        high = glm::max(high, q + image.error(p));
    }
    return detail::rounded_outward(low, high);
}

Aabb aabb_extremes(const Hull& hull, const glm::mat4x3& affine, ExtremeVertices& extremes) {
    if (hull.is_empty()) return {};
    const detail::AffineImage image(affine);
    glm::dvec3 low(0.0), high(0.0);
    for (std::size_t i = 0; i < 6; ++i) {
        const int row = static_cast<int>(i / 2);
        // In the hull's own frame the support direction is the row of the map.
        const glm::dvec3 along = image.row(row) * (i % 2 == 0 ? -1.0 : 1.0);
        if (extremes[i] >= hull.vertices.size()) extremes[i] = 0;
        extremes[i] = detail::climb(hull, along, extremes[i]);
        const glm::vec3 p = hull.vertices[extremes[i]];
        if (i % 2 == 0)
            low[row] = image(p)[row] - image.error(p);
        else
            high[row] = image(p)[row] + image.error(p);
    }
    return detail::rounded_outward(low, high);
}

Aabb aabb_fixed(const Sphere& sphere) {
    if (sphere.is_empty()) return {};
    Aabb box;
    for (int k = 0; k < 3; ++k) {
        box.min[k] = -face_beyond(-sphere.center[k], sphere.radius);
        box.max[k] = face_beyond(sphere.center[k], sphere.radius);
    }
    return box;
}

}  // namespace bv::fit
