// The first scene: a room of drifting bodies around one that shows all four volumes.
#include <algorithm>
#include <array>
#include <glm/geometric.hpp>

#include "scenes/scenes.hpp"
#include "settings/draw.hpp"
#include "settings/settings.hpp"
#include "settings/tree.hpp"
#include "workloads/random.hpp"
#include "world/mesh_library.hpp"
#include "world/world.hpp"

namespace lab::scenes::welcome_scene {
namespace {

constexpr bv::Aabb kArena = {glm::vec3(-7.5f, 0.0f, -4.5f), glm::vec3(7.5f, 6.4f, 4.5f)};
constexpr int kDrifting = 39;
constexpr float kFastest_mps = 1.0f;
constexpr float kCenterRadius = 1.55f;

class Welcome final : public SceneOf<Welcome> {
  public:
    void setup(SceneContext& context) override {
        context.world.set_arena(kArena);
        context.world.set_light(glm::vec3(kArena.min.x + 0.3f, kArena.max.y - 0.3f, kArena.max.z - 0.3f));
        add_center(context);
        bv::workloads::Random random(context.seed);
        for (int i = 0; i < kDrifting; ++i)
            add_drifting(context, random, i);
        // A binary tree has more levels to show than the default wide one.
        if (context.settings[kBroadphaseKind] == bv::BroadphaseKind::WideTree)
            context.settings.assign(kBroadphaseKind, bv::BroadphaseKind::DynamicTree);
        // A few large nodes show how a tree divides the room; all of them would hide the bodies.
        context.settings.assign(kDrawTreeMinDepth, 1);
        context.settings.assign(kDrawTreeMaxDepth, 3);
        context.settings.assign(kDrawTreeColor, TreeColor::Uniform);
        context.settings.assign(kDrawAxes, false);
        context.camera = {};
        context.camera.yaw_rad = 0.42f;
        context.camera.pitch_rad = 0.27f;
        context.camera.fov_y_rad = 0.7f;
        // The corners of the room may lie outside of the picture, so that the bodies are large.
        context.frame_box = kArena;
        context.frame_box.min += glm::vec3(0.4f, 0.2f, 1.0f);
        context.frame_box.max -= glm::vec3(0.4f, 0.2f, 1.0f);
    }

  private:
    static void add_center(SceneContext& context) {
        const auto mesh = context.meshes.find("teapot");
        if (!mesh) return;
        BodySpec spec;
        spec.mesh = *mesh;
        spec.position = kArena.center();
        spec.scale = kCenterRadius / context.meshes[*mesh].sphere.radius;
        spec.angular_velocity = {0.06f, 0.4f, 0.03f};
        spec.orientation = glm::quat(glm::vec3(0.25f, 0.5f, 0.12f));
        context.world.add(spec);
    }

    static void add_drifting(SceneContext& context, bv::workloads::Random& random, int i) {
        static constexpr std::array<std::string_view, 13> kMeshes = {
            "torus",      "rock", "capsule", "gear",  "icosahedron",  "torus_knot", "box",
            "spike_ball", "cone", "pawn",    "helix", "dodecahedron", "octahedron"};
        // Less than half of them show one volume each, so that the picture stays readable.
        static constexpr std::array<VolumeSet, 10> kShown = {
            VolumeKind::Obb, kShowNone, VolumeKind::Sphere,    kShowNone, VolumeKind::AabbTight,
            kShowNone,       kShowNone, VolumeKind::AabbFixed, kShowNone, kShowNone};
        const auto mesh = context.meshes.find(kMeshes[static_cast<std::size_t>(i) % kMeshes.size()]);
        if (!mesh) return;
        const float radius = 0.5f + 0.0875f * static_cast<float>(random.below(5));
        BodySpec spec;
        spec.mesh = *mesh;
        spec.scale = radius / context.meshes[*mesh].sphere.radius;
        spec.position = free_place(context, random, radius);
        spec.orientation = glm::quat_cast(random.rotation());
        const glm::vec3 heading = random.direction();
        spec.velocity = kFastest_mps * random.uniform(0.4f, 1.0f) * heading;
        spec.angular_velocity = 0.9f * random.in_ball();
        spec.shown = kShown[static_cast<std::size_t>(i) % kShown.size()];
        context.world.add(spec);
    }

    /// A position where the body touches no other at the start, if a few tries find one.
    static glm::vec3 free_place(const SceneContext& context, bv::workloads::Random& random, float radius) {
        glm::vec3 place(0.0f);
        for (int attempt = 0; attempt < 30; ++attempt) {
            place = random.in_box(kArena.min + radius, kArena.max - radius);
            const auto free = [&](const Body& other) {
                const bv::Sphere ball = context.world.bodies().sphere(other);
                return glm::length(ball.center - place) > ball.radius + 0.9f * radius;
            };
            const auto& bodies = context.world.bodies();
            if (std::all_of(bodies.begin(), bodies.end(), free)) break;
        }
        return place;
    }
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "welcome",
    .category = "Start",
    .title = "Welcome",
    .summary =
        "Forty bodies drift and turn in a room. Some show a bounding volume, pairs whose volumes overlap "
        "light up, and a ray finds its triangle through the tree.",
    .make = make_scene<Welcome>,
};

}  // namespace lab::scenes::welcome_scene
