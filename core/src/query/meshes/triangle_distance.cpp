#include "query/meshes/triangle_distance.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <span>

#include "bv/query/overlap_triangle.hpp"

namespace bv::detail {
namespace {

struct Corners {
    glm::dvec3 at[3];

    explicit Corners(const Triangle& t) noexcept : at{glm::dvec3(t.a), glm::dvec3(t.b), glm::dvec3(t.c)} {}
    [[nodiscard]] double reach(const glm::dvec3& direction) const noexcept {
        return std::max({glm::dot(at[0], direction), glm::dot(at[1], direction), glm::dot(at[2], direction)});
    }
};

void offer(NearestPoints& best, const glm::dvec3& on_a, const glm::dvec3& on_b) noexcept {
    const glm::dvec3 delta = on_b - on_a;
    const double d2 = glm::dot(delta, delta);
    if (d2 < best.distance2) best = {d2, on_a, on_b};
}

/// Nearest points of two segments.
NearestPoints of_segments(const glm::dvec3& p, const glm::dvec3& d1, const glm::dvec3& q,
                          const glm::dvec3& d2) noexcept {
    const glm::dvec3 r = p - q;
    const double a = glm::dot(d1, d1);
    const double e = glm::dot(d2, d2);
    const double f = glm::dot(d2, r);
    const double c = glm::dot(d1, r);
    const double b = glm::dot(d1, d2);
    const double det = a * e - b * b;
    double s = det > 0.0 ? std::clamp((b * f - c * e) / det, 0.0, 1.0) : 0.0;
    double t = e > 0.0 ? std::clamp((b * s + f) / e, 0.0, 1.0) : 0.0;
    // With t clamped, s is recomputed: its best for that t.
    if (a > 0.0) s = std::clamp((b * t - c) / a, 0.0, 1.0);
    if (e > 0.0) t = std::clamp((b * s + f) / e, 0.0, 1.0);
    NearestPoints found;
    found.on_a = p + s * d1;
    found.on_b = q + t * d2;
    const glm::dvec3 delta = found.on_b - found.on_a;
    found.distance2 = glm::dot(delta, delta);
    return found;
}

/// Offers those of `points` whose projections to the plane of `face` lie inside it.
template <class Offer>
void offer_feet(const Corners& face, std::span<const glm::dvec3> points, const Offer& offer_foot) noexcept {
    const glm::dvec3 e0 = face.at[1] - face.at[0], e1 = face.at[2] - face.at[1], e2 = face.at[0] - face.at[2];
    const glm::dvec3 n = glm::cross(e0, e1);
    const double n2 = glm::dot(n, n);
    if (!(n2 > 0.0)) return;
    const glm::dvec3 out[3] = {glm::cross(e0, n), glm::cross(e1, n), glm::cross(e2, n)};
    for (const glm::dvec3& p : points) {
        bool within = true;
        for (int k = 0; k < 3; ++k)
            within = within && glm::dot(out[k], p - face.at[k]) <= 0.0;
        if (within) offer_foot(p - (glm::dot(n, p - face.at[0]) / n2) * n, p);
    }
}

/// Offers the points at which edges of `through` pass through `face`.
template <class Offer>
void offer_piercings(const Corners& face, const Corners& through, const Offer& offer_foot) noexcept {
    const glm::dvec3 n = glm::cross(face.at[1] - face.at[0], face.at[2] - face.at[1]);
    for (int k = 0; k < 3; ++k) {
        const glm::dvec3& p = through.at[k];
        const glm::dvec3& q = through.at[(k + 1) % 3];
        const double from = glm::dot(n, p - face.at[0]), to = glm::dot(n, q - face.at[0]);
        if (from == to || (from < 0.0) == (to < 0.0)) continue;
        const glm::dvec3 at[1] = {p + (from / (from - to)) * (q - p)};
        offer_feet(face, at, offer_foot);
    }
}

/// A point on each of two triangles that overlap: the same point, except for rounding. Each lies on its own
/// triangle however thin the triangles are, since it is a point of an edge or the foot of one.
NearestPoints common_points(const Corners& a, const Corners& b, NearestPoints nearest) noexcept {
    const double size = std::max({glm::length(a.at[1] - a.at[0]), glm::length(a.at[2] - a.at[0]),
                                  glm::length(b.at[1] - b.at[0]), glm::length(b.at[2] - b.at[0])});
    // Edges or corners that touch have been found already.
    if (!(nearest.distance2 <= 1e-24 * size * size)) {
        offer_piercings(b, a, [&](const glm::dvec3& foot, const glm::dvec3& p) { offer(nearest, p, foot); });
        offer_piercings(a, b, [&](const glm::dvec3& foot, const glm::dvec3& p) { offer(nearest, foot, p); });
    }
    nearest.distance2 = 0.0;
    return nearest;
}

}  // namespace

NearestPoints nearest_points(const Triangle& ta, const Triangle& tb, float slack) noexcept {
    const Corners a(ta), b(tb);
    const double touching2 = static_cast<double>(slack) * static_cast<double>(slack);
    NearestPoints best;
    for (int i = 0; i < 3; ++i) {
        const glm::dvec3& p = a.at[i];
        const glm::dvec3 d1 = a.at[(i + 1) % 3] - p;
        for (int j = 0; j < 3; ++j) {
            const glm::dvec3& q = b.at[j];
            const NearestPoints now = of_segments(p, d1, q, b.at[(j + 1) % 3] - q);
            if (!(now.distance2 < best.distance2)) continue;
            best = now;
            // The ends of both edges lie beyond the planes through the two points; if the third corners do,
            // too, nothing is nearer.
            const glm::dvec3 delta = now.on_b - now.on_a;
            if (now.distance2 > touching2 && glm::dot(a.at[(i + 2) % 3] - now.on_a, delta) <= 0.0 &&
                glm::dot(b.at[(j + 2) % 3] - now.on_b, delta) >= 0.0)
                return best;
        }
    }
    offer_feet(b, a.at, [&](const glm::dvec3& foot, const glm::dvec3& p) { offer(best, p, foot); });
    offer_feet(a, b.at, [&](const glm::dvec3& foot, const glm::dvec3& p) { offer(best, foot, p); });
    const glm::dvec3 delta = best.on_b - best.on_a;
    const bool is_apart =
        best.distance2 > touching2 && a.reach(delta) + 0.5 * best.distance2 < -b.reach(-delta);
    return !is_apart && overlap(ta, tb) ? common_points(a, b, best) : best;
}

}  // namespace bv::detail
