// The same boxes, inserted in the same order into two trees: the chosen strategy on the left, its rival on
// the right, and the metrics of every strategy in a table. A drifting crowd shows how the trees of each
// strategy degrade.
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/metrics.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/settings.hpp"
#include "settings/steps.hpp"
#include "settings/tree.hpp"
#include "steps/event_spec.hpp"
#include "steps/walk.hpp"
#include "workloads/boxes.hpp"
#include "world/tree_recipes.hpp"
#include "world/tree_settings.hpp"

namespace lab::scenes::tree_balance_scene {
namespace {

enum class Input : unsigned char { Row, Grid, Clusters, Giant, Crowd };
constexpr std::array kBalanceInputChoices = {
    Choice{"row", "Sorted row", Input::Row}, Choice{"grid", "Grid", Input::Grid},
    Choice{"clusters", "Clusters", Input::Clusters}, Choice{"giant", "One giant", Input::Giant},
    Choice{"crowd", "Drifting crowd", Input::Crowd}};
constexpr Setting<Input> kBalanceInput{{
    .id = "balance.input",
    .label = "Input",
    .help = "Scene tree-balance: the input boxes of both trees",
    .default_value = "row",
    .choices = kBalanceInputChoices,
    .remembered = false,
}};

constexpr Setting<int> kBalanceCount{{
    .id = "balance.count",
    .label = "Boxes",
    .help = "Scene tree-balance: how many boxes; a grid takes the largest cube below",
    .default_value = "64",
    .min = 1,
    .max = 2000,
    .remembered = false,
}};

constexpr Setting<bv::Insertion> kBalanceRivalInsertion{{
    .id = "balance.rival_insertion",
    .label = "Rival's insertion",
    .help = "Scene tree-balance: how the second tree inserts",
    .default_value = "branch_and_bound",
    .choices = kInsertionChoices,
    .remembered = false,
}};

constexpr Setting<bv::Balancing> kBalanceRivalBalance{{
    .id = "balance.rival_balance",
    .label = "Rival's balancing",
    .help = "Scene tree-balance: how the second tree rebalances",
    .default_value = "none",
    .choices = kBalancingChoices,
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kBalanceInput,        &kBalanceCount,  &kBalanceRivalInsertion,
                                            &kBalanceRivalBalance, &kTreeInsertion, &kTreeBalance};

std::vector<bv::Aabb> boxes_of(Input input, int count, std::uint64_t seed) {
    namespace w = bv::workloads;
    const auto n = static_cast<std::size_t>(count);
    if (input == Input::Row) return w::row_of_boxes(n);
    if (input == Input::Grid)
        return w::grid_of_boxes(std::max(1, static_cast<int>(std::cbrt(static_cast<double>(count)))));
    if (input == Input::Clusters) return w::clusters_of_boxes(n, 6, seed);
    if (input == Input::Giant) return w::giant_among_small(n, seed);
    return w::MovingBoxes(n, seed).boxes();
}

/// A tree over the boxes that is updated when they move.
class Follower {
  public:
    Follower(const TreeRecipe& recipe, const bv::TreeOptions& options, std::span<const bv::Aabb> boxes)
        : recipe_(recipe), tree_(make_tree(recipe, boxes, options)), ids_(boxes.size()) {
        for (std::uint32_t slot = 0; slot < tree_.proxy_slots(); ++slot) {
            const bv::ProxyId id = tree_.proxy_at(slot);
            if (const auto place = tree_.user_data(id)) ids_[*place] = id;
        }
    }
    void move(const bv::workloads::MovingBoxes& crowd) {
        for (std::size_t i = 0; i < ids_.size(); ++i)
            tree_.move(ids_[i], crowd.box(i), crowd.displacement(i));
        tree_.update();
    }
    [[nodiscard]] const TreeRecipe& recipe() const { return recipe_; }
    [[nodiscard]] const bv::DynamicTree& tree() const { return tree_; }

  private:
    TreeRecipe recipe_;
    bv::DynamicTree tree_;
    std::vector<bv::ProxyId> ids_;
};

TreeRecipe recipe_of(bv::Insertion insertion, bv::Balancing balancing) {
    return {"", "", TreeRecipe::How::Insert, insertion, balancing, {}};
}

void shift(bv::TreeSnapshot& tree, const glm::vec3& offset) {
    for (auto* boxes : {&tree.boxes, &tree.payload_boxes})
        for (bv::Aabb& box : *boxes)
            box = {box.min + offset, box.max + offset};
}

class TreeBalance final : public SceneOf<TreeBalance> {
  public:
    void setup(SceneContext& context) override {
        seed_ = context.seed;
        (void)follow(context.settings);
        // Lists of boxes run from left to right, one behind the other.
        context.camera = {};
        context.camera.yaw_rad = 0.2f;
        context.camera.pitch_rad = 0.5f;
        context.frame_box = both_trees();
    }

    void adapt(SceneContext& context) override {
        if (!follow(context.settings)) return;
        // The new input is somewhere else: reframe both trees.
        context.camera.frame(both_trees());
    }

    void step(SceneContext&, float) override {
        if (!crowd_) return;
        crowd_->step();
        for (Follower& follower : followers_)
            follower.move(*crowd_);
        results_ = {};
    }

    void analyze(const SceneContext&, const FrameResults&) override {
        if (!results_.tables.empty()) return;
        const bv::TreeMetrics chosen = bv::measure(followers_[0].tree().snapshot());
        const bv::TreeMetrics rival = bv::measure(followers_[1].tree().snapshot());
        const int better = better_by(chosen, rival);
        stage(followers_[0], kChosen, glm::vec3(0.0f), chosen, better > 0);
        exhibits_of_chosen_ = results_.exhibits.size();
        stage(followers_[1], kRival, apart_, rival, better < 0);
        describe_difference(chosen, rival);
        record();
        list(better);
    }

    [[nodiscard]] const steps::Walk* stepped_walk() const override { return walk_.get(); }

    void show(const SceneContext&, FrameResults& results) const override {
        results.bounds = bv::merge(results.bounds, results_.bounds);
        // While stepping, the stepper shows the chosen tree as it grows.
        const bool stepped = results.walk && results.walk->number != 0;
        const auto first = static_cast<std::ptrdiff_t>(stepped ? exhibits_of_chosen_ : 0);
        results.exhibits.insert(results.exhibits.end(), results_.exhibits.begin() + first,
                                results_.exhibits.end());
        for (const auto& tree : results_.trees)
            if (!stepped || tree.first != kChosen) results.trees.push_back(tree);
        results.tables.insert(results.tables.end(), results_.tables.begin(), results_.tables.end());
    }

    [[nodiscard]] std::size_t memory_bytes() const override {
        std::size_t bytes = walk_ ? walk_->memory_bytes() : 0;
        bytes += boxes_.size() * sizeof(bv::Aabb) + (crowd_ ? crowd_->size() * 36 : 0);
        for (const Follower& follower : followers_)
            bytes += follower.tree().memory_bytes();
        for (const auto& [id, tree] : results_.trees)
            bytes += bytes_of(tree);
        return bytes;
    }

  private:
    /// The input of the trees, which are rebuilt when it changes.
    struct Choices {
        Input input = Input::Row;
        int count = 0;
        bv::TreeOptions chosen, rival;
        friend bool operator==(const Choices&, const Choices&) = default;
    };

    /// Rebuilds the trees if the settings have changed; true if they have other boxes now.
    bool follow(const Settings& settings) {
        Choices choices{settings[kBalanceInput], settings[kBalanceCount], tree_options(settings),
                        tree_options(settings)};
        choices.rival.insertion = settings[kBalanceRivalInsertion];
        choices.rival.balancing = settings[kBalanceRivalBalance];
        if (choices == made_for_) return false;
        const bool other_boxes = choices.input != made_for_.input || choices.count != made_for_.count;
        made_for_ = choices;
        results_ = {};
        if (other_boxes) {
            boxes_ = boxes_of(choices.input, choices.count, seed_);
            crowd_.reset();
            if (choices.input == Input::Crowd) crowd_.emplace(static_cast<std::size_t>(choices.count), seed_);
            bv::Aabb bounds;
            for (const bv::Aabb& box : boxes_)
                bounds = bv::merge(bounds, box);
            // Long inputs are placed one behind the other, wide ones side by side.
            const glm::vec3 size = bounds.size();
            apart_ = size.x > 3.0f * size.z ? glm::vec3(0, 0, size.z + 0.35f * size.x)
                                            : glm::vec3(1.25f * size.x, 0, 0);
        }
        const std::vector<bv::Aabb> now = crowd_ ? crowd_->boxes() : boxes_;
        followers_.clear();
        for (const bv::TreeOptions& options : {choices.chosen, choices.rival})
            followers_.emplace_back(recipe_of(options.insertion, options.balancing), options, now);
        for (const TreeRecipe& recipe : tree_recipes())
            if (recipe.how == TreeRecipe::How::Insert) followers_.emplace_back(recipe, choices.chosen, now);
        return other_boxes;
    }

    /// How the chosen tree grows, box by box.
    void record() {
        bv::DynamicTree tree(made_for_.chosen);
        bv::Recording trace;
        for (std::size_t i = 0; i < boxes_.size() && !trace.overflowed(); ++i)
            (void)tree.insert(boxes_[i], i, trace);
        steps::Subject subject;
        subject.tree_name = kChosen;
        subject.insertions.assign(boxes_.size(), made_for_.chosen.insertion);
        walk_ = std::make_shared<const steps::Walk>(steps::algorithm("dynamic.changes"), std::move(subject),
                                                    trace, difference_);
    }

    /// The bounds of both trees, side by side.
    [[nodiscard]] bv::Aabb both_trees() const {
        bv::Aabb all;
        for (const bv::Aabb& box : crowd_ ? crowd_->boxes() : boxes_)
            for (const glm::vec3& offset : {glm::vec3(0.0f), apart_})
                all = bv::merge(all, {box.min + offset, box.max + offset});
        return all;
    }

    void describe_difference(const bv::TreeMetrics& chosen, const bv::TreeMetrics& rival) {
        const int better = better_by(chosen, rival);
        if (better == 0) {
            difference_ = "On these boxes, both trees are equally good.";
            return;
        }
        const bv::TreeMetrics& good = better > 0 ? chosen : rival;
        const bv::TreeMetrics& bad = better > 0 ? rival : chosen;
        const double less = bad.sah > 0 ? 100.0 * (1.0 - good.sah / bad.sah) : 0.0;
        const auto [less_cost, more_cost] = steps::distinct_texts(
            good.sah, bad.sah, 1,
            [](double cost, int digits) { return fmt::format("{:.{}f}", cost, digits); });
        difference_ = fmt::format("The {} tree is better: its SAH cost is {}, not {}{}, ",
                                  better > 0 ? "chosen" : "rival", less_cost, more_cost,
                                  less >= 0.5 ? fmt::format(" ({:.0f} % lower)", less) : "");
        difference_ += good.height == bad.height ? fmt::format("and both have height {}.", good.height)
                       : good.height < bad.height
                           ? fmt::format("and its height is {}, not {}.", good.height, bad.height)
                           : fmt::format("although its height is {}, not {}.", good.height, bad.height);
    }

    void stage(const Follower& follower, const char* name, const glm::vec3& offset, const bv::TreeMetrics& m,
               bool better) {
        bv::TreeSnapshot tree = follower.tree().snapshot();
        if (tree.empty()) return;
        shift(tree, offset);
        constexpr std::size_t kMaxBoxesDrawn = 600;
        if (tree.payload_boxes.size() <= kMaxBoxesDrawn)
            for (const bv::Aabb& box : tree.payload_boxes) {
                Exhibit& shown = put(results_, box, Role::TreeLeaf, {}, 0.05f);
                shown.width_px = 1.2f;
                shown.legend = "box";
            }
        const bv::Aabb root = tree.boxes[0];
        results_.bounds = bv::merge(results_.bounds, root);
        put_note(results_, {root.center().x, root.max.y + 0.06f * glm::length(root.size()), root.center().z},
                 better ? Role::Selected : Role::TreeNode,
                 fmt::format("{}{}: height {} (optimum {}), SAH cost {:.1f}", name, better ? " (better)" : "",
                             m.height, m.optimal_height, m.sah));
        if (better) {
            // Off the root's own edges, whose color tells their depth.
            const glm::vec3 gap(0.012f * glm::length(root.size()));
            Exhibit& frame = put(results_, bv::Aabb{root.min - gap, root.max + gap}, Role::Selected);
            frame.width_px = 3.0f;
            frame.legend = "the better tree";
        }
        results_.trees.emplace_back(name, std::move(tree));
    }

    /// `better` as of `better_by`, for the two trees in the view.
    void list(int better) {
        Table table{
            "tree_balance",
            "Every strategy on these boxes",
            {"balancing: insertion", "height", "optimum", "balance", "area ratio", "SAH", {"overlap", "%"}}};
        std::size_t best = 2;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 2; i < followers_.size(); ++i) {
            const TreeRecipe& recipe = followers_[i].recipe();
            const bv::TreeMetrics m = bv::measure(followers_[i].tree().snapshot());
            best = m.sah < least - 1e-9 ? i : best;
            least = std::min(least, m.sah);
            const auto is_made_by = [&recipe](const bv::TreeOptions& options) {
                return recipe.insertion == options.insertion && recipe.balancing == options.balancing;
            };
            const RowMark mark = is_made_by(made_for_.chosen)  ? RowMark::Chosen
                                 : is_made_by(made_for_.rival) ? RowMark::Rival
                                                               : RowMark::None;
            const bool is_better =
                (mark == RowMark::Chosen && better > 0) || (mark == RowMark::Rival && better < 0);
            table.add({std::string(recipe.name), cells::whole(m.height), cells::whole(m.optimal_height),
                       cells::whole(m.max_balance), cells::fixed(m.area_ratio, 2), cells::fixed(m.sah, 1),
                       cells::fixed(100.0 * m.sibling_overlap, 1)},
                      is_better ? Role::Selected : Role::Muted, mark);
        }
        if (Row& row = table.rows[best - 2]; row.mark == RowMark::None) row.mark = RowMark::Best;
        results_.tables.push_back(std::move(table));
    }

    static constexpr const char* kChosen = "chosen";
    static constexpr const char* kRival = "rival";

    std::uint64_t seed_ = 1;
    std::shared_ptr<const steps::Walk> walk_;
    Choices made_for_;
    std::vector<bv::Aabb> boxes_;
    std::optional<bv::workloads::MovingBoxes> crowd_;
    std::vector<Follower> followers_;  // the chosen tree, its rival, then every strategy
    glm::vec3 apart_{0.0f};
    std::string difference_;              ///< Between both trees, in a sentence.
    FrameResults results_;                // what `show` adds; empty after a change
    std::size_t exhibits_of_chosen_ = 0;  // the first of them
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "tree-balance",
    .category = "Trees",
    .title = "Strategies side by side",
    .summary =
        "The same boxes, inserted in the same order into two trees. Choose the input and both strategies. "
        "Without rotations, sorted input makes a tall tree, in the worst case a list: compare the heights.",
    .make = make_scene<TreeBalance>,
    .settings = kSettings,
    .steps = &kStepAt,
};

}  // namespace lab::scenes::tree_balance_scene
