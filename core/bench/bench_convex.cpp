// Overlap and distance of convex pairs beside libccd (linear support functions, its default), Bullet and
// FCL's own GJK, interleaved in one run on the same seeded shapes. The column "answer" counts the overlaps;
// libccd and FCL compute in double, Bullet in single precision.
#include <cmath>
#include <cstdlib>
#include <glm/gtc/quaternion.hpp>
#include <memory>
#include <vector>

#include "bv/fit/hull.hpp"
#include "bv/query/batch.hpp"
#include "bv/query/convex.hpp"
#include "rounds.hpp"
#include "workloads/random.hpp"

#ifdef BVLAB_HAVE_CCD
#include <ccd/ccd.h>
#endif
#ifdef BVLAB_HAVE_FCL
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/detail/gjk_solver_indep.h>
#endif
#ifdef BVLAB_HAVE_BULLET
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#endif

namespace {

using bv::Hull;
using bv::Obb;
using bv::bench::Rounds;
using bv::workloads::Random;
using glm::vec3;

/// Distances are summed in steps of 2^-10 of a meter, so that rounding rarely changes the checksum.
std::uint64_t steps_of(double distance) {
    return static_cast<std::uint64_t>(std::lround(distance * 1024.0));
}

#ifdef BVLAB_HAVE_CCD
void hull_support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out) {
    const auto& points = *static_cast<const std::vector<glm::dvec3>*>(object);
    double best = -INFINITY;
    const glm::dvec3* at = points.data();
    for (const glm::dvec3& p : points) {
        const double d = p.x * direction->v[0] + p.y * direction->v[1] + p.z * direction->v[2];
        if (d > best) best = d, at = &p;
    }
    ccdVec3Set(out, at->x, at->y, at->z);
}

ccd_t ccd_options(ccd_support_fn support) {
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = support;
    ccd.support2 = support;
    ccd.max_iterations = 500;
    return ccd;
}
#endif

#ifdef BVLAB_HAVE_BULLET
btVector3 to_bullet(const vec3& v) {
    return {v.x, v.y, v.z};
}

/// The distance, 0 for an overlap.
double bullet_distance(const btConvexShape& a, const btTransform& ta, const btConvexShape& b,
                       const btTransform& tb) {
    btGjkEpaSolver2::sResults results;
    const bool apart = btGjkEpaSolver2::Distance(&a, ta, &b, tb, tb.getOrigin() - ta.getOrigin(), results);
    return apart ? static_cast<double>(results.distance) : 0.0;
}
#endif

std::vector<Hull> make_hulls(std::size_t count, int points, float region) {
    Random random(5);
    std::vector<Hull> hulls;
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<vec3> cloud;
        const vec3 center = random.in_box(vec3(-region), vec3(region));
        for (int k = 0; k < points; ++k)
            cloud.push_back(center + (points > 100 ? random.direction() : random.in_ball()));
        hulls.push_back(bv::fit::hull(cloud));
    }
    return hulls;
}

void hull_pairs(int rounds, std::size_t count, int points, float region) {
    const std::vector<Hull> hulls = make_hulls(count, points, region);
    const double pairs = static_cast<double>(count * count);
    const std::string shapes = std::to_string(hulls.front().vertices.size()) + " vertices and the like";
    const auto each = [&hulls](const auto& test) {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < hulls.size(); ++i)
            for (std::size_t j = 0; j < hulls.size(); ++j)
                sum += test(i, j);
        return sum;
    };
    Rounds overlap("Hulls of " + shapes + ", overlap", pairs);
    Rounds distance("Hulls of " + shapes + ", distance", pairs);
    overlap.add("bv", [&] {
        return each([&](auto i, auto j) { return bv::overlap(hulls[i], hulls[j]) ? 1u : 0u; });
    });
    distance.add("bv", [&] {
        return each(
            [&](auto i, auto j) { return steps_of(static_cast<double>(bv::distance(hulls[i], hulls[j]))); });
    });
    std::vector<std::string> overlap_peers, distance_peers;
#ifdef BVLAB_HAVE_CCD
    std::vector<std::vector<glm::dvec3>> clouds;
    for (const Hull& hull : hulls)
        clouds.emplace_back(hull.vertices.begin(), hull.vertices.end());
    const ccd_t ccd = ccd_options(hull_support);
    overlap.add("libccd", [&] {
        return each(
            [&](auto i, auto j) { return ccdGJKIntersect(&clouds[i], &clouds[j], &ccd) != 0 ? 1u : 0u; });
    });
    overlap.want("bv", "libccd", 0.5);
    overlap_peers.emplace_back("libccd");
#endif
#ifdef BVLAB_HAVE_BULLET
    std::vector<btConvexHullShape> bullet(hulls.size());
    for (std::size_t i = 0; i < hulls.size(); ++i) {
        for (const vec3& v : hulls[i].vertices)
            bullet[i].addPoint(to_bullet(v), false);
        bullet[i].recalcLocalAabb();
        bullet[i].setMargin(0);
    }
    const btTransform here = btTransform::getIdentity();
    overlap.add("Bullet", [&] {
        return each([&](auto i, auto j) {
            return bullet_distance(bullet[i], here, bullet[j], here) <= 0.0 ? 1u : 0u;
        });
    });
    distance.add("Bullet", [&] {
        return each(
            [&](auto i, auto j) { return steps_of(bullet_distance(bullet[i], here, bullet[j], here)); });
    });
    overlap_peers.emplace_back("Bullet");
    distance_peers.emplace_back("Bullet");
#endif
    overlap.run(rounds, overlap_peers);
    distance.run(rounds, distance_peers);
}

/// One hull in many poses that turn and drift for some frames. Like a narrow phase, tests the pairs whose
/// balls meet in the first frame: with a cache for each pair, without one, and in libccd with the same hull
/// and poses.
void moving_hulls(int rounds, std::size_t bodies, int points) {
    constexpr std::size_t kFrames = 8;
    Random random(9);
    std::vector<vec3> cloud;
    for (int k = 0; k < points; ++k)
        cloud.push_back(random.direction() * vec3(1.0f, 0.8f, 0.6f));
    const Hull hull = bv::fit::hull(cloud);
    std::vector<std::vector<glm::mat4x3>> poses(kFrames);
    for (std::size_t i = 0; i < bodies; ++i) {
        vec3 at = random.in_box(vec3(-2.5f), vec3(2.5f));
        glm::quat turn = glm::quat_cast(random.rotation());
        const vec3 drift = 0.02f * random.in_ball(), axis = random.direction();
        for (auto& frame : poses) {
            const glm::mat3 m = glm::mat3_cast(turn);
            frame.emplace_back(m[0], m[1], m[2], at);
            at += drift;
            turn = glm::normalize(glm::angleAxis(0.03f, axis) * turn);
        }
    }
    struct Pair {
        std::size_t a, b;
    };
    std::vector<Pair> pairs;
    for (std::size_t a = 0; a < bodies; ++a)
        for (std::size_t b = a + 1; b < bodies; ++b)
            if (glm::distance(poses[0][a][3], poses[0][b][3]) < 2.0f) pairs.push_back({a, b});
    const auto each = [&](const auto& test) {
        std::uint64_t sum = 0;
        for (const auto& frame : poses)
            for (std::size_t i = 0; i < pairs.size(); ++i)
                sum += test(i, frame[pairs[i].a], frame[pairs[i].b]);
        return sum;
    };
    const std::string shapes = std::to_string(hull.vertices.size()) + " vertices, moving";
    const double tests = static_cast<double>(pairs.size() * kFrames);
    Rounds overlap("Hulls of " + shapes + ", overlap", tests);
    Rounds distance("Hulls of " + shapes + ", distance", tests);
    std::vector<bv::ConvexCache> caches;
    overlap.add("bv, cached", [&] {
        caches.assign(pairs.size(), {});
        return each([&](auto i, const auto& a, const auto& b) {
            return bv::overlap(bv::ConvexRef(hull, a), bv::ConvexRef(hull, b), caches[i]) ? 1u : 0u;
        });
    });
    overlap.add("bv", [&] {
        return each([&](auto, const auto& a, const auto& b) {
            return bv::overlap(bv::ConvexRef(hull, a), bv::ConvexRef(hull, b)) ? 1u : 0u;
        });
    });
    distance.add("bv, cached", [&] {
        caches.assign(pairs.size(), {});
        return each([&](auto i, const auto& a, const auto& b) {
            return steps_of(
                static_cast<double>(bv::distance(bv::ConvexRef(hull, a), bv::ConvexRef(hull, b), caches[i])));
        });
    });
    distance.add("bv", [&] {
        return each([&](auto, const auto& a, const auto& b) {
            return steps_of(
                static_cast<double>(bv::distance(bv::ConvexRef(hull, a), bv::ConvexRef(hull, b))));
        });
    });
    std::vector<std::string> overlap_peers{"bv"}, distance_peers{"bv"};
#ifdef BVLAB_HAVE_CCD
    const std::vector<glm::dvec3> corners(hull.vertices.begin(), hull.vertices.end());
    struct Placed {
        const std::vector<glm::dvec3>* corners;
        glm::dmat4x3 pose;
    };
    const ccd_t ccd = ccd_options([](const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out) {
        const auto& placed = *static_cast<const Placed*>(object);
        const glm::dvec3 world(direction->v[0], direction->v[1], direction->v[2]);
        ccd_vec3_t local;
        ccdVec3Set(&local, glm::dot(placed.pose[0], world), glm::dot(placed.pose[1], world),
                   glm::dot(placed.pose[2], world));
        hull_support(placed.corners, &local, out);
        const glm::dvec3 p = placed.pose * glm::dvec4(out->v[0], out->v[1], out->v[2], 1.0);
        ccdVec3Set(out, p.x, p.y, p.z);
    });
    overlap.add("libccd", [&] {
        return each([&](auto, const auto& a, const auto& b) {
            const Placed placed_a{&corners, glm::dmat4x3(a)}, placed_b{&corners, glm::dmat4x3(b)};
            return ccdGJKIntersect(&placed_a, &placed_b, &ccd) != 0 ? 1u : 0u;
        });
    });
    overlap_peers.emplace_back("libccd");
#endif
    overlap.run(rounds, overlap_peers);
    distance.run(rounds, distance_peers);
}

/// Random boxes in a region of the given size: a smaller one means more overlap.
void box_pairs(int rounds, const char* title, float region) {
    constexpr std::size_t kCount = 1 << 13;
    Random random(1);
    std::vector<Obb> a, b;
    for (std::size_t i = 0; i < kCount; ++i)
        for (auto* list : {&a, &b}) {
            Obb box;
            box.center = random.in_box(vec3(-region), vec3(region));
            box.half_extents = random.in_box(vec3(0.1f), vec3(1.0f));
            box.axes = random.rotation();
            list->push_back(box);
        }
    Rounds table(title, static_cast<double>(kCount));
    const auto each = [](const auto& test) {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < kCount; ++i)
            sum += steps_of(test(i));
        return sum;
    };
    table.add("bv",
              [&] { return each([&](auto i) { return static_cast<double>(bv::distance(a[i], b[i])); }); });
    std::vector<std::string> peers;
#ifdef BVLAB_HAVE_BULLET
    std::vector<btBoxShape> shape_a, shape_b;
    std::vector<btTransform> frame_a, frame_b;
    const auto frame_of = [](const Obb& box) {
        const auto& m = box.axes;
        return btTransform(
            btMatrix3x3(m[0].x, m[1].x, m[2].x, m[0].y, m[1].y, m[2].y, m[0].z, m[1].z, m[2].z),
            to_bullet(box.center));
    };
    for (std::size_t i = 0; i < kCount; ++i) {
        shape_a.emplace_back(to_bullet(a[i].half_extents)).setMargin(0);
        shape_b.emplace_back(to_bullet(b[i].half_extents)).setMargin(0);
        frame_a.push_back(frame_of(a[i]));
        frame_b.push_back(frame_of(b[i]));
    }
    table.add("Bullet", [&] {
        return each([&](auto i) { return bullet_distance(shape_a[i], frame_a[i], shape_b[i], frame_b[i]); });
    });
    peers.emplace_back("Bullet");
    // Jolt takes 0.34 of Bullet's time for such boxes; 0.9 of that is wanted.
    table.want("bv", "Bullet", 0.31);
#endif
#ifdef BVLAB_HAVE_FCL
    // FCL's own GJK: its narrow phase without the detour over bounding volumes.
    std::vector<fcl::Boxd> fcl_a, fcl_b;
    std::vector<fcl::Transform3d> place_a, place_b;
    const auto place_of = [](const Obb& box) {
        fcl::Transform3d place = fcl::Transform3d::Identity();
        for (int c = 0; c < 3; ++c)
            for (int r = 0; r < 3; ++r)
                place(r, c) = static_cast<double>(box.axes[c][r]);
        for (int r = 0; r < 3; ++r)
            place(r, 3) = static_cast<double>(box.center[r]);
        return place;
    };
    for (std::size_t i = 0; i < kCount; ++i) {
        const glm::dvec3 sa(2.0f * a[i].half_extents), sb(2.0f * b[i].half_extents);
        fcl_a.emplace_back(sa.x, sa.y, sa.z);
        fcl_b.emplace_back(sb.x, sb.y, sb.z);
        place_a.push_back(place_of(a[i]));
        place_b.push_back(place_of(b[i]));
    }
    const fcl::detail::GJKSolver_indepd solver;
    table.add("FCL", [&] {
        return each([&](auto i) {
            double distance = 0.0;
            const bool apart =
                solver.shapeDistance(fcl_a[i], place_a[i], fcl_b[i], place_b[i], &distance, nullptr, nullptr);
            return apart ? distance : 0.0;
        });
    });
    peers.emplace_back("FCL");
#endif
    table.run(rounds, peers);
}

}  // namespace

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 15;
    std::printf("Convex pairs, one thread, %d rounds in turn, SIMD: %s\n", rounds,
                bv::best_simd() == bv::Simd::Avx2 ? "AVX2" : "none");
    hull_pairs(rounds, 192, 40, 1.2f);
    hull_pairs(rounds, 64, 400, 1.8f);
    moving_hulls(rounds, 80, 40);
    moving_hulls(rounds, 80, 400);
    box_pairs(rounds, "Distance of box pairs, one in two overlaps", 1.15f);
    box_pairs(rounds, "Distance of box pairs, one in fifty overlaps", 4.0f);
}
