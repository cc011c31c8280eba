// The first thing that anyone sees: a room of drifting bodies around one that shows all four volumes.
#include <array>
#include <glm/geometric.hpp>

#include "sandbox/mesh_library.hpp"
#include "sandbox/scenes/factories.hpp"
#include "sandbox/world.hpp"
#include "workloads/random.hpp"

namespace lab::scenes {
namespace {

constexpr bv::Aabb kRoom = {glm::vec3(-8.0f, 0.0f, -5.0f), glm::vec3(8.0f, 7.0f, 5.0f)};
constexpr int kDrifting = 39;
constexpr float kFastest_mps = 1.1f;

class Welcome final : public Scene {
  public:
    void setup(SceneContext& context) override {
        context.world.set_room(kRoom);
        context.world.set_lamp(glm::vec3(kRoom.min.x + 0.3f, kRoom.max.y - 0.3f, kRoom.max.z - 0.3f));
        add_center(context);
        bv::workloads::Random random(context.seed);
        for (int i = 0; i < kDrifting; ++i)
            add_drifting(context, random, i);
        context.camera = {};
        context.camera.yaw_rad = 0.5f;
        context.camera.pitch_rad = 0.3f;
    }

  private:
    static void add_center(SceneContext& context) {
        const auto mesh = context.meshes.find("teapot");
        if (!mesh) return;
        BodySpec spec;
        spec.mesh = *mesh;
        spec.position = kRoom.center();
        spec.scale = 1.5f / context.meshes[*mesh].sphere.radius;
        spec.angular_velocity = {0.12f, 0.45f, 0.07f};
        spec.orientation = glm::quat(glm::vec3(0.35f, 0.4f, 0.2f));
        context.world.add(spec);
    }

    static void add_drifting(SceneContext& context, bv::workloads::Random& random, int i) {
        // Small rounds of the catalog, so that neighbors in number, which start near each other, differ.
        static constexpr std::array<std::string_view, 12> kMeshes = {
            "torus", "rock",       "capsule", "gear", "icosahedron", "torus_knot",
            "box",   "spike_ball", "cone",    "pawn", "helix",       "dodecahedron"};
        // Half of them show one volume each; the others stay bare so that the picture remains readable.
        static constexpr std::array<std::uint8_t, 8> kShown = {kShowObb,       kShowNone,      kShowSphere,
                                                               kShowNone,      kShowAabbTight, kShowNone,
                                                               kShowAabbFixed, kShowNone};
        const auto mesh = context.meshes.find(kMeshes[static_cast<std::size_t>(i) % kMeshes.size()]);
        if (!mesh) return;
        const float radius = random.uniform(0.45f, 0.85f);
        BodySpec spec;
        spec.mesh = *mesh;
        spec.scale = radius / context.meshes[*mesh].sphere.radius;
        spec.position = random.in_box(kRoom.min + radius, kRoom.max - radius);
        spec.orientation = glm::quat_cast(random.rotation());
        spec.velocity = kFastest_mps * random.uniform(0.4f, 1.0f) * random.direction();
        spec.angular_velocity = 0.9f * random.in_ball();
        spec.shown = kShown[static_cast<std::size_t>(i) % kShown.size()];
        context.world.add(spec);
    }
};

}  // namespace

std::unique_ptr<Scene> make_welcome() {
    return std::make_unique<Welcome>();
}

}  // namespace lab::scenes
