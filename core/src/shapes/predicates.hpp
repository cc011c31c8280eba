// Signs of determinants of points, decided exactly for all finite floats (Shewchuk 1997): a floating-point
// filter settles nearly all, the rest is summed without rounding in expansions.
#pragma once

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

namespace bv::detail {

/// Sign of det(b - a, c - a, d - a): 1 if `d` lies on the side of the plane from which a, b, c run
/// counter-clockwise, -1 on the other, 0 on the plane.
[[nodiscard]] int orient3d(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c,
                           const glm::vec3& d) noexcept;

/// Sign of det(b - a, c - a): 1 if a, b, c run counter-clockwise, 0 if they are collinear.
[[nodiscard]] int orient2d(const glm::vec2& a, const glm::vec2& b, const glm::vec2& c) noexcept;

/// True iff the three points lie on one line.
[[nodiscard]] bool collinear(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c) noexcept;

}  // namespace bv::detail
