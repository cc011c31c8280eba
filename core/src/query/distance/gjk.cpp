// GJK. The simplex is reduced to the face with the point closest to the origin, rather than by Voronoi
// regions: a few more products, but flat and needle-like simplexes, which are common for touching and
// parallel shapes, need no special treatment. Source: Gilbert 1988; Ericson 2005, 9.5.
#include "query/distance/gjk.hpp"

#include <algorithm>
#include <limits>

namespace bv::detail {
namespace {

constexpr int kMaxSteps = 256;  // Polytopes need far fewer; balls are points here.

struct Vertex {
    DVec3 w;  // a - b
    DVec3 a;
    DVec3 b;
};

/// Up to four vertices, and the weights of the point closest to the origin.
struct Simplex {
    Vertex v[4];
    double weight[4] = {};
    int count = 0;

    [[nodiscard]] DVec3 mix(DVec3 Vertex::*part) const noexcept {
        DVec3 sum(0.0);
        for (int i = 0; i < count; ++i)
            sum += weight[i] * (v[i].*part);
        return sum;
    }
};

void keep_best(Simplex& best, double& best_sq, const Simplex& candidate) noexcept {
    const DVec3 p = candidate.mix(&Vertex::w);
    const double sq = glm::dot(p, p);
    if (!(sq < best_sq)) return;
    best_sq = sq;
    best = candidate;
}

void reduce_point(const Vertex& a, Simplex& best, double& best_sq) noexcept {
    Simplex s;
    s.count = 1;
    s.v[0] = a;
    s.weight[0] = 1.0;
    keep_best(best, best_sq, s);
}

void reduce_segment(const Vertex& a, const Vertex& b, Simplex& best, double& best_sq) noexcept {
    const DVec3 d = b.w - a.w;
    const double length_sq = glm::dot(d, d);
    const double t = -glm::dot(a.w, d);
    if (!(t > 0.0)) return reduce_point(a, best, best_sq);
    if (!(t < length_sq)) return reduce_point(b, best, best_sq);
    Simplex s;
    s.count = 2;
    s.v[0] = a;
    s.v[1] = b;
    s.weight[1] = t / length_sq;
    s.weight[0] = 1.0 - s.weight[1];
    keep_best(best, best_sq, s);
}

void reduce_triangle(const Vertex& a, const Vertex& b, const Vertex& c, Simplex& best,
                     double& best_sq) noexcept {
    const DVec3 ab = b.w - a.w;
    const DVec3 ac = c.w - a.w;
    const DVec3 n = glm::cross(ab, ac);
    const double n_sq = glm::dot(n, n);
    // A needle has no measurable interior: its edges are enough.
    if (n_sq > 1e-26 * glm::dot(ab, ab) * glm::dot(ac, ac)) {
        const double u = glm::dot(n, glm::cross(b.w, c.w));
        const double v = glm::dot(n, glm::cross(c.w, a.w));
        const double w = glm::dot(n, glm::cross(a.w, b.w));
        if (u >= 0.0 && v >= 0.0 && w >= 0.0) {
            Simplex s;
            s.count = 3;
            s.v[0] = a;
            s.v[1] = b;
            s.v[2] = c;
            const double sum = u + v + w;
            s.weight[0] = u / sum;
            s.weight[1] = v / sum;
            s.weight[2] = w / sum;
            keep_best(best, best_sq, s);
            return;
        }
    }
    reduce_segment(a, b, best, best_sq);
    reduce_segment(b, c, best, best_sq);
    reduce_segment(c, a, best, best_sq);
}

/// False if the origin is inside the tetrahedron.
bool reduce_tetrahedron(const Simplex& s, Simplex& best, double& best_sq) noexcept {
    bool outside = false;
    for (int skip = 0; skip < 4; ++skip) {
        const Vertex& a = s.v[(skip + 1) & 3];
        const Vertex& b = s.v[(skip + 2) & 3];
        const Vertex& c = s.v[(skip + 3) & 3];
        const DVec3 n = glm::cross(b.w - a.w, c.w - a.w);
        const double side_of_fourth = glm::dot(n, s.v[skip].w - a.w);
        const double side_of_origin = -glm::dot(n, a.w);
        // The weight of the fourth corner. For an origin inside, all weights are between 0 and 1; in a flat
        // tetrahedron, where the signs are only rounding, an origin off its plane gets a weight far above 1.
        const double weight = side_of_origin / side_of_fourth;
        if (weight > 0.0 && weight <= 1.0) continue;
        outside = true;
        reduce_triangle(a, b, c, best, best_sq);
    }
    return outside;
}

/// Reduces `s` to the face that contains its point closest to the origin. False if the origin is inside.
bool reduce(Simplex& s) noexcept {
    Simplex best;
    double best_sq = std::numeric_limits<double>::infinity();
    switch (s.count) {
        case 1:
            reduce_point(s.v[0], best, best_sq);
            break;
        case 2:
            reduce_segment(s.v[0], s.v[1], best, best_sq);
            break;
        case 3:
            reduce_triangle(s.v[0], s.v[1], s.v[2], best, best_sq);
            break;
        default:
            if (!reduce_tetrahedron(s, best, best_sq)) return false;
            break;
    }
    s = best;
    return true;
}

SimplexReduced describe(const Simplex& s, const DVec3& origin, double lower, double upper) {
    SimplexReduced event;
    event.count = static_cast<std::uint8_t>(s.count);
    for (int i = 0; i < s.count; ++i)
        event.difference[i] = narrow(s.v[i].w);
    event.on_a = narrow(s.mix(&Vertex::a) + origin);
    event.on_b = narrow(s.mix(&Vertex::b) + origin);
    event.lower_bound = static_cast<float>(std::max(lower, 0.0));
    event.upper_bound = static_cast<float>(upper);
    return event;
}

/// Weights of the origin in a tetrahedron that contains it.
void weigh_inside(Simplex& s) noexcept {
    double sum = 0.0;
    for (int i = 0; i < 4; ++i) {
        const DVec3& a = s.v[(i + 1) & 3].w;
        const DVec3& b = s.v[(i + 2) & 3].w;
        const DVec3& c = s.v[(i + 3) & 3].w;
        s.weight[i] = std::abs(glm::dot(a, glm::cross(b, c)));
        sum += s.weight[i];
    }
    for (double& w : s.weight)
        w = sum > 0.0 ? w / sum : 0.25;
}

}  // namespace

template <class Sink>
GjkResult gjk(const ConvexRef& a, const ConvexRef& b, double near, double far, Sink& sink) {
    const DVec3 origin = a.center();
    std::uint32_t hint_a = 0;
    std::uint32_t hint_b = 0;
    const auto vertex = [&](const DVec3& direction) {
        Vertex v;
        v.a = a.support(direction, hint_a) - origin;
        v.b = b.support(-direction, hint_b) - origin;
        v.w = v.a - v.b;
        return v;
    };

    Simplex simplex;
    simplex.count = 1;
    simplex.v[0] = vertex(b.center() - origin);
    simplex.weight[0] = 1.0;
    GjkResult result;
    double upper = glm::length(simplex.v[0].w);
    double lower = 0.0;
    double offset = upper;
    // Rounding is relative to the input coordinates, not only to their difference.
    const auto tolerance = [&] { return kTouching * offset; };
    bool inside = false;
    for (int step = 0; step < kMaxSteps; ++step) {
        if constexpr (Sink::kEnabled) sink(describe(simplex, origin, lower, upper));
        if (upper <= tolerance() || upper <= near) break;
        const DVec3 closest = simplex.mix(&Vertex::w);
        const Vertex next = vertex(-closest);
        offset = std::max({offset, glm::length(next.w), glm::length(next.a), glm::length(next.b)});
        lower = std::max(lower, glm::dot(closest, next.w) / upper);
        if (upper - lower <= tolerance()) break;
        if (lower > far + tolerance()) {
            upper = lower;
            break;
        }
        Simplex grown = simplex;
        grown.v[grown.count++] = next;
        if (!reduce(grown)) {
            simplex.v[simplex.count++] = next;
            weigh_inside(simplex);
            inside = true;
            upper = 0.0;
            if constexpr (Sink::kEnabled) sink(describe(simplex, origin, 0.0, 0.0));
            break;
        }
        const double length = glm::length(grown.mix(&Vertex::w));
        if (!(length < upper)) break;  // No progress beyond rounding.
        simplex = grown;
        upper = length;
    }
    result.on_a = simplex.mix(&Vertex::a) + origin;
    result.on_b = simplex.mix(&Vertex::b) + origin;
    result.distance = inside || upper <= tolerance() ? 0.0 : upper;
    result.size = offset;
    return result;
}

template GjkResult gjk<NoTrace>(const ConvexRef&, const ConvexRef&, double, double, NoTrace&);
template GjkResult gjk<Recording>(const ConvexRef&, const ConvexRef&, double, double, Recording&);

}  // namespace bv::detail
