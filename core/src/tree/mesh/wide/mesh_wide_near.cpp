// Nearest points and all hits of a MeshBvh8.
#include <algorithm>
#include <memory>

#include "bv/tree/mesh_bvh_wide.hpp"
#include "simd/mesh/mesh_wide_avx2.hpp"
#include "tree/mesh/mesh_nearest.hpp"
#include "tree/mesh/wide/mesh_wide_plain.hpp"

namespace bv {
namespace {

using detail::Bvh8Node;
using detail::MeshRay;
using detail::TriangleBlock;

/// Nodes are child words.
struct WideNodes {
    const MeshBvh8& tree;
    bool with_repeated;

    [[nodiscard]] static bool is_leaf(std::uint32_t word) noexcept { return (word & Bvh8Node::kLeaf) != 0; }
    [[nodiscard]] Aabb bounds() const noexcept { return tree.bounds(); }
    [[nodiscard]] bool repeated() const noexcept { return with_repeated; }
    template <class Call>
    void children(std::uint32_t word, Call&& call) const {
        const Bvh8Node& node = tree.nodes()[word];
        for (int i = 0; i < 8; ++i)
            if ((node.used >> i) & 1u) call(node.child[i], node.box(i));
    }
    template <class Call>
    void triangles(std::uint32_t word, Call&& call) const {
        const std::uint32_t first = (word & ~Bvh8Node::kLeaf) >> 6;
        for (std::uint32_t b = first; b <= first + (word & 63u); ++b) {
            const TriangleBlock& block = tree.blocks()[b];
            for (int lane = 0; lane < 4 && block.id[lane] != MeshHit::kNone; ++lane)
                call(block.id[lane], block.triangle(lane));
        }
    }
};

/// The plain kernel, keeping every hit and the ray's end as the limit.
template <RayMode kMode, class AnyRay>
struct AllKernel : detail::PlainKernel<kMode, AnyRay> {
    std::vector<MeshHit>& hits;

    AllKernel(const AnyRay& r, std::vector<MeshHit>& out) noexcept
        : detail::PlainKernel<kMode, AnyRay>(r), hits(out) {}
    void test_block(const TriangleBlock& block, float&, MeshHit&) const {
        detail::collect_hits<kMode>(this->ray, block, hits);
    }
};

template <class AnyRay>
void cast_all(const detail::Bvh8View& view, const AnyRay& ray, RayMode mode, std::vector<MeshHit>& hits,
              detail::Bvh8Result& result) {
    if (mode == RayMode::Fast) {
        using Kernel = AllKernel<RayMode::Fast, AnyRay>;
        detail::walk_wide<Kernel, false>(view, Kernel(ray, hits), result);
    } else {
        using Kernel = AllKernel<RayMode::Watertight, AnyRay>;
        detail::walk_wide<Kernel, false>(view, Kernel(ray, hits), result);
    }
}

}  // namespace

MeshNearestResult MeshBvh8::closest_point(const glm::vec3& p, float max_distance) const {
    if (empty()) return {};
    return detail::find_closest(WideNodes{*this, repeated_}, p, max_distance, NoTrace{});
}

QueryStats MeshBvh8::nearest_triangles(const glm::vec3& p, std::size_t count,
                                       std::vector<MeshNearest>& nearest) const {
    nearest.clear();
    if (empty()) return {};
    return detail::find_nearest(WideNodes{*this, repeated_}, p, count, nearest);
}

QueryStats MeshBvh8::raycast_all(const Ray& given, std::vector<MeshHit>& hits, RayMode mode,
                                 [[maybe_unused]] Simd simd) const {
    hits.clear();
    MeshRayResult out;
    if (empty()) return out.stats;
    const std::size_t capacity = 7 * std::size_t{depth_} + detail::Bvh8Stack::kSpare;
    const auto stack = std::make_unique<std::uint32_t[]>(2 * capacity);
    const detail::Bvh8View view{nodes_.data(), blocks_.data(), {stack.get(), stack.get() + capacity}};
    detail::Bvh8Result result;
    result.best.t = given.t_max;
    if (detail::needs_double(given, bounds_)) {
        const detail::PreciseMeshRay ray(given, mode, bounds_);
        if (ray.usable) cast_all(view, ray, mode, hits, result);
    } else if (const MeshRay ray(given, mode, bounds_); ray.usable) {
#if BV_HAS_AVX2_KERNELS
        if (simd == Simd::Avx2 && has_fma_)
            simd::cast_wide_all_avx2(view, ray, mode, hits, result);
        else
#endif
            cast_all(view, ray, mode, hits, result);
    }
    std::sort(hits.begin(), hits.end(), detail::before);
    // A triangle that was split is found once per part.
    if (repeated_) hits.erase(std::unique(hits.begin(), hits.end()), hits.end());
    result.write_to(out);
    out.stats.hits = static_cast<std::uint32_t>(hits.size());
    return out.stats;
}

}  // namespace bv
