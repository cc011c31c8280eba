#include "viz/colors/node_colors.hpp"

#include <algorithm>
#include <cmath>

#include "bv/tree/metrics.hpp"

namespace lab::viz {
namespace {

/// Area ratios fall by about half from level to level: on a linear scale all but the top would have one
/// color.
constexpr float kDecades = 3.0f;

float on_log_scale(float share) {
    return share > 0.0f ? 1.0f + std::log10(share) / kDecades : 0.0f;
}

}  // namespace

std::uint32_t deepest_node(const bv::TreeSnapshot& tree) {
    return tree.depths.empty() ? 0 : *std::max_element(tree.depths.begin(), tree.depths.end());
}

float area_share(const bv::TreeSnapshot& tree, std::uint32_t node) {
    const float root = tree.boxes[0].surface_area();
    return root > 0.0f ? tree.boxes[node].surface_area() / root : 0.0f;
}

std::vector<std::uint32_t> node_balances(const bv::TreeSnapshot& tree) {
    const std::vector<std::uint32_t> heights = bv::node_heights(tree);
    std::vector<std::uint32_t> balances(tree.size(), 0);
    for (std::uint32_t node = 0; node < tree.size(); ++node) {
        if (tree.is_leaf(node)) continue;
        const auto first = heights.begin() + tree.first_child[node];
        const auto [low, high] = std::minmax_element(first, first + tree.child_count[node]);
        balances[node] = *high - *low;
    }
    return balances;
}

NodeScale node_scale(std::span<const std::pair<std::string, bv::TreeSnapshot>> trees, TreeColor mode) {
    NodeScale scale;
    for (const auto& [id, tree] : trees) {
        scale.deepest = std::max(scale.deepest, deepest_node(tree));
        if (mode != TreeColor::Balance) continue;
        for (const std::uint32_t balance : node_balances(tree))
            scale.max_imbalance = std::max(scale.max_imbalance, balance);
    }
    return scale;
}

float depth_share(std::uint32_t depth, const NodeScale& scale) {
    return scale.deepest == 0 ? 0.0f : static_cast<float>(depth) / static_cast<float>(scale.deepest);
}

TreeColor tree_color(const Settings& settings, const FrameResults& results) {
    const bool is_stepped = results.walk && results.walk->number != 0;
    return is_stepped && !results.marked_nodes.nodes.empty() ? TreeColor::Uniform : settings[kDrawTreeColor];
}

ScaleText scale_text(TreeColor mode, const NodeScale& scale) {
    switch (mode) {
        case TreeColor::Depth:
            return {"tree depth", "0", std::to_string(scale.deepest)};
        case TreeColor::Balance:
            return {"height difference", "0", std::to_string(scale.max_imbalance)};
        case TreeColor::Area:
            return {"SAH share: area", "0.1 %", "100 %"};
        case TreeColor::Overlap:
            return {"sibling overlap", "0", "100 %"};
        case TreeColor::Uniform:
            break;
    }
    return {};
}

NodeColors::NodeColors(const Palette& palette, TreeColor mode, const bv::TreeSnapshot& tree,
                       const NodeScale& scale)
    : palette_(palette), tree_(tree), mode_(mode), max_imbalance_(static_cast<float>(scale.max_imbalance)) {
    for (std::size_t d = 0; d < by_depth_.size(); ++d)
        by_depth_[d] = palette.scalar(depth_share(static_cast<std::uint32_t>(d), scale));
    if (mode_ == TreeColor::Balance) balance_ = node_balances(tree);
}

Color NodeColors::operator()(std::uint32_t node) const {
    switch (mode_) {
        case TreeColor::Depth:
            return of_depth(tree_.depths[node]);
        case TreeColor::Balance:
            return palette_.scalar(static_cast<float>(balance_[node]) / max_imbalance_);
        case TreeColor::Area:
            return palette_.scalar(on_log_scale(area_share(tree_, node)));
        case TreeColor::Overlap:
            return palette_.scalar(static_cast<float>(bv::sibling_overlap(tree_, node)));
        case TreeColor::Uniform:
            break;
    }
    return palette_.role(tree_.is_leaf(node) ? Role::TreeLeaf : Role::TreeNode);
}

}  // namespace lab::viz
