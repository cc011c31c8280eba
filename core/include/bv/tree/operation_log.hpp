// The log of a dynamic tree's operations, for stepping the tree back and forth.
//
// Every entry is the difference that one operation made to the tree's arrays, so undoing is exact: the same
// nodes in the same places, bit for bit. After each entry the tree is valid. A move or re-insertion is one
// entry together with the rotations after its removal; rotations after the insertion are entries of their
// own. Bounded: the oldest entries are dropped first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "bv/ids.hpp"
#include "bv/tree/dynamic_tree.hpp"

namespace bv {

enum class Operation : std::uint8_t { Insert, Remove, Move, Refit, Rotate, Rebuild, Reinsert, Clear };

class OperationLog {
  public:
    struct Entry {
        Operation operation{};
        /// The leaf, or the node that was rotated, re-inserted or made the root; invalid for Clear.
        NodeIndex node;
        std::uint32_t proxy = ProxyId::kInvalid;  ///< The proxy's index, if there is one.
        double area_before =
            0;  ///< Surface area of all inner nodes except the root: the cost that SAH strategies minimize.
        double area_after = 0;
        std::vector<std::uint32_t> nodes;  ///< All changed nodes.
    };

    explicit OperationLog(std::size_t capacity = 4096) : capacity_(capacity > 0 ? capacity : 1) {}
    /// Neither copied nor moved: a tree refers to its log.
    OperationLog(const OperationLog&) = delete;
    OperationLog& operator=(const OperationLog&) = delete;

    [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
    [[nodiscard]] const Entry& operator[](std::size_t i) const noexcept { return entries_[i].entry; }
    /// The number of entries applied; later ones have been undone and can be redone.
    [[nodiscard]] std::size_t position() const noexcept { return position_; }
    /// Entries that were dropped at the front because the log was full.
    [[nodiscard]] std::size_t dropped() const noexcept { return dropped_; }

  private:
    friend class DynamicTree;

    struct Scalars {
        std::size_t node_count = 0, proxy_count = 0;
        std::uint32_t root = 0, free_node = 0, free_proxy = 0, used = 0, updates = 0;
    };
    template <class T>
    struct Change {
        std::uint32_t index;
        T before;
        T after;
    };
    struct Step {
        Entry entry;
        Scalars before, after;
        std::vector<Change<detail::TreeNode>> nodes;
        std::vector<Change<detail::TreeProxy>> proxies;
        std::vector<Change<detail::TreePlace>> places;
    };

    std::deque<Step> entries_;
    std::size_t capacity_;
    std::size_t position_ = 0;
    std::size_t dropped_ = 0;
    // The tree after the last entry.
    detail::LargeVector<detail::TreeNode> nodes_;
    detail::LargeVector<detail::TreeProxy> proxies_;
    detail::LargeVector<detail::TreePlace> places_;
    Scalars scalars_;
    double area_ = 0;
};

}  // namespace bv
