// The fast tree: nodes of eight, tested eight at a time, with tight instead of fat boxes. Its interface is
// that of DynamicTree without the strategies: the same names, the same results, the same moments at which
// changes take effect.
//
// An R-tree of nodes with up to eight entries. The boxes of a node are stored as a structure of arrays, so
// that one AVX2 instruction compares all eight; other processors run a scalar twin with the same results. A
// leaf block holds the tight boxes of up to eight proxies themselves, so a hit in a block is final. A single
// `move` grows the boxes above its block. `move_all` of many writes all boxes into the blocks in tree order
// and fits every box above, which costs about as much as the moves themselves; so does `update` after other
// changes. When the boxes above have grown too large, `update` rebuilds the tree, which is cheap enough to do
// every few steps. [Guttman 1984, Wald 2008]
//
// Height: all blocks have the same depth. Only a full node splits, into halves of at least four, so after n
// insertions the height is at most log4(n) + 1, and after a rebuild log8(n) rounded up. Traversal stacks grow
// on the heap in any case. Boxes must be finite, stale ids are rejected, `const` functions are safe from
// several threads at once. Test: core/tests/tree/test_both_trees.cpp, against brute force, and
// core/tests/tree/test_wide_tree.cpp, against the scalar twin.
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
#include "bv/large_vector.hpp"
#include "bv/shapes/aabb.hpp"
#include "bv/shapes/plane.hpp"
#include "bv/shapes/ray.hpp"
#include "bv/tasks.hpp"
#include "bv/trace/trace.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/query_stats.hpp"
#include "bv/tree/snapshot.hpp"
#include "bv/tree/visit.hpp"
#include "bv/tree/wide_tree_types.hpp"

namespace bv {

class WideTree {
  public:
    using Pair = std::pair<ProxyId, ProxyId>;

    WideTree() : WideTree(WideTreeOptions{}) {}
    explicit WideTree(const WideTreeOptions& options) { set_options(options); }
    WideTree(const WideTree&) = default;
    /// If this is called during a traversal of the tree, the tree keeps its contents: see TreeStatus::Busy.
    WideTree& operator=(const WideTree& other);
    /// A tree that is moved from is empty and keeps its options. A tree that is moved to itself does not
    /// change. Neither does one that is being traversed, as above.
    WideTree(WideTree&& other) noexcept;
    WideTree& operator=(WideTree&& other) noexcept;
    ~WideTree() = default;

    [[nodiscard]] const WideTreeOptions& options() const noexcept { return options_; }
    /// Takes effect with the next operation. A growth that is NaN counts as the default.
    void set_options(const WideTreeOptions& options) noexcept;

    /// Adds a proxy. Rejects a box that is empty or not finite. Allocates only to grow. The trace has the
    /// path from the root, then as `LeafPlaced` the block and each node that a division added.
    InsertResult insert(const Aabb& box, std::uint64_t user_data);
    InsertResult insert(const Aabb& box, std::uint64_t user_data, Recording& trace);
    /// Boxes above shrink with the next update. The trace has a `LeafDetached` for each node that became
    /// empty, or for the block that lost an entry.
    TreeStatus remove(ProxyId id);
    TreeStatus remove(ProxyId id, Recording& trace);
    /// Gives a proxy a new box and grows the boxes above it. The displacement must be finite and has no other
    /// effect.
    MoveResult move(ProxyId id, const Aabb& box, const glm::vec3& displacement = glm::vec3(0.0f));
    MoveResult move(ProxyId id, const Aabb& box, const glm::vec3& displacement, Recording& trace);

    /// Adds many at once: by a rebuild if they are at least a quarter of the tree's proxies, else one by one.
    /// `ids` receives one id per box, or is empty. `user_data` has one number per box. If any box is
    /// rejected, none is added.
    TreeStatus insert_all(std::span<const Aabb> boxes, std::span<const std::uint64_t> user_data,
                          std::span<ProxyId> ids = {});
    /// Moves many at once: by one pass over the tree if they are at least a quarter of its proxies, else one
    /// by one. `displacements` has one per box, or is empty. If any id, box or displacement is rejected, none
    /// is moved. If an id is given twice, its last box counts.
    MoveResult move_all(std::span<const ProxyId> ids, std::span<const Aabb> boxes,
                        std::span<const glm::vec3> displacements = {});
    /// Removes many at once. If any id is stale, none is removed; an id given twice is removed once.
    TreeStatus remove_all(std::span<const ProxyId> ids);

    /// Fits all boxes, or rebuilds the tree if they have grown too large; call once after the moves of a
    /// step. O(n). Reports the part that was rebuilt, if any. The trace has a `NodeRefitted` for each node
    /// whose box changed, or after a rebuild for each node. A large tree is fitted by as many jobs as `tasks`
    /// runs concurrently; the result does not depend on their number.
    UpdateStats update(TaskRunner& tasks = serial_tasks());
    UpdateStats update(Recording& trace);
    TreeStatus rebuild();
    TreeStatus rebuild(Recording& trace);
    /// Removes everything. Every id becomes stale; memory is kept.
    TreeStatus clear();

    /// A new proxy is in all categories. A proxy in none is found only by queries without categories. The
    /// tree stores no categories as long as every proxy is in all, and after that 4 bytes per proxy and node.
    TreeStatus set_categories(ProxyId id, Categories categories);
    [[nodiscard]] Categories categories(ProxyId id) const noexcept;  ///< None for a stale id.

    [[nodiscard]] bool contains(ProxyId id) const noexcept {
        return id.index < proxies_.size() && proxies_[id.index].generation == id.generation &&
               proxies_[id.index].place != kNone;
    }
    /// All ids: `proxy_at(i)` for i below `proxy_slots()`, invalid if the slot is free.
    [[nodiscard]] std::size_t proxy_slots() const noexcept { return proxies_.size(); }
    [[nodiscard]] ProxyId proxy_at(std::uint32_t slot) const noexcept {
        return slot < proxies_.size() && proxies_[slot].place != kNone ? id_of(slot) : ProxyId{};
    }
    [[nodiscard]] std::size_t size() const noexcept { return proxy_count_; }
    [[nodiscard]] bool empty() const noexcept { return proxy_count_ == 0; }
    [[nodiscard]] Aabb tight_box(ProxyId id) const noexcept;  ///< Empty box for a stale id.
    /// The same as `tight_box`: there are no margins.
    [[nodiscard]] Aabb fat_box(ProxyId id) const noexcept { return tight_box(id); }
    [[nodiscard]] std::optional<std::uint64_t> user_data(ProxyId id) const noexcept {
        if (!contains(id)) return std::nullopt;
        return user_data_[id.index];
    }
    /// The block that holds the proxy, with up to seven others; invalid for a stale id.
    [[nodiscard]] NodeIndex leaf_node(ProxyId id) const noexcept;
    [[nodiscard]] Aabb bounds() const noexcept;  ///< Bounds of the root's entries; empty without any.
    [[nodiscard]] std::uint32_t height() const noexcept;  ///< Edges from the root to the blocks.
    /// Bytes that a copy of the tree takes; arrays that grew can have reserved up to twice as much.
    [[nodiscard]] std::size_t memory_bytes() const noexcept;

    /// Calls `visitor(ProxyId, std::uint64_t user_data)` for each proxy whose box overlaps the closed `box`,
    /// in an unspecified but repeatable order. An empty or NaN box overlaps nothing.
    template <class Visitor>
    QueryStats query(const Aabb& box, Visitor&& visitor) const {
        auto call = [&](ProxyId id, std::uint64_t data) { return detail::visit(visitor, id, data); };
        return query_all(box, call, nullptr);
    }
    template <class Visitor>
    QueryStats query(const Aabb& box, Visitor&& visitor, Recording& trace) const {
        auto call = [&](ProxyId id, std::uint64_t data) { return detail::visit(visitor, id, data); };
        return query_all(box, call, &trace);
    }
    /// As `query`, for proxies with a category in common with `categories`: none if it has no bits. Subtrees
    /// without one are not entered. Queries without categories find all proxies.
    template <class Visitor>
    QueryStats query(const Aabb& box, Categories categories, Visitor&& visitor) const {
        auto call = [&](ProxyId id, std::uint64_t data) { return detail::visit(visitor, id, data); };
        return query_in(box, categories, call);
    }
    /// As `query`, for any volume with `bv::overlap(volume, Aabb)`, or any predicate `test(const Aabb&) ->
    /// bool` that is true for a box if it is true for any box inside it.
    template <class Test, class Visitor>
    QueryStats query_if(const Test& test, Visitor&& visitor,
                        std::optional<Categories> categories = {}) const {
        auto call = [&](ProxyId id, std::uint64_t data) { return detail::visit(visitor, id, data); };
        // One indirect call per node.
        auto passing = [&test](const detail::WideTreeNode& node, unsigned candidates) {
            unsigned passed = 0;
            for (unsigned i = 0; i < node.count; ++i)
                if (((candidates >> i) & 1u) != 0 && test(node.box(i))) passed |= 1u << i;
            return passed;
        };
        return select_all(passing, categories, call);
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
    /// The same as `query`: there are no margins.
    template <class Visitor>
    QueryStats query_fat(const Aabb& box, Visitor&& visitor) const {
        return query(box, std::forward<Visitor>(visitor));
    }

    /// Calls `visitor(ProxyId, std::uint64_t user_data, float t_enter) -> float` for proxies whose box the
    /// ray hits, nearest subtrees first. The visitor returns the new end of the ray: `t_enter` or the t of an
    /// exact hit to keep only nearer ones, infinity to continue unchanged, a negative number to stop. A ray
    /// that is not finite hits nothing. Same results as bv::raycast(ray, box).
    template <class Visitor>
    QueryStats raycast(const Ray& ray, Visitor&& visitor) const {
        return raycast_all(ray, visitor, nullptr);
    }
    template <class Visitor>
    QueryStats raycast(const Ray& ray, Visitor&& visitor, Recording& trace) const {
        return raycast_all(ray, visitor, &trace);
    }
    /// The proxy whose box the ray enters first, ties by lower id; none if it hits none.
    [[nodiscard]] std::optional<ProxyRayHit> raycast_nearest(const Ray& ray) const;
    /// As `raycast`, for a box moved by `displacement`: t in [0, 1] is when it first touches the proxy's box.
    /// Same results as a ray from the box's center against the proxy's box grown by half the box's size,
    /// where center, half size and grown box are rounded to float.
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

    /// Calls `visitor(ProxyId a, ProxyId b)`, or `visitor(ProxyId a, std::uint64_t user_data_a, ProxyId b,
    /// std::uint64_t user_data_b)`, once for each pair of proxies whose boxes overlap; it may return Visit.
    template <class Visitor>
    QueryStats for_each_pair(Visitor&& visitor) const {
        auto call = [&](ProxyId a, ProxyId b) {
            return detail::visit_pair(visitor, a, user_data_.data(), b, user_data_.data());
        };
        return pairs_all(call, nullptr);
    }
    template <class Visitor>
    QueryStats for_each_pair(Visitor&& visitor, Recording& trace) const {
        auto call = [&](ProxyId a, ProxyId b) {
            return detail::visit_pair(visitor, a, user_data_.data(), b, user_data_.data());
        };
        return pairs_all(call, &trace);
    }
    /// The same for pairs of a proxy of this tree and one of another, in this order.
    template <class Visitor>
    QueryStats for_each_pair(const WideTree& other, Visitor&& visitor) const {
        auto call = [&](ProxyId a, ProxyId b) {
            return detail::visit_pair(visitor, a, user_data_.data(), b, other.user_data_.data());
        };
        return pairs_with(other, call);
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

    /// Snapshot of the tree; leaves are blocks with up to eight payloads.
    [[nodiscard]] TreeSnapshot snapshot() const;
    /// Describes the first broken invariant; empty if all hold. O(n).
    [[nodiscard]] std::optional<std::string> validate() const;

  private:
    friend class detail::WideTreeBroadphase;  // checks boxes and keeps generations itself
    static constexpr std::uint32_t kNone = 0xffffffffu;

    QueryStats query_all(const Aabb& box, FunctionRef<Visit(ProxyId, std::uint64_t)> visitor,
                         Recording* trace) const;
    QueryStats query_in(const Aabb& box, Categories categories,
                        FunctionRef<Visit(ProxyId, std::uint64_t)> visitor) const;
    /// `test` returns which of the entries in its mask pass.
    QueryStats select_all(FunctionRef<unsigned(const detail::WideTreeNode&, unsigned)> test,
                          std::optional<Categories> categories,
                          FunctionRef<Visit(ProxyId, std::uint64_t)> visitor) const;
    QueryStats raycast_all(const Ray& ray, FunctionRef<float(ProxyId, std::uint64_t, float)> visitor,
                           Recording* trace) const;
    QueryStats cast_all(const Aabb& box, const glm::vec3& displacement,
                        FunctionRef<float(ProxyId, std::uint64_t, float)> visitor) const;
    QueryStats closest_all(const glm::vec3& point, float limit_sq,
                           FunctionRef<float(ProxyId, std::uint64_t, float)> visitor) const;
    [[nodiscard]] std::vector<detail::WideTreeNodePair> pair_jobs(QueryStats& stats) const;
    QueryStats parts_all(FunctionRef<Visit(std::span<const Pair>)> visitor) const;
    /// The pairs of some of `pair_jobs`; calls the visitor as for_each_part does, with what that call cost.
    void index_parts(
        std::span<const detail::WideTreeNodePair> jobs,
        FunctionRef<Visit(std::span<const detail::WideTreeProxyPair>, const QueryStats&)> visitor) const;
    /// As move, for an id and a box that have been checked; queries see it after the next `update`, which
    /// looks for it unless `is_fitted_`.
    void set_box(std::uint32_t proxy, const Aabb& box) noexcept {
        proxies_[proxy].min = box.min;
        proxies_[proxy].max = box.max;
    }
    QueryStats pairs_all(FunctionRef<Visit(ProxyId, ProxyId)> visitor, Recording* trace) const;
    QueryStats pairs_with(const WideTree& other, FunctionRef<Visit(ProxyId, ProxyId)> visitor) const;

    /// Swaps all but the options.
    void swap(WideTree& other) noexcept;
    [[nodiscard]] bool being_visited() const noexcept;
    [[nodiscard]] detail::WideTreeView view() const noexcept;
    [[nodiscard]] ProxyId id_of(std::uint32_t proxy) const noexcept {
        return {proxy, proxies_[proxy].generation};
    }
    std::uint32_t allocate_node(std::uint32_t level);
    void free_node(std::uint32_t node) noexcept;
    std::uint32_t allocate_proxy(const Aabb& box, std::uint64_t user_data);
    InsertResult insert_with(const Aabb& box, std::uint64_t user_data, Recording* trace);
    void insert_proxy(std::uint32_t proxy, const Aabb& box, Recording* trace);
    void place_entry(std::uint32_t node, std::uint32_t slot, std::uint32_t child, const Aabb& box) noexcept;
    void link_entries(std::uint32_t node) noexcept;
    TreeStatus remove_with(ProxyId id, Recording* trace);
    void remove_proxy(std::uint32_t proxy, Recording* trace);
    void remove_entry(std::uint32_t node, std::uint32_t slot, Recording* trace);
    MoveResult move_with(ProxyId id, const Aabb& box, const glm::vec3& displacement, Recording* trace);
    void move_proxy(std::uint32_t proxy, const Aabb& box, Recording* trace);
    [[nodiscard]] std::uint32_t slot_in(std::uint32_t parent, std::uint32_t node) const noexcept;
    /// Fits all boxes to those of the proxies.
    void fit(TaskRunner& tasks = serial_tasks());
    [[nodiscard]] std::vector<detail::WideFitted> fit_jobs(unsigned concurrency) const;
    [[nodiscard]] std::vector<Aabb> node_boxes() const;
    void report_changes(const std::vector<Aabb>& before, Recording& trace) const;
    std::uint32_t build(std::span<detail::WideTreeItem> items, std::span<detail::WideTreeItem> scratch,
                        std::uint32_t level);
    void build_all();

    [[nodiscard]] bool has_categories() const noexcept { return !categories_.empty(); }
    [[nodiscard]] std::uint32_t categories_below(std::uint32_t node) const noexcept;
    /// The entries of a node that have one of these categories below them; all if none are asked for.
    [[nodiscard]] unsigned entries_in(const detail::WideTreeNode& node,
                                      std::optional<Categories> categories) const noexcept;
    void fit_categories_upward(std::uint32_t node) noexcept;

    WideTreeOptions options_;
    detail::LargeVector<detail::WideTreeNode> nodes_;
    detail::LargeVector<detail::WideTreeProxy> proxies_;
    detail::LargeVector<std::uint64_t> user_data_;
    std::vector<std::uint32_t> categories_;       ///< Per proxy; empty while all are in all.
    std::vector<std::uint32_t> node_categories_;  ///< Per node, the union of all below; empty likewise.
    std::uint32_t root_ = kNone;
    std::uint32_t free_node_ = kNone;
    std::uint32_t free_proxy_ = kNone;
    std::uint32_t proxy_count_ = 0;
    bool is_fitted_ = false;  ///< Nothing changed since all boxes were fitted.
    double cost_ = 0.0;       ///< Sum of the nodes' half areas when they were last fitted.
    double built_cost_ = 0.0;
};

}  // namespace bv
