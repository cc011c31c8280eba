// As many bodies as the machine can handle, and where the time of a frame goes.
#include <array>
#include <cmath>
#include <glm/gtc/quaternion.hpp>

#include "bv/portable_math.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "scenes/steady_time.hpp"
#include "settings/draw.hpp"
#include "settings/rays.hpp"
#include "settings/tree.hpp"
#include "workloads/random.hpp"
#include "world/mesh_library.hpp"
#include "world/world.hpp"

namespace lab::scenes::stress_scene {
namespace {

constexpr std::array kStressBodiesChoices = {Choice{"1000", "1,000", 1000}, Choice{"10000", "10,000", 10000},
                                             Choice{"100000", "100,000", 100000}};
constexpr Setting<int> kStressBodies{{
    .id = "stress.bodies",
    .label = "Bodies",
    .help = "Scene stress: how many bodies",
    .default_value = "10000",
    .choices = kStressBodiesChoices,
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kStressBodies, &kBroadphaseKind};

constexpr float kRadius = 0.6f;
constexpr float kSpeed_mps = 2.0f;
/// Space for each body, so that each overlaps about one other.
constexpr float kVolumePerBody = 8.0f;

struct Stage {
    const char* name;
    double TimingsMs::*ms;
};
constexpr std::array kStages = {Stage{"motion", &TimingsMs::motion},
                                Stage{"refit of volumes", &TimingsMs::refit},
                                Stage{"broadphase", &TimingsMs::broadphase},
                                Stage{"narrow phase", &TimingsMs::narrowphase},
                                Stage{"results for display", &TimingsMs::results},
                                Stage{"rays", &TimingsMs::queries},
                                Stage{"draw list", &TimingsMs::viz},
                                Stage{"drawing", &TimingsMs::render}};

class Stress final : public SceneOf<Stress> {
  public:
    void setup(SceneContext& context) override {
        // With thousands of bodies, outlines and lines would hide everything.
        for (const Setting<bool>* flag : {&kDrawAxes, &kDrawTree, &kDrawContacts, &kRaySweep})
            context.settings.assign(*flag, false);
        populate(context);
        context.camera = {};
        context.frame_box = context.world.arena();
    }

    void adapt(SceneContext& context) override {
        if (context.settings[kStressBodies] == count_) return;
        context.world.remove_all();
        populate(context);
    }

    void analyze(const SceneContext&, const FrameResults& results) override {
        // Viz and rendering come after the step, so theirs are the times of the frame before.
        for (std::size_t i = 0; i < kStages.size(); ++i) {
            if (results.frame < 3) ms_[i].clear();
            ms_[i].add(results.timings_ms.*kStages[i].ms);
        }
    }

    void show(const SceneContext& context, FrameResults& results) const override {
        const auto bodies = static_cast<double>(std::max<std::size_t>(context.world.bodies().size(), 1));
        Table table{"stress", "Where the time goes", {"stage", {"per body", "ns"}, {"", "ms"}}};
        double total = 0;
        const auto row = [&](const char* name, double ms) {
            table.add({name, cells::fixed(1e6 * ms / bodies, 0).timed(), cells::fixed(ms, 2).timed()});
        };
        for (const SteadyTime& ms : ms_)
            total += ms.median();
        row("total", total);
        for (std::size_t i = 0; i < kStages.size(); ++i)
            row(kStages[i].name, ms_[i].median());
        results.tables.push_back(std::move(table));
    }

  private:
    void populate(SceneContext& context) {
        count_ = context.settings[kStressBodies];
        const int count = count_;
        const float side = bv::cbrt(kVolumePerBody * static_cast<float>(count));
        const bv::Aabb arena{{-0.8f * side, 0.0f, -0.8f * side}, {0.8f * side, 0.39f * side, 0.8f * side}};
        context.world.set_arena(arena);
        // The meshes with the fewest triangles.
        static constexpr std::array<std::string_view, 4> kMeshes = {"box", "octahedron", "tetrahedron",
                                                                    "icosahedron"};
        bv::workloads::Random random(context.seed);
        for (int i = 0; i < count; ++i) {
            const auto mesh = context.meshes.find(kMeshes[static_cast<std::size_t>(i) % kMeshes.size()]);
            if (!mesh) continue;
            BodySpec spec;
            spec.mesh = *mesh;
            spec.scale = kRadius * random.uniform(0.6f, 1.4f) / context.meshes[*mesh].sphere.radius;
            spec.position = random.in_box(arena.min + kRadius, arena.max - kRadius);
            spec.orientation = glm::quat_cast(random.rotation());
            spec.velocity = kSpeed_mps * random.direction();
            spec.angular_velocity = random.in_ball();
            spec.shown = kShowNone;
            context.world.add(spec);
        }
    }

    int count_ = 0;
    std::array<SteadyTime, kStages.size()> ms_;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "stress",
    .category = "Trees",
    .title = "Ten thousand bodies",
    .summary =
        "As many bodies as your computer can handle, each overlapping about one other. The table shows where "
        "the time of a frame goes: compare the stages at 1,000, 10,000 and 100,000 bodies, and switch the "
        "broadphase while they move.",
    .make = make_scene<Stress>,
    .settings = kSettings,
};

}  // namespace lab::scenes::stress_scene
