// The geometry of a BSP tree: convex cells, the outlines of planes within them, and the path of a point.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "bv/shapes/aabb.hpp"
#include "bv/tree/bsp_tree.hpp"

namespace lab::scenes {

/// All points x with dot(normal, x) <= offset. The normal has unit length.
struct HalfSpace {
    glm::dvec3 normal{0.0};
    double offset = 0;
};
/// A convex cell: the bounded intersection of half-spaces.
using ConvexCell = std::vector<HalfSpace>;
/// Corners in order; fewer than three: empty.
using Outline = std::vector<glm::dvec3>;

[[nodiscard]] inline bool bsp_is_node(std::uint32_t word) {
    return word < bv::BspNode::kCell;
}
/// The six half-spaces of a box that is not empty.
[[nodiscard]] ConvexCell cell_of(const bv::Aabb& box);
/// The part of the plane dot(normal, x) == offset within a cell that `around` bounds.
[[nodiscard]] Outline outline_in(const HalfSpace& plane, std::span<const HalfSpace> cell,
                                 const bv::Aabb& around);
/// The faces of a cell that the box `around` bounds, each in the order of its corners.
[[nodiscard]] std::vector<Outline> faces_of(std::span<const HalfSpace> cell, const bv::Aabb& around);

/// A plane on the path of a point.
struct BspStep {
    std::uint32_t node = 0;
    bool in_front = false;
    HalfSpace kept;  ///< The side that the path takes.
};
struct BspWalk {
    std::vector<BspStep> steps;
    std::uint32_t end = bv::BspNode::kOutside;  ///< A cell, kOutside or kInside.

    /// The intersection of all half-spaces of the path, within a box.
    [[nodiscard]] ConvexCell cell(const bv::Aabb& around) const;
};
/// Walks from the root to the cell of a finite point. A point in a plane, to within the tree's tolerance,
/// goes to its back, where `BspTree::classify` looks first; `classify` looks on both sides.
[[nodiscard]] BspWalk walk_bsp(const bv::BspTree& tree, const glm::dvec3& point);

/// One plane of a level, with its outline within the node's own cell.
struct BspCut {
    std::uint32_t node = 0;
    Outline outline;
};
/// The planes of a level, at most `max_count`: the first ones from front to back.
[[nodiscard]] std::vector<BspCut> bsp_cuts_at(const bv::BspTree& tree, std::uint32_t level,
                                              std::size_t max_count, const bv::Aabb& around);
/// The region that a node divides: the half-spaces of the planes above it, within a box.
[[nodiscard]] ConvexCell bsp_region(const bv::BspTree& tree, std::uint32_t node, const bv::Aabb& around);
/// The pieces of all levels.
[[nodiscard]] std::vector<BspCut> bsp_cuts(const bv::BspTree& tree, const bv::Aabb& around);

/// Both parts of a convex polygon that a plane cuts; corners within `tolerance` of it belong to both.
struct OutlineParts {
    Outline front, back;
};
[[nodiscard]] OutlineParts split_outline(const Outline& outline, const HalfSpace& plane, double tolerance);

}  // namespace lab::scenes
