// Passes over arrays of points, with vector instructions if the processor has them.
//
// Points are consecutive x, y, z triples of floats. Points with a non-finite coordinate are ignored. Each
// kernel exists twice, in plain C++ and with AVX2, and both give the same result bit for bit: sums are added
// in the same order, nothing is fused, and minima and maxima do not depend on the order of points (the first
// of equal points wins; a zero bound is always positive zero).
#pragma once

#include <cstddef>
#include <cstdint>

namespace bv::simd {

inline constexpr std::size_t kNoIndex = static_cast<std::size_t>(-1);
/// Directions that `kdop` projects on: those of bv::kKdopDirections, in that order.
inline constexpr int kKdopDirectionCount = 13;

struct Bounds {
    float min[3];
    float max[3];
};

struct FarthestPoint {
    std::size_t index;
    double distance_sq;
};

struct Kernels {
    const char* name;
    /// Box of all points; min = +inf, max = -inf without any.
    Bounds (*bounds)(const float* xyz, std::size_t count);
    /// The point with the greatest squared distance from `center`, computed in double as
    /// bv::distance_sq_in_double does. kNoIndex and -1 without any.
    FarthestPoint (*farthest)(const float* xyz, std::size_t count, const double center[3]);
    /// Least and greatest offset from `origin` along three axes (nine numbers, axis by axis), in double as
    /// bv::offset_in_double computes it. +inf and -inf without any.
    void (*extents)(const float* xyz, std::size_t count, const float axes[9], const float origin[3],
                    double low[3], double high[3]);
    /// Least and greatest projection on each direction of the k-DOPs, in double as bv::kdop_project computes
    /// it.
    void (*kdop)(const float* xyz, std::size_t count, double low[kKdopDirectionCount],
                 double high[kKdopDirectionCount]);
    /// The least and the greatest point along each of `direction_count` directions, by projections of the
    /// offsets from `origin` in single precision, x * dx + y * dy + z * dz added from left to right; if such
    /// a sum overflows, the point is unspecified. The offsets themselves must not overflow. At most 64
    /// directions. kNoIndex without any points.
    void (*extremes)(const float* xyz, std::size_t count, const float origin[3], const float* directions,
                     std::size_t direction_count, std::size_t* low, std::size_t* high);
};

/// The best kernels for this machine, chosen on the first call.
const Kernels& kernels() noexcept;
/// Plain C++.
const Kernels& scalar_kernels() noexcept;
/// With AVX2, or null if the processor or the build lacks it.
const Kernels* avx2_kernels() noexcept;

}  // namespace bv::simd
