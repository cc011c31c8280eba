// One ray through a wide tree. The walk exists once; a kernel tests a node's eight boxes and a block's four
// triangles, in plain C++ here or with AVX2 in src/simd. Children that are met go on a stack with the nearest
// on top.
//
// BV_WIDE_TARGET is what the including file puts before functions that may use its instruction set.
#pragma once

#include <bit>
#include <cstdint>

#include "bv/tree/mesh_bvh_wide.hpp"
#include "tree/mesh_ray.hpp"

namespace bv::detail {

struct WideView {
    const WideNode* nodes;
    const TriangleBlock* blocks;
    /// Room for 7 entries per level and one more.
    std::uint64_t* stack;
};

struct WideResult {
    MeshHit best;
    QueryStats stats;
};

/// Distance in the upper half: as integers, entries sort by distance. Distances are not negative.
[[nodiscard]] constexpr std::uint64_t wide_entry(float t, std::uint32_t child) noexcept {
    return (static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(t)) << 32) | child;
}

/// Asks for the memory of a child that will be needed soon.
BV_WIDE_TARGET inline void prefetch(const WideView& tree, std::uint32_t child) noexcept {
    const bool leaf = (child & WideNode::kLeaf) != 0;
    const char* at = leaf ? reinterpret_cast<const char*>(&tree.blocks[(child & ~WideNode::kLeaf) >> 6])
                          : reinterpret_cast<const char*>(&tree.nodes[child]);
    __builtin_prefetch(at);
    __builtin_prefetch(at + 64);
    __builtin_prefetch(at + 128);
}

/// Leaves the nearest child that was met in `next`, the others on the stack in order.
BV_WIDE_TARGET inline std::uint64_t* push_children(const WideView& tree, const WideNode& node, std::uint32_t mask, const float* t,
                                                   std::uint64_t* top, std::uint32_t& next) noexcept {
    std::uint32_t i = static_cast<std::uint32_t>(std::countr_zero(mask));
    mask &= mask - 1;
    if (mask == 0) {
        next = node.child[i];
        return top;
    }
    prefetch(tree, node.child[i]);
    const std::uint64_t first = wide_entry(t[i], node.child[i]);
    i = static_cast<std::uint32_t>(std::countr_zero(mask));
    mask &= mask - 1;
    prefetch(tree, node.child[i]);
    const std::uint64_t b = wide_entry(t[i], node.child[i]);
    std::uint64_t nearest = first < b ? first : b;
    std::uint64_t* const bottom = top;
    *top++ = first < b ? b : first;
    while (mask != 0) {
        i = static_cast<std::uint32_t>(std::countr_zero(mask));
        mask &= mask - 1;
        prefetch(tree, node.child[i]);
        const std::uint64_t given = wide_entry(t[i], node.child[i]);
        const std::uint64_t e = given < nearest ? nearest : given;
        nearest = given < nearest ? given : nearest;
        std::uint64_t* at = top++;
        for (; at > bottom && at[-1] < e; --at)
            *at = at[-1];
        *at = e;
    }
    next = static_cast<std::uint32_t>(nearest);
    return top;
}

/// Takes the nearest entry that is not behind the best hit off the stack. False if there is none.
BV_WIDE_TARGET inline bool pop_child(const WideView& tree, std::uint64_t*& top, float limit,
                                     std::uint32_t& next) noexcept {
    while (top != tree.stack) {
        const std::uint64_t e = *--top;
        if (std::bit_cast<float>(static_cast<std::uint32_t>(e >> 32)) > limit * MeshRay::kFarRoom) continue;
        next = static_cast<std::uint32_t>(e);
        return true;
    }
    return false;
}

template <class Kernel, bool kAny>
BV_WIDE_TARGET void walk_wide(const WideView& tree, const Kernel& kernel, WideResult& result) noexcept {
    std::uint64_t* top = tree.stack;
    std::uint32_t now = 0;
    std::uint32_t nodes_visited = 0;
    std::uint32_t blocks_tested = 0;
    float limit = result.best.t;
    do {
        while ((now & WideNode::kLeaf) == 0) {
            const WideNode& node = tree.nodes[now];
            alignas(32) float t[8];
            ++nodes_visited;
            const std::uint32_t mask = kernel.test_node(node, limit, t);
            if (mask != 0)
                top = push_children(tree, node, mask, t, top, now);
            else if (!pop_child(tree, top, limit, now))
                now = WideNode::kNothing;
        }
        if (now == WideNode::kNothing) break;
        const std::uint32_t first = (now & ~WideNode::kLeaf) >> 6;
        const std::uint32_t count = (now & 63u) + 1;
        for (std::uint32_t i = first; i < first + count; ++i)
            kernel.test_block(tree.blocks[i], limit, result.best);
        blocks_tested += count;
        if (kAny && result.best.triangle != MeshHit::kNone) break;
    } while (pop_child(tree, top, limit, now));
    result.stats.nodes_visited = nodes_visited;
    result.stats.boxes_tested = 8 * nodes_visited;
    result.stats.leaves_tested = 4 * blocks_tested;
}

}  // namespace bv::detail
