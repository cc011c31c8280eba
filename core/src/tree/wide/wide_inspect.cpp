// WideTree: snapshot, invariants.
#include "bv/tree/wide_tree.hpp"
#include "tree/box_math.hpp"

namespace bv {

using detail::WideTreeNode;

TreeSnapshot WideTree::snapshot() const {
    TreeSnapshot s;
    if (root_ == kNone) return s;
    const auto add = [&](std::uint32_t node, const Aabb& box, std::uint32_t parent, std::uint32_t depth) {
        s.boxes.push_back(box);
        s.parents.push_back(parent);
        s.first_child.push_back(TreeSnapshot::kNone);
        s.child_count.push_back(0);
        s.depths.push_back(depth);
        s.source_nodes.push_back(node);
        s.first_payload.push_back(0);
        s.payload_count.push_back(0);
    };
    add(root_, nodes_[root_].bounds(), TreeSnapshot::kNone, 0);
    for (std::uint32_t i = 0; i < s.source_nodes.size(); ++i) {
        const WideTreeNode& n = nodes_[s.source_nodes[i]];
        if (n.level == 0) {
            s.first_payload[i] = static_cast<std::uint32_t>(s.payloads.size());
            s.payload_count[i] = n.count;
            for (std::uint32_t k = 0; k < n.count; ++k) {
                s.payloads.push_back(user_data_[n.child[k]]);
                s.payload_boxes.push_back(n.box(k));
            }
            continue;
        }
        s.first_child[i] = static_cast<std::uint32_t>(s.source_nodes.size());
        s.child_count[i] = n.count;
        for (std::uint32_t k = 0; k < n.count; ++k)
            add(n.child[k], n.box(k), i, s.depths[i] + 1);
    }
    return s;
}

std::optional<std::string> WideTree::validate() const {
    const auto at = [](const char* message, std::uint32_t index) {
        return std::string(message) + std::to_string(index);
    };
    if (has_categories() &&
        (categories_.size() != proxies_.size() || node_categories_.size() != nodes_.size()))
        return "a proxy or node lacks its categories";
    std::size_t used = 0;
    std::size_t found = 0;
    std::vector<std::uint32_t> open;
    if (root_ != kNone) {
        if (nodes_[root_].parent != kNone) return "the root has a parent";
        open.push_back(root_);
    }
    while (!open.empty()) {
        const std::uint32_t i = open.back();
        open.pop_back();
        if (++used > nodes_.size()) return "reached more nodes than exist: the tree has a cycle";
        const WideTreeNode& n = nodes_[i];
        if (n.count == 0 || n.count > 8) return at("entry count out of range, node ", i);
        if (has_categories() && node_categories_[i] != categories_below(i))
            return at("categories are not those below, node ", i);
        for (std::uint32_t k = 0; k < 8; ++k) {
            if (k >= n.count) {
                if (n.box(k) != Aabb{} || n.child[k] != kNone) return at("unused entry not empty, node ", i);
                continue;
            }
            if (!n.box(k).is_finite()) return at("box not finite, node ", i);
            if (n.level == 0) {
                ++found;
                if (n.child[k] >= proxies_.size()) return at("entry without proxy, block ", i);
                if (proxies_[n.child[k]].place != i * 8 + k)
                    return at("proxy does not point back to block ", i);
                continue;
            }
            if (n.child[k] >= nodes_.size()) return at("child out of range, node ", i);
            const WideTreeNode& c = nodes_[n.child[k]];
            if (c.parent != i) return at("child does not point back to node ", i);
            if (c.level + 1 != n.level) return at("child is not one level below node ", i);
            if (!detail::contains(n.box(k), c.bounds()))
                return at("entry does not contain its child, node ", i);
            open.push_back(n.child[k]);
        }
    }
    if (found != proxy_count_) return "the number of entries is not the number of proxies";
    for (std::uint32_t i = free_node_; i != kNone; i = nodes_[i].parent)
        if (i >= nodes_.size() || ++used > nodes_.size()) return "the list of free nodes is broken";
    if (used != nodes_.size()) return "a node is neither in the tree nor free";
    std::size_t free_proxies = 0;
    for (std::uint32_t i = free_proxy_; i != kNone; i = static_cast<std::uint32_t>(user_data_[i]))
        if (i >= proxies_.size() || proxies_[i].place != kNone || ++free_proxies > proxies_.size())
            return "the list of free proxies is broken";
    if (free_proxies + proxy_count_ != proxies_.size()) return "a proxy is neither in the tree nor free";
    return std::nullopt;
}

}  // namespace bv
