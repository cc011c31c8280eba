#include "sandbox/volumes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <limits>

#include "bv/fit/aabb.hpp"
#include "bv/query/overlap.hpp"
#include "bv/query/raycast.hpp"

namespace lab {
namespace {

constexpr std::array<std::string_view, 4> kIds = {"sphere", "aabb_fixed", "aabb_tight", "obb"};

/// More than all roundings together of carrying one vertex of `mesh` into the world: about ten operations on
/// numbers no larger than the result's bound.
float rounding_slack(const MeshEntry& mesh, float scale, const glm::vec3& position) {
    const glm::vec3 reach = glm::max(glm::abs(mesh.aabb_tight.min), glm::abs(mesh.aabb_tight.max));
    const float local = scale * (reach.x + reach.y + reach.z);
    const glm::vec3 p = glm::abs(position);
    return 8.0f * std::numeric_limits<float>::epsilon() * (local + std::max({p.x, p.y, p.z}));
}

/// An axis-aligned box around every corner of `box`, however they are rounded.
bv::Aabb box_around(const bv::Obb& box) {
    const glm::vec3 half = glm::abs(box.axes[0]) * box.half_extents.x +
                           glm::abs(box.axes[1]) * box.half_extents.y +
                           glm::abs(box.axes[2]) * box.half_extents.z;
    const glm::vec3 out = half + 4.0f * std::numeric_limits<float>::epsilon() * (glm::abs(box.center) + half);
    return {box.center - out, box.center + out};
}

}  // namespace

std::optional<VolumeKind> volume_kind(std::string_view id) {
    for (std::size_t i = 0; i < kIds.size(); ++i)
        if (kIds[i] == id) return static_cast<VolumeKind>(i);
    return std::nullopt;
}

std::string_view volume_id(VolumeKind kind) {
    return kIds[static_cast<std::size_t>(kind)];
}

void refit(BodyState& body, const glm::vec3& position, const glm::quat& orientation, const MeshEntry& mesh) {
    const glm::mat3 rotation = glm::mat3_cast(orientation);
    const float scale = body.scale;
    body.transform = glm::mat4x3(rotation[0] * scale, rotation[1] * scale, rotation[2] * scale, position);
    const auto place = [&](const glm::vec3& p) { return body.transform * glm::vec4(p, 1.0f); };
    const float slack = rounding_slack(mesh, scale, position);

    body.sphere = mesh.sphere;
    if (!mesh.sphere.is_empty())
        body.sphere = {place(mesh.sphere.center), mesh.sphere.radius * scale + 2.0f * slack};
    body.aabb_fixed = bv::fit::aabb_fixed(body.sphere);

    body.aabb_tight = {};
    for (const glm::vec3& extreme : mesh.extremes) {
        const glm::vec3 p = place(extreme);
        body.aabb_tight.min = glm::min(body.aabb_tight.min, p);
        body.aabb_tight.max = glm::max(body.aabb_tight.max, p);
    }
    body.aabb_tight = bv::grown(body.aabb_tight, slack);

    body.obb = mesh.obb;
    if (!mesh.obb.is_empty()) {
        body.obb.center = place(mesh.obb.center);
        body.obb.half_extents = mesh.obb.half_extents * scale + glm::vec3(2.0f * slack);
        body.obb.axes = rotation * mesh.obb.axes;
    }
}

bool volumes_overlap(VolumeKind kind, const BodyState& a, const BodyState& b) {
    switch (kind) {
        case VolumeKind::Sphere:
            return bv::overlap(a.sphere, b.sphere);
        case VolumeKind::AabbFixed:
            return bv::overlap(a.aabb_fixed, b.aabb_fixed);
        case VolumeKind::AabbTight:
            return bv::overlap(a.aabb_tight, b.aabb_tight);
        case VolumeKind::Obb:
            return bv::overlap(a.obb, b.obb);
    }
    return false;
}

bv::Aabb broad_box(VolumeKind kind, const BodyState& body) {
    switch (kind) {
        case VolumeKind::Sphere:
        case VolumeKind::AabbFixed:
            return body.aabb_fixed;
        case VolumeKind::AabbTight:
            return body.aabb_tight;
        case VolumeKind::Obb: {
            // The OBB's own box also contains the mesh, but rounding could put a vertex just outside of it.
            return body.obb.is_empty() ? body.aabb_tight : bv::merge(body.aabb_tight, box_around(body.obb));
        }
    }
    return body.aabb_fixed;
}

bool ray_meets(VolumeKind kind, const bv::Ray& ray, const BodyState& body) {
    switch (kind) {
        case VolumeKind::Sphere:
            return bv::raycast(ray, body.sphere).has_value();
        case VolumeKind::AabbFixed:
            return bv::raycast(ray, body.aabb_fixed).has_value();
        case VolumeKind::AabbTight:
            return bv::raycast(ray, body.aabb_tight).has_value();
        case VolumeKind::Obb:
            return bv::raycast(ray, body.obb).has_value();
    }
    return false;
}

}  // namespace lab
