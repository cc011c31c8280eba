// Convex shapes as cores with radii, and what GJK says about pairs of them.
#include "bv/query/convex.hpp"

#include <algorithm>

#include "query/distance/gjk.hpp"

namespace bv {
namespace {

using detail::DVec3;
using detail::wide;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kClimbFrom = 32;  // Below that many vertices looking at all of them is faster.

DVec3 farthest(const std::vector<glm::vec3>& vertices, const DVec3& direction) noexcept {
    double best = -kInf;
    DVec3 result = wide(vertices.front());
    for (const glm::vec3& v : vertices) {
        const double d = glm::dot(wide(v), direction);
        if (d > best) best = d, result = wide(v);
    }
    return result;
}

/// From neighbor to neighbor as long as that leads farther. On a convex surface there is no other place to be
/// stuck than the farthest vertex; on a plateau of equal ones every vertex is as good.
DVec3 climb(const Hull& hull, const DVec3& direction, std::uint32_t& at) noexcept {
    double best = glm::dot(wide(hull.vertices[at]), direction);
    for (bool moved = true; moved;) {
        moved = false;
        const std::uint32_t from = at;
        for (std::uint32_t k = hull.neighbor_begin[from]; k < hull.neighbor_begin[from + 1]; ++k) {
            const double d = glm::dot(wide(hull.vertices[hull.neighbors[k]]), direction);
            if (d > best) best = d, at = hull.neighbors[k], moved = true;
        }
    }
    return wide(hull.vertices[at]);
}

template <class Sink>
bool overlap_impl(const ConvexRef& a, const ConvexRef& b, Sink& sink) {
    if (a.is_empty() || b.is_empty()) return false;
    const double reach = a.radius() + b.radius();
    const auto found = detail::gjk(a, b, reach, reach, sink);
    return found.distance <= reach + detail::kTouching * found.size;
}

template <class Sink>
ClosestPoints closest_impl(const ConvexRef& a, const ConvexRef& b, Sink& sink) {
    ClosestPoints result;
    if (a.is_empty() || b.is_empty()) return result;
    const auto found = detail::gjk(a, b, 0.0, kInf, sink);
    const double reach = a.radius() + b.radius();
    if (found.distance <= reach) {
        // A point of the common part: between the cores, in proportion of the radii.
        const double share = reach > 0.0 ? a.radius() / reach : 0.5;
        result.distance = 0.0f;
        result.on_a = result.on_b = detail::narrow(found.on_a + share * (found.on_b - found.on_a));
        return result;
    }
    const DVec3 axis = (found.on_b - found.on_a) / found.distance;
    result.distance = static_cast<float>(found.distance - reach);
    result.on_a = detail::narrow(found.on_a + a.radius() * axis);
    result.on_b = detail::narrow(found.on_b - b.radius() * axis);
    return result;
}

}  // namespace

ConvexRef::ConvexRef(const glm::vec3& point) noexcept : kind_(Kind::Zonotope) {
    data_[0] = wide(point);
    check();
}

ConvexRef::ConvexRef(const Sphere& ball) noexcept : kind_(Kind::Zonotope), radius_(ball.radius) {
    data_[0] = wide(ball.center);
    check();
}

ConvexRef::ConvexRef(const Segment& segment) noexcept : ConvexRef(Capsule{segment.a, segment.b, 0.0f}) {}

ConvexRef::ConvexRef(const Capsule& capsule) noexcept
    : kind_(Kind::Zonotope), axis_count_(1), radius_(capsule.radius) {
    data_[0] = 0.5 * (wide(capsule.a) + wide(capsule.b));
    data_[1] = 0.5 * (wide(capsule.b) - wide(capsule.a));
    check();
}

ConvexRef::ConvexRef(const RectSweptSphere& rect) noexcept
    : kind_(rect.is_empty() ? Kind::Empty : Kind::Zonotope), axis_count_(2), radius_(rect.radius) {
    data_[0] = wide(rect.center);
    data_[1] = static_cast<double>(rect.half_extents.x) * wide(rect.axes[0]);
    data_[2] = static_cast<double>(rect.half_extents.y) * wide(rect.axes[1]);
    check();
}

ConvexRef::ConvexRef(const Aabb& box) noexcept
    : kind_(box.is_empty() ? Kind::Empty : Kind::Zonotope), axis_count_(3) {
    data_[0] = detail::center_of(box);
    const DVec3 half = detail::half_of(box);
    for (int i = 0; i < 3; ++i)
        data_[1 + i][i] = half[i];
    check();
}

ConvexRef::ConvexRef(const Obb& box) noexcept
    : kind_(box.is_empty() ? Kind::Empty : Kind::Zonotope), axis_count_(3) {
    data_[0] = wide(box.center);
    for (int i = 0; i < 3; ++i)
        data_[1 + i] = static_cast<double>(box.half_extents[i]) * wide(box.axes[i]);
    check();
}

ConvexRef::ConvexRef(const Triangle& triangle) noexcept : kind_(Kind::Corners) {
    data_[0] = wide(triangle.a);
    data_[1] = wide(triangle.b);
    data_[2] = wide(triangle.c);
    check();
}

ConvexRef::ConvexRef(const Hull& hull) noexcept
    : kind_(hull.is_empty() ? Kind::Empty : Kind::Hull), hull_(&hull) {}

ConvexRef::ConvexRef(const glm::dvec3* points, std::uint32_t count) noexcept
    : kind_(count == 0 ? Kind::Empty : Kind::Points), points_(points), point_count_(count) {}

void ConvexRef::check() noexcept {
    // A sum of finite doubles of the size of floats is finite, so one look is enough.
    const DVec3 sum = data_[0] + data_[1] + data_[2] + data_[3];
    if (!(std::isfinite(sum.x + sum.y + sum.z) && std::isfinite(radius_) && radius_ >= 0.0))
        kind_ = Kind::Empty;
}

glm::dvec3 ConvexRef::center() const noexcept {
    switch (kind_) {
        case Kind::Corners:
            return (data_[0] + data_[1] + data_[2]) / 3.0 + offset_;
        case Kind::Hull:
            return wide(hull_->vertices.front()) + offset_;
        case Kind::Points:
            return points_[0] + offset_;
        default:
            return data_[0] + offset_;
    }
}

glm::dvec3 ConvexRef::support(const glm::dvec3& direction, std::uint32_t& hint) const noexcept {
    return own_support(direction, hint) + offset_;
}

glm::dvec3 ConvexRef::own_support(const glm::dvec3& direction, std::uint32_t& hint) const noexcept {
    switch (kind_) {
        case Kind::Corners: {
            const double a = glm::dot(data_[0], direction);
            const double b = glm::dot(data_[1], direction);
            const double c = glm::dot(data_[2], direction);
            return a >= b ? (a >= c ? data_[0] : data_[2]) : (b >= c ? data_[1] : data_[2]);
        }
        case Kind::Hull:
            if (hull_->vertices.size() < kClimbFrom || hull_->neighbors.empty())
                return farthest(hull_->vertices, direction);
            return climb(*hull_, direction, hint);
        case Kind::Points: {
            std::uint32_t best = 0;
            for (std::uint32_t i = 1; i < point_count_; ++i)
                if (glm::dot(points_[i] - points_[best], direction) > 0.0) best = i;
            return points_[best];
        }
        default: {
            glm::dvec3 p = data_[0];
            for (int i = 1; i <= axis_count_; ++i)
                p += glm::dot(data_[i], direction) >= 0.0 ? data_[i] : -data_[i];
            return p;
        }
    }
}

bool overlap(const ConvexRef& a, const ConvexRef& b) noexcept {
    NoTrace sink;
    return overlap_impl(a, b, sink);
}

bool overlap(const ConvexRef& a, const ConvexRef& b, Recording& trace) {
    return overlap_impl(a, b, trace);
}

ClosestPoints closest_points(const ConvexRef& a, const ConvexRef& b) noexcept {
    NoTrace sink;
    return closest_impl(a, b, sink);
}

ClosestPoints closest_points(const ConvexRef& a, const ConvexRef& b, Recording& trace) {
    return closest_impl(a, b, trace);
}

}  // namespace bv
