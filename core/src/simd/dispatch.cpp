// Selects the instruction set. In a file of its own, so that a test can link another definition and run as if
// on a processor without AVX2 (core/tests/simd/scalar_dispatch.cpp).
#include "simd/query_avx2.hpp"

namespace bv {

Simd best_simd() noexcept {
#if BV_HAS_AVX2_KERNELS
    static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
    return has_avx2 ? Simd::Avx2 : Simd::Scalar;
#else
    return Simd::Scalar;
#endif
}

}  // namespace bv
