// All overlapping pairs within one DynamicTree: the tree descends against itself.
//
// Two kinds of work: "pairs within a node" opens into both children and the pair of them; "pairs between two
// nodes" whose boxes overlap opens the larger one. Each pair of leaves has exactly one lowest common
// ancestor, so it is visited once.
#include "bv/tree/dynamic_tree.hpp"
#include "tree/box_math.hpp"
#include "tree/grow_stack.hpp"
#include "tree/visit_guard.hpp"

namespace bv {

namespace {

using Verdict = NodeVisited::Verdict;

struct NodePair {
    std::uint32_t a;
    std::uint32_t b;  // equal to a: the pairs within it
};

}  // namespace

template <class Sink>
QueryStats DynamicTree::pairs_impl(FunctionRef<Visit(ProxyId, ProxyId)> visitor, Sink& sink) const {
    QueryStats stats;
    if (root_ == kNull || nodes_[root_].is_leaf()) return stats;
    const detail::VisitGuard guard(this);
    // A trace shows the second node of each pair: the one tested against the node already open.
    const auto record = [&](std::uint32_t node, Verdict verdict) {
        if constexpr (Sink::kEnabled) sink(NodeVisited{NodeIndex{node}, 0, 0.0f, verdict});
    };
    detail::GrowStack<NodePair, 128> stack;
    stack.push({root_, root_});
    while (!stack.empty()) {
        const NodePair at = stack.pop();
        const Node& a = nodes_[at.a];
        if (at.a == at.b) {
            ++stats.nodes_visited;
            record(at.a, Verdict::Entered);
            stack.push({a.child[0], a.child[1]});
            for (const std::uint32_t child : a.child)
                if (!nodes_[child].is_leaf()) stack.push({child, child});
            continue;
        }
        const Node& b = nodes_[at.b];
        ++stats.boxes_tested;
        if (!detail::overlaps(a.box, b.box)) {
            record(at.b, Verdict::Culled);
            continue;
        }
        if (a.is_leaf() && b.is_leaf()) {
            ++stats.leaves_tested;
            const bool hit = detail::overlaps(proxies_[a.proxy()].tight, proxies_[b.proxy()].tight);
            record(at.b, hit ? Verdict::LeafHit : Verdict::LeafTested);
            if (!hit) continue;
            ++stats.hits;
            if (visitor(id_of(a.proxy()), id_of(b.proxy())) == Visit::Stop) break;
            continue;
        }
        ++stats.nodes_visited;
        record(at.b, Verdict::Entered);
        const bool open_a = b.is_leaf() || (!a.is_leaf() && a.height >= b.height);
        const Node& open = open_a ? a : b;
        const std::uint32_t kept = open_a ? at.b : at.a;
        stack.push({kept, open.child[1]});
        stack.push({kept, open.child[0]});
    }
    return stats;
}

QueryStats DynamicTree::pairs_all(FunctionRef<Visit(ProxyId, ProxyId)> visitor) const {
    NoTrace sink;
    return pairs_impl(visitor, sink);
}
QueryStats DynamicTree::pairs_all(FunctionRef<Visit(ProxyId, ProxyId)> visitor, Recording& trace) const {
    return pairs_impl(visitor, trace);
}

QueryStats DynamicTree::pairs_with(const DynamicTree& other,
                                   FunctionRef<Visit(ProxyId, ProxyId)> visitor) const {
    QueryStats stats;
    if (root_ == kNull || other.root_ == kNull) return stats;
    const detail::VisitGuard guard(this);
    const detail::VisitGuard other_guard(&other);
    detail::GrowStack<NodePair, 128> stack;
    stack.push({root_, other.root_});
    while (!stack.empty()) {
        const NodePair at = stack.pop();
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
