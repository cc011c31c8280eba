// Insertion of a new leaf: three ways to choose its sibling.
//
// All costs are half areas. Making `sibling` and the leaf children of a new node costs the new node's area
// (direct) plus the growth of every ancestor (inherited). Branch and bound keeps open nodes in a heap by
// inherited cost: below a node the cost is at least its inherited cost plus the leaf's own area, so the
// search ends when that bound reaches the best cost so far. Sources: [Presson 2008] for the descent, [Bittner
// 2013] for the bound, [Catto 2019] for both SAH forms in games.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "bv/tree/dynamic_tree.hpp"
#include "simd/bits.hpp"
#include "tree/box_math.hpp"
#include "tree/prefetch.hpp"

namespace bv {

using detail::half_area;
using detail::LoadedBox;
using detail::merged_half_area;

namespace {

float manhattan(const Aabb& a, const Aabb& b) {
    const glm::vec3 d = detail::center2(a) - detail::center2(b);
    return std::abs(d.x) + std::abs(d.y) + std::abs(d.z);
}

/// Candidates in the order of inherited cost, then node. The cheapest are kept sorted, which is fast for the
/// few of a usual insertion; the others in a heap.
template <class Candidate>
class CandidateQueue {
  public:
    explicit CandidateQueue(std::vector<Candidate>& heap) noexcept : heap_(heap) { heap_.clear(); }

    /// Keys compare like candidates; costs are neither NaN nor -0.
    [[nodiscard]] static std::uint64_t key_of(const Candidate& c) noexcept {
        const auto bits = detail::bit_cast<std::uint32_t>(c.inherited);
        const std::uint32_t ordered = (bits >> 31) != 0 ? ~bits : bits | kSign;
        return std::uint64_t{ordered} << 32 | c.node;
    }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    void push(std::uint64_t key) {
        if (size_ == kSorted || (!heap_.empty() && (size_ == 0 || key > sorted_[0]))) return push_far(key);
        insert(key);
    }
    [[nodiscard]] Candidate pop() {
        const std::uint64_t key = sorted_[--size_];
        if (size_ == 0) refill();
        return candidate_of(key);
    }
    /// The cheapest of `key` and all others.
    [[nodiscard]] Candidate push_and_pop(std::uint64_t key) {
        if (size_ == 0 || key < sorted_[size_ - 1]) return candidate_of(key);
        push(key);
        return pop();
    }

  private:
    static constexpr std::size_t kSorted = 32;
    static constexpr std::uint32_t kSign = 0x80000000u;

    [[nodiscard]] static Candidate candidate_of(std::uint64_t key) noexcept {
        const auto ordered = static_cast<std::uint32_t>(key >> 32);
        return {detail::bit_cast<float>((ordered & kSign) != 0 ? ordered & ~kSign : ~ordered),
                static_cast<std::uint32_t>(key)};
    }
    [[nodiscard]] static bool later(const Candidate& a, const Candidate& b) noexcept {
        return key_of(a) > key_of(b);
    }
    void insert(std::uint64_t key) noexcept {
        std::size_t i = size_++;
        for (; i > 0 && sorted_[i - 1] < key; --i)
            sorted_[i] = sorted_[i - 1];
        sorted_[i] = key;
    }
    void push_far(std::uint64_t key) {
        if (size_ == kSorted && key < sorted_[0]) {
            // The most expensive of the sorted ones makes space.
            const std::uint64_t evicted = sorted_[0];
            std::copy(sorted_ + 1, sorted_ + kSorted, sorted_);
            --size_;
            insert(key);
            key = evicted;
        }
        heap_.push_back(candidate_of(key));
        std::push_heap(heap_.begin(), heap_.end(), later);
    }
    void refill() {
        if (heap_.empty()) return;
        std::pop_heap(heap_.begin(), heap_.end(), later);
        sorted_[size_++] = key_of(heap_.back());
        heap_.pop_back();
    }

    std::vector<Candidate>& heap_;
    std::uint64_t sorted_[kSorted];  ///< The most expensive first. Not empty unless the heap is.
    std::size_t size_ = 0;
};

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
        const Node& a = nodes_[n.child[0]];
        const Node& b = nodes_[n.child[1]];
        const float d0 = manhattan(a.box, box);
        const float d1 = manhattan(b.box, box);
        node = n.child[d0 < d1 || (d0 == d1 && a.height < b.height) ? 0 : 1];
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
    const LoadedBox leaf(box);
    const float leaf_area = half_area(leaf);
    std::uint32_t best = root_;
    const float root_direct = merged_half_area(LoadedBox(nodes_[root_].box), leaf);
    float best_cost = root_direct;
    report(sink, root_, root_direct, 0.0f, leaf_area, true);
    if (nodes_[root_].is_leaf()) return best;
    // A candidate stores the inherited cost of its children. The cheaper of two children is often the next
    // candidate of all: it never enters the queue.
    CandidateQueue<Candidate> queue(heap_);
    Candidate next{root_direct - half_area(nodes_[root_].box), root_};
    while (next.inherited + leaf_area < best_cost) {
        std::uint64_t open[2];
        int count = 0;
        for (const std::uint32_t child : nodes_[next.node].child) {
            const Node& n = nodes_[child];
            if (!n.is_leaf()) {
                detail::prefetch(&nodes_[n.child[0]]);
                detail::prefetch(&nodes_[n.child[1]]);
            }
            const LoadedBox node_box(n.box);
            const float direct = merged_half_area(node_box, leaf);
            const float cost = direct + next.inherited;
            const bool better = cost < best_cost;
            if (better) {
                best = child;
                best_cost = cost;
            }
            report(sink, child, direct, next.inherited, next.inherited + leaf_area, better);
            const float inherited = cost - half_area(node_box);
            open[count] = queue.key_of({inherited, child});
            count += (!n.is_leaf() & (inherited + leaf_area < best_cost)) ? 1 : 0;
        }
        if (count == 2) {
            if (open[1] < open[0]) std::swap(open[0], open[1]);
            queue.push(open[1]);
        }
        if (count == 0) {
            if (queue.empty()) break;
            next = queue.pop();
        } else {
            next = queue.push_and_pop(open[0]);
        }
    }
    return best;
}

// Among equal boxes all places cost the same, and the first one found would be the root each time, which
// would make the tree a list. So where a child is as large as its parent and holds the new box too, the
// search goes on in the child. Other ties stay: going down at each would make lists of boxes inserted in
// order along a line.
template <class Sink>
std::uint32_t DynamicTree::lowest_tie(std::uint32_t node, const Aabb& box, Sink& sink) const {
    const LoadedBox leaf(box);
    while (!nodes_[node].is_leaf()) {
        const Node& n = nodes_[node];
        const float area = half_area(LoadedBox(n.box));
        if (merged_half_area(LoadedBox(n.box), leaf) != area) return node;
        std::uint32_t next = kNull;
        for (const std::uint32_t child : n.child)
            if (merged_half_area(LoadedBox(nodes_[child].box), leaf) == area &&
                half_area(LoadedBox(nodes_[child].box)) == area &&
                (next == kNull || nodes_[child].height < nodes_[next].height))
                next = child;
        if (next == kNull) return node;
        node = next;
        if constexpr (Sink::kEnabled) {
            float inherited = 0.0f;
            for (std::uint32_t above = nodes_[node].parent; above != kNull; above = nodes_[above].parent)
                inherited += half_area(merge(nodes_[above].box, box)) - half_area(nodes_[above].box);
            report(sink, node, area, inherited, inherited + half_area(leaf), true);
        }
    }
    return node;
}

template <class Sink>
std::uint32_t DynamicTree::find_sibling(const Aabb& box, Sink& sink) {
    switch (options_.insertion) {
        case Insertion::Manhattan:
            return find_manhattan(box, sink);
        case Insertion::GreedySah:
            return lowest_tie(find_greedy(box, sink), box, sink);
        case Insertion::BranchAndBoundSah:
            break;
    }
    return lowest_tie(find_branch_and_bound(box, sink), box, sink);
}

template std::uint32_t DynamicTree::find_sibling(const Aabb&, NoTrace&);
template std::uint32_t DynamicTree::find_sibling(const Aabb&, Recording&);

}  // namespace bv
