// The memory that trees and engines report, against the bytes allocated, counted by operator new.
#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "bv/broadphase/broadphase.hpp"
#include "bv/large_vector.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/mesh_bvh.hpp"
#include "bv/tree/mesh_bvh_wide.hpp"
#include "bv/tree/wide_tree.hpp"
#include "tree_test_util.hpp"
#include "workloads/meshes.hpp"

namespace {

std::size_t live_bytes = 0;

void* counted(void* p) {
    if (p == nullptr) std::abort();
    live_bytes += malloc_usable_size(p);
    return p;
}
void released(void* p) {
    if (p != nullptr) live_bytes -= malloc_usable_size(p);
    std::free(p);
}

}  // namespace

void* operator new(std::size_t size) {
    return counted(std::malloc(size));
}
void* operator new(std::size_t size, std::align_val_t align) {
    const auto a = static_cast<std::size_t>(align);
    return counted(std::aligned_alloc(a, (size + a - 1) / a * a));
}
void operator delete(void* p) noexcept {
    released(p);
}
void operator delete(void* p, std::size_t) noexcept {
    released(p);
}
void operator delete(void* p, std::align_val_t) noexcept {
    released(p);
}
void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
    released(p);
}

namespace bv {
namespace {

/// Blocks are slightly larger than requested, and small ones besides the arrays are not reported.
void expect_about(std::size_t reported, std::size_t allocated, const std::string& what) {
    EXPECT_LE(reported, allocated) << what;
    EXPECT_GE(static_cast<double>(reported), 0.95 * static_cast<double>(allocated) - 4096.0) << what;
}

std::vector<Aabb> some_boxes(std::size_t count) {
    test::Random random(121);
    std::vector<Aabb> boxes;
    for (std::size_t i = 0; i < count; ++i)
        boxes.push_back(random.box(40.0f));
    return boxes;
}

TEST(Memory, TreesOfMovingBoxes) {
    for (const std::size_t count : {std::size_t{1000}, std::size_t{5000}}) {
        const std::vector<Aabb> boxes = some_boxes(count);
        std::size_t before = live_bytes;
        DynamicTree tree;
        for (std::size_t i = 0; i < count; ++i)
            tree.insert(boxes[i], i);
        EXPECT_LE(tree.memory_bytes(), live_bytes - before);
        before = live_bytes;
        const DynamicTree copy = tree;
        expect_about(tree.memory_bytes(), live_bytes - before, "DynamicTree");
        EXPECT_EQ(copy.memory_bytes(), tree.memory_bytes());
        before = live_bytes;
        WideTree wide;
        for (std::size_t i = 0; i < count; ++i)
            wide.insert(boxes[i], i);
        EXPECT_LE(wide.memory_bytes(), live_bytes - before);
        before = live_bytes;
        const WideTree wide_copy = wide;
        expect_about(wide.memory_bytes(), live_bytes - before, "WideTree");
        EXPECT_EQ(wide_copy.memory_bytes(), wide.memory_bytes());
    }
}

TEST(Memory, TreesOverMeshes) {
    const workloads::MeshData mesh = workloads::icosphere(5);
    std::size_t before = live_bytes;
    MeshBvh tree;
    ASSERT_EQ(tree.build(mesh.view()), MeshBuildStatus::Ok);
    expect_about(tree.memory_bytes(), live_bytes - before, "MeshBvh");
    before = live_bytes;
    MeshBvh8 wide;
    ASSERT_EQ(wide.build(tree), MeshBvh8::Status::Ok);
    // Reported by size: the arrays' capacity may be larger, but less than twice as large.
    EXPECT_LE(wide.memory_bytes(), live_bytes - before);
    EXPECT_GE(2 * wide.memory_bytes(), live_bytes - before);
}

TEST(Memory, Engines) {
    const std::vector<Aabb> boxes = some_boxes(3000);
    for (const BroadphaseInfo& info : broadphase_kinds()) {
        const std::size_t before = live_bytes;
        const auto engine = make_broadphase(info.kind);
        for (std::size_t i = 0; i < boxes.size(); ++i)
            engine->insert(boxes[i], i);
        engine->update();
        BroadphaseStats stats;
        {
            std::vector<ProxyPair> pairs;
            stats = engine->find_pairs(pairs);
        }
        EXPECT_LE(stats.memory_bytes, live_bytes - before) << info.id;
        const std::size_t before_copy = live_bytes;
        const auto copy = engine->clone();
        const std::size_t allocated = live_bytes - before_copy;
        EXPECT_LE(stats.memory_bytes, allocated) << info.id;
        // The engine itself, and the rounding up of blocks: a table's entry of 16 bytes takes 24.
        EXPECT_GE(stats.memory_bytes + 1024 + 8 * stats.pairs, allocated) << info.id;
        std::vector<ProxyPair> pairs;
        EXPECT_EQ(copy->find_pairs(pairs).memory_bytes, engine->find_pairs(pairs).memory_bytes) << info.id;
    }
}

TEST(LargeVector, StartsAtALargePageOnceItIsLarge) {
    const auto start = [](const auto& v) { return reinterpret_cast<std::uintptr_t>(v.data()); };
    struct alignas(64) Line {
        char bytes[64];
    };
    const detail::LargeVector<Line> small(3);
    EXPECT_EQ(start(small) % 64, 0u);
    detail::LargeVector<std::uint32_t> large(1u << 20, 7u);  // 4 MiB
#if defined(__linux__)
    EXPECT_EQ(start(large) % (2u << 20), 0u);
#endif
    const detail::LargeVector<std::uint32_t> copy = large;
    large.resize(3u << 20, 8u);
    EXPECT_EQ(copy, detail::LargeVector<std::uint32_t>(large.begin(), large.begin() + (1 << 20)));
    EXPECT_EQ(large.back(), 8u);
    const std::size_t before = live_bytes;
    { const detail::LargeVector<std::uint32_t> gone = large; }
    EXPECT_EQ(live_bytes, before);
    EXPECT_THROW(detail::LargeVector<std::uint64_t>().reserve(~std::size_t{0} / 8), std::exception);
    EXPECT_THROW((void)detail::allocate_large(~std::size_t{0} - 7, 8), std::bad_alloc);
}

}  // namespace
}  // namespace bv
