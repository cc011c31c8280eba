// One crowd, every broadphase. The chosen engine finds the world's pairs, and its data structure is drawn
// over the crowd; all others find the same pairs for the table.
#include <algorithm>
#include <cmath>
#include <glm/trigonometric.hpp>
#include <utility>

#include "bv/broadphase/broadphase.hpp"
#include "bv/portable_math.hpp"
#include "bv/query/overlap.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "platform/clock.hpp"
#include "results/volume_settings.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "scenes/steady_time.hpp"
#include "scenes/trees/broadphase_pictures.hpp"
#include "settings/draw.hpp"
#include "settings/rays.hpp"
#include "settings/tree.hpp"
#include "workloads/random.hpp"
#include "world/mesh_library.hpp"
#include "world/world.hpp"

namespace lab::scenes::broadphases_scene {
namespace {

constexpr Setting<int> kCrowdCount{{
    .id = "crowd.count",
    .label = "Bodies",
    .help = "Scene broadphases: how many bodies",
    .default_value = "110",
    .min = 2,
    .max = 5000,
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kCrowdCount, &kBroadphaseKind};

constexpr float kRadius = 0.45f;
constexpr float kHeight = 1.6f;  // one layer of bodies, like a floor plan from above
constexpr float kAreaPerBody = 3.25f;
constexpr float kFastest_mps = 1.5f;

/// An engine that holds the crowd's boxes, and the cost of its last search.
struct Rival {
    OwnBroadphase engine;
    std::vector<bv::ProxyId> ids;
    std::vector<bv::ProxyPair> pairs;
    bv::BroadphaseStats stats;
    SteadyTime ms;
};

/// All engines, updated to the bodies of a world.
class Rivals {
  public:
    /// Does nothing while no box has changed, since incremental engines count changes since the last call.
    void follow(const World& world) {
        std::vector<bv::Aabb> boxes;
        boxes.reserve(world.bodies().size());
        for (const Body& body : world.bodies())
            boxes.push_back(world.bodies().broad_box(body));
        const bool same_crowd = started_ && options_ == world.options() && first_ == first_id(world) &&
                                rows_.front().ids.size() == boxes.size();
        if (same_crowd && boxes == boxes_) return;
        if (!same_crowd) start(world, boxes);
        for (Rival& row : rows_)
            search(row, boxes, same_crowd);
        boxes_ = std::move(boxes);
        started_ = true;
    }
    [[nodiscard]] const std::vector<Rival>& rows() const { return rows_; }

  private:
    static bv::BodyId first_id(const World& world) {
        return world.bodies().empty() ? bv::BodyId{} : world.bodies().back().state.id;
    }
    void start(const World& world, const std::vector<bv::Aabb>& boxes) {
        options_ = world.options();
        first_ = first_id(world);
        rows_.clear();
        for (const bv::BroadphaseInfo& info : bv::broadphase_kinds()) {
            Rival& row = rows_.emplace_back(
                Rival{OwnBroadphase(bv::make_broadphase(info.kind, options_.tree)), {}, {}, {}, {}});
            for (std::size_t i = 0; i < boxes.size(); ++i)
                row.ids.push_back(row.engine->insert(boxes[i], i).id);
        }
    }
    static void search(Rival& row, const std::vector<bv::Aabb>& boxes, bool moved) {
        const platform::Clock clock;
        for (std::size_t i = 0; moved && i < boxes.size(); ++i)
            row.engine->move(row.ids[i], boxes[i]);
        row.engine->update();
        row.stats = row.engine->find_pairs(row.pairs, {PairFinder::kMaxPairs, PairFinder::kMaxCountedPairs});
        row.ms.add(clock.milliseconds());
    }

    std::vector<Rival> rows_;
    WorldOptions options_;
    bv::BodyId first_;
    std::vector<bv::Aabb> boxes_;  // held by the engines
    bool started_ = false;
};

class Broadphases final : public SceneOf<Broadphases> {
  public:
    void setup(SceneContext& context) override {
        for (const Setting<bool>* flag : {&kDrawAxes, &kDrawGrid, &kRaySweep, &kRayHover})
            context.settings.assign(*flag, false);
        context.settings.assign(kVolumePairKind, VolumeKind::AabbTight);
        context.settings.assign(kDrawTreeMaxDepth, 3);
        populate(context);
        context.camera = {};
        context.camera.yaw_rad = 0.0f;
        context.camera.pitch_rad = 1.05f;
        context.frame_box = context.world.arena();
        const glm::vec3 size = context.frame_box.size();
        context.frame_box.min.z -= 0.1f * size.z;  // space for the title
        context.frame_box.min.x -= 0.3f * size.x;  // space for the legend
        context.frame_box.max.z += 0.7f * size.z;
    }

    // Incremental engines see every state of the crowd exactly once, drawn or not, so that a replay counts
    // the same.
    void adapt(SceneContext& context) override {
        if (context.settings[kCrowdCount] != count_) {
            context.world.remove_all();
            populate(context);
        }
        rivals_.follow(context.world);
    }

    void step(SceneContext& context, float) override { rivals_.follow(context.world); }

    void analyze(const SceneContext& context, const FrameResults&) override {
        if (is_compared(context.world)) rivals_.follow(context.world);
    }

    void show(const SceneContext& context, FrameResults& results) const override {
        if (is_compared(context.world)) list(context, results);
        draw_broadphase(context.world, results);
    }

  private:
    /// A comparison of more bodies would take seconds in every frame.
    static bool is_compared(const World& world) {
        return world.bodies().size() <= PairFinder::kMaxBruteForce;
    }

    void populate(SceneContext& context) {
        count_ = context.settings[kCrowdCount];
        const float depth = std::sqrt(kAreaPerBody * static_cast<float>(count_) / 1.75f);
        const bv::Aabb arena{{-0.875f * depth, 0.0f, -0.5f * depth}, {0.875f * depth, kHeight, 0.5f * depth}};
        context.world.set_arena(arena);
        bv::workloads::Random random(context.seed);
        static constexpr std::string_view kMeshes[] = {"box",  "icosahedron", "octahedron",
                                                       "cone", "gear",        "tetrahedron"};
        for (int i = 0; i < count_; ++i) {
            const auto mesh = context.meshes.find(kMeshes[static_cast<std::size_t>(i) % 6]);
            if (!mesh) continue;
            BodySpec spec;
            spec.mesh = *mesh;
            spec.scale = kRadius * random.uniform(0.7f, 1.3f) / context.meshes[*mesh].sphere.radius;
            spec.position = random.in_box(arena.min + kRadius, arena.max - kRadius);
            // The first is the marked one: it starts in the center, and stays near.
            if (i == 0) spec.position = arena.center();
            spec.position.y = arena.center().y;
            spec.orientation = glm::quat_cast(random.rotation());
            const float angle = random.uniform(0.0f, 6.2831853f);
            spec.velocity = (i == 0 ? 0.2f : random.uniform(0.3f, 1.0f)) * kFastest_mps *
                            glm::vec3(bv::cos(angle), 0.0f, bv::sin(angle));
            spec.angular_velocity = 0.8f * random.in_ball();
            spec.shown = VolumeKind::AabbTight;
            context.world.add(spec);
        }
    }

    void list(const SceneContext& context, FrameResults& results) const {
        Table table{"broadphases",
                    "Every broadphase on this crowd",
                    {"broadphase", "tests", "of all pairs", "pairs", "agrees", "memory", {"time", "ms"}}};
        const auto n = static_cast<double>(context.world.bodies().size());
        const double all = std::max(0.5 * n * (n - 1.0), 1.0);
        for (const Rival& row : rivals_.rows()) {
            const bv::BroadphaseKind kind = row.engine->kind();
            const bool chosen = kind == context.world.finder().engine().kind();
            table.add(
                {std::string(bv::broadphase_info(kind).title), cells::grouped(row.stats.tests),
                 cells::fixed(100.0 * static_cast<double>(row.stats.tests) / all, 1).in("%"),
                 cells::grouped(row.stats.pairs), cells::yes_or_no(row.pairs == rivals_.rows().front().pairs),
                 cells::fixed(static_cast<double>(row.stats.memory_bytes) / 1024.0, 1).in("KB"),
                 cells::fixed(row.ms.median(), 3).timed()},
                chosen ? Role::Selected : Role::Muted, chosen ? RowMark::Chosen : RowMark::None);
        }
        results.tables.push_back(std::move(table));
    }

    Rivals rivals_;
    int count_ = 0;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "broadphases",
    .category = "Trees",
    .title = "Every broadphase",
    .summary =
        "One crowd, and every way to find its pairs. All find the same pairs; the table compares what each "
        "costs. Choose the broadphase to see its cells, planes, intervals or nodes, and in pink what the "
        "marked body is tested against.",
    .make = make_scene<Broadphases>,
    .settings = kSettings,
};

}  // namespace lab::scenes::broadphases_scene
