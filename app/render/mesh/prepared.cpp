#include "render/mesh/prepared.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "render/mesh/simplify.hpp"

namespace lab::render {
namespace {

constexpr float kCreaseRad = 40.0f * 3.14159265f / 180.0f;

/// Largest error of each coarser copy over the mesh's longest side, and the triangle count that makes it
/// worth its memory. Each is for bodies about two and a half times as small on screen as the one before.
/// Above a hundred pixels the light on a surface shows its triangles: there a small mesh is drawn in full.
struct Coarse {
    float error;
    std::size_t from_triangles;
};
constexpr std::array kCoarse = {Coarse{0.0006f, 50'000}, Coarse{0.002f, 20'000}, Coarse{0.005f, 400},
                                Coarse{0.012f, 100},     Coarse{0.03f, 60},      Coarse{0.08f, 60}};
static_assert(kCoarse.size() + 1 == PreparedMesh::kMaxDetails);

}  // namespace

PreparedMesh prepare_mesh(std::span<const glm::vec3> positions, std::span<const glm::uvec3> triangles) {
    PreparedMesh mesh;
    const auto add = [&mesh](LitMesh lit, float error) {
        if (!lit.indices.empty()) mesh.details.push_back({std::move(lit), error});
    };
    add(light(positions, triangles, kCreaseRad), 0.0f);
    // Each copy is made of the one before, which is smaller; the errors add up.
    SimpleMesh last;
    std::size_t fewest = triangles.size();
    for (const Coarse& coarse : kCoarse) {
        if (mesh.details.empty() || fewest < coarse.from_triangles) continue;
        SimpleMesh simple = last.triangles.empty() ? simplify(positions, triangles, coarse.error)
                                                   : simplify(last.positions, last.triangles, coarse.error);
        if (simple.triangles.empty() || simple.triangles.size() > fewest * 7 / 10) continue;
        simple.error += last.error;
        fewest = simple.triangles.size();
        add(light(simple.positions, simple.triangles, kCreaseRad), simple.error);
        last = std::move(simple);
    }
    return mesh;
}

void PreparedMeshes::prepare(std::uint64_t stamp, std::span<const glm::vec3> positions,
                             std::span<const glm::uvec3> triangles) {
    PreparedMesh mesh = prepare_mesh(positions, triangles);
    const std::scoped_lock lock(mutex_);
    if (meshes_.size() == kMaxKept) meshes_.pop_front();
    meshes_.emplace_back(stamp, std::move(mesh));
}

std::optional<PreparedMesh> PreparedMeshes::take(std::uint64_t stamp) {
    const std::scoped_lock lock(mutex_);
    for (auto kept = meshes_.begin(); kept != meshes_.end(); ++kept) {
        if (kept->first != stamp) continue;
        PreparedMesh mesh = std::move(kept->second);
        meshes_.erase(kept);
        return mesh;
    }
    return std::nullopt;
}

}  // namespace lab::render
