// The cost of a tree, and of one rebuilt over the same boxes, as sums of surface areas of inner nodes: the
// expected number of nodes that a random ray or small box visits, times the root's surface. In a planar
// world, outlines take the place of surfaces.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "bv/shapes/aabb.hpp"
#include "bv/tree/metrics.hpp"
#include "bv/tree/snapshot.hpp"
#include "io/captures/capture.hpp"

namespace lab::capture {

/// How the boxes of a tree are measured: by surface area; or, where all lie in one plane perpendicular to an
/// axis, as planar engines have them, by the length of their outline, which is what a query in that plane
/// meets.
class BoxSize {
  public:
    BoxSize() = default;
    /// By the root, and by the leaves if it is empty. A tree without extent along two axes lies in a plane,
    /// too.
    explicit BoxSize(const bv::TreeSnapshot& tree);

    /// The size of a box as an engine has it: finite, with extents of at most 1e30 m; 0 for an empty box and
    /// for NaN.
    [[nodiscard]] double operator()(const bv::Aabb& box) const;
    [[nodiscard]] bool is_planar() const { return axis_ >= 0; }
    /// What is measured, in words.
    [[nodiscard]] const char* words() const { return is_planar() ? "outline" : "surface area"; }
    /// The axis along which all boxes have no extent; negative in space.
    [[nodiscard]] int flat_axis() const { return axis_; }
    /// The boxes, in a planar tree with such a depth that their surfaces are in proportion to their outlines.
    [[nodiscard]] std::vector<bv::Aabb> deep(std::span<const bv::Aabb> boxes) const;

  private:
    int axis_ = -1;
    float depth_ = 0.0f;
};

/// The metrics of a tree whose boxes are measured so.
[[nodiscard]] bv::TreeMetrics metrics_of(const bv::TreeSnapshot& tree);

/// A leaf that holds several bodies becomes a node above a leaf for each of them, with their fat boxes; only
/// such a node has payloads and children. The new leaves come last, and have the source node of that above.
[[nodiscard]] bv::TreeSnapshot with_opened_leaves(bv::TreeSnapshot tree,
                                                  std::span<const io::CaptureProxy> proxies);

/// The number of children that a tenth of the inner nodes have or exceed; 2 to 64. Near the leaves, nodes
/// have fewer. Opened leaves do not count. A tree is compared with rebuilt ones of this arity: one with eight
/// children to a node needs far fewer nodes than a binary one.
[[nodiscard]] std::uint32_t arity_of(const bv::TreeSnapshot& tree);
inline constexpr std::size_t kLeafPerBox = std::numeric_limits<std::size_t>::max();
/// A tree that is built anew over the boxes by the surface area heuristic, with at most `arity` children to
/// an inner node, and with `leaves` leaves, filled as evenly as the tree allows; payloads are indices into
/// `boxes`. O(n log n), up to 4096 boxes by a full sweep, else binned.
[[nodiscard]] bv::TreeSnapshot rebuilt_tree(std::span<const bv::Aabb> boxes, std::uint32_t arity = 2,
                                            const BoxSize& size = {}, std::size_t leaves = kLeafPerBox);
/// Sum of the sizes of all nodes of that tree with several boxes at or below them.
[[nodiscard]] double rebuilt_cost(std::span<const bv::Aabb> boxes, std::uint32_t arity = 2,
                                  const BoxSize& size = {}, std::size_t leaves = kLeafPerBox);
/// The cost of any tree: the sizes of inner nodes, and those of leaves for each of their payloads. Divided by
/// the size of the root, this is the SAH cost.
[[nodiscard]] double whole_cost(const bv::TreeSnapshot& tree, const BoxSize& size);

/// The shape of a captured tree with other leaf boxes: the part of its cost that is due to the shape alone.
class ShapeCost {
  public:
    /// Nodes of `tree` whose box in `leaf_boxes` is empty count as absent. One box for each node; those
    /// of inner nodes are not read. `size` is that of `tree`.
    ShapeCost(const bv::TreeSnapshot& tree, std::vector<bv::Aabb> leaf_boxes, const BoxSize& size = {});

    /// Sizes of inner nodes at and below a node; a node with one child left costs nothing.
    [[nodiscard]] double cost(std::uint32_t node) const { return costs_[node]; }
    [[nodiscard]] std::uint32_t leaves(std::uint32_t node) const { return leaves_[node]; }
    /// The same, counting an opened leaf as one.
    [[nodiscard]] std::uint32_t captured_leaves(std::uint32_t node) const { return captured_leaves_[node]; }
    [[nodiscard]] const bv::Aabb& box(std::uint32_t node) const { return boxes_[node]; }
    [[nodiscard]] std::uint32_t height(std::uint32_t node) const { return heights_[node]; }
    /// The boxes of the leaves below, in the snapshot's order; and their nodes.
    [[nodiscard]] std::vector<bv::Aabb> boxes_below(std::uint32_t node) const;
    [[nodiscard]] std::vector<std::uint32_t> leaves_below(std::uint32_t node) const;
    /// `rebuilt_cost` of the boxes below, with the arity of the tree, and with as many leaves as were
    /// captured.
    [[nodiscard]] double rebuilt(std::uint32_t node) const;
    [[nodiscard]] std::uint32_t arity() const { return arity_; }
    [[nodiscard]] const bv::TreeSnapshot& tree() const { return tree_; }
    /// The largest number of children of a node.
    [[nodiscard]] std::uint32_t widest() const { return widest_; }
    /// What a leaf adds to the sizes of inner nodes.
    [[nodiscard]] double here(std::uint32_t leaf) const;
    /// What it would add at the best place for it in the same tree, which a thorough insertion finds; at
    /// least its own size. Branch and bound, over at most 1000 nodes: beyond that, the best place so far.
    [[nodiscard]] double best_place(std::uint32_t leaf) const;

  private:
    const bv::TreeSnapshot& tree_;
    std::vector<bv::Aabb> boxes_;
    std::vector<double> costs_;
    std::vector<std::uint32_t> leaves_, captured_leaves_, heights_;
    std::uint32_t arity_;
    std::uint32_t widest_ = 0;
    BoxSize size_;
};

/// Nodes of the tree that the query visits, the root included if it is hit, as engines count.
[[nodiscard]] std::uint64_t visits(const bv::TreeSnapshot& tree, const io::CaptureQuery& query);
/// Payloads whose tight boxes the query meets, ascending, each once.
[[nodiscard]] std::vector<std::uint64_t> answers(const bv::TreeSnapshot& tree, const io::CaptureQuery& query);
[[nodiscard]] bool meets(const bv::Aabb& box, const io::CaptureQuery& query);

}  // namespace lab::capture
