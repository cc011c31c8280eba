// Counters of a tree query. Every query of every tree returns them by value.
#pragma once

#include <cstdint>

namespace bv {

/// Counts of one query, or the sum over several. A wide node is one visited node and as many tested boxes as
/// it has children. Counts are modulo 2^32.
struct QueryStats {
    std::uint32_t nodes_visited = 0;  ///< Nodes whose children or payload were tested.
    std::uint32_t boxes_tested = 0;   ///< Bounding volumes tested against the query.
    std::uint32_t leaves_tested = 0;  ///< Primitives (or proxies) tested against the query.
    std::uint32_t hits = 0;           ///< Primitives (or proxies) that were reported.

    constexpr QueryStats& operator+=(const QueryStats& other) noexcept {
        nodes_visited += other.nodes_visited;
        boxes_tested += other.boxes_tested;
        leaves_tested += other.leaves_tested;
        hits += other.hits;
        return *this;
    }
    friend constexpr bool operator==(const QueryStats&, const QueryStats&) = default;
};

}  // namespace bv
