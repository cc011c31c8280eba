// The nearest points of two triangles.
#pragma once

#include <glm/vec3.hpp>
#include <limits>

#include "bv/shapes/triangle.hpp"

namespace bv::detail {

struct NearestPoints {
    double distance2 = std::numeric_limits<double>::infinity();
    glm::dvec3 on_a{0.0}, on_b{0.0};
};

/// In double; exactly 0 iff `overlap` is true, which is tested only if no plane separates them by more than
/// `slack`. Triangles may be degenerate; corners are finite. Source: Larsen 1999, Ericson 2005 (5.1.9).
[[nodiscard]] NearestPoints nearest_points(const Triangle& a, const Triangle& b, float slack) noexcept;

}  // namespace bv::detail
