// The fast form of a mesh's tree for rays: eight children a node, boxes in eight bits a coordinate, triangles
// in blocks of four.
//
// Made from a finished MeshBvh by choosing, bottom up, which of its nodes become wide nodes and which
// subtrees become leaves at the least expected cost. A node is two cache lines: an origin, a power of two per
// axis as the step, and each child's box in steps, rounded outward. Eight boxes or four triangles are tested
// at once. Sources: Wald 2008 (wide trees), Ylitie 2017 (compressed nodes, least-cost collapse).
#pragma once

#include <cstdint>
#include <vector>

#include "bv/query/batch.hpp"
#include "bv/tree/mesh_bvh.hpp"

namespace bv {

namespace detail {

/// Child words: an inner node's number; or kLeaf, the number of the first block << 6, and one less than the
/// count of blocks.
struct alignas(64) Bvh8Node {
    static constexpr std::uint32_t kLeaf = 0x80000000u;
    static constexpr std::uint32_t kNothing = 0xffffffffu;  ///< No child: beyond the last possible block.
    float origin[3];
    float step[3];  ///< Powers of two.
    std::uint32_t child[8];
    std::uint8_t lo[3][8];
    std::uint8_t hi[3][8];
    std::uint8_t used;  ///< One bit for each child that there is.
};
static_assert(sizeof(Bvh8Node) == 128);

struct alignas(32) TriangleBlock {
    float corner[3][3][4];  ///< Corner, axis, lane. Lanes without a triangle are all zero: no ray hits them.
    std::uint32_t id[4];
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

    /// Replaces this tree by the wide form of `tree`, which is not needed afterwards. Linear in its nodes.
    Status build(const MeshBvh& tree, BuildProgress* progress = nullptr);
    /// Takes over the boxes and triangles of `tree` after `MeshBvh::refit`. Precondition: it is the tree that
    /// this one was built from.
    void refit(const MeshBvh& tree);

    /// The same hits as the MeshBvh that this was made from, but that a Fast ray within a few roundings of an
    /// edge may be lost by one and not by the other. The scalar and the SIMD form agree bit for bit. No
    /// allocation.
    [[nodiscard]] MeshRayResult raycast(const Ray& ray, RayMode mode = RayMode::Fast,
                                        Simd simd = best_simd()) const;
    [[nodiscard]] MeshRayResult raycast_any(const Ray& ray, RayMode mode = RayMode::Fast,
                                            Simd simd = best_simd()) const;
    /// The same answer with one `NodeVisited` per node and leaf. Node 0 is the root, child s of wide node n
    /// is 8 n + s + 1.
    [[nodiscard]] MeshRayResult raycast(const Ray& ray, RayMode mode, Recording& trace) const;

    [[nodiscard]] bool empty() const noexcept { return nodes_.empty(); }
    [[nodiscard]] std::size_t node_count() const noexcept { return nodes_.size(); }
    [[nodiscard]] Aabb bounds() const noexcept { return bounds_; }
    /// As they are stored, for other algorithms of the library.
    [[nodiscard]] std::span<const detail::Bvh8Node> nodes() const noexcept { return nodes_; }
    [[nodiscard]] std::span<const detail::TriangleBlock> blocks() const noexcept { return blocks_; }
    [[nodiscard]] std::size_t memory_bytes() const noexcept;
    /// Boxes as they are stored, grown to contain their children's; nodes numbered as in traces.
    [[nodiscard]] TreeSnapshot snapshot() const;
    /// True if every box contains its subtree. For tests.
    [[nodiscard]] bool validate() const;

  private:
    template <bool kAny>
    MeshRayResult cast(const Ray& ray, RayMode mode, Simd simd) const;
    Status cancel_build() noexcept;
    /// False if cancelled.
    bool fill_boxes(const MeshBvh& tree, BuildProgress& progress);

    std::vector<detail::Bvh8Node> nodes_;
    std::vector<detail::TriangleBlock> blocks_;
    std::vector<std::uint32_t> sources_;  ///< Eight per node: the binary node behind each child.
    Aabb bounds_;
    std::uint32_t depth_ = 0;
    std::uint32_t references_ = 0;
    bool repeated_ = false;
    bool has_fma_ =
        false;  ///< The AVX2 form needs fused multiply-adds, too; one old processor has only the former.
};

}  // namespace bv
