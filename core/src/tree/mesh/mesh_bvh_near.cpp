// Nearest points of a MeshBvh: boxes by their distance to the point, nearest first. Distances are squared in
// double precision, where floats cannot overflow.
#include <algorithm>
#include <cmath>

#include "bv/shapes/not_finite.hpp"
#include "bv/tree/mesh_bvh.hpp"
#include "tree/grow_stack.hpp"

namespace bv {
namespace {

using Verdict = NodeVisited::Verdict;

struct Waiting {
    std::uint32_t node;
    std::uint32_t depth;
    double distance2;
};

double distance2_to_box(const glm::dvec3& p, const MeshBvhNode& node) noexcept {
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double below = static_cast<double>(node.min[k]) - p[k];
        const double above = p[k] - static_cast<double>(node.max[k]);
        const double d = std::max(0.0, std::max(below, above));
        sum += d * d;
    }
    return sum;
}

/// The point of the segment a b nearest to `p`.
glm::dvec3 nearest_on_segment(const glm::dvec3& p, const glm::dvec3& a, const glm::dvec3& b) noexcept {
    const glm::dvec3 ab = b - a;
    const double length2 = glm::dot(ab, ab);
    if (!(length2 > 0.0)) return a;
    return a + std::clamp(glm::dot(p - a, ab) / length2, 0.0, 1.0) * ab;
}

/// Inside the prism over the triangle: projects to its plane. Outside: the nearest of its three edges. Also
/// correct without area.
glm::dvec3 nearest_on_triangle(const glm::dvec3& p, const Triangle& t) noexcept {
    const glm::dvec3 a(t.a), b(t.b), c(t.c);
    const glm::dvec3 n = glm::cross(b - a, c - a);
    const double n2 = glm::dot(n, n);
    const bool over = n2 > 0.0 && glm::dot(glm::cross(b - a, p - a), n) >= 0.0 &&
                      glm::dot(glm::cross(c - b, p - b), n) >= 0.0 &&
                      glm::dot(glm::cross(a - c, p - c), n) >= 0.0;
    if (over) return p - (glm::dot(p - a, n) / n2) * n;
    glm::dvec3 best = nearest_on_segment(p, a, b);
    for (const glm::dvec3& q : {nearest_on_segment(p, b, c), nearest_on_segment(p, c, a)})
        if (glm::dot(q - p, q - p) < glm::dot(best - p, best - p)) best = q;
    return best;
}

template <class Sink>
void record(Sink& sink, const Waiting& at, Verdict verdict) {
    if constexpr (Sink::kEnabled) sink(NodeVisited{NodeIndex{at.node}, at.depth, 0.0f, verdict});
}

/// Calls `found(reference, point, distance2)` for the triangles of every node within `limit2()`.
template <class Sink, class Limit, class Found>
void walk(const MeshBvh& tree, const glm::dvec3& p, QueryStats& stats, Sink& sink, Limit&& limit2,
          Found&& found) {
    const auto nodes = tree.nodes();
    detail::GrowStack<Waiting, 96> stack;
    stack.push({0, 0, distance2_to_box(p, nodes[0])});
    ++stats.boxes_tested;
    while (!stack.empty()) {
        const Waiting now = stack.pop();
        if (now.distance2 > limit2()) {
            record(sink, now, Verdict::Culled);
            continue;
        }
        ++stats.nodes_visited;
        const MeshBvhNode& node = nodes[now.node];
        if (!node.is_leaf()) {
            record(sink, now, Verdict::Entered);
            stats.boxes_tested += 2;
            Waiting a{node.first, now.depth + 1, distance2_to_box(p, nodes[node.first])};
            Waiting b{node.first + 1, now.depth + 1, distance2_to_box(p, nodes[node.first + 1])};
            if (a.distance2 < b.distance2) std::swap(a, b);
            stack.push(a);
            stack.push(b);
            continue;
        }
        bool any = false;
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
            ++stats.leaves_tested;
            const glm::dvec3 q = nearest_on_triangle(p, tree.triangle(i));
            any = found(i, q, glm::dot(q - p, q - p)) || any;
        }
        record(sink, now, any ? Verdict::LeafHit : Verdict::LeafTested);
    }
}

template <class Sink>
MeshNearestResult find_closest(const MeshBvh& tree, const glm::vec3& given, float max_distance, Sink&& sink) {
    MeshNearestResult result;
    if (tree.empty() || !bv::is_finite(given) || !(max_distance >= 0.0f)) return result;
    double limit2 = static_cast<double>(max_distance) * max_distance;
    std::uint32_t triangle = MeshHit::kNone;
    glm::dvec3 point(0.0);
    walk(
        tree, glm::dvec3(given), result.stats, sink, [&] { return limit2; },
        [&](std::uint32_t i, const glm::dvec3& q, double d2) {
            const std::uint32_t id = tree.references()[i];
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

}  // namespace

MeshNearestResult MeshBvh::closest_point(const glm::vec3& p, float max_distance) const {
    return find_closest(*this, p, max_distance, NoTrace{});
}
MeshNearestResult MeshBvh::closest_point(const glm::vec3& p, float max_distance, Recording& trace) const {
    return find_closest(*this, p, max_distance, trace);
}

QueryStats MeshBvh::nearest_triangles(const glm::vec3& p, std::size_t count,
                                      std::vector<MeshNearest>& nearest) const {
    struct Candidate {
        double distance2;
        std::uint32_t id;
        glm::dvec3 point;
        bool operator<(const Candidate& o) const noexcept {
            return distance2 < o.distance2 || (distance2 == o.distance2 && id < o.id);
        }
    };
    nearest.clear();
    QueryStats stats;
    if (empty() || !bv::is_finite(p) || count == 0) return stats;
    std::vector<Candidate> heap;  // the farthest of the nearest on top
    NoTrace sink;
    walk(
        *this, glm::dvec3(p), stats, sink,
        [&] {
            return heap.size() < count ? std::numeric_limits<double>::infinity() : heap.front().distance2;
        },
        [&](std::uint32_t i, const glm::dvec3& q, double d2) {
            const Candidate found{d2, ids_[i], q};
            if (heap.size() == count && !(found < heap.front())) return false;
            if (repeated_)
                for (const Candidate& known : heap)
                    if (known.id == found.id) return false;
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

}  // namespace bv
