// Splitting by count: the simplest builder, and the fallback of the others when centers coincide or a tree
// gets deep.
#include "tree/mesh/build/mesh_builders.hpp"
#include "tree/mesh/build/mesh_top_down.hpp"
#include "tree/select.hpp"

namespace bv::detail {

void measure_part(BuildTask& part, std::span<const MeshRef> refs) noexcept {
    part.box = Bounds4{};
    part.centers = Bounds4{};
    for (std::uint32_t i = part.begin; i < part.end; ++i) {
        const simd::Float4 center = ref_center(refs[i]);
        part.box.merge(ref_lo(refs[i]), ref_hi(refs[i]));
        part.centers.merge(center, center);
    }
}

void divide_in_half(const BuildTask& task, std::span<MeshRef> refs, BuildTask& left, BuildTask& right) {
    alignas(16) float extent[4];
    (task.centers.hi - task.centers.lo).store(extent);
    const int axis =
        extent[0] >= extent[1] ? (extent[0] >= extent[2] ? 0 : 2) : (extent[1] >= extent[2] ? 1 : 2);
    const std::uint32_t middle = task.begin + task.count() / 2;
    // Ties are broken by number.
    detail::select_nth(refs.begin() + task.begin, refs.begin() + middle, refs.begin() + task.end,
                       [axis](const MeshRef& a, const MeshRef& b) {
                           const float ca = a.lo[axis] * 0.25f + a.hi[axis] * 0.25f;
                           const float cb = b.lo[axis] * 0.25f + b.hi[axis] * 0.25f;
                           return ca < cb || (ca == cb && a.id < b.id);
                       });
    left.begin = task.begin;
    left.end = right.begin = middle;
    right.end = task.end;
    measure_part(left, refs);
    measure_part(right, refs);
}

void build_median(std::span<MeshRef> refs, const BuildLimits& limits, BuildRun& run, MeshNodes& nodes) {
    build_top_down(
        refs, run, nodes,
        [&limits](const BuildTask& task, std::span<MeshRef> all, BuildTask& left, BuildTask& right) {
            if (task.count() <= limits.max_leaf) return false;
            divide_in_half(task, all, left, right);
            return true;
        });
}

}  // namespace bv::detail
