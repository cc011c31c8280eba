// Local optimization of a tree: swaps of two subtrees near a node.
//
// Node A has children B and C; B has D and E, C has F and G. The six swaps and their numbers in the trace:
//   0: B with F   1: B with G   2: C with D   3: C with E   4: D with F   5: D with G
// None changes A's box. Swaps 0 and 1 change C's box, 2 and 3 B's, 4 and 5 both. [Kensler 2008, Catto 2019]
#include <algorithm>

#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/operation_log.hpp"
#include "tree/box_math.hpp"

namespace bv {

using detail::half_area;
using detail::LoadedBox;
using detail::merged_half_area;

template <class Sink>
inline std::uint32_t DynamicTree::rotate_for_height(std::uint32_t node, Sink& sink) {
    const std::uint32_t b = nodes_[node].child[0];
    const std::uint32_t c = nodes_[node].child[1];
    const std::uint32_t hb = nodes_[b].height;
    const std::uint32_t hc = nodes_[c].height;
    if (hb <= hc + 1 && hc <= hb + 1) return kNull;
    const std::uint32_t tall = hb > hc ? b : c;
    const std::uint32_t low = hb > hc ? c : b;
    const std::uint32_t x = nodes_[tall].child[0];
    const std::uint32_t y = nodes_[tall].child[1];
    // The taller grandchild moves up; on a tie, the one that leaves the smaller box behind.
    const float with_x = half_area(merge(nodes_[low].box, nodes_[y].box));
    const float with_y = half_area(merge(nodes_[low].box, nodes_[x].box));
    const bool up_x =
        nodes_[x].height != nodes_[y].height ? nodes_[x].height > nodes_[y].height : with_x < with_y;
    if constexpr (Sink::kEnabled) {
        const auto kind = static_cast<std::uint8_t>((tall == b ? 2 : 0) + (up_x ? 0 : 1));
        sink(Rotated{NodeIndex{node}, kind, 2.0f * half_area(nodes_[tall].box),
                     2.0f * (up_x ? with_x : with_y), NodeIndex{low}, NodeIndex{up_x ? x : y}});
    }
    swap_subtrees(low, up_x ? x : y);
    refit_upward(tall, sink);
    fix_heights(node);
    log(Operation::Rotate, node, kNull);
    return tall;
}

DynamicTree::Swap DynamicTree::best_swap(std::uint32_t node) const noexcept {
    Swap best;
    const std::uint32_t b = nodes_[node].child[0];
    const std::uint32_t c = nodes_[node].child[1];
    const bool b_inner = !nodes_[b].is_leaf();
    const bool c_inner = !nodes_[c].is_leaf();
    if (!b_inner && !c_inner) return best;
    const LoadedBox box_b(nodes_[b].box);
    const LoadedBox box_c(nodes_[c].box);
    const float area_b = half_area(box_b);
    const float area_c = half_area(box_c);
    // The cost of a swap is the area of B and C after it, if they are inner nodes.
    const auto consider = [&](int kind, float gain) {
        if (gain > best.gain) best = {kind, gain};
    };
    const auto child = [&](std::uint32_t of, int side) {
        return LoadedBox(nodes_[nodes_[of].child[side]].box);
    };
    const LoadedBox d = b_inner ? child(b, 0) : box_b, e = b_inner ? child(b, 1) : box_b;
    const LoadedBox f = c_inner ? child(c, 0) : box_c, g = c_inner ? child(c, 1) : box_c;
    if (c_inner) {
        consider(0, area_c - merged_half_area(box_b, g));
        consider(1, area_c - merged_half_area(box_b, f));
    }
    if (b_inner) {
        consider(2, area_b - merged_half_area(box_c, e));
        consider(3, area_b - merged_half_area(box_c, d));
    }
    if (b_inner && c_inner) {
        const float both = area_b + area_c;
        consider(4, both - merged_half_area(f, e) - merged_half_area(d, g));
        consider(5, both - merged_half_area(g, e) - merged_half_area(f, d));
    }
    return best;
}

template <class Sink>
inline void DynamicTree::rotate_for_area(std::uint32_t node, Sink& sink) {
    if (nodes_[node].settled != 0) return;  // Nothing near it has changed since no swap was found to pay.
    const auto [best, gain] = best_swap(node);
    if (best < 0) {
        nodes_[node].settled = 1;
        return;
    }
    const std::uint32_t b = nodes_[node].child[0];
    const std::uint32_t c = nodes_[node].child[1];
    const std::uint32_t* of_b = nodes_[b].child;
    const std::uint32_t* of_c = nodes_[c].child;
    const std::uint32_t first = best < 2 ? b : best < 4 ? c : of_b[0];
    const std::uint32_t second = best < 2 ? of_c[best] : best < 4 ? of_b[best - 2] : of_c[best - 4];
    if constexpr (Sink::kEnabled) {
        const float area_b = best < 2 ? 0.0f : half_area(nodes_[b].box);
        const float area_c = best == 2 || best == 3 ? 0.0f : half_area(nodes_[c].box);
        const float before = area_b + area_c;  // of the boxes that change
        sink(Rotated{NodeIndex{node}, static_cast<std::uint8_t>(best), 2.0f * before, 2.0f * (before - gain),
                     NodeIndex{first}, NodeIndex{second}});
    }
    swap_subtrees(first, second);
    // The node's own box covers the same leaves: only the children and the heights above change.
    if (best >= 4) {
        // Fitted by itself: the node's box is right again only once both children are.
        Node& n = nodes_[b];
        const Aabb old = n.box;
        fit_to_children(n, nodes_[n.child[0]], nodes_[n.child[1]]);
        if (n.box != old) {
            unsettle(node);
            if constexpr (Sink::kEnabled) sink(NodeRefitted{NodeIndex{b}, old, n.box, false});
        }
    }
    refit_upward(best < 2 || best >= 4 ? c : b, sink);
    fix_heights(node);
    log(Operation::Rotate, node, kNull);
}

template <class Sink>
void DynamicTree::balance_upward(std::uint32_t node, Sink& sink) {
    if (options_.balancing == Balancing::None) return;
    if (options_.balancing == Balancing::Sah) {
        for (; node != kNull; node = nodes_[node].parent)
            rotate_for_area(node, sink);
        return;
    }
    // After a leaf was joined to a tall subtree, or a subtree was removed, each rotation moves the difference
    // in height one level down, as a join of AVL trees does, until it is gone.
    for (; node != kNull; node = nodes_[node].parent)
        for (std::uint32_t at = node; at != kNull;)
            at = rotate_for_height(at, sink);
}

template void DynamicTree::balance_upward(std::uint32_t, NoTrace&);
template void DynamicTree::balance_upward(std::uint32_t, Recording&);

}  // namespace bv
