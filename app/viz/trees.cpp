// Tree nodes as thin faint boxes behind everything else, colored by the chosen metric.
#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "viz/colors/node_colors.hpp"
#include "viz/parts.hpp"

namespace lab::viz {
namespace {

using bv::TreeSnapshot;

struct Look {
    float alpha, width_px;
};
Look look(std::size_t nodes, bool alone) {
    // If nothing else is drawn, the tree is the subject of the picture.
    if (alone) return nodes <= 100 ? Look{0.85f, 1.5f} : nodes <= 400 ? Look{0.8f, 1.2f} : Look{0.55f, 1.0f};
    if (nodes <= 40) return {0.7f, 1.5f};
    if (nodes <= 400) return {0.32f, 1.0f};
    return {0.25f, 1.0f};
}

/// The least and the largest depth of the nodes that are drawn.
struct DrawnDepths {
    std::uint32_t low = std::numeric_limits<std::uint32_t>::max(), high = 0;

    void add(std::uint32_t depth) {
        low = std::min(low, depth);
        high = std::max(high, depth);
    }
    [[nodiscard]] bool empty() const { return low > high; }
};

void explain(const Context& c, const DrawnDepths& drawn, const NodeScale& scale) {
    const TreeColor mode = tree_color(c.settings, c.results);
    const ScaleText text = scale_text(mode, scale);
    if (text.name.empty()) {
        c.legend.add("tree node", c.paint.colors.role(Role::TreeNode), Swatch::Outline);
        if (c.settings[kDrawTreeLeaves])
            c.legend.add("tree leaf", c.paint.colors.role(Role::TreeLeaf), Swatch::Outline);
    } else if (mode == TreeColor::Depth && drawn.low == drawn.high) {
        c.legend.add("tree nodes, depth " + std::to_string(drawn.low),
                     c.paint.colors.scalar(depth_share(drawn.low, scale)), Swatch::Outline);
    } else if (mode == TreeColor::Depth) {
        c.legend.add_scale(text.name, std::to_string(drawn.low), std::to_string(drawn.high),
                           depth_share(drawn.low, scale), depth_share(drawn.high, scale));
    } else {
        c.legend.add_scale(text.name, text.low, text.high);
    }
}

/// One flag per node: whether it is the isolated one or below it; empty: all are to be drawn.
std::vector<bool> isolated_nodes(const Context& c, const std::string& id, const TreeSnapshot& tree) {
    const auto& isolated = c.results.isolated_node;
    if (!isolated) return {};
    std::vector<bool> kept(tree.size(), false);
    if (isolated->tree != id) return kept;
    for (std::uint32_t node = isolated->node; node < tree.size(); ++node)
        kept[node] = node == isolated->node || (node > 0 && kept[tree.parents[node]]);
    return kept;
}

void draw_tree(const Context& c, const std::string& id, const TreeSnapshot& tree, const NodeScale& scale,
               DrawnDepths& drawn) {
    const auto low = static_cast<std::uint32_t>(std::max(0, c.settings[kDrawTreeMinDepth]));
    const auto high =
        std::min(scale.deepest, static_cast<std::uint32_t>(std::max(0, c.settings[kDrawTreeMaxDepth])));
    const Look style = look(tree.size(), c.results.bodies.empty() && c.results.exhibits.size() < 8);
    const NodeColors colors(c.paint.colors, tree_color(c.settings, c.results), tree, scale);
    const bool oriented = tree.obbs.size() == tree.size();
    const bool leaves = c.settings[kDrawTreeLeaves];
    if (!oriented) c.paint.list.wire_aabbs.reserve(c.paint.list.wire_aabbs.size() + tree.size());
    const std::vector<bool> kept = isolated_nodes(c, id, tree);
    for (std::uint32_t node = 0; node < tree.size(); ++node) {
        if (!kept.empty() && !kept[node]) continue;
        // A leaf that holds several bodies groups them, as an inner node does.
        const bool own_leaf = tree.is_leaf(node) && tree.payload_count[node] <= 1;
        if (tree.depths[node] < low || tree.depths[node] > high || (own_leaf && !leaves)) continue;
        const Stroke stroke{colors(node).with_alpha(style.alpha), style.width_px};
        if (oriented)
            c.paint.box(tree.obbs[node], stroke);
        else
            c.paint.box(tree.boxes[node], stroke);
        drawn.add(tree.depths[node]);
    }
}

/// The node that the mouse points at in the diagram of the tree.
void mark_node(const Context& c) {
    for (const auto& [id, tree] : c.results.trees) {
        if (id != c.view.marked_tree || c.view.marked_node >= tree.size()) continue;
        const Color color = c.paint.colors.role(Role::Selected);
        c.paint.box(tree.boxes[c.view.marked_node], {color, 2.5f, true}, 0.08f);
        c.legend.add("node under the mouse", color, Swatch::Outline, Legend::Rank::Asked);
    }
}

/// The selected node, and fainter every node on its path to the root.
void draw_selected_node(const Context& c) {
    const auto& selected = c.results.selected_node;
    for (const auto& [id, tree] : c.results.trees) {
        if (!selected || id != selected->tree || selected->node >= tree.size()) continue;
        const Color color = c.paint.colors.role(Role::Selected);
        const auto box = [&c, &tree = tree](std::uint32_t node, const Stroke& stroke, float fill) {
            if (tree.obbs.size() == tree.size())
                c.paint.box(tree.obbs[node], stroke, fill);
            else
                c.paint.box(tree.boxes[node], stroke, fill);
        };
        box(selected->node, {color, 3.0f, true}, 0.08f);
        c.legend.add("selected node", color, Swatch::Outline, Legend::Rank::Asked);
        const Color path = color.with_alpha(0.5f);
        bool any = false;
        for (std::uint32_t up = tree.parents[selected->node]; up != TreeSnapshot::kNone;
             up = tree.parents[up]) {
            box(up, {path, 1.5f}, 0.0f);
            any = true;
        }
        if (any) c.legend.add("path to the root", path, Swatch::Outline);
    }
}

/// Nodes whose box does not contain its children, with the parts that stick out. Always drawn.
void draw_broken_nodes(const Context& c) {
    const Color color = c.paint.colors.role(Role::Broken);
    // A captured frame can have any number of trees, all of them broken.
    std::unordered_map<std::string_view, const TreeSnapshot*> trees;
    if (!c.results.broken_nodes.empty())
        for (const auto& [id, tree] : c.results.trees)
            trees.emplace(id, &tree);
    for (const BrokenNodes& broken : c.results.broken_nodes) {
        const auto found = trees.find(broken.tree);
        if (found == trees.end()) continue;
        const TreeSnapshot& tree = *found->second;
        for (const bv::LooseNode& loose : broken.nodes) {
            if (loose.node >= tree.size()) continue;
            c.paint.box(tree.boxes[loose.node], {color, 3.0f, true}, 0.05f);
            if (loose.child < tree.size())
                c.paint.box(tree.boxes[loose.child], {color.with_alpha(0.6f), 1.5f});
        }
        if (!broken.nodes.empty())
            c.legend.add("node that does not contain its children", color, Swatch::Outline);
    }
}

}  // namespace

void draw_trees(const Context& c) {
    draw_broken_nodes(c);
    mark_node(c);
    draw_selected_node(c);
    if (!c.settings[kDrawTree]) return;
    // One scale for all trees: the same depth has the same color in each.
    const NodeScale scale = node_scale(c.results.trees, tree_color(c.settings, c.results));
    DrawnDepths drawn;
    for (const auto& [id, tree] : c.results.trees) {
        if (!tree.empty()) draw_tree(c, id, tree, scale, drawn);
    }
    if (!drawn.empty()) explain(c, drawn, scale);
}

}  // namespace lab::viz
