// Steps of rays against boxes and triangles, and of moving boxes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <span>

#include "results/put.hpp"
#include "settings/role.hpp"
#include "steps/event_spec.hpp"

namespace lab::steps {
namespace {

std::string_view verdict_text(const bv::TriangleTested& e) {
    using Verdict = bv::TriangleTested::Verdict;
    switch (e.verdict) {
        case Verdict::Hit:
            return "the ray hits";
        case Verdict::Parallel:
            return "the ray is parallel to the plane, a miss";
        case Verdict::OutsideU:
            // u, v and w add up to 1: above 1 leaves less than 0 for v and w.
            return e.u > 0.0f ? "u is above 1, so v or w is below 0, beyond corner b"
                              : "u is below 0, beyond the edge from a to c";
        case Verdict::OutsideV:
            return "v is below 0, beyond the edge from a to b";
        case Verdict::OutsideW:
            return "u + v is above 1, so w is below 0, beyond the edge from b to c";
        case Verdict::Behind:
            return "the plane is behind the origin";
        case Verdict::Beyond:
            return "the plane is beyond the end of the ray";
        case Verdict::Crosses:
            return "the ray crosses the plane";
        case Verdict::WithinU:
            return "u lies between 0 and 1, so the test goes on";
        case Verdict::WithinV:
            return "v and u + v are in range, too, so the line crosses the triangle";
    }
    return "";
}

bool has_no_area(const bv::Triangle& triangle) {
    const glm::dvec3 a(triangle.a);
    return glm::cross(glm::dvec3(triangle.b) - a, glm::dvec3(triangle.c) - a) == glm::dvec3(0.0);
}

/// The stage at which the test ended: 0: the determinant, 1: u, 2: v, 3: t.
int weights_known(const bv::TriangleTested& e) {
    using Verdict = bv::TriangleTested::Verdict;
    switch (e.verdict) {
        case Verdict::Parallel:
        case Verdict::Crosses:
            return 0;
        case Verdict::OutsideU:
        case Verdict::WithinU:
            return 1;
        case Verdict::OutsideV:
        case Verdict::OutsideW:
        case Verdict::WithinV:
            return 2;
        case Verdict::Hit:
        case Verdict::Behind:
        case Verdict::Beyond:
            return 3;
    }
    return 0;
}

}  // namespace

std::string why_slabs_miss(std::span<const bv::SlabClipped> slabs) {
    const bv::SlabClipped *last_in = nullptr, *first_out = nullptr;
    for (const bv::SlabClipped& slab : slabs) {
        const char axis = "xyz"[std::min<int>(slab.axis, 2)];
        if (slab.t_near > slab.t_far) return fmt::format("the line is never in slab {}", axis);
        if (!last_in || slab.t_near > last_in->t_near) last_in = &slab;
        if (!first_out || slab.t_far < first_out->t_far) first_out = &slab;
        if (!(last_in->t_near > first_out->t_far)) continue;
        const char in = "xyz"[std::min<int>(last_in->axis, 2)];
        const char out = "xyz"[std::min<int>(first_out->axis, 2)];
        return fmt::format("slabs {} and {} share no t", std::min(in, out), std::max(in, out));
    }
    return {};
}

namespace {

char axis_letter(const bv::SlabClipped& e) {
    return "xyz"[std::min<int>(e.axis, 2)];
}

std::string clip_phrase(const bv::SlabClipped& e) {
    if (e.t_near > e.t_far)
        return fmt::format("Axis {}: parallel to the slab and outside of it", axis_letter(e));
    if (std::isinf(e.t_near) && std::isinf(e.t_far))
        return fmt::format("Axis {}: parallel to the slab and inside it", axis_letter(e));
    const auto [from, to] = distinct_texts(static_cast<double>(e.t_near), static_cast<double>(e.t_far));
    return fmt::format("Axis {}: inside the slab from {} to {}", axis_letter(e), from, to);
}

std::string slab_sentence(const bv::SlabClipped& e) {
    if (e.t_enter > e.t_exit) return clip_phrase(e) + "; nothing is left, a miss.";
    if (std::isinf(e.t_enter) && std::isinf(e.t_exit)) return clip_phrase(e) + "; every t is left.";
    return fmt::format("{}; {} to {} is left.", clip_phrase(e), in_short(static_cast<double>(e.t_enter)),
                       in_short(static_cast<double>(e.t_exit)));
}

StepValues slab_values(const bv::SlabClipped& e) {
    return {{"axis", std::string(1, "xyz"[std::min<int>(e.axis, 2)])},
            {"t near", cells::brief(static_cast<double>(e.t_near))},
            {"t far", cells::brief(static_cast<double>(e.t_far))},
            {"t enter", cells::brief(static_cast<double>(e.t_enter))},
            {"t exit", cells::brief(static_cast<double>(e.t_exit))}};
}

/// The gap between two boxes along an axis, negative where they overlap, and the speed at which A approaches
/// B.
struct Approach {
    float gap = 0, speed = 0;
    float common_min = 0, common_max = 0;  ///< The range that both boxes cover, if they overlap.
    bool b_above = true;                   ///< B lies on the side to which the axis points.
};
Approach approach_of(const MovingPair& pair, int axis) {
    const float above = pair.b.min[axis] - pair.a.max[axis], below = pair.a.min[axis] - pair.b.max[axis];
    const float common_min = std::max(pair.a.min[axis], pair.b.min[axis]);
    const float common_max = std::min(pair.a.max[axis], pair.b.max[axis]);
    return above >= below ? Approach{above, pair.velocity[axis], common_min, common_max, true}
                          : Approach{below, -pair.velocity[axis], common_min, common_max, false};
}

double common_of(const Approach& approach) {
    return static_cast<double>(approach.common_max) - static_cast<double>(approach.common_min);
}

/// For moving boxes: the gap, its speed, and the times that follow.
std::string slab_sentence_in_context(const bv::SlabClipped& e, const Subject& subject, const Board& before) {
    if (!subject.moving) {
        if (!(e.t_enter > e.t_exit)) return slab_sentence(e);
        std::vector<bv::SlabClipped> slabs = before.slabs;
        if (!slabs.empty() && slabs.back().t_enter > slabs.back().t_exit)
            return fmt::format("{}; it is a miss already, as {}.", clip_phrase(e),
                               why_slabs_miss(before.slabs));
        if (e.t_near > e.t_far) return clip_phrase(e) + ": a miss.";
        slabs.push_back(e);
        return fmt::format("{}; {}: a miss.", clip_phrase(e), why_slabs_miss(slabs));
    }
    const int axis = std::min<int>(e.axis, 2);
    const Approach approach = approach_of(*subject.moving, axis);
    const double gap = static_cast<double>(approach.gap), common = common_of(approach),
                 speed = static_cast<double>(approach.speed);
    std::string text = fmt::format("Axis {}: ", "xyz"[axis]);
    text += gap > 0    ? fmt::format("{} apart, ", in_meters(gap))
            : gap == 0 ? std::string("touching, ")
                       : fmt::format("overlapping by {}, ", in_meters(common));
    text += speed == 0  ? std::string("no motion along it")
            : speed > 0 ? fmt::format("approaching at {} m/s", in_short(speed))
                        : fmt::format("parting at {} m/s", in_short(-speed));
    if (std::isfinite(e.t_near) && std::isfinite(e.t_far)) {
        const auto [from, to] = distinct_texts(static_cast<double>(e.t_near), static_cast<double>(e.t_far));
        text += fmt::format(": they overlap from {} to {} s", from, to);
    } else
        text += e.t_near > e.t_far ? ": they never overlap" : ": they always overlap";
    if (e.t_enter > e.t_exit) return text + ". No time is left: they never meet.";
    if (!std::isfinite(e.t_enter) || !std::isfinite(e.t_exit)) return text + ".";
    return fmt::format("{}. Remaining: {} to {} s.", text, in_short(static_cast<double>(e.t_enter)),
                       in_short(static_cast<double>(e.t_exit)));
}

StepValues slab_values_among(const bv::SlabClipped& e, const Subject& subject, const Board&) {
    StepValues values = slab_values(e);
    if (!subject.moving) return values;
    const Approach approach = approach_of(*subject.moving, std::min<int>(e.axis, 2));
    values.emplace_back(
        approach.gap > 0 ? "gap" : "overlap",
        in_meters(approach.gap > 0 ? static_cast<double>(approach.gap) : common_of(approach)));
    values.emplace_back("speed", in_short(std::abs(static_cast<double>(approach.speed))) + " m/s");
    return values;
}

/// The gap between both boxes along the axis, beside A.
void draw_gap(const bv::SlabClipped& e, const MovingPair& pair, FrameResults& results) {
    const int axis = std::min<int>(e.axis, 2);
    const Approach approach = approach_of(pair, axis);
    glm::vec3 from = pair.a.center(), to = from;
    const bool apart = approach.gap > 0;
    from[axis] = !apart ? approach.common_min : approach.b_above ? pair.a.max[axis] : pair.a.min[axis];
    to[axis] = !apart ? approach.common_max : approach.b_above ? pair.b.min[axis] : pair.b.max[axis];
    put_measure(results, from, to, kNow,
                fmt::format("{}: {}", "xyz"[axis],
                            in_meters(apart ? static_cast<double>(approach.gap) : common_of(approach))));
    results.exhibits.back().width_px = 5.0f;
    results.exhibits.back().legend = apart ? "gap along the axis" : "overlap along the axis";
}

}  // namespace

template <>
const EventSpec<bv::SlabClipped>& event_spec<bv::SlabClipped>() {
    static constexpr EventSpec<bv::SlabClipped> kRow{
        .id = "slab_clipped",
        .variant = [](const bv::SlabClipped& e) -> int { return e.t_enter > e.t_exit ? 1 : 0; },
        .sentence = slab_sentence,
        .values = slab_values,
        .sentence_in_context = slab_sentence_in_context,
        .values_in_context = slab_values_among,
        .quantity = [](const bv::SlabClipped& e, const Subject&, const Board&) -> std::optional<double> {
            return e.t_enter;
        },
        .draw =
            [](const bv::SlabClipped& e, const StepContext& c, FrameResults& results) {
                if (c.subject.moving) draw_gap(e, *c.subject.moving, results);
                if (!c.subject.ray || c.subject.nodes.empty()) return;
                const bv::Obb& obb = c.subject.nodes.front();
                const bv::Aabb box{obb.center - obb.half_extents, obb.center + obb.half_extents};
                const int axis = std::min<int>(e.axis, 2);
                for (const bool high : {false, true}) {
                    PlanePatch patch;
                    glm::vec3 normal(0.0f);
                    normal[axis] = high ? 1.0f : -1.0f;
                    patch.plane = {normal, high ? box.max[axis] : -box.min[axis]};
                    patch.center = box.center();
                    patch.half_size = 0.75f * glm::length(box.size());
                    Exhibit& plane =
                        put(results, patch, kAxisRoles[static_cast<std::size_t>(axis)], {}, 0.08f);
                    plane.width_px = 1.0f;
                    plane.legend = fmt::format("planes across {}", "xyz"[axis]);
                }
                const auto at = [&](float t) { return c.subject.ray->at(t); };
                if (e.t_enter <= e.t_exit && std::isfinite(e.t_exit)) {
                    Exhibit& left = put(results, bv::Segment{at(e.t_enter), at(e.t_exit)}, Role::Overlap);
                    left.width_px = 6.0f;
                    left.on_top = true;
                    left.legend = "part in the slabs so far";
                }
            },
    };
    return kRow;
}

namespace {

/// True iff the clip left nothing.
bool nothing_left(const bv::RangeClipped& e) {
    return e.t_enter > e.t_exit;
}

std::string range_sentence(const bv::RangeClipped& e) {
    const auto [from, to] = distinct_texts(static_cast<double>(e.t_near), static_cast<double>(e.t_far));
    const std::string begin = in_short(static_cast<double>(e.t_begin));
    if (e.t_far < e.t_begin)
        return fmt::format("The ray begins at t = {}. The box, from {} to {}, is behind it: a miss.", begin,
                           from, to);
    const std::string end = in_short(static_cast<double>(e.t_end));
    if (nothing_left(e))
        return fmt::format("The ray ends at t = {}. The box, from {} to {}, is beyond it: a miss.", end, from,
                           to);
    return fmt::format("The ray goes from {} to {}; {} to {} is left: a hit at {}.", begin, end,
                       in_short(static_cast<double>(e.t_enter)), in_short(static_cast<double>(e.t_exit)),
                       in_short(static_cast<double>(e.t_enter)));
}

StepValues range_values(const bv::RangeClipped& e) {
    return {{"begin", cells::brief(static_cast<double>(e.t_begin))},
            {"end", cells::brief(static_cast<double>(e.t_end))},
            {"t near", cells::brief(static_cast<double>(e.t_near))},
            {"t far", cells::brief(static_cast<double>(e.t_far))},
            {"t enter", cells::brief(static_cast<double>(e.t_enter))},
            {"t exit", cells::brief(static_cast<double>(e.t_exit))}};
}

std::string range_sentence_in_context(const bv::RangeClipped& e, const Subject& subject, const Board&) {
    if (!subject.moving) return range_sentence(e);
    const std::string begin = in_short(static_cast<double>(e.t_begin));
    if (nothing_left(e))
        return fmt::format("The motion begins at {} s: they overlapped only before, until {} s.", begin,
                           in_short(static_cast<double>(e.t_far)));
    if (!std::isfinite(e.t_exit))
        return e.t_near < e.t_begin || !std::isfinite(e.t_near)
                   ? fmt::format("The motion begins at {} s: they overlap from the start, and always will.",
                                 begin)
                   : fmt::format("The motion begins at {} s: {} s and later is left.", begin,
                                 in_short(static_cast<double>(e.t_enter)));
    return fmt::format("The motion begins at {} s: {} to {} s is left.", begin,
                       in_short(static_cast<double>(e.t_enter)), in_short(static_cast<double>(e.t_exit)));
}

}  // namespace

template <>
const EventSpec<bv::RangeClipped>& event_spec<bv::RangeClipped>() {
    static constexpr EventSpec<bv::RangeClipped> kRow{
        .id = "range_clipped",
        .variant = [](const bv::RangeClipped& e) -> int { return nothing_left(e) ? 1 : 0; },
        .sentence = range_sentence,
        .values = range_values,
        .sentence_in_context = range_sentence_in_context,
        .values_in_context = [](const bv::RangeClipped& e, const Subject&,
                                const Board&) { return range_values(e); },
        .quantity = [](const bv::RangeClipped& e, const Subject&, const Board&) -> std::optional<double> {
            return e.t_enter;
        },
        .draw =
            [](const bv::RangeClipped& e, const StepContext& c, FrameResults& results) {
                if (const auto& moving = c.subject.moving; moving && e.t_far < e.t_begin) {
                    const glm::vec3 by = e.t_far * moving->velocity;
                    Exhibit& then = put(results, bv::Aabb{moving->a.min + by, moving->a.max + by}, kRejected,
                                        fmt::format("t = {} s", in_short(static_cast<double>(e.t_far))));
                    then.width_px = 2.0f;
                    then.legend = "A before the motion begins";
                }
                if (!c.subject.ray) return;
                const auto segment = [&](float from, float to, Role role, const char* legend) {
                    if (!(from < to) || !std::isfinite(from) || !std::isfinite(to)) return;
                    Exhibit& part =
                        put(results, bv::Segment{c.subject.ray->at(from), c.subject.ray->at(to)}, role);
                    part.width_px = 6.0f;
                    part.on_top = true;
                    part.legend = legend;
                };
                segment(e.t_near, std::min(e.t_far, e.t_begin), kRejected, "in the box, but not on the ray");
                segment(std::max(e.t_near, e.t_end), e.t_far, kRejected, "in the box, but not on the ray");
                segment(e.t_enter, e.t_exit, Role::Overlap, "part in the box");
            },
    };
    return kRow;
}

template <>
const EventSpec<bv::TriangleTested>& event_spec<bv::TriangleTested>() {
    static constexpr EventSpec<bv::TriangleTested> kRow{
        .id = "triangle_tested",
        .variant = [](const bv::TriangleTested& e) -> int { return static_cast<int>(e.verdict); },
        .sentence = [](const bv::TriangleTested& e) -> std::string {
            const double d = static_cast<double>(e.determinant);
            if (!(d > 0)) return "The determinant is 0. The ray is parallel to the plane: a miss.";
            const int known_of = weights_known(e);
            std::string known = fmt::format("The determinant is {}", in_short(e.front ? d : -d));
            if (known_of >= 1) known += fmt::format(", u = {}", in_short(static_cast<double>(e.u) / d));
            if (known_of >= 2) known += fmt::format(", v = {}", in_short(static_cast<double>(e.v) / d));
            if (known_of >= 3) known += fmt::format(", t = {}", in_short(static_cast<double>(e.t)));
            return fmt::format("{}: {}.", known, verdict_text(e));
        },
        .values = [](const bv::TriangleTested& e) -> StepValues {
            const int known = weights_known(e);
            const double determinant = static_cast<double>(e.front ? e.determinant : -e.determinant);
            StepValues values = {{"determinant", cells::brief(determinant)},
                                 {"front", cells::yes_or_no(e.front)}};
            if (known >= 1) values.push_back({"u · |det|", cells::brief(static_cast<double>(e.u))});
            if (known >= 2) values.push_back({"v · |det|", cells::brief(static_cast<double>(e.v))});
            if (known >= 3) values.push_back({"t", cells::brief(static_cast<double>(e.t))});
            return values;
        },
        .sentence_in_context = [](const bv::TriangleTested& e, const Subject& subject,
                                  const Board&) -> std::string {
            const bool zero = !(e.determinant > 0);
            if (zero && subject.triangle && has_no_area(*subject.triangle))
                return "The determinant is 0. The triangle has no area, and so no plane: a miss.";
            if (zero && subject.ray && subject.ray->direction == glm::vec3(0.0f))
                return "The determinant is 0. The ray has no direction: a miss.";
            return event_spec<bv::TriangleTested>().sentence(e);
        },
        .draw =
            [](const bv::TriangleTested& e, const StepContext& c, FrameResults& results) {
                if (!c.subject.triangle || !c.subject.ray || !(e.determinant > 0)) return;
                const int known = weights_known(e);
                if (known == 0) return;
                const bv::Triangle& t = *c.subject.triangle;
                const float u = e.u / e.determinant, v = e.v / e.determinant;
                Polyline path{{t.a, t.a + u * (t.b - t.a)}};
                if (known >= 2) path.points.push_back(path.points.back() + v * (t.c - t.a));
                const glm::vec3 end = path.points.back();
                Exhibit& along = put(results, std::move(path), Role::Kdop);
                along.on_top = true;
                along.legend = "u along ab, then v along ac";
                using Verdict = bv::TriangleTested::Verdict;
                const bool missed = e.verdict != Verdict::Hit && e.verdict < Verdict::Crosses;
                Exhibit& here = put(results, Marker{end}, missed ? Role::Separating : Role::Kdop);
                here.on_top = true;
                here.legend = missed ? "outside" : "u along ab, then v along ac";
            },
    };
    return kRow;
}

}  // namespace lab::steps
