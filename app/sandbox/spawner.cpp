#include "sandbox/spawner.hpp"

#include <algorithm>
#include <glm/geometric.hpp>

#include "workloads/random.hpp"

namespace lab {
namespace {

constexpr float kFastestSpin_rad = 1.2f;

/// The box that a ball of that radius can move in, at least a point.
bv::Aabb shrunk(const bv::Aabb& box, float radius) {
    const glm::vec3 center = box.center();
    const glm::vec3 half = glm::max(box.half_extents() - glm::vec3(radius), glm::vec3(0.0f));
    return {center - half, center + half};
}

}  // namespace

int spawn_bodies(World& world, int count, const bv::Aabb& space, const SpawnOptions& options,
                 std::uint64_t seed) {
    bv::workloads::Random random(seed);
    std::vector<MeshId> generated;
    for (std::size_t i = 0; i < world.meshes().size(); ++i)
        if (world.meshes().entries()[i].source == MeshLibrary::kGenerated)
            generated.push_back({static_cast<std::uint32_t>(i)});

    int added = 0;
    for (int i = 0; i < count; ++i) {
        BodySpec spec;
        spec.mesh = options.mesh ? *options.mesh : generated[static_cast<std::size_t>(i) % generated.size()];
        const float radius = options.radius * (0.75f + 0.125f * static_cast<float>(random.below(5)));
        const float mesh_radius = world.meshes()[spec.mesh].sphere.radius;
        spec.scale = mesh_radius > 0.0f ? radius / mesh_radius : 1.0f;
        const bv::Aabb free = shrunk(space, radius);
        spec.position = random.in_box(free.min, free.max);
        spec.orientation = glm::quat_cast(random.rotation());
        spec.velocity = options.speed * random.uniform(0.25f, 1.0f) * random.direction();
        spec.angular_velocity = kFastestSpin_rad * random.in_ball();
        spec.shown = options.shown;
        if (world.add(spec).valid()) ++added;
    }
    return added;
}

}  // namespace lab
