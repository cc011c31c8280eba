#include "simd/support.hpp"

#include <cstddef>
#include <limits>

#include "bv/query/batch.hpp"
#include "simd/support_avx2.hpp"

namespace bv::simd {
namespace {

std::uint32_t farthest_along(const float* xyz, std::uint32_t count, const double direction[3]) noexcept {
    std::uint32_t best = 0;
    double farthest = -std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < count; ++i) {
        const float* const p = xyz + std::size_t{3} * i;
        const double along =
            (static_cast<double>(p[0]) * direction[0] + static_cast<double>(p[1]) * direction[1]) +
            static_cast<double>(p[2]) * direction[2];
        if (along > farthest) farthest = along, best = i;
    }
    return best;
}

void middle_of(const float* xyz, std::uint32_t count, float middle[3]) noexcept {
    if (count < 8) return middle_of_few(xyz, count, middle);
    float part[24] = {};
    float groups = 0.0f;
    for (std::uint32_t done = 0; done < count; groups += 1.0f) {
        const std::uint32_t from = done + 8 <= count ? done : count - 8;
        done = from + 8;
        for (std::uint32_t k = 0; k < 24; ++k)
            part[k] += xyz[std::size_t{3} * from + k];
    }
    for (std::uint32_t half = 12; half >= 3; half /= 2)
        for (std::uint32_t k = 0; k < half; ++k)
            part[k] += part[k + half];
    const float share = 0.125f / groups;
    for (std::uint32_t k = 0; k < 3; ++k)
        middle[k] = part[k] * share;
}

bool fill_columns(HullColumns&, const float*, std::uint32_t) noexcept {
    return false;
}

std::uint32_t farthest_in_columns(const HullColumns& columns, const double direction[3]) noexcept {
    return farthest_along(columns.xyz, columns.count, direction);
}

constexpr SupportKernels kScalar{farthest_along, middle_of, fill_columns, farthest_in_columns};
#if BV_HAS_AVX2_KERNELS
constexpr SupportKernels kAvx2{farthest_along_avx2, middle_of_avx2, fill_columns_avx2,
                               farthest_in_columns_avx2};
#endif

}  // namespace

void middle_of_few(const float* xyz, std::uint32_t count, float middle[3]) noexcept {
    for (std::uint32_t k = 0; k < 3; ++k) {
        middle[k] = xyz[k];
        for (std::uint32_t i = 1; i < count; ++i)
            middle[k] += xyz[std::size_t{3} * i + k];
        middle[k] /= static_cast<float>(count);
    }
}

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
