// k-DOPs: overlap, containment and ray casts; and rectangles in the plane.
//
// Two k-DOPs of the same directions are compared interval by interval, as in a tree. That never misses a
// common point, but may report k-DOPs that are disjoint: like all tests with fixed directions, it leaves out
// the crosses of edges. All other tests are decided for the polytope itself.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <optional>
#include <span>

#include "bv/query/convex.hpp"
#include "bv/query/raycast.hpp"
#include "bv/shapes/kdop.hpp"
#include "bv/shapes/obb2.hpp"
#include "bv/trace/trace.hpp"

namespace bv {

namespace detail {

/// A k-DOP with K as a run-time value: direction i is `directions[i]`, and the solid is the set of points
/// between `min[i]` and `max[i]` along all of them.
struct KdopView {
    const glm::vec3* directions[13];
    const float* min;
    const float* max;
    int count;
};

template <int K>
[[nodiscard]] KdopView view_of(const Kdop<K>& dop) noexcept {
    KdopView view{{}, dop.min.data(), dop.max.data(), K / 2};
    for (int i = 0; i < K / 2; ++i)
        view.directions[i] = &Kdop<K>::direction(i);
    return view;
}

[[nodiscard]] bool kdop_overlaps(const KdopView& dop, const ConvexRef& solid) noexcept;
[[nodiscard]] bool kdop_contains(const KdopView& outer, const ConvexRef& inner) noexcept;
[[nodiscard]] std::optional<RayHit> kdop_raycast(const Ray& ray, const KdopView& dop, Recording* trace);

}  // namespace detail

/// True iff the intervals overlap along all K/2 directions. Exact comparisons of the stored bounds. Source:
/// Klosowski 1998.
template <int K>
[[nodiscard]] bool overlap(const Kdop<K>& a, const Kdop<K>& b) noexcept {
    if (a.is_empty() || b.is_empty()) return false;
    for (std::size_t i = 0; i < K / 2; ++i)
        if (!(a.min[i] <= b.max[i] && b.min[i] <= a.max[i])) return false;
    return true;
}

/// True iff the point lies between the bounds along all directions, as `contains_point` says.
template <int K>
[[nodiscard]] bool overlap(const Kdop<K>& dop, const glm::vec3& p) noexcept {
    return contains_point(dop, p);
}
template <int K>
[[nodiscard]] bool overlap(const glm::vec3& p, const Kdop<K>& dop) noexcept {
    return contains_point(dop, p);
}

/// True iff the k-DOP's polytope and the solid share a point. Tests the k-DOP's directions first, which
/// decides most pairs; then computes its corners on the stack (ten microseconds for K = 26) and runs GJK on
/// them. To test many solids against one k-DOP, make its hull once.
template <int K>
[[nodiscard]] bool overlap(const Kdop<K>& dop, const ConvexRef& solid) noexcept {
    return !dop.is_empty() && detail::kdop_overlaps(detail::view_of(dop), solid);
}
template <int K>
[[nodiscard]] bool overlap(const ConvexRef& solid, const Kdop<K>& dop) noexcept {
    return overlap(dop, solid);
}

/// True iff the solid extends beyond no bound. Exact except for double rounding; nothing contains an empty
/// shape.
template <int K>
[[nodiscard]] bool contains(const Kdop<K>& outer, const ConvexRef& inner) noexcept {
    return !outer.is_empty() && detail::kdop_contains(detail::view_of(outer), inner);
}
template <int K>
[[nodiscard]] bool contains(const Kdop<K>& outer, const glm::vec3& p) noexcept {
    return contains_point(outer, p);
}
/// Interval by interval: true implies that the outer polytope contains the inner; the converse needs tight
/// bounds, as from a fit.
template <int K>
[[nodiscard]] bool contains(const Kdop<K>& outer, const Kdop<K>& inner) noexcept {
    if (outer.is_empty() || inner.is_empty()) return false;
    for (std::size_t i = 0; i < K / 2; ++i)
        if (!(outer.min[i] <= inner.min[i] && inner.max[i] <= outer.max[i])) return false;
    return true;
}

/// By K/2 slabs. `feature` is 2 * direction + (1 for the max side). Otherwise as for an AABB in
/// bv/query/raycast.hpp.
template <int K>
[[nodiscard]] std::optional<RayHit> raycast(const Ray& ray, const Kdop<K>& dop) {
    return dop.is_empty() ? std::nullopt : detail::kdop_raycast(ray, detail::view_of(dop), nullptr);
}
template <int K>
[[nodiscard]] std::optional<RayHit> raycast(const Ray& ray, const Kdop<K>& dop, Recording& trace) {
    return dop.is_empty() ? std::nullopt : detail::kdop_raycast(ray, detail::view_of(dop), &trace);
}

/// True iff the rectangles share a point, by 4 separating axes; the slack is that of `obb_sat.hpp`. An empty
/// rectangle overlaps nothing. Source: Ericson 2005, 5.2.1.
[[nodiscard]] bool overlap(const Obb2& a, const Obb2& b) noexcept;
/// The same with one `AxisTested` for each of the 4 axes, in the plane z = 0.
[[nodiscard]] bool overlap(const Obb2& a, const Obb2& b, Recording& trace);
[[nodiscard]] bool overlap(const Obb2& box, const glm::vec2& p) noexcept;
[[nodiscard]] inline bool overlap(const glm::vec2& p, const Obb2& box) noexcept {
    return overlap(box, p);
}

}  // namespace bv
