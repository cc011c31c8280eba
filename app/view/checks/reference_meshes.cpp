// Rays against all triangles of all bodies, and meshes triangle by triangle.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/vec2.hpp>
#include <limits>
#include <vector>

#include "view/checks/reference.hpp"

namespace lab::reference {
namespace {

using glm::dmat3;
using glm::dvec3;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// A few dozen roundings in single precision.
constexpr double kRayBand = 4e-6, kMeshBand = 4e-6;

struct DoubleRay {
    dvec3 origin, direction;
    double t_max;
};

/// In the frame of the body's mesh; `t` is unchanged.
DoubleRay to_local(const bv::Ray& ray, const BodyState& body) {
    const dmat3 inverse =
        glm::inverse(dmat3(dvec3(body.transform[0]), dvec3(body.transform[1]), dvec3(body.transform[2])));
    return {inverse * (dvec3(ray.origin) - dvec3(body.transform[3])), inverse * dvec3(ray.direction),
            static_cast<double>(ray.t_max)};
}

struct TriangleHit {
    bool possible = false, certain = false;
    double t = 0, t_band = 0;
    dvec3 normal{0.0};
};

/// The intersection with the triangle's plane, and its distance inside of the edges.
TriangleHit meet(const DoubleRay& ray, const bv::Triangle& triangle, double mesh_radius) {
    TriangleHit hit;
    const dvec3 corners[] = {triangle.a, triangle.b, triangle.c};
    const dvec3 area = glm::cross(corners[1] - corners[0], corners[2] - corners[0]);
    const double length = glm::length(area), speed = glm::length(ray.direction);
    if (!(length > 0.0) || !(speed > 0.0)) return hit;
    hit.normal = area / length;
    const double facing = std::abs(glm::dot(hit.normal, ray.direction)) / speed;
    const double away = glm::dot(hit.normal, corners[0] - ray.origin);
    if (!(facing > 1e-9)) {  // along its plane: whether it is hit is a matter of rounding
        hit.possible = std::abs(away) <= kRayBand * (glm::length(ray.origin) + mesh_radius);
        hit.t_band = kInfinity;
        return hit;
    }
    hit.t = away / glm::dot(hit.normal, ray.direction);
    const double reach = glm::length(ray.origin) + std::abs(hit.t) * speed + mesh_radius;
    hit.t_band = 1e-5 * reach / (speed * std::max(facing, 1e-3));
    const dvec3 point = ray.origin + hit.t * ray.direction;
    double inside = kInfinity;
    for (int i = 0; i < 3; ++i) {
        const dvec3 edge = corners[(i + 1) % 3] - corners[i];
        const dvec3 inward = glm::cross(hit.normal, edge);
        inside = std::min(inside, glm::dot(inward, point - corners[i]) / glm::length(inward));
    }
    const double band = kRayBand * reach / std::max(facing, 1e-3);
    hit.possible = inside >= -band && hit.t >= -hit.t_band && hit.t <= ray.t_max + hit.t_band;
    hit.certain = inside > band && hit.t > hit.t_band && hit.t < ray.t_max - hit.t_band;
    return hit;
}

/// The vertices in a plane across the ray, which passes its origin. Only signs count: the axes are not
/// normalized.
std::vector<glm::dvec2> seen_along(const DoubleRay& ray, const MeshEntry& mesh) {
    const dvec3 size = glm::abs(ray.direction);
    const bool least_x = size.x <= size.y && size.x <= size.z;
    const dvec3 other = least_x ? dvec3(1, 0, 0) : size.y <= size.z ? dvec3(0, 1, 0) : dvec3(0, 0, 1);
    const dvec3 right = glm::cross(ray.direction, other), up = glm::cross(right, ray.direction);
    std::vector<glm::dvec2> seen;
    seen.reserve(mesh.positions.size());
    for (const glm::vec3& position : mesh.positions) {
        const dvec3 offset = dvec3(position) - ray.origin;
        seen.emplace_back(glm::dot(right, offset), glm::dot(up, offset));
    }
    return seen;
}

/// True if the ray passes the triangle on one side.
bool passes_beside(const std::vector<glm::dvec2>& seen, const glm::uvec3& corners) {
    const glm::dvec2 &a = seen[corners.x], &b = seen[corners.y], &c = seen[corners.z];
    return (a.x < 0.0 && b.x < 0.0 && c.x < 0.0) || (a.x > 0.0 && b.x > 0.0 && c.x > 0.0) ||
           (a.y < 0.0 && b.y < 0.0 && c.y < 0.0) || (a.y > 0.0 && b.y > 0.0 && c.y > 0.0);
}

/// The error in the hit itself; empty if the ray can hit that triangle there.
std::optional<std::string> check_hit(const World& world, const RayQuery& found) {
    const Body* body = world.find(found.body);
    if (!body || body->state.hidden) return fmt::format("body {} cannot be hit", found.body.value);
    const MeshEntry& mesh = world.bodies().meshes()[body->state.mesh];
    if (found.triangle >= mesh.triangles.size())
        return fmt::format("body {} has no triangle {}", found.body.value, found.triangle);
    const TriangleHit hit =
        meet(to_local(found.ray, body->state), mesh.view().triangle(found.triangle), mesh.sphere.radius);
    const double t = found.t;
    if (!hit.possible) return fmt::format("triangle {} is not hit", found.triangle);
    if (!(std::abs(hit.t - t) <= hit.t_band)) return fmt::format("the triangle is hit at t = {}", hit.t);
    const dmat3 rotation(dvec3(body->state.transform[0]), dvec3(body->state.transform[1]),
                         dvec3(body->state.transform[2]));
    const dvec3 normal = glm::normalize(rotation * hit.normal);
    const double side = glm::dot(normal, dvec3(found.ray.direction)) > 0.0 ? -1.0 : 1.0;
    if (hit.t_band < kInfinity && !(glm::length(dvec3(found.normal) - side * normal) <= 1e-3))
        return "its normal is not that of the triangle";
    const dvec3 point = dvec3(found.ray.origin) + t * dvec3(found.ray.direction);
    const double size = glm::length(dvec3(found.ray.origin)) + glm::length(point);
    if (!(glm::length(dvec3(found.point) - point) <= 1e-6 * size)) return "its point is not on the ray there";
    return std::nullopt;
}

}  // namespace

std::optional<std::string> check_ray(const World& world, const RayQuery& found) {
    double limit = kInfinity;  // only nearer hits matter
    if (found.hit) {
        if (auto problem = check_hit(world, found)) return problem;
        limit = found.t;
    }
    for (const Body& body : world.bodies()) {
        if (body.state.hidden) continue;
        const MeshEntry& mesh = world.bodies().meshes()[body.state.mesh];
        const DoubleRay ray = to_local(found.ray, body.state);
        const std::vector<glm::dvec2> seen = seen_along(ray, mesh);
        for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
            if (passes_beside(seen, mesh.triangles[i])) continue;
            const TriangleHit hit = meet(ray, mesh.view().triangle(i), mesh.sphere.radius);
            if (hit.certain && hit.t < limit - 2.0 * hit.t_band)
                return fmt::format("body {}, triangle {} is hit at t = {}", body.state.id.value, i, hit.t);
        }
    }
    return std::nullopt;
}

// ---- meshes

namespace {

struct DoubleTriangle {
    dvec3 corners[3];
    dvec3 min, max;
    dvec3 normal{0.0};  ///< 0 if it has no area.
};

DoubleTriangle make(const dvec3& a, const dvec3& b, const dvec3& c) {
    DoubleTriangle t{{a, b, c}, glm::min(glm::min(a, b), c), glm::max(glm::max(a, b), c)};
    const dvec3 area = glm::cross(b - a, c - a);
    const double length = glm::length(area);
    if (length > 0.0) t.normal = area / length;
    return t;
}

std::vector<DoubleTriangle> placed(const MeshEntry& mesh, const BodyState& body) {
    const dmat3 linear(dvec3(body.transform[0]), dvec3(body.transform[1]), dvec3(body.transform[2]));
    const auto place = [&](std::uint32_t corner) {
        return linear * dvec3(mesh.positions[corner]) + dvec3(body.transform[3]);
    };
    std::vector<DoubleTriangle> triangles;
    triangles.reserve(mesh.triangles.size());
    for (const glm::uvec3& t : mesh.triangles)
        triangles.push_back(make(place(t.x), place(t.y), place(t.z)));
    return triangles;
}

/// The distance of a point of its plane inside of the triangle's edges.
double depth_inside(const DoubleTriangle& t, const dvec3& point) {
    double inside = kInfinity;
    for (int i = 0; i < 3; ++i) {
        const dvec3 inward = glm::cross(t.normal, t.corners[(i + 1) % 3] - t.corners[i]);
        inside = std::min(inside, glm::dot(inward, point - t.corners[i]) / glm::length(inward));
    }
    return inside;
}

double distance_of_segments(const dvec3& p, const dvec3& p_end, const dvec3& q, const dvec3& q_end) {
    const dvec3 u = p_end - p, v = q_end - q, w = p - q;
    const double uu = glm::dot(u, u), uv = glm::dot(u, v), vv = glm::dot(v, v);
    const double uw = glm::dot(u, w), vw = glm::dot(v, w);
    const double parallel = uu * vv - uv * uv;
    double s = parallel > 1e-18 * uu * vv ? std::clamp((uv * vw - vv * uw) / parallel, 0.0, 1.0) : 0.0;
    const double t = vv > 0.0 ? std::clamp((uv * s + vw) / vv, 0.0, 1.0) : 0.0;
    if (uu > 0.0) s = std::clamp((uv * t - uw) / uu, 0.0, 1.0);
    return glm::length((p + s * u) - (q + t * v));
}

/// In both directions: edges through the other triangle, corners over it, edges beside edges.
Answer touch(const DoubleTriangle& a, const DoubleTriangle& b, double band) {
    double nearest = kInfinity;
    const auto edges_against = [&](const DoubleTriangle& edges, const DoubleTriangle& face) {
        if (face.normal == dvec3(0.0)) return false;
        for (int i = 0; i < 3; ++i) {
            const dvec3 from = edges.corners[i], to = edges.corners[(i + 1) % 3];
            const double above = glm::dot(face.normal, from - face.corners[0]);
            const double below = glm::dot(face.normal, to - face.corners[0]);
            if (depth_inside(face, from - above * face.normal) >= 0.0)
                nearest = std::min(nearest, std::abs(above));
            if ((above > 0.0) == (below > 0.0) || above == below) continue;
            const double depth = depth_inside(face, from + above / (above - below) * (to - from));
            if (depth > band && std::abs(above) > band && std::abs(below) > band) return true;
            if (depth >= 0.0) nearest = 0.0;
        }
        return false;
    };
    if (edges_against(a, b) || edges_against(b, a)) return Answer::Yes;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            nearest = std::min(nearest, distance_of_segments(a.corners[i], a.corners[(i + 1) % 3],
                                                             b.corners[j], b.corners[(j + 1) % 3]));
    return nearest <= band ? Answer::Either : Answer::No;
}

}  // namespace

std::uint64_t triangle_pairs(const MeshLibrary& meshes, const BodyState& a, const BodyState& b) {
    return static_cast<std::uint64_t>(meshes[a.mesh].triangles.size()) * meshes[b.mesh].triangles.size();
}

Answer meshes_touch(const MeshLibrary& meshes, const BodyState& a, const BodyState& b) {
    const MeshEntry &mesh_a = meshes[a.mesh], &mesh_b = meshes[b.mesh];
    const auto reach = [](const MeshEntry& mesh, const BodyState& body) {
        const dvec3 largest = glm::max(glm::abs(mesh.aabb_tight.min), glm::abs(mesh.aabb_tight.max));
        return static_cast<double>(body.scale) * (largest.x + largest.y + largest.z);
    };
    const double band = kMeshBand * (reach(mesh_a, a) + reach(mesh_b, b) +
                                     glm::length(dvec3(b.transform[3]) - dvec3(a.transform[3])));
    const std::vector<DoubleTriangle> in_a = placed(mesh_a, a), in_b = placed(mesh_b, b);
    Answer answer = Answer::No;
    for (const DoubleTriangle& p : in_a) {
        const dvec3 low = p.min - band, high = p.max + band;
        for (const DoubleTriangle& q : in_b) {
            if (q.max.x < low.x || q.min.x > high.x || q.max.y < low.y || q.min.y > high.y ||
                q.max.z < low.z || q.min.z > high.z)
                continue;
            const Answer pair = touch(p, q, band);
            if (pair == Answer::Yes) return pair;
            if (pair == Answer::Either) answer = pair;
        }
    }
    return answer;
}

}  // namespace lab::reference
