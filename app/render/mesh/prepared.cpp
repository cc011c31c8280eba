#include "render/mesh/prepared.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "render/mesh/simplify.hpp"

namespace lab::render {
namespace {

constexpr float kCreaseRad = 40.0f * 3.14159265f / 180.0f;

/// Resolution of each coarser copy (cubes along the longest side), and the triangle count that makes it worth
/// its memory.
struct Coarse {
    int cells;
    std::size_t from_triangles;
};
constexpr std::array kCoarse = {Coarse{160, 200'000}, Coarse{80, 50'000}, Coarse{40, 20'000}, Coarse{16, 400},
                                Coarse{8, 400}};
static_assert(kCoarse.size() + 1 == PreparedMesh::kMaxDetails);

}  // namespace

PreparedMesh prepare_mesh(std::span<const glm::vec3> positions, std::span<const glm::uvec3> triangles) {
    PreparedMesh mesh;
    const auto add = [&mesh](LitMesh lit, float error) {
        if (!lit.indices.empty()) mesh.details.push_back({std::move(lit), error});
    };
    add(light(positions, triangles, kCreaseRad), 0.0f);
    std::size_t fewest = triangles.size();
    // Each copy of a large mesh is made of the one before, which is smaller; the errors add up.
    SimpleMesh last;
    for (const Coarse& coarse : kCoarse) {
        const bool large = triangles.size() >= kCoarse[2].from_triangles;
        if (mesh.details.empty() || fewest < kCoarse.back().from_triangles) break;
        if (triangles.size() < coarse.from_triangles) continue;
        const bool again = large && !last.triangles.empty();
        SimpleMesh simple = again ? simplify(last.positions, last.triangles, coarse.cells)
                                  : simplify(positions, triangles, coarse.cells);
        if (again) simple.error += last.error;
        if (simple.triangles.empty() || simple.triangles.size() > fewest * 6 / 10) continue;
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
