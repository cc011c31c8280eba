// The fast tree: nodes of eight, tested eight at a time, with tight instead of fat boxes.
//
// An R-tree of nodes with up to eight entries. The boxes of a node are stored as a structure of arrays, so
// that one AVX2 instruction compares all eight; other processors run a scalar twin with the same results. A
// leaf block holds the tight boxes of up to eight proxies themselves, so a hit in a block is final. Moves are
// batched: `move` only writes the new box, and `update` copies all of them into the blocks in tree order and
// shrinks every box above, which costs about as much as the moves themselves. When the boxes above have grown
// too large, `update` rebuilds the tree, which is cheap enough to do every few steps. [Guttman 1984, Wald
// 2008]
//
// Height: all blocks have the same depth. Only a full node splits, into halves of at least four, so after n
// insertions the height is at most log4(n) + 1, and after a rebuild log8(n) rounded up. Traversal stacks grow
// on the heap in any case. Boxes must be finite, stale ids are rejected, `const` functions are safe from
// several threads at once. Test: core/tests/tree/test_wide_tree.cpp, against brute force and against the
// scalar twin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bv/function_ref.hpp"
#include "bv/ids.hpp"
#include "bv/query/batch.hpp"
#include "bv/shapes/aabb.hpp"
#include "bv/shapes/not_finite.hpp"
#include "bv/shapes/ray.hpp"
#include "bv/tasks.hpp"
#include "bv/trace/trace.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/query_stats.hpp"
#include "bv/tree/snapshot.hpp"
#include "bv/tree/visit.hpp"

namespace bv {

namespace detail {

/// One node: eight boxes as a structure of arrays. Unused entries hold the empty box, which nothing overlaps.
struct alignas(64) WideTreeNode {
    static constexpr std::uint32_t kNone = 0xffffffffu;
    float min[3][8];
    float max[3][8];
    std::uint32_t child[8];  ///< Nodes; proxies in a block (level 0).
    std::uint32_t parent;
    std::uint32_t count;
    std::uint32_t level;
    std::uint32_t unused;

    WideTreeNode() noexcept;
    [[nodiscard]] Aabb box(std::uint32_t slot) const noexcept {
        return {{min[0][slot], min[1][slot], min[2][slot]}, {max[0][slot], max[1][slot], max[2][slot]}};
    }
    void set_box(std::uint32_t slot, const Aabb& box) noexcept {
        for (int k = 0; k < 3; ++k) {
            min[k][slot] = box.min[k];
            max[k][slot] = box.max[k];
        }
    }
    [[nodiscard]] Aabb bounds() const noexcept;
};

/// One proxy, the size of eight floats, so that a block is filled by a transposition. A free proxy has place
/// == kNone and the next free one in its user data.
struct WideTreeProxy {
    glm::vec3 min;
    std::uint32_t place;  ///< node * 8 + entry
    glm::vec3 max;
    std::uint32_t generation;
};

/// The sort record of a build: a center and the index of its box.
struct WideTreeItem {
    float center[3];
    std::uint32_t proxy;
};

struct WideTreeView;
struct WideTreeNodePair;
struct WideTreeProxyPair;
class WideTreeBroadphase;

}  // namespace detail

struct WideTreeOptions {
    /// `update` rebuilds when the total area of all nodes exceeds this multiple of its value after the last
    /// build. Values below 1 count as 1.
    float rebuild_growth = 1.3f;
    /// The instruction set; for tests, lower than the processor's.
    Simd simd = best_simd();
};

class WideTree {
  public:
    using Pair = std::pair<ProxyId, ProxyId>;

    WideTree() : WideTree(WideTreeOptions{}) {}
    explicit WideTree(const WideTreeOptions& options) : options_(options) {
        options_.rebuild_growth = detail::in_range(options.rebuild_growth, 1.0f, 1e30f, 1.3f);
    }

    /// Adds a proxy; queries find it at once. Rejects a box that is empty or not finite.
    InsertResult insert(const Aabb& box, std::uint64_t user_data);
    /// Adds many at once and rebuilds. `ids` receives one id per box, or is empty. If any box is rejected,
    /// none is added.
    TreeStatus insert_all(std::span<const Aabb> boxes, std::span<const std::uint64_t> user_data,
                          std::span<ProxyId> ids = {});
    TreeStatus remove(ProxyId id);
    /// Gives a proxy a new box, which queries see after the next `update()`. O(1).
    MoveResult move(ProxyId id, const Aabb& box) noexcept;
    /// Refits the tree to all moves. O(n). Reports the part that was rebuilt, if any.
    UpdateStats update();
    TreeStatus rebuild();
    TreeStatus clear();

    [[nodiscard]] bool contains(ProxyId id) const noexcept {
        return id.index < proxies_.size() && proxies_[id.index].generation == id.generation &&
               proxies_[id.index].place != kNone;
    }
    [[nodiscard]] std::size_t size() const noexcept { return proxy_count_; }
    [[nodiscard]] bool empty() const noexcept { return proxy_count_ == 0; }
    [[nodiscard]] Aabb box(ProxyId id) const noexcept;  ///< The latest box; the empty box for a stale id.
    [[nodiscard]] std::optional<std::uint64_t> user_data(ProxyId id) const noexcept;
    [[nodiscard]] Aabb bounds() const noexcept;
    /// What a copy of the tree takes; arrays that grew can have reserved up to twice as much.
    [[nodiscard]] std::size_t memory_bytes() const noexcept;

    /// Calls `visitor(ProxyId, std::uint64_t user_data)` for each box that overlaps the closed `box`; may
    /// return Visit.
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
    /// As DynamicTree::raycast: `visitor(ProxyId, std::uint64_t user_data, float t_enter) -> float`, the new
    /// end of the ray, negative to stop.
    template <class Visitor>
    QueryStats raycast(const Ray& ray, Visitor&& visitor) const {
        return raycast_all(ray, visitor, nullptr);
    }
    template <class Visitor>
    QueryStats raycast(const Ray& ray, Visitor&& visitor, Recording& trace) const {
        return raycast_all(ray, visitor, &trace);
    }
    /// Calls `visitor(ProxyId, ProxyId)` once for each pair of overlapping boxes; may return Visit.
    template <class Visitor>
    QueryStats for_each_pair(Visitor&& visitor) const {
        auto call = [&](ProxyId a, ProxyId b) { return detail::visit(visitor, a, b); };
        return pairs_all(call);
    }
    /// Replaces the contents of `out` with all pairs, found by as many jobs as `tasks` runs concurrently. The
    /// order does not depend on their number.
    QueryStats collect_pairs(std::vector<Pair>& out, TaskRunner& tasks = serial_tasks()) const;
    /// The same pairs in the same order: calls `visitor(std::span<const Pair>)` once for each part of the
    /// tree; it may return Visit. Needs memory for the pairs of one part only.
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
    QueryStats raycast_all(const Ray& ray, FunctionRef<float(ProxyId, std::uint64_t, float)> visitor,
                           Recording* trace) const;
    [[nodiscard]] std::vector<detail::WideTreeNodePair> pair_jobs(QueryStats& stats) const;
    QueryStats parts_all(FunctionRef<Visit(std::span<const Pair>)> visitor) const;
    /// The pairs of some of `pair_jobs`; calls the visitor once for each job.
    QueryStats index_parts(std::span<const detail::WideTreeNodePair> jobs,
                           FunctionRef<Visit(std::span<const detail::WideTreeProxyPair>)> visitor) const;
    /// As parts_all, without looking up generations.
    QueryStats index_parts_all(FunctionRef<Visit(std::span<const detail::WideTreeProxyPair>)> visitor) const;
    /// As move, for an id and a box that have been checked.
    void set_box(std::uint32_t proxy, const Aabb& box) noexcept {
        proxies_[proxy].min = box.min;
        proxies_[proxy].max = box.max;
    }
    QueryStats pairs_all(FunctionRef<Visit(ProxyId, ProxyId)> visitor) const;

    [[nodiscard]] bool being_visited() const noexcept;
    [[nodiscard]] detail::WideTreeView view() const noexcept;
    [[nodiscard]] ProxyId id_of(std::uint32_t proxy) const noexcept {
        return {proxy, proxies_[proxy].generation};
    }
    std::uint32_t allocate_node(std::uint32_t level);
    void free_node(std::uint32_t node) noexcept;
    std::uint32_t allocate_proxy(const Aabb& box, std::uint64_t user_data);
    void insert_proxy(std::uint32_t proxy);
    void place_entry(std::uint32_t node, std::uint32_t slot, std::uint32_t child, const Aabb& box) noexcept;
    void link_entries(std::uint32_t node) noexcept;
    void remove_entry(std::uint32_t node, std::uint32_t slot) noexcept;
    std::uint32_t build(std::span<detail::WideTreeItem> items, std::span<detail::WideTreeItem> scratch,
                        std::uint32_t level);
    void build_all();

    WideTreeOptions options_;
    std::vector<detail::WideTreeNode> nodes_;
    std::vector<detail::WideTreeProxy> proxies_;
    std::vector<std::uint64_t> user_data_;
    std::uint32_t root_ = kNone;
    std::uint32_t free_node_ = kNone;
    std::uint32_t free_proxy_ = kNone;
    std::uint32_t proxy_count_ = 0;
    double built_cost_ = 0.0;
};

}  // namespace bv
