// A binary tree with links, for algorithms that rearrange it, and its conversion to the flat form.
#pragma once

#include "tree/mesh/build/mesh_builders.hpp"

namespace bv::detail {

struct LinkedNode {
    Bounds4 box;
    std::uint32_t left = kNone, right = kNone, parent = kNone;
    std::uint32_t first = 0, count = 0;  ///< Leaves: a range of references. Inner nodes: count is 0.

    static constexpr std::uint32_t kNone = 0xffffffffu;
    [[nodiscard]] bool is_leaf() const noexcept { return left == kNone; }
};

using LinkedTree = std::vector<LinkedNode>;

/// Writes the tree below `root` into `nodes`, siblings adjacent, and reorders `refs` by its leaves. A subtree
/// of at most `max_leaf` references becomes one leaf if that costs no more.
void flatten(const LinkedTree& tree, std::uint32_t root, const BuildLimits& limits, std::span<MeshRef> refs,
             MeshNodes& nodes);

/// The flat tree with links. Keeps node numbers.
[[nodiscard]] LinkedTree unflatten(const MeshNodes& nodes);

/// Removes subtrees, those with the largest boxes first, and reinserts each where it adds the least area.
/// Never increases the total area. Stops early, with a complete tree, when the build is cancelled. Source:
/// Bittner 2013.
void reinsert(LinkedTree& tree, int rounds, BuildProgress& progress);

}  // namespace bv::detail
