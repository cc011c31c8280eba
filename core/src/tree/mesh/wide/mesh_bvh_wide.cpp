// Builds a MeshBvh8 and traverses it without special instructions.
#include "bv/tree/mesh_bvh_wide.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>

#include "bv/assert.hpp"
#include "simd/mesh/mesh_wide_avx2.hpp"

#include "bv/shapes/not_finite.hpp"
#include "simd/bits.hpp"
#include "tree/mesh/wide/mesh_wide_build.hpp"
#include "tree/mesh/wide/mesh_wide_plain.hpp"

namespace bv {
namespace {

using detail::Bvh8Node;
using detail::MeshRay;
using detail::PlainKernel;
using detail::TriangleBlock;

/// Entries on the machine stack, enough for a tree of 90 wide levels.
constexpr std::size_t kStackEntries = 7 * 90 + detail::Bvh8Stack::kSpare;

constexpr std::uint32_t kUnset = Bvh8Node::kNoChild;
constexpr TriangleBlock kEmptyBlock{{}, {MeshHit::kNone, MeshHit::kNone, MeshHit::kNone, MeshHit::kNone}};

template <RayMode kMode, class AnyRay>
void cast_mode(const detail::Bvh8View& view, const AnyRay& ray, bool any,
               detail::Bvh8Result& result) noexcept {
    using Kernel = PlainKernel<kMode, AnyRay>;
    const Kernel kernel(ray);
    if (any)
        detail::walk_wide<Kernel, true>(view, kernel, result);
    else
        detail::walk_wide<Kernel, false>(view, kernel, result);
}

template <class AnyRay>
void cast_plain(const detail::Bvh8View& view, const AnyRay& ray, RayMode mode, bool any,
                detail::Bvh8Result& result) noexcept {
    if (mode == RayMode::Fast)
        cast_mode<RayMode::Fast>(view, ray, any, result);
    else
        cast_mode<RayMode::Watertight>(view, ray, any, result);
}

/// Margin around the children of a node, as a fraction of the node's size. The kernels compute a plane's
/// distance from the node's origin, which is off by two roundings of the node's size; this is eight times
/// that.
constexpr double kMargin = 0x1p-20;

/// The least power of two not less than `x`, clamped so that 255 of them remain useful.
float power_at_least(double x) noexcept {
    constexpr double kSmallest = std::numeric_limits<float>::min();
    if (!(x > kSmallest)) return static_cast<float>(kSmallest);
    constexpr std::uint64_t kFraction = (std::uint64_t{1} << 52) - 1;
    const std::uint64_t bits = detail::bit_cast<std::uint64_t>(x) + kFraction;
    return static_cast<float>(detail::bit_cast<double>(bits & ~kFraction));
}

/// Stores the boxes of `count` children in steps from their common corner, rounded outward. The computation
/// in double is exact except for a fraction of the size far below kMargin.
void store_boxes(Bvh8Node& node, const Aabb* boxes, int count) noexcept {
    Aabb all;
    for (int i = 0; i < count; ++i)
        all = merge(all, boxes[i]);
    for (int k = 0; k < 3; ++k) {
        const double origin = all.min[k];
        const double size = all.max[k] - origin;
        const double margin = size * kMargin;
        node.origin[k] = all.min[k];
        node.step[k] = power_at_least((size + margin) / 255.0);
        const double per_step = 1.0 / static_cast<double>(node.step[k]);
        // A number of steps beyond the largest float would make the box empty; its upper end is clamped.
        const int max_step =
            detail::clamped_int(static_cast<double>(std::numeric_limits<float>::max()) * per_step, 0, 255);
        for (int i = 0; i < count; ++i) {
            const double lo = (boxes[i].min[k] - origin - margin) * per_step;
            const double hi = (boxes[i].max[k] - origin + margin) * per_step;
            const int below = detail::clamped_int(lo, 0, max_step);
            const int floored = detail::clamped_int(hi, 0, 255);
            const int above = floored + static_cast<int>(static_cast<double>(floored) < hi);
            node.lo[k][i] = static_cast<std::uint8_t>(below);
            node.hi[k][i] = static_cast<std::uint8_t>(std::min(above, 255));
        }
    }
}

void store_triangle(TriangleBlock& block, int lane, const Triangle& t) noexcept {
    const glm::vec3 corners[3] = {t.a, t.b, t.c};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            block.corner[i][k][lane] = corners[i][k];
}

}  // namespace

namespace detail {

WideBuild::WideBuild(const MeshBvh& tree, MeshBvh8& wide, BuildProgress& progress)
    : tree_(tree), wide_(wide), progress_(progress), collapse_(tree.nodes()) {
    wide_.clear();
#if BV_HAS_AVX2_KERNELS
    wide_.has_fma_ = __builtin_cpu_supports("fma") != 0;
#endif
    wide_.skipped_ = tree.skipped_triangles();
    if (tree.empty())
        end(MeshBvh8::Status::Empty);
    else if (tree.references().size() > (std::size_t{1} << 25))
        end(MeshBvh8::Status::TooLarge);
    else
        progress_.begin_part(0.0f, 0.3f, 1);
}

bool WideBuild::end(MeshBvh8::Status status) {
    if (status == MeshBvh8::Status::Cancelled) wide_ = MeshBvh8{};
    status_ = status;
    next_ = Slice::None;
    return false;
}

bool WideBuild::advance(std::size_t references) {
    if (next_ == Slice::None) return false;
    if (progress_.cancelled()) return end(MeshBvh8::Status::Cancelled);
    if (next_ == Slice::Plan) {
        if (!collapse_.plan(std::max<std::size_t>(references, 1))) next_ = Slice::Begin;
        return true;
    }
    if (next_ == Slice::Begin) begin_nodes();
    constexpr std::size_t kReportEvery = 512;
    const std::size_t first = wide_.blocks_.size();
    while (!waiting_.empty() && 4 * (wide_.blocks_.size() - first) <= references) {
        const Waiting now = waiting_.back();
        waiting_.pop_back();
        make_node(now);
        if (wide_.blocks_.size() - reported_ >= kReportEvery) {
            if (!progress_.advance(4 * (wide_.blocks_.size() - reported_)))
                return end(MeshBvh8::Status::Cancelled);
            reported_ = wide_.blocks_.size();
        }
    }
    return waiting_.empty() ? finish() : true;
}

void WideBuild::begin_nodes() {
    const std::span<const std::uint32_t> ids = tree_.references();
    progress_.begin_part(0.3f, 1.0f, ids.size());
    wide_.references_ = static_cast<std::uint32_t>(ids.size());
    wide_.repeated_ = tree_.has_repeated_references();
    wide_.bounds_ = tree_.bounds();
    wide_.beyond_single_ = needs_double(wide_.bounds_);
    // Measured: a wide node per 20 to 32 binary ones, a block per 3 references.
    wide_.nodes_.reserve(tree_.nodes().size() / 16 + 1);
    wide_.sources_.reserve(8 * (tree_.nodes().size() / 16 + 1));
    wide_.blocks_.reserve(ids.size() / 8 * 3 + 2);
    wide_.nodes_.resize(1);
    wide_.sources_.resize(8, MeshHit::kNone);
    wide_.place_of_.assign(std::size_t{*std::max_element(ids.begin(), ids.end())} + 1, MeshHit::kNone);
    waiting_.push_back({0, 0, 1});
    next_ = Slice::Grow;
}

void WideBuild::make_node(const Waiting& now) {
    wide_.depth_ = std::max(wide_.depth_, now.depth);
    std::uint32_t children[8] = {now.binary};
    // A tree that is a single leaf gets a root of its own.
    const int count = collapse_.is_leaf(now.binary) ? 1 : collapse_.children(now.binary, children);
    std::copy(children, children + count, &wide_.sources_[8 * std::size_t{now.wide}]);
    std::uint32_t words[8];
    Aabb boxes[8];
    std::vector<TriangleBlock>& blocks = wide_.blocks_;
    for (int i = 0; i < count; ++i) {
        boxes[i] = tree_.nodes()[children[i]].box();
        if (!collapse_.is_leaf(children[i])) {
            words[i] = static_cast<std::uint32_t>(wide_.nodes_.size());
            waiting_.push_back({children[i], words[i], now.depth + 1});
            wide_.nodes_.emplace_back();
            wide_.sources_.resize(8 * wide_.nodes_.size(), MeshHit::kNone);
            continue;
        }
        const auto range = collapse_.range(children[i]);
        words[i] =
            Bvh8Node::kLeaf | (static_cast<std::uint32_t>(blocks.size()) << 6) | ((range.count + 3) / 4 - 1);
        for (std::uint32_t j = 0; j < range.count; ++j) {
            if (j % 4 == 0) blocks.push_back(kEmptyBlock);
            store_triangle(blocks.back(), static_cast<int>(j % 4), tree_.triangle(range.first + j));
            const std::uint32_t id = tree_.references()[range.first + j];
            blocks.back().id[j % 4] = id;
            wide_.place_of_[id] = 4 * (static_cast<std::uint32_t>(blocks.size()) - 1) + j % 4;
        }
    }
    Bvh8Node& node = wide_.nodes_[now.wide];
    node.used = static_cast<std::uint8_t>((1u << count) - 1);
    std::fill(std::copy(words, words + count, node.child), node.child + 8, kUnset);
    std::fill_n(&node.lo[0][0], 24, std::uint8_t{255});
    store_boxes(node, boxes, count);
}

bool WideBuild::finish() {
    // For a ray from very far away the inside-out box of an empty slot may count as hit: it then leads to a
    // block without triangles.
    const std::uint32_t empty_block =
        Bvh8Node::kLeaf | (static_cast<std::uint32_t>(wide_.blocks_.size()) << 6);
    wide_.blocks_.push_back(kEmptyBlock);
    for (Bvh8Node& node : wide_.nodes_)
        if (node.used != 0xff) std::replace(node.child, node.child + 8, kUnset, empty_block);
    progress_.begin_part(1.0f, 1.0f, 1);
    return end(progress_.advance(1) ? MeshBvh8::Status::Ok : MeshBvh8::Status::Cancelled);
}

}  // namespace detail

MeshBvh8::Status MeshBvh8::build(const MeshBvh& tree, BuildProgress* progress) {
    BuildProgress unwatched;
    detail::WideBuild build(tree, *this, progress != nullptr ? *progress : unwatched);
    while (build.advance(std::numeric_limits<std::size_t>::max())) {
    }
    return build.status();
}

MeshBuildStatus MeshBvh8::build(const MeshView& mesh, const MeshBvhOptions& options) {
    clear();
    MeshBvh tree;
    const MeshBuildStatus status = tree.build(mesh, options);
    if (status != MeshBuildStatus::Ok) {
        skipped_ = tree.skipped_triangles();
        return status;
    }
    switch (build(tree, options.progress)) {
        case Status::Ok:
            break;
        case Status::Empty:
            return MeshBuildStatus::Empty;
        case Status::TooLarge:
            return MeshBuildStatus::TooLarge;
        case Status::Cancelled:
            return MeshBuildStatus::Cancelled;
    }
    return MeshBuildStatus::Ok;
}

void MeshBvh8::clear() noexcept {
    MeshBvh8 cleared;
    cleared.nodes_.swap(nodes_);
    cleared.blocks_.swap(blocks_);
    cleared.sources_.swap(sources_);
    cleared.place_of_.swap(place_of_);
    cleared.nodes_.clear();
    cleared.blocks_.clear();
    cleared.sources_.clear();
    cleared.place_of_.clear();
    swap(cleared);
}

void MeshBvh8::swap(MeshBvh8& other) noexcept {
    nodes_.swap(other.nodes_);
    blocks_.swap(other.blocks_);
    sources_.swap(other.sources_);
    place_of_.swap(other.place_of_);
    std::swap(bounds_, other.bounds_);
    std::swap(depth_, other.depth_);
    std::swap(references_, other.references_);
    std::swap(skipped_, other.skipped_);
    std::swap(repeated_, other.repeated_);
    std::swap(beyond_single_, other.beyond_single_);
    std::swap(has_fma_, other.has_fma_);
}

void MeshBvh8::refit(const MeshBvh& tree) {
    BV_ASSERT(tree.references().size() == references_);
    if (empty() || tree.references().size() != references_) return;
    bounds_ = tree.bounds();
    beyond_single_ = detail::needs_double(bounds_);
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
        const std::uint32_t* sources = &sources_[8 * n];
        Aabb boxes[8];
        int count = 0;
        for (; count < 8 && sources[count] != MeshHit::kNone; ++count)
            boxes[count] = tree.nodes()[sources[count]].box();
        store_boxes(nodes_[n], boxes, count);
        for (int i = 0; i < count; ++i) {
            const std::uint32_t child = nodes_[n].child[i];
            if ((child & Bvh8Node::kLeaf) == 0) continue;
            // The leaf's references start where those of its first binary leaf do.
            std::uint32_t source = sources[i];
            while (!tree.nodes()[source].is_leaf())
                source = tree.nodes()[source].first;
            std::uint32_t reference = tree.nodes()[source].first;
            const std::uint32_t first = (child & ~Bvh8Node::kLeaf) >> 6;
            for (std::uint32_t b = first; b <= first + (child & 63u); ++b)
                for (int lane = 0; lane < 4 && blocks_[b].id[lane] != MeshHit::kNone; ++lane)
                    store_triangle(blocks_[b], lane, tree.triangle(reference++));
        }
    }
}

template <bool kAny>
void MeshBvh8::cast(const Ray& given, RayMode mode, [[maybe_unused]] Simd simd,
                    detail::Bvh8Result& result) const {
    if (empty()) return;
    const MeshRay ray(given, mode, bounds_);
    const bool precise = beyond_single_ || ray.is_beyond_single;
    if (!precise && !ray.usable) return;
    std::uint32_t entries[2][kStackEntries];
    std::unique_ptr<std::uint32_t[]> more;
    detail::Bvh8Stack stack{entries[0], entries[1]};
    const std::size_t needed = 7 * std::size_t{depth_} + detail::Bvh8Stack::kSpare;
    if (needed > kStackEntries) {
        more = std::make_unique<std::uint32_t[]>(2 * needed);
        stack = {more.get(), more.get() + needed};
    }
    const detail::Bvh8View view{nodes_.data(), blocks_.data(), stack};
    result.best.t = ray.t_max;
    if (precise) {
        const detail::PreciseMeshRay precise_ray(given, mode, bounds_);
        if (precise_ray.usable) cast_plain(view, precise_ray, mode, kAny, result);
    } else
#if BV_HAS_AVX2_KERNELS
        if (simd == Simd::Avx2 && has_fma_)
        simd::cast_wide_avx2(view, ray, mode, kAny, result);
    else
#endif
        cast_plain(view, ray, mode, kAny, result);
}

MeshRayResult MeshBvh8::raycast(const Ray& ray, RayMode mode, Simd simd) const {
    detail::Bvh8Result result;
    cast<false>(ray, mode, simd, result);
    MeshRayResult out;
    result.write_to(out);
    return out;
}
bool MeshBvh8::raycast_any(const Ray& ray, RayMode mode, Simd simd) const {
    detail::Bvh8Result result;
    cast<true>(ray, mode, simd, result);
    return result.best.triangle != MeshHit::kNone;
}

glm::vec3 MeshBvh8::normal(const MeshHit& hit) const noexcept {
    if (hit.triangle >= place_of_.size() || place_of_[hit.triangle] == MeshHit::kNone) return glm::vec3(0.0f);
    const std::uint32_t place = place_of_[hit.triangle];
    return blocks_[place / 4].triangle(static_cast<int>(place % 4)).normal();
}

std::size_t MeshBvh8::memory_bytes() const noexcept {
    return nodes_.size() * sizeof(Bvh8Node) + blocks_.size() * sizeof(TriangleBlock) +
           (sources_.size() + place_of_.size()) * sizeof(std::uint32_t);
}

}  // namespace bv
