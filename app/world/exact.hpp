// The last stage of a pair: do the meshes themselves touch, or their voxels? Trees over the triangles, or
// grids, at each body's size, made when first asked for and shared by all bodies of one mesh and size.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "bv/query/collide.hpp"
#include "bv/query/voxels.hpp"
#include "results/frame_results.hpp"
#include "world/mesh_library.hpp"

namespace lab {

enum class ExactBy : unsigned char { Meshes, Voxels };

/// What decided about each pair of bodies the last time, to be tried first. It changes no answer, only what
/// is tested on the way: so it is a part of the state that a copy of the world takes along.
class PairMemory {
  public:
    /// From now on pairs are asked for anew. Those that nobody asked for since the last call are forgotten.
    void begin();
    /// Of a pair behind all that were asked for since `begin`. Valid until the next call.
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

class ExactTester {
  public:
    ExactTester() = default;
    /// The trees are only kept for speed: a copy begins without any.
    ExactTester(const ExactTester&) {}
    ExactTester& operator=(const ExactTester&) { return *this; }
    ~ExactTester() = default;

    /// By meshes: whether any triangles of the two bodies share a point, as `bv::collide` decides it.
    /// Surfaces only: a body inside another without contact does not touch it. By voxels: whether any voxels
    /// do, as `bv::overlap` decides it; of voxel models their own, of other meshes those that the surface
    /// passes through, about sixteen along the body's diameter. Work is added to `counts`. What is
    /// `remembered` of the pair is for meshes alone.
    bool touching(const MeshLibrary& meshes, const BodyState& a, const BodyState& b,
                  ExactBy by = ExactBy::Meshes, NarrowCounts* counts = nullptr,
                  bv::CollideCache* remembered = nullptr);
    /// The voxels of a body in its frame at its size; nothing if its mesh has no finite triangle.
    const bv::VoxelGrid* grid(const MeshLibrary& meshes, const BodyState& body);

  private:
    using Key = std::pair<std::uint32_t, float>;  // mesh and scale
    const bv::MeshBvh8& tree(const MeshLibrary& meshes, const BodyState& body);
    void make_room(const MeshLibrary& meshes, const BodyState& a, const BodyState& b);

    static constexpr std::size_t kMostTriangles = 4'000'000;  ///< In all trees: some hundred megabytes.
    static constexpr std::size_t kMostGrids = 512;
    std::map<Key, std::unique_ptr<bv::MeshBvh8>> trees_;
    std::size_t kept_triangles_ = 0;
    std::map<Key, std::optional<bv::VoxelGrid>> grids_;
};

/// Where a body's grid stands: its rotation and place; the size is in the grid.
bv::RigidTransform rigid_pose(const BodyState& body);

}  // namespace lab
