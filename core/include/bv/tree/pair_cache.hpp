// Tracks pairs from step to step: which began, which persist, which ended. For either dynamic tree, or for
// lists of pairs from anywhere, like those of a Broadphase.
//
// With a tree it keeps all pairs of overlapping fat boxes. Only a proxy whose fat box changed needs a new
// query, which margins make rare; every step then only compares the tight boxes of the kept pairs. The wide
// tree has no margins: if many of its boxes changed, all pairs are found at once. Test:
// core/tests/tree/test_tree_operations.cpp, against brute force.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bv/ids.hpp"
#include "bv/shapes/aabb.hpp"
#include "bv/tree/query_stats.hpp"

namespace bv {

class DynamicTree;
class WideTree;

class PairCache {
  public:
    using Pair = std::pair<ProxyId, ProxyId>;  ///< The smaller id first.

    PairCache() = default;
    PairCache(const PairCache&) = default;
    PairCache& operator=(const PairCache&) = default;
    /// A cache that is moved from is empty; one that is moved to itself does not change.
    PairCache(PairCache&& other) noexcept { swap(other); }
    PairCache& operator=(PairCache&& other) noexcept {
        PairCache taken(std::move(other));
        swap(taken);
        return *this;
    }
    ~PairCache() = default;

    /// Updates the cache. Precondition: always the same tree. O(n + pairs), plus a query for each proxy that
    /// moved.
    QueryStats update(const DynamicTree& tree);
    QueryStats update(const WideTree& tree);
    /// Takes the pairs of this step, in ascending order, each once and with the smaller id first. O(pairs).
    /// Precondition: this cache has no tree.
    void update(std::span<const Pair> pairs);
    /// Empties the cache: at the next update all pairs begin again.
    void clear();

    /// Pairs whose tight boxes overlap now, in ascending order of their indices. The other three lists are
    /// sorted likewise.
    [[nodiscard]] std::span<const Pair> touching() const noexcept { return touching_; }
    /// Pairs that overlap now but did not at the previous update.
    [[nodiscard]] std::span<const Pair> began() const noexcept { return began_; }
    /// Pairs that overlap now and did at the previous update.
    [[nodiscard]] std::span<const Pair> persisted() const noexcept { return persisted_; }
    /// Pairs that overlapped at the previous update but do not now. A removed proxy ends its pairs.
    [[nodiscard]] std::span<const Pair> ended() const noexcept { return ended_; }
    /// The number of proxies queried in the last update.
    [[nodiscard]] std::size_t queried() const noexcept { return queried_; }

  private:
    struct ProxyState {
        Aabb fat;
        std::uint32_t generation = 0;
        bool used = false;
        bool changed = false;
    };

    template <class Tree>
    QueryStats update_from(const Tree& tree);
    /// Appends the pairs of fat boxes with a changed proxy to `fresh_`, in any order.
    template <class Tree>
    QueryStats find_fresh(const Tree& tree);
    /// Compares the pairs of this step with those of the previous one.
    void compare();
    void swap(PairCache& other) noexcept;

    std::vector<ProxyState> states_;
    std::vector<Pair> kept_;  ///< Pairs of fat boxes.
    std::vector<Pair> touching_, before_, began_, persisted_, ended_, fresh_;
    std::size_t queried_ = 0;
};

}  // namespace bv
