// Inspection of a DynamicTree: its snapshot and the check of its invariants.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "bv/tree/dynamic_tree.hpp"
#include "tree/box_math.hpp"

namespace bv {

TreeSnapshot DynamicTree::snapshot() const {
    TreeSnapshot s;
    if (root_ == kNull) return s;
    const std::size_t count = 2 * static_cast<std::size_t>(proxy_count_) - 1;
    s.boxes.reserve(count);
    for (auto* v : {&s.parents, &s.first_child, &s.child_count, &s.depths, &s.source_nodes, &s.first_payload,
                    &s.payload_count})
        v->reserve(count);
    s.payloads.reserve(proxy_count_);
    s.payload_boxes.reserve(proxy_count_);
    const auto add = [&](std::uint32_t node, std::uint32_t parent, std::uint32_t depth) {
        s.boxes.push_back(nodes_[node].box);
        s.parents.push_back(parent);
        s.first_child.push_back(TreeSnapshot::kNone);
        s.child_count.push_back(0);
        s.depths.push_back(depth);
        s.source_nodes.push_back(node);
        s.first_payload.push_back(0);
        s.payload_count.push_back(0);
    };
    add(root_, TreeSnapshot::kNone, 0);
    // Breadth first: the arrays themselves are the queue.
    for (std::uint32_t i = 0; i < s.source_nodes.size(); ++i) {
        const Node& n = nodes_[s.source_nodes[i]];
        if (n.is_leaf()) {
            s.first_payload[i] = static_cast<std::uint32_t>(s.payloads.size());
            s.payload_count[i] = 1;
            s.payloads.push_back(proxies_[n.proxy()].user_data);
            s.payload_boxes.push_back(proxies_[n.proxy()].tight);
            continue;
        }
        s.first_child[i] = static_cast<std::uint32_t>(s.source_nodes.size());
        s.child_count[i] = 2;
        for (const std::uint32_t child : n.child)
            add(child, i, s.depths[i] + 1);
    }
    return s;
}

std::optional<std::string> DynamicTree::validate() const {
    const auto at = [](const char* message, std::uint32_t index) {
        return std::string(message) + std::to_string(index);
    };
    std::size_t leaves = 0;
    std::size_t used = 0;
    if (root_ != kNull && nodes_[root_].parent != kNull) return "the root has a parent";
    std::vector<std::uint32_t> open;
    if (root_ != kNull) open.push_back(root_);
    while (!open.empty()) {
        const std::uint32_t i = open.back();
        open.pop_back();
        if (++used > nodes_.size()) return "reached more nodes than exist: the tree has a cycle";
        const Node& n = nodes_[i];
        if (!n.box.is_finite()) return at("box not finite, node ", i);
        if (n.is_leaf()) {
            ++leaves;
            if (n.height != 0) return at("leaf height not 0, node ", i);
            if (n.proxy() >= proxies_.size()) return at("leaf without proxy, node ", i);
            const Proxy& p = proxies_[n.proxy()];
            if (places_[n.proxy()].node != i) return at("proxy does not point back to leaf ", i);
            if (!p.tight.is_finite()) return at("tight box not finite, proxy ", n.proxy());
            if (!detail::contains(n.box, p.tight)) return at("fat box does not contain tight box, leaf ", i);
            continue;
        }
        const std::uint32_t size = static_cast<std::uint32_t>(nodes_.size());
        if (n.child[0] >= size || n.child[1] >= size) return at("child out of range, node ", i);
        const Node& a = nodes_[n.child[0]];
        const Node& b = nodes_[n.child[1]];
        if (a.parent != i || b.parent != i) return at("child does not point back to node ", i);
        if (n.box != merge(a.box, b.box)) return at("box is not that of the children, node ", i);
        if (n.height != 1 + std::max(a.height, b.height)) return at("wrong height, node ", i);
        if (n.categories != (a.categories | b.categories)) return at("wrong categories, node ", i);
        if ((a.moved || b.moved) && !n.moved) return at("moved mark lost at node ", i);
        if (n.settled != 0 && best_swap(i).kind >= 0) return at("settled, though a swap would pay, node ", i);
        open.push_back(n.child[0]);
        open.push_back(n.child[1]);
    }
    if (leaves != proxy_count_) return "the number of leaves is not the number of proxies";
    for (std::uint32_t i = free_node_; i != kNull; i = nodes_[i].parent)
        if (i >= nodes_.size() || ++used > nodes_.size()) return "the list of free nodes is broken";
    if (used != nodes_.size()) return "a node is neither in the tree nor free";
    std::size_t free_proxies = 0;
    for (std::uint32_t i = free_proxy_; i != kNull; i = places_[i].next_free())
        if (i >= proxies_.size() || !places_[i].is_free() || ++free_proxies > proxies_.size())
            return "the list of free proxies is broken";
    if (free_proxies + proxy_count_ != proxies_.size()) return "a proxy is neither in the tree nor free";
    return std::nullopt;
}

}  // namespace bv
