// The volumes of bodies: carried along from the mesh's frame, compared, and hit by rays, each as its row in
// settings/volume_table.hpp says.
//
// Every volume contains every vertex of the mesh as the body's `transform` maps it in single precision; a
// hull does so within its `slack`, which its tests add.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bv/function_ref.hpp"
#include "bv/shapes/ray.hpp"
#include "results/body_volumes.hpp"
#include "world/bodies/body.hpp"
#include "world/mesh_library.hpp"

namespace lab {

/// Sets the body's transform from where it stands.
void place_mesh(Body& body);

/// A volume of the body where `place_mesh` has put it, fitted as `body.state.volumes` says. The first call
/// for a mesh fits, which can take seconds; see MeshEntry::fitted.
[[nodiscard]] BodyVolume placed_volume(VolumeKind kind, const Body& body, const MeshEntry& mesh);
/// The same, written to the body's place in a column of that kind. Memory that the element holds is used
/// again.
void place_volume(VolumeColumn& column, std::size_t place, VolumeKind kind, const Body& body,
                  const MeshEntry& mesh);

/// The same for all bodies that are `wanted`, by place; elements of others are left as they are. Readers of
/// the column keep what they have.
void refit_volumes(VolumeColumn& column, VolumeKind kind, std::span<const Body> bodies,
                   const MeshLibrary& meshes, bv::FunctionRef<bool(std::size_t)> wanted);

/// Whether two solids share a point; they may be of different kinds. Two k-DOPs of the same directions are
/// compared interval by interval, all others as the solids they are: spheres and boxes by the tests of
/// bv/query/overlap.hpp, everything else by GJK. No pair that touches is missed.
[[nodiscard]] bool overlap(const BodyVolume& a, const BodyVolume& b);
/// Of one kind, by the places of two bodies.
[[nodiscard]] bool overlap(const VolumeColumn& column, std::size_t a, std::size_t b);
/// Adds to `out` each pair of which the volumes that decide overlap. `place_of_id` is where each body stands.
void find_overlapping(const BodyVolumes& volumes, std::span<const Body> bodies,
                      std::span<const std::uint32_t> place_of_id, std::span<const BodyPair> candidates,
                      std::vector<BodyPair>& out);

/// The same shape as one of core's volumes.
[[nodiscard]] bv::fit::Volume fit_volume(const VolumeColumn& column, std::size_t place);

/// How a volume is drawn: flat ones as polytopes, but for boxes, and round ones as what they are.
[[nodiscard]] ExhibitShape exhibit_shape(const bv::fit::Volume& volume);

/// An axis-aligned box that contains a volume and the mesh in its `tight` box: what the broadphase holds, so
/// that no pair of volumes and no hit can be lost there.
[[nodiscard]] bv::Aabb broad_box(VolumeKind kind, const VolumeColumn& column, std::size_t place,
                                 const bv::Aabb& tight);

/// Whether the ray meets the volume within its t_max.
[[nodiscard]] bool ray_meets(const bv::Ray& ray, const VolumeColumn& column, std::size_t place);

}  // namespace lab
