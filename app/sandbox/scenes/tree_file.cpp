// A tree from a file, as it stood when it was saved: every node, its boxes and its numbers.
#include <fmt/format.h>

#include "sandbox/opened_files.hpp"
#include "sandbox/scenes/factories.hpp"
#include "sandbox/scenes/staging.hpp"
#include "sandbox/settings.hpp"
#include "sandbox/tree_recipes.hpp"
#include "sandbox/world.hpp"

namespace lab::scenes {
namespace {

class OpenedTreeScene final : public SceneOf<OpenedTreeScene> {
  public:
    void setup(SceneContext& context) override {
        if (context.opened.trees.empty()) {
            name_ = "a made-up street";
            tree_ = make_tree(*find_recipe("sweep_sah"), made_up_street(context.seed),
                              {.margin = bv::Margin::None})
                        .snapshot();
            measured_ = measure_tree("file", tree_);
        } else {
            name_ = context.opened.trees.back().name;
            tree_ = context.opened.trees.back().tree;
            measured_ = context.opened.trees.back().measured;
        }
        context.world.set_room(tree_.boxes.front());
        prepare_for_boxes(context.settings, tree_.payload_boxes.size());
        context.camera = {};
    }

    void show(const SceneContext& context, FrameResults& results) const override {
        results.trees.clear();
        results.trees.emplace_back("file", tree_);
        put_boxes(context.settings, results, tree_.payload_boxes);
        Table table{"tree_file", "The saved tree", measured_columns(), {measured_row(name_, measured_)}, {}};
        table.columns.emplace_back("leaves");
        table.rows[0].push_back(fmt::format("{}", measured_.metrics.leaves));
        table.columns.emplace_back("fatness");
        table.rows[0].push_back(fmt::format("{:.2f}", measured_.metrics.fatness));
        results.tables.push_back(std::move(table));
    }

    [[nodiscard]] std::size_t memory_bytes() const override { return bytes_of(tree_); }

  private:
    std::string name_;
    bv::TreeSnapshot tree_;
    MeasuredTree measured_;
};

}  // namespace

std::unique_ptr<Scene> make_tree_file() {
    return std::make_unique<OpenedTreeScene>();
}

}  // namespace lab::scenes
