// Mesh against mesh beside FCL's trees of OBBs and of rectangle swept spheres with OBBs, single precision, on
// seeded poses.
#include <cstdio>

#include "bench_meshes.hpp"
#include "bv/query/collide.hpp"
#include "bv/tree/obb_tree.hpp"
#include "peers_fcl_meshes.hpp"
#include "workloads/random.hpp"

namespace bv::bench {

using workloads::MeshData;

void bench_contacts(const MeshData& a, const MeshData& b, float spread) {
    MeshBvh tree_a, tree_b;
    MeshBvh8 wide_a, wide_b;
    tree_a.build(a.view());
    tree_b.build(b.view());
    wide_a.build(tree_a);
    wide_b.build(tree_b);
    ObbTree obb_a, obb_b;
    obb_a.build(a.view());
    obb_b.build(b.view());
    workloads::Random random(4);
    std::vector<Pose> poses;
    for (int i = 0; i < 200; ++i) {
        const glm::mat3 r = random.rotation();
        poses.emplace_back(r[0], r[1], r[2], spread * random.in_ball());
    }
    const Pose still(1.0f);
    std::size_t sum[8] = {};
    std::vector<TrianglePair> pairs;
    std::vector<std::function<void(std::size_t)>> contenders{
        [&](std::size_t i) { sum[0] += collide(wide_a, still, wide_b, poses[i]).touching; },
        [&](std::size_t i) { sum[1] += collide_pairs(wide_a, still, wide_b, poses[i], pairs).hits; },
        [&](std::size_t i) {
            sum[2] += collide_pairs(obb_a, still, obb_b, poses[i], CollideExtent::First, pairs).hits;
        },
        [&](std::size_t i) {
            sum[3] += collide_pairs(obb_a, still, obb_b, poses[i], CollideExtent::All, pairs).hits;
        }};
    const FclMeshPair fcl_obb(a, b, FclTree::Obb), fcl_rss(a, b, FclTree::ObbRss);
    if (fcl_meshes_run_here()) {
        contenders.emplace_back([&](std::size_t i) { sum[4] += fcl_obb.contacts(poses[i], false); });
        contenders.emplace_back([&](std::size_t i) { sum[5] += fcl_obb.contacts(poses[i], true); });
        contenders.emplace_back([&](std::size_t i) { sum[6] += fcl_rss.contacts(poses[i], false); });
        contenders.emplace_back([&](std::size_t i) { sum[7] += fcl_rss.contacts(poses[i], true); });
    }
    const std::vector<double> t = race(poses.size(), contenders);
    const auto rounds = static_cast<std::size_t>(mesh_rounds());
    std::printf("\n%s (%zu) against %s (%zu), %zu poses, us a pose\n", a.name.c_str(), a.triangles.size(),
                b.name.c_str(), b.triangles.size(), poses.size());
    const char* names[] = {"collide (wide tree)", "collide_pairs (wide tree)", "OBB tree, first pair",
                           "OBB tree, all pairs", "FCL OBB, boolean",          "FCL OBB, all pairs",
                           "FCL OBBRSS, boolean", "FCL OBBRSS, all pairs"};
    for (std::size_t i = 0; i < t.size(); ++i) {
        std::printf("  %-28s %10.2f  answer %zu", names[i], t[i] / static_cast<double>(poses.size()) * 1e6,
                    sum[i] / rounds);
        if (t.size() > 4 && i < 4) std::printf("  of FCL OBB's time: %.2f", t[i] / t[4 + i % 2]);
        std::printf("\n");
    }
}

}  // namespace bv::bench
