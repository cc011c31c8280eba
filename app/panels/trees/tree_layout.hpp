// The layout of a tree diagram, independent of ImGui.
#pragma once

#include <cstdint>
#include <vector>

#include "bv/tree/snapshot.hpp"

namespace lab::panels {

/// Each node gets a strip below its parent's, as wide as its share of the leaves: x from 0 to 1.
struct TreeLayout {
    std::vector<float> left, right;
    std::vector<std::uint32_t> leaves;  ///< In the subtree; 1 for a leaf.
    std::uint32_t depth = 0;            ///< Of the deepest node.

    /// The node at a place, `level` being a depth; kNone where there is none. O(depth).
    [[nodiscard]] std::uint32_t node_at(const bv::TreeSnapshot& tree, float x, std::uint32_t level) const;
};
/// O(nodes).
[[nodiscard]] TreeLayout lay_out(const bv::TreeSnapshot& tree);

/// The leaf that holds `payload`; kNone if there is none. O(payloads).
[[nodiscard]] std::uint32_t leaf_of(const bv::TreeSnapshot& tree, std::uint64_t payload);

}  // namespace lab::panels
