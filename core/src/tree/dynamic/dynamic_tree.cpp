// Adds, moves and removes proxies. insertion.cpp chooses where their leaves are linked, rotation.cpp
// balances, and tree_storage.cpp keeps the links.
#include "bv/tree/dynamic_tree.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <limits>
#include <utility>

#include "bv/assert.hpp"
#include "bv/shapes/not_finite.hpp"
#include "bv/tree/operation_log.hpp"
#include "tree/box_math.hpp"
#include "tree/inserted.hpp"
#include "tree/prefetch.hpp"
#include "tree/same_length.hpp"
#include "tree/visit_guard.hpp"

namespace bv {

namespace {

using detail::LoadedBox;
using simd::Float4;

/// Not negative, not NaN.
float margin_of(const TreeOptions& options, const Aabb& box) noexcept {
    float margin = 0.0f;
    switch (options.margin) {
        case Margin::None:
            break;
        case Margin::Relative: {
            const glm::vec3 size = box.max - box.min;
            margin = options.margin_relative * (size.x + size.y + size.z) / 3.0f;
            break;
        }
        case Margin::Fixed:
        case Margin::AlongVelocity:
            margin = options.margin_m;
            break;
    }
    return margin > 0.0f ? margin : 0.0f;
}

LoadedBox fattened(const TreeOptions& options, const Aabb& box, const glm::vec3& displacement) noexcept {
    const Float4 margin = Float4::all(margin_of(options, box));
    LoadedBox fat(box);
    fat.low = fat.low - margin;
    fat.high = fat.high + margin;
    if (options.margin == Margin::AlongVelocity && options.velocity_steps > 0.0f) {
        const Float4 steps = Float4::all(options.velocity_steps);
        const Float4 ahead = Float4::of(displacement.x, displacement.y, displacement.z, 0.0f) * steps;
        const Float4 ahead_high = Float4::of(0.0f, displacement.x, displacement.y, displacement.z) * steps;
        // Where there is no motion, this adds -0, which changes no bit. -0 also replaces the NaN of
        // infinitely many steps of 0.
        const Float4 none = Float4::all(-0.0f);
        fat.low = fat.low + simd::min(ahead, none);
        fat.high = fat.high + simd::max(ahead_high, none);
    }
    // A fat box near the end of the float range must stay finite.
    constexpr float kLargest = std::numeric_limits<float>::max();
    return {simd::max(fat.low, Float4::all(-kLargest)), simd::min(fat.high, Float4::all(kLargest))};
}

/// True if the fat box of a proxy exceeds the new one by more than a few margins: a body that stops or
/// shrinks must not keep a box made for a fast or large one forever.
bool is_too_fat(const LoadedBox& old_fat, const LoadedBox& box, const LoadedBox& fat) noexcept {
    float reach[4];
    simd::max(box.low - fat.low, simd::yzwx(fat.high - box.high)).store_unaligned(reach);
    const Float4 slack = Float4::all(4.0f * std::max({reach[0], reach[1], reach[2]}));
    return !detail::contains(LoadedBox(fat.low - slack, fat.high + slack), old_fat);
}

}  // namespace

DynamicTree::DynamicTree(DynamicTree&& other) noexcept : options_(other.options_) {
    if (other.being_visited()) return;
    swap(other);
    std::swap(updates_, other.updates_);
    std::swap(linked_, other.linked_);
    heap_.swap(other.heap_);
    other.log_.pointer = nullptr;
}
DynamicTree& DynamicTree::operator=(const DynamicTree& other) {
    if (this == &other || being_visited()) return *this;
    return *this = DynamicTree(other);
}

DynamicTree& DynamicTree::operator=(DynamicTree&& other) noexcept {
    if (this == &other || being_visited() || other.being_visited()) return *this;
    DynamicTree taken(std::move(other));
    swap(taken);
    options_ = taken.options_;
    updates_ = taken.updates_;
    linked_ = taken.linked_;
    heap_.swap(taken.heap_);
    log_.pointer = nullptr;
    return *this;
}

bool DynamicTree::being_visited() const noexcept {
    const bool visited = detail::VisitGuard::is_visited(this);
    BV_ASSERT(!visited);
    return visited;
}

Aabb DynamicTree::fatten(const Aabb& box, const glm::vec3& displacement) const noexcept {
    if (options_.margin == Margin::None) return box;
    Aabb fat;
    fattened(options_, box, displacement).store(fat);
    return fat;
}

template <class Sink>
InsertResult DynamicTree::insert_impl(const Aabb& box, std::uint64_t user_data, Sink& sink) {
    if (being_visited()) return detail::not_inserted(TreeStatus::Busy);
    if (!box.is_finite()) return detail::not_inserted(TreeStatus::NotFinite);
    if (proxy_count_ >= kMaxProxies) return detail::not_inserted(TreeStatus::Full);
    const std::uint32_t proxy = allocate_proxy();
    const std::uint32_t leaf = allocate_node();
    nodes_[leaf].child[1] = proxy;
    nodes_[leaf].categories = Categories{}.bits;
    nodes_[leaf].box = fatten(box, glm::vec3(0.0f));
    proxies_[proxy] = {box, user_data};
    places_[proxy].node = leaf;
    link_leaf(leaf, Operation::Insert, proxy, sink);
    return detail::inserted(id_of(proxy));
}

template <class Sink>
TreeStatus DynamicTree::remove_impl(ProxyId id, Sink& sink) {
    if (being_visited()) return TreeStatus::Busy;
    if (!contains(id)) return TreeStatus::StaleId;
    remove_proxy(id.index, sink);
    return TreeStatus::Ok;
}

template <class Sink>
void DynamicTree::remove_proxy(std::uint32_t proxy, Sink& sink) {
    const std::uint32_t leaf = places_[proxy].node;
    const std::uint32_t above = detach(leaf, sink);
    free_node(leaf);
    places_[proxy].set_next_free(free_proxy_);
    ++places_[proxy].generation;
    free_proxy_ = proxy;
    --proxy_count_;
    log(Operation::Remove, leaf, proxy);
    // Swaps that pay now are left to the next insertion that passes: boxes only shrank.
    if (options_.balancing == Balancing::Height) balance_upward(above, sink);
}

TreeStatus DynamicTree::remove_all(std::span<const ProxyId> ids) {
    if (being_visited()) return TreeStatus::Busy;
    for (const ProxyId id : ids)
        if (!contains(id)) return TreeStatus::StaleId;
    NoTrace sink;
    for (const ProxyId id : ids)
        if (contains(id)) remove_proxy(id.index, sink);  // An id given twice is gone the second time.
    return TreeStatus::Ok;
}

template <class Sink>
MoveResult DynamicTree::move_impl(ProxyId id, const Aabb& box, const glm::vec3& displacement, Sink& sink) {
    if (being_visited()) return {TreeStatus::Busy, false};
    if (!contains(id)) return {TreeStatus::StaleId, false};
    if (!detail::is_finite_box(LoadedBox(box)) || !is_finite(displacement))
        return {TreeStatus::NotFinite, false};
    return {TreeStatus::Ok, move_proxy(id.index, box, displacement, sink)};
}

MoveResult DynamicTree::move_all(std::span<const ProxyId> ids, std::span<const Aabb> boxes,
                                 std::span<const glm::vec3> displacements) {
    if (being_visited()) return {TreeStatus::Busy, false};
    BV_ASSERT(ids.size() == boxes.size() && (displacements.empty() || displacements.size() == boxes.size()));
    ids = ids.first(detail::common_length(ids.size(), boxes.size(), displacements.size()));
    for (const ProxyId id : ids)
        if (!contains(id)) return {TreeStatus::StaleId, false};
    for (const Aabb& box : boxes)
        if (!detail::is_finite_box(LoadedBox(box))) return {TreeStatus::NotFinite, false};
    for (const glm::vec3& displacement : displacements)
        if (!is_finite(displacement)) return {TreeStatus::NotFinite, false};
    NoTrace sink;
    MoveResult result;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        // Leaves lie in memory in any order, and across cache lines.
        constexpr std::size_t kAhead = 16;
        if (i + kAhead < ids.size()) {
            const Node* const leaf = &nodes_[places_[ids[i + kAhead].index].node];
            detail::prefetch(leaf);
            detail::prefetch(&leaf->settled);
        }
        const glm::vec3 displacement = displacements.empty() ? glm::vec3(0.0f) : displacements[i];
        if (move_proxy(ids[i].index, boxes[i], displacement, sink)) result.fat_box_changed = true;
    }
    return result;
}

template <class Sink>
bool DynamicTree::move_proxy(std::uint32_t proxy, const Aabb& box, const glm::vec3& displacement,
                             Sink& sink) {
    proxies_[proxy].tight = box;
    const std::uint32_t leaf = places_[proxy].node;
    const LoadedBox old_fat(nodes_[leaf].box), new_box(box);
    if (detail::contains(old_fat, new_box) &&
        !is_too_fat(old_fat, new_box,
                    options_.margin == Margin::None ? new_box : fattened(options_, box, displacement))) {
        if (log_.pointer != nullptr) log(Operation::Move, leaf, proxy);
        return false;
    }
    if (options_.upkeep == Upkeep::None) {
        // One operation, including the rotations after the removal: in between, the tree lacks a leaf.
        OperationLog* const saved_log = log_.pointer;
        log_.pointer = nullptr;
        balance_upward(detach(leaf, sink), sink);
        log_.pointer = saved_log;
        nodes_[leaf].box = fatten(box, displacement);
        link_leaf(leaf, Operation::Move, proxy, sink);
    } else {
        const Aabb fat = fatten(box, displacement);
        sink(NodeRefitted{NodeIndex{leaf}, nodes_[leaf].box, fat, true});
        nodes_[leaf].box = fat;
        if (options_.upkeep == Upkeep::PartialRebuild) mark_moved(leaf);
        unsettle(nodes_[leaf].parent);
        refit_upward(nodes_[leaf].parent, sink);
        log(Operation::Refit, leaf, proxy);
    }
    return true;
}

InsertResult DynamicTree::insert(const Aabb& box, std::uint64_t user_data) {
    NoTrace sink;
    return insert_impl(box, user_data, sink);
}
InsertResult DynamicTree::insert(const Aabb& box, std::uint64_t user_data, Recording& trace) {
    return insert_impl(box, user_data, trace);
}
TreeStatus DynamicTree::remove(ProxyId id) {
    NoTrace sink;
    return remove_impl(id, sink);
}
TreeStatus DynamicTree::remove(ProxyId id, Recording& trace) {
    return remove_impl(id, trace);
}
MoveResult DynamicTree::move(ProxyId id, const Aabb& box, const glm::vec3& displacement) {
    NoTrace sink;
    return move_impl(id, box, displacement, sink);
}
MoveResult DynamicTree::move(ProxyId id, const Aabb& box, const glm::vec3& displacement, Recording& trace) {
    return move_impl(id, box, displacement, trace);
}

TreeStatus DynamicTree::clear() {
    if (being_visited()) return TreeStatus::Busy;
    nodes_.clear();
    root_ = free_node_ = free_proxy_ = kNull;
    updates_ = linked_ = 0;
    // Generations outlive the proxies, so that old ids stay stale. Low slots are reused first.
    for (std::size_t i = proxies_.size(); i-- > 0;) {
        if (!places_[i].is_free()) ++places_[i].generation;
        places_[i].set_next_free(free_proxy_);
        free_proxy_ = static_cast<std::uint32_t>(i);
    }
    proxy_count_ = 0;
    log(Operation::Clear, kNull, kNull);
    return TreeStatus::Ok;
}

template <class Sink>
void DynamicTree::report_placed(std::uint32_t leaf, NodeIndex sibling, NodeIndex parent, Sink& sink) const {
    if constexpr (Sink::kEnabled) {
        const Node& n = nodes_[leaf];
        sink(LeafPlaced{NodeIndex{leaf}, sibling, parent, n.box,
                        n.is_leaf() ? proxies_[n.proxy()].user_data : 0});
    }
}

template <class Sink>
void DynamicTree::link_leaf(std::uint32_t leaf, Operation operation, std::uint32_t proxy, Sink& sink) {
    if (root_ == kNull) {
        root_ = leaf;
        nodes_[leaf].parent = kNull;
        report_placed(leaf, {}, {}, sink);
        log(operation, leaf, proxy);
        return;
    }
    ++linked_;
    const Aabb box = nodes_[leaf].box;
    const std::uint32_t sibling = find_sibling(box, sink);
    const std::uint32_t parent = allocate_node();
    const std::uint32_t grandparent = nodes_[sibling].parent;
    Node& p = nodes_[parent];
    p.parent = grandparent;
    p.child[0] = sibling;
    p.child[1] = leaf;
    p.moved = std::max(nodes_[sibling].moved, nodes_[leaf].moved);
    if (grandparent == kNull)
        root_ = parent;
    else
        nodes_[grandparent].child[nodes_[grandparent].child[1] == sibling] = parent;
    nodes_[sibling].parent = parent;
    nodes_[leaf].parent = parent;
    if (p.moved && grandparent != kNull) mark_moved(grandparent);
    unsettle(grandparent);
    report_placed(leaf, NodeIndex{sibling}, NodeIndex{parent}, sink);
    refit_upward(parent, sink);
    log(operation, leaf, proxy);
    balance_upward(parent, sink);
}

template void DynamicTree::link_leaf(std::uint32_t, Operation, std::uint32_t, NoTrace&);
template void DynamicTree::link_leaf(std::uint32_t, Operation, std::uint32_t, Recording&);

Aabb DynamicTree::fat_box(ProxyId id) const noexcept {
    return contains(id) ? nodes_[places_[id.index].node].box : Aabb{};
}
Aabb DynamicTree::tight_box(ProxyId id) const noexcept {
    return contains(id) ? proxies_[id.index].tight : Aabb{};
}
std::optional<std::uint64_t> DynamicTree::user_data(ProxyId id) const noexcept {
    if (!contains(id)) return std::nullopt;
    return proxies_[id.index].user_data;
}
NodeIndex DynamicTree::leaf_node(ProxyId id) const noexcept {
    return contains(id) ? NodeIndex{places_[id.index].node} : NodeIndex{};
}
TreeStatus DynamicTree::set_categories(ProxyId id, Categories categories) {
    if (being_visited()) return TreeStatus::Busy;
    if (!contains(id)) return TreeStatus::StaleId;
    const std::uint32_t leaf = places_[id.index].node;
    nodes_[leaf].categories = categories.bits;
    refit_upward(nodes_[leaf].parent);
    log(Operation::Refit, leaf, id.index);
    return TreeStatus::Ok;
}
Categories DynamicTree::categories(ProxyId id) const noexcept {
    return {contains(id) ? nodes_[places_[id.index].node].categories : 0u};
}
Aabb DynamicTree::bounds() const noexcept {
    return root_ == kNull ? Aabb{} : nodes_[root_].box;
}
std::uint32_t DynamicTree::height() const noexcept {
    return root_ == kNull ? 0 : nodes_[root_].height;
}
std::size_t DynamicTree::memory_bytes() const noexcept {
    return nodes_.size() * sizeof(Node) + proxies_.size() * (sizeof(Proxy) + sizeof(Place)) +
           heap_.size() * sizeof(Candidate);
}

}  // namespace bv
