// Shared by the builders of MeshBvh: the boxed references that they sort into a tree, and how they divide the
// work.
//
// A builder permutes `refs` and makes nodes whose leaves refer to ranges of it. Node 0 is the root, siblings
// are adjacent and come after their parent.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "bv/tree/mesh_bvh.hpp"
#include "simd/float4.hpp"

namespace bv::detail {

/// The box of a triangle, or of a part of one after a spatial split.
struct alignas(16) MeshRef {
    float lo[3];
    std::uint32_t id;
    float hi[3];
    std::uint32_t unused;
};

struct Bounds4 {
    simd::Float4 lo = simd::Float4::all(std::numeric_limits<float>::infinity());
    simd::Float4 hi = simd::Float4::all(-std::numeric_limits<float>::infinity());

    void merge(simd::Float4 l, simd::Float4 h) noexcept {
        lo = simd::min(l, lo);
        hi = simd::max(h, hi);
    }
    void merge(const Bounds4& o) noexcept { merge(o.lo, o.hi); }
    /// Not for empty bounds.
    [[nodiscard]] float half_area() const noexcept { return simd::half_area(simd::xyz0(hi - lo)); }
};

[[nodiscard]] inline simd::Float4 ref_lo(const MeshRef& r) noexcept {
    return simd::xyz0(simd::Float4::load(r.lo));
}
[[nodiscard]] inline simd::Float4 ref_hi(const MeshRef& r) noexcept {
    return simd::xyz0(simd::Float4::load(r.hi));
}
/// Half of the box's center: neither it nor the difference of two overflows.
[[nodiscard]] inline simd::Float4 ref_center(const MeshRef& r) noexcept {
    const simd::Float4 quarter = simd::Float4::all(0.25f);
    return ref_lo(r) * quarter + ref_hi(r) * quarter;
}

inline void set_box(MeshBvhNode& node, const Bounds4& b) noexcept {
    const std::uint32_t first = node.first;
    const std::uint32_t count = node.count;
    b.lo.store_unaligned(&node.min.x);
    node.first = first;
    b.hi.store_unaligned(&node.max.x);
    node.count = count;
}

/// A node whose references are still to be split.
struct BuildTask {
    std::uint32_t node = 0;
    std::uint32_t begin = 0, end = 0;
    std::uint32_t depth = 0;
    Bounds4 box;      ///< Bounds of the references.
    Bounds4 centers;  ///< Bounds of their centers, see ref_center.

    [[nodiscard]] std::uint32_t count() const noexcept { return end - begin; }
};

struct BuildLimits {
    BuildLimits() = default;
    explicit BuildLimits(const MeshBvhOptions& options) noexcept;

    /// Below this depth every builder halves by count, so that no input makes a tree deeper than this + 28
    /// + 8.
    static constexpr std::uint32_t kMaxFreeDepth = 60;
    std::uint32_t max_leaf = 4;
    float traversal_cost = 1.0f;
    float intersection_cost = 1.0f;
};

using MeshNodes = std::vector<MeshBvhNode>;

/// The state of a top-down build that is continued later.
struct TopDownState {
    std::vector<BuildTask> waiting;  ///< Nodes of the subtree that grows.
    std::vector<BuildTask> jobs;     ///< Subtrees, one of which grows after the other.
    std::size_t next_job = 0;
    std::uint64_t budget = 0;  ///< References still to be divided in this slice, each once per level.
    bool has_begun = false, has_ended = false;
};

/// The threads and the progress of a build. Builders cover progress from 0 to kBuilt; later steps of
/// MeshBvh::build cover the rest. When cancelled they return early and leave `nodes` unfinished.
struct BuildRun {
    static constexpr float kBuilt = 0.8f;
    TaskRunner& tasks;
    BuildProgress& progress;
    /// If not null, `build_binned` and `build_median` return when the budget is used up, and go on when they
    /// are called again.
    TopDownState* slices = nullptr;
};

/// Each builds the whole tree of at least one reference.
void build_binned(std::span<MeshRef> refs, const BuildLimits& limits, BuildRun& run, MeshNodes& nodes);
void build_median(std::span<MeshRef> refs, const BuildLimits& limits, BuildRun& run, MeshNodes& nodes);
void build_sweep(std::span<MeshRef> refs, const BuildLimits& limits, BuildRun& run, MeshNodes& nodes);
void build_morton(std::span<MeshRef> refs, const BuildLimits& limits, BuildRun& run, MeshNodes& nodes);
void build_agglomerative(std::span<MeshRef> refs, const BuildLimits& limits, BuildRun& run, MeshNodes& nodes);

/// Adds up to `budget` times as many references, for parts of triangles. Single-threaded. `Sink`: NoTrace or
/// Recording.
template <class Sink>
void build_spatial(const MeshView& mesh, std::vector<MeshRef>& refs, float budget, const BuildLimits& limits,
                   BuildRun& run, MeshNodes& nodes, Sink& sink);

/// Computes the boxes of all nodes from the references, bottom up.
void fit_boxes(std::span<const MeshRef> refs, MeshNodes& nodes) noexcept;

/// Splits in half by count, in the order of centers along the widest axis, into `left` and `right`.
void divide_in_half(const BuildTask& task, std::span<MeshRef> refs, BuildTask& left, BuildTask& right);
/// Fills in box and centers of a part.
void measure_part(BuildTask& part, std::span<const MeshRef> refs) noexcept;

}  // namespace bv::detail
