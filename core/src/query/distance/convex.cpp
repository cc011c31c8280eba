// Convex shapes as cores with radii, and GJK queries of pairs of them.
#include "bv/query/convex.hpp"

#include <algorithm>

#include "query/distance/gjk.hpp"
#include "query/distance/support.hpp"
#include "shapes/climb.hpp"
#include "simd/support.hpp"

namespace bv {
namespace {

using detail::DVec3;
using detail::wide;

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kClimbFrom = 64;  // With fewer vertices a linear search is faster.
constexpr std::uint32_t kMaxStarts = 64;

/// True if support vertices are found by a linear search.
bool is_searched(const Hull& hull) noexcept {
    return hull.vertices.size() < kClimbFrom || hull.neighbors.empty();
}

template <class Sink>
bool overlap_impl(const ConvexRef& a, const ConvexRef& b, ConvexCache* cache, Sink& sink) {
    if (a.is_empty() || b.is_empty()) return false;
    if (!a.is_bounded() || !b.is_bounded()) {
        if (a.is_all_of_space() || b.is_all_of_space()) return true;
        return overlap_impl(a.bounded_part_near(b), b.bounded_part_near(a), cache, sink);
    }
    const double reach = a.radius() + b.radius();
    return detail::gjk_overlap(a, b, reach, cache, sink);
}

float distance_impl(const ConvexRef& a, const ConvexRef& b, ConvexCache* cache) noexcept {
    if (a.is_empty() || b.is_empty()) return std::numeric_limits<float>::infinity();
    if (!a.is_bounded() || !b.is_bounded()) {
        if (a.is_all_of_space() || b.is_all_of_space()) return 0.0f;
        return distance_impl(a.bounded_part_near(b), b.bounded_part_near(a), cache);
    }
    const detail::GjkResult cores = detail::gjk_distance(a, b, cache);
    const double reach = a.radius() + b.radius();
    return cores.within(reach) ? 0.0f : static_cast<float>(cores.distance - reach);
}

template <class Sink>
ClosestPoints closest_impl(const ConvexRef& a, const ConvexRef& b, ConvexCache* cache, Sink& sink) {
    ClosestPoints result;
    if (a.is_empty() || b.is_empty()) return result;
    if (!a.is_bounded() || !b.is_bounded()) {
        if (!a.is_all_of_space() && !b.is_all_of_space())
            return closest_impl(a.bounded_part_near(b), b.bounded_part_near(a), cache, sink);
        result.distance = 0.0f;
        result.on_a = result.on_b = detail::narrow((a.is_all_of_space() ? b : a).center());
        return result;
    }
    const auto found = detail::gjk(a, b, cache, sink);
    const double reach = a.radius() + b.radius();
    if (found.within(reach)) {
        // A common point: between the cores, in proportion to the radii.
        const double share = reach > 0.0 ? a.radius() / reach : 0.5;
        result.distance = 0.0f;
        result.on_a = result.on_b = detail::narrow(found.on_a + share * (found.on_b - found.on_a));
        return result;
    }
    const DVec3& axis = found.axis;
    result.distance = static_cast<float>(found.distance - reach);
    result.on_a = detail::narrow(found.on_a + a.radius() * axis);
    result.on_b = detail::narrow(found.on_b - b.radius() * axis);
    return result;
}

}  // namespace

// These two are defined before their callers, to be inlined.
inline void ConvexRef::set_data(const glm::dvec3& first) noexcept {
    data_[0] = first;
    // One by one: a chain of assignments would read back, two numbers at once, what was just stored singly.
    for (int i = 1; i < 4; ++i)
        data_[i] = DVec3(0.0);
}

inline void ConvexRef::check() noexcept {
    // A sum of finite doubles in the range of floats is finite, so one check is enough.
    const DVec3 sum = data_[0] + data_[1] + data_[2] + data_[3];
    if (!(std::isfinite(sum.x + sum.y + sum.z) && radius_ >= 0.0))
        kind_ = Kind::Empty;
    else if (std::isinf(radius_) && kind_ != Kind::Empty)
        kind_ = Kind::Space;
}

ConvexRef::ConvexRef(const glm::vec3& point) noexcept : kind_(Kind::Zonotope) {
    set_data(wide(point));
    check();
}

ConvexRef::ConvexRef(const Sphere& ball) noexcept : kind_(Kind::Zonotope), radius_(ball.radius) {
    set_data(wide(ball.center));
    check();
}

ConvexRef::ConvexRef(const Segment& segment) noexcept : ConvexRef(Capsule{segment.a, segment.b, 0.0f}) {}

ConvexRef::ConvexRef(const Capsule& capsule) noexcept
    : kind_(Kind::Zonotope), axis_count_(1), radius_(capsule.radius) {
    set_data(0.5 * (wide(capsule.a) + wide(capsule.b)));
    data_[1] = 0.5 * (wide(capsule.b) - wide(capsule.a));
    check();
}

ConvexRef::ConvexRef(const RectSweptSphere& rect) noexcept
    : kind_(!detail::has_extents(rect) ? Kind::Empty : Kind::Zonotope), axis_count_(2), radius_(rect.radius) {
    data_[0] = wide(rect.center);
    for (int i = 0; i < 2; ++i)
        set_half_edge(i, rect.half_extents[i], wide(rect.axes[i]));
    data_[3] = 0.0 * wide(rect.axes[2]);  // So that the check sees it.
    check();
}

ConvexRef::ConvexRef(const Aabb& box) noexcept
    : kind_(box.is_empty() ? Kind::Empty : Kind::Box), axis_count_(3) {
    set_data(wide(box.min));
    data_[1] = wide(box.max);
    if (detail::is_bounded(box)) return;
    for (int i = 0; i < 3; ++i) {
        const bool low = std::isinf(box.min[i]);
        const bool high = std::isinf(box.max[i]);
        if (low) data_[0][i] = high ? 0.0 : data_[1][i];
        if (high) data_[1][i] = data_[0][i];
        open_low_ = static_cast<std::uint8_t>(open_low_ | (low ? 1 << i : 0));
        open_high_ = static_cast<std::uint8_t>(open_high_ | (high ? 1 << i : 0));
    }
}

ConvexRef::ConvexRef(const Obb& box) noexcept
    : kind_(!detail::has_extents(box) ? Kind::Empty : Kind::Zonotope), axis_count_(3) {
    data_[0] = wide(box.center);
    if (detail::is_bounded(box)) {
        for (int i = 0; i < 3; ++i)
            data_[1 + i] = static_cast<double>(box.half_extents[i]) * wide(box.axes[i]);
    } else {
        for (int i = 0; i < 3; ++i)
            set_half_edge(i, box.half_extents[i], wide(box.axes[i]));
    }
    check();
}

void ConvexRef::set_half_edge(int i, double half, const glm::dvec3& axis) noexcept {
    data_[1 + i] = half * axis;
    if (!std::isinf(half)) return;
    data_[1 + i] = axis;
    open_low_ = static_cast<std::uint8_t>(open_low_ | 1 << i);
    open_high_ = open_low_;
}

ConvexRef::ConvexRef(const Triangle& triangle) noexcept : kind_(Kind::Corners) {
    data_[0] = wide(triangle.a);
    data_[1] = wide(triangle.b);
    data_[2] = wide(triangle.c);
    data_[3] = DVec3(0.0);
    check();
}

ConvexRef::ConvexRef(const Hull& hull) noexcept : kind_(Kind::Empty), hull_(&hull) {
    glm::vec3 middle(0.0f);
    if (detail::has_points(hull, middle)) kind_ = Kind::Hull;
    set_data(wide(middle));
}

ConvexRef::ConvexRef(const Hull& hull, const glm::mat4x3& affine, float radius) noexcept
    : kind_(Kind::Empty), radius_(radius), hull_(&hull) {
    glm::vec3 middle(0.0f);
    if (detail::has_points(hull, middle)) kind_ = Kind::PlacedHull;
    for (int c = 0; c < 3; ++c)
        data_[1 + c] = wide(affine[c]);
    data_[0] = detail::Support::mapped(*this, wide(middle));
    offset_ = wide(affine[3]);
    if (!detail::all_finite(offset_)) kind_ = Kind::Empty;
    check();
}

ConvexRef::ConvexRef(const glm::dvec3* points, std::uint32_t count) noexcept
    : kind_(count == 0 ? Kind::Empty : Kind::Points), points_(points), point_count_(count) {
    set_data(DVec3(0.0));
    for (std::uint32_t i = 0; i < count; ++i)
        if (!detail::all_finite(points[i])) kind_ = Kind::Empty;
}

double ConvexRef::support_value(const glm::dvec3& direction) const noexcept {
    if (kind_ == Kind::Space) return direction == DVec3(0.0) ? 0.0 : kUnbounded;
    std::uint32_t hint = 0;
    for (int i = 0; i < axis_count_; ++i) {
        const bool low = ((open_low_ >> i) & 1) != 0;
        const bool high = ((open_high_ >> i) & 1) != 0;
        if (!low && !high) continue;
        const double along = glm::dot(open_axis(i), direction);
        // An axis of an OBB or the like is perpendicular only up to rounding.
        if (kind_ != Kind::Box && std::abs(along) <= detail::kPerpendicular * glm::length(direction))
            continue;
        if ((along > 0.0 && high) || (along < 0.0 && low)) return kUnbounded;
    }
    return glm::dot(direction, support(direction, hint)) + radius_ * glm::length(direction);
}

glm::dvec3 ConvexRef::open_axis(int i) const noexcept {
    if (kind_ != Kind::Box) return data_[1 + i];
    DVec3 axis(0.0);
    axis[i] = 1.0;
    return axis;
}

double ConvexRef::finite_size() const noexcept {
    std::uint32_t hint = 0;
    double size = radius_;
    for (int i = 0; i < 3; ++i) {
        DVec3 axis(0.0);
        axis[i] = 1.0;
        size += glm::length(support(axis, hint) - center()) + glm::length(support(-axis, hint) - center());
    }
    return size;
}

ConvexRef ConvexRef::bounded_part_near(const ConvexRef& other) const noexcept {
    // Beyond this, two unbounded solids count as parallel.
    const double extent =
        0x1p20 * (finite_size() + other.finite_size() + glm::length(center() - other.center()));
    return part_within(other.part_within(*this, extent), extent);
}

ConvexRef ConvexRef::part_within(const ConvexRef& other, double extent) const noexcept {
    ConvexRef part = *this;
    for (int i = 0; i < axis_count_; ++i) {
        const bool low = ((open_low_ >> i) & 1) != 0;
        const bool high = ((open_high_ >> i) & 1) != 0;
        if (!low && !high) continue;
        // The range of this axis that is next to the other solid, plus a margin, since axes are perpendicular
        // only to rounding.
        const DVec3 axis = open_axis(i);
        const double at = glm::dot(axis, center());
        double from = -other.support_value(-axis) - at;
        double to = other.support_value(axis) - at;
        const double more =
            0x1p-10 * (std::abs(from) + std::abs(to) + glm::length(other.center() - center()));
        from = low ? std::max(std::min(from - more, 0.0), -extent) : 0.0;
        to = high ? std::min(std::max(to + more, 0.0), extent) : 0.0;
        if (kind_ == Kind::Box) {
            part.data_[0][i] += from;
            part.data_[1][i] += to;
        } else {
            part.data_[0] += 0.5 * (from + to) * axis;
            part.data_[1 + i] = 0.5 * (to - from) * axis;
        }
    }
    part.open_low_ = part.open_high_ = 0;
    return part;
}

glm::dvec3 ConvexRef::center() const noexcept {
    switch (kind_) {
        case Kind::Box:
            return 0.5 * (data_[0] + data_[1]) + offset_;
        case Kind::Corners:
            return (data_[0] + data_[1] + data_[2]) / 3.0 + offset_;
        case Kind::Hull:
            return wide(hull_->vertices.front()) + offset_;
        case Kind::PlacedHull:
            return detail::Support::mapped(*this, wide(hull_->vertices.front())) + offset_;
        case Kind::Points:
            return points_[0] + offset_;
        default:
            return data_[0] + offset_;
    }
}

glm::dvec3 ConvexRef::support(const glm::dvec3& direction, std::uint32_t& hint) const noexcept {
    return detail::Support::of(*this, direction, hint);
}

std::uint32_t detail::climbing_start(const Hull& hull, const DVec3& direction) noexcept {
    const auto count = static_cast<std::uint32_t>(hull.vertices.size());
    if (is_searched(hull)) return 0;
    const std::uint32_t step = count / std::min(count / 12, kMaxStarts);
    std::uint32_t best = 0;
    double farthest = -kUnbounded;
    for (std::uint32_t i = 0; i < count; i += step) {
        const glm::vec3& p = hull.vertices[i];
        const double along = static_cast<double>(p.x) * direction.x + static_cast<double>(p.y) * direction.y +
                             static_cast<double>(p.z) * direction.z;
        best = along > farthest ? i : best;
        farthest = std::max(farthest, along);
    }
    return best;
}

std::uint32_t detail::hull_support(const Hull& hull, const DVec3& direction, std::uint32_t& hint) noexcept {
    if (is_searched(hull)) {
        static const simd::FarthestAlong farthest_along = simd::support_kernels().farthest_along;
        return farthest_along(&hull.vertices.front().x, static_cast<std::uint32_t>(hull.vertices.size()),
                              &direction.x);
    }
    hint = climb(hull, direction, hint);
    return hint;
}

bool overlap(const ConvexRef& a, const ConvexRef& b, ConvexCache& cache) noexcept {
    NoTrace sink;
    return overlap_impl(a, b, &cache, sink);
}

bool overlap(const ConvexRef& a, const ConvexRef& b) noexcept {
    NoTrace sink;
    return overlap_impl(a, b, nullptr, sink);
}

bool overlap(const ConvexRef& a, const ConvexRef& b, Recording& trace) {
    return overlap_impl(a, b, nullptr, trace);
}

ClosestPoints closest_points(const ConvexRef& a, const ConvexRef& b, ConvexCache& cache) noexcept {
    NoTrace sink;
    return closest_impl(a, b, &cache, sink);
}

ClosestPoints closest_points(const ConvexRef& a, const ConvexRef& b) noexcept {
    NoTrace sink;
    return closest_impl(a, b, nullptr, sink);
}

ClosestPoints closest_points(const ConvexRef& a, const ConvexRef& b, Recording& trace) {
    return closest_impl(a, b, nullptr, trace);
}

float distance(const ConvexRef& a, const ConvexRef& b, ConvexCache& cache) noexcept {
    return distance_impl(a, b, &cache);
}

float distance(const ConvexRef& a, const ConvexRef& b) noexcept {
    return distance_impl(a, b, nullptr);
}

}  // namespace bv
