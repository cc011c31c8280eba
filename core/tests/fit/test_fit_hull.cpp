// Convex hulls: closed, convex, containing every point, decided exactly; volumes against qhull.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <variant>

#include "bv/fit/hull.hpp"
#include "bv/shapes/hull.hpp"
#include "fit/hull/hull_within.hpp"
#include "fit_test_util.hpp"
#ifdef BVLAB_HAVE_QHULL
#include "qhull_oracle.hpp"
#endif

namespace bv {
namespace {

using test::Random;
using Cloud = std::vector<glm::vec3>;

// Checks all properties of a hull of these points.
void check_hull(const Hull& hull, const Cloud& points, const std::string& name) {
    std::set<std::array<float, 3>> given;
    for (const glm::vec3& p : points)
        given.insert({p.x, p.y, p.z});
    for (const glm::vec3& v : hull.vertices)
        ASSERT_TRUE(given.count({v.x, v.y, v.z})) << name;
    const std::size_t step = points.size() * hull.triangles.size() > 4000000 ? 17 : 1;
    for (std::size_t i = 0; i < points.size(); i += step)
        ASSERT_EQ(contains_point(hull, points[i]), test::finite(points[i])) << name << " point " << i;
    for (const glm::vec3& v : hull.vertices)
        ASSERT_TRUE(contains_point(hull, v)) << name;
    if (hull.dimension < 0) {
        EXPECT_TRUE(hull.is_empty());
        return;
    }
    ASSERT_EQ(hull.neighbor_begin.size(), hull.vertices.size() + 1) << name;
    std::map<std::pair<unsigned, unsigned>, int> uses;
    for (const glm::uvec3& t : hull.triangles) {
        for (int k = 0; k < 3; ++k)
            ++uses[{t[k], t[(k + 1) % 3]}];
    }
    if (hull.dimension == 3) {
        for (const auto& [edge, count] : uses) {
            ASSERT_EQ(count, 1) << name;
            ASSERT_EQ(uses.count({edge.second, edge.first}), 1u) << name;
        }
        EXPECT_EQ(hull.triangles.size(), hull.vertices.size() * 2 - 4) << name;
        EXPECT_GT(hull.volume(), 0.0) << name;
        EXPECT_TRUE(contains_point(hull, hull.centroid()) || hull.volume() < 1e-6) << name;
    }
    for (const glm::uvec2& e : hull.edges)
        EXPECT_LT(e.x, e.y);
}

void check_support(const Hull& hull, Random& random, const std::string& name) {
    std::uint32_t hint = 0;
    for (int i = 0; i < 50 && !hull.is_empty(); ++i) {
        const glm::vec3 d = i < 6
                                ? glm::vec3(i / 2 == 0, i / 2 == 1, i / 2 == 2) * (i % 2 == 0 ? 1.0f : -1.0f)
                                : random.direction();
        hint = hull.support(
            d, i % 3 == 0 ? random.below(static_cast<std::uint32_t>(hull.vertices.size())) : hint);
        const std::uint32_t best = hull.support_brute_force(d);
        const auto reach = [&](std::uint32_t v) {
            return glm::dot(glm::dvec3(d), glm::dvec3(hull.vertices[v]));
        };
        EXPECT_NEAR(reach(hint), reach(best), 1e-13 * glm::length(glm::dvec3(hull.vertices[best]))) << name;
    }
}

TEST(FitHull, KnownCases) {
    EXPECT_EQ(fit::hull(Cloud{}).dimension, -1);
    EXPECT_FALSE(contains_point(fit::hull(Cloud{}), glm::vec3(0)));
    EXPECT_EQ(fit::hull(Cloud{{1, 2, 3}, {1, 2, 3}}).dimension, 0);
    const Hull segment = fit::hull(Cloud{{0, 0, 0}, {1, 1, 1}, {3, 3, 3}, {2, 2, 2}});
    EXPECT_EQ(segment.dimension, 1);
    EXPECT_EQ(segment.vertices.size(), 2u);
    EXPECT_TRUE(contains_point(segment, {1.5f, 1.5f, 1.5f}));
    EXPECT_FALSE(contains_point(segment, {1.5f, 1.5f, 1.25f}));
    EXPECT_FALSE(contains_point(segment, {4, 4, 4}));
    EXPECT_EQ(segment.centroid(), glm::vec3(1.5f));
    const Hull square =
        fit::hull(Cloud{{0, 0, 1}, {2, 0, 1}, {1, 1, 1}, {2, 2, 1}, {0, 2, 1}, {1, 0, 1}, {0, 0, 1}});
    EXPECT_EQ(square.dimension, 2);
    EXPECT_EQ(square.vertices.size(), 4u);
    EXPECT_EQ(square.edges.size(), 4u);
    EXPECT_EQ(square.triangles.size(), 4u);
    EXPECT_EQ(square.volume(), 0.0);
    EXPECT_EQ(square.surface_area(), 8.0);
    EXPECT_EQ(square.centroid(), glm::vec3(1, 1, 1));
    EXPECT_TRUE(contains_point(square, {0.5f, 1.75f, 1}));
    EXPECT_FALSE(contains_point(square, {0.5f, 1.75f, 1.0001f}));
    EXPECT_FALSE(contains_point(square, {0.5f, 2.25f, 1}));
    // A cube with points in its interior, its faces and its edges.
    Cloud grid;
    for (int i = 0; i < 125; ++i)
        grid.push_back(glm::vec3(i % 5, i / 5 % 5, i / 25));
    const Hull cube = fit::hull(grid);
    EXPECT_EQ(cube.vertices.size(), 8u);
    EXPECT_EQ(cube.triangles.size(), 12u);
    EXPECT_EQ(cube.edges.size(), 12u);
    EXPECT_EQ(cube.volume(), 64.0);
    EXPECT_EQ(cube.surface_area(), 96.0);
    EXPECT_EQ(cube.centroid(), glm::vec3(2));
    check_hull(cube, grid, "grid");
}

TEST(FitHull, AffineImages) {
    Random random(30);
    const Hull hull = fit::hull(test::random_cloud(random, 50));
    const glm::mat4x3 mirror{glm::vec3(-2, 0, 0), glm::vec3(0, 1, 0), glm::vec3(0, 0, 1), glm::vec3(5)};
    EXPECT_NEAR(transformed(hull, mirror).volume(), 2 * hull.volume(), 1e-5 * hull.volume());
    EXPECT_EQ(polytope_of(hull).volume(), hull.volume());
    EXPECT_EQ(polytope_of(hull).surface_area(), hull.surface_area());
}

TEST(FitHull, GeneratedMeshesAtEveryScaleAndRotated) {
    Random random(31);
    for (const test::NamedCloud& cloud : test::mesh_clouds()) {
        const Hull plain = fit::hull(cloud.points);
        check_hull(plain, cloud.points, cloud.name);
        check_support(plain, random, cloud.name);
        for (const float scale : {1e-6f, 1e-3f, 1e3f, 1e6f}) {
            const Cloud copy = test::scaled(cloud.points, scale);
            const Hull hull = fit::hull(copy);
            EXPECT_NEAR(hull.volume() / (std::pow(static_cast<double>(scale), 3) * plain.volume()), 1.0, 1e-6)
                << cloud.name;
        }
        const Cloud copy = test::turned(cloud.points, random.rotation_in_double());
        const Hull hull = fit::hull(copy);
        check_hull(hull, copy, cloud.name + " turned");
        EXPECT_NEAR(hull.volume() / plain.volume(), 1.0, 1e-6) << cloud.name;
    }
}

TEST(FitHull, RandomAndDegenerateClouds) {
    Random random(32);
    for (int i = 0; i < 1000; ++i) {
        const Cloud cloud = test::random_cloud(random, 1 + random.below(i % 10 == 0 ? 300 : 30));
        const Hull hull = fit::hull(cloud);
        check_hull(hull, cloud, "random " + std::to_string(i));
        check_support(hull, random, "random " + std::to_string(i));
    }
    for (const std::size_t count : {5u, 60u, 500u}) {
        for (const test::NamedCloud& cloud : test::kind_clouds(count)) {
            const Hull hull = fit::hull(cloud.points);
            check_hull(hull, cloud.points, cloud.name);
            check_support(hull, random, cloud.name);
        }
    }
    for (const test::NamedCloud& cloud : test::bad_clouds())
        check_hull(fit::hull(cloud.points), cloud.points, cloud.name);
}

// Points on a small grid, perturbed by single rounding steps: every orientation test is close to zero.
TEST(FitHull, NearlyCoplanarPoints) {
    Random random(33);
    for (int i = 0; i < 500; ++i) {
        Cloud cloud;
        const glm::vec3 base(random.range(0.5f, 1), random.range(0.5f, 1), random.range(0.5f, 1));
        const std::uint32_t range = 1 + random.below(4);
        for (int k = 0; k < 40; ++k) {
            glm::vec3 p = base;
            for (int axis = 0; axis < 3; ++axis) {
                for (std::uint32_t s = random.below(range); s > 0; --s)
                    p[axis] = std::nextafterf(p[axis], 2.0f);
            }
            if (i % 2 == 0) p += glm::vec3(random.below(3), random.below(3), 0) * (base * 0.25f);
            cloud.push_back(p);
        }
        check_hull(fit::hull(cloud), cloud, "rounding steps " + std::to_string(i));
    }
}

// The coarse hull from which the search for boxes starts: fewer vertices, and no point farther outside than
// the tolerance.
TEST(FitHull, WithinATolerance) {
    Random random(34);
    for (int i = 0; i < 40; ++i) {
        Cloud points;
        const glm::vec3 stretch(1.0f, random.range(0.1f, 1.0f), random.range(0.1f, 1.0f));
        for (int k = 0; k < 300; ++k)
            points.push_back(i % 2 == 0 ? random.direction() * stretch : random.in_cube(1.0f) * stretch);
        const Hull exact = fit::hull(points);
        EXPECT_EQ(detail::hull_within(points, 0.0).vertices, exact.vertices);
        for (const double tolerance : {0.002, 0.02, 0.1}) {
            const Hull coarse = detail::hull_within(points, tolerance);
            if (coarse.dimension < 3) continue;
            EXPECT_LE(coarse.vertices.size(), exact.vertices.size());
            double outside = 0.0;
            for (const glm::uvec3& t : coarse.triangles) {
                const glm::dvec3 a(coarse.vertices[t.x]), b(coarse.vertices[t.y]), c(coarse.vertices[t.z]);
                const glm::dvec3 normal = glm::normalize(glm::cross(b - a, c - a));
                for (const glm::vec3& p : points)
                    outside = std::max(outside, glm::dot(normal, glm::dvec3(p) - a));
            }
            EXPECT_LE(outside, 1.5 * tolerance)
                << i;  // a point near its own face may be farther from another
            if (tolerance == 0.1 && i % 2 == 0) {
                EXPECT_LT(coarse.vertices.size(), exact.vertices.size() / 2);
            }
        }
    }
}

TEST(FitHull, TraceRecordsEveryStep) {
    Random random(34);
    const Cloud cloud = test::random_cloud(random, 300);
    Recording trace;
    const Hull traced = fit::hull(cloud, trace);
    const Hull plain = fit::hull(cloud);
    EXPECT_EQ(traced.vertices, plain.vertices);
    long faces = 4;
    std::size_t count = 0;
    for (const HullPointAdded& added : test::events_of<HullPointAdded>(trace)) {
        EXPECT_EQ(added.point, cloud[added.point_index]);
        faces += static_cast<long>(added.faces_added) - static_cast<long>(added.faces_removed);
        if (++count <= 4) {
            EXPECT_EQ(added.faces_removed, 0u);
        } else {
            EXPECT_GT(added.distance, 0.0f);
        }
    }
    EXPECT_EQ(faces, static_cast<long>(plain.triangles.size()));
}

#ifdef BVLAB_HAVE_QHULL
TEST(FitHull, VolumeAgreesWithQhull) {
    Random random(35);
    std::vector<test::NamedCloud> clouds = test::mesh_clouds();
    for (int i = 0; i < 1000; ++i)
        clouds.push_back({"random " + std::to_string(i), test::random_cloud(random, 5 + random.below(100))});
    for (const test::NamedCloud& cloud : clouds) {
        for (const float scale : {1e-6f, 1.0f, 1e6f}) {
            const Cloud points = test::scaled(cloud.points, scale);
            const Hull hull = fit::hull(points);
            const double peer = test::qhull_volume(points);
            ASSERT_GT(peer, 0.0) << cloud.name;
            EXPECT_NEAR(hull.volume() / peer, 1.0, 1e-6) << cloud.name << " scaled by " << scale;
        }
    }
}
#endif

}  // namespace
}  // namespace bv
