// Volume and surface area of the simple solids in double, where they neither underflow nor overflow. Zero
// takes precedence over infinity: a solid without width in one direction has no volume, however large it is
// in another.
#pragma once

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <numbers>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/capsule.hpp"
#include "bv/shapes/not_finite.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/rect_swept_sphere.hpp"
#include "bv/shapes/sphere.hpp"

namespace bv::detail {

inline double box_volume(const glm::dvec3& size) noexcept {
    return size.x == 0.0 || size.y == 0.0 || size.z == 0.0 ? 0.0 : size.x * size.y * size.z;
}
inline double box_area(const glm::dvec3& size) noexcept {
    return 2.0 * (product_or_zero(size.x, size.y) + product_or_zero(size.y, size.z) +
                  product_or_zero(size.z, size.x));
}
/// Zero for the empty box.
inline glm::dvec3 size_in_double(const Aabb& box) noexcept {
    return box.is_empty() ? glm::dvec3(0.0) : glm::dvec3(box.max) - glm::dvec3(box.min);
}

inline double volume_in_double(const Sphere& s) noexcept {
    if (s.is_empty()) return 0.0;
    const auto r = static_cast<double>(s.radius);
    return 4.0 / 3.0 * std::numbers::pi * r * r * r;
}
inline double area_in_double(const Sphere& s) noexcept {
    if (s.is_empty()) return 0.0;
    const auto r = static_cast<double>(s.radius);
    return 4.0 * std::numbers::pi * r * r;
}

inline double volume_in_double(const Aabb& box) noexcept {
    return box_volume(size_in_double(box));
}
inline double area_in_double(const Aabb& box) noexcept {
    return box_area(size_in_double(box));
}

inline double volume_in_double(const Obb& box) noexcept {
    return box.is_empty() ? 0.0 : box_volume(2.0 * glm::dvec3(box.half_extents));
}
inline double area_in_double(const Obb& box) noexcept {
    return box.is_empty() ? 0.0 : box_area(2.0 * glm::dvec3(box.half_extents));
}

inline double length_in_double(const Capsule& c) noexcept {
    return glm::length(glm::dvec3(c.b) - glm::dvec3(c.a));
}
inline double volume_in_double(const Capsule& c) noexcept {
    if (c.is_empty()) return 0.0;
    const auto r = static_cast<double>(c.radius);
    return std::numbers::pi * r * r * (length_in_double(c) + 4.0 / 3.0 * r);
}
inline double area_in_double(const Capsule& c) noexcept {
    if (c.is_empty()) return 0.0;
    const auto r = static_cast<double>(c.radius);
    return 2.0 * std::numbers::pi * r * (length_in_double(c) + 2.0 * r);
}

/// Steiner: the rectangle's slab, half a cylinder along each side, two eighths of a ball at each corner.
inline double volume_in_double(const RectSweptSphere& s) noexcept {
    const auto r = static_cast<double>(s.radius);
    if (s.is_empty() || r == 0.0) return 0.0;
    const glm::dvec2 h(s.half_extents);
    return product_or_zero(8.0 * product_or_zero(h.x, r), h.y) +
           product_or_zero(2.0 * std::numbers::pi * r * r, h.x + h.y) +
           4.0 / 3.0 * std::numbers::pi * r * r * r;
}
inline double area_in_double(const RectSweptSphere& s) noexcept {
    if (s.is_empty()) return 0.0;
    const auto r = static_cast<double>(s.radius);
    const glm::dvec2 h(s.half_extents);
    return 8.0 * product_or_zero(h.x, h.y) + 4.0 * std::numbers::pi * product_or_zero(h.x + h.y, r) +
           4.0 * std::numbers::pi * r * r;
}

}  // namespace bv::detail
