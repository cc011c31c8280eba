// Double-precision helpers that the queries share. The difference of two floats, their products, and sums of
// a few of them lose next to nothing in double, and no float squared overflows or vanishes there.
#pragma once

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/sphere.hpp"
#include "shapes/finite.hpp"

namespace bv::detail {

using DVec3 = glm::dvec3;

[[nodiscard]] inline DVec3 wide(const glm::vec3& v) noexcept {
    return DVec3(v);
}
[[nodiscard]] inline glm::vec3 narrow(const DVec3& v) noexcept {
    return glm::vec3(v);
}
[[nodiscard]] inline double largest(const DVec3& v) noexcept {
    return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}
[[nodiscard]] inline double square(double x) noexcept {
    return x * x;
}
[[nodiscard]] inline DVec3 center_of(const Aabb& box) noexcept {
    return 0.5 * (wide(box.min) + wide(box.max));
}
[[nodiscard]] inline DVec3 half_of(const Aabb& box) noexcept {
    return 0.5 * (wide(box.max) - wide(box.min));
}

/// The vector `v` of the world in the box's frame.
[[nodiscard]] inline DVec3 into_frame(const Obb& box, const DVec3& v) noexcept {
    return {glm::dot(wide(box.axes[0]), v), glm::dot(wide(box.axes[1]), v), glm::dot(wide(box.axes[2]), v)};
}
/// The vector `v` of the box's frame in the world.
[[nodiscard]] inline DVec3 out_of_frame(const Obb& box, const DVec3& v) noexcept {
    return v.x * wide(box.axes[0]) + v.y * wide(box.axes[1]) + v.z * wide(box.axes[2]);
}
[[nodiscard]] inline DVec3 local_point(const Obb& box, const glm::vec3& p) noexcept {
    return into_frame(box, wide(p) - wide(box.center));
}

/// Squared distance of `p` from the box |x| <= half in p's own frame.
[[nodiscard]] inline double distance_sq_to_box(const DVec3& p, const DVec3& half) noexcept {
    const DVec3 out = glm::max(glm::abs(p) - half, DVec3(0.0));
    return glm::dot(out, out);
}

}  // namespace bv::detail
