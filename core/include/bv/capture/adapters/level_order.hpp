// Lists the nodes of a linked binary tree level by level, for the adapters. Terminates even if links form a
// cycle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "bv/capture/bv_capture.h"

namespace bv::capture {

/// Keeps its lists between frames. `Node` is a pointer or an index.
template <class Node>
class LevelOrder {
  public:
    /// Records the tree below `root` under `name`. The engine's tree is described by
    ///   std::uint64_t access.id(Node)         bool access.is_leaf(Node)
    ///   Node access.child(Node, int)          the left one, 0, or the right one, 1
    ///   std::uint64_t access.payload(Node)    of a leaf
    ///   bv_capture_bounds access.box(Node)    copied before the next call
    ///   void access.expect(Node)              called some time before the others: may prefetch the node
    ///   void access.expect_payload(Node)      the same for what `payload` needs; the node is there
    /// A tree with more than `max_nodes` nodes is cut there and marked as incomplete.
    template <class Access>
    bv_capture_status record(bv_capture* c, const char* name, Node root, std::size_t max_nodes,
                             const Access& access) {
        if (nodes_.size() < max_nodes + 1) {
            nodes_.resize(max_nodes + 1);
            order_.resize(max_nodes + 1);
            boxes_.resize(max_nodes + 1);
        }
        bv_capture_tree_node* const nodes = nodes_.data();
        Node* const order = order_.data();
        Box* const boxes = boxes_.data();
        order[0] = root;
        std::size_t count = 1, i = 0;
        // Nodes and payloads are announced some time before they are read, so that cache misses overlap.
        constexpr std::size_t kAhead = 10;
        for (; i < count; ++i) {
            const Node node = order[i];
            if (i + 2 * kAhead < count) access.expect(order[i + 2 * kAhead]);
            if (i + kAhead < count && access.is_leaf(order[i + kAhead]))
                access.expect_payload(order[i + kAhead]);
            nodes[i].id = access.id(node);
            nodes[i].box = copy(access.box(node), boxes[i]);
            nodes[i].payload = 0;
            nodes[i].children = 0;
            if (access.is_leaf(node)) {
                nodes[i].payload = access.payload(node);
                continue;
            }
            nodes[i].children = 2;
            if (count + 2 > max_nodes) break;  // Too many: the list ends with children that are missing.
            for (int which = 0; which < 2; ++which)
                order[count++] = access.child(node, which);
        }
        return bv_capture_tree(c, name, nodes, i < count ? i + 1 : count);
    }

  private:
    /// Contiguous copies: each node of the engine is read once.
    struct Box {
        float min[3], max[3];
    };
    static bv_capture_bounds copy(bv_capture_bounds from, Box& to) {
        std::memcpy(to.min, from.min, sizeof to.min);
        std::memcpy(to.max, from.max, sizeof to.max);
        return bv_capture_box(to.min, to.max);
    }

    std::vector<Box> boxes_;
    std::vector<Node> order_;
    std::vector<bv_capture_tree_node> nodes_;
};

}  // namespace bv::capture
