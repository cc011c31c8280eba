// The binned surface area heuristic: centers fall into 16 equal bins per axis, and only the planes between
// bins are evaluated. One pass over the references bins all three axes, one pass moves them. Source: Wald
// 2007.
#include <algorithm>
#include <utility>

#include "simd/mesh/binned_avx2.hpp"
#include "tree/mesh/build/mesh_binned.hpp"
#include "tree/mesh/build/mesh_top_down.hpp"

namespace bv::detail {
namespace {

constexpr int kBins = kObjectBins;

/// Uninitialized: only the bins in use get a value.
struct BinBox {
    simd::Float4 lo, hi;
};

/// Evaluates the planes of one axis.
void sweep_axis(int axis, int bins, const BinBox* boxes, const std::uint32_t* counts,
                BestSplit& best) noexcept {
    float left_cost[kBins];
    BinBox left_box[kBins];
    Bounds4 sum;
    std::uint32_t count = 0;
    for (int i = 0; i + 1 < bins; ++i) {
        sum.merge(boxes[i].lo, boxes[i].hi);
        count += counts[i];
        left_box[i] = {sum.lo, sum.hi};
        left_cost[i] = count > 0 ? sum.half_area() * static_cast<float>(count) : -1.0f;
    }
    const std::uint32_t all_count = count + counts[bins - 1];
    Bounds4 right;
    std::uint32_t right_count = 0;
    for (int i = bins - 1; i > 0; --i) {
        right.merge(boxes[i].lo, boxes[i].hi);
        // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): every bin in use has a count
        right_count += counts[i];
        // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the loop above has set it
        if (right_count == 0 || left_cost[i - 1] < 0.0f) continue;
        const float cost = left_cost[i - 1] + right.half_area() * static_cast<float>(right_count);
        if (cost < best.cost) {
            best.cost = cost;
            best.axis = axis;
            best.plane = i;
            best.left_count = all_count - right_count;
            best.left = {left_box[i - 1].lo, left_box[i - 1].hi};
            best.right = right;
        }
    }
}

/// A pair needs no bins: it is split along the axis on which its centers are farthest apart.
BestSplit split_pair(const BuildTask& task, std::span<const MeshRef> refs, const BinMap& map) noexcept {
    BestSplit best;
    const Bounds4 one{ref_lo(refs[task.begin]), ref_hi(refs[task.begin])};
    const Bounds4 two{ref_lo(refs[task.begin + 1]), ref_hi(refs[task.begin + 1])};
    alignas(16) float extent[4];
    (task.centers.hi - task.centers.lo).store(extent);
    for (int k = 0; k < 3; ++k)
        if (map.usable[k] && (best.axis < 0 || extent[k] > extent[best.axis])) best.axis = k;
    if (best.axis < 0) return best;
    const auto center = [&](std::uint32_t i) {
        return refs[i].lo[best.axis] * 0.25f + refs[i].hi[best.axis] * 0.25f;
    };
    const bool in_order = center(task.begin) <= center(task.begin + 1);
    best.cost = one.half_area() + two.half_area();
    best.plane = 1;
    best.left_count = 1;
    best.left = in_order ? one : two;
    best.right = in_order ? two : one;
    return best;
}

}  // namespace

BestSplit find_split_plain(const BuildTask& task, std::span<const MeshRef> refs, const BinMap& map) noexcept {
    BinBox boxes[3][kBins];
    std::uint32_t counts[3][kBins];
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < map.bins; ++i) {
            boxes[k][i] = {Bounds4{}.lo, Bounds4{}.hi};
            counts[k][i] = 0;
        }
    for (std::uint32_t i = task.begin; i < task.end; ++i) {
        int bin[4];
        map.bin(refs[i], bin);
        const simd::Float4 lo = ref_lo(refs[i]);
        const simd::Float4 hi = ref_hi(refs[i]);
        for (int k = 0; k < 3; ++k) {
            BinBox& box = boxes[k][bin[k]];
            box.lo = simd::min(lo, box.lo);
            box.hi = simd::max(hi, box.hi);
            ++counts[k][bin[k]];
        }
    }
    BestSplit best;
    for (int k = 0; k < 3; ++k)
        if (map.usable[k]) sweep_axis(k, map.bins, boxes[k], counts[k], best);
    return best;
}

void partition_plain(const BuildTask& task, std::span<MeshRef> refs, const BinMap& map, const BestSplit& best,
                     BuildTask& left, BuildTask& right) noexcept {
    const std::uint32_t middle = task.begin + best.left_count;
    // Below the plane are the same centers as in the bins before it, since bins are rounded down.
    const simd::Float4 plane = simd::Float4::all(static_cast<float>(best.plane));
    const int axis_bit = 1 << best.axis;
    Bounds4 centers[2];
    swap_sides(task, refs, middle, [&](const MeshRef& ref) -> std::uint32_t {
        const simd::Float4 center = ref_center(ref);
        const std::uint32_t below = (simd::less_bits(map.position(center), plane) & axis_bit) != 0 ? 1 : 0;
        centers[below].merge(center, center);
        return below;
    });
    left.centers = centers[1];
    right.centers = centers[0];
    left.begin = task.begin;
    left.end = right.begin = middle;
    right.end = task.end;
    left.box = best.left;
    right.box = best.right;
}

BestSplit find_split(const BuildTask& task, std::span<const MeshRef> refs, const BinMap& map) noexcept {
    if (task.count() == 2) return split_pair(task, refs, map);
#if BV_HAS_AVX2_KERNELS
    if (best_simd() == Simd::Avx2) return simd::find_split_avx2(task, refs, map);
#endif
    return find_split_plain(task, refs, map);
}

void partition(const BuildTask& task, std::span<MeshRef> refs, const BinMap& map, const BestSplit& best,
               BuildTask& left, BuildTask& right) noexcept {
#if BV_HAS_AVX2_KERNELS
    if (best_simd() == Simd::Avx2) return simd::partition_avx2(task, refs, map, best, left, right);
#endif
    partition_plain(task, refs, map, best, left, right);
}

void build_binned(std::span<MeshRef> refs, const BuildLimits& limits, BuildRun& run, MeshNodes& nodes) {
    build_top_down(
        refs, run, nodes,
        [&limits](const BuildTask& task, std::span<MeshRef> all, BuildTask& left, BuildTask& right) {
            // A visit that costs more than all tests: no division can be cheaper.
            const float tests = limits.intersection_cost * static_cast<float>(task.count());
            if (task.count() <= limits.max_leaf && limits.traversal_cost >= tests) return false;
            const BinMap map(task.centers, task.count());
            const BestSplit best = find_split(task, all, map);
            const float area = task.box.half_area();
            const float as_leaf = tests * area;
            const float as_inner = limits.traversal_cost * area + limits.intersection_cost * best.cost;
            if (task.count() <= limits.max_leaf && !(as_inner < as_leaf)) return false;
            if (best.axis < 0 || task.depth >= BuildLimits::kMaxFreeDepth)
                divide_in_half(task, all, left, right);
            else
                partition(task, all, map, best, left, right);
            return true;
        });
}

}  // namespace bv::detail
