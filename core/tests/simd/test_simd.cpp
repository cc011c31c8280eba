// The vector kernels against their scalar twins: the same results, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <glm/common.hpp>

#include "bv/query/batch.hpp"
#include "fit_test_util.hpp"
#include "query/meshes/collide_walk.hpp"
#include "simd/mesh/collide_avx2.hpp"
#include "simd/point_kernels.hpp"
#include "simd/support.hpp"

namespace bv {
namespace {

using test::Random;

// Equal as numbers and in the sign of zero.
template <class T>
void expect_same_bits(const T* a, const T* b, std::size_t n, const std::string& name) {
    for (std::size_t i = 0; i < n; ++i)
        EXPECT_EQ(std::memcmp(a + i, b + i, sizeof(T)), 0)
            << name << " [" << i << "] " << a[i] << " " << b[i];
}

void compare(const std::vector<glm::vec3>& points, Random& random, const std::string& name) {
    const simd::Kernels& s = simd::scalar_kernels();
    const simd::Kernels* v = simd::avx2_kernels();
    if (v == nullptr) GTEST_SKIP() << "no AVX2 here";
    const float* xyz = points.empty() ? nullptr : &points[0].x;
    const std::size_t n = points.size();

    const simd::Bounds a = s.bounds(xyz, n), b = v->bounds(xyz, n);
    expect_same_bits(a.min, b.min, 3, name + " bounds min");
    expect_same_bits(a.max, b.max, 3, name + " bounds max");

    const glm::dvec3 center(random.in_cube(1.0f));
    const simd::FarthestPoint fa = s.farthest(xyz, n, &center.x), fb = v->farthest(xyz, n, &center.x);
    EXPECT_EQ(fa.index, fb.index) << name;
    expect_same_bits(&fa.distance_sq, &fb.distance_sq, 1, name + " farthest");

    const glm::mat3 axes(random.rotation_in_double());
    const glm::vec3 origin = random.in_cube(1.0f);
    double low_a[13], high_a[13], low_b[13], high_b[13];
    s.extents(xyz, n, &axes[0].x, &origin.x, low_a, high_a);
    v->extents(xyz, n, &axes[0].x, &origin.x, low_b, high_b);
    expect_same_bits(low_a, low_b, 3, name + " extents low");
    expect_same_bits(high_a, high_b, 3, name + " extents high");
    s.kdop(xyz, n, low_a, high_a);
    v->kdop(xyz, n, low_b, high_b);
    expect_same_bits(low_a, low_b, 13, name + " kdop low");
    expect_same_bits(high_a, high_b, 13, name + " kdop high");

    std::vector<glm::vec3> directions = {glm::vec3(1, 0, 0), glm::vec3(0, -1, 0), glm::vec3(1, 1, 1)};
    for (int i = 0; i < 10; ++i)
        directions.push_back(random.direction());
    std::size_t la[13], ha[13], lb[13], hb[13];
    s.extremes(xyz, n, &origin.x, &directions[0].x, 13, la, ha);
    v->extremes(xyz, n, &origin.x, &directions[0].x, 13, lb, hb);
    expect_same_bits(la, lb, 13, name + " extremes low");
    expect_same_bits(ha, hb, 13, name + " extremes high");
}

TEST(Simd, TwinsAgreeOnEveryLengthAndAlignment) {
    Random random(40);
    for (std::size_t n = 0; n < 80; ++n) {
        for (int i = 0; i < 20; ++i)
            compare(test::random_cloud(random, n), random, "random " + std::to_string(n));
    }
    for (const std::size_t n : {1000u, 1023u, 1024u, 1025u, 5000u})
        compare(test::random_cloud(random, n), random, "random " + std::to_string(n));
}

TEST(Simd, TwinsAgreeOnBadAndDegenerateInput) {
    Random random(41);
    for (const test::NamedCloud& cloud : test::bad_clouds()) {
        // Beyond 1e37 the projections in single precision overflow, and the point is unspecified.
        if (cloud.name != "largest") compare(cloud.points, random, cloud.name);
    }
    for (const test::NamedCloud& cloud : test::kind_clouds(333))
        compare(cloud.points, random, cloud.name);
    std::vector<glm::vec3> zeros(37, glm::vec3(0.0f));
    for (std::size_t i = 0; i < zeros.size(); i += 2)
        zeros[i] = glm::vec3(-0.0f);
    compare(zeros, random, "zeros");
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (int i = 0; i < 200; ++i) {
        std::vector<glm::vec3> points = test::random_cloud(random, 1 + random.below(60));
        for (glm::vec3& p : points) {
            const int axis = static_cast<int>(random.below(3));
            if (random.below(3) == 0) p[axis] = random.below(2) == 0 ? nan : 1.0f / 0.0f;
        }
        compare(points, random, "with holes");
    }
}

TEST(Simd, KernelsMatchTheInstructionSet) {
    const bool vector = best_simd() == Simd::Avx2;
    EXPECT_EQ(std::string(simd::kernels().name), vector ? "avx2" : "scalar");
}

/// Children of random sizes in a node with a random grid origin.
detail::Bvh8Node random_node(Random& random) {
    detail::Bvh8Node node{};
    for (int axis = 0; axis < 3; ++axis) {
        node.origin[axis] = random.range(-1.5f, -0.2f);
        node.step[axis] = std::ldexp(1.0f, static_cast<int>(random.below(3)) - 8);
        for (int child = 0; child < 8; ++child) {
            const std::uint32_t lo = random.below(200);
            node.lo[axis][child] = static_cast<std::uint8_t>(lo);
            node.hi[axis][child] = static_cast<std::uint8_t>(lo + random.below(56));
        }
    }
    node.used = static_cast<std::uint8_t>(random.below(256));
    return node;
}

// Both twins of the test of a node's children against a box, against sums in double written out axis by axis.
TEST(Simd, OverlappingChildren) {
    Random random(42);
    int met_all = 0, apart_all = 0;
    for (int round = 0; round < 10000; ++round) {
        const detail::Bvh8Node node = random_node(random);
        const glm::dmat3 turn = random.rotation_in_double();
        const glm::dvec3 shift(random.in_cube(0.4f));
        const double scale = round % 2 == 0 ? 1.0 : static_cast<double>(random.range(0.3f, 3.0f));
        detail::Crossing crossing{};
        crossing.slack = 1e-5f;
        crossing.scale = static_cast<float>(scale);
        for (int j = 0; j < 3; ++j) {
            crossing.offset[j] = static_cast<float>(shift[j]);
            for (int i = 0; i < 3; ++i) {
                crossing.unit[j][i] = static_cast<float>(turn[j][i]);
                crossing.abs_unit[j][i] = std::abs(crossing.unit[j][i]);
                crossing.axes[j][i] = static_cast<float>(scale * turn[j][i]);
                crossing.abs_axes[j][i] = std::abs(crossing.axes[j][i]);
            }
        }
        const detail::CenterBox other{random.in_cube(0.4f), glm::abs(random.in_cube(0.4f))};
        detail::CenterBox8 boxes{};
        const std::uint32_t mask = detail::overlapping_children(node, crossing, other, boxes);
        EXPECT_EQ(mask & ~std::uint32_t{node.used}, 0u);
        for (int child = 0; child < 8; ++child) {
            glm::dvec3 center, half;
            for (int i = 0; i < 3; ++i) {
                const double lo = node.origin[i] + double{node.step[i]} * node.lo[i][child];
                const double hi = node.origin[i] + double{node.step[i]} * node.hi[i][child];
                center[i] = 0.5 * (lo + hi);
                half[i] = 0.5 * (hi - lo);
            }
            const detail::CenterBox found = boxes.get(child);
            EXPECT_LT(glm::length(glm::dvec3(found.center) - center), 1e-6);
            EXPECT_LT(glm::length(glm::dvec3(found.half) - half), 1e-6);
            const glm::dvec3 between = scale * (turn * glm::dvec3(other.center)) + shift - center;
            const glm::dvec3 other_half = scale * glm::dvec3(other.half);
            double gap = -1.0;
            for (int i = 0; i < 3; ++i) {
                double node_axis = half[i], other_axis = other_half[i];
                for (int j = 0; j < 3; ++j) {
                    node_axis += std::abs(turn[j][i]) * other_half[j];
                    other_axis += std::abs(turn[i][j]) * half[j];
                }
                gap = std::max(gap, std::abs(between[i]) - node_axis);
                gap = std::max(gap, std::abs(glm::dot(turn[i], between)) - other_axis);
            }
            if (((node.used >> child) & 1u) == 0) continue;
            const bool overlapping = ((mask >> child) & 1u) != 0;
            EXPECT_TRUE(overlapping || gap >= 0.0) << gap;
            EXPECT_FALSE(overlapping && gap > 5e-5) << gap;
            met_all += gap < 0.0 ? 1 : 0;
            apart_all += gap > 5e-5 ? 1 : 0;
        }
#if BV_HAS_AVX2_KERNELS
        if (simd::avx2_kernels() == nullptr) continue;
        detail::CenterBox8 twin{};
        EXPECT_EQ(simd::overlapping_children_avx2(node, crossing, other, twin), mask);
        EXPECT_EQ(std::memcmp(&twin, &boxes, sizeof twin), 0);
#endif
    }
    EXPECT_GT(met_all, 1000);
    EXPECT_GT(apart_all, 1000);
}

// The support vertex by brute force: the first with the largest projection.
std::uint32_t first_farthest(const std::vector<glm::vec3>& points, const glm::dvec3& d) {
    std::uint32_t best = 0;
    const auto along = [&](std::uint32_t i) {
        return (double{points[i].x} * d.x + double{points[i].y} * d.y) + double{points[i].z} * d.z;
    };
    for (std::uint32_t i = 1; i < points.size(); ++i)
        if (along(i) > along(best)) best = i;
    return best;
}

TEST(Simd, SupportVerticesAndMiddles) {
    Random random(77);
    const simd::SupportKernels& scalar = simd::scalar_support_kernels();
    const simd::SupportKernels& best = simd::support_kernels();
    int in_columns = 0;
    for (std::uint32_t n = 1; n < 80; ++n) {
        for (int round = 0; round < 40; ++round) {
            std::vector<glm::vec3> points;
            for (std::uint32_t i = 0; i < n; ++i) {
                // On a coarse grid in half of the rounds, so that many projections are equal.
                // Or large, or far from the origin, so that single precision hardly tells them apart.
                const glm::vec3 p = random.in_cube(round % 8 == 1 ? 1e30f : 2.0f);
                points.push_back(round % 2 == 0 ? glm::round(p) : round % 8 == 3 ? p + 1e4f : p);
            }
            const glm::dvec3 d(round % 2 == 0 ? glm::round(random.in_cube(2.0f)) : random.in_cube(1.0f));
            EXPECT_EQ(scalar.farthest_along(&points[0].x, n, &d.x), first_farthest(points, d));
            EXPECT_EQ(best.farthest_along(&points[0].x, n, &d.x), first_farthest(points, d)) << n;
            simd::HullColumns columns;
            if (n >= simd::HullColumns::kMinCount && n <= simd::HullColumns::kMaxCount &&
                best.fill_columns(columns, &points[0].x, n)) {
                // Also for directions that are much shorter and longer, or that leave many in doubt.
                for (const double length : {1.0, 1e-30, 1e-300, 1e30, 1e300}) {
                    const glm::dvec3 e = length * d;
                    EXPECT_EQ(best.farthest_in_columns(columns, &e.x), first_farthest(points, e)) << n;
                }
                ++in_columns;
            }
            glm::vec3 a, b;
            scalar.middle_of(&points[0].x, n, &a.x);
            best.middle_of(&points[0].x, n, &b.x);
            EXPECT_EQ(std::memcmp(&a, &b, sizeof a), 0) << n;
            for (int k = 0; k < 3; ++k) {
                const auto less = [k](const glm::vec3& p, const glm::vec3& q) { return p[k] < q[k]; };
                const auto [low, high] = std::minmax_element(points.begin(), points.end(), less);
                EXPECT_GE(a[k], (*low)[k] - 1e-5f * std::abs((*low)[k]));
                EXPECT_LE(a[k], (*high)[k] + 1e-5f * std::abs((*high)[k]));
            }
            // One coordinate that is not finite shows in the sum, wherever it stands.
            points[random.below(n)][static_cast<int>(random.below(3u))] = round % 3 == 0 ? NAN : -INFINITY;
            best.middle_of(&points[0].x, n, &b.x);
            EXPECT_FALSE(is_finite(b)) << n;
            EXPECT_LT(best.farthest_along(&points[0].x, n, &d.x), n);
        }
    }
    if (best_simd() == Simd::Avx2) {
        EXPECT_GT(in_columns, 1000);
    }
}

}  // namespace
}  // namespace bv
