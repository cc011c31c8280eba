// Volumes of bodies: transforms them from the mesh's frame, tests pairs, and casts rays against them, for
// each kind as its row in settings/volume_table.hpp says.
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

/// Updates the body's transform from its position and orientation.
void place_mesh(Body& body);

/// A volume of the body at its current transform, fitted by the algorithm in `body.state.volumes`. The first
/// call for a mesh fits it, which can take seconds; see MeshEntry::fitted.
[[nodiscard]] BodyVolume placed_volume(VolumeKind kind, const Body& body, const MeshEntry& mesh);
/// The same, written to the body's element in a column of that kind, whose memory is reused.
void place_volume(VolumeColumn& column, std::size_t place, VolumeKind kind, const Body& body,
                  const MeshEntry& mesh);

/// The same for all bodies for whose index `wanted` returns true; it is called on any thread. Other elements
/// stay unchanged. Readers that share the column keep the old values.
void refit_volumes(VolumeColumn& column, VolumeKind kind, std::span<const Body> bodies,
                   const MeshLibrary& meshes, bv::FunctionRef<bool(std::size_t)> wanted);

/// True if two solids, of the same or different kinds, share a point. Two k-DOPs of the same directions are
/// compared interval by interval; all other pairs as solids: spheres and boxes by bv/query/overlap.hpp,
/// everything else by GJK. No touching pair is missed.
[[nodiscard]] bool overlap(const BodyVolume& a, const BodyVolume& b);
/// The same within one column, by the indices of two bodies.
[[nodiscard]] bool overlap(const VolumeColumn& column, std::size_t a, std::size_t b);
/// Appends to `out` the pairs whose chosen volumes overlap. `kinds` has the kind chosen for each body, by the
/// body's index; `place_of_id` has the index for each id.
void find_overlapping(const BodyVolumes& volumes, std::span<const VolumeKind> kinds,
                      std::span<const std::uint32_t> place_of_id, std::span<const BodyPair> candidates,
                      std::vector<BodyPair>& out);

/// The same shape as one of core's volumes.
[[nodiscard]] bv::fit::Volume fit_volume(const VolumeColumn& column, std::size_t place);
/// The distance that tests add to the volume from `fit_volume`: the slack of a hull, 0 for all others.
[[nodiscard]] float test_slack(const VolumeColumn& column, std::size_t place);

/// The shape to draw: boxes and round volumes as they are, all others as polytopes.
[[nodiscard]] ExhibitShape exhibit_shape(const bv::fit::Volume& volume);

/// An AABB that contains both a volume and the mesh in its `tight` box. The broadphase holds it, so that it
/// loses neither a pair of volumes nor a hit.
[[nodiscard]] bv::Aabb broad_box(VolumeKind kind, const VolumeColumn& column, std::size_t place,
                                 const bv::Aabb& tight);

/// True if the ray hits the volume within its t_max.
[[nodiscard]] bool ray_meets(const bv::Ray& ray, const VolumeColumn& column, std::size_t place);

}  // namespace lab
