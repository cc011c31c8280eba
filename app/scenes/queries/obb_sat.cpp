// Two oriented boxes and the fifteen axes that could separate them. One axis at a time is drawn with both
// projections: the first that separates, or the one chosen by `sat.axis`.
#include <glm/geometric.hpp>
#include <memory>

#include "bv/portable_math.hpp"
#include "bv/query/overlap.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/settings.hpp"
#include "steps/telling.hpp"
#include "steps/walk.hpp"

namespace lab::scenes {
namespace {

constexpr Setting<int> kSatAxis{{
    .id = "sat.axis",
    .label = "Axis",
    .help = "Which of the fifteen axes is drawn; 0: the one that decides",
    .default_value = "0",
    .max = 15,
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kSatAxis};

class ObbSat final : public SceneOf<ObbSat> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        handles_.add("a", {-1.1f, 1.2f, 0.0f}, "move A");
        handles_.add("a.turn", {0.1f, 1.5f, 0.5f}, "turn A");
        handles_.add("b", {1.2f, 1.4f, 0.2f}, "move B");
        handles_.add("b.turn", {0.5f, 2.4f, -0.4f}, "turn B");
    }

    void step(SceneContext& context, float dt_s) override {
        if (context.settings[kSatAxis] != 0) return;  // the boxes stand still for their steps
        time_s_ += dt_s;
        if (handles_.taken("b") || handles_.taken("b.turn")) return;
        const glm::vec3 center{1.25f + 0.45f * bv::cos(0.5f * time_s_), 1.4f, 0.2f};
        const glm::vec3 toward{bv::cos(0.4f * time_s_ + 2.1f), 0.7f, bv::sin(0.4f * time_s_ - 0.6f)};
        handles_.place("b", center);
        handles_.place("b.turn", center + glm::normalize(toward) * 1.3f);
    }

    bool drag(SceneContext&, std::string_view id, const glm::vec3& position) override {
        for (const char* box : {"a", "b"}) {
            if (id != box) continue;
            const std::string tip = std::string(box) + ".turn";
            handles_.place(tip, handles_[tip] + position - handles_[box]);
        }
        return handles_.drag(id, position);
    }

    void analyze(const SceneContext&, const FrameResults&) override {
        a_ = box("a", {0.9f, 0.45f, 0.6f});
        b_ = box("b", {0.8f, 0.35f, 0.5f});
        bv::Recording trace;
        touching_ = bv::overlap(a_, b_, trace);
        tests_.clear();
        for (const bv::TraceEvent& event : trace.events())
            if (const auto* test = std::get_if<bv::AxisTested>(&event)) tests_.push_back(*test);
        const int deciding = shown_axis(tests_, 0);
        steps::Subject subject;
        subject.points = corners_of(a_);
        subject.points_b = corners_of(b_);
        auto walk = std::make_shared<steps::Walk>(steps::algorithm("sat"), std::move(subject), trace,
                                                  verdict(deciding));
        walk->drawn_with_answer(static_cast<std::size_t>(deciding + 1));
        walk_ = std::move(walk);
    }

    void show(const SceneContext& context, FrameResults& results) const override {
        put(results, a_, Role::ProjectionA, "A", 0.15f).legend = "A";
        put(results, b_, Role::ProjectionB, "B", 0.15f).legend = "B";
        list_axes(results, tests_, shown_axis(tests_, context.settings[kSatAxis]), touching_);
        handles_.show(results);
    }
    [[nodiscard]] const steps::Walk* stepped_walk() const override { return walk_.get(); }

  private:
    [[nodiscard]] bv::Obb box(const std::string& name, glm::vec3 half_extents) const {
        const glm::vec3 center = handles_[name];
        return {center, half_extents, axes_along(handles_[name + ".turn"] - center)};
    }

    [[nodiscard]] std::string verdict(int deciding) const {
        if (deciding < 0) return "No axis was tested.";
        const bv::AxisTested& test = tests_[static_cast<std::size_t>(deciding)];
        return touching_ ? fmt::format("No axis separates them: they overlap, least along {}, by {} m.",
                                       steps::axis_name(test), number(-static_cast<double>(test.gap)))
                         : fmt::format("{} is the first axis that separates them, by {} m.",
                                       steps::axis_name(test), number(static_cast<double>(test.gap)));
    }

    /// The chosen axis (counted from 1), else the first that separates, else the one with the smallest
    /// overlap.
    static int shown_axis(const std::vector<bv::AxisTested>& tests, int chosen) {
        if (tests.empty()) return -1;
        if (chosen > 0) return std::min(chosen, static_cast<int>(tests.size())) - 1;
        int best = -1;
        for (int i = 0; i < static_cast<int>(tests.size()); ++i) {
            const bv::AxisTested& test = tests[static_cast<std::size_t>(i)];
            if (test.skipped) continue;
            if (test.gap > 0) return i;
            if (best < 0 || test.gap > tests[static_cast<std::size_t>(best)].gap) best = i;
        }
        return best;
    }

    static void list_axes(FrameResults& results, const std::vector<bv::AxisTested>& tests, int shown,
                          bool touching) {
        Table table{"obb_sat", "Fifteen axes", {"#", "axis", "A", "B", "gap"}};
        for (std::size_t i = 0; i < tests.size(); ++i) {
            const bv::AxisTested& test = tests[i];
            const bool here = static_cast<int>(i) == shown;
            table.add({cells::whole(i + 1), steps::axis_name(test), cells::interval(test.min_a, test.max_a),
                       cells::interval(test.min_b, test.max_b),
                       test.skipped ? Cell("parallel edges") : Cell(cells::trimmed(test.gap))},
                      test.skipped   ? Role::Muted
                      : test.gap > 0 ? Role::Separating
                                     : Role::Touching,
                      here ? RowMark::Chosen : RowMark::None);
        }
        table.add({{}, "verdict", {}, {}, touching ? "overlap" : "apart"},
                  touching ? Role::Touching : Role::Separating);
        results.tables.push_back(std::move(table));
    }

    [[nodiscard]] static std::vector<glm::vec3> corners_of(const bv::Obb& box) {
        std::vector<glm::vec3> corners;
        for (int k = 0; k < 8; ++k)
            corners.push_back(box.corner(k));
        return corners;
    }

    HandleSet handles_;
    float time_s_ = 0;
    bv::Obb a_, b_;
    bool touching_ = false;
    std::vector<bv::AxisTested> tests_;
    std::shared_ptr<const steps::Walk> walk_;
};

}  // namespace

extern constinit const SceneSpec obb_sat_scene{
    .id = "obb-sat",
    .category = "Queries",
    .title = "OBB against OBB",
    .summary =
        "Fifteen axes could separate two boxes: three normals of each and nine crosses of edges. One is "
        "drawn with both shadows: the first that separates, or the one with the least overlap.",
    .make = make_scene<ObbSat>,
    .settings = kSettings,
    .steps = &kSatAxis,
};

}  // namespace lab::scenes
