// Overlap of convex polygons in the plane, by separating axes.
//
// Two convex polygons are disjoint iff a line along one of their edges has one of them on its closed side and
// the other one strictly beyond it; of two polygons in one line, the order along that line decides. Both are
// signs of determinants, which are found exactly. Source: Ericson 2005, 5.2.1; Shewchuk 1997. Test:
// core/tests/query/test_query_polygon.cpp, against clipping and against edges and containment.
#pragma once

#include <glm/vec2.hpp>
#include <span>

#include "bv/trace/trace.hpp"

namespace bv {

/// A closed convex polygon in the plane, in meters: a view of its corners in the order of a walk around it,
/// either way. Corners may coincide, and may lie on a line with their neighbors; all of them may, and then
/// the polygon is a segment or a point. Corners around a shape that is not convex: see `overlap`. The hull of
/// points in the plane: `fit::convex_polygon`.
struct ConvexPolygon {
    std::span<const glm::vec2> corners;

    /// True without corners, or by bv/shapes/not_finite.hpp: if a corner is NaN or infinite. O(n).
    [[nodiscard]] bool is_empty() const noexcept;
};

/// True iff the polygons share a point: decided exactly, for all finite floats, degenerate ones included.
/// Polygons that meet only in a corner or along an edge overlap; an empty one overlaps nothing. If a polygon
/// is not convex, false still proves that the two are disjoint, and true says only that their convex hulls
/// overlap, or nearly so. Cost: at most (n + m)^2 determinants for n and m corners, so meant for small
/// polygons; 16 corners in all take a microsecond. No allocation, safe from any thread.
[[nodiscard]] bool overlap(const ConvexPolygon& a, const ConvexPolygon& b) noexcept;

/// The same result, with one `AxisTested` for the normal of each edge, first those of A, then those of B; the
/// plain test ends at the first line that separates. An edge without length has none, nor has one that is
/// parallel, up to the rounding of its corners, to an earlier edge of its own polygon: a rectangle against a
/// triangle makes five. In the plane the normal is the cross of an edge with the direction out of the plane,
/// so the kind is EdgeCross, with the edge as `i` in A or as `j` in B and the other -1. Edge k runs from
/// corner k to the next one; those beyond the 127th are recorded as 127. For polygons that all lie in one
/// line, an event for the direction of the line follows, with both -1. Axes have unit length and z = 0.
/// Intervals and gaps are rounded to float; but a gap is positive where a line along the edge separates, and
/// no gap is positive if the polygons overlap.
[[nodiscard]] bool overlap(const ConvexPolygon& a, const ConvexPolygon& b, Recording& trace);

}  // namespace bv
