// The passes over a hull's vertices that GJK needs: a linear search for the support vertex, and their sum,
// with vector instructions if the processor has them. Both forms give the same bits.
#pragma once

#include <cstdint>

namespace bv::simd {

/// The first of `count` points x, y, z (at least one) with the largest projection on `direction`, in double,
/// (x * dx + y * dy) + z * dz. 0 if no projection is a number.
using FarthestAlong = std::uint32_t (*)(const float* xyz, std::uint32_t count,
                                        const double direction[3]) noexcept;
/// A point about the middle of `count` points (at least one): the mean of groups of eight, of which the last
/// overlaps the one before. Not finite if a coordinate is not, or if a sum overflows.
using MiddleOf = void (*)(const float* xyz, std::uint32_t count, float middle[3]) noexcept;
/// The vertices of a small hull by coordinate, for several searches. Refers to the hull's own.
struct HullColumns {
    static constexpr std::uint32_t kMinCount = 8;
    static constexpr std::uint32_t kMaxCount = 64;
    const float* xyz = nullptr;
    std::uint32_t count = 0;
    float reach = 0.0f;  ///< The largest magnitude of a coordinate.
    alignas(32) float x[kMaxCount];
    float y[kMaxCount];
    float z[kMaxCount];
};
/// Fills the columns with kMinCount to kMaxCount finite points. False where that would not pay: without
/// vector instructions, or for points so far out that single precision might overflow.
using FillColumns = bool (*)(HullColumns& columns, const float* xyz, std::uint32_t count) noexcept;
/// As `FarthestAlong`: compares in single precision, and all that its rounding leaves in doubt in double.
using FarthestInColumns = std::uint32_t (*)(const HullColumns& columns, const double direction[3]) noexcept;

struct SupportKernels {
    FarthestAlong farthest_along;
    MiddleOf middle_of;
    FillColumns fill_columns;
    FarthestInColumns farthest_in_columns;
};

/// The best for this machine, chosen on the first call.
[[nodiscard]] const SupportKernels& support_kernels() noexcept;
/// Plain C++.
[[nodiscard]] const SupportKernels& scalar_support_kernels() noexcept;

}  // namespace bv::simd
