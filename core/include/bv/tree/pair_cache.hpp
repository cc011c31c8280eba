// Tracks the pairs of a dynamic tree from step to step: which began, which persist, which ended.
//
// Caches all pairs of overlapping fat boxes. Only a proxy whose fat box changed needs a new query, which
// margins make rare; every step then only compares the tight boxes of the cached pairs.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bv/ids.hpp"
#include "bv/shapes/aabb.hpp"
#include "bv/tree/dynamic_tree.hpp"

namespace bv {

class PairCache {
  public:
    using Pair = std::pair<ProxyId, ProxyId>;  ///< The smaller id first.

    /// Updates the cache. Precondition: always the same tree. O(n + pairs), plus a query for each proxy that
    /// moved.
    QueryStats update(const DynamicTree& tree);
    /// Empties the cache: at the next update all pairs begin again.
    void clear();

    /// Pairs whose tight boxes overlap now, in ascending order of their indices.
    [[nodiscard]] std::span<const Pair> touching() const noexcept { return touching_; }
    /// Pairs that overlap now but did not at the previous update, and the reverse. A removed proxy ends its
    /// pairs.
    [[nodiscard]] std::span<const Pair> began() const noexcept { return began_; }
    [[nodiscard]] std::span<const Pair> ended() const noexcept { return ended_; }
    /// The number of proxies queried in the last update.
    [[nodiscard]] std::size_t queried() const noexcept { return queried_; }

  private:
    struct Kept {
        Pair pair;
        bool touching;
    };
    struct ProxyState {
        Aabb fat;
        std::uint32_t generation = 0;
        bool used = false;
        bool changed = false;
    };

    std::vector<ProxyState> states_;
    std::vector<Kept> kept_;
    std::vector<Pair> touching_, began_, ended_, fresh_;
    std::size_t queried_ = 0;
};

}  // namespace bv
