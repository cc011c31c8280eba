// Smallest balls and boxes against CGAL, on generated meshes, random clouds, the regular solids, and scaled
// copies.
#include <gtest/gtest.h>

#include <cstdlib>

#include "bv/fit/hull.hpp"
#include "bv/fit/obb.hpp"
#include "bv/fit/sphere.hpp"
#include "cgal_oracle.hpp"
#include "fit_test_util.hpp"

namespace bv {
namespace {

using test::Random;
using Cloud = std::vector<glm::vec3>;

double volume_of(const Obb& box) {
    const glm::dvec3 h(box.half_extents);
    return 8.0 * h.x * h.y * h.z;
}

// BV_TEST_SCALE=10 also compares the boxes of all thousand clouds.
int scaled_count(int count) {
    const char* scale = std::getenv("BV_TEST_SCALE");
    return static_cast<int>(count * (scale != nullptr ? std::max(std::atof(scale), 0.1) : 1.0));
}

std::vector<test::NamedCloud> solids() {
    std::vector<test::NamedCloud> clouds;
    for (const workloads::MeshData& mesh :
         {workloads::octahedron(), workloads::tetrahedron(), workloads::box(glm::vec3(1)),
          workloads::dodecahedron(), workloads::icosahedron()})
        clouds.push_back({mesh.name, mesh.positions});
    return clouds;
}

TEST(Cgal, SmallestBallHasItsRadius) {
    Random random(80);
    std::vector<test::NamedCloud> clouds = test::mesh_clouds();
    for (test::NamedCloud& solid : solids())
        clouds.push_back(std::move(solid));
    for (int i = 0; i < 1000; ++i)
        clouds.push_back({"random " + std::to_string(i), test::random_cloud(random, 2 + random.below(100))});
    for (const test::NamedCloud& cloud : clouds) {
        for (const float scale : {1e-6f, 1.0f, 1e6f}) {
            const Cloud points = test::scaled(cloud.points, scale);
            const double peer = test::cgal_ball_radius(points);
            EXPECT_NEAR(fit::sphere_exact(points).radius / peer, 1.0, 1e-6)
                << cloud.name << " scaled by " << scale;
        }
    }
}

TEST(Cgal, SmallestBoxIsNotLarger) {
    Random random(81);
    std::vector<test::NamedCloud> clouds = solids();
    for (int i = 0; i < scaled_count(100); ++i)
        clouds.push_back({"random " + std::to_string(i), test::random_cloud(random, 4 + random.below(60))});
    for (const test::NamedCloud& mesh : test::mesh_clouds()) {
        if (mesh.points.size() < 1000 || scaled_count(1) > 1) clouds.push_back(mesh);
    }
    double worst = 0.0, smallest = 1.0;
    for (const test::NamedCloud& cloud : clouds) {
        const Hull hull = fit::hull(cloud.points);
        // For slabs the rounding of the stored box, a few 1e-8 of its length, exceeds 1e-6 of its thickness.
        const glm::vec3 h = fit::obb_pca_hull(cloud.points, hull).half_extents;
        const double thin = static_cast<double>(std::min({h.x, h.y, h.z})) / std::max({h.x, h.y, h.z});
        if (hull.dimension < 3 || thin < 0.01) continue;
        const double ratio = volume_of(fit::obb_exact(cloud.points)) / test::cgal_box_volume(cloud.points);
        worst = std::max(worst, ratio);
        smallest = std::min(smallest, ratio);
        EXPECT_LE(ratio, 1.0 + 1e-6 * std::max(1.0, 0.1 / thin)) << cloud.name;
        for (const float scale : {1e-6f, 1e6f}) {
            const double volume = volume_of(fit::obb_exact(test::scaled(cloud.points, scale)));
            const double cubed = std::pow(static_cast<double>(scale), 3);
            EXPECT_NEAR(volume / cubed / volume_of(fit::obb_exact(cloud.points)), 1.0,
                        2e-6 * std::max(1.0, 0.1 / thin))
                << cloud.name;
        }
    }
    RecordProperty("worst_ratio", std::to_string(worst));
    RecordProperty("best_ratio", std::to_string(smallest));
}

}  // namespace
}  // namespace bv
