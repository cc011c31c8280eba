// Builds, refits and validates a MeshBvh.
#include "bv/tree/mesh_bvh.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "bv/assert.hpp"
#include "bv/shapes/not_finite.hpp"
#include "tree/mesh/build/mesh_builders.hpp"
#include "tree/mesh/build/mesh_linked.hpp"
#include "tree/metrics/snapshot_boxes.hpp"

namespace bv {
namespace {

using detail::Bounds4;
using detail::MeshRef;
using simd::Float4;

constexpr std::size_t kMaxTriangles = std::size_t{1} << 28;

/// References to all triangles with finite corners, of padded positions. False if an index is out of range.
template <class Padded>
bool gather(std::span<const glm::uvec3> triangles, std::span<const Padded> positions,
            std::vector<MeshRef>& refs) {
    refs.reserve(triangles.size());
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        const glm::uvec3 t = triangles[i];
        if (t.x >= positions.size() || t.y >= positions.size() || t.z >= positions.size()) return false;
        const Float4 a = Float4::load(&positions[t.x].x);
        const Float4 b = Float4::load(&positions[t.y].x);
        const Float4 c = Float4::load(&positions[t.z].x);
        if (!all_finite(a) || !all_finite(b) || !all_finite(c)) continue;
        MeshRef& ref = refs.emplace_back();
        min(a, min(b, c)).store(ref.lo);
        max(a, max(b, c)).store(ref.hi);
        ref.id = static_cast<std::uint32_t>(i);
    }
    return true;
}

}  // namespace

detail::BuildLimits::BuildLimits(const MeshBvhOptions& options) noexcept
    : max_leaf(std::clamp(options.max_leaf_triangles, 1u, 255u)),
      traversal_cost(in_range(options.traversal_cost, 0.0f, 1e6f, 1.0f)),
      intersection_cost(in_range(options.intersection_cost, 0.0f, 1e6f, 1.0f)) {}

void MeshBvh::swap(MeshBvh& other) noexcept {
    nodes_.swap(other.nodes_);
    ids_.swap(other.ids_);
    corners_.swap(other.corners_);
    positions_.swap(other.positions_);
    reference_of_.swap(other.reference_of_);
    std::swap(kept_, other.kept_);
    std::swap(skipped_, other.skipped_);
    std::swap(repeated_, other.repeated_);
}

MeshBuildStatus MeshBvh::build(const MeshView& mesh, const MeshBvhOptions& options) {
    NoTrace sink;
    return build_impl(mesh, options, sink);
}
MeshBuildStatus MeshBvh::build(const MeshView& mesh, const MeshBvhOptions& options, Recording& trace) {
    return build_impl(mesh, options, trace);
}

MeshBuildStatus MeshBvh::begin_build(const MeshView& mesh, std::vector<MeshRef>& refs) {
    clear();
    if (mesh.triangles.size() >= kMaxTriangles || mesh.positions.size() > 0xffffffffu)
        return MeshBuildStatus::TooLarge;
    positions_.reserve(mesh.positions.size());
    for (const glm::vec3& p : mesh.positions)
        positions_.push_back({p.x, p.y, p.z, 0.0f});
    if (!gather<Padded>(mesh.triangles, positions_, refs)) {
        clear();
        return MeshBuildStatus::IndexOutOfRange;
    }
    kept_ = static_cast<std::uint32_t>(refs.size());
    skipped_ = static_cast<std::uint32_t>(mesh.triangles.size() - refs.size());
    if (!refs.empty()) return MeshBuildStatus::Ok;
    positions_.clear();
    return MeshBuildStatus::Empty;
}

template <class Sink>
MeshBuildStatus MeshBvh::build_impl(const MeshView& mesh, const MeshBvhOptions& options, Sink& sink) {
    std::vector<MeshRef> refs;
    if (const MeshBuildStatus status = begin_build(mesh, refs); status != MeshBuildStatus::Ok) return status;
    const detail::BuildLimits limits(options);
    BuildProgress unwatched;
    detail::BuildRun run{options.tasks != nullptr ? *options.tasks : serial_tasks(),
                         options.progress != nullptr ? *options.progress : unwatched};
    if (run.progress.cancelled()) return cancel_build();
    try {
        switch (options.builder) {
            case MeshBuilder::Median:
                detail::build_median(refs, limits, run, nodes_);
                break;
            case MeshBuilder::Morton:
                detail::build_morton(refs, limits, run, nodes_);
                break;
            case MeshBuilder::Agglomerative:
                detail::build_agglomerative(refs, limits, run, nodes_);
                break;
            case MeshBuilder::BinnedSah:
                if (options.spatial_splits > 0.0f)
                    detail::build_spatial(mesh, refs, options.spatial_splits, limits, run, nodes_, sink);
                else
                    detail::build_binned(refs, limits, run, nodes_);
                break;
            case MeshBuilder::SweepSah:
                detail::build_sweep(refs, limits, run, nodes_);
                break;
        }
        return finish_build(mesh, options, refs, run.progress);
    } catch (...) {  // half a tree would be read out of bounds
        clear();
        throw;
    }
}

MeshBuildStatus MeshBvh::finish_build(const MeshView& mesh, const MeshBvhOptions& options,
                                      std::vector<MeshRef>& refs, BuildProgress& progress) {
    if (progress.cancelled()) return cancel_build();
    if (options.reinsertion_rounds > 0) {
        detail::LinkedTree linked = detail::unflatten(nodes_);
        progress.begin_part(detail::BuildRun::kBuilt, 0.98f,
                            std::uint64_t{detail::reinserted_of(linked.size())} *
                                static_cast<std::uint64_t>(options.reinsertion_rounds));
        detail::reinsert(linked, options.reinsertion_rounds, progress);
        if (progress.cancelled()) return cancel_build();
        detail::flatten(linked, 0, detail::BuildLimits(options), refs, nodes_);
    }
    progress.begin_part(options.reinsertion_rounds > 0 ? 0.98f : detail::BuildRun::kBuilt, 1.0f, 1);
    repeated_ = refs.size() > kept_;
    ids_.resize(refs.size());
    corners_.resize(refs.size());
    reference_of_.assign(mesh.triangles.size(), MeshHit::kNone);
    for (std::size_t i = 0; i < refs.size(); ++i) {
        reference_of_[refs[i].id] = static_cast<std::uint32_t>(i);
        ids_[i] = refs[i].id;
        corners_[i] = mesh.triangles[refs[i].id];
    }
    return progress.advance(1) ? MeshBuildStatus::Ok : cancel_build();
}

void MeshBvh::clear() noexcept {
    MeshBvh cleared;
    cleared.nodes_.swap(nodes_);
    cleared.ids_.swap(ids_);
    cleared.corners_.swap(corners_);
    cleared.positions_.swap(positions_);
    cleared.reference_of_.swap(reference_of_);
    cleared.nodes_.clear();
    cleared.ids_.clear();
    cleared.corners_.clear();
    cleared.positions_.clear();
    cleared.reference_of_.clear();
    swap(cleared);
}

MeshBuildStatus MeshBvh::cancel_build() noexcept {
    *this = MeshBvh{};
    return MeshBuildStatus::Cancelled;
}

MeshBuildStatus MeshBvh::refit(std::span<const glm::vec3> positions) {
    if (positions.size() != positions_.size()) return MeshBuildStatus::WrongVertexCount;
    if (empty()) return MeshBuildStatus::Empty;
    // A sum is not finite iff some term is not or it overflowed; only then test each term.
    float sum = 0.0f;
    for (const glm::vec3& p : positions)
        sum += std::abs(p.x * 0x1p-64f) + std::abs(p.y * 0x1p-64f) + std::abs(p.z * 0x1p-64f);
    if (!std::isfinite(sum))
        for (const glm::uvec3& t : corners_)
            if (!bv::is_finite(positions[t.x]) || !bv::is_finite(positions[t.y]) ||
                !bv::is_finite(positions[t.z]))
                return MeshBuildStatus::WrongVertexCount;

    for (std::size_t i = 0; i < positions.size(); ++i)
        positions_[i] = {positions[i].x, positions[i].y, positions[i].z, 0.0f};
    for (std::size_t n = nodes_.size(); n-- > 0;) {
        MeshBvhNode& node = nodes_[n];
        Bounds4 box;
        if (node.is_leaf()) {
            for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
                const glm::uvec3 t = corners_[i];
                const Float4 a = Float4::load(&positions_[t.x].x);
                const Float4 b = Float4::load(&positions_[t.y].x);
                const Float4 c = Float4::load(&positions_[t.z].x);
                box.merge(min(a, min(b, c)), max(a, max(b, c)));
            }
        } else {
            const MeshBvhNode& left = nodes_[node.first];
            const MeshBvhNode& right = nodes_[node.first + 1];
            box.lo = min(Float4::load_unaligned(&left.min.x), Float4::load_unaligned(&right.min.x));
            box.hi = max(Float4::load_unaligned(&left.max.x), Float4::load_unaligned(&right.max.x));
        }
        detail::set_box(node, box);
    }
    return MeshBuildStatus::Ok;
}

glm::vec3 MeshBvh::normal(const MeshHit& hit) const noexcept {
    const bool known = hit.triangle < reference_of_.size() && reference_of_[hit.triangle] != MeshHit::kNone;
    return known ? triangle(reference_of_[hit.triangle]).normal() : glm::vec3(0.0f);
}

TreeSnapshot MeshBvh::snapshot() const {
    TreeSnapshot s;
    const std::size_t n = nodes_.size();
    s.boxes.resize(n);
    s.parents.resize(n, TreeSnapshot::kNone);
    s.first_child.resize(n, TreeSnapshot::kNone);
    s.child_count.resize(n, 0);
    s.depths.resize(n, 0);
    s.source_nodes.resize(n);
    s.first_payload.resize(n, 0);
    s.payload_count.resize(n, 0);
    for (std::uint32_t i = 0; i < n; ++i) {
        const MeshBvhNode& node = nodes_[i];
        s.boxes[i] = node.box();
        s.source_nodes[i] = i;
        if (node.is_leaf()) {
            s.first_payload[i] = node.first;
            s.payload_count[i] = node.count;
            continue;
        }
        s.first_child[i] = node.first;
        s.child_count[i] = 2;
        for (std::uint32_t child = node.first; child < node.first + 2; ++child) {
            s.parents[child] = i;
            s.depths[child] = s.depths[i] + 1;
        }
    }
    s.payloads.assign(ids_.begin(), ids_.end());
    s.payload_boxes.reserve(ids_.size());
    for (std::size_t i = 0; i < ids_.size(); ++i) {
        const Triangle t = triangle(i);
        s.payload_boxes.push_back({glm::min(t.a, glm::min(t.b, t.c)), glm::max(t.a, glm::max(t.b, t.c))});
    }
    if (repeated_) detail::cut_payloads(s);
    return s;
}

namespace {

bool contains_box(const MeshBvhNode& outer, const MeshBvhNode& inner) noexcept {
    for (int k = 0; k < 3; ++k)
        if (!(outer.min[k] <= inner.min[k] && inner.max[k] <= outer.max[k])) return false;
    return true;
}

bool contains_point(const MeshBvhNode& node, const glm::vec3& p) noexcept {
    for (int k = 0; k < 3; ++k)
        if (!(node.min[k] <= p[k] && p[k] <= node.max[k])) return false;
    return true;
}

}  // namespace

bool MeshBvh::validate() const {
    if (empty()) return ids_.empty() && corners_.empty();
    std::vector<char> node_seen(nodes_.size(), 0);
    std::vector<char> ref_seen(ids_.size(), 0);
    node_seen[0] = 1;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
        const MeshBvhNode& node = nodes_[n];
        if (!node_seen[n] || !node.box().is_finite()) return false;
        if (!node.is_leaf()) {
            if (node.first <= n || node.first + 1 >= nodes_.size()) return false;
            for (std::uint32_t child = node.first; child < node.first + 2; ++child) {
                if (node_seen[child] || !contains_box(node, nodes_[child])) return false;
                node_seen[child] = 1;
            }
            continue;
        }
        if (node.first + node.count > ids_.size()) return false;
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
            if (ref_seen[i]) return false;
            ref_seen[i] = 1;
            // The part of a split triangle lies in its leaf, but its corners need not.
            const Triangle t = triangle(i);
            if (!repeated_ &&
                !(contains_point(node, t.a) && contains_point(node, t.b) && contains_point(node, t.c)))
                return false;
        }
    }
    if (std::find(ref_seen.begin(), ref_seen.end(), 0) != ref_seen.end()) return false;
    std::vector<std::uint32_t> ids = ids_;
    std::sort(ids.begin(), ids.end());
    const auto end = std::unique(ids.begin(), ids.end());
    return static_cast<std::size_t>(end - ids.begin()) == kept_ && (repeated_ || end == ids.end());
}

std::size_t MeshBvh::memory_bytes() const noexcept {
    return nodes_.size() * sizeof(MeshBvhNode) + ids_.size() * sizeof(std::uint32_t) +
           corners_.size() * sizeof(glm::uvec3) + positions_.size() * sizeof(Padded) +
           reference_of_.size() * sizeof(std::uint32_t);
}

}  // namespace bv
