// Containment of balls and boxes, by the farthest point of the inner solid along each face normal, or from
// the center.
#include "bv/query/contains.hpp"

#include "query/precise.hpp"

namespace bv {
namespace {

using detail::DVec3;
using detail::wide;

/// |offset| + reach <= half on all three axes.
bool within(const DVec3& offset, const DVec3& reach, const DVec3& half) noexcept {
    return detail::all_finite(offset) && std::abs(offset.x) + reach.x <= half.x &&
           std::abs(offset.y) + reach.y <= half.y && std::abs(offset.z) + reach.z <= half.z;
}

/// True if a solid of radius `outer` around its core is all of space.
bool is_unbounded(float outer) noexcept {
    return std::isinf(outer);
}

template <class Convex>
bool holds_vertices(const Convex& outer, const Hull& inner) noexcept {
    for (const glm::vec3& v : inner.vertices)
        if (!contains(outer, v)) return false;
    return detail::has_points(inner);
}

template <class Convex>
bool holds_corners(const Convex& outer, const Aabb& inner) noexcept {
    for (int i = 0; i < 8; ++i)
        if (!contains(outer, inner.corner(i))) return false;
    return !inner.is_empty();
}

bool behind_all_faces(const Hull& outer, const ConvexRef& inner) noexcept {
    if (outer.dimension < 3 || inner.is_empty() || !inner.is_bounded() || !detail::has_points(outer))
        return false;
    std::uint32_t hint = 0;
    for (const glm::uvec3& t : outer.triangles) {
        const DVec3 a = wide(outer.vertices[t.x]);
        const DVec3 n = glm::cross(wide(outer.vertices[t.y]) - a, wide(outer.vertices[t.z]) - a);
        if (!(glm::dot(n, inner.support(n, hint) - a) + inner.radius() * glm::length(n) <= 0.0)) return false;
    }
    return true;
}

}  // namespace

bool contains(const Aabb& outer, const Sphere& inner) noexcept {
    if (!detail::has_points(inner)) return false;
    const DVec3 c = wide(inner.center);
    const double r = inner.radius;
    const DVec3 lo = wide(outer.min);
    const DVec3 hi = wide(outer.max);
    return lo.x <= c.x - r && c.x + r <= hi.x && lo.y <= c.y - r && c.y + r <= hi.y && lo.z <= c.z - r &&
           c.z + r <= hi.z;
}

bool contains(const Aabb& outer, const Obb& inner) noexcept {
    if (!detail::has_points(inner)) return false;
    for (int i = 0; i < 3; ++i) {
        const double c = inner.center[i];
        double reach = 0.0;
        for (int j = 0; j < 3; ++j)
            reach +=
                detail::part_along(inner.half_extents[j], std::abs(static_cast<double>(inner.axes[j][i])));
        if (!(static_cast<double>(outer.min[i]) <= c - reach &&
              c + reach <= static_cast<double>(outer.max[i])))
            return false;
    }
    return true;
}

bool contains(const Sphere& outer, const Sphere& inner) noexcept {
    if (!detail::has_points(outer) || !detail::has_points(inner)) return false;
    if (is_unbounded(outer.radius)) return true;
    const DVec3 d = wide(inner.center) - wide(outer.center);
    const double margin = static_cast<double>(outer.radius) - static_cast<double>(inner.radius);
    return margin >= 0.0 && glm::dot(d, d) <= margin * margin;
}

bool contains(const Sphere& outer, const Aabb& inner) noexcept {
    if (!detail::has_points(outer) || inner.is_empty()) return false;
    if (is_unbounded(outer.radius)) return true;
    const DVec3 c = wide(outer.center);
    const DVec3 far = glm::max(glm::abs(wide(inner.min) - c), glm::abs(wide(inner.max) - c));
    return glm::dot(far, far) <= detail::square(outer.radius);
}

bool contains(const Sphere& outer, const Obb& inner) noexcept {
    if (!detail::has_points(outer) || !detail::has_points(inner)) return false;
    if (is_unbounded(outer.radius)) return true;
    // The farthest corner is on the opposite side of the box along each axis.
    const DVec3 far = glm::abs(detail::local_point(inner, outer.center)) + wide(inner.half_extents);
    return glm::dot(far, far) <= detail::square(outer.radius);
}

bool contains(const Obb& outer, const Sphere& inner) noexcept {
    if (!detail::has_extents(inner)) return false;
    return within(detail::local_point(outer, inner.center), DVec3(inner.radius), wide(outer.half_extents));
}

bool contains(const Obb& outer, const Aabb& inner) noexcept {
    if (inner.is_empty()) return false;
    if (!detail::is_bounded(inner)) return contains(outer, ConvexRef(inner));
    const DVec3 offset = detail::into_frame(outer, detail::center_of(inner) - wide(outer.center));
    const DVec3 half = detail::half_of(inner);
    DVec3 reach;
    for (int i = 0; i < 3; ++i)
        reach[i] = glm::dot(glm::abs(wide(outer.axes[i])), half);
    return within(offset, reach, wide(outer.half_extents));
}

bool contains(const Obb& outer, const Obb& inner) noexcept {
    if (!detail::has_points(inner)) return false;
    const DVec3 offset = detail::local_point(outer, inner.center);
    DVec3 reach;
    for (int i = 0; i < 3; ++i)
        reach[i] = detail::reach_of(inner, wide(outer.axes[i]));
    return within(offset, reach, wide(outer.half_extents));
}

bool contains(const Aabb& outer, const ConvexRef& inner) noexcept {
    if (inner.is_empty()) return false;
    for (int i = 0; i < 3; ++i) {
        DVec3 axis(0.0);
        axis[i] = 1.0;
        if (!(inner.support_value(axis) <= static_cast<double>(outer.max[i]))) return false;
        if (!(-inner.support_value(-axis) >= static_cast<double>(outer.min[i]))) return false;
    }
    return true;
}

bool contains(const Obb& outer, const ConvexRef& inner) noexcept {
    if (inner.is_empty() || !detail::has_points(outer)) return false;
    std::uint32_t hint = 0;
    if (!inner.is_bounded()) {
        for (int i = 0; i < 3; ++i) {
            const DVec3 axis = wide(outer.axes[i]);
            const double middle = glm::dot(axis, wide(outer.center));
            const double half = outer.half_extents[i];
            if (!(inner.support_value(axis) - middle <= half && inner.support_value(-axis) + middle <= half))
                return false;
        }
        return true;
    }
    for (int i = 0; i < 3; ++i) {
        const DVec3 axis = wide(outer.axes[i]);
        const double half = outer.half_extents[i];
        for (const DVec3& n : {axis, -axis})
            if (!(glm::dot(n, inner.support(n, hint) - wide(outer.center)) + inner.radius() <= half))
                return false;
    }
    return true;
}

bool contains(const Sphere& outer, const Capsule& inner) noexcept {
    return contains(outer, Sphere{inner.a, inner.radius}) && contains(outer, Sphere{inner.b, inner.radius});
}

bool contains(const Sphere& outer, const Hull& inner) noexcept {
    return holds_vertices(outer, inner);
}

bool contains(const Capsule& outer, const glm::vec3& p) noexcept {
    return contains_point(outer, p);
}

bool contains(const Capsule& outer, const Sphere& inner) noexcept {
    if (!detail::has_points(outer) || !detail::has_points(inner)) return false;
    if (is_unbounded(outer.radius)) return true;
    const double margin = static_cast<double>(outer.radius) - static_cast<double>(inner.radius);
    return margin >= 0.0 && segment_distance_sq_in_double(outer.a, outer.b, inner.center) <= margin * margin;
}

bool contains(const Capsule& outer, const Capsule& inner) noexcept {
    return contains(outer, Sphere{inner.a, inner.radius}) && contains(outer, Sphere{inner.b, inner.radius});
}

bool contains(const Capsule& outer, const Aabb& inner) noexcept {
    if (is_unbounded(outer.radius)) return detail::has_points(outer) && !inner.is_empty();
    return holds_corners(outer, inner);
}
bool contains(const Capsule& outer, const Hull& inner) noexcept {
    return holds_vertices(outer, inner);
}
bool contains(const Hull& outer, const glm::vec3& p) noexcept {
    return contains_point(outer, p);
}
bool contains(const Hull& outer, const Aabb& inner) noexcept {
    return holds_corners(outer, inner);
}
bool contains(const Hull& outer, const Hull& inner) noexcept {
    return holds_vertices(outer, inner);
}
bool contains(const Hull& outer, const Sphere& inner) noexcept {
    return behind_all_faces(outer, inner);
}
bool contains(const Hull& outer, const Capsule& inner) noexcept {
    return behind_all_faces(outer, inner);
}
bool contains(const Hull& outer, const Obb& inner) noexcept {
    return behind_all_faces(outer, inner);
}

}  // namespace bv
