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
using test::Random;
using D = glm::dvec3;

Ray random_ray(Random& rng) {
    Ray ray{rng.vec(-3, 3), rng.vec(-1, 1)};
    if (rng.chance(0.6)) ray.direction = rng.vec(-0.6f, 0.6f) - ray.origin;
    if (rng.chance(0.2)) ray.direction[rng.below(3)] = 0.0f;
    if (rng.chance(0.3)) ray.t_max = rng.range(0, 5);
    return ray;
}

/// Every sample of the ray that is inside lies in [t, t_exit]; every one well between them is inside.
template <class Solid, class Inside>
void check(Random& rng, const Ray& ray, const Solid& solid, const Inside& inside, int n) {
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
            // A point that is inside only by rounding is not deep inside.
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
    Random rng(1);
    int hits = 0;
    const int count = test::cases(20000);
    for (int n = 0; n < count && !HasFailure(); ++n) {
        const Ray ray = random_ray(rng);
        Capsule capsule{rng.vec(-1, 1), rng.vec(-1, 1), rng.range(0.05f, 0.6f)};
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

// Parallel to four of the faces, with every sign of the zeros: hits on a face, misses beside the solid.
TEST(RaycastConvex, AlongTheFacesOfABox) {
    const Aabb box{vec3(1, 2, 3), vec3(2, 4, 7)};
    std::vector<vec3> corners;
    for (int i = 0; i < 8; ++i)
        corners.emplace_back(i & 1 ? 2 : 1, i & 2 ? 4 : 2, i & 4 ? 7 : 3);
    const Hull hull = fit::hull(corners);
    Kdop<6> dop;
    for (std::size_t k = 0; k < 3; ++k) {
        dop.min[k] = box.min[int(k)];
        dop.max[k] = box.max[int(k)];
    }
    const Obb obb = test::as_obb(box);
    for (int axis = 0; axis < 3; ++axis)
        for (int signs = 0; signs < 8; ++signs) {
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            vec3 direction(0.0f);
            direction[axis] = signs & 1 ? -0.5f : 0.5f;
            if (signs & 2) direction[u] = -0.0f;
            if (signs & 4) direction[v] = -0.0f;
            const auto places = [&](int k) {
                const float lo = box.min[k], hi = box.max[k];
                return std::vector<float>{lo - 1, lo - 0.01f, lo, 0.5f * (lo + hi), hi, hi + 0.01f, hi + 1};
            };
            for (const float at_u : places(u))
                for (const float at_v : places(v)) {
                    Ray ray{vec3(0.0f), direction};
                    ray.origin[axis] = signs & 1 ? box.max[axis] + 1 : box.min[axis] - 1;
                    ray.origin[u] = at_u;
                    ray.origin[v] = at_v;
                    const bool meets =
                        box.min[u] <= at_u && at_u <= box.max[u] && box.min[v] <= at_v && at_v <= box.max[v];
                    const float length = box.max[axis] - box.min[axis];
                    for (const auto& hit :
                         {raycast(ray, box), raycast(ray, obb), raycast(ray, hull), raycast(ray, dop)}) {
                        ASSERT_EQ(hit.has_value(), meets) << axis << signs << " " << at_u << " " << at_v;
                        if (!hit) continue;
                        EXPECT_EQ(hit->t, 2.0f);
                        EXPECT_EQ(hit->t_enter, 2.0f);
                        EXPECT_EQ(hit->t_exit, 2.0f + 2.0f * length);
                        EXPECT_EQ(hit->normal[axis], signs & 1 ? 1.0f : -1.0f);
                        EXPECT_EQ(hit->point[u], at_u);
                        EXPECT_EQ(hit->point[v], at_v);
                    }
                    // Away from it.
                    ray.direction = -ray.direction;
                    EXPECT_FALSE(raycast(ray, box) || raycast(ray, obb) || raycast(ray, hull) ||
                                 raycast(ray, dop));
                }
        }
}

TEST(RaycastConvex, FlatHullsAreHitAtTheNearestTriangle) {
    Random rng(2);
    int hits = 0;
    for (int n = 0; n < 2000; ++n) {
        std::vector<vec3> points;
        const vec3 shift(3, -2, 5);
        // Small integers: the points are exactly coplanar.
        const auto up_to = [&rng](int limit) { return static_cast<int>(rng.below(2 * limit + 1)) - limit; };
        const auto lattice_point = [&] { return vec3(up_to(3), up_to(3), up_to(3)); };
        const vec3 u = lattice_point(), v = lattice_point();
        for (int i = 0; i < 9; ++i)
            points.push_back(shift + float(up_to(8)) / 8 * u + float(up_to(8)) / 8 * v);
        Hull hull = fit::hull(points);
        if (hull.dimension != 2) continue;
        Ray ray{shift + rng.vec(-3, 3), vec3(0)};
        ray.direction = shift + rng.range(-1, 1) * u + rng.range(-1, 1) * v - ray.origin;
        // By the plane and the corners: inside iff on the same side of all edges.
        const D normal = glm::cross(D(u), D(v));
        const double t = glm::dot(normal, D(shift) - D(ray.origin)) / glm::dot(normal, D(ray.direction));
        const auto hit = raycast(ray, hull);
        if (!hit) continue;
        ++hits;
        EXPECT_NEAR(double(hit->t), t, 1e-3);
        ASSERT_GE(hit->feature, 0);
        ASSERT_LT(std::size_t(hit->feature), hull.triangles.size());
        const glm::uvec3 f = hull.triangles[std::size_t(hit->feature)];
        EXPECT_TRUE(raycast(ray, Triangle{hull.vertices[f.x], hull.vertices[f.y], hull.vertices[f.z]}));
    }
    EXPECT_GT(hits, 300);
}

TEST(Watertight, AgreesWithThePlainTest) {
    Random rng(2);
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
            // Only rays within rounding of an edge or of the ray's end.
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

// Small integers: rays exactly in the plane, and triangles without area, both of which the rounded shear can
// give an area. Every hit must lie on the ray at its t.
TEST(Watertight, EdgeOnAndWithoutAreaMisses) {
    EXPECT_FALSE(raycast(WatertightRay(Ray{vec3(-2, -1, 3), vec3(3, -2, -1)}),
                         Triangle{vec3(1, -3, 2), vec3(0, 1, -1), vec3(-3, 2, 1)}));
    Random rng(4);
    int in_plane = 0, without_area = 0, hits = 0;
    for (int n = 0; n < test::cases(400000); ++n) {
        const auto grid = [&rng] { return float(int(rng.below(7)) - 3); };
        const auto place = [&grid] { return vec3(grid(), grid(), grid()); };
        // Multiplied by 0.1 they are in the plane only before rounding.
        const float unit = n % 8 == 0 ? 0.1f : n % 8 == 1 ? 1e20f : n % 8 == 2 ? 1e-20f : 1.0f;
        Ray ray{unit * place(), vec3(0)};
        ray.direction = unit * place() - ray.origin;
        Triangle t{unit * place(), unit * place(), unit * place()};
        if (rng.chance(0.5)) t.a = ray.origin + float(int(rng.below(3)) - 1) * ray.direction;
        if (rng.chance(0.25)) t.c = t.a + 2.0f * (t.b - t.a);
        const auto hit = raycast(WatertightRay(ray), t);
        if (hit) {
            const D at = D(ray.origin) + double(hit->t) * D(ray.direction);
            ASSERT_LE(glm::length(at - D(hit->point)), 3e-6 * double(unit)) << n;
            ++hits;
        }
        if (unit != 1.0f) continue;  // Integers, so that these products are exact.
        const D normal = glm::cross(D(t.b) - D(t.a), D(t.c) - D(t.a));
        if (glm::dot(normal, D(ray.direction)) != 0.0) continue;
        ASSERT_FALSE(hit) << n;
        ++(normal == D(0.0) ? without_area : in_plane);
    }
    EXPECT_GT(in_plane, test::cases(400000) / 100);
    EXPECT_GT(without_area, test::cases(400000) / 100);
    EXPECT_GT(hits, test::cases(400000) / 100);
}

/// Rays from inside a closed mesh, through points on its edges and corners: each must hit it.
TEST(Watertight, NoRayEscapesFromAClosedMesh) {
    Random rng(3);
    int aimed_at_edges = 0;
    for (const auto& mesh : {workloads::icosphere(3), workloads::rock(5, 3)}) {
        const MeshView view = mesh.view();
        const vec3 inside(0.013f, -0.021f, 0.007f);
        for (int n = 0; n < test::cases(2000); ++n) {
            const Triangle t = view.triangle(std::size_t(rng.below(int(view.triangles.size()))));
            const vec3 target = rng.chance(0.3) ? t.a : glm::mix(t.a, t.b, rng.range(0, 1));
            const WatertightRay ray(Ray{inside, (target - inside) * rng.range(0.5f, 3.0f)});
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
