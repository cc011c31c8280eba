// Tree nodes as thin faint boxes behind everything else: the deeper, the further along the scalar color map.
#include <algorithm>
#include <string>

#include "viz/node_colors.hpp"
#include "viz/parts.hpp"

namespace lab::viz {
namespace {

using bv::TreeSnapshot;

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

void explain(const Context& c, const NodeColors& colors, std::uint32_t low, std::uint32_t high,
             const NodeScale& scale) {
    const std::string& mode = c.options.tree_color;
    const ScaleText text = scale_text(mode, scale);
    if (text.name.empty()) {
        c.legend.add("tree node", c.paint.colors.role(Role::TreeNode), Swatch::Outline);
        if (c.options.tree_leaves)
            c.legend.add("tree leaf", c.paint.colors.role(Role::TreeLeaf), Swatch::Outline);
    } else if (mode == "depth" && low == high) {
        c.legend.add("tree nodes, depth " + std::to_string(low), colors.of_depth(low), Swatch::Outline);
    } else {
        c.legend.add_scale(text.name, text.low, text.high);
    }
}

void draw_tree(const Context& c, const TreeSnapshot& tree, const NodeScale& scale) {
    const auto low = static_cast<std::uint32_t>(std::max(0, c.options.tree_min_depth));
    const auto high =
        std::min(scale.deepest, static_cast<std::uint32_t>(std::max(0, c.options.tree_max_depth)));
    const Look style = look(tree.size(), c.results.bodies.empty() && c.results.exhibits.size() < 8);
    const NodeColors colors(c.paint.colors, c.options.tree_color, tree, scale);
    const bool oriented = tree.obbs.size() == tree.size();
    const bool leaves = c.options.tree_leaves;
    if (!oriented) c.paint.list.wire_aabbs.reserve(c.paint.list.wire_aabbs.size() + tree.size());
    bool any = false;
    for (std::uint32_t node = 0; node < tree.size(); ++node) {
        // A leaf that holds several bodies groups them as any other node does.
        const bool own_leaf = tree.is_leaf(node) && tree.payload_count[node] <= 1;
        if (tree.depths[node] < low || tree.depths[node] > high || (own_leaf && !leaves)) continue;
        const Stroke stroke{colors(node).with_alpha(style.alpha), style.width_px};
        if (oriented)
            c.paint.box(tree.obbs[node], stroke);
        else
            c.paint.box(tree.boxes[node], stroke);
        any = true;
    }
    if (any) explain(c, colors, low, high, scale);
}

/// The node that the diagram of the tree points at.
void mark_node(const Context& c) {
    for (const auto& [id, tree] : c.results.trees) {
        if (id != c.view.marked_tree || c.view.marked_node >= tree.size()) continue;
        const Color color = c.paint.colors.role(Role::Selected);
        c.paint.box(tree.boxes[c.view.marked_node], {color, 2.5f, true}, 0.08f);
        c.legend.add("node under the mouse", color, Swatch::Outline);
    }
}

}  // namespace

void draw_trees(const Context& c) {
    mark_node(c);
    if (!c.options.tree) return;
    // One scale for all trees: the same depth has the same color in each.
    const NodeScale scale = node_scale(c.results.trees, c.options.tree_color);
    for (const auto& [id, tree] : c.results.trees) {
        if (!tree.empty()) draw_tree(c, tree, scale);
    }
}

}  // namespace lab::viz
