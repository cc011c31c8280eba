// The cost of a tree, and of one rebuilt over the same boxes, as sums of surface areas of inner nodes: the
// expected number of nodes that a random ray or small box visits, times the root's surface.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "bv/shapes/aabb.hpp"
#include "bv/tree/snapshot.hpp"
#include "io/captures/capture.hpp"

namespace lab::capture {

/// The mean number of children of an inner node, to the nearest whole number; at least 2. A tree is compared
/// with rebuilt ones of this arity: one with eight children to a node needs far fewer nodes than a binary
/// one.
[[nodiscard]] std::uint32_t arity_of(const bv::TreeSnapshot& tree);
/// Sum of the surfaces of all inner nodes of a tree that is built anew over the boxes by the surface area
/// heuristic, with at most `arity` children to a node. 0 for fewer than two boxes. O(n log n), up to 4096
/// boxes by a full sweep, else binned.
[[nodiscard]] double rebuilt_cost(std::span<const bv::Aabb> boxes, std::uint32_t arity = 2);
/// The tree itself; payloads are indices into `boxes`.
[[nodiscard]] bv::TreeSnapshot rebuilt_tree(std::span<const bv::Aabb> boxes, std::uint32_t arity = 2);

/// The shape of a captured tree with other leaf boxes: the part of its cost that is due to the shape alone.
class ShapeCost {
  public:
    /// Nodes of `tree` whose box in `leaf_boxes` is empty count as absent. One box for each node; those
    /// of inner nodes are not read.
    ShapeCost(const bv::TreeSnapshot& tree, std::vector<bv::Aabb> leaf_boxes);

    /// Surfaces of inner nodes at and below a node; a node with one child left costs nothing.
    [[nodiscard]] double cost(std::uint32_t node) const { return costs_[node]; }
    [[nodiscard]] std::uint32_t leaves(std::uint32_t node) const { return leaves_[node]; }
    [[nodiscard]] const bv::Aabb& box(std::uint32_t node) const { return boxes_[node]; }
    [[nodiscard]] std::uint32_t height(std::uint32_t node) const { return heights_[node]; }
    /// The boxes of the leaves below, in the snapshot's order; and their nodes.
    [[nodiscard]] std::vector<bv::Aabb> boxes_below(std::uint32_t node) const;
    [[nodiscard]] std::vector<std::uint32_t> leaves_below(std::uint32_t node) const;
    /// `rebuilt_cost` of the boxes below, with the arity of the tree.
    [[nodiscard]] double rebuilt(std::uint32_t node) const;
    [[nodiscard]] std::uint32_t arity() const { return arity_; }

  private:
    const bv::TreeSnapshot& tree_;
    std::vector<bv::Aabb> boxes_;
    std::vector<double> costs_;
    std::vector<std::uint32_t> leaves_, heights_;
    std::uint32_t arity_;
};

/// Nodes of the tree that the query visits, the root included if it is hit, as engines count.
[[nodiscard]] std::uint64_t visits(const bv::TreeSnapshot& tree, const io::CaptureQuery& query);
/// Payloads whose tight boxes the query meets, ascending, each once.
[[nodiscard]] std::vector<std::uint64_t> answers(const bv::TreeSnapshot& tree, const io::CaptureQuery& query);
[[nodiscard]] bool meets(const bv::Aabb& box, const io::CaptureQuery& query);

/// Of a box as an engine has it: finite, with extents of at most 1e30 m; 0 for an empty box and for NaN.
[[nodiscard]] inline double surface(const bv::Aabb& box) {
    if (box.is_empty()) return 0.0;
    constexpr double kLongest_m = 1e30;
    double size[3];
    for (int k = 0; k < 3; ++k)
        size[k] = std::min(static_cast<double>(box.max[k]) - static_cast<double>(box.min[k]), kLongest_m);
    const double area = 2.0 * (size[0] * size[1] + size[1] * size[2] + size[2] * size[0]);
    return area > 0.0 ? area : 0.0;
}

}  // namespace lab::capture
