// k-DOPs as polytopes, and rectangles in the plane. Sources: Klosowski 1998; Ericson 2005, 5.2.1.
#include "bv/query/overlap_kdop.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "bv/query/obb_sat.hpp"
#include "query/precise.hpp"
#include "query/rays/ray_solid.hpp"
#include "query/rays/slab_clip.hpp"

namespace bv {
namespace detail {
namespace {

constexpr double kTouchingKdop = 1e-13;
constexpr std::size_t kMaxPolygon = 4 + 26;   // Each clip adds at most one corner.
constexpr std::size_t kMaxCorners = 26 * 12;  // Faces of a 26-DOP have at most 12, usually far fewer.

/// The convex polygon of one face, clipped by one half space after another.
struct Polygon {
    std::array<DVec3, kMaxPolygon> p;
    std::size_t count = 0;

    /// Keeps the part with dot(n, x) <= offset + slack.
    void cut(const DVec3& n, double offset, double slack) noexcept {
        std::array<DVec3, kMaxPolygon> kept;
        std::size_t kept_count = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const DVec3& a = p[i];
            const DVec3& b = p[i + 1 == count ? 0 : i + 1];
            const double da = glm::dot(n, a) - offset - slack;
            const double db = glm::dot(n, b) - offset - slack;
            if (da <= 0.0 && kept_count < kMaxPolygon) kept[kept_count++] = a;
            if (((da < 0.0 && db > 0.0) || (da > 0.0 && db < 0.0)) && kept_count < kMaxPolygon)
                kept[kept_count++] = a + (da / (da - db)) * (b - a);
        }
        p = kept;
        count = kept_count;
    }
};

/// Corners of the polytope relative to `center`, some of them repeated.
struct PolytopeCorners {
    std::array<DVec3, kMaxCorners> p;
    std::uint32_t count = 0;
};

/// The bounds of a k-DOP in double, which also holds those of a part of an unbounded one.
struct Bounds {
    std::array<double, 13> min;
    std::array<double, 13> max;
};

void cut_corners(const KdopView& dop, const Bounds& bounds, const DVec3& center, double size,
                 PolytopeCorners& out) noexcept {
    // The offsets of the planes are rounded relative to the bounds, which is more for a thin k-DOP.
    double largest = 0.0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(dop.count); ++i)
        largest = std::max({largest, std::abs(bounds.min[i]), std::abs(bounds.max[i])});
    const double slack = std::max(1e-14 * size, 8e-15 * largest);
    for (int face = 0; face < 2 * dop.count; ++face) {
        const double sign = face % 2 == 1 ? 1.0 : -1.0;
        const DVec3 n = sign * wide(*dop.directions[face / 2]);
        const auto bound = [&](int i, bool upper) {
            const auto k = static_cast<std::size_t>(i);
            const double b = upper ? bounds.max[k] : -bounds.min[k];
            return b - (upper ? 1.0 : -1.0) * glm::dot(wide(*dop.directions[i]), center);
        };
        // A square in the face's plane that is larger than any face.
        const DVec3 middle = n * (bound(face / 2, face % 2 == 1) / glm::dot(n, n));
        const DVec3 other = std::abs(n.x) < 0.5   ? DVec3(1, 0, 0)
                            : std::abs(n.y) < 0.5 ? DVec3(0, 1, 0)
                                                  : DVec3(0, 0, 1);
        const DVec3 u =
            glm::normalize(glm::cross(n, std::abs(glm::dot(n, other)) < 0.9 ? other : DVec3(1, -1, 0)));
        const DVec3 v = glm::normalize(glm::cross(n, u));
        const double reach = 4.0 * size + glm::length(middle);
        Polygon polygon;
        polygon.count = 4;
        polygon.p[0] = middle + reach * (u + v);
        polygon.p[1] = middle + reach * (v - u);
        polygon.p[2] = middle - reach * (u + v);
        polygon.p[3] = middle + reach * (u - v);
        for (int i = 0; i < dop.count && polygon.count > 0; ++i)
            for (const bool upper : {false, true}) {
                if (i == face / 2 && upper == (face % 2 == 1)) continue;
                const DVec3 m = (upper ? 1.0 : -1.0) * wide(*dop.directions[i]);
                polygon.cut(m, bound(i, upper), slack);
            }
        for (std::size_t i = 0; i < polygon.count && out.count < kMaxCorners; ++i)
            out.p[out.count++] = polygon.p[i] + center;
    }
}

/// A bound on the rounding of two numbers; 0 for infinite ones.
double slack_of(double lo, double hi) noexcept {
    return kTouchingKdop * ((std::isinf(lo) ? 0.0 : std::abs(lo)) + (std::isinf(hi) ? 0.0 : std::abs(hi)));
}

/// An unbounded solid against a k-DOP: takes the bounded part of the solid near a box around the finite part
/// of the k-DOP.
bool open_kdop_overlaps(const KdopView& dop, const ConvexRef& solid) noexcept {
    if (solid.is_all_of_space()) return true;
    double size = 0.0;
    for (int i = 0; i < dop.count; ++i)
        for (const float bound : {dop.min[i], dop.max[i]})
            if (std::isfinite(bound)) size = std::max(size, std::abs(static_cast<double>(bound)));
    // For this purpose unbounded k-DOPs extend to 2^10 times their size.
    for (int i = 0; i < dop.count; ++i)
        if (std::isinf(dop.min[i]) || std::isinf(dop.max[i])) {
            size = 0x1p10 * (size + glm::length(solid.center()));
            break;
        }
    DVec3 corners[8];
    for (int i = 0; i < 8; ++i)
        corners[i] = size * DVec3((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1, (i & 4) != 0 ? 1 : -1);
    return kdop_overlaps(dop, solid.bounded_part_near(ConvexRef(corners, 8)));
}

}  // namespace

bool kdop_overlaps(const KdopView& dop, const ConvexRef& solid) noexcept {
    if (solid.is_empty()) return false;
    if (!solid.is_bounded()) return open_kdop_overlaps(dop, solid);
    std::uint32_t hint = 0;
    double size = 0.0;
    Bounds part{};
    for (int i = 0; i < dop.count; ++i) {
        const DVec3 n = wide(*dop.directions[i]);
        const double radius = solid.radius() * glm::length(n);
        const double hi = glm::dot(n, solid.support(n, hint)) + radius;
        const double lo = glm::dot(n, solid.support(-n, hint)) - radius;
        const double min = dop.min[i];
        const double max = dop.max[i];
        const double slack = slack_of(lo, hi) + slack_of(min, max);
        if (!(lo <= max + slack && hi >= min - slack)) return false;
        // Where the k-DOP is unbounded, the part of it next to the solid is enough.
        const auto k = static_cast<std::size_t>(i);
        part.min[k] = std::isinf(min) ? std::min(lo, max) - slack_of(lo, hi) : min;
        part.max[k] = std::isinf(max) ? std::max(hi, min) + slack_of(lo, hi) : max;
        size = std::max(size, part.max[k] - part.min[k]);
    }
    // Corners are rounded; what a thin k-DOP contains must overlap it all the same.
    if (kdop_contains(dop, solid)) return true;
    // The sum of n n^T over each set of directions is a multiple of the unit matrix, so this combination of
    // the interval midpoints is a point in the middle of the polytope.
    DVec3 center(0.0);
    double weight = 0.0;
    for (int i = 0; i < dop.count; ++i) {
        const DVec3 n = wide(*dop.directions[i]);
        const auto k = static_cast<std::size_t>(i);
        center += 0.5 * (part.min[k] + part.max[k]) * n;
        weight += n.x * n.x;
    }
    center /= weight;
    PolytopeCorners corners;
    cut_corners(dop, part, center, size, corners);
    return corners.count > 0 && overlap(ConvexRef(corners.p.data(), corners.count), solid);
}

bool kdop_contains(const KdopView& outer, const ConvexRef& inner) noexcept {
    if (inner.is_empty()) return false;
    for (int i = 0; i < outer.count; ++i) {
        const DVec3 n = wide(*outer.directions[i]);
        if (!(inner.support_value(n) <= static_cast<double>(outer.max[i]))) return false;
        if (!(-inner.support_value(-n) >= static_cast<double>(outer.min[i]))) return false;
    }
    return true;
}

std::optional<RayHit> kdop_raycast(const Ray& ray, const KdopView& dop, Recording* trace) {
    if (!usable(ray)) return std::nullopt;
    LineInterval span;
    NoTrace none;
    for (int i = 0; i < dop.count; ++i) {
        const DVec3 n = wide(*dop.directions[i]);
        const double o = glm::dot(n, wide(ray.origin));
        const double d = glm::dot(n, wide(ray.direction));
        if (trace != nullptr)
            span.clip(i, o, d, dop.min[i], dop.max[i], *trace);
        else
            span.clip(i, o, d, dop.min[i], dop.max[i], none);
    }
    if (trace != nullptr) span.record_range(ray.t_begin(), ray.t_max, *trace);
    auto hit = hit_solid(ray, span);
    if (hit && hit->feature >= 0) {
        const glm::vec3 n = glm::normalize(*dop.directions[hit->feature / 2]);
        hit->normal = hit->feature % 2 == 1 ? n : -n;
    }
    return hit;
}

}  // namespace detail

namespace {

/// Calls `report(kind, index, axis, distance, ra, rb)` for each of the four axes. In double, in which no sum
/// of floats overflows.
template <bool kAll, class Report>
bool rectangle_sat(const Obb2& a, const Obb2& b, Report&& report) noexcept(!kAll) {
    const glm::dvec2 t = glm::dvec2(b.center) - glm::dvec2(a.center);
    double extents = 0.0;
    for (const float half : {a.half_extents.x, a.half_extents.y, b.half_extents.x, b.half_extents.y})
        extents += std::isinf(half) ? 0.0 : static_cast<double>(half);
    const double slack = static_cast<double>(kObbSlack) * extents;
    bool overlapping = true;
    for (int n = 0; n < 4; ++n) {
        const bool of_a = n < 2;
        const glm::vec2 axis = of_a ? a.axes[n] : b.axes[n - 2];
        const double d = glm::dot(t, glm::dvec2(axis));
        const auto reach = [&axis](const Obb2& box) {
            const auto along = [&](int k) {
                return std::abs(glm::dot(glm::dvec2(box.axes[k]), glm::dvec2(axis)));
            };
            return detail::part_along(box.half_extents.x, along(0)) +
                   detail::part_along(box.half_extents.y, along(1));
        };
        const double ra = of_a ? static_cast<double>(a.half_extents[n]) : reach(a);
        const double rb = of_a ? reach(b) : static_cast<double>(b.half_extents[n - 2]);
        report(of_a, of_a ? n : n - 2, axis, static_cast<float>(ra), static_cast<float>(rb));
        // As a difference: an infinite distance separates, even with an infinite reach.
        overlapping = overlapping && std::abs(d) - (ra + rb + slack) <= 0.0;
        if (!kAll && !overlapping) return false;
    }
    return overlapping;
}

}  // namespace

bool overlap(const Obb2& a, const Obb2& b) noexcept {
    if (a.is_empty() || b.is_empty()) return false;
    return rectangle_sat<false>(a, b, [](bool, int, const glm::vec2&, float, float) {});
}

bool overlap(const Obb2& a, const Obb2& b, Recording& trace) {
    if (a.is_empty() || b.is_empty()) return false;
    return rectangle_sat<true>(a, b, [&](bool of_a, int index, const glm::vec2& axis, float ra, float rb) {
        AxisTested event;
        event.kind = of_a ? AxisTested::Kind::FaceA : AxisTested::Kind::FaceB;
        (of_a ? event.i : event.j) = static_cast<std::int8_t>(index);
        event.axis = glm::vec3(axis, 0.0f);
        const float ca = glm::dot(a.center, axis);
        const float cb = glm::dot(b.center, axis);
        event.min_a = ca - ra;
        event.max_a = ca + ra;
        event.min_b = cb - rb;
        event.max_b = cb + rb;
        event.gap = std::abs(glm::dot(b.center - a.center, axis)) - ra - rb;
        trace(event);
    });
}

bool overlap(const Obb2& box, const glm::vec2& p) noexcept {
    return contains_point(box, p);
}

}  // namespace bv
