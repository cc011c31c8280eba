// Slow and simple answers in double precision, to compare the fast ones with: volumes, rays, meshes and
// voxels. An independent oracle: it reads the numbers of shapes and calls no test of the library.
//
// The fast answers are rounded: within a stated band of touching, either answer is right. World frame,
// metres.
#pragma once

#include <cstdint>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bv/query/voxels.hpp"
#include "world/world.hpp"

namespace lab::reference {

enum class Answer : unsigned char { No, Yes, Either };

/// True if a fast answer is right.
[[nodiscard]] constexpr bool accepts(Answer answer, bool found) {
    return answer == Answer::Either || (answer == Answer::Yes) == found;
}

/// All points within `radius` of a core: a box, or the hull of `corners`. The core of a ball is a box of size
/// 0, that of a capsule a box with length only.
struct Solid {
    glm::dvec3 center{0.0};
    glm::dmat3 axes{1.0};  ///< Columns.
    glm::dvec3 half{0.0};
    double radius = 0.0;
    std::vector<glm::dvec3> corners;  ///< For a hull, of which the box is only a bound.
    /// For a k-DOP: its bounds along each direction. The box is only a bound.
    struct Slab {
        glm::dvec3 direction;
        double min, max;
        friend bool operator==(const Slab&, const Slab&) = default;
    };
    std::vector<Slab> slabs;
    bool turned = false;  ///< Its axes are rounded.
    bool empty = false;
};
[[nodiscard]] Solid solid_of(const BodyVolume& volume);
/// A volume of a body, in the numbers that the fast tests read.
[[nodiscard]] Solid solid_of(const World& world, const Body& body, VolumeKind kind);
/// Boxes and balls: by the distance of a center from a box, or by the 15 separating axes of two boxes. Two
/// k-DOPs of the same directions: exactly, along each. All others: by descending in the difference of the
/// solids towards the origin [Frank 1956]: a separating plane proves No; an overlap of cores shrunk by the
/// band proves Yes. The band is 1e-12 of the solids' size, or 1e-5 if one is rotated or has corners, since
/// such pairs are decided in single precision: along the cross product of two edges at an angle e that is a
/// gap of 1e-5 / sin(e). If the descent takes too long the answer is Either.
[[nodiscard]] Answer overlap(const Solid& a, const Solid& b);
/// Exact.
[[nodiscard]] bool overlap(const bv::Aabb& a, const bv::Aabb& b);

/// Checks that the given volumes of a body and its box in the broadphase contain every vertex of its mesh's
/// hull; returns the first that does not. The band is the rounding error of a vertex.
[[nodiscard]] std::optional<std::string> check_volumes(const World& world, const Body& body, VolumeSet kinds);

/// The first error in the result of a ray; empty if it is right. Tests every triangle of every visible body.
/// A triangle is certainly hit beyond the band inside of its edges: 4e-6 of the distance and the mesh's size,
/// more at grazing angles.
[[nodiscard]] std::optional<std::string> check_ray(const World& world, const RayQuery& found);

/// The number of triangle pairs that `meshes_touch` tests.
[[nodiscard]] std::uint64_t triangle_pairs(const MeshLibrary& meshes, const BodyState& a, const BodyState& b);
/// Whether the surfaces share a point: every triangle of one against every triangle of the other. The band is
/// 4e-6 of the sizes and the distance.
[[nodiscard]] Answer meshes_touch(const MeshLibrary& meshes, const BodyState& a, const BodyState& b);

/// Whether filled voxels share a point: every cube against every cube. The band is 1e-5 of a voxel.
[[nodiscard]] Answer voxels_touch(const bv::VoxelGrid& a, const bv::RigidTransform& pose_a,
                                  const bv::VoxelGrid& b, const bv::RigidTransform& pose_b);

/// The first error in a tree over the bodies: a body missing, duplicated or outside of its leaf, a node
/// outside of its parent. Empty if it is right. Exact.
[[nodiscard]] std::optional<std::string> check_tree(const World& world, const bv::TreeSnapshot& tree);

}  // namespace lab::reference
