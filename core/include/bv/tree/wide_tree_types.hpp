// The types of a wide tree's interface, nodes and proxies.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>

#include "bv/query/batch.hpp"
#include "bv/shapes/aabb.hpp"

namespace bv {

namespace detail {

/// One node: eight boxes as a structure of arrays. Unused entries hold the empty box, which no finite box
/// overlaps.
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
struct WideFitted;
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

}  // namespace bv
