// Box and ray queries of DynamicTree.
#include <cmath>

#include "bv/query/ray_slabs.hpp"
#include "bv/query/raycast.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "tree/box_math.hpp"
#include "tree/grow_stack.hpp"
#include "tree/nearest.hpp"
#include "tree/visit_guard.hpp"

namespace bv {

namespace {

using Verdict = NodeVisited::Verdict;

// A node to be visited. Its depth is only kept for traces.
struct Pending {
    std::uint32_t node;
    std::uint32_t depth;
};
struct RayPending {
    std::uint32_t node;
    std::uint32_t depth;
    float t_enter;
};

}  // namespace

template <class Sink>
QueryStats DynamicTree::query_impl(const Aabb& box, FunctionRef<Visit(ProxyId, std::uint64_t)> visitor,
                                   Sink& sink) const {
    QueryStats stats;
    if (root_ == kNull || box.is_empty()) return stats;
    const detail::VisitGuard guard(this);
    const auto record = [&](std::uint32_t node, std::uint32_t depth, Verdict verdict) {
        if constexpr (Sink::kEnabled) sink(NodeVisited{NodeIndex{node}, depth, 0.0f, verdict});
    };
    detail::GrowStack<Pending, 64> stack;
    stack.push({root_, 0});
    while (!stack.empty()) {
        const Pending at = stack.pop();
        const Node& n = nodes_[at.node];
        ++stats.boxes_tested;
        if (!detail::overlaps(n.box, box)) {
            record(at.node, at.depth, Verdict::Culled);
            continue;
        }
        ++stats.nodes_visited;
        if (!n.is_leaf()) {
            record(at.node, at.depth, Verdict::Entered);
            stack.push({n.child[1], at.depth + 1});
            stack.push({n.child[0], at.depth + 1});
            continue;
        }
        ++stats.leaves_tested;
        const Proxy& p = proxies_[n.proxy()];
        if (!detail::overlaps(p.tight, box)) {
            record(at.node, at.depth, Verdict::LeafTested);
            continue;
        }
        record(at.node, at.depth, Verdict::LeafHit);
        ++stats.hits;
        if (visitor(id_of(n.proxy()), p.user_data) == Visit::Stop) break;
    }
    return stats;
}

template <class Sink>
QueryStats DynamicTree::raycast_impl(const Ray& ray, const glm::vec3& half,
                                     FunctionRef<float(ProxyId, std::uint64_t, float)> visitor,
                                     Sink& sink) const {
    QueryStats stats;
    if (root_ == kNull) return stats;
    const detail::VisitGuard guard(this);
    const RaySlabs slabs(ray);
    // A moved box against a box is its center against that box grown by half its size.
    const auto around = [&half](const Aabb& box) { return Aabb{box.min - half, box.max + half}; };
    float limit = ray.t_max;
    const auto record = [&](std::uint32_t node, std::uint32_t depth, float t, Verdict verdict) {
        if constexpr (Sink::kEnabled) sink(NodeVisited{NodeIndex{node}, depth, t, verdict});
    };
    detail::GrowStack<RayPending, 64> stack;
    float t = 0.0f;
    ++stats.boxes_tested;
    if (slabs.hit_nonempty(around(nodes_[root_].box), limit, t))
        stack.push({root_, 0, t});
    else
        record(root_, 0, t, Verdict::Culled);
    while (!stack.empty()) {
        const RayPending at = stack.pop();
        if (RaySlabs::is_behind(at.t_enter, limit)) {
            record(at.node, at.depth, at.t_enter, Verdict::Culled);
            continue;
        }
        ++stats.nodes_visited;
        const Node& n = nodes_[at.node];
        if (n.is_leaf()) {
            ++stats.leaves_tested;
            const Proxy& p = proxies_[n.proxy()];
            // The quick test is conservative; boxes that pass it are decided exactly.
            std::optional<RayHit> hit;
            if (slabs.hit_nonempty(around(p.tight), limit, t))
                hit = bv::raycast(Ray{ray.origin, ray.direction, limit, ray.t_min}, around(p.tight));
            if (!hit) {
                record(at.node, at.depth, at.t_enter, Verdict::LeafTested);
                continue;
            }
            record(at.node, at.depth, hit->t, Verdict::LeafHit);
            ++stats.hits;
            const float answer = visitor(id_of(n.proxy()), p.user_data, hit->t);
            if (answer < 0.0f) break;
            limit = answer < limit ? answer : limit;
            continue;
        }
        record(at.node, at.depth, at.t_enter, Verdict::Entered);
        RayPending next[2];
        int count = 0;
        for (const std::uint32_t child : n.child) {
            ++stats.boxes_tested;
            if (slabs.hit_nonempty(around(nodes_[child].box), limit, t))
                next[count++] = {child, at.depth + 1, t};
            else
                record(child, at.depth + 1, t, Verdict::Culled);
        }
        // The nearer one is pushed last.
        if (count == 2) {
            const bool first_nearer = next[0].t_enter <= next[1].t_enter;
            stack.push(next[first_nearer ? 1 : 0]);
            stack.push(next[first_nearer ? 0 : 1]);
        } else if (count == 1) {
            stack.push(next[0]);
        }
    }
    return stats;
}

QueryStats DynamicTree::query_all(const Aabb& box, FunctionRef<Visit(ProxyId, std::uint64_t)> visitor) const {
    NoTrace sink;
    return query_impl(box, visitor, sink);
}
QueryStats DynamicTree::query_all(const Aabb& box, FunctionRef<Visit(ProxyId, std::uint64_t)> visitor,
                                  Recording& trace) const {
    return query_impl(box, visitor, trace);
}
QueryStats DynamicTree::raycast_all(const Ray& ray,
                                    FunctionRef<float(ProxyId, std::uint64_t, float)> visitor) const {
    NoTrace sink;
    return raycast_impl(ray, glm::vec3(0.0f), visitor, sink);
}
QueryStats DynamicTree::raycast_all(const Ray& ray, FunctionRef<float(ProxyId, std::uint64_t, float)> visitor,
                                    Recording& trace) const {
    return raycast_impl(ray, glm::vec3(0.0f), visitor, trace);
}

std::optional<ProxyRayHit> DynamicTree::raycast_nearest(const Ray& ray) const {
    return detail::first_on_ray(*this, ray);
}

QueryStats DynamicTree::cast_all(const Aabb& box, const glm::vec3& displacement,
                                 FunctionRef<float(ProxyId, std::uint64_t, float)> visitor) const {
    if (!box.is_finite()) return {};
    const Ray ray{box.center(), displacement, 1.0f};
    NoTrace sink;
    return raycast_impl(ray, box.half_extents(), visitor, sink);
}

}  // namespace bv
