// Rigid bodies that drift and rotate, and random relative poses of two bodies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/mat4x3.hpp>
#include <glm/vec3.hpp>
#include <vector>

#include "bv/shapes/aabb.hpp"

namespace bv::workloads {

/// A rotation, then a translation in meters.
struct Pose {
    glm::mat3 rotation{1.0f};
    glm::vec3 translation{0.0f};

    [[nodiscard]] glm::mat4x3 affine() const noexcept {
        return {rotation[0], rotation[1], rotation[2], translation};
    }
};

/// Uniform rotations, and translations uniform in the ball of radius `reach`: with the sum of two bodies'
/// bounding radii as `reach`, the bodies touch in some poses but not in others.
std::vector<Pose> random_poses(std::size_t count, float reach, std::uint64_t seed);

/// One body's state of motion.
struct Motion {
    glm::vec3 position{0.0f};
    glm::quat orientation{1.0f, 0.0f, 0.0f, 0.0f};
    glm::vec3 velocity{0.0f};          ///< m/s
    glm::vec3 angular_velocity{0.0f};  ///< rad/s, about the axes of the world
    float radius = 0.5f;               ///< Radius of the ball that bounces off the walls.

    [[nodiscard]] Pose pose() const noexcept { return {glm::mat3_cast(orientation), position}; }
};

struct SwarmOptions {
    std::size_t count = 40;
    std::uint64_t seed = 1;
    Aabb region{glm::vec3(-5.0f), glm::vec3(5.0f)};
    float min_radius = 0.35f;
    float max_radius = 0.7f;
    float speed = 1.0f;  ///< m/s
    float spin = 1.0f;   ///< rad/s at most
};

/// Bodies at random positions in the region. Where the region is narrower than a body, the body is centered.
std::vector<Motion> random_swarm(const SwarmOptions& options);
/// Advances by `seconds`. A ball that would leave the region is reflected; deterministic.
void advance(Motion& body, const Aabb& region, float seconds) noexcept;

}  // namespace bv::workloads
