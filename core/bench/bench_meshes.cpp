// Trees over meshes beside Embree, all in one run on the same meshes and rays: how fast they are built,
// refitted and asked.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "bv/tree/mesh_bvh.hpp"
#include "bv/tree/mesh_bvh_wide.hpp"
#include "embree_scene.hpp"
#include "workloads/meshes.hpp"
#include "workloads/random.hpp"
#include "workloads/rays.hpp"

namespace {

using namespace bv;
using workloads::MeshData;

int rounds() {
    const char* text = std::getenv("BV_BENCH_ROUNDS");
    return text != nullptr ? std::atoi(text) : 5;
}

double seconds(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The contenders take turns, and the best of each counts: other work on the machine meets all alike.
std::vector<double> race(const std::vector<std::function<void()>>& contenders) {
    std::vector<double> best(contenders.size(), 1e30);
    for (int round = 0; round < rounds(); ++round)
        for (std::size_t i = 0; i < contenders.size(); ++i)
            best[i] = std::min(best[i], seconds(contenders[i]));
    return best;
}

MeshData many_spheres(int count, int subdivisions) {
    workloads::Random random(5);
    MeshData all;
    all.name = "spheres";
    const MeshData one = workloads::icosphere(subdivisions, 1.0f);
    for (int i = 0; i < count; ++i) {
        const glm::vec3 center = random.in_box(glm::vec3(-10.0f), glm::vec3(10.0f));
        const float radius = random.uniform(0.2f, 1.2f);
        const auto base = static_cast<std::uint32_t>(all.positions.size());
        for (const glm::vec3& p : one.positions)
            all.positions.push_back(center + radius * p);
        for (const glm::uvec3& t : one.triangles)
            all.triangles.push_back(t + glm::uvec3(base));
    }
    return all;
}

Aabb bounds_of(const MeshData& mesh) {
    Aabb box;
    for (const glm::vec3& p : mesh.positions)
        box = merge(box, p);
    return box;
}

void bench_mesh(const MeshData& mesh) {
    const double n = static_cast<double>(mesh.triangles.size());
    std::printf("\n%s, %zu triangles\n", mesh.name.c_str(), mesh.triangles.size());
    MeshBvh binary;
    MeshBvh8 wide;
    std::vector<double> t = race({[&] { binary.build(mesh.view()); }, [&] { wide.build(binary); },
                                  [&] { binary.refit(mesh.positions); },
                                  [&] {
                                      bench::EmbreeScene scene(mesh.view(), bench::EmbreeScene::Mode::Fast,
                                                               RTC_BUILD_QUALITY_MEDIUM);
                                      scene.commit();
                                  }});
    std::printf("  build  binned %.2f Mtri/s, + wide %.2f, Embree %.2f: ratio %.2f; refit %.1f Mtri/s\n",
                n / t[0] * 1e-6, n / (t[0] + t[1]) * 1e-6, n / t[3] * 1e-6, t[3] / (t[0] + t[1]),
                n / t[2] * 1e-6);
    std::printf("  nodes %zu wide %zu blocks %zu (%.2f tri/block)  %.1f MB\n", binary.nodes().size(),
                wide.node_count(), wide.block_count(), n / static_cast<double>(wide.block_count()),
                static_cast<double>(wide.memory_bytes()) * 1e-6);
    bench::EmbreeScene scene(mesh.view(), bench::EmbreeScene::Mode::Fast, RTC_BUILD_QUALITY_MEDIUM);
    scene.commit();
    const Aabb box = bounds_of(mesh);
    const std::pair<const char*, std::vector<Ray>> sets[] = {
        {"primary", workloads::primary_rays(512, box)},
        {"random", workloads::rays_from_outside(200000, box, 1)},
        {"inside", workloads::rays_from_inside(200000, box, 2)}};
    for (const auto& [name, rays] : sets) {
        std::size_t hits[4] = {};
        QueryStats stats;
        const auto ours = [&](RayMode mode, std::size_t& count) {
            count = 0;
            stats = {};
            for (const Ray& ray : rays) {
                const auto r = wide.raycast(ray, mode);
                count += r.hit.has_value();
                stats += r.stats;
            }
        };
        t = race({[&] { ours(RayMode::Watertight, hits[1]); }, [&] { ours(RayMode::Fast, hits[0]); },
                  [&] {
                      hits[2] = 0;
                      for (const Ray& ray : rays)
                          hits[2] += scene.cast(ray).triangle != RTC_INVALID_GEOMETRY_ID;
                  }});
        const double m = static_cast<double>(rays.size()) * 1e-6;
        std::printf(
            "  %-8s fast %.2f  watertight %.2f Mrays/s  Embree %.2f: ratio %.2f  (hits %zu %zu %zu) nodes "
            "%.1f blocks %.1f\n",
            name, m / t[1], m / t[0], m / t[2], t[2] / t[1], hits[0], hits[1], hits[2],
            stats.nodes_visited / (m * 1e6), stats.leaves_tested / (4e6 * m));
    }
}

}  // namespace

int main() {
    MeshData rock = workloads::rock(1, 6);
    bench_mesh(rock);
    bench_mesh(workloads::torus_knot(2, 3, 0.09f, 1200, 29));
    bench_mesh(many_spheres(500, 3));
}
