// Casts one ray through a wide tree. The traversal exists once; a kernel tests a node's eight boxes and a
// block's four triangles, in plain C++ here or with AVX2 in src/simd. Children that are hit go on a stack
// with the nearest on top; where any hit will do, in any order and without keys.
//
// The including file defines BV_WIDE_TARGET, the attribute of functions that may use its instruction set.
#pragma once

#include <cstdint>
#include <vector>

#include "bv/tree/mesh_bvh_wide.hpp"
#include "simd/bits.hpp"
#include "tree/mesh/mesh_ray.hpp"

namespace bv::detail {

/// The stack of entries to visit: keys, and child words at the same index. A key is the bits of a distance,
/// which sort as an integer like the distance, with the slot in the lowest three bits.
struct Bvh8Stack {
    std::uint32_t* keys;
    std::uint32_t* children;
    /// Entries that a wide node may write beyond those it keeps.
    static constexpr std::size_t kSpare = 8;
};

/// The maximum number of rays that travel together.
inline constexpr std::size_t kPacketRays = 64;

/// A child to visit by a packet: its parent, the rays that reached the parent, and where the first may enter
/// the child, with the slot in the lowest three bits.
struct Bvh8PacketEntry {
    std::uint64_t rays;
    std::uint32_t parent;
    std::uint32_t key;
};

struct Bvh8View {
    const Bvh8Node* nodes;
    const TriangleBlock* blocks;
    /// Holds 7 entries per level, plus kSpare.
    Bvh8Stack stack;
};

struct Bvh8Result {
    MeshHit best;
    std::uint32_t nodes_visited = 0;
    std::uint32_t blocks_tested = 0;

    /// Fills in `out`, one number at a time: they were just stored that way, and a wider load would stall on
    /// store forwarding.
    void write_to(MeshRayResult& out) const noexcept {
        out.stats.nodes_visited = nodes_visited;
        out.stats.boxes_tested = 8 * nodes_visited;
        out.stats.leaves_tested = 4 * blocks_tested;
        if (best.triangle == MeshHit::kNone) return;
        MeshHit& hit = out.hit.emplace();
        hit.t = best.t;
        hit.u = best.u;
        hit.v = best.v;
        hit.triangle = best.triangle;
        out.stats.hits = 1;
    }
};

/// Pops the nearest entry that is not behind the best hit; for kAny, the last one. False if there is none. A
/// template over the kernel, since the linker must not merge the copies for different instruction sets into
/// one.
template <class Kernel, bool kAny>
BV_WIDE_TARGET bool pop_child(const Bvh8Stack& stack, std::size_t& top, float limit,
                              std::uint32_t& next) noexcept {
    if constexpr (kAny) {
        if (top == 0) return false;
        next = stack.children[--top];
        return true;
    }
    const std::uint32_t limit_key = bit_cast<std::uint32_t>(limit * MeshRay::kFarScale);
    while (top != 0) {
        --top;
        if ((stack.keys[top] & ~7u) > limit_key) continue;
        next = stack.children[top];
        return true;
    }
    return false;
}

/// Appends the hits of `ray` on the block's triangles.
template <RayMode kMode, class AnyRay>
void collect_hits(const AnyRay& ray, const TriangleBlock& block, std::vector<MeshHit>& hits) {
    for (int lane = 0; lane < 4 && block.id[lane] != MeshHit::kNone; ++lane) {
        MeshHit hit;
        if (!hit_triangle<kMode>(ray, block.triangle(lane), hit)) continue;
        hit.triangle = block.id[lane];
        hits.push_back(hit);
    }
}

/// Casts the ray from the child word `start` on; `result.best.t` is the limit on entry.
template <class Kernel, bool kAny>
BV_WIDE_TARGET void walk_wide(const Bvh8View& tree, const Kernel& kernel, Bvh8Result& result,
                              std::uint32_t start = 0) {
    std::size_t top = 0;
    std::uint32_t now = start;
    std::uint32_t nodes_visited = 0;
    std::uint32_t blocks_tested = 0;
    float limit = result.best.t;
    do {
        while ((now & Bvh8Node::kLeaf) == 0) {
            ++nodes_visited;
            if (!kernel.template descend<kAny>(tree, tree.nodes[now], limit, top, now) &&
                !pop_child<Kernel, kAny>(tree.stack, top, limit, now))
                now = Bvh8Node::kNoChild;
        }
        if (now == Bvh8Node::kNoChild) break;
        const std::uint32_t first = (now & ~Bvh8Node::kLeaf) >> 6;
        const std::uint32_t count = (now & 63u) + 1;
        for (std::uint32_t i = first; i < first + count; ++i)
            kernel.test_block(tree.blocks[i], limit, result.best);
        blocks_tested += count;
        if (kAny && result.best.triangle != MeshHit::kNone) break;
    } while (pop_child<Kernel, kAny>(tree.stack, top, limit, now));
    result.nodes_visited = nodes_visited;
    result.blocks_tested = blocks_tested;
}

}  // namespace bv::detail
