// The two passes of the binned builders: the AVX2 forms against the plain ones, bit for bit, and both against
// a search through all planes in double precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <glm/common.hpp>
#include <limits>
#include <vector>

#include "simd/mesh/binned_avx2.hpp"
#include "tree/mesh/build/mesh_binned.hpp"
#include "workloads/random.hpp"

namespace bv {
namespace {

using detail::BestSplit;
using detail::BinMap;
using detail::Bounds4;
using detail::BuildTask;
using detail::MeshRef;
using workloads::Random;

#if BV_HAS_AVX2_KERNELS
bool same_bits(const Bounds4& a, const Bounds4& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}
#endif

/// Boxes of several kinds: spread, in a plane, equal, on a grid with zeros of both signs, huge, tiny.
std::vector<MeshRef> make_refs(Random& random, std::uint32_t count, int kind) {
    std::vector<MeshRef> refs(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        glm::vec3 center = random.in_box(glm::vec3(-1.0f), glm::vec3(1.0f));
        glm::vec3 half = 0.05f * glm::abs(random.in_box(glm::vec3(-1.0f), glm::vec3(1.0f)));
        if (kind == 1) center.y = half.y = 0.0f;
        if (kind == 2) center = glm::vec3(0.25f), half = glm::vec3(0.125f);
        if (kind == 3) center = glm::round(center), half = glm::vec3(0.0f);  // zeros of both signs
        if (kind == 4) center *= 3e38f, half *= 1e37f;
        if (kind == 5) center *= 1e-38f, half *= 1e-38f;
        if (kind == 6) center.x = center.x > 0.9f ? 1e6f : center.x;
        for (int k = 0; k < 3; ++k) {
            refs[i].lo[k] = center[k] - half[k];
            refs[i].hi[k] = half[k] == 0.0f ? center[k] : center[k] + half[k];
        }
        refs[i].id = i % 2 == 0 ? i : 0xffffffffu - i;  // as floats subnormal, or NaN
        refs[i].unused = 0x7fc00000u;
    }
    return refs;
}

BuildTask task_of(std::span<const MeshRef> refs, std::uint32_t begin, std::uint32_t end) {
    BuildTask task;
    task.begin = begin;
    task.end = end;
    for (std::uint32_t i = begin; i < end; ++i) {
        task.box.merge(detail::ref_lo(refs[i]), detail::ref_hi(refs[i]));
        task.centers.merge(detail::ref_center(refs[i]), detail::ref_center(refs[i]));
    }
    return task;
}

/// Sum of half area times count of both sides of a plane; infinity if one is empty.
double cost_of(std::span<const MeshRef> refs, const BuildTask& task, const BinMap& map, int axis, int plane) {
    glm::dvec3 lo[2]{glm::dvec3(1e300), glm::dvec3(1e300)}, hi[2]{glm::dvec3(-1e300), glm::dvec3(-1e300)};
    double count[2] = {};
    for (std::uint32_t i = task.begin; i < task.end; ++i) {
        int bin[4];
        map.bin(refs[i], bin);
        const int side = bin[axis] < plane ? 0 : 1;
        for (int k = 0; k < 3; ++k) {
            lo[side][k] = std::min(lo[side][k], double{refs[i].lo[k]});
            hi[side][k] = std::max(hi[side][k], double{refs[i].hi[k]});
        }
        ++count[side];
    }
    if (count[0] == 0.0 || count[1] == 0.0) return std::numeric_limits<double>::infinity();
    double cost = 0.0;
    for (int side = 0; side < 2; ++side) {
        const glm::dvec3 d = hi[side] - lo[side];
        cost += (d.x * d.y + d.y * d.z + d.z * d.x) * count[side];
    }
    return cost;
}

TEST(Binned, BothFormsGiveTheSameBitsAndTheCheapestPlane) {
    Random random(20);
    int splits = 0, checked = 0;
    for (int kind = 0; kind < 7; ++kind)
        for (const std::uint32_t count : {3u, 4u, 5u, 6u, 9u, 31u, 32u, 63u, 64u, 65u, 300u, 3000u})
            for (int round = 0; round < 4; ++round) {
                // Not from the start: a task is a part of all references.
                const std::vector<MeshRef> given = make_refs(random, count + 5, kind);
                const BuildTask task = task_of(given, 2, count + 2);
                const BinMap map(task.centers, count);
                const BestSplit plain = detail::find_split_plain(task, given, map);
                SCOPED_TRACE("kind " + std::to_string(kind) + ", " + std::to_string(count));
                if (kind != 4) {
                    double least = std::numeric_limits<double>::infinity();
                    for (int axis = 0; axis < 3; ++axis)
                        for (int plane = 1; plane < map.bins && map.usable[axis]; ++plane)
                            least = std::min(least, cost_of(given, task, map, axis, plane));
                    ASSERT_EQ(plain.axis >= 0, least < std::numeric_limits<double>::infinity());
                    if (plain.axis >= 0 && kind != 5) {
                        ASSERT_LE(cost_of(given, task, map, plain.axis, plain.plane), 1.00001 * least);
                        ++checked;
                    }
                }
                std::vector<MeshRef> by_plain = given;
                BuildTask left, right;
                if (plain.axis >= 0) {
                    detail::partition_plain(task, by_plain, map, plain, left, right);
                    ++splits;
                    ASSERT_EQ(left.begin, task.begin);
                    ASSERT_EQ(left.end, right.begin);
                    ASSERT_EQ(right.end, task.end);
                    ASSERT_EQ(left.count(), plain.left_count);
                    for (std::uint32_t i = task.begin; i < task.end; ++i) {
                        int bin[4];
                        map.bin(by_plain[i], bin);
                        ASSERT_EQ(bin[plain.axis] < plain.plane, i < left.end);
                    }
                    for (const BuildTask& half : {left, right}) {
                        const BuildTask again = task_of(by_plain, half.begin, half.end);
                        ASSERT_EQ(std::memcmp(&half.box, &again.box, sizeof again.box) == 0 || kind == 3,
                                  true);
                    }
                }
#if BV_HAS_AVX2_KERNELS
                if (best_simd() != Simd::Avx2) continue;
                const BestSplit wide = simd::find_split_avx2(task, given, map);
                ASSERT_EQ(wide.axis, plain.axis);
                ASSERT_EQ(wide.cost, plain.cost);
                if (plain.axis < 0) continue;
                ASSERT_EQ(wide.plane, plain.plane);
                ASSERT_EQ(wide.left_count, plain.left_count);
                ASSERT_TRUE(same_bits(wide.left, plain.left));
                ASSERT_TRUE(same_bits(wide.right, plain.right));
                std::vector<MeshRef> by_wide = given;
                BuildTask left_wide, right_wide;
                simd::partition_avx2(task, by_wide, map, wide, left_wide, right_wide);
                ASSERT_EQ(std::memcmp(by_wide.data(), by_plain.data(), by_wide.size() * sizeof(MeshRef)), 0);
                ASSERT_TRUE(same_bits(left_wide.centers, left.centers));
                ASSERT_TRUE(same_bits(right_wide.centers, right.centers));
                ASSERT_EQ(left_wide.end, left.end);
                ASSERT_TRUE(same_bits(left_wide.box, left.box));
                ASSERT_TRUE(same_bits(right_wide.box, right.box));
#endif
            }
    EXPECT_GT(splits, 150);
    EXPECT_GT(checked, 120);
}

}  // namespace
}  // namespace bv
