// Chooses between the two sets of WideTree kernels at run time.
#pragma once

#include "simd/query_avx2.hpp"
#include "simd/wide_kernels.hpp"

#if BV_HAS_AVX2_KERNELS
#define BV_WIDE_CALL(simd, call) \
    ((simd) == Simd::Avx2 ? ::bv::detail::wide_avx2::call : ::bv::detail::wide_scalar::call)
#else
#define BV_WIDE_CALL(simd, call) (static_cast<void>(simd), ::bv::detail::wide_scalar::call)
#endif
