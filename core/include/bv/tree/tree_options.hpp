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

/// How much a leaf's box is larger than what it holds, so that small moves cost nothing.
enum class Margin : std::uint8_t {
    None,
    Fixed,          ///< `margin_m` on every face.
    Relative,       ///< `margin_relative` of the box's mean edge on every face.
    AlongVelocity,  ///< Fixed, and `velocity_steps` displacements ahead of the motion [Catto 2019].
};

struct TreeOptions {
    Insertion insertion = Insertion::BranchAndBoundSah;
    Balancing balancing = Balancing::Sah;
    Margin margin = Margin::AlongVelocity;
    float margin_m = 0.1f;
    float margin_relative = 0.1f;
    float velocity_steps = 4.0f;
    friend bool operator==(const TreeOptions&, const TreeOptions&) = default;
};

/// What came of an operation. Everything but Ok left the tree as it was.
enum class TreeStatus : std::uint8_t {
    Ok,
    NotFinite,  ///< A box that is empty, infinite or NaN, or a displacement that is not finite.
    StaleId,    ///< The id is not, or no longer, in this tree.
    Busy,  ///< Asked for by a visitor while the tree was being visited: a contract breach, also asserted.
    Full,  ///< 2^30 leaves.
};

}  // namespace bv
