#include "world/tree_recipes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "platform/clock.hpp"

namespace lab {
namespace {

using bv::Balancing;
using bv::Builder;
using bv::Insertion;
using How = TreeRecipe::How;

/// Rounds that remove the worst twentieth of the nodes and re-insert their leaves.
constexpr int kReinsertionRounds = 20;
constexpr std::uint32_t kRandomQueries = 200;

constexpr TreeRecipe inserted(std::string_view id, std::string_view name, Insertion insertion,
                              Balancing balancing) {
    return {id, name, How::Insert, insertion, balancing};
}
constexpr TreeRecipe built(std::string_view id, std::string_view name, Builder builder,
                           How how = How::Build) {
    return {id, name, how, Insertion::BranchAndBoundSah, Balancing::Sah, builder};
}

constexpr std::array kRecipes = {
    inserted("manhattan+none", "no rotation: nearest center", Insertion::Manhattan, Balancing::None),
    inserted("manhattan+height", "height: nearest center", Insertion::Manhattan, Balancing::Height),
    inserted("manhattan+sah", "SAH: nearest center", Insertion::Manhattan, Balancing::Sah),
    inserted("greedy+none", "no rotation: greedy SAH", Insertion::GreedySah, Balancing::None),
    inserted("greedy+height", "height: greedy SAH", Insertion::GreedySah, Balancing::Height),
    inserted("greedy+sah", "SAH: greedy SAH", Insertion::GreedySah, Balancing::Sah),
    inserted("branch_and_bound+none", "no rotation: branch and bound", Insertion::BranchAndBoundSah,
             Balancing::None),
    inserted("branch_and_bound+height", "height: branch and bound", Insertion::BranchAndBoundSah,
             Balancing::Height),
    inserted("branch_and_bound+sah", "SAH: branch and bound", Insertion::BranchAndBoundSah, Balancing::Sah),
    built("median", "built: median", Builder::Median),
    built("morton", "built: Morton curve", Builder::Morton),
    built("binned_sah", "built: binned SAH", Builder::BinnedSah),
    built("sweep_sah", "built: sweep SAH", Builder::SweepSah),
    built("agglomerative", "built: agglomerative", Builder::Agglomerative),
    built("sweep_sah+reinsertion", "built: sweep SAH, re-inserted", Builder::SweepSah, How::BuildAndReinsert),
};

}  // namespace

std::span<const TreeRecipe> tree_recipes() {
    return kRecipes;
}

const TreeRecipe* find_recipe(std::string_view id) {
    for (const TreeRecipe& recipe : kRecipes)
        if (recipe.id == id) return &recipe;
    return nullptr;
}

bv::TreeOptions options_of(const TreeRecipe& recipe, bv::TreeOptions base) {
    base.insertion = recipe.insertion;
    base.balancing = recipe.balancing;
    base.builder = recipe.builder;
    return base;
}

namespace {

/// A round can make a good tree worse: the best of all rounds is the result.
bv::DynamicTree reinserted(bv::DynamicTree tree) {
    bv::DynamicTree best = tree;
    double least = bv::measure(best.snapshot()).area_ratio;
    for (int round = 0; round < kReinsertionRounds; ++round) {
        tree.reinsert_worst(static_cast<std::uint32_t>(std::max<std::size_t>(1, tree.size() / 20)));
        const double area = bv::measure(tree.snapshot()).area_ratio;
        if (area >= least) continue;
        least = area;
        best = tree;
    }
    return best;
}

}  // namespace

bv::DynamicTree make_tree(const TreeRecipe& recipe, std::span<const bv::Aabb> boxes, bv::TreeOptions base) {
    bv::DynamicTree tree(options_of(recipe, base));
    if (recipe.how == How::Insert) {
        for (std::size_t i = 0; i < boxes.size(); ++i)
            tree.insert(boxes[i], i);
        return tree;
    }
    std::vector<std::uint64_t> places(boxes.size());
    std::iota(places.begin(), places.end(), std::uint64_t{0});
    tree.insert_all(boxes, places);
    return recipe.how == How::BuildAndReinsert ? reinserted(std::move(tree)) : tree;
}

MeasuredTree measure_tree(std::string id, const bv::TreeSnapshot& tree) {
    const bool affordable = tree.size() <= kMaxNodesForEpo && tree.payloads.size() <= 10 * kMaxNodesForEpo;
    MeasuredTree measured{std::move(id), {}, affordable, {}};
    bv::MetricOptions options;
    options.epo = measured.epo_measured ? bv::MeasureEpo::Yes : bv::MeasureEpo::No;
    options.random_rays = options.random_boxes = kRandomQueries;
    measured.metrics = bv::measure(tree, options);
    return measured;
}

TreeComparison::TreeComparison(std::span<const bv::Aabb> boxes) {
    for (const TreeRecipe& recipe : kRecipes)
        (recipe.may_degenerate() && boxes.size() > kMaxForLists ? left_out_ : wanted_).push_back(&recipe);
}

bool TreeComparison::next(std::span<const bv::Aabb> boxes) {
    if (done()) return false;
    const TreeRecipe& recipe = *wanted_[next_++];
    bv::TreeOptions still;
    still.margin = bv::Margin::None;
    const platform::Clock clock;
    const bv::DynamicTree tree = make_tree(recipe, boxes, still);
    const double build_ms = clock.milliseconds();
    rows_.push_back(measure_tree(std::string(recipe.id), tree.snapshot()));
    rows_.back().build_ms = build_ms;
    return true;
}

std::vector<Column> measured_columns() {
    return {"tree", "height", "optimum",        "balance",   "area",
            "SAH",  "EPO",    {"overlap", "%"}, "nodes/ray", {"build", "ms"}};
}

std::vector<Cell> measured_row(std::string name, const MeasuredTree& tree) {
    const bv::TreeMetrics& m = tree.metrics;
    return {std::move(name),
            cells::whole(m.height),
            cells::whole(m.optimal_height),
            cells::whole(m.max_balance),
            cells::fixed(m.area_ratio, 2),
            cells::fixed(m.sah, 1),
            tree.epo_measured ? Cell(cells::fixed(m.epo, 2)) : Cell("-"),
            cells::fixed(100.0 * m.sibling_overlap, 1),
            cells::fixed(m.nodes_per_ray, 1),
            tree.build_ms ? Cell(cells::fixed(*tree.build_ms, 2).timed()) : Cell("-")};
}

}  // namespace lab
