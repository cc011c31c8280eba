#include "world/exact.hpp"

#include <utility>

#include "bv/tree/mesh_bvh.hpp"

namespace lab {
namespace {

/// Rotation and position; the scale is already in the vertices.
bv::Pose pose_of(const BodyState& body) {
    bv::Pose pose = body.transform;
    for (int i = 0; i < 3; ++i)
        pose[i] /= body.scale;
    return pose;
}

std::vector<glm::vec3> scaled_positions(const MeshEntry& mesh, float scale) {
    std::vector<glm::vec3> positions = mesh.positions;
    for (glm::vec3& p : positions)
        p *= scale;
    return positions;
}

constexpr float kVoxelsAlongRadius = 8.0f;

std::optional<bv::VoxelGrid> scaled(const bv::VoxelGrid& grid, float scale) {
    auto out = bv::VoxelGrid::make(grid.size(), scale * grid.origin(), scale * grid.voxel_size());
    if (!out) return out;
    for (int z = 0; z < grid.size().z; ++z)
        for (int y = 0; y < grid.size().y; ++y)
            for (int x = 0; x < grid.size().x; ++x)
                if (grid.filled({x, y, z})) out->set({x, y, z}, true);
    return out;
}

}  // namespace

void PairMemory::begin() {
    std::swap(before_, now_);
    now_.clear();
    next_ = 0;
}

bv::CollideCache& PairMemory::of(const BodyPair& pair) {
    while (next_ < before_.size() && before_[next_].pair < pair)
        ++next_;
    const bool known = next_ < before_.size() && before_[next_].pair == pair;
    now_.push_back({pair, known ? before_[next_].cache : bv::CollideCache{}});
    return now_.back().cache;
}

bv::RigidTransform rigid_pose(const BodyState& body) {
    const bv::Pose pose = pose_of(body);
    return {glm::mat3(pose[0], pose[1], pose[2]), pose[3]};
}

const bv::MeshBvh8& ExactTester::tree(const MeshLibrary& meshes, const BodyState& body) {
    const Key key(body.mesh.value, body.scale);
    if (const auto known = trees_.find(key); known != trees_.end()) return *known->second;
    const MeshEntry& mesh = meshes[body.mesh];
    const std::vector<glm::vec3> positions = scaled_positions(mesh, body.scale);
    bv::MeshBvh binary;
    binary.build({positions, mesh.triangles});
    auto wide = std::make_unique<bv::MeshBvh8>();
    wide->build(binary);
    kept_triangles_ += mesh.triangles.size();
    return *trees_.emplace(key, std::move(wide)).first->second;
}

/// Called before either tree is fetched, so that no reference dangles.
void ExactTester::evict(const MeshLibrary& meshes, const BodyState& a, const BodyState& b) {
    std::size_t missing = 0;
    for (const BodyState* body : {&a, &b})
        if (!trees_.contains(Key(body->mesh.value, body->scale)))
            missing += meshes[body->mesh].triangles.size();
    if (missing == 0 || kept_triangles_ + missing <= kMaxTriangles) return;
    trees_.clear();
    kept_triangles_ = 0;
}

const bv::VoxelGrid* ExactTester::grid(const MeshLibrary& meshes, const BodyState& body) {
    const Key key(body.mesh.value, body.scale);
    auto known = grids_.find(key);
    if (known == grids_.end()) {
        const MeshEntry& mesh = meshes[body.mesh];
        std::optional<bv::VoxelGrid> made;
        if (mesh.grid) {
            made = scaled(*mesh.grid, body.scale);
        } else {
            const std::vector<glm::vec3> positions = scaled_positions(mesh, body.scale);
            made = bv::voxelize_surface({positions, mesh.triangles},
                                        body.scale * mesh.sphere.radius / kVoxelsAlongRadius);
        }
        known = grids_.emplace(key, std::move(made)).first;
    }
    return known->second ? &*known->second : nullptr;
}

bool ExactTester::touching(const MeshLibrary& meshes, const BodyState& a, const BodyState& b, ExactBy by,
                           NarrowCounts* counts, bv::CollideCache* remembered) {
    NarrowCounts own;
    NarrowCounts& count = counts ? *counts : own;
    ++count.exact_tests;
    if (by == ExactBy::Voxels) {
        if (grids_.size() + 2 > kMaxGrids) grids_.clear();
        const bv::VoxelGrid *grid_a = grid(meshes, a), *grid_b = grid(meshes, b);
        if (!grid_a || !grid_b) return false;
        bv::VoxelOverlapStats stats;
        const bool hit = bv::overlap(*grid_a, rigid_pose(a), *grid_b, rigid_pose(b), &stats);
        count.box_tests += stats.brick_tests;
        count.part_tests += stats.voxel_tests;
        return hit;
    }
    evict(meshes, a, b);
    const bv::MeshBvh8& tree_a = tree(meshes, a);
    const bv::MeshBvh8& tree_b = tree(meshes, b);
    const bv::CollideResult result = bv::collide(tree_a, pose_of(a), tree_b, pose_of(b), remembered);
    count.box_tests += result.stats.box_pairs;
    count.part_tests += result.stats.triangle_pairs;
    return result.touching;
}

}  // namespace lab
