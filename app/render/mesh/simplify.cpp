#include "render/mesh/simplify.hpp"

#include <meshoptimizer.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "render/finite.hpp"

namespace lab::render {

namespace {

// meshoptimizer's error is the root of a mean of squares: surfaces were found up to twice as far away.
constexpr float kFarthestOverMean = 2.0f;
// Collapsing edges looks at all pairs of triangles that share a vertex: this many partners of a corner, on
// average, are too many.
constexpr double kPartners = 200.0;

struct Indexed {
    std::vector<glm::vec3> positions;
    std::vector<std::uint32_t> indices;

    [[nodiscard]] const float* floats() const { return &positions[0].x; }
};

// Vertices at the same position become one; those that no triangle uses disappear.
Indexed welded(std::span<const glm::vec3> positions, std::span<const glm::uvec3> triangles) {
    Indexed out;
    out.indices.reserve(triangles.size() * 3);
    for (const glm::uvec3& t : triangles) {
        if (std::max({t.x, t.y, t.z}) >= positions.size()) continue;
        if (is_finite(positions[t.x]) && is_finite(positions[t.y]) && is_finite(positions[t.z]))
            out.indices.insert(out.indices.end(), {t.x, t.y, t.z});
    }
    if (out.indices.empty()) return out;
    std::vector<std::uint32_t>& i = out.indices;
    meshopt_generateShadowIndexBuffer(i.data(), i.data(), i.size(), positions.data(), positions.size(),
                                      sizeof(glm::vec3), sizeof(glm::vec3));
    out.positions.resize(positions.size());
    out.positions.resize(meshopt_optimizeVertexFetch(out.positions.data(), i.data(), i.size(),
                                                     positions.data(), positions.size(), sizeof(glm::vec3)));
    return out;
}

// No edges to collapse, or far too many at a vertex. A closed surface has half as many vertices as triangles.
bool is_loose(const Indexed& mesh) {
    if (mesh.positions.size() >= mesh.indices.size() / 3) return true;
    std::vector<std::uint32_t> at(mesh.positions.size(), 0);
    for (const std::uint32_t i : mesh.indices)
        ++at[i];
    double partners = 0.0;
    for (const std::uint32_t n : at)
        partners += static_cast<double>(n) * static_cast<double>(n);
    return partners > kPartners * static_cast<double>(mesh.indices.size());
}

}  // namespace

SimpleMesh simplify(std::span<const glm::vec3> positions, std::span<const glm::uvec3> triangles,
                    float error) {
    Indexed mesh = welded(positions, triangles);
    if (mesh.indices.empty()) return {};
    constexpr std::size_t kStride = sizeof(glm::vec3);
    const std::size_t vertices = mesh.positions.size(), corners = mesh.indices.size();
    const float size = meshopt_simplifyScale(mesh.floats(), vertices, kStride);
    if (!std::isfinite(size) || !std::isnormal(1.0f / size)) return {};

    std::vector<std::uint32_t> left(corners);
    float mean = 0.0f;
    const float largest_mean = error / kFarthestOverMean;
    left.resize(is_loose(mesh)
                    ? meshopt_simplifySloppy(left.data(), mesh.indices.data(), corners, mesh.floats(),
                                             vertices, kStride, 0, largest_mean, &mean)
                    : meshopt_simplify(left.data(), mesh.indices.data(), corners, mesh.floats(), vertices,
                                       kStride, 0, largest_mean, 0, &mean));

    SimpleMesh out;
    out.error = kFarthestOverMean * mean * size;
    for (std::size_t i = 0; i + 2 < left.size(); i += 3)
        out.triangles.emplace_back(left[i], left[i + 1], left[i + 2]);
    if (out.triangles.empty()) return out;
    out.positions.resize(vertices);
    out.positions.resize(meshopt_optimizeVertexFetch(out.positions.data(), &out.triangles[0].x, left.size(),
                                                     mesh.floats(), vertices, kStride));
    return out;
}

}  // namespace lab::render
