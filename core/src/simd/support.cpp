#include "simd/support.hpp"

#include <cstddef>
#include <limits>

#include "bv/query/batch.hpp"
#include "simd/support_avx2.hpp"

namespace bv::simd {
namespace {

std::uint32_t farthest_along(const float* xyz, std::uint32_t count, const double direction[3]) noexcept {
    std::uint32_t best = 0;
    double most = -std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < count; ++i) {
        const float* const p = xyz + std::size_t{3} * i;
        const double along =
            (static_cast<double>(p[0]) * direction[0] + static_cast<double>(p[1]) * direction[1]) +
            static_cast<double>(p[2]) * direction[2];
        if (along > most) most = along, best = i;
    }
    return best;
}

void sum_of(const float* xyz, std::uint32_t count, float sum[3]) noexcept {
    float part[24] = {};
    std::uint32_t i = 0;
    for (; i + 8 <= count; i += 8)
        for (std::uint32_t k = 0; k < 24; ++k)
            part[k] += xyz[std::size_t{3} * i + k];
    for (std::uint32_t k = 0; k < 3 * (count - i); ++k)
        part[k] += xyz[std::size_t{3} * i + k];
    for (std::uint32_t half = 12; half >= 3; half /= 2)
        for (std::uint32_t k = 0; k < half; ++k)
            part[k] += part[k + half];
    for (std::uint32_t k = 0; k < 3; ++k)
        sum[k] = part[k];
}

constexpr SupportKernels kScalar{farthest_along, sum_of};
#if BV_HAS_AVX2_KERNELS
constexpr SupportKernels kAvx2{farthest_along_avx2, sum_of_avx2};
#endif

}  // namespace

const SupportKernels& scalar_support_kernels() noexcept {
    return kScalar;
}

const SupportKernels& support_kernels() noexcept {
#if BV_HAS_AVX2_KERNELS
    static const SupportKernels& best = best_simd() == Simd::Avx2 ? kAvx2 : kScalar;
    return best;
#else
    return kScalar;
#endif
}

}  // namespace bv::simd
