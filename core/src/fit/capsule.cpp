// Capsules and rectangle swept spheres around given axes, and the choice of axes.
#include "bv/fit/capsule.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <vector>

#include "bv/fit/hull.hpp"
#include "bv/fit/obb.hpp"
#include "bv/fit/sphere.hpp"
#include "fit/obb/principal.hpp"
#include "fit/passes.hpp"
#include "shapes/rounding.hpp"

namespace bv::fit {
namespace {

using detail::Points;

// The float radius for which contains_point accepts the given squared distance in double.
float radius_for(double distance_sq) {
    float r = detail::round_up(std::sqrt(distance_sq));
    while (static_cast<double>(r) * static_cast<double>(r) < distance_sq)
        r = detail::next_up(r);
    return r;
}

// Bounds that have crossed become their midpoint: any point between them will do then.
void close_gap(double& low, double& high) {
    if (low > high) low = high = 0.5 * (low + high);
}

// `points` are finite, and relative to `origin`.
struct Local {
    glm::dvec3 origin{0.0};
    std::vector<glm::dvec3> points;
};

Local local_points(Points points) {
    Local local;
    const Aabb bounds = detail::bounds_of(points);
    local.origin = 0.5 * (glm::dvec3(bounds.min) + glm::dvec3(bounds.max));
    for (const glm::vec3& p : points) {
        if (bv::is_finite(p)) local.points.push_back(glm::dvec3(p) - local.origin);
    }
    return local;
}

// A capsule along the first of `axes`: through the center of the smallest circle of the projections, found
// like the smallest ball. The projections are rounded to float for that; it only affects the choice of the
// line.
Capsule capsule_along(Points points, const Local& local, const glm::dmat3& axes) {
    std::vector<glm::vec3> flat;
    flat.reserve(local.points.size());
    for (const glm::dvec3& p : local.points)
        flat.emplace_back(glm::dot(p, axes[1]), glm::dot(p, axes[2]), 0.0);
    const Sphere circle = sphere_exact(flat);
    const auto radius = static_cast<double>(circle.radius);
    const glm::dvec2 middle(circle.center.x, circle.center.y);
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t i = 0; i < local.points.size(); ++i) {
        const glm::dvec2 off = glm::dvec2(flat[i]) - middle;
        // The ends are round: a point near the line is covered by an end before it.
        const double round = std::sqrt(std::max(radius * radius - glm::dot(off, off), 0.0));
        const double along = glm::dot(local.points[i], axes[0]);
        low = std::min(low, along + round);
        high = std::max(high, along - round);
    }
    close_gap(low, high);
    const glm::dvec3 line = local.origin + axes[1] * middle.x + axes[2] * middle.y;
    Capsule capsule{glm::vec3(line + axes[0] * low), glm::vec3(line + axes[0] * high), 0.0f};
    // Ends beyond the largest float: return all of space.
    if (!bv::is_finite(capsule.a) || !bv::is_finite(capsule.b))
        return {glm::vec3(0.0f), glm::vec3(0.0f), detail::kFloatInf};
    double farthest_sq = 0.0;
    for (const glm::vec3& p : points) {
        if (bv::is_finite(p))
            farthest_sq = std::max(farthest_sq, segment_distance_sq_in_double(capsule.a, capsule.b, p));
    }
    capsule.radius = radius_for(farthest_sq);
    return capsule;
}

struct Rectangle {
    glm::dvec2 low{std::numeric_limits<double>::infinity()};
    glm::dvec2 high{-std::numeric_limits<double>::infinity()};
};

// The least rectangle by its sides alone: at height h the round border extends sqrt(r^2 - h^2) beyond it.
Rectangle rectangle_by_sides(const std::vector<glm::dvec3>& coordinates, double middle, double radius) {
    Rectangle r;
    for (const glm::dvec3& q : coordinates) {
        const double h = q.z - middle;
        const double round = std::sqrt(std::max(radius * radius - h * h, 0.0));
        for (int k = 0; k < 2; ++k) {
            r.low[k] = std::min(r.low[k], q[k] + round);
            r.high[k] = std::max(r.high[k], q[k] - round);
        }
    }
    for (int k = 0; k < 2; ++k)
        close_gap(r.low[k], r.high[k]);
    return r;
}

// Points beyond a corner may still be too far from it: the corner moves out along its diagonal until they are
// covered.
void push_corners(const std::vector<glm::dvec3>& coordinates, double middle, double radius, Rectangle& r) {
    for (const glm::dvec3& q : coordinates) {
        const double h = q.z - middle;
        const double round_sq = std::max(radius * radius - h * h, 0.0);
        const bool right = q.x > r.high.x, left = q.x<r.low.x, above = q.y> r.high.y, below = q.y < r.low.y;
        if ((!right && !left) || (!above && !below)) continue;
        const double u = right ? q.x - r.high.x : r.low.x - q.x;
        const double v = above ? q.y - r.high.y : r.low.y - q.y;
        if (u * u + v * v <= round_sq) continue;
        // (u - a)^2 + (v - a)^2 = round^2
        const double a = 0.5 * (u + v - std::sqrt(std::max(2.0 * round_sq - (u - v) * (u - v), 0.0)));
        (right ? r.high.x : r.low.x) += right ? a : -a;
        (above ? r.high.y : r.low.y) += above ? a : -a;
    }
}

// The third axis is the normal.
RectSweptSphere swept_along(Points points, const Local& local, const glm::dmat3& axes) {
    std::vector<glm::dvec3> coordinates;
    coordinates.reserve(local.points.size());
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const glm::dvec3& p : local.points) {
        coordinates.emplace_back(glm::dot(p, axes[0]), glm::dot(p, axes[1]), glm::dot(p, axes[2]));
        low = std::min(low, coordinates.back().z);
        high = std::max(high, coordinates.back().z);
    }
    const double middle = 0.5 * (low + high), radius = 0.5 * (high - low);
    Rectangle r = rectangle_by_sides(coordinates, middle, radius);
    push_corners(coordinates, middle, radius, r);
    const glm::dvec2 center = 0.5 * (r.low + r.high);
    RectSweptSphere result;
    result.axes = glm::mat3(axes);
    result.center = glm::vec3(local.origin + axes[0] * center.x + axes[1] * center.y + axes[2] * middle);
    result.half_extents = glm::vec2(0.5 * (r.high - r.low));
    if (!bv::is_finite(result.center) || !bv::is_finite(glm::vec3(result.half_extents, 0.0f)))
        return {glm::vec3(0.0f), glm::vec2(0.0f), detail::kFloatInf, glm::mat3(1.0f)};
    double farthest_sq = 0.0;
    for (const glm::vec3& p : points) {
        if (bv::is_finite(p)) farthest_sq = std::max(farthest_sq, rectangle_distance_sq_in_double(result, p));
    }
    result.radius = radius_for(farthest_sq);
    return result;
}

glm::dmat3 rotated_columns(const glm::dmat3& axes, int k) {
    return {axes[k], axes[(k + 1) % 3], axes[(k + 2) % 3]};
}

double volume_of(const Capsule& c) {
    const auto r = static_cast<double>(c.radius);
    return r * r * (glm::distance(glm::dvec3(c.a), glm::dvec3(c.b)) + 4.0 / 3.0 * r);
}
double volume_of(const RectSweptSphere& s) {
    const auto r = static_cast<double>(s.radius);
    const glm::dvec2 h(s.half_extents);
    return 8.0 * h.x * h.y * r + 6.283185307179586 * r * r * (h.x + h.y) + 4.1887902047863905 * r * r * r;
}

// Candidate frames, with each column in turn as the first.
std::vector<glm::dmat3> good_frames(const Hull& hull, const Obb& box) {
    const glm::dmat3 principal = detail::principal_axes_of_hull(hull).axes;
    std::vector<glm::dmat3> frames;
    for (int k = 0; k < 3; ++k) {
        frames.push_back(rotated_columns(principal, k));
        if (!box.is_empty()) frames.push_back(rotated_columns(glm::dmat3(box.axes), k));
    }
    return frames;
}

// The smallest of the volumes along the candidate frames. Only the hull's vertices matter for the choice; the
// chosen one is then made again around all points.
template <class Along>
auto tight_along(Points points, const Hull& around, const Obb& box, const Along& along) {
    decltype(along(points, Local{}, glm::dmat3{})) best;
    glm::dmat3 chosen(1.0);
    const Local local = local_points(around.vertices);
    for (const glm::dmat3& frame : good_frames(around, box)) {
        const auto volume = along(around.vertices, local, frame);
        if (!best.is_empty() && !(volume_of(volume) < volume_of(best))) continue;
        best = volume;
        chosen = frame;
    }
    return along(points, local_points(points), chosen);
}

template <class Volume>
Volume smaller_of(const Volume& tight, const Volume& plain) {
    return volume_of(plain) < volume_of(tight) ? plain : tight;
}

}  // namespace

Capsule capsule_pca(std::span<const glm::vec3> points) {
    const Local local = local_points(points);
    if (local.points.empty()) return {};
    return capsule_along(points, local, detail::principal_axes(points).axes);
}

// The principal axes of all points differ from the hull's, and are sometimes better.
Capsule capsule_tight(std::span<const glm::vec3> points) {
    const Hull around = hull(points);
    if (around.is_empty()) return {};
    const Obb box = obb_exact(around.vertices, around);
    return smaller_of(tight_along(points, around, box, capsule_along), capsule_pca(points));
}

Capsule capsule_tight(std::span<const glm::vec3> points, const Obb& box) {
    const Hull around = hull(points);
    if (around.is_empty()) return {};
    return smaller_of(tight_along(points, around, box, capsule_along), capsule_pca(points));
}

RectSweptSphere rect_swept_sphere_pca(std::span<const glm::vec3> points) {
    const Local local = local_points(points);
    if (local.points.empty()) return {};
    return swept_along(points, local, detail::principal_axes(points).axes);
}

RectSweptSphere rect_swept_sphere_tight(std::span<const glm::vec3> points) {
    const Hull around = hull(points);
    if (around.is_empty()) return {};
    const Obb box = obb_exact(around.vertices, around);
    return smaller_of(tight_along(points, around, box, swept_along), rect_swept_sphere_pca(points));
}

RectSweptSphere rect_swept_sphere_tight(std::span<const glm::vec3> points, const Obb& box) {
    const Hull around = hull(points);
    if (around.is_empty()) return {};
    return smaller_of(tight_along(points, around, box, swept_along), rect_swept_sphere_pca(points));
}

}  // namespace bv::fit
