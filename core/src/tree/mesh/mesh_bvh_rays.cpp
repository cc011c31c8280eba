// Rays through a MeshBvh: nearer child first, farther one on a stack; nodes entered behind the best hit are
// culled.
#include <algorithm>

#include "bv/tree/mesh_bvh.hpp"
#include "tree/grow_stack.hpp"
#include "tree/mesh/mesh_ray.hpp"

namespace bv {
namespace {

using detail::MeshRay;
using detail::PreciseMeshRay;
using Verdict = NodeVisited::Verdict;

struct Waiting {
    std::uint32_t node;
    std::uint32_t depth;
    float t_enter;
};

template <class Sink>
void record(Sink& sink, const Waiting& at, Verdict verdict) {
    if constexpr (Sink::kEnabled) sink(NodeVisited{NodeIndex{at.node}, at.depth, at.t_enter, verdict});
}

/// Visits the nodes that the ray hits. `leaf(node, limit)` tests one leaf, lowers the limit if that may cull,
/// and returns whether anything was hit; `done()` ends the traversal.
template <class AnyRay, class Sink, class Leaf, class Done>
void walk(std::span<const MeshBvhNode> nodes, const AnyRay& ray, QueryStats& stats, Sink& sink, Leaf&& leaf,
          Done&& done) {
    float limit = ray.t_max;
    Waiting now{0, 0, 0.0f};
    ++stats.boxes_tested;
    if (!ray.hits_box(nodes[0], limit, now.t_enter)) {
        record(sink, now, Verdict::Culled);
        return;
    }
    detail::GrowStack<Waiting, 96> stack;
    while (true) {
        const MeshBvhNode& node = nodes[now.node];
        ++stats.nodes_visited;
        if (node.is_leaf()) {
            const bool any = leaf(node, limit);
            record(sink, now, any ? Verdict::LeafHit : Verdict::LeafTested);
            if (done()) return;
        } else {
            record(sink, now, Verdict::Entered);
            stats.boxes_tested += 2;
            Waiting a{node.first, now.depth + 1, 0.0f};
            Waiting b{node.first + 1, now.depth + 1, 0.0f};
            const bool hits_a = ray.hits_box(nodes[a.node], limit, a.t_enter);
            const bool hits_b = ray.hits_box(nodes[b.node], limit, b.t_enter);
            if (!hits_a) record(sink, a, Verdict::Culled);
            if (!hits_b) record(sink, b, Verdict::Culled);
            if (hits_a && hits_b) {
                if (b.t_enter < a.t_enter) std::swap(a, b);
                stack.push(b);
            }
            if (hits_a || hits_b) {
                now = hits_a ? a : b;
                continue;
            }
        }
        do {
            if (stack.empty()) return;
            now = stack.pop();
            if (now.t_enter > limit * MeshRay::kFarScale) record(sink, now, Verdict::Culled);
        } while (now.t_enter > limit * MeshRay::kFarScale);
    }
}

template <bool kAny, RayMode kMode, class AnyRay, class Sink>
MeshRayResult cast_mode(const MeshBvh& tree, AnyRay ray, Sink& sink) {
    MeshRayResult result;
    if (!ray.usable) return result;
    MeshHit best;
    const auto ids = tree.references();
    walk(
        tree.nodes(), ray, result.stats, sink,
        [&](const MeshBvhNode& node, float& limit) {
            bool any = false;
            for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
                MeshHit hit;
                ++result.stats.leaves_tested;
                if (!detail::hit_triangle<kMode>(ray, tree.triangle(i), hit)) continue;
                any = true;
                hit.triangle = ids[i];
                if (detail::before(hit, best)) {
                    best = hit;
                    limit = ray.t_max = hit.t;
                }
            }
            return any;
        },
        [&] { return kAny && best.triangle != MeshHit::kNone; });
    if (best.triangle != MeshHit::kNone) {
        result.hit = best;
        result.stats.hits = 1;
    }
    return result;
}

/// Invokes `call` with the ray prepared in the precision that it and the mesh need.
template <class Call>
auto with_ray(const MeshBvh& tree, const Ray& ray, RayMode mode, Call&& call) {
    return detail::needs_double(ray, tree.bounds()) ? call(PreciseMeshRay(ray, mode, tree.bounds()))
                                                    : call(MeshRay(ray, mode, tree.bounds()));
}

template <bool kAny, class Sink>
MeshRayResult cast(const MeshBvh& tree, const Ray& given, RayMode mode, Sink&& sink) {
    if (tree.empty()) return {};
    return with_ray(tree, given, mode, [&](const auto& ray) {
        return mode == RayMode::Fast ? cast_mode<kAny, RayMode::Fast>(tree, ray, sink)
                                     : cast_mode<kAny, RayMode::Watertight>(tree, ray, sink);
    });
}

template <RayMode kMode, class AnyRay>
QueryStats cast_all(const MeshBvh& tree, const AnyRay& ray, std::vector<MeshHit>& hits) {
    QueryStats stats;
    if (!ray.usable) return stats;
    const auto ids = tree.references();
    NoTrace sink;
    walk(
        tree.nodes(), ray, stats, sink,
        [&](const MeshBvhNode& node, float&) {
            for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
                MeshHit hit;
                ++stats.leaves_tested;
                if (!detail::hit_triangle<kMode>(ray, tree.triangle(i), hit)) continue;
                hit.triangle = ids[i];
                hits.push_back(hit);
            }
            return true;
        },
        [] { return false; });
    std::sort(hits.begin(), hits.end(), detail::before);
    // A triangle that was split is found once per part.
    if (tree.has_repeated_references()) hits.erase(std::unique(hits.begin(), hits.end()), hits.end());
    stats.hits = static_cast<std::uint32_t>(hits.size());
    return stats;
}

}  // namespace

MeshRayResult MeshBvh::raycast(const Ray& ray, RayMode mode) const {
    return cast<false>(*this, ray, mode, NoTrace{});
}
MeshRayResult MeshBvh::raycast(const Ray& ray, RayMode mode, Recording& trace) const {
    return cast<false>(*this, ray, mode, trace);
}
bool MeshBvh::raycast_any(const Ray& ray, RayMode mode) const {
    return cast<true>(*this, ray, mode, NoTrace{}).hit.has_value();
}
MeshRayResult MeshBvh::raycast_any(const Ray& ray, RayMode mode, Recording& trace) const {
    return cast<true>(*this, ray, mode, trace);
}
QueryStats MeshBvh::raycast_all(const Ray& given, std::vector<MeshHit>& hits, RayMode mode) const {
    hits.clear();
    if (empty()) return {};
    return with_ray(*this, given, mode, [&](const auto& ray) {
        return mode == RayMode::Fast ? cast_all<RayMode::Fast>(*this, ray, hits)
                                     : cast_all<RayMode::Watertight>(*this, ray, hits);
    });
}

}  // namespace bv
