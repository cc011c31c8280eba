// Simultaneous traversal of two trees of obb_tree.hpp: descends into the larger of two overlapping volumes.
#include <algorithm>
#include <cmath>
#include <limits>

#include "bv/query/obb_sat.hpp"
#include "bv/query/overlap_triangle.hpp"
#include "bv/tree/obb_tree.hpp"
#include "tree/grow_stack.hpp"

namespace bv {
namespace {

glm::mat3 rotation(const Pose& pose) noexcept {
    return {pose[0], pose[1], pose[2]};
}

float size(const Aabb& box) noexcept {
    const glm::vec3 h = box.half_extents();
    return h.x + h.y + h.z;
}
float size(const Obb& box) noexcept {
    return box.half_extents.x + box.half_extents.y + box.half_extents.z;
}
float size(const Sphere& ball) noexcept {
    return 2.0f * ball.radius;
}

/// `b`, given in B's frame, against `a`, in A's. `slack` bounds the error of the mapping.
bool volumes_overlap(const Obb& a, const Obb& b, const Pose& b_in_a, float slack) noexcept {
    const glm::mat3 r = rotation(b_in_a);
    ObbPair pair = make_obb_pair(a, {apply(b_in_a, b.center), b.half_extents, r * b.axes});
    pair.half_a += glm::vec3(slack);
    return overlap(pair);
}
bool volumes_overlap(const Aabb& a, const Aabb& b, const Pose& b_in_a, float slack) noexcept {
    ObbPair pair;
    pair.half_a = a.half_extents() + glm::vec3(slack);
    pair.half_b = b.half_extents();
    pair.b_in_a = rotation(b_in_a);
    pair.center_b_in_a = apply(b_in_a, b.center()) - a.center();
    return overlap(pair);
}
bool volumes_overlap(const Sphere& a, const Sphere& b, const Pose& b_in_a, float slack) noexcept {
    return overlap(Sphere{a.center, a.radius + slack}, Sphere{apply(b_in_a, b.center), b.radius});
}

struct NodePair {
    std::uint32_t a, b, depth_a, depth_b;
};

template <class Volume>
bool opens_a(const VolumeTreeNode<Volume>& a, const VolumeTreeNode<Volume>& b) noexcept {
    return b.is_leaf() || (!a.is_leaf() && size(a.volume) >= size(b.volume));
}

template <class Volume, class Sink>
CollideStats walk(const VolumeTree<Volume>& a, const Pose& pose_a, const VolumeTree<Volume>& b,
                  const Pose& pose_b, CollideExtent extent, std::vector<TrianglePair>& pairs, Sink&& sink) {
    pairs.clear();
    CollideStats stats;
    if (a.empty() || b.empty()) return stats;
    const Pose b_in_a = relative_pose(pose_a, pose_b);
    const float place =
        std::max(std::abs(b_in_a[3].x), std::max(std::abs(b_in_a[3].y), std::abs(b_in_a[3].z)));
    // Each term by itself: the sum of the largest coordinates can exceed floats. The last is for subnormal
    // ones, whose rounding is absolute.
    const float slack = 2e-6f * a.max_coordinate() + 2e-6f * b.max_coordinate() + 2e-6f * place +
                        64.0f * std::numeric_limits<float>::denorm_min();
    if (!std::isfinite(slack)) return stats;

    const auto test_triangles = [&](const auto& leaf_a, const auto& leaf_b) {
        for (std::uint32_t j = leaf_b.first; j < leaf_b.first + leaf_b.count; ++j) {
            const Triangle triangle_b = apply(b_in_a, b.triangle(j));
            for (std::uint32_t i = leaf_a.first; i < leaf_a.first + leaf_a.count; ++i) {
                ++stats.triangle_pairs;
                if (!overlap(a.triangle(i), triangle_b)) continue;
                pairs.push_back({a.references()[i], b.references()[j]});
                if (extent == CollideExtent::First) return;
            }
        }
    };
    detail::GrowStack<NodePair, 256> stack;
    stack.push({0, 0, 0, 0});
    while (!stack.empty() && (extent == CollideExtent::All || pairs.empty())) {
        const NodePair now = stack.pop();
        const auto& node_a = a.nodes()[now.a];
        const auto& node_b = b.nodes()[now.b];
        ++stats.box_pairs;
        const bool overlapping = volumes_overlap(node_a.volume, node_b.volume, b_in_a, slack);
        if constexpr (std::remove_reference_t<Sink>::kEnabled)
            sink(VolumesTested{NodeIndex{now.a}, NodeIndex{now.b}, now.depth_a, now.depth_b, overlapping});
        if (!overlapping) continue;
        if (node_a.is_leaf() && node_b.is_leaf()) {
            test_triangles(node_a, node_b);
        } else if (opens_a(node_a, node_b)) {
            stack.push({node_a.first + 1, now.b, now.depth_a + 1, now.depth_b});
            stack.push({node_a.first, now.b, now.depth_a + 1, now.depth_b});
        } else {
            stack.push({now.a, node_b.first + 1, now.depth_a, now.depth_b + 1});
            stack.push({now.a, node_b.first, now.depth_a, now.depth_b + 1});
        }
    }
    std::sort(pairs.begin(), pairs.end());
    stats.hits = static_cast<std::uint32_t>(pairs.size());
    return stats;
}

}  // namespace

template <class Volume>
CollideStats collide_pairs(const VolumeTree<Volume>& a, const Pose& pose_a, const VolumeTree<Volume>& b,
                           const Pose& pose_b, CollideExtent extent, std::vector<TrianglePair>& pairs) {
    return walk(a, pose_a, b, pose_b, extent, pairs, NoTrace{});
}
template <class Volume>
CollideStats collide_pairs(const VolumeTree<Volume>& a, const Pose& pose_a, const VolumeTree<Volume>& b,
                           const Pose& pose_b, CollideExtent extent, std::vector<TrianglePair>& pairs,
                           Recording& trace) {
    return walk(a, pose_a, b, pose_b, extent, pairs, trace);
}

#define BV_COLLIDE_TREES(Volume)                                                                           \
    template CollideStats collide_pairs(const VolumeTree<Volume>&, const Pose&, const VolumeTree<Volume>&, \
                                        const Pose&, CollideExtent, std::vector<TrianglePair>&);           \
    template CollideStats collide_pairs(const VolumeTree<Volume>&, const Pose&, const VolumeTree<Volume>&, \
                                        const Pose&, CollideExtent, std::vector<TrianglePair>&, Recording&);
BV_COLLIDE_TREES(Obb)
BV_COLLIDE_TREES(Aabb)
BV_COLLIDE_TREES(Sphere)
#undef BV_COLLIDE_TREES

}  // namespace bv
