// AVX2 kernels of the wide mesh tree: eight boxes in the lanes of one register, four triangles in those of a
// half. Each line has its scalar twin in mesh_bvh_wide.cpp or mesh_ray.hpp, with the same operations in the
// same order and no fused multiply-add, so that both give the same bits.
#include "simd/mesh/mesh_wide_avx2.hpp"

#if BV_HAS_AVX2_KERNELS

#include <immintrin.h>

#include <array>

#define BV_WIDE_TARGET __attribute__((target("avx2,fma,bmi,popcnt")))
#define BV_WIDE_INLINE __attribute__((target("avx2,fma,bmi,popcnt"), always_inline)) inline

#include "tree/mesh/wide/mesh_wide_walk.hpp"

namespace bv::simd {
namespace {

using detail::Bvh8Node;
using detail::MeshRay;
using detail::TriangleBlock;

struct V3 {
    __m128 x, y, z;
};

BV_WIDE_INLINE V3 sub(const V3& a, const V3& b) noexcept {
    return {_mm_sub_ps(a.x, b.x), _mm_sub_ps(a.y, b.y), _mm_sub_ps(a.z, b.z)};
}
BV_WIDE_INLINE __m128 cross_term(__m128 a, __m128 b, __m128 c, __m128 d) noexcept {
    return _mm_sub_ps(_mm_mul_ps(a, b), _mm_mul_ps(c, d));
}
/// a b - c d in double precision, where products of floats are exact, fused or not.
BV_WIDE_INLINE __m128 edge_in_double(__m128 a, __m128 b, __m128 c, __m128 d) noexcept {
    return _mm256_cvtpd_ps(_mm256_fmsub_pd(_mm256_cvtps_pd(a), _mm256_cvtps_pd(b),
                                           _mm256_mul_pd(_mm256_cvtps_pd(c), _mm256_cvtps_pd(d))));
}
BV_WIDE_INLINE V3 cross(const V3& a, const V3& b) noexcept {
    return {cross_term(a.y, b.z, b.y, a.z), cross_term(a.z, b.x, b.z, a.x), cross_term(a.x, b.y, b.x, a.y)};
}
BV_WIDE_INLINE __m128 dot(const V3& a, const V3& b) noexcept {
    return _mm_add_ps(_mm_add_ps(_mm_mul_ps(a.x, b.x), _mm_mul_ps(a.y, b.y)), _mm_mul_ps(a.z, b.z));
}
BV_WIDE_INLINE __m256 steps(const Bvh8Node& node, std::size_t offset) noexcept {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&node) + offset;
    return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes))));
}

/// Prefetches a child that will be needed soon.
BV_WIDE_TARGET inline void prefetch(const detail::Bvh8View& tree, std::uint32_t child) noexcept {
    const bool leaf = (child & Bvh8Node::kLeaf) != 0;
    const char* at = leaf ? reinterpret_cast<const char*>(&tree.blocks[(child & ~Bvh8Node::kLeaf) >> 6])
                          : reinterpret_cast<const char*>(&tree.nodes[child]);
    __builtin_prefetch(at);
    __builtin_prefetch(at + 64);
    __builtin_prefetch(at + 128);
}

/// For each mask the numbers of its bits.
struct LanesOfMask {
    std::array<std::array<std::uint8_t, 8>, 256> row{};
    constexpr LanesOfMask() {
        for (unsigned mask = 0; mask < 256; ++mask) {
            std::size_t count = 0;
            for (unsigned lane = 0; lane < 8; ++lane)
                if ((mask >> lane & 1u) != 0) row[mask][count++] = static_cast<std::uint8_t>(lane);
        }
    }
};
constexpr LanesOfMask kLanesOfMask;

/// How the distance to a plane is computed: in one fused step, or from the plane's position for rays along a
/// coordinate plane, where the fused step would give inf - inf.
enum class Planes { Fused, ByPosition };

template <RayMode kMode, Planes kPlanes>
struct Kernel {
    const MeshRay& ray;
    __m256 start;
    __m256 origin[3];
    __m256 inverse[3];
    __m256 slack[3];  ///< Watertight only. Fused: along the ray.
    std::size_t near_at[3];
    std::size_t far_at[3];
    V3 origin4;
    V3 direction4;

    BV_WIDE_TARGET explicit Kernel(const MeshRay& r) noexcept : ray(r), start(_mm256_set1_ps(r.t_min)) {
        for (int k = 0; k < 3; ++k) {
            const auto lo = offsetof(Bvh8Node, lo) + 8 * static_cast<std::size_t>(k);
            const auto hi = offsetof(Bvh8Node, hi) + 8 * static_cast<std::size_t>(k);
            origin[k] = _mm256_set1_ps(r.origin[k]);
            inverse[k] = _mm256_set1_ps(r.inverse[k]);
            if constexpr (kMode == RayMode::Watertight)
                slack[k] = _mm256_set1_ps(kPlanes == Planes::Fused ? r.slack[k] * r.inverse[k] : r.slack[k]);
            near_at[k] = lo + (hi - lo) * static_cast<std::size_t>(r.negative[k]);
            far_at[k] = lo + hi - near_at[k];
        }
        if constexpr (kMode == RayMode::Fast) {
            origin4 = {_mm_set1_ps(r.origin.x), _mm_set1_ps(r.origin.y), _mm_set1_ps(r.origin.z)};
            direction4 = {_mm_set1_ps(r.direction.x), _mm_set1_ps(r.direction.y), _mm_set1_ps(r.direction.z)};
        } else {
            origin4 = {_mm_set1_ps(r.origin[r.kx]), _mm_set1_ps(r.origin[r.ky]), _mm_set1_ps(r.origin[r.kz])};
            direction4 = {_mm_set1_ps(r.sx), _mm_set1_ps(r.sy), _mm_set1_ps(r.sz)};
        }
    }

    /// Takes one of the children that were hit as `next` and pushes the others. Takes the nearest and pushes
    /// the farthest first; for kAny, takes the one in the lowest slot and pushes the others unsorted and
    /// without keys, since there the order costs more than it saves. False if none was hit.
    template <bool kAny>
    BV_WIDE_INLINE bool descend(const detail::Bvh8View& tree, const Bvh8Node& node, float limit,
                                std::size_t& top, std::uint32_t& next) const noexcept {
        __m256 enter = start;
        __m256 leave = _mm256_set1_ps(limit);
#pragma GCC unroll 3
        for (int k = 0; k < 3; ++k) {
            const __m256 at = _mm256_broadcast_ss(&node.origin[k]);
            const __m256 step = _mm256_broadcast_ss(&node.step[k]);
            __m256 near = steps(node, near_at[k]);
            __m256 far = steps(node, far_at[k]);
            if constexpr (kPlanes == Planes::Fused) {
                const __m256 per_step = _mm256_mul_ps(step, inverse[k]);
                const __m256 at_origin = _mm256_mul_ps(_mm256_sub_ps(at, origin[k]), inverse[k]);
                near = _mm256_fmadd_ps(near, per_step, nearer(at_origin, k));
                far = _mm256_fmadd_ps(far, per_step, farther(at_origin, k));
            } else {
                // A step count times a power of two is exact: fused or not, the sum is rounded once.
                near = _mm256_sub_ps(_mm256_fmadd_ps(near, step, at), origin[k]);
                far = _mm256_sub_ps(_mm256_fmadd_ps(far, step, at), origin[k]);
                near = _mm256_mul_ps(nearer(near, k), inverse[k]);
                far = _mm256_mul_ps(farther(far, k), inverse[k]);
            }
            enter = _mm256_max_ps(near, enter);  // the second operand where the first is NaN
            leave = _mm256_min_ps(far, leave);
        }
        leave = _mm256_mul_ps(leave, _mm256_set1_ps(MeshRay::kFarScale));
        const __m256 hits = _mm256_cmp_ps(enter, leave, _CMP_LE_OQ);
        const auto mask = static_cast<std::uint32_t>(_mm256_movemask_ps(hits));
        if (mask == 0) return false;
        if ((mask & (mask - 1)) == 0) {
            next = node.child[_tzcnt_u32(mask)];
            return true;
        }
        const std::size_t bottom = top;
        top += static_cast<std::size_t>(_mm_popcnt_u32(mask)) - 1;
        __m256i order;
        if constexpr (kAny) {
            next = node.child[_tzcnt_u32(mask)];
            order = chosen_lanes(mask & (mask - 1));
        } else {
            const __m256i slots = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
            __m256i keys =
                _mm256_or_si256(_mm256_and_si256(_mm256_castps_si256(enter), _mm256_set1_epi32(~7)), slots);
            // All ones for a miss: as a signed integer less than any distance, as an unsigned one greater.
            keys = _mm256_or_si256(keys, _mm256_xor_si256(_mm256_castps_si256(hits), _mm256_set1_epi32(-1)));
            // The nearest is known sooner than the order of all, which is only needed later.
            next = node.child[least(keys) & 7u];
            order = sorted(keys);
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(tree.stack.keys + bottom), order);
        }
        const __m256i words = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(node.child));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(tree.stack.children + bottom),
                            _mm256_permutevar8x32_epi32(words, order));
        // Only the next one: a loop over all would end in a branch mispredict.
        prefetch(tree, tree.stack.children[top - 1]);
        return true;
    }

    BV_WIDE_INLINE void test_block(const TriangleBlock& block, float& limit, MeshHit& best) const noexcept {
        if constexpr (kMode == RayMode::Fast)
            test_fast(block, limit, best);
        else
            test_watertight(block, limit, best);
    }

  private:
    BV_WIDE_INLINE __m256 nearer(__m256 plane, int k) const noexcept {
        if constexpr (kMode == RayMode::Watertight) return _mm256_sub_ps(plane, slack[k]);
        return plane;
    }
    BV_WIDE_INLINE __m256 farther(__m256 plane, int k) const noexcept {
        if constexpr (kMode == RayMode::Watertight) return _mm256_add_ps(plane, slack[k]);
        return plane;
    }
    /// The least as unsigned integers.
    BV_WIDE_INLINE static std::uint32_t least(__m256i v) noexcept {
        const __m128i half = _mm_min_epu32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
        const __m128i quarter = _mm_min_epu32(half, _mm_shuffle_epi32(half, _MM_SHUFFLE(1, 0, 3, 2)));
        const __m128i one = _mm_min_epu32(quarter, _mm_shuffle_epi32(quarter, _MM_SHUFFLE(2, 3, 0, 1)));
        return static_cast<std::uint32_t>(_mm_cvtsi128_si32(one));
    }
    /// The numbers of the lanes whose bits are set, first.
    BV_WIDE_INLINE static __m256i chosen_lanes(std::uint32_t mask) noexcept {
        return _mm256_cvtepu8_epi32(
            _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kLanesOfMask.row[mask].data())));
    }
    /// Sorts in descending order by an odd-even merge network: always 19 exchanges in six steps.
    BV_WIDE_INLINE static __m256i sorted(__m256i v) noexcept {
        v = exchange<0b10101010>(v, _mm256_shuffle_epi32(v, _MM_SHUFFLE(2, 3, 0, 1)));
        v = exchange<0b11001100>(v, _mm256_shuffle_epi32(v, _MM_SHUFFLE(1, 0, 3, 2)));
        v = exchange<0b01000100>(v, _mm256_shuffle_epi32(v, _MM_SHUFFLE(3, 1, 2, 0)));
        v = exchange<0b11110000>(v, _mm256_permute2x128_si256(v, v, 1));
        v = exchange<0b00110000>(v, _mm256_permute4x64_epi64(v, _MM_SHUFFLE(3, 1, 2, 0)));
        return exchange<0b01010100>(
            v, _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 2, 1, 4, 3, 6, 5, 7)));
    }
    /// The smaller of both where the mask bit is set, else the larger.
    template <int kSmaller>
    BV_WIDE_INLINE static __m256i exchange(__m256i a, __m256i b) noexcept {
        return _mm256_blend_epi32(_mm256_max_epi32(a, b), _mm256_min_epi32(a, b), kSmaller);
    }
    BV_WIDE_INLINE V3 corner(const TriangleBlock& block, int i, int x, int y, int z) const noexcept {
        return {_mm_load_ps(block.corner[i][x]), _mm_load_ps(block.corner[i][y]),
                _mm_load_ps(block.corner[i][z])};
    }

    BV_WIDE_INLINE __m128 in_range(__m128 t, float limit) const noexcept {
        return _mm_and_ps(_mm_cmpge_ps(t, _mm256_castps256_ps128(start)),
                          _mm_cmple_ps(t, _mm_set1_ps(limit)));
    }

    BV_WIDE_INLINE void test_fast(const TriangleBlock& block, float& limit, MeshHit& best) const noexcept {
        const V3 a = corner(block, 0, 0, 1, 2);
        const V3 e1 = sub(corner(block, 1, 0, 1, 2), a);
        const V3 e2 = sub(corner(block, 2, 0, 1, 2), a);
        const V3 n = cross(e1, e2);
        const V3 c = sub(a, origin4);
        const V3 r = cross(c, direction4);
        const __m128 det = dot(n, direction4);
        const __m128 sign = _mm_and_ps(det, _mm_set1_ps(-0.0f));
        const __m128 size = _mm_xor_ps(det, sign);
        const __m128 u = _mm_xor_ps(dot(r, e2), sign);
        const __m128 v = _mm_xor_ps(dot(r, e1), _mm_xor_ps(sign, _mm_set1_ps(-0.0f)));
        const __m128 zero = _mm_setzero_ps();
        __m128 good = _mm_and_ps(_mm_cmpge_ps(u, zero), _mm_cmpge_ps(v, zero));
        good = _mm_and_ps(good, _mm_cmple_ps(_mm_add_ps(u, v), size));
        good = _mm_and_ps(good, _mm_cmpneq_ps(det, zero));
        if (_mm_movemask_ps(good) == 0) return;
        const __m128 along = _mm_xor_ps(dot(n, c), sign);
        const __m128 t = _mm_mul_ps(_mm_div_ps(along, size), _mm_set1_ps(ray.t_scale));
        good = _mm_and_ps(good, _mm_and_ps(_mm_cmpge_ps(along, zero), in_range(t, limit)));
        accept(block, _mm_movemask_ps(good), t, _mm_div_ps(u, size), _mm_div_ps(v, size), limit, best);
    }

    BV_WIDE_INLINE void test_watertight(const TriangleBlock& block, float& limit,
                                        MeshHit& best) const noexcept {
        __m128 x[3];
        __m128 y[3];
        __m128 z[3];
#pragma GCC unroll 3
        for (int i = 0; i < 3; ++i) {
            const V3 p = sub(corner(block, i, ray.kx, ray.ky, ray.kz), origin4);
            x[i] = _mm_sub_ps(p.x, _mm_mul_ps(direction4.x, p.z));
            y[i] = _mm_sub_ps(p.y, _mm_mul_ps(direction4.y, p.z));
            z[i] = p.z;
        }
        __m128 u = cross_term(x[2], y[1], y[2], x[1]);
        __m128 v = cross_term(x[0], y[2], y[0], x[2]);
        __m128 w = cross_term(x[1], y[0], y[1], x[0]);
        const __m128 zero = _mm_setzero_ps();
        if (_mm_movemask_ps(outside(u, v, w)) == 0xf) return;
        u = edge_in_double(x[2], y[1], y[2], x[1]);
        v = edge_in_double(x[0], y[2], y[0], x[2]);
        w = edge_in_double(x[1], y[0], y[1], x[0]);
        const __m128 det = _mm_add_ps(_mm_add_ps(u, v), w);
        __m128 good = _mm_andnot_ps(outside(u, v, w), _mm_cmpneq_ps(det, zero));
        if (_mm_movemask_ps(good) == 0) return;
        const __m128 sz = direction4.z;
        const __m128 sum =
            _mm_add_ps(_mm_add_ps(_mm_mul_ps(u, _mm_mul_ps(z[0], sz)), _mm_mul_ps(v, _mm_mul_ps(z[1], sz))),
                       _mm_mul_ps(w, _mm_mul_ps(z[2], sz)));
        const __m128 t = _mm_mul_ps(_mm_div_ps(sum, det), _mm_set1_ps(ray.t_scale));
        good = _mm_and_ps(good, in_range(t, limit));
        accept(block, _mm_movemask_ps(good), t, _mm_div_ps(v, det), _mm_div_ps(w, det), limit, best);
    }

    /// Lanes in which they are neither all at most 0 nor all at least 0.
    BV_WIDE_INLINE static __m128 outside(__m128 u, __m128 v, __m128 w) noexcept {
        const __m128 zero = _mm_setzero_ps();
        return _mm_and_ps(_mm_cmplt_ps(_mm_min_ps(u, _mm_min_ps(v, w)), zero),
                          _mm_cmpgt_ps(_mm_max_ps(u, _mm_max_ps(v, w)), zero));
    }

    BV_WIDE_INLINE void accept(const TriangleBlock& block, int mask, __m128 t, __m128 u, __m128 v,
                               float& limit, MeshHit& best) const noexcept {
        if (mask == 0) return;
        alignas(16) float ts[4], us[4], vs[4];
        _mm_store_ps(ts, _mm_add_ps(t, _mm_setzero_ps()));  // no negative zero
        _mm_store_ps(us, u);
        _mm_store_ps(vs, v);
        for (auto left = static_cast<std::uint32_t>(mask); left != 0; left &= left - 1) {
            const std::uint32_t lane = _tzcnt_u32(left);
            const MeshHit hit{ts[lane], us[lane], vs[lane], block.id[lane]};
            if (detail::before(hit, best)) {
                best = hit;
                limit = hit.t;
            }
        }
    }
};

template <RayMode kMode, Planes kPlanes>
BV_WIDE_TARGET void cast_mode(const detail::Bvh8View& tree, const MeshRay& ray, bool any,
                              detail::Bvh8Result& result) noexcept {
    using Chosen = Kernel<kMode, kPlanes>;
    const Chosen kernel(ray);
    if (any)
        detail::walk_wide<Chosen, true>(tree, kernel, result);
    else
        detail::walk_wide<Chosen, false>(tree, kernel, result);
}

template <RayMode kMode>
BV_WIDE_TARGET void cast_planes(const detail::Bvh8View& tree, const MeshRay& ray, bool any,
                                detail::Bvh8Result& result) noexcept {
    if (ray.has_flat)
        cast_mode<kMode, Planes::ByPosition>(tree, ray, any, result);
    else
        cast_mode<kMode, Planes::Fused>(tree, ray, any, result);
}

/// Keeps every hit and the ray's end as the limit.
template <RayMode kMode, Planes kPlanes>
struct AllKernel : Kernel<kMode, kPlanes> {
    std::vector<MeshHit>& hits;

    BV_WIDE_TARGET AllKernel(const MeshRay& r, std::vector<MeshHit>& out) noexcept
        : Kernel<kMode, kPlanes>(r), hits(out) {}
    void test_block(const TriangleBlock& block, float&, MeshHit&) const {
        detail::collect_hits<kMode>(this->ray, block, hits);
    }
};

template <RayMode kMode>
BV_WIDE_TARGET void cast_all(const detail::Bvh8View& tree, const MeshRay& ray, std::vector<MeshHit>& hits,
                             detail::Bvh8Result& result) {
    if (ray.has_flat) {
        using Chosen = AllKernel<kMode, Planes::ByPosition>;
        detail::walk_wide<Chosen, false>(tree, Chosen(ray, hits), result);
    } else {
        using Chosen = AllKernel<kMode, Planes::Fused>;
        detail::walk_wide<Chosen, false>(tree, Chosen(ray, hits), result);
    }
}

#include "simd/mesh/mesh_packet_avx2.inl"

template <RayMode kMode>
BV_WIDE_TARGET void cast_packet(const detail::Bvh8View& tree, detail::Bvh8PacketEntry* stack, Packet& packet,
                                bool any) noexcept {
    if (any)
        walk_packet<kMode, true>(tree, stack, packet);
    else
        walk_packet<kMode, false>(tree, stack, packet);
}

}  // namespace

BV_WIDE_TARGET std::size_t cast_packet_avx2(const detail::Bvh8View& tree, detail::Bvh8PacketEntry* stack,
                                            std::span<const Ray> rays, const Aabb& mesh, RayMode mode,
                                            bool any, MeshHit* hits) noexcept {
    constexpr std::size_t kMinRays = 16;
    if (rays.size() < kMinRays) return 0;
    Packet packet(rays.data(), std::min(rays.size(), detail::kPacketRays), mesh, mode);
    if (packet.count < kMinRays || !packet.narrow) return 0;
    if (mode == RayMode::Fast)
        cast_packet<RayMode::Fast>(tree, stack, packet, any);
    else
        cast_packet<RayMode::Watertight>(tree, stack, packet, any);
    for (std::size_t i = 0; i < packet.count; ++i)
        hits[i] = packet.hit(i);
    return packet.count;
}

void cast_wide_all_avx2(const detail::Bvh8View& tree, const MeshRay& ray, RayMode mode,
                        std::vector<MeshHit>& hits, detail::Bvh8Result& result) {
    if (mode == RayMode::Fast)
        cast_all<RayMode::Fast>(tree, ray, hits, result);
    else
        cast_all<RayMode::Watertight>(tree, ray, hits, result);
}

void cast_wide_avx2(const detail::Bvh8View& tree, const MeshRay& ray, RayMode mode, bool any,
                    detail::Bvh8Result& result) noexcept {
    if (mode == RayMode::Fast)
        cast_planes<RayMode::Fast>(tree, ray, any, result);
    else
        cast_planes<RayMode::Watertight>(tree, ray, any, result);
}

}  // namespace bv::simd

#endif
