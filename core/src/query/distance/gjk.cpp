// GJK. The simplex is reduced to the face with the point closest to the origin, rather than by Voronoi
// regions: a few more products, but flat and needle-like simplexes, which are common for touching and
// parallel shapes, need no special treatment. Source: Gilbert 1988; Ericson 2005, 9.5.
#include "query/distance/gjk.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "query/distance/support.hpp"

namespace bv::detail {
namespace {

constexpr int kMaxSteps = 256;  // Polytopes need far fewer; balls are points here.

/// Up to four vertices w = a - b of the difference, and the weights of the point closest to the origin. A
/// vertex keeps its slot as long as it belongs to the simplex, so that nothing is copied.
struct Simplex {
    DVec3 w[4];
    DVec3 a[4];
    DVec3 b[4];
    double weight[4];
    int slot[4] = {0, 1, 0, 0};  ///< The first `count` are in use, the one after them is free.
    int count = 0;

    [[nodiscard]] DVec3 mix(const DVec3 (&part)[4]) const noexcept {
        DVec3 sum(0.0);
        for (int i = 0; i < count; ++i)
            sum += weight[i] * part[slot[i]];
        return sum;
    }
};

/// A vertex, edge or face of a simplex, and its point closest to the origin.
struct Feature {
    int count = 0;
    int at[3] = {};  ///< Slots.
    double weight[3] = {};
    DVec3 closest{0.0};
    double distance_sq = std::numeric_limits<double>::infinity();
};

/// Finds the feature of a simplex that contains its point closest to the origin.
class Reduction {
  public:
    explicit Reduction(const Simplex& s) noexcept : w_(s.w), slot_(s.slot) {}
    [[nodiscard]] const Feature& best() const noexcept { return best_; }

    void point(int i) noexcept {
        const double sq = glm::dot(w_[i], w_[i]);
        if (!(sq < best_.distance_sq)) return;
        best_.count = 1;
        best_.at[0] = i;
        best_.weight[0] = 1.0;
        best_.closest = w_[i];
        best_.distance_sq = sq;
    }

    void segment(int i, int j) noexcept {
        const DVec3 d = w_[j] - w_[i];
        const double length_sq = glm::dot(d, d);
        const double t = -glm::dot(w_[i], d);
        if (!(t > 0.0)) return point(i);
        if (!(t < length_sq)) return point(j);
        const double to_j = t / length_sq;
        const double to_i = 1.0 - to_j;
        const DVec3 p = to_i * w_[i] + to_j * w_[j];
        const double sq = glm::dot(p, p);
        if (!(sq < best_.distance_sq)) return;
        best_.count = 2;
        best_.at[0] = i;
        best_.at[1] = j;
        best_.weight[0] = to_i;
        best_.weight[1] = to_j;
        best_.closest = p;
        best_.distance_sq = sq;
    }

    void triangle(int i, int j, int k) noexcept {
        const DVec3 to_j = w_[j] - w_[i];
        const DVec3 to_k = w_[k] - w_[i];
        triangle(i, j, k, to_j, to_k, glm::cross(to_j, to_k));
    }

    /// False if the origin is inside.
    [[nodiscard]] bool tetrahedron() noexcept {
        bool outside = false;
        for (int skip = 0; skip < 4; ++skip) {
            const int i = slot_[(skip + 1) & 3];
            const int j = slot_[(skip + 2) & 3];
            const int k = slot_[(skip + 3) & 3];
            const DVec3 to_j = w_[j] - w_[i];
            const DVec3 to_k = w_[k] - w_[i];
            const DVec3 n = glm::cross(to_j, to_k);
            // Their ratio is the weight of the fourth corner. For an origin inside, all weights are between 0
            // and 1; in a flat tetrahedron, where the signs are only rounding, an origin off its plane gets a
            // weight far above 1.
            const double fourth = glm::dot(n, w_[slot_[skip]] - w_[i]);
            const double origin = -glm::dot(n, w_[i]);
            if (fourth > 0.0 ? origin > 0.0 && origin <= fourth : origin < 0.0 && origin >= fourth) continue;
            outside = true;
            triangle(i, j, k, to_j, to_k, n);
        }
        return outside;
    }

  private:
    void triangle(int i, int j, int k, const DVec3& to_j, const DVec3& to_k, const DVec3& n) noexcept {
        const double n_sq = glm::dot(n, n);
        double u = -1.0;
        double v = -1.0;
        double w = -1.0;
        // A needle has no measurable interior: its edges are enough.
        if (n_sq > 1e-26 * glm::dot(to_j, to_j) * glm::dot(to_k, to_k)) {
            u = glm::dot(n, glm::cross(w_[j], w_[k]));
            v = glm::dot(n, glm::cross(w_[k], w_[i]));
            w = glm::dot(n, glm::cross(w_[i], w_[j]));
            if (u >= 0.0 && v >= 0.0 && w >= 0.0) return interior(i, j, k, u, v, w);
        }
        // The closest point lies on an edge that has the origin's projection on its outer side.
        if (!(w >= 0.0)) segment(i, j);
        if (!(u >= 0.0)) segment(j, k);
        if (!(v >= 0.0)) segment(k, i);
    }

    void interior(int i, int j, int k, double u, double v, double w) noexcept {
        const double sum = u + v + w;
        u /= sum;
        v /= sum;
        w /= sum;
        const DVec3 p = u * w_[i] + v * w_[j] + w * w_[k];
        const double sq = glm::dot(p, p);
        if (!(sq < best_.distance_sq)) return;
        best_.count = 3;
        best_.at[0] = i;
        best_.at[1] = j;
        best_.at[2] = k;
        best_.weight[0] = u;
        best_.weight[1] = v;
        best_.weight[2] = w;
        best_.closest = p;
        best_.distance_sq = sq;
    }

    const DVec3 (&w_)[4];
    const int (&slot_)[4];
    Feature best_;
};

/// The feature of `s` closest to the origin. False if the origin is inside.
bool reduce(const Simplex& s, Feature& closest) noexcept {
    Reduction reduction(s);
    if (s.count == 2) reduction.segment(s.slot[0], s.slot[1]);
    if (s.count == 3) reduction.triangle(s.slot[0], s.slot[1], s.slot[2]);
    if (s.count == 4 && !reduction.tetrahedron()) return false;
    closest = reduction.best();
    return true;
}

/// Drops the vertices that the feature does not have.
void keep(Simplex& s, const Feature& feature) noexcept {
    unsigned unused = 0xf;
    for (int i = 0; i < feature.count; ++i) {
        s.slot[i] = feature.at[i];
        s.weight[i] = feature.weight[i];
        unused &= ~(1u << feature.at[i]);
    }
    s.count = feature.count;
    s.slot[s.count] = std::countr_zero(unused);
}

SimplexReduced describe(const Simplex& s, const DVec3& origin, double lower, double upper) {
    SimplexReduced event;
    event.count = static_cast<std::uint8_t>(s.count);
    for (int i = 0; i < s.count; ++i)
        event.difference[i] = narrow(s.w[s.slot[i]]);
    event.on_a = narrow(s.mix(s.a) + origin);
    event.on_b = narrow(s.mix(s.b) + origin);
    event.lower_bound = static_cast<float>(std::max(lower, 0.0));
    event.upper_bound = static_cast<float>(upper);
    return event;
}

/// Weights of the origin in a tetrahedron that contains it.
void weigh_inside(Simplex& s) noexcept {
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
struct Walk {
    Simplex simplex;
    DVec3 origin;
    double upper = 0.0;
    double size = 0.0;
    bool inside = false;

    // Rounding is relative to the input coordinates, not only to their difference.
    [[nodiscard]] double tolerance() const noexcept { return kTouching * size; }
    [[nodiscard]] double distance() const noexcept { return inside || upper <= tolerance() ? 0.0 : upper; }
};

template <class Sink>
void walk(const ConvexRef& a, const ConvexRef& b, double near, double far, Sink& sink, Walk& out) {
    out.origin = a.center();
    const DVec3 origin = out.origin;
    std::uint32_t hint_a = 0;
    std::uint32_t hint_b = 0;
    Simplex& simplex = out.simplex;
    const auto add_vertex = [&](const DVec3& direction) {
        const int i = simplex.slot[simplex.count++];
        simplex.a[i] = Support::of(a, direction, hint_a) - origin;
        simplex.b[i] = Support::of(b, -direction, hint_b) - origin;
        simplex.w[i] = simplex.a[i] - simplex.b[i];
        return i;
    };

    const DVec3 first = Support::middle(b) - Support::middle(a);
    add_vertex(first);
    simplex.weight[0] = 1.0;
    double size_sq = std::max({glm::dot(simplex.w[0], simplex.w[0]), glm::dot(simplex.a[0], simplex.a[0]),
                               glm::dot(simplex.b[0], simplex.b[0])});
    out.size = std::sqrt(size_sq);
    DVec3 closest = simplex.w[0];
    double upper = glm::length(closest);
    double lower = 0.0;
    // For most disjoint pairs the axis between their middles separates already.
    if (const double gap = -glm::dot(first, closest); gap > 0.0) lower = gap / glm::length(first);
    for (int step = 0; step < kMaxSteps; ++step) {
        if constexpr (Sink::kEnabled) sink(describe(simplex, origin, lower, upper));
        if (upper <= out.tolerance() || upper <= near) break;
        if (lower > far + out.tolerance()) {
            upper = lower;
            break;
        }
        const int next = add_vertex(-closest);
        size_sq = std::max({size_sq, glm::dot(simplex.w[next], simplex.w[next]),
                            glm::dot(simplex.a[next], simplex.a[next]),
                            glm::dot(simplex.b[next], simplex.b[next])});
        out.size = std::sqrt(size_sq);
        lower = std::max(lower, glm::dot(closest, simplex.w[next]) / upper);
        if (upper - lower <= out.tolerance()) {
            --simplex.count;
            break;
        }
        if (lower > far + out.tolerance()) {
            --simplex.count;
            upper = lower;
            break;
        }
        Feature feature;
        if (!reduce(simplex, feature)) {
            out.inside = true;
            upper = 0.0;
            if constexpr (Sink::kEnabled) {
                weigh_inside(simplex);
                sink(describe(simplex, origin, 0.0, 0.0));
            }
            break;
        }
        const double length = std::sqrt(feature.distance_sq);
        if (!(length < upper)) {  // No progress beyond rounding.
            --simplex.count;
            break;
        }
        keep(simplex, feature);
        closest = feature.closest;
        upper = length;
    }
    out.upper = upper;
}

}  // namespace

template <class Sink>
GjkResult gjk(const ConvexRef& a, const ConvexRef& b, double near, double far, Sink& sink) {
    Walk end;
    walk(a, b, near, far, sink, end);
    if (end.inside) weigh_inside(end.simplex);
    GjkResult result;
    result.on_a = end.simplex.mix(end.simplex.a) + end.origin;
    result.on_b = end.simplex.mix(end.simplex.b) + end.origin;
    result.distance = end.distance();
    result.size = end.size;
    return result;
}

template <class Sink>
bool gjk_overlap(const ConvexRef& a, const ConvexRef& b, double reach, Sink& sink) {
    Walk end;
    walk(a, b, reach, reach, sink, end);
    return end.distance() <= reach + end.tolerance();
}

template GjkResult gjk<NoTrace>(const ConvexRef&, const ConvexRef&, double, double, NoTrace&);
template GjkResult gjk<Recording>(const ConvexRef&, const ConvexRef&, double, double, Recording&);
template bool gjk_overlap<NoTrace>(const ConvexRef&, const ConvexRef&, double, NoTrace&);
template bool gjk_overlap<Recording>(const ConvexRef&, const ConvexRef&, double, Recording&);

}  // namespace bv::detail
