// How a dynamic tree keeps itself: choices that do not depend on each other, each switchable while bodies
// move.
#pragma once

#include <cstdint>

namespace bv {

/// Where a new leaf goes.
enum class Insertion : std::uint8_t {
    Manhattan,  ///< Down to the child whose center is nearer, to a leaf [Presson 2008]. Cheapest, worst.
    GreedySah,  ///< Down the child with the smaller bound on surface area added [Catto 2019].
    BranchAndBoundSah,  ///< The sibling that adds the least surface area of all [Bittner 2013, Catto 2019].
};

/// What happens on the path to the root after a leaf came or went.
enum class Balancing : std::uint8_t {
    None,
    Height,  ///< A node whose children differ by more than one level takes up the taller grandchild, as AVL
             ///< trees do.
    Sah,  ///< The best of six swaps among children and grandchildren, if it lowers the surface area [Kensler
          ///< 2008].
};

/// How much a leaf's box is enlarged, so that small moves cost nothing.
enum class Margin : std::uint8_t {
    None,
    Fixed,          ///< `margin_m` on every face.
    Relative,       ///< `margin_relative` of the box's mean edge on every face.
    AlongVelocity,  ///< Fixed, and `velocity_steps` displacements ahead of the motion [Catto 2019].
};

/// The treatment of a leaf that leaves its fat box, and the repair done by `update()`.
enum class Upkeep : std::uint8_t {
    None,            ///< The leaf is taken out and inserted anew. `update()` does nothing.
    RefitOnly,       ///< The leaf stays in its place and the boxes above grow and shrink with it. Ages.
    PartialRebuild,  ///< As RefitOnly; `update()` rebuilds what lies above moved leaves out of the parts that
                     ///< did not move.
    PeriodicRebuild,  ///< As RefitOnly; every `rebuild_period` calls `update()` rebuilds the whole tree.
    Reinsertion,      ///< As RefitOnly; `update()` re-inserts the children of the `reinsertions` worst nodes
                      ///< [Bittner 2013].
};

/// How a tree, or a part of it, is built at once.
enum class Builder : std::uint8_t {
    Median,  ///< Halves by count along the axis on which the centers spread most.
    Morton,  ///< Along a space-filling curve, split where the code's highest bit changes [Lauterbach 2009].
    BinnedSah,  ///< The cheapest of 16 planes on each of three axes [Wald 2007].
    SweepSah,   ///< The cheapest of all splits of the centers' order on each of three axes [Goldsmith 1987].
    Agglomerative,  ///< Nearest clusters first, neighbors sought along a Morton curve [Walter 2008, Meister
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
    Builder builder = Builder::BinnedSah;  ///< For rebuilds that `update()` and bulk insertion make.
    std::uint32_t rebuild_period = 60;     ///< Calls of `update()`; 0 counts as 1.
    std::uint32_t reinsertions = 32;       ///< Nodes per call of `update()`.
    friend bool operator==(const TreeOptions&, const TreeOptions&) = default;
};

}  // namespace bv
