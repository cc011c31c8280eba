// Discrete oriented polytopes: boxes with more than three fixed directions (Klosowski 1998).
#pragma once

#include <array>
#include <cstddef>
#include <glm/mat4x3.hpp>
#include <glm/vec3.hpp>
#include <limits>

#include "bv/shapes/polytope.hpp"

namespace bv {

/// All directions of this library's k-DOPs: 3 axes, 4 diagonals through corners of a cube, 6 through the
/// midpoints of its edges. Not of unit length: the entries are -1, 0 and 1, so that a projection is a sum.
inline constexpr std::array<glm::vec3, 13> kKdopDirections = {
    glm::vec3(1, 0, 0),  glm::vec3(0, 1, 0),  glm::vec3(0, 0, 1), glm::vec3(1, 1, 1), glm::vec3(1, 1, -1),
    glm::vec3(1, -1, 1), glm::vec3(-1, 1, 1), glm::vec3(1, 1, 0), glm::vec3(1, 0, 1), glm::vec3(0, 1, 1),
    glm::vec3(1, -1, 0), glm::vec3(1, 0, -1), glm::vec3(0, 1, -1)};

/// The projection that k-DOPs store and test: in double, where it is exact for coordinates of similar size.
[[nodiscard]] constexpr double kdop_project(const glm::vec3& direction, const glm::vec3& p) noexcept {
    return (static_cast<double>(direction.x) * static_cast<double>(p.x) +
            static_cast<double>(direction.y) * static_cast<double>(p.y)) +
           static_cast<double>(direction.z) * static_cast<double>(p.z);
}

/// The closed set of points `p` with `min[i] <= dot(direction(i), p) <= max[i]` for all K/2 directions. K is
/// 6 (an AABB), 8 (the four corner diagonals alone), 14 (axes and corners), 18 (axes and edges) or 26 (all).
/// The bounds are in meters times the direction's length. Empty by default: min = +inf, max = -inf.
template <int K>
struct Kdop {
    static_assert(K == 6 || K == 8 || K == 14 || K == 18 || K == 26, "no such k-DOP");
    static constexpr int kDirections = K / 2;

    std::array<float, K / 2> min;
    std::array<float, K / 2> max;

    constexpr Kdop() {
        min.fill(std::numeric_limits<float>::infinity());
        max.fill(-std::numeric_limits<float>::infinity());
    }

    [[nodiscard]] static constexpr const glm::vec3& direction(int i) noexcept {
        const int skipped = K == 8 ? i + 3 : (K == 18 && i >= 3) ? i + 4 : i;
        return kKdopDirections[static_cast<std::size_t>(skipped)];
    }
    /// True if min > max along any direction, a bound is NaN, or both are the same infinity. Bounds can also
    /// contradict one another without this; those of a fitted k-DOP never do.
    [[nodiscard]] constexpr bool is_empty() const noexcept {
        for (std::size_t i = 0; i < K / 2; ++i) {
            if (!(max[i] - min[i] >= 0.0f)) return true;
        }
        return false;
    }
    [[nodiscard]] double volume() const;        ///< Of its polytope; 0 when empty or flat. Allocates.
    [[nodiscard]] double surface_area() const;  ///< Of its polytope; 0 when empty. Allocates.
    friend bool operator==(const Kdop&, const Kdop&) = default;
};

/// Smallest k-DOP that contains both, for k-DOPs that are not inside out and `Kdop<K>{}`: bounds are compared
/// one by one, so those of another inside-out one count.
template <int K>
[[nodiscard]] constexpr Kdop<K> merge(const Kdop<K>& a, const Kdop<K>& b) noexcept {
    Kdop<K> result;
    for (std::size_t i = 0; i < K / 2; ++i) {
        result.min[i] = a.min[i] < b.min[i] ? a.min[i] : b.min[i];
        result.max[i] = a.max[i] > b.max[i] ? a.max[i] : b.max[i];
    }
    return result;
}

/// True iff `p` lies in the closed solid, tested in double as bv/shapes/contains_point.hpp says.
template <int K>
[[nodiscard]] constexpr bool contains_point(const Kdop<K>& dop, const glm::vec3& p) noexcept {
    for (int i = 0; i < K / 2; ++i) {
        const double d = kdop_project(Kdop<K>::direction(i), p);
        const auto k = static_cast<std::size_t>(i);
        // As differences: an infinite projection lies between no bounds, not even infinite ones.
        if (!(d - static_cast<double>(dop.min[k]) >= 0.0 && static_cast<double>(dop.max[k]) - d >= 0.0))
            return false;
    }
    return true;
}

/// The surface as vertices, triangles and edges, for drawing and measuring: each face is its plane clipped by
/// all others, in double, then vertices closer than 1e-9 of the size, or 8e-15 of the largest bound, are
/// merged. Flat and thinner k-DOPs give flat polytopes; empty ones and those with an infinite bound give an
/// empty one. Allocates. Cost: K^2 cuts.
template <int K>
[[nodiscard]] Polytope polytope_of(const Kdop<K>& dop);

/// The k-DOP around the image of the polytope under an affine map: looser than a new fit of the mapped
/// points, never too small. An infinite bound or a matrix that is not finite gives infinite bounds.
/// Allocates. Source: Klosowski 1998.
template <int K>
[[nodiscard]] Kdop<K> transformed(const Kdop<K>& dop, const glm::mat4x3& affine);

}  // namespace bv
