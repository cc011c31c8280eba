// Steps of fits around points: balls, boxes, slabs and hulls.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "bv/shapes/kdop.hpp"
#include "io/counted.hpp"
#include "results/put.hpp"
#include "steps/telling.hpp"

namespace lab::steps {
namespace {

std::string direction_text(const glm::vec3& d) {
    return to_text(cells::vector(d));
}

constexpr const char* kCurrentPoint = "current point";
constexpr const char* kCenter = "center of the sphere";
constexpr const char* kSupport = "point that defines the sphere";

void put_point(FrameResults& results, const glm::vec3& at, Role role, std::string label, float width,
               const char* legend) {
    if (!std::isfinite(at.x)) return;
    Exhibit& dot = put(results, Marker{at}, role, std::move(label));
    dot.width_px = width;
    dot.on_top = true;
    dot.legend = legend;
}

void put_line(FrameResults& results, const glm::vec3& a, const glm::vec3& b, Role role, float width,
              const char* legend) {
    Exhibit& line = put(results, bv::Segment{a, b}, role);
    line.width_px = width;
    line.on_top = true;
    line.legend = legend;
}

std::string point_name(std::uint32_t index) {
    return fmt::format("point {}", index);
}

/// The slabs fitted so far, cut out of a box around the points.
bv::Polytope polytope_of_slabs(const std::vector<bv::SlabFitted>& slabs, const Subject& subject) {
    bv::Aabb box;
    for (const glm::vec3& p : subject.points)
        box = bv::merge(box, p);
    if (box.is_empty() || slabs.empty()) return {};
    const glm::vec3 margin = glm::vec3(0.25f * glm::length(box.size()) + 1e-3f);
    box = {box.min - margin, box.max + margin};
    bv::Kdop<26> dop;
    for (int i = 0; i < bv::Kdop<26>::kDirections; ++i) {
        const glm::vec3& d = bv::Kdop<26>::direction(i);
        const auto k = static_cast<std::size_t>(i);
        const float middle = glm::dot(d, box.center()), half = glm::dot(glm::abs(d), 0.5f * box.size());
        dop.min[k] = middle - half;
        dop.max[k] = middle + half;
        for (const bv::SlabFitted& slab : slabs)
            if (slab.direction == d) {
                dop.min[k] = slab.min;
                dop.max[k] = slab.max;
            }
    }
    return bv::polytope_of(dop);
}

Polytope as_exhibit(const bv::Polytope& shape) {
    return {shape.vertices, shape.triangles, shape.edges};
}

/// Faces of the hull as one surface.
Polytope surface_of(const Board& board, const Subject& subject, bool seen) {
    Polytope shape;
    for (const Board::HullFace& face : board.faces) {
        if (!face.alive || face.seen != seen) continue;
        const auto base = static_cast<std::uint32_t>(shape.vertices.size());
        for (const std::uint32_t v : face.vertex)
            shape.vertices.push_back(subject.point(v));
        shape.triangles.push_back({base, base + 1, base + 2});
        for (std::uint32_t k = 0; k < 3; ++k)
            shape.edges.push_back({base + k, base + (k + 1) % 3});
    }
    return shape;
}

std::string_view reason_text(bv::BoxConsidered::Reason reason) {
    using Reason = bv::BoxConsidered::Reason;
    switch (reason) {
        case Reason::Axes:
            return "along the coordinate axes";
        case Reason::Principal:
            return "along the principal axes";
        case Reason::Triangle:
            return "aligned with a triangle of extreme points";
        case Reason::FaceFlush:
            return "flush with a large hull face";
        case Reason::EdgesFlush:
            return "flush with hull edges";
        case Reason::Refined:
            return "with its smallest rectangle about one axis";
        case Reason::Measured:
            return "around all points";
    }
    return "";
}

}  // namespace

// ---- extremes

template <>
const Telling<bv::ExtremesFound>& telling<bv::ExtremesFound>() {
    static constexpr Telling<bv::ExtremesFound> kRow{
        .id = "extremes_found",
        .sentence = [](const bv::ExtremesFound& e) -> std::string {
            return fmt::format("Along {}, {} comes first and {} last, {} apart.", direction_text(e.direction),
                               point_name(e.low_index), point_name(e.high_index),
                               in_meters(glm::distance(e.low, e.high)));
        },
        .values = [](const bv::ExtremesFound& e) -> StepValues {
            return {{"direction", cells::vector(e.direction)},
                    {"first", cells::whole(e.low_index)},
                    {"last", cells::whole(e.high_index)},
                    {"distance", cells::trimmed(glm::distance(e.low, e.high)).in("m")}};
        },
        .draw =
            [](const bv::ExtremesFound& e, const StepContext&, FrameResults& results) {
                put_line(results, e.low, e.high, kNow, 3.0f, kCurrentPoint);
                put_point(results, e.low, kNow, point_name(e.low_index), 3.0f, kCurrentPoint);
                put_point(results, e.high, kNow, point_name(e.high_index), 3.0f, kCurrentPoint);
            },
    };
    return kRow;
}

// ---- centers and balls

namespace {

/// After a search for the ends of the axes the center is that of the box.
std::string tell_center(const bv::CenterFound& e, const Subject&, const Board& before) {
    return fmt::format("The {} of {} is ({}, {}, {}) m.",
                       before.extremes.empty() ? "centroid" : "center of the box",
                       io::counted(e.point_count, "point", "points"), in_short(e.center.x),
                       in_short(e.center.y), in_short(e.center.z));
}

}  // namespace

template <>
const Telling<bv::CenterFound>& telling<bv::CenterFound>() {
    static constexpr Telling<bv::CenterFound> kRow{
        .id = "center_found",
        .sentence = nullptr,  // it depends on the steps before
        .values = [](const bv::CenterFound& e) -> StepValues {
            return {{"center", cells::vector(e.center)}, {"points", cells::whole(e.point_count)}};
        },
        .sentence_among = tell_center,
        .draw =
            [](const bv::CenterFound& e, const StepContext&, FrameResults& results) {
                put_point(results, e.center, kNow, "center", 4.0f, "center found now");
            },
    };
    return kRow;
}

namespace {

/// Extreme points on the surface of the first ball.
std::vector<std::uint32_t> holding(const bv::Sphere& ball, const Board& before, const Subject& subject) {
    std::set<std::uint32_t> held;
    for (const bv::ExtremesFound& e : before.extremes)
        for (const std::uint32_t i : {e.low_index, e.high_index})
            if (std::abs(glm::distance(subject.point(i), ball.center) - ball.radius) <= 1e-4f * ball.radius)
                held.insert(i);
    return {held.begin(), held.end()};
}

std::string tell_grown(const bv::SphereGrown& e) {
    if (e.before.is_empty())
        return fmt::format("The first sphere holds the extremes: radius {}.",
                           in_meters(static_cast<double>(e.after.radius)));
    // The new ball touches the point and the far side of the old one.
    const auto before = static_cast<double>(e.before.radius), after = static_cast<double>(e.after.radius);
    const double outside = 2.0 * (after - before);
    if (is_noise(outside, after))
        return fmt::format(
            "Point {} lies on the sphere: only rounding puts it outside, and the radius stays {}.",
            e.point_index, in_meters(after));
    return fmt::format("Point {} lies {} outside, so the sphere {}.", e.point_index, in_meters(outside),
                       change_of(before, after, "m", "grows"));
}

/// The first ball with the points that hold it.
std::string tell_grown_among(const bv::SphereGrown& e, const Subject& subject, const Board& before) {
    if (!e.before.is_empty()) return tell_grown(e);
    const std::vector<std::uint32_t> held = holding(e.after, before, subject);
    const std::string radius = in_meters(static_cast<double>(e.after.radius));
    if (held.size() < 2) return tell_grown(e);
    if (held.size() == 2)
        return fmt::format(
            "The first sphere spans points {} and {}, {} apart: radius {}.", held[0], held[1],
            in_meters(static_cast<double>(glm::distance(subject.point(held[0]), subject.point(held[1])))),
            radius);
    std::string points;
    for (std::size_t i = 0; i < held.size(); ++i)
        points += fmt::format("{}{}", i == 0 ? "" : i + 1 == held.size() ? " and " : ", ", held[i]);
    return fmt::format(
        "The first sphere is the smallest around the extremes: points {} define it, radius {}.", points,
        radius);
}

StepValues grown_values(const bv::SphereGrown& e) {
    if (e.before.is_empty())
        return {{"center", cells::vector(e.after.center)},
                {"radius", cells::trimmed(e.after.radius).in("m")}};
    return {{"point", cells::whole(e.point_index)},
            {"center", cells::vector(e.after.center)},
            {"radius", cells::trimmed(e.after.radius).in("m")},
            {"old radius", cells::trimmed(e.before.radius).in("m")}};
}

StepValues grown_values_among(const bv::SphereGrown& e, const Subject& subject, const Board& before) {
    StepValues values = grown_values(e);
    if (!e.before.is_empty()) return values;
    std::vector<Number> held;
    for (const std::uint32_t i : holding(e.after, before, subject))
        held.push_back(cells::whole(i));
    values.emplace_back("defining points", cells::list(std::move(held)));
    return values;
}

}  // namespace

template <>
const Telling<bv::SphereGrown>& telling<bv::SphereGrown>() {
    static constexpr Telling<bv::SphereGrown> kRow{
        .id = "sphere_grown",
        .variant = [](const bv::SphereGrown& e) { return e.before.is_empty() ? 0 : 1; },
        .sentence = tell_grown,
        .values = grown_values,
        .sentence_among = tell_grown_among,
        .values_among = grown_values_among,
        .quantity = [](const bv::SphereGrown& e, const Subject&, const Board&) -> std::optional<double> {
            return e.after.radius;
        },
        .draw =
            [](const bv::SphereGrown& e, const StepContext& c, FrameResults& results) {
                const glm::vec3 p = c.subject.point(e.point_index);
                if (!e.before.is_empty()) {
                    put(results, e.before, kRejected).legend = "sphere before";
                    put_line(results, e.before.center, p, kNow, 2.0f, kCurrentPoint);
                    put_line(results, e.before.center, e.after.center, Role::Normal, 3.0f,
                             "motion of the center");
                }
                if (e.before.is_empty())
                    for (const std::uint32_t i : holding(e.after, c.before, c.subject))
                        put_point(results, c.subject.point(i), kNow, point_name(i), 4.0f, kCurrentPoint);
                else
                    put_point(results, p, kNow, point_name(e.point_index), 4.0f, kCurrentPoint);
                put_point(results, e.after.center, Role::Sphere, {}, 3.0f, kCenter);
            },
    };
    return kRow;
}

template <>
const Telling<bv::BallMeasured>& telling<bv::BallMeasured>() {
    static constexpr Telling<bv::BallMeasured> kRow{
        .id = "ball_measured",
        .sentence = [](const bv::BallMeasured& e) -> std::string {
            return fmt::format("Farthest from the center is {}: the radius is {}.", point_name(e.farthest),
                               in_meters(static_cast<double>(e.ball.radius)));
        },
        .values = [](const bv::BallMeasured& e) -> StepValues {
            return {{"center", cells::vector(e.ball.center)},
                    {"farthest", cells::whole(e.farthest)},
                    {"radius", cells::trimmed(e.ball.radius).in("m")}};
        },
        .quantity = [](const bv::BallMeasured& e, const Subject&, const Board&) -> std::optional<double> {
            return e.ball.radius;
        },
        .draw =
            [](const bv::BallMeasured& e, const StepContext& c, FrameResults& results) {
                const glm::vec3 p = c.subject.point(e.farthest);
                put_line(results, e.ball.center, p, kNow, 2.0f, kCurrentPoint);
                put_point(results, p, kNow, point_name(e.farthest), 4.0f, kCurrentPoint);
                put_point(results, e.ball.center, Role::Sphere, {}, 3.0f, kCenter);
            },
    };
    return kRow;
}

template <>
const Telling<bv::SupportBall>& telling<bv::SupportBall>() {
    static constexpr Telling<bv::SupportBall> kRow{
        .id = "support_ball",
        .variant = [](const bv::SupportBall& e) { return e.excess > 0 ? 0 : 1; },
        .sentence = [](const bv::SupportBall& e) -> std::string {
            std::string held;
            for (std::size_t i = 0; i < e.support_count; ++i)
                held += fmt::format("{}{}",
                                    i == 0                     ? ""
                                    : i + 1 == e.support_count ? " and "
                                                               : ", ",
                                    e.support[i]);
            const std::string ball =
                fmt::format("{} {} {} a sphere of radius {}", io::plural(e.support_count, "Point", "Points"),
                            held, io::plural(e.support_count, "defines", "define"),
                            in_meters(static_cast<double>(e.ball.radius)));
            if (e.excess <= 0) return fmt::format("{}; no point is outside.", ball);
            const auto excess = static_cast<double>(e.excess);
            return is_noise(excess, static_cast<double>(e.ball.radius))
                       ? fmt::format("{}; {} lies on it, outside by rounding alone, and joins the support.",
                                     ball, point_name(e.farthest))
                       : fmt::format("{}; {} lies {} outside and joins the support.", ball,
                                     point_name(e.farthest), in_meters(excess));
        },
        .values = [](const bv::SupportBall& e) -> StepValues {
            std::vector<Number> held;
            for (std::size_t i = 0; i < e.support_count; ++i)
                held.push_back(cells::whole(e.support[i]));
            return {{"support", cells::list(std::move(held))},
                    {"radius", cells::trimmed(e.ball.radius).in("m")},
                    {"farthest", cells::whole(e.farthest)},
                    {"outside by", cells::trimmed(std::max(e.excess, 0.0f)).in("m")}};
        },
        .quantity = [](const bv::SupportBall& e, const Subject&, const Board&) -> std::optional<double> {
            return e.ball.radius;
        },
        .draw =
            [](const bv::SupportBall& e, const StepContext& c, FrameResults& results) {
                for (std::size_t i = 0; i < e.support_count; ++i) {
                    const glm::vec3 p = c.subject.point(e.support[i]);
                    put_line(results, e.ball.center, p, Role::Sphere, 2.0f, kSupport);
                    put_point(results, p, Role::Sphere, point_name(e.support[i]), 4.0f, kSupport);
                }
                if (e.excess <= 0) return;
                const glm::vec3 p = c.subject.point(e.farthest);
                put_point(results, p, kNow, point_name(e.farthest), 4.0f, kCurrentPoint);
                const glm::vec3 along = p - e.ball.center;
                const float length = glm::length(along);
                if (length > 0)
                    put_line(results, e.ball.center + along * (e.ball.radius / length), p, kNow, 3.0f,
                             kCurrentPoint);
            },
    };
    return kRow;
}

// ---- boxes

template <>
const Telling<bv::PrincipalAxesFound>& telling<bv::PrincipalAxesFound>() {
    static constexpr Telling<bv::PrincipalAxesFound> kRow{
        .id = "principal_axes_found",
        .sentence = [](const bv::PrincipalAxesFound& e) -> std::string {
            const glm::vec3 spread = glm::sqrt(glm::max(e.variance, glm::vec3(0.0f)));
            return fmt::format(
                "Along the principal axes, the standard deviations of the points are {}, {} and {}.",
                in_short(spread.x), in_short(spread.y), in_meters(static_cast<double>(spread.z)));
        },
        .values = [](const bv::PrincipalAxesFound& e) -> StepValues {
            return {{"mean", cells::vector(e.center)},
                    {"axis 1", cells::vector(e.axes[0])},
                    {"axis 2", cells::vector(e.axes[1])},
                    {"axis 3", cells::vector(e.axes[2])},
                    {"variance", cells::vector(e.variance)}};
        },
        .draw =
            [](const bv::PrincipalAxesFound& e, const StepContext&, FrameResults& results) {
                for (int k = 0; k < 3; ++k) {
                    const float spread = 2.0f * std::sqrt(std::max(e.variance[k], 0.0f));
                    Exhibit& arrow =
                        put(results, bv::Segment{e.center, e.center + spread * e.axes[k]}, Role::Normal,
                            fmt::format("2σ = {}", in_meters(static_cast<double>(spread))));
                    arrow.on_top = true;
                    arrow.width_px = 3.0f;
                    arrow.legend = "principal axes";
                }
                put_point(results, e.center, kNow, "mean", 4.0f, "mean found now");
            },
    };
    return kRow;
}

namespace {

/// "1.41 m³". A box whose thickness is nothing but rounding has no volume: it is told by what it has.
std::string size_text(const bv::BoxConsidered& e) {
    const glm::vec3 extents = 2.0f * e.box.half_extents;
    const float longest = std::max({extents.x, extents.y, extents.z});
    const float thinnest = std::min({extents.x, extents.y, extents.z});
    const float middle = extents.x + extents.y + extents.z - longest - thinnest;
    const glm::vec3 far = glm::abs(e.box.center) + 0.5f * longest;
    const auto size = static_cast<double>(std::max({far.x, far.y, far.z}));
    if (!is_noise(static_cast<double>(thinnest), size))
        return in_short(static_cast<double>(e.volume)) + " m³";
    if (is_noise(static_cast<double>(longest), size)) return "no volume, a point";
    if (is_noise(static_cast<double>(middle), size))
        return fmt::format("no volume, {} long", in_meters(static_cast<double>(longest)));
    return fmt::format("no volume, a rectangle of {} m²",
                       in_short(static_cast<double>(longest) * static_cast<double>(middle)));
}

bool has_volume(const bv::BoxConsidered& e) {
    return size_text(e).ends_with("m³");
}

std::string tell_box(const bv::BoxConsidered& e) {
    if (e.reason == bv::BoxConsidered::Reason::Measured)
        return fmt::format("The box around all points: {}.", size_text(e));
    // Candidates of DiTO are rated by the box around the extremes only.
    const bool of_extremes = e.reason == bv::BoxConsidered::Reason::Triangle;
    std::string_view reason = reason_text(e.reason);
    if (of_extremes && e.box.axes == glm::mat3(1.0f)) reason = reason_text(bv::BoxConsidered::Reason::Axes);
    return fmt::format("A box {}{}: {}, {}.", of_extremes ? "around the extremes only, " : "", reason,
                       size_text(e), e.best ? "the smallest so far" : "not smaller than the best");
}

/// The box that is returned, with what the search has promised.
std::string tell_box_among(const bv::BoxConsidered& e, const Subject&, const Board& before) {
    const bool measured = e.reason == bv::BoxConsidered::Reason::Measured;
    if (!measured || !before.best_box || before.best_box->reason != bv::BoxConsidered::Reason::Triangle ||
        !has_volume(e))
        return tell_box(e);
    const bool same_axes = e.box.axes == before.best_box->box.axes;
    return fmt::format("{}: {}, {} {} around the extremes only.",
                       same_axes ? "Along the best axes, the box around all points"
                                 : "Around all points, the box along the coordinate axes is the smallest",
                       size_text(e), same_axes ? "after" : "although other axes gave",
                       size_text(*before.best_box));
}

}  // namespace

template <>
const Telling<bv::BoxConsidered>& telling<bv::BoxConsidered>() {
    static constexpr Telling<bv::BoxConsidered> kRow{
        .id = "box_considered",
        .variant =
            [](const bv::BoxConsidered& e) {
                if (e.reason == bv::BoxConsidered::Reason::Measured) return 2;
                return e.best ? 1 : 0;
            },
        .sentence = tell_box,
        .values = [](const bv::BoxConsidered& e) -> StepValues {
            return {{"volume", cells::trimmed(e.volume).in("m³")},
                    {"half extents", cells::vector(e.box.half_extents)},
                    {"axis 1", cells::vector(e.box.axes[0])},
                    {"best so far", cells::yes_or_no(e.best)}};
        },
        .sentence_among = tell_box_among,
        .quantity = [](const bv::BoxConsidered& e, const Subject&, const Board&) -> std::optional<double> {
            return has_volume(e) ? static_cast<double>(e.volume) : 0.0;
        },
        .draw =
            [](const bv::BoxConsidered& e, const StepContext& c, FrameResults& results) {
                if (!e.best) {
                    put(results, e.box, kNow, size_text(e)).legend = "current candidate";
                } else if (c.before.best_box && c.before.best_box->box != e.box) {
                    put(results, c.before.best_box->box, kRejected).legend = "best before";
                }
            },
    };
    return kRow;
}

// ---- slabs

namespace {

/// Empty for fewer than three slabs: they are unbounded. The first three of a k-DOP meet in a point.
std::optional<double> volume_of(const std::vector<bv::SlabFitted>& slabs, const Subject& subject) {
    if (slabs.size() < 3) return std::nullopt;
    return polytope_of_slabs(slabs, subject).volume();
}

std::string tell_fitted(const bv::SlabFitted& e) {
    const double length = static_cast<double>(glm::length(e.direction));
    return fmt::format("Along {}, all points lie between {} and {}: a slab {} thick.",
                       direction_text(e.direction), point_name(e.low_index), point_name(e.high_index),
                       in_meters((static_cast<double>(e.max) - static_cast<double>(e.min)) / length));
}

/// With the remaining volume.
std::string tell_fitted_among(const bv::SlabFitted& e, const Subject& subject, const Board& before) {
    std::vector<bv::SlabFitted> slabs = before.slabs_fitted;
    const std::optional<double> was = volume_of(slabs, subject);
    slabs.push_back(e);
    const std::optional<double> now = volume_of(slabs, subject);
    if (!now) return tell_fitted(e) + " The volume is unbounded so far.";
    if (!was) return fmt::format("{} The volume is {} m³.", tell_fitted(e), in_short(*now));
    return fmt::format("{} The volume {}.", tell_fitted(e), change_of(*was, *now, "m³", "falls"));
}

}  // namespace

template <>
const Telling<bv::SlabFitted>& telling<bv::SlabFitted>() {
    static constexpr Telling<bv::SlabFitted> kRow{
        .id = "slab_fitted",
        .sentence = tell_fitted,
        .values = [](const bv::SlabFitted& e) -> StepValues {
            return {{"direction", cells::vector(e.direction)},
                    {"min", cells::trimmed(e.min)},
                    {"max", cells::trimmed(e.max)},
                    {"low point", cells::whole(e.low_index)},
                    {"high point", cells::whole(e.high_index)}};
        },
        .sentence_among = tell_fitted_among,
        .quantity = [](const bv::SlabFitted&, const Subject& subject, const Board& after)
            -> std::optional<double> { return volume_of(after.slabs_fitted, subject); },
        .draw =
            [](const bv::SlabFitted& e, const StepContext& c, FrameResults& results) {
                bv::Aabb box;
                for (const glm::vec3& p : c.subject.points)
                    box = bv::merge(box, p);
                const float length = glm::length(e.direction);
                for (const bool high : {false, true}) {
                    const glm::vec3 n = e.direction / (high ? length : -length);
                    const float offset = (high ? e.max : -e.min) / length;
                    PlanePatch patch;
                    patch.plane = {n, offset};
                    patch.center = c.subject.point(high ? e.high_index : e.low_index);
                    patch.half_size = 0.35f * glm::length(box.size());
                    Exhibit& plane = put(results, patch, Role::Plane, {}, 0.1f);
                    plane.width_px = 1.5f;
                    put_point(results, patch.center, kNow, point_name(high ? e.high_index : e.low_index),
                              4.0f, kCurrentPoint);
                }
            },
    };
    return kRow;
}

// ---- hulls

namespace {

/// The points outside a face of the hull. (Quickhull assigns each to one face only, of those that it is
/// outside of.)
void put_outside_set(FrameResults& results, const bv::Triangle& face, const Subject& subject) {
    const glm::dvec3 a(face.a), normal = glm::cross(glm::dvec3(face.b) - a, glm::dvec3(face.c) - a);
    const double length = glm::length(normal);
    constexpr std::size_t kMaxMarkers = 250;
    constexpr const char* kLegend = "points outside this face";
    std::vector<glm::vec3> outside;
    for (const glm::vec3& p : subject.points)
        if (glm::dot(normal, glm::dvec3(p) - a) > 1e-6 * length) outside.push_back(p);
    if (outside.size() > kMaxMarkers) {
        put_dots(results, std::move(outside), Role::Visited, kLegend);
        return;
    }
    for (const glm::vec3& p : outside) {
        Exhibit& dot = put(results, Marker{p}, Role::Visited);
        dot.width_px = 3.0f;
        dot.on_top = true;
        dot.legend = kLegend;
    }
}

}  // namespace

template <>
const Telling<bv::HullFaceSeen>& telling<bv::HullFaceSeen>() {
    static constexpr Telling<bv::HullFaceSeen> kRow{
        .id = "hull_face_seen",
        .sentence = [](const bv::HullFaceSeen& e) -> std::string {
            return fmt::format("Point {} sees face {} (points {}, {} and {}), so the face is removed.",
                               e.point_index, e.slot, e.vertex[0], e.vertex[1], e.vertex[2]);
        },
        .values = [](const bv::HullFaceSeen& e) -> StepValues {
            return {{"point", cells::whole(e.point_index)},
                    {"face", cells::whole(e.slot)},
                    {"corners", cells::list({cells::whole(e.vertex[0]), cells::whole(e.vertex[1]),
                                             cells::whole(e.vertex[2])})}};
        },
        .quantity = [](const bv::HullFaceSeen&, const Subject&, const Board& after) -> std::optional<double> {
            return static_cast<double>(after.face_count);
        },
        .draw =
            [](const bv::HullFaceSeen& e, const StepContext& c, FrameResults& results) {
                const bv::Triangle seen{c.subject.point(e.vertex[0]), c.subject.point(e.vertex[1]),
                                        c.subject.point(e.vertex[2])};
                put_outside_set(results, seen, c.subject);
                Exhibit& face = put(results, seen, kNow, {}, 0.5f);
                face.legend = "face seen now";
                face.on_top = true;
                put_point(results, c.subject.point(e.point_index), kNow, point_name(e.point_index), 4.0f,
                          kCurrentPoint);
            },
    };
    return kRow;
}

namespace {

/// Points on a line or in a plane give no tetrahedron: `corners` says how many of its corners there are.
std::string tell_first_corner(const bv::HullPointAdded& e, std::size_t corners) {
    if (corners == 1) return fmt::format("All points coincide with point {}.", e.point_index);
    return fmt::format("Point {} is {}.", e.point_index,
                       corners == 2   ? "an end of the segment that holds all points"
                       : corners == 3 ? "a corner of a triangle in the plane that holds all points"
                                      : "a corner of the first tetrahedron");
}

std::string tell_hull_point(const bv::HullPointAdded& e) {
    if (e.faces_added == 0) return tell_first_corner(e, 4);
    return fmt::format(
        "Point {} was farthest outside a face, by {}: {} removed, and the horizon has {} edges.",
        e.point_index, in_meters(static_cast<double>(e.distance)),
        io::counted(e.faces_removed, "face is", "faces are"), e.faces_added);
}

std::string tell_hull_point_among(const bv::HullPointAdded& e, const Subject& subject, const Board&) {
    return e.faces_added == 0 ? tell_first_corner(e, subject.tetrahedron.size()) : tell_hull_point(e);
}

}  // namespace

template <>
const Telling<bv::HullPointAdded>& telling<bv::HullPointAdded>() {
    static constexpr Telling<bv::HullPointAdded> kRow{
        .id = "hull_point_added",
        .variant = [](const bv::HullPointAdded& e) { return e.faces_added == 0 ? 0 : 1; },
        .sentence = tell_hull_point,
        .values = [](const bv::HullPointAdded& e) -> StepValues {
            return {{"point", cells::whole(e.point_index)},
                    {"distance", cells::trimmed(e.distance).in("m")},
                    {"faces removed", cells::whole(e.faces_removed)},
                    {"horizon edges", cells::whole(e.faces_added)}};
        },
        .sentence_among = tell_hull_point_among,
        .quantity = [](const bv::HullPointAdded&, const Subject&, const Board& after)
            -> std::optional<double> { return static_cast<double>(after.face_count); },
        .draw =
            [](const bv::HullPointAdded& e, const StepContext& c, FrameResults& results) {
                put_point(results, e.point, kNow, point_name(e.point_index), 4.0f, kCurrentPoint);
                // The horizon: edges of the faces that went, whose other face stays.
                for (const auto& [a, b] : c.before.horizon()) {
                    Exhibit& edge =
                        put(results, bv::Segment{c.subject.point(a), c.subject.point(b)}, Role::Separating);
                    edge.width_px = 4.0f;
                    edge.on_top = true;
                    edge.legend = "horizon";
                }
            },
    };
    return kRow;
}

template <>
const Telling<bv::HullFaceAdded>& telling<bv::HullFaceAdded>() {
    static constexpr Telling<bv::HullFaceAdded> kRow{
        .id = "hull_face_added",
        .variant_among =
            [](const bv::HullFaceAdded& e, const Subject& subject) {
                return std::all_of(e.vertex.begin(), e.vertex.end(),
                                   [&](std::uint32_t v) {
                                       return std::find(subject.tetrahedron.begin(),
                                                        subject.tetrahedron.end(),
                                                        v) != subject.tetrahedron.end();
                                   })
                           ? 0
                           : 1;
            },
        .sentence = [](const bv::HullFaceAdded& e) -> std::string {
            return fmt::format("Face {} joins points {}, {} and {}.", e.slot, e.vertex[0], e.vertex[1],
                               e.vertex[2]);
        },
        .values = [](const bv::HullFaceAdded& e) -> StepValues {
            return {{"face", cells::whole(e.slot)},
                    {"corners", cells::list({cells::whole(e.vertex[0]), cells::whole(e.vertex[1]),
                                             cells::whole(e.vertex[2])})}};
        },
        .quantity = [](const bv::HullFaceAdded&, const Subject&, const Board& after)
            -> std::optional<double> { return static_cast<double>(after.face_count); },
        .draw =
            [](const bv::HullFaceAdded& e, const StepContext& c, FrameResults& results) {
                const bv::Triangle added{c.subject.point(e.vertex[0]), c.subject.point(e.vertex[1]),
                                         c.subject.point(e.vertex[2])};
                put_outside_set(results, added, c.subject);
                Exhibit& face = put(results, added, Role::Selected, {}, 0.45f);
                face.legend = "the new face";
                face.on_top = true;
            },
    };
    return kRow;
}

// ---- the state so far

namespace {

void draw_points(const Board& board, const Subject& subject, FrameResults& results) {
    constexpr std::size_t kMaxTests = 400'000;  // of points against faces, in each frame
    constexpr std::size_t kMaxMarkers = 250;    // of more points only those that show on screen are drawn
    const bool hull = !board.faces.empty() && subject.points.size() * board.faces.size() < kMaxTests;
    const std::array legends = {board.ball || hull ? "point outside" : "point", "point inside"};
    constexpr std::array kRoles = {Role::Mesh, Role::Muted};
    std::array<std::vector<glm::vec3>, 2> crowds;
    for (const glm::vec3& p : subject.points) {
        // Points that define a sphere lie on it, but for rounding.
        bool done = board.ball && glm::distance(board.ball->center, p) <= 1.000001f * board.ball->radius;
        if (hull) done = board.hull_encloses(subject, p);
        if (subject.points.size() > kMaxMarkers) {
            crowds[done ? 1 : 0].push_back(p);
            continue;
        }
        Exhibit& dot = put(results, Marker{p}, kRoles[done ? 1 : 0]);
        dot.width_px = done ? 1.0f : 2.0f;
        dot.legend = legends[done ? 1 : 0];
    }
    for (const std::size_t done : {1, 0})
        if (!crowds[done].empty()) put_dots(results, std::move(crowds[done]), kRoles[done], legends[done]);
}

}  // namespace

void draw_fits(const Board& board, const Subject& subject, FrameResults& results) {
    for (const bv::ExtremesFound& e : board.extremes) {
        Exhibit& line = put(results, bv::Segment{e.low, e.high}, Role::Muted);
        line.width_px = 1.0f;
        line.legend = "pair of extremes";
    }
    if (board.center) put_point(results, board.center->center, Role::Sphere, {}, 3.0f, kCenter);
    if (board.ball) put(results, *board.ball, Role::Sphere, {}, 0.06f);
    for (const std::uint32_t i : board.support)
        put_point(results, subject.point(i), Role::Sphere, {}, 3.0f, kSupport);
    if (board.principal)
        for (int k = 0; k < 3; ++k) {
            const float spread = 2.0f * std::sqrt(std::max(board.principal->variance[k], 0.0f));
            put(results,
                bv::Segment{board.principal->center,
                            board.principal->center + spread * board.principal->axes[k]},
                Role::Normal)
                .legend = "principal axes";
        }
    if (board.best_box) put(results, board.best_box->box, Role::Obb, {}, 0.08f).legend = "best box so far";
    if (!board.slabs_fitted.empty())
        put(results, as_exhibit(polytope_of_slabs(board.slabs_fitted, subject)), Role::Kdop, {}, 0.12f);
    if (!board.faces.empty()) {
        constexpr std::size_t kMaxEdges = 2'000;  // more would cover the faces
        Polytope hull = surface_of(board, subject, false);
        if (hull.edges.size() > kMaxEdges) hull.edges.clear();
        put(results, std::move(hull), Role::Hull, {}, 0.2f);
        Polytope seen = surface_of(board, subject, true);
        if (!seen.vertices.empty())
            put(results, std::move(seen), kRejected, {}, 0.25f).legend = "removed face";
    } else if (!board.hull_points.empty()) {
        // The last one is named by its step.
        for (const std::uint32_t i : board.hull_points)
            put_point(results, subject.point(i), Role::Hull,
                      i == board.hull_points.back() ? std::string() : point_name(i), 3.0f,
                      "corner of the hull");
    }
    if (!subject.points.empty() && subject.points_b.empty()) draw_points(board, subject, results);
}

}  // namespace lab::steps
