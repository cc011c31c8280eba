#include "bv/shapes/obb.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "query/precise.hpp"
#include "shapes/frame.hpp"
#include "shapes/measures.hpp"
#include "shapes/rounding.hpp"

namespace bv {

float Obb::volume() const noexcept {
    return static_cast<float>(detail::volume_in_double(*this));
}

float Obb::surface_area() const noexcept {
    return static_cast<float>(detail::area_in_double(*this));
}

glm::vec3 Obb::corner(int i) const noexcept {
    const glm::vec3 signs((i & 1) ? 1.0f : -1.0f, (i & 2) ? 1.0f : -1.0f, (i & 4) ? 1.0f : -1.0f);
    const glm::vec3 p = center + axes * (signs * half_extents);
    if (bv::is_finite(p)) return p;
    glm::vec3 limit = center;
    for (int k = 0; k < 3; ++k) {
        for (int j = 0; j < 3; ++j)
            limit[k] += static_cast<float>(detail::product_or_zero(signs[j] * half_extents[j], axes[j][k]));
        if (std::isnan(limit[k])) limit[k] = 0.0f;
    }
    return limit;
}

Obb transformed(const Obb& box, const glm::mat4x3& affine) noexcept {
    if (box.is_empty()) return {};
    const glm::dmat3 m{glm::dvec3(affine[0]), glm::dvec3(affine[1]), glm::dvec3(affine[2])};
    const glm::dvec3 c = m * glm::dvec3(box.center) + glm::dvec3(affine[3]);
    // The stored axes are orthonormal only to rounding. The solid is the set between its three pairs of
    // planes, so its edges run along the dual of the axes.
    const glm::dmat3 edges = m * glm::transpose(glm::inverse(glm::dmat3(box.axes)));
    const Obb everything{glm::vec3(0.0f), glm::vec3(detail::kFloatInf), glm::mat3(1.0f)};
    Obb result{glm::vec3(c), glm::vec3(0.0f), glm::mat3(detail::frame_along(edges))};
    if (!bv::is_finite(result.center)) return everything;
    for (int k = 0; k < 3; ++k) {
        if (!bv::is_finite(result.axes[k])) return everything;
        const glm::dvec3 axis(result.axes[k]);
        const glm::dvec3 moved = c - glm::dvec3(result.center);
        double h = std::abs(glm::dot(axis, moved));
        double terms = glm::length(c);
        for (int j = 0; j < 3; ++j) {
            const double reach = static_cast<double>(box.half_extents[j]);
            h += std::abs(glm::dot(axis, edges[j])) * reach;
            terms += glm::length(edges[j]) * reach +
                     glm::length(m[j]) * std::abs(static_cast<double>(box.center[j]));
        }
        // The slack covers the rounding of these sums themselves.
        result.half_extents[k] = detail::round_up(h + terms * 2e-15);
        if (std::isnan(result.half_extents[k])) result.half_extents[k] = detail::kFloatInf;
    }
    return result;
}

double detail::unbounded_reach(const Obb& box, const DVec3& axis) noexcept {
    const DVec3 part = glm::abs(into_frame(box, axis));
    const double length = glm::length(axis);
    double reach = 0.0;
    for (int k = 0; k < 3; ++k)
        reach += part_along(box.half_extents[k], part[k], length);
    return reach;
}

}  // namespace bv
