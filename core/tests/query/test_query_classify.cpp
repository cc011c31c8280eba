// Sides of planes and frustums, against the corners of the solids.
#include "bv/query/classify.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>

#include "bv/fit/hull.hpp"
#include "query_cases.hpp"

namespace bv {
namespace {

using glm::vec3;
using test::Random;
using D = glm::dvec3;

TEST(Classify, ByHand) {
    const Plane ground{vec3(0, 1, 0), 1.0f};
    EXPECT_EQ(classify(Aabb{vec3(0, 2, 0), vec3(1, 3, 1)}, ground), Side::Front);
    EXPECT_EQ(classify(Aabb{vec3(0, -2, 0), vec3(1, 0, 1)}, ground), Side::Back);
    EXPECT_EQ(classify(Aabb{vec3(0, 0, 0), vec3(1, 3, 1)}, ground), Side::Intersecting);
    EXPECT_EQ(classify(Aabb{vec3(0, 1, 0), vec3(1, 3, 1)}, ground), Side::Intersecting) << "touching";
    EXPECT_EQ(classify(Aabb{vec3(0, 1, 0), vec3(1, 1, 1)}, ground), Side::Intersecting) << "in the plane";
    EXPECT_EQ(classify(Sphere{vec3(0, 3, 0), 2}, ground), Side::Intersecting);
    EXPECT_EQ(classify(Sphere{vec3(0, 3.01f, 0), 2}, ground), Side::Front);
    const PlaneProjection p = project(Aabb{vec3(-1, 4, -1), vec3(1, 6, 1)}, ground);
    EXPECT_EQ(p.distance, 4.0f);
    EXPECT_EQ(p.radius, 1.0f);
    EXPECT_EQ(classify(Aabb{}, ground), Side::Intersecting);
    EXPECT_EQ(classify(Sphere{}, ground), Side::Intersecting);
    EXPECT_EQ(classify(Obb{}, ground), Side::Intersecting);
    EXPECT_EQ(classify(Hull{}, ground), Side::Intersecting);
    EXPECT_EQ(classify(Sphere{vec3(std::nanf("")), 1}, ground), Side::Intersecting);
    EXPECT_EQ(classify(Triangle{vec3(0, 2, 0), vec3(1, 2, 0), vec3(0, 3, 5)}, ground), Side::Front);
    EXPECT_EQ(classify(Capsule{vec3(0, -2, 0), vec3(0, 0.4f, 0), 0.5f}, ground), Side::Back);
}

template <class Points>
Side by_points(const Points& points, const Plane& plane, double radius, double& nearest) {
    bool front = true;
    bool back = true;
    nearest = 1e30;
    for (const auto& p : points) {
        const double d = glm::dot(D(plane.normal), D(p)) - double(plane.offset);
        front = front && d - radius > 0;
        back = back && d + radius < 0;
        nearest = std::min({nearest, std::abs(d - radius), std::abs(d + radius)});
    }
    return front ? Side::Front : back ? Side::Back : Side::Intersecting;
}

TEST(ClassifyRandom, AgainstCorners) {
    Random rng(1);
    const int count = test::cases(100000);
    int crossing = 0;
    for (int n = 0; n < count; ++n) {
        const float unit = rng.scale();
        Plane plane{rng.direction(), rng.range(-1.5f, 1.5f) * unit};
        if (rng.chance(0.3)) plane.normal = vec3(rng.below(2) ? 1 : -1, 0, 0);
        const Aabb box = rng.aabb(unit);
        const Obb obb = rng.obb(unit);
        const Sphere ball = rng.sphere(unit);
        if (rng.chance(0.2)) plane.offset = glm::dot(plane.normal, box.corner(rng.below(8)));
        const double slack = 1e-6 * double(unit);
        double nearest = 0;
        std::vector<vec3> corners;
        for (int i = 0; i < 8; ++i)
            corners.push_back(box.corner(i));
        const Side side = classify(box, plane);
        const Side expected = by_points(corners, plane, 0, nearest);
        if (nearest > slack) {
            ASSERT_EQ(side, expected) << n;
        }
        // A plane through a corner, without rounding: touching counts as Intersecting.
        if (nearest == 0.0 && plane.normal.y == 0.0f) {
            ASSERT_EQ(side, Side::Intersecting) << n;
        }
        crossing += side == Side::Intersecting;
        const Plane turned{-plane.normal, -plane.offset};
        const Side other = classify(box, turned);
        ASSERT_EQ(int(side) + int(other), 2) << n;
        corners.clear();
        for (int i = 0; i < 8; ++i)
            corners.push_back(obb.corner(i));
        const Side obb_expected = by_points(corners, plane, 0, nearest);
        if (nearest > slack) {
            ASSERT_EQ(classify(obb, plane), obb_expected) << n;
        }
        const Side ball_expected = by_points(std::vector<vec3>{ball.center}, plane, ball.radius, nearest);
        if (nearest > slack) {
            ASSERT_EQ(classify(ball, plane), ball_expected) << n;
        }
        if (n % 10 == 0) {
            const Hull hull = fit::hull(corners);
            by_points(corners, plane, 0, nearest);
            if (nearest > slack) {
                ASSERT_EQ(classify(hull, plane), obb_expected) << n;
            }
        }
    }
    EXPECT_GT(crossing, count / 10);
}

TEST(Frustum, PlanesOfAPerspective) {
    const glm::mat4 view = glm::lookAt(vec3(0, 0, 5), vec3(0), vec3(0, 1, 0));
    const Frustum frustum = frustum_of(glm::perspective(glm::radians(90.0f), 1.0f, 1.0f, 10.0f) * view);
    EXPECT_EQ(classify(Sphere{vec3(0), 0.5f}, frustum), Side::Front);
    EXPECT_EQ(classify(Sphere{vec3(0, 0, 5), 0.5f}, frustum), Side::Back) << "before the near plane";
    EXPECT_EQ(classify(Sphere{vec3(0, 0, 4), 0.5f}, frustum), Side::Intersecting);
    EXPECT_EQ(classify(Aabb{vec3(-20, -20, -20), vec3(20, 20, -6)}, frustum), Side::Back);
    EXPECT_EQ(classify(Aabb{vec3(-50), vec3(50)}, frustum), Side::Intersecting);
    EXPECT_EQ(classify(Obb{vec3(8, 0, 0), vec3(1), glm::mat3(1)}, frustum), Side::Back);
    EXPECT_EQ(classify(Obb{vec3(5, 0, 0), vec3(1), glm::mat3(1)}, frustum), Side::Intersecting);
    for (const Plane& p : frustum.planes)
        EXPECT_NEAR(glm::length(p.normal), 1.0f, 1e-5f);
}

/// Sampled points: a solid classified Back has none inside the frustum, one classified Front has no others.
TEST(FrustumRandom, AgainstSampledPoints) {
    Random rng(2);
    const int count = test::cases(20000);
    std::uint32_t with_hint = 0;
    std::uint32_t without = 0;
    FrustumHint kept;
    int planes_saved = 0;
    for (int n = 0; n < count; ++n) {
        const glm::mat4 view = glm::lookAt(rng.vec(-2, 2), rng.vec(-2, 2), vec3(0.1f, 1, 0));
        const Frustum frustum = frustum_of(glm::perspective(rng.range(0.3f, 2.0f), 1.5f, 0.1f, 5.0f) * view);
        const Aabb box = rng.aabb();
        const auto shown = [&](const D& p, double margin) {
            for (const Plane& plane : frustum.planes)
                if (glm::dot(D(plane.normal), p) - double(plane.offset) < margin) return false;
            return true;
        };
        const Side side = classify(box, frustum);
        for (int k = 0; k < 30; ++k) {
            const D p(rng.range(box.min.x, box.max.x), rng.range(box.min.y, box.max.y),
                      rng.range(box.min.z, box.max.z));
            if (side == Side::Back) {
                ASSERT_FALSE(shown(p, 1e-5)) << n;
            } else if (side == Side::Front) {
                ASSERT_TRUE(shown(p, -1e-5)) << n;
            }
        }
        // The hint changes the order, never the result.
        FrustumHint fresh;
        ASSERT_EQ(classify(box, frustum, fresh, &without), side);
        for (int frame = 0; frame < 3; ++frame)
            ASSERT_EQ(classify(box, frustum, kept, &with_hint), side);
        // A child of the box needs no test against planes that have the box in front.
        FrustumHint inherited;
        if (classify(box, frustum, inherited) != Side::Back) {
            const vec3 middle = box.min + (box.max - box.min) * 0.5f;
            const Aabb child{box.min, middle};
            FrustumHint below = inherited.for_children();
            planes_saved += 6 - std::popcount(below.undecided);
            ASSERT_EQ(classify(child, frustum, below), classify(child, frustum)) << n;
        }
    }
    EXPECT_LT(with_hint, 3 * without);
    EXPECT_GT(planes_saved, 2 * count);
}

/// Five planes that have everything in front, and this one.
Frustum frustum_beyond(const Plane& plane) {
    Frustum frustum;
    frustum.planes.fill({vec3(0), -1});
    frustum.planes[0] = plane;
    return frustum;
}

// What a plane had in front in one frame may be behind it in the next.
TEST(Frustum, AHintKeptForTheNextFrameSkipsNoPlane) {
    const Aabb box{vec3(1), vec3(2)};
    FrustumHint hint;
    EXPECT_EQ(classify(box, frustum_beyond({vec3(1, 0, 0), 0}), hint), Side::Front);
    EXPECT_EQ(hint.for_children().undecided, 0);
    EXPECT_EQ(classify(box, frustum_beyond({vec3(1, 0, 0), 10}), hint), Side::Back);
    EXPECT_EQ(classify(box, frustum_beyond({vec3(1, 0, 0), 0}), hint), Side::Front);
    // Nothing is known of nothing, though no plane is left.
    FrustumHint none{0, 0};
    EXPECT_EQ(classify(box, frustum_beyond({vec3(1, 0, 0), 10}), none), Side::Front);
    EXPECT_EQ(classify(Aabb{}, frustum_beyond({vec3(1, 0, 0), 0}), none), Side::Intersecting);
    EXPECT_EQ(classify(Obb{}, frustum_beyond({vec3(1, 0, 0), 0}), none), Side::Intersecting);
    EXPECT_EQ(classify(Sphere{vec3(std::nanf("")), 1}, frustum_beyond({vec3(1, 0, 0), 0}), none),
              Side::Intersecting);
}

// The middle of a box is rounded, even in double: its ends are not.
TEST(Classify, ABoxThatTouchesThePlaneIsNeverBesideIt) {
    const Aabb low{vec3(-1, -1, -0.756486654f), vec3(1, 1, 1.39634151e-10f)};
    EXPECT_EQ(classify(low, Plane{vec3(0, 0, 1), low.max.z}), Side::Intersecting);
    EXPECT_EQ(classify(low, Plane{vec3(0, 0, -1), -low.max.z}), Side::Intersecting);
    EXPECT_EQ(classify(low, frustum_beyond({vec3(0, 0, 1), low.max.z})), Side::Intersecting);
    Random rng(8);
    for (int n = 0; n < test::cases(50000); ++n) {
        const auto axis = static_cast<int>(rng.below(3));
        Aabb box{vec3(-1), vec3(1)};
        box.max[axis] = std::ldexp(rng.range(-1, 1), static_cast<int>(rng.below(60)) - 40);
        box.min[axis] = box.max[axis] - std::ldexp(rng.range(0.5f, 1), static_cast<int>(rng.below(60)) - 20);
        vec3 up(0.0f);
        up[axis] = 1.0f;
        for (const float height : {box.min[axis], box.max[axis]}) {
            ASSERT_EQ(classify(box, Plane{up, height}), Side::Intersecting) << n;
            ASSERT_EQ(classify(box, Plane{-up, -height}), Side::Intersecting) << n;
        }
        const float above = std::nextafter(box.max[axis], 1e30f),
                    below = std::nextafter(box.min[axis], -1e30f);
        ASSERT_EQ(classify(box, Plane{up, above}), Side::Back) << n;
        ASSERT_EQ(classify(box, Plane{up, below}), Side::Front) << n;
    }
}

}  // namespace
}  // namespace bv
