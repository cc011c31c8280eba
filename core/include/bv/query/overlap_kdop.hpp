// k-DOPs: overlap, containment and ray casts; and rectangles in the plane.
//
// Two k-DOPs of the same directions are compared interval by interval, as a tree does it. That never misses a
// common point, but may report two that only their intervals have in common: like all tests with fixed
// directions, it leaves out the crosses of edges. All others are decided for the polytope itself.
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

/// A k-DOP without its K: direction i is `directions[i]`, and the solid is what lies between `min[i]` and
/// `max[i]` on all.
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

/// True iff the k-DOP's polytope and the solid share a point. First along the k-DOP's directions, which
/// settles most pairs; then its corners are cut out on the stack (ten microseconds for K = 26) and handed to
/// GJK. Where many solids meet one k-DOP, make its hull once.
template <int K>
[[nodiscard]] bool overlap(const Kdop<K>& dop, const ConvexRef& solid) noexcept {
    return !dop.is_empty() && detail::kdop_overlaps(detail::view_of(dop), solid);
}
template <int K>
[[nodiscard]] bool overlap(const ConvexRef& solid, const Kdop<K>& dop) noexcept {
    return overlap(dop, solid);
}

/// True iff the solid reaches beyond no bound. Exact but for double rounding; empty shapes are held by
/// nothing.
template <int K>
[[nodiscard]] bool contains(const Kdop<K>& outer, const ConvexRef& inner) noexcept {
    return !outer.is_empty() && detail::kdop_contains(detail::view_of(outer), inner);
}
template <int K>
[[nodiscard]] bool contains(const Kdop<K>& outer, const glm::vec3& p) noexcept {
    return contains_point(outer, p);
}
/// Interval by interval: true implies that the one polytope holds the other; the reverse needs tight bounds,
/// as fits make them.
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
/// one overlaps nothing. Source: Ericson 2005, 5.2.1.
[[nodiscard]] bool overlap(const Obb2& a, const Obb2& b) noexcept;
/// The same with one `AxisTested` for each of the 4 axes, in the plane z = 0.
[[nodiscard]] bool overlap(const Obb2& a, const Obb2& b, Recording& trace);
[[nodiscard]] bool overlap(const Obb2& box, const glm::vec2& p) noexcept;
[[nodiscard]] inline bool overlap(const glm::vec2& p, const Obb2& box) noexcept {
    return overlap(box, p);
}

}  // namespace bv
