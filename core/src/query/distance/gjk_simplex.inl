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

/// The vertices of a simplex whose weighted mean is its point closest to the origin.
template <class Real>
struct GjkFeatureOf {
    int slot[3] = {0, 0, 0};  ///< The first `count` are in use.
    Real weight[3] = {1.0, 0.0, 0.0};
    int count = 1;
    int free = 1;  ///< The lowest slot not in use.
};

/// Copies coordinate by coordinate: an assignment reads two of them at once, which stalls if each has just
/// been stored by itself.
template <class Vector>
inline void copy(const Vector& from, Vector& to) noexcept {
    to.x = from.x;
    to.y = from.y;
    to.z = from.z;
}

/// Up to four vertices w = a - b of the difference, and the weights of the point closest to the origin. A
/// vertex keeps its slot as long as it belongs to the simplex, so that nothing is copied.
template <class Vector, class Real>
struct GjkSimplexOf {
    Vector w[4];
    DVec3 a[4];
    DVec3 b[4];
    Real weight[4];
    int slot[4];  ///< The first `count` are in use.
    int count;

    void put(int i, const DVec3& on_a, const DVec3& on_b, const Vector& difference) noexcept {
        copy(on_a, a[i]);
        copy(on_b, b[i]);
        copy(difference, w[i]);
    }
    /// Keeps the vertices of the feature.
    void keep(const GjkFeatureOf<Real>& feature) noexcept {
        for (int i = 0; i < 3; ++i) {
            slot[i] = feature.slot[i];
            weight[i] = feature.weight[i];
        }
        count = feature.count;
    }
    /// The same, and adds the vertex in the free slot: keeps the whole tetrahedron.
    void keep_all(const GjkFeatureOf<Real>& feature) noexcept {
        keep(feature);
        slot[count++] = feature.free;
    }
};
using GjkSimplex = GjkSimplexOf<DVec3, double>;

/// The arithmetic of a kernel in double precision.
struct GjkInDouble {
    using Real = double;
    using Vector = DVec3;
    /// Triangles with a smaller squared sine at a corner are treated as needles.
    static constexpr double kNeedle = 1e-26;
};

/// Finds the vertex, edge or face of a simplex that contains its point closest to the origin. The closest
/// point before the last vertex was added does not matter, since that vertex leads closer: only features that
/// contain it are tested. Vertices are passed by value, with their slots: the last one is still in registers,
/// and every step waits for this.
template <class Kernel>
class GjkReduction {
  public:
    using Real = typename Kernel::Real;
    using Vector = typename Kernel::Vector;
    using Feature = GjkFeatureOf<Real>;

    struct Vertex {
        int slot;
        Vector w;
    };

    [[nodiscard]] const Real& distance_sq() const noexcept { return distance_sq_; }
    [[nodiscard]] const Vector& closest() const noexcept { return closest_; }

    BV_GJK_TARGET BV_GJK_INLINE void segment(const Vertex& i, const Vertex& j) noexcept {
        const Vector d = j.w - i.w;
        const Real length_sq = dot(d, d);
        const Real t = -dot(i.w, d);
        if (!(t > 0.0)) return point(i);
        if (!(t < length_sq)) return point(j);
        const Real to_j = t / length_sq;
        const Real to_i = 1.0 - to_j;
        if (!improve(to_i * i.w + to_j * j.w, 2)) return;
        set(0, i, to_i);
        set(1, j, to_j);
    }

    /// The last vertex is k.
    BV_GJK_TARGET BV_GJK_INLINE void triangle(const Vertex& i, const Vertex& j, const Vertex& k) noexcept {
        const Vector to_i = i.w - k.w;
        const Vector to_j = j.w - k.w;
        triangle(i, j, k, to_i, to_j, cross(to_i, to_j));
    }

    /// The last vertex is l. False if the origin is inside.
    [[nodiscard]] BV_GJK_TARGET BV_GJK_INLINE bool tetrahedron(const Vertex& i, const Vertex& j,
                                                               const Vertex& k, const Vertex& l) noexcept {
        const Vector to_i = i.w - l.w;
        const Vector to_j = j.w - l.w;
        const Vector to_k = k.w - l.w;
        const Vector n_ij = cross(to_i, to_j);
        const Vector n_jk = cross(to_j, to_k);
        const Vector n_ki = cross(to_k, to_i);
        // The ratio of such a volume to that of the tetrahedron is the weight of one corner. For an origin
        // inside, all weights are between 0 and 1; in a flat tetrahedron, where the signs are only rounding,
        // an origin off its plane gets a weight far above 1.
        const Real volume = dot(n_ij, to_k);
        const Real of_k = -dot(n_ij, l.w);
        const Real of_i = -dot(n_jk, l.w);
        const Real of_j = -dot(n_ki, l.w);
        const Real of_l = volume - of_i - of_j - of_k;
        const auto within = [volume](const Real& part) {
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

    /// The feature found.
    [[nodiscard]] BV_GJK_TARGET BV_GJK_INLINE Feature feature() const noexcept {
        // Copies all three, used or not: a copy of `count_` would become a call.
        Feature f;
        unsigned used = 0;
        for (int i = 0; i < 3; ++i) {
            f.slot[i] = at_[i];
            f.weight[i] = weight_[i];
            used |= (i < count_ ? 1u : 0u) << at_[i];
        }
        f.count = count_;
        f.free = std::countr_one(used);
        return f;
    }

  private:
    /// Takes a point of a feature of `count` vertices if it is closer.
    BV_GJK_TARGET BV_GJK_INLINE bool improve(const Vector& p, int count) noexcept {
        const Real sq = dot(p, p);
        if (!(sq < distance_sq_)) return false;
        distance_sq_ = sq;
        closest_ = p;
        count_ = count;
        return true;
    }
    BV_GJK_TARGET BV_GJK_INLINE void set(int which, const Vertex& v, const Real& weight) noexcept {
        at_[which] = v.slot;
        weight_[which] = weight;
    }

    BV_GJK_TARGET BV_GJK_INLINE void point(const Vertex& i) noexcept {
        if (improve(i.w, 1)) set(0, i, 1.0);
    }

    /// `n` is the cross of the vectors from k to i and j.
    BV_GJK_TARGET BV_GJK_INLINE void triangle(const Vertex& i, const Vertex& j, const Vertex& k,
                                              const Vector& to_i, const Vector& to_j,
                                              const Vector& n) noexcept {
        const Real n_sq = dot(n, n);
        Real of_i = -1.0;
        Real of_j = -1.0;
        // A needle has no measurable interior: its edges are enough.
        if (n_sq > Kernel::kNeedle * dot(to_i, to_i) * dot(to_j, to_j)) {
            of_i = dot(n, cross(to_j, k.w));
            of_j = dot(n, cross(k.w, to_i));
            const Real of_k = n_sq - of_i - of_j;
            if (of_i >= 0.0 && of_j >= 0.0 && of_k >= 0.0) {
                const Real share_i = of_i / n_sq;
                const Real share_j = of_j / n_sq;
                const Real share_k = of_k / n_sq;
                if (!improve(share_i * i.w + share_j * j.w + share_k * k.w, 3)) return;
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

    Real distance_sq_ = std::numeric_limits<double>::infinity();
    Vector closest_;
    int count_ = 0;
    int at_[3] = {};
    Real weight_[3] = {};
};

/// Reduces the simplex of those vertices of `w` that `kept` holds, with `last_w` in its free slot. False if
/// the origin is inside.
template <class Kernel>
BV_GJK_TARGET BV_GJK_INLINE bool reduce(const GjkFeatureOf<typename Kernel::Real>& kept,
                                        const typename Kernel::Vector (&w)[4],
                                        const typename Kernel::Vector& last_w,
                                        GjkReduction<Kernel>& out) noexcept {
    using Vertex = typename GjkReduction<Kernel>::Vertex;
    const Vertex last{kept.free, last_w};
    const Vertex first{kept.slot[0], w[kept.slot[0]]};
    if (kept.count == 1) {
        out.segment(first, last);
        return true;
    }
    const Vertex second{kept.slot[1], w[kept.slot[1]]};
    if (kept.count == 2) {
        out.triangle(first, second, last);
        return true;
    }
    return out.tetrahedron(first, second, Vertex{kept.slot[2], w[kept.slot[2]]}, last);
}

}  // namespace bv::detail
