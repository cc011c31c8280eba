// Chooses the nodes of a binary tree that become wide nodes or leaves, at the least expected cost of a ray.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "bv/tree/mesh_bvh.hpp"

namespace bv::detail {

/// For each binary node the least cost of placing it below a wide node with k = 1..7 slots for it, computed
/// bottom up. Costs are areas times node visits and block tests. Source: Ylitie 2017.
class WideCollapse {
  public:
    /// Still to be planned: until `plan` returns false, call nothing else.
    explicit WideCollapse(std::span<const MeshBvhNode> nodes);
    /// Plans `count` more nodes. True if some are left.
    bool plan(std::size_t count) noexcept;

    /// The references below a node are a range: they are contiguous in every MeshBvh.
    struct Range {
        std::uint32_t first;
        std::uint32_t count;
    };
    [[nodiscard]] Range range(std::uint32_t node) const noexcept {
        const MeshBvhNode& binary = nodes_[node];
        return binary.is_leaf() ? Range{binary.first, binary.count} : plan_of(binary).range;
    }
    [[nodiscard]] bool is_leaf(std::uint32_t node) const noexcept {
        return nodes_[node].is_leaf() || plan_of(nodes_[node]).choice[0] == kLeafChoice;
    }
    /// The binary nodes that become the children of the wide node made of `node`: at most 8, at least 2.
    /// `out` has 8 entries.
    int children(std::uint32_t node, std::uint32_t* out) const noexcept;

  private:
    static constexpr std::uint8_t kLeafChoice = 0xff;

    struct Plan {
        float cost[7];  ///< With k + 1 slots; not filled in beyond `useful`.
        std::uint8_t
            choice[7];        ///< Slots for the left child; 0: as with one slot fewer. [0]: as a wide node.
        std::uint8_t useful;  ///< More slots than these, at most 7, cost the same.
        Range range;
    };

    /// The plan of an inner node. All nodes except the root are in pairs, so that each inner node has the
    /// number of its children's pair to itself.
    [[nodiscard]] Plan& plan_of(const MeshBvhNode& inner) const noexcept { return plans_[inner.first / 2]; }
    /// The plan of any node; that of a leaf is made in `leaf`.
    [[nodiscard]] const Plan& plan_or_leaf(const MeshBvhNode& node, Plan& leaf) const noexcept;
    void plan_inner(const MeshBvhNode& node, Plan& plan) const noexcept;
    int collect(std::uint32_t node, int slots, std::uint32_t* out, int count) const noexcept;

    std::span<const MeshBvhNode> nodes_;
    std::unique_ptr<Plan[]> plans_;  ///< Not initialized beforehand: all are written once.
    std::size_t left_;               ///< Nodes still to be planned: the first ones.
};

}  // namespace bv::detail
