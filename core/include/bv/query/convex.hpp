// Overlap, distance and closest points of any two convex solids.
//
// `ConvexRef` refers to a shape as a polytope with a ball swept over it, and one algorithm handles all pairs:
// GJK walks over the polytope of differences toward the origin by support points, keeping the simplex that
// contains the closest point. Shapes convert to `ConvexRef` implicitly, so `overlap(capsule, obb)` and
// `distance(hull, triangle)` just work; pairs with a test of their own (boxes, balls, triangles) keep it.
//
// Computed in double precision on the given floats, and again with 32 digits where double does not decide:
// cores closer than 1e-6 of their size, or long and thin ones. A pair whose cores are closer than 1e-13 of
// their size counts as touching, and touching is overlap. Empty shapes overlap nothing and are infinitely far
// away; likewise shapes with a NaN or at infinity (bv/shapes/not_finite.hpp). Unbounded shapes are truncated
// where it makes no difference to a bounded partner, and at 2^20 times the finite size for an unbounded one.
// No allocation, safe from any thread. Cost: a handful of steps, each a support point of either shape; on
// hulls by hill climbing. Source: Gilbert 1988; Ericson 2005, 9.5. Oracles: libccd and FCL, sampled
// separating axes.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <limits>

#include "bv/query/convex_ref.hpp"
#include "bv/trace/trace.hpp"
// Overload resolution must find a pair's own test whichever header the user includes.
#include "bv/query/closest.hpp"
#include "bv/query/overlap.hpp"
#include "bv/query/overlap_triangle.hpp"

namespace bv {

/// The closest points of two solids, one on each.
struct ClosestPoints {
    float distance = std::numeric_limits<float>::infinity();  ///< 0 if they overlap, +inf if one is empty.
    /// If they overlap, both are the same common point: in each solid to within 1e-9 of their size, rounded
    /// to float.
    glm::vec3 on_a{0.0f};
    glm::vec3 on_b{0.0f};
};

[[nodiscard]] bool overlap(const ConvexRef& a, const ConvexRef& b) noexcept;
[[nodiscard]] ClosestPoints closest_points(const ConvexRef& a, const ConvexRef& b) noexcept;
/// `closest_points(a, b).distance`, sooner.
[[nodiscard]] float distance(const ConvexRef& a, const ConvexRef& b) noexcept;

/// The state that a pair keeps from its last query: the axis that separated it, or led to its closest points,
/// and the vertices of hulls where the searches ended. Between the frames of a simulation little changes, and
/// the next query begins where the last one ended: for pairs that stay apart, `overlap` is often one support
/// point of each. A default one is empty. Any contents, even those of another pair or random ones, affect
/// only the cost. (Distance and points may differ in their last digits, as those of a pair that was turned
/// do.) Source: Cameron 1997.
struct ConvexCache {
    static constexpr std::uint32_t kNoVertex = 0xffffffffu;
    glm::dvec3 axis{0.0};  ///< From a to b, of any length; 0: none.
    std::uint32_t vertex_a = kNoVertex;
    std::uint32_t vertex_b = kNoVertex;
};
[[nodiscard]] bool overlap(const ConvexRef& a, const ConvexRef& b, ConvexCache& cache) noexcept;
[[nodiscard]] ClosestPoints closest_points(const ConvexRef& a, const ConvexRef& b,
                                           ConvexCache& cache) noexcept;
[[nodiscard]] float distance(const ConvexRef& a, const ConvexRef& b, ConvexCache& cache) noexcept;

/// The same as without a cache, with one `SimplexReduced` per step. A pair whose own test has no traced form
/// uses GJK here, which may differ from that test within 1e-13 of the size from touching.
[[nodiscard]] bool overlap(const ConvexRef& a, const ConvexRef& b, Recording& trace);
[[nodiscard]] ClosestPoints closest_points(const ConvexRef& a, const ConvexRef& b, Recording& trace);

}  // namespace bv
