// The distance between two meshes beside FCL's, over trees of rectangle swept spheres (RSS) and of OBBs with
// such spheres (OBBRSS), single precision, on seeded poses: from touching to several diameters apart.
// BV_BENCH_ROUNDS sets the repetitions of each pose; the best time counts, and FCL's faster tree.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "bench_meshes.hpp"
#include "bv/query/collide.hpp"
#include "peers_fcl_meshes.hpp"
#include "workloads/random.hpp"

namespace bv::bench {
namespace {

using workloads::MeshData;

constexpr double kWanted = 0.7;

/// Our time over FCL's, or 0 without FCL. `apart`: how far B's center is from A's, in sums of their radii.
double bench(const MeshData& a, const MeshData& b, float apart) {
    MeshBvh tree_a, tree_b;
    tree_a.build(a.view());
    tree_b.build(b.view());
    workloads::Random random(4);
    std::vector<Pose> poses;
    const float reach = 0.5f * (glm::length(tree_a.bounds().size()) + glm::length(tree_b.bounds().size()));
    for (int i = 0; i < 60; ++i) {
        const glm::mat3 r = random.rotation();
        poses.emplace_back(r[0], r[1], r[2], apart * reach * random.direction());
    }
    std::vector<float> ours(poses.size()), theirs(poses.size());
    CollideStats last;
    std::vector<std::function<void(std::size_t)>> contenders{[&](std::size_t i) {
        const MeshDistanceResult found = mesh_distance(tree_a, Pose(1.0f), tree_b, poses[i]);
        ours[i] = found.nearest->distance;
        last = found.stats;
    }};
    const FclMeshPair rss(a, b, FclTree::Rss), obb_rss(a, b, FclTree::ObbRss);
    if (fcl_meshes_run_here()) {
        contenders.emplace_back([&](std::size_t i) { theirs[i] = std::max(rss.distance(poses[i]), 0.0f); });
        contenders.emplace_back([&](std::size_t i) { (void)obb_rss.distance(poses[i]); });
    }
    const std::vector<double> t = race(poses.size(), contenders);
    float worst = 0.0f;
    std::size_t touching = 0;
    for (std::size_t i = 0; i < poses.size(); ++i) {
        touching += ours[i] == 0.0f ? 1 : 0;
        if (t.size() > 1) worst = std::max(worst, std::abs(ours[i] - theirs[i]) / reach);
    }
    const double us = 1e6 / static_cast<double>(poses.size());
    const double ratio = t.size() > 1 ? t[0] / std::min(t[1], t[2]) : 0.0;
    std::printf("%-14s %7zu  %-14s %7zu  at %.2f  touching %2zu  %9.1f us", a.name.c_str(),
                a.triangles.size(), b.name.c_str(), b.triangles.size(), static_cast<double>(apart), touching,
                t[0] * us);
    if (t.size() > 1)
        std::printf("  FCL RSS %9.1f  OBBRSS %9.1f  ratio %6.2f  largest difference %.1e", t[1] * us,
                    t[2] * us, ratio, static_cast<double>(worst));
    std::printf("  last: %u boxes, %u triangles\n", static_cast<unsigned>(last.box_pairs),
                static_cast<unsigned>(last.triangle_pairs));
    return ratio;
}

}  // namespace
}  // namespace bv::bench

int main() {
    using namespace bv;
    const workloads::MeshData knot = workloads::torus_knot(2, 3, 0.09f, 400, 15),
                              rock = workloads::rock(1, 5), ball = workloads::icosphere(4),
                              spikes = workloads::spike_ball(4), pot = workloads::teapot(12);
    std::vector<double> ratios;
    for (const float apart : {0.45f, 0.6f, 1.0f, 2.0f}) {
        ratios.push_back(bench::bench(rock, rock, apart));
        ratios.push_back(bench::bench(knot, ball, apart));
        ratios.push_back(bench::bench(knot, knot, apart));
        ratios.push_back(bench::bench(spikes, pot, apart));
    }
    if (!bench::fcl_meshes_run_here()) return 0;
    double logs = 0.0;
    for (const double ratio : ratios)
        logs += std::log(ratio);
    const double mean = std::exp(logs / static_cast<double>(ratios.size()));
    const auto [lowest, highest] = std::minmax_element(ratios.begin(), ratios.end());
    std::printf("over FCL's faster tree: %.2f of its time (geometric mean; %.2f to %.2f), wanted %.2f: %s\n",
                mean, *lowest, *highest, bench::kWanted, *highest <= bench::kWanted ? "met" : "MISSED");
}
