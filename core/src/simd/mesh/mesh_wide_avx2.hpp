// The AVX2 form of rays through a wide mesh tree. Only called where `best_simd()` says so.
#pragma once

#include "bv/tree/mesh_bvh_wide.hpp"
#include "simd/query_avx2.hpp"

namespace bv::detail {
struct MeshRay;
struct Bvh8Result;
struct Bvh8View;
struct Bvh8PacketEntry;
}  // namespace bv::detail

namespace bv::simd {

/// `result.best.t` is the limit on entry. `any`: end at the first hit found.
void cast_wide_avx2(const detail::Bvh8View& tree, const detail::MeshRay& ray, RayMode mode, bool any,
                    detail::Bvh8Result& result) noexcept;

/// Appends every hit up to `result.best.t` to `hits`, in no order.
void cast_wide_all_avx2(const detail::Bvh8View& tree, const detail::MeshRay& ray, RayMode mode,
                        std::vector<MeshHit>& hits, detail::Bvh8Result& result);

/// Casts up to `detail::kPacketRays` of the first rays at once and returns how many: 0 if they are not close
/// to each other compared with `mesh`, the bounds. Precondition: the mesh does not need
/// double precision. `stack` has as many entries as that of `tree`. Where nothing is hit, `hits[i].triangle`
/// is `MeshHit::kNone`.
std::size_t cast_packet_avx2(const detail::Bvh8View& tree, detail::Bvh8PacketEntry* stack,
                             std::span<const Ray> rays, const Aabb& mesh, RayMode mode, bool any,
                             MeshHit* hits) noexcept;

}  // namespace bv::simd
