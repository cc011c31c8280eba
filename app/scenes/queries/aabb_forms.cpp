// One box in three representations: two corners, center and half extents, one corner and the edge
// lengths.
#include <memory>

#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"

namespace lab::scenes::aabb_forms_scene {
namespace {

class AabbForms final : public SceneWithHandles<AabbForms> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        context.camera.yaw_rad = -0.35f;  // the corners min and max side by side
        handles_.add("min", {-1.0f, 0.4f, -0.7f}, "min corner", {.name = "Box, min"});
        handles_.add("max", {1.0f, 1.8f, 0.7f}, "max corner", {.name = "Box, max"});
    }

    bool drag(SceneContext&, std::string_view id, const glm::vec3& position) override {
        return handles_.drag(id, position);
    }

    void show(const SceneContext&, FrameResults& results) const override {
        bv::Aabb box = bv::merge(bv::Aabb{handles_["min"], handles_["min"]}, handles_["max"]);
        const float apart = box.size().x + 1.6f;
        put(results, box, Role::AabbTight, {}, 0.08f).legend = "box";
        show_min_max(results, box);
        const bv::Aabb right{box.min + glm::vec3(apart, 0, 0), box.max + glm::vec3(apart, 0, 0)};
        show_center_extents(results, right);
        const bv::Aabb far_right{right.min + glm::vec3(apart, 0, 0), right.max + glm::vec3(apart, 0, 0)};
        show_min_size(results, far_right);
        list(results, box);
        handles_.show(results);
    }

  private:
    static void title(FrameResults& results, const bv::Aabb& box, const char* text) {
        put_note(results, {box.center().x, box.max.y + 0.45f, box.center().z}, Role::AabbTight, text);
    }
    static void point(FrameResults& results, const glm::vec3& at, const char* text) {
        Exhibit& stored = put(results, Marker{at}, Role::Hit, text);
        stored.on_top = true;
        stored.legend = "stored point";
    }
    static void length(FrameResults& results, const glm::vec3& from, const glm::vec3& to, std::string text) {
        put_measure(results, from, to, Role::Normal, std::move(text));
        results.exhibits.back().legend = "stored length";
    }
    static void show_min_max(FrameResults& results, const bv::Aabb& box) {
        title(results, box, "min-max");
        Exhibit& diagonal = put(results, bv::Segment{box.min, box.max}, Role::Muted);
        diagonal.width_px = 1.0f;
        diagonal.legend = "from min to max";
    }
    static void show_center_extents(FrameResults& results, const bv::Aabb& box) {
        const bv::CenterExtents form = bv::to_center_extents(box);
        put(results, box, Role::AabbTight, {}, 0.08f).legend = "box";
        title(results, box, "center-extents");
        point(results, form.center, "center");
        for (int k = 0; k < 3; ++k) {
            // The half extent along x goes to the left, since the center's label is on the right.
            glm::vec3 tip = form.center;
            tip[k] += (k == 0 ? -1.0f : 1.0f) * form.half_extents[k];
            length(results, form.center, tip,
                   fmt::format("h{} = {}", "xyz"[k], number(form.half_extents[k])));
        }
    }
    static void show_min_size(FrameResults& results, const bv::Aabb& box) {
        const bv::MinSize form = bv::to_min_size(box);
        put(results, box, Role::AabbTight, {}, 0.08f).legend = "box";
        title(results, box, "min-size");
        point(results, form.min, "min");
        for (int k = 0; k < 3; ++k) {
            glm::vec3 tip = form.min;
            tip[k] += form.size[k];
            length(results, form.min, tip, fmt::format("s{} = {}", "xyz"[k], number(form.size[k])));
        }
    }
    static void list(FrameResults& results, const bv::Aabb& box) {
        const bv::CenterExtents ce = bv::to_center_extents(box);
        const bv::MinSize ms = bv::to_min_size(box);
        Table table{"aabb_forms",
                    "Six numbers, three forms",
                    {"form", "first", "second", "center costs", "overlap costs"}};
        table.add({"min-max", cells::vector(box.min), cells::vector(box.max), "3 add, 3 mul", "6 compare"});
        table.add({"center-extents", cells::vector(ce.center), cells::vector(ce.half_extents), "nothing",
                   "6 add, 3 abs, 3 compare"});
        table.add(
            {"min-size", cells::vector(ms.min), cells::vector(ms.size), "3 add, 3 mul", "6 add, 6 compare"});
        results.tables.push_back(std::move(table));

        const bv::Aabb back_ce = bv::to_aabb(ce);
        const bv::Aabb back_ms = bv::to_aabb(ms);
        Table trip{"aabb_round_trip",
                   "Converting never shrinks the box",
                   {"through", "contains the box", "largest growth"}};
        const auto row = [&](const char* name, const bv::Aabb& back) {
            const bool holds = bv::merge(back, box) == back;
            float growth = 0;
            for (int k = 0; k < 3; ++k)
                growth = std::max({growth, box.min[k] - back.min[k], back.max[k] - box.max[k]});
            trip.add({name, cells::must_hold(holds), cells::significant(growth, 2).in("m")});
        };
        row("center-extents", back_ce);
        row("min-size", back_ms);
        results.tables.push_back(std::move(trip));
    }
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "aabb-forms",
    .category = "Queries",
    .title = "Three forms of a box",
    .summary =
        "The same box as two corners, as center and half extents, and as min corner and size. Drag a corner "
        "and compare what each form stores and what it has to compute.",
    .make = make_scene<AabbForms>,
};

}  // namespace lab::scenes::aabb_forms_scene
