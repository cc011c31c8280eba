// Simultaneous traversal of two trees of obb_tree.hpp: descends into the larger of two overlapping volumes.
#include <algorithm>
#include <cmath>
#include <limits>

#include "bv/query/obb_sat.hpp"
#include "bv/query/overlap_triangle.hpp"
#include "bv/tree/obb_tree.hpp"
#include "query/meshes/pose_scale.hpp"
#include "tree/grow_stack.hpp"

namespace bv {
namespace {

/// The map from B's frame into A's.
struct Mapping {
    Pose b_in_a;
    float scale;
    float skew;  ///< How far the map is from `rotation` and `scale`, as a part of lengths.
    glm::mat3 rotation;

    explicit Mapping(const Pose& pose) noexcept
        : b_in_a(pose),
          scale(static_cast<float>(std::sqrt(detail::scale2_of(pose)))),
          skew(static_cast<float>(detail::skew_of(pose, detail::scale2_of(pose)))) {
        for (int c = 0; c < 3; ++c)
            rotation[c] = pose[c] / scale;
        // A step of Newton's iteration toward the nearest rotation: the separating axes are perpendicular.
        if (skew > 0.0f)
            rotation = rotation * (glm::mat3(1.5f) - 0.5f * (glm::transpose(rotation) * rotation));
    }
};

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
bool volumes_overlap(const Obb& a, const Obb& b, const Mapping& map, float slack) noexcept {
    ObbPair pair =
        make_obb_pair(a, {apply(map.b_in_a, b.center), map.scale * b.half_extents, map.rotation * b.axes});
    pair.half_a += glm::vec3(slack);
    return overlap(pair);
}
bool volumes_overlap(const Aabb& a, const Aabb& b, const Mapping& map, float slack) noexcept {
    ObbPair pair;
    pair.half_a = a.half_extents() + glm::vec3(slack);
    pair.half_b = map.scale * b.half_extents();
    pair.b_in_a = map.rotation;
    pair.center_b_in_a = apply(map.b_in_a, b.center()) - a.center();
    return overlap(pair);
}
bool volumes_overlap(const Sphere& a, const Sphere& b, const Mapping& map, float slack) noexcept {
    return overlap(Sphere{a.center, a.radius + slack},
                   Sphere{apply(map.b_in_a, b.center), map.scale * b.radius});
}

struct NodePair {
    std::uint32_t a, b, depth_a, depth_b;
};

template <class Volume>
bool opens_a(const VolumeTreeNode<Volume>& a, const VolumeTreeNode<Volume>& b, float scale) noexcept {
    return b.is_leaf() || (!a.is_leaf() && size(a.volume) >= scale * size(b.volume));
}

template <class Volume, class Sink>
CollideStats walk(const VolumeTree<Volume>& a, const Pose& pose_a, const VolumeTree<Volume>& b,
                  const Pose& pose_b, CollideExtent extent, std::vector<TrianglePair>& pairs, Sink&& sink) {
    pairs.clear();
    CollideStats stats;
    if (a.empty() || b.empty()) return stats;
    const Mapping map(relative_pose(pose_a, pose_b));
    const glm::vec3 offset = glm::abs(map.b_in_a[3]);
    const float place = std::max(offset.x, std::max(offset.y, offset.z));
    // Each term by itself: the sum of the largest coordinates can exceed floats. The last is for subnormal
    // ones, whose rounding is absolute. Half the diagonal of a box is below three times the largest
    // coordinate.
    const float slack = 2e-6f * a.max_coordinate() +
                        (2e-6f + 3.0f * map.skew) * map.scale * b.max_coordinate() + 2e-6f * place +
                        64.0f * std::numeric_limits<float>::denorm_min();
    if (!detail::has_finite_entries(map.b_in_a) || !(map.scale > 0.0f)) return stats;

    // There the slack may be infinite, and only triangles decide.
    const bool is_huge =
        detail::leaves_range(static_cast<double>(a.max_coordinate()), static_cast<double>(b.max_coordinate()),
                             map.b_in_a, static_cast<double>(map.scale));
    const auto test_triangles = [&](const auto& leaf_a, const auto& leaf_b) {
        for (std::uint32_t j = leaf_b.first; j < leaf_b.first + leaf_b.count; ++j) {
            const Triangle triangle_b = apply(map.b_in_a, b.triangle(j));
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
        const bool overlapping = is_huge || volumes_overlap(node_a.volume, node_b.volume, map, slack);
        if constexpr (std::remove_reference_t<Sink>::kEnabled)
            sink(VolumesTested{NodeIndex{now.a}, NodeIndex{now.b}, now.depth_a, now.depth_b, overlapping});
        if (!overlapping) continue;
        if (node_a.is_leaf() && node_b.is_leaf()) {
            test_triangles(node_a, node_b);
        } else if (opens_a(node_a, node_b, map.scale)) {
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
