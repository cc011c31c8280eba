// Ray casts against balls, boxes and triangles, in double precision.
// Sources: Kay 1986 (slabs); Press 2007, 5.6 (stable quadratic roots); Moeller 1997 (triangle).
#include "bv/query/raycast.hpp"

#include "query/precise.hpp"
#include "query/rays/ray_solid.hpp"
#include "query/rays/slab_clip.hpp"

namespace bv {
namespace {

using detail::DVec3;
using detail::hit_solid;
using detail::LineInterval;
using detail::usable;
using detail::wide;

template <class Sink>
std::optional<RayHit> raycast_aabb(const Ray& ray, const Aabb& box, Sink& sink) {
    if (!usable(ray) || box.is_empty()) return std::nullopt;
    LineInterval span;
    for (int i = 0; i < 3; ++i)
        span.clip(i, ray.origin[i], ray.direction[i], box.min[i], box.max[i], sink);
    auto hit = hit_solid(ray, span);
    if (hit && hit->feature >= 0) {
        hit->normal[hit->feature / 2] = hit->feature % 2 == 1 ? 1.0f : -1.0f;
        // The point lies in the face, whatever rounding made of the coordinate along the normal.
        const int axis = hit->feature / 2;
        hit->point[axis] = hit->feature % 2 == 1 ? box.max[axis] : box.min[axis];
    }
    return hit;
}

template <class Sink>
std::optional<RayHit> raycast_obb(const Ray& ray, const Obb& box, Sink& sink) {
    if (!usable(ray) || box.is_empty()) return std::nullopt;
    const DVec3 origin = detail::local_point(box, ray.origin);
    const DVec3 direction = detail::into_frame(box, wide(ray.direction));
    LineInterval span;
    for (int i = 0; i < 3; ++i) {
        const double half = box.half_extents[i];
        span.clip(i, origin[i], direction[i], -half, half, sink);
    }
    auto hit = hit_solid(ray, span);
    if (hit && hit->feature >= 0)
        hit->normal = hit->feature % 2 == 1 ? box.axes[hit->feature / 2] : -box.axes[hit->feature / 2];
    return hit;
}

template <class Sink>
std::optional<RayHit> raycast_triangle(const Ray& ray, const Triangle& triangle, Sink& sink) {
    using Verdict = TriangleTested::Verdict;
    if (!usable(ray)) return std::nullopt;
    TriangleTested event;
    const auto ends = [&](Verdict verdict) {
        event.verdict = verdict;
        if constexpr (Sink::kEnabled) sink(event);
        return std::optional<RayHit>();
    };
    const DVec3 d = wide(ray.direction);
    const DVec3 e1 = wide(triangle.b) - wide(triangle.a);
    const DVec3 e2 = wide(triangle.c) - wide(triangle.a);
    const DVec3 s = wide(ray.origin) - wide(triangle.a);
    const DVec3 p = glm::cross(d, e2);
    // Everything is compared with the determinant before any division by it, so its size does not matter,
    // only its sign: positive when the front is seen.
    const double det = glm::dot(e1, p);
    const double sign = det < 0.0 ? -1.0 : 1.0;
    const double size = sign * det;
    event.determinant = static_cast<float>(size);
    event.front = det > 0.0;
    if (!(size > 0.0)) return ends(Verdict::Parallel);
    const double u = sign * glm::dot(s, p);
    event.u = static_cast<float>(u);
    if (!(u >= 0.0 && u <= size)) return ends(Verdict::OutsideU);
    const DVec3 q = glm::cross(s, e1);
    const double v = sign * glm::dot(d, q);
    event.v = static_cast<float>(v);
    if (!(v >= 0.0)) return ends(Verdict::OutsideV);
    if (!(u + v <= size)) return ends(Verdict::OutsideW);
    const double t = sign * glm::dot(e2, q) / size;
    event.t = static_cast<float>(t);
    if (!(t >= 0.0)) return ends(Verdict::Behind);
    if (!(t <= static_cast<double>(ray.t_max))) return ends(Verdict::Beyond);
    if constexpr (Sink::kEnabled) sink(event);

    RayHit hit;
    hit.t = hit.t_enter = hit.t_exit = static_cast<float>(t);
    hit.u = static_cast<float>(u / size);
    hit.v = static_cast<float>(v / size);
    hit.feature = det > 0.0 ? 0 : 1;
    hit.point = detail::narrow(wide(triangle.a) + (u / size) * e1 + (v / size) * e2);
    const DVec3 n = glm::cross(e1, e2);
    hit.normal = detail::narrow(n * (sign / glm::length(n)));
    return hit;
}

}  // namespace

std::optional<RayHit> raycast(const Ray& ray, const Sphere& ball) noexcept {
    if (!usable(ray) || !(ball.radius >= 0.0f)) return std::nullopt;
    const DVec3 d = wide(ray.direction);
    const DVec3 m = wide(ray.origin) - wide(ball.center);
    const double r = ball.radius;
    const double a = glm::dot(d, d);
    const double c = glm::dot(m, m) - r * r;
    LineInterval span;
    if (a == 0.0) {
        if (c > 0.0) return std::nullopt;
        return hit_solid(ray, span);
    }
    // The squared distance of the line from the center is taken from the foot point, not as b^2 - a c, in
    // which a far origin would eat all digits.
    const double b = glm::dot(m, d);
    const DVec3 foot = m - (b / a) * d;
    const double room = r * r - glm::dot(foot, foot);
    if (!(room >= 0.0)) return std::nullopt;
    const double root = std::sqrt(a * room);
    const double q = -(b + std::copysign(root, b));
    const double t0 = q / a;
    const double t1 = q != 0.0 ? c / q : 0.0;
    span.enter = std::min(t0, t1);
    span.exit = std::max(t0, t1);
    span.enter_face = 0;
    auto hit = hit_solid(ray, span);
    if (hit && hit->feature >= 0) {
        const DVec3 out = m + span.enter * d;
        const double length = glm::length(out);
        // A ball of radius zero has no normal of its own: it takes the one against the ray.
        hit->normal = detail::narrow(length > 0.0 ? out / length : -d / std::sqrt(a));
    }
    return hit;
}

std::optional<RayHit> raycast(const Ray& ray, const Aabb& box) noexcept {
    NoTrace sink;
    return raycast_aabb(ray, box, sink);
}

std::optional<RayHit> raycast(const Ray& ray, const Aabb& box, Recording& trace) {
    return raycast_aabb(ray, box, trace);
}

std::optional<RayHit> raycast(const Ray& ray, const Obb& box) noexcept {
    NoTrace sink;
    return raycast_obb(ray, box, sink);
}

std::optional<RayHit> raycast(const Ray& ray, const Obb& box, Recording& trace) {
    return raycast_obb(ray, box, trace);
}

std::optional<RayHit> raycast(const Ray& ray, const Triangle& triangle) noexcept {
    NoTrace sink;
    return raycast_triangle(ray, triangle, sink);
}

std::optional<RayHit> raycast(const Ray& ray, const Triangle& triangle, Recording& trace) {
    return raycast_triangle(ray, triangle, trace);
}

}  // namespace bv
