// Links, free lists and refitting toward the root.
#include "bv/tree/tree_storage.hpp"

#include <algorithm>
#include <utility>

#include "bv/trace/trace.hpp"
#include "tree/box_math.hpp"

namespace bv::detail {

void TreeStorage::swap(TreeStorage& other) noexcept {
    nodes_.swap(other.nodes_);
    proxies_.swap(other.proxies_);
    places_.swap(other.places_);
    std::swap(root_, other.root_);
    std::swap(free_node_, other.free_node_);
    std::swap(free_proxy_, other.free_proxy_);
    std::swap(proxy_count_, other.proxy_count_);
}

std::uint32_t TreeStorage::allocate_node() {
    if (free_node_ == kNull) {
        nodes_.emplace_back();
        return static_cast<std::uint32_t>(nodes_.size() - 1);
    }
    const std::uint32_t node = free_node_;
    free_node_ = nodes_[node].parent;
    nodes_[node] = Node{};
    return node;
}

void TreeStorage::free_node(std::uint32_t node) noexcept {
    nodes_[node] = Node{};
    nodes_[node].parent = free_node_;
    free_node_ = node;
}

std::uint32_t TreeStorage::allocate_proxy() {
    std::uint32_t proxy = free_proxy_;
    if (proxy == kNull) {
        proxy = static_cast<std::uint32_t>(proxies_.size());
        places_.resize(proxies_.size() + 1);
        proxies_.emplace_back();
    } else {
        free_proxy_ = places_[proxy].next_free();
    }
    ++proxy_count_;
    return proxy;
}

template <class Sink>
std::uint32_t TreeStorage::detach(std::uint32_t subtree, Sink& sink) noexcept(!Sink::kEnabled) {
    const std::uint32_t parent = nodes_[subtree].parent;
    if (parent == kNull) {
        root_ = kNull;
        sink(LeafDetached{NodeIndex{subtree}, {}, {}, {}});
        return kNull;
    }
    const std::uint32_t sibling = nodes_[parent].child[nodes_[parent].child[0] == subtree];
    const std::uint32_t grandparent = nodes_[parent].parent;
    nodes_[sibling].parent = grandparent;
    nodes_[subtree].parent = kNull;
    if (grandparent == kNull)
        root_ = sibling;
    else
        nodes_[grandparent].child[nodes_[grandparent].child[1] == parent] = sibling;
    sink(LeafDetached{NodeIndex{subtree}, NodeIndex{sibling}, NodeIndex{parent}, nodes_[parent].box});
    free_node(parent);
    unsettle(grandparent);
    refit_upward(grandparent, sink);
    return grandparent;
}

template std::uint32_t TreeStorage::detach(std::uint32_t, NoTrace&) noexcept;
template std::uint32_t TreeStorage::detach(std::uint32_t, Recording&);

void TreeStorage::unsettle(std::uint32_t node) noexcept {
    if (node == kNull) return;
    nodes_[node].settled = 0;
    if (const std::uint32_t parent = nodes_[node].parent; parent != kNull) nodes_[parent].settled = 0;
}

void TreeStorage::mark_moved(std::uint32_t node) noexcept {
    // A marked node has marked ancestors, so the walk ends at the first one.
    for (; node != kNull && !nodes_[node].moved; node = nodes_[node].parent)
        nodes_[node].moved = 1;
}

void TreeStorage::fit_to_children(Node& n, const Node& a, const Node& b) noexcept {
    n.box = merge(a.box, b.box);
    n.height = 1 + std::max(a.height, b.height);
    n.categories = a.categories | b.categories;
}

void TreeStorage::refit_upward(std::uint32_t node) noexcept {
    NoTrace sink;
    refit_upward(node, sink);
}

template <class Sink>
void TreeStorage::refit_upward(std::uint32_t node, Sink& sink) noexcept(!Sink::kEnabled) {
    if (node == kNull) return;
    // The box that was fitted last stays in registers: to load it right after the store would stall.
    std::uint32_t below = nodes_[node].child[0];
    LoadedBox box_below(nodes_[below].box);
    while (node != kNull) {
        Node& n = nodes_[node];
        const Node& changed = nodes_[below];
        const Node& other = nodes_[n.child[n.child[0] == below]];
        const LoadedBox box(n.box);
        const LoadedBox fitted = merge(box_below, LoadedBox(other.box));
        const std::uint32_t height = 1 + std::max(changed.height, other.height);
        const std::uint32_t categories = changed.categories | other.categories;
        // Stop at a node that does not change: nothing above depends on anything else.
        const bool same_box = fitted == box;
        if (same_box && n.height == height && n.categories == categories) return;
        fitted.store(n.box);
        n.height = height;
        n.categories = categories;
        if constexpr (Sink::kEnabled) {
            Aabb before;
            box.store(before);
            if (!same_box) sink(NodeRefitted{NodeIndex{node}, before, n.box, false});
        }
        below = node;
        box_below = fitted;
        node = n.parent;
        if (!same_box) unsettle(node);
    }
}

template void TreeStorage::refit_upward(std::uint32_t, NoTrace&) noexcept;
template void TreeStorage::refit_upward(std::uint32_t, Recording&);

void TreeStorage::fix_heights(std::uint32_t node) noexcept {
    while (node != kNull) {
        Node& n = nodes_[node];
        const std::uint32_t height = 1 + std::max(nodes_[n.child[0]].height, nodes_[n.child[1]].height);
        if (height == n.height) return;
        n.height = height;
        node = n.parent;
    }
}

void TreeStorage::swap_subtrees(std::uint32_t a, std::uint32_t b) noexcept {
    const std::uint32_t pa = nodes_[a].parent;
    const std::uint32_t pb = nodes_[b].parent;
    nodes_[pa].child[nodes_[pa].child[1] == a] = b;
    nodes_[pb].child[nodes_[pb].child[1] == b] = a;
    nodes_[a].parent = pb;
    nodes_[b].parent = pa;
    unsettle(pa);
    unsettle(pb);
    if (nodes_[a].moved) mark_moved(pb);
    if (nodes_[b].moved) mark_moved(pa);
}

void TreeStorage::renumber_depth_first() {
    LargeVector<Node> ordered;
    ordered.reserve(nodes_.size());
    struct Open {
        std::uint32_t node;
        std::uint32_t parent;
        std::uint32_t side;
    };
    std::vector<Open> open{{root_, kNull, 0}};
    while (!open.empty()) {
        const Open at = open.back();
        open.pop_back();
        const auto index = static_cast<std::uint32_t>(ordered.size());
        ordered.push_back(nodes_[at.node]);
        Node& n = ordered.back();
        n.parent = at.parent;
        if (at.parent != kNull) ordered[at.parent].child[at.side] = index;
        if (n.is_leaf()) {
            places_[n.proxy()].node = index;
            continue;
        }
        open.push_back({n.child[1], index, 1});
        open.push_back({n.child[0], index, 0});
    }
    nodes_ = std::move(ordered);
    free_node_ = kNull;
    root_ = 0;
}

}  // namespace bv::detail
