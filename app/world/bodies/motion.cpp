#include "world/bodies/motion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>

#include "workloads/random.hpp"
#include "world/bodies/body.hpp"
#include "world/world_settings.hpp"

namespace lab {
namespace {

constexpr float kGravity_mps2 = 9.81f;
constexpr float kRestitution = 0.8f;
/// A falling body slower than this comes to rest.
constexpr float kResting_mps = 0.35f;
/// Acceleration of a walk, as a multiple of its maximum speed per second.
constexpr float kPushes = 12.0f;

/// The orientation after turning about `angular_velocity` for `dt_s`, with an error of third order in the
/// angle.
glm::quat turned(const glm::quat& q, const glm::vec3& angular_velocity, float dt_s) {
    const glm::vec3 half = 0.5f * dt_s * angular_velocity;
    const glm::quat sum = q + glm::quat(0.0f, half.x, half.y, half.z) * q;
    const float length_sq = sum.w * sum.w + sum.x * sum.x + sum.y * sum.y + sum.z * sum.z;
    return sum * (1.0f / std::sqrt(length_sq));
}

/// A wall reflects the velocity but does not move the body, so that one that starts outside comes in.
void reflect(BodyState& state, const bv::Aabb& tight, const bv::Aabb& arena, int axis) {
    const float speed = std::abs(state.velocity[axis]);
    if (tight.min[axis] < arena.min[axis]) state.velocity[axis] = speed;
    if (tight.max[axis] > arena.max[axis]) state.velocity[axis] = -speed;
}

void push(Body& body) {
    glm::vec3& velocity = body.state.velocity;
    bv::workloads::Random random(body.state.id.value, body.motion.steps);
    velocity += kPushes / 60.0f * body.motion.fastest * random.in_ball();
    const float speed = glm::length(velocity);
    if (speed > body.motion.fastest) velocity *= body.motion.fastest / speed;
}

void fall(Body& body, const bv::Aabb& tight, const bv::Aabb& arena, float dt_s) {
    glm::vec3& velocity = body.state.velocity;
    const float floor = arena.is_empty() ? 0.0f : arena.min.y;
    const float below = floor - tight.min.y;
    velocity.y -= kGravity_mps2 * dt_s;
    if (below < 0.0f) return;
    body.position.y += below;
    if (velocity.y < 0.0f) velocity.y = -kRestitution * velocity.y;
    if (velocity.y > kResting_mps) return;
    // On the floor it slides and rolls to a stop.
    velocity = {0.9f * velocity.x, 0.0f, 0.9f * velocity.z};
    body.state.angular_velocity *= 0.9f;
}

/// A circle about the vertical through the anchor; the velocity is its tangent.
void orbit(Body& body, float dt_s) {
    glm::vec3 offset = body.position - body.motion.anchor;
    const float height = offset.y;
    offset.y = 0.0f;
    const float radius = glm::length(offset);
    if (!(radius > 1e-6f)) return;
    const glm::vec3 ahead = glm::vec3(offset.z, 0.0f, -offset.x) / radius;
    const glm::vec3 next = offset + body.motion.fastest * dt_s * ahead;
    const glm::vec3 on_circle = next * (radius / glm::length(next));
    body.position = body.motion.anchor + on_circle + glm::vec3(0.0f, height, 0.0f);
    body.state.velocity = body.motion.fastest * ahead;
}

}  // namespace

std::string_view id_of(MotionKind kind) {
    for (const Choice& choice : kSpawnMotionChoices)
        if (choice.value == static_cast<int>(kind)) return choice.id;
    return {};
}

std::optional<MotionKind> motion_kind(std::string_view id) {
    for (const Choice& choice : kSpawnMotionChoices)
        if (choice.id == id) return static_cast<MotionKind>(choice.value);
    return std::nullopt;
}

void advance(Body& body, const bv::Aabb& tight, const bv::Aabb& arena, float dt_s) {
    const MotionKind kind = body.motion.kind;
    if (kind == MotionKind::Still) return;
    ++body.motion.steps;
    if (kind == MotionKind::Orbit) {
        orbit(body, dt_s);
    } else {
        if (kind == MotionKind::Walk) push(body);
        if (kind == MotionKind::Fall) fall(body, tight, arena, dt_s);
        for (int axis = 0; !arena.is_empty() && axis < 3; ++axis)
            if (kind != MotionKind::Fall || axis != 1) reflect(body.state, tight, arena, axis);
        body.position += dt_s * body.state.velocity;
    }
    body.orientation = turned(body.orientation, body.state.angular_velocity, dt_s);
}

}  // namespace lab
