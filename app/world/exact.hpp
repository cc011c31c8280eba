// The last stage of the pair tests: exact contact of meshes or voxels. A mesh's tree serves bodies of all
// sizes. Voxel grids are built at each body's scale on first use, and shared by all bodies of the same mesh
// and scale.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "bv/query/collide.hpp"
#include "bv/query/voxels.hpp"
#include "results/frame_results.hpp"
#include "world/mesh_library.hpp"

namespace lab {

enum class ExactBy : unsigned char { Meshes, Voxels };

/// Remembers for each pair what decided it in the last step, to be tried first. It changes no answer, only
/// the work: since counts must be repeatable, it is part of the state that a copy of the world includes.
class PairMemory {
  public:
    /// Starts a new round of at most `pairs` requests. Drops the pairs that were not requested in the last
    /// one.
    void begin(std::size_t pairs);
    /// The cache of a pair, which must be greater than all requested since `begin`. Valid until the next
    /// round.
    bv::CollideCache& of(const BodyPair& pair);
    void clear() { *this = {}; }
    [[nodiscard]] std::size_t memory_bytes() const { return (before_.size() + now_.size()) * sizeof(Entry); }

  private:
    struct Entry {
        BodyPair pair;
        bv::CollideCache cache;
    };
    std::vector<Entry> before_, now_;  // both in order of pairs
    std::size_t next_ = 0;             // in `before_`
};

/// A pair of bodies to test, and its result.
struct ExactTest {
    const BodyState* a = nullptr;
    const BodyState* b = nullptr;
    bv::CollideCache* remembered = nullptr;  ///< Used for meshes only; may be null.
    bool touching = false;
    NarrowCounts counts{};
};

/// Whether any triangles of the two bodies share a point, as decided by `bv::collide`. Surfaces only: a body
/// inside another without contact does not touch it. Adds the work to `counts`.
bool meshes_touch(const MeshLibrary& meshes, const BodyState& a, const BodyState& b,
                  NarrowCounts* counts = nullptr, bv::CollideCache* remembered = nullptr);

class ExactTester {
  public:
    ExactTester() = default;
    /// The grids are a cache: a copy starts without any.
    ExactTester(const ExactTester&) {}
    ExactTester& operator=(const ExactTester&) { return *this; }
    ~ExactTester() = default;

    /// By meshes: see `meshes_touch`. By voxels: whether any voxels overlap, as decided by `bv::overlap`. A
    /// voxel model has its own voxels; for other meshes they are those that the surface passes through, about
    /// sixteen along the body's diameter. Adds the work to `counts`. `remembered` is used for meshes only.
    bool touching(const MeshLibrary& meshes, const BodyState& a, const BodyState& b,
                  ExactBy by = ExactBy::Meshes, NarrowCounts* counts = nullptr,
                  bv::CollideCache* remembered = nullptr);
    /// The same for many pairs, on the program's threads. No two may share a memory.
    void test_all(const MeshLibrary& meshes, std::span<ExactTest> tests, ExactBy by);
    /// The voxels of a body in its frame at its size; nothing if its mesh has no finite triangle.
    const bv::VoxelGrid* grid(const MeshLibrary& meshes, const BodyState& body);

  private:
    using Key = std::pair<std::uint32_t, float>;  // mesh and scale
    using Grid = std::optional<bv::VoxelGrid>;
    const Grid& kept_grid(const MeshLibrary& meshes, const BodyState& body);
    void evict_grids(const BodyState& a, const BodyState& b);
    /// Makes the grids that the tests need. False if they would not all be kept at once.
    bool prepare_grids(const MeshLibrary& meshes, std::span<const ExactTest> tests);

    static constexpr std::size_t kMaxGrids = 512;
    std::map<Key, Grid> grids_;
};

/// The rotation and position of a body's grid; the scale is already in the grid.
bv::RigidTransform rigid_pose(const BodyState& body);

}  // namespace lab
