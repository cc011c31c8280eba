// Builds whole trees and parts of trees, and does the upkeep that uses it.
#include <algorithm>
#include <limits>

#include "bv/assert.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/operation_log.hpp"
#include "tree/box_math.hpp"
#include "tree/dynamic/build_split.hpp"
#include "tree/same_length.hpp"

namespace bv {

using detail::BuildItem;
using detail::half_area;

namespace {

// A range of items still to be split, and its node.
struct BuildTask {
    std::size_t begin;
    std::size_t end;
    std::uint32_t node;
};

}  // namespace

template <class Sink>
std::uint32_t DynamicTree::build_subtree(std::span<BuildItem> items, Builder builder, Sink& sink) {
    if (items.size() == 1) {
        nodes_[items[0].ref].parent = kNull;
        return items[0].ref;
    }
    detail::SplitScratch scratch;
    if (builder == Builder::Morton || builder == Builder::Agglomerative) sort_by_morton(items, scratch.items);
    if (builder == Builder::Agglomerative) return build_agglomerative(items, sink);
    std::vector<std::uint32_t> inner;
    inner.reserve(items.size());
    std::vector<BuildTask> open;
    const std::uint32_t root = allocate_node();
    open.push_back({0, items.size(), root});
    while (!open.empty()) {
        const BuildTask task = open.back();
        open.pop_back();
        inner.push_back(task.node);
        const std::span<BuildItem> range = items.subspan(task.begin, task.end - task.begin);
        const std::size_t middle = task.begin + detail::split(range, builder, task.node, scratch, sink);
        const std::size_t bounds[3] = {task.begin, middle, task.end};
        for (int side = 1; side >= 0; --side) {
            const std::size_t begin = bounds[side];
            const std::size_t end = bounds[side + 1];
            std::uint32_t child = items[begin].ref;
            if (end - begin > 1) {
                child = allocate_node();
                open.push_back({begin, end, child});
            }
            nodes_[task.node].child[side] = child;
            nodes_[child].parent = task.node;
        }
    }
    // Parents were made before their children, so going backward every child is ready.
    for (std::size_t i = inner.size(); i-- > 0;) {
        Node& n = nodes_[inner[i]];
        const Node& a = nodes_[n.child[0]];
        const Node& b = nodes_[n.child[1]];
        fit_to_children(n, a, b);
        n.moved = std::max(a.moved, b.moved);
    }
    nodes_[root].parent = kNull;
    return root;
}

template <class Sink>
std::uint32_t DynamicTree::build_agglomerative(std::span<BuildItem> items, Sink& sink) {
    // Clusters in Morton order; each searches a few positions left and right for the one with which it has
    // the smallest union, and two that chose each other merge. The closest pair always does, so every round
    // makes progress. On ties a cluster prefers its even-odd neighbor: in a row of equal boxes all then merge
    // in pairs, where "the first one" would merge one pair per round.
    constexpr std::size_t kReach = 14;
    constexpr float kLargest = std::numeric_limits<float>::max();
    std::vector<std::uint32_t> clusters;
    for (const BuildItem& i : items)
        clusters.push_back(i.ref);
    std::vector<std::size_t> nearest;
    while (clusters.size() > 1) {
        const std::size_t count = clusters.size();
        // Boxes beyond the float range compare as equal.
        const auto joint_area = [&](std::size_t i, std::size_t j) {
            return std::min(kLargest, half_area(merge(nodes_[clusters[i]].box, nodes_[clusters[j]].box)));
        };
        nearest.assign(count, 0);
        std::vector<float> best(count, std::numeric_limits<float>::infinity());
        for (std::size_t i = 0; i + 1 < count; i += 2) {
            best[i] = best[i + 1] = joint_area(i, i + 1);
            nearest[i] = i + 1;
            nearest[i + 1] = i;
        }
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t j = i + 1; j < std::min(count, i + 1 + kReach); ++j) {
                // Otherwise the lower index wins a tie, on both sides of a pair.
                const float area = joint_area(i, j);
                if (area < best[i]) {
                    best[i] = area;
                    nearest[i] = j;
                }
                if (area < best[j]) {
                    best[j] = area;
                    nearest[j] = i;
                }
            }
        if constexpr (Sink::kEnabled)
            for (std::size_t i = 0; i < count; ++i)
                sink(NeighborFound{NodeIndex{clusters[i]}, NodeIndex{clusters[nearest[i]]},
                                   static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(nearest[i]),
                                   nodes_[clusters[i]].box, nodes_[clusters[nearest[i]]].box,
                                   nearest[nearest[i]] == i});
        std::size_t kept = 0;
        [[maybe_unused]] std::size_t left = count;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t other = nearest[i];
            const bool mutual = nearest[other] == i;
            if (mutual && other < i) continue;  // merged when the other one was processed
            std::uint32_t cluster = clusters[i];
            if (mutual) {
                const std::uint32_t parent = allocate_node();
                Node& n = nodes_[parent];
                n.child[0] = cluster;
                n.child[1] = clusters[other];
                Node& a = nodes_[n.child[0]];
                Node& b = nodes_[n.child[1]];
                a.parent = b.parent = parent;
                fit_to_children(n, a, b);
                n.moved = std::max(a.moved, b.moved);
                cluster = parent;
                if constexpr (Sink::kEnabled)
                    sink(ClustersMerged{NodeIndex{n.child[0]}, NodeIndex{n.child[1]}, NodeIndex{parent},
                                        n.box, static_cast<std::uint32_t>(--left)});
            }
            clusters[kept++] = cluster;
        }
        clusters.resize(kept);
    }
    nodes_[clusters[0]].parent = kNull;
    return clusters[0];
}

template <class Sink>
TreeStatus DynamicTree::rebuild_impl(Builder builder, Sink& sink) {
    if (being_visited()) return TreeStatus::Busy;
    if (proxy_count_ == 0) return TreeStatus::Ok;
    // Leaves in order of proxies: the result depends on the boxes, not on the old tree.
    detail::LargeVector<BuildItem> items;
    items.reserve(proxy_count_);
    detail::LargeVector<Node> leaves;
    leaves.reserve(proxy_count_);
    for (std::uint32_t p = 0; p < proxies_.size(); ++p) {
        if (places_[p].is_free()) continue;
        Node leaf;
        leaf.box = nodes_[places_[p].node].box;
        leaf.categories = nodes_[places_[p].node].categories;
        leaf.child[1] = p;
        const auto index = static_cast<std::uint32_t>(leaves.size());
        leaves.push_back(leaf);
        items.push_back({leaf.box, index, 0});
        places_[p].node = index;
    }
    nodes_ = std::move(leaves);
    nodes_.reserve(2 * static_cast<std::size_t>(proxy_count_));
    free_node_ = kNull;
    root_ = build_subtree(items, builder, sink);
    renumber_depth_first();
    linked_ = 0;
    log(Operation::Rebuild, root_, kNull);
    return TreeStatus::Ok;
}

template <class Sink>
std::uint32_t DynamicTree::rebuild_moved(Sink& sink) {
    if (root_ == kNull || !nodes_[root_].moved) return 0;
    detail::LargeVector<BuildItem> items;
    std::vector<std::uint32_t> open{root_};
    while (!open.empty()) {
        const std::uint32_t i = open.back();
        open.pop_back();
        Node& n = nodes_[i];
        if (n.moved && !n.is_leaf()) {
            open.push_back(n.child[1]);
            open.push_back(n.child[0]);
            free_node(i);
            continue;
        }
        n.moved = 0;
        items.push_back({n.box, i, 0});
    }
    root_ = build_subtree(items, options_.builder, sink);
    log(Operation::Rebuild, root_, kNull);
    return static_cast<std::uint32_t>(items.size());
}

template <class Sink>
std::uint32_t DynamicTree::reinsert_impl(std::uint32_t count, Sink& sink) {
    // Worst first: a large node with children, or one child, much smaller than itself [Bittner 2013, section
    // 4].
    struct Worst {
        float badness;
        std::uint32_t node;
    };
    std::vector<Worst> worst;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
        const Node& n = nodes_[i];
        if (n.is_leaf() || n.parent == kNull) continue;
        const float area = half_area(n.box);
        const float a = half_area(nodes_[n.child[0]].box);
        const float b = half_area(nodes_[n.child[1]].box);
        const float least = std::max(std::min(a, b), 1e-6f * area);
        const float mean = std::max(0.5f * (a + b), 1e-6f * area);
        if (!(area > 0.0f) || !(least > 0.0f)) continue;
        const float badness = area * (area / least) * (area / mean);
        worst.push_back(
            {badness < std::numeric_limits<float>::max() ? badness : std::numeric_limits<float>::max(), i});
    }
    const auto order = [](const Worst& a, const Worst& b) {
        return a.badness > b.badness || (a.badness == b.badness && a.node < b.node);
    };
    const std::size_t chosen = std::min<std::size_t>(count, worst.size());
    std::partial_sort(worst.begin(), worst.begin() + static_cast<std::ptrdiff_t>(chosen), worst.end(), order);
    const Insertion insertion = options_.insertion;
    options_.insertion = Insertion::BranchAndBoundSah;
    std::uint32_t inserted = 0;
    for (std::size_t k = 0; k < chosen; ++k) {
        const std::uint32_t node = worst[k].node;
        // An earlier one of this batch may have freed this node, reused it or made it the root.
        if (nodes_[node].is_leaf() || nodes_[node].parent == kNull || root_ == node) continue;
        if (nodes_[nodes_[node].parent].child[0] != node && nodes_[nodes_[node].parent].child[1] != node)
            continue;
        // As in a move, all changes until the second child is reinserted are one operation.
        OperationLog* const saved_log = log_.pointer;
        log_.pointer = nullptr;
        balance_upward(detach(node, sink), sink);
        std::uint32_t first = nodes_[node].child[0];
        std::uint32_t second = nodes_[node].child[1];
        free_node(node);
        if (half_area(nodes_[first].box) < half_area(nodes_[second].box)) std::swap(first, second);
        nodes_[first].parent = nodes_[second].parent = kNull;
        link_leaf(first, Operation::Reinsert, kNull, sink);
        log_.pointer = saved_log;
        link_leaf(second, Operation::Reinsert, kNull, sink);
        inserted += 2;
    }
    options_.insertion = insertion;
    return inserted;
}

template <class Sink>
UpdateStats DynamicTree::update_impl(Sink& sink) {
    UpdateStats stats;
    if (being_visited() || root_ == kNull) return stats;
    ++updates_;
    switch (options_.upkeep) {
        case Upkeep::None:
        case Upkeep::RefitOnly:
            break;
        case Upkeep::PartialRebuild:
            stats.rebuilt = rebuild_moved(sink);
            break;
        case Upkeep::PeriodicRebuild:
            if (updates_ % std::max(1u, options_.rebuild_period) != 0) break;
            rebuild_impl(options_.builder, sink);
            stats.rebuilt = proxy_count_;
            break;
        case Upkeep::Reinsertion:
            stats.reinserted = reinsert_impl(options_.reinsertions, sink);
            break;
    }
    // Searches through nodes that lie in memory as they were linked wait for the cache; sorting them costs a
    // small part of one search for pairs.
    constexpr std::uint32_t kSmallest = 2048;
    if (!Sink::kEnabled && log_.pointer == nullptr && proxy_count_ >= kSmallest &&
        linked_ >= proxy_count_ / 2) {
        renumber_depth_first();
        linked_ = 0;
    }
    return stats;
}

UpdateStats DynamicTree::update() {
    NoTrace sink;
    return update_impl(sink);
}
UpdateStats DynamicTree::update(Recording& trace) {
    return update_impl(trace);
}
TreeStatus DynamicTree::rebuild(Builder builder) {
    NoTrace sink;
    return rebuild_impl(builder, sink);
}
TreeStatus DynamicTree::rebuild(Builder builder, Recording& trace) {
    return rebuild_impl(builder, trace);
}
std::uint32_t DynamicTree::reinsert_worst(std::uint32_t count) {
    NoTrace sink;
    return being_visited() ? 0 : reinsert_impl(count, sink);
}

TreeStatus DynamicTree::insert_all(std::span<const Aabb> boxes, std::span<const std::uint64_t> user_data,
                                   std::span<ProxyId> ids) {
    if (being_visited()) return TreeStatus::Busy;
    BV_ASSERT(user_data.size() == boxes.size() && (ids.empty() || ids.size() == boxes.size()));
    boxes = boxes.first(detail::common_length(boxes.size(), user_data.size(), ids.size()));
    for (const Aabb& box : boxes)
        if (!box.is_finite()) return TreeStatus::NotFinite;
    if (boxes.size() > kMaxProxies - proxy_count_) return TreeStatus::Full;
    const bool at_once = boxes.size() > 1 && 4 * boxes.size() >= proxy_count_;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        ProxyId id;
        if (at_once) {
            // The leaf is outside the tree until the rebuild includes it.
            const std::uint32_t proxy = allocate_proxy();
            const std::uint32_t leaf = allocate_node();
            nodes_[leaf].child[1] = proxy;
            nodes_[leaf].categories = Categories{}.bits;
            nodes_[leaf].box = fatten(boxes[i], glm::vec3(0.0f));
            proxies_[proxy] = {boxes[i], user_data[i]};
            places_[proxy].node = leaf;
            id = id_of(proxy);
        } else {
            id = insert(boxes[i], user_data[i]).id;
        }
        if (!ids.empty()) ids[i] = id;
    }
    return at_once ? rebuild(options_.builder) : TreeStatus::Ok;
}

}  // namespace bv
