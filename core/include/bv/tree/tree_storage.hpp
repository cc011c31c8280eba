// The storage of a dynamic tree: nodes linked both ways, proxies with checked ids, and the lists of free
// ones. Keeps boxes, heights and categories of nodes consistent with those of their children; strategies,
// margins and queries are up to DynamicTree. Test: core/tests/tree/test_dynamic_tree.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bv/ids.hpp"
#include "bv/large_vector.hpp"
#include "bv/tree/dynamic_tree_types.hpp"

namespace bv::detail {

/// Memory only grows; a free list reuses freed slots, last in, first out.
class TreeStorage {
  public:
    [[nodiscard]] bool contains(ProxyId id) const noexcept {
        return id.index < places_.size() && places_[id.index].generation == id.generation &&
               !places_[id.index].is_free();
    }
    [[nodiscard]] std::size_t proxy_slots() const noexcept { return proxies_.size(); }
    [[nodiscard]] ProxyId proxy_at(std::uint32_t slot) const noexcept {
        return slot < places_.size() && !places_[slot].is_free() ? id_of(slot) : ProxyId{};
    }

  protected:
    static constexpr std::uint32_t kNull = 0xffffffffu;
    static constexpr std::uint32_t kMaxProxies = 1u << 30;

    using Node = TreeNode;
    using Proxy = TreeProxy;
    using Place = TreePlace;

    [[nodiscard]] ProxyId id_of(std::uint32_t proxy) const noexcept {
        return {proxy, places_[proxy].generation};
    }
    void swap(TreeStorage& other) noexcept;
    std::uint32_t allocate_node();
    void free_node(std::uint32_t node) noexcept;
    std::uint32_t allocate_proxy();

    /// Detaches a subtree and returns the node at which balancing starts.
    template <class Sink>
    std::uint32_t detach(std::uint32_t subtree, Sink& sink) noexcept(!Sink::kEnabled);
    /// Swaps two subtrees, neither within the other. The caller updates the boxes above.
    void swap_subtrees(std::uint32_t a, std::uint32_t b) noexcept;
    /// Forgets that no swap pays at `node` and its parent, because a child of `node` changed.
    void unsettle(std::uint32_t node) noexcept;
    /// Marks for a partial rebuild that a leaf below was refitted.
    void mark_moved(std::uint32_t node) noexcept;
    static void fit_to_children(Node& n, const Node& a, const Node& b) noexcept;
    /// Refits from `node` to the root, or to the first node that needs no change.
    void refit_upward(std::uint32_t node) noexcept;
    template <class Sink>
    void refit_upward(std::uint32_t node, Sink& sink) noexcept(!Sink::kEnabled);
    void fix_heights(std::uint32_t node) noexcept;
    /// Reorders nodes in memory so that each comes before its descendants and next to its first child.
    void renumber_depth_first();

    LargeVector<Node> nodes_;
    LargeVector<Proxy> proxies_;
    LargeVector<Place> places_;  ///< One for each proxy.
    std::uint32_t root_ = kNull;
    std::uint32_t free_node_ = kNull;
    std::uint32_t free_proxy_ = kNull;
    std::uint32_t proxy_count_ = 0;
};

}  // namespace bv::detail
