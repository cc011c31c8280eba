// The four volumes that every body carries: carried along from the mesh's frame, compared, and hit by rays.
#pragma once

#include "bv/shapes/ray.hpp"
#include "results/frame_results.hpp"
#include "world/mesh_library.hpp"

namespace lab {

/// Sets transform and volumes of `body` from where it stands, fitted as `body.volumes` says. Every volume
/// contains every vertex of the mesh as `transform` maps it in single precision.
void refit(BodyState& body, const glm::vec3& position, const glm::quat& orientation, const MeshEntry& mesh);

/// Of each body the volume that `volumes.kind` says; the two may be of different kinds.
bool volumes_overlap(const BodyState& a, const BodyState& b);

/// An axis-aligned box that contains the body's chosen volume and its mesh: what the broadphase holds, so
/// that no pair of volumes and no hit can be lost there.
bv::Aabb broad_box(const BodyState& body);

/// Whether the ray meets the body's chosen volume within its t_max.
bool ray_meets(const bv::Ray& ray, const BodyState& body);

}  // namespace lab
