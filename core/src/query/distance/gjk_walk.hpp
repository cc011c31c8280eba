// The walk of GJK, for gjk.cpp in plain C++ and for simd/gjk_avx2.cpp with AVX2; both give the same bits. The
// simplex is reduced to the face with the point closest to the origin, rather than by Voronoi regions: a few
// more products, but flat and needle-like simplexes, which are common for touching and parallel shapes, need
// no special treatment. Source: Gilbert 1988; Ericson 2005, 9.5.
//
// The including file defines BV_GJK_TARGET, the attribute of functions that may use its instruction set. They
// are templates over the kernel, since the linker must not merge the copies into one.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "query/distance/gjk.hpp"
#include "query/distance/support.hpp"
#include "simd/support.hpp"

namespace bv::detail {

inline constexpr int kMaxGjkSteps = 256;  // Polytopes need far fewer; balls are points here.

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
    BV_GJK_TARGET void triangle(int i, int j, int k, const DVec3& to_i, const DVec3& to_j, const DVec3& n) noexcept {
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

/// The simplex's point closest to the origin, on one of the three.
inline DVec3 mix(const GjkSimplex& s, const DVec3 (&part)[4]) noexcept {
    DVec3 sum(0.0);
    for (int i = 0; i < s.count; ++i)
        sum += s.weight[i] * part[s.slot[i]];
    return sum;
}

inline SimplexReduced describe(const GjkSimplex& s, const DVec3& origin, double lower, double upper) {
    SimplexReduced event;
    event.count = static_cast<std::uint8_t>(s.count);
    for (int i = 0; i < s.count; ++i)
        event.difference[i] = narrow(s.w[s.slot[i]]);
    event.on_a = narrow(mix(s, s.a) + origin);
    event.on_b = narrow(mix(s, s.b) + origin);
    event.lower_bound = static_cast<float>(std::max(lower, 0.0));
    event.upper_bound = static_cast<float>(upper);
    return event;
}

/// Weights of the origin in a tetrahedron that contains it.
inline void weigh_inside(GjkSimplex& s) noexcept {
    double sum = 0.0;
    for (int i = 0; i < 4; ++i) {
        const DVec3& a = s.w[s.slot[(i + 1) & 3]];
        const DVec3& b = s.w[s.slot[(i + 2) & 3]];
        const DVec3& c = s.w[s.slot[(i + 3) & 3]];
        s.weight[i] = std::abs(glm::dot(a, glm::cross(b, c)));
        sum += s.weight[i];
    }
    for (double& w : s.weight)
        w = sum > 0.0 ? w / sum : 0.25;
}

/// The walk of a pair toward the origin, and where it ended.
struct GjkWalk {
    GjkSimplex simplex;
    DVec3 origin;
    double size_sq = 0.0;
    double upper_sq = 0.0;  ///< Of the distance.
    bool inside = false;
    bool apart = false;  ///< Farther apart than asked for.

    // Rounding is relative to the input coordinates, not only to their difference.
    [[nodiscard]] double tolerance_sq() const noexcept { return kTouching * kTouching * size_sq; }
    [[nodiscard]] double distance() const noexcept {
        return inside || upper_sq <= tolerance_sq() ? 0.0 : std::sqrt(upper_sq);
    }
};

/// Support points of a core relative to `origin`. `Kernel::Box` gives those of boxes.
template <class Kernel>
class SupportRelativeTo {
  public:
    BV_GJK_TARGET SupportRelativeTo(const ConvexRef& core, const DVec3& origin) noexcept
        : core_(core), origin_(origin), is_box_(Support::is_box(core)) {
        if (is_box_) {
            box_.set(core, Support::center(core) - origin);
        } else if (const Hull* const hull = Support::searched_hull(core); hull != nullptr) {
            static const simd::SupportKernels& kernels = simd::support_kernels();
            const auto count = static_cast<std::uint32_t>(hull->vertices.size());
            if (kernels.fill_columns(columns_, &hull->vertices.front().x, count)) {
                search_ = kernels.farthest_in_columns;
                origin_ -= Support::offset(core);
            }
        }
    }
    [[nodiscard]] bool is_box() const noexcept { return is_box_; }
    /// For the first direction.
    [[nodiscard]] BV_GJK_TARGET DVec3 start(const DVec3& direction) noexcept {
        if (!is_box_ && search_ == nullptr) hint_ = Support::first_hint(core_, direction);
        return (*this)(direction);
    }
    [[nodiscard]] BV_GJK_TARGET DVec3 operator()(const DVec3& direction) noexcept {
        if (is_box_) return box_.support(direction);
        if (search_ != nullptr) {
            const float* const p = columns_.xyz + std::size_t{3} * search_(columns_, &direction.x);
            return DVec3(p[0], p[1], p[2]) - origin_;
        }
        return Support::of(core_, direction, hint_) - origin_;
    }

  private:
    const ConvexRef& core_;
    DVec3 origin_;
    bool is_box_;
    std::uint32_t hint_ = 0;
    simd::FarthestInColumns search_ = nullptr;  ///< Null if the columns are not used.
    typename Kernel::Box box_;
    simd::HullColumns columns_;
};

/// Walks from the axis between the middles of both, until the distance is known, or known to be above `far` or
/// at most `near`.
template <class Kernel, class Sink>
BV_GJK_TARGET void walk_to_origin(const ConvexRef& a, const ConvexRef& b, double near, double far, Sink& sink,
                                  GjkWalk& out) {
    out.origin = Support::center(a);
    const DVec3 origin = out.origin;
    SupportRelativeTo<Kernel> support_a(a, origin);
    SupportRelativeTo<Kernel> support_b(b, origin);
    GjkSimplex& simplex = out.simplex;
    const auto add_vertex = [&simplex](const DVec3& on_a, const DVec3& on_b) {
        const int i = simplex.slot[simplex.count++];
        simplex.a[i] = on_a;
        simplex.b[i] = on_b;
        simplex.w[i] = on_a - on_b;
        return i;
    };

    const DVec3 first = Support::middle(b) - Support::middle(a);
    add_vertex(support_a.start(first), support_b.start(-first));
    simplex.weight[0] = 1.0;
    // Of two boxes a bound of the offsets is known at once.
    const bool boxes = support_a.is_box() && support_b.is_box();
    out.size_sq = boxes ? 3.0 * (glm::dot(first, first) + Support::reach_sq(a) + Support::reach_sq(b)) : 0.0;
    const auto measure = [&out, &simplex, boxes](int i) {
        if (boxes) return;
        out.size_sq = std::max({out.size_sq, glm::dot(simplex.w[i], simplex.w[i]),
                                glm::dot(simplex.a[i], simplex.a[i]), glm::dot(simplex.b[i], simplex.b[i])});
    };
    measure(0);
    // All comparisons are of squares: roots and quotients would delay every branch.
    double tolerance_sq = out.tolerance_sq();
    const auto is_beyond = [&tolerance_sq, far](double along, double length_sq) {
        const double reach_sq = far == 0.0 ? tolerance_sq : square(far + std::sqrt(tolerance_sq));
        return along > 0.0 && along * along > reach_sq * length_sq;
    };
    DVec3 closest = simplex.w[0];
    double upper_sq = glm::dot(closest, closest);
    // For most disjoint pairs the axis between their middles separates already.
    double along = -glm::dot(first, closest);
    double along_sq = glm::dot(first, first);
    double lower = 0.0;  // for the trace
    for (int step = 0; step < kMaxGjkSteps; ++step) {
        if constexpr (Sink::kEnabled) {
            if (along > 0.0) lower = std::max(lower, along / std::sqrt(along_sq));
            sink(describe(simplex, origin, lower, std::sqrt(upper_sq)));
        }
        if (upper_sq <= tolerance_sq || upper_sq <= near * near) break;
        if (step == 0 && is_beyond(along, along_sq)) {
            out.apart = true;
            break;
        }
        const int next = add_vertex(support_a(-closest), support_b(closest));
        measure(next);
        tolerance_sq = out.tolerance_sq();
        along = glm::dot(closest, simplex.w[next]);
        along_sq = upper_sq;
        const double gap = upper_sq - along;
        if (!(gap > 0.0) || gap * gap <= tolerance_sq * upper_sq) {
            --simplex.count;
            if constexpr (Sink::kEnabled) {
                lower = std::max(lower, along / std::sqrt(along_sq));
                sink(describe(simplex, origin, lower, std::sqrt(upper_sq)));
            }
            break;
        }
        if (is_beyond(along, along_sq)) {
            --simplex.count;
            out.apart = true;
            break;
        }
        GjkReduction<Kernel> reduction(simplex);
        if (!reduce(simplex, reduction)) {
            out.inside = true;
            if constexpr (Sink::kEnabled) {
                weigh_inside(simplex);
                sink(describe(simplex, origin, 0.0, 0.0));
            }
            break;
        }
        if (!(reduction.distance_sq() < upper_sq)) {  // No progress beyond rounding.
            --simplex.count;
            break;
        }
        reduction.apply(simplex);
        closest = reduction.closest();
        upper_sq = reduction.distance_sq();
    }
    out.upper_sq = upper_sq;
}

}  // namespace bv::detail
