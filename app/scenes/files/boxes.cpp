// A list of boxes from a file, and a tree over it by every recipe. One of the trees is drawn; the table
// compares all.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "bv/tree/dynamic_tree.hpp"
#include "io/text/counted.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/settings.hpp"
#include "settings/tree.hpp"
#include "world/opened_files.hpp"
#include "world/tree_recipes.hpp"
#include "world/tree_settings.hpp"
#include "world/world.hpp"

namespace lab::scenes::boxes_scene {
namespace {

enum class MadeBy : unsigned char {
    Insertion,  ///< By the settings of the group `tree`.
    Median,
    Morton,
    BinnedSah,
    SweepSah,
    Agglomerative,
    SweepAndReinsertion
};
constexpr std::array kBoxesTreeChoices = {
    Choice{"insert", "Inserted one by one", MadeBy::Insertion},
    Choice{"median", "Median", MadeBy::Median},
    Choice{"morton", "Morton curve", MadeBy::Morton},
    Choice{"binned_sah", "Binned SAH", MadeBy::BinnedSah},
    Choice{"sweep_sah", "Sweep SAH", MadeBy::SweepSah},
    Choice{"agglomerative", "Agglomerative", MadeBy::Agglomerative},
    Choice{"sweep_sah+reinsertion", "Sweep SAH, re-inserted", MadeBy::SweepAndReinsertion}};
constexpr Setting<MadeBy> kBoxesTree{{
    .id = "boxes.tree",
    .label = "Tree",
    .help = "Scene boxes: how the tree is built; boxes inserted one by one follow the settings of the "
            "dynamic tree",
    .default_value = "insert",
    .choices = kBoxesTreeChoices,
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kBoxesTree, &kBoxesDraw, &kTreeInsertion, &kTreeBalance};

/// Up to this size all trees are built before the first picture; for longer lists one in each step.
constexpr std::size_t kAllAtOnce = 5'000;

/// The recipe of a built tree; null for insertion.
const TreeRecipe* recipe_of(MadeBy how) {
    using How = TreeRecipe::How;
    const auto built = [](bv::Builder builder, How by = How::Build) {
        const auto recipes = tree_recipes();
        const auto at = std::find_if(recipes.begin(), recipes.end(), [=](const TreeRecipe& recipe) {
            return recipe.how == by && recipe.builder == builder;
        });
        return at == recipes.end() ? nullptr : &*at;
    };
    switch (how) {
        case MadeBy::Insertion:
            return nullptr;
        case MadeBy::Median:
            return built(bv::Builder::Median);
        case MadeBy::Morton:
            return built(bv::Builder::Morton);
        case MadeBy::BinnedSah:
            return built(bv::Builder::BinnedSah);
        case MadeBy::SweepSah:
            return built(bv::Builder::SweepSah);
        case MadeBy::Agglomerative:
            return built(bv::Builder::Agglomerative);
        case MadeBy::SweepAndReinsertion:
            return built(bv::Builder::SweepSah, How::BuildAndReinsert);
    }
    return nullptr;
}

class OpenedBoxes final : public SceneOf<OpenedBoxes> {
  public:
    void setup(SceneContext& context) override {
        load(context);
        context.world.set_arena(bounds_of_list());
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
        if (!names_.empty()) show_names(context.settings, results);
    }

    [[nodiscard]] std::size_t memory_bytes() const override {
        return boxes_.size() * sizeof(bv::Aabb) + bytes_of(chosen_);
    }

  private:
    /// The list opened last, or a small sample, so that the scene is never empty.
    void load(const SceneContext& context) {
        if (context.opened.box_lists.empty()) {
            name_ = "sample street";
            boxes_ = made_up_street(context.seed);
            return;
        }
        name_ = context.opened.box_lists.back().name;
        names_ = context.opened.box_lists.back().names;
        boxes_ = context.opened.box_lists.back().boxes;
    }

    void show_names(const Settings& settings, FrameResults& results) const {
        constexpr std::size_t kMaxLabels = 60, kMaxRows = 1000;
        Table table{"box_names", "Boxes by name", {"box", "name", {"size", "m"}}};
        const std::size_t count = std::min(boxes_.size(), kMaxRows);
        for (std::size_t i = 0; i < count; ++i) {
            if (names_[i].empty()) continue;
            table.add({cells::whole(i), names_[i], cells::vector(boxes_[i].size())}, Role::AabbTight);
            if (boxes_.size() > kMaxLabels || !settings[kBoxesDraw]) continue;
            const glm::vec3 center = boxes_[i].center();
            put_note(results, {center.x, boxes_[i].max.y, center.z}, Role::AabbTight, names_[i]);
        }
        results.tables.push_back(std::move(table));
    }

    [[nodiscard]] bv::Aabb bounds_of_list() const {
        bv::Aabb all;
        for (const bv::Aabb& box : boxes_)
            all = bv::merge(all, box);
        return all;
    }

    /// The tree on show, rebuilt only if the settings have changed.
    void make_chosen(const Settings& settings) {
        const TreeRecipe* const built = recipe_of(settings[kBoxesTree]);
        bv::TreeOptions options = tree_options(settings);
        // The boxes do not move, and fat margins would hide the quality of the tree.
        options.margin = bv::Margin::None;
        TreeRecipe recipe{"", "", TreeRecipe::How::Insert, options.insertion, options.balancing, {}};
        if (built) recipe = *built;
        options = options_of(recipe, options);
        if (chosen_recipe_ == built && options == chosen_options_) return;
        chosen_recipe_ = built;
        chosen_options_ = options;
        chosen_ = make_tree(recipe, boxes_, options).snapshot();
        table_ = {};
    }

    [[nodiscard]] bool is_chosen(const TreeRecipe& recipe) const {
        if (*chosen_recipe_) return &recipe == *chosen_recipe_;
        return recipe.how == TreeRecipe::How::Insert && recipe.insertion == chosen_options_.insertion &&
               recipe.balancing == chosen_options_.balancing;
    }

    void make_table() {
        table_ = {"boxes",
                  fmt::format("{} of {}, every tree", io::counted(boxes_.size(), "box", "boxes"), name_),
                  measured_columns()};
        for (const MeasuredTree& tree : comparison_.rows()) {
            const TreeRecipe& recipe = *find_recipe(tree.id);
            const bool chosen = is_chosen(recipe);
            table_.add(measured_row(std::string(recipe.name), tree), chosen ? Role::Selected : Role::Muted,
                       chosen ? RowMark::Chosen : RowMark::None);
        }
        for (const TreeRecipe* recipe : comparison_.waiting())
            table_.add({std::string(recipe->name), "pending"}, Role::Muted);
        for (const TreeRecipe* recipe : comparison_.left_out())
            table_.add({std::string(recipe->name), "skipped: may take hours"}, Role::Muted);
    }

    std::string name_;
    std::vector<bv::Aabb> boxes_;
    std::vector<std::string> names_;  ///< Empty if none has one.
    TreeComparison comparison_;
    // Cached until the settings change.
    bv::TreeSnapshot chosen_;
    std::optional<const TreeRecipe*> chosen_recipe_;  ///< As `recipe_of`.
    bv::TreeOptions chosen_options_;
    Table table_;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "boxes",
    .category = "Your files",
    .title = "Opened boxes",
    .summary =
        "The list of boxes that you open, and a sample until then, built into a tree by every method. Choose "
        "which tree is drawn, and compare height, area and the nodes that a query visits.",
    .make = make_scene<OpenedBoxes>,
    .settings = kSettings,
    .shows = io::FileKind::Boxes,
};

}  // namespace lab::scenes::boxes_scene
