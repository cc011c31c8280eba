// query_volume and query_frustum of DynamicTree against the reference for each box: random, flat, touching,
// empty.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "bv/query/convex.hpp"
#include "bv/query/overlap.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "query_cases.hpp"
#include "reference/box_reference.hpp"

namespace bv {
namespace {

using glm::vec3;
using reference::Real;
using test::Random;

struct World {
    DynamicTree tree;
    std::vector<Aabb> boxes;

    void add(const Aabb& box) {
        ASSERT_TRUE(tree.insert(box, boxes.size()));
        boxes.push_back(box);
    }
    template <class Volume>
    std::set<std::uint64_t> found(const Volume& volume) const {
        std::set<std::uint64_t> result;
        const QueryStats stats = tree.query_volume(
            volume, [&](ProxyId, std::uint64_t data) { EXPECT_TRUE(result.insert(data).second); });
        EXPECT_EQ(stats.hits, result.size());
        return result;
    }
    /// `slack`: either result is accepted this close to touching.
    template <class Volume>
    void compare(const Volume& volume, Real slack) const {
        const std::set<std::uint64_t> got = found(volume);
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            const Real distance = reference::separation(boxes[i], volume);
            if (distance > slack) {
                ASSERT_FALSE(got.contains(i)) << i << " is disjoint by " << static_cast<double>(distance);
            }
            if (distance < -slack || (slack == 0 && distance == 0)) {
                ASSERT_TRUE(got.contains(i)) << i << " overlaps by " << static_cast<double>(-distance);
            }
        }
    }
};

TEST(VolumeQueries, MatchTheReference) {
    Random rng(41);
    for (const float unit : {1e-20f, 1.0f, 1e20f}) {
        World world;
        for (int i = 0; i < 300; ++i)
            world.add(rng.aabb(unit));
        const Real size = 4 * static_cast<Real>(unit);
        for (int n = 0; n < 150; ++n) {
            world.compare(rng.sphere(unit), 1e-12L * size);
            world.compare(rng.aabb(0.3f * unit), 0);
            if (n % 10 == 0)
                world.compare(
                    Capsule{rng.vec(-1, 1) * unit, rng.vec(-1, 1) * unit, rng.range(0, 0.3f) * unit},
                    1e-6L * size);
            world.compare(rng.obb(0.5f * unit), 1e-5L * size);
            if (HasFatalFailure()) return;
        }
    }
}

// On an integer lattice nearly everything touches, exactly.
TEST(VolumeQueries, TouchingCounts) {
    World world;
    for (int x = -2; x <= 2; ++x)
        for (int y = -2; y <= 2; ++y)
            for (int z = -2; z <= 2; ++z) {
                const vec3 c(x, y, z);
                world.add({c, c + vec3((x + y + z) % 2 == 0 ? 1 : 0, 1, 1)});
            }
    for (const vec3 c : {vec3(0), vec3(5, 0, 0), vec3(-3, 1, 2), vec3(4, 4, 1), vec3(0.5f)})
        for (const float r : {0.0f, 1.0f, 2.0f, 3.0f}) {
            world.compare(Sphere{c, r}, 0);
            world.compare(Aabb{c - vec3(r), c + vec3(r)}, 0);
            if (HasFatalFailure()) return;
        }
    EXPECT_TRUE(world.found(Sphere{}).empty());
    EXPECT_TRUE(world.found(Aabb{}).empty());
    EXPECT_TRUE(world.found(Capsule{}).empty());
    EXPECT_TRUE(World{}.found(Sphere{vec3(0), 1e30f}).empty());
}

TEST(VolumeQueries, FrustumFindsBoxesNotBehindAnyPlane) {
    Random rng(43);
    World world;
    for (int i = 0; i < 400; ++i)
        world.add(rng.aabb(5.0f));
    const auto found = [&world](const std::vector<Plane>& planes) {
        std::set<std::uint64_t> result;
        world.tree.query_frustum(planes, [&](ProxyId, std::uint64_t data) { result.insert(data); });
        return result;
    };
    EXPECT_EQ(found({}).size(), world.boxes.size());
    for (int n = 0; n < 400; ++n) {
        // From one plane to all six sides of a rotated box, open to the front or not.
        const glm::mat3 turn = rng.varied_rotation();
        const vec3 eye = rng.vec(-6, 6);
        std::vector<Plane> planes;
        const auto sides = 1 + rng.below(6);
        for (std::size_t k = 0; k < sides; ++k) {
            const vec3 inward = (k % 2 == 0 ? 1.0f : -1.0f) * turn[static_cast<int>(k / 2)];
            if (const auto plane = plane_from(eye - rng.range(0, 4) * inward, inward))
                planes.push_back(*plane);
        }
        const std::set<std::uint64_t> got = found(planes);
        for (std::size_t i = 0; i < world.boxes.size(); ++i) {
            Real least = std::numeric_limits<Real>::infinity();
            for (const Plane& plane : planes) {
                Real largest = -std::numeric_limits<Real>::infinity();
                for (int c = 0; c < 8; ++c)
                    largest = std::max(largest, reference::dot(reference::Vec(plane.normal),
                                                               reference::Vec(world.boxes[i].corner(c))) -
                                                    static_cast<Real>(plane.offset));
                least = std::min(least, largest);
            }
            if (std::abs(least) < 1e-5L) continue;
            ASSERT_EQ(got.contains(i), least > 0) << n << ' ' << i;
        }
    }
    // A box that only touches a plane from behind is not entirely behind it.
    World one;
    one.add({vec3(0), vec3(1)});
    const std::vector<Plane> touching{Plane{vec3(1, 0, 0), 1.0f}};
    int hits = 0;
    one.tree.query_frustum(touching, [&](ProxyId, std::uint64_t) { ++hits; });
    EXPECT_EQ(hits, 1);
    World{}.tree.query_frustum(touching, [&](ProxyId, std::uint64_t) { ++hits; });
    EXPECT_EQ(hits, 1);
}

}  // namespace
}  // namespace bv
