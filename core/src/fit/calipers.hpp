// The rectangle of least area around points in the plane.
#pragma once

#include <glm/vec2.hpp>
#include <vector>

namespace bv::detail {

struct Rectangle {
    glm::dvec2 axis{1.0, 0.0};  ///< Unit direction of one side; the other is a quarter turn from it.
    double area = 0.0;
};

/// Convex hull of the points, counter-clockwise, without collinear ones; reorders `points`. By floating-point
/// signs: good to rounding, which is what a rectangle needs.
[[nodiscard]] std::vector<glm::dvec2> convex_polygon(std::vector<glm::dvec2>& points);

/// One side of the smallest rectangle lies on an edge of the polygon (Freeman and Shapira 1975); four
/// supports turn once around with it. A polygon of one point gives the x axis and no area.
[[nodiscard]] Rectangle smallest_rectangle(const std::vector<glm::dvec2>& polygon);

}  // namespace bv::detail
