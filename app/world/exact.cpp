#include "world/exact.hpp"

#include <algorithm>
#include <utility>

#include "bv/tree/mesh_bvh.hpp"
#include "platform/threads/in_parts.hpp"

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

std::unique_ptr<bv::MeshBvh8> make_tree(const MeshEntry& mesh, float scale) {
    const std::vector<glm::vec3> positions = scaled_positions(mesh, scale);
    bv::MeshBvh binary;
    binary.build({positions, mesh.triangles});
    auto wide = std::make_unique<bv::MeshBvh8>();
    wide->build(binary);
    return wide;
}

std::optional<bv::VoxelGrid> make_grid(const MeshEntry& mesh, float scale) {
    if (mesh.grid) return scaled(*mesh.grid, scale);
    const std::vector<glm::vec3> positions = scaled_positions(mesh, scale);
    return bv::voxelize_surface({positions, mesh.triangles}, scale * mesh.sphere.radius / kVoxelsAlongRadius);
}

/// The keys of bodies for which `kept` has nothing yet, each once.
template <class Kept>
std::vector<typename Kept::key_type> missing_keys(const Kept& kept, std::span<const ExactTest> tests) {
    std::vector<typename Kept::key_type> keys;
    for (const ExactTest& test : tests)
        for (const BodyState* body : {test.a, test.b})
            keys.emplace_back(body->mesh.value, body->scale);
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    std::erase_if(keys, [&](const auto& key) { return kept.contains(key); });
    return keys;
}

/// Makes a value for each key on the program's threads and keeps it.
template <class Kept, class Make>
void make_all(Kept& kept, const MeshLibrary& meshes, std::span<const typename Kept::key_type> keys,
              const Make& make) {
    std::vector<typename Kept::mapped_type> made(keys.size());
    platform::in_parts(keys.size(), 1, [&](std::size_t i, std::size_t) {
        made[i] = make(meshes[MeshId{keys[i].first}], keys[i].second);
    });
    for (std::size_t i = 0; i < keys.size(); ++i)
        kept.emplace(keys[i], std::move(made[i]));
}

}  // namespace

void PairMemory::begin(std::size_t pairs) {
    std::swap(before_, now_);
    now_.clear();
    now_.reserve(pairs);
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
    kept_triangles_ += meshes[body.mesh].triangles.size();
    return *trees_.emplace(key, make_tree(meshes[body.mesh], body.scale)).first->second;
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

/// The same for grids.
void ExactTester::evict_grids(const BodyState& a, const BodyState& b) {
    std::size_t missing = 0;
    for (const BodyState* body : {&a, &b})
        missing += !grids_.contains(Key(body->mesh.value, body->scale));
    if (missing > 0 && grids_.size() + missing > kMaxGrids) grids_.clear();
}

const ExactTester::Grid& ExactTester::kept_grid(const MeshLibrary& meshes, const BodyState& body) {
    const Key key(body.mesh.value, body.scale);
    const auto known = grids_.find(key);
    if (known != grids_.end()) return known->second;
    return grids_.emplace(key, make_grid(meshes[body.mesh], body.scale)).first->second;
}

const bv::VoxelGrid* ExactTester::grid(const MeshLibrary& meshes, const BodyState& body) {
    const Grid& kept = kept_grid(meshes, body);
    return kept ? &*kept : nullptr;
}

bool ExactTester::touching(const MeshLibrary& meshes, const BodyState& a, const BodyState& b, ExactBy by,
                           NarrowCounts* counts, bv::CollideCache* remembered) {
    NarrowCounts own;
    NarrowCounts& count = counts ? *counts : own;
    ++count.exact_tests;
    if (by == ExactBy::Voxels) {
        evict_grids(a, b);
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

bool ExactTester::prepare_trees(const MeshLibrary& meshes, std::span<const ExactTest> tests) {
    const auto triangles_of = [&](std::span<const Key> keys) {
        std::size_t sum = 0;
        for (const Key& key : keys)
            sum += meshes[MeshId{key.first}].triangles.size();
        return sum;
    };
    std::vector<Key> missing = missing_keys(trees_, tests);
    if (kept_triangles_ + triangles_of(missing) > kMaxTriangles) {
        missing = missing_keys(decltype(trees_){}, tests);
        if (triangles_of(missing) > kMaxTriangles) return false;
        trees_.clear();
        kept_triangles_ = 0;
    }
    make_all(trees_, meshes, missing, make_tree);
    kept_triangles_ += triangles_of(missing);
    return true;
}

bool ExactTester::prepare_grids(const MeshLibrary& meshes, std::span<const ExactTest> tests) {
    std::vector<Key> missing = missing_keys(grids_, tests);
    if (grids_.size() + missing.size() > kMaxGrids) {
        missing = missing_keys(decltype(grids_){}, tests);
        if (missing.size() > kMaxGrids) return false;
        grids_.clear();
    }
    make_all(grids_, meshes, missing, make_grid);
    return true;
}

void ExactTester::test_all(const MeshLibrary& meshes, std::span<ExactTest> tests, ExactBy by) {
    const auto test = [&](std::size_t begin, std::size_t end) {
        for (ExactTest& t : tests.subspan(begin, end - begin))
            t.touching = touching(meshes, *t.a, *t.b, by, &t.counts, t.remembered);
    };
    // With all caches filled, a test only reads them.
    constexpr std::size_t kTestsPerPart = 16;
    if (by == ExactBy::Meshes ? prepare_trees(meshes, tests) : prepare_grids(meshes, tests))
        platform::in_parts(tests.size(), kTestsPerPart, test);
    else
        test(0, tests.size());
}

}  // namespace lab
