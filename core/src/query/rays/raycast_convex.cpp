// Ray casts against capsules and hulls, and the watertight one against triangles.
// Sources: Ericson 2005, 5.3.7 and 5.3.8; Woop 2013.
#include <cmath>
#include <utility>

#include "bv/query/raycast.hpp"
#include "query/rays/ray_solid.hpp"
#include "query/rays/round_clip.hpp"

namespace bv {
namespace {

using detail::DVec3;
using detail::LineInterval;
using detail::RoundSpan;
using detail::wide;

/// A hull without volume: the first of its triangles that the ray meets.
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

}  // namespace

std::optional<RayHit> raycast(const Ray& ray, const Capsule& capsule) noexcept {
    if (!detail::usable(ray) || !(capsule.radius >= 0.0f)) return std::nullopt;
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
    if (span.empty()) return std::nullopt;
    line.enter = span.lo;
    line.exit = span.hi;
    line.enter_face = span.part;
    auto hit = detail::hit_solid(ray, line);
    if (hit && hit->feature >= 0) hit->normal = detail::narrow(span.normal);
    return hit;
}

std::optional<RayHit> raycast(const Ray& ray, const Hull& hull) noexcept {
    if (!detail::usable(ray) || hull.is_empty()) return std::nullopt;
    if (hull.dimension < 3) return raycast_flat(ray, hull);
    const DVec3 o = wide(ray.origin);
    const DVec3 d = wide(ray.direction);
    LineInterval span;
    DVec3 normal(0.0);
    for (std::size_t i = 0; i < hull.triangles.size(); ++i) {
        const glm::uvec3 t = hull.triangles[i];
        const DVec3 a = wide(hull.vertices[t.x]);
        const DVec3 n = glm::cross(wide(hull.vertices[t.y]) - a, wide(hull.vertices[t.z]) - a);
        const double room = glm::dot(n, a - o);  // The ray stays behind the plane while t * toward <= room.
        const double toward = glm::dot(n, d);
        if (toward == 0.0) {
            if (room < 0.0) return std::nullopt;
        } else if (toward < 0.0) {
            const double at = room / toward;
            if (at > span.enter) span.enter = at, span.enter_face = static_cast<int>(i), normal = n;
        } else if (room / toward < span.exit) {
            span.exit = room / toward;
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
    // Looking along a negative axis turns triangles over: swapped back so that a front stays a front.
    if (r.direction[kz] < 0.0f) std::swap(kx, ky);
    usable = usable && size[kz] > 0.0f;
    if (!usable) return;
    const double z = r.direction[kz];
    shear = {static_cast<double>(r.direction[kx]) / z, static_cast<double>(r.direction[ky]) / z, 1.0 / z};
}

std::optional<RayHit> raycast(const WatertightRay& ray, const Triangle& triangle) noexcept {
    if (!ray.usable) return std::nullopt;
    // Each corner goes by itself into the ray's coordinates, in which the ray is the z axis, and is rounded
    // to float there: triangles that share it see it in the same place. Products of two floats are exact in
    // double, and a difference of two exact numbers has the right sign, so the side on which an edge passes
    // the axis is the same for both its triangles.
    const auto corner = [&](const glm::vec3& p) {
        const DVec3 v = wide(p) - wide(ray.ray.origin);
        return glm::vec3(static_cast<float>(v[ray.kx] - ray.shear.x * v[ray.kz]),
                         static_cast<float>(v[ray.ky] - ray.shear.y * v[ray.kz]),
                         static_cast<float>(ray.shear.z * v[ray.kz]));
    };
    const glm::vec3 a = corner(triangle.a);
    const glm::vec3 b = corner(triangle.b);
    const glm::vec3 c = corner(triangle.c);
    const auto edge = [](const glm::vec3& p, const glm::vec3& q) {
        return static_cast<double>(p.x) * static_cast<double>(q.y) -
               static_cast<double>(p.y) * static_cast<double>(q.x);
    };
    const double u = edge(c, b);
    const double v = edge(a, c);
    const double w = edge(b, a);
    if ((u < 0.0 || v < 0.0 || w < 0.0) && (u > 0.0 || v > 0.0 || w > 0.0)) return std::nullopt;
    const double det = u + v + w;
    if (det == 0.0 || !std::isfinite(det)) return std::nullopt;
    const double t =
        (u * static_cast<double>(a.z) + v * static_cast<double>(b.z) + w * static_cast<double>(c.z)) / det;
    if (!(t >= 0.0 && t <= static_cast<double>(ray.ray.t_max))) return std::nullopt;

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
