#include "world/bodies/spawner.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "workloads/random.hpp"

namespace lab {
namespace {

using bv::workloads::Random;

constexpr float kFastestSpin_rad = 1.2f;
constexpr std::uint32_t kHeaps = 5;
/// Size of a cluster, as a share of the space.
constexpr float kHeapSize = 0.14f;

/// The box of possible centers of a ball of that radius; at least a point.
bv::Aabb shrunk(const bv::Aabb& box, float radius) {
    const glm::vec3 center = box.center();
    const glm::vec3 half = glm::max(box.half_extents() - glm::vec3(radius), glm::vec3(0.0f));
    return {center - half, center + half};
}

/// Positions of bodies, one after the other.
class Places {
  public:
    Places(Placement placement, const bv::Aabb& space, int count, Random& random)
        : placement_(placement), count_(count), random_(random) {
        for (glm::vec3& heap : heaps_)
            if (placement == Placement::Clusters) heap = random.in_box(glm::vec3(-1.0f), glm::vec3(1.0f));
        lay_out(space.size());
    }

    /// Position of the i-th body, for a ball of that radius.
    glm::vec3 at(int number, const bv::Aabb& space, float radius) {
        const bv::Aabb free = shrunk(space, radius);
        const glm::vec3 middle = free.center(), half = free.half_extents();
        switch (placement_) {
            case Placement::Uniform:
                break;
            case Placement::Clusters: {
                const glm::vec3 heap = heaps_[random_.below(kHeaps)] * (1.0f - kHeapSize);
                return middle + half * (heap + kHeapSize * random_.in_ball());
            }
            case Placement::Row:
            case Placement::Grid:
                return middle + half * in_grid(number);
            case Placement::Shell:
                return middle + half * random_.direction();
        }
        return random_.in_box(free.min, free.max);
    }

  private:
    /// Cells along each axis, so that they are about cubes.
    void lay_out(const glm::vec3& size) {
        const int longest = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
        if (placement_ == Placement::Row) cells_[longest] = count_;
        if (placement_ != Placement::Grid) return;
        const auto held = [&] { return static_cast<long long>(cells_[0]) * cells_[1] * cells_[2]; };
        while (held() < count_) {
            int widest = 0;
            for (int axis = 1; axis < 3; ++axis)
                if (size[axis] / static_cast<float>(cells_[axis]) >
                    size[widest] / static_cast<float>(cells_[widest]))
                    widest = axis;
            ++cells_[widest];
        }
    }
    /// The center of a cell; coordinates in [-1, 1].
    [[nodiscard]] glm::vec3 in_grid(int number) const {
        glm::vec3 place(0.0f);
        for (int axis = 0; axis < 3; ++axis) {
            const int cell = number % cells_[axis];
            number /= cells_[axis];
            if (cells_[axis] > 1)
                place[axis] = 2.0f * static_cast<float>(cell) / static_cast<float>(cells_[axis] - 1) - 1.0f;
        }
        return place;
    }

    Placement placement_;
    int count_;
    Random& random_;
    glm::vec3 heaps_[kHeaps] = {};
    int cells_[3] = {1, 1, 1};
};

void set_motion(BodySpec& spec, const SpawnOptions& options, const bv::Aabb& space) {
    spec.motion.kind = options.motion;
    spec.motion.fastest = glm::length(spec.velocity);
    switch (options.motion) {
        case MotionKind::Orbit:
            spec.motion.anchor = space.center();
            break;
        case MotionKind::Walk:
            spec.motion.fastest = options.speed;
            break;
        case MotionKind::Still:
            spec.velocity = spec.angular_velocity = glm::vec3(0.0f);
            break;
        default:
            break;
    }
}

}  // namespace

int spawn_bodies(World& world, int count, const bv::Aabb& space, const SpawnOptions& options,
                 std::uint64_t seed) {
    Random random(seed);
    std::vector<MeshId> generated;
    for (std::size_t i = 0; i < world.bodies().meshes().size(); ++i)
        if (world.bodies().meshes().entries()[i].source == MeshLibrary::kGenerated)
            generated.push_back({static_cast<std::uint32_t>(i)});

    Places places(options.placement, space, count, random);
    int added = 0;
    for (int i = 0; i < count; ++i) {
        BodySpec spec;
        spec.mesh = options.mesh ? *options.mesh : generated[static_cast<std::size_t>(i) % generated.size()];
        const float size = 0.5f * static_cast<float>(random.below(5)) - 1.0f;  // five sizes, -1 to 1
        const float radius = options.radius * (1.0f + options.spread * size);
        const float mesh_radius = world.bodies().meshes()[spec.mesh].sphere.radius;
        spec.scale = mesh_radius > 0.0f ? radius / mesh_radius : 1.0f;
        spec.position = places.at(i, space, radius);
        spec.orientation = glm::quat_cast(random.rotation());
        const glm::vec3 heading = random.direction();
        spec.velocity = options.speed * random.uniform(0.25f, 1.0f) * heading;
        spec.angular_velocity = kFastestSpin_rad * random.in_ball();
        spec.shown = options.shown;
        set_motion(spec, options, space);
        if (world.add(spec).valid()) ++added;
    }
    return added;
}

}  // namespace lab
