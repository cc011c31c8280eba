// The basics of the library: the assert handler, build progress, serial tasks.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "bv/assert.hpp"
#include "bv/broadphase/broadphase.hpp"
#include "bv/progress.hpp"
#include "bv/query/batch.hpp"
#include "bv/shapes/hull.hpp"
#include "bv/tasks.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/mesh_bvh_wide.hpp"
#include "bv/tree/wide_tree.hpp"

namespace bv {
namespace {

std::string g_condition;
std::string g_file;
int g_line = 0;

void remember(const char* condition, const char* file, int line) {
    g_condition = condition;
    g_file = file;
    g_line = line;
}

TEST(Assert, HandlerReceivesConditionAndLocation) {
    const AssertHandler before = set_assert_handler(&remember);
    EXPECT_NE(before, &remember);
    const int one = 1;
    BV_ASSERT(one == 1);
    EXPECT_TRUE(g_condition.empty());
    const int line = __LINE__ + 1;
    BV_ASSERT(one == 2);
    EXPECT_EQ(g_condition, "one == 2");
    EXPECT_TRUE(g_file.ends_with("test_contracts.cpp"));
    EXPECT_EQ(g_line, line);
    // Null restores the handler that prints and aborts.
    EXPECT_EQ(set_assert_handler(nullptr), &remember);
    EXPECT_EQ(set_assert_handler(before), before);
}

/// Runs `call`, whose contract is broken, with a handler that returns.
template <class Call>
void expect_reported(const Call& call) {
    const AssertHandler before = set_assert_handler(&remember);
    g_condition.clear();
    call();
    EXPECT_FALSE(g_condition.empty());
    set_assert_handler(before);
}

constexpr std::uint64_t kOutOfBounds = 0xbad;
constexpr ProxyId kUntouched{77, 77};

/// Bulk operations on spans of different lengths. The spans are parts of longer arrays: what lies beyond them
/// is neither read nor written.
template <class Tree>
void expect_no_access_beyond(Tree& tree) {
    constexpr std::size_t kCount = 40;
    const Aabb near{glm::vec3(0.0f), glm::vec3(1.0f)}, beyond{glm::vec3(1000.0f), glm::vec3(1001.0f)};
    const auto expect_only_near = [&] {
        tree.update();
        tree.query(Aabb{glm::vec3(-1e9f), glm::vec3(1e9f)},
                   [&](ProxyId, std::uint64_t data) { EXPECT_NE(data, kOutOfBounds); });
        tree.query(beyond,
                   [&](ProxyId, std::uint64_t) { ADD_FAILURE() << "a box beyond the span was read"; });
        EXPECT_EQ(tree.validate(), std::nullopt);
    };
    for (const std::array<std::size_t, 3>& lengths : {std::array<std::size_t, 3>{kCount, 2, 1},
                                                      {kCount, 2, 0},
                                                      {kCount, kCount, 3},
                                                      {1, 3, 1},
                                                      {3, 3, 2}}) {
        std::vector<Aabb> boxes(kCount, beyond);
        std::fill_n(boxes.begin(), lengths[0], near);
        std::vector<std::uint64_t> data(kCount, kOutOfBounds);
        std::fill_n(data.begin(), lengths[1], 5);
        std::vector<ProxyId> ids(kCount, kUntouched);
        expect_reported([&] {
            tree.insert_all(std::span(boxes).first(lengths[0]), std::span(data).first(lengths[1]),
                            std::span(ids).first(lengths[2]));
        });
        for (std::size_t i = lengths[2]; i < kCount; ++i)
            ASSERT_EQ(ids[i], kUntouched);
        expect_only_near();
    }
    tree.clear();
    std::vector<ProxyId> ids;
    for (std::size_t i = 0; i < kCount; ++i)
        ids.push_back(tree.insert(near, 5).id);
    for (const std::array<std::size_t, 3>& lengths : {std::array<std::size_t, 3>{kCount, 2, 1},
                                                      {kCount, 2, 0},
                                                      {kCount, kCount, 3},
                                                      {1, 3, 1},
                                                      {3, 3, 2}}) {
        std::vector<Aabb> boxes(kCount, beyond);
        std::fill_n(boxes.begin(), lengths[1], near);
        std::vector<glm::vec3> displacements(kCount, glm::vec3(1e6f));
        std::fill_n(displacements.begin(), lengths[2], glm::vec3(0.0f));
        expect_reported([&] {
            tree.move_all(std::span(ids).first(lengths[0]), std::span(boxes).first(lengths[1]),
                          std::span(displacements).first(lengths[2]));
        });
        expect_only_near();
    }
}

TEST(Contracts, BulkOperationsOfTreesStayWithinTheirSpans) {
    DynamicTree binary;
    expect_no_access_beyond(binary);
    WideTree wide;
    expect_no_access_beyond(wide);
    for (const BroadphaseInfo& info : broadphase_kinds()) {
        const auto engine = make_broadphase(info.kind);
        expect_no_access_beyond(*engine);
    }
}

TEST(Contracts, BatchesStayWithinTheirSpans) {
    constexpr std::size_t kCount = 24;
    constexpr std::uint8_t kByte = 0xee;
    for (const Simd simd : {Simd::Scalar, best_simd()})
        for (const std::size_t length : {0, 1, 9, 16}) {
            const std::vector<Obb> obbs(kCount);
            std::vector<std::uint8_t> out(kCount, kByte);
            const auto rest_is_untouched = [&] {
                return std::all_of(out.begin() + static_cast<std::ptrdiff_t>(length), out.end(),
                                   [](std::uint8_t b) { return b == kByte; });
            };
            expect_reported([&] { overlap_pairs(obbs, obbs, std::span(out).first(length), simd); });
            EXPECT_TRUE(rest_is_untouched());
            expect_reported(
                [&] { overlap_pairs(std::span(obbs).first(length), obbs, std::span(out), simd); });
            EXPECT_TRUE(rest_is_untouched());
            expect_reported([&] { overlap_many(obbs[0], obbs, std::span(out).first(length), simd); });
            EXPECT_TRUE(rest_is_untouched());

            const Ray ray{{-9.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}};
            std::vector<Hits8> hits(kCount);
            for (Hits8& h : hits)
                h.mask = 0x5a5a5a5au;
            const auto hits_are_untouched = [&] {
                return std::all_of(hits.begin() + static_cast<std::ptrdiff_t>(length), hits.end(),
                                   [](const Hits8& h) { return h.mask == 0x5a5a5a5au; });
            };
            const std::vector<Aabb8> groups(kCount);
            expect_reported(
                [&] { raycast_boxes(RaySlabs(ray), 100.0f, groups, std::span(hits).first(length), simd); });
            EXPECT_TRUE(hits_are_untouched());
            RaySlabs8 rays;
            rays.set(0, ray);
            const std::vector<Aabb> boxes(kCount, Aabb{glm::vec3(-1.0f), glm::vec3(1.0f)});
            expect_reported([&] { raycast_boxes(rays, boxes, std::span(hits).first(length), simd); });
            EXPECT_TRUE(hits_are_untouched());
        }
}

TEST(Contracts, StreamsOfRaysStayWithinTheirSpans) {
    const std::vector<glm::vec3> positions{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const std::vector<glm::uvec3> triangles{{0, 1, 2}};
    MeshBvh8 mesh;
    ASSERT_EQ(mesh.build({positions, triangles}), MeshBuildStatus::Ok);
    const std::vector<Ray> rays(200, Ray{{0.2f, 0.2f, 5.0f}, {0.0f, 0.0f, -1.0f}});
    std::vector<MeshRayResult> results(rays.size());
    expect_reported([&] { mesh.raycast(rays, std::span(results).first(70)); });
    EXPECT_TRUE(results[69].hit.has_value());
    EXPECT_FALSE(results[70].hit.has_value());
    std::vector<std::uint8_t> any(rays.size(), 7);
    expect_reported([&] { mesh.raycast_any(rays, std::span(any).first(70)); });
    EXPECT_EQ(any[69], 1);
    EXPECT_EQ(any[70], 7);
}

TEST(Contracts, SupportOfAHullFromNoVertex) {
    const Hull none;
    expect_reported([&] { EXPECT_EQ(none.support(glm::vec3(1.0f), 0), 0u); });
    expect_reported([&] { EXPECT_EQ(none.support_brute_force(glm::vec3(1.0f)), 0u); });
}

#if GTEST_HAS_DEATH_TEST
TEST(AssertDeathTest, DefaultHandlerPrintsAndAborts) {
    EXPECT_DEATH(BV_ASSERT(1 + 1 == 3), "test_contracts.cpp:.+: contract broken: 1 .+ 1 == 3");
}
#endif

TEST(Progress, SharesOfPartsAndRanges) {
    BuildProgress progress;
    EXPECT_EQ(progress.done(), 0.0f);
    EXPECT_FALSE(progress.cancelled());
    progress.begin_part(0.25f, 0.75f, 4);
    EXPECT_EQ(progress.done(), 0.25f);
    EXPECT_TRUE(progress.advance(1));
    EXPECT_EQ(progress.done(), 0.375f);
    EXPECT_TRUE(progress.advance(2));
    EXPECT_EQ(progress.done(), 0.625f);
    EXPECT_TRUE(progress.advance(5));
    EXPECT_EQ(progress.done(), 0.75f) << "never beyond the part";
    progress.begin_part(0.0f, 0.5f, 2);
    EXPECT_EQ(progress.done(), 0.75f) << "never back";
    EXPECT_TRUE(progress.advance(1));
    EXPECT_EQ(progress.done(), 0.75f);
    progress.begin_part(0.875f, 1.0f, 0);
    EXPECT_EQ(progress.done(), 0.875f);
    EXPECT_TRUE(progress.advance(1));
    EXPECT_EQ(progress.done(), 1.0f);
    progress.cancel();
    EXPECT_TRUE(progress.cancelled());
    EXPECT_FALSE(progress.advance(1));
    progress.reset();
    EXPECT_FALSE(progress.cancelled());
    EXPECT_EQ(progress.done(), 0.0f);
    // The second of two builds under one bar.
    progress.set_range(0.5f, 1.0f);
    progress.begin_part(0.5f, 1.0f, 2);
    EXPECT_EQ(progress.done(), 0.75f);
    progress.advance(1);
    EXPECT_EQ(progress.done(), 0.875f);
    progress.reset();
    progress.begin_part(0.5f, 1.0f, 1);
    EXPECT_EQ(progress.done(), 0.5f) << "the whole range again";
}

TEST(Tasks, SerialTasksRunInOrder) {
    TaskRunner& tasks = serial_tasks();
    EXPECT_EQ(tasks.concurrency(), 1u);
    std::vector<std::size_t> seen;
    const auto job = [&](std::size_t i) { seen.push_back(i); };
    tasks.run(4, job);
    EXPECT_EQ(seen, (std::vector<std::size_t>{0, 1, 2, 3}));
    tasks.run(0, job);
    EXPECT_EQ(seen.size(), 4u);
    EXPECT_EQ(&tasks, &serial_tasks());
}

}  // namespace
}  // namespace bv
