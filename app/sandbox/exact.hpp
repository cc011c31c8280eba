// The last stage of a pair: do the meshes themselves touch? Trees over the triangles at each body's size,
// made when first asked for and shared by all bodies of one mesh and size.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "bv/query/collide.hpp"
#include "sandbox/frame_results.hpp"
#include "sandbox/mesh_library.hpp"

namespace lab {

class ExactTester {
  public:
    ExactTester() = default;
    /// The trees are only kept for speed: a copy begins without any.
    ExactTester(const ExactTester&) {}
    ExactTester& operator=(const ExactTester&) = delete;
    ~ExactTester() = default;

    /// Whether any triangles of the two bodies share a point, as `bv::collide` decides it. Surfaces only: a
    /// body inside another without contact does not touch it.
    bool touching(const MeshLibrary& meshes, const BodyState& a, const BodyState& b);

  private:
    const bv::MeshBvh8& tree(const MeshLibrary& meshes, const BodyState& body);

    static constexpr std::size_t kMostTrees = 512;
    std::map<std::pair<std::uint32_t, float>, std::unique_ptr<bv::MeshBvh8>> trees_;  // by mesh and scale
};

/// Triangle pairs that `touching_by_brute_force` looks at.
std::uint64_t triangle_pairs(const MeshLibrary& meshes, const BodyState& a, const BodyState& b);
/// The same answer by every triangle of one against every triangle of the other.
bool touching_by_brute_force(const MeshLibrary& meshes, const BodyState& a, const BodyState& b);

}  // namespace lab
