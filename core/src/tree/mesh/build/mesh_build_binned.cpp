// The binned surface area heuristic: centers fall into 16 equal bins per axis, and only the planes between
// bins are evaluated. One pass over the references bins all three axes, one pass moves them. Source: Wald
// 2007.
#include <algorithm>
#include <utility>

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
    Bounds4 right;
    std::uint32_t right_count = 0;
    for (int i = bins - 1; i > 0; --i) {
        right.merge(boxes[i].lo, boxes[i].hi);
        right_count += counts[i];
        if (right_count == 0 || left_cost[i - 1] < 0.0f) continue;
        const float cost = left_cost[i - 1] + right.half_area() * static_cast<float>(right_count);
        if (cost < best.cost) {
            best.cost = cost;
            best.axis = axis;
            best.plane = i;
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
    best.left = in_order ? one : two;
    best.right = in_order ? two : one;
    return best;
}

}  // namespace

BestSplit find_split(const BuildTask& task, std::span<const MeshRef> refs, const BinMap& map) noexcept {
    if (task.count() == 2) return split_pair(task, refs, map);
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

void partition(const BuildTask& task, std::span<MeshRef> refs, const BinMap& map, const BestSplit& best,
               BuildTask& left, BuildTask& right) noexcept {
    const auto goes_left = [&](const MeshRef& ref) {
        int bin[4];
        map.bin(ref, bin);
        return bin[best.axis] < best.plane;
    };
    std::uint32_t i = task.begin;
    std::uint32_t j = task.end;
    while (true) {
        for (; i < j && goes_left(refs[i]); ++i) {
            const simd::Float4 center = ref_center(refs[i]);
            left.centers.merge(center, center);
        }
        for (; i < j && !goes_left(refs[j - 1]); --j) {
            const simd::Float4 center = ref_center(refs[j - 1]);
            right.centers.merge(center, center);
        }
        if (i >= j) break;
        std::swap(refs[i], refs[j - 1]);
    }
    left.begin = task.begin;
    left.end = right.begin = i;
    right.end = task.end;
    left.box = best.left;
    right.box = best.right;
}

void build_binned(std::span<MeshRef> refs, const BuildLimits& limits, BuildRun& run, MeshNodes& nodes) {
    build_top_down(
        refs, run, nodes,
        [&limits](const BuildTask& task, std::span<MeshRef> all, BuildTask& left, BuildTask& right) {
            const BinMap map(task.centers, task.count());
            const BestSplit best = find_split(task, all, map);
            const float area = task.box.half_area();
            const float as_leaf = limits.intersection_cost * static_cast<float>(task.count()) * area;
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
