// The four volumes that every body carries: carried along from the mesh's frame, compared, and hit by rays.
#pragma once

#include <optional>
#include <string_view>

#include "bv/shapes/ray.hpp"
#include "sandbox/frame_results.hpp"
#include "sandbox/mesh_library.hpp"

namespace lab {

enum class VolumeKind : unsigned char { Sphere, AabbFixed, AabbTight, Obb };

/// By the id of the setting's choice: `sphere`, `aabb_fixed`, `aabb_tight`, `obb`.
std::optional<VolumeKind> volume_kind(std::string_view id);
std::string_view volume_id(VolumeKind kind);

/// Sets transform and volumes of `body` from where it stands. Every volume contains every vertex of the mesh
/// as `transform` maps it in single precision.
void refit(BodyState& body, const glm::vec3& position, const glm::quat& orientation, const MeshEntry& mesh);

bool volumes_overlap(VolumeKind kind, const BodyState& a, const BodyState& b);

/// An axis-aligned box that contains the chosen volume and the mesh: what the broadphase holds, so that no
/// pair of volumes and no hit can be lost there.
bv::Aabb broad_box(VolumeKind kind, const BodyState& body);

/// Whether the ray meets the chosen volume within its t_max.
bool ray_meets(VolumeKind kind, const bv::Ray& ray, const BodyState& body);

}  // namespace lab
