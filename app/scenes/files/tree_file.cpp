// A tree from a file, as it was saved: its nodes, boxes and metrics.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/settings.hpp"
#include "world/opened_files.hpp"
#include "world/tree_recipes.hpp"
#include "world/world.hpp"

namespace lab::scenes::tree_file_scene {
namespace {

constexpr const SettingSpec* kSettings[] = {&kBoxesDraw};

class OpenedTreeScene final : public SceneOf<OpenedTreeScene> {
  public:
    void setup(SceneContext& context) override {
        if (context.opened.trees.empty()) {
            name_ = "sample street";
            tree_ = make_tree(*find_recipe("sweep_sah"), made_up_street(context.seed),
                              {.margin = bv::Margin::None})
                        .snapshot();
            measured_ = measure_tree("file", tree_);
        } else {
            name_ = context.opened.trees.back().name;
            tree_ = context.opened.trees.back().tree;
            measured_ = context.opened.trees.back().measured;
            loose_ = context.opened.trees.back().loose;
        }
        context.world.set_arena(tree_.boxes.front());
        prepare_for_boxes(context.settings, tree_.payload_boxes.size());
        context.camera = {};
    }

    void show(const SceneContext& context, FrameResults& results) const override {
        results.trees.clear();
        results.trees.emplace_back("file", tree_);
        put_boxes(context.settings, results, tree_.payload_boxes);
        Table table{"tree_file", "The saved tree", measured_columns()};
        std::vector<Cell> row = measured_row(name_, measured_);
        table.columns.emplace_back("leaves");
        row.emplace_back(cells::grouped(measured_.metrics.leaves));
        table.columns.emplace_back("fatness");
        row.emplace_back(cells::fixed(measured_.metrics.fatness, 2));
        if (loose_.count > 0) {
            table.columns.emplace_back("broken");
            row.emplace_back(cells::grouped(loose_.count));
            results.broken_nodes.push_back({"file", loose_.first, loose_.count});
        }
        table.add(std::move(row));
        results.tables.push_back(std::move(table));
        if (loose_.count > 0) results.tables.push_back(broken_table());
    }

    [[nodiscard]] std::size_t memory_bytes() const override { return bytes_of(tree_); }

  private:
    [[nodiscard]] Table broken_table() const {
        constexpr std::size_t kRows = 100;
        Table table{
            "tree_broken", "Nodes that do not contain their contents", {"node", "depth", "what", "by"}};
        for (const bv::LooseNode& loose :
             std::span(loose_.first).first(std::min(kRows, loose_.first.size()))) {
            table.add({cells::whole(loose.node), cells::whole(tree_.depths[loose.node]),
                       loose.child == bv::TreeSnapshot::kNone ? fmt::format("payload {}", loose.payload)
                                                              : fmt::format("node {}", loose.child),
                       cells::significant(loose.excess, 4)},
                      Role::Broken);
        }
        return table;
    }

    std::string name_;
    bv::TreeSnapshot tree_;
    MeasuredTree measured_;
    bv::LooseNodes loose_;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "tree-file",
    .category = "Your files",
    .title = "Opened tree",
    .summary =
        "The tree that you open, node for node as it was saved, and a sample until then. Color its nodes by "
        "balance or "
        "sibling overlap to find the bad ones.",
    .make = make_scene<OpenedTreeScene>,
    .settings = kSettings,
    .shows = io::FileKind::Tree,
};

}  // namespace lab::scenes::tree_file_scene
