// Classification against planes by projected radius, and against frustums plane by plane.
#include "bv/query/classify.hpp"

#include "query/precise.hpp"

namespace bv {
namespace {

using detail::DVec3;
using detail::wide;

/// NaN anywhere gives an unknown projection.
PlaneProjection projection_of(double middle, double radius) noexcept {
    PlaneProjection result;
    if (std::isnan(middle) || std::isnan(radius)) return result;
    result.distance = static_cast<float>(middle);
    result.radius = static_cast<float>(radius);
    if (middle > radius)
        result.side = Side::Front;
    else if (middle < -radius)
        result.side = Side::Back;
    return result;
}

double distance_of(const DVec3& p, const Plane& plane) noexcept {
    return glm::dot(wide(plane.normal), p) - static_cast<double>(plane.offset);
}

/// The projection of a solid that covers [lo, hi] relative to the plane; the ends may be infinite.
PlaneProjection projection_between(double lo, double hi) noexcept {
    const bool unbounded = std::isinf(lo) && std::isinf(hi);
    PlaneProjection result = projection_of(unbounded ? 0.0 : 0.5 * (lo + hi), 0.5 * (hi - lo));
    result.side = lo > 0.0 ? Side::Front : hi < 0.0 ? Side::Back : Side::Intersecting;
    return result;
}

template <class Solid, class Sink>
Side classify_planes(const Solid& solid, const Frustum& frustum, FrustumHint& hint, std::uint32_t* tested,
                     Sink& sink) noexcept(!Sink::kEnabled) {
    bool inside = true;
    std::uint8_t below = hint.undecided;
    const std::uint8_t first = hint.first < 6 ? hint.first : 0;
    for (std::uint8_t k = 0; k < 6; ++k) {
        // The plane that rejected last time first, then the others in order.
        const auto p = static_cast<std::uint8_t>(k == 0 ? first : k <= first ? k - 1 : k);
        const auto bit = static_cast<std::uint8_t>(1u << p);
        if ((hint.undecided & bit) == 0) continue;
        if (tested != nullptr) ++*tested;
        const Plane& plane = frustum.planes[p];
        const PlaneProjection on = project(solid, plane);
        sink(PlaneTested{p, plane.normal, plane.offset, on.distance, on.radius,
                         static_cast<PlaneTested::Verdict>(on.side)});
        switch (on.side) {
            case Side::Back:
                hint.first = p;
                hint.undecided_below = below;
                return Side::Back;
            case Side::Front:
                below = static_cast<std::uint8_t>(below & ~bit);
                break;
            case Side::Intersecting:
                inside = false;
                break;
        }
    }
    hint.undecided_below = below;
    // An empty solid is in front of no plane that was tested, and without a test nothing is known about it.
    const bool is_known = below != hint.undecided || !solid.is_empty();
    return inside && is_known ? Side::Front : Side::Intersecting;
}

}  // namespace

PlaneProjection project(const Sphere& ball, const Plane& plane) noexcept {
    if (!detail::has_points(ball)) return {};
    return projection_of(distance_of(wide(ball.center), plane), ball.radius);
}

PlaneProjection project(const Aabb& box, const Plane& plane) noexcept {
    if (box.is_empty()) return {};
    if (!detail::is_bounded(box)) return project(ConvexRef(box), plane);
    // Compare the ends, not their rounded midpoint: a corner exactly on the plane must count.
    const DVec3 n = wide(plane.normal);
    const DVec3 a = n * wide(box.min);
    const DVec3 b = n * wide(box.max);
    const DVec3 low = glm::min(a, b);
    const DVec3 high = glm::max(a, b);
    const double offset = plane.offset;
    return projection_between(low.x + low.y + low.z - offset, high.x + high.y + high.z - offset);
}

PlaneProjection project(const Obb& box, const Plane& plane) noexcept {
    if (!detail::has_points(box)) return {};
    const double radius = detail::reach_of(box, wide(plane.normal));
    return projection_of(distance_of(wide(box.center), plane), radius);
}

PlaneProjection project(const ConvexRef& solid, const Plane& plane) noexcept {
    if (solid.is_empty()) return {};
    std::uint32_t hint = 0;
    const DVec3 n = wide(plane.normal);
    // From the ends here, too.
    if (!solid.is_bounded()) {
        const double offset = plane.offset;
        return projection_between(-solid.support_value(-n) - offset, solid.support_value(n) - offset);
    }
    const double hi = distance_of(solid.support(n, hint), plane) + solid.radius();
    const double lo = distance_of(solid.support(-n, hint), plane) - solid.radius();
    return projection_between(lo, hi);
}

Frustum frustum_of(const glm::mat4& projection_view) noexcept {
    Frustum frustum;
    const auto row = [&](int i) {
        return glm::dvec4(projection_view[0][i], projection_view[1][i], projection_view[2][i],
                          projection_view[3][i]);
    };
    for (int p = 0; p < 6; ++p) {
        const glm::dvec4 q = p % 2 == 0 ? row(3) + row(p / 2) : row(3) - row(p / 2);
        const double length = glm::length(DVec3(q));
        auto& plane = frustum.planes[static_cast<std::size_t>(p)];
        // A row that is not finite gives a plane of NaN: unknown.
        if (length == 0.0)
            plane = {glm::vec3(0.0f), -1.0f};
        else
            plane = {detail::narrow(DVec3(q) / length), static_cast<float>(-q.w / length)};
    }
    return frustum;
}

Side classify(const Sphere& ball, const Frustum& frustum, FrustumHint& hint, std::uint32_t* tested) noexcept {
    NoTrace sink;
    return classify_planes(ball, frustum, hint, tested, sink);
}

Side classify(const Sphere& ball, const Frustum& frustum, FrustumHint& hint, Recording& trace) {
    return classify_planes(ball, frustum, hint, nullptr, trace);
}

Side classify(const Aabb& box, const Frustum& frustum, FrustumHint& hint, std::uint32_t* tested) noexcept {
    NoTrace sink;
    return classify_planes(box, frustum, hint, tested, sink);
}

Side classify(const Aabb& box, const Frustum& frustum, FrustumHint& hint, Recording& trace) {
    return classify_planes(box, frustum, hint, nullptr, trace);
}

Side classify(const Obb& box, const Frustum& frustum, FrustumHint& hint, std::uint32_t* tested) noexcept {
    NoTrace sink;
    return classify_planes(box, frustum, hint, tested, sink);
}

Side classify(const Obb& box, const Frustum& frustum, FrustumHint& hint, Recording& trace) {
    return classify_planes(box, frustum, hint, nullptr, trace);
}

Side classify(const Sphere& ball, const Frustum& frustum) noexcept {
    FrustumHint hint;
    return classify(ball, frustum, hint);
}

Side classify(const Aabb& box, const Frustum& frustum) noexcept {
    FrustumHint hint;
    return classify(box, frustum, hint);
}

Side classify(const Obb& box, const Frustum& frustum) noexcept {
    FrustumHint hint;
    return classify(box, frustum, hint);
}

}  // namespace bv
