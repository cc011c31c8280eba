// Intersection of a line with balls, round rods and boxes with round edges. All of these are convex, and the
// interval of a convex union is the hull of the intervals of its parts.
#pragma once

#include <algorithm>
#include <limits>

#include "query/precise.hpp"
#include "query/rays/slab_clip.hpp"

namespace bv::detail {

/// Part of the line `o + t d` in a solid, and the outward unit normal where it enters. Empty unless lo <= hi.
struct RoundSpan {
    double lo = std::numeric_limits<double>::infinity();
    double hi = -std::numeric_limits<double>::infinity();
    DVec3 normal{0.0};
    int part = 0;  ///< The part that the line enters through, numbered by the caller.

    [[nodiscard]] bool empty() const noexcept { return !(lo <= hi); }
    void join(const RoundSpan& other) noexcept {
        if (other.empty()) return;
        if (other.lo < lo) {
            lo = other.lo;
            normal = other.normal;
            part = other.part;
        }
        hi = std::max(hi, other.hi);
    }
    /// Includes t = 0 for a line whose start is known to be in the solid, despite rounding.
    void include_start(const DVec3& normal_there) noexcept {
        if (empty()) {
            normal = normal_there;
            lo = hi = 0.0;
        }
        lo = std::min(lo, 0.0);
        hi = std::max(hi, 0.0);
    }
};

/// In all of these `d` is not zero.
[[nodiscard]] RoundSpan line_in_ball(const DVec3& o, const DVec3& d, const DVec3& center, double radius,
                                     int part) noexcept;
/// The side of the rod from a to b, without its round ends.
[[nodiscard]] RoundSpan line_in_rod(const DVec3& o, const DVec3& d, const DVec3& a, const DVec3& b,
                                    double radius, int part) noexcept;
/// The side of the rod that begins at `end` and goes along a coordinate axis without end, up or down.
[[nodiscard]] RoundSpan line_in_open_rod(const DVec3& o, const DVec3& d, const DVec3& end, int axis,
                                         bool upward, double radius, int part) noexcept;
/// The span of a line in the box from lo to hi after that was grown along axis `grown`, one part of the round
/// box. `box` is not empty.
[[nodiscard]] RoundSpan grown_box_span(const LineInterval& box, int grown, const DVec3& o, const DVec3& d,
                                       const DVec3& lo, const DVec3& hi) noexcept;
/// All points within `radius` of the box |x| <= half. Part 0..5: a face, 2 * axis + (1 for the positive
/// side); 6: an edge or a corner.
[[nodiscard]] RoundSpan line_in_round_box(const DVec3& o, const DVec3& d, const DVec3& half,
                                          double radius) noexcept;

}  // namespace bv::detail
