// Orthonormal frames in double.
#pragma once

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <utility>

namespace bv::detail {

/// A unit vector perpendicular to the unit vector `n`.
inline glm::dvec3 any_perpendicular(const glm::dvec3& n) noexcept {
    // The cross product with the axis least aligned with `n` keeps the length away from zero.
    const glm::dvec3 a = glm::abs(n);
    const glm::dvec3 e = a.x <= a.y && a.x <= a.z ? glm::dvec3(1, 0, 0)
                         : a.y <= a.z             ? glm::dvec3(0, 1, 0)
                                                  : glm::dvec3(0, 0, 1);
    return glm::normalize(glm::cross(n, e));
}

/// `v` normalized, however large or small, or zero if it is zero or not finite.
inline glm::dvec3 normalized_or_zero(const glm::dvec3& v) noexcept {
    const double largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    if (!(largest > 0.0) || !std::isfinite(v.x + v.y + v.z)) return glm::dvec3(0.0);
    return glm::normalize(v / largest);
}

/// A right-handed orthonormal frame whose column k points along column k of `m`, as far as the columns are
/// perpendicular: the longest keeps its direction, the second longest its side. Columns of length zero are
/// replaced.
inline glm::dmat3 frame_along(const glm::dmat3& m) noexcept {
    int order[3] = {0, 1, 2};
    const double length_sq[3] = {glm::dot(m[0], m[0]), glm::dot(m[1], m[1]), glm::dot(m[2], m[2])};
    for (int i = 1; i < 3; ++i) {
        for (int j = i; j > 0 && length_sq[order[j]] > length_sq[order[j - 1]]; --j)
            std::swap(order[j], order[j - 1]);
    }
    glm::dvec3 first = normalized_or_zero(m[order[0]]);
    if (first == glm::dvec3(0.0)) return glm::dmat3(1.0);
    const glm::dvec3 direction = normalized_or_zero(m[order[1]]);
    glm::dvec3 second = direction - first * glm::dot(first, direction);
    // Nearly parallel: the difference is rounding noise, so any perpendicular will do.
    second = glm::dot(second, second) > 1e-24 ? glm::normalize(second) : any_perpendicular(first);
    second = glm::normalize(second - first * glm::dot(first, second));
    const glm::dvec3 third = glm::cross(first, second);
    glm::dmat3 frame;
    frame[order[0]] = first;
    frame[order[1]] = second;
    frame[order[2]] = third;
    if (glm::dot(glm::cross(frame[0], frame[1]), frame[2]) < 0.0) frame[order[2]] = -third;
    return frame;
}

}  // namespace bv::detail
