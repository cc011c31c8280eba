// Any two convex solids: do they overlap, how far apart are they, and where are they closest?
//
// Every convex shape of the library is a polytope with a ball swept over it: a sphere is a point with a
// radius, a capsule a segment with a radius, a box a box with radius zero. `ConvexRef` refers to a shape in
// that form, and one algorithm answers for all pairs: GJK walks the polytope of differences towards the
// origin by support points, keeping the simplex that holds the closest one. Shapes convert to `ConvexRef` by
// themselves, so `overlap(capsule, obb)` and `distance(hull, triangle)` just work; pairs that have a test of
// their own (boxes, balls, triangles) keep it.
//
// Double precision inside, on the given floats. A pair whose cores are closer than 1e-13 of their size counts
// as touching, and touching is overlap. Empty shapes overlap nothing and are infinitely far; so are shapes
// with a NaN or at infinity (bv/shapes/not_finite.hpp). Shapes without bounds are cut off where that makes no
// difference for a bounded partner, and at 2^20 times the size of what is finite for an unbounded one. No
// allocation, safe from any thread. Cost: a handful of steps, each a support point of either shape; on hulls
// that is a climb over neighbors. Source: Gilbert 1988; Ericson 2005, 9.5. Oracles: libccd and FCL, sampled
// separating axes.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <limits>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/capsule.hpp"
#include "bv/shapes/hull.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/ray.hpp"
#include "bv/shapes/rect_swept_sphere.hpp"
#include "bv/shapes/sphere.hpp"
#include "bv/shapes/triangle.hpp"
#include "bv/trace/trace.hpp"

namespace bv {

/// A convex solid seen as core plus radius. Small, by value; refers to a hull or to a list of points without
/// owning it, so it must not outlive them.
class ConvexRef {
  public:
    ConvexRef(
        const glm::vec3& point) noexcept;    // NOLINT(google-explicit-constructor): conversions are the point
    ConvexRef(const Sphere& ball) noexcept;  // NOLINT(google-explicit-constructor)
    ConvexRef(const Capsule& capsule) noexcept;       // NOLINT(google-explicit-constructor)
    ConvexRef(const Segment& segment) noexcept;       // NOLINT(google-explicit-constructor)
    ConvexRef(const RectSweptSphere& rect) noexcept;  // NOLINT(google-explicit-constructor)
    ConvexRef(const Aabb& box) noexcept;              // NOLINT(google-explicit-constructor)
    ConvexRef(const Obb& box) noexcept;               // NOLINT(google-explicit-constructor)
    ConvexRef(const Triangle& triangle) noexcept;     // NOLINT(google-explicit-constructor)
    ConvexRef(const Hull& hull) noexcept;             // NOLINT(google-explicit-constructor)
    /// The convex hull of `count` points that someone else keeps alive; none means empty.
    ConvexRef(const glm::dvec3* points, std::uint32_t count) noexcept;

    [[nodiscard]] bool is_empty() const noexcept { return kind_ == Kind::Empty; }
    /// False for all of space and for boxes without an end in some direction.
    [[nodiscard]] bool is_bounded() const noexcept {
        return open_low_ == 0 && open_high_ == 0 && kind_ != Kind::Space;
    }
    /// True for a ball, capsule, or swept rectangle of infinite radius.
    [[nodiscard]] bool is_all_of_space() const noexcept { return kind_ == Kind::Space; }
    [[nodiscard]] double radius() const noexcept { return radius_; }
    /// The same solid elsewhere.
    [[nodiscard]] ConvexRef moved(const glm::dvec3& by) const noexcept {
        ConvexRef copy = *this;
        copy.offset_ += by;
        return copy;
    }
    /// A point of the core.
    [[nodiscard]] glm::dvec3 center() const noexcept;
    /// A point of the core farthest along `direction`. `hint` remembers where the last climb over a hull
    /// ended; start it at 0. Of an unbounded solid: of the part in bounds around `center()`.
    [[nodiscard]] glm::dvec3 support(const glm::dvec3& direction, std::uint32_t& hint) const noexcept;
    /// The largest `dot(direction, x)` over the points of the solid, radius included; +inf where it has no
    /// end.
    [[nodiscard]] double reach(const glm::dvec3& direction) const noexcept;
    /// The solid itself if it is bounded, else a bounded part of it that is as far from `other`, and overlaps
    /// it iff the whole does. Not for all of space.
    [[nodiscard]] ConvexRef part_near(const ConvexRef& other) const noexcept;

  private:
    enum class Kind : std::uint8_t { Empty, Box, Zonotope, Corners, Hull, Points, Space };

    Kind kind_ = Kind::Empty;
    /// Box, Zonotope: bit k if there is no end along axis k, or against it. A zonotope's data_[k + 1] is then
    /// of unit length, and a box's two bounds are both the end that there is, or 0.
    std::uint8_t open_low_ = 0;
    std::uint8_t open_high_ = 0;
    int axis_count_ = 0;
    double radius_ = 0.0;
    /// Box: min and max. Zonotope: center, then half edges. Corners: the three of a triangle.
    glm::dvec3 data_[4] = {};
    glm::dvec3 offset_{0.0};
    const Hull* hull_ = nullptr;
    const glm::dvec3* points_ = nullptr;
    std::uint32_t point_count_ = 0;

    [[nodiscard]] glm::dvec3 own_support(const glm::dvec3& direction, std::uint32_t& hint) const noexcept;
    void check() noexcept;  ///< Empties the reference if something in it is not finite but for the radius.
    void set_half_edge(int i, double half, const glm::dvec3& axis) noexcept;
    [[nodiscard]] glm::dvec3 open_axis(int i) const noexcept;
    [[nodiscard]] double finite_size() const noexcept;
    [[nodiscard]] ConvexRef part_within(const ConvexRef& other, double endless) const noexcept;
};

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

/// The same, with one `SimplexReduced` a step.
[[nodiscard]] bool overlap(const ConvexRef& a, const ConvexRef& b, Recording& trace);
[[nodiscard]] ClosestPoints closest_points(const ConvexRef& a, const ConvexRef& b, Recording& trace);

}  // namespace bv
