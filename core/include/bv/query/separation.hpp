// Distance or penetration depth of two solids, its axis, and the contact points.
//
// A signed distance: the distance if they are disjoint, minus the length of the shortest translation that
// separates them if they overlap. Disjoint solids: the distance of the closest points, by GJK. Overlapping
// solids: the axis of least penetration among the candidates: face normals and crosses of edges for
// polytopes, center to center for balls.
//
// Computed in double precision. An empty shape is infinitely far away and has no axis; NaN and infinity:
// bv/shapes/not_finite.hpp. Swapping the arguments negates the axis, except where several are as good:
// equally shallow faces, or a direction between centers that coincide. No allocation, safe from any thread.
// Sources: Ericson 2005, 5.5; Gottschalk 1996; Gregorius 2013 for hulls.
#pragma once

#include <array>
#include <glm/vec3.hpp>
#include <limits>

#include "bv/query/convex.hpp"
#include "bv/shapes/aabb.hpp"
#include "bv/shapes/hull.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/sphere.hpp"
#include "bv/trace/trace.hpp"

namespace bv {

struct Contact {
    glm::vec3 point{0.0f};  ///< Halfway between the two surfaces.
    float depth = 0;        ///< Depth of penetration here; not negative.
};

struct Separation {
    float distance = std::numeric_limits<float>::infinity();  ///< Negative: depth of penetration.
    glm::vec3 axis{0.0f};  ///< Unit, from a to b: after moving b by -distance along it the two just touch.
    /// The source of the axis: FaceA with i, FaceB with j, EdgeCross with both, as indices of box axes, hull
    /// triangles or edges. -1 for balls and for pairs that are closest at corners or edges.
    AxisTested::Kind kind = AxisTested::Kind::EdgeCross;
    int i = -1;
    int j = -1;
    glm::vec3 on_a{0.0f};  ///< Closest points if disjoint; deepest points if they overlap.
    glm::vec3 on_b{0.0f};
    std::array<Contact, 8>
        contacts{};  ///< Only if they touch or overlap. Boxes: the clipped face; others: one point.
    int contact_count = 0;
};

[[nodiscard]] Separation separation(const Sphere& a, const Sphere& b) noexcept;
[[nodiscard]] Separation separation(const Obb& a, const Sphere& b) noexcept;
[[nodiscard]] Separation separation(const Aabb& a, const Sphere& b) noexcept;
[[nodiscard]] Separation separation(const Hull& a, const Sphere& b) noexcept;

/// At most 15 axes; up to eight contacts, the incident face clipped by the sides of the reference face. A
/// cross of edges is chosen only if it is shallower than every face by more than rounding.
[[nodiscard]] Separation separation(const Obb& a, const Obb& b) noexcept;
[[nodiscard]] Separation separation(const Aabb& a, const Aabb& b) noexcept;
[[nodiscard]] Separation separation(const Aabb& a, const Obb& b) noexcept;
/// With one `AxisTested` for each of the 15 axes.
[[nodiscard]] Separation separation(const Obb& a, const Obb& b, Recording& trace);

/// If they overlap: all face normals, and the crosses of those pairs of edges that are outermost along them.
/// Cost then: a hill climb per face, a cross product per pair of edges.
[[nodiscard]] Separation separation(const Hull& a, const Hull& b) noexcept;
[[nodiscard]] Separation separation(const Obb& a, const Hull& b) noexcept;

}  // namespace bv
