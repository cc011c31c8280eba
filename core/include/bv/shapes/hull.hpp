// Convex hulls.
#pragma once

#include <cstdint>
#include <glm/mat4x3.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <vector>

#include "bv/shapes/polytope.hpp"

namespace bv {

/// The convex hull of points, in meters. Its vertices are input points, bit for bit, so nothing is rounded.
/// Made by bv::fit::hull; treat it as read-only.
struct Hull {
    /// -1 empty, 0 a point, 1 a segment, 2 a flat polygon, 3 a solid; decided exactly, without a tolerance.
    int dimension = -1;
    std::vector<glm::vec3> vertices;
    /// Counter-clockwise seen from outside; closed: in a solid, each edge belongs to two. A flat polygon has
    /// the same triangles on both sides, so a border edge belongs to two and an inner edge to four.
    std::vector<glm::uvec3> triangles;
    /// Edges between faces that are not exactly coplanar, lower index first.
    std::vector<glm::uvec2> edges;
    /// Neighbors of vertex v along triangle edges: neighbors[neighbor_begin[v]] up to neighbor_begin[v + 1].
    std::vector<std::uint32_t> neighbor_begin;
    std::vector<std::uint32_t> neighbors;

    [[nodiscard]] bool is_empty() const noexcept { return vertices.empty(); }
    [[nodiscard]] double volume() const noexcept;
    [[nodiscard]] double surface_area() const noexcept;  ///< A flat hull counts on both sides.
    /// Centroid of the solid; of the polygon or segment where it is flat; zero when empty.
    [[nodiscard]] glm::vec3 centroid() const noexcept;
    /// The vertex farthest along `direction`, by hill climbing over neighbors from vertex `start`: about
    /// sqrt(vertices) steps, a few if `start` is the result for a similar direction. Its projection is the
    /// largest, unless rounded projections of the vertices around it are equal: the climb may end on such a
    /// plateau, a few roundings of double times the largest coordinate below. The hull must not be empty.
    [[nodiscard]] std::uint32_t support(const glm::vec3& direction, std::uint32_t start = 0) const noexcept;
    /// The same by testing every vertex; the oracle of `support`.
    [[nodiscard]] std::uint32_t support_brute_force(const glm::vec3& direction) const noexcept;
    /// Compares memberwise: the same solid with its vertices in another order is not equal.
    friend bool operator==(const Hull&, const Hull&) = default;
};

/// True iff `p` lies in the closed hull: decided exactly, by the signs of exact determinants. Cost: one test
/// per triangle.
[[nodiscard]] bool contains_point(const Hull& hull, const glm::vec3& p) noexcept;

/// Copies vertices, triangles and edges.
[[nodiscard]] Polytope polytope_of(const Hull& hull);

/// The hull with each vertex mapped and rounded to float. Rounding can leave a face nonconvex by one rounding
/// step; make a new hull of the mapped vertices where that matters. A mirror keeps triangles facing outward.
/// A matrix that is not finite, or an image beyond the largest float, gives the empty hull.
[[nodiscard]] Hull transformed(const Hull& hull, const glm::mat4x3& affine);

}  // namespace bv
