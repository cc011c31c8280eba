#include "view/gizmo.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "bv/portable_math.hpp"

namespace lab {
namespace {

constexpr float kTwoPi = 6.2831853f;
constexpr int kRingSteps = 64;
/// Below this angle between a line of sight and an axis or plane their intersection is ill-conditioned.
constexpr float kTooSteep = 0.05f;

float distance_to_segment(glm::vec2 p, glm::vec2 a, glm::vec2 b) {
    const glm::vec2 along = b - a;
    const float length_sq = glm::dot(along, along);
    const float s = length_sq > 0.0f ? std::clamp(glm::dot(p - a, along) / length_sq, 0.0f, 1.0f) : 0.0f;
    return glm::length(p - (a + s * along));
}

/// The intersection of the line of sight through a pixel with the plane through the gizmo's center.
std::optional<glm::vec3> on_plane(const Gizmo& gizmo, const glm::vec3& normal, const Camera& camera,
                                  glm::vec2 view_px, glm::vec2 pixel) {
    const bv::Ray ray = camera.ray_through(pixel, view_px);
    const float facing = glm::dot(ray.direction, normal);
    if (std::abs(facing) < kTooSteep) return std::nullopt;
    const float t = glm::dot(gizmo.center - ray.origin, normal) / facing;
    return t > 0.0f ? std::optional(ray.at(t)) : std::nullopt;
}

/// The point of an axis through the gizmo's center that is closest to the line of sight.
std::optional<float> on_axis(const Gizmo& gizmo, const glm::vec3& axis, const Camera& camera,
                             glm::vec2 view_px, glm::vec2 pixel) {
    const bv::Ray ray = camera.ray_through(pixel, view_px);
    const float along = glm::dot(ray.direction, axis);
    const float across_sq = 1.0f - along * along;
    if (across_sq < kTooSteep * kTooSteep) return std::nullopt;
    const glm::vec3 to_center = gizmo.center - ray.origin;
    return (along * glm::dot(to_center, ray.direction) - glm::dot(to_center, axis)) / across_sq;
}

bool in_square(const Gizmo& gizmo, int normal, const Camera& camera, glm::vec2 view_px, glm::vec2 pixel) {
    const auto point = on_plane(gizmo, unit_axis(normal), camera, view_px, pixel);
    if (!point) return false;
    const glm::vec3 offset = (*point - gizmo.center) / gizmo.metres_per_px;
    const float u = offset[(normal + 1) % 3], v = offset[(normal + 2) % 3];
    constexpr float kNear = 0.3f * kGizmoSquarePx;  // the center belongs to the arrows
    return u >= kNear && v >= kNear && u <= kGizmoSquarePx && v <= kGizmoSquarePx;
}

}  // namespace

std::optional<Gizmo> gizmo_at(const glm::vec3& center, GizmoMode mode, const Camera& camera,
                              glm::vec2 view_px, float scale) {
    const float depth = glm::dot(center - camera.eye(), camera.forward());
    if (mode == GizmoMode::Off || !(depth > 1e-4f) || view_px.y < 1.0f) return std::nullopt;
    Gizmo gizmo;
    gizmo.center = center;
    gizmo.metres_per_px = scale * depth * 2.0f * bv::tan(0.5f * camera.fov_y_rad) / view_px.y;
    gizmo.moves = mode != GizmoMode::Turn;
    gizmo.turns = mode != GizmoMode::Move;
    return gizmo;
}

int axis_of(GizmoPart part) {
    switch (part) {
        case GizmoPart::MoveY:
        case GizmoPart::MoveZX:
        case GizmoPart::TurnY:
            return 1;
        case GizmoPart::MoveZ:
        case GizmoPart::MoveXY:
        case GizmoPart::TurnZ:
            return 2;
        default:
            return 0;
    }
}

bool is_turn(GizmoPart part) {
    return part >= GizmoPart::TurnX;
}

bool is_plane(GizmoPart part) {
    return part >= GizmoPart::MoveYZ && part <= GizmoPart::MoveXY;
}

glm::vec3 unit_axis(int axis) {
    glm::vec3 unit(0.0f);
    unit[axis] = 1.0f;
    return unit;
}

glm::vec3 ring_point(const Gizmo& gizmo, int axis, float turn) {
    glm::vec3 offset(0.0f);
    offset[(axis + 1) % 3] = bv::cos(kTwoPi * turn);
    offset[(axis + 2) % 3] = bv::sin(kTwoPi * turn);
    return gizmo.center + kGizmoRingPx * gizmo.metres_per_px * offset;
}

bool faces_eye(const Gizmo& gizmo, const glm::vec3& point, const glm::vec3& eye) {
    const glm::vec3 to_eye = eye - gizmo.center, offset = point - gizmo.center;
    return glm::dot(offset, to_eye) > -0.04f * glm::length(to_eye) * glm::length(offset);
}

std::vector<bv::Segment> ring_segments(const Gizmo& gizmo, int axis, const glm::vec3& eye) {
    std::vector<bv::Segment> segments;
    for (int i = 0; i < kRingSteps; ++i) {
        const glm::vec3 p = ring_point(gizmo, axis, static_cast<float>(i) / kRingSteps);
        if (faces_eye(gizmo, p, eye))
            segments.push_back({p, ring_point(gizmo, axis, static_cast<float>(i + 1) / kRingSteps)});
    }
    return segments;
}

GizmoPart gizmo_part_at(const Gizmo& gizmo, const Camera& camera, glm::vec2 view_px, float scale,
                        glm::vec2 pixel) {
    const auto seen = [&](const glm::vec3& p) { return camera.project(p, view_px); };
    float nearest = kGizmoReachPx * scale;
    GizmoPart best = GizmoPart::None;
    const auto offer = [&](float distance, GizmoPart part) {
        if (distance >= nearest) return;
        nearest = distance;
        best = part;
    };
    for (int axis = 0; gizmo.moves && axis < 3; ++axis)
        if (in_square(gizmo, axis, camera, view_px, pixel)) return kGizmoSquares[axis];
    const auto center = seen(gizmo.center);
    for (int axis = 0; gizmo.moves && center && axis < 3; ++axis)
        if (const auto tip = seen(gizmo.center + kGizmoArrowPx * gizmo.metres_per_px * unit_axis(axis)))
            offer(distance_to_segment(pixel, *center, *tip), kGizmoArrows[axis]);
    if (best != GizmoPart::None) return best;
    for (int axis = 0; gizmo.turns && axis < 3; ++axis)
        for (const bv::Segment& piece : ring_segments(gizmo, axis, camera.eye()))
            if (const auto a = seen(piece.a), b = seen(piece.b); a && b)
                offer(distance_to_segment(pixel, *a, *b), kGizmoRings[axis]);
    return best;
}

glm::vec3 gizmo_delta(const Gizmo& gizmo, GizmoPart part, const Camera& camera, glm::vec2 view_px,
                      glm::vec2 from, glm::vec2 to) {
    const glm::vec3 axis = unit_axis(axis_of(part));
    if (is_plane(part)) {
        const auto a = on_plane(gizmo, axis, camera, view_px, from);
        const auto b = on_plane(gizmo, axis, camera, view_px, to);
        if (!a || !b) return glm::vec3(0.0f);
        const glm::vec3 delta = *b - *a;
        return delta - axis * glm::dot(delta, axis);
    }
    const auto a = on_axis(gizmo, axis, camera, view_px, from);
    const auto b = on_axis(gizmo, axis, camera, view_px, to);
    return a && b ? axis * (*b - *a) : glm::vec3(0.0f);
}

float gizmo_angle(const Gizmo& gizmo, GizmoPart part, const Camera& camera, glm::vec2 view_px, glm::vec2 from,
                  glm::vec2 to) {
    const int axis = axis_of(part);
    const auto angle_at = [&](glm::vec2 pixel) -> std::optional<float> {
        const auto point = on_plane(gizmo, unit_axis(axis), camera, view_px, pixel);
        if (!point) return std::nullopt;
        const glm::vec3 offset = *point - gizmo.center;
        return bv::atan2(offset[(axis + 2) % 3], offset[(axis + 1) % 3]);
    };
    const auto a = angle_at(from), b = angle_at(to);
    if (!a || !b) return 0.0f;
    const float angle = *b - *a;
    return angle - kTwoPi * std::round(angle / kTwoPi);
}

}  // namespace lab
