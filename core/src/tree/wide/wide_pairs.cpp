// WideTree: pairs within one tree, and between two.
#include <algorithm>

#include "bv/tree/wide_tree.hpp"
#include "tree/visit_guard.hpp"
#include "tree/wide/wide_dispatch.hpp"

namespace bv {

using detail::WideTreeNodePair;
using detail::WideTreeProxyPair;

QueryStats WideTree::pairs_all(FunctionRef<Visit(ProxyId, ProxyId)> visitor, Recording* trace) const {
    QueryStats stats;
    if (root_ == kNone) return stats;
    const detail::VisitGuard guard(this);
    // One part of the tree after another, so that a visitor that stops early saves most of the work.
    std::vector<WideTreeNodePair> parts{{root_, root_}};
    std::vector<WideTreeProxyPair> found;
    if (nodes_[root_].level > 1) {
        parts.clear();
        stats += BV_WIDE_CALL(options_.simd, open_pair(view(), {root_, root_}, parts));
        if (trace) (*trace)(NodeVisited{NodeIndex{root_}, 0, 0.0f, NodeVisited::Verdict::Entered});
    }
    detail::WidePairStack open;
    for (const WideTreeNodePair& part : parts) {
        open.push(part);
        while (!open.empty()) {
            found.clear();
            QueryStats now =
                BV_WIDE_CALL(options_.simd, find_pairs(view(), open, detail::kPairsAtOnce, found, trace));
            now.hits = 0;
            stats += now;
            for (const WideTreeProxyPair& p : found) {
                ++stats.hits;
                if (visitor(id_of(p.a), id_of(p.b)) == Visit::Stop) return stats;
            }
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

void WideTree::index_parts(
    std::span<const WideTreeNodePair> jobs,
    FunctionRef<Visit(std::span<const WideTreeProxyPair>, const QueryStats&)> visitor) const {
    const detail::VisitGuard guard(this);
    std::vector<WideTreeProxyPair> found;
    detail::WidePairStack open;
    for (const WideTreeNodePair& job : jobs) {
        open.push(job);
        while (!open.empty()) {
            found.clear();
            const QueryStats stats =
                BV_WIDE_CALL(options_.simd, find_pairs(view(), open, detail::kPairsAtOnce, found, nullptr));
            if (visitor(found, stats) == Visit::Stop) return;
        }
    }
}

QueryStats WideTree::parts_all(FunctionRef<Visit(std::span<const Pair>)> visitor) const {
    QueryStats stats;
    std::vector<Pair> pairs;
    index_parts(pair_jobs(stats), [&](std::span<const WideTreeProxyPair> found, const QueryStats& now) {
        stats += now;
        pairs.clear();
        for (const WideTreeProxyPair& p : found)
            pairs.emplace_back(id_of(p.a), id_of(p.b));
        return visitor(pairs);
    });
    return stats;
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
        const auto all = static_cast<std::size_t>(-1);
        detail::WidePairStack open;
        for (std::size_t i = begin; i < end; ++i) {
            open.push(jobs[i]);
            counts[g] += BV_WIDE_CALL(options_.simd, find_pairs(view(), open, all, found[g], nullptr));
        }
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

QueryStats WideTree::pairs_with(const WideTree& other, FunctionRef<Visit(ProxyId, ProxyId)> visitor) const {
    if (root_ == kNone || other.root_ == kNone) return {};
    const detail::VisitGuard guard(this);
    const detail::VisitGuard other_guard(&other);
    const auto call = [&](std::uint32_t here, std::uint32_t there) {
        return visitor(id_of(here), other.id_of(there));
    };
    return BV_WIDE_CALL(options_.simd, find_pairs_between(view(), other.view(), call));
}

}  // namespace bv
