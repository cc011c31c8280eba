// Quality metrics of a tree. All are measured on a TreeSnapshot, so a tree from elsewhere gets the same
// metrics.
//
// S is surface area, r the root. Sums are taken in double precision. Where the root has no extent along an
// axis, as in planar worlds, ratios of volumes are ratios of areas in that plane.
#pragma once

#include <cstdint>
#include <vector>

#include "bv/tree/snapshot.hpp"

namespace bv {

enum class MeasureEpo : std::uint8_t { No, Yes };

struct MetricOptions {
    double traversal_cost =
        1.0;  ///< c_t: cost of visiting an inner node. Clamped to 0..1e6, NaN counts as 1; c_i likewise.
    double intersection_cost = 1.0;  ///< c_i: cost of testing one payload.
    /// EPO compares every node with all that overlaps it: O(n) per node at worst, so it is only measured on
    /// request.
    MeasureEpo epo = MeasureEpo::No;
    /// Number of random rays and boxes over which the measured cost is averaged; 0 skips it.
    std::uint32_t random_rays = 0;
    std::uint32_t random_boxes = 0;
    std::uint64_t seed = 1;
};

/// Ratios whose denominator is zero (a root without area, a node without volume) are 0. All metrics of an
/// empty tree are zero.
struct TreeMetrics {
    std::uint32_t leaves = 0;    ///< Nodes without children.
    std::uint32_t nodes = 0;     ///< All nodes.
    std::uint32_t payloads = 0;  ///< All payloads of the leaves.
    std::uint32_t height = 0;    ///< Edges on the longest path.
    /// ceil(log_k(leaves)) for the largest number of children k of any node: ceil(log2(leaves)) for a binary
    /// tree.
    std::uint32_t optimal_height = 0;
    std::uint32_t max_balance = 0;  ///< Largest difference of height between two children of one node.
    double area_ratio = 0;          ///< Sum of S over inner nodes except r, over S(r).
    double sah = 0;                 ///< (c_t sum S(inner) + c_i sum S(leaf) count(leaf)) / S(r).
    double epo = 0;                 ///< [Aila 2013]; area of payload boxes inside nodes that do not own them.
    /// Mean over inner nodes of volume(left with right) / volume(node), summed over all pairs of children: at
    /// most 1 for two children, possibly larger for more.
    double sibling_overlap = 0;
    double max_sibling_overlap = 0;
    double dead_space =
        0;  ///< Mean over inner nodes of 1 - volume(union of the children's boxes) / volume(node).
    /// Sum of the volumes of leaves over that of the tight boxes around what each of them holds; 1 if boxes
    /// are kept tight.
    double fatness = 0;
    double mean_leaf_depth = 0;
    std::vector<std::uint32_t> leaf_depths;  ///< [d] = leaves at depth d.
    double nodes_per_ray = 0;                ///< Mean nodes entered by a random ray through the root's box.
    double nodes_per_box = 0;                ///< Mean nodes entered by a random box the size of a payload.
};

/// Measures a tree. O(n), except for EPO and the measured costs, see MetricOptions. Allocates scratch memory.
[[nodiscard]] TreeMetrics measure(const TreeSnapshot& tree, const MetricOptions& options = {});

/// The sibling overlap of one node, for coloring and tables. 0 for a leaf and for a node without volume. For
/// more than 256 children, it is estimated from 256 of them, which bounds the cost.
[[nodiscard]] double sibling_overlap(const TreeSnapshot& tree, std::uint32_t node) noexcept;
/// The dead space of one node. For more than 32 children, it is estimated from 512 points in the node's box.
[[nodiscard]] double dead_space(const TreeSnapshot& tree, std::uint32_t node) noexcept;
/// Height of every node, in the snapshot's order.
[[nodiscard]] std::vector<std::uint32_t> node_heights(const TreeSnapshot& tree);

}  // namespace bv
