// FCL's trees of a pair of meshes, single precision, compiled for AVX2 and fused multiply-add, like those of
// our own kernels that such processors run.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bv/query/collide.hpp"
#include "workloads/meshes.hpp"

namespace bv::bench {

enum class FclTree : std::uint8_t { Obb, Rss, ObbRss };

/// False without FCL, and on processors that cannot run it.
[[nodiscard]] bool fcl_meshes_run_here() noexcept;

/// A stays where it is. Without FCL everything is 0.
class FclMeshPair {
  public:
    FclMeshPair(const workloads::MeshData& a, const workloads::MeshData& b, FclTree kind);
    ~FclMeshPair();
    FclMeshPair(const FclMeshPair&) = delete;
    FclMeshPair& operator=(const FclMeshPair&) = delete;
    /// 0 or less if they touch. Not for Obb.
    [[nodiscard]] float distance(const Pose& pose_b) const;
    /// The number of contacts; at most one unless `all`. Not for Rss.
    [[nodiscard]] std::size_t contacts(const Pose& pose_b, bool all) const;

  private:
    struct Models;
    Models* models_;
};

}  // namespace bv::bench
