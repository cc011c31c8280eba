// Overlap of triangles with one another and with balls and boxes. Other shapes: bv/query/convex.hpp.
//
// Triangles are closed and may be degenerate (a segment or a point). NaN and infinity overlap nothing. No
// allocation, safe from any thread.
#pragma once

#include <optional>

#include "bv/query/overlap.hpp"
#include "bv/shapes/ray.hpp"
#include "bv/shapes/triangle.hpp"
#include "bv/trace/trace.hpp"

namespace bv {

/// True iff the triangles share a point: decided exactly, for all finite floats, coplanar and degenerate ones
/// included, by the signs of exact determinants. Two triangles that meet only in a corner or along an edge
/// overlap. Cost: 6 to 8 determinants for most pairs. Source: Devillers 2003. Oracle: CGAL with exact
/// arithmetic.
[[nodiscard]] bool overlap(const Triangle& a, const Triangle& b) noexcept;
/// The same result, with one or two `CornersSided` and, unless these decide, one `IntervalsCompared`, or an
/// `EdgeTested` for each edge up to the first hit if a corner lies in the other triangle's plane.
[[nodiscard]] bool overlap(const Triangle& a, const Triangle& b, Recording& trace);

/// The intersection of two crossing triangles as a segment, for drawing; its ends are rounded. Empty if they
/// are disjoint or coplanar, or one has no area. Where they only touch, both ends are equal.
[[nodiscard]] std::optional<Segment> intersection(const Triangle& a, const Triangle& b) noexcept;

/// True iff the point of the triangle nearest to the center is in the ball.
[[nodiscard]] bool overlap(const Sphere& ball, const Triangle& triangle) noexcept;

/// By 13 separating axes: the box's 3 face normals, the triangle's normal, 9 crosses of edges. In double
/// precision with a slack of 1e-14 of the sizes, so that touching always counts; an AABB's faces need none
/// and are exact. The triangle's normal, computed from its two shortest edges, gets additional slack for its
/// own rounding, since a sliver's normal is mostly rounding. Source: Akenine-Moeller 2001. Oracle: GJK and
/// clipping.
[[nodiscard]] bool overlap(const Aabb& box, const Triangle& triangle) noexcept;
[[nodiscard]] bool overlap(const Obb& box, const Triangle& triangle) noexcept;

/// The same results, with one `AxisTested` for each of the 13 axes, where A is the box: kind FaceA for the
/// box's, FaceB for the triangle's normal, EdgeCross with the edges ab, bc, ca as j. The plain test ends at
/// the first positive gap.
[[nodiscard]] bool overlap(const Aabb& box, const Triangle& triangle, Recording& trace);
[[nodiscard]] bool overlap(const Obb& box, const Triangle& triangle, Recording& trace);

[[nodiscard]] inline bool overlap(const Triangle& t, const Sphere& ball) noexcept {
    return overlap(ball, t);
}
[[nodiscard]] inline bool overlap(const Triangle& t, const Aabb& box) noexcept {
    return overlap(box, t);
}
[[nodiscard]] inline bool overlap(const Triangle& t, const Obb& box) noexcept {
    return overlap(box, t);
}

}  // namespace bv
