// The same pairs, rays and sweeps give the same answers to the last bit, today and on every machine: see
// test_golden.cpp. One test per kind of query.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "bv/fit/hull.hpp"
#include "bv/query/batch.hpp"
#include "bv/query/classify.hpp"
#include "bv/query/closest.hpp"
#include "bv/query/contains.hpp"
#include "bv/query/convex.hpp"
#include "bv/query/overlap.hpp"
#include "bv/query/overlap_kdop.hpp"
#include "bv/query/overlap_triangle.hpp"
#include "bv/query/raycast.hpp"
#include "bv/query/separation.hpp"
#include "bv/query/slice.hpp"
#include "bv/query/sweep.hpp"
#include "golden.hpp"
#include "tree_test_util.hpp"

namespace bv {
namespace {

using glm::vec3;
using test::Digest;
using test::Golden;
using test::Random;

constexpr int kCases = 1500;

/// Shapes around a common place; every third at integer coordinates, where touching is exact. Computed with
/// sums, products and roots only.
class Shapes {
  public:
    explicit Shapes(std::uint64_t seed) : random_(seed) {}
    vec3 point() {
        vec3 p = random_.in_cube(2.0f);
        if (whole_) p = vec3(std::round(p.x), std::round(p.y), std::round(p.z));
        return p + vec3(3, -5, 7);
    }
    float length() { return whole_ ? 1.0f : random_.range(0.1f, 1.5f); }
    vec3 sizes() {
        const float x = length(), y = length(), z = length();
        return {x, y, z};
    }
    glm::mat3 turn() {
        if (whole_) return glm::mat3(1.0f);
        for (;;) {
            const vec3 u = random_.in_cube(1.0f), v = random_.in_cube(1.0f);
            const vec3 n = glm::cross(u, v);
            if (glm::dot(u, u) < 0.05f || glm::dot(n, n) < 0.05f) continue;
            const vec3 x = u / std::sqrt(glm::dot(u, u)), z = n / std::sqrt(glm::dot(n, n));
            return {x, glm::cross(z, x), z};
        }
    }
    Aabb aabb() {
        const vec3 p = point();
        return {p, p + sizes()};
    }
    Obb obb() {
        Obb box;
        box.center = point();
        box.half_extents = sizes();
        box.axes = turn();
        return box;
    }
    Sphere sphere() {
        const vec3 p = point();
        return {p, length()};
    }
    Capsule capsule() {
        const vec3 p = point(), q = point();
        return {p, q, length()};
    }
    Triangle triangle() {
        const vec3 p = point(), q = point(), r = point();
        return {p, q, r};
    }
    Hull hull() {
        std::vector<vec3> points;
        for (int i = 0; i < 9; ++i)
            points.push_back(point());
        return fit::hull(points);
    }
    Kdop<14> kdop() {
        Kdop<14> dop;
        for (int i = 0; i < 4; ++i) {
            const vec3 p = point();
            for (std::size_t k = 0; k < 7; ++k) {
                const float d = glm::dot(Kdop<14>::direction(static_cast<int>(k)), p);
                dop.min[k] = std::min(dop.min[k], d);
                dop.max[k] = std::max(dop.max[k], d);
            }
        }
        return dop;
    }
    /// Never along an axis.
    Ray ray() {
        Ray r;
        const vec3 offset = random_.in_cube(4.0f), target = random_.in_cube(2.0f) + vec3(3, -5, 7);
        r.origin = target + 2.0f * offset;
        r.direction = target - r.origin + random_.in_cube(0.5f);
        if (random_.below(4) == 0) r.t_max = 0.8f;
        return r;
    }
    vec3 velocity() { return random_.in_cube(3.0f); }
    void next(int n) { whole_ = n % 3 == 0; }
    void general() { whole_ = false; }

  private:
    Random random_;
    bool whole_ = false;
};

TEST_F(Golden, PairsOfSolids) {
    Shapes shapes(151);
    Digest plain, convex, kdops, triangles, holding;
    for (int n = 0; n < kCases; ++n) {
        shapes.next(n);
        const Aabb a = shapes.aabb(), a2 = shapes.aabb();
        const Obb o = shapes.obb(), o2 = shapes.obb();
        const Sphere s = shapes.sphere(), s2 = shapes.sphere();
        const Capsule c = shapes.capsule(), c2 = shapes.capsule();
        const Triangle t = shapes.triangle(), t2 = shapes.triangle();
        const Hull h = shapes.hull(), h2 = shapes.hull();
        const Kdop<14> k = shapes.kdop(), k2 = shapes.kdop();
        const vec3 p = shapes.point();
        for (const bool b : {overlap(a, a2), overlap(o, o2), overlap(s, s2), overlap(a, o), overlap(a, s),
                             overlap(o, s), overlap(a, p), overlap(o, p), overlap(s, p)})
            plain.bits(b);
        const ConvexRef all[] = {ConvexRef(a), ConvexRef(o), ConvexRef(s),
                                 ConvexRef(c), ConvexRef(t), ConvexRef(h)};
        const ConvexRef others[] = {ConvexRef(h2), ConvexRef(c2), ConvexRef(t2), ConvexRef(o2)};
        for (const ConvexRef& x : all)
            for (const ConvexRef& y : others) {
                convex.bits(overlap(x, y));
                convex.number(closest_points(x, y).distance);
            }
        for (const bool b :
             {overlap(k, k2), overlap(k, p), overlap(k, ConvexRef(o)), overlap(k, ConvexRef(c)),
              overlap(k, ConvexRef(h)), contains(k, ConvexRef(t)), contains(k, k2)})
            kdops.bits(b);
        for (const bool b : {overlap(t, t2), overlap(a, t), overlap(o, t), overlap(s, t)})
            triangles.bits(b);
        if (const auto both = intersection(t, t2)) {
            triangles.vector(both->a);
            triangles.vector(both->b);
        }
        for (const bool b : {contains(a, a2),
                             contains(a, s),
                             contains(a, o),
                             contains(s, s2),
                             contains(s, a),
                             contains(s, o),
                             contains(o, s),
                             contains(o, a),
                             contains(o, o2),
                             contains(a, ConvexRef(c)),
                             contains(o, ConvexRef(h)),
                             contains(s, c),
                             contains(s, h),
                             contains(c, p),
                             contains(c, s),
                             contains(c, c2),
                             contains(c, a),
                             contains(c, h),
                             contains(h, p),
                             contains(h, a),
                             contains(h, h2),
                             contains(h, s),
                             contains(h, c),
                             contains(h, o)})
            holding.bits(b);
    }
    expect("overlap.plain", plain);
    expect("overlap.convex", convex);
    expect("overlap.kdop", kdops);
    expect("overlap.triangle", triangles);
    expect("contains", holding);
}

TEST_F(Golden, RaysAndSweeps) {
    Shapes shapes(152);
    Digest boxes, round, hulls, triangles, sweeps;
    shapes.general();
    for (int n = 0; n < kCases; ++n) {
        const Ray ray = shapes.ray();
        boxes.hit(raycast(ray, shapes.aabb()));
        boxes.hit(raycast(ray, shapes.obb()));
        boxes.hit(raycast(ray, shapes.kdop()));
        round.hit(raycast(ray, shapes.sphere()));
        round.hit(raycast(ray, shapes.capsule()));
        hulls.hit(raycast(ray, shapes.hull()));
        const Triangle t = shapes.triangle();
        triangles.hit(raycast(ray, t));
        triangles.hit(raycast(WatertightRay(ray), t));
        const Aabb a = shapes.aabb(), a2 = shapes.aabb();
        const Obb o = shapes.obb(), o2 = shapes.obb();
        const Sphere s = shapes.sphere(), s2 = shapes.sphere();
        const vec3 v = shapes.velocity();
        const float duration = n % 2 == 0 ? 1.0f : kForever;
        for (const auto& hit :
             {sweep(a, v, a2, duration), sweep(s, v, s2, duration), sweep(s, v, a, duration),
              sweep(s, v, o, duration), sweep(a, v, o, duration), sweep(o, v, o2, duration),
              sweep(a, v, s, duration), sweep(o, v, s, duration), sweep(o, v, a, duration)}) {
            sweeps.bits(hit.has_value() ? 1 : 0);
            if (!hit) continue;
            sweeps.number(hit->t_enter);
            sweeps.number(hit->t_leave);
            sweeps.vector(hit->normal);
        }
    }
    expect("raycast.boxes", boxes);
    expect("raycast.round", round);
    expect("raycast.hull", hulls);
    expect("raycast.triangle", triangles);
    expect("sweep", sweeps);
}

void feed(Digest& digest, const Separation& s) {
    digest.number(s.distance);
    digest.vector(s.axis);
    digest.bits(static_cast<std::uint64_t>(s.kind));
    digest.bits(static_cast<std::uint64_t>(s.i + 1));
    digest.bits(static_cast<std::uint64_t>(s.j + 1));
    digest.vector(s.on_a);
    digest.vector(s.on_b);
    for (int i = 0; i < s.contact_count; ++i) {
        digest.vector(s.contacts[static_cast<std::size_t>(i)].point);
        digest.number(s.contacts[static_cast<std::size_t>(i)].depth);
    }
}

TEST_F(Golden, SeparationsAndNearestPoints) {
    Shapes shapes(153);
    Digest separations, near;
    for (int n = 0; n < kCases; ++n) {
        shapes.next(n);
        const Aabb a = shapes.aabb(), a2 = shapes.aabb();
        const Obb o = shapes.obb(), o2 = shapes.obb();
        const Sphere s = shapes.sphere(), s2 = shapes.sphere();
        const Hull h = shapes.hull(), h2 = shapes.hull();
        const Triangle t = shapes.triangle();
        const vec3 p = shapes.point();
        for (const Separation& found :
             {separation(s, s2), separation(o, s), separation(a, s), separation(h, s), separation(o, o2),
              separation(a, a2), separation(a, o)})
            feed(separations, found);
        if (n % 5 == 0) {
            feed(separations, separation(h, h2));
            feed(separations, separation(o, h));
        }
        for (const vec3& q :
             {closest_point(s, p), closest_point(a, p), closest_point(o, p), closest_point(t, p),
              closest_point(Segment{t.a, t.b}, p), closest_point(ConvexRef(h), p)})
            near.vector(q);
        for (const float d : {distance(s, p), distance(a, p), distance(o, p), distance(t, p), distance(a, a2),
                              distance(s, s2), distance(a, s)})
            near.number(d);
    }
    expect("separation", separations);
    expect("closest", near);
}

TEST_F(Golden, SidesOfPlanesAndFrusta) {
    Shapes shapes(154);
    Digest sides;
    for (int n = 0; n < kCases; ++n) {
        shapes.next(n);
        const Aabb a = shapes.aabb();
        const Obb o = shapes.obb();
        const Sphere s = shapes.sphere();
        const glm::mat3 turn = shapes.turn();
        const Plane plane{turn[0], glm::dot(turn[0], shapes.point())};
        for (const Side side : {classify(s, plane), classify(a, plane), classify(o, plane)})
            sides.bits(static_cast<std::uint64_t>(side));
        for (const PlaneProjection& at : {project(s, plane), project(a, plane), project(o, plane)}) {
            sides.number(at.distance);
            sides.number(at.radius);
        }
        // A view along a rotated frame: a perspective matrix without a tangent.
        glm::mat4 view(1.0f), projection(0.0f);
        const vec3 eye = shapes.point();
        for (int i = 0; i < 3; ++i) {
            for (int k = 0; k < 3; ++k)
                view[k][i] = turn[i][k];
            view[3][i] = -glm::dot(turn[i], eye);
        }
        projection[0][0] = 1.5f;
        projection[1][1] = 2.0f;
        projection[2][2] = -1.02f;
        projection[2][3] = -1.0f;
        projection[3][2] = -0.2f;
        const Frustum frustum = frustum_of(projection * view);
        for (const Side side : {classify(s, frustum), classify(a, frustum), classify(o, frustum)})
            sides.bits(static_cast<std::uint64_t>(side));
    }
    expect("classify", sides);
}

TEST_F(Golden, Batches) {
    Shapes shapes(155);
    Digest digest;
    for (int n = 0; n < 200; ++n) {
        shapes.next(n);
        std::vector<Obb> a, b;
        for (int i = 0; i < 19; ++i) {
            a.push_back(shapes.obb());
            b.push_back(shapes.obb());
        }
        std::vector<std::uint8_t> out(19);
        overlap_pairs(a, b, out);
        for (const std::uint8_t value : out)
            digest.bits(value);
        overlap_many(a[0], b, out);
        for (const std::uint8_t value : out)
            digest.bits(value);
        std::vector<Aabb8> groups(2);
        std::vector<Aabb> boxes;
        for (int i = 0; i < 16; ++i) {
            boxes.push_back(shapes.aabb());
            groups[static_cast<std::size_t>(i / 8)].set(i % 8, boxes.back());
        }
        std::vector<Hits8> hits(2), hits_of_rays(16);
        const Ray ray = shapes.ray();
        raycast_boxes(RaySlabs(ray), ray.t_max, groups, hits);
        RaySlabs8 rays;
        for (int i = 0; i < 7; ++i)
            rays.set(i, shapes.ray());
        raycast_boxes(rays, boxes, hits_of_rays);
        for (const auto* list : {&hits, &hits_of_rays})
            for (const Hits8& h : *list) {
                digest.bits(h.mask);
                for (int i = 0; i < 8; ++i)
                    if (((h.mask >> i) & 1u) != 0) digest.number(h.t_enter[i]);
            }
    }
    expect("batch", digest);
}

TEST_F(Golden, Slices) {
    Shapes shapes(156);
    Digest digest;
    for (int n = 0; n < 150; ++n) {
        shapes.next(n);
        const Hull h = shapes.hull();
        const std::vector<vec3> positions(h.vertices.begin(), h.vertices.end());
        const std::vector<glm::uvec3> triangles(h.triangles.begin(), h.triangles.end());
        const glm::mat3 turn = shapes.turn();
        const MeshSlice cut =
            slice(MeshView{positions, triangles}, Plane{turn[0], glm::dot(turn[0], shapes.point())});
        digest.bits(static_cast<std::uint64_t>(cut.side));
        digest.bits(cut.closed);
        for (const MeshPiece* piece : {&cut.front, &cut.back}) {
            digest.bits(piece->cap_begin);
            for (const vec3& p : piece->positions)
                digest.vector(p);
            for (const glm::uvec3& t : piece->triangles)
                for (int i = 0; i < 3; ++i)
                    digest.bits(t[i]);
        }
        for (const auto& contour : cut.contours)
            for (const vec3& p : contour)
                digest.vector(p);
    }
    expect("slice", digest);
}

}  // namespace
}  // namespace bv
