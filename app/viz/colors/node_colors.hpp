// The color of a tree's node: the same in the 3D view and in the diagram of the tree.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bv/tree/snapshot.hpp"
#include "results/frame_results.hpp"
#include "settings/draw.hpp"
#include "viz/colors/palette.hpp"

namespace lab::viz {

/// The ends of the scales, common to all trees on show: the same number has the same color in each.
struct NodeScale {
    std::uint32_t deepest = 0;        ///< Depth of the deepest node.
    std::uint32_t max_imbalance = 1;  ///< Largest difference of height between two children; at least 1.
};
[[nodiscard]] NodeScale node_scale(std::span<const std::pair<std::string, bv::TreeSnapshot>> trees,
                                   TreeColor mode);

/// The place of a depth on the scalar color map.
[[nodiscard]] float depth_share(std::uint32_t depth, const NodeScale& scale);

/// The coloring that the setting asks for, but a single color while a step marks some nodes in colors of its
/// own.
[[nodiscard]] TreeColor tree_color(const Settings& settings, const FrameResults& results);

/// A scale of the legend: its name and the meaning of its two ends. Empty for one color.
struct ScaleText {
    std::string name, low, high;
};
[[nodiscard]] ScaleText scale_text(TreeColor mode, const NodeScale& scale);

/// The colors of the nodes, by the chosen mode.
class NodeColors {
  public:
    /// The references must outlive this object.
    NodeColors(const Palette& palette, TreeColor mode, const bv::TreeSnapshot& tree, const NodeScale& scale);
    [[nodiscard]] Color operator()(std::uint32_t node) const;
    [[nodiscard]] Color of_depth(std::uint32_t depth) const {
        return by_depth_[depth < by_depth_.size() ? depth : by_depth_.size() - 1];
    }

  private:
    const Palette& palette_;
    const bv::TreeSnapshot& tree_;
    TreeColor mode_;
    float max_imbalance_;
    std::array<Color, 128> by_depth_;     // depths share few colors: each is looked up once
    std::vector<std::uint32_t> balance_;  // only for TreeColor::Balance
};

/// Depth of the deepest node; 0 for an empty tree.
[[nodiscard]] std::uint32_t deepest_node(const bv::TreeSnapshot& tree);
/// Surface over the root's, which is the node's weight in the SAH cost; 0 where the root has none.
[[nodiscard]] float area_share(const bv::TreeSnapshot& tree, std::uint32_t node);
/// For each node the largest difference of height between two of its children; 0 for a leaf. O(nodes).
[[nodiscard]] std::vector<std::uint32_t> node_balances(const bv::TreeSnapshot& tree);

}  // namespace lab::viz
