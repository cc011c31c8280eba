// All ways to build a tree over a list of boxes: every insertion with every balancing, and every builder. The
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
    std::string_view name;  ///< Shown to users.
    How how = How::Insert;
    bv::Insertion insertion = bv::Insertion::BranchAndBoundSah;
    bv::Balancing balancing = bv::Balancing::Sah;
    bv::Builder builder =
        bv::Builder::BinnedSah;  ///< Unused by Insert; the other kinds make little use of the two above.

    /// Sorted input can degenerate the tree to a list, in quadratic time.
    [[nodiscard]] bool may_degenerate() const {
        return how == How::Insert && balancing == bv::Balancing::None;
    }
};

/// The insertions first, from the plainest to the best, then the builders.
std::span<const TreeRecipe> tree_recipes();
/// Null if there is none.
const TreeRecipe* find_recipe(std::string_view id);

/// `base` with the recipe's own choices.
bv::TreeOptions options_of(const TreeRecipe& recipe, bv::TreeOptions base);
/// A tree over the boxes, inserted in order; the user data are their indices.
bv::DynamicTree make_tree(const TreeRecipe& recipe, std::span<const bv::Aabb> boxes, bv::TreeOptions base);

/// All metrics of a tree, with the measured query costs. EPO only up to `kMaxNodesForEpo` nodes and ten times
/// as many payloads: beyond that, it would take longer than everything else together.
inline constexpr std::size_t kMaxNodesForEpo = 20'000;
MeasuredTree measure_tree(std::string id, const bv::TreeSnapshot& tree);

/// Builds one list by one recipe after another, so that a long list does not block a frame. The trees have no
/// margins, since the boxes do not move.
class TreeComparison {
  public:
    /// With more boxes, recipes that can degenerate to a list are left out.
    static constexpr std::size_t kMaxForLists = 16'384;

    TreeComparison() = default;
    explicit TreeComparison(std::span<const bv::Aabb> boxes);

    /// Builds and measures the next tree; false when none is left. `boxes`: as in the constructor.
    bool next(std::span<const bv::Aabb> boxes);
    [[nodiscard]] bool done() const { return next_ == wanted_.size(); }
    [[nodiscard]] const std::vector<MeasuredTree>& rows() const { return rows_; }
    /// The recipes still to be built, and those left out, for a table.
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
