// All overlapping pairs within one DynamicTree: the tree descends against itself.
//
// Two kinds of work: "pairs within a node" opens into both children and the pair of them; "pairs between two
// nodes" whose boxes overlap opens the larger one. Each pair of leaves has exactly one lowest common
// ancestor, so it is visited once.
#include <algorithm>
#include <iterator>

#include "bv/tree/dynamic_tree.hpp"
#include "tree/batch_stack.hpp"
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

[[nodiscard]] bool is_within(const TreeNodePair& pair) noexcept {
    return pair.a == pair.b;
}
/// The number of boxes that are tested when a pair is opened.
[[nodiscard]] std::uint32_t tests_to_open(const TreeNodePair& pair) noexcept {
    return is_within(pair) ? 1 : 2;
}

/// Opens a pair of nodes: "within" into the pair of both children and "within" each, any other into the pairs
/// with the children of the higher node. Writes those that overlap, or all with `kKeepAll`, to `to`, which
/// has space for three, and returns their end. The last one is searched first.
///
/// Nothing branches on a result, which would mispredict.
template <bool kKeepAll, class Node>
[[nodiscard]] inline TreeNodePair* open_pair(const Node* nodes, const TreeNodePair& pair,
                                             TreeNodePair* to) noexcept {
    const bool within = is_within(pair);
    const bool open_a = nodes[pair.a].height >= nodes[pair.b].height;  // A leaf has height 0.
    const Node& open = nodes[open_a ? pair.a : pair.b];
    const std::uint32_t c0 = open.child[0], c1 = open.child[1];
    const std::uint32_t kept = within ? c0 : open_a ? pair.b : pair.a;
    const LoadedBox kept_box(nodes[kept].box);
    const bool meets_1 = overlaps(kept_box, LoadedBox(nodes[c1].box)) || kKeepAll;
    const bool meets_0 = overlaps(kept_box, LoadedBox(nodes[c0].box)) || kKeepAll;
    const auto write_if = [&to](bool wanted, std::uint32_t a, std::uint32_t b) {
        *to = {a, b};
        to += wanted ? 1 : 0;
    };
    write_if(meets_1, kept, c1);
    write_if(meets_0 & (!within | (nodes[c0].height != 0)), kept, c0);
    write_if(within & (nodes[c1].height != 0), c1, c1);
    return to;
}

}  // namespace

template <class Sink>
QueryStats DynamicTree::pairs_impl(const TreeNodePair& start, FunctionRef<Visit(ProxyId, ProxyId)> visitor,
                                   Sink& sink) const {
    QueryStats stats;
    const detail::VisitGuard guard(this);
    const Node* const nodes = nodes_.data();
    // A trace shows the second node of each pair: the one tested against the node already open.
    const auto record = [&](std::uint32_t node, Verdict verdict) {
        if constexpr (Sink::kEnabled) sink(NodeVisited{NodeIndex{node}, 0, 0.0f, verdict});
    };
    // Opens several pairs at once: in single steps, the next pair depends on the results of the last tests,
    // and the processor mostly waits. The order of the leaves is that of single steps, which a trace shows.
    constexpr std::size_t kAtOnce = Sink::kEnabled ? 1 : 64;
    detail::BatchStack<TreeNodePair, 1024> stack;
    TreeNodePair taken[kAtOnce];
    stack.push(start);
    while (!stack.empty()) {
        const TreeNodePair first = stack.top();
        const Node& a = nodes[first.a];
        const Node& b = nodes[first.b];
        if constexpr (Sink::kEnabled) {
            if (first.a != first.b && !overlaps(a.box, b.box)) {
                record(first.b, Verdict::Culled);
                stack.drop();
                continue;
            }
        }
        if ((a.height | b.height) == 0) {
            stack.drop();
            ++stats.leaves_tested;
            const bool hit =
                overlaps(LoadedBox(proxies_[a.proxy()].tight), LoadedBox(proxies_[b.proxy()].tight));
            record(first.b, hit ? Verdict::LeafHit : Verdict::LeafTested);
            if (!hit) continue;
            ++stats.hits;
            if (visitor(id_of(a.proxy()), id_of(b.proxy())) == Visit::Stop) break;
            continue;
        }
        const std::size_t count = stack.pop(taken);
        TreeNodePair* end = stack.reserve(3 * kAtOnce);
        for (std::size_t i = 0; i < count; ++i) {
            const TreeNodePair pair = taken[i];
            if ((nodes[pair.a].height | nodes[pair.b].height) == 0) {
                *end++ = pair;  // Tested in its turn.
                continue;
            }
            ++stats.nodes_visited;
            stats.boxes_tested += tests_to_open(pair);
            record(pair.b, Verdict::Entered);
            end = open_pair<Sink::kEnabled>(nodes, pair, end);
        }
        stack.end_at(end);
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
    std::vector<TreeNodePair> parts{{root_, root_}}, next;
    const Node* const nodes = nodes_.data();
    // Each part is replaced by the parts that the search opens it into, in the order of the search.
    for (bool any = true; any && parts.size() < target; parts.swap(next)) {
        next.clear();
        any = false;
        for (const TreeNodePair& part : parts) {
            if ((nodes[part.a].height | nodes[part.b].height) == 0) {
                next.push_back(part);
                continue;
            }
            any = true;
            ++stats.nodes_visited;
            stats.boxes_tested += tests_to_open(part);
            TreeNodePair opened[3];
            const TreeNodePair* const end = open_pair<false>(nodes, part, opened);
            next.insert(next.end(), std::make_reverse_iterator(end),
                        std::make_reverse_iterator<const TreeNodePair*>(opened));
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
    Visit next = Visit::Continue;
    const auto hand_on = [&] {
        next = visitor(found);
        found.clear();
        return next;
    };
    for (const TreeNodePair& part : pair_parts(stats)) {
        stats += pairs_of_part(part, [&](ProxyId a, ProxyId b) {
            found.emplace_back(a, b);
            return found.size() < detail::kPairsAtOnce ? Visit::Continue : hand_on();
        });
        if (next == Visit::Stop || hand_on() == Visit::Stop) break;
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
