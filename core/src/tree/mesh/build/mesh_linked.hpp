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

/// How many subtrees a round reinserts: a tenth. Those with large boxes matter: rays reach them most often.
[[nodiscard]] std::size_t reinserted_of(std::size_t nodes) noexcept;

/// Moves the subtrees with the largest boxes, one after the other, to where each saves most area. Never
/// increases the total area beyond rounding. Stops early, with a complete tree, when the build is cancelled.
/// Sources: Bittner 2013; Meister and Bittner 2018 (the search from the present place upward).
void reinsert(LinkedTree& tree, int rounds, BuildProgress& progress);

}  // namespace bv::detail
