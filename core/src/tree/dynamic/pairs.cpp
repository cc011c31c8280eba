// All overlapping pairs within one DynamicTree: the tree descends against itself.
//
// Two kinds of work: "pairs within a node" opens into both children and the pair of them; "pairs between two
// nodes" whose boxes overlap opens the larger one. Each pair of leaves has exactly one lowest common
// ancestor, so it is visited once.
#include <algorithm>

#include "bv/tree/dynamic_tree.hpp"
#include "tree/box_math.hpp"
#include "tree/dynamic/node_pair.hpp"
#include "tree/grow_stack.hpp"
#include "tree/visit_guard.hpp"

namespace bv {

namespace {

using detail::LoadedBox;
using detail::overlaps;
using detail::TreeNodePair;
using Verdict = NodeVisited::Verdict;

/// Opens a pair of nodes: two that are the same into `within` each child and the pair of both, any others by
/// the children of the higher one. The last call is for what comes first.
template <class Node, class PushPair, class PushWithin>
void open_pair(const Node* nodes, const Node* a, const Node* b, const PushPair& push,
               const PushWithin& within) {
    if (a == b) {
        const Node* const first = nodes + a->child[0];
        const Node* const second = nodes + a->child[1];
        push(first, second, LoadedBox(first->box));
        if (!first->is_leaf()) within(first);
        if (!second->is_leaf()) within(second);
        return;
    }
    // A leaf has height 0.
    const bool open_a = a->height >= b->height;
    const Node* const open = open_a ? a : b;
    const Node* const kept = open_a ? b : a;
    const LoadedBox kept_box(kept->box);
    push(kept, nodes + open->child[1], kept_box);
    push(kept, nodes + open->child[0], kept_box);
}

}  // namespace

template <class Sink>
QueryStats DynamicTree::pairs_impl(const TreeNodePair& start, FunctionRef<Visit(ProxyId, ProxyId)> visitor,
                                   Sink& sink) const {
    QueryStats stats;
    const detail::VisitGuard guard(this);
    const Node* const nodes = nodes_.data();
    // A trace shows the second node of each pair: the one tested against the node already open.
    const auto record = [&](const Node* node, Verdict verdict) {
        if constexpr (Sink::kEnabled)
            sink(NodeVisited{NodeIndex{static_cast<std::uint32_t>(node - nodes)}, 0, 0.0f, verdict});
    };
    struct Waiting {
        const Node* a;
        const Node* b;  // equal to a: the pairs within it
    };
    // Boxes are tested when their parents are opened, so that only pairs that overlap wait: without a branch,
    // which would mispredict. In a trace the others wait, too, to be recorded in their turn.
    detail::GrowStack<Waiting, 128> stack;
    const auto push = [&](const Node* a, const Node* b, const LoadedBox& box_a) {
        ++stats.boxes_tested;
        stack.push_if({a, b}, overlaps(box_a, LoadedBox(b->box)) || Sink::kEnabled);
    };
    const auto push_within = [&](const Node* node) { stack.push({node, node}); };
    stack.push({nodes + start.a, nodes + start.b});
    while (!stack.empty()) {
        const auto [a, b] = stack.pop();
        if constexpr (Sink::kEnabled) {
            if (a != b && !overlaps(a->box, b->box)) {
                record(b, Verdict::Culled);
                continue;
            }
        }
        if ((a->height | b->height) == 0) {
            ++stats.leaves_tested;
            const Proxy& proxy_a = proxies_[a->proxy()];
            const Proxy& proxy_b = proxies_[b->proxy()];
            const bool hit = overlaps(LoadedBox(proxy_a.tight), LoadedBox(proxy_b.tight));
            record(b, hit ? Verdict::LeafHit : Verdict::LeafTested);
            if (!hit) continue;
            ++stats.hits;
            if (visitor({a->proxy(), proxy_a.generation}, {b->proxy(), proxy_b.generation}) == Visit::Stop)
                break;
            continue;
        }
        ++stats.nodes_visited;
        record(b, Verdict::Entered);
        open_pair(nodes, a, b, push, push_within);
    }
    return stats;
}

QueryStats DynamicTree::pairs_all(FunctionRef<Visit(ProxyId, ProxyId)> visitor) const {
    if (root_ == kNull || nodes_[root_].is_leaf()) return {};
    return pairs_of_part({root_, root_}, visitor);
}
QueryStats DynamicTree::pairs_all(FunctionRef<Visit(ProxyId, ProxyId)> visitor, Recording& trace) const {
    if (root_ == kNull || nodes_[root_].is_leaf()) return {};
    return pairs_impl({root_, root_}, visitor, trace);
}

std::vector<TreeNodePair> DynamicTree::pair_parts(QueryStats& stats) const {
    if (root_ == kNull || nodes_[root_].is_leaf()) return {};
    const std::size_t target = proxy_count_ < 1024 ? 1 : 256;
    std::vector<TreeNodePair> parts{{root_, root_}}, next, opened;
    const Node* const nodes = nodes_.data();
    const auto number = [nodes](const Node* node) { return static_cast<std::uint32_t>(node - nodes); };
    const auto push = [&](const Node* a, const Node* b, const LoadedBox& box_a) {
        ++stats.boxes_tested;
        if (overlaps(box_a, LoadedBox(b->box))) opened.push_back({number(a), number(b)});
    };
    const auto push_within = [&](const Node* node) { opened.push_back({number(node), number(node)}); };
    // Each part is replaced by what the search makes of it, in the order of the search.
    for (bool any = true; any && parts.size() < target; parts.swap(next)) {
        next.clear();
        any = false;
        for (const TreeNodePair& part : parts) {
            const Node &a = nodes[part.a], &b = nodes[part.b];
            if ((a.height | b.height) == 0) {
                next.push_back(part);
                continue;
            }
            any = true;
            ++stats.nodes_visited;
            opened.clear();
            open_pair(nodes, &a, &b, push, push_within);
            next.insert(next.end(), opened.rbegin(), opened.rend());
        }
    }
    return parts;
}

QueryStats DynamicTree::pairs_of_part(const TreeNodePair& part,
                                      FunctionRef<Visit(ProxyId, ProxyId)> visitor) const {
    NoTrace sink;
    return pairs_impl(part, visitor, sink);
}

QueryStats DynamicTree::collect_pairs(std::vector<Pair>& out, TaskRunner& tasks) const {
    out.clear();
    QueryStats stats;
    const std::vector<TreeNodePair> parts = pair_parts(stats);
    const std::size_t groups = tasks.concurrency() > 1 ? std::min<std::size_t>(parts.size(), 64) : 1;
    const auto search = [&](std::size_t begin, std::size_t end, std::vector<Pair>& found) {
        QueryStats sum;
        const auto call = [&found](ProxyId a, ProxyId b) {
            found.emplace_back(a, b);
            return Visit::Continue;
        };
        for (std::size_t i = begin; i < end; ++i)
            sum += pairs_of_part(parts[i], call);
        return sum;
    };
    if (groups < 2) return stats += search(0, parts.size(), out);
    std::vector<std::vector<Pair>> found(groups);
    std::vector<QueryStats> counts(groups);
    tasks.run(groups, [&](std::size_t g) {
        counts[g] = search(g * parts.size() / groups, (g + 1) * parts.size() / groups, found[g]);
    });
    for (std::size_t g = 0; g < groups; ++g) {
        stats += counts[g];
        out.insert(out.end(), found[g].begin(), found[g].end());
    }
    return stats;
}

QueryStats DynamicTree::parts_all(FunctionRef<Visit(std::span<const Pair>)> visitor) const {
    const detail::VisitGuard guard(this);
    QueryStats stats;
    std::vector<Pair> found;
    for (const TreeNodePair& part : pair_parts(stats)) {
        found.clear();
        stats += pairs_of_part(part, [&found](ProxyId a, ProxyId b) {
            found.emplace_back(a, b);
            return Visit::Continue;
        });
        if (visitor(found) == Visit::Stop) break;
    }
    return stats;
}

QueryStats DynamicTree::pairs_with(const DynamicTree& other,
                                   FunctionRef<Visit(ProxyId, ProxyId)> visitor) const {
    QueryStats stats;
    if (root_ == kNull || other.root_ == kNull) return stats;
    const detail::VisitGuard guard(this);
    const detail::VisitGuard other_guard(&other);
    detail::GrowStack<TreeNodePair, 128> stack;
    stack.push({root_, other.root_});
    while (!stack.empty()) {
        const TreeNodePair at = stack.pop();
        const Node& a = nodes_[at.a];
        const Node& b = other.nodes_[at.b];
        ++stats.boxes_tested;
        if (!detail::overlaps(a.box, b.box)) continue;
        ++stats.nodes_visited;
        if (a.is_leaf() && b.is_leaf()) {
            ++stats.leaves_tested;
            if (!detail::overlaps(proxies_[a.proxy()].tight, other.proxies_[b.proxy()].tight)) continue;
            ++stats.hits;
            if (visitor(id_of(a.proxy()), other.id_of(b.proxy())) == Visit::Stop) break;
        } else if (b.is_leaf() || (!a.is_leaf() && a.height >= b.height)) {
            stack.push({a.child[1], at.b});
            stack.push({a.child[0], at.b});
        } else {
            stack.push({at.a, b.child[1]});
            stack.push({at.a, b.child[0]});
        }
    }
    return stats;
}

}  // namespace bv
