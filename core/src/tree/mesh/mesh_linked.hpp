// A binary tree with links, for algorithms that rearrange it, and its way into the flat form.
#pragma once

#include "tree/mesh/mesh_builders.hpp"

namespace bv::detail {

struct LinkedNode {
    Bounds4 box;
    std::uint32_t left = kNone, right = kNone, parent = kNone;
    std::uint32_t first = 0, count = 0;  ///< Leaves: a range of references. Inner nodes: count is 0.

    static constexpr std::uint32_t kNone = 0xffffffffu;
    [[nodiscard]] bool is_leaf() const noexcept { return left == kNone; }
};

using LinkedTree = std::vector<LinkedNode>;

/// Writes the tree below `root` into `nodes`, children side by side, and puts `refs` in the order of its
/// leaves. A subtree of at most `max_leaf` references becomes one leaf where that is not dearer.
void flatten(const LinkedTree& tree, std::uint32_t root, const BuildLimits& limits, std::span<MeshRef> refs,
             MeshNodes& nodes);

/// The flat tree with links. Node numbers stay.
[[nodiscard]] LinkedTree unflatten(const MeshNodes& nodes);

/// Takes subtrees out of the tree, those with the largest boxes first, and puts each where it adds the least
/// surface. Never makes the sum of surfaces larger. Ends early, with a whole tree, when the build is
/// cancelled. Source: Bittner 2013.
void reinsert(LinkedTree& tree, int rounds, BuildProgress& progress);

}  // namespace bv::detail
