// The numbers that fits record, against the input points. The clouds are away from the origin, where a
// forgotten offset would not show.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "bv/fit/hull.hpp"
#include "bv/fit/obb.hpp"
#include "bv/fit/sphere.hpp"
#include "bv/trace/trace.hpp"
#include "shape_test_util.hpp"

namespace bv {
namespace {

using test::Random;
using Cloud = std::vector<glm::vec3>;
using D = glm::dvec3;

Cloud cloud_away(Random& random, std::size_t count) {
    Cloud points = test::random_cloud(random, count);
    for (glm::vec3& p : points)
        p += glm::vec3(7.0f, -4.0f, 11.0f);
    return points;
}

void expect_extremes(const ExtremesFound& e, const Cloud& points) {
    double low = 1e300, high = -1e300;
    for (const glm::vec3& p : points) {
        low = std::min(low, glm::dot(D(e.direction), D(p)));
        high = std::max(high, glm::dot(D(e.direction), D(p)));
    }
    ASSERT_LT(e.low_index, points.size());
    ASSERT_LT(e.high_index, points.size());
    EXPECT_EQ(e.low, points[e.low_index]);
    EXPECT_EQ(e.high, points[e.high_index]);
    EXPECT_NEAR(glm::dot(D(e.direction), D(e.low)), low, 1e-5);
    EXPECT_NEAR(glm::dot(D(e.direction), D(e.high)), high, 1e-5);
}

/// The least ball around `before` and a point: it touches the point and the far side of the old one.
void expect_growth(const SphereGrown& e, const Cloud& points) {
    constexpr double kClose = 2e-5;
    ASSERT_LT(e.point_index, points.size());
    const D p(points[e.point_index]), from(e.before.center), to(e.after.center);
    EXPECT_GT(glm::length(p - from), double(e.before.radius) - kClose);
    EXPECT_NEAR(glm::length(p - to), double(e.after.radius), kClose);
    EXPECT_NEAR(glm::length(to - from) + double(e.before.radius), double(e.after.radius), kClose);
}

/// The growth of one ball over the points in order, starting at event `first`.
void expect_growths(const Recording& trace, std::size_t first, const Cloud& points) {
    const auto& start = std::get<SphereGrown>(trace.events()[first]);
    EXPECT_TRUE(start.before.is_empty());
    ASSERT_LT(start.point_index, points.size());
    Sphere last = start.after;
    std::int64_t index = -1;
    for (std::size_t n = first + 1; n < trace.events().size(); ++n) {
        const auto& e = std::get<SphereGrown>(trace.events()[n]);
        expect_growth(e, points);
        EXPECT_EQ(e.before, last);
        EXPECT_GT(std::int64_t{e.point_index}, index);
        index = e.point_index;
        last = e.after;
    }
    for (const glm::vec3& p : points)
        EXPECT_LE(glm::length(D(p) - D(last.center)), double(last.radius) + 2e-5);
}

TEST(TraceOfFits, RitterStartsFromTheWidestPairAndGrows) {
    Random random(91);
    for (int i = 0; i < 100; ++i) {
        const Cloud points = cloud_away(random, 2 + random.below(60));
        Recording trace;
        (void)fit::sphere_ritter(points, trace);
        expect_growths(trace, 0, points);
        // The diameter of the first ball is the widest of the three pairs of extremes.
        const auto& start = std::get<SphereGrown>(trace.events().front());
        double widest = 0.0;
        for (int k = 0; k < 3; ++k) {
            const auto [low, high] =
                std::minmax_element(points.begin(), points.end(),
                                    [k](const glm::vec3& a, const glm::vec3& b) { return a[k] < b[k]; });
            widest = std::max(widest, glm::length(D(*low) - D(*high)));
        }
        EXPECT_NEAR(2.0 * double(start.after.radius), widest, 0.75 * widest);  // any of several extremes
        EXPECT_NEAR(glm::length(D(points[start.point_index]) - D(start.after.center)),
                    double(start.after.radius), 2e-5);
    }
    // One extreme each: exactly the longest axis.
    const Cloud cross{{1, 0, 0}, {-1, 0, 0}, {0, 3, 0}, {0, -2, 0}, {0, 0, 2}, {0, 0, -2}};
    Recording trace;
    (void)fit::sphere_ritter(cross, trace);
    const auto& start = std::get<SphereGrown>(trace.events().front());
    EXPECT_EQ(start.after, (Sphere{{0, 0.5f, 0}, 2.5f}));
    EXPECT_EQ(start.point_index, 2u);
}

TEST(TraceOfFits, EposRecordsItsExtremesAndFirstBall) {
    Random random(92);
    for (int i = 0; i < 100; ++i) {
        const Cloud points = cloud_away(random, 2 + random.below(60));
        Recording trace;
        (void)fit::sphere_epos<26>(points, trace);
        ASSERT_GT(trace.events().size(), 13u);
        std::set<std::uint32_t> extremes;
        for (std::size_t k = 0; k < 13; ++k) {
            const auto& e = std::get<ExtremesFound>(trace.events()[k]);
            expect_extremes(e, points);
            extremes.insert({e.low_index, e.high_index});
        }
        expect_growths(trace, 13, points);
        const auto& start = std::get<SphereGrown>(trace.events()[13]);
        EXPECT_TRUE(extremes.contains(start.point_index));
        // The smallest ball of the extremes: all are in it, and at least two on it.
        int on_it = 0;
        for (const std::uint32_t k : extremes) {
            const double d = glm::length(D(points[k]) - D(start.after.center));
            EXPECT_LE(d, double(start.after.radius) + 2e-5);
            on_it += d > double(start.after.radius) - 2e-5 ? 1 : 0;
        }
        EXPECT_GE(on_it, 2);
    }
}

TEST(TraceOfFits, ExactSphereRecordsItsSupport) {
    Random random(93);
    for (int i = 0; i < 100; ++i) {
        const Cloud points = cloud_away(random, 2 + random.below(60));
        Recording trace;
        const Sphere result = fit::sphere_exact(points, trace);
        float radius = 0.0f;
        for (const TraceEvent& any : trace.events()) {
            const auto& e = std::get<SupportBall>(any);
            ASSERT_GE(e.support_count, 1);
            ASSERT_LE(e.support_count, 4);
            for (std::size_t k = 0; k < e.support_count; ++k) {
                ASSERT_LT(e.support[k], points.size());
                EXPECT_NEAR(glm::length(D(points[e.support[k]]) - D(e.ball.center)), double(e.ball.radius),
                            2e-5);
            }
            double farthest = 0.0;
            for (const glm::vec3& p : points)
                farthest = std::max(farthest, glm::length(D(p) - D(e.ball.center)));
            ASSERT_LT(e.farthest, points.size());
            EXPECT_NEAR(glm::length(D(points[e.farthest]) - D(e.ball.center)), farthest, 2e-5);
            EXPECT_NEAR(double(e.excess), farthest - double(e.ball.radius), 2e-5);
            EXPECT_GE(e.ball.radius, radius);
            radius = e.ball.radius;
        }
        const auto& last = std::get<SupportBall>(trace.events().back());
        EXPECT_LT(std::abs(last.excess), 2e-5f);
        EXPECT_NEAR(last.ball.radius, result.radius, 2e-5f);
    }
}

void expect_box_around(const BoxConsidered& e, const Cloud& points, double close) {
    const D half(e.box.half_extents);
    EXPECT_NEAR(double(e.volume), 8.0 * half.x * half.y * half.z, 1e-4 * (1.0 + double(e.volume)));
    for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(glm::length(e.box.axes[k]), 1.0f, 1e-5f);
        double low = 1e300, high = -1e300;
        for (const glm::vec3& p : points) {
            const double d = glm::dot(D(e.box.axes[k]), D(p) - D(e.box.center));
            low = std::min(low, d);
            high = std::max(high, d);
        }
        EXPECT_NEAR(low, -half[k], close);
        EXPECT_NEAR(high, half[k], close);
    }
}

TEST(TraceOfFits, DitoEvaluatesBoxesAroundTheExtremes) {
    Random random(94);
    for (int i = 0; i < 60 && !testing::Test::HasFailure(); ++i) {
        const Cloud points = cloud_away(random, 4 + random.below(60));
        Recording trace;
        (void)fit::obb_dito14(points, trace);
        ASSERT_GT(trace.events().size(), 7u);
        Cloud selected;
        for (std::size_t k = 0; k < 7; ++k) {
            const auto& e = std::get<ExtremesFound>(trace.events()[k]);
            expect_extremes(e, points);
            selected.insert(selected.end(), {e.low, e.high});
        }
        float best = std::numeric_limits<float>::infinity();
        for (std::size_t n = 7; n < trace.events().size(); ++n) {
            const auto& e = std::get<BoxConsidered>(trace.events()[n]);
            EXPECT_EQ(e.reason, BoxConsidered::Reason::Triangle);
            expect_box_around(e, selected, 3e-5);
            if (e.best) {
                EXPECT_LE(e.volume, best);
                best = e.volume;
            } else {
                EXPECT_GE(e.volume, best * (1.0f - 1e-5f));
            }
        }
        EXPECT_TRUE(std::get<BoxConsidered>(trace.events()[7]).best);
        EXPECT_EQ(std::get<BoxConsidered>(trace.events()[7]).box.axes, glm::mat3(1.0f));
    }
}

TEST(TraceOfFits, ExactBoxRecordsEachImprovement) {
    Random random(95);
    for (int i = 0; i < 40; ++i) {
        const Cloud points = cloud_away(random, 8 + random.below(60));
        if (fit::hull(points).dimension < 3) continue;
        Recording trace;
        const Obb result = fit::obb_exact(points, trace);
        ASSERT_FALSE(trace.events().empty());
        for (const TraceEvent& any : trace.events()) {
            const auto& e = std::get<BoxConsidered>(any);
            EXPECT_TRUE(e.best);
            expect_box_around(e, points, 1e-4);
        }
        const auto& first = std::get<BoxConsidered>(trace.events().front());
        EXPECT_EQ(first.reason, BoxConsidered::Reason::Axes);
        EXPECT_EQ(first.box.axes, glm::mat3(1.0f));
        int order = -1;
        for (const TraceEvent& any : trace.events()) {
            // Axes, principal axes, faces, rotations about an axis, edges.
            const int at = [&] {
                using R = BoxConsidered::Reason;
                switch (std::get<BoxConsidered>(any).reason) {
                    case R::Axes:
                        return 0;
                    case R::Principal:
                        return 1;
                    case R::FaceFlush:
                        return 2;
                    case R::Refined:
                        return 3;
                    case R::EdgesFlush:
                        return 4;
                    default:
                        return -1;
                }
            }();
            EXPECT_GE(at, order);
            order = at;
        }
        EXPECT_NEAR(std::get<BoxConsidered>(trace.events().back()).volume, result.volume(),
                    1e-5f * result.volume());
    }
}

TEST(TraceOfFits, QuickhullRecordsEachPoint) {
    Random random(96);
    for (int i = 0; i < 60; ++i) {
        Cloud points;  // in general position: no faces are merged at the end
        for (std::uint32_t n = 5 + random.below(12); n > 0; --n)
            points.push_back(random.in_cube(1.0f) + glm::vec3(7, -4, 11));
        Recording trace;
        const Hull hull = fit::hull(points, trace);
        if (hull.dimension < 3) continue;
        ASSERT_GE(trace.events().size(), 4u);
        std::set<std::uint32_t> added;
        std::int64_t faces = 4;
        for (std::size_t n = 0; n < trace.events().size(); ++n) {
            const auto& e = std::get<HullPointAdded>(trace.events()[n]);
            ASSERT_LT(e.point_index, points.size());
            EXPECT_EQ(e.point, points[e.point_index]);
            if (n >= 4) {
                faces += std::int64_t{e.faces_added} - std::int64_t{e.faces_removed};
                EXPECT_GE(e.faces_removed, 1u);
                EXPECT_GE(e.faces_added, 3u);
                // Its distance is that from the plane of three earlier points.
                double nearest = 1e300;
                for (const std::uint32_t a : added)
                    for (const std::uint32_t b : added)
                        for (const std::uint32_t c : added) {
                            if (!(a < b && b < c)) continue;
                            const D normal =
                                glm::cross(D(points[b]) - D(points[a]), D(points[c]) - D(points[a]));
                            if (!(glm::length(normal) > 0.0)) continue;
                            const double d =
                                std::abs(glm::dot(glm::normalize(normal), D(e.point) - D(points[a])));
                            nearest = std::min(nearest, std::abs(d - double(e.distance)));
                        }
                EXPECT_LT(nearest, 1e-5);
            }
            EXPECT_TRUE(added.insert(e.point_index).second) << "a point was added twice";
        }
        for (const glm::vec3& v : hull.vertices)
            EXPECT_TRUE(
                std::any_of(added.begin(), added.end(), [&](std::uint32_t k) { return points[k] == v; }));
        EXPECT_EQ(static_cast<std::size_t>(faces), hull.triangles.size());
    }
}

}  // namespace
}  // namespace bv
