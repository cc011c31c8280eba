// Binning of whole references, for the builders that evaluate planes between bins.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "tree/mesh/build/mesh_builders.hpp"

namespace bv::detail {

constexpr int kObjectBins = 16;

/// Few references need few bins.
inline int bins_for(std::uint32_t count) noexcept {
    return count <= 5 ? 4 : (count < 32 ? 8 : kObjectBins);
}

/// Maps centers to bins, all axes at once.
struct BinMap {
    simd::Float4 origin;
    simd::Float4 scale;
    int bins = kObjectBins;
    bool usable[3] = {};

    BinMap(const Bounds4& centers, std::uint32_t count) noexcept {
        bins = bins_for(count);
        alignas(16) float extent[4];
        (centers.hi - centers.lo).store(extent);
        alignas(16) float s[4] = {};
        for (int k = 0; k < 3; ++k) {
            // Slightly less than `bins`, so that the last center stays in the last bin.
            s[k] = static_cast<float>(bins) * 0.99999f / extent[k];
            usable[k] = extent[k] > 0.0f && std::isfinite(s[k]);
            if (!usable[k]) s[k] = 0.0f;
        }
        origin = centers.lo;
        scale = simd::Float4::load(s);
    }
    void bin(const MeshRef& ref, int* out) const noexcept { simd::truncate(position(ref_center(ref)), out); }
    /// The position of a center, in bins from the start of the first; not negative.
    [[nodiscard]] simd::Float4 position(simd::Float4 center) const noexcept {
        return (center - origin) * scale;
    }
};

struct BestSplit {
    float cost = std::numeric_limits<float>::infinity();  ///< Sum of half area times count.
    int axis = -1;
    int plane = 0;  ///< Bins below it go left.
    std::uint32_t left_count = 0;
    Bounds4 left, right;
};

/// The cheapest plane between bins; its axis is -1 if none separates.
[[nodiscard]] BestSplit find_split(const BuildTask& task, std::span<const MeshRef> refs,
                                   const BinMap& map) noexcept;
/// Moves the references left of the plane to the front, and measures the centers of both parts in the same
/// pass.
void partition(const BuildTask& task, std::span<MeshRef> refs, const BinMap& map, const BestSplit& best,
               BuildTask& left, BuildTask& right) noexcept;

/// The same without special instructions, for three references or more.
[[nodiscard]] BestSplit find_split_plain(const BuildTask& task, std::span<const MeshRef> refs,
                                         const BinMap& map) noexcept;
void partition_plain(const BuildTask& task, std::span<MeshRef> refs, const BinMap& map, const BestSplit& best,
                     BuildTask& left, BuildTask& right) noexcept;

/// Swaps references until those for which `is_left(ref)` is 1 come before `middle`, and those for which it is
/// 0 after it; exactly `middle - task.begin` must be left. Calls `is_left` once for each. Works in blocks,
/// since a branch on the side of each reference would be mispredicted half of the time: collects the numbers
/// of those on the wrong side from both ends, and then swaps these. Always inline: a caller compiled for more
/// instructions than this file gets them in the loops.
template <class IsLeft>
[[gnu::always_inline]] inline void swap_sides(const BuildTask& task, std::span<MeshRef> refs,
                                              std::uint32_t middle, const IsLeft& is_left) noexcept {
    constexpr std::uint32_t kBlock = 64;
    std::uint32_t low[kBlock], high[kBlock];
    std::uint32_t low_at = 0, low_end = 0, high_at = 0, high_end = 0;
    std::uint32_t i = task.begin, j = task.end;
    while (true) {
        if (low_at == low_end) {
            low_at = low_end = 0;
            for (const std::uint32_t stop = i + std::min(kBlock, middle - i); i < stop; ++i) {
                low[low_end] = i;
                low_end += 1 - is_left(refs[i]);
            }
        }
        if (high_at == high_end) {
            high_at = high_end = 0;
            for (const std::uint32_t stop = j - std::min(kBlock, j - middle); j > stop; --j) {
                high[high_end] = j - 1;
                high_end += is_left(refs[j - 1]);
            }
        }
        const std::uint32_t swaps = std::min(low_end - low_at, high_end - high_at);
        for (std::uint32_t k = 0; k < swaps; ++k)
            std::swap(refs[low[low_at++]], refs[high[high_at++]]);
        if (swaps == 0 && (i == middle || low_at < low_end) && (j == middle || high_at < high_end)) break;
    }
}

}  // namespace bv::detail
