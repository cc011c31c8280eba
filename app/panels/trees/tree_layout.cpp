#include "panels/trees/tree_layout.hpp"

#include <algorithm>

#include "viz/colors/node_colors.hpp"

namespace lab::panels {

TreeLayout lay_out(const bv::TreeSnapshot& tree) {
    TreeLayout layout;
    const std::size_t n = tree.size();
    layout.left.assign(n, 0.0f);
    layout.right.assign(n, 1.0f);
    layout.leaves.assign(n, 0);
    layout.depth = viz::deepest_node(tree);
    // Parents precede their children in the array: a backward pass sums the counts, a forward pass assigns
    // the strips.
    for (std::size_t i = n; i-- > 0;) {
        if (tree.is_leaf(static_cast<std::uint32_t>(i))) layout.leaves[i] = 1;
        if (i > 0) layout.leaves[tree.parents[i]] += layout.leaves[i];
    }
    for (std::uint32_t i = 0; i < n; ++i) {
        float x = layout.left[i];
        const float per_leaf = (layout.right[i] - layout.left[i]) / static_cast<float>(layout.leaves[i]);
        for (std::uint32_t k = 0; k < tree.child_count[i]; ++k) {
            const std::uint32_t child = tree.first_child[i] + k;
            layout.left[child] = x;
            x += per_leaf * static_cast<float>(layout.leaves[child]);
            layout.right[child] = x;
        }
    }
    return layout;
}

std::uint32_t TreeLayout::node_at(const bv::TreeSnapshot& tree, float x, std::uint32_t level) const {
    if (tree.empty() || !(x >= 0.0f && x < 1.0f)) return bv::TreeSnapshot::kNone;
    std::uint32_t node = 0;
    while (tree.depths[node] < level) {
        std::uint32_t next = bv::TreeSnapshot::kNone;
        for (std::uint32_t k = 0; k < tree.child_count[node]; ++k) {
            const std::uint32_t child = tree.first_child[node] + k;
            if (x >= left[child] && x < right[child]) next = child;
        }
        if (next == bv::TreeSnapshot::kNone) return next;
        node = next;
    }
    return node;
}

std::uint32_t leaf_of(const bv::TreeSnapshot& tree, std::uint64_t payload) {
    for (std::uint32_t i = 0; i < tree.size(); ++i) {
        if (!tree.is_leaf(i)) continue;
        for (std::uint32_t k = 0; k < tree.payload_count[i]; ++k) {
            if (tree.payloads[tree.first_payload[i] + k] == payload) return i;
        }
    }
    return bv::TreeSnapshot::kNone;
}

}  // namespace lab::panels
