// The search for the triangles nearest to a point, for every tree over triangles: boxes by their distance to
// the point, nearest first. Distances are squared in double precision, where floats cannot overflow.
//
// A tree is given as `Nodes`: `children(node, call)` calls `call(child, box)` for each child,
// `is_leaf(node)`, `triangles(node, call)` calls `call(id, triangle)`, `bounds()`, `repeated()`. The root is
// node 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <limits>
#include <unordered_set>
#include <vector>

#include "bv/shapes/not_finite.hpp"
#include "bv/tree/mesh_bvh.hpp"
#include "shapes/rounding.hpp"
#include "tree/grow_stack.hpp"

namespace bv::detail {

struct NearWaiting {
    std::uint32_t node;
    std::uint32_t depth;
    double distance2;
};

[[nodiscard]] inline double distance2_to_box(const glm::dvec3& p, const Aabb& box) noexcept {
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double below = static_cast<double>(box.min[k]) - p[k];
        const double above = p[k] - static_cast<double>(box.max[k]);
        const double d = std::max(0.0, std::max(below, above));
        sum += d * d;
    }
    return sum;
}

/// The point of the segment a b nearest to `p`; an end itself, bit for bit, so that triangles with a common
/// corner are equally far.
[[nodiscard]] inline glm::dvec3 nearest_on_segment(const glm::dvec3& p, const glm::dvec3& a,
                                                   const glm::dvec3& b) noexcept {
    const glm::dvec3 ab = b - a;
    const double length2 = glm::dot(ab, ab);
    if (!(length2 > 0.0)) return a;
    const double t = glm::dot(p - a, ab) / length2;
    return t >= 1.0 ? b : t > 0.0 ? a + t * ab : a;
}

/// Inside the prism over the triangle: projects to its plane. Outside, and of needles, which are nowhere far
/// from their edges: the nearest of its three edges. Also correct without area.
[[nodiscard]] inline glm::dvec3 nearest_on_triangle(const glm::dvec3& p, const Triangle& t) noexcept {
    const glm::dvec3 a(t.a), b(t.b), c(t.c);
    const glm::dvec3 n = glm::cross(b - a, c - a);
    const double n2 = glm::dot(n, n);
    const bool over = n2 > kNeedleSine2 * glm::dot(b - a, b - a) * glm::dot(c - a, c - a) &&
                      glm::dot(glm::cross(b - a, p - a), n) >= 0.0 &&
                      glm::dot(glm::cross(c - b, p - b), n) >= 0.0 &&
                      glm::dot(glm::cross(a - c, p - c), n) >= 0.0;
    if (over) return p - (glm::dot(p - a, n) / n2) * n;
    glm::dvec3 best = nearest_on_segment(p, a, b);
    for (const glm::dvec3& q : {nearest_on_segment(p, b, c), nearest_on_segment(p, c, a)})
        if (glm::dot(q - p, q - p) < glm::dot(best - p, best - p)) best = q;
    return best;
}

template <class Sink>
void record_near(Sink& sink, const NearWaiting& at, NodeVisited::Verdict verdict) {
    if constexpr (Sink::kEnabled) sink(NodeVisited{NodeIndex{at.node}, at.depth, 0.0f, verdict});
}

/// How far rounding moves the nearest point of a triangle, as a fraction of the distance to the farthest
/// point of the mesh.
inline constexpr double kNearestRounding = 1e-15;

[[nodiscard]] inline double farthest_in(const Aabb& box, const glm::dvec3& p) noexcept {
    return glm::length(glm::max(glm::abs(glm::dvec3(box.min) - p), glm::abs(glm::dvec3(box.max) - p)));
}

/// Calls `found(id, point, distance2)` for the triangles of every node within `limit2()`.
template <class Nodes, class Sink, class Limit, class Found>
void walk_near(const Nodes& nodes, const glm::dvec3& p, QueryStats& stats, Sink& sink, Limit&& limit2,
               Found&& found) {
    using Verdict = NodeVisited::Verdict;
    GrowStack<NearWaiting, 96> stack;
    stack.push({0, 0, distance2_to_box(p, nodes.bounds())});
    // A box with a triangle at the limit can seem to be just beyond it.
    const double slack = kNearestRounding * farthest_in(nodes.bounds(), p);
    const auto is_beyond = [slack, &limit2](double distance2) {
        constexpr double kRelative = 1.0 + 1e-12;
        const double limit = limit2();
        return distance2 > kRelative * limit && std::sqrt(distance2) > std::sqrt(limit) + slack;
    };
    ++stats.boxes_tested;
    while (!stack.empty()) {
        const NearWaiting now = stack.pop();
        if (is_beyond(now.distance2)) {
            record_near(sink, now, Verdict::Culled);
            continue;
        }
        ++stats.nodes_visited;
        if (!nodes.is_leaf(now.node)) {
            record_near(sink, now, Verdict::Entered);
            NearWaiting order[8];  // farthest first, so that the nearest ends on top of the stack
            std::size_t count = 0;
            nodes.children(now.node, [&](std::uint32_t child, const Aabb& box) {
                const NearWaiting next{child, now.depth + 1, distance2_to_box(p, box)};
                std::size_t at = count++;
                for (; at > 0 && order[at - 1].distance2 < next.distance2; --at)
                    order[at] = order[at - 1];
                order[at] = next;
            });
            stats.boxes_tested += static_cast<std::uint32_t>(count);
            for (std::size_t i = 0; i < count; ++i)
                stack.push(order[i]);
            continue;
        }
        bool any = false;
        nodes.triangles(now.node, [&](std::uint32_t id, const Triangle& triangle) {
            ++stats.leaves_tested;
            const glm::dvec3 q = nearest_on_triangle(p, triangle);
            any = found(id, q, glm::dot(q - p, q - p)) || any;
        });
        record_near(sink, now, any ? Verdict::LeafHit : Verdict::LeafTested);
    }
}

template <class Nodes, class Sink>
MeshNearestResult find_closest(const Nodes& nodes, const glm::vec3& given, float max_distance, Sink&& sink) {
    MeshNearestResult result;
    if (!bv::is_finite(given) || !(max_distance >= 0.0f)) return result;
    double limit2 = static_cast<double>(max_distance) * max_distance;
    std::uint32_t triangle = MeshHit::kNone;
    glm::dvec3 point(0.0);
    walk_near(
        nodes, glm::dvec3(given), result.stats, sink, [&] { return limit2; },
        [&](std::uint32_t id, const glm::dvec3& q, double d2) {
            // Ties go to the lowest number, so that the result does not depend on the tree.
            if (!(d2 < limit2 || (d2 == limit2 && id < triangle))) return false;
            limit2 = d2;
            triangle = id;
            point = q;
            return true;
        });
    if (triangle == MeshHit::kNone) return result;
    result.nearest = MeshNearest{triangle, glm::vec3(point), static_cast<float>(std::sqrt(limit2))};
    result.stats.hits = 1;
    return result;
}

template <class Nodes>
QueryStats find_nearest(const Nodes& nodes, const glm::vec3& p, std::size_t count,
                        std::vector<MeshNearest>& nearest) {
    struct Candidate {
        double distance2;
        std::uint32_t id;
        glm::dvec3 point;
        bool operator<(const Candidate& o) const noexcept {
            return distance2 < o.distance2 || (distance2 == o.distance2 && id < o.id);
        }
    };
    QueryStats stats;
    if (!bv::is_finite(p) || count == 0) return stats;
    std::vector<Candidate> heap;  // the farthest of the nearest on top
    // Every triangle that was ever in the heap. One that has left it is too far to come back.
    std::unordered_set<std::uint32_t> added;
    const auto is_new = [&](std::uint32_t id) {
        constexpr std::size_t kFew = 32;  // a search of the heap is faster
        if (count > kFew) return added.insert(id).second;
        return std::none_of(heap.begin(), heap.end(), [id](const Candidate& c) { return c.id == id; });
    };
    NoTrace sink;
    walk_near(
        nodes, glm::dvec3(p), stats, sink,
        [&] {
            return heap.size() < count ? std::numeric_limits<double>::infinity() : heap.front().distance2;
        },
        [&](std::uint32_t id, const glm::dvec3& q, double d2) {
            const Candidate found{d2, id, q};
            if (heap.size() == count && !(found < heap.front())) return false;
            if (nodes.repeated() && !is_new(id)) return false;
            if (heap.size() == count) {
                std::pop_heap(heap.begin(), heap.end());
                heap.pop_back();
            }
            heap.push_back(found);
            std::push_heap(heap.begin(), heap.end());
            return true;
        });
    std::sort_heap(heap.begin(), heap.end());
    for (const Candidate& c : heap)
        nearest.push_back({c.id, glm::vec3(c.point), static_cast<float>(std::sqrt(c.distance2))});
    stats.hits = static_cast<std::uint32_t>(nearest.size());
    return stats;
}

}  // namespace bv::detail
