// Trees of oriented boxes, of axis-aligned boxes and of balls over the triangles of a mesh, made for meeting
// another such tree: small, plain, the same algorithm for all kinds, so that their counts can be compared.
//
// Built top down: the volume is fitted to the corners of all triangles below, and the triangles are divided
// at the mean of their centers across the longest axis; if all fall on one side, across the next one. Two
// trees are walked together by carrying the second one's volumes into the first one's frame, node by node.
// `collide` of bv/query/collide.hpp is faster and gives the same pairs. Source: Gottschalk 1996.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "bv/query/collide.hpp"
#include "bv/shapes/aabb.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/sphere.hpp"
#include "bv/shapes/triangle.hpp"
#include "bv/trace/trace.hpp"
#include "bv/tree/mesh_bvh.hpp"
#include "bv/tree/snapshot.hpp"

namespace bv {

template <class Volume>
struct VolumeTreeOptions {
    std::uint32_t max_leaf_triangles = 1;  ///< 0 counts as 1.
    std::uint32_t max_depth = 64;          ///< Deeper nodes are leaves, however many triangles they hold.
    /// Makes the volume of a node from the corners of its triangles; it must contain them. Empty: obb_pca,
    /// aabb_tight, sphere_ritter.
    std::function<Volume(std::span<const glm::vec3>)> fit;
    BuildProgress* progress = nullptr;  ///< As in MeshBvhOptions; it is looked at between fits.
};

/// Inner: children are nodes `first` and `first + 1`. Leaf: `count` > 0 references from `first` on.
template <class Volume>
struct VolumeTreeNode {
    Volume volume;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    [[nodiscard]] bool is_leaf() const noexcept { return count != 0; }
};

/// For Obb, Aabb and Sphere. `const` members are safe from several threads at once.
template <class Volume>
class VolumeTree {
  public:
    VolumeTree() = default;

    /// As MeshBvh::build: checks and copies the mesh, leaves out triangles that are not finite. Triangles
    /// whose centers no axis separates stay in one leaf. Cost: n log n fits of points, allocates.
    MeshBuildStatus build(const MeshView& mesh, const VolumeTreeOptions<Volume>& options = {});

    [[nodiscard]] bool empty() const noexcept { return nodes_.empty(); }
    [[nodiscard]] std::span<const VolumeTreeNode<Volume>> nodes() const noexcept { return nodes_; }
    /// Per reference, in the order of the leaves: the triangle's number in the mesh.
    [[nodiscard]] std::span<const std::uint32_t> references() const noexcept { return ids_; }
    [[nodiscard]] const Triangle& triangle(std::size_t reference) const noexcept {
        return triangles_[reference];
    }
    /// The largest coordinate of any vertex, as an absolute value.
    [[nodiscard]] float reach() const noexcept { return reach_; }
    /// Boxes are those of the volumes, grown to contain their children's; `obbs` is filled for trees of OBBs.
    [[nodiscard]] TreeSnapshot snapshot() const;
    /// True if the indices make one tree that holds every kept triangle once. For tests.
    [[nodiscard]] bool validate() const;

  private:
    std::vector<VolumeTreeNode<Volume>> nodes_;
    std::vector<std::uint32_t> ids_;
    std::vector<Triangle> triangles_;
    float reach_ = 0;
};

using ObbTree = VolumeTree<Obb>;
using AabbTree = VolumeTree<Aabb>;
using SphereTree = VolumeTree<Sphere>;
extern template class VolumeTree<Obb>;
extern template class VolumeTree<Aabb>;
extern template class VolumeTree<Sphere>;

/// How far to look.
enum class CollideExtent : std::uint8_t { First /**< Ends at the first pair. */, All };

/// The pairs of triangles that share a point, sorted, instead of what was in `pairs`; with First at most one,
/// whichever is found first. The same pairs as `collide_pairs` for every kind of volume. `box_pairs` counts
/// volume tests.
template <class Volume>
CollideStats collide_pairs(const VolumeTree<Volume>& a, const Pose& pose_a, const VolumeTree<Volume>& b,
                           const Pose& pose_b, CollideExtent extent, std::vector<TrianglePair>& pairs);
/// The same answer, with one `VolumesTested` for each pair of nodes.
template <class Volume>
CollideStats collide_pairs(const VolumeTree<Volume>& a, const Pose& pose_a, const VolumeTree<Volume>& b,
                           const Pose& pose_b, CollideExtent extent, std::vector<TrianglePair>& pairs,
                           Recording& trace);

}  // namespace bv
