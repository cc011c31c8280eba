// A list of boxes from a file, made into a tree in every way that there is. One of the trees is drawn; the
// table compares all.
#include <fmt/format.h>

#include <algorithm>

#include "bv/tree/dynamic_tree.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/settings.hpp"
#include "world/opened_files.hpp"
#include "world/tree_recipes.hpp"
#include "world/tree_settings.hpp"
#include "world/world.hpp"

namespace lab::scenes {
namespace {

constexpr std::array kBoxesTreeChoices = {Choice{"insert", "Inserted one by one"},
                                          Choice{"median", "Median"},
                                          Choice{"morton", "Morton curve"},
                                          Choice{"binned_sah", "Binned SAH"},
                                          Choice{"sweep_sah", "Sweep SAH"},
                                          Choice{"agglomerative", "Agglomerative"},
                                          Choice{"sweep_sah+reinsertion", "Sweep, re-inserted"}};
constexpr Setting<std::string> kBoxesTree{{
    .id = "boxes.tree",
    .label = "Tree",
    .help = "Scene boxes: how the tree is made; `insert` follows the group tree",
    .default_value = "insert",
    .choices = kBoxesTreeChoices,
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kBoxesTree, &kBoxesDraw};

/// Up to here all trees are made before the first picture; of a longer list one in each step.
constexpr std::size_t kAllAtOnce = 5'000;

class OpenedBoxes final : public SceneOf<OpenedBoxes> {
  public:
    void setup(SceneContext& context) override {
        load(context);
        context.world.set_room(bounds_of_list());
        prepare_for_boxes(context.settings, boxes_.size());
        context.camera = {};
        comparison_ = TreeComparison(boxes_);
        while (boxes_.size() <= kAllAtOnce && comparison_.next(boxes_)) {
        }
    }

    void step(SceneContext&, float) override {
        if (comparison_.next(boxes_)) table_ = {};
    }

    void analyze(const SceneContext& context, const FrameResults&) override {
        make_chosen(context.settings);
        if (table_.id.empty()) make_table();
    }

    void show(const SceneContext& context, FrameResults& results) const override {
        results.trees.clear();
        results.trees.emplace_back("boxes", chosen_);
        results.measured_trees = comparison_.rows();
        put_boxes(context.settings, results, boxes_);
        results.tables.push_back(table_);
    }

    [[nodiscard]] std::size_t memory_bytes() const override {
        return boxes_.size() * sizeof(bv::Aabb) + bytes_of(chosen_);
    }

  private:
    /// The list that was opened last, or a small made-up one so that the scene is never empty.
    void load(const SceneContext& context) {
        if (context.opened.box_lists.empty()) {
            name_ = "a made-up street";
            boxes_ = made_up_street(context.seed);
            return;
        }
        name_ = context.opened.box_lists.back().name;
        boxes_ = context.opened.box_lists.back().boxes;
    }

    [[nodiscard]] bv::Aabb bounds_of_list() const {
        bv::Aabb all;
        for (const bv::Aabb& box : boxes_)
            all = bv::merge(all, box);
        return all;
    }

    /// The tree on show, made anew only when a setting asks for another one.
    void make_chosen(const Settings& settings) {
        const std::string& how = settings[kBoxesTree];
        bv::TreeOptions options = tree_options(settings);
        // A list from a file does not move: fat margins would only hide what the tree makes of it.
        options.margin = bv::Margin::None;
        TreeRecipe recipe{"", "", TreeRecipe::How::Insert, options.insertion, options.balancing, {}};
        if (const TreeRecipe* built = find_recipe(how)) recipe = *built;
        options = options_of(recipe, options);
        if (how == chosen_how_ && options == chosen_options_) return;
        chosen_how_ = how;
        chosen_options_ = options;
        chosen_ = make_tree(recipe, boxes_, options).snapshot();
        table_ = {};
    }

    [[nodiscard]] bool is_chosen(const TreeRecipe& recipe) const {
        if (chosen_how_ != "insert") return recipe.id == chosen_how_;
        return recipe.how == TreeRecipe::How::Insert && recipe.insertion == chosen_options_.insertion &&
               recipe.balancing == chosen_options_.balancing;
    }

    void make_table() {
        table_ = {"boxes", fmt::format("{} boxes of {}, every tree", boxes_.size(), name_),
                  measured_columns()};
        for (const MeasuredTree& tree : comparison_.rows()) {
            const TreeRecipe& recipe = *find_recipe(tree.id);
            const bool chosen = is_chosen(recipe);
            table_.add(measured_row(std::string(recipe.name), tree), chosen ? Role::Selected : Role::Muted,
                       chosen ? RowMark::Chosen : RowMark::None);
        }
        for (const TreeRecipe* recipe : comparison_.waiting())
            table_.add({std::string(recipe->name), "to come"}, Role::Muted);
        for (const TreeRecipe* recipe : comparison_.left_out())
            table_.add({std::string(recipe->name), "left out: may take hours"}, Role::Muted);
    }

    std::string name_;
    std::vector<bv::Aabb> boxes_;
    TreeComparison comparison_;
    // What settings decide is kept until they change. It follows from them and the list alone.
    bv::TreeSnapshot chosen_;
    std::string chosen_how_;
    bv::TreeOptions chosen_options_;
    Table table_;
};

}  // namespace

extern constinit const SceneSpec boxes_scene{
    .id = "boxes",
    .category = "Your files",
    .title = "Opened boxes",
    .summary =
        "The list of boxes that you have opened, made into a tree in every way that there is. Choose which "
        "one is drawn, and compare height, surface and the nodes that a query visits.",
    .make = make_scene<OpenedBoxes>,
    .settings = kSettings,
    .shows = io::FileKind::Boxes,
};

}  // namespace lab::scenes
