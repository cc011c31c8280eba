// Any two convex solids: do they overlap, how far apart are they, and where are they closest?
//
// `ConvexRef` refers to a shape as a polytope with a ball swept over it, and one algorithm answers for all
// pairs: GJK walks the polytope of differences towards the origin by support points, keeping the simplex that
// holds the closest one. Shapes convert to `ConvexRef` by themselves, so `overlap(capsule, obb)` and
// `distance(hull, triangle)` just work; pairs that have a test of their own (boxes, balls, triangles) keep
// it.
//
// Double precision inside, on the given floats. A pair whose cores are closer than 1e-13 of their size counts
// as touching, and touching is overlap. Empty shapes overlap nothing and are infinitely far; so are shapes
// with a NaN or at infinity (bv/shapes/not_finite.hpp). Shapes without bounds are cut off where that makes no
// difference for a bounded partner, and at 2^20 times the size of what is finite for an unbounded one. No
// allocation, safe from any thread. Cost: a handful of steps, each a support point of either shape; on hulls
// that is a climb over neighbors. Source: Gilbert 1988; Ericson 2005, 9.5. Oracles: libccd and FCL, sampled
// separating axes.
#pragma once

#include <glm/vec3.hpp>
#include <limits>

#include "bv/query/convex_ref.hpp"
#include "bv/trace/trace.hpp"
// A pair with a test of its own must find it whichever header its user includes.
#include "bv/query/closest.hpp"
#include "bv/query/overlap.hpp"
#include "bv/query/overlap_triangle.hpp"

namespace bv {

/// Two points, one of each solid, that are closest.
struct ClosestPoints {
    float distance =
        std::numeric_limits<float>::infinity();  ///< 0 where they overlap, +inf where one is empty.
    glm::vec3 on_a{0.0f};  ///< Where they overlap, both are one point that the solids share.
    glm::vec3 on_b{0.0f};
};

[[nodiscard]] bool overlap(const ConvexRef& a, const ConvexRef& b) noexcept;
[[nodiscard]] ClosestPoints closest_points(const ConvexRef& a, const ConvexRef& b) noexcept;
[[nodiscard]] inline float distance(const ConvexRef& a, const ConvexRef& b) noexcept {
    return closest_points(a, b).distance;
}

/// The same, with one `SimplexReduced` a step. A pair with a test of its own but no traced form of it is
/// answered by GJK here, which may differ where the two are within 1e-13 of their size of touching.
[[nodiscard]] bool overlap(const ConvexRef& a, const ConvexRef& b, Recording& trace);
[[nodiscard]] ClosestPoints closest_points(const ConvexRef& a, const ConvexRef& b, Recording& trace);

}  // namespace bv
