// Every fit of the catalog on several meshes, beside CGAL, qhull and Bullet in one run: time, tightness and
// ratios.
//
//   bench_volumes [MESH...]     ids of the mesh catalog; by default a selection of small to large ones
//
// Each contender runs in turn, several rounds; the median counts. Columns: milliseconds of CPU time, hull
// volume over volume, time over that of the peer for the same task.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "bv/fit/catalog.hpp"
#include "bv/fit/hull.hpp"
#include "workloads/meshes.hpp"
#include "workloads/random.hpp"
#ifdef BVLAB_HAVE_QHULL
#include "qhull_oracle.hpp"
#endif
#ifdef BVLAB_HAVE_CGAL_BOXES
#include "cgal_oracle.hpp"
#endif
#ifdef BVLAB_HAVE_BULLET
#include <LinearMath/btConvexHullComputer.h>
#endif

namespace {

struct Contender {
    std::string name;
    std::string peer;             // The contender to compare times with.
    std::function<double()> run;  // Returns the resulting volume, or a negative number.
    double volume = -1.0;
    std::vector<double> ms = {};
};

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

std::string peer_of(std::string_view id) {
    if (id == "sphere.exact") return "CGAL Min_sphere_of_spheres_d";
    if (id.substr(0, 6) == "sphere") return id == "sphere.ritter" ? "" : "sphere.ritter";
    if (id.substr(0, 3) == "obb") return "CGAL optimal_bounding_box";
    if (id.substr(0, 4) == "hull") return "qhull";
    return "";
}

std::vector<Contender> contenders_for(const bv::workloads::MeshData& mesh) {
    std::vector<Contender> all;
    for (const bv::fit::FitEntry& row : bv::fit::fit_catalog()) {
        all.push_back({std::string(row.id), peer_of(row.id),
                       [&mesh, &row] { return bv::fit::volume_of(row.fit(mesh.view())); }});
    }
#ifdef BVLAB_HAVE_CGAL_BOXES
    all.push_back({"CGAL Min_sphere_of_spheres_d", "sphere.exact", [&mesh] {
                       const double r = bv::test::cgal_ball_radius(mesh.positions);
                       return 4.0 / 3.0 * 3.14159265358979 * r * r * r;
                   }});
    all.push_back({"CGAL optimal_bounding_box", "obb.exact",
                   [&mesh] { return bv::test::cgal_box_volume(mesh.positions); }});
    all.push_back({"CGAL convex_hull_3", "hull.quickhull",
                   [&mesh] { return bv::test::cgal_hull_size(mesh.positions) > 0 ? -1.0 : -2.0; }});
#endif
#ifdef BVLAB_HAVE_QHULL
    all.push_back({"qhull", "hull.quickhull", [&mesh] { return bv::test::qhull_volume(mesh.positions); }});
#endif
#ifdef BVLAB_HAVE_BULLET
    all.push_back({"Bullet btConvexHullComputer", "hull.quickhull", [&mesh] {
                       btConvexHullComputer computer;
                       computer.compute(&mesh.positions[0].x, static_cast<int>(sizeof(glm::vec3)),
                                        static_cast<int>(mesh.positions.size()), 0, 0);
                       return computer.vertices.size() > 0 ? -1.0 : -2.0;
                   }});
#endif
    return all;
}

// CPU time, so that other load on the machine does not count; short tasks are repeated until the clock can
// resolve them.
void time_once(Contender& c) {
    int runs = 0;
    const std::clock_t start = std::clock();
    std::clock_t end = start;
    do {
        c.volume = c.run();
        ++runs;
        end = std::clock();
    } while (end - start < CLOCKS_PER_SEC / 500);
    c.ms.push_back(static_cast<double>(end - start) * 1e3 / CLOCKS_PER_SEC / runs);
}

// Every point is a vertex of the hull, and all boxes are nearly equal: the most work for an exact box.
bv::workloads::MeshData points_on_sphere(int count) {
    bv::workloads::Random random(3);
    std::vector<glm::vec3> points;
    for (int i = 0; i < count; ++i)
        points.push_back(random.direction());
    const bv::Hull hull = bv::fit::hull(points);
    bv::workloads::MeshData mesh;
    mesh.name = "points on a sphere";
    mesh.positions = hull.vertices;
    mesh.triangles = hull.triangles;
    return mesh;
}

void run_mesh(const bv::workloads::MeshData& mesh) {
    const auto wanted_of = [](const std::string& id) {
        return id == "obb.exact" ? 0.5 : id == "sphere.exact" ? 0.8 : 0.0;
    };
    const bv::Hull hull = bv::fit::hull(mesh.positions);
    std::printf("\n%s: %zu points, hull of %zu points and %zu edges\n", mesh.name.c_str(),
                mesh.positions.size(), hull.vertices.size(), hull.edges.size());
    std::printf("  %-30s %10s %10s   %s\n", "", "ms", "tightness", "time over that of");
    std::vector<Contender> all = contenders_for(mesh);
    for (int round = 0; round < 5; ++round) {
        for (Contender& c : all) {
            // Slow contenders need fewer rounds.
            if (round < 3 || median(c.ms) < 300.0) time_once(c);
        }
    }
    for (const Contender& c : all) {
        std::printf("  %-30s %10.4f ", c.name.c_str(), median(c.ms));
        if (c.volume > 0.0)
            std::printf("%10.6f", hull.volume() / c.volume);
        else
            std::printf("%10s", "");
        const auto peer =
            std::find_if(all.begin(), all.end(), [&](const Contender& o) { return o.name == c.peer; });
        if (peer != all.end()) {
            const double ratio = median(c.ms) / median(peer->ms);
            std::printf("   %8.3f  %s", ratio, peer->name.c_str());
            if (const double wanted = wanted_of(c.name); wanted > 0.0)
                std::printf(", wanted %.2f: %s", wanted, ratio <= wanted ? "met" : "MISSED");
        }
        std::printf("\n");
    }
}

}  // namespace

int main(int argc, char** argv) {
    namespace w = bv::workloads;
    std::vector<w::MeshData> meshes;
    for (int i = 1; i < argc; ++i) {
        const auto mesh = w::make_mesh(argv[i]);
        if (!mesh) {
            std::fprintf(stderr, "bench_volumes: no mesh named %s\n", argv[i]);
            return 2;
        }
        meshes.push_back(*mesh);
    }
    if (meshes.empty()) {
        for (const char* id :
             {"octahedron", "gear", "teapot", "torus_knot", "spike_ball", "rock", "icosphere"})
            meshes.push_back(*w::make_mesh(id));
        meshes.push_back(w::rock(7, 6));
        meshes.back().name = "rock, fine";
        meshes.push_back(w::torus_knot(2, 3, 0.09f, 1024, 64));
        meshes.back().name = "torus knot, fine";
        meshes.push_back(points_on_sphere(5000));
    }
    for (const w::MeshData& mesh : meshes)
        run_mesh(mesh);
    return 0;
}
