// Steps of fits around points: extremes, balls and boxes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "io/text/counted.hpp"
#include "results/put.hpp"
#include "steps/event_spec.hpp"
#include "steps/events/fit_parts.hpp"

namespace lab::steps {
namespace {

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

namespace {

float extent_along(const bv::ExtremesFound& e) {
    return glm::dot(e.high - e.low, e.direction) / glm::length(e.direction);
}

}  // namespace

template <>
const EventSpec<bv::ExtremesFound>& event_spec<bv::ExtremesFound>() {
    static constexpr EventSpec<bv::ExtremesFound> kRow{
        .id = "extremes_found",
        .sentence = [](const bv::ExtremesFound& e) -> std::string {
            return fmt::format("Along {}, {} comes first and {} last: {} along it, {} apart.",
                               direction_text(e.direction), point_name(e.low_index), point_name(e.high_index),
                               in_meters(extent_along(e)), in_meters(glm::distance(e.low, e.high)));
        },
        .values = [](const bv::ExtremesFound& e) -> StepValues {
            return {{"direction", cells::vector(e.direction)},
                    {"first", cells::whole(e.low_index)},
                    {"last", cells::whole(e.high_index)},
                    {"extent", cells::brief(extent_along(e)).in("m")},
                    {"distance", cells::brief(glm::distance(e.low, e.high)).in("m")}};
        },
        .draw =
            [](const bv::ExtremesFound& e, const StepContext&, FrameResults& results) {
                put_line(results, e.low, e.high, kNow, 3.0f, "current pair");
                put_point(results, e.low, kNow, point_name(e.low_index), 3.0f, kCurrentPoint);
                put_point(results, e.high, kNow, point_name(e.high_index), 3.0f, kCurrentPoint);
            },
    };
    return kRow;
}

// ---- centers and balls

namespace {

/// After a search for the ends of the axes the center is that of the box.
std::string center_sentence(const bv::CenterFound& e, const Subject&, const Board& before) {
    return fmt::format("The {} of {} is ({}, {}, {}) m.",
                       before.extremes.empty() ? "centroid" : "center of the box",
                       io::counted(e.point_count, "point", "points"), in_short(e.center.x),
                       in_short(e.center.y), in_short(e.center.z));
}

}  // namespace

template <>
const EventSpec<bv::CenterFound>& event_spec<bv::CenterFound>() {
    static constexpr EventSpec<bv::CenterFound> kRow{
        .id = "center_found",
        .sentence = nullptr,  // it depends on the steps before
        .values = [](const bv::CenterFound& e) -> StepValues {
            return {{"center", cells::vector(e.center)}, {"points", cells::whole(e.point_count)}};
        },
        .sentence_in_context = center_sentence,
        .draw =
            [](const bv::CenterFound& e, const StepContext&, FrameResults& results) {
                put_point(results, e.center, kNow, "center", 4.0f, "center found now");
            },
    };
    return kRow;
}

namespace {

/// The extreme points that define the first ball: two on opposite sides of it, or else all on its surface.
std::vector<std::uint32_t> holding(const bv::Sphere& ball, const Board& before, const Subject& subject) {
    for (const bv::ExtremesFound& e : before.extremes)
        if (e.low_index != e.high_index &&
            glm::distance(glm::mix(subject.point(e.low_index), subject.point(e.high_index), 0.5f),
                          ball.center) <= 1e-5f * ball.radius)
            return {e.low_index, e.high_index};
    std::set<std::uint32_t> held;
    for (const bv::ExtremesFound& e : before.extremes)
        for (const std::uint32_t i : {e.low_index, e.high_index})
            if (std::abs(glm::distance(subject.point(i), ball.center) - ball.radius) <= 1e-4f * ball.radius)
                held.insert(i);
    for (const std::uint32_t i : held)
        for (const std::uint32_t j : held)
            if (i < j && glm::distance(subject.point(i), subject.point(j)) >= 1.99999f * ball.radius)
                return {i, j};
    return {held.begin(), held.end()};
}

std::string grown_sentence(const bv::SphereGrown& e) {
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

/// The first ball, with the points that define it.
std::string grown_sentence_in_context(const bv::SphereGrown& e, const Subject& subject, const Board& before) {
    if (!e.before.is_empty()) return grown_sentence(e);
    const std::vector<std::uint32_t> held = holding(e.after, before, subject);
    const std::string radius = in_meters(static_cast<double>(e.after.radius));
    if (held.size() < 2) return grown_sentence(e);
    if (held.size() == 2)
        return fmt::format(
            "The first sphere spans points {} and {}, {} apart: radius {}.", held[0], held[1],
            in_meters(static_cast<double>(glm::distance(subject.point(held[0]), subject.point(held[1])))),
            radius);
    std::string points;
    for (std::size_t i = 0; i < held.size(); ++i)
        points += fmt::format("{}{}", i == 0 ? "" : i + 1 == held.size() ? " and " : ", ", held[i]);
    return fmt::format("The first sphere is the smallest around the extremes: points {} {} it, radius {}.",
                       points, held.size() <= 4 ? "define" : "lie on", radius);
}

StepValues grown_values(const bv::SphereGrown& e) {
    if (e.before.is_empty())
        return {{"center", cells::vector(e.after.center)}, {"radius", cells::brief(e.after.radius).in("m")}};
    return {{"point", cells::whole(e.point_index)},
            {"center", cells::vector(e.after.center)},
            {"radius", cells::brief(e.after.radius).in("m")},
            {"old radius", cells::brief(e.before.radius).in("m")}};
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
const EventSpec<bv::SphereGrown>& event_spec<bv::SphereGrown>() {
    static constexpr EventSpec<bv::SphereGrown> kRow{
        .id = "sphere_grown",
        .variant = [](const bv::SphereGrown& e) { return e.before.is_empty() ? 0 : 1; },
        .sentence = grown_sentence,
        .values = grown_values,
        .sentence_in_context = grown_sentence_in_context,
        .values_in_context = grown_values_among,
        .quantity = [](const bv::SphereGrown& e, const Subject&, const Board&) -> std::optional<double> {
            return e.after.radius;
        },
        .draw =
            [](const bv::SphereGrown& e, const StepContext& c, FrameResults& results) {
                const glm::vec3 p = c.subject.point(e.point_index);
                if (!e.before.is_empty()) {
                    put(results, e.before, kRejected).legend = "sphere before";
                    put_line(results, e.before.center, p, kNow, 2.0f, kCurrentDistance);
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
const EventSpec<bv::BallMeasured>& event_spec<bv::BallMeasured>() {
    static constexpr EventSpec<bv::BallMeasured> kRow{
        .id = "ball_measured",
        .sentence = [](const bv::BallMeasured& e) -> std::string {
            return fmt::format("Farthest from the center is {}: the radius is {}.", point_name(e.farthest),
                               in_meters(static_cast<double>(e.ball.radius)));
        },
        .values = [](const bv::BallMeasured& e) -> StepValues {
            return {{"center", cells::vector(e.ball.center)},
                    {"farthest", cells::whole(e.farthest)},
                    {"radius", cells::brief(e.ball.radius).in("m")}};
        },
        .quantity = [](const bv::BallMeasured& e, const Subject&, const Board&) -> std::optional<double> {
            return e.ball.radius;
        },
        .draw =
            [](const bv::BallMeasured& e, const StepContext& c, FrameResults& results) {
                const glm::vec3 p = c.subject.point(e.farthest);
                put_line(results, e.ball.center, p, kNow, 2.0f, kCurrentDistance);
                put_point(results, p, kNow, point_name(e.farthest), 4.0f, kCurrentPoint);
                put_point(results, e.ball.center, Role::Sphere, {}, 3.0f, kCenter);
            },
    };
    return kRow;
}

template <>
const EventSpec<bv::SupportBall>& event_spec<bv::SupportBall>() {
    static constexpr EventSpec<bv::SupportBall> kRow{
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
                    {"radius", cells::brief(e.ball.radius).in("m")},
                    {"farthest", cells::whole(e.farthest)},
                    {"outside by", cells::brief(std::max(e.excess, 0.0f)).in("m")}};
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
                             "current distance outside");
            },
    };
    return kRow;
}

// ---- boxes

namespace {

std::string axes_sentence(const bv::PrincipalAxesFound& e, std::string_view whose) {
    const glm::dvec3 spread(glm::sqrt(glm::max(e.variance, glm::vec3(0.0f))));
    const double largest = std::max({spread.x, spread.y, spread.z});
    const auto text = [largest](double value) { return in_short(is_noise(value, largest) ? 0.0 : value); };
    return fmt::format("Along the principal axes, the standard deviations of {} are {}, {} and {} m.", whose,
                       text(spread.x), text(spread.y), text(spread.z));
}

}  // namespace

template <>
const EventSpec<bv::PrincipalAxesFound>& event_spec<bv::PrincipalAxesFound>() {
    static constexpr EventSpec<bv::PrincipalAxesFound> kRow{
        .id = "principal_axes_found",
        .sentence = [](const bv::PrincipalAxesFound& e) -> std::string {
            return axes_sentence(e, "the points");
        },
        .values = [](const bv::PrincipalAxesFound& e) -> StepValues {
            return {{"mean", cells::vector(e.center)},
                    {"axis 1", cells::vector(e.axes[0])},
                    {"axis 2", cells::vector(e.axes[1])},
                    {"axis 3", cells::vector(e.axes[2])},
                    {"variance", cells::vector(e.variance)}};
        },
        .sentence_in_context = [](const bv::PrincipalAxesFound& e, const Subject& subject, const Board&)
            -> std::string { return axes_sentence(e, subject.spread_of); },
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

/// The extents of a box, the longest first, without those that are nothing but rounding.
std::vector<double> true_extents(const bv::BoxConsidered& e) {
    std::vector<double> extents;
    extents.reserve(3);
    for (int k = 0; k < 3; ++k)
        extents.push_back(2.0 * static_cast<double>(e.box.half_extents[k]));
    std::sort(extents.rbegin(), extents.rend());
    double size = 0.0;
    for (int k = 0; k < 3; ++k)
        size = std::max(size, static_cast<double>(std::abs(e.box.center[k])) + 0.5 * extents.front());
    while (!extents.empty() && is_noise(extents.back(), size))
        extents.pop_back();
    return extents;
}

bool has_volume(const bv::BoxConsidered& e) {
    return true_extents(e).size() == 3;
}

/// "1.41 m³". A box whose thickness is nothing but rounding has no volume: its area or length is given.
std::string size_text(const bv::BoxConsidered& e) {
    const std::vector<double> extents = true_extents(e);
    if (extents.size() == 3) return in_short(static_cast<double>(e.volume)) + " m³";
    if (extents.empty()) return "no volume, a point";
    if (extents.size() == 1) return fmt::format("no volume, {} long", in_meters(extents[0]));
    return fmt::format("no volume, a rectangle of {} m²", in_short(extents[0] * extents[1]));
}

std::string box_sentence(const bv::BoxConsidered& e) {
    if (e.reason == bv::BoxConsidered::Reason::Measured)
        return fmt::format("The box around all points: {}.", size_text(e));
    // Candidates of DiTO are rated by the box around the extremes only.
    const bool of_extremes = e.reason == bv::BoxConsidered::Reason::Triangle;
    std::string_view reason = reason_text(e.reason);
    if (of_extremes && e.box.axes == glm::mat3(1.0f)) reason = reason_text(bv::BoxConsidered::Reason::Axes);
    return fmt::format("A box {}{}: {}, {}.", of_extremes ? "around the extremes only, " : "", reason,
                       size_text(e), e.best ? "the smallest so far" : "not smaller than the best");
}

/// The box that is returned, beside the volume that the search found around the extremes.
std::string box_sentence_in_context(const bv::BoxConsidered& e, const Subject&, const Board& before) {
    const bool measured = e.reason == bv::BoxConsidered::Reason::Measured;
    if (!measured || !before.best_box || before.best_box->reason != bv::BoxConsidered::Reason::Triangle ||
        !has_volume(e))
        return box_sentence(e);
    if (e.box.axes == before.best_box->box.axes)
        return fmt::format(
            "Along the best axes, the box around all points: {}, after {} around the extremes only.",
            size_text(e), size_text(*before.best_box));
    return fmt::format(
        "Around all points, the box along the coordinate axes is no larger than that along the best axes: "
        "{}. "
        "The latter had {} around the extremes only.",
        size_text(e), size_text(*before.best_box));
}

}  // namespace

template <>
const EventSpec<bv::BoxConsidered>& event_spec<bv::BoxConsidered>() {
    static constexpr EventSpec<bv::BoxConsidered> kRow{
        .id = "box_considered",
        .variant =
            [](const bv::BoxConsidered& e) {
                if (e.reason == bv::BoxConsidered::Reason::Measured) return 2;
                return e.best ? 1 : 0;
            },
        .sentence = box_sentence,
        .values = [](const bv::BoxConsidered& e) -> StepValues {
            const bool of_extremes = e.reason == bv::BoxConsidered::Reason::Triangle;
            return {{of_extremes ? "volume of extremes" : "volume", cells::brief(e.volume).in("m³")},
                    {"half extents", cells::vector(e.box.half_extents)},
                    {"axis 1", cells::vector(e.box.axes[0])},
                    {"best so far", cells::yes_or_no(e.best)}};
        },
        .sentence_in_context = box_sentence_in_context,
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

}  // namespace lab::steps
