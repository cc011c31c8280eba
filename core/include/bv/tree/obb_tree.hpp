// Trees of oriented boxes, axis-aligned boxes or balls over the triangles of a mesh, for testing mesh against
// mesh: small, plain, the same algorithm for all kinds, so that their counts can be compared.
//
// Built top down: the volume is fitted to the corners of all triangles below, and the triangles are split at
// the mean of their centers along the longest axis; if all fall on one side, along the next one. Two trees
// are traversed simultaneously by mapping the second one's volumes into the first one's frame, node by node.
// `collide` of bv/query/collide.hpp is faster and gives the same pairs. Source: Gottschalk 1996.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
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
    std::uint32_t max_depth = 64;  ///< Nodes at this depth are leaves, however many triangles they hold.
    /// Computes the volume of a node from the corners of its triangles; it must contain them. If empty:
    /// obb_pca, aabb_tight, sphere_ritter.
    std::function<Volume(std::span<const glm::vec3>)> fit;
    BuildProgress* progress = nullptr;  ///< As in MeshBvhOptions; checked between fits.
};

/// Inner: children are nodes `first` and `first + 1`. Leaf: `count` > 0 references starting at `first`.
template <class Volume>
struct VolumeTreeNode {
    Volume volume;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    [[nodiscard]] bool is_leaf() const noexcept { return count != 0; }
};

/// `Volume` is Obb, Aabb or Sphere. `const` members are safe from several threads at once.
template <class Volume>
class VolumeTree {
  public:
    VolumeTree() = default;
    VolumeTree(const VolumeTree&) = default;
    VolumeTree& operator=(const VolumeTree&) = default;
    /// A tree that is moved from is empty; one that is moved to itself does not change.
    VolumeTree(VolumeTree&& other) noexcept { swap(other); }
    VolumeTree& operator=(VolumeTree&& other) noexcept {
        VolumeTree taken(std::move(other));
        swap(taken);
        return *this;
    }
    ~VolumeTree() = default;

    /// As MeshBvh::build: validates and copies the mesh, skips triangles that are not finite. Triangles whose
    /// centers no axis separates stay in one leaf. Cost: n log n fits of points, allocates.
    MeshBuildStatus build(const MeshView& mesh, const VolumeTreeOptions<Volume>& options = {});

    [[nodiscard]] bool empty() const noexcept { return nodes_.empty(); }
    [[nodiscard]] std::span<const VolumeTreeNode<Volume>> nodes() const noexcept { return nodes_; }
    /// The triangle number in the mesh of each reference, in the order of the leaves.
    [[nodiscard]] std::span<const std::uint32_t> references() const noexcept { return ids_; }
    [[nodiscard]] const Triangle& triangle(std::size_t reference) const noexcept {
        return triangles_[reference];
    }
    /// The largest coordinate of any vertex, as an absolute value.
    [[nodiscard]] float max_coordinate() const noexcept { return max_coordinate_; }
    /// Boxes are those of the volumes, grown to contain the boxes of their children; `obbs` is filled for
    /// trees of OBBs. A half extent beyond the largest float is given as that: snapshots are finite.
    [[nodiscard]] TreeSnapshot snapshot() const;
    /// True if the indices form one tree that holds every kept triangle once. For tests.
    [[nodiscard]] bool validate() const;

  private:
    void swap(VolumeTree& other) noexcept {
        nodes_.swap(other.nodes_);
        ids_.swap(other.ids_);
        triangles_.swap(other.triangles_);
        std::swap(max_coordinate_, other.max_coordinate_);
    }

    std::vector<VolumeTreeNode<Volume>> nodes_;
    std::vector<std::uint32_t> ids_;
    std::vector<Triangle> triangles_;
    float max_coordinate_ = 0;
};

using ObbTree = VolumeTree<Obb>;
using AabbTree = VolumeTree<Aabb>;
using SphereTree = VolumeTree<Sphere>;
extern template class VolumeTree<Obb>;
extern template class VolumeTree<Aabb>;
extern template class VolumeTree<Sphere>;

/// The extent of a search.
enum class CollideExtent : std::uint8_t { First /**< Stops at the first pair. */, All };

/// Replaces `pairs` by the pairs of triangles that share a point, sorted; with First at most one, whichever
/// is found first. The same pairs as `collide_pairs` for every kind of volume. `box_pairs` counts volume
/// tests.
template <class Volume>
CollideStats collide_pairs(const VolumeTree<Volume>& a, const Pose& pose_a, const VolumeTree<Volume>& b,
                           const Pose& pose_b, CollideExtent extent, std::vector<TrianglePair>& pairs);
/// The same result, with one `VolumesTested` for each pair of nodes.
template <class Volume>
CollideStats collide_pairs(const VolumeTree<Volume>& a, const Pose& pose_a, const VolumeTree<Volume>& b,
                           const Pose& pose_b, CollideExtent extent, std::vector<TrianglePair>& pairs,
                           Recording& trace);

}  // namespace bv
