// bv/query in the table, except meshes (table_meshes.cpp) and pairs of shapes (table_pairs.cpp).
#include "bv/query/batch.hpp"
#include "bv/query/classify.hpp"
#include "bv/query/closest.hpp"
#include "bv/query/overlap.hpp"
#include "bv/query/overlap_kdop.hpp"
#include "bv/query/raycast.hpp"
#include "bv/query/sweep.hpp"
#include "bv/query/voxels.hpp"
#include "table.hpp"

namespace bv::test {
namespace {

using glm::vec3;

void require_zero_or_unit(const vec3& v) {
    const double size = glm::length(glm::dvec3(v));
    require(size == 0.0 || std::abs(size - 1.0) < 1e-4, "a normal that is neither zero nor of unit length");
}
bool is_same(const vec3& a, const vec3& b) {
    return a == b || (has_nan_in(a) && has_nan_in(b));
}

std::optional<RayHit> checked(const Ray& ray, const std::optional<RayHit>& hit) {
    if (!hit) return hit;
    require(hit->t >= ray.t_begin() && hit->t <= ray.t_max, "a hit off the ray");
    require_zero_or_unit(hit->normal);
    return hit;
}
template <class Solid>
Row ray_row(std::string function) {
    return empty_stays_empty({std::move(function)}, [](const Ray& ray, const Solid& solid) {
        return checked(ray, raycast(ray, solid));
    });
}
template <class Solid>
Row ray_row(std::string function, std::string traced) {
    return empty_stays_empty({std::move(function), std::move(traced)},
                             [](const Ray& ray, const Solid& solid) {
                                 const auto hit = raycast(ray, solid);
                                 Recording trace;
                                 const auto again = raycast(ray, solid, trace);
                                 require(hit.has_value() == again.has_value() && (!hit || hit->t == again->t),
                                         "a different hit with a trace");
                                 return checked(ray, hit);
                             });
}
template <int K>
Row kdop_ray() {
    return ray_row<Kdop<K>>("raycast(Ray, Kdop<K>)", "raycast(Ray, Kdop<K>, Recording)");
}

std::vector<Row> ray_rows() {
    std::vector<Row> rows;
    rows.push_back(ray_row<Sphere>("raycast(Ray, Sphere)"));
    rows.push_back(ray_row<Aabb>("raycast(Ray, Aabb)", "raycast(Ray, Aabb, Recording)"));
    rows.push_back(ray_row<Obb>("raycast(Ray, Obb)", "raycast(Ray, Obb, Recording)"));
    rows.push_back(ray_row<Triangle>("raycast(Ray, Triangle)", "raycast(Ray, Triangle, Recording)"));
    rows.push_back(ray_row<Capsule>("raycast(Ray, Capsule)"));
    rows.push_back(ray_row<Hull>("raycast(Ray, Hull)"));
    append(rows, {kdop_ray<6>(), kdop_ray<8>(), kdop_ray<14>(), kdop_ray<18>(), kdop_ray<26>()});
    rows.push_back(empty_stays_empty(
        {"WatertightRay::WatertightRay(Ray)", "raycast(WatertightRay, Triangle)"},
        [](const Ray& ray, const Triangle& t) { return checked(ray, raycast(WatertightRay(ray), t)); }));
    rows.push_back(
        empty_stays_empty({"RaySlabs::RaySlabs(Ray)", "RaySlabs::hit(Aabb, float, float)",
                           "RaySlabs::clamp_end(float)", "RaySlabs::hit_in_double(Aabb, float, float)"},
                          [](const Ray& ray, const Aabb& box, float t_max) {
                              const RaySlabs slabs(ray);
                              const float end = slabs.clamp_end(t_max);
                              require(std::isnan(t_max) || end <= t_max, "a later end");
                              float t = 0.0f, exact = 0.0f;
                              const bool hit = slabs.hit(box, t_max, t);
                              if (!box.is_empty() && slabs.hit_in_double(box, t_max, exact)) {
                                  require(hit, "a missed box");
                                  require(exact >= ray.t_begin() && exact <= t_max, "a hit off the ray");
                              }
                              require(!hit || t >= ray.t_begin(), "a hit before the ray");
                              return hit;
                          }));
    // Its precondition is a box that is not empty.
    rows.push_back(no_nan({"RaySlabs::hit_nonempty(Aabb, float, float)"},
                          [](const Ray& ray, const Aabb& box, float t_max) {
                              float t = 0.0f, same = 0.0f;
                              if (box.is_empty()) return 0.0f;
                              const RaySlabs slabs(ray);
                              const bool hit = slabs.hit_nonempty(box, t_max, t);
                              require(hit == slabs.hit(box, t_max, same), "a different result than hit's");
                              return hit ? t : 0.0f;
                          }));
    rows.push_back(no_nan({"RaySlabs::is_behind(float, float)"}, [](float t, float limit) {
        if (std::isnan(t) || std::isnan(limit)) require(!RaySlabs::is_behind(t, limit), "behind NaN");
        if (t <= limit && limit >= 0.0f)
            require(!RaySlabs::is_behind(t, limit), "behind a limit that is not nearer");
    }));
    return rows;
}

template <class A, class B>
Row sweep_row(std::string function) {
    return empty_stays_empty(
        {std::move(function)}, [](const A& a, const vec3& velocity, const B& b, float duration) {
            const auto hit = sweep(a, velocity, b, duration);
            if (hit) {
                require(hit->t_enter >= 0.0f && hit->t_enter <= duration && hit->t_leave >= hit->t_enter,
                        "not within the duration");
                require_zero_or_unit(hit->normal);
            }
            return hit;
        });
}
template <class A>
Row traced_sweep_row(std::string function) {
    return empty_stays_empty(
        {std::move(function)}, [](const A& a, const vec3& velocity, const A& b, float duration) {
            Recording trace;
            const auto hit = sweep(a, velocity, b, duration, trace);
            const auto fast = sweep(a, velocity, b, duration);
            require(hit.has_value() == fast.has_value() && (!hit || hit->t_enter == fast->t_enter),
                    "a different hit with a trace");
            return hit;
        });
}

std::vector<Row> sweep_rows() {
    return {sweep_row<Aabb, Aabb>("sweep(Aabb, vec3, Aabb, float)"),
            sweep_row<Sphere, Sphere>("sweep(Sphere, vec3, Sphere, float)"),
            sweep_row<Sphere, Aabb>("sweep(Sphere, vec3, Aabb, float)"),
            sweep_row<Sphere, Obb>("sweep(Sphere, vec3, Obb, float)"),
            sweep_row<Aabb, Obb>("sweep(Aabb, vec3, Obb, float)"),
            sweep_row<Obb, Obb>("sweep(Obb, vec3, Obb, float)"),
            sweep_row<Aabb, Sphere>("sweep(Aabb, vec3, Sphere, float)"),
            sweep_row<Obb, Sphere>("sweep(Obb, vec3, Sphere, float)"),
            sweep_row<Obb, Aabb>("sweep(Obb, vec3, Aabb, float)"),
            traced_sweep_row<Aabb>("sweep(Aabb, vec3, Aabb, float, Recording)"),
            traced_sweep_row<Obb>("sweep(Obb, vec3, Obb, float, Recording)")};
}

template <class Solid>
Row plane_row(std::string function) {
    return empty_stays_empty({std::move(function), "classify(Solid, Plane)"},
                             [](const Solid& solid, const Plane& plane) {
                                 const PlaneProjection p = project(solid, plane);
                                 require(classify(solid, plane) == p.side, "two answers");
                                 return p;
                             });
}
template <class Solid>
Row convex_plane_row() {
    return empty_stays_empty({"project(ConvexRef, Plane)"}, [](const Solid& solid, const Plane& plane) {
        return project(ConvexRef(solid), plane);
    });
}
template <class Solid>
Row frustum_row(std::string plain, std::string hinted, std::string traced) {
    return empty_stays_empty(
        {std::move(plain), std::move(hinted), std::move(traced), "FrustumHint::for_children()"},
        [](const Solid& solid, const Frustum& frustum) {
            const Side side = classify(solid, frustum);
            for (const unsigned first : {0u, 5u, 6u, 31u, 32u, 255u}) {
                FrustumHint hint{static_cast<std::uint8_t>(first), 0xff};
                std::uint32_t tested = 0;
                FrustumHint traced_hint = hint;
                Recording trace;
                require(classify(solid, frustum, traced_hint, trace) == side,
                        "a different result with a trace");
                require(classify(solid, frustum, hint, &tested) == side, "a different result with a hint");
                require(tested <= 6, "more than six planes");
                FrustumHint below = hint.for_children();
                require(classify(solid, frustum, below) == side, "a different result as its own child");
            }
            // A NaN plane decides nothing; the others may.
            return is_empty_argument(solid) || side != Side::Front ? Side::Intersecting : side;
        });
}

std::vector<Row> side_rows() {
    std::vector<Row> rows;
    rows.push_back(plane_row<Sphere>("project(Sphere, Plane)"));
    rows.push_back(plane_row<Aabb>("project(Aabb, Plane)"));
    rows.push_back(plane_row<Obb>("project(Obb, Plane)"));
    append(rows,
           {convex_plane_row<Sphere>(), convex_plane_row<Aabb>(), convex_plane_row<Obb>(),
            convex_plane_row<Capsule>(), convex_plane_row<RectSweptSphere>(), convex_plane_row<Triangle>(),
            convex_plane_row<Segment>(), convex_plane_row<Hull>(), convex_plane_row<vec3>()});
    rows.push_back(frustum_row<Sphere>("classify(Sphere, Frustum)",
                                       "classify(Sphere, Frustum, FrustumHint, uint32_t*)",
                                       "classify(Sphere, Frustum, FrustumHint, Recording)"));
    rows.push_back(frustum_row<Aabb>("classify(Aabb, Frustum)",
                                     "classify(Aabb, Frustum, FrustumHint, uint32_t*)",
                                     "classify(Aabb, Frustum, FrustumHint, Recording)"));
    rows.push_back(frustum_row<Obb>("classify(Obb, Frustum)",
                                    "classify(Obb, Frustum, FrustumHint, uint32_t*)",
                                    "classify(Obb, Frustum, FrustumHint, Recording)"));
    rows.push_back(formula({"frustum_of(mat4)"}, [](const glm::mat4& m) {
        const Frustum f = frustum_of(m);
        for (const Plane& p : f.planes)
            if (!has_nan_in(p)) require_zero_or_unit(p.normal);
        return f;
    }));
    return rows;
}

template <class Solid>
Row closest_row(std::string function) {
    return formula({std::move(function)}, [](const Solid& solid, const vec3& p) {
        const vec3 c = closest_point(solid, p);
        require(!has_nan_in(c) || has_nan_in(p), "NaN that is not the point's own");
        if (is_empty_argument(solid) || is_empty_argument(p)) require(is_same(c, p), "not the query point");
        return c;
    });
}
template <class Solid>
Row convex_closest_row() {
    return formula({"closest_point(ConvexRef, vec3)"}, [](const Solid& solid, const vec3& p) {
        const vec3 c = closest_point(ConvexRef(solid), p);
        require(!has_nan_in(c) || has_nan_in(p), "NaN that is not the point's own");
        if (is_empty_argument(solid) || is_empty_argument(p)) require(is_same(c, p), "not the query point");
        return c;
    });
}
template <class A, class B>
Row distance_row(std::string function) {
    return empty_stays_empty({std::move(function)}, [](const A& a, const B& b) {
        const float d = distance(a, b);
        require(d >= 0.0f, "a negative distance");
        return d;
    });
}

std::vector<Row> closest_rows() {
    std::vector<Row> rows;
    rows.push_back(closest_row<Plane>("closest_point(Plane, vec3)"));
    rows.push_back(closest_row<Segment>("closest_point(Segment, vec3)"));
    rows.push_back(closest_row<Sphere>("closest_point(Sphere, vec3)"));
    rows.push_back(closest_row<Aabb>("closest_point(Aabb, vec3)"));
    rows.push_back(closest_row<Obb>("closest_point(Obb, vec3)"));
    rows.push_back(closest_row<Triangle>("closest_point(Triangle, vec3)"));
    append(rows, {convex_closest_row<Sphere>(), convex_closest_row<Aabb>(), convex_closest_row<Obb>(),
                  convex_closest_row<Capsule>(), convex_closest_row<RectSweptSphere>(),
                  convex_closest_row<Hull>(), convex_closest_row<Segment>(), convex_closest_row<vec3>()});
    rows.push_back(distance_row<Segment, vec3>("distance(Segment, vec3)"));
    rows.push_back(distance_row<Sphere, vec3>("distance(Sphere, vec3)"));
    rows.push_back(distance_row<Aabb, vec3>("distance(Aabb, vec3)"));
    rows.push_back(distance_row<Obb, vec3>("distance(Obb, vec3)"));
    rows.push_back(distance_row<Triangle, vec3>("distance(Triangle, vec3)"));
    rows.push_back(distance_row<Sphere, Sphere>("distance(Sphere, Sphere)"));
    rows.push_back(distance_row<Aabb, Aabb>("distance(Aabb, Aabb)"));
    rows.push_back(distance_row<Aabb, Sphere>("distance(Aabb, Sphere)"));
    return rows;
}

std::vector<Row> batch_rows() {
    std::vector<Row> rows;
    rows.push_back(empty_stays_empty(
        {"overlap_pairs(span<Obb>, span<Obb>, span<uint8_t>, Simd)",
         "overlap_many(Obb, span<Obb>, span<uint8_t>, Simd)"},
        [](const Obb& a, const Obb& b) {
            const std::vector<Obb> many_a(9, a), many_b(9, b);
            for (const Simd simd : {Simd::Scalar, best_simd()}) {
                std::vector<std::uint8_t> out(9, 7);
                overlap_pairs(many_a, many_b, out, simd);
                for (const std::uint8_t o : out)
                    require(o == (overlap(a, b) ? 1 : 0), "a different result in a batch of pairs");
                overlap_many(a, many_b, out, simd);
                for (const std::uint8_t o : out)
                    require(o == (overlap(a, b) ? 1 : 0), "a different result in a batch");
            }
            return overlap(a, b);
        }));
    rows.push_back(empty_stays_empty(
        {"Aabb8::Aabb8()", "Aabb8::set(int, Aabb)", "Aabb8::get(int)", "RaySlabs8::RaySlabs8()",
         "RaySlabs8::set(int, Ray)", "raycast_boxes(RaySlabs, float, span<Aabb8>, span<Hits8>, Simd)",
         "raycast_boxes(RaySlabs8, span<Aabb>, span<Hits8>, Simd)"},
        [](const Ray& ray, const Aabb& box) {
            Aabb8 boxes;
            boxes.set(5, box);
            require(boxes.get(4).is_empty() && !has_nan_in(boxes.get(5)), "a slot");
            RaySlabs8 rays;
            rays.set(2, ray);
            float t = 0.0f;
            const bool expected = RaySlabs(ray).hit(box, ray.t_max, t);
            for (const Simd simd : {Simd::Scalar, best_simd()}) {
                Hits8 hits;
                raycast_boxes(RaySlabs(ray), ray.t_max, {&boxes, 1}, {&hits, 1}, simd);
                require(hits.mask == (expected ? 1u << 5 : 0u), "a different result of eight boxes");
                require(!expected || hits.t_enter[5] == t, "a different time of eight boxes");
                raycast_boxes(rays, {&box, 1}, {&hits, 1}, simd);
                require(hits.mask == (expected ? 1u << 2 : 0u), "a different result of eight rays");
            }
            return expected;
        }));
    return rows;
}

std::vector<Row> voxel_rows() {
    std::vector<Row> rows;
    const auto grid = [] {
        VoxelGrid g = *VoxelGrid::make({3, 2, 2}, vec3(-0.5f), 0.5f);
        for (int i = 0; i < 3; ++i)
            g.set({i, i % 2, 1}, true);
        return g;
    };
    rows.push_back(empty_stays_empty(
        {"overlap(VoxelGrid, RigidTransform, VoxelGrid, RigidTransform, VoxelOverlapStats*)",
         "overlapping_voxels(VoxelGrid, RigidTransform, VoxelGrid, RigidTransform, size_t, "
         "VoxelOverlapStats*)",
         "overlapping_voxels(VoxelGrid, RigidTransform, VoxelGrid, RigidTransform, size_t, Recording)"},
        [grid](const RigidTransform& a, const RigidTransform& b) {
            VoxelOverlapStats stats;
            Recording trace;
            const bool overlapping = overlap(grid(), a, grid(), b, &stats);
            require(overlapping_voxels(grid(), a, grid(), b, 100, &stats).empty() != overlapping,
                    "two answers");
            require(overlapping_voxels(grid(), a, grid(), b, 100, trace).empty() != overlapping,
                    "another answer with a trace");
            for (const RigidTransform* t : {&a, &b})
                if (!is_finite_argument(*t)) require(!overlapping, "a transform that is not finite overlaps");
            return overlapping;
        }));
    rows.push_back(no_nan({"overlapping_voxels(VoxelGrid, RigidTransform, VoxelGrid, RigidTransform, size_t, "
                           "VoxelOverlapStats*)"},
                          [grid](std::size_t limit) {
                              const auto pairs = overlapping_voxels(grid(), {}, grid(), {}, limit);
                              require(pairs.size() <= limit && (limit == 0 || !pairs.empty()), "the limit");
                          }));
    // Grids of special origins and sizes.
    rows.push_back(no_nan(
        {"overlap(VoxelGrid, RigidTransform, VoxelGrid, RigidTransform, VoxelOverlapStats*)"},
        [grid](const vec3& origin, float size) {
            auto other = VoxelGrid::make({3, 2, 2}, origin, size);
            if (!other) return;
            other->set({1, 1, 1}, true);
            const bool overlapping = overlap(grid(), {}, *other, {}), back = overlap(*other, {}, grid(), {});
            require(overlapping == back, "not symmetric");
        }));
    rows.push_back(no_nan({"voxelize_surface(MeshView, float)"}, [](const Mesh& mesh, float size) {
        const auto voxels = voxelize_surface(mesh.view(), size);
        if (!(size > 0.0f) || !std::isfinite(size)) require(!voxels, "voxels of no size");
        if (voxels) require(voxels->filled_count() > 0 && !voxels->bounds().is_empty(), "no voxel");
        return voxels ? voxels->bounds() : Aabb{{0, 0, 0}, {0, 0, 0}};
    }));
    return rows;
}

}  // namespace

std::vector<Row> query_rows() {
    std::vector<Row> rows;
    append(rows, ray_rows());
    append(rows, sweep_rows());
    append(rows, side_rows());
    append(rows, closest_rows());
    append(rows, batch_rows());
    append(rows, voxel_rows());
    rows.push_back(without_numbers({"best_simd()"}, [] { EXPECT_EQ(best_simd(), best_simd()); }));
    return rows;
}

}  // namespace bv::test
