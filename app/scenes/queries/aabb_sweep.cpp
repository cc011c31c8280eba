// Two moving boxes: when do they meet, and when do they separate? They overlap on each axis during an
// interval of time, and touch while all three intervals overlap. At the start: unit cubes 0.5 m apart,
// closing at 3 m/s.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include "bv/query/sweep.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/role.hpp"
#include "settings/steps.hpp"
#include "steps/walk.hpp"

namespace lab::scenes::aabb_sweep_scene {
namespace {

constexpr float kShownSeconds = 1.0f;
constexpr float kSlowMotion = 0.25f;

enum class SweepCase : unsigned char { Closing, Diagonal, Sliding, Missing, Overlapping, Parting, Still };
constexpr std::array kCaseChoices = {
    Choice{"closing", "Face to face", SweepCase::Closing},
    Choice{"diagonal", "Along all three axes", SweepCase::Diagonal},
    Choice{"sliding", "Sliding along a face", SweepCase::Sliding},
    Choice{"missing", "Passing by", SweepCase::Missing},
    Choice{"overlapping", "Overlapping at the start", SweepCase::Overlapping},
    Choice{"parting", "Moving apart", SweepCase::Parting},
    Choice{"still", "Neither moves", SweepCase::Still}};
constexpr Setting<SweepCase> kSweepPreset{{
    .id = "aabb_sweep.preset",
    .label = "Placement",
    .help = "Scene aabb-sweep: where A is and how it moves; choosing another placement discards dragged "
            "positions",
    .default_value = "closing",
    .choices = kCaseChoices,
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kSweepPreset};

/// The center of A, and its velocity.
constexpr std::array<std::array<glm::vec3, 2>, 7> kMotions = {{
    {{{-0.75f, 1.0f, 0.0f}, {3.0f, 0.0f, 0.0f}}},
    {{{-0.75f, 2.4f, 1.2f}, {3.0f, -2.8f, -2.4f}}},
    {{{-0.75f, 2.0f, 0.0f}, {3.0f, 0.0f, 0.0f}}},
    {{{-0.75f, 2.4f, 0.0f}, {3.0f, 0.4f, 0.0f}}},
    {{{0.25f, 1.2f, 0.0f}, {2.0f, 0.0f, 0.0f}}},
    {{{-0.75f, 1.0f, 0.0f}, {-2.0f, 0.0f, 0.0f}}},
    {{{-0.75f, 1.0f, 0.0f}, {0.0f, 0.0f, 0.0f}}},
}};

class AabbSweep final : public SceneWithHandles<AabbSweep> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        place(context.settings[kSweepPreset]);
    }

    void adapt(SceneContext& context) override {
        if (preset_ == context.settings[kSweepPreset]) return;
        place(context.settings[kSweepPreset]);
        context.camera.frame(bounds());  // of another motion, somewhere else
    }

    void place(SweepCase preset) {
        preset_ = preset;
        handles_ = {};
        const auto& [center, velocity] = kMotions[static_cast<std::size_t>(preset)];
        handles_.add("a", center, "A", {.name = "A, center"});
        handles_.add_numbers("a.size", glm::vec3(1.0f), {.name = "A, size", .is_size = true});
        handles_.add("velocity", center + velocity, "velocity",
                     {.name = "A, velocity", .unit = "m/s", .from = "a"});
        handles_.add("b", {0.75f, 1.0f, 0.0f}, "B", {.name = "B, center"});
        handles_.add_numbers("b.size", glm::vec3(1.0f), {.name = "B, size", .is_size = true});
    }

    void step(SceneContext&, float dt_s) override {
        time_s_ = std::fmod(time_s_ + kSlowMotion * dt_s, kShownSeconds);
    }

    bool drag(SceneContext&, std::string_view id, const glm::vec3& position) override {
        if (id == "a") handles_.place("velocity", handles_["velocity"] + position - handles_["a"]);
        return handles_.drag(id, position);
    }

    void analyze(const SceneContext&, const FrameResults&) override {
        bv::Recording trace;
        steps::Subject subject;
        subject.moving = {box_at("a", handles_["a"]), box_at("b", handles_["b"]),
                          handles_["velocity"] - handles_["a"]};
        const auto hit = bv::sweep(box_at("a", handles_["a"]), handles_["velocity"] - handles_["a"],
                                   box_at("b", handles_["b"]), std::numeric_limits<float>::infinity(), trace);
        walk_ = std::make_shared<const steps::Walk>(steps::algorithm("sweep.aabb"), std::move(subject), trace,
                                                    verdict(trace, hit));
    }
    [[nodiscard]] const steps::Walk* stepped_walk() const override { return walk_.get(); }

    void show(const SceneContext&, FrameResults& results) const override {
        const glm::vec3 velocity = handles_["velocity"] - handles_["a"];
        const bv::Aabb a = box_at("a", handles_["a"]);
        const bv::Aabb b = box_at("b", handles_["b"]);
        const auto hit = bv::sweep(a, velocity, b);
        const bv::Aabb now = box_at("a", handles_["a"] + time_s_ * velocity);
        const bool touching = hit && hit->t_enter <= time_s_ && time_s_ <= hit->t_leave;

        put(results, b, Role::ProjectionB, "B", 0.12f).legend = "B";
        put(results, now, Role::ProjectionA,
            fmt::format("A at t = {:.3f}{}", time_s_, touching ? ", overlapping" : ""),
            touching ? 0.35f : 0.12f)
            .legend = "A now";
        Exhibit& start = put(results, a, Role::Muted);
        start.width_px = 1.0f;
        start.legend = "A at t = 0";
        if (velocity != glm::vec3(0.0f)) {
            Exhibit& path = put(results, bv::Segment{handles_["a"], handles_["velocity"]}, Role::Ray);
            path.on_top = true;
            path.legend = "displacement of A in 1 s";
        }
        if (hit) {
            const float enter = std::max(hit->t_enter, 0.0f);
            Exhibit& ghost = put(results, box_at("a", handles_["a"] + enter * velocity), Role::Normal,
                                 "entry at t = " + number(enter));
            ghost.width_px = 2.5f;
            ghost.legend = "A at first contact";
            if (std::isfinite(hit->t_leave))
                put(results, box_at("a", handles_["a"] + hit->t_leave * velocity), Role::Sphere,
                    "exit at t = " + number(hit->t_leave))
                    .legend = "A at separation";
        }
        show_times(results, a, velocity, b, hit);
        handles_.show(results);
    }

  private:
    /// Both boxes, and A after the first second.
    [[nodiscard]] bv::Aabb bounds() const {
        const bv::Aabb path = bv::merge(box_at("a", handles_["a"]), box_at("a", handles_["velocity"]));
        return bv::merge(path, box_at("b", handles_["b"]));
    }
    [[nodiscard]] bv::Aabb box_at(const std::string& name, const glm::vec3& center) const {
        const glm::vec3 half = 0.5f * glm::abs(handles_[name + ".size"]);
        return {center - half, center + half};
    }

    static std::string verdict(const bv::Recording& trace, const std::optional<bv::SweepHit>& hit) {
        const bv::RangeClipped* range = nullptr;
        for (const bv::TraceEvent& event : trace.events())
            if (const auto* clip = std::get_if<bv::RangeClipped>(&event)) range = clip;
        if (!hit)
            return range ? fmt::format("They overlapped only before the start, until {} s: they never touch.",
                                       number(range->t_far))
                         : "They never touch.";
        std::string text = range && range->t_near < range->t_begin
                               ? "They overlap at the start"
                               : fmt::format("They touch after {} s", number(hit->t_enter));
        return text + (std::isfinite(hit->t_leave)
                           ? fmt::format(" and separate after {} s.", number(hit->t_leave))
                           : " and never separate.");
    }

    /// The interval of time in which the moving A overlaps B on one axis.
    static Interval axis_times(const bv::Aabb& a, const glm::vec3& velocity, const bv::Aabb& b, int k) {
        constexpr float kInfinity = std::numeric_limits<float>::infinity();
        if (velocity[k] == 0) {
            const bool always = a.min[k] <= b.max[k] && b.min[k] <= a.max[k];
            return always ? Interval{-kInfinity, kInfinity} : Interval{kInfinity, -kInfinity};
        }
        const float t0 = (b.min[k] - a.max[k]) / velocity[k];
        const float t1 = (b.max[k] - a.min[k]) / velocity[k];
        return {std::min(t0, t1), std::max(t0, t1)};
    }

    void show_times(FrameResults& results, const bv::Aabb& a, const glm::vec3& velocity, const bv::Aabb& b,
                    const std::optional<bv::SweepHit>& hit) const {
        constexpr float kInfinity = std::numeric_limits<float>::infinity();
        Table table{"aabb_sweep", "When the intervals overlap", {"axis", {"entry", "s"}, {"exit", "s"}}};
        IntervalChart chart;
        chart.title = "When the boxes overlap on each axis";
        chart.unit = "s";
        chart.min = -kShownSeconds;
        chart.max = kShownSeconds;
        chart.now = time_s_;
        for (int k = 0; k < 3; ++k) {
            const Interval when = axis_times(a, velocity, b, k);
            const std::string axis(1, "xyz"[k]);
            const bool never = when.min > when.max;
            chart.rows.push_back(
                {axis, when.min, when.max, kAxisRoles[k],
                 never ? "never" : fmt::format("{} to {}", number(when.min), number(when.max))});
            table.add({axis, cells::trimmed(when.min), cells::trimmed(when.max)}, kAxisRoles[k]);
        }
        chart.rows.push_back({"motion", 0.0f, kInfinity, Role::Muted, "from 0 on"});
        table.add({"motion", cells::trimmed(0.0), cells::trimmed(kInfinity)}, Role::Muted);
        if (hit) {
            chart.rows.push_back({"all", hit->t_enter, hit->t_leave, Role::Selected,
                                  fmt::format("{} to {}", number(hit->t_enter), number(hit->t_leave))});
            table.add({"all three", cells::trimmed(hit->t_enter), cells::trimmed(hit->t_leave)},
                      Role::Selected, RowMark::Verdict);
        } else {
            chart.rows.push_back({"all", 1, 0, Role::Separating, "they never touch"});
            table.add({"all three", "never", "never"}, Role::Separating, RowMark::Verdict);
        }
        results.charts.push_back(std::move(chart));
        results.tables.push_back(std::move(table));
    }

    SweepCase preset_{};
    float time_s_ = 0;
    std::shared_ptr<const steps::Walk> walk_;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "aabb-sweep",
    .category = "Queries",
    .title = "Moving AABBs",
    .summary =
        "Two boxes overlap while their intervals overlap on all three axes at once. Each axis has its own "
        "time interval; unit cubes 0.5 m apart that approach at 3 m/s touch after 0.167 s.",
    .make = make_scene<AabbSweep>,
    .settings = kSettings,
    .steps = &kStepAt,
    .charts = true,
};

}  // namespace lab::scenes::aabb_sweep_scene
