// WideTree: queries by box, predicate, ray, moved box and distance.
#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "bv/query/raycast.hpp"
#include "bv/shapes/not_finite.hpp"
#include "bv/tree/wide_tree.hpp"
#include "tree/grow_stack.hpp"
#include "tree/nearest.hpp"
#include "tree/visit_guard.hpp"
#include "tree/wide/wide_dispatch.hpp"

namespace bv {

using detail::Near;
using detail::WideTreeNode;

QueryStats WideTree::query_all(const Aabb& box, FunctionRef<Visit(ProxyId, std::uint64_t)> visitor,
                               Recording* trace) const {
    if (root_ == kNone || box.is_empty()) return {};
    const detail::VisitGuard guard(this);
    const auto call = [&](std::uint32_t proxy) { return visitor(id_of(proxy), user_data_[proxy]); };
    return BV_WIDE_CALL(options_.simd, query_box(view(), box, call, trace));
}

QueryStats WideTree::query_in(const Aabb& box, Categories categories,
                              FunctionRef<Visit(ProxyId, std::uint64_t)> visitor) const {
    if (box.is_empty()) return {};
    const auto test = [&](const WideTreeNode& node, unsigned candidates) {
        return candidates & BV_WIDE_CALL(options_.simd, overlapping_entries(node, box));
    };
    return select_all(test, categories, visitor);
}

unsigned WideTree::entries_in(const WideTreeNode& node, std::optional<Categories> categories) const noexcept {
    const unsigned all = (1u << node.count) - 1u;
    if (!categories) return all;
    const std::uint32_t bits = categories->bits;
    if (!has_categories()) return bits ? all : 0u;  // All proxies are in all.
    const std::vector<std::uint32_t>& below = node.level == 0 ? categories_ : node_categories_;
    unsigned entries = 0;
    for (std::uint32_t i = 0; i < node.count; ++i)
        if (below[node.child[i]] & bits) entries |= 1u << i;
    return entries;
}

QueryStats WideTree::select_all(FunctionRef<unsigned(const WideTreeNode&, unsigned)> test,
                                std::optional<Categories> categories,
                                FunctionRef<Visit(ProxyId, std::uint64_t)> visitor) const {
    QueryStats stats;
    if (root_ == kNone) return stats;
    const detail::VisitGuard guard(this);
    detail::GrowStack<std::uint32_t, 128> stack;
    stack.push(root_);
    while (!stack.empty()) {
        const WideTreeNode& n = nodes_[stack.pop()];
        ++stats.nodes_visited;
        const unsigned candidates = entries_in(n, categories);
        (n.level == 0 ? stats.leaves_tested : stats.boxes_tested) +=
            static_cast<std::uint32_t>(std::popcount(candidates));
        for (unsigned hits = candidates == 0 ? 0 : test(n, candidates); hits != 0; hits &= hits - 1) {
            const std::uint32_t child = n.child[std::countr_zero(hits)];
            if (n.level > 0) {
                stack.push(child);
                continue;
            }
            ++stats.hits;
            if (visitor(id_of(child), user_data_[child]) == Visit::Stop) return stats;
        }
    }
    return stats;
}

QueryStats WideTree::raycast_all(const Ray& ray, FunctionRef<float(ProxyId, std::uint64_t, float)> visitor,
                                 Recording* trace) const {
    if (root_ == kNone) return {};
    const detail::VisitGuard guard(this);
    std::uint32_t hits = 0;
    const auto call = [&](std::uint32_t proxy, float limit) {
        // The eight-wide test is conservative; boxes that pass it are decided exactly.
        const WideTreeNode& n = nodes_[proxies_[proxy].place / 8];
        const auto hit =
            bv::raycast(Ray{ray.origin, ray.direction, limit, ray.t_min}, n.box(proxies_[proxy].place % 8));
        if (!hit) return limit;
        ++hits;
        return visitor(id_of(proxy), user_data_[proxy], hit->t);
    };
    const RaySlabs slabs(ray);
    const Simd simd = slabs.needs_double ? Simd::Scalar : options_.simd;
    QueryStats stats = BV_WIDE_CALL(simd, cast_ray(view(), slabs, ray.t_max, call, trace));
    stats.hits = hits;
    return stats;
}

std::optional<ProxyRayHit> WideTree::raycast_nearest(const Ray& ray) const {
    return detail::first_on_ray(*this, ray);
}

QueryStats WideTree::cast_all(const Aabb& box, const glm::vec3& displacement,
                              FunctionRef<float(ProxyId, std::uint64_t, float)> visitor) const {
    if (root_ == kNone || !box.is_finite()) return {};
    const detail::VisitGuard guard(this);
    // A moved box against a box is its center against that box grown by half its size.
    const glm::vec3 half = box.half_extents();
    const Ray ray{box.center(), displacement, 1.0f};
    std::uint32_t hits = 0;
    const auto call = [&](std::uint32_t proxy, float limit) {
        const WideTreeNode& n = nodes_[proxies_[proxy].place / 8];
        const Aabb target = n.box(proxies_[proxy].place % 8);
        const auto hit =
            bv::raycast(Ray{ray.origin, ray.direction, limit}, Aabb{target.min - half, target.max + half});
        if (!hit) return limit;
        ++hits;
        return visitor(id_of(proxy), user_data_[proxy], hit->t);
    };
    const RaySlabs slabs(ray);
    const Simd simd = slabs.needs_double ? Simd::Scalar : options_.simd;
    QueryStats stats = BV_WIDE_CALL(simd, cast_box(view(), slabs, half, ray.t_max, call));
    stats.hits = hits;
    return stats;
}

namespace {

/// Calls `reached(proxy number, distance_sq)`, nearest subtrees first, for the proxies that are no farther
/// than the limit that it returns; a negative one ends the search.
template <class Reached>
QueryStats nearest_first(const detail::LargeVector<WideTreeNode>& nodes, std::uint32_t root,
                         const glm::vec3& point, double limit, const Reached& reached) {
    QueryStats stats;
    detail::GrowStack<Near, 128> stack;
    stack.push({0.0, root});
    while (!stack.empty()) {
        const Near at = stack.pop();
        if (!(at.distance_sq <= limit)) continue;
        const WideTreeNode& n = nodes[at.node];
        ++stats.nodes_visited;
        (n.level == 0 ? stats.leaves_tested : stats.boxes_tested) += n.count;
        // Far ones first, so that the nearest ends on top of the stack.
        std::array<Near, 8> order;
        unsigned count = 0;
        for (std::uint32_t i = 0; i < n.count; ++i) {
            const double d = detail::distance_sq(point, n.box(i));
            if (!(d <= limit)) continue;
            unsigned to = count++;
            for (; to > 0 && order[to - 1].distance_sq < d; --to)
                order[to] = order[to - 1];
            order[to] = {d, n.child[i]};
        }
        if (n.level > 0) {
            for (unsigned i = 0; i < count; ++i)
                stack.push(order[i]);
            continue;
        }
        while (count > 0) {
            const Near& near = order[--count];
            if (!(near.distance_sq <= limit)) break;
            ++stats.hits;
            const double answer = reached(near.node, near.distance_sq);
            if (answer < 0.0) return stats;
            limit = answer < limit ? answer : limit;
        }
    }
    return stats;
}

}  // namespace

QueryStats WideTree::closest_all(const glm::vec3& point, float limit_sq,
                                 FunctionRef<float(ProxyId, std::uint64_t, float)> visitor) const {
    if (root_ == kNone || !is_finite(point)) return {};
    const detail::VisitGuard guard(this);
    return nearest_first(
        nodes_, root_, point, detail::rounded_to(limit_sq), [&](std::uint32_t proxy, double d) {
            const float answer = visitor(id_of(proxy), user_data_[proxy], static_cast<float>(d));
            return answer < 0.0f ? -1.0 : detail::rounded_to(answer);
        });
}

std::size_t WideTree::k_nearest(const glm::vec3& point, std::span<Neighbor> out) const {
    if (out.empty() || root_ == kNone || !is_finite(point)) return 0;
    const detail::VisitGuard guard(this);
    detail::NearestList list(point, out, [&](std::uint32_t proxy) {
        return Aabb{proxies_[proxy].min, proxies_[proxy].max};
    });
    nearest_first(nodes_, root_, point, std::numeric_limits<double>::infinity(),
                  [&](std::uint32_t proxy, double d) { return list.add(id_of(proxy), d); });
    return list.finish();
}

}  // namespace bv
