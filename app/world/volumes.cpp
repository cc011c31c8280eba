#include "world/volumes.hpp"

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <limits>

#include "bv/fit/aabb.hpp"
#include "bv/query/overlap.hpp"
#include "bv/query/raycast.hpp"

namespace lab {
namespace {

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

/// Calls `visit` with the volume that decides about the body's pairs and rays.
template <class Visit>
bool with_volume(const BodyState& body, Visit&& visit) {
    switch (body.volumes.kind) {
        case VolumeKind::Sphere:
            return visit(body.sphere);
        case VolumeKind::AabbFixed:
            return visit(body.aabb_fixed);
        case VolumeKind::AabbTight:
            return visit(body.aabb_tight);
        case VolumeKind::Obb:
            return visit(body.obb);
    }
    return false;
}

}  // namespace

void refit(BodyState& body, const glm::vec3& position, const glm::quat& orientation, const MeshEntry& mesh) {
    const glm::mat3 rotation = glm::mat3_cast(orientation);
    const float scale = body.scale;
    body.transform = glm::mat4x3(rotation[0] * scale, rotation[1] * scale, rotation[2] * scale, position);
    const auto place = [&](const glm::vec3& p) { return body.transform * glm::vec4(p, 1.0f); };
    const float slack = rounding_slack(mesh, scale, position);

    const bv::Sphere& sphere = mesh.fitted(body.volumes.sphere).volume;
    body.sphere = sphere;
    if (!sphere.is_empty()) body.sphere = {place(sphere.center), sphere.radius * scale + 2.0f * slack};
    body.aabb_fixed = bv::fit::aabb_fixed(body.sphere);

    body.aabb_tight = {};
    for (const glm::vec3& extreme : mesh.extremes) {
        const glm::vec3 p = place(extreme);
        body.aabb_tight.min = glm::min(body.aabb_tight.min, p);
        body.aabb_tight.max = glm::max(body.aabb_tight.max, p);
    }
    body.aabb_tight = bv::grown(body.aabb_tight, slack);

    const bv::Obb& box = mesh.fitted(body.volumes.obb).volume;
    body.obb = box;
    if (!box.is_empty()) {
        body.obb.center = place(box.center);
        body.obb.half_extents = box.half_extents * scale + glm::vec3(2.0f * slack);
        body.obb.axes = rotation * box.axes;
    }
}

bool volumes_overlap(const BodyState& a, const BodyState& b) {
    return with_volume(a, [&b](const auto& of_a) {
        return with_volume(b, [&of_a](const auto& of_b) { return bv::overlap(of_a, of_b); });
    });
}

bv::Aabb broad_box(const BodyState& body) {
    switch (body.volumes.kind) {
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

bool ray_meets(const bv::Ray& ray, const BodyState& body) {
    return with_volume(body, [&ray](const auto& volume) { return bv::raycast(ray, volume).has_value(); });
}

}  // namespace lab
