// WideTree: storage, single insertions and removals, queries.
#include "bv/tree/wide_tree.hpp"

#include <algorithm>
#include <cmath>

#include "bv/assert.hpp"
#include "bv/query/raycast.hpp"
#include "tree/box_math.hpp"
#include "tree/visit_guard.hpp"
#include "tree/wide/wide_dispatch.hpp"

namespace bv {

using detail::half_area;
using detail::WideTreeNode;
using detail::WideTreeProxy;

namespace {

constexpr std::uint32_t kMaxWideProxies = 1u << 28;  // a place is node * 8 + entry in 32 bits

}  // namespace

detail::WideTreeNode::WideTreeNode() noexcept : parent(kNone), count(0), level(0), unused(0) {
    for (std::uint32_t i = 0; i < 8; ++i) {
        set_box(i, Aabb{});
        child[i] = kNone;
    }
}

Aabb detail::WideTreeNode::bounds() const noexcept {
    Aabb all;
    for (std::uint32_t i = 0; i < count; ++i)
        all = merge(all, box(i));
    return all;
}

bool WideTree::being_visited() const noexcept {
    const bool visited = detail::VisitGuard::is_visited(this);
    BV_ASSERT(!visited);
    return visited;
}

detail::WideTreeView WideTree::view() const noexcept {
    // The kernels that only read get the same view as the one that refits.
    return {const_cast<WideTreeNode*>(nodes_.data()), const_cast<WideTreeProxy*>(proxies_.data()), root_};
}

std::uint32_t WideTree::allocate_node(std::uint32_t level) {
    std::uint32_t node = free_node_;
    if (node == kNone) {
        node = static_cast<std::uint32_t>(nodes_.size());
        // Grows by half, not to double: most of a tree's memory is here.
        if (nodes_.size() == nodes_.capacity()) nodes_.reserve(nodes_.size() + nodes_.size() / 2 + 4);
        nodes_.emplace_back();
    } else {
        free_node_ = nodes_[node].parent;
        nodes_[node] = WideTreeNode();
    }
    nodes_[node].level = level;
    return node;
}

void WideTree::free_node(std::uint32_t node) noexcept {
    nodes_[node] = WideTreeNode();
    nodes_[node].parent = free_node_;
    free_node_ = node;
}

std::uint32_t WideTree::allocate_proxy(const Aabb& box, std::uint64_t user_data) {
    std::uint32_t proxy = free_proxy_;
    if (proxy == kNone) {
        proxy = static_cast<std::uint32_t>(proxies_.size());
        proxies_.push_back({box.min, kNone, box.max, 0});
        user_data_.push_back(user_data);
    } else {
        free_proxy_ = static_cast<std::uint32_t>(user_data_[proxy]);
        proxies_[proxy].min = box.min;
        proxies_[proxy].max = box.max;
        user_data_[proxy] = user_data;
    }
    ++proxy_count_;
    return proxy;
}

InsertResult WideTree::insert(const Aabb& box, std::uint64_t user_data) {
    if (being_visited()) return {TreeStatus::Busy, {}};
    if (!detail::is_finite_box(detail::LoadedBox(box))) return {TreeStatus::NotFinite, {}};
    if (proxy_count_ >= kMaxWideProxies) return {TreeStatus::Full, {}};
    const std::uint32_t proxy = allocate_proxy(box, user_data);
    insert_proxy(proxy);
    return {TreeStatus::Ok, id_of(proxy)};
}

void WideTree::place_entry(std::uint32_t node, std::uint32_t slot, std::uint32_t child,
                           const Aabb& box) noexcept {
    WideTreeNode& n = nodes_[node];
    n.child[slot] = child;
    n.set_box(slot, box);
    if (n.level == 0)
        proxies_[child].place = node * 8 + slot;
    else
        nodes_[child].parent = node;
}

void WideTree::insert_proxy(std::uint32_t proxy) {
    Aabb box{proxies_[proxy].min, proxies_[proxy].max};
    if (root_ == kNone) root_ = allocate_node(0);
    std::uint32_t path[detail::kMaxWideLevels];
    std::uint32_t node = BV_WIDE_CALL(options_.simd, descend(view(), box, path));
    std::uint32_t child = proxy;
    // A full node is divided, and its new half becomes the entry to add one level up.
    while (nodes_[node].count == 8) {
        const std::uint32_t level = nodes_[node].level;
        const std::uint32_t half = allocate_node(level);
        Aabb bounds[2];
        BV_WIDE_CALL(options_.simd, divide(nodes_[node], nodes_[half], child, box, bounds));
        link_entries(node);
        link_entries(half);
        child = half;
        box = bounds[1];
        if (node == root_) {
            root_ = allocate_node(level + 1);
            nodes_[root_].count = 1;
            place_entry(root_, 0, node, bounds[0]);
            node = root_;
        } else {
            node = path[level + 1] / 8;
            nodes_[node].set_box(path[level + 1] % 8, bounds[0]);
        }
    }
    place_entry(node, nodes_[node].count++, child, box);
}

// Makes all entries of a node point back to it.
void WideTree::link_entries(std::uint32_t node) noexcept {
    const WideTreeNode& n = nodes_[node];
    for (std::uint32_t slot = 0; slot < n.count; ++slot)
        if (n.level == 0)
            proxies_[n.child[slot]].place = node * 8 + slot;
        else
            nodes_[n.child[slot]].parent = node;
}

TreeStatus WideTree::remove(ProxyId id) {
    if (being_visited()) return TreeStatus::Busy;
    if (!contains(id)) return TreeStatus::StaleId;
    WideTreeProxy& p = proxies_[id.index];
    remove_entry(p.place / 8, p.place % 8);
    p.place = kNone;
    ++p.generation;
    user_data_[id.index] = free_proxy_;
    free_proxy_ = id.index;
    --proxy_count_;
    return TreeStatus::Ok;
}

void WideTree::remove_entry(std::uint32_t node, std::uint32_t slot) noexcept {
    // Removing an empty node also removes its entry in the parent. Boxes above are unchanged until the next
    // update.
    for (;;) {
        WideTreeNode& n = nodes_[node];
        const std::uint32_t last = --n.count;
        if (slot != last) place_entry(node, slot, n.child[last], n.box(last));
        n.set_box(last, Aabb{});
        n.child[last] = kNone;
        if (n.count > 0) break;
        const std::uint32_t parent = n.parent;
        free_node(node);
        if (parent == kNone) {
            root_ = kNone;
            return;
        }
        const WideTreeNode& p = nodes_[parent];
        slot = static_cast<std::uint32_t>(std::find(p.child, p.child + p.count, node) - p.child);
        node = parent;
    }
    while (nodes_[root_].level > 0 && nodes_[root_].count == 1) {
        const std::uint32_t child = nodes_[root_].child[0];
        free_node(root_);
        root_ = child;
        nodes_[root_].parent = kNone;
    }
}

MoveResult WideTree::move(ProxyId id, const Aabb& box) noexcept {
    if (being_visited()) return {TreeStatus::Busy};
    if (!contains(id)) return {TreeStatus::StaleId};
    if (!detail::is_finite_box(detail::LoadedBox(box))) return {TreeStatus::NotFinite};
    set_box(id.index, box);
    return {};
}

UpdateStats WideTree::update() {
    UpdateStats stats;
    if (being_visited() || root_ == kNone) return stats;
    const double cost = BV_WIDE_CALL(options_.simd, refit(view()));
    if (!(cost <= built_cost_ * double{options_.rebuild_growth})) {
        build_all();
        stats.rebuilt = proxy_count_;
    }
    return stats;
}

TreeStatus WideTree::rebuild() {
    if (being_visited()) return TreeStatus::Busy;
    build_all();
    return TreeStatus::Ok;
}

TreeStatus WideTree::insert_all(std::span<const Aabb> boxes, std::span<const std::uint64_t> user_data,
                                std::span<ProxyId> ids) {
    if (being_visited()) return TreeStatus::Busy;
    BV_ASSERT(user_data.size() == boxes.size() && (ids.empty() || ids.size() == boxes.size()));
    for (const Aabb& box : boxes)
        if (!box.is_finite()) return TreeStatus::NotFinite;
    if (boxes.size() > kMaxWideProxies - proxy_count_) return TreeStatus::Full;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const std::uint32_t proxy = allocate_proxy(boxes[i], user_data[i]);
        proxies_[proxy].place = 0;  // in use; the rebuild sets its place
        if (!ids.empty()) ids[i] = id_of(proxy);
    }
    build_all();
    return TreeStatus::Ok;
}

TreeStatus WideTree::clear() {
    if (being_visited()) return TreeStatus::Busy;
    nodes_.clear();
    root_ = free_node_ = free_proxy_ = kNone;
    built_cost_ = 0.0;
    for (std::size_t i = proxies_.size(); i-- > 0;) {
        if (proxies_[i].place != kNone) ++proxies_[i].generation;
        proxies_[i].place = kNone;
        user_data_[i] = free_proxy_;
        free_proxy_ = static_cast<std::uint32_t>(i);
    }
    proxy_count_ = 0;
    return TreeStatus::Ok;
}

Aabb WideTree::box(ProxyId id) const noexcept {
    return contains(id) ? Aabb{proxies_[id.index].min, proxies_[id.index].max} : Aabb{};
}
std::optional<std::uint64_t> WideTree::user_data(ProxyId id) const noexcept {
    if (!contains(id)) return std::nullopt;
    return user_data_[id.index];
}
Aabb WideTree::bounds() const noexcept {
    return root_ == kNone ? Aabb{} : nodes_[root_].bounds();
}
std::size_t WideTree::memory_bytes() const noexcept {
    return nodes_.size() * sizeof(WideTreeNode) + proxies_.size() * sizeof(WideTreeProxy) +
           user_data_.size() * sizeof(std::uint64_t);
}

QueryStats WideTree::query_all(const Aabb& box, FunctionRef<Visit(ProxyId, std::uint64_t)> visitor,
                               Recording* trace) const {
    if (root_ == kNone || box.is_empty()) return {};
    const detail::VisitGuard guard(this);
    const auto call = [&](std::uint32_t proxy) { return visitor(id_of(proxy), user_data_[proxy]); };
    return BV_WIDE_CALL(options_.simd, query_box(view(), box, call, trace));
}

QueryStats WideTree::raycast_all(const Ray& ray, FunctionRef<float(ProxyId, std::uint64_t, float)> visitor,
                                 Recording* trace) const {
    if (root_ == kNone) return {};
    const detail::VisitGuard guard(this);
    std::uint32_t hits = 0;
    const auto call = [&](std::uint32_t proxy, float limit) {
        // The eight-wide test is conservative; boxes that pass it are decided exactly.
        const WideTreeNode& n = nodes_[proxies_[proxy].place / 8];
        const auto hit =
            bv::raycast(Ray{ray.origin, ray.direction, limit, ray.t_min}, n.box(proxies_[proxy].place % 8));
        if (!hit) return limit;
        ++hits;
        return visitor(id_of(proxy), user_data_[proxy], hit->t);
    };
    const RaySlabs slabs(ray);
    const Simd simd = slabs.needs_double ? Simd::Scalar : options_.simd;
    QueryStats stats = BV_WIDE_CALL(simd, cast_ray(view(), slabs, ray.t_max, call, trace));
    stats.hits = hits;
    return stats;
}

}  // namespace bv
