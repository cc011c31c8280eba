// WideTree: pairs, snapshot, invariants.
#include <algorithm>
#include <cmath>

#include "bv/tree/wide_tree.hpp"
#include "tree/box_math.hpp"
#include "tree/visit_guard.hpp"
#include "tree/wide/wide_dispatch.hpp"

namespace bv {

using detail::WideTreeNode;
using detail::WideTreeNodePair;
using detail::WideTreeProxyPair;

QueryStats WideTree::pairs_all(FunctionRef<Visit(ProxyId, ProxyId)> visitor) const {
    QueryStats stats;
    if (root_ == kNone) return stats;
    const detail::VisitGuard guard(this);
    // One part of the tree after another, so that a visitor that stops early saves most of the work.
    std::vector<WideTreeNodePair> open{{root_, root_}};
    std::vector<WideTreeProxyPair> found;
    if (nodes_[root_].level > 1) {
        open.clear();
        stats += BV_WIDE_CALL(options_.simd, open_pair(view(), {root_, root_}, open));
    }
    for (const WideTreeNodePair& part : open) {
        found.clear();
        QueryStats now = BV_WIDE_CALL(options_.simd, find_pairs(view(), part, found));
        now.hits = 0;
        stats += now;
        for (const WideTreeProxyPair& p : found) {
            ++stats.hits;
            if (visitor(id_of(p.a), id_of(p.b)) == Visit::Stop) return stats;
        }
    }
    return stats;
}

/// Parts of the tree that together contain all pairs.
std::vector<WideTreeNodePair> WideTree::pair_jobs(QueryStats& stats) const {
    // Enough jobs to balance uneven ones; the division does not depend on the number of threads, so neither
    // does the order.
    if (root_ == kNone) return {};
    std::vector<WideTreeNodePair> jobs{{root_, root_}};
    const std::size_t target = proxy_count_ < 2048 ? 1 : 64;
    while (jobs.size() < target) {
        std::vector<WideTreeNodePair> next;
        for (const WideTreeNodePair& job : jobs)
            stats += BV_WIDE_CALL(options_.simd, open_pair(view(), job, next));
        if (next.empty() || nodes_[next[0].a].level == 0) break;
        jobs = std::move(next);
    }
    return jobs;
}

QueryStats WideTree::index_parts_all(FunctionRef<Visit(std::span<const WideTreeProxyPair>)> visitor) const {
    QueryStats stats;
    const std::vector<WideTreeNodePair> jobs = pair_jobs(stats);
    return stats += index_parts(jobs, visitor);
}

QueryStats WideTree::index_parts(std::span<const WideTreeNodePair> jobs,
                                 FunctionRef<Visit(std::span<const WideTreeProxyPair>)> visitor) const {
    const detail::VisitGuard guard(this);
    QueryStats stats;
    std::vector<WideTreeProxyPair> found;
    for (const WideTreeNodePair& job : jobs) {
        found.clear();
        stats += BV_WIDE_CALL(options_.simd, find_pairs(view(), job, found));
        if (visitor(found) == Visit::Stop) break;
    }
    return stats;
}

QueryStats WideTree::parts_all(FunctionRef<Visit(std::span<const Pair>)> visitor) const {
    std::vector<Pair> pairs;
    return index_parts_all([&](std::span<const WideTreeProxyPair> found) {
        pairs.clear();
        for (const WideTreeProxyPair& p : found)
            pairs.emplace_back(id_of(p.a), id_of(p.b));
        return visitor(pairs);
    });
}

QueryStats WideTree::collect_pairs(std::vector<Pair>& out, TaskRunner& tasks) const {
    out.clear();
    QueryStats stats;
    if (root_ == kNone) return stats;
    const std::vector<WideTreeNodePair> jobs = pair_jobs(stats);
    const std::size_t groups = std::min<std::size_t>(jobs.size(), 64);
    std::vector<std::vector<WideTreeProxyPair>> found(groups);
    std::vector<QueryStats> counts(groups);
    const auto work = [&](std::size_t g) {
        const std::size_t begin = g * jobs.size() / groups;
        const std::size_t end = (g + 1) * jobs.size() / groups;
        for (std::size_t i = begin; i < end; ++i)
            counts[g] += BV_WIDE_CALL(options_.simd, find_pairs(view(), jobs[i], found[g]));
    };
    if (tasks.concurrency() > 1 && groups > 1)
        tasks.run(groups, work);
    else
        for (std::size_t g = 0; g < groups; ++g)
            work(g);
    std::size_t total = 0;
    for (std::size_t g = 0; g < groups; ++g) {
        stats += counts[g];
        total += found[g].size();
    }
    out.reserve(total);
    for (const auto& part : found)
        for (const WideTreeProxyPair& p : part)
            out.emplace_back(id_of(p.a), id_of(p.b));
    return stats;
}

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
