// The WideTree kernels without intrinsics: eight lanes as a loop, left to the compiler's optimizer.
#include "simd/query_avx2.hpp"
#include "simd/wide_kernels.hpp"
#include "tree/box_math.hpp"
#include "tree/grow_stack.hpp"

#define BV_WIDE_TARGET

namespace bv::detail::wide_scalar {

namespace {

using Box8 = Aabb;
using Ray8 = RaySlabs;

inline const Box8& splat(const Aabb& box) {
    return box;
}
inline const Ray8& splat(const RaySlabs& ray) {
    return ray;
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
inline void fill_block(WideTreeNode& n, const WideTreeProxy* proxies) {
    for (unsigned i = 0; i < n.count; ++i) {
        const WideTreeProxy& p = proxies[n.child[i]];
        n.set_box(i, {p.min, p.max});
    }
}
inline Aabb node_bounds(const WideTreeNode& n) {
    return n.bounds();
}
inline unsigned least_growth(const WideTreeNode& n, const Aabb& box) {
    unsigned best = 0;
    float best_area = 0.0f;
    float best_growth = 0.0f;
    for (unsigned i = 0; i < n.count; ++i) {
        const Aabb entry = n.box(i);
        const float area = half_area(entry);
        const float growth = half_area(merge(entry, box)) - area;
        if (i == 0 || growth < best_growth || (growth == best_growth && area < best_area)) {
            best = i;
            best_area = area;
            best_growth = growth;
        }
    }
    return best;
}

}  // namespace

#include "simd/wide_kernels.inl"

}  // namespace bv::detail::wide_scalar
