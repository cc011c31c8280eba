// The passes over a hull's vertices that GJK needs: a linear search for the support vertex, and their sum,
// with vector instructions if the processor has them. Both forms give the same bits.
#pragma once

#include <cstdint>

namespace bv::simd {

/// The first of `count` points x, y, z (at least one) with the largest projection on `direction`, in double,
/// (x * dx + y * dy) + z * dz. 0 if no projection is a number.
using FarthestAlong = std::uint32_t (*)(const float* xyz, std::uint32_t count,
                                        const double direction[3]) noexcept;
/// The sum of `count` points x, y, z, in single precision: point i is added to partial sum i % 8, and the
/// partial sums pairwise. Not finite if a coordinate is not, or if a sum overflows.
using SumOf = void (*)(const float* xyz, std::uint32_t count, float sum[3]) noexcept;

struct SupportKernels {
    FarthestAlong farthest_along;
    SumOf sum_of;
};

/// The best for this machine, chosen on the first call.
[[nodiscard]] const SupportKernels& support_kernels() noexcept;
/// Plain C++.
[[nodiscard]] const SupportKernels& scalar_support_kernels() noexcept;

}  // namespace bv::simd
