// Two oriented boxes and the fifteen axes that could separate them. One axis at a time is drawn with both
// projections: the first that separates, or the one chosen by `sat.axis`. Beside it, on demand, the naive
// test of edges against faces.
#include <array>
#include <glm/geometric.hpp>
#include <memory>

#include "bv/portable_math.hpp"
#include "bv/query/overlap.hpp"
#include "scenes/queries/edges_and_faces.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/settings.hpp"
#include "steps/event_spec.hpp"
#include "steps/walk.hpp"

namespace lab::scenes::obb_sat_scene {
namespace {

constexpr Setting<int> kSatAxis{{
    .id = "sat.axis",
    .label = "Axis",
    .help = "Which of the fifteen axes is drawn; 0: the deciding one",
    .default_value = "0",
    .max = 15,
    .zero = "the deciding one",
    .remembered = false,
    .effect = Effect::View,
}};

constexpr Setting<bool> kSatNaive{{
    .id = "sat.naive",
    .label = "Edges against faces",
    .help = "Scene obb-sat: also run the naive test of twelve edges against six faces, both ways",
    .default_value = "false",
    .remembered = false,
    .effect = Effect::View,
}};

enum class BoxPreset : unsigned char { Moving, Crossed, Inside };
constexpr std::array kBoxChoices = {Choice{"moving", "Moving", BoxPreset::Moving},
                                    Choice{"crossed", "Separated by edges only", BoxPreset::Crossed},
                                    Choice{"inside", "One inside the other", BoxPreset::Inside}};
constexpr Setting<BoxPreset> kSatPreset{{
    .id = "sat.preset",
    .label = "Placement",
    .help = "Scene obb-sat: where the boxes are; choosing another placement discards dragged positions",
    .default_value = "moving",
    .choices = kBoxChoices,
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kSatAxis, &kSatPreset, &kSatNaive};

class ObbSat final : public SceneWithHandles<ObbSat> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        place(context.settings[kSatPreset]);
    }

    void adapt(SceneContext& context) override {
        if (preset_ != context.settings[kSatPreset]) place(context.settings[kSatPreset]);
    }

    void step(SceneContext& context, float dt_s) override {
        if (context.settings[kSatAxis] != 0) return;  // the boxes pause while stepping
        time_s_ += dt_s;
        const bool is_held = handles_.taken("b") || handles_.taken("b.turn");
        if (is_held || preset_ != BoxPreset::Moving) return;
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
        if (id == "a.roll" || id == "b.roll")
            return handles_.drag(id, {in_one_turn(position.x), position.y, position.z});
        return handles_.drag(id, position);
    }

    void analyze(const SceneContext&, const FrameResults&) override {
        a_ = box("a");
        b_ = box("b");
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
        const int shown = deciding + 1;
        walk->drawn_with_answer(static_cast<std::size_t>(shown));
        walk_ = std::move(walk);
    }

    void show(const SceneContext& context, FrameResults& results) const override {
        put(results, a_, Role::ProjectionA, "A", 0.15f).legend = "A";
        put(results, b_, Role::ProjectionB, "B", 0.15f).legend = "B";
        list_axes(results, tests_, shown_axis(tests_, context.settings[kSatAxis]), touching_);
        if (context.settings[kSatNaive]) show_naive_test(results);
        handles_.show(results);
        if (preset_ == BoxPreset::Moving ? handles_.any_taken() : handles_.is_rearranged())
            results.rearranged = &kSatPreset;
    }
    [[nodiscard]] const steps::Walk* stepped_walk() const override { return walk_.get(); }

  private:
    void place(BoxPreset preset) {
        preset_ = preset;
        handles_ = {};
        glm::vec3 a{-1.1f, 1.2f, 0.0f}, a_turn{0.1f, 1.5f, 0.5f};
        glm::vec3 b{1.2f, 1.4f, 0.2f}, b_turn{0.5f, 2.4f, -0.4f};
        if (preset == BoxPreset::Crossed) {
            b = {0.11f, 0.17f, -1.14f};
            b_turn = {-0.36f, 0.62f, -2.26f};
        } else if (preset == BoxPreset::Inside) {
            b = a + glm::vec3(0.12f, 0.05f, 0.04f);
            b_turn = b + glm::vec3(0.9f, 0.5f, 0.8f);
        }
        const bool is_small = preset == BoxPreset::Inside;
        handles_.add("a", a, "move A", {.name = "A, center"});
        handles_.add("a.turn", a_turn, "turn A", {.name = "A, its x axis", .unit = "", .from = "a"});
        handles_.add_numbers("a.roll", {}, {.name = "A, turned about it", .unit = "°", .parts = 1});
        handles_.add_numbers("a.half", {0.9f, 0.45f, 0.6f}, {.name = "A, half extents", .is_size = true});
        handles_.add("b", b, "move B", {.name = "B, center"});
        handles_.add("b.turn", b_turn, "turn B", {.name = "B, its x axis", .unit = "", .from = "b"});
        handles_.add_numbers("b.roll", {}, {.name = "B, turned about it", .unit = "°", .parts = 1});
        handles_.add_numbers("b.half",
                             is_small ? glm::vec3(0.45f, 0.18f, 0.3f) : glm::vec3(0.8f, 0.35f, 0.5f),
                             {.name = "B, half extents", .is_size = true});
        handles_.note_placement();
    }

    /// The cost of the test, the points it finds, and whether its verdict is right.
    void show_naive_test(FrameResults& results) const {
        const EdgesAndFaces a_in_b = edges_against_faces(a_, b_), b_in_a = edges_against_faces(b_, a_);
        Table table{"naive", "Edges against faces", {"edges", "faces", "tests", "pierced"}};
        const auto row = [&table](std::string edges, std::string faces, const EdgesAndFaces& found) {
            table.add({std::move(edges), std::move(faces), cells::grouped(found.tests),
                       cells::grouped(found.pierced.size())},
                      found.pierced.empty() ? Role::Separating : Role::Touching);
        };
        row("12 of A", "6 of B", a_in_b);
        row("12 of B", "6 of A", b_in_a);
        const bool finds = !a_in_b.pierced.empty() || !b_in_a.pierced.empty();
        const bool misses = touching_ && !finds;
        const bool points = a_.half_extents == glm::vec3(0.0f) && b_.half_extents == glm::vec3(0.0f);
        table.add({"verdict",
                   !misses  ? "agrees with the fifteen axes"
                   : points ? "wrong: points have no edges"
                            : "wrong: one is inside the other",
                   cells::grouped(a_in_b.tests + b_in_a.tests), finds ? "overlap" : "apart"},
                  misses  ? Role::Broken
                  : finds ? Role::Touching
                          : Role::Separating);
        table.add({"the axes", {}, cells::grouped(tested_axes()), touching_ ? "overlap" : "apart"},
                  touching_ ? Role::Touching : Role::Separating);
        results.tables.push_back(std::move(table));
        for (const EdgesAndFaces* found : {&a_in_b, &b_in_a})
            for (const glm::vec3& at : found->pierced) {
                Exhibit& mark = put(results, Marker{at}, Role::Touching);
                mark.on_top = true;
                mark.legend = "an edge pierces a face";
            }
        if (misses)
            put_note(results, a_.center + glm::vec3(0.0f, 1.2f, 0.0f), Role::Broken,
                     "no edge pierces a face, yet they overlap");
    }

    /// The number of axes tested, up to the first one that separates.
    [[nodiscard]] int tested_axes() const {
        int count = 0;
        for (const bv::AxisTested& test : tests_) {
            if (!test.skipped) ++count;
            if (!test.skipped && test.gap > 0) break;
        }
        return count;
    }

    [[nodiscard]] bv::Obb box(const std::string& name) const {
        const glm::vec3 center = handles_[name];
        return {center, glm::abs(handles_[name + ".half"]),
                rolled(axes_along(handles_[name + ".turn"] - center), handles_[name + ".roll"].x)};
    }

    [[nodiscard]] std::string verdict(int deciding) const {
        if (deciding < 0) return "No axis was tested.";
        const bv::AxisTested& test = tests_[static_cast<std::size_t>(deciding)];
        const std::string by = steps::in_meters(std::abs(static_cast<double>(test.gap)));
        if (touching_ && steps::just_touches(test))
            return fmt::format("No axis separates them: they touch, along {}.", steps::axis_name(test));
        return touching_
                   ? fmt::format(
                         "No axis separates them: they overlap. The minimum translation is {} along {}.", by,
                         steps::axis_name(test))
                   : fmt::format("{} is the first axis that separates them, by {}.", steps::axis_name(test),
                                 by);
    }

    /// The chosen axis (counted from 1), else the first that separates, else that of the minimum translation.
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
        Table table{"obb_sat", "Fifteen axes", {"#", "axis", {"A", "m"}, {"B", "m"}, {"gap", "m"}}};
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
                  touching ? Role::Touching : Role::Separating, RowMark::Verdict);
        results.tables.push_back(std::move(table));
    }

    [[nodiscard]] static std::vector<glm::vec3> corners_of(const bv::Obb& box) {
        std::vector<glm::vec3> corners;
        corners.reserve(8);
        for (int k = 0; k < 8; ++k)
            corners.push_back(box.corner(k));
        return corners;
    }

    BoxPreset preset_ = BoxPreset::Moving;
    float time_s_ = 0;
    bv::Obb a_, b_;
    bool touching_ = false;
    std::vector<bv::AxisTested> tests_;
    std::shared_ptr<const steps::Walk> walk_;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "obb-sat",
    .category = "Queries",
    .title = "OBB against OBB",
    .summary =
        "Fifteen axes can separate two boxes: three face normals of each and nine cross products of edges. "
        "One axis is drawn with both shadows: the first that separates the boxes, or else the "
        "axis of minimum translation.",
    .make = make_scene<ObbSat>,
    .settings = kSettings,
    .steps = &kSatAxis,
};

}  // namespace lab::scenes::obb_sat_scene
