// Queries of DynamicTree other than boxes and rays: by a predicate, by distance.
#include <algorithm>
#include <cmath>
#include <limits>

#include "bv/shapes/not_finite.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "tree/box_math.hpp"
#include "tree/grow_stack.hpp"
#include "tree/visit_guard.hpp"

namespace bv {

namespace {

struct Near {
    float distance_sq;
    std::uint32_t node;
};

// Monotonic in the box: rounding preserves order, so a box is never farther than its contents.
float distance_sq(const glm::vec3& p, const Aabb& box) {
    float sum = 0.0f;
    for (int k = 0; k < 3; ++k) {
        const float d = std::max({box.min[k] - p[k], p[k] - box.max[k], 0.0f});
        sum += d * d;
    }
    return sum;
}

}  // namespace

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

QueryStats DynamicTree::select_all(FunctionRef<bool(const Aabb&)> test, Categories categories,
                                   FunctionRef<Visit(ProxyId, std::uint64_t)> visitor) const {
    QueryStats stats;
    if (root_ == kNull) return stats;
    const detail::VisitGuard guard(this);
    detail::GrowStack<std::uint32_t, 64> stack;
    stack.push(root_);
    while (!stack.empty()) {
        const Node& n = nodes_[stack.pop()];
        if (!(n.categories & categories.bits)) continue;
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

QueryStats DynamicTree::closest_all(const glm::vec3& point, float limit_sq,
                                    FunctionRef<float(ProxyId, std::uint64_t, float)> visitor) const {
    QueryStats stats;
    if (root_ == kNull || !is_finite(point)) return stats;
    const detail::VisitGuard guard(this);
    detail::GrowStack<Near, 64> stack;
    stack.push({distance_sq(point, nodes_[root_].box), root_});
    ++stats.boxes_tested;
    float limit = limit_sq;
    while (!stack.empty()) {
        const Near at = stack.pop();
        if (!(at.distance_sq <= limit)) continue;
        ++stats.nodes_visited;
        const Node& n = nodes_[at.node];
        if (n.is_leaf()) {
            ++stats.leaves_tested;
            const Proxy& p = proxies_[n.proxy()];
            const float d = distance_sq(point, p.tight);
            if (!(d <= limit)) continue;
            ++stats.hits;
            const float answer = visitor(id_of(n.proxy()), p.user_data, d);
            if (answer < 0.0f) break;
            limit = answer < limit ? answer : limit;
            continue;
        }
        stats.boxes_tested += 2;
        const Near a{distance_sq(point, nodes_[n.child[0]].box), n.child[0]};
        const Near b{distance_sq(point, nodes_[n.child[1]].box), n.child[1]};
        const bool a_nearer = a.distance_sq <= b.distance_sq;
        stack.push(a_nearer ? b : a);
        stack.push(a_nearer ? a : b);
    }
    return stats;
}

std::size_t DynamicTree::k_nearest(const glm::vec3& point, std::span<Neighbor> out) const {
    if (out.empty()) return 0;
    const auto nearer = [](const Neighbor& a, const Neighbor& b) {
        return a.distance_sq < b.distance_sq || (a.distance_sq == b.distance_sq && a.id < b.id);
    };
    std::size_t count = 0;
    const float everything = std::numeric_limits<float>::infinity();
    closest(point, everything, [&](ProxyId id, std::uint64_t, float d) {
        const Neighbor found{id, d};
        // Kept sorted: k is small, and a farther candidate usually fails its first comparison.
        if (count < out.size())
            ++count;
        else if (!nearer(found, out[count - 1]))
            return out[count - 1].distance_sq;
        std::size_t at = count - 1;
        for (; at > 0 && nearer(found, out[at - 1]); --at)
            out[at] = out[at - 1];
        out[at] = found;
        return count < out.size() ? everything : out[count - 1].distance_sq;
    });
    return count;
}

}  // namespace bv
