#include "bv/shapes/rect_swept_sphere.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "bv/shapes/contains_point.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/sphere.hpp"
#include "shapes/frame.hpp"
#include "shapes/measures.hpp"
#include "shapes/rounding.hpp"

namespace bv {

float RectSweptSphere::volume() const noexcept {
    return static_cast<float>(detail::volume_in_double(*this));
}

float RectSweptSphere::surface_area() const noexcept {
    return static_cast<float>(detail::area_in_double(*this));
}

glm::vec3 RectSweptSphere::corner(int i) const noexcept {
    glm::vec3 p = center;
    for (int k = 0; k < 3; ++k) {
        p[k] += static_cast<float>(
            detail::product_or_zero((i & 1) ? half_extents.x : -half_extents.x, axes[0][k]));
        p[k] += static_cast<float>(
            detail::product_or_zero((i & 2) ? half_extents.y : -half_extents.y, axes[1][k]));
        if (std::isnan(p[k])) p[k] = 0.0f;
    }
    return p;
}

double rectangle_distance_sq_in_double(const RectSweptSphere& s, const glm::vec3& p) noexcept {
    // Propagates NaN: std::max then returns its first argument.
    const double x = std::max(
        std::abs(offset_in_double(s.axes[0], p, s.center)) - static_cast<double>(s.half_extents.x), 0.0);
    const double y = std::max(
        std::abs(offset_in_double(s.axes[1], p, s.center)) - static_cast<double>(s.half_extents.y), 0.0);
    const double z = offset_in_double(s.axes[2], p, s.center);
    return (x * x + y * y) + z * z;
}

bool contains_point(const RectSweptSphere& s, const glm::vec3& p) noexcept {
    const auto r = static_cast<double>(s.radius);
    return !s.is_empty() && rectangle_distance_sq_in_double(s, p) - r * r <= 0.0;
}

RectSweptSphere transformed(const RectSweptSphere& s, const glm::mat4x3& affine) noexcept {
    if (s.is_empty()) return {};
    // The rectangle's image lies in the image of a flat box, the ball's in a ball; their sum is enough. The
    // box's extent along its third axis, which is rounding except under shear, is added to the radius.
    const Obb box = transformed(Obb{s.center, glm::vec3(s.half_extents, 0.0f), s.axes}, affine);
    const Sphere ball = transformed(Sphere{glm::vec3(0.0f), s.radius},
                                    glm::mat4x3(affine[0], affine[1], affine[2], glm::vec3(0.0f)));
    RectSweptSphere result{box.center, glm::vec2(box.half_extents), 0.0f, box.axes};
    // 1e-6: a ball measured along axes that are orthonormal to single precision.
    const double grown =
        static_cast<double>(ball.radius) * (1.0 + 1e-6) + static_cast<double>(box.half_extents.z);
    result.radius = s.radius == 0.0f ? box.half_extents.z : detail::round_up(grown);
    if (!std::isfinite(result.radius)) result.half_extents = glm::vec2(0.0f);
    return result;
}

}  // namespace bv
