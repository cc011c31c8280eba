// Many rays through a MeshBvh8: those that are close to each other in the list travel together, the others
// one by one.
#include <algorithm>
#include <memory>

#include "bv/assert.hpp"
#include "bv/tree/mesh_bvh_wide.hpp"
#include "simd/mesh/mesh_wide_avx2.hpp"

#define BV_WIDE_TARGET
#include "tree/mesh/wide/mesh_wide_walk.hpp"

namespace bv {
namespace {

#if BV_HAS_AVX2_KERNELS
/// After rays could not travel together, this many go alone, and twice as many after each further failure:
/// rays in no order pay for few attempts.
constexpr std::size_t kFewAlone = 4;
#endif

}  // namespace

template <bool kAny, class Write>
void MeshBvh8::cast_stream(std::span<const Ray> rays, RayMode mode, Simd simd, Write&& write) const {
    std::size_t next = 0;
    const auto one_by_one = [&](std::size_t count) {
        for (; count > 0; --count, ++next) {
            detail::Bvh8Result result;
            cast<kAny>(rays[next], mode, simd, result);
            write(next, result.best);
        }
    };
#if BV_HAS_AVX2_KERNELS
    if (!empty() && simd == Simd::Avx2 && has_fma_ && !beyond_single_) {
        const std::size_t capacity = 7 * std::size_t{depth_} + detail::Bvh8Stack::kSpare;
        const auto numbers = std::make_unique<std::uint32_t[]>(2 * capacity);
        const auto entries = std::make_unique<detail::Bvh8PacketEntry[]>(capacity);
        const detail::Bvh8View view{nodes_.data(), blocks_.data(), {numbers.get(), numbers.get() + capacity}};
        MeshHit hits[detail::kPacketRays];
        std::size_t alone = kFewAlone;
        while (next < rays.size()) {
            const std::size_t count =
                simd::cast_packet_avx2(view, entries.get(), rays.subspan(next), bounds_, mode, kAny, hits);
            for (std::size_t i = 0; i < count; ++i, ++next)
                write(next, hits[i]);
            if (count == 0) one_by_one(std::min(alone, rays.size() - next));
            alone = count == 0 ? std::min(2 * alone, detail::kPacketRays) : kFewAlone;
        }
        return;
    }
#endif
    one_by_one(rays.size());
}

void MeshBvh8::raycast(std::span<const Ray> rays, std::span<MeshRayResult> results, RayMode mode,
                       Simd simd) const {
    BV_ASSERT(results.size() == rays.size());
    cast_stream<false>(rays.first(std::min(rays.size(), results.size())), mode, simd,
                       [&](std::size_t i, const MeshHit& hit) {
                           results[i] = {};
                           if (hit.triangle == MeshHit::kNone) return;
                           results[i].hit = hit;
                           results[i].stats.hits = 1;
                       });
}

void MeshBvh8::raycast_any(std::span<const Ray> rays, std::span<std::uint8_t> hits, RayMode mode,
                           Simd simd) const {
    BV_ASSERT(hits.size() == rays.size());
    cast_stream<true>(
        rays.first(std::min(rays.size(), hits.size())), mode, simd,
        [&](std::size_t i, const MeshHit& hit) { hits[i] = hit.triangle != MeshHit::kNone ? 1 : 0; });
}

}  // namespace bv
