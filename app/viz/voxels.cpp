// Voxel models: one lit cube for each voxel that can be seen, in the model's own color.
#include <glm/geometric.hpp>

#include "bv/shapes/not_finite.hpp"
#include "viz/parts.hpp"

namespace lab::viz {
namespace {

/// Cubes of one color would run into each other: each is a little lighter or darker than the next.
float shade(const glm::vec3& at) {
    std::uint32_t h = static_cast<std::uint32_t>(static_cast<std::int32_t>(at.x)) * 73856093u ^
                      static_cast<std::uint32_t>(static_cast<std::int32_t>(at.y)) * 19349663u ^
                      static_cast<std::uint32_t>(static_cast<std::int32_t>(at.z)) * 83492791u;
    h = (h ^ h >> 13) * 0x5bd1e995u;
    return 0.92f + 0.10f * static_cast<float>((h >> 16) & 0xffu) / 255.0f;
}

std::uint8_t shaded(std::uint8_t channel, float factor) {
    const float value = static_cast<float>(channel) * factor;
    return static_cast<std::uint8_t>(value < 255.0f ? value : 255.0f);
}

}  // namespace

void draw_voxels(const Context& c, const VoxelBlock& block, Color tint, float share) {
    const glm::mat4x3& m = block.transform;
    if (!block.cells || !bv::is_finite(m[0]) || !bv::is_finite(m[1]) || !bv::is_finite(m[2]) ||
        !bv::is_finite(m[3]))
        return;
    auto& meshes = c.paint.list.meshes;
    meshes.reserve(meshes.size() + block.cells->size());
    const glm::mat3 linear(m[0], m[1], m[2]);
    for (const VoxelCell& cell : *block.cells) {
        const float factor = shade(cell.at);
        Color color{shaded(cell.rgb[0], factor), shaded(cell.rgb[1], factor), shaded(cell.rgb[2], factor),
                    255};
        if (share > 0.0f) color = mix(color, tint, share);
        meshes.push_back({c.meshes.cube,
                          {m[0] * cell.size, m[1] * cell.size, m[2] * cell.size, linear * cell.at + m[3]},
                          color});
    }
}

}  // namespace lab::viz
