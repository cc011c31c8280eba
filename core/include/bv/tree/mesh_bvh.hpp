// A hierarchy of axis-aligned boxes over the triangles of a mesh: ray, nearest-point and overlap queries.
//
// A binary tree with adjacent siblings, built once and refitted when the mesh deforms. It keeps its own copy
// of the mesh, with triangles in the order of the leaves. Everything is in the mesh's own frame, in meters.
// `MeshBvh8` (in mesh_bvh_wide.hpp) is made from this tree and casts rays several times faster.
//
// Sources: Wald 2007 (binned SAH), Stich 2009 (spatial splits), Lauterbach 2009 (Morton), Meister 2018
// (PLOC), Bittner 2013 (reinsertion), Woop 2013 (watertight rays).
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <limits>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "bv/progress.hpp"
#include "bv/shapes/aabb.hpp"
#include "bv/shapes/ray.hpp"
#include "bv/shapes/triangle.hpp"
#include "bv/tasks.hpp"
#include "bv/trace/trace.hpp"
#include "bv/tree/query_stats.hpp"
#include "bv/tree/snapshot.hpp"

namespace bv {

/// The construction algorithm.
enum class MeshBuilder : std::uint8_t {
    Median,         ///< Halves by count along the longest axis of the centers.
    Morton,         ///< Splits where the highest bit of the centers' Morton codes changes: fastest to build.
    Agglomerative,  ///< Merges nearest neighbors along the Morton curve, bottom up (PLOC).
    BinnedSah,      ///< The cheapest of 16 planes per axis by the surface area heuristic.
    SweepSah,       ///< The cheapest of all splits between sorted centers: slowest to build.
};

struct MeshBvhOptions {
    MeshBuilder builder = MeshBuilder::BinnedSah;
    std::uint32_t max_leaf_triangles = 4;  ///< Clamped to 1..255. Leaves are smaller where that is cheaper.
    float traversal_cost =
        1.0f;  ///< Cost of visiting a node, relative to `intersection_cost`; clamped to 0..1e6.
    float intersection_cost = 1.0f;  ///< Cost of testing a triangle; same range.
    int reinsertion_rounds = 0;      ///< Passes after the build that move the tenth of the subtrees with the
                                     ///< largest boxes to where each adds the least area.
    /// If positive, planes may also split triangles, which adds up to this fraction of their number in
    /// references. Clamped to 4; 1 or 2 pays for long diagonal triangles, less is seldom enough. BinnedSah
    /// only, single-threaded; other builders ignore it.
    float spatial_splits = 0.0f;
    TaskRunner* tasks = nullptr;        ///< Threads for building, or null. The tree does not depend on them.
    BuildProgress* progress = nullptr;  ///< Receives progress and can request a stop; may be null.
};

enum class MeshBuildStatus : std::uint8_t {
    Ok,
    Empty,  ///< No triangle with finite corners: the tree has no nodes and every query finds nothing.
    IndexOutOfRange,   ///< A triangle refers to a missing vertex: nothing was built.
    TooLarge,          ///< 2^28 triangles or more.
    WrongVertexCount,  ///< refit: the number of positions changed, or that of a used vertex is not finite.
    Cancelled          ///< By `BuildProgress::cancel`: the tree is empty.
};

/// The ray-triangle test. Both modes are scale-free: no threshold is a length. Single precision where the
/// product of three lengths fits in a float: meshes larger than 2^-36 m, no coordinate of theirs or of the
/// ray's origin beyond 2^38 m, directions of 2^-40 to 2^40 m without subnormal components. All others use
/// bv::raycast for each triangle, in double, several times slower. (Triangles below 1e-11 m in a larger mesh
/// may be lost.)
enum class RayMode : std::uint8_t {
    /// May miss a hit within a few roundings of an edge. The t of a sliver, whose normal is mostly rounding,
    /// can be far off, even outside the mesh's box; one tree may cull such a hit and another find it.
    Fast,
    /// A ray never slips between two triangles that share an edge or a vertex, by index or by position. A
    /// hit's point on the triangle and at its t on the ray differ per axis by at most 2^-19 of the distance
    /// from the ray's origin to the farthest corner of the mesh, also where the triangle is seen edge-on, and
    /// every tree finds the same hits. Triangles without area, which close T-junctions in many meshes, keep
    /// them closed: a ray that rounding leads between their neighbors hits them. (In double, by bv::raycast,
    /// every ray misses them.)
    Watertight
};

/// A hit of a ray on the mesh. The point is (1 - u - v) a + u b + v c.
struct MeshHit {
    static constexpr std::uint32_t kNone = 0xffffffffu;
    float t = std::numeric_limits<float>::infinity();  ///< In multiples of the ray's direction.
    float u = 0, v = 0;
    std::uint32_t triangle = kNone;  ///< Its number in the input mesh.
    friend bool operator==(const MeshHit&, const MeshHit&) = default;
};

struct MeshRayResult {
    std::optional<MeshHit> hit;
    QueryStats stats;  ///< leaves_tested counts triangles.
};

/// The point of the mesh nearest to a query point.
struct MeshNearest {
    std::uint32_t triangle = MeshHit::kNone;
    glm::vec3 point{0.0f};
    float distance = std::numeric_limits<float>::infinity();
};

struct MeshNearestResult {
    std::optional<MeshNearest> nearest;
    QueryStats stats;
};

/// 32 bytes. Inner: children are nodes `first` and `first + 1`. Leaf: `count` > 0 references starting at
/// `first`.
struct MeshBvhNode {
    glm::vec3 min;
    std::uint32_t first;
    glm::vec3 max;
    std::uint32_t count;

    [[nodiscard]] bool is_leaf() const noexcept { return count != 0; }
    [[nodiscard]] Aabb box() const noexcept { return {min, max}; }
};

namespace detail {
struct MeshRef;
}

/// `const` members are safe from several threads at once.
class MeshBvh {
  public:
    MeshBvh() = default;
    MeshBvh(const MeshBvh&) = default;
    MeshBvh& operator=(const MeshBvh&) = default;
    /// A tree that is moved from is empty; one that is moved to itself does not change.
    MeshBvh(MeshBvh&& other) noexcept { swap(other); }
    MeshBvh& operator=(MeshBvh&& other) noexcept {
        MeshBvh taken(std::move(other));
        swap(taken);
        return *this;
    }
    ~MeshBvh() = default;

    /// Builds the tree of `mesh`, which is validated and copied. Triangles with a non-finite corner are
    /// skipped and counted in `skipped_triangles`. Triangles without area, duplicates and any number of equal
    /// centers are fine: the depth stays below 100 except with Agglomerative and re-insertion. After an error
    /// or cancellation the tree is empty. A rebuild reuses the memory of the previous tree. A cancelled build
    /// ends within the time of one pass over all references or one sort of them.
    MeshBuildStatus build(const MeshView& mesh, const MeshBvhOptions& options = {});
    /// The same tree. For a build with spatial splits, the trace has, per node, a `SplitEvaluated` for the
    /// best split of whole triangles and for each plane across an axis that was weighed against it (left is
    /// the lower side), another for the one that was chosen, if any, then one `ReferenceSplit` per triangle
    /// on both sides of a chosen plane. Nodes are numbered as in `nodes`, unless re-insertion moves them.
    /// Other builds leave the trace as it is.
    MeshBuildStatus build(const MeshView& mesh, const MeshBvhOptions& options, Recording& trace);
    /// Moves the vertices; recomputes the boxes bottom up and keeps the topology. Linear, no allocation,
    /// single-threaded. Precondition for Ok: as many positions as in the build, finite where a kept triangle
    /// uses them; otherwise the tree is unchanged. A tree with spatial splits gets the boxes of whole
    /// triangles, correct but larger.
    MeshBuildStatus refit(std::span<const glm::vec3> positions);

    /// The first hit with t_min <= t <= t_max; ties in t go to the lowest triangle number. Both sides count.
    /// Rays that are not finite or have no direction hit nothing. Triangles without area are hit only where
    /// rounding gives them one: in Fast mode by chance, in Watertight mode so that no ray slips through.
    [[nodiscard]] MeshRayResult raycast(const Ray& ray, RayMode mode = RayMode::Fast) const;
    /// The same result, with one `NodeVisited` for each node that was reached, culled or tested.
    [[nodiscard]] MeshRayResult raycast(const Ray& ray, RayMode mode, Recording& trace) const;
    /// True if the ray hits anything: `raycast(ray, mode).hit.has_value()`, sooner.
    [[nodiscard]] bool raycast_any(const Ray& ray, RayMode mode = RayMode::Fast) const;
    /// The same, with the hit that was found first, not necessarily the nearest, and the visits.
    [[nodiscard]] MeshRayResult raycast_any(const Ray& ray, RayMode mode, Recording& trace) const;
    /// Replaces `hits` by every hit, ordered by t and then by triangle number. In Fast mode a ray along an
    /// edge may find other hits than `raycast`. Allocates when `hits` grows.
    QueryStats raycast_all(const Ray& ray, std::vector<MeshHit>& hits, RayMode mode = RayMode::Fast) const;

    /// The geometric unit normal of the triangle that was hit, on the side from which its corners run
    /// counter-clockwise, whichever side the ray came from: `Triangle::normal` of the corners as last built
    /// or refitted. Zero for a triangle without area and for a number that is not in the tree. No search, no
    /// allocation.
    [[nodiscard]] glm::vec3 normal(const MeshHit& hit) const noexcept;

    /// The nearest point of the mesh no farther than `max_distance`; empty if there is none or `p` is not
    /// finite. Triangles without area count. Accurate to a few roundings of the coordinates relative to `p`.
    [[nodiscard]] MeshNearestResult closest_point(
        const glm::vec3& p, float max_distance = std::numeric_limits<float>::infinity()) const;
    [[nodiscard]] MeshNearestResult closest_point(const glm::vec3& p, float max_distance,
                                                  Recording& trace) const;
    /// Replaces `nearest` by the `count` nearest triangles, nearest first. O(log count) for each triangle
    /// that it visits. Allocates.
    QueryStats nearest_triangles(const glm::vec3& p, std::size_t count,
                                 std::vector<MeshNearest>& nearest) const;

    /// Calls `visitor(triangle_number)` once for each triangle that overlaps `volume`, in unspecified order;
    /// it may return false to stop. With spatial splits, one that overlaps only by rounding may be left out.
    /// Needs `overlap(Volume, Aabb)` and `overlap(Volume, Triangle)` in namespace bv.
    template <class Volume, class Visitor>
    QueryStats overlap_triangles(const Volume& volume, Visitor&& visitor) const;

    [[nodiscard]] bool empty() const noexcept { return nodes_.empty(); }
    [[nodiscard]] Aabb bounds() const noexcept { return empty() ? Aabb{} : nodes_[0].box(); }
    [[nodiscard]] std::uint32_t skipped_triangles() const noexcept { return skipped_; }
    [[nodiscard]] std::span<const MeshBvhNode> nodes() const noexcept { return nodes_; }
    /// The triangle number in the mesh of each reference, in the order of the leaves. Spatial splits repeat
    /// numbers.
    [[nodiscard]] std::span<const std::uint32_t> references() const noexcept { return ids_; }
    [[nodiscard]] bool has_repeated_references() const noexcept { return repeated_; }
    /// The triangle of reference `i`.
    [[nodiscard]] Triangle triangle(std::size_t i) const noexcept {
        const glm::uvec3 t = corners_[i];
        return {position(t.x), position(t.y), position(t.z)};
    }
    [[nodiscard]] TreeSnapshot snapshot() const;
    /// True if every box contains its children or triangles, every kept triangle is present, and the indices
    /// form one tree. For tests.
    [[nodiscard]] bool validate() const;
    [[nodiscard]] std::size_t memory_bytes() const noexcept;

  private:
    struct alignas(16) Padded {
        float x, y, z, w;
    };

    friend class MeshBvhBuild;

    template <class Sink>
    MeshBuildStatus build_impl(const MeshView& mesh, const MeshBvhOptions& options, Sink& sink);
    /// Copies the mesh and makes references to its triangles. Not Ok: the tree is empty.
    MeshBuildStatus begin_build(const MeshView& mesh, std::vector<detail::MeshRef>& refs);
    /// The steps after the nodes have been made.
    MeshBuildStatus finish_build(const MeshView& mesh, const MeshBvhOptions& options,
                                 std::vector<detail::MeshRef>& refs, BuildProgress& progress);
    /// Makes this tree empty and keeps its memory for the next one.
    void clear() noexcept;
    MeshBuildStatus cancel_build() noexcept;
    void swap(MeshBvh& other) noexcept;
    [[nodiscard]] glm::vec3 position(std::uint32_t i) const noexcept {
        return {positions_[i].x, positions_[i].y, positions_[i].z};
    }

    std::vector<MeshBvhNode> nodes_;  ///< Children come after their parents.
    std::vector<std::uint32_t> ids_;
    std::vector<glm::uvec3> corners_;          ///< Per reference.
    std::vector<Padded> positions_;            ///< Padded for whole-register loads.
    std::vector<std::uint32_t> reference_of_;  ///< Per triangle of the mesh, a reference to it, or kNone.
    std::uint32_t kept_ = 0;
    std::uint32_t skipped_ = 0;
    bool repeated_ = false;
};

template <class Volume, class Visitor>
QueryStats MeshBvh::overlap_triangles(const Volume& volume, Visitor&& visitor) const {
    QueryStats stats;
    if (empty()) return stats;
    std::vector<std::uint32_t> stack{0};
    std::unordered_set<std::uint32_t> seen;  // only needed where references repeat
    ++stats.boxes_tested;
    if (!overlap(volume, nodes_[0].box())) return stats;
    while (!stack.empty()) {
        const MeshBvhNode& node = nodes_[stack.back()];
        stack.pop_back();
        ++stats.nodes_visited;
        if (!node.is_leaf()) {
            for (std::uint32_t child = node.first; child < node.first + 2; ++child) {
                ++stats.boxes_tested;
                if (overlap(volume, nodes_[child].box())) stack.push_back(child);
            }
            continue;
        }
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
            ++stats.leaves_tested;
            if (!overlap(volume, triangle(i))) continue;
            if (repeated_ && !seen.insert(ids_[i]).second) continue;
            ++stats.hits;
            if (!visitor(ids_[i])) return stats;
        }
    }
    return stats;
}

}  // namespace bv
