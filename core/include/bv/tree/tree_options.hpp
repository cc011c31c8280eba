// Strategies of a dynamic tree: independent options, each switchable while bodies move.
#pragma once

#include <cstdint>

namespace bv {

/// How the place of a new leaf is chosen.
enum class Insertion : std::uint8_t {
    Manhattan,  ///< Descend to the child with the nearer center, down to a leaf [Presson 2008]. Cheapest,
                ///< worst.
    GreedySah,  ///< Descend to the child with the smaller bound on added surface area [Catto 2019].
    BranchAndBoundSah,  ///< The sibling that adds the least surface area [Bittner 2013, Catto 2019].
};

/// How the path to the root is balanced after an insertion or move, and with Height after a removal.
enum class Balancing : std::uint8_t {
    None,
    Height,  ///< If children differ by more than one level, the taller grandchild moves up, as in AVL
             ///< trees.
    Sah,     ///< The best of six swaps of children and grandchildren, if it lowers the surface area [Kensler
             ///< 2008]. After a removal only where a later insertion passes.
};

/// How a leaf's box is enlarged, so that small moves cost nothing.
enum class Margin : std::uint8_t {
    None,
    Fixed,          ///< `margin_m` on every face.
    Relative,       ///< `margin_relative` of the box's mean edge on every face.
    AlongVelocity,  ///< Fixed, and `velocity_steps` displacements ahead of the motion [Catto 2019].
};

/// What happens to a leaf that leaves its fat box, and what `update()` repairs.
enum class Upkeep : std::uint8_t {
    None,             ///< The leaf is removed and reinserted. `update()` does nothing.
    RefitOnly,        ///< The leaf keeps its place; boxes above are refitted. Quality degrades over time.
    PartialRebuild,   ///< As RefitOnly; `update()` rebuilds the nodes above moved leaves from the subtrees
                      ///< that did not move.
    PeriodicRebuild,  ///< As RefitOnly; every `rebuild_period` calls `update()` rebuilds the whole tree.
    Reinsertion,      ///< As RefitOnly; `update()` re-inserts the children of the `reinsertions` worst nodes
                      ///< [Bittner 2013].
};

/// The algorithm for building a tree, or a part of it, at once.
enum class Builder : std::uint8_t {
    Median,  ///< Halves by count along the axis of largest spread of the centers.
    Morton,  ///< Along a space-filling curve, split where the code's highest bit changes [Lauterbach 2009].
    BinnedSah,  ///< The cheapest of 16 planes on each of three axes [Wald 2007].
    SweepSah,   ///< The cheapest of all splits of the sorted centers on each of three axes [Goldsmith 1987].
    Agglomerative,  ///< Merges nearest clusters first, searching along a Morton curve [Walter 2008, Meister
                    ///< 2018].
};

struct TreeOptions {
    Insertion insertion = Insertion::BranchAndBoundSah;
    Balancing balancing = Balancing::Sah;
    Margin margin = Margin::AlongVelocity;
    float margin_m = 0.1f;
    float margin_relative = 0.1f;
    float velocity_steps = 4.0f;
    Upkeep upkeep = Upkeep::None;
    Builder builder = Builder::BinnedSah;  ///< For rebuilds by `update()` and bulk insertion.
    std::uint32_t rebuild_period = 60;     ///< Calls of `update()`; 0 counts as 1.
    std::uint32_t reinsertions = 32;       ///< Nodes per call of `update()`.
    friend bool operator==(const TreeOptions&, const TreeOptions&) = default;
};

}  // namespace bv
