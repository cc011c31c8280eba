// Signed distances. Boxes and hulls as polytopes, by separating axes where they overlap.
// Sources: Gottschalk 1996; Ericson 2005, 5.5; Gregorius 2013.
#include "bv/query/separation.hpp"

#include <algorithm>
#include <cmath>

#include "query/distance/gjk.hpp"
#include "query/distance/polytope_view.hpp"
#include "query/precise.hpp"
#include "shapes/frame.hpp"

namespace bv {
namespace {

using detail::DVec3;
using detail::PolytopeView;
using detail::wide;
using Kind = AxisTested::Kind;

/// A candidate axis: unit, pointing from a to b, and the signed gap along it.
struct Candidate {
    double gap = -std::numeric_limits<double>::infinity();
    DVec3 axis{0.0};
    Kind kind = Kind::EdgeCross;
    int i = -1;
    int j = -1;
};

Separation from_candidate(const Candidate& best) noexcept {
    Separation result;
    result.distance = static_cast<float>(std::min(best.gap, 0.0));
    result.axis = detail::narrow(best.axis);
    result.kind = best.kind;
    result.i = best.i;
    result.j = best.j;
    return result;
}

void add_contact(Separation& s, const DVec3& point, double depth) noexcept {
    if (s.contact_count == static_cast<int>(s.contacts.size())) return;
    s.contacts[static_cast<std::size_t>(s.contact_count++)] = {detail::narrow(point),
                                                               static_cast<float>(std::max(depth, 0.0))};
}

/// Distance and closest points of disjoint solids by GJK, radii subtracted. False if the cores share a point.
bool separate_disjoint(const ConvexRef& a, const ConvexRef& b, Separation& out) noexcept {
    NoTrace sink;
    const auto found = detail::gjk(a, b, nullptr, sink);
    if (found.distance <= 0.0) return false;
    const DVec3& axis = found.axis;
    out.distance = static_cast<float>(found.distance - a.radius() - b.radius());
    out.axis = detail::narrow(axis);
    const DVec3 on_a = found.on_a + a.radius() * axis;
    const DVec3 on_b = found.on_b - b.radius() * axis;
    out.on_a = detail::narrow(on_a);
    out.on_b = detail::narrow(on_b);
    if (out.distance <= 0.0f) add_contact(out, 0.5 * (on_a + on_b), -static_cast<double>(out.distance));
    return true;
}

// --- boxes ------------------------------------------------------------------------------------------------

struct Box {
    DVec3 center;
    DVec3 half;
    DVec3 axes[3];

    explicit Box(const Obb& b) noexcept
        : center(wide(b.center)),
          half(wide(b.half_extents)),
          axes{wide(b.axes[0]), wide(b.axes[1]), wide(b.axes[2])} {}
    explicit Box(const Aabb& b) noexcept
        : center(detail::center_of(b)),
          half(detail::half_of(b)),
          axes{DVec3(1, 0, 0), DVec3(0, 1, 0), DVec3(0, 0, 1)} {}
    [[nodiscard]] double reach(const DVec3& n) const noexcept {
        return std::abs(glm::dot(n, axes[0])) * half.x + std::abs(glm::dot(n, axes[1])) * half.y +
               std::abs(glm::dot(n, axes[2])) * half.z;
    }
};

AxisTested describe(const Box& a, const Box& b, const Candidate& c, bool skipped) {
    AxisTested event;
    event.kind = c.kind;
    event.i = static_cast<std::int8_t>(c.i);
    event.j = static_cast<std::int8_t>(c.j);
    event.skipped = skipped;
    if (skipped) return event;
    event.axis = detail::narrow(c.axis);
    const double at_a = glm::dot(c.axis, a.center);
    const double at_b = glm::dot(c.axis, b.center);
    event.min_a = static_cast<float>(at_a - a.reach(c.axis));
    event.max_a = static_cast<float>(at_a + a.reach(c.axis));
    event.min_b = static_cast<float>(at_b - b.reach(c.axis));
    event.max_b = static_cast<float>(at_b + b.reach(c.axis));
    event.gap = static_cast<float>(c.gap);
    return event;
}

template <class Sink>
Candidate deepest_axis(const Box& a, const Box& b, Sink& sink) {
    const DVec3 between = b.center - a.center;
    const double size = a.half.x + a.half.y + a.half.z + b.half.x + b.half.y + b.half.z;
    Candidate best;
    const auto test_axis = [&](DVec3 axis, Kind kind, int i, int j) {
        Candidate c;
        c.kind = kind;
        c.i = i;
        c.j = j;
        const double length = glm::length(axis);
        const bool parallel = !(length > 1e-6);
        if (!parallel) {
            axis = axis / length;
            const double d = glm::dot(axis, between);
            c.axis = d < 0.0 ? -axis : axis;
            c.gap = std::abs(d) - a.reach(axis) - b.reach(axis);
            // Faces give more stable axes and more contacts: an edge must be better by more than rounding.
            const double handicap = kind == Kind::EdgeCross ? 1e-7 * size : 0.0;
            if (c.gap > best.gap + handicap) best = c;
        }
        if constexpr (Sink::kEnabled) sink(describe(a, b, c, parallel));
    };
    for (int i = 0; i < 3; ++i)
        test_axis(a.axes[i], Kind::FaceA, i, -1);
    for (int j = 0; j < 3; ++j)
        test_axis(b.axes[j], Kind::FaceB, -1, j);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            test_axis(glm::cross(a.axes[i], b.axes[j]), Kind::EdgeCross, i, j);
    return best;
}

/// Clips the face of `incident` that faces `normal` most directly by the sides of the reference face.
void clip_faces(const Box& reference, int axis, const DVec3& normal, const Box& incident,
                Separation& out) noexcept {
    int face = 0;
    for (int k = 1; k < 3; ++k)
        if (std::abs(glm::dot(normal, incident.axes[k])) > std::abs(glm::dot(normal, incident.axes[face])))
            face = k;
    const double side = glm::dot(normal, incident.axes[face]) > 0.0 ? -1.0 : 1.0;
    const DVec3 middle = incident.center + side * incident.half[face] * incident.axes[face];
    const DVec3 u = incident.half[(face + 1) % 3] * incident.axes[(face + 1) % 3];
    const DVec3 v = incident.half[(face + 2) % 3] * incident.axes[(face + 2) % 3];
    std::array<DVec3, 8> polygon{middle + u + v, middle - u + v, middle - u - v, middle + u - v};
    std::size_t count = 4;
    for (int k = 0; k < 3; ++k) {
        if (k == axis) continue;
        for (const double sign : {1.0, -1.0}) {
            const DVec3 n = sign * reference.axes[k];
            const double limit = glm::dot(n, reference.center) + reference.half[k];
            std::array<DVec3, 8> kept{};
            std::size_t kept_count = 0;
            for (std::size_t i = 0; i < count; ++i) {
                const DVec3& p = polygon[i];
                const DVec3& q = polygon[(i + 1) % count];
                const double dp = glm::dot(n, p) - limit;
                const double dq = glm::dot(n, q) - limit;
                if (dp <= 0.0 && kept_count < 8) kept[kept_count++] = p;
                if (((dp < 0.0 && dq > 0.0) || (dp > 0.0 && dq < 0.0)) && kept_count < 8)
                    kept[kept_count++] = p + (dp / (dp - dq)) * (q - p);
            }
            polygon = kept;
            count = kept_count;
            if (count == 0) return;
        }
    }
    const double top = glm::dot(normal, reference.center) + reference.half[axis];
    for (std::size_t i = 0; i < count; ++i) {
        const double depth = top - glm::dot(normal, polygon[i]);
        if (depth >= 0.0) add_contact(out, polygon[i] + 0.5 * depth * normal, depth);
    }
}

/// The point where two overlapping solids would touch if b were moved out along the axis: as a point of a
/// and, moved back, as a point of b.
void touch(const ConvexRef& a, const ConvexRef& b, const Candidate& best, DVec3& on_a, DVec3& on_b) noexcept {
    const DVec3 out = -best.gap * best.axis;
    NoTrace sink;
    const auto found = detail::gjk(a, b.moved(out), nullptr, sink);
    on_a = 0.5 * (found.on_a + found.on_b);
    on_b = on_a - out;
}

void box_contacts(const ConvexRef& ref_a, const ConvexRef& ref_b, const Box& a, const Box& b,
                  const Candidate& best, Separation& out) noexcept {
    DVec3 on_a;
    DVec3 on_b;
    touch(ref_a, ref_b, best, on_a, on_b);
    if (best.kind == Kind::FaceA) clip_faces(a, best.i, best.axis, b, out);
    if (best.kind == Kind::FaceB) clip_faces(b, best.j, -best.axis, a, out);
    if (out.contact_count == 0) add_contact(out, 0.5 * (on_a + on_b), -best.gap);
    out.on_a = detail::narrow(on_a);
    out.on_b = detail::narrow(on_b);
}

template <class Sink>
Separation separate_boxes(const ConvexRef& ref_a, const ConvexRef& ref_b, const Box& a, const Box& b,
                          Sink& sink) {
    Separation result;
    if (ref_a.is_empty() || ref_b.is_empty()) return result;
    const Candidate best = deepest_axis(a, b, sink);
    if (best.gap > 0.0 && separate_disjoint(ref_a, ref_b, result)) {
        // If the direction of the distance is a face normal, report the face.
        if (glm::dot(wide(result.axis), best.axis) > 1.0 - 1e-9) {
            result.kind = best.kind;
            result.i = best.i;
            result.j = best.j;
        }
        return result;
    }
    result = from_candidate(best);
    box_contacts(ref_a, ref_b, a, b, best, result);
    return result;
}

// --- unbounded solids -------------------------------------------------------------------------------------

double finite_part(float x) noexcept {
    return std::isfinite(x) ? std::abs(static_cast<double>(x)) : 0.0;
}
double finite_part(const glm::vec3& v) noexcept {
    return finite_part(v.x) + finite_part(v.y) + finite_part(v.z);
}
double finite_size(const Sphere& ball) noexcept {
    return finite_part(ball.center) + finite_part(ball.radius);
}
double finite_size(const Aabb& box) noexcept {
    return finite_part(box.min) + finite_part(box.max);
}
double finite_size(const Obb& box) noexcept {
    return finite_part(box.center) + finite_part(box.half_extents);
}
double finite_size(const Hull& hull) noexcept {
    double largest = 0.0;
    for (const glm::vec3& v : hull.vertices)
        largest = std::max(largest, finite_part(v));
    return largest;
}

/// The box, truncated at `extent` where it is unbounded.
Box cut_off(const Obb& box, double extent) noexcept {
    Box cut(box);
    cut.half = glm::min(cut.half, DVec3(extent));
    return cut;
}
Box cut_off(const Aabb& box, double extent) noexcept {
    Box cut(Obb{glm::vec3(0.0f), glm::vec3(0.0f), glm::mat3(1.0f)});
    const DVec3 lo = glm::max(wide(box.min), DVec3(-extent));
    const DVec3 hi = glm::min(wide(box.max), DVec3(extent));
    cut.center = 0.5 * (lo + hi);
    cut.half = 0.5 * (hi - lo);
    return cut;
}

/// An unbounded pair: its distance is that of the parts near each other; if they overlap,
/// `separate_truncated(extent)` finds the axis for solids truncated there.
template <class A, class B, class SeparateTruncated>
Separation separate_unbounded(const A& a, const B& b, const SeparateTruncated& separate_truncated) {
    const ConvexRef ref_a(a);
    const ConvexRef ref_b(b);
    Separation result;
    if (ref_a.is_empty() || ref_b.is_empty()) return result;
    const bool all = ref_a.is_all_of_space() || ref_b.is_all_of_space();
    if (!all && separate_disjoint(ref_a.bounded_part_near(ref_b), ref_b.bounded_part_near(ref_a), result))
        return result;
    const double extent = 0x1p20 * std::max(finite_size(a) + finite_size(b), 1e-30);
    if (!all) result = separate_truncated(extent);
    if (!all && static_cast<double>(result.distance) > -0.25 * extent) return result;
    const ClosestPoints common = closest_points(ref_a, ref_b);
    result = Separation{};
    result.distance = -std::numeric_limits<float>::infinity();
    result.on_a = common.on_a;
    result.on_b = common.on_b;
    return result;
}

bool is_bounded(const Sphere& ball) noexcept {
    return !std::isinf(ball.radius);
}
using detail::is_bounded;

template <class A, class B, class Sink>
Separation separate_two_boxes(const A& a, const B& b, Sink& sink) {
    if (is_bounded(a) && is_bounded(b)) return separate_boxes(a, b, Box(a), Box(b), sink);
    return separate_unbounded(a, b, [&](double extent) {
        const ConvexRef ref_a(a);
        const ConvexRef ref_b(b);
        return separate_boxes(ref_a.bounded_part_near(ref_b), ref_b.bounded_part_near(ref_a),
                              cut_off(a, extent), cut_off(b, extent), sink);
    });
}

// --- polytopes --------------------------------------------------------------------------------------------

/// Tests the faces of `a` as axes; `flip` if the two are swapped.
void test_faces(const PolytopeView& a, const ConvexRef& b, bool flip, Candidate& best) noexcept {
    std::uint32_t hint = 0;
    for (int f = 0; f < a.face_count(); ++f) {
        DVec3 n;
        DVec3 p;
        if (!a.face(f, n, p)) continue;
        const double gap = glm::dot(n, b.support(-n, hint) - p);
        if (gap <= best.gap) continue;
        best.gap = gap;
        best.axis = flip ? -n : n;
        best.kind = flip ? Kind::FaceB : Kind::FaceA;
        best.i = flip ? -1 : f;
        best.j = flip ? f : -1;
    }
}

void test_edges(const PolytopeView& a, const PolytopeView& b, double size, Candidate& best) noexcept {
    for (int i = 0; i < a.edge_count(); ++i) {
        const auto ea = a.edge(i);
        const DVec3 pa = a.vertex(ea[0]);
        const DVec3 da = a.vertex(ea[1]) - pa;
        for (int j = 0; j < b.edge_count(); ++j) {
            const auto eb = b.edge(j);
            const DVec3 pb = b.vertex(eb[0]);
            const DVec3 db = b.vertex(eb[1]) - pb;
            DVec3 n = glm::cross(da, db);
            const double length = glm::length(n);
            if (!(length > 1e-9 * glm::length(da) * glm::length(db))) continue;
            n /= length;
            for (int sign = 0; sign < 2; ++sign, n = -n) {
                const double gap = glm::dot(n, pb - pa);
                // The gap is valid only if both edges are outermost, which is the more expensive test.
                if (gap <= best.gap + 1e-7 * size || gap > 1e-7 * size) continue;
                if (!a.is_outermost(ea, n) || !b.is_outermost(eb, -n)) continue;
                best = {gap, n, Kind::EdgeCross, i, j};
            }
        }
    }
}

/// A direction for two cores without a face that touch: perpendicular to an edge, if there is one.
DVec3 axis_beside(const PolytopeView& a, const PolytopeView& b) noexcept {
    for (const PolytopeView* const solid : {&a, &b}) {
        for (int i = 0; i < solid->edge_count(); ++i) {
            const auto edge = solid->edge(i);
            const DVec3 along = detail::normalized_or_zero(solid->vertex(edge[1]) - solid->vertex(edge[0]));
            if (along != DVec3(0.0)) return detail::any_perpendicular(along);
        }
    }
    return {0.0, 1.0, 0.0};
}

Separation separate_polytopes(const ConvexRef& ref_a, const ConvexRef& ref_b, const PolytopeView& a,
                              const PolytopeView& b) noexcept {
    Separation result;
    if (ref_a.is_empty() || ref_b.is_empty()) return result;
    if (separate_disjoint(ref_a, ref_b, result)) return result;
    Candidate best;
    test_faces(a, ref_b, false, best);
    test_faces(b, ref_a, true, best);
    test_edges(a, b, a.size() + b.size(), best);
    if (!std::isfinite(best.gap)) {
        // Points, or collinear segments: they touch.
        result = from_candidate({0.0, axis_beside(a, b), Kind::EdgeCross, -1, -1});
        result.on_a = result.on_b = closest_points(ref_a, ref_b).on_a;
        add_contact(result, wide(result.on_a), 0.0);
        return result;
    }
    result = from_candidate(best);
    DVec3 on_a;
    DVec3 on_b;
    touch(ref_a, ref_b, best, on_a, on_b);
    add_contact(result, 0.5 * (on_a + on_b), -best.gap);
    result.on_a = detail::narrow(on_a);
    result.on_b = detail::narrow(on_b);
    return result;
}

/// A ball whose center is inside leaves through the nearest face.
Separation inside_polytope(const PolytopeView& a, const DVec3& center, double radius) noexcept {
    Candidate best;
    test_faces(a, ConvexRef(&center, 1), false, best);
    // Without faces, the center lies on a point or a segment.
    if (!std::isfinite(best.gap)) best = {0.0, axis_beside(a, a), Kind::EdgeCross, -1, -1};
    best.gap = std::min(best.gap, 0.0);
    Separation result = from_candidate(best);
    result.distance = static_cast<float>(best.gap - radius);
    const DVec3 on_a = center - best.gap * best.axis;
    const DVec3 on_b = center - radius * best.axis;
    result.on_a = detail::narrow(on_a);
    result.on_b = detail::narrow(on_b);
    add_contact(result, 0.5 * (on_a + on_b), radius - best.gap);
    return result;
}

template <class AnyBox>
Separation separate_box_ball(const AnyBox& a, const Sphere& b) noexcept {
    if (!is_bounded(a) || !is_bounded(b))
        return separate_unbounded(a, b, [&](double extent) {
            const Box cut = cut_off(a, extent);
            return inside_polytope(PolytopeView(cut.center, cut.half, cut.axes), wide(b.center), b.radius);
        });
    const ConvexRef ref_a(a);
    const ConvexRef ref_b(b);
    Separation result;
    if (ref_a.is_empty() || ref_b.is_empty() || separate_disjoint(ref_a, ref_b, result)) return result;
    return inside_polytope(PolytopeView(a), wide(b.center), b.radius);
}

}  // namespace

Separation separation(const Sphere& a, const Sphere& b) noexcept {
    if (!is_bounded(a) || !is_bounded(b))
        return separate_unbounded(a, b, [](double) { return Separation{}; });
    const ConvexRef ref_a(a);
    const ConvexRef ref_b(b);
    Separation result;
    if (ref_a.is_empty() || ref_b.is_empty() || separate_disjoint(ref_a, ref_b, result)) return result;
    // Coincident centers: any direction will do.
    Candidate any;
    any.axis = DVec3(0, 1, 0);
    any.gap = -static_cast<double>(a.radius) - static_cast<double>(b.radius);
    result = from_candidate(any);
    result.on_a = detail::narrow(wide(a.center) + static_cast<double>(a.radius) * any.axis);
    result.on_b = detail::narrow(wide(b.center) - static_cast<double>(b.radius) * any.axis);
    add_contact(result, wide(a.center), -any.gap);
    return result;
}

Separation separation(const Obb& a, const Sphere& b) noexcept {
    return separate_box_ball(a, b);
}

Separation separation(const Aabb& a, const Sphere& b) noexcept {
    return separate_box_ball(a, b);
}

Separation separation(const Hull& a, const Sphere& b) noexcept {
    if (!is_bounded(b)) return separate_unbounded(a, b, [](double) { return Separation{}; });
    const ConvexRef ref_a(a);
    const ConvexRef ref_b(b);
    Separation result;
    if (ref_a.is_empty() || ref_b.is_empty() || separate_disjoint(ref_a, ref_b, result)) return result;
    return inside_polytope(PolytopeView(a), wide(b.center), b.radius);
}

Separation separation(const Obb& a, const Obb& b) noexcept {
    NoTrace sink;
    return separate_two_boxes(a, b, sink);
}

Separation separation(const Obb& a, const Obb& b, Recording& trace) {
    return separate_two_boxes(a, b, trace);
}

Separation separation(const Aabb& a, const Aabb& b) noexcept {
    NoTrace sink;
    return separate_two_boxes(a, b, sink);
}

Separation separation(const Aabb& a, const Obb& b) noexcept {
    NoTrace sink;
    return separate_two_boxes(a, b, sink);
}

Separation separation(const Hull& a, const Hull& b) noexcept {
    return separate_polytopes(a, b, PolytopeView(a), PolytopeView(b));
}

Separation separation(const Obb& a, const Hull& b) noexcept {
    if (!is_bounded(a))
        return separate_unbounded(a, b, [&](double extent) {
            const Box cut = cut_off(a, extent);
            return separate_polytopes(ConvexRef(a).bounded_part_near(b), b,
                                      PolytopeView(cut.center, cut.half, cut.axes), PolytopeView(b));
        });
    return separate_polytopes(a, b, PolytopeView(a), PolytopeView(b));
}

}  // namespace bv
