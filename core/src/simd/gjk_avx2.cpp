// Support points of boxes with one edge to a lane, in the order of operations of `Support::from_center`, and the
// walk of GJK compiled for AVX2 around them.
#include "simd/gjk_avx2.hpp"

#if BV_HAS_AVX2_KERNELS

#include <immintrin.h>

#define BV_GJK_TARGET __attribute__((target("avx2")))

#include "query/distance/gjk_walk.hpp"

namespace bv::simd {
namespace {

using detail::DVec3;

struct Avx2Gjk {
    class Box {
      public:
        BV_GJK_TARGET void set(const ConvexRef& core, const DVec3& center) noexcept {
            const auto& d = detail::Support::half_edges(core);
            for (int k = 0; k < 3; ++k) {
                row_[k] = _mm256_setr_pd(d[1][k], d[2][k], d[3][k], 0.0);
                edge_[k] = of(d[k + 1]);
            }
            center_ = of(center);
        }
        [[nodiscard]] BV_GJK_TARGET DVec3 support(const DVec3& direction) const noexcept {
            const __m256d along =
                _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(row_[0], _mm256_set1_pd(direction.x)),
                                            _mm256_mul_pd(row_[1], _mm256_set1_pd(direction.y))),
                              _mm256_mul_pd(row_[2], _mm256_set1_pd(direction.z)));
            const __m256d signs = _mm256_and_pd(along, _mm256_set1_pd(-0.0));
            const __m256d p = _mm256_add_pd(
                _mm256_add_pd(center_, _mm256_xor_pd(edge_[0], _mm256_permute4x64_pd(signs, 0x00))),
                _mm256_add_pd(_mm256_xor_pd(edge_[1], _mm256_permute4x64_pd(signs, 0x55)),
                              _mm256_xor_pd(edge_[2], _mm256_permute4x64_pd(signs, 0xaa))));
            const __m128d xy = _mm256_castpd256_pd128(p);
            return DVec3(_mm_cvtsd_f64(xy), _mm_cvtsd_f64(_mm_unpackhi_pd(xy, xy)),
                         _mm_cvtsd_f64(_mm256_extractf128_pd(p, 1)));
        }

      private:
        BV_GJK_TARGET static __m256d of(const DVec3& v) noexcept {
            return _mm256_setr_pd(v.x, v.y, v.z, 0.0);
        }

        __m256d row_[3];   ///< Coordinate k of the three half edges.
        __m256d edge_[3];  ///< The half edges.
        __m256d center_;
    };
};

}  // namespace

BV_GJK_TARGET void gjk_walk_avx2(const ConvexRef& a, const ConvexRef& b, double near, double far,
                                 detail::GjkWalk& out) noexcept {
    NoTrace sink;
    detail::walk_to_origin<Avx2Gjk>(a, b, near, far, sink, out);
}

}  // namespace bv::simd

#endif
