// Insertion of a new leaf: three ways to choose its sibling.
//
// All costs are half areas. Making `sibling` and the leaf children of a new node costs the new node's area
// (direct) plus the growth of every ancestor (inherited). Branch and bound keeps open nodes in a heap by
// inherited cost: below a node the cost is at least its inherited cost plus the leaf's own area, so the
// search ends when that bound reaches the best cost so far. Sources: [Presson 2008] for the descent, [Bittner
// 2013] for the bound, [Catto 2019] for both SAH forms in games.
#include <algorithm>
#include <cmath>

#include "bv/tree/dynamic_tree.hpp"
#include "tree/box_math.hpp"

namespace bv {

using detail::half_area;
using detail::LoadedBox;
using detail::merged_half_area;

namespace {

float manhattan(const Aabb& a, const Aabb& b) {
    const glm::vec3 d = detail::center2(a) - detail::center2(b);
    return std::abs(d.x) + std::abs(d.y) + std::abs(d.z);
}

// Half areas become areas only where they are shown.
template <class Sink>
void report(Sink& sink, std::uint32_t node, float direct, float inherited, float bound, bool chosen) {
    if constexpr (Sink::kEnabled)
        sink(SiblingConsidered{NodeIndex{node}, 2.0f * direct, 2.0f * inherited, 2.0f * bound, chosen});
}

}  // namespace

template <class Sink>
std::uint32_t DynamicTree::find_manhattan(const Aabb& box, Sink& sink) const {
    std::uint32_t node = root_;
    float inherited = 0.0f;
    for (;;) {
        const Node& n = nodes_[node];
        if constexpr (Sink::kEnabled) {
            const float direct = half_area(merge(n.box, box));
            report(sink, node, direct, inherited, inherited, n.is_leaf());
            inherited += direct - half_area(n.box);
        }
        if (n.is_leaf()) return node;
        const float d0 = manhattan(nodes_[n.child[0]].box, box);
        const float d1 = manhattan(nodes_[n.child[1]].box, box);
        node = n.child[d0 < d1 ? 0 : 1];
    }
}

template <class Sink>
std::uint32_t DynamicTree::find_greedy(const Aabb& box, Sink& sink) const {
    const float leaf_area = half_area(box);
    std::uint32_t node = root_;
    std::uint32_t best = root_;
    float node_area = half_area(nodes_[node].box);
    float direct = half_area(merge(nodes_[node].box, box));
    float inherited = 0.0f;
    float best_cost = direct;
    for (;;) {
        const Node& n = nodes_[node];
        const float cost = direct + inherited;
        if (cost < best_cost) {
            best = node;
            best_cost = cost;
        }
        report(sink, node, direct, inherited, inherited + leaf_area, best == node);
        if (n.is_leaf()) return best;
        inherited += direct - node_area;
        float area[2];
        float child_direct[2];
        float bound[2];
        for (int i = 0; i < 2; ++i) {
            const Node& c = nodes_[n.child[i]];
            area[i] = half_area(c.box);
            child_direct[i] = half_area(merge(c.box, box));
            // Below an inner child there may be a place that costs only the leaf's own area.
            bound[i] =
                inherited + child_direct[i] + (c.is_leaf() ? 0.0f : std::min(leaf_area - area[i], 0.0f));
        }
        const int next =
            bound[0] < bound[1] || (bound[0] == bound[1] && manhattan(nodes_[n.child[0]].box, box) <
                                                                manhattan(nodes_[n.child[1]].box, box))
                ? 0
                : 1;
        if (!(bound[next] < best_cost)) return best;
        node = n.child[next];
        node_area = area[next];
        direct = child_direct[next];
    }
}

template <class Sink>
std::uint32_t DynamicTree::find_branch_and_bound(const Aabb& box, Sink& sink) {
    const auto later = [](const Candidate& a, const Candidate& b) {
        return a.inherited > b.inherited || (a.inherited == b.inherited && a.node > b.node);
    };
    const LoadedBox leaf(box);
    const float leaf_area = half_area(leaf);
    std::uint32_t best = root_;
    const float root_direct = merged_half_area(LoadedBox(nodes_[root_].box), leaf);
    float best_cost = root_direct;
    report(sink, root_, root_direct, 0.0f, leaf_area, true);
    heap_.clear();
    if (!nodes_[root_].is_leaf()) heap_.push_back({root_direct - half_area(nodes_[root_].box), root_});
    while (!heap_.empty()) {
        // A candidate stores the inherited cost of its children.
        const Candidate c = heap_.front();
        if (!(c.inherited + leaf_area < best_cost)) break;
        std::pop_heap(heap_.begin(), heap_.end(), later);
        heap_.pop_back();
        for (const std::uint32_t child : nodes_[c.node].child) {
            const Node& n = nodes_[child];
            const LoadedBox node_box(n.box);
            const float direct = merged_half_area(node_box, leaf);
            const float cost = direct + c.inherited;
            const bool better = cost < best_cost;
            if (better) {
                best = child;
                best_cost = cost;
            }
            report(sink, child, direct, c.inherited, c.inherited + leaf_area, better);
            if (n.is_leaf()) continue;
            const float inherited = cost - half_area(node_box);
            if (inherited + leaf_area < best_cost) {
                heap_.push_back({inherited, child});
                std::push_heap(heap_.begin(), heap_.end(), later);
            }
        }
    }
    return best;
}

template <class Sink>
std::uint32_t DynamicTree::find_sibling(const Aabb& box, Sink& sink) {
    switch (options_.insertion) {
        case Insertion::Manhattan:
            return find_manhattan(box, sink);
        case Insertion::GreedySah:
            return find_greedy(box, sink);
        case Insertion::BranchAndBoundSah:
            break;
    }
    return find_branch_and_bound(box, sink);
}

template std::uint32_t DynamicTree::find_sibling(const Aabb&, NoTrace&);
template std::uint32_t DynamicTree::find_sibling(const Aabb&, Recording&);

}  // namespace bv
