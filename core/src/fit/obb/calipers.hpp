// The rectangle of least area around points in the plane.
#pragma once

#include <glm/vec2.hpp>
#include <vector>

namespace bv::detail {

struct Rectangle {
    glm::dvec2 axis{1.0, 0.0};  ///< Unit direction of one side; the other is perpendicular to it.
    double area = 0.0;
};

/// Convex hull of the points, counter-clockwise, without collinear ones; reorders `points`. Signs in floating
/// point: accurate to rounding, which is enough for a rectangle.
[[nodiscard]] std::vector<glm::dvec2> convex_polygon(std::vector<glm::dvec2>& points);

/// One side of the smallest rectangle is flush with an edge of the polygon (Freeman and Shapira 1975):
/// rotating calipers. A polygon of one point gives the x axis and no area.
[[nodiscard]] Rectangle smallest_rectangle(const std::vector<glm::dvec2>& polygon);

}  // namespace bv::detail
