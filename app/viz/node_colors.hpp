// The color of a tree's node: the same in the 3D view and in the diagram of the tree.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "bv/tree/snapshot.hpp"
#include "viz/palette.hpp"

namespace lab::viz {

/// What the setting `draw.tree_color` asks for: `depth`, `area`, `overlap` or `uniform`.
class NodeColors {
  public:
    /// `deepest` is the depth at the end of the scale: that of the deepest of all trees on show. The
    /// references must outlive this object.
    NodeColors(const Palette& palette, std::string_view mode, const bv::TreeSnapshot& tree,
               std::uint32_t deepest);
    [[nodiscard]] Color operator()(std::uint32_t node) const;
    [[nodiscard]] Color of_depth(std::uint32_t depth) const {
        return by_depth_[depth < by_depth_.size() ? depth : by_depth_.size() - 1];
    }

  private:
    enum class Mode : unsigned char { Depth, Area, Overlap, Uniform };
    const Palette& palette_;
    const bv::TreeSnapshot& tree_;
    Mode mode_;
    std::array<Color, 128> by_depth_;  // depths share few colors: each is looked up once
};

/// Depth of the deepest node; 0 for an empty tree.
[[nodiscard]] std::uint32_t deepest_node(const bv::TreeSnapshot& tree);
/// Surface over the root's, which is the node's weight in the SAH cost; 0 where the root has none.
[[nodiscard]] float area_share(const bv::TreeSnapshot& tree, std::uint32_t node);

}  // namespace lab::viz
