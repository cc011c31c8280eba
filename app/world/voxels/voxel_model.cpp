#include "world/voxels/voxel_model.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "world/voxels/neighbors.hpp"

namespace lab {
namespace {

/// Calls `visit(voxel)` for each filled voxel, brick by brick.
template <class Visit>
void for_each_filled(const bv::VoxelGrid& grid, Visit&& visit) {
    constexpr int kBrick = bv::VoxelGrid::kBrick;
    const glm::ivec3 bricks = grid.bricks();
    for (int z = 0; z < bricks.z; ++z)
        for (int y = 0; y < bricks.y; ++y)
            for (int x = 0; x < bricks.x; ++x) {
                std::uint64_t word = grid.brick({x, y, z});
                for (int bit = 0; word != 0; ++bit, word >>= 1)
                    if (word & 1u)
                        visit(kBrick * glm::ivec3(x, y, z) + glm::ivec3(bit & 3, (bit >> 2) & 3, bit >> 4));
            }
}

}  // namespace

std::optional<bv::VoxelGrid> grid_of(const io::VoxelModel& model, float voxel_size) {
    const glm::vec3 size = voxel_size * glm::vec3(model.size);
    auto grid = bv::VoxelGrid::make(model.size, {-0.5f * size.x, 0.0f, -0.5f * size.z}, voxel_size);
    if (grid)
        for (const io::VoxelModel::Voxel& voxel : model.voxels)
            grid->set(voxel.at, true);
    return grid;
}

bool is_hidden(const bv::VoxelGrid& grid, const glm::ivec3& voxel) {
    for (const glm::ivec3& step : kNeighbors)
        if (!grid.filled(voxel + step)) return false;
    return true;
}

VoxelCells visible_cells(const io::VoxelModel& model, const bv::VoxelGrid& grid) {
    VoxelCells cells;
    for (const io::VoxelModel::Voxel& voxel : model.voxels) {
        if (is_hidden(grid, voxel.at)) continue;
        const io::Rgba& color = model.palette[voxel.color];
        cells.push_back({glm::vec3(voxel.at), 1.0f, {color[0], color[1], color[2]}});
    }
    return cells;
}

std::size_t face_count(const bv::VoxelGrid& grid) {
    std::size_t faces = 0;
    for_each_filled(grid, [&](const glm::ivec3& voxel) {
        for (const glm::ivec3& step : kNeighbors)
            faces += !grid.filled(voxel + step);
    });
    return faces;
}

bv::workloads::MeshData surface_of(const bv::VoxelGrid& grid) {
    bv::workloads::MeshData mesh;
    std::unordered_map<std::uint64_t, std::uint32_t> corners;
    const auto corner = [&](const glm::ivec3& at) {
        const std::uint64_t key = static_cast<std::uint64_t>(at.z) << 42 |
                                  static_cast<std::uint64_t>(at.y) << 21 | static_cast<std::uint64_t>(at.x);
        const auto [found, is_new] =
            corners.try_emplace(key, static_cast<std::uint32_t>(mesh.positions.size()));
        if (is_new) mesh.positions.push_back(grid.origin() + grid.voxel_size() * glm::vec3(at));
        return found->second;
    };
    for_each_filled(grid, [&](const glm::ivec3& voxel) {
        for (std::size_t face = 0; face < kNeighbors.size(); ++face) {
            if (grid.filled(voxel + kNeighbors[face])) continue;
            const int axis = static_cast<int>(face) / 2;
            const bool up = face % 2 == 1;
            glm::ivec3 u(0), v(0);
            u[(axis + 1) % 3] = 1;
            v[(axis + 2) % 3] = 1;
            if (!up) std::swap(u, v);
            const glm::ivec3 base = voxel + (up ? kNeighbors[face] : glm::ivec3(0));
            const std::uint32_t a = corner(base), b = corner(base + u), c = corner(base + u + v),
                                d = corner(base + v);
            mesh.triangles.emplace_back(a, b, c);
            mesh.triangles.emplace_back(a, c, d);
        }
    });
    return mesh;
}

std::optional<MeshMaking> begin_voxel_mesh(const io::VoxelModel& model, const std::string& source,
                                           std::string& why, const MeshNeeds& needs) {
    auto grid = grid_of(model, kModelVoxel_m);
    if (!grid) {
        why = "the model is too large to be shown. Open a part of it.";
        return std::nullopt;
    }
    if (const std::size_t faces = face_count(*grid); faces > kMaxVoxelFaces) {
        why = fmt::format(
            "its surface has {} faces; at most {} can be shown. Fill its cavities, or open a part of it.",
            faces, kMaxVoxelFaces);
        return std::nullopt;
    }
    bv::workloads::MeshData surface = surface_of(*grid);
    auto skin = std::make_shared<VoxelSkin>();
    skin->cells = std::make_shared<const VoxelCells>(visible_cells(model, *grid));
    skin->origin = grid->origin();
    skin->edge = grid->voxel_size();
    MeshMaking making(model.name, source, std::move(surface.positions), std::move(surface.triangles), needs);
    making.set_voxels(std::move(skin), std::make_shared<const bv::VoxelGrid>(std::move(*grid)));
    return making;
}

}  // namespace lab
