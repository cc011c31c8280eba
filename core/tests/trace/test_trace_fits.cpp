// The numbers that fits record, against the input points. The clouds are away from the origin, where a
// forgotten offset would not show.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "bv/fit/hull.hpp"
#include "bv/fit/kdop.hpp"
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

/// The growth of one ball over the points in order.
void expect_growths(const Recording& trace, const Cloud& points) {
    const std::vector<SphereGrown> events = test::events_of<SphereGrown>(trace);
    ASSERT_FALSE(events.empty());
    const SphereGrown& start = events.front();
    EXPECT_TRUE(start.before.is_empty());
    ASSERT_LT(start.point_index, points.size());
    Sphere last = start.after;
    std::int64_t index = -1;
    for (std::size_t n = 1; n < events.size(); ++n) {
        const SphereGrown& e = events[n];
        expect_growth(e, points);
        EXPECT_EQ(e.before, last);
        EXPECT_GT(std::int64_t{e.point_index}, index);
        index = e.point_index;
        last = e.after;
    }
    for (const glm::vec3& p : points)
        EXPECT_LE(glm::length(D(p) - D(last.center)), double(last.radius) + 2e-5);
}

/// The last event is the ball that the fit returns, with a point on its surface.
void expect_measured(const Recording& trace, const Cloud& points, const Sphere& result) {
    const auto& e = std::get<BallMeasured>(trace.events().back());
    EXPECT_EQ(e.ball, result);
    ASSERT_LT(e.farthest, points.size());
    EXPECT_NEAR(glm::length(D(points[e.farthest]) - D(e.ball.center)), double(e.ball.radius), 2e-5);
}

TEST(TraceOfFits, CentersAreFoundBeforeRadii) {
    Random random(90);
    for (int i = 0; i < 50; ++i) {
        const Cloud points = cloud_away(random, 1 + random.below(60));
        Recording trace;
        Sphere result = fit::sphere_centroid(points, trace);
        D sum(0.0);
        for (const glm::vec3& p : points)
            sum += D(p);
        const CenterFound mean = std::get<CenterFound>(trace.events().front());
        EXPECT_NEAR(glm::length(D(mean.center) - sum / double(points.size())), 0.0, 1e-5);
        EXPECT_EQ(mean.point_count, points.size());
        EXPECT_EQ(result, fit::sphere_centroid(points));
        expect_measured(trace, points, result);
        trace.clear();
        result = fit::sphere_aabb_center(points, trace);
        EXPECT_EQ(trace.events().size(), 5u);
        EXPECT_EQ(result, fit::sphere_aabb_center(points));
        expect_measured(trace, points, result);
    }
}

TEST(TraceOfFits, SlabsAreThoseOfTheKdop) {
    Random random(89);
    for (int i = 0; i < 50; ++i) {
        const Cloud points = cloud_away(random, 1 + random.below(60));
        Recording trace;
        const Kdop<18> dop = fit::kdop<18>(points, trace);
        EXPECT_EQ(dop, fit::kdop<18>(points));
        const std::vector<SlabFitted> slabs = test::events_of<SlabFitted>(trace);
        ASSERT_EQ(slabs.size(), 9u);
        for (std::size_t k = 0; k < 9; ++k) {
            EXPECT_EQ(slabs[k].min, dop.min[k]);
            EXPECT_EQ(slabs[k].max, dop.max[k]);
            EXPECT_NEAR(glm::dot(slabs[k].direction, points[slabs[k].low_index]), dop.min[k], 1e-5f);
            EXPECT_NEAR(glm::dot(slabs[k].direction, points[slabs[k].high_index]), dop.max[k], 1e-5f);
        }
    }
}

TEST(TraceOfFits, PrincipalAxesDiagonalizeTheCovariance) {
    Random random(88);
    for (int i = 0; i < 50; ++i) {
        const Cloud points = cloud_away(random, 4 + random.below(60));
        Recording trace;
        const Obb result = fit::obb_pca(points, trace);
        EXPECT_EQ(result, fit::obb_pca(points));
        ASSERT_EQ(trace.events().size(), 2u);
        const auto& e = std::get<PrincipalAxesFound>(trace.events()[0]);
        const auto& box = std::get<BoxConsidered>(trace.events()[1]);
        EXPECT_EQ(box.box, result);
        EXPECT_EQ(box.reason, BoxConsidered::Reason::Measured);
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) {
                double sum = 0.0;
                for (const glm::vec3& p : points)
                    sum += glm::dot(D(e.axes[a]), D(p) - D(e.center)) *
                           glm::dot(D(e.axes[b]), D(p) - D(e.center));
                // As exact as a float of the largest variance.
                EXPECT_NEAR(sum / double(points.size()), a == b ? double(e.variance[a]) : 0.0,
                            1e-5 + 1e-6 * double(std::max({e.variance.x, e.variance.y, e.variance.z})));
            }
        trace.clear();
        EXPECT_EQ(fit::obb_pca_hull(points, trace), fit::obb_pca_hull(points));
        EXPECT_EQ(trace.events().size(), 2u);
    }
}

TEST(TraceOfFits, RitterStartsFromTheWidestPairAndGrows) {
    Random random(91);
    for (int i = 0; i < 100; ++i) {
        const Cloud points = cloud_away(random, 2 + random.below(60));
        Recording trace;
        const Sphere result = fit::sphere_ritter(points, trace);
        for (std::size_t k = 0; k < 3; ++k)
            expect_extremes(std::get<ExtremesFound>(trace.events()[k]), points);
        expect_growths(trace, points);
        expect_measured(trace, points, result);
        // The diameter of the first ball is the widest of the three pairs of extremes.
        const SphereGrown start = test::events_of<SphereGrown>(trace).front();
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
    const SphereGrown start = test::events_of<SphereGrown>(trace).front();
    EXPECT_EQ(start.after, (Sphere{{0, 0.5f, 0}, 2.5f}));
    EXPECT_EQ(start.point_index, 2u);
}

TEST(TraceOfFits, EposRecordsItsExtremesAndFirstBall) {
    Random random(92);
    for (int i = 0; i < 100; ++i) {
        const Cloud points = cloud_away(random, 2 + random.below(60));
        Recording trace;
        const Sphere result = fit::sphere_epos<26>(points, trace);
        ASSERT_GT(trace.events().size(), 13u);
        std::set<std::uint32_t> extremes;
        for (std::size_t k = 0; k < 13; ++k) {
            const auto& e = std::get<ExtremesFound>(trace.events()[k]);
            expect_extremes(e, points);
            extremes.insert({e.low_index, e.high_index});
        }
        expect_growths(trace, points);
        expect_measured(trace, points, result);
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
        for (const SupportBall& e : test::events_of<SupportBall>(trace)) {
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
        const SupportBall last = test::events_of<SupportBall>(trace).back();
        expect_measured(trace, points, result);
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
        const Obb result = fit::obb_dito14(points, trace);
        ASSERT_GT(trace.events().size(), 7u);
        Cloud selected;
        for (std::size_t k = 0; k < 7; ++k) {
            const auto& e = std::get<ExtremesFound>(trace.events()[k]);
            expect_extremes(e, points);
            selected.insert(selected.end(), {e.low, e.high});
        }
        float best = std::numeric_limits<float>::infinity();
        const auto& last = std::get<BoxConsidered>(trace.events().back());
        EXPECT_EQ(last.reason, BoxConsidered::Reason::Measured);
        EXPECT_EQ(last.box, result);
        for (std::size_t n = 7; n + 1 < trace.events().size(); ++n) {
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

TEST(TraceOfFits, ExactBoxRecordsEachBox) {
    Random random(95);
    for (int i = 0; i < 40; ++i) {
        const Cloud points = cloud_away(random, 8 + random.below(60));
        if (fit::hull(points).dimension < 3) continue;
        Recording trace;
        const Obb result = fit::obb_exact(points, trace);
        ASSERT_FALSE(trace.events().empty());
        float smallest = std::numeric_limits<float>::infinity();
        for (const TraceEvent& any : trace.events()) {
            const auto& e = std::get<BoxConsidered>(any);
            expect_box_around(e, points, 1e-4);
            // The search compares before boxes are rounded outward.
            if (e.best) {
                EXPECT_LE(e.volume, smallest * (1.0f + 1e-4f));
            } else {
                EXPECT_GE(e.volume, smallest * (1.0f - 1e-4f));
            }
            smallest = std::min(smallest, e.volume);
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
                    case R::Measured:
                        return 5;
                    default:
                        return -1;
                }
            }();
            EXPECT_GE(at, order);
            order = at;
        }
        EXPECT_EQ(std::get<BoxConsidered>(trace.events().back()).box, result);
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
        const std::vector<HullPointAdded> points_added = test::events_of<HullPointAdded>(trace);
        ASSERT_GE(points_added.size(), 4u);
        std::set<std::uint32_t> added;
        std::int64_t faces = 4;
        for (std::size_t n = 0; n < points_added.size(); ++n) {
            const HullPointAdded& e = points_added[n];
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
