// Nearest points of single solids, in double precision relative to the query point.
#include "bv/query/closest.hpp"

#include <algorithm>
#include <limits>

#include "bv/query/convex.hpp"
#include "query/precise.hpp"
#include "shapes/rounding.hpp"

namespace bv {
namespace {

using detail::DVec3;
using detail::wide;

constexpr float kInf = std::numeric_limits<float>::infinity();

DVec3 closest_on_segment(const DVec3& a, const DVec3& b) noexcept {
    const DVec3 d = b - a;
    const double length_sq = glm::dot(d, d);
    const double t = -glm::dot(a, d);
    if (!(t > 0.0)) return a;
    if (!(t < length_sq)) return b;
    return a + (t / length_sq) * d;
}

float finite_length(const DVec3& offset, double less = 0.0) noexcept {
    const double d = glm::length(offset) - less;
    return d >= 0.0 ? static_cast<float>(d) : d < 0.0 ? 0.0f : kInf;
}

DVec3 offset_to(const Obb& box, const glm::vec3& p) noexcept {
    const DVec3 local = detail::local_point(box, p);
    const DVec3 half = wide(box.half_extents);
    return glm::clamp(local, -half, half) - local;
}

DVec3 offset_to(const Aabb& box, const glm::vec3& p) noexcept {
    return glm::clamp(wide(p), wide(box.min), wide(box.max)) - wide(p);
}

/// For an empty solid or a point that is not finite, returns the given point.
glm::vec3 or_given(const glm::vec3& nearest, const glm::vec3& p) noexcept {
    return nearest == nearest ? nearest : p;
}

}  // namespace

glm::dvec3 detail::closest_on_triangle(const glm::dvec3& a, const glm::dvec3& b,
                                       const glm::dvec3& c) noexcept {
    const DVec3 ab = b - a;
    const DVec3 ac = c - a;
    const DVec3 n = glm::cross(ab, ac);
    const double n_sq = glm::dot(n, n);
    if (n_sq > detail::kNeedleSine2 * glm::dot(ab, ab) * glm::dot(ac, ac)) {
        const bool inside = glm::dot(n, glm::cross(b, c)) >= 0.0 && glm::dot(n, glm::cross(c, a)) >= 0.0 &&
                            glm::dot(n, glm::cross(a, b)) >= 0.0;
        if (inside) return n * (glm::dot(n, a) / n_sq);
    }
    const DVec3 on[3] = {closest_on_segment(a, b), closest_on_segment(b, c), closest_on_segment(c, a)};
    DVec3 best = on[0];
    for (int i = 1; i < 3; ++i)
        if (glm::dot(on[i], on[i]) < glm::dot(best, best)) best = on[i];
    return best;
}

glm::vec3 closest_point(const Plane& plane, const glm::vec3& p) noexcept {
    const DVec3 n = wide(plane.normal);
    const double d = glm::dot(n, wide(p)) - static_cast<double>(plane.offset);
    return or_given(detail::narrow(wide(p) - d * n), p);
}

glm::vec3 closest_point(const Segment& segment, const glm::vec3& p) noexcept {
    if (!bv::is_finite(segment.a) || !bv::is_finite(segment.b) || !bv::is_finite(p)) return p;
    return detail::narrow(wide(p) + closest_on_segment(wide(segment.a) - wide(p), wide(segment.b) - wide(p)));
}

glm::vec3 closest_point(const Sphere& ball, const glm::vec3& p) noexcept {
    if (!detail::has_points(ball) || !bv::is_finite(p) || overlap(ball, p)) return p;
    const DVec3 out = wide(p) - wide(ball.center);
    return detail::narrow(wide(ball.center) + out * (static_cast<double>(ball.radius) / glm::length(out)));
}

glm::vec3 closest_point(const Aabb& box, const glm::vec3& p) noexcept {
    if (box.is_empty() || !bv::is_finite(p)) return p;
    return glm::clamp(p, box.min, box.max);
}

glm::vec3 closest_point(const Obb& box, const glm::vec3& p) noexcept {
    if (!detail::has_points(box) || !bv::is_finite(p)) return p;
    return detail::narrow(wide(p) + detail::out_of_frame(box, offset_to(box, p)));
}

glm::vec3 closest_point(const Triangle& triangle, const glm::vec3& p) noexcept {
    if (!detail::has_points(triangle) || !bv::is_finite(p)) return p;
    const DVec3 q = wide(p);
    return detail::narrow(
        q + detail::closest_on_triangle(wide(triangle.a) - q, wide(triangle.b) - q, wide(triangle.c) - q));
}

glm::vec3 closest_point(const ConvexRef& solid, const glm::vec3& p) noexcept {
    const ClosestPoints found = closest_points(solid, ConvexRef(p));
    return found.distance > 0.0f && found.distance < kInf ? found.on_a : p;
}

float distance(const Segment& segment, const glm::vec3& p) noexcept {
    if (!bv::is_finite(segment.a) || !bv::is_finite(segment.b)) return kInf;
    return finite_length(closest_on_segment(wide(segment.a) - wide(p), wide(segment.b) - wide(p)));
}

float distance(const Sphere& ball, const glm::vec3& p) noexcept {
    return !detail::has_extents(ball) ? kInf : finite_length(wide(p) - wide(ball.center), ball.radius);
}

float distance(const Aabb& box, const glm::vec3& p) noexcept {
    return box.is_empty() ? kInf : finite_length(offset_to(box, p));
}

float distance(const Obb& box, const glm::vec3& p) noexcept {
    return !detail::has_extents(box) ? kInf : finite_length(offset_to(box, p));
}

float distance(const Triangle& triangle, const glm::vec3& p) noexcept {
    if (!detail::has_points(triangle)) return kInf;
    const DVec3 q = wide(p);
    return finite_length(
        detail::closest_on_triangle(wide(triangle.a) - q, wide(triangle.b) - q, wide(triangle.c) - q));
}

float distance(const Sphere& a, const Sphere& b) noexcept {
    if (a.is_empty() || b.is_empty()) return kInf;
    return finite_length(wide(b.center) - wide(a.center),
                         static_cast<double>(a.radius) + static_cast<double>(b.radius));
}

float distance(const Aabb& a, const Aabb& b) noexcept {
    if (a.is_empty() || b.is_empty()) return kInf;
    const DVec3 gap = glm::max(wide(a.min) - wide(b.max), wide(b.min) - wide(a.max));
    return finite_length(glm::max(gap, DVec3(0.0)));
}

float distance(const Aabb& box, const Sphere& ball) noexcept {
    if (box.is_empty() || ball.is_empty()) return kInf;
    return finite_length(offset_to(box, ball.center), ball.radius);
}

}  // namespace bv
