// Runs every fit on random degenerate clouds until the time is up.
//
//   fuzz_fit [SECONDS] [SEED]      2 seconds and seed 1 without arguments
//
// Each cloud has its own seed, which is printed with a finding: `fuzz_fit 0 SEED` runs only that one. Meant
// for long runs under the address and undefined-behavior sanitizers.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>
#include <string>
#include <vector>

#include "bv/fit/catalog.hpp"
#include "bv/fit/hull.hpp"
#include "bv/fit/obb.hpp"
#include "bv/fit/sphere.hpp"
#include "bv/shapes/not_finite.hpp"
#include "shape_test_util.hpp"

namespace {

using bv::test::Random;
using Cloud = std::vector<glm::vec3>;

// The bits of any float, including NaN, infinities and denormal numbers.
float any_float(Random& random) {
    const auto bits = random.next_u32();
    float f = 0.0f;
    static_assert(sizeof(f) == sizeof(bits));
    std::memcpy(&f, &bits, sizeof(f));
    return f;
}

float stepped(float x, Random& random) {
    for (std::uint32_t i = random.below(4); i > 0; --i)
        x = std::nextafterf(x, random.below(2) == 0 ? -1e38f : 1e38f);
    return x;
}

glm::vec3 raw_point(Random& random, std::uint32_t kind) {
    switch (kind) {
        case 0:
            return {any_float(random), any_float(random), any_float(random)};
        case 1:
            return random.in_cube(1.0f);
        case 2:  // A small lattice: ties everywhere.
            return glm::vec3(random.below(4), random.below(4), random.below(4));
        case 3:  // On a sphere.
            return random.direction();
        case 4:  // In a coordinate plane, or almost.
            return {random.range(-1, 1), random.range(-1, 1),
                    random.below(2) == 0 ? 0.0f : stepped(0.25f, random)};
        case 5:  // Each coordinate of its own magnitude.
            return {random.magnitude(-30, 30), random.magnitude(-30, 30), random.magnitude(-30, 30)};
        default:  // Corners of a cube and points on its edges.
            return {random.below(2), random.below(2),
                    random.below(8) == 0 ? 0.5f : static_cast<float>(random.below(2))};
    }
}

Cloud make_cloud(Random& random) {
    const std::uint32_t kind = random.below(7), shape = random.below(6);
    const std::uint32_t count = random.below(10) == 0 ? random.below(400) : random.below(24);
    const glm::vec3 origin = random.below(2) == 0 ? glm::vec3(0) : random.in_cube(100.0f);
    const glm::vec3 u = random.in_cube(1.0f), v = random.in_cube(1.0f);
    const glm::dmat3 turn = random.below(2) == 0 ? glm::dmat3(1.0) : random.rotation_in_double();
    const float scale = random.below(2) == 0 ? 1.0f : std::abs(random.magnitude(-30, 30));
    Cloud cloud;
    for (std::uint32_t i = 0; i < count; ++i) {
        glm::vec3 p = raw_point(random, kind);
        if (shape == 1) p = u * p.x;
        if (shape == 2) p = u * p.x + v * p.y;
        if (shape == 3 && !cloud.empty() && random.below(2) == 0) {
            const glm::vec3 copy = random.one_of(cloud);
            cloud.push_back(copy);
            continue;
        }
        if (shape == 4) p.z *= 1e-7f;
        p = glm::vec3(turn * glm::dvec3(p)) + origin;
        p *= scale;
        if (shape == 5) p = glm::vec3(stepped(p.x, random), stepped(p.y, random), stepped(p.z, random));
        cloud.push_back(p);
        if (random.below(60) == 0) cloud.push_back({std::nanf(""), p.y, p.z});
        if (random.below(60) == 0) cloud.push_back({p.x, std::numeric_limits<float>::infinity(), p.z});
    }
    return cloud;
}

std::uint64_t g_seed = 0;

void expect(bool condition, const std::string& what) {
    if (condition) return;
    std::fprintf(stderr, "fuzz_fit: seed %llu: %s\n", static_cast<unsigned long long>(g_seed), what.c_str());
    std::exit(1);
}

double box_volume(const bv::Obb& box) {
    const glm::dvec3 h(box.half_extents);
    return h.x * h.y * h.z;
}

void try_hull(const Cloud& cloud) {
    const bv::Hull hull = bv::fit::hull(cloud);
    if (hull.dimension == 3) {
        expect(hull.triangles.size() == 2 * hull.vertices.size() - 4, "hull is not closed");
        expect(hull.volume() > 0.0 || !(hull.volume() < 0.0), "hull is inside out");
    }
    for (const glm::vec3& p : cloud)
        expect(bv::contains_point(hull, p) == bv::is_finite(p), "hull loses a point");
    for (int i = 0; i < 6 && !hull.is_empty(); ++i) {
        glm::vec3 d(0.0f);
        d[i / 2] = i % 2 == 0 ? 1.0f : -1.0f;
        const std::uint32_t found = hull.support(d), best = hull.support_brute_force(d);
        expect(glm::dot(hull.vertices[found], d) == glm::dot(hull.vertices[best], d),
               "support is not the farthest");
    }
}

void try_cloud(const Cloud& cloud, Random& random) {
    bool any = false;
    double largest = 0.0;
    for (const glm::vec3& p : cloud) {
        if (!bv::is_finite(p)) continue;
        any = true;
        for (int k = 0; k < 3; ++k)
            largest = std::max(largest, static_cast<double>(std::abs(p[k])));
    }
    const bv::MeshView view{cloud, {}};
    const glm::mat4x3 affine{random.in_cube(2.0f), random.in_cube(2.0f), random.in_cube(2.0f),
                             random.in_cube(9.0f)};
    for (const bv::fit::FitEntry& row : bv::fit::fit_catalog()) {
        const std::string id(row.id);
        const bv::fit::Volume volume = row.fit(view);
        expect(bv::fit::is_empty(volume) == !any, id + " is wrongly empty or not empty");
        expect(bv::fit::contains_all(volume, cloud), id + " loses a point");
        expect(!(bv::fit::volume_of(volume) < 0.0), id + " has a negative volume");
        static_cast<void>(bv::fit::center_of(volume));
        static_cast<void>(bv::fit::support(volume, random.direction()));
        static_cast<void>(bv::fit::polytope_of(volume));
        static_cast<void>(bv::fit::transformed(volume, affine));
    }
    try_hull(cloud);
    // Beyond this, the extents of boxes overflow, and there is nothing to compare.
    if (!any || largest > 1e37) return;
    const double exact = bv::fit::sphere_exact(cloud).radius;
    const double slack = exact * 1e-6 + largest * 1e-6 + 1e-40;
    expect(exact <= bv::fit::sphere_ritter(cloud).radius + slack, "Ritter beats the exact sphere");
    expect(exact <= bv::fit::sphere_epos<26>(cloud).radius + slack, "EPOS beats the exact sphere");
    expect(box_volume(bv::fit::obb_exact(cloud)) <= box_volume(bv::fit::obb_along(cloud, glm::mat3(1.0f))),
           "the AABB beats the exact box");
}

}  // namespace

int main(int argc, char** argv) {
    const double seconds = argc > 1 ? std::atof(argv[1]) : 2.0;
    g_seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    const auto start = std::chrono::steady_clock::now();
    std::uint64_t clouds = 0;
    double slowest = 0.0;
    for (;; ++g_seed) {
        Random random(g_seed * 0x9e3779b97f4a7c15u);
        const Cloud cloud = make_cloud(random);
        const std::clock_t before = std::clock();
        try_cloud(cloud, random);
        const double took = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
        slowest = std::max(slowest, took);
        expect(took < 60.0, "takes too long");
        ++clouds;
        if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() >= seconds) break;
    }
    std::printf("fuzz_fit: %llu clouds without a finding, the slowest took %.3f s\n",
                static_cast<unsigned long long>(clouds), slowest);
    return 0;
}
