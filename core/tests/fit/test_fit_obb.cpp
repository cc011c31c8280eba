// Oriented boxes: known smallest volumes, containment, scale, degenerate input, optimality against a dense
// search, traces; CGAL in test_fit_cgal.
#include <gtest/gtest.h>

#include <glm/matrix.hpp>
#include <limits>
#include <variant>

#include "bv/fit/aabb.hpp"
#include "bv/fit/hull.hpp"
#include "bv/fit/obb.hpp"
#include "bv/shapes/contains_point.hpp"
#include "fit_test_util.hpp"

namespace bv {
namespace {

using test::Random;
using Cloud = std::vector<glm::vec3>;

double volume_of(const Obb& box) {
    const glm::dvec3 h(box.half_extents);
    return 8.0 * h.x * h.y * h.z;
}
double volume_of(const Aabb& box) {
    const glm::dvec3 s = glm::dvec3(box.max) - glm::dvec3(box.min);
    return s.x * s.y * s.z;
}

struct Fit {
    const char* name;
    Obb (*make)(std::span<const glm::vec3>);
};
const Fit kFits[] = {
    {"pca", fit::obb_pca},
    {"pca hull", [](std::span<const glm::vec3> p) { return fit::obb_pca_hull(p); }},
    {"dito", [](std::span<const glm::vec3> p) { return fit::obb_dito14(p); }},
    {"exact", [](std::span<const glm::vec3> p) { return fit::obb_exact(p); }},
};

void check_all(const Cloud& points, const std::string& name) {
    bool any = false;
    for (const glm::vec3& p : points)
        any = any || test::finite(p);
    for (const Fit& f : kFits) {
        const Obb box = f.make(points);
        ASSERT_EQ(box.is_empty(), !any) << name << " " << f.name;
        for (const glm::vec3& p : points)
            ASSERT_EQ(contains_point(box, p), test::finite(p)) << name << " " << f.name;
        const glm::mat3 gram = glm::transpose(box.axes) * box.axes;
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j)
                EXPECT_NEAR(gram[i][j], i == j ? 1.0f : 0.0f, 1e-5f) << name << " " << f.name;
        }
        EXPECT_GT(glm::determinant(box.axes), 0.0f) << name << " " << f.name;
    }
    if (name == "largest") return;  // The extents themselves overflow.
    EXPECT_LE(volume_of(fit::obb_exact(points)), volume_of(fit::obb_along(points, glm::mat3(1.0f)))) << name;
    EXPECT_LE(volume_of(fit::obb_dito14(points)), volume_of(fit::obb_along(points, glm::mat3(1.0f)))) << name;
}

TEST(FitObb, BadInput) {
    for (const test::NamedCloud& cloud : test::bad_clouds())
        check_all(cloud.points, cloud.name);
    for (const std::size_t count : {1u, 7u, 100u}) {
        for (const test::NamedCloud& cloud : test::kind_clouds(count))
            check_all(cloud.points, cloud.name);
    }
}

TEST(FitObb, GeneratedMeshes) {
    Random random(60);
    for (const test::NamedCloud& cloud : test::mesh_clouds()) {
        check_all(cloud.points, cloud.name);
        const double plain = volume_of(fit::obb_exact(cloud.points));
        const Cloud turned = test::turned(cloud.points, random.rotation_in_double());
        check_all(turned, cloud.name + " turned");
        // The same box rotated; only the rounding of the rotated points differs.
        EXPECT_NEAR(volume_of(fit::obb_exact(turned)) / plain, 1.0, 2e-6) << cloud.name;
        for (const float scale : {1e-6f, 1e-3f, 1e3f, 1e6f}) {
            const double volume = volume_of(fit::obb_exact(test::scaled(cloud.points, scale)));
            EXPECT_NEAR(volume / (plain * std::pow(static_cast<double>(scale), 3)), 1.0, 2e-6)
                << cloud.name << scale;
        }
    }
}

// Ratios to the smallest volume: of the AABB, and of the principal axes of the vertices and of the hull.
TEST(FitObb, KnownSmallestBoxes) {
    const double g = (1.0 + std::sqrt(5.0)) / 2.0;
    struct Row {
        workloads::MeshData mesh;
        double smallest;
    };
    const Row rows[] = {
        {workloads::octahedron(), 64.0 / 27.0}, {workloads::tetrahedron(), 8.0},
        {workloads::box(glm::vec3(1.0f)), 8.0}, {workloads::dodecahedron(), 30.310835},
        {workloads::icosahedron(), 33.888544},
    };
    Random random(61);
    for (const Row& row : rows) {
        for (int turn = 0; turn < 20; ++turn) {
            const Cloud points = turn == 0 ? row.mesh.positions
                                           : test::turned(row.mesh.positions, random.rotation_in_double());
            const double volume = volume_of(fit::obb_exact(points));
            EXPECT_NEAR(volume / row.smallest, 1.0, 1e-6) << row.mesh.name;
            EXPECT_LE(volume, volume_of(fit::obb_pca_hull(points)) * (1 + 1e-6)) << row.mesh.name;
        }
    }
    EXPECT_NEAR(volume_of(fit::aabb_tight(rows[0].mesh.positions)), 8.0, 1e-5);
    EXPECT_NEAR(volume_of(fit::obb_pca(rows[0].mesh.positions)), 8.0, 1e-5);
    EXPECT_NEAR(volume_of(fit::aabb_tight(rows[4].mesh.positions)), 8.0 * g * g * g, 1e-4);
}

TEST(FitObb, PrincipalAxesOfTheSurfaceIgnoreTessellation) {
    // A plank with one face tessellated much finer than the others.
    Random random(62);
    workloads::MeshData mesh = workloads::box(glm::vec3(3.0f, 2.0f, 1.0f));
    for (int i = 0; i < 500; ++i) {
        const auto a = static_cast<std::uint32_t>(mesh.positions.size());
        const glm::vec3 p(3.0f, random.range(-0.1f, 0.1f) + 1.5f, random.range(-0.1f, 0.1f) + 0.5f);
        for (const glm::vec3& d : {glm::vec3(0), glm::vec3(0, 0.01f, 0), glm::vec3(0, 0, 0.01f)})
            mesh.positions.push_back(p + d);
        mesh.triangles.push_back({a, a + 1, a + 2});
    }
    EXPECT_NEAR(fit::obb_pca_surface(mesh.view()).volume(), 48.0f, 1.0f);
    EXPECT_GT(fit::obb_pca(mesh.positions).volume(), 60.0f);
    EXPECT_NEAR(fit::obb_pca_hull(mesh.positions).volume(), 48.0f, 1e-3f);
    EXPECT_TRUE(fit::obb_pca_surface(MeshView{}).is_empty());
}

TEST(FitObb, PrincipalAxesOfTheSurfaceIgnoreAFirstPointThatIsNotFinite) {
    Random random(63);
    workloads::MeshData mesh = workloads::box(glm::vec3(3.0f, 2.0f, 1.0f));
    mesh.positions = test::turned(mesh.positions, random.rotation_in_double());
    const Obb box = fit::obb_pca_surface(mesh.view());
    mesh.positions.insert(mesh.positions.begin(), glm::vec3(std::numeric_limits<float>::quiet_NaN()));
    for (glm::uvec3& triangle : mesh.triangles)
        triangle += 1u;
    EXPECT_EQ(fit::obb_pca_surface(mesh.view()), box);
}

// No box from a dense sample of rotations, each refined by descent, is smaller.
TEST(FitObb, RandomDescentFindsNothingSmaller) {
    Random random(63);
    std::vector<Cloud> clouds;
    for (int i = 0; i < 60; ++i)
        clouds.push_back(test::random_cloud(random, 4 + random.below(20)));
    // An arc's normals see a fixed vertex at a width of exactly 0, from either side.
    clouds.push_back({{0, 1, 0}, {0, 2, 0}, {2, 0, 2}, {0, 1, 2}});
    clouds.push_back({{0, 1, -1}, {1, 0, 1}, {1, 0, -1}, {1, 1, -1}});
    for (std::size_t i = 0; i < clouds.size(); ++i) {
        const Cloud& points = clouds[i];
        const Hull hull = fit::hull(points);
        if (hull.dimension < 3) continue;
        const double exact = volume_of(fit::obb_exact(points));
        const auto volume = [&](const glm::dmat3& m) {
            double product = 1.0;
            for (int k = 0; k < 3; ++k) {
                double low = 1e300, high = -1e300;
                for (const glm::vec3& v : hull.vertices) {
                    low = std::min(low, glm::dot(m[k], glm::dvec3(v)));
                    high = std::max(high, glm::dot(m[k], glm::dvec3(v)));
                }
                product *= high - low;
            }
            return product;
        };
        double best = 1e300;
        for (int start = 0; start < 60; ++start) {
            glm::dmat3 m = random.rotation_in_double();
            double current = volume(m);
            for (double step = 0.3; step > 1e-7; step *= 0.7) {
                for (int trial = 0; trial < 6; ++trial) {
                    const glm::dvec3 axis(random.direction());
                    const double c = std::cos(step), s = std::sin(step);
                    glm::dmat3 next;
                    for (int k = 0; k < 3; ++k)
                        next[k] =
                            m[k] * c + glm::cross(axis, m[k]) * s + axis * glm::dot(axis, m[k]) * (1 - c);
                    if (volume(next) < current) {
                        m = next;
                        current = volume(next);
                    }
                }
            }
            best = std::min(best, current);
        }
        EXPECT_LE(exact, best * (1 + 1e-6)) << i;
    }
}

// Hulls of so many edges that a coarser one is searched, and the best of its boxes are refined.
TEST(FitObb, LargeHullsHaveNoSmallerBoxInASampleOfFrames) {
    Random random(64);
    for (const glm::vec3& radii :
         {glm::vec3(1.0f), glm::vec3(1.0f, 1.02f, 0.99f), glm::vec3(3.0f, 2.0f, 1.0f)}) {
        const glm::mat3 turn(random.rotation_in_double());
        Cloud points;
        for (int i = 0; i < 2200; ++i)
            points.push_back(turn * (radii * random.direction()));
        ASSERT_GT(fit::hull(points).edges.size(), fit::ObbExactOptions{}.complete_up_to_edges);
        const double exact = volume_of(fit::obb_exact(points));
        EXPECT_LE(exact, volume_of(fit::obb_along(points, turn)));
        for (int i = 0; i < 3000; ++i) {
            const glm::mat3 frame(random.rotation_in_double());
            ASSERT_LE(exact, volume_of(fit::obb_along(points, frame))) << i;
        }
        // Close to the result of a search of all edges, also from a much coarser hull.
        const auto searched = [&points](std::size_t edges) {
            return volume_of(fit::obb_exact(points, fit::ObbExactOptions{.complete_up_to_edges = edges}));
        };
        const double least = searched(10000);
        EXPECT_LE(exact, 1.0001 * least);
        EXPECT_LE(searched(500), 1.001 * least);
    }
}

/// Second moments about the center, of points of weight one or of triangles weighted by area (not divided by
/// the total weight).
glm::dmat3 moments_of(const Cloud& points) {
    glm::dvec3 mean(0.0);
    for (const glm::vec3& p : points)
        mean += glm::dvec3(p) / double(points.size());
    glm::dmat3 sum(0.0);
    for (const glm::vec3& p : points)
        sum += glm::outerProduct(glm::dvec3(p) - mean, glm::dvec3(p) - mean);
    return sum;
}
template <class Vertices, class Triangles>
glm::dmat3 moments_of_surface(const Vertices& vertices, const Triangles& triangles) {
    glm::dvec3 mean(0.0);
    double mass = 0.0;
    for (const glm::uvec3& t : triangles) {
        const glm::dvec3 a(vertices[t.x]), b(vertices[t.y]), c(vertices[t.z]);
        const double area = 0.5 * glm::length(glm::cross(b - a, c - a));
        mean += area * (a + b + c) / 3.0;
        mass += area;
    }
    mean /= mass;
    glm::dmat3 sum(0.0);
    for (const glm::uvec3& t : triangles) {
        const glm::dvec3 a = glm::dvec3(vertices[t.x]) - mean, b = glm::dvec3(vertices[t.y]) - mean,
                         c = glm::dvec3(vertices[t.z]) - mean;
        const double area = 0.5 * glm::length(glm::cross(b - a, c - a));
        sum += (area / 12.0) * (glm::outerProduct(a, a) + glm::outerProduct(b, b) + glm::outerProduct(c, c) +
                                glm::outerProduct(a + b + c, a + b + c));
    }
    return sum;
}

void expect_diagonal(const glm::dmat3& moments, const Obb& box, const char* what) {
    const double trace = moments[0][0] + moments[1][1] + moments[2][2];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < i; ++j)
            EXPECT_NEAR(glm::dot(glm::dvec3(box.axes[i]), moments * glm::dvec3(box.axes[j])), 0.0,
                        2e-6 * trace)
                << what << " " << i << j;
}

// Along principal axes the second moments have no mixed terms.
TEST(FitObb, PrincipalAxesMakeTheMomentsDiagonal) {
    Random random(67);
    for (int i = 0; i < 100; ++i) {
        Cloud points;
        const glm::dmat3 turn = random.rotation();
        const glm::vec3 shift = random.in_cube(5.0f);
        for (int k = 0; k < 40; ++k) {
            const glm::vec3 p = random.in_cube(1.0f) * glm::vec3(3, 2, 1);
            points.push_back(glm::vec3(turn * glm::dvec3(p)) + shift);
        }
        expect_diagonal(moments_of(points), fit::obb_pca(points), "points");
        const Hull hull = fit::hull(points);
        expect_diagonal(moments_of_surface(hull.vertices, hull.triangles), fit::obb_pca_hull(points), "hull");
        std::vector<glm::uvec3> triangles;
        for (std::uint32_t k = 0; k + 2 < points.size(); k += 2)
            triangles.emplace_back(k, k + 1, k + 2);
        expect_diagonal(moments_of_surface(points, triangles),
                        fit::obb_pca_surface(MeshView{points, triangles}), "surface");
    }
}

TEST(FitObb2, PrincipalAxesMakeTheMomentsDiagonal) {
    Random random(68);
    for (int i = 0; i < 200; ++i) {
        std::vector<glm::vec2> points;
        const double angle = random.range(-3, 3), c = std::cos(angle), s = std::sin(angle);
        const glm::vec2 shift(random.in_cube(4.0f));
        for (int k = 0; k < 20; ++k) {
            const glm::dvec2 p(random.range(-3, 3), random.range(-1, 1));
            points.push_back(glm::vec2(c * p.x - s * p.y, s * p.x + c * p.y) + shift);
        }
        const Obb2 box = fit::obb2_pca(points);
        glm::dvec2 mean(0.0);
        for (const glm::vec2& p : points)
            mean += glm::dvec2(p) / double(points.size());
        double mixed = 0.0, along = 0.0, across = 0.0;
        for (const glm::vec2& p : points) {
            const double x = glm::dot(glm::dvec2(box.axes[0]), glm::dvec2(p) - mean);
            const double y = glm::dot(glm::dvec2(box.axes[1]), glm::dvec2(p) - mean);
            mixed += x * y;
            along += x * x;
            across += y * y;
        }
        EXPECT_NEAR(mixed, 0.0, 1e-5 * (along + across));
        EXPECT_GE(along, across);
    }
}

TEST(FitObb, RefitFollowsADeformation) {
    Random random(64);
    for (int i = 0; i < 300; ++i) {
        const Cloud points = test::random_cloud(random, 50);
        const Obb box = fit::obb_pca(points);
        const glm::mat4x3 m{random.in_cube(2), random.in_cube(2), random.in_cube(2), random.in_cube(10)};
        const Obb image = fit::obb_refit(points, box, m);
        for (const glm::vec3& p : points) {
            const glm::dvec3 q = glm::dmat4x3(m) * glm::dvec4(glm::dvec3(p), 1.0) - glm::dvec3(image.center);
            for (int k = 0; k < 3; ++k)
                ASSERT_LE(std::abs(glm::dot(glm::dvec3(image.axes[k]), q)),
                          static_cast<double>(image.half_extents[k]));
        }
        EXPECT_LE(volume_of(image), volume_of(transformed(box, m)) * (1 + 1e-5) + 1e-9);
    }
    EXPECT_TRUE(fit::obb_refit(Cloud{}, Obb{}, glm::mat4x3(1.0f)).is_empty());
}

TEST(FitObb, TracesEndAtTheResult) {
    Random random(65);
    for (int i = 0; i < 30; ++i) {
        const Cloud points = test::random_cloud(random, 60);
        Recording trace;
        EXPECT_EQ(fit::obb_dito14(points, trace), fit::obb_dito14(points));
        EXPECT_TRUE(std::holds_alternative<BoxConsidered>(trace.events().back()));
        trace.clear();
        const Obb box = fit::obb_exact(points, trace);
        EXPECT_EQ(box, fit::obb_exact(points));
        float last = std::numeric_limits<float>::infinity();
        for (const BoxConsidered& step : test::events_of<BoxConsidered>(trace)) {
            if (!step.best) continue;
            EXPECT_LE(step.volume, last * (1 + 1e-5f));
            last = step.volume;
        }
        EXPECT_NEAR(last, box.volume(), 1e-5f * last);
    }
}

TEST(FitObb2, SmallestRectangle) {
    EXPECT_TRUE(fit::obb2_exact({}).is_empty());
    EXPECT_TRUE(fit::obb2_pca({}).is_empty());
    const std::vector<glm::vec2> diamond{{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    EXPECT_NEAR(fit::obb2_exact(diamond).area(), 2.0f, 1e-5f);
    Random random(66);
    for (int i = 0; i < 500; ++i) {
        std::vector<glm::vec2> points;
        const float scale = std::pow(10.0f, random.range(-6, 6));
        for (std::uint32_t k = 0; k < 1 + random.below(30); ++k)
            points.push_back(glm::vec2(random.in_cube(scale)) * glm::vec2(1.0f, i % 5 == 0 ? 0.0f : 0.3f));
        const Obb2 box = fit::obb2_exact(points);
        for (const glm::vec2& p : points) {
            ASSERT_TRUE(contains_point(box, p));
            ASSERT_TRUE(contains_point(fit::obb2_pca(points), p));
        }
        // Brute force: every pair of points as a direction.
        double best = points.size() < 2 ? 0.0 : 1e300;
        for (std::size_t a = 0; a < points.size(); ++a) {
            for (std::size_t b = a + 1; b < points.size(); ++b) {
                const glm::dvec2 u = glm::normalize(glm::dvec2(points[b]) - glm::dvec2(points[a])),
                                 v(-u.y, u.x);
                double lo_u = 1e300, hi_u = -1e300, lo_v = 1e300, hi_v = -1e300;
                for (const glm::vec2& p : points) {
                    lo_u = std::min(lo_u, glm::dot(u, glm::dvec2(p)));
                    hi_u = std::max(hi_u, glm::dot(u, glm::dvec2(p)));
                    lo_v = std::min(lo_v, glm::dot(v, glm::dvec2(p)));
                    hi_v = std::max(hi_v, glm::dot(v, glm::dvec2(p)));
                }
                best = std::min(best, (hi_u - lo_u) * (hi_v - lo_v));
            }
        }
        const double unit = static_cast<double>(scale) * static_cast<double>(scale);
        EXPECT_NEAR(box.area() / unit, best / unit, 1e-6 + 1e-6 * best / unit);
    }
}

}  // namespace
}  // namespace bv
