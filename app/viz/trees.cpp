// Tree nodes as thin faint boxes behind everything else: the deeper, the further along the scalar color map.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "viz/parts.hpp"

namespace lab::viz {
namespace {

using bv::TreeSnapshot;

std::uint32_t deepest(const TreeSnapshot& tree) {
    return tree.depths.empty() ? 0 : *std::max_element(tree.depths.begin(), tree.depths.end());
}

/// Surface over the root's, which is the node's weight in the SAH cost.
float area_share(const TreeSnapshot& tree, std::uint32_t node) {
    const float root = tree.boxes[0].surface_area();
    return root > 0.0f ? tree.boxes[node].surface_area() / root : 0.0f;
}

/// Volume that the first two children share, over the node's own.
float sibling_overlap(const TreeSnapshot& tree, std::uint32_t node) {
    const float volume = tree.boxes[node].volume();
    if (tree.child_count[node] < 2 || !(volume > 0.0f)) return 0.0f;
    const std::uint32_t child = tree.first_child[node];
    return bv::intersection(tree.boxes[child], tree.boxes[child + 1]).volume() / volume;
}

struct Look {
    float alpha, width_px;
};
Look look(std::size_t nodes, bool alone) {
    // Where nothing else is on show, the tree is what the picture is about.
    if (alone) return nodes <= 400 ? Look{0.85f, 1.5f} : Look{0.55f, 1.0f};
    if (nodes <= 40) return {0.7f, 1.5f};
    if (nodes <= 400) return {0.32f, 1.0f};
    return {0.25f, 1.0f};
}

/// The colors of one tree's nodes, as the setting `draw.tree_color` asks.
class NodeColors {
  public:
    NodeColors(const Context& c, const TreeSnapshot& tree, std::uint32_t depth, float alpha)
        : tree_(tree), colors_(c.paint.colors), mode_(c.options.tree_color), alpha_(alpha) {
        // Depths share few colors: look each up once.
        for (std::size_t d = 0; d < by_depth_.size(); ++d) {
            const float t = depth == 0 ? 0.0f : static_cast<float>(d) / static_cast<float>(depth);
            by_depth_[d] = colors_.scalar(t).with_alpha(alpha);
        }
        is_depth_ = mode_ == "depth";
        is_area_ = mode_ == "area";
        is_overlap_ = mode_ == "overlap";
    }
    [[nodiscard]] Color operator()(std::uint32_t node) const {
        if (is_depth_) return by_depth_[std::min<std::size_t>(tree_.depths[node], by_depth_.size() - 1)];
        if (is_area_) return colors_.scalar(area_share(tree_, node)).with_alpha(alpha_);
        if (is_overlap_) return colors_.scalar(sibling_overlap(tree_, node)).with_alpha(alpha_);
        return colors_.role(tree_.is_leaf(node) ? Role::TreeLeaf : Role::TreeNode).with_alpha(alpha_);
    }
    void explain(Legend& legend, std::uint32_t low, std::uint32_t high, std::uint32_t depth,
                 bool leaves) const {
        if (is_area_)
            legend.add_scale("share of the root's surface", "0", "1");
        else if (is_overlap_)
            legend.add_scale("sibling overlap", "0", "1");
        else if (!is_depth_) {
            legend.add("tree node", colors_.role(Role::TreeNode), Swatch::Outline);
            if (leaves) legend.add("tree leaf", colors_.role(Role::TreeLeaf), Swatch::Outline);
        } else if (low == high) {
            legend.add("tree nodes, depth " + std::to_string(low), by_depth_[std::min<std::size_t>(low, 64)],
                       Swatch::Outline);
        } else {
            legend.add_scale("tree depth", "0", std::to_string(depth));
        }
    }

  private:
    const TreeSnapshot& tree_;
    const Palette& colors_;
    const std::string& mode_;
    float alpha_;
    bool is_depth_ = false, is_area_ = false, is_overlap_ = false;
    std::array<Color, 65> by_depth_;
};

void draw_tree(const Context& c, const TreeSnapshot& tree, std::uint32_t depth) {
    const auto low = static_cast<std::uint32_t>(std::max(0, c.options.tree_min_depth));
    const auto high = std::min(depth, static_cast<std::uint32_t>(std::max(0, c.options.tree_max_depth)));
    const Look style = look(tree.size(), c.results.bodies.empty() && c.results.exhibits.size() < 8);
    const NodeColors colors(c, tree, depth, style.alpha);
    const bool oriented = tree.obbs.size() == tree.size();
    const bool leaves = c.options.tree_leaves;
    if (!oriented) c.paint.list.wire_aabbs.reserve(c.paint.list.wire_aabbs.size() + tree.size());
    bool any = false;
    for (std::uint32_t node = 0; node < tree.size(); ++node) {
        if (tree.depths[node] < low || tree.depths[node] > high || (tree.is_leaf(node) && !leaves)) continue;
        const Stroke stroke{colors(node), style.width_px};
        if (oriented)
            c.paint.box(tree.obbs[node], stroke);
        else
            c.paint.box(tree.boxes[node], stroke);
        any = true;
    }
    if (any) colors.explain(c.legend, low, high, depth, leaves);
}

}  // namespace

void draw_trees(const Context& c) {
    if (!c.options.tree) return;
    // One scale for all trees: the same depth has the same color in each.
    std::uint32_t depth = 0;
    for (const auto& [id, tree] : c.results.trees)
        depth = std::max(depth, deepest(tree));
    for (const auto& [id, tree] : c.results.trees) {
        if (!tree.empty()) draw_tree(c, tree, depth);
    }
}

}  // namespace lab::viz
