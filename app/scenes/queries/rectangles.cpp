// Two rotating rectangles in the plane, 30 by 140 and 40 by 110, and the four axes that decide, two of each.
// Blue while they are apart, red while they touch.
#include <array>
#include <cmath>
#include <glm/trigonometric.hpp>
#include <memory>

#include "bv/portable_math.hpp"
#include "bv/query/overlap_kdop.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/steps.hpp"
#include "steps/walk.hpp"

namespace lab::scenes {
namespace {

/// The classic sizes are pixels; here a pixel is a centimeter or so.
constexpr float kMetresPerUnit = 0.02f;

class Rectangles final : public SceneOf<Rectangles> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        handles_.add("a", {-0.7f, 1.8f, 0.0f}, "move A", {.name = "A, center", .parts = 2});
        handles_.add_numbers("a.size", {30.0f, 140.0f, 0.0f},
                             {.name = "A, size", .unit = "× 2 cm", .parts = 2});
        handles_.add_numbers("a.angle", {}, {.name = "A, angle", .unit = "°", .parts = 1});
        handles_.add("b", {0.8f, 1.7f, 0.0f}, "move B", {.name = "B, center", .parts = 2});
        handles_.add_numbers("b.size", {40.0f, 110.0f, 0.0f},
                             {.name = "B, size", .unit = "× 2 cm", .parts = 2});
        handles_.add_numbers("b.angle", {}, {.name = "B, angle", .unit = "°", .parts = 1});
        turn();
        context.camera = {};
        context.camera.yaw_rad = 0.0f;
        context.camera.pitch_rad = 0.0f;
        context.frame_camera = false;
        context.camera.frame({{-3.4f, -1.2f, 0.0f}, {3.4f, 4.8f, 0.0f}});
    }

    void step(SceneContext&, float dt_s) override {
        time_s_ += dt_s;
        turn();
    }

    bool drag(SceneContext&, std::string_view id, const glm::vec3& position) override {
        return handles_.drag(id, {position.x, position.y, 0.0f});
    }

    void analyze(const SceneContext&, const FrameResults&) override {
        bv::Recording trace;
        const bool touching = bv::overlap(rectangle_a(), rectangle_b(), trace);
        auto walk = std::make_shared<steps::Walk>(
            steps::algorithm("sat.rectangles"), steps::Subject{}, trace,
            touching ? "None of the four axes separates them: they overlap." : "They are apart.");
        walk->without_picture();
        walk_ = std::move(walk);
    }
    [[nodiscard]] const steps::Walk* stepped_walk() const override { return walk_.get(); }

    void show(const SceneContext&, FrameResults& results) const override {
        const bv::Obb2 a = rectangle_a();
        const bv::Obb2 b = rectangle_b();
        bv::Recording trace;
        const bool touching = bv::overlap(a, b, trace);
        const Role verdict = touching ? Role::Touching : Role::Separating;
        draw(results, a, verdict, label_of("a", "A"));
        draw(results, b, verdict, label_of("b", "B"));

        Table table{"rectangles", "Four axes", {"axis", "A", "B", "gap"}};
        int row = 0;
        for (const bv::TraceEvent& event : trace.events()) {
            const auto* test = std::get_if<bv::AxisTested>(&event);
            if (!test) continue;
            const std::string name = test->kind == bv::AxisTested::Kind::FaceA
                                         ? fmt::format("A{}", "xy"[test->i])
                                         : fmt::format("B{}", "xy"[test->j]);
            table.add({name, cells::interval(test->min_a, test->max_a),
                       cells::interval(test->min_b, test->max_b), cells::trimmed(test->gap)},
                      test->gap > 0 ? Role::Separating : Role::Touching);
            ++row;
            const auto stepped = results.walk ? static_cast<int>(results.walk->number) : 0;
            if (stepped == 0 || stepped == row) draw_axis(results, *test, name, row - 1);
        }
        table.add({"verdict", {}, {}, touching ? "overlap" : "apart"}, verdict, RowMark::Verdict);
        results.tables.push_back(std::move(table));
        handles_.show(results);
    }

  private:
    [[nodiscard]] float angle_a_rad() const { return 0.5f * time_s_; }
    [[nodiscard]] float angle_b_rad() const { return 0.9f - 0.35f * time_s_; }
    /// The angles go on until they are given.
    void turn() {
        if (!handles_.taken("a.angle")) handles_.place("a.angle", {glm::degrees(angle_a_rad()), 0, 0});
        if (!handles_.taken("b.angle")) handles_.place("b.angle", {glm::degrees(angle_b_rad()), 0, 0});
    }
    [[nodiscard]] bv::Obb2 rectangle_a() const { return rectangle("a", angle_a_rad()); }
    [[nodiscard]] bv::Obb2 rectangle_b() const { return rectangle("b", angle_b_rad()); }
    [[nodiscard]] bv::Obb2 rectangle(const std::string& name, float angle_rad) const {
        if (handles_.taken(name + ".angle")) angle_rad = glm::radians(handles_[name + ".angle"].x);
        const float c = bv::cos(angle_rad);
        const float s = bv::sin(angle_rad);
        return {glm::vec2(handles_[name]),
                0.5f * kMetresPerUnit * glm::abs(glm::vec2(handles_[name + ".size"])),
                glm::mat2(c, s, -s, c)};
    }
    [[nodiscard]] std::string label_of(const std::string& name, const char* label) const {
        const glm::vec3 size = handles_[name + ".size"];
        return fmt::format("{}  {} × {}", label, number(size.x), number(size.y));
    }

    static void draw(FrameResults& results, const bv::Obb2& box, Role role, std::string label) {
        Polytope outline;
        for (int k = 0; k < 4; ++k)
            outline.vertices.emplace_back(box.corner(k), 0.0f);
        outline.triangles = {{0, 1, 2}, {0, 2, 3}};
        outline.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
        Exhibit& exhibit = put(results, std::move(outline), role, std::move(label), 0.4f);
        exhibit.width_px = 3.0f;
    }

    /// The four axes in a row beside the rectangles, each in its direction, with both projections.
    static void draw_axis(FrameResults& results, const bv::AxisTested& test, const std::string& name,
                          int row) {
        const glm::vec3 direction = test.axis;
        const glm::vec3 aside(direction.y, -direction.x, 0.0f);
        const float distance = 2.1f + 0.05f * static_cast<float>(row);
        const glm::vec3 middle(0.0f, 1.75f, 0.0f);
        const float along = glm::dot(middle, direction);
        const glm::vec3 base = middle + aside * distance - direction * along;
        const float low = std::min(test.min_a, test.min_b) - 0.2f;
        const float high = std::max(test.max_a, test.max_b) + 0.2f;
        put(results, bv::Segment{base + low * direction, base + high * direction}, Role::Muted).width_px =
            1.0f;
        put_note(results, base + (high + 0.12f) * direction, test.gap > 0 ? Role::Separating : Role::Touching,
                 name);
        put_intervals(results, {base + 0.05f * aside, direction, aside, 0.1f}, {test.min_a, test.max_a},
                      {test.min_b, test.max_b});
    }

    HandleSet handles_;
    float time_s_ = 0;
    std::shared_ptr<const steps::Walk> walk_;
};

}  // namespace

extern constinit const SceneSpec rectangles_scene{
    .id = "rectangles",
    .category = "Queries",
    .title = "Two rectangles, four axes",
    .summary =
        "Separating axes in the plane. Two turning rectangles, 30 by 140 and 40 by 110: blue while one of "
        "four axes keeps them apart, red while none does.",
    .make = make_scene<Rectangles>,
    .steps = &kStepAt,
};

}  // namespace lab::scenes
