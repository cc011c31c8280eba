// How far apart are two solids, or how deep are they in one another, along which axis, and where do they
// touch?
//
// One number for both: the distance where they are apart, and minus the length of the shortest move that
// would part them where they overlap. Apart, it is the distance of two points, by GJK. Together, it is the
// axis of least penetration among those that can separate: face normals and crosses of edges for polytopes,
// center to center for balls.
//
// Double precision inside. An empty shape is infinitely far and has no axis; NaN and infinity:
// bv/shapes/not_finite.hpp.
// Swapping the arguments turns the axis around. No allocation, safe from any thread. Sources: Ericson
// 2005, 5.5; Gottschalk 1996; Gregorius 2013 for hulls.
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
    float depth = 0;        ///< How far the surfaces have passed each other here; not negative.
};

struct Separation {
    float distance = std::numeric_limits<float>::infinity();  ///< Negative: depth of penetration.
    glm::vec3 axis{0.0f};  ///< Unit, from a to b: moving b by -distance along it makes the two just touch.
    /// What gave the axis. FaceA with i, FaceB with j, EdgeCross with both: numbers of box axes, hull
    /// triangles or edges. Balls and pairs that are apart by corners or edges have -1.
    AxisTested::Kind kind = AxisTested::Kind::EdgeCross;
    int i = -1;
    int j = -1;
    glm::vec3 on_a{0.0f};  ///< Closest points where they are apart; deepest points where they overlap.
    glm::vec3 on_b{0.0f};
    std::array<Contact, 8>
        contacts{};  ///< Only where they touch or overlap. Boxes: the clipped face, others: one point.
    int contact_count = 0;
};

[[nodiscard]] Separation separation(const Sphere& a, const Sphere& b) noexcept;
[[nodiscard]] Separation separation(const Obb& a, const Sphere& b) noexcept;
[[nodiscard]] Separation separation(const Aabb& a, const Sphere& b) noexcept;
[[nodiscard]] Separation separation(const Hull& a, const Sphere& b) noexcept;

/// At most 15 axes; up to eight contacts, the incident face clipped by the sides of the reference face. A
/// cross of edges is only taken where it is less deep than every face by more than rounding.
[[nodiscard]] Separation separation(const Obb& a, const Obb& b) noexcept;
[[nodiscard]] Separation separation(const Aabb& a, const Aabb& b) noexcept;
[[nodiscard]] Separation separation(const Aabb& a, const Obb& b) noexcept;
/// With one `AxisTested` for each of the 15 axes.
[[nodiscard]] Separation separation(const Obb& a, const Obb& b, Recording& trace);

/// Where they overlap: all face normals, and the crosses of those pairs of edges that are outermost along
/// them. Cost then: a climb for each face, a cross product for each pair of edges.
[[nodiscard]] Separation separation(const Hull& a, const Hull& b) noexcept;
[[nodiscard]] Separation separation(const Obb& a, const Hull& b) noexcept;

}  // namespace bv
