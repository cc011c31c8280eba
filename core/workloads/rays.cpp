#include "workloads/rays.hpp"

#include <glm/geometric.hpp>

#include "workloads/random.hpp"

namespace bv::workloads {
namespace {

float bounding_radius(const Aabb& bounds) {
    const float radius = glm::length(bounds.half_extents());
    return radius > 0.0f ? radius : 1.0f;
}

/// From `origin` toward `target`; any direction if the two coincide.
Ray toward(const glm::vec3& origin, const glm::vec3& target, Random& random) {
    const glm::vec3 direction = target - origin;
    const float length = glm::length(direction);
    return {origin, length > 0.0f ? direction / length : random.direction()};
}

}  // namespace

std::vector<Ray> rays_from_outside(std::size_t count, const Aabb& bounds, std::uint64_t seed) {
    Random random(seed, 0x7a1);
    std::vector<Ray> rays(count);
    for (Ray& ray : rays) {
        const glm::vec3 origin = bounds.center() + 2.0f * bounding_radius(bounds) * random.direction();
        ray = toward(origin, random.in_box(bounds.min, bounds.max), random);
    }
    return rays;
}

std::vector<Ray> rays_from_inside(std::size_t count, const Aabb& bounds, std::uint64_t seed) {
    Random random(seed, 0x7a2);
    std::vector<Ray> rays(count);
    for (Ray& ray : rays) {
        ray.origin = random.in_box(bounds.min, bounds.max);
        ray.direction = random.direction();
    }
    return rays;
}

std::vector<Ray> segments_inside(std::size_t count, const Aabb& bounds, std::uint64_t seed) {
    Random random(seed, 0x7a3);
    std::vector<Ray> rays(count);
    for (Ray& ray : rays) {
        ray.origin = random.in_box(bounds.min, bounds.max);
        ray.direction = random.in_box(bounds.min, bounds.max) - ray.origin;
        ray.t_max = 1.0f;
    }
    return rays;
}

std::vector<Ray> primary_rays(int pixels_per_side, const Aabb& bounds) {
    const float radius = bounding_radius(bounds);
    const glm::vec3 forward = glm::normalize(glm::vec3(-0.6f, -0.4f, -0.7f));
    const glm::vec3 right = glm::normalize(glm::cross(forward, glm::vec3(0, 1, 0)));
    const glm::vec3 up = glm::cross(right, forward);
    const glm::vec3 eye = bounds.center() - 3.0f * radius * forward;
    // At a distance of three radii the sphere's rim is at a slope of 1 / sqrt(8) from its center.
    constexpr float kHalfSlope = 0.3536f;
    std::vector<Ray> rays;
    for (int y = 0; y < pixels_per_side; ++y) {
        for (int x = 0; x < pixels_per_side; ++x) {
            const auto slope = [&](int pixel) {
                return kHalfSlope *
                       ((static_cast<float>(pixel) + 0.5f) * 2.0f / static_cast<float>(pixels_per_side) -
                        1.0f);
            };
            rays.push_back({eye, glm::normalize(forward + slope(x) * right - slope(y) * up)});
        }
    }
    return rays;
}

std::vector<Ray> awkward_rays(const Aabb& bounds) {
    std::vector<Ray> rays;
    const glm::vec3 center = bounds.center();
    // Starting points: every combination of low face, middle and high face on the three axes.
    for (int code = 0; code < 27; ++code) {
        const auto pick = [&](int axis, int digit) {
            return digit == 0 ? bounds.min[axis] : digit == 1 ? center[axis] : bounds.max[axis];
        };
        const glm::vec3 origin(pick(0, code % 3), pick(1, code / 3 % 3), pick(2, code / 9));
        for (int axis = 0; axis < 3; ++axis) {
            for (const float sign : {1.0f, -1.0f}) {
                glm::vec3 direction(0.0f);
                direction[axis] = sign;
                rays.push_back({origin, direction});
                rays.push_back({origin - 10.0f * direction, direction});
                rays.push_back({origin, -0.0f * direction + direction * 1e-20f});
            }
        }
        rays.push_back({origin, glm::vec3(0.0f)});
        rays.push_back({origin, glm::vec3(1.0f), 0.0f});
        rays.push_back({origin, {1.0f, 1.0f, 0.0f}});
        rays.push_back({origin, {0.0f, -1.0f, 1.0f}});
    }
    return rays;
}

}  // namespace bv::workloads
