// The distance between two meshes beside FCL's, over trees of rectangle swept spheres (RSS) and of OBBs with
// such spheres (OBBRSS), single precision, on seeded poses: from touching to several diameters apart.
// BV_BENCH_ROUNDS sets the repetitions of each pose; the best time counts.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "bench_meshes.hpp"
#include "bv/query/collide.hpp"
#include "workloads/random.hpp"

#ifdef BVLAB_HAVE_FCL
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/distance.h>
#endif

namespace bv::bench {
namespace {

using workloads::MeshData;

#ifdef BVLAB_HAVE_FCL
template <class Volume>
std::shared_ptr<fcl::BVHModel<Volume>> fcl_model(const MeshData& mesh) {
    auto out = std::make_shared<fcl::BVHModel<Volume>>();
    std::vector<fcl::Vector3f> points;
    std::vector<fcl::Triangle> triangles;
    for (const glm::vec3& p : mesh.positions)
        points.emplace_back(p.x, p.y, p.z);
    for (const glm::uvec3& t : mesh.triangles)
        triangles.emplace_back(t.x, t.y, t.z);
    out->beginModel();
    out->addSubModel(points, triangles);
    out->endModel();
    return out;
}

template <class Volume>
class FclPair {
  public:
    FclPair(const MeshData& a, const MeshData& b) : a_(fcl_model<Volume>(a)), b_(fcl_model<Volume>(b)) {}
    [[nodiscard]] float distance(const Pose& pose_b) const {
        fcl::Transform3f place = fcl::Transform3f::Identity();
        for (int c = 0; c < 4; ++c)
            for (int r = 0; r < 3; ++r)
                place(r, c) = pose_b[c][r];
        const fcl::DistanceRequestf request(true);
        fcl::DistanceResultf result;
        return fcl::distance(a_.get(), fcl::Transform3f::Identity(), b_.get(), place, request, result);
    }

  private:
    std::shared_ptr<fcl::BVHModel<Volume>> a_, b_;
};
#endif

/// `apart`: how far B's center is from A's, in sums of their radii.
void bench(const MeshData& a, const MeshData& b, float apart) {
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
    CollideStats stats;
    std::vector<std::function<void(std::size_t)>> contenders{[&](std::size_t i) {
        const MeshDistanceResult found = mesh_distance(tree_a, Pose(1.0f), tree_b, poses[i]);
        ours[i] = found.nearest->distance;
        stats = found.stats;
    }};
#ifdef BVLAB_HAVE_FCL
    const FclPair<fcl::RSSf> rss(a, b);
    const FclPair<fcl::OBBRSSf> obb_rss(a, b);
    contenders.emplace_back([&](std::size_t i) { theirs[i] = std::max(rss.distance(poses[i]), 0.0f); });
    contenders.emplace_back([&](std::size_t i) { (void)obb_rss.distance(poses[i]); });
#endif
    const std::vector<double> t = race(poses.size(), contenders);
    float worst = 0.0f;
    std::size_t touching = 0;
    for (std::size_t i = 0; i < poses.size(); ++i) {
        touching += ours[i] == 0.0f ? 1 : 0;
        if (t.size() > 1) worst = std::max(worst, std::abs(ours[i] - theirs[i]) / reach);
    }
    const double us = 1e6 / static_cast<double>(poses.size());
    std::printf("%-14s %7zu  %-14s %7zu  at %.2f  touching %2zu  %9.1f us", a.name.c_str(),
                a.triangles.size(), b.name.c_str(), b.triangles.size(), static_cast<double>(apart), touching,
                t[0] * us);
    if (t.size() > 1)
        std::printf("  FCL RSS %9.1f  OBBRSS %9.1f  ratio %6.2f  (wanted 0.7)  largest difference %.1e",
                    t[1] * us, t[2] * us, t[0] / std::min(t[1], t[2]), static_cast<double>(worst));
    std::printf("  last: %u boxes, %u triangles\n", static_cast<unsigned>(stats.box_pairs),
                static_cast<unsigned>(stats.triangle_pairs));
}

}  // namespace
}  // namespace bv::bench

int main() {
    using namespace bv;
    const workloads::MeshData knot = workloads::torus_knot(2, 3, 0.09f, 400, 15),
                              rock = workloads::rock(1, 5), ball = workloads::icosphere(4),
                              spikes = workloads::spike_ball(4), pot = workloads::teapot(12);
    for (const float apart : {0.45f, 0.6f, 1.0f, 2.0f}) {
        bench::bench(rock, rock, apart);
        bench::bench(knot, ball, apart);
        bench::bench(knot, knot, apart);
        bench::bench(spikes, pot, apart);
    }
}
