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
    double size = 0.0;  ///< The largest offset seen; tolerances are relative to it.
};

/// Ends early once the distance is known to be above `far` or below `near`; then `distance` is a lower bound
/// in the first case and an upper bound in the second.
template <class Sink>
[[nodiscard]] GjkResult gjk(const ConvexRef& a, const ConvexRef& b, double near, double far, Sink& sink);

/// True iff the cores are at most `reach` apart, or touch at that distance. Ends at the first separating
/// axis.
template <class Sink>
[[nodiscard]] bool gjk_overlap(const ConvexRef& a, const ConvexRef& b, double reach, Sink& sink);

extern template GjkResult gjk<NoTrace>(const ConvexRef&, const ConvexRef&, double, double, NoTrace&);
extern template GjkResult gjk<Recording>(const ConvexRef&, const ConvexRef&, double, double, Recording&);
extern template bool gjk_overlap<NoTrace>(const ConvexRef&, const ConvexRef&, double, NoTrace&);
extern template bool gjk_overlap<Recording>(const ConvexRef&, const ConvexRef&, double, Recording&);

}  // namespace bv::detail
