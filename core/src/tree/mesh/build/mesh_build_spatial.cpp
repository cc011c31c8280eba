// Binned SAH with spatial splits: a plane may also cut triangles, whose parts then go to both sides, each
// with a smaller box. That pays where large triangles overlap, so it is only tried where the two sides of the
// best split of whole triangles overlap. A budget limits the number of references added; a node passes its
// unused budget to its children in proportion to their counts. Source: Stich 2009.
#include <algorithm>

#include "bv/shapes/not_finite.hpp"
#include "bv/shapes/triangle.hpp"
#include "tree/mesh/build/mesh_binned.hpp"
#include "tree/mesh/build/mesh_builders.hpp"
#include "tree/mesh/build/mesh_top_down.hpp"

namespace bv::detail {
namespace {

constexpr int kSpatialBins = kObjectBins;
/// Spatial splits are tried if the sides' overlap exceeds this fraction of the root's surface area.
constexpr float kWorthwhileOverlap = 1e-5f;

/// Certainly below or above, whichever way rounding to float went.
float below(double x) noexcept {
    return std::nextafter(static_cast<float>(x), -std::numeric_limits<float>::infinity());
}
float above(double x) noexcept {
    return std::nextafter(static_cast<float>(x), std::numeric_limits<float>::infinity());
}

bool is_box(const MeshRef& r) noexcept {
    return r.lo[0] <= r.hi[0] && r.lo[1] <= r.hi[1] && r.lo[2] <= r.hi[2];
}

Aabb box_of(const MeshRef& r) noexcept {
    return {{r.lo[0], r.lo[1], r.lo[2]}, {r.hi[0], r.hi[1], r.hi[2]}};
}

void extend(MeshRef& box, int axis, float value) noexcept {
    box.lo[axis] = std::min(box.lo[axis], value);
    box.hi[axis] = std::max(box.hi[axis], value);
}

/// The parts of a reference on either side of a plane. `is_box` is false for an empty part.
struct Parts {
    MeshRef low, high;
};

/// Both boxes contain their part of the triangle: points where edges cross the plane are rounded outward.
Parts cut(const MeshRef& ref, const Triangle& triangle, int axis, float at) noexcept {
    constexpr float kInf = std::numeric_limits<float>::infinity();
    Parts parts{{{kInf, kInf, kInf}, ref.id, {-kInf, -kInf, -kInf}, 0},
                {{kInf, kInf, kInf}, ref.id, {-kInf, -kInf, -kInf}, 0}};
    const glm::vec3 corners[3] = {triangle.a, triangle.b, triangle.c};
    for (int i = 0; i < 3; ++i) {
        const glm::vec3& p = corners[i];
        const glm::vec3& q = corners[(i + 1) % 3];
        for (int k = 0; k < 3; ++k) {
            if (p[axis] <= at) extend(parts.low, k, p[k]);
            if (p[axis] >= at) extend(parts.high, k, p[k]);
        }
        if (!((p[axis] < at && q[axis] > at) || (p[axis] > at && q[axis] < at))) continue;
        const double start = p[axis];
        const double f = (at - start) / (q[axis] - start);
        for (int k = 0; k < 3; ++k) {
            const double x = p[k] + f * (static_cast<double>(q[k]) - p[k]);
            for (MeshRef* part : {&parts.low, &parts.high}) {
                extend(*part, k, k == axis ? at : below(x));
                extend(*part, k, k == axis ? at : above(x));
            }
        }
    }
    for (MeshRef* part : {&parts.low, &parts.high})
        for (int k = 0; k < 3; ++k) {
            part->lo[k] = std::max(part->lo[k], ref.lo[k]);
            part->hi[k] = std::min(part->hi[k], ref.hi[k]);
        }
    return parts;
}

bool is_box(const Bounds4& box) noexcept {
    return (simd::less_bits(box.hi, box.lo) & 7) == 0;
}

/// Planes at equal distances across a node, along one axis.
struct Bins {
    int axis, count;
    float start, per_m;
    float planes[kSpatialBins + 1];

    Bins(int along, int n, float from, float width) noexcept
        : axis(along), count(n), start(from), per_m(1.0f / width), planes{} {
        for (int i = 0; i <= n; ++i)
            planes[i] = from + width * static_cast<float>(i);
    }
    [[nodiscard]] int of(float x) const noexcept { return clamped_int((x - start) * per_m, 0, count - 1); }
};

/// Boxes of a triangle's parts in bins `first` to `last`, as good as single precision makes them: for costs,
/// not for nodes.
void slice(const Triangle& triangle, const Bins& bins, int first, int last, Bounds4* parts) noexcept {
    const glm::vec3* corners[3] = {&triangle.a, &triangle.b, &triangle.c};
    simd::Float4 points[3];
    int at[3];
    for (int i = 0; i < 3; ++i) {
        const glm::vec3& p = *corners[i];
        const float x = p[bins.axis];
        points[i] = simd::Float4::of(p.x, p.y, p.z, 0.0f);
        at[i] = std::clamp(bins.of(x), first, last);
        if (x >= bins.planes[first] && x <= bins.planes[last + 1]) parts[at[i]].merge(points[i], points[i]);
    }
    for (int i = 0; i < 3; ++i) {
        int low = i, high = i < 2 ? i + 1 : 0;
        if ((*corners[low])[bins.axis] > (*corners[high])[bins.axis]) std::swap(low, high);
        const float start = (*corners[low])[bins.axis], end = (*corners[high])[bins.axis];
        const bool enters = start<bins.planes[first], leaves = end> bins.planes[last + 1];
        if (at[low] == at[high] && !enters && !leaves) continue;
        const float per_m = 1.0f / (end - start);
        const simd::Float4 along = points[high] - points[low];
        const auto point_at = [&](int plane) {
            return points[low] + along * simd::Float4::all((bins.planes[plane] - start) * per_m);
        };
        if (enters && end >= bins.planes[first]) parts[first].merge(point_at(first), point_at(first));
        for (int bin = at[low]; bin < at[high]; ++bin) {
            const simd::Float4 point = point_at(bin + 1);
            parts[bin].merge(point, point);
            parts[bin + 1].merge(point, point);
        }
        if (leaves && start <= bins.planes[last + 1])
            parts[last].merge(point_at(last + 1), point_at(last + 1));
    }
}

struct SpatialSplit {
    float cost = std::numeric_limits<float>::infinity();  ///< As in BestSplit.
    int axis = -1;
    float at = 0;
    std::uint32_t added = 0;  ///< References that are on both sides.
    Bounds4 left, right;
    std::uint32_t left_count = 0, right_count = 0;
};

/// A node whose references are the last `count` waiting.
struct SpatialTask {
    std::uint32_t node = 0;
    std::uint32_t count = 0;
    std::uint32_t depth = 0;
    std::uint32_t spare = 0;  ///< References that it may add.
};

template <class Sink>
class SpatialBuilder {
  public:
    SpatialBuilder(const MeshView& mesh, std::vector<MeshRef>& refs, const BuildLimits& limits,
                   MeshNodes& nodes, Sink& sink)
        : mesh_(mesh), refs_(refs), limits_(limits), nodes_(nodes), sink_(sink) {}

    void build(std::uint32_t budget, BuildRun& run) {
        const auto count = static_cast<std::uint32_t>(refs_.size());
        waiting_ = refs_;
        refs_.clear();
        nodes_.assign(1, MeshBvhNode{});
        const std::uint32_t levels = LevelCount::levels_for(count + budget);
        run.progress.begin_part(0.0f, BuildRun::kBuilt, std::uint64_t{count + budget / 2} * levels);
        LevelCount level(run.progress, levels);
        std::vector<SpatialTask> tasks{{0, count, 0, budget}};
        while (!tasks.empty()) {
            const SpatialTask now = tasks.back();
            tasks.pop_back();
            BuildTask task;
            task.begin = static_cast<std::uint32_t>(waiting_.size()) - now.count;
            task.end = task.begin + now.count;
            task.depth = now.depth;
            measure_part(task, waiting_);
            if (now.node == 0) least_overlap_ = kWorthwhileOverlap * task.box.half_area();
            set_box(nodes_[now.node], task.box);
            SpatialTask left, right;
            if (now.count == 1 || !divide(task, now, left, right)) {
                make_leaf(task, now.node);
                if (!level.made_leaf(task)) return;
                continue;
            }
            if (!level.divided(task)) return;
            left.node = static_cast<std::uint32_t>(nodes_.size());
            right.node = left.node + 1;
            left.depth = right.depth = now.depth + 1;
            nodes_[now.node].first = left.node;
            nodes_[now.node].count = 0;
            nodes_.resize(nodes_.size() + 2);
            tasks.push_back(right);
            tasks.push_back(left);  // its references are on top
        }
        level.flush();
    }

  private:
    /// Puts the right side's references where the node's were, and the left side's on top of them.
    bool divide(const BuildTask& task, const SpatialTask& now, SpatialTask& left, SpatialTask& right) {
        const BinMap map(task.centers, task.count());
        const BestSplit best = find_split(task, waiting_, map);
        SpatialSplit spatial;
        if constexpr (Sink::kEnabled) weighed_.clear();
        if (now.spare > 0 && task.depth < BuildLimits::kMaxFreeDepth && overlap_is_worthwhile(best))
            for (int axis = 0; axis < 3; ++axis)
                evaluate(task, axis, spatial);
        const float area = task.box.half_area();
        const float as_leaf = limits_.intersection_cost * static_cast<float>(task.count()) * area;
        const auto is_leaf = [&](float cost) {
            const float as_inner = limits_.traversal_cost * area + limits_.intersection_cost * cost;
            return task.count() <= limits_.max_leaf && !(as_inner < as_leaf);
        };
        const bool cuts = spatial.cost < best.cost && spatial.added <= now.spare && !is_leaf(spatial.cost) &&
                          split(task, spatial, now.spare);
        if constexpr (Sink::kEnabled) report(now.node, task, map, best, spatial, cuts, is_leaf(best.cost));
        if (!cuts) {
            if (is_leaf(best.cost)) return false;
            BuildTask one, two;
            if (best.axis < 0 || task.depth >= BuildLimits::kMaxFreeDepth)
                divide_in_half(task, waiting_, one, two);
            else
                partition(task, waiting_, map, best, one, two);
            const auto middle = waiting_.begin() + one.end;
            left_.assign(waiting_.begin() + task.begin, middle);
            right_.assign(middle, waiting_.end());
        }
        left.count = static_cast<std::uint32_t>(left_.size());
        right.count = static_cast<std::uint32_t>(right_.size());
        const std::uint32_t spare = now.spare - (left.count + right.count - task.count());
        left.spare = static_cast<std::uint32_t>(std::uint64_t{spare} * left.count /
                                                (std::uint64_t{left.count} + right.count));
        right.spare = spare - left.spare;
        waiting_.resize(task.begin);
        waiting_.insert(waiting_.end(), right_.begin(), right_.end());
        waiting_.insert(waiting_.end(), left_.begin(), left_.end());
        return true;
    }

    void report(std::uint32_t node, const BuildTask& task, const BinMap& map, const BestSplit& best,
                const SpatialSplit& spatial, bool cuts, bool leaf) {
        SplitEvaluated chosen;
        if (best.axis >= 0) {
            std::uint32_t left = 0;
            for (std::uint32_t i = task.begin; i < task.end; ++i) {
                int bins[4];
                map.bin(waiting_[i], bins);
                left += bins[best.axis] < best.plane ? 1u : 0u;
            }
            chosen = {NodeIndex{node}, static_cast<std::uint8_t>(best.axis), left, task.count() - left,
                      best.cost};
            chosen.bins = static_cast<std::uint8_t>(map.bins);
            sink_(chosen);
            chosen.chosen = !leaf;
        }
        for (SplitEvaluated plane : weighed_) {
            plane.node = NodeIndex{node};
            sink_(plane);
            if (!cuts || plane.axis != spatial.axis || plane.offset != spatial.at) continue;
            chosen = plane;
            chosen.chosen = true;
        }
        if (chosen.chosen) sink_(chosen);
        if (!cuts) return;
        for (ReferenceSplit reference : split_) {
            reference.node = NodeIndex{node};
            sink_(reference);
        }
    }

    [[nodiscard]] bool overlap_is_worthwhile(const BestSplit& best) const noexcept {
        if (best.axis < 0) return true;  // whole triangles cannot be separated
        alignas(16) float size[4];
        (simd::min(best.left.hi, best.right.hi) - simd::max(best.left.lo, best.right.lo)).store(size);
        if (!(size[0] >= 0.0f && size[1] >= 0.0f && size[2] >= 0.0f)) return false;
        return size[0] * size[1] + size[1] * size[2] + size[2] * size[0] >= least_overlap_;
    }

    /// Evaluates planes at equal distances across the node's box.
    void evaluate(const BuildTask& task, int axis, SpatialSplit& best) {
        alignas(16) float lo[4], hi[4];
        task.box.lo.store(lo);
        task.box.hi.store(hi);
        const int count = bins_for(task.count());
        const float width = (hi[axis] - lo[axis]) / static_cast<float>(count);
        if (!(width > 0.0f) || !std::isfinite(width) || !(lo[axis] + width > lo[axis])) return;
        const Bins bins(axis, count, lo[axis], width);
        Bounds4 boxes[kSpatialBins];
        std::uint32_t enter[kSpatialBins] = {}, leave[kSpatialBins] = {};
        for (std::uint32_t i = task.begin; i < task.end; ++i) {
            const MeshRef& ref = waiting_[i];
            int first = bins.of(ref.lo[axis]);
            int last = bins.of(ref.hi[axis]);
            if (first == last) {
                boxes[first].merge(ref_lo(ref), ref_hi(ref));
            } else {
                Bounds4 parts[kSpatialBins];
                slice(mesh_.triangle(ref.id), bins, first, last, parts);
                const int from = first, to = last;
                first = to + 1;
                for (int bin = from; bin <= to; ++bin) {
                    parts[bin].lo = simd::max(parts[bin].lo, ref_lo(ref));
                    parts[bin].hi = simd::min(parts[bin].hi, ref_hi(ref));
                    if (!is_box(parts[bin])) continue;
                    boxes[bin].merge(parts[bin]);
                    first = std::min(first, bin);
                    last = bin;
                }
                if (first > to) {  // all parts were lost to rounding
                    first = last = from;
                    boxes[from].merge(ref_lo(ref), ref_hi(ref));
                }
            }
            ++enter[first];
            ++leave[last];
        }
        sweep(bins, boxes, enter, leave, task.count(), best);
    }

    void sweep(const Bins& bins, const Bounds4* boxes, const std::uint32_t* enter, const std::uint32_t* leave,
               std::uint32_t count, SpatialSplit& best) {
        Bounds4 right[kSpatialBins];
        std::uint32_t right_count[kSpatialBins];
        Bounds4 box;
        std::uint32_t sum = 0;
        for (int i = bins.count - 1; i > 0; --i) {
            box.merge(boxes[i]);
            sum += leave[i];
            right[i] = box;
            right_count[i] = sum;
        }
        box = Bounds4{};
        sum = 0;
        for (int i = 1; i < bins.count; ++i) {
            box.merge(boxes[i - 1]);
            sum += enter[i - 1];
            if (sum == 0 || right_count[i] == 0) continue;
            const float cost = box.half_area() * static_cast<float>(sum) +
                               right[i].half_area() * static_cast<float>(right_count[i]);
            if constexpr (Sink::kEnabled) {
                SplitEvaluated weighed{{},    static_cast<std::uint8_t>(bins.axis), sum, right_count[i], cost,
                                       false, sum + right_count[i] - count};
                weighed.normal[bins.axis] = 1.0f;
                weighed.offset = bins.planes[i];
                weighed.bins = static_cast<std::uint8_t>(bins.count);
                weighed_.push_back(weighed);
            }
            if (cost < best.cost)
                best = {cost,     bins.axis, bins.planes[i], sum + right_count[i] - count, box,
                        right[i], sum,       right_count[i]};
        }
    }

    /// Splits by the plane. A triangle is only cut if keeping it whole on one side would cost more. False if
    /// one side is empty or more than `spare` references were added.
    bool split(const BuildTask& task, const SpatialSplit& plane, std::uint32_t spare) {
        left_.clear();
        right_.clear();
        if constexpr (Sink::kEnabled) split_.clear();
        std::uint32_t added = 0;
        Bounds4 left = plane.left;
        Bounds4 right = plane.right;
        auto left_count = static_cast<float>(plane.left_count);
        auto right_count = static_cast<float>(plane.right_count);
        const auto area_with = [](Bounds4 box, const MeshRef& ref) {
            box.merge(ref_lo(ref), ref_hi(ref));
            return box.half_area();
        };
        for (std::uint32_t i = task.begin; i < task.end; ++i) {
            const MeshRef& ref = waiting_[i];
            if (ref.hi[plane.axis] <= plane.at) {
                left_.push_back(ref);
                continue;
            }
            if (ref.lo[plane.axis] >= plane.at) {
                right_.push_back(ref);
                continue;
            }
            const Parts parts = cut(ref, mesh_.triangle(ref.id), plane.axis, plane.at);
            if (!is_box(parts.high)) {
                left_.push_back(ref);
                continue;
            }
            if (!is_box(parts.low)) {
                right_.push_back(ref);
                continue;
            }
            const float both = left.half_area() * left_count + right.half_area() * right_count;
            const float only_left =
                area_with(left, ref) * left_count + right.half_area() * (right_count - 1.0f);
            const float only_right =
                left.half_area() * (left_count - 1.0f) + area_with(right, ref) * right_count;
            if constexpr (Sink::kEnabled) {
                using Choice = ReferenceSplit::Choice;
                split_.push_back({{},
                                  ref.id,
                                  box_of(parts.low),
                                  box_of(parts.high),
                                  only_left,
                                  only_right,
                                  both,
                                  both <= only_left && both <= only_right ? Choice::Both
                                  : only_left <= only_right               ? Choice::Low
                                                                          : Choice::High});
            }
            if (both <= only_left && both <= only_right) {
                left_.push_back(parts.low);
                right_.push_back(parts.high);
                ++added;
            } else if (only_left <= only_right) {
                left_.push_back(ref);
                left.merge(ref_lo(ref), ref_hi(ref));
                right_count -= 1.0f;
            } else {
                right_.push_back(ref);
                right.merge(ref_lo(ref), ref_hi(ref));
                left_count -= 1.0f;
            }
        }
        return added <= spare && !left_.empty() && !right_.empty();
    }

    /// Parts of the same triangle in one leaf are merged.
    void make_leaf(const BuildTask& task, std::uint32_t node) {
        const auto first = static_cast<std::uint32_t>(refs_.size());
        for (std::uint32_t i = task.begin; i < task.end; ++i) {
            const auto known = std::find_if(refs_.begin() + first, refs_.end(),
                                            [&](const MeshRef& r) { return r.id == waiting_[i].id; });
            if (known == refs_.end()) refs_.push_back(waiting_[i]);
        }
        nodes_[node].first = first;
        nodes_[node].count = static_cast<std::uint32_t>(refs_.size()) - first;
        waiting_.resize(task.begin);
    }

    const MeshView& mesh_;
    std::vector<MeshRef>& refs_;    ///< In the order of the leaves made.
    std::vector<MeshRef> waiting_;  ///< References of all tasks, the next one's on top.
    const BuildLimits& limits_;
    MeshNodes& nodes_;
    Sink& sink_;
    float least_overlap_ = 0;
    std::vector<MeshRef> left_, right_;
    std::vector<SplitEvaluated> weighed_;  ///< Planes of the node, for the trace.
    std::vector<ReferenceSplit> split_;
};

}  // namespace

template <class Sink>
void build_spatial(const MeshView& mesh, std::vector<MeshRef>& refs, float budget, const BuildLimits& limits,
                   BuildRun& run, MeshNodes& nodes, Sink& sink) {
    constexpr float kMaxPerTriangle = 4.0f;
    const double max_added = static_cast<double>(refs.size()) * std::min(budget, kMaxPerTriangle);
    SpatialBuilder(mesh, refs, limits, nodes, sink).build(static_cast<std::uint32_t>(max_added), run);
}

template void build_spatial(const MeshView&, std::vector<MeshRef>&, float, const BuildLimits&, BuildRun&,
                            MeshNodes&, NoTrace&);
template void build_spatial(const MeshView&, std::vector<MeshRef>&, float, const BuildLimits&, BuildRun&,
                            MeshNodes&, Recording&);

}  // namespace bv::detail
