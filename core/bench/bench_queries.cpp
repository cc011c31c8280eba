// Rates of the pair tests and ray casts beside FCL and Bullet, all in one run on the same seeded shapes. The
// column "answer" counts the hits, so that a contender with different results shows. FCL's headers are
// compiled for the instruction sets that our kernels choose at run time; Bullet is the system's library.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "bv/fit/hull.hpp"
#include "bv/query/batch.hpp"
#include "bv/query/convex.hpp"
#include "bv/query/overlap.hpp"
#include "bv/query/overlap_triangle.hpp"
#include "bv/query/raycast.hpp"
#include "rounds.hpp"
#include "workloads/random.hpp"

#ifdef BVLAB_HAVE_FCL
#include "peers_fcl.hpp"
#endif
#ifdef BVLAB_HAVE_BULLET
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <LinearMath/btAabbUtil2.h>
#endif

namespace {

using bv::Aabb;
using bv::Aabb8;
using bv::Obb;
using bv::Ray;
using bv::bench::Rounds;
using bv::workloads::Random;
using glm::vec3;

constexpr std::size_t kCount = 1 << 14;

struct Pairs {
    std::vector<Obb> a;
    std::vector<Obb> b;
};

/// Random boxes in a region of the given size: a smaller one means more overlap.
Pairs make_pairs(float region) {
    Random random(1);
    Pairs pairs;
    for (std::size_t i = 0; i < kCount; ++i)
        for (auto* list : {&pairs.a, &pairs.b}) {
            Obb box;
            box.center = random.in_box(vec3(-region), vec3(region));
            box.half_extents = random.in_box(vec3(0.1f), vec3(1.0f));
            box.axes = random.rotation();
            list->push_back(box);
        }
    return pairs;
}

#ifdef BVLAB_HAVE_BULLET
btVector3 to_bullet(const vec3& v) {
    return {v.x, v.y, v.z};
}
btTransform frame_of(const Obb& box) {
    const auto& m = box.axes;
    return btTransform(btMatrix3x3(m[0].x, m[1].x, m[2].x, m[0].y, m[1].y, m[2].y, m[0].z, m[1].z, m[2].z),
                       to_bullet(box.center));
}

/// Bullet has no boolean test of two boxes: its separating-axis test also makes contacts. So this is its GJK,
/// which ends as soon as it knows whether there is a distance.
bool bullet_overlap(const btConvexShape& a, const btTransform& ta, const btConvexShape& b,
                    const btTransform& tb) {
    btGjkEpaSolver2::sResults results;
    return !btGjkEpaSolver2::Distance(&a, ta, &b, tb, tb.getOrigin() - ta.getOrigin(), results);
}
#endif

void obb_pairs(const char* title, float region, int rounds) {
    const Pairs pairs = make_pairs(region);
    Rounds table(title, static_cast<double>(kCount));
    std::vector<std::uint8_t> out(kCount);
    const auto count = [&out] {
        std::uint64_t sum = 0;
        for (const auto o : out)
            sum += o;
        return sum;
    };
    table.add("bv one by one", [&] {
        for (std::size_t i = 0; i < kCount; ++i)
            out[i] = bv::overlap(pairs.a[i], pairs.b[i]) ? 1 : 0;
        return count();
    });
    table.add("bv batch, scalar", [&] {
        bv::overlap_pairs(pairs.a, pairs.b, out, bv::Simd::Scalar);
        return count();
    });
    table.add("bv batch", [&] {
        bv::overlap_pairs(pairs.a, pairs.b, out);
        return count();
    });
    bv::Recording recording(16);
    table.add("bv one by one, recorded", [&] {
        for (std::size_t i = 0; i < kCount; ++i) {
            recording.clear();
            out[i] = bv::overlap(pairs.a[i], pairs.b[i], recording) ? 1 : 0;
        }
        return count();
    });
    std::vector<std::string> peers;
#ifdef BVLAB_HAVE_FCL
    const bv::bench::FclObbPairs fcl(pairs.a.data(), pairs.b.data(), kCount);
    table.add("FCL", [&] { return fcl.count(out.data()); });
    table.want("bv one by one", "FCL", 0.8);
    peers.emplace_back("FCL");
#endif
#ifdef BVLAB_HAVE_BULLET
    std::vector<btBoxShape> shape_a;
    std::vector<btBoxShape> shape_b;
    std::vector<btTransform> frame_a;
    std::vector<btTransform> frame_b;
    for (std::size_t i = 0; i < kCount; ++i) {
        shape_a.emplace_back(to_bullet(pairs.a[i].half_extents)).setMargin(0);
        shape_b.emplace_back(to_bullet(pairs.b[i].half_extents)).setMargin(0);
        frame_a.push_back(frame_of(pairs.a[i]));
        frame_b.push_back(frame_of(pairs.b[i]));
    }
    table.add("Bullet", [&] {
        for (std::size_t i = 0; i < kCount; ++i)
            out[i] = bullet_overlap(shape_a[i], frame_a[i], shape_b[i], frame_b[i]) ? 1 : 0;
        return count();
    });
    peers.emplace_back("Bullet");
#endif
    table.run(rounds, peers);
}

/// Nearly all masks are zero, and without a popcount instruction a table would cost more than the test.
std::uint64_t bits(std::uint32_t mask) {
    std::uint64_t n = 0;
    for (; mask != 0; mask &= mask - 1)
        ++n;
    return n;
}

void ray_boxes(int rounds) {
    Random random(2);
    std::vector<Ray> rays;
    for (int i = 0; i < 64; ++i) {
        Ray ray;
        ray.origin = random.in_box(vec3(-12), vec3(12));
        ray.direction = random.direction();
        ray.t_max = 30.0f;
        rays.push_back(ray);
    }
    std::vector<Aabb> boxes;
    std::vector<Aabb8> groups(64);
    for (std::size_t i = 0; i < 512; ++i) {
        const vec3 c = random.in_box(vec3(-10), vec3(10));
        const vec3 h = random.in_box(vec3(0.25f), vec3(2.0f));
        boxes.push_back({c - h, c + h});
        groups[i / 8].set(static_cast<int>(i % 8), boxes.back());
    }
    Rounds table("Ray against AABB, 64 rays, 512 boxes (in the first cache)",
                 static_cast<double>(rays.size() * boxes.size()));
    table.add("bv one by one", [&] {
        std::uint64_t hits = 0;
        for (const Ray& ray : rays) {
            const bv::RaySlabs slabs(ray);
            float t = 0;
            for (const Aabb& box : boxes)
                hits += slabs.hit(box, ray.t_max, t) ? 1u : 0u;
        }
        return hits;
    });
    std::vector<bv::Hits8> found(groups.size());
    const auto by_eight = [&](bv::Simd simd) {
        std::uint64_t hits = 0;
        for (const Ray& ray : rays) {
            bv::raycast_boxes(bv::RaySlabs(ray), ray.t_max, groups, found, simd);
            for (const auto& f : found)
                hits += bits(f.mask);
        }
        return hits;
    };
    table.add("bv eight boxes a ray, scalar", [&] { return by_eight(bv::Simd::Scalar); });
    table.add("bv eight boxes a ray", [&] { return by_eight(bv::best_simd()); });
    std::vector<bv::RaySlabs8> packets(rays.size() / 8);
    for (std::size_t i = 0; i < rays.size(); ++i)
        packets[i / 8].set(static_cast<int>(i % 8), rays[i]);
    std::vector<bv::Hits8> per_box(boxes.size());
    table.add("bv eight rays a box", [&] {
        std::uint64_t hits = 0;
        for (const auto& packet : packets) {
            bv::raycast_boxes(packet, boxes, per_box);
            for (const auto& f : per_box)
                hits += bits(f.mask);
        }
        return hits;
    });
    table.add("bv full hit (t, normal, face)", [&] {
        std::uint64_t hits = 0;
        for (const Ray& ray : rays)
            for (const Aabb& box : boxes)
                hits += bv::raycast(ray, box).has_value() ? 1u : 0u;
        return hits;
    });
    std::vector<std::string> peers{"bv one by one"};
#ifdef BVLAB_HAVE_BULLET
    std::vector<btVector3> bullet_boxes;
    for (const Aabb& box : boxes) {
        bullet_boxes.push_back(to_bullet(box.min));
        bullet_boxes.push_back(to_bullet(box.max));
    }
    table.add("Bullet", [&] {
        std::uint64_t hits = 0;
        for (const Ray& ray : rays) {
            const btVector3 inv(1.0f / ray.direction.x, 1.0f / ray.direction.y, 1.0f / ray.direction.z);
            const unsigned sign[3] = {inv[0] < 0, inv[1] < 0, inv[2] < 0};
            const btVector3 origin = to_bullet(ray.origin);
            for (std::size_t i = 0; i < boxes.size(); ++i) {
                btScalar t = 1;
                hits += btRayAabb2(origin, inv, sign, &bullet_boxes[2 * i], t, 0, ray.t_max) ? 1u : 0u;
            }
        }
        return hits;
    });
    peers.emplace_back("Bullet");
#endif
    table.run(rounds, peers);
}

void aabb_pairs(int rounds) {
    Random random(3);
    std::vector<Aabb> boxes;
    for (std::size_t i = 0; i < 2048; ++i) {
        const vec3 c = random.in_box(vec3(-3), vec3(3));
        const vec3 h = random.in_box(vec3(0.25f), vec3(1.0f));
        boxes.push_back({c - h, c + h});
    }
    Rounds table("AABB pairs, 2048 x 2048", 2048.0 * 2048.0);
    table.add("bv", [&] {
        std::uint64_t hits = 0;
        for (const Aabb& a : boxes)
            for (const Aabb& b : boxes)
                hits += bv::overlap(a, b) ? 1u : 0u;
        return hits;
    });
    table.add("bv, known not empty", [&] {
        std::uint64_t hits = 0;
        for (const Aabb& a : boxes)
            for (const Aabb& b : boxes)
                hits += bv::overlap_nonempty(a, b) ? 1u : 0u;
        return hits;
    });
    std::vector<std::string> peers;
#ifdef BVLAB_HAVE_FCL
    const bv::bench::FclAabbs fcl(boxes.data(), boxes.size());
    table.add("FCL", [&] { return fcl.count(); });
    peers.emplace_back("FCL");
#endif
#ifdef BVLAB_HAVE_BULLET
    table.add("Bullet", [&] {
        std::uint64_t hits = 0;
        for (const Aabb& a : boxes) {
            const btVector3 a_min = to_bullet(a.min);
            const btVector3 a_max = to_bullet(a.max);
            for (const Aabb& b : boxes)
                hits += TestAabbAgainstAabb2(a_min, a_max, to_bullet(b.min), to_bullet(b.max)) ? 1u : 0u;
        }
        return hits;
    });
    peers.emplace_back("Bullet");
#endif
    table.run(rounds, peers);
}

void triangle_pairs(int rounds) {
    Random random(4);
    std::vector<bv::Triangle> a;
    std::vector<bv::Triangle> b;
    for (std::size_t i = 0; i < kCount; ++i)
        for (auto* list : {&a, &b}) {
            const vec3 c = random.in_box(vec3(-0.4f), vec3(0.4f));
            list->push_back({c + random.in_ball(), c + random.in_ball(), c + random.in_ball()});
        }
    Rounds table("Triangle pairs", static_cast<double>(kCount));
    table.add("bv, exact", [&] {
        std::uint64_t hits = 0;
        for (std::size_t i = 0; i < kCount; ++i)
            hits += bv::overlap(a[i], b[i]) ? 1u : 0u;
        return hits;
    });
    std::vector<std::string> peers;
#ifdef BVLAB_HAVE_FCL
    const bv::bench::FclTriangles fcl(a.data(), b.data(), kCount);
    table.add("FCL", [&] { return fcl.count(); });
    peers.emplace_back("FCL");
#endif
    table.run(rounds, peers);
}

void hull_pairs(int rounds) {
    Random random(5);
    constexpr std::size_t kHulls = 256;
    std::vector<bv::Hull> hulls;
    for (std::size_t i = 0; i < kHulls; ++i) {
        std::vector<vec3> points;
        const vec3 c = random.in_box(vec3(-1.2f), vec3(1.2f));
        for (int k = 0; k < 40; ++k)
            points.push_back(c + random.in_ball());
        hulls.push_back(bv::fit::hull(points));
    }
    Rounds table("Convex hulls of 40 points in a ball, pairs", static_cast<double>(kHulls * kHulls));
    table.add("bv", [&] {
        std::uint64_t hits = 0;
        for (const auto& a : hulls)
            for (const auto& b : hulls)
                hits += bv::overlap(a, b) ? 1u : 0u;
        return hits;
    });
    std::vector<std::string> peers;
#ifdef BVLAB_HAVE_BULLET
    std::vector<btConvexHullShape> shapes(kHulls);
    for (std::size_t i = 0; i < kHulls; ++i) {
        for (const vec3& v : hulls[i].vertices)
            shapes[i].addPoint(to_bullet(v), false);
        shapes[i].recalcLocalAabb();
        shapes[i].setMargin(0);
    }
    table.add("Bullet", [&] {
        std::uint64_t hits = 0;
        const btTransform here = btTransform::getIdentity();
        for (const auto& a : shapes)
            for (const auto& b : shapes)
                hits += bullet_overlap(a, here, b, here) ? 1u : 0u;
        return hits;
    });
    peers.emplace_back("Bullet");
#endif
    table.run(rounds, peers);
}

}  // namespace

int main(int argc, char** argv) {
#ifdef BVLAB_HAVE_FCL
    if (!bv::bench::fcl_peers_run_here()) {
        std::printf("FCL's tests are compiled for AVX2 here, which this processor lacks.\n");
        return 1;
    }
#endif
    const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 15;
    std::printf("Pair tests and ray casts, one thread, medians of %d rounds, SIMD: %s\n", rounds,
                bv::best_simd() == bv::Simd::Avx2 ? "AVX2" : "none");
    obb_pairs("OBB pairs, one in two overlaps", 1.15f, rounds);
    obb_pairs("OBB pairs, one in fifty overlaps", 4.0f, rounds);
    ray_boxes(rounds);
    aabb_pairs(rounds);
    triangle_pairs(rounds);
    hull_pairs(rounds);
    return 0;
}
