// Trees over meshes: speed of builds, refits, ray casts and mesh-mesh collision, beside Embree, CGAL and FCL,
// all in one run on the same meshes, rays and poses. Single-threaded. Ratios above 1 mean faster than Embree;
// below 1, less time than FCL. BV_BENCH_ROUNDS sets the number of repetitions.
#include "bench_meshes.hpp"

#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "bv/tree/mesh_bvh.hpp"
#include "bv/tree/mesh_bvh_wide.hpp"
#include "embree_scene.hpp"
#include "workloads/random.hpp"
#include "workloads/rays.hpp"

namespace bv::bench {
namespace {

using workloads::MeshData;

MeshData many_spheres(int count, int subdivisions) {
    workloads::Random random(5);
    MeshData all;
    all.name = "Spheres";
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

/// Long thin triangles in all directions: their boxes overlap, unless planes may split them.
MeshData needles(int count) {
    workloads::Random random(5);
    MeshData all;
    all.name = "Needles";
    for (int i = 0; i < count; ++i) {
        const glm::vec3 center = random.in_box(glm::vec3(-10.0f), glm::vec3(10.0f));
        const float half = random.uniform(0.5f, 4.0f);
        const glm::vec3 along = half * random.direction(), aside = 0.05f * random.direction();
        const auto base = static_cast<std::uint32_t>(all.positions.size());
        for (const glm::vec3& p : {center - along, center + along, center + aside})
            all.positions.push_back(p);
        all.triangles.push_back({base, base + 1, base + 2});
    }
    return all;
}

Aabb bounds_of(const MeshData& mesh) {
    Aabb box;
    for (const glm::vec3& p : mesh.positions)
        box = merge(box, p);
    return box;
}

double sah(const MeshBvh& tree) {
    double sum = 0.0;
    for (const MeshBvhNode& node : tree.nodes())
        sum += static_cast<double>(node.box().surface_area()) * (node.is_leaf() ? node.count : 1.0);
    return sum / static_cast<double>(tree.bounds().surface_area());
}

/// The builders, each against Embree's build quality for the same purpose.
void bench_builds(const MeshData& mesh) {
    enum Peer : std::size_t { Low, Medium, High };
    struct Row {
        const char* name;
        MeshBvhOptions options;
        Peer peer;
    };
    const Row rows[] = {
        {"Median", {.builder = MeshBuilder::Median}, Medium},
        {"Morton", {.builder = MeshBuilder::Morton}, Low},
        {"agglomerative", {.builder = MeshBuilder::Agglomerative}, Medium},
        {"binned SAH", {.builder = MeshBuilder::BinnedSah}, Medium},
        {"sweep SAH", {.builder = MeshBuilder::SweepSah}, Medium},
        {"Morton, reinserted twice", {.builder = MeshBuilder::Morton, .reinsertion_rounds = 2}, Medium},
        {"binned SAH, reinserted twice", {.reinsertion_rounds = 2}, Medium},
        {"spatial splits", {.spatial_splits = 1.0f}, High}};
    constexpr std::size_t kRows = std::size(rows), kBinned = 3, kReinserted = 6, kSpatial = 7;
    std::vector<MeshBvh> trees(kRows);
    std::vector<std::function<void(std::size_t)>> contenders;
    for (std::size_t i = 0; i < kRows; ++i)
        contenders.emplace_back([&, i](std::size_t) {
            MeshBvh fresh;  // like Embree's scene: without the memory of the round before
            fresh.build(mesh.view(), rows[i].options);
            trees[i] = std::move(fresh);
        });
    MeshBvh8 wide;
    MeshBvh deformed;
    deformed.build(mesh.view());
    contenders.emplace_back([&](std::size_t) {
        MeshBvh8 fresh;
        fresh.build(mesh.view());
        wide = std::move(fresh);
    });
    contenders.emplace_back([&](std::size_t) { deformed.refit(mesh.positions); });
#ifdef BVLAB_HAVE_EMBREE
    for (const RTCBuildQuality quality :
         {RTC_BUILD_QUALITY_LOW, RTC_BUILD_QUALITY_MEDIUM, RTC_BUILD_QUALITY_HIGH})
        contenders.emplace_back([&mesh, quality](std::size_t) {
            EmbreeScene scene(mesh.view(), EmbreeScene::Mode::Fast, quality);
            scene.commit();
        });
#endif
    const std::vector<double> t = race(1, contenders);
    const double n = static_cast<double>(mesh.triangles.size()) * 1e-6;
    const auto theirs = [&](Peer peer) { return t.size() > kRows + 2 ? t[kRows + 2 + peer] : 0.0; };
    std::printf("  %-28s %8s %8s %10s\n", "build", "Mtri/s", "SAH", "x Embree");
    for (std::size_t i = 0; i < kRows; ++i)
        std::printf("  %-28s %8.2f %8.1f %10.2f\n", rows[i].name, n / t[i], sah(trees[i]),
                    theirs(rows[i].peer) / t[i]);
    const double with_wide = t[kRows];
    std::printf("  %-28s %8.2f %8s %10.2f\n", "wide tree, binned SAH", n / with_wide, "",
                theirs(Medium) / with_wide);
    std::printf("  %-28s %8.2f\n", "Embree, Morton", n / theirs(Low));
    std::printf("  %-28s %8.2f\n", "Embree, binned SAH", n / theirs(Medium));
    std::printf("  %-28s %8.2f\n", "Embree, spatial splits", n / theirs(High));
    std::printf("  %-28s %8.2f\n", "refit (binary)", n / t[kRows + 1]);
    std::printf("  two rounds of reinsertion: %.2f s\n", t[kReinserted] - t[kBinned]);
    if (theirs(Low) > 0.0) {
        print_wanted("binned SAH with the wide tree over Embree's binned SAH", with_wide / theirs(Medium),
                     0.9);
        print_wanted("spatial splits over Embree's", t[kSpatial] / theirs(High), 1.2);
    }
}

/// How the builder affects later rays: closest hits through the wide form, relative to the binned build.
void bench_builders_rays(const MeshData& mesh) {
    const std::pair<const char*, MeshBvhOptions> rows[] = {
        {"binned SAH", {}},
        {"binned SAH, reinserted twice", {.reinsertion_rounds = 2}},
        {"Morton", {.builder = MeshBuilder::Morton}},
        {"Morton, reinserted twice", {.builder = MeshBuilder::Morton, .reinsertion_rounds = 2}},
        {"agglomerative", {.builder = MeshBuilder::Agglomerative}},
        {"agglomerative, reinserted", {.builder = MeshBuilder::Agglomerative, .reinsertion_rounds = 2}},
        {"spatial splits", {.spatial_splits = 1.0f}}};
    std::vector<MeshBvh8> trees(std::size(rows));
    for (std::size_t i = 0; i < trees.size(); ++i) {
        MeshBvh binary;
        binary.build(mesh.view(), rows[i].second);
        trees[i].build(binary);
    }
    const Aabb box = bounds_of(mesh);
    const std::vector<Ray> sets[] = {workloads::primary_rays(400, box),
                                     workloads::rays_from_outside(160000, box, 1),
                                     workloads::rays_from_inside(160000, box, 2)};
    std::vector<std::vector<double>> t;
    for (const std::vector<Ray>& rays : sets) {
        std::size_t hits = 0;
        std::vector<std::function<void(std::size_t)>> contenders;
        for (const MeshBvh8& tree : trees)
            contenders.emplace_back([&](std::size_t) {
                for (const Ray& ray : rays)
                    hits += tree.raycast(ray).hit ? 1 : 0;
            });
        t.push_back(race(1, contenders, Caches::Warm));
    }
    std::printf("  %-28s %8s %8s %8s\n", "time of rays, by builder", "primary", "outside", "inside");
    for (std::size_t i = 0; i < trees.size(); ++i)
        std::printf("  %-28s %8.2f %8.2f %8.2f\n", rows[i].first, t[0][i] / t[0][0], t[1][i] / t[1][0],
                    t[2][i] / t[2][0]);
}

void bench_rays(const MeshData& mesh) {
    MeshBvh binary;
    binary.build(mesh.view());
    MeshBvh8 wide;
    wide.build(mesh.view());
    MeshBvhOptions best;
    best.builder = MeshBuilder::SweepSah;
    best.max_leaf_triangles = 1;
    best.reinsertion_rounds = 2;
    MeshBvh good_binary;
    good_binary.build(mesh.view(), best);
    MeshBvh8 good;
    good.build(good_binary);
    const CgalCaster cgal(mesh);
#ifdef BVLAB_HAVE_EMBREE
    EmbreeScene embree(mesh.view(), EmbreeScene::Mode::Fast, RTC_BUILD_QUALITY_MEDIUM);
    EmbreeScene robust(mesh.view(), EmbreeScene::Mode::Robust, RTC_BUILD_QUALITY_MEDIUM);
    embree.commit();
    robust.commit();
#endif
    const double count = static_cast<double>(mesh.triangles.size());
    std::printf("  bytes a triangle: binary %.0f, wide %.0f",
                static_cast<double>(binary.memory_bytes()) / count,
                static_cast<double>(wide.memory_bytes()) / count);
#ifdef BVLAB_HAVE_EMBREE
    std::printf(", Embree fast %.0f, robust %.0f", static_cast<double>(embree.bytes()) / count,
                static_cast<double>(robust.bytes()) / count);
#endif
    std::printf("\n");
    const Aabb box = bounds_of(mesh);
    const std::pair<const char*, std::vector<Ray>> sets[] = {
        {"primary", workloads::primary_rays(400, box)},
        {"random, from outside", workloads::rays_from_outside(160000, box, 1)},
        {"random, from inside", workloads::rays_from_inside(160000, box, 2)}};
    for (const auto& set : sets) {
        const char* name = set.first;
        const std::vector<Ray>& rays = set.second;  // not a structured binding: lambdas need it
        constexpr std::size_t kPiece = 20000;
        std::vector<const char*> names;
        std::vector<std::size_t> hits(10);
        std::vector<std::function<void(std::size_t)>> contenders;
        const auto add = [&](const char* label, auto cast) {
            const std::size_t slot = names.size();
            names.push_back(label);
            contenders.emplace_back([&, slot, cast](std::size_t piece) {
                for (std::size_t i = piece * kPiece; i < (piece + 1) * kPiece; ++i)
                    hits[slot] += cast(rays[i]) ? 1 : 0;
            });
        };
        add("wide tree, fast", [&](const Ray& ray) { return wide.raycast(ray).hit.has_value(); });
        add("wide tree, watertight",
            [&](const Ray& ray) { return wide.raycast(ray, RayMode::Watertight).hit.has_value(); });
        add("wide, sweep + reinsertion", [&](const Ray& ray) { return good.raycast(ray).hit.has_value(); });
        add("binary tree, fast", [&](const Ray& ray) { return binary.raycast(ray).hit.has_value(); });
        add("any hit: wide, fast", [&](const Ray& ray) { return wide.raycast_any(ray); });
        add("any hit: wide, watertight",
            [&](const Ray& ray) { return wide.raycast_any(ray, RayMode::Watertight); });
#ifdef BVLAB_HAVE_EMBREE
        add("Embree, fast",
            [&](const Ray& ray) { return embree.cast(ray).triangle != RTC_INVALID_GEOMETRY_ID; });
        add("Embree, robust",
            [&](const Ray& ray) { return robust.cast(ray).triangle != RTC_INVALID_GEOMETRY_ID; });
        add("any hit: Embree, fast", [&](const Ray& ray) { return embree.occluded(ray); });
        add("any hit: Embree, robust", [&](const Ray& ray) { return robust.occluded(ray); });
#endif
        const std::vector<double> t = race(rays.size() / kPiece, contenders, Caches::Warm);
        std::printf("  %-28s %8s %10s %10s %10s\n", name, "Mrays/s", "x Embree", "x robust", "hits");
        for (std::size_t i = 0; i < t.size(); ++i) {
            // Embree's closest hits are contenders 6 and 7, its any hits 8 and 9.
            const std::size_t peer = names[i][0] == 'a' ? 8 : 6;
            std::printf("  %-28s %8.2f %10.2f %10.2f %10zu\n", names[i],
                        static_cast<double>(rays.size()) / t[i] * 1e-6, t.size() > 6 ? t[peer] / t[i] : 0.0,
                        t.size() > 6 ? t[peer + 1] / t[i] : 0.0,
                        hits[i] / static_cast<std::size_t>(2 * mesh_rounds()));
        }
        if (t.size() > 6) {
            // By its own numbers tinybvh's eight-wide tree takes 0.74 of Embree's time for primary rays.
            constexpr double kWanted = 0.9, kTinybvh = 0.74;
            print_wanted("closest hit, fast, over Embree's fast", t[0] / t[6], kWanted);
            print_wanted("closest hit, watertight, over Embree's robust", t[1] / t[7], kWanted);
            print_wanted("any hit, fast, over Embree's fast", t[4] / t[8], kWanted);
            print_wanted("any hit, watertight, over Embree's robust", t[5] / t[9], kWanted);
            if (&set == sets)
                print_wanted("closest hit, fast, over Embree's fast, to be ahead of tinybvh", t[0] / t[6],
                             kWanted * kTinybvh);
        }
        if (CgalCaster::available()) {
            std::size_t found = 0;
            const double seconds = race(1, {[&](std::size_t) {
                                            for (std::size_t i = 0; i < 2000; ++i)
                                                found += cgal.hit(rays[i * (rays.size() / 2000)]) ? 1 : 0;
                                        }})[0];
            std::printf("  %-28s %8.2f  (2,000 of the rays)\n", "CGAL AABB tree", 2000.0 / seconds * 1e-6);
        }
    }
}

/// The pixels of a square picture in rows, as tiles of 8 x 8.
std::vector<Ray> tiles_of(const std::vector<Ray>& rows, std::size_t side) {
    std::vector<Ray> rays;
    rays.reserve(rows.size());
    for (std::size_t tile = 0; tile < rows.size() / 64; ++tile)
        for (std::size_t i = 0; i < 64; ++i) {
            const std::size_t x = tile % (side / 8) * 8 + i % 8, y = tile / (side / 8) * 8 + i / 8;
            rays.push_back(rows[y * side + x]);
        }
    return rays;
}

/// Lists of rays against single ones, ours and Embree's, with the hits compared.
void bench_lists(const MeshData& mesh) {
    MeshBvh8 wide;
    wide.build(mesh.view());
#ifdef BVLAB_HAVE_EMBREE
    EmbreeScene embree(mesh.view(), EmbreeScene::Mode::Fast, RTC_BUILD_QUALITY_MEDIUM);
    EmbreeScene robust(mesh.view(), EmbreeScene::Mode::Robust, RTC_BUILD_QUALITY_MEDIUM);
    embree.commit();
    robust.commit();
#endif
    constexpr std::size_t kSide = 400;
    const Aabb box = bounds_of(mesh);
    const std::vector<Ray> far = tiles_of(workloads::primary_rays(static_cast<int>(kSide), box), kSide);
    std::vector<Ray> near = far, from_surface;
    for (Ray& ray : near)
        ray.origin = glm::mix(box.center(), ray.origin, 0.45f);
    workloads::Random random(7);
    for (const Ray& ray : far)
        if (const auto hit = wide.raycast(ray).hit)
            from_surface.push_back(
                {ray.at(hit->t), random.direction(), std::numeric_limits<float>::infinity(), 1e-4f * hit->t});
    from_surface.resize(from_surface.size() / 64 * 64);
    const std::pair<const char*, const std::vector<Ray>*> sets[] = {
        {"primary, whole mesh", &far}, {"primary, from nearby", &near}, {"diffuse bounces", &from_surface}};
    for (const auto& [name, chosen] : sets) {
        const std::vector<Ray>& rays = *chosen;
        std::vector<MeshRayResult> alone(rays.size()), together(rays.size());
        std::vector<const char*> names;
        std::vector<std::function<void(std::size_t)>> contenders;
        const auto add = [&](const char* label, std::function<void(std::size_t)> cast) {
            names.push_back(label);
            contenders.push_back(std::move(cast));
        };
        for (const RayMode mode : {RayMode::Fast, RayMode::Watertight}) {
            const bool fast = mode == RayMode::Fast;
            add(fast ? "one by one, fast" : "one by one, watertight", [&, mode](std::size_t) {
                for (std::size_t i = 0; i < rays.size(); ++i)
                    alone[i] = wide.raycast(rays[i], mode);
            });
            add(fast ? "a list, fast" : "a list, watertight",
                [&, mode](std::size_t) { wide.raycast(rays, together, mode); });
        }
#ifdef BVLAB_HAVE_EMBREE
        using Together = EmbreeScene::Together;
        std::vector<EmbreeScene::Hit> theirs(rays.size());
        for (const EmbreeScene* scene : {&embree, &robust}) {
            const bool fast = scene == &embree;
            add(fast ? "Embree, one by one, fast" : "Embree, one by one, robust", [&, scene](std::size_t) {
                for (std::size_t i = 0; i < rays.size(); ++i)
                    theirs[i] = scene->cast(rays[i]);
            });
            const auto list = [&, scene](Together kind) {
                return [&, scene, kind](std::size_t) { scene->cast_coherent(rays, theirs, kind); };
            };
            add(fast ? "Embree, packets of 8, fast" : "Embree, packets of 8, robust",
                list(Together::Packets8));
            add(fast ? "Embree, packets of 16, fast" : "Embree, packets of 16, robust",
                list(Together::Packets16));
            add(fast ? "Embree, a stream, fast" : "Embree, a stream, robust", list(Together::Stream));
        }
#endif
        const std::vector<double> t = race(1, contenders, Caches::Warm);
        std::printf("  %-32s %8s %14s\n", name, "Mrays/s", "of one by one");
        for (std::size_t i = 0; i < t.size(); ++i) {
            const std::size_t single = i < 4 ? i / 2 * 2 : i < 8 ? 4 : 8;
            std::printf("  %-32s %8.2f %14.2f\n", names[i], static_cast<double>(rays.size()) / t[i] * 1e-6,
                        t[i] / t[single]);
        }
        const bool coherent = chosen != &from_surface;
        for (const std::size_t i : {std::size_t{1}, std::size_t{3}})
            std::printf("  %s over one by one: %.2f of its time, wanted %.2f: %s\n", names[i],
                        t[i] / t[i - 1], coherent ? 0.5 : 1.0,
                        t[i] / t[i - 1] <= (coherent ? 0.5 : 1.02) ? "met" : "MISSED");
        std::size_t different = 0;
        for (std::size_t i = 0; i < rays.size(); ++i)
            different += together[i].hit == alone[i].hit ? 0 : 1;
        std::printf("  hits of the list that differ from one by one: %zu\n", different);
#ifdef BVLAB_HAVE_EMBREE
        std::size_t against = 0;  // the last of each ran in watertight and robust mode
        for (std::size_t i = 0; i < rays.size(); ++i) {
            const float ours = together[i].hit ? together[i].hit->t : std::numeric_limits<float>::infinity();
            against += theirs[i].t == ours || std::abs(theirs[i].t - ours) <= 1e-4f * ours ? 0 : 1;
        }
        std::printf("  hits of the list that differ from Embree's by over 1e-4 in t: %zu of %zu\n", against,
                    rays.size());
#endif
    }
}

}  // namespace
}  // namespace bv::bench

int main() {
    using namespace bv::bench;
    const MeshData meshes[] = {bv::workloads::rock(1, 6), bv::workloads::torus_knot(2, 3, 0.09f, 1200, 29),
                               many_spheres(500, 3), needles(50'000)};
    for (const MeshData& mesh : meshes) {
        std::printf("\n%s, %zu triangles\n", mesh.name.c_str(), mesh.triangles.size());
        bench_builds(mesh);
        bench_builders_rays(mesh);
        bench_rays(mesh);
        bench_lists(mesh);
    }
    bench_contacts(meshes[0], meshes[0], 0.9f);
    bench_contacts(meshes[1], meshes[1], 0.9f);
    bench_contacts(meshes[1], bv::workloads::icosphere(5), 1.2f);
}
