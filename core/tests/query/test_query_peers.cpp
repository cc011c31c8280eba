// Pair tests against other libraries: OBB pairs against FCL, all kinds of convex pairs against libccd. Both
// have their own tolerances, so a pair counts as a disagreement only if our signed distance shows no tie; the
// number of ties is bounded.
#include <gtest/gtest.h>

#include <vector>

#include "bv/fit/hull.hpp"
#include "bv/query/convex.hpp"
#include "bv/query/overlap.hpp"
#include "bv/query/separation.hpp"
#include "query_cases.hpp"

#ifdef BVLAB_HAVE_FCL
#include <fcl/math/bv/AABB.h>
#include <fcl/math/bv/OBB.h>
#endif
#ifdef BVLAB_HAVE_CCD
#include <ccd/ccd.h>
#endif

namespace bv {
namespace {

using glm::vec3;
using test::Random;

#ifdef BVLAB_HAVE_FCL
fcl::OBBd to_fcl(const Obb& box) {
    fcl::OBBd out;
    for (int k = 0; k < 3; ++k) {
        out.axis.col(k) = fcl::Vector3d(double(box.axes[k].x), double(box.axes[k].y), double(box.axes[k].z));
        out.To[k] = double(box.center[k]);
        out.extent[k] = double(box.half_extents[k]);
    }
    return out;
}

TEST(PeersFcl, ObbPairs) {
    Random rng(1);
    const int count = test::cases(200000);
    int ties = 0;
    int hits = 0;
    for (int n = 0; n < count; ++n) {
        // FCL adds 1e-6 to its matrix, so only sizes around one are compared with it.
        Obb a = rng.obb();
        Obb b = rng.obb();
        if (rng.chance(0.1)) b.axes = a.axes;
        if (rng.chance(0.1)) {
            // Nested.
            b.center = a.center;
            b.half_extents *= 0.1f;
        }
        const bool ours = overlap(a, b);
        hits += ours;
        if (ours == to_fcl(a).overlap(to_fcl(b))) continue;
        ++ties;
        ASSERT_LT(std::abs(separation(a, b).distance), 2e-3f) << n;
    }
    EXPECT_LT(ties, count / 500);
    EXPECT_GT(hits, count / 5);
}

TEST(PeersFcl, AabbPairsExactly) {
    Random rng(2);
    const auto convert = [](const Aabb& b) {
        return fcl::AABBf(fcl::Vector3f(b.min.x, b.min.y, b.min.z), fcl::Vector3f(b.max.x, b.max.y, b.max.z));
    };
    for (int n = 0; n < test::cases(200000); ++n) {
        const float unit = rng.scale();
        const Aabb a = rng.aabb(unit);
        Aabb b = rng.aabb(unit);
        if (rng.chance(0.3)) {  // Touching, or a rounding step apart.
            const int axis = rng.below(3);
            const float size = b.max[axis] - b.min[axis];
            b.min[axis] = rng.chance(0.5) ? a.max[axis] : std::nextafter(a.max[axis], INFINITY);
            b.max[axis] = b.min[axis] + size;
        }
        if (a.is_empty() || b.is_empty()) continue;
        ASSERT_EQ(overlap(a, b), convert(a).overlap(convert(b))) << n;
        ASSERT_EQ(overlap_nonempty(a, b), convert(a).overlap(convert(b))) << n;
    }
}
#endif

#ifdef BVLAB_HAVE_CCD
void ccd_support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out) {
    const auto& solid = *static_cast<const ConvexRef*>(object);
    // A brute-force support is fine: these solids have few vertices.
    const glm::dvec3 d(direction->v[0], direction->v[1], direction->v[2]);
    std::uint32_t hint = 0;
    const double length = glm::length(d);
    glm::dvec3 p = solid.support(d, hint);
    if (length > 0.0) p += d * (solid.radius() / length);
    ccdVec3Set(out, static_cast<ccd_real_t>(p.x), static_cast<ccd_real_t>(p.y), static_cast<ccd_real_t>(p.z));
}

bool ccd_overlap(const ConvexRef& a, const ConvexRef& b) {
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd_support;
    ccd.support2 = ccd_support;
    ccd.max_iterations = 500;
    return ccdGJKIntersect(&a, &b, &ccd) != 0;
}

TEST(PeersCcd, ConvexPairs) {
    Random rng(3);
    const int count = test::cases(30000);
    int ties = 0;
    int pairs = 0;
    int hits = 0;
    for (int n = 0; n < count; ++n) {
        std::vector<vec3> points;
        const int corners = 4 + rng.below(10);
        for (int i = 0; i < corners; ++i)
            points.push_back(rng.vec(-1, 1));
        const Hull hull = fit::hull(points);
        const Obb obb = rng.obb();
        const Aabb aabb = rng.aabb();
        const Capsule capsule{rng.vec(-1.5f, 1.5f), rng.vec(-1.5f, 1.5f), rng.range(0.05f, 0.5f)};
        const Triangle triangle{rng.vec(-1.5f, 1.5f), rng.vec(-1.5f, 1.5f), rng.vec(-1.5f, 1.5f)};
        const Sphere ball = rng.sphere();
        const ConvexRef refs[] = {hull, obb, aabb, capsule, triangle, ball};
        for (std::size_t i = 0; i < std::size(refs); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                const bool ours = overlap(refs[i], refs[j]);
                ++pairs;
                hits += ours;
                if (refs[i].is_empty() || refs[j].is_empty() || ours == ccd_overlap(refs[i], refs[j]))
                    continue;
                ++ties;
                // libccd stops at a tolerance, and sometimes fails on flat shapes: if it reports an overlap,
                // they are close; if it reports none, the overlap is shallow or one of them is flat.
                if (!ours) {
                    ASSERT_LT(distance(refs[i], refs[j]), 1e-3f) << n << ' ' << i << ' ' << j;
                }
            }
    }
    EXPECT_LT(ties, pairs / 500);
    EXPECT_GT(hits, pairs / 5);
}
#endif

}  // namespace
}  // namespace bv
