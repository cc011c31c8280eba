// A ray against a box, slab by slab: three pairs of parallel planes each leave an interval of t, and the ray
// hits iff the three intervals share a point.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "bv/portable_math.hpp"
#include "bv/query/raycast.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/role.hpp"
#include "settings/steps.hpp"
#include "steps/event_spec.hpp"
#include "steps/walk.hpp"

namespace lab::scenes::ray_aabb_scene {
namespace {

/// The ray's end: twice as far as its aim, which is at t = 1.
constexpr float kEnd = 2.0f;

enum class RayBoxCase : unsigned char { Moving, Parallel, Beside, InFace, Edge, Inside, Behind };
constexpr std::array kCaseChoices = {Choice{"moving", "Moving", RayBoxCase::Moving},
                                     Choice{"parallel", "Along an axis", RayBoxCase::Parallel},
                                     Choice{"beside", "Along an axis, beside the box", RayBoxCase::Beside},
                                     Choice{"face", "In the plane of a face", RayBoxCase::InFace},
                                     Choice{"edge", "Touching an edge", RayBoxCase::Edge},
                                     Choice{"inside", "From inside the box", RayBoxCase::Inside},
                                     Choice{"behind", "The box is behind", RayBoxCase::Behind}};
constexpr Setting<RayBoxCase> kRayBoxPreset{{
    .id = "ray_aabb.preset",
    .label = "Placement",
    .help = "Scene ray-aabb: where the ray is; choosing another placement discards dragged positions",
    .default_value = "moving",
    .choices = kCaseChoices,
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kRayBoxPreset};

constexpr glm::vec3 kMin{-0.7f, 0.6f, -0.7f}, kMax{0.9f, 1.8f, 0.7f};

/// Origin and aim of the ray, one row for each case after the first.
constexpr std::array<std::array<glm::vec3, 2>, 6> kRays = {{
    {{{-2.6f, 1.2f, 0.2f}, {0.2f, 1.2f, 0.2f}}},
    {{{-2.6f, 2.1f, 0.2f}, {0.2f, 2.1f, 0.2f}}},
    {{{-2.6f, 1.8f, 0.2f}, {0.2f, 1.8f, 0.2f}}},
    {{{kMin.x - 0.25f, 0.9f, kMax.z - 0.25f}, {kMin.x + 0.25f, 1.05f, kMax.z + 0.25f}}},
    {{{0.1f, 1.2f, 0.0f}, {1.6f, 1.5f, 0.4f}}},
    {{{1.9f, 1.4f, 0.3f}, {3.0f, 1.8f, 0.6f}}},
}};

class RayAabb final : public SceneWithHandles<RayAabb> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        context.camera.yaw_rad = -0.35f;  // the corners min and max side by side
        place(context.settings[kRayBoxPreset]);
    }

    void adapt(SceneContext& context) override {
        if (preset_ != context.settings[kRayBoxPreset]) place(context.settings[kRayBoxPreset]);
    }

    void place(RayBoxCase preset) {
        preset_ = preset;
        handles_ = {};
        handles_.add("origin", {-2.6f, 1.0f, 0.9f}, "origin", {.name = "Ray, origin"});
        handles_.add("aim", {0.2f, 1.4f, 0.1f}, "aim", {.name = "Ray, direction", .from = "origin"});
        handles_.add("min", kMin, "min", {.name = "Box, min"});
        handles_.add("max", kMax, "max", {.name = "Box, max"});
        if (preset == RayBoxCase::Moving) return;
        const auto& [origin, aim] = kRays[static_cast<std::size_t>(preset) - 1];
        handles_.arrange(std::array{Placed{"origin", origin}, Placed{"aim", aim}});
    }

    void step(SceneContext&, float dt_s) override {
        time_s_ += dt_s;
        if (!handles_.taken("aim"))
            handles_.place(
                "aim", {0.2f, 1.3f + 0.9f * bv::sin(0.7f * time_s_), 0.5f * bv::cos(0.5f * time_s_) - 0.3f});
    }

    bool drag(SceneContext&, std::string_view id, const glm::vec3& position) override {
        return handles_.drag(id, position);
    }

    void analyze(const SceneContext&, const FrameResults&) override {
        bv::Recording trace;
        const auto hit = bv::raycast(ray(), box(), trace);
        steps::Subject subject;
        subject.nodes = {steps::as_obb(box())};
        subject.ray = ray();
        walk_ = std::make_shared<const steps::Walk>(steps::algorithm("slabs"), std::move(subject), trace,
                                                    verdict(trace, hit));
    }
    [[nodiscard]] const steps::Walk* stepped_walk() const override { return walk_.get(); }

    void show(const SceneContext&, FrameResults& results) const override {
        const bv::Aabb box = this->box();
        const bv::Ray ray = this->ray();
        bv::Recording trace;
        const auto hit = bv::raycast(ray, box, trace);
        put(results, box, Role::AabbTight, {}, 0.12f).legend = "box";
        Exhibit& whole = put(results, ray, Role::Ray);
        whole.on_top = true;
        whole.legend = "ray, to t = 2";
        if (hit && (!results.walk || results.walk->number == 0)) {
            Exhibit& inside =
                put(results, bv::Segment{ray.at(hit->t_enter), ray.at(hit->t_exit)}, Role::Overlap);
            inside.width_px = 6.0f;
            inside.legend = "part in the box";
            inside.on_top = true;
            for (const auto& [what, t] : {std::pair("enter", hit->t_enter), std::pair("exit", hit->t_exit)}) {
                Exhibit& mark = put(results, Marker{ray.at(t)}, Role::AabbFixed,
                                    fmt::format("{} t = {}", what, number(t)));
                mark.on_top = true;
                mark.legend = "where the line enters and leaves the box";
            }
            put(results, bv::Segment{hit->point, hit->point + 0.5f * hit->normal}, Role::Normal).on_top =
                true;
        }
        show_slabs(results, trace, hit);
        handles_.show(results);
    }

  private:
    [[nodiscard]] bv::Aabb box() const {
        return bv::merge(bv::Aabb{handles_["min"], handles_["min"]}, handles_["max"]);
    }
    [[nodiscard]] bv::Ray ray() const {
        return {handles_["origin"], handles_["aim"] - handles_["origin"], kEnd};
    }

    static std::string verdict(const bv::Recording& trace, const std::optional<bv::RayHit>& hit) {
        std::vector<bv::SlabClipped> slabs;
        for (const bv::TraceEvent& event : trace.events()) {
            if (const auto* slab = std::get_if<bv::SlabClipped>(&event)) slabs.push_back(*slab);
            const auto* range = std::get_if<bv::RangeClipped>(&event);
            if (!range) continue;
            const std::string from = number(range->t_near), to = number(range->t_far);
            if (hit)
                return fmt::format("The line is in all three slabs from {} to {}: the ray hits at {}.", from,
                                   to, number(hit->t));
            return range->t_far < range->t_begin
                       ? fmt::format(
                             "The line is in all three slabs from {} to {}, behind the origin: a miss.", from,
                             to)
                       : fmt::format(
                             "The line is in all three slabs from {} to {}, but the ray ends at {}: a "
                             "miss.",
                             from, to, number(range->t_end));
        }
        std::string why = steps::why_slabs_miss(slabs);
        if (why.empty()) return "A miss.";
        why.front() = static_cast<char>(why.front() - 'a' + 'A');
        return why + ": a miss.";
    }

    /// One bar of t for each axis and the ray, and below them the remaining interval.
    static void show_slabs(FrameResults& results, const bv::Recording& trace,
                           const std::optional<bv::RayHit>& hit) {
        Table table{"ray_aabb", "Slab by slab", {"slab", "t near", "t far", "enter so far", "exit so far"}};
        IntervalChart chart;
        chart.title = "Where the line is between both planes";
        chart.unit = "t";
        chart.min = -kEnd;
        chart.max = kEnd;
        const auto row = [&](std::string name, float from, float to, float enter, float exit, Role role) {
            chart.rows.push_back({name, from, to, role, fmt::format("{} to {}", number(from), number(to))});
            table.add({std::move(name), cells::trimmed(from), cells::trimmed(to), cells::trimmed(enter),
                       cells::trimmed(exit)},
                      role);
        };
        float enter = 0, exit = kEnd;
        std::string why = "enter > exit: miss";
        for (const bv::TraceEvent& event : trace.events()) {
            if (const auto* slab = std::get_if<bv::SlabClipped>(&event)) {
                enter = slab->t_enter;
                exit = slab->t_exit;
                row(std::string(1, "xyz"[slab->axis]), slab->t_near, slab->t_far, enter, exit,
                    kAxisRoles[slab->axis]);
            } else if (const auto* range = std::get_if<bv::RangeClipped>(&event)) {
                enter = range->t_enter;
                exit = range->t_exit;
                row("ray", range->t_begin, range->t_end, enter, exit, Role::Ray);
                why = range->t_far < range->t_begin ? "box behind the ray: miss" : "box beyond the ray: miss";
            }
        }
        chart.rows.push_back({"all", enter, exit, hit ? Role::Overlap : Role::Separating,
                              hit ? fmt::format("hit at {}", number(hit->t)) : "nothing left: miss"});
        results.charts.push_back(std::move(chart));
        table.add({"verdict", {}, {}, {}, hit ? "hit" : why}, hit ? Role::Touching : Role::Separating,
                  RowMark::Verdict);
        results.tables.push_back(std::move(table));
    }

    RayBoxCase preset_{};
    float time_s_ = 0;
    std::shared_ptr<const steps::Walk> walk_;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "ray-aabb",
    .category = "Queries",
    .title = "Ray against AABB",
    .summary =
        "Three slabs, three intervals of t. The ray hits if all three bars overlap. Drag the origin into a "
        "face plane, or aim along an axis. The aim is at t = 1.",
    .make = make_scene<RayAabb>,
    .settings = kSettings,
    .steps = &kStepAt,
    .charts = true,
};

}  // namespace lab::scenes::ray_aabb_scene
