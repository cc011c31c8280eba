// Two axis-aligned boxes and the box that they share: overlap on every axis is overlap in space.
#include <memory>

#include "bv/portable_math.hpp"
#include "bv/query/overlap.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"

namespace lab::scenes::aabb_overlap_scene {
namespace {

class AabbOverlap final : public SceneWithHandles<AabbOverlap> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        handles_.add("a", {-0.8f, 1.2f, 0.0f}, "move A", {.name = "A, center"});
        handles_.add("a.size", {0.4f, 2.2f, 0.8f}, "size of A",
                     {.name = "A, half size", .from = "a", .is_size = true});
        handles_.add("b", {0.6f, 1.6f, 0.3f}, "move B", {.name = "B, center"});
        handles_.add("b.size", {1.6f, 2.4f, 1.2f}, "size of B",
                     {.name = "B, half size", .from = "b", .is_size = true});
    }

    void step(SceneContext&, float dt_s) override {
        time_s_ += dt_s;
        if (handles_.taken("b")) return;
        const glm::vec3 offset = handles_["b.size"] - handles_["b"];
        const glm::vec3 center{0.75f + 1.1f * bv::cos(0.6f * time_s_), 1.6f + 0.35f * bv::sin(0.9f * time_s_),
                               0.3f};
        handles_.place("b", center);
        handles_.place("b.size", center + offset);
    }

    bool drag(SceneContext&, std::string_view id, const glm::vec3& position) override {
        // The corner travels with its box.
        for (const char* box : {"a", "b"}) {
            if (id != box) continue;
            const std::string corner = std::string(box) + ".size";
            handles_.place(corner, handles_[corner] + position - handles_[box]);
        }
        return handles_.drag(id, position);
    }

    void show(const SceneContext&, FrameResults& results) const override {
        const bv::Aabb a = box("a");
        const bv::Aabb b = box("b");
        const bool touching = bv::overlap(a, b);
        put(results, a, Role::ProjectionA, "A", 0.08f).legend = "A";
        put(results, b, Role::ProjectionB, "B", 0.08f).legend = "B";
        const bv::Aabb common = bv::intersection(a, b);
        if (touching) put(results, common, Role::Overlap, "overlap box", 0.35f).legend = "overlap box";

        const glm::vec3 low = bv::merge(a, b).min - 0.5f;
        const glm::vec3 aside[3] = {{0, 0, -1}, {-1, 0, 0}, {-1, 0, 0}};
        Table table{
            "aabb_overlap", "Axis by axis", {"axis", {"A", "m"}, {"B", "m"}, {"overlap length", "m"}}};
        for (int k = 0; k < 3; ++k) {
            IntervalStage stage;
            stage.direction = glm::vec3(0.0f);
            stage.direction[k] = 1.0f;
            stage.aside = aside[k];
            stage.origin = low;
            stage.origin[k] = 0.0f;
            stage.name = std::string_view("xyz").substr(static_cast<std::size_t>(k), 1);
            put_intervals(results, stage, {a.min[k], a.max[k]}, {b.min[k], b.max[k]});
            const float length = std::min(a.max[k], b.max[k]) - std::max(a.min[k], b.min[k]);
            Number common_length = cells::trimmed(length);
            common_length.below_zero = "apart by ";
            table.add({std::string(1, "xyz"[k]), cells::interval(a.min[k], a.max[k]),
                       cells::interval(b.min[k], b.max[k]), common_length},
                      length >= 0 ? Role::Overlap : Role::Separating);
        }
        table.add({"verdict", {}, {}, touching ? "overlap" : "apart"},
                  touching ? Role::Touching : Role::Separating, RowMark::Verdict);
        results.tables.push_back(std::move(table));
        handles_.show(results);
    }

  private:
    [[nodiscard]] bv::Aabb box(const std::string& name) const {
        const glm::vec3 center = handles_[name];
        const glm::vec3 half = glm::abs(handles_[name + ".size"] - center);
        return {center - half, center + half};
    }

    float time_s_ = 0;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "aabb-overlap",
    .category = "Queries",
    .title = "AABB against AABB",
    .summary =
        "Two boxes overlap when their intervals overlap on every axis. Watch the three pairs of bars: one "
        "gap is enough to keep the boxes apart. The overlap box is filled.",
    .make = make_scene<AabbOverlap>,
};

}  // namespace lab::scenes::aabb_overlap_scene
