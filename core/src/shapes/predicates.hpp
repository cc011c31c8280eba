// Signs of determinants of points, decided exactly for all finite floats (Shewchuk 1997): a floating-point
// filter decides nearly all, expansions sum the rest without rounding.
#pragma once

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

namespace bv::detail {

/// Sign of det(b - a, c - a, d - a): 1 if `d` lies on the side of the plane from which a, b, c run
/// counter-clockwise, -1 on the other, 0 on the plane.
[[nodiscard]] int orient3d(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c,
                           const glm::vec3& d) noexcept;

/// The determinant itself, with a relative error of at most 1e-9.
[[nodiscard]] double orient3d_value(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c,
                                    const glm::vec3& d) noexcept;

/// Sign of det(b - a, c - a, direction): 0 if the direction is parallel to the plane, or the points are
/// collinear.
[[nodiscard]] int orient3d_along(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c,
                                 const glm::vec3& direction) noexcept;

/// Sign of det(b - a, c - a): 1 if a, b, c run counter-clockwise, 0 if they are collinear.
[[nodiscard]] int orient2d(const glm::vec2& a, const glm::vec2& b, const glm::vec2& c) noexcept;

/// det(p, q, r) of the numbers as given, to 1e-15 of its value, and exactly 0 where it vanishes. For
/// magnitudes from 1e-90 to 1e+90, which covers differences of floats and their quotients.
[[nodiscard]] double exact_det(const glm::dvec3& p, const glm::dvec3& q, const glm::dvec3& r) noexcept;
/// p.x q.y - p.y q.x, likewise.
[[nodiscard]] double exact_det(const glm::dvec2& p, const glm::dvec2& q) noexcept;

/// Below this fraction of the product of the largest components of its three columns, a determinant in double
/// may be all rounding: six products of three factors, Shewchuk's bound for each.
inline constexpr double kDetErrorBound = 6.0 * 8e-16;

/// True iff the three points are collinear.
[[nodiscard]] bool collinear(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c) noexcept;

}  // namespace bv::detail
