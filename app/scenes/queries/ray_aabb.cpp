// A ray against a box, slab by slab: three pairs of parallel planes each leave an interval of t, and the ray
// hits iff the three intervals share a point.
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <memory>
#include <optional>

#include "bv/portable_math.hpp"
#include "bv/query/raycast.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/steps.hpp"
#include "steps/walk.hpp"

namespace lab::scenes {
namespace {

constexpr float kShownT = 6.0f;  // the ray and the chart end here

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

class RayAabb final : public SceneOf<RayAabb> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
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
        walk_ = std::make_shared<const steps::Walk>(
            steps::algorithm("slabs"), std::move(subject), trace,
            hit ? fmt::format("The ray is in all three slabs from {} to {}: a hit.", number(hit->t_enter),
                              number(hit->t_exit))
                : why_missed(trace));
    }
    [[nodiscard]] const steps::Walk* stepped_walk() const override { return walk_.get(); }

    void show(const SceneContext&, FrameResults& results) const override {
        const bv::Aabb box = this->box();
        const bv::Ray ray = this->ray();
        bv::Recording trace;
        const auto hit = bv::raycast(ray, box, trace);
        put(results, box, Role::AabbTight, {}, 0.12f);
        Exhibit& whole = put(results, ray, Role::Ray);
        whole.on_top = true;
        if (hit && (!results.walk || results.walk->number == 0)) {
            Exhibit& inside =
                put(results, bv::Segment{ray.at(hit->t_enter), ray.at(hit->t_exit)}, Role::Overlap);
            inside.width_px = 6.0f;
            inside.on_top = true;
            put(results, Marker{ray.at(hit->t_enter)}, Role::AabbFixed, "enter t = " + number(hit->t_enter))
                .on_top = true;
            put(results, Marker{ray.at(hit->t_exit)}, Role::AabbFixed, "exit t = " + number(hit->t_exit))
                .on_top = true;
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
        bv::Ray ray{handles_["origin"], handles_["aim"] - handles_["origin"], kShownT};
        const float length = glm::length(ray.direction);
        if (length > 0) ray.direction /= length;
        return ray;
    }

    /// Names the two slabs that share no t, or the other reason for the miss.
    static std::string why_missed(const bv::Recording& trace) {
        const bv::SlabClipped *last_in = nullptr, *first_out = nullptr;
        for (const bv::TraceEvent& event : trace.events()) {
            const auto* slab = std::get_if<bv::SlabClipped>(&event);
            if (!slab) continue;
            if (!last_in || slab->t_near > last_in->t_near) last_in = slab;
            if (!first_out || slab->t_far < first_out->t_far) first_out = slab;
        }
        if (!last_in || !(last_in->t_near > first_out->t_far))
            return "The three intervals share no t: a miss.";
        return fmt::format("Slab {} rejects it: the ray enters {} at {}, after leaving {} at {}. A miss.",
                           "xyz"[last_in->axis], "xyz"[last_in->axis], number(last_in->t_near),
                           "xyz"[first_out->axis], number(first_out->t_far));
    }

    /// One bar of t for each axis, and below them the remaining interval.
    static void show_slabs(FrameResults& results, const bv::Recording& trace,
                           const std::optional<bv::RayHit>& hit) {
        static constexpr Role kAxisRole[3] = {Role::ProjectionA, Role::Kdop, Role::Plane};
        Table table{"ray_aabb", "Slab by slab", {"slab", "t near", "t far", "enter so far", "exit so far"}};
        IntervalChart chart;
        chart.title = "Where the ray is between both planes";
        chart.unit = "t";
        chart.max = kShownT;
        float enter = 0;
        float exit = kShownT;
        for (const bv::TraceEvent& event : trace.events()) {
            const auto* slab = std::get_if<bv::SlabClipped>(&event);
            if (!slab) continue;
            enter = slab->t_enter;
            exit = slab->t_exit;
            const std::string axis(1, "xyz"[slab->axis]);
            const Role role = kAxisRole[slab->axis];
            chart.rows.push_back({axis, slab->t_near, slab->t_far, role,
                                  fmt::format("{} to {}", number(slab->t_near), number(slab->t_far))});
            table.add({axis, cells::trimmed(slab->t_near), cells::trimmed(slab->t_far),
                       cells::trimmed(slab->t_enter), cells::trimmed(slab->t_exit)},
                      role);
        }
        chart.rows.push_back({"all", enter, exit, hit ? Role::Overlap : Role::Separating,
                              hit ? fmt::format("hit at {}", number(hit->t)) : "nothing left: miss"});
        results.charts.push_back(std::move(chart));
        table.add({"verdict", {}, {}, {}, hit ? "hit" : "enter > exit: miss"},
                  hit ? Role::Touching : Role::Separating, RowMark::Verdict);
        results.tables.push_back(std::move(table));
    }

    HandleSet handles_;
    RayBoxCase preset_{};
    float time_s_ = 0;
    std::shared_ptr<const steps::Walk> walk_;
};

}  // namespace

extern constinit const SceneSpec ray_aabb_scene{
    .id = "ray-aabb",
    .category = "Queries",
    .title = "Ray against AABB",
    .summary =
        "Three slabs, three intervals of t. The ray hits if all three bars overlap. Drag the origin into a "
        "face plane, or aim along an axis.",
    .make = make_scene<RayAabb>,
    .settings = kSettings,
    .steps = &kStepAt,
};

}  // namespace lab::scenes
