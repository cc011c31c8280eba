// WideTree: storage, insertions, moves and removals.
#include "bv/tree/wide_tree.hpp"

#include <algorithm>
#include <cmath>

#include "bv/assert.hpp"
#include "bv/shapes/not_finite.hpp"
#include "tree/box_math.hpp"
#include "tree/inserted.hpp"
#include "tree/same_length.hpp"
#include "tree/visit_guard.hpp"
#include "tree/wide/wide_dispatch.hpp"

namespace bv {

using detail::WideTreeNode;
using detail::WideTreeProxy;

namespace {

constexpr std::uint32_t kMaxWideProxies = 1u << 28;  // a place is node * 8 + entry in 32 bits

/// A change of at least a quarter of the proxies is done in one pass over the tree.
bool is_many(std::size_t changed, std::size_t all) {
    return changed > 1 && 4 * changed >= all;
}

}  // namespace

void WideTree::swap(WideTree& other) noexcept {
    nodes_.swap(other.nodes_);
    proxies_.swap(other.proxies_);
    user_data_.swap(other.user_data_);
    categories_.swap(other.categories_);
    node_categories_.swap(other.node_categories_);
    std::swap(root_, other.root_);
    std::swap(free_node_, other.free_node_);
    std::swap(free_proxy_, other.free_proxy_);
    std::swap(proxy_count_, other.proxy_count_);
    std::swap(is_fitted_, other.is_fitted_);
    std::swap(cost_, other.cost_);
    std::swap(built_cost_, other.built_cost_);
}

WideTree::WideTree(WideTree&& other) noexcept : options_(other.options_) {
    if (!other.being_visited()) swap(other);
}

WideTree& WideTree::operator=(const WideTree& other) {
    if (this == &other || being_visited()) return *this;
    return *this = WideTree(other);
}

WideTree& WideTree::operator=(WideTree&& other) noexcept {
    if (being_visited() || other.being_visited()) return *this;
    WideTree taken(std::move(other));
    swap(taken);
    options_ = taken.options_;
    return *this;
}

void WideTree::set_options(const WideTreeOptions& options) noexcept {
    options_ = options;
    options_.rebuild_growth = detail::in_range(options.rebuild_growth, 1.0f, 1e30f, 1.3f);
}

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
    if (has_categories()) {
        node_categories_.resize(nodes_.size());
        node_categories_[node] = 0;
    }
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
        // Filled in place. A copy of one made here would be read back wider than it was written, which waits
        // for all earlier stores, and those of the insertion before miss the caches.
        proxies_.emplace_back().place = kNone;
        user_data_.push_back(user_data);
    } else {
        free_proxy_ = static_cast<std::uint32_t>(user_data_[proxy]);
        user_data_[proxy] = user_data;
    }
    set_box(proxy, box);
    if (has_categories()) {
        categories_.resize(proxies_.size());
        categories_[proxy] = Categories{}.bits;
    }
    ++proxy_count_;
    is_fitted_ = false;
    return proxy;
}

InsertResult WideTree::insert_with(const Aabb& box, std::uint64_t user_data, Recording* trace) {
    if (being_visited()) return detail::not_inserted(TreeStatus::Busy);
    if (!detail::is_finite_box(detail::LoadedBox(box))) return detail::not_inserted(TreeStatus::NotFinite);
    if (proxy_count_ >= kMaxWideProxies) return detail::not_inserted(TreeStatus::Full);
    const std::uint32_t proxy = allocate_proxy(box, user_data);
    insert_proxy(proxy, box, trace);
    return detail::inserted(id_of(proxy));
}

InsertResult WideTree::insert(const Aabb& box, std::uint64_t user_data) {
    return insert_with(box, user_data, nullptr);
}
InsertResult WideTree::insert(const Aabb& box, std::uint64_t user_data, Recording& trace) {
    return insert_with(box, user_data, &trace);
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

void WideTree::insert_proxy(std::uint32_t proxy, const Aabb& added, Recording* trace) {
    if (root_ == kNone) root_ = allocate_node(0);
    std::uint32_t path[detail::kMaxWideLevels];
    std::uint32_t node = BV_WIDE_CALL(options_.simd, descend(view(), added, path));
    if (trace) {
        const std::uint32_t top = nodes_[root_].level;
        for (std::uint32_t level = top; level > 0; --level)
            (*trace)(
                NodeVisited{NodeIndex{path[level] / 8}, top - level, 0.0f, NodeVisited::Verdict::Entered});
    }
    std::uint32_t child = proxy;
    Aabb box = added;
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
        const std::uint32_t divided = node;
        if (node == root_) {
            root_ = allocate_node(level + 1);
            nodes_[root_].count = 1;
            place_entry(root_, 0, node, bounds[0]);
            node = root_;
        } else {
            node = path[level + 1] / 8;
            nodes_[node].set_box(path[level + 1] % 8, bounds[0]);
        }
        if (has_categories()) {
            node_categories_[divided] = categories_below(divided);
            node_categories_[half] = categories_below(half);
        }
        if (trace) (*trace)(LeafPlaced{NodeIndex{half}, NodeIndex{divided}, NodeIndex{node}, box, 0});
    }
    place_entry(node, nodes_[node].count++, child, box);
    const std::uint32_t block = proxies_[proxy].place / 8;
    if (has_categories()) fit_categories_upward(block);
    if (trace)
        (*trace)(LeafPlaced{NodeIndex{block}, {}, NodeIndex{nodes_[block].parent}, added, user_data_[proxy]});
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

TreeStatus WideTree::remove_with(ProxyId id, Recording* trace) {
    if (being_visited()) return TreeStatus::Busy;
    if (!contains(id)) return TreeStatus::StaleId;
    remove_proxy(id.index, trace);
    return TreeStatus::Ok;
}
TreeStatus WideTree::remove(ProxyId id) {
    return remove_with(id, nullptr);
}
TreeStatus WideTree::remove(ProxyId id, Recording& trace) {
    return remove_with(id, &trace);
}

TreeStatus WideTree::remove_all(std::span<const ProxyId> ids) {
    if (being_visited()) return TreeStatus::Busy;
    for (const ProxyId id : ids)
        if (!contains(id)) return TreeStatus::StaleId;
    for (const ProxyId id : ids)
        if (contains(id)) remove_proxy(id.index, nullptr);  // An id given twice is gone the second time.
    return TreeStatus::Ok;
}

void WideTree::remove_proxy(std::uint32_t proxy, Recording* trace) {
    WideTreeProxy& p = proxies_[proxy];
    remove_entry(p.place / 8, p.place % 8, trace);
    p.place = kNone;
    ++p.generation;
    user_data_[proxy] = free_proxy_;
    free_proxy_ = proxy;
    --proxy_count_;
    is_fitted_ = false;
}

std::uint32_t WideTree::slot_in(std::uint32_t parent, std::uint32_t node) const noexcept {
    const WideTreeNode& p = nodes_[parent];
    return static_cast<std::uint32_t>(std::find(p.child, p.child + p.count, node) - p.child);
}

void WideTree::remove_entry(std::uint32_t node, std::uint32_t slot, Recording* trace) {
    // Removing an empty node also removes its entry in the parent. Boxes above are unchanged until the next
    // update.
    for (;;) {
        WideTreeNode& n = nodes_[node];
        const std::uint32_t parent = n.parent;
        if (trace && (n.level == 0 || n.count == 1))
            (*trace)(LeafDetached{NodeIndex{node}, {}, NodeIndex{parent}, n.bounds()});
        const std::uint32_t last = --n.count;
        if (slot != last) place_entry(node, slot, n.child[last], n.box(last));
        n.set_box(last, Aabb{});
        n.child[last] = kNone;
        if (n.count > 0) break;
        free_node(node);
        if (parent == kNone) {
            root_ = kNone;
            return;
        }
        slot = slot_in(parent, node);
        node = parent;
    }
    if (has_categories()) fit_categories_upward(node);
    while (nodes_[root_].level > 0 && nodes_[root_].count == 1) {
        const std::uint32_t child = nodes_[root_].child[0];
        free_node(root_);
        root_ = child;
        nodes_[root_].parent = kNone;
    }
}

MoveResult WideTree::move_with(ProxyId id, const Aabb& box, const glm::vec3& displacement, Recording* trace) {
    if (being_visited()) return {TreeStatus::Busy};
    if (!contains(id)) return {TreeStatus::StaleId};
    if (!detail::is_finite_box(detail::LoadedBox(box)) || !is_finite(displacement))
        return {TreeStatus::NotFinite};
    move_proxy(id.index, box, trace);
    return {};
}
MoveResult WideTree::move(ProxyId id, const Aabb& box, const glm::vec3& displacement) {
    return move_with(id, box, displacement, nullptr);
}
MoveResult WideTree::move(ProxyId id, const Aabb& box, const glm::vec3& displacement, Recording& trace) {
    return move_with(id, box, displacement, &trace);
}

void WideTree::move_proxy(std::uint32_t proxy, const Aabb& box, Recording* trace) {
    set_box(proxy, box);
    is_fitted_ = false;
    std::uint32_t node = proxies_[proxy].place / 8;
    const std::uint32_t slot = proxies_[proxy].place % 8;
    if (trace) (*trace)(NodeRefitted{NodeIndex{node}, nodes_[node].box(slot), box, true});
    nodes_[node].set_box(slot, box);
    for (std::uint32_t parent = nodes_[node].parent; parent != kNone; parent = nodes_[node].parent) {
        const std::uint32_t at = slot_in(parent, node);
        const Aabb before = nodes_[parent].box(at);
        if (detail::contains(before, box)) return;
        const Aabb grown = merge(before, box);
        if (trace) (*trace)(NodeRefitted{NodeIndex{node}, before, grown, false});
        nodes_[parent].set_box(at, grown);
        node = parent;
    }
}

MoveResult WideTree::move_all(std::span<const ProxyId> ids, std::span<const Aabb> boxes,
                              std::span<const glm::vec3> displacements) {
    if (being_visited()) return {TreeStatus::Busy};
    BV_ASSERT(ids.size() == boxes.size() && (displacements.empty() || displacements.size() == boxes.size()));
    ids = ids.first(detail::common_length(ids.size(), boxes.size(), displacements.size()));
    for (const ProxyId id : ids)
        if (!contains(id)) return {TreeStatus::StaleId};
    for (const Aabb& box : boxes)
        if (!detail::is_finite_box(detail::LoadedBox(box))) return {TreeStatus::NotFinite};
    for (const glm::vec3& displacement : displacements)
        if (!is_finite(displacement)) return {TreeStatus::NotFinite};
    const bool at_once = is_many(ids.size(), proxy_count_);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (at_once)
            set_box(ids[i].index, boxes[i]);
        else
            move_proxy(ids[i].index, boxes[i], nullptr);
    }
    if (at_once) {
        is_fitted_ = false;
        fit();
    }
    return {};
}

void WideTree::fit(TaskRunner& tasks) {
    if (is_fitted_ || root_ == kNone) return;
    Aabb bounds;
    std::vector<detail::WideFitted> parts = fit_jobs(tasks.concurrency());
    if (!parts.empty()) {
        tasks.run(parts.size(), [&](std::size_t i) {
            parts[i].cost =
                BV_WIDE_CALL(options_.simd, refit(view(), parts[i].node, nullptr, parts[i].bounds));
        });
        parts.push_back({kNone, {}, 0.0});
    }
    // The nodes above them: the same sum in the same order as without threads.
    cost_ = BV_WIDE_CALL(options_.simd, refit(view(), root_, parts.empty() ? nullptr : parts.data(), bounds));
    is_fitted_ = true;
}

// Subtrees to fit concurrently, from left to right; none where that is not worth a thread.
std::vector<detail::WideFitted> WideTree::fit_jobs(unsigned concurrency) const {
    constexpr std::uint32_t kFew = 4096;   // proxies; waking a thread costs more than to fit them
    constexpr std::size_t kPerThread = 8;  // evens out subtrees of different sizes
    std::vector<detail::WideFitted> jobs;
    if (concurrency < 2 || proxy_count_ < kFew) return jobs;
    jobs.push_back({root_, {}, 0.0});
    while (jobs.size() < kPerThread * concurrency && nodes_[jobs.front().node].level > 0) {
        std::vector<detail::WideFitted> below;
        for (const detail::WideFitted& job : jobs) {
            const WideTreeNode& n = nodes_[job.node];
            for (std::uint32_t i = 0; i < n.count; ++i)
                below.push_back({n.child[i], {}, 0.0});
        }
        jobs.swap(below);
    }
    return jobs;
}

UpdateStats WideTree::update(TaskRunner& tasks) {
    UpdateStats stats;
    if (being_visited() || root_ == kNone) return stats;
    fit(tasks);
    if (!(cost_ <= built_cost_ * double{options_.rebuild_growth})) {
        build_all();
        stats.rebuilt = proxy_count_;
    }
    return stats;
}

UpdateStats WideTree::update(Recording& trace) {
    const std::vector<Aabb> before = node_boxes();
    const UpdateStats stats = update();
    report_changes(stats.rebuilt > 0 ? std::vector<Aabb>{} : before, trace);
    return stats;
}

TreeStatus WideTree::rebuild() {
    if (being_visited()) return TreeStatus::Busy;
    build_all();
    return TreeStatus::Ok;
}

TreeStatus WideTree::rebuild(Recording& trace) {
    const TreeStatus status = rebuild();
    if (status == TreeStatus::Ok) report_changes({}, trace);
    return status;
}

std::vector<Aabb> WideTree::node_boxes() const {
    std::vector<Aabb> boxes;
    for (const WideTreeNode& n : nodes_)
        boxes.push_back(n.bounds());
    return boxes;
}

// Records a `NodeRefitted` for each node whose box has changed.
void WideTree::report_changes(const std::vector<Aabb>& before, Recording& trace) const {
    for (std::size_t i = nodes_.size(); i-- > 0;) {
        const Aabb old = i < before.size() ? before[i] : Aabb{};
        const Aabb now = nodes_[i].bounds();
        if (now != old)
            trace(NodeRefitted{NodeIndex{static_cast<std::uint32_t>(i)}, old, now, nodes_[i].level == 0});
    }
}

TreeStatus WideTree::insert_all(std::span<const Aabb> boxes, std::span<const std::uint64_t> user_data,
                                std::span<ProxyId> ids) {
    if (being_visited()) return TreeStatus::Busy;
    BV_ASSERT(user_data.size() == boxes.size() && (ids.empty() || ids.size() == boxes.size()));
    boxes = boxes.first(detail::common_length(boxes.size(), user_data.size(), ids.size()));
    for (const Aabb& box : boxes)
        if (!box.is_finite()) return TreeStatus::NotFinite;
    if (boxes.size() > kMaxWideProxies - proxy_count_) return TreeStatus::Full;
    const bool at_once = is_many(boxes.size(), proxy_count_);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const std::uint32_t proxy = allocate_proxy(boxes[i], user_data[i]);
        if (at_once)
            proxies_[proxy].place = 0;  // in use; the rebuild sets its place
        else
            insert_proxy(proxy, boxes[i], nullptr);
        if (!ids.empty()) ids[i] = id_of(proxy);
    }
    if (at_once) build_all();
    return TreeStatus::Ok;
}

TreeStatus WideTree::clear() {
    if (being_visited()) return TreeStatus::Busy;
    nodes_.clear();
    categories_.clear();
    node_categories_.clear();
    root_ = free_node_ = free_proxy_ = kNone;
    built_cost_ = cost_ = 0.0;
    for (std::size_t i = proxies_.size(); i-- > 0;) {
        if (proxies_[i].place != kNone) ++proxies_[i].generation;
        proxies_[i].place = kNone;
        user_data_[i] = free_proxy_;
        free_proxy_ = static_cast<std::uint32_t>(i);
    }
    proxy_count_ = 0;
    return TreeStatus::Ok;
}

// The categories of a node are the union of those below it.
std::uint32_t WideTree::categories_below(std::uint32_t node) const noexcept {
    const WideTreeNode& n = nodes_[node];
    const std::vector<std::uint32_t>& below = n.level == 0 ? categories_ : node_categories_;
    std::uint32_t bits = 0;
    for (std::uint32_t i = 0; i < n.count; ++i)
        bits |= below[n.child[i]];
    return bits;
}

void WideTree::fit_categories_upward(std::uint32_t node) noexcept {
    for (; node != kNone; node = nodes_[node].parent)
        node_categories_[node] = categories_below(node);
}

TreeStatus WideTree::set_categories(ProxyId id, Categories categories) {
    if (being_visited()) return TreeStatus::Busy;
    if (!contains(id)) return TreeStatus::StaleId;
    if (!has_categories()) {
        if (categories.bits == Categories{}.bits) return TreeStatus::Ok;
        categories_.assign(proxies_.size(), Categories{}.bits);
        node_categories_.assign(nodes_.size(), Categories{}.bits);
    }
    categories_[id.index] = categories.bits;
    fit_categories_upward(proxies_[id.index].place / 8);
    return TreeStatus::Ok;
}
Categories WideTree::categories(ProxyId id) const noexcept {
    if (!contains(id)) return {0};
    return has_categories() ? Categories{categories_[id.index]} : Categories{};
}

Aabb WideTree::tight_box(ProxyId id) const noexcept {
    return contains(id) ? Aabb{proxies_[id.index].min, proxies_[id.index].max} : Aabb{};
}
NodeIndex WideTree::leaf_node(ProxyId id) const noexcept {
    return contains(id) ? NodeIndex{proxies_[id.index].place / 8} : NodeIndex{};
}
Aabb WideTree::bounds() const noexcept {
    return root_ == kNone ? Aabb{} : nodes_[root_].bounds();
}
std::uint32_t WideTree::height() const noexcept {
    return root_ == kNone ? 0 : nodes_[root_].level;
}
std::size_t WideTree::memory_bytes() const noexcept {
    return nodes_.size() * sizeof(WideTreeNode) + proxies_.size() * sizeof(WideTreeProxy) +
           user_data_.size() * sizeof(std::uint64_t) +
           (categories_.size() + node_categories_.size()) * sizeof(std::uint32_t);
}

}  // namespace bv
