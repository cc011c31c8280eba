// Spheres: the known worst cases, containment, optimality by brute force, balls of balls, scale, traces.
#include <gtest/gtest.h>

#include <variant>

#include "bv/fit/sphere.hpp"
#include "bv/query/contains.hpp"
#include "bv/shapes/contains_point.hpp"
#include "fit_test_util.hpp"

namespace bv {
namespace {

using test::Random;
using Cloud = std::vector<glm::vec3>;

struct Fit {
    const char* name;
    Sphere (*make)(std::span<const glm::vec3>);
    double worst;  // Over the smallest radius, on regular solids and generated meshes.
};
constexpr Fit kFits[] = {
    {"ritter", fit::sphere_ritter, 1.36},           {"centroid", fit::sphere_centroid, 1.8},
    {"aabb center", fit::sphere_aabb_center, 1.35}, {"epos 6", fit::sphere_epos<6>, 1.19},
    {"epos 14", fit::sphere_epos<14>, 1.02},        {"epos 26", fit::sphere_epos<26>, 1.004},
    {"epos 98", fit::sphere_epos<98>, 1.002},       {"exact", fit::sphere_exact, 1.0 + 5e-7},
};

void check_all(const Cloud& points, const std::string& name) {
    const Sphere exact = fit::sphere_exact(points);
    bool any = false;
    for (const glm::vec3& p : points)
        any = any || test::finite(p);
    for (const Fit& f : kFits) {
        const Sphere s = f.make(points);
        EXPECT_EQ(s.is_empty(), !any) << name << " " << f.name;
        for (const glm::vec3& p : points)
            ASSERT_EQ(contains_point(s, p), test::finite(p)) << name << " " << f.name;
        // No ball is smaller than the smallest, to within one float step of center and radius.
        const float step = glm::length(exact.center) * 4e-7f + 1e-44f;
        if (any) {
            EXPECT_GE(s.radius * (1 + 4e-7f) + step, exact.radius) << name << " " << f.name;
        }
    }
}

TEST(FitSphere, BadInput) {
    for (const test::NamedCloud& cloud : test::bad_clouds())
        check_all(cloud.points, cloud.name);
    for (const std::size_t count : {1u, 7u, 300u}) {
        for (const test::NamedCloud& cloud : test::kind_clouds(count))
            check_all(cloud.points, cloud.name);
    }
}

TEST(FitSphere, KnownCases) {
    const Sphere pair = fit::sphere_exact(Cloud{{-1, 0, 0}, {3, 0, 0}, {1, 1, 0}});
    EXPECT_EQ(pair, (Sphere{{1, 0, 0}, 2.0f}));
    const Sphere triangle =
        fit::sphere_exact(Cloud{{1, 0, 0}, {-0.5f, 0.8660254f, 0}, {-0.5f, -0.8660254f, 0}});
    EXPECT_NEAR(triangle.radius, 1.0f, 1e-6f);
    EXPECT_NEAR(glm::length(triangle.center), 0.0f, 1e-6f);
    EXPECT_NEAR(fit::sphere_exact(workloads::tetrahedron().positions).radius, std::sqrt(3.0f), 1e-6f);
    // An obtuse triangle: only its longest side matters.
    EXPECT_EQ(fit::sphere_exact(Cloud{{-2, 0, 0}, {2, 0, 0}, {0.5f, 0.25f, 0}}), (Sphere{{0, 0, 0}, 2.0f}));
}

TEST(FitSphere, RatiosOnSolidsAndMeshes) {
    Random random(50);
    for (const test::NamedCloud& cloud : test::mesh_clouds()) {
        for (int turn = 0; turn < 3; ++turn) {
            const Cloud points =
                turn == 0 ? cloud.points : test::turned(cloud.points, random.rotation_in_double());
            const double exact = fit::sphere_exact(points).radius;
            for (const Fit& f : kFits)
                EXPECT_LE(f.make(points).radius, exact * f.worst) << cloud.name << " " << f.name;
        }
    }
}

// Brute force over all pairs, triples and quadruples: a lower bound of the radius.
double smallest_by_force(const Cloud& points) {
    double best = std::numeric_limits<double>::infinity();
    const std::size_t n = points.size();
    const auto consider = [&](const glm::dvec3& c) {
        double reach = 0;
        for (const glm::vec3& p : points)
            reach = std::max(reach, glm::distance(c, glm::dvec3(p)));
        best = std::min(best, reach);
    };
    for (std::size_t i = 0; i < n; ++i) {
        const glm::dvec3 a(points[i]);
        consider(a);
        for (std::size_t j = i + 1; j < n; ++j) {
            const glm::dvec3 b = glm::dvec3(points[j]) - a;
            consider(a + b * 0.5);
            for (std::size_t k = j + 1; k < n; ++k) {
                const glm::dvec3 c = glm::dvec3(points[k]) - a, x = glm::cross(b, c);
                if (glm::dot(x, x) > 0)
                    consider(a + (glm::dot(b, b) * glm::cross(c, x) + glm::dot(c, c) * glm::cross(x, b)) /
                                     (2 * glm::dot(x, x)));
                for (std::size_t l = k + 1; l < n; ++l) {
                    const glm::dvec3 d = glm::dvec3(points[l]) - a;
                    const double volume = 2 * glm::dot(x, d);
                    if (volume != 0)
                        consider(a + (glm::dot(d, d) * x + glm::dot(c, c) * glm::cross(d, b) +
                                      glm::dot(b, b) * glm::cross(c, d)) /
                                         volume);
                }
            }
        }
    }
    return best;
}

TEST(FitSphere, ExactAgainstBruteForceAtEveryScale) {
    Random random(51);
    for (int i = 0; i < 1000; ++i) {
        const float scale = i % 3 == 0 ? 1.0f : std::pow(10.0f, random.range(-6, 6));
        const Cloud points = test::scaled(test::random_cloud(random, 2 + random.below(10)), scale);
        const double force = smallest_by_force(points);
        EXPECT_NEAR(fit::sphere_exact(points).radius / force, 1.0, 5e-7) << i;
    }
}

// Fischer and Gaertner's hard cases: many points at almost the same distance from the center.
TEST(FitSphere, ExactOnAlmostCosphericalPoints) {
    Random random(52);
    for (int i = 0; i < 100; ++i) {
        Cloud points;
        const float jitter = i % 2 == 0 ? 0.0f : 1e-6f;
        for (int k = 0; k < 2000; ++k)
            points.push_back(random.direction() * (1.0f + random.range(-jitter, jitter)));
        const Sphere s = fit::sphere_exact(points);
        EXPECT_NEAR(s.radius, 1.0f, 2e-6f);
        for (const glm::vec3& p : points)
            ASSERT_TRUE(contains_point(s, p));
    }
}

TEST(FitSphere, TracesEndAtTheResult) {
    Random random(53);
    for (int i = 0; i < 200; ++i) {
        const Cloud points = test::random_cloud(random, 100);
        Recording trace;
        EXPECT_EQ(fit::sphere_exact(points, trace), fit::sphere_exact(points));
        ASSERT_FALSE(trace.events().empty());
        float radius = 0;
        for (const SupportBall& step : test::events_of<SupportBall>(trace)) {
            EXPECT_GE(step.ball.radius, radius);
            radius = step.ball.radius;
            for (std::size_t k = 0; k < step.support_count; ++k)
                EXPECT_NEAR(glm::distance(points[step.support[k]], step.ball.center), radius, 1e-5f * radius);
        }
        trace.clear();
        EXPECT_EQ(fit::sphere_epos<14>(points, trace), fit::sphere_epos<14>(points));
        EXPECT_TRUE(std::holds_alternative<ExtremesFound>(trace.events().front()));
        EXPECT_TRUE(std::holds_alternative<BallMeasured>(trace.events().back()));
    }
}

bool holds(const Sphere& outer, const Sphere& inner) {
    return glm::distance(glm::dvec3(outer.center), glm::dvec3(inner.center)) +
               static_cast<double>(inner.radius) <=
           static_cast<double>(outer.radius);
}

TEST(FitSphere, MergeOfTwo) {
    EXPECT_EQ(fit::merge({{0, 0, 0}, 1}, {{4, 0, 0}, 1}), (Sphere{{2, 0, 0}, std::nextafterf(3.0f, 4.0f)}));
    EXPECT_EQ(fit::merge({{0, 0, 0}, 3}, {{1, 0, 0}, 1}), (Sphere{{0, 0, 0}, 3}));
    EXPECT_EQ(fit::merge({{1, 0, 0}, 1}, {{0, 0, 0}, 3}), (Sphere{{0, 0, 0}, 3}));
    EXPECT_EQ(fit::merge(Sphere{}, {{0, 0, 0}, 3}), (Sphere{{0, 0, 0}, 3}));
    EXPECT_EQ(fit::merge({{0, 0, 0}, 3}, Sphere{}), (Sphere{{0, 0, 0}, 3}));
    EXPECT_EQ(fit::merge({{0, 0, 0}, 3}, {{0, 0, 0}, 3}), (Sphere{{0, 0, 0}, 3}));
    EXPECT_TRUE(std::isinf(fit::merge({{0, 0, 0}, 1.0f / 0.0f}, {{0, 0, 0}, 3}).radius));
    EXPECT_EQ(fit::merge(Sphere{}, {{5, 0, 0}, 1.0f / 0.0f}), (Sphere{{0, 0, 0}, 1.0f / 0.0f}));
    EXPECT_EQ(fit::merge({{5, 0, 0}, 1.0f / 0.0f}, Sphere{}), (Sphere{{0, 0, 0}, 1.0f / 0.0f}));
    Random random(54);
    for (int i = 0; i < 20000; ++i) {
        const Sphere a{random.in_cube(5), std::abs(random.magnitude(-3, 1))};
        const Sphere b{random.in_cube(5), std::abs(random.magnitude(-3, 1))};
        const Sphere m = fit::merge(a, b);
        ASSERT_TRUE(holds(m, a) && holds(m, b));
        const double d = glm::distance(glm::dvec3(a.center), glm::dvec3(b.center));
        const double smallest =
            std::max({static_cast<double>(a.radius), static_cast<double>(b.radius),
                      (d + static_cast<double>(a.radius) + static_cast<double>(b.radius)) / 2});
        ASSERT_NEAR(m.radius / smallest, 1.0, 1e-6);
    }
}

TEST(FitSphere, BallOfBalls) {
    Random random(55);
    EXPECT_TRUE(fit::sphere_of_spheres({}).is_empty());
    EXPECT_TRUE(fit::sphere_of_spheres(std::vector<Sphere>{Sphere{}}).is_empty());
    const std::vector<Sphere> nested{{{0, 0, 0}, 1}, {{0.5f, 0, 0}, 3}, {{0, 1, 0}, 0.5f}};
    EXPECT_EQ(fit::sphere_of_spheres(nested), nested[1]);
    // On a grid balls touch from inside; by one rounding one of them may reach out.
    const std::vector<Sphere> touching{{{-2, 0, 2}, 0}, {{-1, 0x1.23da3ep-26f, 2}, 1}};
    for (const Sphere& b : touching)
        EXPECT_TRUE(contains(fit::sphere_of_spheres(touching), b));
    for (int i = 0; i < 20'000; ++i) {
        std::vector<Sphere> balls;
        for (std::uint32_t k = 0; k < 2 + random.below(3); ++k) {
            glm::vec3 center;
            for (int axis = 0; axis < 3; ++axis)
                center[axis] = static_cast<float>(random.below(5)) - 2.0f + random.range(-1e-8f, 1e-8f);
            balls.push_back({center, static_cast<float>(random.below(3))});
        }
        const Sphere s = fit::sphere_of_spheres(balls);
        for (const Sphere& b : balls)
            ASSERT_TRUE(contains(s, b)) << i;
    }
    for (int i = 0; i < 500; ++i) {
        std::vector<Sphere> balls;
        Cloud points;
        const bool are_points = i % 2 == 0;
        for (std::uint32_t k = 0; k < 2 + random.below(30); ++k) {
            balls.push_back({random.in_cube(3), are_points ? 0.0f : random.range(0, 2)});
            points.push_back(balls.back().center);
        }
        const Sphere s = fit::sphere_of_spheres(balls);
        for (const Sphere& b : balls)
            ASSERT_TRUE(holds(s, b));
        if (are_points) {
            EXPECT_NEAR(s.radius, fit::sphere_exact(points).radius, 1e-6f * s.radius);
            continue;
        }
        // No small move of the center makes it smaller. The radius is a convex function of the center, so a
        // local test is enough.
        for (int k = 0; k < 20; ++k) {
            const glm::dvec3 c = glm::dvec3(s.center) + glm::dvec3(random.direction()) * 1e-3;
            double reach = 0;
            for (const Sphere& b : balls)
                reach =
                    std::max(reach, glm::distance(c, glm::dvec3(b.center)) + static_cast<double>(b.radius));
            EXPECT_GE(reach, static_cast<double>(s.radius) * (1 - 1e-6));
        }
    }
}

}  // namespace
}  // namespace bv
