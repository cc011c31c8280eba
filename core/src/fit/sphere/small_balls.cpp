#include "fit/sphere/small_balls.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

namespace bv::detail {
namespace {

// The point x in the span of up to three vectors v with 2 v_i . x = rhs_i. False if they are linearly
// dependent.
bool solve(std::span<const glm::dvec3> v, const glm::dvec3& rhs, glm::dvec3& x) noexcept {
    const glm::dvec3 half = rhs * 0.5;
    if (v.size() == 1) {
        const double d = glm::dot(v[0], v[0]);
        x = v[0] * (half.x / d);
        return d > 0.0;
    }
    const glm::dvec3 n = glm::cross(v[0], v[1]);
    if (v.size() == 2) {
        const double d = glm::dot(n, n);
        x = (half.x * glm::cross(v[1], n) + half.y * glm::cross(n, v[0])) / d;
        return d > 0.0;
    }
    const double d = glm::dot(n, v[2]);
    x = (half.x * glm::cross(v[1], v[2]) + half.y * glm::cross(v[2], v[0]) + half.z * n) / d;
    return d != 0.0;
}

// The center, in the affine hull of the members' centers, equidistant from the far sides of all members. With
// the ball's unknown radius R, |x - c_i| = R - r_i; differences of these equations' squares are linear in x
// and R, so x = a + b R, which leaves one quadratic equation for R.
bool touching_center(std::span<const DBall> balls, std::span<const std::size_t> members,
                     glm::dvec3& center) noexcept {
    const DBall& first = balls[members[0]];
    if (members.size() == 1) {
        center = first.center;
        return true;
    }
    std::array<glm::dvec3, 3> v{};
    glm::dvec3 constant(0.0), linear(0.0);
    double largest = first.radius;
    for (std::size_t i = 1; i < members.size(); ++i) {
        const DBall& other = balls[members[i]];
        const int row = static_cast<int>(i) - 1;
        v[i - 1] = other.center - first.center;
        constant[row] =
            glm::dot(v[i - 1], v[i - 1]) + (first.radius - other.radius) * (first.radius + other.radius);
        linear[row] = 2.0 * (other.radius - first.radius);
        largest = std::max(largest, other.radius);
    }
    const std::span<const glm::dvec3> rows(v.data(), members.size() - 1);
    glm::dvec3 a(0.0), b(0.0);
    if (!solve(rows, constant, a)) return false;
    if (linear == glm::dvec3(0.0)) {
        center = first.center + a;
        return std::isfinite(a.x + a.y + a.z);
    }
    if (!solve(rows, linear, b)) return false;
    // |a + b R|^2 = (R - r)^2 with R = r + s, s >= 0: |a + b r + b s| = s.
    const glm::dvec3 p = a + b * first.radius;
    const double qa = glm::dot(b, b) - 1.0, qb = glm::dot(p, b), qc = glm::dot(p, p);
    const double root = std::sqrt(std::max(qb * qb - qa * qc, 0.0));
    double best = std::numeric_limits<double>::infinity();
    // Both roots in the form without cancellation.
    const double q = -(qb + std::copysign(root, qb));
    for (const double s : {q / qa, qc / q}) {
        if (s >= 0.0 && s + first.radius >= largest * (1.0 - 1e-12)) best = std::min(best, s);
    }
    center = first.center + p + b * best;
    return std::isfinite(center.x + center.y + center.z);
}

double reach_from(std::span<const DBall> balls, const glm::dvec3& center) noexcept {
    double reach = 0.0;
    for (const DBall& ball : balls) {
        const glm::dvec3 d = ball.center - center;
        reach = std::max(reach, std::sqrt((d.x * d.x + d.y * d.y) + d.z * d.z) + ball.radius);
    }
    return reach;
}

/// The same for points, with one root.
double reach_over_points(std::span<const DBall> points, const glm::dvec3& center) noexcept {
    double reach_sq = 0.0;
    for (const DBall& point : points) {
        const glm::dvec3 d = point.center - center;
        reach_sq = std::max(reach_sq, (d.x * d.x + d.y * d.y) + d.z * d.z);
    }
    return std::sqrt(reach_sq);
}

}  // namespace

Basis smallest_of_few(std::span<const DBall> balls) noexcept {
    Basis best;
    best.ball.radius = std::numeric_limits<double>::infinity();
    const bool points =
        std::all_of(balls.begin(), balls.end(), [](const DBall& ball) { return ball.radius == 0.0; });
    const std::size_t last = balls.size() - 1;
    for (std::size_t others = 0; others < std::size_t{1} << last; ++others) {
        Basis trial;
        for (std::size_t i = 0; i < last; ++i)
            if ((others >> i & 1u) != 0) trial.members[trial.count++] = i;
        if (trial.count == trial.members.size()) continue;  // five with the last one: four always suffice
        trial.members[trial.count++] = last;
        const std::span<const std::size_t> members(trial.members.data(), trial.count);
        if (!touching_center(balls, members, trial.ball.center)) continue;
        trial.ball.radius =
            points ? reach_over_points(balls, trial.ball.center) : reach_from(balls, trial.ball.center);
        // Subsets come first: on a tie the smaller set wins.
        if (trial.ball.radius < best.ball.radius) best = trial;
    }
    return best;
}

}  // namespace bv::detail
