// The classic binary dynamic AABB tree, for boxes that are added, moved and removed, with its strategies as
// options.
//
// A proxy is a box with a number chosen by the caller. Its leaf holds a fat box, larger than the tight box by
// a margin, and is not touched until the tight box leaves the fat one or has become far too small for it.
// Queries report tight boxes, so results do not depend on options, margins or history; fat boxes only affect
// the cost. [Catto 2019, Bittner 2013]
//
// No input can overflow a traversal: its stack starts on the machine stack and continues on the heap. Boxes
// must be finite; others are rejected with a status. Stale ids are rejected. `const` functions are safe from
// several threads at once. Test: core/tests/tree/test_dynamic_tree.cpp, against brute force.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bv/function_ref.hpp"
#include "bv/ids.hpp"
#include "bv/shapes/aabb.hpp"
#include "bv/shapes/plane.hpp"
#include "bv/shapes/ray.hpp"
#include "bv/tasks.hpp"
#include "bv/trace/trace.hpp"
#include "bv/tree/dynamic_tree_types.hpp"
#include "bv/tree/query_stats.hpp"
#include "bv/tree/snapshot.hpp"
#include "bv/tree/tree_options.hpp"
#include "bv/tree/tree_storage.hpp"
#include "bv/tree/visit.hpp"

namespace bv {

class DynamicTree : private detail::TreeStorage {
  public:
    using Pair = std::pair<ProxyId, ProxyId>;

    DynamicTree() = default;
    explicit DynamicTree(const TreeOptions& options) : options_(options) {}
    DynamicTree(const DynamicTree&) = default;
    /// If this is called during a traversal of the tree, the tree keeps its contents: see TreeStatus::Busy.
    DynamicTree& operator=(const DynamicTree& other);
    /// A tree that is moved from is empty and keeps its options. Neither of the two has a log afterwards. A
    /// tree that is moved to itself does not change. Neither does one that is being traversed, as above.
    DynamicTree(DynamicTree&& other) noexcept;
    DynamicTree& operator=(DynamicTree&& other) noexcept;
    ~DynamicTree() = default;

    [[nodiscard]] const TreeOptions& options() const noexcept { return options_; }
    /// Takes effect with the next operation; existing nodes do not change. A negative or NaN margin or number
    /// of steps counts as 0; fat boxes are clamped to the largest float.
    void set_options(const TreeOptions& options) noexcept { options_ = options; }

    /// Adds a proxy. Rejects a box that is empty or not finite. Amortized O(log n) expected; allocates only
    /// to grow.
    InsertResult insert(const Aabb& box, std::uint64_t user_data);
    InsertResult insert(const Aabb& box, std::uint64_t user_data, Recording& trace);
    TreeStatus remove(ProxyId id);
    TreeStatus remove(ProxyId id, Recording& trace);
    /// Gives a proxy a new tight box. `displacement` is its expected motion until the next move; it only
    /// affects the fat box. Cheap (no structural change) while the new box stays inside a fat one that is not
    /// several margins too large for it.
    MoveResult move(ProxyId id, const Aabb& box, const glm::vec3& displacement = glm::vec3(0.0f));
    MoveResult move(ProxyId id, const Aabb& box, const glm::vec3& displacement, Recording& trace);
    /// Adds many at once: by a rebuild if they are at least a quarter of the tree's proxies, else one by one.
    /// `ids` receives one id per box, or is empty. `user_data` has one number per box. If any box is
    /// rejected, none is added.
    TreeStatus insert_all(std::span<const Aabb> boxes, std::span<const std::uint64_t> user_data,
                          std::span<ProxyId> ids = {});
    /// Moves many at once, in this order. `displacements` has one per box, or is empty. If any id, box or
    /// displacement is rejected, none is moved. The result says whether any fat box changed.
    MoveResult move_all(std::span<const ProxyId> ids, std::span<const Aabb> boxes,
                        std::span<const glm::vec3> displacements = {});
    /// Removes many at once. If any id is stale, none is removed; an id given twice is removed once.
    TreeStatus remove_all(std::span<const ProxyId> ids);
    /// Does the upkeep chosen in the options; call once after the moves of a step. Now and then it also sorts
    /// the nodes of a large tree in memory, depth first: the tree is the same, but node numbers change. Not
    /// while a log or a trace follows them.
    UpdateStats update();
    UpdateStats update(Recording& trace);
    /// Rebuilds the tree from its fat boxes, nodes in depth-first order. Ids stay valid, node numbers do not.
    /// The trace numbers nodes as during the build; splits come in the depth-first order of the nodes that
    /// they make. Agglomerative: per round one `NeighborFound` per cluster, in the order of the curve, then
    /// one `ClustersMerged` per pair.
    TreeStatus rebuild(Builder builder);
    TreeStatus rebuild(Builder builder, Recording& trace);
    /// With the builder of the options.
    TreeStatus rebuild() { return rebuild(options_.builder); }
    TreeStatus rebuild(Recording& trace) { return rebuild(options_.builder, trace); }
    /// Removes the `count` worst inner nodes and reinserts their children where they cost least, regardless
    /// of the insertion option. Returns the number of subtrees inserted. [Bittner 2013]
    std::uint32_t reinsert_worst(std::uint32_t count);
    /// Removes everything. Every id becomes stale; memory is kept.
    TreeStatus clear();

    /// A new proxy is in all categories. A proxy in none is found only by queries without categories.
    TreeStatus set_categories(ProxyId id, Categories categories);
    [[nodiscard]] Categories categories(ProxyId id) const noexcept;  ///< None for a stale id.

    /// Logs every change to `log` from now on; null stops logging. The log must outlive the tree or be
    /// detached. A copy of the tree has no log. Costs O(n) per operation.
    void set_log(OperationLog* log);
    /// Steps the tree back or forth along its log; false at the end of the log or without one. Does not
    /// change options.
    bool undo();
    bool redo();

    using TreeStorage::contains;  ///< `contains(id)`: false for a stale id.
    /// All ids: `proxy_at(i)` for i below `proxy_slots()`, invalid if the slot is free.
    using TreeStorage::proxy_at;
    using TreeStorage::proxy_slots;
    [[nodiscard]] std::size_t size() const noexcept { return proxy_count_; }
    [[nodiscard]] bool empty() const noexcept { return proxy_count_ == 0; }
    [[nodiscard]] Aabb fat_box(ProxyId id) const noexcept;    ///< Empty box for a stale id.
    [[nodiscard]] Aabb tight_box(ProxyId id) const noexcept;  ///< Empty box for a stale id.
    [[nodiscard]] std::optional<std::uint64_t> user_data(ProxyId id) const noexcept;
    [[nodiscard]] NodeIndex leaf_node(ProxyId id) const noexcept;  ///< Invalid for a stale id.
    [[nodiscard]] Aabb bounds() const noexcept;           ///< Bounds of all fat boxes; empty without any.
    [[nodiscard]] std::uint32_t height() const noexcept;  ///< Edges on the longest path.
    /// Bytes that a copy of the tree takes; arrays that grew can have reserved up to twice as much.
    [[nodiscard]] std::size_t memory_bytes() const noexcept;

    /// Calls `visitor(ProxyId, std::uint64_t user_data)` for each proxy whose tight box overlaps the closed
    /// `box`, in an unspecified but repeatable order. An empty or NaN box overlaps nothing.
    template <class Visitor>
    QueryStats query(const Aabb& box, Visitor&& visitor) const {
        auto call = [&](ProxyId id, std::uint64_t data) { return detail::visit(visitor, id, data); };
        return query_all(box, call);
    }
    template <class Visitor>
    QueryStats query(const Aabb& box, Visitor&& visitor, Recording& trace) const {
        auto call = [&](ProxyId id, std::uint64_t data) { return detail::visit(visitor, id, data); };
        return query_all(box, call, trace);
    }

    /// Calls `visitor(ProxyId, std::uint64_t user_data, float t_enter) -> float` for proxies whose tight box
    /// the ray hits, nearest subtrees first. The visitor returns the new end of the ray: `t_enter` or the t
    /// of an exact hit to keep only nearer ones, infinity to continue unchanged, a negative number to stop. A
    /// ray that is not finite hits nothing. Same results as bv::raycast(ray, tight box).
    template <class Visitor>
    QueryStats raycast(const Ray& ray, Visitor&& visitor) const {
        return raycast_all(ray, visitor);
    }
    template <class Visitor>
    QueryStats raycast(const Ray& ray, Visitor&& visitor, Recording& trace) const {
        return raycast_all(ray, visitor, trace);
    }

    /// The proxy whose tight box the ray enters first, ties by lower id; none if it hits none.
    [[nodiscard]] std::optional<ProxyRayHit> raycast_nearest(const Ray& ray) const;

    /// Calls `visitor(ProxyId a, ProxyId b)`, or `visitor(ProxyId a, std::uint64_t user_data_a, ProxyId b,
    /// std::uint64_t user_data_b)`, once for each pair of proxies whose tight boxes overlap; it may return
    /// Visit.
    template <class Visitor>
    QueryStats for_each_pair(Visitor&& visitor) const {
        auto call = [&](ProxyId a, ProxyId b) {
            return detail::visit_pair(visitor, a, user_data_by_proxy(), b, user_data_by_proxy());
        };
        return pairs_all(call);
    }
    template <class Visitor>
    QueryStats for_each_pair(Visitor&& visitor, Recording& trace) const {
        auto call = [&](ProxyId a, ProxyId b) {
            return detail::visit_pair(visitor, a, user_data_by_proxy(), b, user_data_by_proxy());
        };
        return pairs_all(call, trace);
    }
    /// Replaces the contents of `out` with all pairs, found by as many jobs as `tasks` runs concurrently. The
    /// order does not depend on their number.
    QueryStats collect_pairs(std::vector<Pair>& out, TaskRunner& tasks = serial_tasks()) const;
    /// The same pairs in the same order: calls `visitor(std::span<const Pair>)` once for each part of the
    /// tree, and more often for a part with very many pairs; it may return Visit. Needs memory for the pairs
    /// of one call only.
    template <class Visitor>
    QueryStats for_each_part(Visitor&& visitor) const {
        auto call = [&](std::span<const Pair> pairs) { return detail::visit(visitor, pairs); };
        return parts_all(call);
    }

    /// As `query`, for proxies with a category in common with `categories`: none if it has no bits. Subtrees
    /// without one are not entered. Queries without categories find all proxies.
    template <class Visitor>
    QueryStats query(const Aabb& box, Categories categories, Visitor&& visitor) const {
        auto call = [&](ProxyId id, std::uint64_t data) { return detail::visit(visitor, id, data); };
        auto test = [&box](const Aabb& b) { return detail::boxes_overlap(b, box); };
        return select_all(test, categories, call);
    }
    /// As `query`, for any volume with `bv::overlap(volume, Aabb)`, or any predicate `test(const Aabb&) ->
    /// bool` that is true for a box if it is true for any box inside it.
    template <class Test, class Visitor>
    QueryStats query_if(const Test& test, Visitor&& visitor,
                        std::optional<Categories> categories = {}) const {
        auto call = [&](ProxyId id, std::uint64_t data) { return detail::visit(visitor, id, data); };
        return select_all(test, categories, call);
    }
    template <class Volume, class Visitor>
    QueryStats query_volume(const Volume& volume, Visitor&& visitor,
                            std::optional<Categories> categories = {}) const {
        auto test = [&volume](const Aabb& b) { return overlap(volume, b); };
        return query_if(test, std::forward<Visitor>(visitor), categories);
    }
    /// Visits proxies that are not entirely behind one of the planes, whose front sides face into the
    /// frustum. Conservative: near its edges it may report a box that only intersects the planes' extensions.
    template <class Visitor>
    QueryStats query_frustum(std::span<const Plane> planes, Visitor&& visitor,
                             std::optional<Categories> categories = {}) const {
        auto test = [planes](const Aabb& b) { return detail::in_front_of_all(planes, b); };
        return query_if(test, std::forward<Visitor>(visitor), categories);
    }
    /// Visits proxies whose fat box overlaps `box`.
    template <class Visitor>
    QueryStats query_fat(const Aabb& box, Visitor&& visitor) const {
        auto call = [&](ProxyId id, std::uint64_t data) { return detail::visit(visitor, id, data); };
        return fat_all(box, call);
    }
    /// As `raycast`, for a box moved by `displacement`: t in [0, 1] is when it first touches the proxy's
    /// tight box. Same results as a ray from the box's center against the tight box grown by half the box's
    /// size, where center, half size and grown box are rounded to float.
    template <class Visitor>
    QueryStats cast_box(const Aabb& box, const glm::vec3& displacement, Visitor&& visitor) const {
        return cast_all(box, displacement, visitor);
    }
    /// Calls `visitor(ProxyId, std::uint64_t user_data, float distance_sq) -> float` for proxies no farther
    /// from `point` than the square root of `limit_sq`, nearest subtrees first; the visitor returns the new
    /// limit, negative to stop. Squares beyond the range of floats are passed as 0 or infinity; `k_nearest`
    /// tells them apart.
    template <class Visitor>
    QueryStats closest(const glm::vec3& point, float limit_sq, Visitor&& visitor) const {
        return closest_all(point, limit_sq, visitor);
    }
    /// Writes the nearest proxies to `out`, nearest first, ties by lower id, as many as fit. Returns their
    /// number. O(log k) for each proxy that it visits, k = out.size(); no allocation except for very deep
    /// trees.
    std::size_t k_nearest(const glm::vec3& point, std::span<Neighbor> out) const;
    /// As the other `for_each_pair`, for pairs of a proxy of this tree and one of another, in this order.
    template <class Visitor>
    QueryStats for_each_pair(const DynamicTree& other, Visitor&& visitor) const {
        auto call = [&](ProxyId a, ProxyId b) {
            return detail::visit_pair(visitor, a, user_data_by_proxy(), b, other.user_data_by_proxy());
        };
        return pairs_with(other, call);
    }

    /// Snapshot of the tree: boxes are fat boxes, payloads user data, payload boxes tight boxes. O(n).
    [[nodiscard]] TreeSnapshot snapshot() const;
    /// Describes the first broken invariant; empty if all hold. O(n).
    [[nodiscard]] std::optional<std::string> validate() const;

  private:
    friend class detail::DynamicTreeBroadphase;  // searches for pairs in parts
    struct Candidate {
        float inherited;
        std::uint32_t node;
    };

    QueryStats query_all(const Aabb& box, FunctionRef<Visit(ProxyId, std::uint64_t)> visitor) const;
    QueryStats query_all(const Aabb& box, FunctionRef<Visit(ProxyId, std::uint64_t)> visitor,
                         Recording& trace) const;
    QueryStats raycast_all(const Ray& ray, FunctionRef<float(ProxyId, std::uint64_t, float)> visitor) const;
    QueryStats raycast_all(const Ray& ray, FunctionRef<float(ProxyId, std::uint64_t, float)> visitor,
                           Recording& trace) const;
    QueryStats pairs_all(FunctionRef<Visit(ProxyId, ProxyId)> visitor) const;
    QueryStats pairs_all(FunctionRef<Visit(ProxyId, ProxyId)> visitor, Recording& trace) const;
    /// Parts of the tree that together have all pairs, in the order of `pairs_all`. They depend on the tree
    /// alone.
    [[nodiscard]] std::vector<detail::TreeNodePair> pair_parts(QueryStats& stats) const;
    QueryStats pairs_of_part(const detail::TreeNodePair& part,
                             FunctionRef<Visit(ProxyId, ProxyId)> visitor) const;
    QueryStats parts_all(FunctionRef<Visit(std::span<const Pair>)> visitor) const;

    QueryStats select_all(FunctionRef<bool(const Aabb&)> test, std::optional<Categories> categories,
                          FunctionRef<Visit(ProxyId, std::uint64_t)> visitor) const;
    QueryStats fat_all(const Aabb& box, FunctionRef<Visit(ProxyId, std::uint64_t)> visitor) const;
    QueryStats cast_all(const Aabb& box, const glm::vec3& displacement,
                        FunctionRef<float(ProxyId, std::uint64_t, float)> visitor) const;
    QueryStats closest_all(const glm::vec3& point, float limit_sq,
                           FunctionRef<float(ProxyId, std::uint64_t, float)> visitor) const;
    QueryStats pairs_with(const DynamicTree& other, FunctionRef<Visit(ProxyId, ProxyId)> visitor) const;

    template <class Sink>
    QueryStats query_impl(const Aabb& box, FunctionRef<Visit(ProxyId, std::uint64_t)> visitor,
                          Sink& sink) const;
    template <class Sink>
    QueryStats raycast_impl(const Ray& ray, const glm::vec3& half,
                            FunctionRef<float(ProxyId, std::uint64_t, float)> visitor, Sink& sink) const;
    template <class Sink>
    QueryStats pairs_impl(const detail::TreeNodePair& start, FunctionRef<Visit(ProxyId, ProxyId)> visitor,
                          Sink& sink) const;

    template <class Sink>
    InsertResult insert_impl(const Aabb& box, std::uint64_t user_data, Sink& sink);
    template <class Sink>
    TreeStatus remove_impl(ProxyId id, Sink& sink);
    template <class Sink>
    void remove_proxy(std::uint32_t proxy, Sink& sink);
    template <class Sink>
    MoveResult move_impl(ProxyId id, const Aabb& box, const glm::vec3& displacement, Sink& sink);
    /// Returns whether the fat box changed.
    template <class Sink>
    bool move_proxy(std::uint32_t proxy, const Aabb& box, const glm::vec3& displacement, Sink& sink);

    template <class Sink>
    UpdateStats update_impl(Sink& sink);
    template <class Sink>
    TreeStatus rebuild_impl(Builder builder, Sink& sink);
    template <class Sink>
    std::uint32_t rebuild_moved(Sink& sink);
    template <class Sink>
    std::uint32_t reinsert_impl(std::uint32_t count, Sink& sink);
    /// Builds a tree of free nodes over `items`, whose refs are nodes; returns its root, which has no parent.
    template <class Sink>
    std::uint32_t build_subtree(std::span<detail::BuildItem> items, Builder builder, Sink& sink);
    template <class Sink>
    std::uint32_t build_agglomerative(std::span<detail::BuildItem> items, Sink& sink);

    [[nodiscard]] detail::UserDataOf user_data_by_proxy() const noexcept { return {proxies_.data()}; }
    [[nodiscard]] bool being_visited() const noexcept;
    [[nodiscard]] Aabb fatten(const Aabb& box, const glm::vec3& displacement) const noexcept;

    template <class Sink>
    void report_placed(std::uint32_t leaf, NodeIndex sibling, NodeIndex parent, Sink& sink) const;
    template <class Sink>
    void link_leaf(std::uint32_t leaf, Operation operation, std::uint32_t proxy, Sink& sink);
    void log(Operation operation, std::uint32_t node, std::uint32_t proxy);
    bool step_log(bool forward);

    template <class Sink>
    std::uint32_t find_sibling(const Aabb& box, Sink& sink);
    template <class Sink>
    std::uint32_t find_manhattan(const Aabb& box, Sink& sink) const;
    template <class Sink>
    std::uint32_t find_greedy(const Aabb& box, Sink& sink) const;
    template <class Sink>
    std::uint32_t find_branch_and_bound(const Aabb& box, Sink& sink);
    /// Descends from a place for the box to the lowest one that costs no more.
    template <class Sink>
    [[nodiscard]] std::uint32_t lowest_tie(std::uint32_t node, const Aabb& box, Sink& sink) const;

    /// A swap of subtrees near a node, numbered as in the trace; -1 if none lowers the area. Each member is
    /// returned in a register of its own: packed into one, they would go through memory and stall.
    struct Swap {
        std::int64_t kind = -1;
        float gain = 0.0f;  ///< In half areas.
    };
    [[nodiscard]] Swap best_swap(std::uint32_t node) const noexcept;
    template <class Sink>
    void balance_upward(std::uint32_t node, Sink& sink);
    /// Returns the child that may be out of balance now, or null if the node was balanced.
    template <class Sink>
    std::uint32_t rotate_for_height(std::uint32_t node, Sink& sink);
    template <class Sink>
    void rotate_for_area(std::uint32_t node, Sink& sink);

    TreeOptions options_;
    std::uint32_t updates_ = 0;
    std::uint32_t linked_ = 0;  ///< Leaves linked since the nodes were sorted in memory.
    detail::Unshared<OperationLog> log_;
    std::vector<Candidate> heap_;  // scratch of find_branch_and_bound
};

}  // namespace bv
