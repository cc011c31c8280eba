// Triangle against triangle, decided by exact signs.
//
// Two triangles that strictly cross each other's planes each intersect the common line in an interval; two
// determinants decide whether the intervals overlap (Devillers 2003). If any of the six side tests gives
// zero, the pair is touching, coplanar or degenerate, and each edge is tested against the other triangle
// separately, in the plane where necessary.
#include <algorithm>
#include <array>

#include "bv/query/overlap_triangle.hpp"
#include "query/precise.hpp"
#include "shapes/frame.hpp"
#include "shapes/predicates.hpp"

namespace bv {
namespace {

using detail::DVec3;
using detail::orient2d;
using detail::orient3d;
using detail::wide;
using glm::vec2;
using glm::vec3;

/// Drops one coordinate. One to one for a plane that is not parallel to the dropped axis.
struct Projection {
    int x = 0;
    int y = 1;
    vec2 operator()(const vec3& p) const noexcept { return {p[x], p[y]}; }
};

/// A projection in which a, b, c are not collinear; false if there is none.
bool find_projection(const vec3& a, const vec3& b, const vec3& c, Projection& out,
                     int& orientation) noexcept {
    for (int dropped = 0; dropped < 3; ++dropped) {
        out = {(dropped + 1) % 3, (dropped + 2) % 3};
        orientation = orient2d(out(a), out(b), out(c));
        if (orientation != 0) return true;
    }
    return false;
}

/// True if `p`, which is on the line through a and b, is between them.
bool between(const vec2& a, const vec2& b, const vec2& p) noexcept {
    return std::min(a.x, b.x) <= p.x && p.x <= std::max(a.x, b.x) && std::min(a.y, b.y) <= p.y &&
           p.y <= std::max(a.y, b.y);
}

bool segments_intersect(const vec2& a, const vec2& b, const vec2& c, const vec2& d) noexcept {
    const int abc = orient2d(a, b, c);
    const int abd = orient2d(a, b, d);
    const int cda = orient2d(c, d, a);
    const int cdb = orient2d(c, d, b);
    if (abc * abd < 0 && cda * cdb < 0) return true;
    return (abc == 0 && between(a, b, c)) || (abd == 0 && between(a, b, d)) ||
           (cda == 0 && between(c, d, a)) || (cdb == 0 && between(c, d, b));
}

/// The segment from p to q and a triangle of the given orientation (not 0), in the plane.
bool segment_hits_triangle(const vec2& p, const vec2& q, const vec2& a, const vec2& b, const vec2& c,
                           int orientation) noexcept {
    const auto inside = [&](const vec2& x) {
        return orientation * orient2d(a, b, x) >= 0 && orientation * orient2d(b, c, x) >= 0 &&
               orientation * orient2d(c, a, x) >= 0;
    };
    return inside(p) || inside(q) || segments_intersect(p, q, a, b) || segments_intersect(p, q, b, c) ||
           segments_intersect(p, q, c, a);
}

bool segments_intersect(const vec3& a, const vec3& b, const vec3& c, const vec3& d) noexcept {
    if (orient3d(a, b, c, d) != 0) return false;
    Projection flat;
    int orientation = 0;
    if (find_projection(a, b, c, flat, orientation) || find_projection(a, b, d, flat, orientation) ||
        find_projection(c, d, a, flat, orientation) || find_projection(c, d, b, flat, orientation))
        return segments_intersect(flat(a), flat(b), flat(c), flat(d));
    // All collinear, so every coordinate is monotonic along the line: the intervals of all three must
    // overlap.
    for (int i = 0; i < 3; ++i)
        if (std::max(a[i], b[i]) < std::min(c[i], d[i]) || std::max(c[i], d[i]) < std::min(a[i], b[i]))
            return false;
    return true;
}

/// The segment covered by three collinear points.
Segment cover(const Triangle& t) noexcept {
    const auto span = [](const vec3& a, const vec3& b) {
        const DVec3 d = glm::abs(wide(a) - wide(b));
        return d.x + d.y + d.z;
    };
    const double ab = span(t.a, t.b);
    const double bc = span(t.b, t.c);
    const double ca = span(t.c, t.a);
    if (ab >= bc && ab >= ca) return {t.a, t.b};
    return bc >= ca ? Segment{t.b, t.c} : Segment{t.c, t.a};
}

/// Segment from p to q and any triangle.
bool segment_hits_triangle(const vec3& p, const vec3& q, const Triangle& t) noexcept {
    Projection flat;
    int orientation = 0;
    if (!find_projection(t.a, t.b, t.c, flat, orientation)) {
        const Segment s = cover(t);
        return segments_intersect(p, q, s.a, s.b);
    }
    const int side_p = orient3d(t.a, t.b, t.c, p);
    const int side_q = orient3d(t.a, t.b, t.c, q);
    if (side_p * side_q > 0) return false;
    if (side_p == 0 && side_q == 0)
        return segment_hits_triangle(flat(p), flat(q), flat(t.a), flat(t.b), flat(t.c), orientation);
    // The line crosses the plane at one point, which is inside iff the line passes all three edges on the
    // same side.
    const int ab = orient3d(p, q, t.a, t.b);
    const int bc = orient3d(p, q, t.b, t.c);
    const int ca = orient3d(p, q, t.c, t.a);
    return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

template <class Sink>
bool edges_intersect(const Triangle& a, const Triangle& b, Sink& sink) {
    const auto hits = [&](const vec3& p, const vec3& q, bool of_a, std::uint8_t edge) {
        const bool hit = segment_hits_triangle(p, q, of_a ? b : a);
        sink(EdgeTested{of_a, edge, hit});
        return hit;
    };
    return hits(a.a, a.b, true, 0) || hits(a.b, a.c, true, 1) || hits(a.c, a.a, true, 2) ||
           hits(b.a, b.b, false, 0) || hits(b.b, b.c, false, 1) || hits(b.c, b.a, false, 2);
}

/// Rotates the corners so that the first is alone on its side; returns that side.
int rotate_single_first(Triangle& t, const std::array<int, 3>& side) noexcept {
    if (side[1] == side[2]) return side[0];
    if (side[0] == side[2]) {
        t = {t.b, t.c, t.a};
        return side[1];
    }
    t = {t.c, t.a, t.b};
    return side[2];
}

std::array<int, 3> sides(const Triangle& plane, const Triangle& t) noexcept {
    return {orient3d(plane.a, plane.b, plane.c, t.a), orient3d(plane.a, plane.b, plane.c, t.b),
            orient3d(plane.a, plane.b, plane.c, t.c)};
}

bool all_on_one_side(const std::array<int, 3>& s) noexcept {
    return s[0] != 0 && s[0] == s[1] && s[1] == s[2];
}
bool any_zero(const std::array<int, 3>& s) noexcept {
    return s[0] == 0 || s[1] == 0 || s[2] == 0;
}

/// The points at which the edges of a triangle meet the plane of another one.
struct Crossing {
    std::array<DVec3, 6> points;
    std::size_t count = 0;
    /// The two that are farthest apart along a direction.
    DVec3 from{0.0};
    DVec3 to{0.0};
    double lo = 0.0;
    double hi = -1.0;

    void add(const DVec3& p) noexcept { points[count++] = p; }
    [[nodiscard]] DVec3 span() const noexcept {
        DVec3 longest(0.0);
        for (std::size_t i = 1; i < count; ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                const DVec3 between = points[i] - points[j];
                if (glm::dot(between, between) > glm::dot(longest, longest)) longest = between;
            }
        }
        return longest;
    }
    void order(const DVec3& direction) noexcept {
        for (std::size_t i = 0; i < count; ++i) {
            const double at = glm::dot(points[i], direction);
            if (i == 0 || at < lo) {
                from = points[i];
                lo = at;
            }
            if (i == 0 || at > hi) {
                to = points[i];
                hi = at;
            }
        }
    }
};

Crossing crossing_of(const Triangle& t, const std::array<int, 3>& side, const Triangle& plane) noexcept {
    const vec3 corner[3] = {t.a, t.b, t.c};
    Crossing result;
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3;
        const DVec3 from = wide(corner[i]);
        if (side[i] == 0) result.add(from);
        if (side[i] * side[j] >= 0) continue;
        // Not by a normal: that of a sliver is mostly rounding.
        const double height_i = std::abs(detail::orient3d_value(plane.a, plane.b, plane.c, corner[i]));
        const double height_j = std::abs(detail::orient3d_value(plane.a, plane.b, plane.c, corner[j]));
        result.add(from + height_i / (height_i + height_j) * (wide(corner[j]) - from));
    }
    return result;
}

DVec3 unit_normal(const Triangle& t) noexcept {
    // At unit length: squares of products of four subnormal lengths would vanish.
    return detail::normalized_or_zero(glm::cross(wide(t.b) - wide(t.a), wide(t.c) - wide(t.a)));
}

template <class Sink>
void report_sides(const Triangle& plane, const Triangle& t, const std::array<int, 3>& side, bool of_a,
                  Sink& sink) {
    if constexpr (Sink::kEnabled) {
        CornersSided event;
        event.of_a = of_a;
        const DVec3 normal = unit_normal(plane);
        event.normal = detail::narrow(normal);
        event.on_plane = plane.a;
        const vec3* corners[3] = {&t.a, &t.b, &t.c};
        for (int k = 0; k < 3; ++k) {
            const auto at = static_cast<std::size_t>(k);
            event.side[at] = static_cast<std::int8_t>(side[at]);
            event.distance[k] = static_cast<float>(glm::dot(normal, wide(*corners[k]) - wide(plane.a)));
        }
        event.apart = all_on_one_side(side);
        sink(event);
    }
}

/// Where two triangles that cross each other's planes meet the line of both planes.
struct CommonLine {
    Crossing on_a, on_b;
    DVec3 direction{0.0};  ///< Unit length; zero if all is one point.

    CommonLine(const Triangle& a, const std::array<int, 3>& side_a, const Triangle& b,
               const std::array<int, 3>& side_b) noexcept
        : on_a(crossing_of(a, side_a, b)), on_b(crossing_of(b, side_b, a)) {
        // The longer part gives the direction best: for nearly equal planes, or slivers, it is lost in the
        // cross of the two normals.
        const DVec3 span_a = on_a.span(), span_b = on_b.span();
        direction =
            detail::normalized_or_zero(glm::dot(span_a, span_a) > glm::dot(span_b, span_b) ? span_a : span_b);
        if (glm::dot(direction, glm::cross(unit_normal(a), unit_normal(b))) < 0.0) direction = -direction;
        on_a.order(direction);
        on_b.order(direction);
    }
};

template <class Sink>
void report_intervals(const Triangle& a, const Triangle& b, const std::array<int, 3>& side_a,
                      const std::array<int, 3>& side_b, bool overlap, Sink& sink) {
    if constexpr (Sink::kEnabled) {
        const CommonLine line(a, side_a, b, side_b);
        const auto along = [&](double at) { return static_cast<float>(at - line.on_a.lo); };
        sink(IntervalsCompared{detail::narrow(line.on_a.from), detail::narrow(line.direction), 0.0f,
                               along(line.on_a.hi), along(line.on_b.lo), along(line.on_b.hi), overlap});
    }
}

template <class Sink>
bool overlap_impl(const Triangle& a, const Triangle& b, Sink& sink) {
    const auto side_a = sides(b, a);
    report_sides(b, a, side_a, true, sink);
    if (all_on_one_side(side_a)) return false;
    const auto side_b = sides(a, b);
    report_sides(a, b, side_b, false, sink);
    if (all_on_one_side(side_b)) return false;
    if (any_zero(side_a) || any_zero(side_b))
        return detail::has_points(a) && detail::has_points(b) && edges_intersect(a, b, sink);
    Triangle p = a;
    Triangle q = b;
    const int p_side = rotate_single_first(p, side_a);
    const int q_side = rotate_single_first(q, side_b);
    // Both single corners must be in front of the other triangle: swapping two corners flips a triangle.
    if (p_side < 0) std::swap(q.b, q.c);
    if (q_side < 0) std::swap(p.b, p.c);
    const bool overlap = orient3d(p.a, p.b, q.a, q.b) <= 0 && orient3d(p.a, p.c, q.c, q.a) <= 0 &&
                         detail::has_points(a) && detail::has_points(b);
    report_intervals(a, b, side_a, side_b, overlap, sink);
    return overlap;
}

}  // namespace

bool overlap(const Triangle& a, const Triangle& b) noexcept {
    NoTrace sink;
    return overlap_impl(a, b, sink);
}
bool overlap(const Triangle& a, const Triangle& b, Recording& trace) {
    return overlap_impl(a, b, trace);
}

std::optional<Segment> intersection(const Triangle& a, const Triangle& b) noexcept {
    if (!overlap(a, b)) return std::nullopt;
    const auto side_a = sides(b, a);
    const auto side_b = sides(a, b);
    const bool coplanar = side_a == std::array<int, 3>{} || side_b == std::array<int, 3>{};
    if (coplanar) return std::nullopt;
    const CommonLine line(a, side_a, b, side_b);
    return Segment{detail::narrow(line.on_a.lo > line.on_b.lo ? line.on_a.from : line.on_b.from),
                   detail::narrow(line.on_a.hi < line.on_b.hi ? line.on_a.to : line.on_b.to)};
}

}  // namespace bv
