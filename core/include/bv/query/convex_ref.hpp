// A reference to a convex solid of any kind in one form: a polytope with a ball swept over it. A sphere is a
// point with a radius, a capsule a segment with a radius, a box a box with radius zero. A hull takes a pose:
// bodies that share it need no vertices of their own. Queries, and the meaning of NaN and infinity:
// bv/query/convex.hpp.
#pragma once

#include <cstdint>
#include <glm/mat4x3.hpp>
#include <glm/vec3.hpp>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/capsule.hpp"
#include "bv/shapes/hull.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/ray.hpp"
#include "bv/shapes/rect_swept_sphere.hpp"
#include "bv/shapes/sphere.hpp"
#include "bv/shapes/triangle.hpp"

namespace bv {
namespace detail {
struct Support;
}

/// A convex solid as core plus radius. Cheap to copy; refers to a hull or list of points without owning it,
/// so must not outlive it.
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
    /// The hull with each vertex mapped by `affine` in double precision, not rounded, and a ball of `radius`
    /// (m) swept over it. Any affine map will do: turned, scaled, mirrored or sheared, also flattened.
    /// Searches the hull in its own frame. Empty if the map is not finite or the radius is negative.
    ConvexRef(const Hull& hull, const glm::mat4x3& affine, float radius = 0.0f) noexcept;
    /// The convex hull of `count` points, which must outlive the reference; empty without points.
    ConvexRef(const glm::dvec3* points, std::uint32_t count) noexcept;

    [[nodiscard]] bool is_empty() const noexcept { return kind_ == Kind::Empty; }
    /// False for all of space and for boxes that are unbounded in some direction.
    [[nodiscard]] bool is_bounded() const noexcept {
        return open_low_ == 0 && open_high_ == 0 && kind_ != Kind::Space;
    }
    /// True for a ball, capsule, or rectangle swept sphere of infinite radius.
    [[nodiscard]] bool is_all_of_space() const noexcept { return kind_ == Kind::Space; }
    [[nodiscard]] double radius() const noexcept { return radius_; }
    /// The solid translated by `by`.
    [[nodiscard]] ConvexRef moved(const glm::dvec3& by) const noexcept {
        ConvexRef copy = *this;
        copy.offset_ += by;
        return copy;
    }
    /// A point of the core.
    [[nodiscard]] glm::dvec3 center() const noexcept;
    /// A point of the core farthest along `direction`. `hint` stores the vertex where the last climb over a
    /// hull ended; start with 0. For an unbounded solid: of the bounded part around `center()`.
    [[nodiscard]] glm::dvec3 support(const glm::dvec3& direction, std::uint32_t& hint) const noexcept;
    /// The largest `dot(direction, x)` over the points of the solid, radius included; +inf where unbounded.
    [[nodiscard]] double support_value(const glm::dvec3& direction) const noexcept;
    /// The solid itself if it is bounded, else a bounded part at the same distance from `other`, which
    /// overlaps it iff the whole does. Not for all of space.
    [[nodiscard]] ConvexRef bounded_part_near(const ConvexRef& other) const noexcept;

  private:
    friend struct detail::Support;
    enum class Kind : std::uint8_t { Empty, Box, Zonotope, Corners, Hull, PlacedHull, Points, Space };

    Kind kind_ = Kind::Empty;
    /// Box, Zonotope: bit k set if unbounded in the negative (low) or positive (high) direction of axis k. A
    /// zonotope's data_[k + 1] then has unit length; a box's two bounds are both the finite one, or 0.
    std::uint8_t open_low_ = 0;
    std::uint8_t open_high_ = 0;
    int axis_count_ = 0;
    double radius_ = 0.0;
    /// Box: min and max. Zonotope: center, then half edges. Corners: the three of a triangle. Hull: a point
    /// about the middle. PlacedHull: that point mapped without the translation, then the map's three axes.
    /// Unused entries are 0; each constructor sets all four, since clearing them first would take longer than
    /// the rest of the constructor.
    glm::dvec3 data_[4];
    glm::dvec3 offset_{0.0};  ///< The translation by `moved`; for a PlacedHull, also that of its map.
    const Hull* hull_ = nullptr;
    const glm::dvec3* points_ = nullptr;
    std::uint32_t point_count_ = 0;

    void set_data(const glm::dvec3& first) noexcept;  ///< The others become 0.
    void check() noexcept;  ///< Empties the reference if anything but the radius is not finite.
    void set_half_edge(int i, double half, const glm::dvec3& axis) noexcept;
    [[nodiscard]] glm::dvec3 open_axis(int i) const noexcept;
    [[nodiscard]] double finite_size() const noexcept;
    [[nodiscard]] ConvexRef part_within(const ConvexRef& other, double extent) const noexcept;
};

}  // namespace bv
