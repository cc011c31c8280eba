// The inner loops of WideTree, once for AVX2 and once without. Both are compiled from wide_kernels.inl, so
// they differ only in how eight boxes are compared, and give the same results.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <vector>

#include "bv/function_ref.hpp"
#include "bv/query/ray_slabs.hpp"
#include "bv/shapes/aabb.hpp"
#include "bv/tree/query_stats.hpp"
#include "bv/tree/visit.hpp"
#include "bv/tree/wide_tree.hpp"
#include "simd/query_avx2.hpp"
#include "tree/grow_stack.hpp"

namespace bv::detail {

/// The part of a tree that the kernels access.
struct WideTreeView {
    WideTreeNode* nodes;
    WideTreeProxy* proxies;
    std::uint32_t root;
};

/// Two nodes of the same level whose entries are to be paired; a == b for the pairs within one node.
struct WideTreeNodePair {
    std::uint32_t a;
    std::uint32_t b;
};
struct WideTreeProxyPair {
    std::uint32_t a;
    std::uint32_t b;
};

/// Node pairs yet to be searched, the next one on top.
using WidePairStack = GrowStack<WideTreeNodePair, 256>;

/// A subtree whose boxes fit.
struct WideFitted {
    std::uint32_t node;
    Aabb bounds;
    double cost;  ///< Sum of the half areas of its nodes.
};

/// A root of this level needs more insertions than 64 bits count.
inline constexpr std::uint32_t kMaxWideLevels = 33;

/// Visitors receive proxy numbers. A ray visitor receives the conservative t of the box and the end of the
/// ray, and returns the new end: negative to stop, unchanged for a miss.
using WideQueryVisitor = FunctionRef<Visit(std::uint32_t)>;
using WideRayVisitor = FunctionRef<float(std::uint32_t, float)>;
using WidePairVisitor = FunctionRef<Visit(std::uint32_t, std::uint32_t)>;

#define BV_WIDE_KERNELS                                                                                      \
    QueryStats query_box(const WideTreeView& tree, const Aabb& box, WideQueryVisitor visitor,                \
                         Recording* trace);                                                                  \
    QueryStats cast_ray(const WideTreeView& tree, const RaySlabs& slabs, float t_max,                        \
                        WideRayVisitor visitor, Recording* trace);                                           \
    /* As cast_ray, against boxes grown by `half` on every side. */                                          \
    QueryStats cast_box(const WideTreeView& tree, const RaySlabs& slabs, const glm::vec3& half, float t_max, \
                        WideRayVisitor visitor);                                                             \
    /* A bit for each entry that overlaps the box. */                                                        \
    unsigned overlapping_entries(const WideTreeNode& node, const Aabb& box);                                 \
    /* Pairs of an entry of one tree and one of another. */                                                  \
    QueryStats find_pairs_between(const WideTreeView& here, const WideTreeView& there,                       \
                                  WidePairVisitor visitor);                                                  \
    /* Pairs below those of `open`, appended to `out`. Ends with `open`, or soon after `out` has `enough`:   \
       another call continues. */                                                                            \
    QueryStats find_pairs(const WideTreeView& tree, WidePairStack& open, std::size_t enough,                 \
                          std::vector<WideTreeProxyPair>& out, Recording* trace);                            \
    /* Pairs of child nodes of `start`; none for blocks. */                                                  \
    QueryStats open_pair(const WideTreeView& tree, WideTreeNodePair start,                                   \
                         std::vector<WideTreeNodePair>& out);                                                \
    /* Fills the blocks below a node from the proxies and fits every box above them; returns the sum of      \
       half areas. `fitted` is null, or has subtrees that are fitted already, from left to right, and one    \
       more that is no node. */                                                                              \
    double refit(const WideTreeView& tree, std::uint32_t node, const WideFitted* fitted, Aabb& bounds);      \
    /* The block for a new box: goes down from the root and grows the entries on the way. On each            \
       level, takes the entry whose area grows least; of those that need not grow, the smallest.             \
       `path[level]` receives the place of the entry taken: node * 8 + entry. */                             \
    std::uint32_t descend(const WideTreeView& tree, const Aabb& box, std::uint32_t* path);                   \
    /* Divides the eight entries of `node` and a ninth between it and `half`, four and five in order         \
       of their centers, along the axis and with the division of least area. Fits `bounds`. */               \
    void divide(WideTreeNode& node, WideTreeNode& half, std::uint32_t child, const Aabb& box,                \
                Aabb(&bounds)[2]);

namespace wide_scalar {
BV_WIDE_KERNELS
}
#if BV_HAS_AVX2_KERNELS
namespace wide_avx2 {
BV_WIDE_KERNELS
}
#endif

}  // namespace bv::detail
