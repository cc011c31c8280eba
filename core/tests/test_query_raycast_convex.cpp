// Ray casts against capsules, hulls and k-DOPs by dense sampling, and the watertight triangle test on closed
// meshes.
#include <gtest/gtest.h>

#include "bv/fit/hull.hpp"
#include "bv/query/overlap_kdop.hpp"
#include "bv/query/raycast.hpp"
#include "query_cases.hpp"
#include "workloads/meshes.hpp"

namespace bv {
namespace {

using glm::vec3;
using test::Rng;
using D = glm::dvec3;

Ray random_ray(Rng& rng) {
    Ray ray{rng.vec(-3, 3), rng.vec(-1, 1)};
    if (rng.chance(0.6)) ray.direction = rng.vec(-0.6f, 0.6f) - ray.origin;
    if (rng.chance(0.2)) ray.direction[rng.below(3)] = 0.0f;
    if (rng.chance(0.3)) ray.t_max = rng.inf(0, 5);
    return ray;
}

/// Every sample of the ray that is inside lies in [t, t_exit], every one well between them is inside.
template <class Solid, class Inside>
void check(Rng& rng, const Ray& ray, const Solid& solid, const Inside& inside, int n) {
    const auto hit = raycast(ray, solid);
    const double reach = std::min(double(ray.t_max), 10.0);
    const double speed = glm::length(D(ray.direction)) + 1e-9;
    const double slack = 1e-5 / speed + 1e-6;
    for (int k = 0; k < 16; ++k) {
        double t = rng.in(0, reach);
        if (hit && k < 8) t = rng.in(double(hit->t), std::min(double(hit->t_exit), reach));
        if (!(t >= 0.0 && t <= reach)) continue;
        const vec3 p(D(ray.origin) + t * D(ray.direction));
        if (hit && t > double(hit->t) + slack && t < double(hit->t_exit) - slack) {
            EXPECT_TRUE(inside(p)) << n;
        } else if (!hit || t < double(hit->t) - slack || t > double(hit->t_exit) + slack) {
            // A point that rounding put just inside is not deep inside.
            if (inside(p)) {
                bool deep = true;
                for (int i = 0; i < 6; ++i)
                    deep = deep && inside(p + vec3(i == 0, i == 1, i == 2) * 1e-4f -
                                          vec3(i == 3, i == 4, i == 5) * 1e-4f);
                EXPECT_FALSE(deep) << n;
            }
        }
    }
    if (!hit) return;
    EXPECT_EQ(hit->t == 0.0f && hit->feature == -1, inside(ray.origin) && hit->t_enter < 0.0f) << n;
    if (hit->feature < 0) return;
    EXPECT_NEAR(glm::length(hit->normal), 1.0f, 1e-4f) << n;
    EXPECT_FALSE(inside(hit->point + hit->normal * 1e-3f)) << n;
    EXPECT_LE(glm::dot(hit->normal, ray.direction), 1e-4f) << n;
}

TEST(RaycastConvex, AgainstDenseSampling) {
    Rng rng(1);
    int hits = 0;
    const int count = test::cases(20000);
    for (int n = 0; n < count && !HasFailure(); ++n) {
        const Ray ray = random_ray(rng);
        Capsule capsule{rng.vec(-1, 1), rng.vec(-1, 1), rng.inf(0.05f, 0.6f)};
        if (rng.chance(0.1)) capsule.b = capsule.a;
        check(
            rng, ray, capsule, [&](const vec3& p) { return contains_point(capsule, p); }, n);
        Kdop<14> dop;
        std::vector<vec3> points;
        for (int i = 0; i < 10; ++i) {
            points.push_back(rng.vec(-1, 1));
            for (std::size_t k = 0; k < 7; ++k) {
                const float d = glm::dot(Kdop<14>::direction(int(k)), points.back());
                dop.min[k] = std::min(dop.min[k], d);
                dop.max[k] = std::max(dop.max[k], d);
            }
        }
        check(
            rng, ray, dop, [&](const vec3& p) { return contains_point(dop, p); }, n);
        const Hull hull = fit::hull(points);
        check(
            rng, ray, hull, [&](const vec3& p) { return contains_point(hull, p); }, n);
        hits += raycast(ray, hull).has_value();
    }
    EXPECT_GT(hits, count / 5);
}

TEST(RaycastConvex, ByHand) {
    const Capsule rod{vec3(0), vec3(0, 4, 0), 1};
    const auto side = raycast(Ray{vec3(-5, 2, 0), vec3(2, 0, 0)}, rod);
    ASSERT_TRUE(side);
    EXPECT_EQ(side->t, 2.0f);
    EXPECT_EQ(side->t_exit, 3.0f);
    EXPECT_EQ(side->feature, 0);
    EXPECT_EQ(side->normal, vec3(-1, 0, 0));
    const auto end = raycast(Ray{vec3(0, 10, 0), vec3(0, -1, 0)}, rod);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->t, 5.0f);
    EXPECT_EQ(end->feature, 2);
    EXPECT_EQ(end->t_exit, 11.0f);
    EXPECT_TRUE(raycast(Ray{vec3(1, -9, 0), vec3(0, 1, 0)}, rod)) << "along the side, touching";
    EXPECT_FALSE(raycast(Ray{vec3(1.001f, -9, 0), vec3(0, 1, 0)}, rod));
    EXPECT_TRUE(raycast(Ray{vec3(0, 1, 0), vec3(0)}, rod));
    EXPECT_FALSE(raycast(Ray{vec3(0, 9, 0), vec3(0)}, rod));
    EXPECT_FALSE(raycast(Ray{vec3(0, 9, 0), vec3(0, -1, 0)}, Capsule{}));
    EXPECT_FALSE(raycast(Ray{vec3(0, 9, 0), vec3(0, -1, 0)}, Hull{}));
    const Hull square = fit::hull(std::vector<vec3>{vec3(0), vec3(1, 0, 0), vec3(1, 1, 0), vec3(0, 1, 0)});
    const auto flat = raycast(Ray{vec3(0.5f, 0.25f, 3), vec3(0, 0, -1)}, square);
    ASSERT_TRUE(flat);
    EXPECT_EQ(flat->t, 3.0f);
    EXPECT_EQ(flat->normal, vec3(0, 0, 1));
}

TEST(Watertight, AgreesWithThePlainTest) {
    Rng rng(2);
    int hits = 0;
    const int count = test::cases(200000);
    for (int n = 0; n < count; ++n) {
        const float unit = rng.scale();
        Triangle t = rng.triangle(unit);
        Ray ray = random_ray(rng);
        ray.origin *= unit;
        ray.direction *= unit;
        const auto plain = raycast(ray, t);
        const auto tight = raycast(WatertightRay(ray), t);
        if (plain.has_value() != tight.has_value()) {
            // Only rays that pass an edge, or an end of the ray, by rounding.
            const auto& hit = plain ? *plain : *tight;
            const float edge = std::min({hit.u, hit.v, 1.0f - hit.u - hit.v});
            ASSERT_TRUE(edge < 1e-3f || hit.t < 1e-5f || std::abs(hit.t - ray.t_max) < 1e-5f) << n;
            continue;
        }
        if (!plain) continue;
        ++hits;
        const float grazing = std::abs(glm::dot(glm::normalize(ray.direction), plain->normal));
        const float tolerance = 1e-5f * (1.0f + plain->t) / std::max(grazing, 1e-3f);
        ASSERT_NEAR(plain->t, tight->t, tolerance) << n;
        ASSERT_EQ(plain->feature, tight->feature) << n;
        ASSERT_NEAR(plain->u, tight->u, 1e-2f);
    }
    EXPECT_GT(hits, count / 20);
    EXPECT_FALSE(
        raycast(WatertightRay(Ray{vec3(0), vec3(0)}), Triangle{vec3(-1), vec3(1, 0, 0), vec3(0, 1, 0)}));
    EXPECT_FALSE(raycast(WatertightRay(Ray{vec3(std::nanf("")), vec3(1)}),
                         Triangle{vec3(-1), vec3(1, 0, 0), vec3(0, 1, 0)}));
}

/// Rays out of the inside of a closed mesh, through points on its edges and corners: each has to hit
/// something.
TEST(Watertight, NoRayEscapesFromAClosedMesh) {
    Rng rng(3);
    int aimed_at_edges = 0;
    for (const auto& mesh : {workloads::icosphere(3), workloads::rock(5, 3)}) {
        const MeshView view = mesh.view();
        const vec3 inside(0.013f, -0.021f, 0.007f);
        for (int n = 0; n < test::cases(2000); ++n) {
            const Triangle t = view.triangle(std::size_t(rng.below(int(view.triangles.size()))));
            const vec3 target = rng.chance(0.3) ? t.a : glm::mix(t.a, t.b, rng.inf(0, 1));
            const WatertightRay ray(Ray{inside, (target - inside) * rng.inf(0.5f, 3.0f)});
            bool hit = false;
            for (std::size_t i = 0; i < view.triangles.size() && !hit; ++i)
                hit = raycast(ray, view.triangle(i)).has_value();
            ASSERT_TRUE(hit) << mesh.name << ' ' << n;
            ++aimed_at_edges;
        }
    }
    EXPECT_GE(aimed_at_edges, test::cases(2000));
}

}  // namespace
}  // namespace bv
