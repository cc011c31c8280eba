// A snapshot of any tree: flat arrays of its nodes. Metrics, the 3D view, the tree diagram and the reports
// read only this, so they work for trees from elsewhere.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bv/ids.hpp"
#include "bv/shapes/aabb.hpp"
#include "bv/shapes/obb.hpp"

namespace bv {

/// All arrays indexed by node have `size()` entries. Node 0 is the root; parents come before their children,
/// and the children of a node are adjacent. An empty tree has no nodes.
struct TreeSnapshot {
    static constexpr std::uint32_t kNone = 0xffffffffu;

    std::vector<Aabb> boxes;                  ///< World box of each node (fat if the tree keeps fat boxes).
    std::vector<std::uint32_t> parents;       ///< kNone for the root.
    std::vector<std::uint32_t> first_child;   ///< kNone for a leaf.
    std::vector<std::uint32_t> child_count;   ///< 0 for a leaf.
    std::vector<std::uint32_t> depths;        ///< 0 for the root.
    std::vector<std::uint32_t> source_nodes;  ///< The node's index in the original tree.
    /// Leaves only: the range [first_payload, first_payload + payload_count) of `payloads`.
    std::vector<std::uint32_t> first_payload;
    std::vector<std::uint32_t> payload_count;

    std::vector<std::uint64_t> payloads;  ///< User data or primitive numbers.
    std::vector<Aabb> payload_boxes;      ///< The tight box of each payload; same length as `payloads`.
    std::vector<Obb> obbs;                ///< For OBB trees: one per node. Otherwise empty.

    [[nodiscard]] std::size_t size() const noexcept { return boxes.size(); }
    [[nodiscard]] bool empty() const noexcept { return boxes.empty(); }
    [[nodiscard]] bool is_leaf(std::uint32_t node) const noexcept { return child_count[node] == 0; }
    friend bool operator==(const TreeSnapshot&, const TreeSnapshot&) = default;
};

}  // namespace bv
