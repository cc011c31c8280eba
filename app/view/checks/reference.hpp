// Slow and plain answers in double precision, to hold the fast ones against: volumes, rays, meshes and
// voxels. Nothing here asks the library whether shapes meet; only their numbers are read.
//
// The fast answers are rounded. Where a pair is within a stated band of touching, either answer is right.
// World frame, metres.
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

/// Whether a fast answer is right.
[[nodiscard]] constexpr bool accepts(Answer answer, bool found) {
    return answer == Answer::Either || (answer == Answer::Yes) == found;
}

/// All points within `radius` of a core, which is a box unless it has corners of its own. A ball is one
/// around a box of size 0, a capsule one around a box with a length alone.
struct Solid {
    glm::dvec3 center{0.0};
    glm::dmat3 axes{1.0};  ///< Columns.
    glm::dvec3 half{0.0};
    double radius = 0.0;
    std::vector<glm::dvec3> corners;  ///< Of a hull: then the box only goes around them.
    /// Of a k-DOP: it lies between two bounds along each of these directions. The box goes around it.
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
/// Boxes and balls by the distance of a center from a box, or by the 15 axes that can part two boxes. Two
/// k-DOPs of the same directions along each of them, exactly. All others by walking the difference of the
/// solids towards the origin [Frank 1956]: away from it a plane that parts them proves No; that they overlap
/// is proven with cores made smaller by the band. The band is 1e-12 of the solids' size; where one is turned
/// or has corners, 1e-5 of it, since such pairs are decided in single precision: along the cross of two edges
/// with the angle e between them that is a gap of 1e-5 / sin(e). What the walk does not decide in time is
/// Either.
[[nodiscard]] Answer overlap(const Solid& a, const Solid& b);
/// Exact.
[[nodiscard]] bool overlap(const bv::Aabb& a, const bv::Aabb& b);

/// Whether each of some of the body's volumes and its box in the broadphase contain every corner of its
/// mesh's hull; else what sticks out. The band is what rounding takes a corner elsewhere.
[[nodiscard]] std::optional<std::string> check_volumes(const World& world, const Body& body, VolumeSet kinds);

/// What is wrong with the answer to a ray; nothing if it is right. Every triangle of every body that is not
/// hidden is looked at. A triangle is surely hit farther than the band inside of its edges: 4e-6 of the way
/// and the mesh's size, more the flatter the ray meets it.
[[nodiscard]] std::optional<std::string> check_ray(const World& world, const RayQuery& found);

/// Triangle pairs that `meshes_touch` looks at.
[[nodiscard]] std::uint64_t triangle_pairs(const MeshLibrary& meshes, const BodyState& a, const BodyState& b);
/// Whether the surfaces share a point, by every triangle of one against every triangle of the other. The band
/// is 4e-6 of the size of both and their distance.
[[nodiscard]] Answer meshes_touch(const MeshLibrary& meshes, const BodyState& a, const BodyState& b);

/// Whether filled voxels share a point, cube against cube. The band is 1e-5 of a voxel.
[[nodiscard]] Answer voxels_touch(const bv::VoxelGrid& a, const bv::RigidTransform& pose_a,
                                  const bv::VoxelGrid& b, const bv::RigidTransform& pose_b);

/// What is wrong with a tree over the bodies: a body that is missing, there twice or outside of its leaf, a
/// node outside of its parent. Nothing if all is well. Exact.
[[nodiscard]] std::optional<std::string> check_tree(const World& world, const bv::TreeSnapshot& tree);

}  // namespace lab::reference
