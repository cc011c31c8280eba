// The types of a dynamic tree's interface, nodes and proxies.
#pragma once

#include <cstdint>
#include <span>

#include "bv/ids.hpp"
#include "bv/shapes/aabb.hpp"
#include "bv/shapes/plane.hpp"
#include "bv/tree/tree_status.hpp"

namespace bv {

class OperationLog;
enum class Operation : std::uint8_t;

namespace detail {

struct BuildItem;
struct TreeNodePair;
class DynamicTreeBroadphase;

[[nodiscard]] bool boxes_overlap(const Aabb& a, const Aabb& b) noexcept;
[[nodiscard]] bool in_front_of_all(std::span<const Plane> planes, const Aabb& box) noexcept;

/// A leaf has child[0] == kNone and its proxy in child[1]. Free nodes form a list in `parent`.
struct TreeNode {
    static constexpr std::uint32_t kNone = 0xffffffffu;
    Aabb box;
    std::uint32_t parent = kNone;
    std::uint32_t child[2] = {kNone, kNone};
    std::uint32_t height = 0;
    std::uint32_t categories = 0;  ///< Union over all leaves below.
    std::uint16_t moved = 0;       ///< Not 0: a leaf below was refitted since the last partial rebuild.
    std::uint16_t settled = 0;  ///< Not 0: no swap of children and grandchildren lowers the area. Not logged.

    [[nodiscard]] bool is_leaf() const noexcept { return child[0] == kNone; }
    [[nodiscard]] std::uint32_t proxy() const noexcept { return child[1]; }
};

struct TreeProxy {
    Aabb tight;
    std::uint64_t user_data = 0;
};

/// Where a proxy's leaf is, or the next one in the list of free proxies. Kept apart from the rest of the
/// proxy: every operation by id begins here, and an array this small stays in a near cache.
struct TreePlace {
    static constexpr std::uint32_t kFree = 1u << 31;  ///< No node has such a number.
    std::uint32_t node = TreeNode::kNone;
    std::uint32_t generation = 0;

    [[nodiscard]] bool is_free() const noexcept { return node >= kFree; }
    /// kNone at the end of the list.
    [[nodiscard]] std::uint32_t next_free() const noexcept {
        return node == TreeNode::kNone ? node : node - kFree;
    }
    void set_next_free(std::uint32_t next) noexcept { node = next | kFree; }
};

/// User data by proxy.
struct UserDataOf {
    const TreeProxy* proxies;
    [[nodiscard]] std::uint64_t operator[](std::uint32_t proxy) const noexcept {
        return proxies[proxy].user_data;
    }
};

/// A pointer that copies reset to null.
template <class T>
struct Unshared {
    T* pointer = nullptr;
    Unshared() = default;
    Unshared(const Unshared&) noexcept {}
    Unshared& operator=(const Unshared& other) noexcept {
        if (this != &other) pointer = nullptr;
        return *this;
    }
};

}  // namespace detail

/// Category bits of a proxy, for queries restricted to some categories.
struct Categories {
    std::uint32_t bits = 0xffffffffu;
};

/// One of the nearest proxies.
struct Neighbor {
    ProxyId id;
    float distance_sq = 0;  ///< To the tight box; 0 inside it.
    friend bool operator==(const Neighbor&, const Neighbor&) = default;
};

/// The first proxy on a ray.
struct ProxyRayHit {
    ProxyId id;
    std::uint64_t user_data = 0;
    float t = 0;  ///< Where the ray enters the tight box; its t_min, at least 0, if it starts inside.
    friend bool operator==(const ProxyRayHit&, const ProxyRayHit&) = default;
};

/// The result of one call of `update`.
struct UpdateStats {
    std::uint32_t rebuilt = 0;     ///< Leaves and unchanged subtrees that a rebuild combined.
    std::uint32_t reinserted = 0;  ///< Subtrees reinserted.
};

}  // namespace bv
