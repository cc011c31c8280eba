// The linear builder: sort along the Morton curve, split each range where the highest differing bit of the
// codes changes, then make the boxes bottom up. Source: Lauterbach 2009.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "bv/tree/morton.hpp"
#include "tree/mesh/build/mesh_builders.hpp"
#include "tree/mesh/build/mesh_morton.hpp"
#include "tree/mesh/build/mesh_top_down.hpp"

namespace bv::detail {
namespace {

/// Least digit first: three passes of ten bits over keys whose upper half is the code.
void radix_sort(std::vector<std::uint64_t>& keys) {
    std::vector<std::uint64_t> other(keys.size());
    for (const int shift : {32, 42, 52}) {
        std::array<std::uint32_t, 1025> start{};
        for (const std::uint64_t key : keys)
            ++start[((key >> shift) & 1023u) + 1];
        for (std::size_t i = 1; i < start.size(); ++i)
            start[i] += start[i - 1];
        for (const std::uint64_t key : keys)
            other[start[(key >> shift) & 1023u]++] = key;
        keys.swap(other);
    }
}

/// The first of [begin, end) that goes right.
std::uint32_t find_split(std::span<const std::uint32_t> codes, std::uint32_t begin,
                         std::uint32_t end) noexcept {
    const std::uint32_t first = codes[begin];
    const std::uint32_t last = codes[end - 1];
    if (first == last) return begin + (end - begin) / 2;
    const std::uint32_t bit = std::bit_floor(first ^ last);
    const std::uint32_t least_right = (last & ~(bit - 1));
    return static_cast<std::uint32_t>(
        std::lower_bound(codes.begin() + begin, codes.begin() + end, least_right) - codes.begin());
}

}  // namespace

std::vector<std::uint32_t> sort_by_morton_code(std::span<MeshRef> refs) {
    Bounds4 centers;
    for (const MeshRef& ref : refs) {
        const simd::Float4 c = ref_center(ref);
        centers.merge(c, c);
    }
    alignas(16) float scale[4];
    (centers.hi - centers.lo).store(scale);
    for (float& s : scale) {
        s = 1023.99f / s;
        if (!(s > 0.0f) || !std::isfinite(s)) s = 0.0f;
    }
    const simd::Float4 scale4 = simd::Float4::load(scale);
    std::vector<std::uint64_t> keys(refs.size());
    for (std::size_t i = 0; i < refs.size(); ++i) {
        int cell[4];
        simd::truncate((ref_center(refs[i]) - centers.lo) * scale4, cell);
        const std::uint64_t code =
            morton_code(static_cast<std::uint32_t>(cell[0]), static_cast<std::uint32_t>(cell[1]),
                        static_cast<std::uint32_t>(cell[2]));
        keys[i] = (code << 32) | i;
    }
    radix_sort(keys);
    const std::vector<MeshRef> given(refs.begin(), refs.end());
    std::vector<std::uint32_t> codes(refs.size());
    for (std::size_t i = 0; i < refs.size(); ++i) {
        codes[i] = static_cast<std::uint32_t>(keys[i] >> 32);
        refs[i] = given[keys[i] & 0xffffffffu];
    }
    return codes;
}

void fit_boxes(std::span<const MeshRef> refs, MeshNodes& nodes) noexcept {
    for (std::size_t n = nodes.size(); n-- > 0;) {
        MeshBvhNode& node = nodes[n];
        Bounds4 box;
        if (node.is_leaf())
            for (std::uint32_t i = node.first; i < node.first + node.count; ++i)
                box.merge(ref_lo(refs[i]), ref_hi(refs[i]));
        else
            for (std::uint32_t child = node.first; child < node.first + 2; ++child)
                box.merge(simd::Float4::load_unaligned(&nodes[child].min.x),
                          simd::Float4::load_unaligned(&nodes[child].max.x));
        set_box(node, box);
    }
}

void build_morton(std::span<MeshRef> refs, const BuildLimits& limits, BuildRun& run, MeshNodes& nodes) {
    run.progress.begin_part(0.0f, 0.3f, 1);
    const std::vector<std::uint32_t> codes = sort_by_morton_code(refs);
    build_top_down(
        refs, run, nodes,
        [&](const BuildTask& task, std::span<MeshRef>, BuildTask& left, BuildTask& right) {
            if (task.count() <= limits.max_leaf) return false;
            left.begin = task.begin;
            left.end = right.begin = find_split(codes, task.begin, task.end);
            right.end = task.end;
            return true;
        },
        0.3f);
    if (!run.progress.cancelled()) fit_boxes(refs, nodes);
}

}  // namespace bv::detail
