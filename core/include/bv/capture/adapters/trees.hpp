// Captures the trees of this library: whatever has a `snapshot()`.
#pragma once

#include <cstdint>
#include <vector>

#include "bv/capture/bv_capture.h"
#include "bv/tree/snapshot.hpp"

namespace bv::capture {

class SnapshotAdapter {
  public:
    /// Begins a frame and records a tree and its payloads as proxies. Ids of proxies are the payloads, which
    /// should differ; those of nodes their numbers in the original tree. The fat box of a payload that is
    /// alone in its leaf is that of the leaf. The status is that of the last part that failed.
    bv_capture_status frame(bv_capture* c, const TreeSnapshot& tree, double time_s) {
        bv_capture_status result = bv_capture_frame(c, time_s);
        const auto keep = [&result](bv_capture_status status) {
            if (status != BV_CAPTURE_OK) result = status;
        };
        proxies_.clear();
        for (std::uint32_t i = 0; i < tree.size(); ++i)
            for (std::uint32_t k = 0; k < tree.payload_count[i]; ++k) {
                const std::uint32_t p = tree.first_payload[i] + k;
                const bv_capture_bounds fat =
                    tree.payload_count[i] == 1 ? bounds(tree.boxes[i]) : bv_capture_bounds{nullptr, nullptr};
                proxies_.push_back({tree.payloads[p], bounds(tree.payload_boxes[p]), fat, 0});
            }
        keep(bv_capture_proxies(c, proxies_.data(), proxies_.size()));
        keep(record(c, "tree", tree));
        return result;
    }
    /// The same for a DynamicTree, a WideTree, a mesh tree, ...
    template <class Tree>
    bv_capture_status frame(bv_capture* c, const Tree& tree, double time_s) {
        return frame(c, tree.snapshot(), time_s);
    }

    /// The tree alone, within a frame.
    bv_capture_status record(bv_capture* c, const char* name, const TreeSnapshot& tree) {
        if (tree.empty()) return BV_CAPTURE_OK;
        bool has_single_payloads = true;
        for (std::uint32_t i = 0; i < tree.size(); ++i)
            has_single_payloads = has_single_payloads && tree.payload_count[i] == (tree.is_leaf(i) ? 1u : 0u);
        return has_single_payloads ? by_levels(c, name, tree) : by_nodes(c, name, tree);
    }

  private:
    static bv_capture_bounds bounds(const Aabb& box) { return bv_capture_box(&box.min.x, &box.max.x); }

    bv_capture_status by_levels(bv_capture* c, const char* name, const TreeSnapshot& tree) {
        order_.assign(1, 0);
        nodes_.clear();
        for (std::size_t at = 0; at < order_.size(); ++at) {
            const std::uint32_t i = order_[at];
            for (std::uint32_t k = 0; k < tree.child_count[i]; ++k)
                order_.push_back(tree.first_child[i] + k);
            const std::uint64_t payload = tree.is_leaf(i) ? tree.payloads[tree.first_payload[i]] : 0;
            nodes_.push_back({tree.source_nodes[i], bounds(tree.boxes[i]), payload, tree.child_count[i]});
        }
        return bv_capture_tree(c, name, nodes_.data(), nodes_.size());
    }

    bv_capture_status by_nodes(bv_capture* c, const char* name, const TreeSnapshot& tree) {
        bv_capture_status result = bv_capture_tree_begin(c, name, tree.source_nodes[0]);
        for (std::uint32_t i = 0; i < tree.size(); ++i) {
            children_.clear();
            for (std::uint32_t k = 0; k < tree.child_count[i]; ++k)
                children_.push_back(tree.source_nodes[tree.first_child[i] + k]);
            const bv_capture_status status = bv_capture_node(
                c, tree.source_nodes[i], bounds(tree.boxes[i]), children_.data(), children_.size(),
                tree.payloads.data() + tree.first_payload[i], tree.payload_count[i]);
            if (status != BV_CAPTURE_OK) result = status;
        }
        const bv_capture_status ended = bv_capture_tree_end(c);
        return ended != BV_CAPTURE_OK ? ended : result;
    }

    std::vector<bv_capture_proxy> proxies_;
    std::vector<std::uint32_t> order_;
    std::vector<bv_capture_tree_node> nodes_;
    std::vector<std::uint64_t> children_;
};

}  // namespace bv::capture
