// Ray casts against balls, boxes and triangles, in double precision.
// Sources: Kay 1986 (slabs); Moeller 1997 (triangle), its signs decided exactly as in Shewchuk 1997.
#include "bv/query/raycast.hpp"

#include "bv/query/ray_slabs.hpp"
#include "bv/shapes/contains_point.hpp"
#include "query/precise.hpp"
#include "query/rays/ray_solid.hpp"
#include "query/rays/round_clip.hpp"
#include "query/rays/slab_clip.hpp"
#include "shapes/predicates.hpp"

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
    span.record_range(ray.t_begin(), ray.t_max, sink);
    auto hit = hit_solid(ray, span);
    if (hit && hit->feature >= 0) {
        hit->normal[hit->feature / 2] = hit->feature % 2 == 1 ? 1.0f : -1.0f;
        // Put the point exactly in the face, despite rounding along the normal.
        const int axis = hit->feature / 2;
        hit->point[axis] = hit->feature % 2 == 1 ? box.max[axis] : box.min[axis];
    }
    return hit;
}

template <class Sink>
std::optional<RayHit> raycast_obb(const Ray& ray, const Obb& box, Sink& sink) {
    if (!usable(ray) || !detail::has_points(box)) return std::nullopt;
    const DVec3 origin = detail::local_point(box, ray.origin);
    const DVec3 direction = detail::into_frame(box, wide(ray.direction));
    LineInterval span;
    for (int i = 0; i < 3; ++i) {
        const double half = box.half_extents[i];
        span.clip(i, origin[i], direction[i], -half, half, sink);
    }
    span.record_range(ray.t_begin(), ray.t_max, sink);
    auto hit = hit_solid(ray, span);
    if (hit && hit->feature >= 0)
        hit->normal = hit->feature % 2 == 1 ? box.axes[hit->feature / 2] : -box.axes[hit->feature / 2];
    return hit;
}

/// `value`, which is det(p, q, r) computed in some order, or the exact determinant where `value` may be all
/// rounding: up to a fraction of `size`, the product of the largest components.
double refined_det(double value, double size, const DVec3& p, const DVec3& q, const DVec3& r) noexcept {
    return std::abs(value) > detail::kDetErrorBound * size ? value : detail::exact_det(p, q, r);
}

template <class Sink>
std::optional<RayHit> raycast_triangle(const Ray& ray, const Triangle& triangle, Sink& sink) {
    using Verdict = TriangleTested::Verdict;
    if (!usable(ray)) return std::nullopt;
    TriangleTested event;
    const auto goes_on = [&]([[maybe_unused]] Verdict verdict) {
        if constexpr (Sink::kEnabled) {
            event.verdict = verdict;
            sink(event);
        }
    };
    const auto ends = [&](Verdict verdict) {
        goes_on(verdict);
        return std::optional<RayHit>();
    };
    const DVec3 d = wide(ray.direction);
    const DVec3 e1 = wide(triangle.b) - wide(triangle.a);
    const DVec3 e2 = wide(triangle.c) - wide(triangle.a);
    const DVec3 s = wide(ray.origin) - wide(triangle.a);
    const DVec3 p = glm::cross(d, e2);
    const double size_d = detail::largest(d), size_s = detail::largest(s);
    const double size_1 = detail::largest(e1), size_2 = detail::largest(e2);
    // All comparisons with the determinant come before any division by it, so only its sign matters: positive
    // if the front is visible.
    const double det = refined_det(glm::dot(e1, p), size_1 * size_d * size_2, e1, d, e2);
    const double sign = det < 0.0 ? -1.0 : 1.0;
    const double size = sign * det;
    event.determinant = static_cast<float>(size);
    event.front = det > 0.0;
    if (!(size > 0.0)) return ends(Verdict::Parallel);
    goes_on(Verdict::Crosses);
    const double u = sign * refined_det(glm::dot(s, p), size_s * size_d * size_2, s, d, e2);
    event.u = static_cast<float>(u);
    const double edges = size_1 + size_2;
    const double rounding = 2.0 * detail::kDetErrorBound * size_d * edges * (edges + size_s);
    if (!(u >= 0.0 && u <= size + rounding)) return ends(Verdict::OutsideU);
    goes_on(Verdict::WithinU);
    const DVec3 q = glm::cross(s, e1);
    const double v = sign * refined_det(glm::dot(d, q), size_d * size_s * size_1, d, s, e1);
    event.v = static_cast<float>(v);
    if (!(v >= 0.0)) return ends(Verdict::OutsideV);
    // u + v + w is the determinant; where rounding hides the sign of w, it is computed separately, from the
    // corners relative to the ray's origin.
    const double left = size - (u + v);
    if (!(left >= rounding) && !(left >= -rounding && sign * detail::exact_det(d, e2 - s, e1 - s) >= 0.0))
        return ends(Verdict::OutsideW);
    goes_on(Verdict::WithinV);
    const double t = sign * refined_det(glm::dot(e2, q), size_2 * size_s * size_1, e2, s, e1) / size;
    event.t = static_cast<float>(t);
    if (!(t >= static_cast<double>(ray.t_begin()))) return ends(Verdict::Behind);
    if (!(t <= static_cast<double>(ray.t_max))) return ends(Verdict::Beyond);
    goes_on(Verdict::Hit);

    RayHit hit;
    hit.t = hit.t_enter = hit.t_exit = static_cast<float>(t);
    const double hit_u = std::min(u / size, 1.0), hit_v = std::min(v / size, 1.0 - hit_u);
    hit.u = static_cast<float>(hit_u);
    hit.v = static_cast<float>(hit_v);
    hit.feature = det > 0.0 ? 0 : 1;
    hit.point = detail::narrow(wide(triangle.a) + hit_u * e1 + hit_v * e2);
    const DVec3 n = glm::cross(e1, e2);
    hit.normal = detail::narrow(n * (sign / glm::length(n)));
    return hit;
}

}  // namespace

bool RaySlabs::hit_in_double(const Aabb& box, float t_max, float& t_enter) const noexcept {
    double enter = t_begin;
    double leave = clamp_end(t_max);
    NoTrace sink;
    LineInterval span;
    for (int i = 0; i < 3; ++i)
        span.clip(i, origin[i], direction[i], box.min[i], box.max[i], sink);
    if (span.enter > enter) enter = span.enter;
    if (span.exit < leave) leave = span.exit;
    t_enter = static_cast<float>(enter);
    return enter <= leave;
}

std::optional<RayHit> raycast(const Ray& ray, const Sphere& ball) noexcept {
    if (!usable(ray) || !detail::has_points(ball)) return std::nullopt;
    if (std::isinf(ball.radius)) return hit_solid(ray, LineInterval{});
    const DVec3 d = wide(ray.direction);
    LineInterval line;
    if (d == DVec3(0.0)) {
        if (!contains_point(ball, ray.origin)) return std::nullopt;
        return hit_solid(ray, line);
    }
    const detail::RoundSpan span =
        detail::line_in_ball(wide(ray.origin), d, wide(ball.center), ball.radius, 0);
    line.enter = span.lo;
    line.exit = span.hi;
    line.enter_face = span.part;
    auto hit = hit_solid(ray, line);
    if (hit && hit->feature >= 0) hit->normal = detail::narrow(span.normal);
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
