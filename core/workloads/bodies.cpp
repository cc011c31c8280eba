#include "workloads/bodies.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "workloads/random.hpp"

namespace bv::workloads {

std::vector<Pose> random_poses(std::size_t count, float reach, std::uint64_t seed) {
    Random random(seed, 0x905e);
    std::vector<Pose> poses(count);
    for (Pose& pose : poses) {
        pose.rotation = random.rotation();
        pose.translation = reach * random.in_ball();
    }
    return poses;
}

std::vector<Motion> random_swarm(const SwarmOptions& options) {
    Random random(options.seed, 0x5a);
    std::vector<Motion> bodies(options.count);
    for (Motion& body : bodies) {
        body.radius = random.uniform(options.min_radius, options.max_radius);
        const glm::vec3 place = random.in_box(glm::vec3(0.0f), glm::vec3(1.0f));
        for (int axis = 0; axis < 3; ++axis) {
            const float space = options.region.size()[axis] - 2.0f * body.radius;
            body.position[axis] = space > 0.0f ? options.region.min[axis] + body.radius + space * place[axis]
                                               : options.region.center()[axis];
        }
        body.orientation = glm::quat_cast(random.rotation());
        body.velocity = options.speed * random.direction();
        body.angular_velocity = options.spin * random.in_ball();
    }
    return bodies;
}

void advance(Motion& body, const Aabb& region, float seconds) noexcept {
    body.position += body.velocity * seconds;
    for (int axis = 0; axis < 3; ++axis) {
        const float low = region.min[axis] + body.radius;
        const float high = region.max[axis] - body.radius;
        if (low > high) {
            body.position[axis] = region.center()[axis];
        } else if (body.position[axis] < low) {
            body.position[axis] = std::min(low + (low - body.position[axis]), high);
            body.velocity[axis] = std::abs(body.velocity[axis]);
        } else if (body.position[axis] > high) {
            body.position[axis] = std::max(high - (body.position[axis] - high), low);
            body.velocity[axis] = -std::abs(body.velocity[axis]);
        }
    }
    // The quaternion's derivative is half the product of the angular velocity with it; renormalized, this
    // rotates by atan(w dt / 2) * 2, which equals the angle to third order.
    const glm::quat spin(0.0f, body.angular_velocity.x, body.angular_velocity.y, body.angular_velocity.z);
    body.orientation = glm::normalize(body.orientation + (0.5f * seconds) * (spin * body.orientation));
}

}  // namespace bv::workloads
