// The smallest enclosing ball of points and of balls, and the fit by extremal points that uses it.
//
// Each step takes the item that extends farthest outside the current ball, and solves for the ball's basis
// plus that item. The radius grows at every step and there are finitely many bases, so it terminates; in
// floating point, when the radius stops growing.
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <vector>

#include "bv/fit/sphere.hpp"
#include "bv/shapes/contains_point.hpp"
#include "fit/grow.hpp"
#include "fit/passes.hpp"
#include "fit/sphere/small_balls.hpp"
#include "shapes/rounding.hpp"

namespace bv::fit {
namespace {

using detail::Basis;
using detail::DBall;
using detail::Points;

// A relative growth of the radius below this is rounding.
constexpr double kGrowth = 1e-14;

struct FarItem {
    std::size_t index = detail::kNoPoint;
    double distance = -1.0;  // From the center to the far side.
};

struct Solution {
    DBall ball;
    std::array<std::size_t, detail::kMaxBalls> support{};
    std::size_t support_count = 0;
};

/// The smallest ball of one item.
Solution ball_of_one(std::size_t item, const DBall& ball) noexcept {
    return {ball, {item}, 1};
}

// `farthest(center)` returns the item farthest from there, `item(i)` returns item i as a ball. Starts from
// the smallest ball of some of the items.
template <class Farthest, class Item>
Solution smallest_ball(Solution current, const Farthest& farthest, const Item& item) {
    Solution best = current;
    best.ball.radius = std::numeric_limits<double>::infinity();
    // Far more rounds than any known input needs; a guard against endless loops by rounding.
    for (int round = 0; round < 1000; ++round) {
        const FarItem far = farthest(current.ball.center);
        // On a tie the later one: its support lies on the surface.
        if (far.distance <= best.ball.radius) {
            best = current;
            best.ball.radius = far.distance;
        }
        if (far.distance <= current.ball.radius * (1.0 + kGrowth)) break;
        current.support[current.support_count] = far.index;
        std::array<DBall, detail::kMaxBalls> balls;
        for (std::size_t i = 0; i <= current.support_count; ++i)
            balls[i] = item(current.support[i]);
        const Basis next = detail::smallest_of_few(std::span(balls).first(current.support_count + 1));
        if (!(next.ball.radius > current.ball.radius)) break;
        Solution grown{next.ball, {}, next.count};
        for (std::size_t i = 0; i < next.count; ++i)
            grown.support[i] = current.support[next.members[i]];
        current = grown;
    }
    return best;
}

Solution smallest_among(Points points, std::span<const std::size_t> indices, const Solution& start) {
    const auto farthest = [&](const glm::dvec3& center) {
        FarItem far;
        for (const std::size_t i : indices) {
            const glm::dvec3 d = glm::dvec3(points[i]) - center;
            const double distance_sq = glm::dot(d, d);
            if (distance_sq > far.distance) far = {i, distance_sq};
        }
        far.distance = std::sqrt(far.distance);
        return far;
    };
    return smallest_ball(start, farthest, [&](std::size_t i) { return DBall{glm::dvec3(points[i]), 0.0}; });
}

Solution smallest_among(Points points, std::span<const std::size_t> indices) {
    const std::size_t first = indices.front();
    return smallest_among(points, indices, ball_of_one(first, {glm::dvec3(points[first]), 0.0}));
}

template <class Sink>
void record(const Solution& solution, const FarItem& far, Sink& sink) {
    SupportBall event;
    event.ball = detail::in_float(solution.ball);
    event.support_count = static_cast<std::uint8_t>(solution.support_count);
    for (std::size_t i = 0; i < solution.support_count; ++i)
        event.support[i] = static_cast<std::uint32_t>(solution.support[i]);
    event.farthest = static_cast<std::uint32_t>(far.index);
    event.excess = static_cast<float>(far.distance - solution.ball.radius);
    sink(event);
}

// Larsson's sets of directions, each direction once: larger sets contain the smaller ones.
constexpr std::array<glm::vec3, 49> make_directions() {
    std::array<glm::vec3, 49> d{};
    std::size_t n = 0;
    for (const glm::vec3& v :
         {glm::vec3(1, 0, 0), glm::vec3(0, 1, 0), glm::vec3(0, 0, 1), glm::vec3(1, 1, 1), glm::vec3(1, 1, -1),
          glm::vec3(1, -1, 1), glm::vec3(1, -1, -1), glm::vec3(1, 1, 0), glm::vec3(1, -1, 0),
          glm::vec3(1, 0, 1), glm::vec3(1, 0, -1), glm::vec3(0, 1, 1), glm::vec3(0, 1, -1)})
        d[n++] = v;
    // All placements of (0, 1, 2), then of (1, 1, 2) and (1, 2, 2), up to a common sign.
    for (int zero = 0; zero < 3; ++zero) {
        const int i = (zero + 1) % 3, j = (zero + 2) % 3;
        for (const float s : {1.0f, -1.0f}) {
            glm::vec3 v(0.0f), w(0.0f);
            v[i] = 1.0f, v[j] = 2.0f * s;
            w[i] = 2.0f, w[j] = 1.0f * s;
            d[n++] = v;
            d[n++] = w;
        }
    }
    for (const float common : {1.0f, 2.0f}) {
        for (int odd = 0; odd < 3; ++odd) {
            const int i = (odd + 1) % 3, j = (odd + 2) % 3;
            for (int signs = 0; signs < 4; ++signs) {
                glm::vec3 v(0.0f);
                v[odd] = 3.0f - common;
                v[i] = (signs & 1) != 0 ? -common : common;
                v[j] = (signs & 2) != 0 ? -common : common;
                d[n++] = v;
            }
        }
    }
    return d;
}
constexpr std::array<glm::vec3, 49> kDirections = make_directions();

template <class Sink>
Sphere epos_impl(Points points, std::size_t direction_count, Sink& sink) {
    const std::span<const glm::vec3> directions(kDirections.data(), direction_count);
    const std::vector<std::size_t> extremes = detail::extremes_along(points, directions);
    if (extremes.empty()) return {};
    if constexpr (Sink::kEnabled) {
        for (std::size_t k = 0; k < direction_count; ++k) {
            const std::size_t low = extremes[k], high = extremes[k + direction_count];
            sink(ExtremesFound{directions[k], static_cast<std::uint32_t>(low),
                               static_cast<std::uint32_t>(high), points[low], points[high]});
        }
    }
    const DBall ball = smallest_among(points, extremes).ball;
    if constexpr (Sink::kEnabled)
        sink(SphereGrown{static_cast<std::uint32_t>(extremes[0]), Sphere{}, detail::in_float(ball)});
    return detail::grown_over(points, ball, sink);
}

template <class Sink>
Sphere exact_impl(Points points, Sink& sink) {
    // The ball of the extremes along thirteen directions is already close and saves passes over all points.
    const std::vector<std::size_t> extremes =
        detail::extremes_along(points, std::span<const glm::vec3>(kDirections.data(), 13));
    if (extremes.empty()) return {};
    std::vector<std::size_t> candidates = extremes;
    DBall best{glm::dvec3(0.0), std::numeric_limits<double>::infinity()};
    Solution solution = smallest_among(points, candidates);
    for (int round = 0; round < 1000; ++round) {
        const detail::Farthest found = detail::farthest_from(points, solution.ball.center);
        const FarItem far{found.index, std::sqrt(found.distance_sq)};
        if constexpr (Sink::kEnabled) record(solution, far, sink);
        if (far.distance < best.radius) best = {solution.ball.center, far.distance};
        if (far.distance <= solution.ball.radius * (1.0 + kGrowth)) break;
        candidates.push_back(far.index);
        solution = smallest_among(points, candidates, solution);
    }
    return detail::measured_around(points, best.center, sink);
}

}  // namespace

template <int K>
Sphere sphere_epos(std::span<const glm::vec3> points) {
    NoTrace none;
    return epos_impl(points, K / 2, none);
}

template <int K>
Sphere sphere_epos(std::span<const glm::vec3> points, Recording& trace) {
    return epos_impl(points, K / 2, trace);
}

template Sphere sphere_epos<6>(std::span<const glm::vec3>);
template Sphere sphere_epos<14>(std::span<const glm::vec3>);
template Sphere sphere_epos<26>(std::span<const glm::vec3>);
template Sphere sphere_epos<98>(std::span<const glm::vec3>);
template Sphere sphere_epos<6>(std::span<const glm::vec3>, Recording&);
template Sphere sphere_epos<14>(std::span<const glm::vec3>, Recording&);
template Sphere sphere_epos<26>(std::span<const glm::vec3>, Recording&);
template Sphere sphere_epos<98>(std::span<const glm::vec3>, Recording&);

Sphere sphere_exact(std::span<const glm::vec3> points) {
    NoTrace none;
    return exact_impl(points, none);
}

Sphere sphere_exact(std::span<const glm::vec3> points, Recording& trace) {
    return exact_impl(points, trace);
}

namespace {

bool is_finite(const Sphere& s) {
    return bv::is_finite(s.center) && std::isfinite(s.radius);
}

// The ball with this center, rounded to float, around all given balls.
Sphere ball_around_balls(std::span<const Sphere> spheres, const glm::dvec3& center) {
    Sphere result{glm::vec3(center), 0.0f};
    double reach = 0.0;
    for (const Sphere& s : spheres) {
        if (s.is_empty() || !is_finite(s)) continue;
        reach = std::max(
            reach, std::sqrt(distance_sq_in_double(s.center, result.center)) + static_cast<double>(s.radius));
    }
    // Roots and sums are correctly rounded: at most two half steps off the true reach.
    result.radius = detail::round_up(reach * (1.0 + 0x1p-51));
    return result;
}

}  // namespace

Sphere merge(const Sphere& a, const Sphere& b) noexcept {
    const auto is_open = [](const Sphere& s) { return !s.is_empty() && !is_finite(s); };
    if (is_open(a) || is_open(b)) return {glm::vec3(0.0f), detail::kFloatInf};
    if (a.is_empty()) return b;
    if (b.is_empty()) return a;
    const double d_sq = distance_sq_in_double(a.center, b.center);
    const double ra = static_cast<double>(a.radius), rb = static_cast<double>(b.radius);
    if (d_sq <= (ra - rb) * (ra - rb)) return ra >= rb ? a : b;
    const double d = std::sqrt(d_sq);
    const glm::dvec3 along = (glm::dvec3(b.center) - glm::dvec3(a.center)) / d;
    const std::array<Sphere, 2> both{a, b};
    return ball_around_balls(both, glm::dvec3(a.center) + along * ((d + rb - ra) * 0.5));
}

Sphere sphere_of_spheres(std::span<const Sphere> spheres) {
    std::size_t first = detail::kNoPoint;
    for (std::size_t i = 0; i < spheres.size(); ++i) {
        const bool usable = !spheres[i].is_empty() && is_finite(spheres[i]);
        if (usable && (first == detail::kNoPoint || spheres[i].radius > spheres[first].radius)) first = i;
    }
    if (first == detail::kNoPoint) return {};
    const auto item = [&](std::size_t i) {
        return DBall{glm::dvec3(spheres[i].center), static_cast<double>(spheres[i].radius)};
    };
    const auto farthest = [&](const glm::dvec3& center) {
        FarItem far;
        for (std::size_t i = 0; i < spheres.size(); ++i) {
            if (spheres[i].is_empty() || !is_finite(spheres[i])) continue;
            const double distance =
                glm::length(glm::dvec3(spheres[i].center) - center) + static_cast<double>(spheres[i].radius);
            if (distance > far.distance) far = {i, distance};
        }
        return far;
    };
    const Solution solution = smallest_ball(ball_of_one(first, item(first)), farthest, item);
    // A ball that contains all others is returned as is, unrounded.
    if (solution.support_count == 1) {
        const Sphere& one = spheres[solution.support[0]];
        const auto inside = [&](const Sphere& each) {
            if (each.is_empty() || !is_finite(each)) return true;
            const double margin = static_cast<double>(one.radius) - static_cast<double>(each.radius);
            return margin >= 0.0 && distance_sq_in_double(one.center, each.center) <= margin * margin;
        };
        if (std::all_of(spheres.begin(), spheres.end(), inside)) return one;
    }
    return ball_around_balls(spheres, solution.ball.center);
}

}  // namespace bv::fit
