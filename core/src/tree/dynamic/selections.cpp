// Queries of DynamicTree other than boxes and rays: by a predicate, by distance.
#include <limits>

#include "bv/shapes/not_finite.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "tree/box_math.hpp"
#include "tree/grow_stack.hpp"
#include "tree/nearest.hpp"
#include "tree/visit_guard.hpp"

namespace bv {

using detail::distance_sq;
using detail::Near;

bool detail::boxes_overlap(const Aabb& a, const Aabb& b) noexcept {
    return overlaps(a, b) && !b.is_empty();
}

bool detail::in_front_of_all(std::span<const Plane> planes, const Aabb& box) noexcept {
    for (const Plane& plane : planes) {
        // The corner farthest along the normal, in double precision so that a corner on the plane is not
        // lost.
        double reach = -double{plane.offset};
        for (int k = 0; k < 3; ++k)
            reach += double{plane.normal[k]} * double{plane.normal[k] >= 0.0f ? box.max[k] : box.min[k]};
        if (!(reach >= 0.0)) return false;
    }
    return true;
}

QueryStats DynamicTree::select_all(FunctionRef<bool(const Aabb&)> test, std::optional<Categories> categories,
                                   FunctionRef<Visit(ProxyId, std::uint64_t)> visitor) const {
    QueryStats stats;
    if (root_ == kNull) return stats;
    const detail::VisitGuard guard(this);
    detail::GrowStack<std::uint32_t, 64> stack;
    stack.push(root_);
    while (!stack.empty()) {
        const Node& n = nodes_[stack.pop()];
        if (categories && (n.categories & categories->bits) == 0) continue;
        ++stats.boxes_tested;
        if (!test(n.box)) continue;
        ++stats.nodes_visited;
        if (!n.is_leaf()) {
            stack.push(n.child[1]);
            stack.push(n.child[0]);
            continue;
        }
        ++stats.leaves_tested;
        const Proxy& p = proxies_[n.proxy()];
        if (!test(p.tight)) continue;
        ++stats.hits;
        if (visitor(id_of(n.proxy()), p.user_data) == Visit::Stop) break;
    }
    return stats;
}

QueryStats DynamicTree::fat_all(const Aabb& box, FunctionRef<Visit(ProxyId, std::uint64_t)> visitor) const {
    QueryStats stats;
    if (root_ == kNull || box.is_empty()) return stats;
    const detail::VisitGuard guard(this);
    detail::GrowStack<std::uint32_t, 64> stack;
    stack.push(root_);
    while (!stack.empty()) {
        const Node& n = nodes_[stack.pop()];
        ++stats.boxes_tested;
        if (!detail::overlaps(n.box, box)) continue;
        ++stats.nodes_visited;
        if (!n.is_leaf()) {
            stack.push(n.child[1]);
            stack.push(n.child[0]);
            continue;
        }
        ++stats.hits;
        if (visitor(id_of(n.proxy()), proxies_[n.proxy()].user_data) == Visit::Stop) break;
    }
    return stats;
}

namespace {

/// Calls `reached(proxy number, distance_sq)`, nearest subtrees first, for the proxies of the tree that are
/// no farther than the limit that it returns; a negative one ends the search.
template <class Node, class Proxy, class Reached>
QueryStats nearest_first(const detail::LargeVector<Node>& nodes, const detail::LargeVector<Proxy>& proxies,
                         std::uint32_t root, const glm::vec3& point, double limit, Reached&& reached) {
    QueryStats stats;
    detail::GrowStack<Near, 64> stack;
    stack.push({distance_sq(point, nodes[root].box), root});
    ++stats.boxes_tested;
    while (!stack.empty()) {
        const Near at = stack.pop();
        if (!(at.distance_sq <= limit)) continue;
        ++stats.nodes_visited;
        const Node& n = nodes[at.node];
        if (n.is_leaf()) {
            ++stats.leaves_tested;
            const double d = distance_sq(point, proxies[n.proxy()].tight);
            if (!(d <= limit)) continue;
            ++stats.hits;
            const double answer = reached(n.proxy(), d);
            if (answer < 0.0) break;
            limit = answer < limit ? answer : limit;
            continue;
        }
        stats.boxes_tested += 2;
        const Near a{distance_sq(point, nodes[n.child[0]].box), n.child[0]};
        const Near b{distance_sq(point, nodes[n.child[1]].box), n.child[1]};
        const bool a_nearer = a.distance_sq <= b.distance_sq;
        stack.push(a_nearer ? b : a);
        stack.push(a_nearer ? a : b);
    }
    return stats;
}

}  // namespace

QueryStats DynamicTree::closest_all(const glm::vec3& point, float limit_sq,
                                    FunctionRef<float(ProxyId, std::uint64_t, float)> visitor) const {
    if (root_ == kNull || !is_finite(point)) return {};
    const detail::VisitGuard guard(this);
    return nearest_first(
        nodes_, proxies_, root_, point, detail::rounded_to(limit_sq), [&](std::uint32_t proxy, double d) {
            const float answer = visitor(id_of(proxy), proxies_[proxy].user_data, static_cast<float>(d));
            return answer < 0.0f ? -1.0 : detail::rounded_to(answer);
        });
}

std::size_t DynamicTree::k_nearest(const glm::vec3& point, std::span<Neighbor> out) const {
    if (out.empty() || root_ == kNull || !is_finite(point)) return 0;
    const detail::VisitGuard guard(this);
    detail::NearestList list(point, out, [&](std::uint32_t proxy) { return proxies_[proxy].tight; });
    nearest_first(nodes_, proxies_, root_, point, std::numeric_limits<double>::infinity(),
                  [&](std::uint32_t proxy, double d) { return list.add(id_of(proxy), d); });
    return list.finish();
}

}  // namespace bv
