// Two oriented boxes and the fifteen axes that could separate them. One axis at a time is drawn with both
// projections: the first that separates, or the one chosen by `sat.axis`.
#include <glm/geometric.hpp>
#include <memory>

#include "bv/query/overlap.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/settings.hpp"

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

std::string axis_name(const bv::AxisTested& test) {
    using Kind = bv::AxisTested::Kind;
    if (test.kind == Kind::FaceA) return fmt::format("A{}", "xyz"[test.i]);
    if (test.kind == Kind::FaceB) return fmt::format("B{}", "xyz"[test.j]);
    return fmt::format("A{} × B{}", "xyz"[test.i], "xyz"[test.j]);
}

/// Axes whose x points along `forward`, as upright as possible.
glm::mat3 axes_along(const glm::vec3& forward) {
    const float length = glm::length(forward);
    const glm::vec3 x = length > 1e-6f ? forward / length : glm::vec3(1, 0, 0);
    const glm::vec3 up = std::abs(x.y) < 0.99f ? glm::vec3(0, 1, 0) : glm::vec3(0, 0, 1);
    const glm::vec3 z = glm::normalize(glm::cross(x, up));
    return {x, glm::cross(z, x), z};
}

class ObbSat final : public SceneOf<ObbSat> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        handles_.add("a", {-1.1f, 1.2f, 0.0f}, "move A");
        handles_.add("a.turn", {0.1f, 1.5f, 0.5f}, "turn A");
        handles_.add("b", {1.2f, 1.4f, 0.2f}, "move B");
        handles_.add("b.turn", {0.5f, 2.4f, -0.4f}, "turn B");
    }

    void step(SceneContext&, float dt_s) override {
        time_s_ += dt_s;
        if (handles_.taken("b") || handles_.taken("b.turn")) return;
        const glm::vec3 center{1.25f + 0.45f * std::cos(0.5f * time_s_), 1.4f, 0.2f};
        const glm::vec3 toward{std::cos(0.4f * time_s_ + 2.1f), 0.7f, std::sin(0.4f * time_s_ - 0.6f)};
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

    void show(const SceneContext& context, FrameResults& results) const override {
        const bv::Obb a = box("a", {0.9f, 0.45f, 0.6f});
        const bv::Obb b = box("b", {0.8f, 0.35f, 0.5f});
        bv::Recording trace;
        const bool touching = bv::overlap(a, b, trace);
        put(results, a, Role::ProjectionA, "A", 0.15f).legend = "A";
        put(results, b, Role::ProjectionB, "B", 0.15f).legend = "B";

        std::vector<bv::AxisTested> tests;
        for (const bv::TraceEvent& event : trace.events())
            if (const auto* test = std::get_if<bv::AxisTested>(&event)) tests.push_back(*test);
        const int shown = shown_axis(tests, context.settings[kSatAxis]);
        list_axes(results, tests, shown, touching);
        if (shown >= 0) draw_axis(results, tests[static_cast<std::size_t>(shown)], a, b);
        handles_.show(results);
    }

  private:
    [[nodiscard]] bv::Obb box(const std::string& name, glm::vec3 half_extents) const {
        const glm::vec3 center = handles_[name];
        return {center, half_extents, axes_along(handles_[name + ".turn"] - center)};
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
            table.add({cells::whole(i + 1), axis_name(test), cells::interval(test.min_a, test.max_a),
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

    /// The axis as a line below or beside the boxes, both projections on it, and where the corners fall.
    static void draw_axis(FrameResults& results, const bv::AxisTested& test, const bv::Obb& a,
                          const bv::Obb& b) {
        const float length = glm::length(test.axis);
        if (!(length > 1e-6f)) return;
        const glm::vec3 direction = test.axis / length;
        // The line passes beside both boxes: offset perpendicular to itself, downward if possible.
        glm::vec3 aside = glm::vec3(0, -1, 0) + direction * direction.y;
        aside = glm::length(aside) > 0.2f ? glm::normalize(aside) : glm::vec3(0, 0, 1);
        float reach = 0;
        for (const bv::Obb* box : {&a, &b})
            for (int k = 0; k < 8; ++k)
                reach = std::max(reach, glm::dot(box->corner(k), aside));
        const glm::vec3 middle = 0.5f * (a.center + b.center);
        const glm::vec3 base = middle - direction * glm::dot(middle, direction) +
                               aside * (reach + 0.35f - glm::dot(middle, aside));
        const auto project = [&](const bv::Obb& box) {
            Interval interval{1e30f, -1e30f};
            for (int k = 0; k < 8; ++k) {
                const float t = glm::dot(box.corner(k), direction);
                interval = {std::min(interval.min, t), std::max(interval.max, t)};
            }
            return interval;
        };
        const Interval ia = project(a);
        const Interval ib = project(b);
        const float low = std::min(ia.min, ib.min) - 0.5f;
        const float high = std::max(ia.max, ib.max) + 0.5f;
        put(results, bv::Segment{base + low * direction, base + high * direction},
            test.gap > 0 ? Role::Separating : Role::Muted, {})
            .width_px = 1.5f;
        put_note(results, base + (high + 0.1f) * direction, test.gap > 0 ? Role::Separating : Role::Touching,
                 axis_name(test));
        put_intervals(results, {base + 0.06f * aside, direction, aside, 0.09f}, ia, ib);
        for (const auto& [box, interval, role] :
             {std::tuple{&a, ia, Role::ProjectionA}, std::tuple{&b, ib, Role::ProjectionB}}) {
            for (int k = 0; k < 8; ++k) {
                const float t = glm::dot(box->corner(k), direction);
                if (t > interval.min + 1e-4f && t < interval.max - 1e-4f) continue;
                Exhibit& drop = put(results, bv::Segment{box->corner(k), base + t * direction}, role);
                drop.width_px = 1.0f;
            }
        }
    }

    HandleSet handles_;
    float time_s_ = 0;
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
};

}  // namespace lab::scenes
