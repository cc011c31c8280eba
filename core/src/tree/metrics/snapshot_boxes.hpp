// Grows the boxes of a snapshot so that each contains its subtree.
#pragma once

#include "bv/tree/snapshot.hpp"

namespace bv::detail {

/// Whether a leaf's box contains the boxes of its payloads, or only their parts clipped to it.
enum class Payloads { Whole, Cut };

/// Grows each box until it is finite and contains those of its children and, in a leaf, those of its
/// payloads. For trees whose volumes do not nest exactly: rounded ones, and balls, which do not nest at all.
/// Bounds that are infinite or NaN become the largest float. Cuts payloads, if so told. Linear.
void contain_children(TreeSnapshot& tree, Payloads payloads) noexcept;
/// Clips each payload's box to its leaf: of a triangle that several leaves share, a leaf holds one part.
void cut_payloads(TreeSnapshot& tree) noexcept;

}  // namespace bv::detail
