// The full surface area heuristic: every split between two neighbors in the order of centers is evaluated, on
// all three axes. The centers are sorted once; a split partitions all three orders stably. Source: Wald 2007.
#include <algorithm>

#include "tree/mesh/build/mesh_builders.hpp"
#include "tree/mesh/build/mesh_top_down.hpp"

namespace bv::detail {
namespace {

/// The arrays shared by all nodes. Each node works on its own range of every array.
class Sweep {
  public:
    Sweep(std::span<const MeshRef> refs, const BuildLimits& limits, BuildProgress& progress)
        : refs_(refs),
          limits_(limits),
          goes_left_(refs.size()),
          scratch_(refs.size()),
          right_cost_(refs.size()) {
        for (int k = 0; k < 3; ++k) {
            order_[k].resize(refs.size());
            for (std::uint32_t i = 0; i < refs.size(); ++i)
                order_[k][i] = i;
            std::sort(order_[k].begin(), order_[k].end(), [this, k](std::uint32_t a, std::uint32_t b) {
                const float ca = center(a, k);
                const float cb = center(b, k);
                return ca < cb || (ca == cb && a < b);
            });
            if (!progress.advance(1)) return;
        }
    }

    bool divide(const BuildTask& task, BuildTask& left, BuildTask& right) {
        Split best;
        for (int k = 0; k < 3; ++k)
            evaluate(task, k, best);
        const float area = task.box.half_area();
        const float as_leaf = limits_.intersection_cost * static_cast<float>(task.count()) * area;
        const float as_inner = limits_.traversal_cost * area + limits_.intersection_cost * best.cost;
        if (task.count() <= limits_.max_leaf && !(as_inner < as_leaf)) return false;
        if (best.axis < 0 || task.depth >= BuildLimits::kMaxFreeDepth) best = half(task);
        left.begin = task.begin;
        left.end = right.begin = best.middle;
        right.end = task.end;
        part(task, best);
        for (BuildTask* side : {&left, &right})
            for (std::uint32_t i = side->begin; i < side->end; ++i)
                side->box.merge(ref_lo(refs_[order_[0][i]]), ref_hi(refs_[order_[0][i]]));
        return true;
    }

    /// The order to which the leaves' ranges refer.
    [[nodiscard]] const std::vector<std::uint32_t>& order() const noexcept { return order_[0]; }

  private:
    struct Split {
        float cost = std::numeric_limits<float>::infinity();
        int axis = -1;
        std::uint32_t middle = 0;
    };

    [[nodiscard]] float center(std::uint32_t ref, int k) const noexcept {
        return refs_[ref].lo[k] * 0.25f + refs_[ref].hi[k] * 0.25f;
    }

    void evaluate(const BuildTask& task, int axis, Split& best) noexcept {
        Bounds4 box;
        for (std::uint32_t i = task.end - 1; i > task.begin; --i) {
            const MeshRef& ref = refs_[order_[axis][i]];
            box.merge(ref_lo(ref), ref_hi(ref));
            right_cost_[i] = box.half_area() * static_cast<float>(task.end - i);
        }
        box = Bounds4{};
        for (std::uint32_t i = task.begin + 1; i < task.end; ++i) {
            const MeshRef& ref = refs_[order_[axis][i - 1]];
            box.merge(ref_lo(ref), ref_hi(ref));
            const float cost = box.half_area() * static_cast<float>(i - task.begin) + right_cost_[i];
            if (cost < best.cost) best = {cost, axis, i};
        }
    }

    [[nodiscard]] Split half(const BuildTask& task) const noexcept {
        Split split;
        float widest = -1.0f;
        for (int k = 0; k < 3; ++k) {
            const float extent = center(order_[k][task.end - 1], k) - center(order_[k][task.begin], k);
            if (!(extent > widest)) continue;
            widest = extent;
            split.axis = k;
        }
        split.axis = std::max(split.axis, 0);
        split.middle = task.begin + task.count() / 2;
        return split;
    }

    /// Partitions the other two orders like the chosen one.
    void part(const BuildTask& task, const Split& split) noexcept {
        for (std::uint32_t i = task.begin; i < task.end; ++i)
            goes_left_[order_[split.axis][i]] = i < split.middle ? 1 : 0;
        for (int k = 0; k < 3; ++k) {
            if (k == split.axis) continue;
            std::uint32_t left = task.begin;
            std::uint32_t right = split.middle;
            for (std::uint32_t i = task.begin; i < task.end; ++i) {
                const std::uint32_t ref = order_[k][i];
                scratch_[goes_left_[ref] != 0 ? left++ : right++] = ref;
            }
            std::copy(scratch_.begin() + task.begin, scratch_.begin() + task.end,
                      order_[k].begin() + task.begin);
        }
    }

    std::span<const MeshRef> refs_;
    const BuildLimits& limits_;
    std::vector<std::uint32_t> order_[3];
    std::vector<char> goes_left_;  ///< Per reference.
    std::vector<std::uint32_t> scratch_;
    std::vector<float> right_cost_;
};

}  // namespace

void build_sweep(std::span<MeshRef> refs, const BuildLimits& limits, BuildRun& run, MeshNodes& nodes) {
    constexpr float kSorted = 0.25f;
    run.progress.begin_part(0.0f, kSorted, 3);
    Sweep sweep(refs, limits, run.progress);
    if (run.progress.cancelled()) return;
    build_top_down(
        refs, run, nodes,
        [&sweep](const BuildTask& task, std::span<MeshRef>, BuildTask& left, BuildTask& right) {
            return sweep.divide(task, left, right);
        },
        kSorted);
    if (run.progress.cancelled()) return;
    const std::vector<MeshRef> given(refs.begin(), refs.end());
    for (std::size_t i = 0; i < refs.size(); ++i)
        refs[i] = given[sweep.order()[i]];
}

}  // namespace bv::detail
