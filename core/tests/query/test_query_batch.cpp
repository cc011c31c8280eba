// Batch queries: the AVX2 form, the scalar form and the single query give the same bits.
#include "bv/query/batch.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "bv/query/overlap.hpp"
#include "bv/query/raycast.hpp"
#include "query_cases.hpp"

namespace bv {
namespace {

using glm::vec3;
using test::Random;

Ray random_ray(Random& rng) {
    Ray ray{rng.vec(-3, 3), rng.vec(-1, 1)};
    if (rng.chance(0.5)) ray.direction = rng.vec(-1, 1) - ray.origin;
    if (rng.chance(0.3)) ray.direction[rng.below(3)] = rng.chance(0.5) ? 0.0f : -0.0f;
    if (rng.chance(0.1)) ray.direction = vec3(0);
    if (rng.chance(0.2)) ray.origin = glm::round(ray.origin);
    if (rng.chance(0.3)) ray.t_max = rng.range(0, 5);
    if (rng.chance(0.3)) ray.t_min = rng.range(-1, 4);
    if (rng.chance(0.02)) ray.t_min = std::numeric_limits<float>::quiet_NaN();
    if (rng.chance(0.02)) ray.t_min = std::numeric_limits<float>::infinity();
    if (rng.chance(0.02)) ray.origin.y = std::numeric_limits<float>::quiet_NaN();
    if (rng.chance(0.02)) ray.direction.y = std::numeric_limits<float>::infinity();
    return ray;
}

Aabb random_box(Random& rng) {
    Aabb box = rng.aabb();
    if (rng.chance(0.2)) box = {glm::round(box.min), glm::round(box.max)};
    if (rng.chance(0.1)) box.max[rng.below(3)] = box.min[0];
    if (rng.chance(0.05)) box = {};
    return box;
}

std::vector<Simd> forms() {
    std::vector<Simd> all{Simd::Scalar};
    if (best_simd() == Simd::Avx2) all.push_back(Simd::Avx2);
    return all;
}

bool same_bits(float a, float b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

TEST(Batch, EightBoxesPerRay) {
    Random rng(1);
    const int rounds = test::cases(20000);
    std::vector<Aabb8> groups(4);
    std::vector<Hits8> hits(4);
    int found = 0;
    for (int n = 0; n < rounds; ++n) {
        const Ray ray = random_ray(rng);
        const RaySlabs slabs(ray);
        for (auto& group : groups)
            for (int i = 0; i < 8; ++i)
                group.set(i, random_box(rng));
        for (const Simd form : forms()) {
            raycast_boxes(slabs, ray.t_max, groups, hits, form);
            for (std::size_t g = 0; g < groups.size(); ++g)
                for (int i = 0; i < 8; ++i) {
                    float t = 0;
                    const bool hit = slabs.hit(groups[g].get(i), ray.t_max, t);
                    ASSERT_EQ((hits[g].mask >> i) & 1, hit ? 1u : 0u) << n;
                    if (hit) {
                        ASSERT_TRUE(same_bits(t, hits[g].t_enter[i])) << n;
                    }
                    // An empty box is never hit; a box that the exact test hits is never missed.
                    if (groups[g].get(i).is_empty()) {
                        ASSERT_FALSE(hit) << n;
                    }
                    found += hit;
                }
        }
    }
    EXPECT_GT(found, rounds);
}

TEST(Batch, EightRaysPerBox) {
    Random rng(2);
    const int rounds = test::cases(20000);
    std::vector<Aabb> boxes(5);
    std::vector<Hits8> hits(5);
    int found = 0;
    for (int n = 0; n < rounds; ++n) {
        RaySlabs8 rays;
        Ray single[8];
        for (int i = 0; i < 7; ++i)  // The eighth keeps its default and hits nothing.
            rays.set(i, single[i] = random_ray(rng));
        for (auto& box : boxes)
            box = random_box(rng);
        for (const Simd form : forms()) {
            raycast_boxes(rays, boxes, hits, form);
            for (std::size_t b = 0; b < boxes.size(); ++b) {
                for (int i = 0; i < 7; ++i) {
                    float t = 0;
                    const bool hit = RaySlabs(single[i]).hit(boxes[b], single[i].t_max, t);
                    ASSERT_EQ((hits[b].mask >> i) & 1, hit ? 1u : 0u) << n;
                    if (hit) {
                        ASSERT_TRUE(same_bits(t, hits[b].t_enter[i])) << n;
                    }
                    found += hit;
                }
                ASSERT_EQ(hits[b].mask >> 7, 0u);
            }
        }
    }
    EXPECT_GT(found, rounds);
}

TEST(Batch, ObbPairsAtAMillionCases) {
    Random rng(3);
    const std::size_t count = 1003;  // Not a multiple of eight.
    const int rounds = test::cases(1000);
    std::vector<Obb> a(count);
    std::vector<Obb> b(count);
    std::vector<std::uint8_t> out(count);
    std::size_t hits = 0;
    for (int n = 0; n < rounds; ++n) {
        const float unit = rng.scale();
        for (std::size_t i = 0; i < count; ++i) {
            a[i] = rng.obb(unit);
            b[i] = rng.obb(unit);
            if (rng.chance(0.2)) b[i].axes = a[i].axes;
            if (rng.chance(0.02)) b[i].half_extents.y = -1.0f;
            if (rng.chance(0.02)) a[i].half_extents[rng.below(3)] = std::numeric_limits<float>::infinity();
            if (rng.chance(0.02)) b[i].axes[rng.below(3)].x = std::numeric_limits<float>::quiet_NaN();
            if (rng.chance(0.02)) a[i].center.z = std::numeric_limits<float>::quiet_NaN();
        }
        for (const Simd form : forms()) {
            overlap_pairs(a, b, out, form);
            for (std::size_t i = 0; i < count; ++i) {
                ASSERT_EQ(out[i] != 0, overlap(a[i], b[i])) << n << ' ' << i;
                // The scalar form, one axis after the other.
                const bool scalar = !a[i].is_empty() && !b[i].is_empty() && overlap_nonempty(a[i], b[i]);
                ASSERT_EQ(out[i] != 0, scalar) << n << ' ' << i;
                hits += out[i];
            }
            overlap_many(a[0], b, out, form);
            for (std::size_t i = 0; i < count; ++i)
                ASSERT_EQ(out[i] != 0, overlap(a[0], b[i])) << n << ' ' << i;
        }
    }
    EXPECT_GT(hits, count);
}

TEST(Batch, EmptyInput) {
    raycast_boxes(RaySlabs(Ray{}), 1.0f, {}, {});
    raycast_boxes(RaySlabs8(), {}, {});
    overlap_pairs({}, {}, {});
    overlap_many(Obb{}, {}, {});
}

}  // namespace
}  // namespace bv
