#include "render/mesh/merged.hpp"

#include <algorithm>
#include <array>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>

namespace lab::render {

namespace {

constexpr std::size_t kMaxCornersMerged = 96;

/// Every edge has its twin in the other direction, and no corner lies in front of a triangle.
bool is_convex(const std::vector<LitVertex>& corners) {
    const std::size_t n = corners.size();
    const auto next = [](std::size_t i) { return i % 3 == 2 ? i - 2 : i + 1; };
    glm::vec3 low = corners[0].position, high = low;
    for (const LitVertex& corner : corners) {
        low = glm::min(low, corner.position);
        high = glm::max(high, corner.position);
    }
    const float tolerance = 1e-5f * glm::length(high - low);
    for (std::size_t i = 0; i < n; ++i) {
        std::size_t same = 0, twins = 0;
        for (std::size_t k = 0; k < n; ++k) {
            same += corners[k].position == corners[i].position &&
                    corners[next(k)].position == corners[next(i)].position;
            twins += corners[next(k)].position == corners[i].position &&
                     corners[k].position == corners[next(i)].position;
        }
        if (same != 1 || twins != 1) return false;
    }
    for (std::size_t t = 0; t < n; t += 3) {
        const glm::vec3 a = corners[t].position;
        const glm::vec3 normal = glm::cross(corners[t + 1].position - a, corners[t + 2].position - a);
        const float size = glm::length(normal);
        if (!(size > 0.0f)) return false;
        for (const LitVertex& corner : corners)
            if (!(glm::dot(normal, corner.position - a) <= tolerance * size)) return false;
    }
    return true;
}

}  // namespace

std::optional<SmallMesh> small_mesh(const LitMesh& mesh) {
    if (mesh.indices.empty() || mesh.indices.size() > kMaxCornersMerged) return std::nullopt;
    SmallMesh small;
    for (const std::uint32_t i : mesh.indices)
        small.corners.push_back(mesh.vertices[i]);
    small.convex = is_convex(small.corners);
    return small;
}

void append_merged(const SmallMesh& mesh, const MeshInstance& instance, const glm::vec4& eye,
                   std::vector<MergedVertex>& out) {
    const glm::mat4x3& m = instance.transform;
    const glm::mat3 cofactors(glm::cross(m[1], m[2]), glm::cross(m[2], m[0]), glm::cross(m[0], m[1]));
    const float determinant = glm::dot(m[0], cofactors[0]);
    const bool may_drop = mesh.convex && determinant != 0.0f;
    const auto append = [&](bool only_facing) {
        for (std::size_t t = 0; t < mesh.corners.size(); t += 3) {
            std::array<glm::vec3, 3> at;
            for (std::size_t i = 0; i < 3; ++i)
                at[i] = m * glm::vec4(mesh.corners[t + i].position, 1.0f);
            if (only_facing) {
                const glm::vec3 outward = glm::cross(at[1] - at[0], at[2] - at[0]) * determinant;
                if (glm::dot(outward, glm::vec3(eye) - eye.w * at[0]) < 0.0f) continue;
            }
            for (std::size_t i = 0; i < 3; ++i) {
                const glm::vec3 normal = cofactors * mesh.corners[t + i].normal;
                const bool flat = !(glm::dot(normal, normal) > 0.0f);
                out.push_back({at[i], flat ? mesh.corners[t + i].normal : normal, instance.color});
            }
        }
    };
    const std::size_t before = out.size();
    append(may_drop);
    if (may_drop && out.size() == before) append(false);  // seen from inside
}

}  // namespace lab::render
