// Splits of a list of boxes in two for the builders. Independent of nodes: a builder calls `split` until one
// box is left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bv/shapes/aabb.hpp"
#include "bv/trace/trace.hpp"
#include "bv/tree/tree_options.hpp"

namespace bv::detail {

/// A box to be built into a tree, with its owner's payload. `code` is used by the Morton builders.
struct BuildItem {
    Aabb box;
    std::uint32_t ref = 0;
    std::uint32_t code = 0;
};

/// Gives every item its Morton code within the bounds of all centers, 10 bits per axis, and sorts by it.
/// Equal codes keep their order. `scratch` is resized as needed.
void sort_by_morton(std::span<BuildItem> items, std::vector<BuildItem>& scratch);

/// Scratch memory of the sweep, kept by the caller so that a build allocates once.
struct SplitScratch {
    std::vector<float> areas;
    std::vector<BuildItem> items;
};

/// Reorders at least two items and returns how many are on the first side: at least one, and not all. For
/// every builder but Agglomerative. Morton needs items sorted by sort_by_morton. Boxes are finite.
template <class Sink>
std::size_t split(std::span<BuildItem> items, Builder builder, std::uint32_t node, SplitScratch& scratch,
                  Sink& sink);

extern template std::size_t split(std::span<BuildItem>, Builder, std::uint32_t, SplitScratch&, NoTrace&);
extern template std::size_t split(std::span<BuildItem>, Builder, std::uint32_t, SplitScratch&, Recording&);

}  // namespace bv::detail
