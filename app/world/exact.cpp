#include "world/exact.hpp"

#include <algorithm>
#include <utility>

#include "platform/threads/in_parts.hpp"

namespace lab {
namespace {

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

std::optional<bv::VoxelGrid> make_grid(const MeshEntry& mesh, float scale) {
    if (mesh.grid) return scaled(*mesh.grid, scale);
    const std::vector<glm::vec3> positions = scaled_positions(mesh, scale);
    return bv::voxelize_surface({positions, mesh.triangles}, scale * mesh.sphere.radius / kVoxelsAlongRadius);
}

/// Counts one more test.
void add(NarrowCounts* counts, std::uint64_t boxes, std::uint64_t parts) {
    if (!counts) return;
    ++counts->exact_tests;
    counts->box_tests += boxes;
    counts->part_tests += parts;
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
    return {glm::mat3(body.transform) / body.scale, body.transform[3]};
}

bool meshes_touch(const MeshLibrary& meshes, const BodyState& a, const BodyState& b, NarrowCounts* counts,
                  bv::CollideCache* remembered) {
    const bv::CollideResult result =
        bv::collide(meshes[a.mesh].bvh, a.transform, meshes[b.mesh].bvh, b.transform, remembered);
    add(counts, result.stats.box_pairs, result.stats.triangle_pairs);
    return result.touching;
}

/// Called before either grid is fetched, so that no pointer dangles.
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
    if (by == ExactBy::Meshes) return meshes_touch(meshes, a, b, counts, remembered);
    evict_grids(a, b);
    const bv::VoxelGrid *grid_a = grid(meshes, a), *grid_b = grid(meshes, b);
    bv::VoxelOverlapStats stats;
    const bool hit = grid_a && grid_b && bv::overlap(*grid_a, rigid_pose(a), *grid_b, rigid_pose(b), &stats);
    add(counts, stats.brick_tests, stats.voxel_tests);
    return hit;
}

bool ExactTester::prepare_grids(const MeshLibrary& meshes, std::span<const ExactTest> tests) {
    std::vector<Key> keys;
    for (const ExactTest& test : tests)
        for (const BodyState* body : {test.a, test.b})
            keys.emplace_back(body->mesh.value, body->scale);
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    if (keys.size() > kMaxGrids) return false;
    std::vector<Key> missing;
    const auto find_missing = [&] {
        missing = keys;
        std::erase_if(missing, [&](const Key& key) { return grids_.contains(key); });
    };
    find_missing();
    if (grids_.size() + missing.size() > kMaxGrids) {
        grids_.clear();
        find_missing();
    }
    std::vector<Grid> made(missing.size());
    platform::in_parts(missing.size(), 1, [&](std::size_t i, std::size_t) {
        made[i] = make_grid(meshes[MeshId{missing[i].first}], missing[i].second);
    });
    for (std::size_t i = 0; i < missing.size(); ++i)
        grids_.emplace(missing[i], std::move(made[i]));
    return true;
}

void ExactTester::test_all(const MeshLibrary& meshes, std::span<ExactTest> tests, ExactBy by) {
    const auto test = [&](std::size_t begin, std::size_t end) {
        for (ExactTest& t : tests.subspan(begin, end - begin))
            t.touching = touching(meshes, *t.a, *t.b, by, &t.counts, t.remembered);
    };
    // With all grids made, a test only reads them.
    constexpr std::size_t kTestsPerPart = 16;
    if (by == ExactBy::Meshes || prepare_grids(meshes, tests))
        platform::in_parts(tests.size(), kTestsPerPart, test);
    else
        test(0, tests.size());
}

}  // namespace lab
