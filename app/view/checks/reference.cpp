#include "view/checks/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <limits>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lab::reference {
namespace {

using glm::dmat3;
using glm::dvec3;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Bands relative to the solids' size, for pairs decided in double and in single precision.
constexpr double kDoubleBand = 1e-12, kSingleBand = 1e-5;
/// Band for rays and meshes: a few dozen roundings in single precision.
constexpr double kRayBand = 4e-6, kMeshBand = 4e-6;

Answer from_gap(double gap, double band) {
    return gap > band ? Answer::No : gap < -band ? Answer::Yes : Answer::Either;
}

double sum(const dvec3& v) {
    return v.x + v.y + v.z;
}

bool holds(const bv::Aabb& outer, const bv::Aabb& inner) {
    for (int i = 0; i < 3; ++i)
        if (!(outer.min[i] <= inner.min[i] && inner.max[i] <= outer.max[i])) return false;
    return true;
}

Solid solid(const bv::Aabb& box) {
    Solid solid;
    const dvec3 min = box.min, max = box.max;
    solid.center = 0.5 * (min + max);
    solid.half = 0.5 * (max - min);
    for (int i = 0; i < 3; ++i)
        if (!(box.min[i] <= box.max[i])) solid.empty = true;
    return solid;
}

Solid solid(const bv::Obb& box) {
    Solid solid;
    solid.center = box.center;
    solid.axes = dmat3(box.axes);
    solid.half = box.half_extents;
    solid.turned = true;
    for (int i = 0; i < 3; ++i)
        if (!(box.half_extents[i] >= 0.0f)) solid.empty = true;
    return solid;
}

Solid solid(const bv::Sphere& ball) {
    Solid solid;
    solid.center = ball.center;
    solid.radius = ball.radius;
    solid.empty = !(ball.radius >= 0.0f);
    return solid;
}

/// An orthonormal basis with the first axis along `along`; any if that is zero.
dmat3 axes_along(const dvec3& along) {
    const double length = glm::length(along);
    const dvec3 u = length > 0.0 ? along / length : dvec3(1, 0, 0);
    const dvec3 v = glm::normalize(glm::cross(std::abs(u.x) < 0.6 ? dvec3(1, 0, 0) : dvec3(0, 1, 0), u));
    return {u, v, glm::cross(u, v)};
}

Solid solid(const bv::Capsule& capsule) {
    Solid solid;
    const dvec3 a = capsule.a, b = capsule.b;
    solid.center = 0.5 * (a + b);
    solid.axes = axes_along(b - a);
    solid.half = {0.5 * glm::length(b - a), 0.0, 0.0};
    solid.radius = capsule.radius;
    solid.turned = true;
    solid.empty = !(capsule.radius >= 0.0f);
    return solid;
}

Solid solid(const bv::RectSweptSphere& rect) {
    Solid solid;
    solid.center = rect.center;
    solid.axes = dmat3(rect.axes);
    solid.half = {rect.half_extents.x, rect.half_extents.y, 0.0};
    solid.radius = rect.radius;
    solid.turned = true;
    solid.empty = !(rect.radius >= 0.0f);
    return solid;
}

/// The bounding box of the given corners.
void enclose(Solid& solid, const std::vector<dvec3>& corners) {
    dvec3 min(kInfinity), max(-kInfinity);
    for (const dvec3& corner : corners) {
        min = glm::min(min, corner);
        max = glm::max(max, corner);
    }
    solid.empty = corners.empty();
    if (solid.empty) return;
    solid.center = 0.5 * (min + max);
    solid.half = 0.5 * (max - min);
}

Solid solid(const PlacedHull& hull) {
    Solid solid;
    solid.corners = hull.corners;
    enclose(solid, solid.corners);
    solid.turned = true;
    return solid;
}

/// The vertices: intersections of three planes that no other plane cuts off.
std::vector<dvec3> corners_of(const std::vector<Solid::Slab>& slabs) {
    struct Side {
        dvec3 normal;
        double distance;
    };
    std::vector<Side> sides;
    double size = 0.0;
    for (const Solid::Slab& slab : slabs) {
        sides.push_back({slab.direction, slab.max});
        sides.push_back({-slab.direction, -slab.min});
        size = std::max({size, std::abs(slab.min), std::abs(slab.max)});
    }
    std::vector<dvec3> corners;
    for (std::size_t i = 0; i < sides.size(); ++i)
        for (std::size_t j = i + 1; j < sides.size(); ++j) {
            const dvec3 edge = glm::cross(sides[i].normal, sides[j].normal);
            if (edge == dvec3(0.0)) continue;
            for (std::size_t k = j + 1; k < sides.size(); ++k) {
                const double volume = glm::dot(edge, sides[k].normal);
                if (volume == 0.0) continue;
                const dvec3 at = (sides[i].distance * glm::cross(sides[j].normal, sides[k].normal) +
                                  sides[j].distance * glm::cross(sides[k].normal, sides[i].normal) +
                                  sides[k].distance * edge) /
                                 volume;
                const bool inside = std::all_of(sides.begin(), sides.end(), [&](const Side& side) {
                    return glm::dot(side.normal, at) <= side.distance + 1e-12 * size;
                });
                if (inside) corners.push_back(at);
            }
        }
    return corners;
}

template <int K>
Solid solid(const bv::Kdop<K>& dop) {
    Solid solid;
    dvec3 min(-kInfinity), max(kInfinity);
    for (std::size_t i = 0; i < K / 2; ++i) {
        const dvec3 direction = bv::Kdop<K>::direction(static_cast<int>(i));
        solid.slabs.push_back({direction, dop.min[i], dop.max[i]});
        if (!(dop.min[i] <= dop.max[i])) solid.empty = true;
    }
    // Coordinates are bounded by themselves, or by sums and differences of the diagonals.
    for (const Solid::Slab& p : solid.slabs)
        for (const Solid::Slab& q : solid.slabs)
            for (const double sign : {-1.0, 1.0}) {
                const dvec3 sum = p.direction + sign * q.direction;
                const double low = p.min + (sign > 0.0 ? q.min : -q.max);
                const double high = p.max + (sign > 0.0 ? q.max : -q.min);
                for (int axis = 0; axis < 3; ++axis) {
                    dvec3 unit(0.0);
                    unit[axis] = sum[axis];
                    if (!(sum[axis] > 0.0) || sum != unit) continue;
                    min[axis] = std::max(min[axis], low / sum[axis]);
                    max[axis] = std::min(max[axis], high / sum[axis]);
                }
            }
    solid.center = 0.5 * (min + max);
    solid.half = glm::max(0.5 * (max - min), dvec3(0.0));
    solid.turned = true;
    return solid;
}

bool is_ball(const Solid& solid) {
    return solid.half == dvec3(0.0) && solid.corners.empty();
}

bool is_box(const Solid& solid) {
    return solid.radius == 0.0 && solid.corners.empty() && solid.slabs.empty();
}

/// Distance from a point to a box.
double distance_to_box(const Solid& box, const dvec3& point) {
    const dvec3 offset = point - box.center;
    dvec3 outside(0.0);
    for (int i = 0; i < 3; ++i)
        outside[i] = std::max(std::abs(glm::dot(offset, box.axes[i])) - box.half[i], 0.0);
    return glm::length(outside);
}

/// The largest gap of two boxes over the 15 axes; negative: the depth of their overlap. Cross products of
/// edges are not normalized, as in the fast test.
double gap_between_boxes(const Solid& a, const Solid& b) {
    double widest = -kInfinity;
    const auto try_axis = [&](const dvec3& axis) {
        double reach = 0.0;
        for (int i = 0; i < 3; ++i)
            reach += a.half[i] * std::abs(glm::dot(a.axes[i], axis)) +
                     b.half[i] * std::abs(glm::dot(b.axes[i], axis));
        widest = std::max(widest, std::abs(glm::dot(b.center - a.center, axis)) - reach);
    };
    for (int i = 0; i < 3; ++i) {
        try_axis(a.axes[i]);
        try_axis(b.axes[i]);
        for (int j = 0; j < 3; ++j) {
            const dvec3 axis = glm::cross(a.axes[i], b.axes[j]);
            // Parallel edges add no axis.
            if (glm::dot(axis, axis) > 1e-10) try_axis(axis);
        }
    }
    return widest;
}

/// The corners of a core.
std::vector<dvec3> core_of(const Solid& solid) {
    if (!solid.corners.empty()) return solid.corners;
    if (!solid.slabs.empty()) return corners_of(solid.slabs);
    std::vector<dvec3> corners;
    for (int i = 0; i < 8; ++i) {
        dvec3 at = solid.center;
        for (int k = 0; k < 3; ++k)
            at += ((i >> k & 1) ? 1.0 : -1.0) * solid.half[k] * solid.axes[k];
        corners.push_back(at);
    }
    return corners;
}

dvec3 farthest(const std::vector<dvec3>& points, const dvec3& direction) {
    const auto less = [&](const dvec3& a, const dvec3& b) { return dot(a, direction) < dot(b, direction); };
    return *std::max_element(points.begin(), points.end(), less);
}

/// Bounds of the distance of two convex cores: from a separating plane, and from two points.
struct DistanceBounds {
    double low, high;
};

/// The point of the hull of at most four points that is closest to the origin; reduces `points` to its face.
/// Tries every face: the closest point of its plane or line counts if it is inside.
dvec3 nearest_to_origin(std::vector<dvec3>& points) {
    dvec3 best(kInfinity);
    std::vector<dvec3> kept;
    for (unsigned chosen = 1; chosen < 1u << points.size(); ++chosen) {
        std::vector<dvec3> face;
        for (std::size_t i = 0; i < points.size(); ++i)
            if (chosen >> i & 1u) face.push_back(points[i]);
        // Edges from the first corner, completed by orthogonal columns.
        const std::size_t edges = face.size() - 1;
        dmat3 frame = edges == 1 ? axes_along(face[1] - face[0]) : dmat3(1.0);
        for (std::size_t i = 0; i < edges; ++i)
            frame[static_cast<int>(i)] = face[i + 1] - face[0];
        if (edges == 2) frame[2] = glm::cross(frame[0], frame[1]);
        if (glm::determinant(frame) == 0.0) continue;
        const dvec3 shares = glm::inverse(frame) * -face[0];
        double rest = 1.0;
        dvec3 at = face[0];
        bool inside = true;
        for (std::size_t i = 0; i < edges; ++i) {
            const double share = shares[static_cast<int>(i)];
            rest -= share;
            at += share * frame[static_cast<int>(i)];
            inside = inside && share >= 0.0;
        }
        if (!inside || rest < 0.0 || !(glm::length(at) < glm::length(best))) continue;
        best = at;
        kept = std::move(face);
    }
    points = std::move(kept);
    return best;
}

/// Descends in the difference of the cores: adds the corner farthest towards the origin to a few corners
/// around the closest point so far. Ends when both bounds are on one side of `reach`, or rounding stops
/// progress.
DistanceBounds distance_between(const std::vector<dvec3>& a, const std::vector<dvec3>& b, double reach,
                                double exact) {
    constexpr int kSteps = 400;
    std::vector<dvec3> face = {a.front() - b.front()};
    DistanceBounds bounds{0.0, glm::length(face.front())};
    dvec3 at = face.front();
    for (int i = 0; i < kSteps && bounds.high > exact; ++i) {
        const dvec3 corner = farthest(a, -at) - farthest(b, at);
        bounds.low = std::max(bounds.low, glm::dot(at, corner) / glm::length(at));
        if (bounds.low > reach || bounds.high < reach) break;
        if (std::find(face.begin(), face.end(), corner) != face.end()) break;
        face.push_back(corner);
        const dvec3 next = nearest_to_origin(face);
        if (!(glm::length(next) < bounds.high)) break;
        at = next;
        bounds.high = glm::length(at);
    }
    return bounds;
}

std::vector<dvec3> shrunk(std::vector<dvec3> points, double share) {
    dvec3 middle(0.0);
    for (const dvec3& point : points)
        middle += point / static_cast<double>(points.size());
    for (dvec3& point : points)
        point = middle + (1.0 - share) * (point - middle);
    return points;
}

Answer overlap_of_cores(const Solid& a, const Solid& b, double band) {
    const std::vector<dvec3> in_a = core_of(a), in_b = core_of(b);
    if (in_a.empty() || in_b.empty()) return Answer::Either;  // a k-DOP thinner than its rounding
    const double reach = a.radius + b.radius, exact = 1e-9 * band;
    const DistanceBounds bounds = distance_between(in_a, in_b, reach + band, exact);
    if (bounds.low > reach + band) return Answer::No;
    if (reach > 0.0)
        return distance_between(in_a, in_b, reach - band, exact).high < reach - band ? Answer::Yes
                                                                                     : Answer::Either;
    // Cores alone: shrunk ones still overlap.
    constexpr double kShare = 1e-3;
    return distance_between(shrunk(in_a, kShare), shrunk(in_b, kShare), 0.0, exact).high <= exact
               ? Answer::Yes
               : Answer::Either;
}

bool same_directions(const Solid& a, const Solid& b) {
    return !a.slabs.empty() &&
           std::equal(a.slabs.begin(), a.slabs.end(), b.slabs.begin(), b.slabs.end(),
                      [](const Solid::Slab& p, const Solid::Slab& q) { return p.direction == q.direction; });
}

Answer overlap_of_slabs(const Solid& a, const Solid& b) {
    for (std::size_t i = 0; i < a.slabs.size(); ++i)
        if (a.slabs[i].max < b.slabs[i].min || b.slabs[i].max < a.slabs[i].min) return Answer::No;
    return Answer::Yes;
}

}  // namespace

// ---- volumes

Solid solid_of(const BodyVolume& volume) {
    return std::visit([](const auto& shape) { return solid(shape); }, volume);
}

Solid solid_of(const World& world, const Body& body, VolumeKind kind) {
    // Pairs were decided with the stored volumes.
    if (kind == VolumeKind::AabbTight || kind == body.state.volumes.kind)
        return std::visit([&](const auto& list) { return solid(list[world.place_of(body)]); },
                          world.volumes().column(kind));
    return solid_of(world.volume(kind, body));
}

Answer overlap(const Solid& a, const Solid& b) {
    if (a.empty || b.empty) return Answer::No;
    if (same_directions(a, b)) return overlap_of_slabs(a, b);
    const double apart = glm::length(b.center - a.center);
    const double reach = sum(a.half) + sum(b.half) + a.radius + b.radius;
    if (apart > 1.01 * reach) return Answer::No;  // even as bounding balls
    const double size = reach + apart;
    const double band = (a.turned || b.turned ? kSingleBand : kDoubleBand) * size;
    if (is_ball(a) && (is_ball(b) || is_box(b)))
        return from_gap(distance_to_box(b, a.center) - a.radius - b.radius, band);
    if (is_ball(b) && is_box(a)) return from_gap(distance_to_box(a, b.center) - a.radius - b.radius, band);
    if (is_box(a) && is_box(b)) return from_gap(gap_between_boxes(a, b), band);
    return overlap_of_cores(a, b, band);
}

bool overlap(const bv::Aabb& a, const bv::Aabb& b) {
    for (int i = 0; i < 3; ++i) {
        if (!(a.min[i] <= a.max[i] && b.min[i] <= b.max[i])) return false;
        if (a.max[i] < b.min[i] || b.max[i] < a.min[i]) return false;
    }
    return true;
}

namespace {

/// True if the solid contains a point, within the band.
bool holds_point(const Solid& solid, const dvec3& point, double band) {
    if (solid.empty) return false;
    for (const Solid::Slab& slab : solid.slabs) {
        const double along = glm::dot(slab.direction, point), slack = 2.0 * band;
        if (!(slab.min - slack <= along && along <= slab.max + slack)) return false;
    }
    if (!solid.slabs.empty()) return true;
    if (solid.corners.empty()) return distance_to_box(solid, point) - solid.radius <= band;
    // A hull's corners are vertices of the mesh.
    const bool at_corner = std::any_of(solid.corners.begin(), solid.corners.end(), [&](const dvec3& corner) {
        return glm::length(corner - point) <= band;
    });
    return at_corner || distance_between(solid.corners, {point}, band, 0.0).high <= band;
}

}  // namespace

std::optional<std::string> check_volumes(const World& world, const Body& body, VolumeSet kinds) {
    const MeshEntry& mesh = world.meshes()[body.state.mesh];
    const glm::mat4x3& stands = body.state.transform;
    const dmat3 linear{dvec3(stands[0]), dvec3(stands[1]), dvec3(stands[2])};
    const dvec3 place = stands[3];
    std::vector<std::pair<std::string_view, Solid>> volumes;
    for (const VolumeSpec& spec : kVolumeSpecs)
        if (kinds.has(spec.kind)) volumes.emplace_back(spec.name, solid_of(world, body, spec.kind));
    volumes.emplace_back("box in the broadphase", solid(world.broad_box(body)));
    for (const glm::vec3& corner : mesh.extremes) {
        const dvec3 point = linear * dvec3(corner) + place;
        const double band = 1e-6 * (glm::length(point - place) + glm::length(place));
        for (const auto& [name, volume] : volumes)
            if (!holds_point(volume, point, band))
                return fmt::format("the {} of body {} does not contain its mesh", name, body.state.id.value);
    }
    return std::nullopt;
}

// ---- rays

namespace {

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

/// The error in the hit itself; empty if the ray can hit that triangle there.
std::optional<std::string> check_hit(const World& world, const RayQuery& found) {
    const Body* body = world.find(found.body);
    if (!body || body->state.hidden) return fmt::format("body {} cannot be hit", found.body.value);
    const MeshEntry& mesh = world.meshes()[body->state.mesh];
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
        const MeshEntry& mesh = world.meshes()[body.state.mesh];
        const DoubleRay ray = to_local(found.ray, body.state);
        for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
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
        return static_cast<double>(body.scale) * sum(largest);
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

// ---- voxels

Answer voxels_touch(const bv::VoxelGrid& a, const bv::RigidTransform& pose_a, const bv::VoxelGrid& b,
                    const bv::RigidTransform& pose_b) {
    const auto cubes = [](const bv::VoxelGrid& grid, const bv::RigidTransform& pose) {
        std::vector<Solid> out;
        const double edge = grid.voxel_size();
        for (int z = 0; z < grid.size().z; ++z)
            for (int y = 0; y < grid.size().y; ++y)
                for (int x = 0; x < grid.size().x; ++x) {
                    if (!grid.filled({x, y, z})) continue;
                    const dvec3 local = dvec3(grid.origin()) + edge * (dvec3(x, y, z) + 0.5);
                    Solid cube;
                    cube.axes = dmat3(pose.rotation);
                    cube.center = cube.axes * local + dvec3(pose.translation);
                    cube.half = dvec3(0.5 * edge);
                    out.push_back(cube);
                }
        return out;
    };
    const std::vector<Solid> in_a = cubes(a, pose_a), in_b = cubes(b, pose_b);
    const double size = std::max(a.voxel_size(), b.voxel_size());
    const double reach = 0.5 * std::sqrt(3.0) * (static_cast<double>(a.voxel_size()) + b.voxel_size()) + size;
    Answer answer = Answer::No;
    for (const Solid& p : in_a)
        for (const Solid& q : in_b) {
            const dvec3 between = q.center - p.center;
            if (glm::dot(between, between) > reach * reach) continue;
            const Answer pair = from_gap(gap_between_boxes(p, q), kSingleBand * size);
            if (pair == Answer::Yes) return pair;
            if (pair == Answer::Either) answer = pair;
        }
    return answer;
}

// ---- trees

std::optional<std::string> check_tree(const World& world, const bv::TreeSnapshot& tree) {
    std::vector<std::uint64_t> held;
    for (std::uint32_t node = 0; node < tree.size(); ++node) {
        if (const std::uint32_t parent = tree.parents[node];
            parent != bv::TreeSnapshot::kNone && !holds(tree.boxes[parent], tree.boxes[node]))
            return fmt::format("node {} sticks out of its parent {}", node, parent);
        if (!tree.is_leaf(node)) continue;
        for (std::uint32_t i = 0; i < tree.payload_count[node]; ++i) {
            const std::uint64_t id = tree.payloads[tree.first_payload[node] + i];
            const Body* body = world.find({static_cast<std::uint32_t>(id)});
            if (!body) return fmt::format("node {} holds body {}, which is gone", node, id);
            if (!holds(tree.boxes[node], world.broad_box(*body)))
                return fmt::format("body {} sticks out of its leaf {}", id, node);
            held.push_back(id);
        }
    }
    std::sort(held.begin(), held.end());
    const auto bodies = world.bodies();
    const bool each_once = std::equal(held.begin(), held.end(), bodies.begin(), bodies.end(),
                                      [](std::uint64_t id, const Body& b) { return id == b.state.id.value; });
    if (!each_once)
        return fmt::format("its leaves hold {} bodies, not each of {} once", held.size(), bodies.size());
    return std::nullopt;
}

}  // namespace lab::reference
