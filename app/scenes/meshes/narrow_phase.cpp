// A crowd, and the pairs that each kind of bounding volume passes on: their number, the false alarms among
// them, and the cost of a test. The false alarms of one kind are marked.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "results/volume_settings.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "scenes/steady_time.hpp"
#include "scenes/volumes/lineup.hpp"
#include "settings/draw.hpp"
#include "settings/settings.hpp"
#include "world/bodies/spawner.hpp"
#include "world/volumes.hpp"
#include "world/world.hpp"
#include "world/world_settings.hpp"

namespace lab::scenes::narrow_phase_scene {
namespace {

/// Values of the choice: a VolumeKind, or this.
constexpr int kNoKind = -1;
constexpr auto kAlarmsKindChoices = []<std::size_t... places>(std::index_sequence<places...>) {
    return std::array{
        Choice{"none", "None", kNoKind},
        Choice{spec_of(kLineup[places]).id, spec_of(kLineup[places]).label, kLineup[places]}...};
}
(std::make_index_sequence<kLineup.size()>{});
constexpr Setting<int> kAlarmsKind{{
    .id = "alarms.kind",
    .label = "False alarms of",
    .help = "Scene narrow-phase: the kind of volume whose false alarms are marked",
    .default_value = "obb",
    .choices = kAlarmsKindChoices,
    .remembered = false,
    .effect = Effect::View,
}};

constexpr const SettingSpec* kSettings[] = {&kAlarmsKind};

constexpr bv::Aabb kArena = {glm::vec3(-5.6f, 0.0f, -3.2f), glm::vec3(5.6f, 5.4f, 3.2f)};
constexpr int kBodies = 42;

class NarrowPhase final : public SceneOf<NarrowPhase> {
  public:
    void setup(SceneContext& context) override {
        context.world.set_arena(kArena);
        SpawnOptions options;
        options.radius = 0.7f;
        options.speed = 0.7f;
        options.shown = kShowNone;
        spawn_bodies(context.world, kBodies, kArena, options, context.seed);
        clear_the_board(context.settings);
        context.settings.assign(kVolumeExact, true);
        context.settings.assign(kVolumePairKind, VolumeKind::AabbFixed);
        context.settings.assign(kDrawContacts, false);
        context.camera = {};
        context.camera.yaw_rad = 0.38f;
        context.camera.pitch_rad = 0.24f;
        context.camera.fov_y_rad = 0.6f;
        context.frame_box = {kArena.min + 0.4f, kArena.max - 0.4f};
    }

    void analyze(const SceneContext& context, const FrameResults&) override {
        compared_ = std::make_shared<const LineupResult>(compare_volumes(context.world));
        for (std::size_t i = 0; i < compared_->kinds.size(); ++i) {
            tests_ns_[i].add(compared_->kinds[i].test_ns);
            refits_us_[i].add(compared_->kinds[i].refit_us);
        }
        exact_us_.add(compared_->exact_us);
    }

    void show(const SceneContext& context, FrameResults& results) const override {
        results.lineup = compared_;
        const LineupResult& found = *results.lineup;
        results.alarms = found.kinds;
        show_table(results, found, context.settings[kAlarmsKind]);
        show_chosen(context, results, found);
    }

  private:
    static Cell in_ns(double time_ns) {
        return cells::grouped(static_cast<std::uint64_t>(std::llround(std::max(time_ns, 0.0)))).timed();
    }
    static Cell percent(const FalseAlarms& row) {
        if (row.passed == 0) return "none";
        return cells::fixed(100.0 * row.share(), 0).in("%");
    }

    void show_table(FrameResults& results, const LineupResult& found, int chosen) const {
        Table table{"narrow_phase",
                    "False alarms per kind of volume",
                    {"volume",
                     "tested",
                     "passed",
                     "touch",
                     "false alarms",
                     "share",
                     {"test", "ns"},
                     {"refit", "µs"}}};
        for (std::size_t i = 0; i < found.kinds.size(); ++i) {
            const FalseAlarms& row = found.kinds[i];
            table.add({std::string(spec_of(kLineup[i]).name), cells::grouped(row.tested),
                       cells::grouped(row.passed), cells::grouped(row.touching), cells::grouped(row.count()),
                       percent(row), in_ns(tests_ns_[i].median()),
                       row.refit_us > 0.0 ? Cell(cells::fixed(refits_us_[i].median(), 2).timed())
                                          : Cell("moves with the body")},
                      row.role, static_cast<int>(kLineup[i]) == chosen ? RowMark::Chosen : RowMark::None);
        }
        const std::size_t touch = found.touching.size();
        table.add({"the meshes themselves", cells::grouped(found.candidates.size()), cells::grouped(touch),
                   cells::grouped(touch), cells::grouped(0), cells::grouped(0).in("%"),
                   in_ns(1000.0 * exact_us_.median()), "none"},
                  Role::Hit);
        results.tables.push_back(std::move(table));
    }

    /// The volumes of false alarms, and lines between them; true contacts have a line, too.
    static void show_chosen(const SceneContext& context, FrameResults& results, const LineupResult& found) {
        const World& world = context.world;
        const auto at = [&](bv::BodyId id) -> const Body& { return *world.find(id); };
        for (const BodyPair& pair : found.touching)
            join(world, results, at(pair.a), at(pair.b), Role::Hit, "meshes that touch");
        const int chosen = context.settings[kAlarmsKind];
        for (std::size_t kind = 0; kind < kLineup.size(); ++kind) {
            const VolumeSpec& row = spec_of(kLineup[kind]);
            if (static_cast<int>(row.kind) != chosen) continue;
            std::vector<char> drawn(world.bodies().size());
            for (const BodyPair& pair : found.passed[kind]) {
                if (std::binary_search(found.touching.begin(), found.touching.end(), pair)) continue;
                join(world, results, at(pair.a), at(pair.b), Role::Selected,
                     fmt::format("false alarm of the {}", row.name));
                for (const bv::BodyId id : {pair.a, pair.b}) {
                    const std::size_t place = world.bodies().place_of(at(id));
                    if (!std::exchange(drawn[place], 1)) put_volume(results, found.volumes[kind][place], row);
                }
            }
            const FalseAlarms& numbers = found.kinds[kind];
            put_note(results, {0.5f * kArena.max.x, kArena.max.y - 0.2f, 0.0f}, Role::Selected,
                     fmt::format("{}: {} of {} overlaps are false alarms", row.name, numbers.count(),
                                 numbers.passed));
        }
    }

    static void join(const World& world, FrameResults& results, const Body& a, const Body& b, Role role,
                     std::string legend) {
        Exhibit& line =
            put(results, bv::Segment{world.bodies().obb(a).center, world.bodies().obb(b).center}, role);
        line.width_px = 2.5f;
        line.on_top = true;
        line.legend = std::move(legend);
    }

    static void put_volume(FrameResults& results, const bv::fit::Volume& volume, const VolumeSpec& kind) {
        Exhibit& exhibit = put(results, exhibit_shape(volume), kind.role, {}, 0.06f);
        exhibit.width_px = 1.25f;
        exhibit.legend = kind.name;
    }

    std::shared_ptr<const LineupResult> compared_;  ///< In this frame.
    std::array<SteadyTime, kLineup.size()> tests_ns_, refits_us_;
    SteadyTime exact_us_;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "narrow-phase",
    .category = "Meshes",
    .title = "False alarms",
    .summary =
        "A crowd, with ten kinds of bounding volumes around each body. The table shows how many pairs each "
        "kind passes on, how many of those do not touch, and what a test costs. The false alarms of one kind "
        "are marked; choose the kind.",
    .make = make_scene<NarrowPhase>,
    .settings = kSettings,
    .settings_last = true,
};

}  // namespace lab::scenes::narrow_phase_scene
