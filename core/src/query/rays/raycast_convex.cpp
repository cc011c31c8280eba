// Ray casts against capsules and hulls, and the watertight one against triangles.
// Sources: Ericson 2005, 5.3.7 and 5.3.8; Woop 2013; Shewchuk 1997.
#include <algorithm>
#include <cmath>
#include <utility>

#include "bv/query/raycast.hpp"
#include "query/rays/ray_solid.hpp"
#include "query/rays/round_clip.hpp"
#include "shapes/predicates.hpp"

namespace bv {
namespace {

using detail::DVec3;
using detail::largest;
using detail::LineInterval;
using detail::RoundSpan;
using detail::wide;

/// The plane of a hull's triangle. Points in it and directions along it are recognized exactly.
struct HullPlane {
    glm::vec3 a, b, c;
    DVec3 e1, e2;
    DVec3 normal;
    double error_bound;  ///< Dot products below this times the vector's largest component may be 0.

    HullPlane(const Hull& hull, std::size_t triangle) noexcept
        : a(hull.vertices[hull.triangles[triangle].x]),
          b(hull.vertices[hull.triangles[triangle].y]),
          c(hull.vertices[hull.triangles[triangle].z]),
          e1(wide(b) - wide(a)),
          e2(wide(c) - wide(a)),
          normal(glm::cross(e1, e2)),
          error_bound(detail::kDetErrorBound * largest(e1) * largest(e2)) {}

    [[nodiscard]] double margin(const DVec3& from, const glm::vec3& from_float) const noexcept {
        const DVec3 v = wide(a) - from;
        const double value = glm::dot(normal, v);
        if (std::abs(value) > error_bound * largest(v)) return value;
        // From the floats themselves: their differences may be rounded.
        const int side = detail::orient3d(a, b, c, from_float);
        return side == 0 ? 0.0 : -side * std::abs(detail::exact_det(e1, e2, v));
    }
    [[nodiscard]] double toward(const DVec3& d) const noexcept {
        const double value = glm::dot(normal, d);
        if (std::abs(value) > error_bound * largest(d)) return value;
        return detail::exact_det(e1, e2, d);
    }
};

/// A hull without volume: the first of its triangles that the ray hits.
std::optional<RayHit> raycast_flat(const Ray& ray, const Hull& hull) noexcept {
    std::optional<RayHit> best;
    for (std::size_t i = 0; i < hull.triangles.size(); ++i) {
        const glm::uvec3 t = hull.triangles[i];
        auto hit = raycast(ray, Triangle{hull.vertices[t.x], hull.vertices[t.y], hull.vertices[t.z]});
        if (!hit || (best && best->t <= hit->t)) continue;
        hit->feature = static_cast<int>(i);
        best = hit;
    }
    return best;
}

/// p.x q.y - p.y q.x, accurate to 3e-14 of itself: edge functions weight the corners of a triangle.
double edge(const glm::dvec2& p, const glm::dvec2& q) noexcept {
    const double left = p.x * q.y, right = p.y * q.x;
    const double value = left - right;
    if (std::abs(value) > 0x1p-6 * (std::abs(left) + std::abs(right))) return value;
    return detail::exact_det(p, q);
}

}  // namespace

std::optional<RayHit> raycast(const Ray& ray, const Capsule& capsule) noexcept {
    if (!detail::usable(ray) || !detail::has_points(capsule)) return std::nullopt;
    if (std::isinf(capsule.radius)) return detail::hit_solid(ray, LineInterval{});
    const DVec3 d = wide(ray.direction);
    const DVec3 a = wide(capsule.a) - wide(ray.origin);
    const DVec3 b = wide(capsule.b) - wide(ray.origin);
    const double r = capsule.radius;
    LineInterval line;
    if (glm::dot(d, d) == 0.0) {
        if (!contains_point(capsule, ray.origin)) return std::nullopt;
        return detail::hit_solid(ray, line);
    }
    RoundSpan span = detail::line_in_rod(DVec3(0.0), d, a, b, r, 0);
    span.join(detail::line_in_ball(DVec3(0.0), d, a, r, 1));
    span.join(detail::line_in_ball(DVec3(0.0), d, b, r, 2));
    // If the entry is clearly positive compared with the exit, the start is certainly outside.
    const bool outside = !span.empty() && span.lo > 1e-9 * span.hi;
    if (!outside && contains_point(capsule, ray.origin)) span.include_start(-d / glm::length(d));
    if (span.empty()) return std::nullopt;
    line.enter = span.lo;
    line.exit = span.hi;
    line.enter_face = span.part;
    auto hit = detail::hit_solid(ray, line);
    if (hit && hit->feature >= 0) hit->normal = detail::narrow(span.normal);
    return hit;
}

std::optional<RayHit> raycast(const Ray& ray, const Hull& hull) noexcept {
    if (!detail::usable(ray) || !detail::has_points(hull)) return std::nullopt;
    if (hull.dimension < 3) return raycast_flat(ray, hull);
    const DVec3 o = wide(ray.origin);
    const DVec3 d = wide(ray.direction);
    LineInterval span;
    DVec3 normal(0.0);
    for (std::size_t i = 0; i < hull.triangles.size(); ++i) {
        const HullPlane plane(hull, i);
        // The ray stays behind the plane while t * toward <= margin.
        const double margin = plane.margin(o, ray.origin);
        const double toward = plane.toward(d);
        if (toward == 0.0) {
            if (margin < 0.0) return std::nullopt;
        } else if (toward < 0.0) {
            const double at = margin / toward;
            if (at > span.enter)
                span.enter = at, span.enter_face = static_cast<int>(i), normal = plane.normal;
        } else if (margin / toward < span.exit) {
            span.exit = margin / toward;
            span.exit_face = static_cast<int>(i);
        }
    }
    auto hit = detail::hit_solid(ray, span);
    if (hit && hit->feature >= 0) hit->normal = detail::narrow(normal / glm::length(normal));
    return hit;
}

WatertightRay::WatertightRay(const Ray& r) noexcept : ray(r), usable(detail::usable(r)) {
    const glm::vec3 size = glm::abs(r.direction);
    kz = size.x > size.y ? (size.x > size.z ? 0 : 2) : (size.y > size.z ? 1 : 2);
    kx = (kz + 1) % 3;
    ky = (kx + 1) % 3;
    // Viewing along a negative axis flips triangles: swap to preserve the front side.
    if (r.direction[kz] < 0.0f) std::swap(kx, ky);
    usable = usable && size[kz] > 0.0f;
    if (!usable) return;
    const double z = r.direction[kz];
    shear = {static_cast<double>(r.direction[kx]) / z, static_cast<double>(r.direction[ky]) / z, 1.0 / z};
}

std::optional<RayHit> raycast(const WatertightRay& ray, const Triangle& triangle) noexcept {
    if (!ray.usable) return std::nullopt;
    // Each corner is transformed to the ray's coordinates, in which the ray is the z axis, and rounded there
    // independently of its triangle. The side of the axis on which an edge between two of these passes is
    // decided exactly, so it is the same for both its triangles.
    const DVec3 o = wide(ray.ray.origin);
    const DVec3 a = wide(triangle.a) - o, b = wide(triangle.b) - o, c = wide(triangle.c) - o;
    const auto seen = [&ray](const DVec3& v) {
        return glm::dvec2(v[ray.kx] - ray.shear.x * v[ray.kz], v[ray.ky] - ray.shear.y * v[ray.kz]);
    };
    const glm::dvec2 sa = seen(a), sb = seen(b), sc = seen(c);
    const double u = edge(sc, sb);
    const double v = edge(sa, sc);
    const double w = edge(sb, sa);
    if ((u < 0.0 || v < 0.0 || w < 0.0) && (u > 0.0 || v > 0.0 || w > 0.0)) return std::nullopt;
    const double det = u + v + w;
    if (det == 0.0 || !std::isfinite(det)) return std::nullopt;
    // A triangle without area, or seen exactly edge-on, can get an area from the rounding of its corners:
    // each coordinate is off by up to 7e-16 of `reach`.
    const double reach = std::max({largest(a), largest(b), largest(c)});
    const double size = std::max(largest(b - a), largest(c - a)) + 1e-15 * reach;
    const bool edge_on = std::abs(det) <= 2e-14 * reach * size;
    if (edge_on && detail::orient3d_along(triangle.a, triangle.b, triangle.c, ray.ray.direction) == 0)
        return std::nullopt;
    const double along = u * a[ray.kz] + v * b[ray.kz] + w * c[ray.kz];
    // The weights are positive, so this t is one of the triangle's, even where `det` is mostly rounding.
    double t = along * ray.shear.z / det;
    if (!edge_on &&
        std::abs(along) <= 4.0 * detail::kDetErrorBound * (largest(a) * largest(b) * largest(c))) {
        // The origin is close to the plane. Shearing scales the volume of its tetrahedron by the length of z.
        t = -detail::exact_det(a, b, c) * std::abs(ray.shear.z) / det;
    }
    if (!(t >= static_cast<double>(ray.ray.t_begin()) && t <= static_cast<double>(ray.ray.t_max)))
        return std::nullopt;

    RayHit hit;
    hit.t = hit.t_enter = hit.t_exit = static_cast<float>(t);
    hit.u = static_cast<float>(v / det);
    hit.v = static_cast<float>(w / det);
    hit.feature = det > 0.0 ? 0 : 1;
    hit.point = detail::narrow((u * wide(triangle.a) + v * wide(triangle.b) + w * wide(triangle.c)) / det);
    const DVec3 n = glm::cross(wide(triangle.b) - wide(triangle.a), wide(triangle.c) - wide(triangle.a));
    const double length = glm::length(n);
    if (length > 0.0) hit.normal = detail::narrow(n * ((det > 0.0 ? 1.0 : -1.0) / length));
    return hit;
}

}  // namespace bv
