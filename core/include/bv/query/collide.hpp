// Mesh against mesh: whether two posed meshes touch, in which triangles and along which segments, and their
// distance if not.
//
// Both trees are traversed simultaneously. One mesh's boxes are mapped into the frame of the other, node by
// node: no vertex is transformed before its leaf is reached. Boxes are tested by the separating axes of both
// frames, eight at a time; triangles are filtered four at a time and then decided exactly.
//
// Accuracy: the vertices of B are mapped into A's frame in single precision, `p -> M p + t` with M and t
// rounded from double; the test whether two triangles share a point is then exact for those floats. So a
// result can differ from exact arithmetic on the given poses only for pairs within 1e-6 of the size of the
// scene (the largest coordinate of both meshes and of t) of touching. Sources: Gottschalk 1996; Ericson 2005,
// chapter 6.
#pragma once

#include <cstdint>
#include <glm/mat4x3.hpp>
#include <glm/vec3.hpp>
#include <limits>
#include <optional>
#include <vector>

#include "bv/shapes/ray.hpp"
#include "bv/tree/mesh_bvh_wide.hpp"

namespace bv {

/// A mesh's pose in the world: `x -> M x + t`. Columns 0..2 of the matrix are M, a rotation times a uniform
/// scale above 0 (orthogonal and of one length, to 1e-4 of it); column 3 is t. One tree per mesh is enough
/// for bodies of all sizes. A pose that is not finite, or of scale 0, touches nothing; nor do two poses with
/// such a `relative_pose`.
using Pose = glm::mat4x3;

/// Triangle numbers in the two meshes.
struct TrianglePair {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a pointer in the 0 of <=>.
    friend auto operator<=>(const TrianglePair&, const TrianglePair&) = default;
};

/// The intersection of two triangles, in world space. For coplanar pairs, or if one has no area, both
/// ends are a point that they share.
struct ContactSegment {
    TrianglePair triangles;
    Segment segment;
};

/// Counts are modulo 2^32.
struct CollideStats {
    std::uint32_t box_pairs = 0;       ///< Pairs of boxes tested.
    std::uint32_t triangle_pairs = 0;  ///< Pairs of triangles that reached the exact test.
    std::uint32_t hits = 0;            ///< Of those, pairs that touch.
    bool from_cache = false;           ///< The cached witness decided: no tree was traversed.
};

struct CollideResult {
    bool touching = false;
    CollideStats stats;
};

/// Temporal coherence: the witness of the last result for two meshes, tested first the next time. Keep one
/// per pair of bodies. Any cache, even one of other meshes, gives correct results.
struct CollideCache {
    std::uint32_t block_a = 0xffffffffu, block_b = 0xffffffffu;  ///< Blocks with a pair that touched.
    int axis = -1;  ///< The face axis that separated the roots: 0..2 of A, 3..5 of B.
};

/// Tests whether the meshes share a point. Surfaces only: a mesh inside another without contact does not
/// touch it. No allocation except for very deep trees.
[[nodiscard]] CollideResult collide(const MeshBvh8& a, const Pose& pose_a, const MeshBvh8& b,
                                    const Pose& pose_b, CollideCache* cache = nullptr);

/// Replaces `pairs` by all pairs of triangles that share a point, sorted, each once.
CollideStats collide_pairs(const MeshBvh8& a, const Pose& pose_a, const MeshBvh8& b, const Pose& pose_b,
                           std::vector<TrianglePair>& pairs);

/// The same, with the intersection segment of each pair.
CollideStats collide_segments(const MeshBvh8& a, const Pose& pose_a, const MeshBvh8& b, const Pose& pose_b,
                              std::vector<ContactSegment>& contacts);

/// The nearest points of two meshes, in world space.
struct MeshDistance {
    float distance = 0;  ///< 0 if they touch.
    glm::vec3 point_a{0.0f};
    glm::vec3 point_b{0.0f};
    TrianglePair triangles;
};
struct MeshDistanceResult {
    std::optional<MeshDistance> nearest;
    CollideStats stats;
};
/// The distance of the surfaces and the points at that distance; empty if it exceeds `max_distance`, a mesh
/// is empty or a pose is not finite or of scale 0. Accurate to 1e-6 of the size of the scene, which includes
/// the distance: if several pairs are equally far apart to within that, any of them may be the result. Branch
/// and bound over pairs of nodes; no allocation except for very deep trees, 64 KiB of stack. Lengths are
/// measured in A's frame: if its M is no rotation to 1e-6, they deviate by as much. Source: Larsen 1999.
[[nodiscard]] MeshDistanceResult mesh_distance(const MeshBvh& a, const Pose& pose_a, const MeshBvh& b,
                                               const Pose& pose_b,
                                               float max_distance = std::numeric_limits<float>::infinity());

/// B's frame relative to A's: the map that `collide` applies to B's vertices. Computed in double, then
/// rounded; infinite if A's scale is 0.
[[nodiscard]] Pose relative_pose(const Pose& pose_a, const Pose& pose_b) noexcept;
/// `M p + t`, in the same order of operations as everywhere in the library.
[[nodiscard]] inline glm::vec3 apply(const Pose& pose, const glm::vec3& p) noexcept {
    const auto row = [&](int i) {
        return ((pose[0][i] * p.x + pose[1][i] * p.y) + pose[2][i] * p.z) + pose[3][i];
    };
    return {row(0), row(1), row(2)};
}
[[nodiscard]] inline Triangle apply(const Pose& pose, const Triangle& t) noexcept {
    return {apply(pose, t.a), apply(pose, t.b), apply(pose, t.c)};
}

}  // namespace bv
