// Ranks the nodes of a tree by a measure of badness.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bv/tree/snapshot.hpp"
#include "settings/program.hpp"

namespace lab {

struct RankedNode {
    std::uint32_t node = 0;
    double value = 0;
};

/// The measure of every node; 0 where it does not apply. O(nodes), but for `Visits`, which casts 128 rays of
/// a fixed seed through the root's box.
[[nodiscard]] std::vector<double> measure_nodes(const bv::TreeSnapshot& tree, NodeMeasure measure);
/// The nodes with the largest values, the worst first; of equal ones the nearer to the root. Nodes with 0 are
/// left out.
[[nodiscard]] std::vector<RankedNode> rank_nodes(const bv::TreeSnapshot& tree, NodeMeasure measure,
                                                 std::size_t count);
/// A value as people read it: "43 %", "12 levels", "31 of 128 rays".
[[nodiscard]] std::string measure_text(NodeMeasure measure, double value);

}  // namespace lab
