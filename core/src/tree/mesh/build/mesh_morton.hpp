// Sorting references along the Morton curve: neighbors in the list are mostly neighbors in space.
#pragma once

#include "tree/mesh/build/mesh_builders.hpp"

namespace bv::detail {

/// Sorts `refs` by the 30-bit Morton codes of their centers in the grid of 1,024 cells per axis over all
/// centers, ties in the order given, and returns the codes.
std::vector<std::uint32_t> sort_by_morton_code(std::span<MeshRef> refs);

}  // namespace bv::detail
