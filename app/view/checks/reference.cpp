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
    const glm::dmat4x3 transform(hull.transform);
    if (!hull.is_empty())
        for (const glm::vec3& vertex : hull.hull->vertices)
            solid.corners.push_back(transform * glm::dvec4(vertex, 1.0));
    enclose(solid, solid.corners);
    solid.radius = hull.slack;
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
    if (reach > band)
        return distance_between(in_a, in_b, reach - band, exact).high < reach - band ? Answer::Yes
                                                                                     : Answer::Either;
    // Cores without radii, or with radii within the band, count as overlapping if they still do when shrunk.
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

/// Directions that depend on one another, as those of the 8-DOP, bound the coordinates, too: where all slabs
/// overlap and these bounds do not, the solids are apart, though a test of slabs cannot tell.
Answer overlap_of_slabs(const Solid& a, const Solid& b) {
    for (std::size_t i = 0; i < a.slabs.size(); ++i)
        if (a.slabs[i].max < b.slabs[i].min || b.slabs[i].max < a.slabs[i].min) return Answer::No;
    const dvec3 apart = glm::abs(b.center - a.center), reach = a.half + b.half;
    const double band = kSingleBand * (sum(apart) + sum(reach));
    for (int i = 0; i < 3; ++i)
        if (apart[i] > reach[i] - band) return Answer::Either;
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
        return std::visit([&](const auto& list) { return solid(list[world.bodies().place_of(body)]); },
                          world.bodies().volumes().column(kind));
    return solid_of(world.bodies().volume(kind, body));
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
        return glm::length(corner - point) <= band + solid.radius;
    });
    const double reach = band + solid.radius;
    return at_corner || distance_between(solid.corners, {point}, reach, 0.0).high <= reach;
}

}  // namespace

std::optional<std::string> check_volumes(const World& world, const Body& body, VolumeSet kinds) {
    const MeshEntry& mesh = world.bodies().meshes()[body.state.mesh];
    const glm::mat4x3& stands = body.state.transform;
    const dmat3 linear{dvec3(stands[0]), dvec3(stands[1]), dvec3(stands[2])};
    const dvec3 place = stands[3];
    std::vector<std::pair<std::string_view, Solid>> volumes;
    for (const VolumeSpec& spec : kVolumeSpecs)
        if (kinds.has(spec.kind)) volumes.emplace_back(spec.name, solid_of(world, body, spec.kind));
    volumes.emplace_back("box in the broadphase", solid(world.bodies().broad_box(body)));
    for (const glm::vec3& corner : mesh.extremes) {
        const dvec3 point = linear * dvec3(corner) + place;
        const double band = 1e-6 * (glm::length(point - place) + glm::length(place));
        for (const auto& [name, volume] : volumes)
            if (!holds_point(volume, point, band))
                return fmt::format("the {} of body {} does not contain its mesh", name, body.state.id.value);
    }
    return std::nullopt;
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
            if (!holds(tree.boxes[node], world.bodies().broad_box(*body)))
                return fmt::format("body {} sticks out of its leaf {}", id, node);
            held.push_back(id);
        }
    }
    std::sort(held.begin(), held.end());
    const auto& bodies = world.bodies();
    const bool each_once = std::equal(held.begin(), held.end(), bodies.begin(), bodies.end(),
                                      [](std::uint64_t id, const Body& b) { return id == b.state.id.value; });
    if (!each_once)
        return fmt::format("its leaves hold {} bodies, not each of {} once", held.size(), bodies.size());
    return std::nullopt;
}

}  // namespace lab::reference
