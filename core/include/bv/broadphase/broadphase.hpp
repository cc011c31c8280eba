// Broadphases: several engines behind one interface. All find the same pairs, so a program can switch between
// them and compare their costs.
//
// A pair is two proxies whose closed tight boxes overlap. Moves take effect with `update()`, as does all work
// that an engine does once per step. Each pair is reported once, smaller id first, in ascending order. Boxes
// must be finite; stale ids are rejected; so are changes by a visitor. An engine may use memory in proportion
// to its input and keeps it for the next step. Test: core/tests/broadphase/test_broadphase.cpp. Sources:
// [Ericson 2005, chapter 7], [Cohen 1995] for the incremental sweep.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/vec3.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bv/broadphase/layout.hpp"
#include "bv/function_ref.hpp"
#include "bv/ids.hpp"
#include "bv/shapes/aabb.hpp"
#include "bv/shapes/ray.hpp"
#include "bv/tasks.hpp"
#include "bv/trace/trace.hpp"
#include "bv/tree/dynamic_tree_types.hpp"
#include "bv/tree/pair_cache.hpp"
#include "bv/tree/query_stats.hpp"
#include "bv/tree/snapshot.hpp"
#include "bv/tree/tree_options.hpp"
#include "bv/tree/tree_status.hpp"
#include "bv/tree/visit.hpp"

namespace bv {

enum class BroadphaseKind : std::uint8_t {
    BruteForce,     ///< Tests every box against every other.
    SweepAndPrune,  ///< Sorts by lower bound on the axis of largest spread; tests each box against those that
                    ///< start before its end.
    IncrementalSweep,  ///< Keeps endpoints sorted on three axes; swaps of neighbors begin and end
                       ///< pairs.
    UniformGrid,       ///< Cells of equal size over the bounds of all boxes; if boxes fill very many cells,
                       ///< the large ones are kept apart.
    SpatialHash,       ///< Unbounded cells of equal size in a hash table; boxes over very many cells are kept
                       ///< apart.
    Bsp,               ///< Splits space by axis-aligned planes until few boxes are left on a side.
    DynamicTree,       ///< The binary tree with its strategies.
    WideTree,          ///< The eight-wide tree.
};

/// One row per engine, for lists and reports.
struct BroadphaseInfo {
    BroadphaseKind kind;
    std::string_view id;  ///< Stable, like "sweep-and-prune".
    std::string_view title;
    std::string_view label;  ///< Two or three words.
};
/// In the order of the enumeration.
inline constexpr std::array<BroadphaseInfo, 8> kBroadphaseKinds{{
    {BroadphaseKind::BruteForce, "brute-force", "Brute force", "Brute force"},
    {BroadphaseKind::SweepAndPrune, "sweep-and-prune", "Sweep and prune, one axis", "Sweep, one axis"},
    {BroadphaseKind::IncrementalSweep, "incremental-sweep", "Sweep and prune, incremental",
     "Sweep, incremental"},
    {BroadphaseKind::UniformGrid, "uniform-grid", "Uniform grid", "Uniform grid"},
    {BroadphaseKind::SpatialHash, "spatial-hash", "Spatial hash", "Spatial hash"},
    {BroadphaseKind::Bsp, "bsp", "BSP, axis-aligned planes", "BSP"},
    {BroadphaseKind::DynamicTree, "dynamic-tree", "Dynamic AABB tree", "Dynamic tree"},
    {BroadphaseKind::WideTree, "wide-tree", "Wide AABB tree", "Wide tree"},
}};
[[nodiscard]] std::span<const BroadphaseInfo> broadphase_kinds() noexcept;
/// The row of a kind. A value outside the enumeration gives the row of the wide tree, the engine that
/// `make_broadphase` creates for it.
[[nodiscard]] constexpr const BroadphaseInfo& broadphase_info(BroadphaseKind kind) noexcept {
    for (const BroadphaseInfo& info : kBroadphaseKinds)
        if (info.kind == kind) return info;
    return kBroadphaseKinds.back();
}

/// The cost of finding the pairs.
struct BroadphaseStats {
    std::uint64_t tests =
        0;  ///< Box-box tests, inner nodes included; for the incremental sweep since the last call.
    std::uint64_t pairs = 0;  ///< Found, including those not kept.
    bool complete = true;     ///< False if the search ended at `PairLimits::counted`.
    /// Bytes that a copy of the engine takes: the same after the same calls. Arrays that grew can have
    /// reserved up to twice as much.
    std::size_t memory_bytes = 0;
};

using ProxyPair = std::pair<ProxyId, ProxyId>;

/// Bounds the cost for input that a program cannot choose: n boxes in one place make O(n^2) pairs.
struct PairLimits {
    /// At least 1: 0 counts as 1. If there are more pairs, the first in sorted order are kept, the same ones
    /// by every engine, and the rest are only counted. Memory is proportional to this.
    std::size_t kept = static_cast<std::size_t>(-1);
    /// The search ends soon after this many pairs; which ones were found by then depends on the engine. With
    /// 0 there is no search.
    std::uint64_t counted = static_cast<std::uint64_t>(-1);
};

class Broadphase {
  public:
    Broadphase() = default;
    Broadphase& operator=(const Broadphase&) = delete;
    virtual ~Broadphase() = default;

    [[nodiscard]] virtual BroadphaseKind kind() const noexcept = 0;
    /// A deep copy: ids stay valid in it, and from then on it behaves exactly as the original would.
    [[nodiscard]] virtual std::unique_ptr<Broadphase> clone() const = 0;
    /// Threads for `move_all`, `update` and `find_pairs`, or null: pairs, their order, statistics and traces
    /// do not depend on them. A clone keeps them. They must outlive all use of the engine.
    void set_tasks(TaskRunner* tasks) noexcept { tasks_ = tasks; }

    InsertResult insert(const Aabb& box, std::uint64_t user_data);
    TreeStatus remove(ProxyId id);
    /// `displacement` is the expected motion of the box in the next step; only the dynamic tree uses it.
    MoveResult move(ProxyId id, const Aabb& box, const glm::vec3& displacement = glm::vec3(0.0f));
    /// Adds many at once. `ids` receives one id per box, or is empty. `user_data` has one number per box. If
    /// any box is rejected, none is added.
    TreeStatus insert_all(std::span<const Aabb> boxes, std::span<const std::uint64_t> user_data,
                          std::span<ProxyId> ids = {});
    /// Removes many at once. If any id is stale, none is removed; an id given twice is removed once.
    TreeStatus remove_all(std::span<const ProxyId> ids);
    /// Moves many at once, in this order. `displacements` has one per box, or is empty. If any id, box or
    /// displacement is rejected, none is moved.
    MoveResult move_all(std::span<const ProxyId> ids, std::span<const Aabb> boxes,
                        std::span<const glm::vec3> displacements = {});
    /// Removes everything. Every id becomes stale; memory is kept.
    TreeStatus clear();
    /// Call after the moves of a step. Like every change, it has no effect when a visitor calls it, which is
    /// a contract violation.
    void update();
    /// Replaces the contents of `out` with all pairs, or as many as the limits allow.
    BroadphaseStats find_pairs(std::vector<ProxyPair>& out, const PairLimits& limits = {});
    /// The same search as events: what began, persists and ended since the last call with this cache.
    /// Precondition: the cache is only used with this engine. Limits cut off events, too.
    BroadphaseStats find_pairs(PairCache& out, const PairLimits& limits = {});
    /// The same search with its steps: `SweepReached`, `EndsExchanged` and `CellFilled`, whose boxes are
    /// indices of proxies, and one `BoxesTested` per test. The trees and the BSP record nothing here.
    BroadphaseStats find_pairs(std::vector<ProxyPair>& out, const PairLimits& limits, Recording& trace);

    [[nodiscard]] bool contains(ProxyId id) const noexcept {
        return id.index < slots_.size() && slots_[id.index].used &&
               slots_[id.index].generation == id.generation;
    }
    [[nodiscard]] std::size_t size() const noexcept { return count_; }
    [[nodiscard]] Aabb box(ProxyId id) const noexcept;  ///< Tight; the empty box for a stale id.
    [[nodiscard]] std::optional<std::uint64_t> user_data(ProxyId id) const noexcept {
        if (!contains(id)) return std::nullopt;
        return user_data_[id.index];
    }

    /// Calls `visitor(ProxyId, std::uint64_t user_data, float t_enter) -> float` for proxies whose box the
    /// ray hits, as DynamicTree::raycast does: nearest subtrees first in engines that keep a tree, every box
    /// in the others. The visitor returns the new end of the ray, negative to stop. Call `update()` after
    /// moves first.
    template <class Visitor>
    QueryStats raycast(const Ray& ray, Visitor&& visitor) const {
        return visit_ray(ray, visitor, nullptr);
    }
    template <class Visitor>
    QueryStats raycast(const Ray& ray, Visitor&& visitor, Recording& trace) const {
        return visit_ray(ray, visitor, &trace);
    }
    /// The proxy whose box the ray enters first, ties by lower id; none if it hits none.
    [[nodiscard]] std::optional<ProxyRayHit> raycast_nearest(const Ray& ray) const;
    /// Calls `visitor(ProxyId, std::uint64_t user_data)` for each proxy whose box overlaps the closed `box`;
    /// it may return Visit. An empty or NaN box overlaps nothing. Engines that keep a tree descend it; the
    /// others test every box, O(n). Call `update()` after moves first.
    template <class Visitor>
    QueryStats query(const Aabb& box, Visitor&& visitor) const {
        auto call = [&](ProxyId id, std::uint64_t data) { return detail::visit(visitor, id, data); };
        return visit_boxes(box, call, nullptr);
    }
    template <class Visitor>
    QueryStats query(const Aabb& box, Visitor&& visitor, Recording& trace) const {
        auto call = [&](ProxyId id, std::uint64_t data) { return detail::visit(visitor, id, data); };
        return visit_boxes(box, call, &trace);
    }

    /// True if the engine keeps a tree of boxes between steps, and so has a snapshot.
    [[nodiscard]] virtual bool has_tree() const noexcept { return false; }
    /// A snapshot of the engine's tree; empty for engines without one.
    [[nodiscard]] virtual TreeSnapshot snapshot() const { return {}; }
    /// The engine's internal structure, for drawing: as of the last search for pairs, or in the incremental
    /// sweep as of the last update, without boxes removed since. O(n).
    [[nodiscard]] virtual BroadphaseLayout layout() const { return {}; }
    /// Takes effect from the dynamic tree's next operation on; other engines ignore it.
    virtual void set_tree_options(const TreeOptions& /*options*/) {}
    /// Rebuilds the engine's tree, if it keeps one. The wide tree has one builder of its own.
    virtual void rebuild(Builder /*builder*/) {}
    /// Describes the first broken invariant of the engine's tree; empty if all hold.
    [[nodiscard]] virtual std::optional<std::string> validate() const { return std::nullopt; }

  protected:
    using RayVisitor = FunctionRef<float(ProxyId, std::uint64_t, float)>;
    using BoxVisitor = FunctionRef<Visit(ProxyId, std::uint64_t)>;

    Broadphase(const Broadphase&) = default;  // for clone()

    struct IndexPair {
        std::uint32_t a, b;
        friend bool operator==(const IndexPair&, const IndexPair&) = default;
    };
    /// Collects pairs as an engine finds them, no more than the limits allow.
    class PairSink {
      public:
        PairSink(std::vector<IndexPair>& kept, const PairLimits& limits)
            : kept_(kept), limits_{std::max<std::size_t>(limits.kept, 1), limits.counted} {}

        void push_back(IndexPair pair) {
            ++count_;
            keep(in_order(pair));
        }
        /// Adds pairs of two indices `a` and `b`, found by a search that counted `count` pairs, kept or not.
        template <class Pair>
        void append(std::span<const Pair> pairs, std::uint64_t count) {
            count_ += count;
            if (is_cut_ || (kept_.size() + pairs.size()) / 2 >= limits_.kept) {
                for (const Pair& pair : pairs)
                    keep(in_order(pair));
                return;
            }
            kept_.resize(kept_.size() + pairs.size());
            std::transform(pairs.begin(), pairs.end(), kept_.end() - std::ssize(pairs), in_order<Pair>);
        }
        [[nodiscard]] const PairLimits& limits() const noexcept { return limits_; }
        /// If true, an engine may stop searching.
        [[nodiscard]] bool is_full() const noexcept { return count_ >= limits_.counted; }
        [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
        void finish() {
            if (kept_.size() > limits_.kept) cut();
        }

      private:
        template <class Pair>
        static IndexPair in_order(const Pair& pair) noexcept {
            return {std::min(pair.a, pair.b), std::max(pair.a, pair.b)};
        }
        static bool before(const IndexPair& x, const IndexPair& y) noexcept {
            return x.a < y.a || (x.a == y.a && x.b < y.b);
        }
        void keep(const IndexPair& pair) {
            if (is_cut_ && !before(pair, last_)) return;
            kept_.push_back(pair);
            if (kept_.size() / 2 >= limits_.kept) cut();
        }
        /// Keeps only the first pairs in sorted order; later ones can be skipped from then on.
        void cut();

        std::vector<IndexPair>& kept_;
        PairLimits limits_;
        std::uint64_t count_ = 0;
        IndexPair last_{};
        bool is_cut_ = false;
    };
    /// The slot of a proxy. Its position in `slots_` is the index of the proxy's id.
    struct Slot {
        std::uint32_t generation = 0;
        bool used = false;
    };
    /// Moves that have been checked: one box per id, and one displacement per id or none at all.
    struct Moves {
        std::span<const ProxyId> ids;
        std::span<const Aabb> boxes;
        std::span<const glm::vec3> displacements;
        bool ascend;  ///< The ids ascend, so none is given twice.
    };

    // Ids and user data are kept here, the boxes by the engine.
    virtual void on_insert(std::uint32_t index, const Aabb& box) = 0;
    virtual void on_remove(std::uint32_t index) = 0;
    /// By default, these two work one by one. Slots become free for the next insertion in the order of the
    /// removals.
    virtual void on_insert_all(std::span<const std::uint32_t> indices, std::span<const Aabb> boxes);
    virtual void on_remove_all(std::span<const std::uint32_t> indices);
    /// Removes all; the lowest slot is the first to be used again.
    virtual void on_clear(std::span<const std::uint32_t> used) { on_remove_all(used); }
    /// Returns whether a fat box had to change.
    virtual bool on_move(std::uint32_t index, const Aabb& box, const glm::vec3& displacement) = 0;
    /// By default, moves one by one.
    virtual bool on_move_all(const Moves& moves);
    virtual void on_update() = 0;
    /// The box last given for a proxy in use.
    [[nodiscard]] virtual Aabb box_of(std::uint32_t index) const noexcept = 0;
    /// Passes each pair to the sink once, in any order, until it is full; returns the number of tests.
    virtual std::uint64_t collect(PairSink& out) = 0;
    /// The same, recorded. By default nothing is.
    virtual std::uint64_t collect_traced(PairSink& out, Recording& /*trace*/) { return collect(out); }
    /// Calls `search(begin, end, sink)`, which returns the number of tests, for ranges of the parts 0 to
    /// `count` - 1, several at once. `search` must not use memory that concurrent calls share, and must end
    /// at a part where its sink is full. The pairs and the sum of tests are those of `search(0, count, out)`.
    std::uint64_t collect_parts(std::size_t count, PairSink& out,
                                FunctionRef<std::uint64_t(std::size_t, std::size_t, PairSink&)> search) const;
    /// Calls `part(begin, end)` for ranges that cover 0 to `count`, several at once if `proxies` is large
    /// enough to be worth it. Two parts must not write the same memory.
    void for_ranges(std::size_t count, std::size_t proxies,
                    FunctionRef<void(std::size_t, std::size_t)> part) const;
    [[nodiscard]] TaskRunner& tasks() const noexcept { return tasks_ ? *tasks_ : serial_tasks(); }
    /// Calls `set(index, box)` for each move, several at once if the ids ascend.
    template <class Set>
    void for_moves(const Moves& moves, const Set& set) const {
        const auto part = [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                set(moves.ids[i].index, moves.boxes[i]);
        };
        // If an id is given twice, its last box counts: that takes one thread.
        if (moves.ascend)
            for_ranges(moves.ids.size(), moves.ids.size(), part);
        else
            part(0, moves.ids.size());
    }
    [[nodiscard]] virtual std::size_t engine_bytes() const noexcept = 0;
    virtual QueryStats raycast_all(const Ray& ray, RayVisitor visitor, Recording* trace) const = 0;
    /// `box` is not empty.
    virtual QueryStats query_all(const Aabb& box, BoxVisitor visitor, Recording* trace) const = 0;

    [[nodiscard]] const std::vector<Slot>& slots() const noexcept { return slots_; }
    [[nodiscard]] ProxyId id_at(std::uint32_t index) const noexcept {
        return {index, slots_[index].generation};
    }
    [[nodiscard]] std::uint64_t user_data_at(std::uint32_t index) const noexcept { return user_data_[index]; }

  private:
    std::vector<Slot> slots_;
    std::vector<std::uint64_t> user_data_;  // apart, since ids are checked far more often, in any order
    std::vector<std::uint32_t> free_;
    std::size_t count_ = 0;
    TaskRunner* tasks_ = nullptr;
    [[nodiscard]] bool being_visited() const noexcept;
    std::uint32_t allocate(std::uint64_t user_data);
    void release(std::uint32_t index);
    QueryStats visit_ray(const Ray& ray, RayVisitor visitor, Recording* trace) const;
    QueryStats visit_boxes(const Aabb& box, BoxVisitor visitor, Recording* trace) const;
    /// The number of jobs that work on this many proxies is worth.
    [[nodiscard]] std::size_t worth_jobs(std::size_t proxies) const noexcept;
    void sort_found(std::vector<ProxyPair>& out);
    template <class Search>
    BroadphaseStats find(std::vector<ProxyPair>& out, const PairLimits& limits, const Search& search);

    std::vector<IndexPair> found_;
    std::vector<IndexPair> sorted_;  // scratch of sort_found
};

/// Creates an engine. `tree` configures the dynamic tree; other engines ignore it.
[[nodiscard]] std::unique_ptr<Broadphase> make_broadphase(BroadphaseKind kind, const TreeOptions& tree = {});

}  // namespace bv
