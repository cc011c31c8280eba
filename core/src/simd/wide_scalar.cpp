// The WideTree kernels without intrinsics: eight lanes as a loop, left to the compiler's optimizer.
#include <algorithm>
#include <glm/common.hpp>
#include <limits>

#include "simd/query_avx2.hpp"
#include "simd/wide_kernels.hpp"
#include "tree/box_math.hpp"
#include "tree/grow_stack.hpp"

#define BV_WIDE_TARGET

namespace bv::detail::wide_scalar {

namespace {

using Box8 = Aabb;
using Ray8 = RaySlabs;
struct GrownRay8 {
    RaySlabs ray;
    glm::vec3 half;
};

inline const Box8& splat(const Aabb& box) {
    return box;
}
inline const Ray8& splat(const RaySlabs& ray) {
    return ray;
}
inline GrownRay8 splat(const RaySlabs& ray, const glm::vec3& half) {
    return {ray, half};
}
inline unsigned overlap_mask(const WideTreeNode& n, const Box8& box) {
    unsigned mask = 0;
    for (unsigned i = 0; i < 8; ++i) {
        const bool hit = (n.min[0][i] <= box.max.x) & (n.max[0][i] >= box.min.x) &
                         (n.min[1][i] <= box.max.y) & (n.max[1][i] >= box.min.y) &
                         (n.min[2][i] <= box.max.z) & (n.max[2][i] >= box.min.z);
        mask |= static_cast<unsigned>(hit) << i;
    }
    return mask;
}
inline unsigned ray_mask(const WideTreeNode& n, const Ray8& ray, float limit, float* t) {
    unsigned mask = 0;
    for (unsigned i = 0; i < n.count; ++i)
        mask |= static_cast<unsigned>(ray.hit_nonempty(n.box(i), limit, t[i])) << i;
    return mask;
}
inline unsigned ray_mask(const WideTreeNode& n, const GrownRay8& grown, float limit, float* t) {
    unsigned mask = 0;
    for (unsigned i = 0; i < n.count; ++i) {
        const Aabb box = n.box(i);
        const Aabb around{box.min - grown.half, box.max + grown.half};
        mask |= static_cast<unsigned>(grown.ray.hit_nonempty(around, limit, t[i])) << i;
    }
    return mask;
}
inline void fill_block(WideTreeNode& n, const WideTreeProxy* proxies) {
    for (unsigned i = 0; i < n.count; ++i) {
        const WideTreeProxy& p = proxies[n.child[i]];
        n.set_box(i, {p.min, p.max});
    }
}
inline Aabb node_bounds(const WideTreeNode& n) {
    return n.bounds();
}
inline bool areas_stay_finite(const WideTreeNode& /*n*/, const Box8& /*box*/) {
    return false;
}
template <bool kFinite>
unsigned grow_least(WideTreeNode& n, const Box8& box) {
    unsigned best = 0;
    float best_area = 0.0f;
    float best_growth = 0.0f;
    for (unsigned i = 0; i < n.count; ++i) {
        const Aabb entry = n.box(i);
        const float area = half_area(entry);
        const float growth = half_area(merge(entry, box)) - area;
        const bool neither_grows = growth == 0.0f && best_growth == 0.0f;
        if (i == 0 || growth < best_growth || (neither_grows && area < best_area)) {
            best = i;
            best_area = area;
            best_growth = growth;
        }
    }
    n.set_box(best, merge(n.box(best), box));
    return best;
}

struct Entry {
    Aabb box;
    std::uint32_t child;
};

}  // namespace

#include "simd/wide_kernels.inl"

void divide(WideTreeNode& node, WideTreeNode& half, std::uint32_t child, const Aabb& box, Aabb (&bounds)[2]) {
    Entry entries[9];
    for (std::uint32_t i = 0; i < 8; ++i)
        entries[i] = {node.box(i), node.child[i]};
    entries[8] = {box, child};
    Entry best[9];
    float best_cost = std::numeric_limits<float>::infinity();
    int best_left = 4;
    std::copy(entries, entries + 9, best);
    for (int axis = 0; axis < 3; ++axis) {
        std::sort(entries, entries + 9, [axis](const Entry& a, const Entry& b) {
            const float ca = 0.5f * a.box.min[axis] + 0.5f * a.box.max[axis];
            const float cb = 0.5f * b.box.min[axis] + 0.5f * b.box.max[axis];
            return ca < cb || (ca == cb && a.child < b.child);
        });
        for (int left = 4; left <= 5; ++left) {
            Aabb a, b;
            for (int i = 0; i < 9; ++i)
                (i < left ? a : b) = merge(i < left ? a : b, entries[i].box);
            const float cost = half_area(a) + half_area(b);
            if (cost < best_cost) {
                best_cost = cost;
                best_left = left;
                std::copy(entries, entries + 9, best);
            }
        }
    }
    node.count = half.count = 0;
    for (std::uint32_t i = 0; i < 8; ++i) {
        node.set_box(i, Aabb{});
        node.child[i] = WideTreeNode::kNone;
    }
    for (int i = 0; i < 9; ++i) {
        WideTreeNode& to = i < best_left ? node : half;
        to.child[to.count] = best[i].child;
        to.set_box(to.count++, best[i].box);
    }
    bounds[0] = node.bounds();
    bounds[1] = half.bounds();
}

}  // namespace bv::detail::wide_scalar
