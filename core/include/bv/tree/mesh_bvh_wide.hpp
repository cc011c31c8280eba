// The fast form of a mesh's tree: eight children per node, boxes with 8-bit coordinates,
// triangles in blocks of four.
//
// Made from a finished MeshBvh by choosing, bottom up, which of its nodes become wide nodes and which
// subtrees become leaves at the least expected cost. A node is two cache lines: an origin, a step per axis (a
// power of two), and each child's box in steps, rounded outward. Eight boxes or four triangles are tested at
// once. Sources: Wald 2008 (wide trees), Ylitie 2017 (compressed nodes, least-cost collapse).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "bv/query/batch.hpp"
#include "bv/tree/mesh_bvh.hpp"

namespace bv {

namespace detail {

struct Bvh8Result;
class WideBuild;

/// Child words: an inner node's number; or kLeaf | first block << 6 | (number of blocks - 1).
struct alignas(64) Bvh8Node {
    static constexpr std::uint32_t kLeaf = 0x80000000u;
    static constexpr std::uint32_t kNoChild = 0xffffffffu;  ///< No child: beyond the last possible block.
    float origin[3];
    float step[3];  ///< Powers of two.
    std::uint32_t child[8];
    std::uint8_t lo[3][8];
    std::uint8_t hi[3][8];
    std::uint8_t used;  ///< One bit per existing child.

    /// As stored: it contains the child's triangles, or the parts of them that belong to the leaf.
    [[nodiscard]] Aabb box(int i) const noexcept {
        Aabb box;
        for (int k = 0; k < 3; ++k) {
            box.min[k] = origin[k] + static_cast<float>(lo[k][i]) * step[k];
            // The margin around a box of the largest numbers must not overflow.
            box.max[k] = std::min(origin[k] + static_cast<float>(hi[k][i]) * step[k],
                                  std::numeric_limits<float>::max());
        }
        return box;
    }
};
static_assert(sizeof(Bvh8Node) == 128);

struct alignas(32) TriangleBlock {
    float corner[3][3][4];  ///< Corner, axis, lane. Unused lanes are all zero: no ray hits them.
    std::uint32_t id[4];

    [[nodiscard]] Triangle triangle(int lane) const noexcept {
        const auto at = [&](int i) {
            return glm::vec3(corner[i][0][lane], corner[i][1][lane], corner[i][2][lane]);
        };
        return {at(0), at(1), at(2)};
    }
};
static_assert(sizeof(TriangleBlock) == 160);

}  // namespace detail

/// `const` members are safe from several threads at once.
class MeshBvh8 {
  public:
    enum class Status : std::uint8_t {
        Ok,
        Empty,
        TooLarge,  ///< Over 2^25 references.
        Cancelled  ///< By `BuildProgress::cancel`: this tree is empty.
    };

    MeshBvh8() = default;
    MeshBvh8(const MeshBvh8&) = default;
    MeshBvh8& operator=(const MeshBvh8&) = default;
    /// A tree that is moved from is empty; one that is moved to itself does not change.
    MeshBvh8(MeshBvh8&& other) noexcept { swap(other); }
    MeshBvh8& operator=(MeshBvh8&& other) noexcept {
        MeshBvh8 taken(std::move(other));
        swap(taken);
        return *this;
    }
    ~MeshBvh8() = default;

    /// Builds a MeshBvh of `mesh` and keeps its wide form, which answers the same queries: the one structure
    /// of a mesh that does not deform. Statuses as those of MeshBvh::build, TooLarge also for over 2^25
    /// references. Like a MeshBvh, it reuses the memory of the tree that it had before. `options.progress`
    /// counts the binary tree, most of the work. By default, four triangles form a leaf however far apart
    /// they are, since they are tested at once.
    MeshBuildStatus build(const MeshView& mesh, const MeshBvhOptions& options = {.traversal_cost = 4.0f});
    /// Replaces this tree by the wide form of `tree`, which is not needed afterwards. Linear in its nodes.
    Status build(const MeshBvh& tree, BuildProgress* progress = nullptr);
    /// Copies the boxes and triangles of `tree` after `MeshBvh::refit`. Precondition: this tree was built
    /// from it.
    void refit(const MeshBvh& tree);

    /// The same hits as the MeshBvh that this was made from, except that in Fast mode a hit within a few
    /// roundings of an edge may be found by only one of them. Scalar and SIMD forms agree bit for bit. No
    /// allocation.
    [[nodiscard]] MeshRayResult raycast(const Ray& ray, RayMode mode = RayMode::Fast,
                                        Simd simd = best_simd()) const;
    /// True if the ray hits anything: `raycast(ray, mode).hit.has_value()`, sooner.
    [[nodiscard]] bool raycast_any(const Ray& ray, RayMode mode = RayMode::Fast,
                                   Simd simd = best_simd()) const;
    /// `results[i]` is that of `raycast(rays[i], mode)`: the same hit, ties included, whatever the order of
    /// the rays. Only `hits` of its stats is set, since rays that travel together have no visits of their
    /// own. Runs of 64 rays with close origins and directions, such as 8 x 8 pixels of a picture, share most
    /// of the work; others are cast one by one. In Fast mode a triangle so nearly edge-on to a ray that its t
    /// is off by more than the slack of the box tests may be found by one form only. Both spans have the same
    /// length.
    void raycast(std::span<const Ray> rays, std::span<MeshRayResult> results, RayMode mode = RayMode::Fast,
                 Simd simd = best_simd()) const;
    /// `hits[i] = raycast_any(rays[i], mode)`, 1 or 0, in the same way.
    void raycast_any(std::span<const Ray> rays, std::span<std::uint8_t> hits, RayMode mode = RayMode::Fast,
                     Simd simd = best_simd()) const;
    /// The same results with one `NodeVisited` per node and leaf; for `raycast_any`, the hit that was found
    /// first. Node 0 is the root, child s of wide node n is 8 n + s + 1.
    [[nodiscard]] MeshRayResult raycast(const Ray& ray, RayMode mode, Recording& trace) const;
    [[nodiscard]] MeshRayResult raycast_any(const Ray& ray, RayMode mode, Recording& trace) const;
    /// The geometric unit normal of the triangle that was hit, on the side from which its corners run
    /// counter-clockwise, whichever side the ray came from: `Triangle::normal` of the corners as last built
    /// or refitted. Zero for a triangle without area and for a number that is not in the tree. No search, no
    /// allocation.
    [[nodiscard]] glm::vec3 normal(const MeshHit& hit) const noexcept;
    /// As MeshBvh::raycast_all: every hit, ordered by t and then by triangle number.
    QueryStats raycast_all(const Ray& ray, std::vector<MeshHit>& hits, RayMode mode = RayMode::Fast,
                           Simd simd = best_simd()) const;

    /// As MeshBvh::closest_point, bit for bit.
    [[nodiscard]] MeshNearestResult closest_point(
        const glm::vec3& p, float max_distance = std::numeric_limits<float>::infinity()) const;
    /// As MeshBvh::nearest_triangles, bit for bit.
    QueryStats nearest_triangles(const glm::vec3& p, std::size_t count,
                                 std::vector<MeshNearest>& nearest) const;
    /// As MeshBvh::overlap_triangles.
    template <class Volume, class Visitor>
    QueryStats overlap_triangles(const Volume& volume, Visitor&& visitor) const;

    [[nodiscard]] bool empty() const noexcept { return nodes_.empty(); }
    [[nodiscard]] std::uint32_t skipped_triangles() const noexcept { return skipped_; }
    [[nodiscard]] std::size_t node_count() const noexcept { return nodes_.size(); }
    [[nodiscard]] Aabb bounds() const noexcept { return bounds_; }
    /// As stored, for other algorithms of the library.
    [[nodiscard]] std::span<const detail::Bvh8Node> nodes() const noexcept { return nodes_; }
    [[nodiscard]] std::span<const detail::TriangleBlock> blocks() const noexcept { return blocks_; }
    [[nodiscard]] std::size_t memory_bytes() const noexcept;
    /// Boxes as stored, grown to contain those of their children; nodes numbered as in traces.
    [[nodiscard]] TreeSnapshot snapshot() const;
    /// True if every box contains its subtree. For tests.
    [[nodiscard]] bool validate() const;

  private:
    friend class detail::WideBuild;
    /// `result` has no hit yet.
    template <bool kAny>
    void cast(const Ray& ray, RayMode mode, Simd simd, detail::Bvh8Result& result) const;
    template <bool kAny, class Write>
    void cast_stream(std::span<const Ray> rays, RayMode mode, Simd simd, Write&& write) const;
    template <bool kAny>
    MeshRayResult cast_traced(const Ray& ray, RayMode mode, Recording& trace) const;
    /// Makes this tree empty and keeps its memory for the next one.
    void clear() noexcept;
    void swap(MeshBvh8& other) noexcept;

    std::vector<detail::Bvh8Node> nodes_;
    std::vector<detail::TriangleBlock> blocks_;
    std::vector<std::uint32_t> sources_;   ///< Eight per node: the binary node behind each child.
    std::vector<std::uint32_t> place_of_;  ///< Per triangle number, 4 * block + lane, or kNone.
    Aabb bounds_;
    std::uint32_t depth_ = 0;
    std::uint32_t references_ = 0;
    std::uint32_t skipped_ = 0;
    bool repeated_ = false;
    bool beyond_single_ = false;  ///< Single precision is too little for this mesh.
    bool has_fma_ = false;  ///< The AVX2 form also needs fused multiply-adds; one old processor lacks them.
};

template <class Volume, class Visitor>
QueryStats MeshBvh8::overlap_triangles(const Volume& volume, Visitor&& visitor) const {
    using detail::Bvh8Node;
    QueryStats stats;
    if (empty()) return stats;
    ++stats.boxes_tested;
    if (!overlap(volume, bounds_)) return stats;
    std::vector<std::uint32_t> stack{0};
    std::optional<std::unordered_set<std::uint32_t>> seen;
    if (repeated_) seen.emplace();
    while (!stack.empty()) {
        const std::uint32_t word = stack.back();
        stack.pop_back();
        if ((word & Bvh8Node::kLeaf) == 0) {
            const Bvh8Node& node = nodes_[word];
            ++stats.nodes_visited;
            for (int i = 0; i < 8; ++i) {
                if (((node.used >> i) & 1u) == 0) continue;
                ++stats.boxes_tested;
                if (overlap(volume, node.box(i))) stack.push_back(node.child[i]);
            }
            continue;
        }
        const std::uint32_t first = (word & ~Bvh8Node::kLeaf) >> 6;
        for (std::uint32_t b = first; b <= first + (word & 63u); ++b)
            for (int lane = 0; lane < 4 && blocks_[b].id[lane] != MeshHit::kNone; ++lane) {
                ++stats.leaves_tested;
                if (!overlap(volume, blocks_[b].triangle(lane))) continue;
                if (seen && !seen->insert(blocks_[b].id[lane]).second) continue;
                ++stats.hits;
                if (!visitor(blocks_[b].id[lane])) return stats;
            }
    }
    return stats;
}

}  // namespace bv
