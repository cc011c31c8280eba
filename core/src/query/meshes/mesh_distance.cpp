// The distance between two meshes: pairs of boxes by the distance of their carried boxes, nearest first, and
// the nearest points of two triangles by their corners and edges.
#include <algorithm>
#include <cmath>
#include <utility>

#include "bv/query/closest.hpp"
#include "bv/query/collide.hpp"
#include "bv/query/overlap_triangle.hpp"
#include "tree/grow_stack.hpp"

namespace bv {
namespace {

struct Nearest {
    double distance2;
    glm::dvec3 on_a, on_b;
};

void offer(Nearest& best, const glm::dvec3& on_a, const glm::dvec3& on_b) noexcept {
    const glm::dvec3 way = on_b - on_a;
    const double d2 = glm::dot(way, way);
    if (d2 < best.distance2) best = {d2, on_a, on_b};
}

/// Nearest points of two segments. Source: Ericson 2005, 5.1.9.
void offer_segments(Nearest& best, const glm::dvec3& p, const glm::dvec3& p2, const glm::dvec3& q,
                    const glm::dvec3& q2) noexcept {
    const glm::dvec3 d1 = p2 - p;
    const glm::dvec3 d2 = q2 - q;
    const glm::dvec3 r = p - q;
    const double a = glm::dot(d1, d1);
    const double e = glm::dot(d2, d2);
    const double f = glm::dot(d2, r);
    const double c = glm::dot(d1, r);
    const double b = glm::dot(d1, d2);
    const double det = a * e - b * b;
    double s = det > 0.0 ? std::clamp((b * f - c * e) / det, 0.0, 1.0) : 0.0;
    double t = e > 0.0 ? std::clamp((b * s + f) / e, 0.0, 1.0) : 0.0;
    // With t clamped, s is found anew: its best for that t.
    if (a > 0.0) s = std::clamp((b * t - c) / a, 0.0, 1.0);
    if (e > 0.0) t = std::clamp((b * s + f) / e, 0.0, 1.0);
    offer(best, p + s * d1, q + t * d2);
}

Nearest nearest_points(const Triangle& a, const Triangle& b) noexcept {
    Nearest best{std::numeric_limits<double>::infinity(), {}, {}};
    const glm::vec3 ca[3] = {a.a, a.b, a.c};
    const glm::vec3 cb[3] = {b.a, b.b, b.c};
    if (overlap(a, b)) {
        const glm::dvec3 at(intersection(a, b).value_or(Segment{b.a, b.a}).a);
        return {0.0, at, at};
    }
    for (int i = 0; i < 3; ++i) {
        offer(best, glm::dvec3(closest_point(a, cb[i])), glm::dvec3(cb[i]));
        offer(best, glm::dvec3(ca[i]), glm::dvec3(closest_point(b, ca[i])));
        for (int j = 0; j < 3; ++j)
            offer_segments(best, glm::dvec3(ca[i]), glm::dvec3(ca[(i + 1) % 3]), glm::dvec3(cb[j]),
                           glm::dvec3(cb[(j + 1) % 3]));
    }
    return best;
}

struct Waiting {
    std::uint32_t a, b;
    double distance2;  ///< Least that anything in the two boxes can be apart.
};

class Search {
  public:
    Search(const MeshBvh& a, const MeshBvh& b, const Pose& b_in_a, double limit2) noexcept
        : a_(a), b_(b), b_in_a_(b_in_a) {
        best_.distance2 = limit2;
    }

    void run(CollideStats& stats) {
        detail::GrowStack<Waiting, 256> stack;
        stack.push({0, 0, 0.0});
        while (!stack.empty()) {
            const Waiting now = stack.pop();
            if (now.distance2 > best_.distance2 || (found_ && best_.distance2 == 0.0)) continue;
            const MeshBvhNode& node_a = a_.nodes()[now.a];
            const MeshBvhNode& node_b = b_.nodes()[now.b];
            if (node_a.is_leaf() && node_b.is_leaf()) {
                test_leaves(node_a, node_b, stats);
                continue;
            }
            stats.box_pairs += 2;
            const bool open_a = node_b.is_leaf() || (!node_a.is_leaf() && size(node_a) >= size(node_b));
            Waiting one = now;
            Waiting two = now;
            (open_a ? one.a : one.b) = (open_a ? node_a : node_b).first;
            (open_a ? two.a : two.b) = (open_a ? node_a : node_b).first + 1;
            one.distance2 = bound(one);
            two.distance2 = bound(two);
            if (one.distance2 < two.distance2) std::swap(one, two);
            stack.push(one);
            stack.push(two);
        }
    }

    [[nodiscard]] bool found() const noexcept { return found_; }
    [[nodiscard]] const Nearest& best() const noexcept { return best_; }
    [[nodiscard]] TrianglePair triangles() const noexcept { return triangles_; }

  private:
    static float size(const MeshBvhNode& node) noexcept {
        const glm::vec3 d = node.max - node.min;
        return d.x + d.y + d.z;
    }

    [[nodiscard]] double bound(const Waiting& pair) const noexcept {
        const Aabb box_a = a_.nodes()[pair.a].box();
        const Aabb box_b = transformed(b_.nodes()[pair.b].box(), b_in_a_);
        double sum = 0.0;
        for (int k = 0; k < 3; ++k) {
            const double gap = std::max(0.0, std::max(static_cast<double>(box_a.min[k]) - box_b.max[k],
                                                      static_cast<double>(box_b.min[k]) - box_a.max[k]));
            sum += gap * gap;
        }
        return sum;
    }

    void test_leaves(const MeshBvhNode& node_a, const MeshBvhNode& node_b, CollideStats& stats) noexcept {
        for (std::uint32_t j = node_b.first; j < node_b.first + node_b.count; ++j) {
            const Triangle there = apply(b_in_a_, b_.triangle(j));
            for (std::uint32_t i = node_a.first; i < node_a.first + node_a.count; ++i) {
                ++stats.triangle_pairs;
                const Nearest now = nearest_points(a_.triangle(i), there);
                if (now.distance2 > best_.distance2 || (found_ && now.distance2 == best_.distance2)) continue;
                best_ = now;
                found_ = true;
                triangles_ = {a_.references()[i], b_.references()[j]};
            }
        }
    }

    const MeshBvh& a_;
    const MeshBvh& b_;
    Pose b_in_a_;
    Nearest best_{};
    TrianglePair triangles_;
    bool found_ = false;
};

}  // namespace

MeshDistanceResult mesh_distance(const MeshBvh& a, const Pose& pose_a, const MeshBvh& b, const Pose& pose_b,
                                 float max_distance) {
    MeshDistanceResult result;
    const Pose b_in_a = relative_pose(pose_a, pose_b);
    float sum = 0.0f;
    for (int c = 0; c < 4; ++c)
        for (int r = 0; r < 3; ++r)
            sum += b_in_a[c][r] * 0.0f;
    if (a.empty() || b.empty() || sum != 0.0f || !(max_distance >= 0.0f)) return result;
    Search search(a, b, b_in_a, static_cast<double>(max_distance) * max_distance);
    search.run(result.stats);
    if (!search.found()) return result;
    result.stats.hits = 1;
    result.nearest = MeshDistance{static_cast<float>(std::sqrt(search.best().distance2)),
                                  apply(pose_a, glm::vec3(search.best().on_a)),
                                  apply(pose_a, glm::vec3(search.best().on_b)), search.triangles()};
    return result;
}

}  // namespace bv
