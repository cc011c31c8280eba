// Support points of convex cores, inline for GJK.
#pragma once

#include <cmath>
#include <cstdint>

#include "bv/query/convex_ref.hpp"
#include "query/precise.hpp"
#include "simd/support.hpp"

namespace bv::detail {

/// The vertex farthest along `direction`: by a linear search, or for large hulls by climbing from `hint`,
/// which becomes the result. The hull has vertices, all finite.
[[nodiscard]] std::uint32_t hull_support(const Hull& hull, const DVec3& direction,
                                         std::uint32_t& hint) noexcept;

/// The start of a climb toward `direction` without a hint: the best of a few vertices across the hull.
[[nodiscard]] std::uint32_t climbing_start(const Hull& hull, const DVec3& direction) noexcept;

/// Access to the internals of `ConvexRef`.
struct Support {
    /// `center()`, inline for boxes and hulls.
    [[nodiscard]] static DVec3 center(const ConvexRef& solid) noexcept {
        if (solid.kind_ == ConvexRef::Kind::Zonotope) return solid.data_[0] + solid.offset_;
        if (solid.kind_ == ConvexRef::Kind::Hull) return wide(solid.hull_->vertices.front()) + solid.offset_;
        return solid.center();
    }
    /// A point about the middle, to start from. Unlike `center()` it may lie outside by rounding.
    [[nodiscard]] static DVec3 middle(const ConvexRef& solid) noexcept {
        return is_hull(solid) ? solid.data_[0] + solid.offset_ : center(solid);
    }
    [[nodiscard]] static DVec3 of(const ConvexRef& solid, const DVec3& direction,
                                  std::uint32_t& hint) noexcept {
        using Kind = ConvexRef::Kind;
        const DVec3(&data)[4] = solid.data_;
        switch (solid.kind_) {
            case Kind::Box:
                return DVec3(direction.x >= 0.0 ? data[1].x : data[0].x,
                             direction.y >= 0.0 ? data[1].y : data[0].y,
                             direction.z >= 0.0 ? data[1].z : data[0].z) +
                       solid.offset_;
            case Kind::Corners: {
                // Relative to a corner: far from the origin, products of the coordinates lose the digits that
                // tell corners apart.
                const double b = glm::dot(data[1] - data[0], direction);
                const double c = glm::dot(data[2] - data[0], direction);
                return (b <= 0.0 ? (c <= 0.0 ? data[0] : data[2]) : (b >= c ? data[1] : data[2])) +
                       solid.offset_;
            }
            case Kind::Hull:
                return wide(solid.hull_->vertices[hull_support(*solid.hull_, direction, hint)]) +
                       solid.offset_;
            case Kind::PlacedHull:
                return mapped(solid, wide(solid.hull_->vertices[hull_support(
                                         *solid.hull_, to_hull(solid, direction), hint)])) +
                       solid.offset_;
            case Kind::Points:
                return farthest_point(solid, direction) + solid.offset_;
            default: {
                DVec3 p = data[0];
                for (int i = 1; i <= solid.axis_count_; ++i)
                    if ((((solid.open_low_ | solid.open_high_) >> (i - 1)) & 1) == 0)
                        p += along(data[i], direction);
                return p + solid.offset_;
            }
        }
    }

    /// True for a bounded box, whose support points are `from_center` of a center and three half edges.
    [[nodiscard]] static bool is_box(const ConvexRef& solid) noexcept {
        return solid.kind_ == ConvexRef::Kind::Zonotope && solid.axis_count_ == 3 && solid.is_bounded();
    }
    [[nodiscard]] static DVec3 from_center(const ConvexRef& box, const DVec3& center,
                                           const DVec3& direction) noexcept {
        return (center + along(box.data_[1], direction)) +
               (along(box.data_[2], direction) + along(box.data_[3], direction));
    }

    [[nodiscard]] static const DVec3 (&half_edges(const ConvexRef& box) noexcept)[4] { return box.data_; }
    [[nodiscard]] static bool is_hull(const ConvexRef& solid) noexcept {
        return solid.kind_ == ConvexRef::Kind::Hull || is_placed(solid);
    }
    [[nodiscard]] static bool is_placed(const ConvexRef& solid) noexcept {
        return solid.kind_ == ConvexRef::Kind::PlacedHull;
    }
    /// For a placed hull: a point of its frame, mapped without the translation.
    [[nodiscard]] static DVec3 mapped(const ConvexRef& placed, const DVec3& p) noexcept {
        return (p.x * placed.data_[1] + p.y * placed.data_[2]) + p.z * placed.data_[3];
    }
    /// For a placed hull: the direction in its frame along which the same vertex is farthest.
    [[nodiscard]] static DVec3 to_hull(const ConvexRef& placed, const DVec3& direction) noexcept {
        return {glm::dot(placed.data_[1], direction), glm::dot(placed.data_[2], direction),
                glm::dot(placed.data_[3], direction)};
    }
    /// The squared half diagonal of a box.
    [[nodiscard]] static double reach_sq(const ConvexRef& box) noexcept {
        return glm::dot(box.data_[1], box.data_[1]) + glm::dot(box.data_[2], box.data_[2]) +
               glm::dot(box.data_[3], box.data_[3]);
    }

    /// The hull, if it has few enough vertices for columns of them to pay; else null.
    [[nodiscard]] static const Hull* searched_hull(const ConvexRef& solid) noexcept {
        if (!is_hull(solid)) return nullptr;
        const std::size_t count = solid.hull_->vertices.size();
        return count >= simd::HullColumns::kMinCount && count < simd::HullColumns::kMaxCount ? solid.hull_
                                                                                             : nullptr;
    }
    [[nodiscard]] static const DVec3& offset(const ConvexRef& solid) noexcept { return solid.offset_; }
    /// Where to begin for the first direction: at the vertex that the caller remembers or, if there is none,
    /// at one chosen here.
    [[nodiscard]] static std::uint32_t first_hint(const ConvexRef& solid, const DVec3& direction,
                                                  std::uint32_t remembered) noexcept {
        if (!is_hull(solid)) return 0;
        if (remembered < solid.hull_->vertices.size()) return remembered;
        return climbing_start(*solid.hull_, is_placed(solid) ? to_hull(solid, direction) : direction);
    }

  private:
    /// The half edge or its opposite, by sign without a branch that would mispredict.
    [[nodiscard]] static DVec3 along(const DVec3& edge, const DVec3& direction) noexcept {
        return std::copysign(1.0, glm::dot(edge, direction)) * edge;
    }
    [[nodiscard]] static const DVec3& farthest_point(const ConvexRef& solid,
                                                     const DVec3& direction) noexcept {
        std::uint32_t best = 0;
        for (std::uint32_t i = 1; i < solid.point_count_; ++i)
            if (glm::dot(solid.points_[i] - solid.points_[best], direction) > 0.0) best = i;
        return solid.points_[best];
    }
};

}  // namespace bv::detail
