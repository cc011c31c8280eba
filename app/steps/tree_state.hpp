// A changing binary tree: its nodes by number, updated by the events of insertions, removals and
// rotations. Starts from a snapshot and gives one at any time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "bv/trace/events.hpp"
#include "bv/tree/snapshot.hpp"

namespace lab::steps {

class TreeState {
  public:
    TreeState() = default;
    explicit TreeState(const bv::TreeSnapshot& tree);

    void apply(const bv::LeafPlaced& event);
    void apply(const bv::LeafDetached& event);
    void apply(const bv::NodeRefitted& event);
    void apply(const bv::Rotated& event);

    [[nodiscard]] bool empty() const { return root_ == kNone; }
    /// Empty for a node that is not in the tree.
    [[nodiscard]] bv::Aabb box(bv::NodeIndex node) const;
    /// Its number, or `bv::TreeSnapshot::kNone` for the root and for absent nodes.
    [[nodiscard]] std::uint32_t parent(bv::NodeIndex node) const {
        return node.value < nodes_.size() ? nodes_[node.value].parent : kNone;
    }
    /// Both invalid for a leaf and for absent nodes.
    [[nodiscard]] std::array<bv::NodeIndex, 2> children(bv::NodeIndex node) const {
        if (node.value >= nodes_.size()) return {};
        return {bv::NodeIndex{nodes_[node.value].child[0]}, bv::NodeIndex{nodes_[node.value].child[1]}};
    }
    [[nodiscard]] bool is_leaf(bv::NodeIndex node) const { return !children(node)[0].valid(); }
    /// Nodes in the order of a dynamic tree's snapshots.
    [[nodiscard]] bv::TreeSnapshot snapshot() const;
    /// The areas of all inner nodes together, in square meters.
    [[nodiscard]] double inner_area() const { return inner_area_; }

    friend bool operator==(const TreeState&, const TreeState&) = default;

  private:
    static constexpr std::uint32_t kNone = bv::TreeSnapshot::kNone;
    struct Node {
        bv::Aabb box;
        std::uint32_t parent = kNone;
        std::array<std::uint32_t, 2> child{kNone, kNone};
        std::uint64_t payload = 0;
        friend bool operator==(const Node&, const Node&) = default;
    };
    [[nodiscard]] static bool is_inner(const Node& node) { return node.child[0] != kNone; }
    Node& at(bv::NodeIndex node);
    void put_in_place(std::uint32_t parent, std::uint32_t old, std::uint32_t now);

    std::vector<Node> nodes_;
    std::uint32_t root_ = kNone;
    double inner_area_ = 0;
};

}  // namespace lab::steps
