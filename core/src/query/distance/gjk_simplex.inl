// The simplex of GJK and its reduction. It is reduced to the face with the point closest to the origin,
// rather than by Voronoi regions: a few more products, but flat and needle-like simplexes, which are common
// for touching and parallel shapes, need no special treatment. Source: Gilbert 1988; Ericson 2005, 9.5.
//
// The including file defines BV_GJK_TARGET, see gjk_walk.inl.
#pragma once

#include <bit>
#include <limits>

#include "query/precise.hpp"

namespace bv::detail {

/// Up to four vertices w = a - b of the difference, and the weights of the point closest to the origin. A
/// vertex keeps its slot as long as it belongs to the simplex, so that nothing is copied.
struct GjkSimplex {
    DVec3 w[4];
    DVec3 a[4];
    DVec3 b[4];
    double weight[4];
    int slot[4] = {0, 1, 0, 0};  ///< The first `count` are in use, the one after them is free.
    int count = 0;
};

/// Finds the vertex, edge or face of a simplex that contains its point closest to the origin. The closest
/// point before the last vertex came does not matter, since that vertex leads closer: only features that
/// contain it are tested.
template <class Kernel>
class GjkReduction {
  public:
    BV_GJK_TARGET explicit GjkReduction(const GjkSimplex& s) noexcept : w_(s.w) {}
    [[nodiscard]] double distance_sq() const noexcept { return distance_sq_; }
    [[nodiscard]] const DVec3& closest() const noexcept { return closest_; }

    BV_GJK_TARGET void segment(int i, int j) noexcept {
        const DVec3 d = w_[j] - w_[i];
        const double length_sq = glm::dot(d, d);
        const double t = -glm::dot(w_[i], d);
        if (!(t > 0.0)) return point(i);
        if (!(t < length_sq)) return point(j);
        const double to_j = t / length_sq;
        const double to_i = 1.0 - to_j;
        if (!improve(to_i * w_[i] + to_j * w_[j], 2)) return;
        set(0, i, to_i);
        set(1, j, to_j);
    }

    /// The last vertex is k.
    BV_GJK_TARGET void triangle(int i, int j, int k) noexcept {
        const DVec3 to_i = w_[i] - w_[k];
        const DVec3 to_j = w_[j] - w_[k];
        triangle(i, j, k, to_i, to_j, glm::cross(to_i, to_j));
    }

    /// The last vertex is l. False if the origin is inside.
    [[nodiscard]] BV_GJK_TARGET bool tetrahedron(int i, int j, int k, int l) noexcept {
        const DVec3 to_i = w_[i] - w_[l];
        const DVec3 to_j = w_[j] - w_[l];
        const DVec3 to_k = w_[k] - w_[l];
        const DVec3 n_ij = glm::cross(to_i, to_j);
        const DVec3 n_jk = glm::cross(to_j, to_k);
        const DVec3 n_ki = glm::cross(to_k, to_i);
        // The ratio of such a volume to that of the tetrahedron is the weight of one corner. For an origin
        // inside, all weights are between 0 and 1; in a flat tetrahedron, where the signs are only rounding,
        // an origin off its plane gets a weight far above 1.
        const double volume = glm::dot(n_ij, to_k);
        const double of_k = -glm::dot(n_ij, w_[l]);
        const double of_i = -glm::dot(n_jk, w_[l]);
        const double of_j = -glm::dot(n_ki, w_[l]);
        const double of_l = volume - of_i - of_j - of_k;
        const auto within = [volume](double part) {
            return volume > 0.0 ? part > 0.0 && part <= volume : part < 0.0 && part >= volume;
        };
        const bool within_k = within(of_k);
        const bool within_i = within(of_i);
        const bool within_j = within(of_j);
        if (within_i && within_j && within_k && within(of_l)) return false;
        if (!within_k) triangle(i, j, l, to_i, to_j, n_ij);
        if (!within_i) triangle(j, k, l, to_j, to_k, n_jk);
        if (!within_j) triangle(k, i, l, to_k, to_i, n_ki);
        return true;
    }

    /// Drops the vertices that the feature found does not have.
    BV_GJK_TARGET void apply(GjkSimplex& s) const noexcept {
        // Copies all three, used or not: a copy of `count_` would become a call.
        unsigned used = 0;
        for (int i = 0; i < 3; ++i) {
            s.slot[i] = at_[i];
            s.weight[i] = weight_[i];
            used |= (i < count_ ? 1u : 0u) << at_[i];
        }
        s.count = count_;
        s.slot[s.count] = std::countr_one(used);
    }

  private:
    /// Takes a point of a feature of `count` vertices if it is closer.
    BV_GJK_TARGET bool improve(const DVec3& p, int count) noexcept {
        const double sq = glm::dot(p, p);
        if (!(sq < distance_sq_)) return false;
        distance_sq_ = sq;
        closest_ = p;
        count_ = count;
        return true;
    }
    BV_GJK_TARGET void set(int which, int slot, double weight) noexcept {
        at_[which] = slot;
        weight_[which] = weight;
    }

    BV_GJK_TARGET void point(int i) noexcept {
        if (improve(w_[i], 1)) set(0, i, 1.0);
    }

    /// `n` is the cross of the vectors from k to i and j.
    BV_GJK_TARGET void triangle(int i, int j, int k, const DVec3& to_i, const DVec3& to_j,
                                const DVec3& n) noexcept {
        const double n_sq = glm::dot(n, n);
        double of_i = -1.0;
        double of_j = -1.0;
        // A needle has no measurable interior: its edges are enough.
        if (n_sq > 1e-26 * glm::dot(to_i, to_i) * glm::dot(to_j, to_j)) {
            of_i = glm::dot(n, glm::cross(to_j, w_[k]));
            of_j = glm::dot(n, glm::cross(w_[k], to_i));
            const double of_k = n_sq - of_i - of_j;
            if (of_i >= 0.0 && of_j >= 0.0 && of_k >= 0.0) {
                const double share_i = of_i / n_sq;
                const double share_j = of_j / n_sq;
                const double share_k = of_k / n_sq;
                if (!improve(share_i * w_[i] + share_j * w_[j] + share_k * w_[k], 3)) return;
                set(0, i, share_i);
                set(1, j, share_j);
                set(2, k, share_k);
                return;
            }
        }
        // The closest point lies on an edge that has the origin's projection on its outer side. The old edge
        // matters only where rounding hides the others.
        const bool beyond_jk = !(of_i >= 0.0);
        const bool beyond_ki = !(of_j >= 0.0);
        if (beyond_jk) segment(j, k);
        if (beyond_ki) segment(k, i);
        if (!beyond_jk && !beyond_ki) segment(i, j);
    }

    const DVec3 (&w_)[4];
    double distance_sq_ = std::numeric_limits<double>::infinity();
    DVec3 closest_;
    int count_ = 0;
    int at_[3] = {};
    double weight_[3] = {};
};

/// False if the origin is inside.
template <class Kernel>
BV_GJK_TARGET bool reduce(const GjkSimplex& s, GjkReduction<Kernel>& out) noexcept {
    const int(&slot)[4] = s.slot;
    if (s.count == 4) return out.tetrahedron(slot[0], slot[1], slot[2], slot[3]);
    if (s.count == 3)
        out.triangle(slot[0], slot[1], slot[2]);
    else
        out.segment(slot[0], slot[1]);
    return true;
}

}  // namespace bv::detail
