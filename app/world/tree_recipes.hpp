// Every way of making a tree of a list of boxes: each insertion with each balancing, and each builder. The
// scenes about trees compare them on the same boxes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bv/tree/dynamic_tree.hpp"
#include "results/frame_results.hpp"

namespace lab {

struct TreeRecipe {
    enum class How : unsigned char { Insert, Build, BuildAndReinsert };
    std::string_view id;    ///< Stable, for reports: `greedy+sah`, `binned_sah`.
    std::string_view name;  ///< For people.
    How how = How::Insert;
    bv::Insertion insertion = bv::Insertion::BranchAndBoundSah;
    bv::Balancing balancing = bv::Balancing::Sah;
    bv::Builder builder =
        bv::Builder::BinnedSah;  ///< Insert has no use for it, the others little for the rest.

    /// Sorted input may make it a list, and making it quadratic.
    [[nodiscard]] bool may_become_a_list() const {
        return how == How::Insert && balancing == bv::Balancing::None;
    }
};

/// The insertions first, from the plainest to the best, then the builders.
std::span<const TreeRecipe> tree_recipes();
/// Nullptr if there is none.
const TreeRecipe* find_recipe(std::string_view id);

/// The options of a tree that a recipe makes: `base` with the recipe's own choices.
bv::TreeOptions options_of(const TreeRecipe& recipe, bv::TreeOptions base);
/// A tree of the boxes in their order, whose user data are their places in the list.
bv::DynamicTree make_tree(const TreeRecipe& recipe, std::span<const bv::Aabb> boxes, bv::TreeOptions base);

/// All numbers of a tree, with the measured costs. EPO only up to `kMaxNodesForEpo`: beyond that it takes
/// longer than everything else together; nor for more than ten times as many payloads.
inline constexpr std::size_t kMaxNodesForEpo = 20'000;
MeasuredTree measure_tree(std::string id, const bv::TreeSnapshot& tree);

/// The recipes tried on one list, one after the other, so that a long list does not hold up the picture.
/// Trees without margins: boxes that do not move need none.
class TreeComparison {
  public:
    /// Beyond this many boxes recipes that may become a list are left out.
    static constexpr std::size_t kMostForLists = 16'384;

    TreeComparison() = default;
    explicit TreeComparison(std::span<const bv::Aabb> boxes);

    /// Makes and measures the next tree; false when there is none left. `boxes` are those of the constructor.
    bool next(std::span<const bv::Aabb> boxes);
    [[nodiscard]] bool done() const { return next_ == wanted_.size(); }
    [[nodiscard]] const std::vector<MeasuredTree>& rows() const { return rows_; }
    /// What is still to come, and what was left out, for a table.
    [[nodiscard]] std::span<const TreeRecipe* const> waiting() const {
        return std::span(wanted_).subspan(next_);
    }
    [[nodiscard]] std::span<const TreeRecipe* const> left_out() const { return left_out_; }

  private:
    std::vector<const TreeRecipe*> wanted_, left_out_;
    std::size_t next_ = 0;
    std::vector<MeasuredTree> rows_;
};

/// The columns of a table of measured trees, and the row of one of them.
std::vector<Column> measured_columns();
std::vector<Cell> measured_row(std::string name, const MeasuredTree& tree);

}  // namespace lab
