// GJK on two convex cores, in double precision. Works relative to a point of the first core, so that only the
// size of the pair matters, not its position.
#pragma once

#include "bv/query/convex.hpp"
#include "query/precise.hpp"

namespace bv::detail {

/// Cores closer than this fraction of their size count as touching.
inline constexpr double kTouching = 1e-13;

struct GjkResult {
    double distance = 0.0;  ///< Between the cores; 0 if they share a point.
    DVec3 on_a{0.0};        ///< In world space.
    DVec3 on_b{0.0};
    /// The unit vector from a's point to b's, if they are apart: from coordinates relative to the pair, since
    /// the difference of the two points is mostly rounding for cores that are close and far from the origin.
    DVec3 axis{0.0};
    /// The largest offset seen or, for two boxes, a bound on all offsets; tolerances are relative to it.
    double size = 0.0;

    /// True if they are at most `reach` apart, or touch at that distance.
    [[nodiscard]] bool within(double reach) const noexcept { return distance <= reach + kTouching * size; }
};

/// The closest points. This function and the two below start from `cache` and store in it where they ended,
/// unless it is null.
template <class Sink>
[[nodiscard]] GjkResult gjk(const ConvexRef& a, const ConvexRef& b, ConvexCache* cache, Sink& sink);

/// Without points and axis; the other results are the same as from `gjk`.
[[nodiscard]] GjkResult gjk_distance(const ConvexRef& a, const ConvexRef& b, ConvexCache* cache) noexcept;

/// True iff the cores are at most `reach` apart, or touch at that distance. Ends at the first separating
/// axis.
template <class Sink>
[[nodiscard]] bool gjk_overlap(const ConvexRef& a, const ConvexRef& b, double reach, ConvexCache* cache,
                               Sink& sink);

extern template GjkResult gjk<NoTrace>(const ConvexRef&, const ConvexRef&, ConvexCache*, NoTrace&);
extern template GjkResult gjk<Recording>(const ConvexRef&, const ConvexRef&, ConvexCache*, Recording&);
extern template bool gjk_overlap<NoTrace>(const ConvexRef&, const ConvexRef&, double, ConvexCache*, NoTrace&);
extern template bool gjk_overlap<Recording>(const ConvexRef&, const ConvexRef&, double, ConvexCache*,
                                            Recording&);

}  // namespace bv::detail
