// A binary space partition of a mesh: planes split space, and with it the triangles, until every cell is
// entirely inside or outside. It classifies a point as inside or outside a closed mesh, finds the first
// triangle along a ray, and lists the pieces of the surface from back to front for any viewer.
//
// Splitting planes are those of triangles, so that no part of the surface is left inside a cell; where these
// would make a long chain, as on round shapes, an axis-aligned median plane may split first. Pieces in a
// plane stay at its node. The front of a triangle's plane, to which its normal points (corners
// counter-clockwise), is outside. Everything is in the mesh's own frame, in meters; computed in double
// precision. Sources: Fuchs 1980 (order of visibility), Thibault 1987 (solids), Ericson 2005, chapter 8.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <utility>
#include <vector>

#include "bv/function_ref.hpp"
#include "bv/progress.hpp"
#include "bv/shapes/aabb.hpp"
#include "bv/shapes/ray.hpp"
#include "bv/shapes/triangle.hpp"
#include "bv/trace/trace.hpp"
#include "bv/tree/mesh_bvh.hpp"
#include "bv/tree/query_stats.hpp"
#include "bv/tree/snapshot.hpp"

namespace bv {

/// The candidates for splitting planes.
enum class BspPlanes : std::uint8_t {
    Triangles,         ///< Planes of triangles only: fewest pieces, a chain on convex meshes.
    TrianglesAndAxes,  ///< Also median planes across each axis.
};

/// Numbers are clamped to their range; NaN counts as the default.
struct BspOptions {
    BspPlanes planes = BspPlanes::TrianglesAndAxes;
    std::uint32_t candidates = 16;  ///< Triangle planes evaluated per node; 0 counts as 1.
    /// A plane costs `split_cost` per piece that it cuts plus `imbalance_cost` times the difference of the
    /// counts on both sides. The cheapest is chosen. Both 0 to 1e6.
    float split_cost = 8.0f;
    float imbalance_cost = 1.0f;
    std::uint32_t max_depth = 64;  ///< Cells at this depth are not split, however many pieces they hold.
    /// Maximum number of pieces over that of triangles; once reached, the remaining cells are not split. 1 to
    /// 1e6.
    float max_fragments_per_triangle = 8.0f;
    /// Thickness of planes, as a fraction of half the longest edge of the mesh's box: points within it count
    /// as coplanar, and what is thinner has no inside. 0 to 0.01; but planes are at least as thick as corners
    /// are rounded: 2^-22 of the largest coordinate.
    float tolerance = 1e-6f;
    BuildProgress* progress = nullptr;  ///< As in MeshBvhOptions.
};

/// The location of a point. Boundary: on the surface, to within the tolerance. Far from the origin, where
/// rounded corners tilt planes, a point in the plane of a triangle can rarely count as Boundary beyond its
/// edges, too.
enum class BspSide : std::uint8_t { Outside, Inside, Boundary };

/// A piece of a triangle: convex, corners in the triangle's order.
struct BspFragment {
    std::uint32_t triangle = 0;
    std::uint32_t first_corner = 0;
    std::uint32_t corner_count = 0;
};

/// Decodes a child word: a node or a cell.
struct BspNode {
    static constexpr std::uint32_t kOutside = 0xffffffffu;
    static constexpr std::uint32_t kInside = 0xfffffffeu;
    static constexpr std::uint32_t kCell = 0x80000000u;  ///< Plus the number of an unsplit cell.

    glm::dvec3 normal{0.0};  ///< Unit length.
    double offset = 0;       ///< dot(normal, x) == offset
    std::uint32_t front = kOutside;
    std::uint32_t back = kInside;
    std::uint32_t first = 0;  ///< Fragments in the plane.
    std::uint32_t count = 0;
    Aabb box;  ///< Bounds of all fragments here and below.
};

/// A cell that a limit left unsplit.
struct BspCell {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    Aabb box;
};

/// `const` members are safe from several threads at once.
class BspTree {
  public:
    BspTree() = default;
    BspTree(const BspTree&) = default;
    BspTree& operator=(const BspTree&) = default;
    /// A tree that is moved from is empty; one that is moved to itself does not change.
    BspTree(BspTree&& other) noexcept { swap(other); }
    BspTree& operator=(BspTree&& other) noexcept {
        BspTree taken(std::move(other));
        swap(taken);
        return *this;
    }
    ~BspTree() = default;

    /// Builds the tree of `mesh`, which is validated and copied. Triangles without area or with a non-finite
    /// corner are skipped and counted in `skipped_triangles`; equal ones share a node. After an error or
    /// cancellation the tree is empty; where all were skipped, they stay counted. Cost: triangles times
    /// candidates times depth; allocates.
    MeshBuildStatus build(const MeshView& mesh, const BspOptions& options = {});
    /// The same tree, with one `SplitEvaluated` per plane evaluated and another for the chosen one: its axis
    /// is the one nearest to the plane's normal, the counts are the pieces in front and behind; cut pieces
    /// count in both. Then one `PieceSorted` for each piece of the node. Nodes are numbered as in `nodes`.
    MeshBuildStatus build(const MeshView& mesh, const BspOptions& options, Recording& trace);

    /// Correct for closed meshes whose triangles do not cross one another; for others, the side of the
    /// nearest surface in the point's cell. Points that are not finite, and any point of an empty tree, are
    /// Outside.
    [[nodiscard]] BspSide classify(const glm::vec3& p) const;
    /// With one `PlaneTested` per node on the way, numbered as the nodes are.
    [[nodiscard]] BspSide classify(const glm::vec3& p, Recording& trace) const;
    /// As MeshBvh::raycast over the triangles that the tree kept. Watertight: the same hit, bit for bit.
    /// Fast: the same test of each triangle, but a sliver's hit that one tree culls the other may find (see
    /// RayMode).
    [[nodiscard]] MeshRayResult raycast(const Ray& ray, RayMode mode = RayMode::Fast) const;
    /// With one `NodeVisited` per node; t_enter is where the ray enters the node's cell.
    [[nodiscard]] MeshRayResult raycast(const Ray& ray, RayMode mode, Recording& trace) const;
    /// Calls `visit(fragment number)` for all fragments in such an order that none is hidden by an earlier
    /// one, seen from `eye`. Within an unsplit cell the order is unspecified.
    void back_to_front(const glm::vec3& eye, FunctionRef<void(std::uint32_t)> visit) const;
    /// With one `PlaneTested` per node, numbered as the nodes are, and one `PieceListed` per fragment.
    void back_to_front(const glm::vec3& eye, FunctionRef<void(std::uint32_t)> visit, Recording& trace) const;
    /// The reverse: none is hidden by a later one.
    void front_to_back(const glm::vec3& eye, FunctionRef<void(std::uint32_t)> visit) const;
    void front_to_back(const glm::vec3& eye, FunctionRef<void(std::uint32_t)> visit, Recording& trace) const;

    [[nodiscard]] bool empty() const noexcept { return nodes_.empty() && cells_.empty(); }
    /// The child word where every walk begins, as in BspNode; kOutside for an empty tree.
    [[nodiscard]] std::uint32_t root() const noexcept { return root_; }
    [[nodiscard]] std::span<const BspNode> nodes() const noexcept { return nodes_; }
    /// Cells that a limit left unsplit.
    [[nodiscard]] std::span<const BspCell> cells() const noexcept { return cells_; }
    [[nodiscard]] std::span<const BspFragment> fragments() const noexcept { return fragments_; }
    [[nodiscard]] std::span<const glm::vec3> corners(const BspFragment& f) const noexcept {
        return {corners_.data() + f.first_corner, f.corner_count};
    }
    [[nodiscard]] std::uint32_t skipped_triangles() const noexcept { return skipped_; }
    /// The distance within which points count as in a plane.
    [[nodiscard]] double tolerance() const noexcept { return tolerance_; }
    /// Boxes of the fragments in and below each node. Those in a node's plane form a leaf of their own
    /// between its front and its back; empty cells are omitted. Payloads are triangle numbers.
    [[nodiscard]] TreeSnapshot snapshot() const;

  private:
    friend class BspBuilder;
    void end_build(MeshBuildStatus status);

    void swap(BspTree& other) noexcept;

    template <class Sink>
    MeshRayResult cast(const Ray& ray, RayMode mode, Sink& sink) const;
    template <class AnyRay, class Sink>
    MeshRayResult cast(const Ray& given, AnyRay ray, RayMode mode, Sink& sink) const;
    template <class Sink>
    [[nodiscard]] BspSide find_side(const glm::vec3& p, Sink& sink) const;
    template <class Sink>
    void list(const glm::vec3& eye, bool front_first, FunctionRef<void(std::uint32_t)> visit,
              Sink& sink) const;
    [[nodiscard]] BspSide classify_in_cell(const glm::dvec3& p, const BspCell& cell) const;

    std::vector<BspNode> nodes_;
    std::vector<BspCell> cells_;
    std::vector<BspFragment> fragments_;
    std::vector<glm::vec3> corners_;
    std::vector<Triangle> triangles_;  ///< As given, by number.
    Aabb bounds_;                      ///< Bounds of all finite triangles.
    std::uint32_t root_ = BspNode::kOutside;
    std::uint32_t skipped_ = 0;
    double tolerance_ = 0;
};

}  // namespace bv
