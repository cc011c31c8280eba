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
    int axis = 0, count = 0;
    float start = 0, per_m = 0;
    float planes[kSpatialBins + 1] = {};
};

/// The corners of a triangle, and the bins that they are in, by axis.
struct Corners {
    simd::Float4 points[3];  ///< With 0 in the last lane.
    float x[3][3];
    int bin[3][3];
};

/// Boxes of a triangle's parts in bins along one axis, as good as single precision makes them: for costs, not
/// for nodes. Each bin's part has the corners inside and the points where edges cross the planes beside it.
class Slicer {
  public:
    /// The reference, which is all of the triangle or a part of it, reaches from bin `first` to bin `last` >
    /// `first`.
    Slicer(const Corners& corners, const Bins& bins, int first, int last) noexcept
        : bins_(bins), last_(last) {
        const float* x = corners.x[bins.axis];
        const int less = x[1] < x[0] ? 1 : 0, more = 1 - less;
        const int low = x[2] < x[less] ? 2 : less;
        const int high = x[2] < x[more] ? more : 2;
        const int middle = 3 - low - high;
        middle_ = corners.points[middle];
        x_middle_ = x[middle];
        top_ = corners.points[high];
        x_top_ = x[high];
        edges_[0] = {corners.points[low], middle_ - corners.points[low], x[low], 1.0f / (x_middle_ - x[low])};
        edges_[1] = {middle_, top_ - middle_, x_middle_, 1.0f / (x_top_ - x_middle_)};
        edges_[2] = {corners.points[low], top_ - corners.points[low], x[low], 1.0f / (x_top_ - x[low])};
        const float start = bins.planes[first];
        crossed_ = x[low] >= start ? Bounds4{corners.points[low], corners.points[low]}
                                   : crossing(first, start <= x_middle_);
        turn_ = std::clamp(corners.bin[bins.axis][middle], first, last);
        middle_bin_ = x_middle_ >= start && x_middle_ <= bins.planes[last + 1] ? turn_ : -1;
    }

    /// The box of the part in a bin; to be called for the bins `first` to `last`, in this order.
    [[nodiscard]] Bounds4 next(int bin) noexcept {
        Bounds4 part = crossed_;
        // Without a branch, which would be hard to predict: a corner of the box adds nothing to it.
        const simd::Float4 points[2] = {part.lo, middle_};
        const simd::Float4 point = points[bin == middle_bin_ ? 1 : 0];
        part.merge(point, point);
        if (bin < last_)
            crossed_ = crossing(bin + 1, bin < turn_);
        else if (x_top_ <= bins_.planes[last_ + 1])
            crossed_ = {top_, top_};
        else
            crossed_ = crossing(last_ + 1, bins_.planes[last_ + 1] < x_middle_);
        part.merge(crossed_);
        return part;
    }

  private:
    struct Edge {
        simd::Float4 from, along;
        float start, per_m;

        [[nodiscard]] simd::Float4 at(float x) const noexcept {
            return from + along * simd::Float4::all((x - start) * per_m);
        }
    };

    /// A plane crosses the edge from the lowest to the highest corner and one of the others.
    [[nodiscard]] Bounds4 crossing(int plane, bool below_middle) const noexcept {
        const simd::Float4 one = edges_[2].at(bins_.planes[plane]);
        const simd::Float4 two = edges_[below_middle ? 0 : 1].at(bins_.planes[plane]);
        return {simd::min(one, two), simd::max(one, two)};
    }

    const Bins& bins_;
    int last_;
    int turn_;        ///< The bin of the middle corner.
    int middle_bin_;  ///< The same, or -1 if that corner is not in the reference.
    float x_middle_, x_top_;
    Bounds4 crossed_;  ///< What the next bin's part shares with the one before, or the lowest corner.
    simd::Float4 middle_, top_;
    Edge edges_[3];
};

struct SpatialSplit {
    float cost = std::numeric_limits<float>::infinity();  ///< As in BestSplit.
    int axis = -1;
    float at = 0;
    std::uint32_t added = 0;  ///< References that are on both sides.
    Bounds4 left, right;
    std::uint32_t left_count = 0, right_count = 0;
};

/// A node with its references among those that wait.
struct SpatialTask {
    BuildTask all;
    bool measured = false;
    std::uint32_t top = 0;    ///< Number of waiting references once all tasks on top of this are done.
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
        waiting_.swap(refs_);
        refs_.reserve(count + count / 4);
        nodes_.assign(1, MeshBvhNode{});
        nodes_.reserve(count + count / 4 + 1);
        const std::uint32_t levels = LevelCount::levels_for(count + budget);
        run.progress.begin_part(0.0f, BuildRun::kBuilt, std::uint64_t{count + budget / 2} * levels);
        LevelCount level(run.progress, levels);
        std::vector<SpatialTask> tasks(1);
        tasks[0].all.end = tasks[0].top = count;
        tasks[0].spare = budget;
        while (!tasks.empty()) {
            SpatialTask now = tasks.back();
            tasks.pop_back();
            BuildTask& task = now.all;
            waiting_.resize(now.top);
            if (!now.measured) measure_part(task, waiting_);
            if (task.node == 0) least_overlap_ = kWorthwhileOverlap * task.box.half_area();
            set_box(nodes_[task.node], task.box);
            SpatialTask left, right;
            if (task.count() == 1 || !divide(now, left, right)) {
                make_leaf(task);
                if (!level.made_leaf(task)) return;
                continue;
            }
            if (!level.divided(task)) return;
            left.all.node = static_cast<std::uint32_t>(nodes_.size());
            right.all.node = left.all.node + 1;
            left.all.depth = right.all.depth = task.depth + 1;
            nodes_[task.node].first = left.all.node;
            nodes_[task.node].count = 0;
            nodes_.resize(nodes_.size() + 2);
            tasks.push_back(right);
            tasks.push_back(left);
        }
        level.flush();
    }

  private:
    /// Whole references are partitioned in place. After a spatial split, the references of both sides go on
    /// top of all waiting ones, in place of the node's own if those are on top.
    bool divide(const SpatialTask& now, SpatialTask& left, SpatialTask& right) {
        const BuildTask& task = now.all;
        const BinMap map(task.centers, task.count());
        const BestSplit best = find_split(task, waiting_, map);
        SpatialSplit spatial;
        if constexpr (Sink::kEnabled) weighed_.clear();
        if (now.spare > 0 && task.depth < BuildLimits::kMaxFreeDepth && overlap_is_worthwhile(best))
            evaluate(task, spatial);
        const float area = task.box.half_area();
        const float as_leaf = limits_.intersection_cost * static_cast<float>(task.count()) * area;
        const auto is_leaf = [&](float cost) {
            const float as_inner = limits_.traversal_cost * area + limits_.intersection_cost * cost;
            return task.count() <= limits_.max_leaf && !(as_inner < as_leaf);
        };
        const bool cuts = spatial.cost < best.cost && spatial.added <= now.spare && !is_leaf(spatial.cost) &&
                          split(task, spatial, now.spare);
        if constexpr (Sink::kEnabled) report(task.node, task, map, best, spatial, cuts, is_leaf(best.cost));
        if (cuts) {
            if (task.end == waiting_.size()) waiting_.resize(task.begin);
            right.all.begin = static_cast<std::uint32_t>(waiting_.size());
            waiting_.insert(waiting_.end(), right_.begin(), right_.end());
            right.all.end = left.all.begin = right.top = static_cast<std::uint32_t>(waiting_.size());
            waiting_.insert(waiting_.end(), left_.begin(), left_.end());
            left.all.end = left.top = static_cast<std::uint32_t>(waiting_.size());
        } else {
            if (is_leaf(best.cost)) return false;
            if (best.axis < 0 || task.depth >= BuildLimits::kMaxFreeDepth)
                divide_in_half(task, waiting_, left.all, right.all);
            else
                partition(task, waiting_, map, best, left.all, right.all);
            left.measured = right.measured = true;
            left.top = right.top = now.top;
        }
        const std::uint64_t left_count = left.all.count(), both = left_count + right.all.count();
        const std::uint32_t spare = now.spare - static_cast<std::uint32_t>(both - task.count());
        left.spare = static_cast<std::uint32_t>(spare * left_count / both);
        right.spare = spare - left.spare;
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

    /// Evaluates planes at equal distances across the node's box, along all axes.
    void evaluate(const BuildTask& task, SpatialSplit& best) {
        Bins bins[3];
        bool usable[3];
        alignas(16) float starts[4] = {}, per_m[4] = {};
        for (int axis = 0; axis < 3; ++axis) {
            usable[axis] = set_planes(task, axis, bins[axis]);
            starts[axis] = bins[axis].start;
            per_m[axis] = bins[axis].per_m;
        }
        const int count = bins_for(task.count());
        const simd::Float4 start4 = simd::Float4::load(starts), per_m4 = simd::Float4::load(per_m);
        const simd::Float4 last4 = simd::Float4::all(static_cast<float>(count - 1));
        const auto bins_of = [&](simd::Float4 x, int* out) {
            simd::truncate(simd::min(simd::max((x - start4) * per_m4, simd::Float4::all(0.0f)), last4), out);
        };
        SpatialBin all[3][kSpatialBins];
        for (SpatialBin* of_axis : all)
            std::fill_n(of_axis, count, SpatialBin{Bounds4{}.lo, Bounds4{}.hi, 0, 0});
        for (std::uint32_t i = task.begin; i < task.end; ++i) {
            const MeshRef& ref = waiting_[i];
            const simd::Float4 lo = ref_lo(ref), hi = ref_hi(ref);
            int from[4], to[4];
            bins_of(lo, from);
            bins_of(hi, to);
            Corners corners;
            bool loaded = false;
            for (int axis = 0; axis < 3; ++axis) {
                SpatialBin* in = all[axis];
                int first = from[axis], last = to[axis];
                if (first == last) {
                    in[first].merge(lo, hi);
                } else {
                    if (!loaded) load(ref.id, bins_of, corners);
                    loaded = true;
                    Slicer slicer(corners, bins[axis], first, last);
                    first = last + 1;
                    for (int bin = from[axis]; bin <= to[axis]; ++bin) {
                        Bounds4 part = slicer.next(bin);
                        part.lo = simd::max(part.lo, lo);
                        part.hi = simd::min(part.hi, hi);
                        if (!is_box(part)) continue;
                        in[bin].merge(part.lo, part.hi);
                        first = std::min(first, bin);
                        last = bin;
                    }
                    if (first > to[axis]) {  // all parts were lost to rounding
                        first = last = from[axis];
                        in[first].merge(lo, hi);
                    }
                }
                ++in[first].enter;
                ++in[last].leave;
            }
        }
        for (int axis = 0; axis < 3; ++axis)
            if (usable[axis]) sweep(bins[axis], all[axis], task.count(), best);
    }

    /// False if no planes fit.
    static bool set_planes(const BuildTask& task, int axis, Bins& bins) noexcept {
        alignas(16) float lo[4], hi[4];
        task.box.lo.store(lo);
        task.box.hi.store(hi);
        bins.axis = axis;
        bins.count = bins_for(task.count());
        const float width = (hi[axis] - lo[axis]) / static_cast<float>(bins.count);
        if (!(width > 0.0f) || !std::isfinite(width) || !(lo[axis] + width > lo[axis])) return false;
        bins.start = lo[axis];
        bins.per_m = 1.0f / width;
        for (int i = 0; i <= bins.count; ++i)
            bins.planes[i] = lo[axis] + width * static_cast<float>(i);
        return true;
    }

    template <class BinsOf>
    void load(std::uint32_t id, const BinsOf& bins_of, Corners& corners) const noexcept {
        const Triangle triangle = mesh_.triangle(id);
        const glm::vec3* points[3] = {&triangle.a, &triangle.b, &triangle.c};
        for (int i = 0; i < 3; ++i) {
            const glm::vec3& p = *points[i];
            corners.points[i] = simd::Float4::of(p.x, p.y, p.z, 0.0f);
            int bin[4];
            bins_of(corners.points[i], bin);
            for (int axis = 0; axis < 3; ++axis) {
                corners.x[axis][i] = p[axis];
                corners.bin[axis][i] = bin[axis];
            }
        }
    }

    /// Uninitialized: only the bins in use get a value.
    struct SpatialBin {
        simd::Float4 lo, hi;
        std::uint32_t enter, leave;  ///< References whose first or last part is in this bin.

        void merge(simd::Float4 l, simd::Float4 h) noexcept {
            lo = simd::min(l, lo);
            hi = simd::max(h, hi);
        }
    };

    void sweep(const Bins& bins, const SpatialBin* filled, std::uint32_t count, SpatialSplit& best) {
        Bounds4 right[kSpatialBins];
        std::uint32_t right_count[kSpatialBins];
        Bounds4 box;
        std::uint32_t sum = 0;
        for (int i = bins.count - 1; i > 0; --i) {
            box.merge(filled[i].lo, filled[i].hi);
            sum += filled[i].leave;
            right[i] = box;
            right_count[i] = sum;
        }
        box = Bounds4{};
        sum = 0;
        for (int i = 1; i < bins.count; ++i) {
            box.merge(filled[i - 1].lo, filled[i - 1].hi);
            sum += filled[i - 1].enter;
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
    void make_leaf(const BuildTask& task) {
        const auto first = static_cast<std::uint32_t>(refs_.size());
        for (std::uint32_t i = task.begin; i < task.end; ++i) {
            const auto known = std::find_if(refs_.begin() + first, refs_.end(),
                                            [&](const MeshRef& r) { return r.id == waiting_[i].id; });
            if (known == refs_.end()) refs_.push_back(waiting_[i]);
        }
        nodes_[task.node].first = first;
        nodes_[task.node].count = static_cast<std::uint32_t>(refs_.size()) - first;
    }

    const MeshView& mesh_;
    std::vector<MeshRef>& refs_;    ///< In the order of the leaves made.
    std::vector<MeshRef> waiting_;  ///< References of all tasks.
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
